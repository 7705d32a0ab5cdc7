"""Read the files in which Linux and a Raspberry Pi describe themselves.

All of them are below one folder: on a real machine ``/``, in tests a folder of fakes.
Nothing here raises; a file that is missing, unreadable or nonsense counts as empty.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

READ_BYTES_MAX = 1 << 20
"""How much of a file is read; only the kernel's log may be longer."""

BUS = "sys/class/gpio"
"""Here Linux has a folder for each GPIO chip."""
DIGITS_MAX = 18
"""The longest text that is read as a number."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The files below *root*.

    Paths are given without a leading slash: ``proc/device-tree/model``.
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
