"""The facts that the doctor's looks judge."""

from __future__ import annotations

import json
import os
import platform
import pwd
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from companion.ports import Line
from hardware.camera.settings import CameraSettings
from hardware.doctor.machine import Machine
from hardware.doctor.trial import Trial
from hardware.vault.discover import VaultSettings


@dataclass(frozen=True, slots=True)
class Python:
    """The Python that runs this program."""

    version: tuple[int, int, int]
    is_venv: bool
    sees_system: bool
    """Whether it can import the libraries that apt installed."""


@dataclass(frozen=True, slots=True)
class Space:
    """The size and free space, in bytes, of the disk that holds the games."""

    total: int
    free: int


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that a look may judge; a fact that was not gathered is empty.

    Attributes:
        machine: The files below the root folder.
        data: The folder of the games, absolute.
        user: The user who runs the table, as a service or now.
        origin: The address that the program was installed from, if pip noted it.
        bits: 64 or 32, as this Python was built.
        processor: The kind of processor, such as ``aarch64``.
        trial: The libraries and the Pi's cameras.
        space: The disk that holds *data*.
        address: The address that phones open.
        lacks_ipv6: Whether *address* is empty because the network has only IPv6, on
            which the table does not listen.
        is_served: Whether a table runs on *data*.
        levels: The levels of the vault's inputs, or why reading them failed; ``None``
            if a running table holds them, or there are no pins.
        zone: The table's time zone.
        chips: Device and label of each GPIO chip, or why they are not known.
    """

    machine: Machine
    vault: VaultSettings = field(default_factory=VaultSettings)
    camera: CameraSettings = field(default_factory=CameraSettings)
    data: Path = Path("/var/lib/companion")
    user: str = ""
    python: Python | None = None
    origin: str = ""
    bits: int = 64
    processor: str = ""
    trial: Trial = field(default_factory=Trial)
    space: Space | None = None
    address: str = ""
    lacks_ipv6: bool = False
    is_served: bool | None = None
    levels: Mapping[Line, bool] | str | None = None
    zone: str = ""
    chips: tuple[tuple[str, str], ...] | str = ()

    @property
    def wants_pi_camera(self) -> bool:
        """Whether the settings allow a camera on the Pi's ribbon cable."""
        return self.camera.camera in ("auto", "pi")


SERVICE = "etc/systemd/system/companion.service"
"""The file of the service, if the table is installed as one."""
SERVICE_USER = "companion"
"""The user who usually runs the service."""


def user_of(machine: Machine) -> str:
    """Return the user who runs the table; empty if it has no name."""
    if machine.has(SERVICE):
        return SERVICE_USER
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return ""


def zone_of(machine: Machine, variables: Mapping[str, str]) -> str:
    """Return the C library's time zone, such as ``Europe/Berlin``, if it has a name."""
    chosen = variables.get("TZ", "").removeprefix(":")
    linked = machine.link("etc/localtime").partition("zoneinfo/")[2]
    named = next(iter(machine.lines("etc/timezone")), "")
    if chosen or linked or machine.has("etc/localtime"):
        return (chosen or linked or named)[:80]
    return "UTC"


def this_python() -> Python:
    """Describe the Python that runs this program."""
    is_venv = sys.prefix != sys.base_prefix
    pairs = (
        line.partition("=") for line in Machine(Path(sys.prefix)).lines("pyvenv.cfg")
    )
    values = {name.strip(): value.strip().lower() for name, _, value in pairs}
    sees_system = not is_venv or values.get("include-system-site-packages") == "true"
    return Python(sys.version_info[:3], is_venv, sees_system)


def this_origin() -> str:
    """Return the URL that pip installed this program from; empty if not noted.

    Source: PEP 610, *Recording the Direct URL Origin of installed distributions*.
    """
    try:
        noted = distribution("table-companion").read_text("direct_url.json")
    except PackageNotFoundError:
        noted = None
    return str(json.loads(noted)["url"]) if noted else ""


def this_processor() -> tuple[int, str]:
    """Return the bits this Python was built for, and the kind of processor."""
    return (64 if sys.maxsize > 1 << 32 else 32), platform.machine()


def space_of(folder: Path) -> Space | None:
    """Measure the disk of *folder* or its nearest existing parent, if possible."""
    for path in (folder, *folder.parents):
        try:
            stats = os.statvfs(path)
        except FileNotFoundError:
            continue
        except OSError:
            return None
        return Space(stats.f_blocks * stats.f_frsize, stats.f_bavail * stats.f_frsize)
    return None
