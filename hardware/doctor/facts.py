"""The facts that the doctor's looks judge.

Of a machine, the files are read in which Linux and a Raspberry Pi describe it.
"""

from __future__ import annotations

import json
import os
import platform
import pwd
import re
import stat
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from companion.ports import Line
from hardware.camera.settings import CameraSettings
from hardware.doctor.trial import Trial
from hardware.vault.discover import VaultSettings

READ_BYTES_MAX = 1 << 20
"""How much of a file is read; only the kernel's log may be longer."""

BUS = "sys/class/gpio"
"""Here Linux has a folder for each GPIO chip."""
DIGITS_MAX = 18
"""The longest text that is read as a number."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The files below *root*: on a real machine ``/``, in tests a folder of fakes.

    Paths are given without a leading slash: ``proc/device-tree/model``. Nothing here
    raises; a file that is missing, unreadable or nonsense counts as empty.
    """

    root: Path = Path("/")

    def text(self, path: str) -> str | None:
        """Read a text, without zeros and spaces at its ends; ``None`` on error."""
        try:
            # Not blocking, as the kernel's log never ends, nor perhaps a pipe.
            handle = os.open(self.root / path, os.O_RDONLY | os.O_NONBLOCK)
        except (OSError, ValueError):
            return None
        try:
            return _all(handle).decode("utf-8", "replace").strip("\0 \t\r\n")
        except OSError:
            return None
        finally:
            os.close(handle)

    def number(self, path: str, base: int = 10) -> int | None:
        """Read the whole number in a file, if it holds one."""
        text = self.text(path) or ""
        if len(text) > DIGITS_MAX or not text.isascii():
            return None
        try:
            return int(text, base)
        except ValueError:
            return None

    def lines(self, path: str) -> tuple[str, ...]:
        """Read the lines of a file; none if it cannot be read."""
        return tuple((self.text(path) or "").splitlines())

    def glob(self, pattern: str) -> tuple[str, ...]:
        """List the paths that match a pattern such as ``sys/class/hwmon/*/name``."""
        try:
            paths = sorted(self.root.glob(pattern))
        except (OSError, ValueError):
            return ()
        return tuple(path.relative_to(self.root).as_posix() for path in paths)

    def has(self, path: str) -> bool:
        """Return whether *path* exists, even if only as a link to nothing."""
        try:
            return os.path.lexists(self.root / path)
        except (OSError, ValueError):
            return False

    def link(self, path: str) -> str:
        """Return the target of a link, as written; empty if *path* is no link."""
        try:
            return os.readlink(self.root / path)
        except (OSError, ValueError):
            return ""

    def mode(self, path: str) -> int:
        """Return the permission bits of *path*; 0 if it does not exist."""
        try:
            return stat.S_IMODE((self.root / path).stat().st_mode)
        except (OSError, ValueError):
            return 0

    @property
    def model(self) -> str:
        """The model of a Pi, such as ``Raspberry Pi 4 Model B Rev 1.4``, or empty."""
        model = self.text("proc/device-tree/model") or ""
        return model[:80] if model.startswith("Raspberry Pi ") else ""

    @property
    def chips(self) -> tuple[tuple[str, str], ...]:
        """The device name and label of each GPIO chip."""
        chips = []
        for path in self.glob(f"{BUS}/gpiochip*/label"):
            chip = path.removesuffix("/label")
            names = self.glob(f"{chip}/device/gpiochip*")
            name = names[0].rsplit("/", 1)[1] if names else chip.rsplit("/", 1)[1]
            chips.append((name, self.text(path) or ""))
        return tuple(chips)

    @property
    def os_release(self) -> dict[str, str]:
        """The entries of /etc/os-release, by their names."""
        pairs = (line.partition("=") for line in self.lines("etc/os-release"))
        return {name: value.strip('"') for name, _, value in pairs}

    def memory_kib(self, name: str) -> int | None:
        """Read an entry of /proc/meminfo, such as ``CmaTotal``, if it is there."""
        for line in self.lines("proc/meminfo"):
            match = re.fullmatch(rf"{name}:\s*([0-9]{{1,12}}) kB", line)
            if match:
                return int(match[1])
        return None

    def mount_of(self, path: Path) -> Mount | None:
        """Find the mount that holds *path*, which is absolute."""
        innermost: Mount | None = None
        for line in self.lines("proc/self/mounts"):
            fields = line.split(" ")
            if len(fields) < 4:
                continue
            _device, escaped, kind, options = fields[:4]
            # Spaces and such are written as octal numbers, for example \040.
            folder = re.sub(r"\\([0-7]{3})", lambda x: chr(int(x[1], 8)), escaped)
            if path != Path(folder) and Path(folder) not in path.parents:
                continue
            # Of two mounts on one folder, the later one covers the earlier.
            if innermost is None or len(folder) >= len(innermost.folder):
                innermost = Mount(folder, kind, "ro" in options.split(","))
        return innermost

    def groups_of(self, user: str) -> frozenset[str]:
        """Return the groups of *user* by /etc/group and /etc/passwd."""
        own_ids = {
            group_id
            for name, _, _, group_id in self._rows("etc/passwd")
            if name == user
        }
        return frozenset(
            name
            for name, _, group_id, members in self._rows("etc/group")
            if group_id in own_ids or user in members.split(",")
        )

    def _rows(self, path: str) -> Iterator[list[str]]:
        """Yield the first four fields of each line of fields between colons."""
        for line in self.lines(path):
            fields = line.split(":")
            if len(fields) >= 4:
                yield fields[:4]


@dataclass(frozen=True, slots=True)
class Mount:
    """A mounted file system."""

    folder: str
    """The folder on which it is mounted."""
    kind: str
    """The type of the file system, such as ``ext4``, ``overlay`` or ``tmpfs``."""
    is_read_only: bool


def _all(handle: int) -> bytes:
    """Read up to ``READ_BYTES_MAX`` without waiting."""
    parts: list[bytes] = []
    size = 0
    while size < READ_BYTES_MAX:
        try:
            part = os.read(handle, 1 << 16)  # The kernel's log gives a line at a time.
        except BlockingIOError:
            break
        if not part:
            break
        parts.append(part)
        size += len(part)
    return b"".join(parts)[:READ_BYTES_MAX]


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
