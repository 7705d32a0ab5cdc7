"""What the looks go by: files below a folder, settings, and what had to be asked."""

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
    """The Python that runs us."""

    version: tuple[int, int, int]
    is_venv: bool
    sees_system: bool
    """Whether it finds the libraries that apt installed."""


@dataclass(frozen=True, slots=True)
class Space:
    """The disk under the folder of the games, in bytes."""

    total: int
    free: int


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that a look may go by; what was not asked for is empty.

    Attributes:
        machine: The files below the root folder.
        vault: The settings of the vault.
        camera: The settings of the camera.
        data: The folder of the games, absolute.
        user: Who runs the table: the service's user, where there is a service.
        python: The Python that runs us.
        origin: The address that the program was installed from; empty if pip noted
            none, as it does for a package index.
        bits: 64 or 32: how this Python was built.
        processor: Such as ``aarch64``.
        trial: The libraries and the Pi's cameras.
        space: The disk under *data*; ``None`` if that cannot be told.
        address: Where phones find the table; empty on no network.
        lacks_ipv6: Whether that is so because the table does not listen by IPv6.
        is_served: Whether a table runs on *data*; ``None`` if that cannot be told.
        levels: The vault's inputs, or why they could not be read; ``None`` if nobody
            asked, because a running table holds them or the vault is simulated.
        zone: The time zone by which the table writes hours; empty if nothing names it.
        chips: The GPIO chips, by device and label, or why they are not known.
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
SERVICE_USER = "companion"


def user_of(machine: Machine) -> str:
    """Who runs the table on this machine."""
    if machine.has(SERVICE):
        return SERVICE_USER
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return ""


def zone_of(machine: Machine, variables: Mapping[str, str]) -> str:
    """Return the zone that the C library goes by, such as ``Europe/Berlin``."""
    told = variables.get("TZ", "").removeprefix(":")
    linked = machine.link("etc/localtime").partition("zoneinfo/")[2]
    named = next(iter(machine.lines("etc/timezone")), "")
    if told or linked or machine.has("etc/localtime"):
        return (told or linked or named)[:80]
    return "UTC"


def this_python() -> Python:
    """The Python that runs us, as the looks see it."""
    is_venv = sys.prefix != sys.base_prefix
    told = Machine(Path(sys.prefix)).lines("pyvenv.cfg")
    pairs = (line.partition("=") for line in told)
    values = {name.strip(): value.strip().lower() for name, _, value in pairs}
    sees = not is_venv or values.get("include-system-site-packages") == "true"
    return Python(sys.version_info[:3], is_venv, sees)


def this_origin() -> str:
    """Return the address that the program was installed from, as pip noted it.

    Source: PEP 610, *Recording the Direct URL Origin of installed distributions*.
    """
    try:
        noted = distribution("table-companion").read_text("direct_url.json")
    except PackageNotFoundError:
        noted = None
    return str(json.loads(noted)["url"]) if noted else ""


def this_processor() -> tuple[int, str]:
    """How many bits this Python was built for, and the kind of processor."""
    return (64 if sys.maxsize > 1 << 32 else 32), platform.machine()


def space_of(folder: Path) -> Space | None:
    """The disk under *folder*, or under the nearest folder above it that is there."""
    for path in (folder, *folder.parents):
        try:
            told = os.statvfs(path)
        except FileNotFoundError:
            continue
        except OSError:
            return None
        return Space(told.f_blocks * told.f_frsize, told.f_bavail * told.f_frsize)
    return None
