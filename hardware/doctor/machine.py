"""The files by which Linux and a Raspberry Pi tell how they are, below one folder.

On a real machine that folder is ``/``; a test fakes any Pi with a folder of files.
Nothing here raises: a file that is missing, unreadable or nonsense tells nothing.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

READ_BYTES_MAX = 1 << 20
"""No file that is looked at is longer; the kernel's log may be, and is cut."""

BUS = "sys/class/gpio"
DIGITS_MAX = 18


@dataclass(frozen=True, slots=True)
class Machine:
    """What the files below *root* tell.

    Every path is given without a slash in front: ``proc/device-tree/model``.
    """

    root: Path = Path("/")

    def text(self, path: str) -> str | None:
        """The text of a file, without the zeros and spaces around it; else ``None``."""
        try:
            # Not blocking: the kernel's log has no end, and a pipe may have no writer.
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
        """The whole number in a file, or ``None``."""
        text = self.text(path) or ""
        if len(text) > DIGITS_MAX or not text.isascii():
            return None
        try:
            return int(text, base)
        except ValueError:
            return None

    def lines(self, path: str) -> tuple[str, ...]:
        """The lines of a file; none if it cannot be read."""
        return tuple((self.text(path) or "").splitlines())

    def found(self, pattern: str) -> tuple[str, ...]:
        """The paths that match a pattern such as ``sys/class/hwmon/*/name``."""
        try:
            paths = sorted(self.root.glob(pattern))
        except (OSError, ValueError):
            return ()
        return tuple(path.relative_to(self.root).as_posix() for path in paths)

    def has(self, path: str) -> bool:
        """Whether something is there, if only a link to nowhere."""
        try:
            return os.path.lexists(self.root / path)
        except (OSError, ValueError):
            return False

    def link(self, path: str) -> str:
        """Return where a link leads, as it is written; nothing if it is none."""
        try:
            return os.readlink(self.root / path)
        except (OSError, ValueError):
            return ""

    def mode(self, path: str) -> int:
        """The permissions of what is there; 0 if nothing is."""
        try:
            return stat.S_IMODE((self.root / path).stat().st_mode)
        except (OSError, ValueError):
            return 0

    @property
    def model(self) -> str:
        """Such as ``Raspberry Pi 4 Model B Rev 1.4``; empty if it is no Pi."""
        model = self.text("proc/device-tree/model") or ""
        return model[:80] if model.startswith("Raspberry Pi ") else ""

    @property
    def chips(self) -> tuple[tuple[str, str], ...]:
        """The GPIO chips: name of the device, and label."""
        found = []
        for path in self.found(f"{BUS}/gpiochip*/label"):
            chip = path.removesuffix("/label")
            names = self.found(f"{chip}/device/gpiochip*")
            name = names[0].rsplit("/", 1)[1] if names else chip.rsplit("/", 1)[1]
            found.append((name, self.text(path) or ""))
        return tuple(found)

    @property
    def os_release(self) -> dict[str, str]:
        """What the operating system says of itself in /etc/os-release."""
        pairs = (line.partition("=") for line in self.lines("etc/os-release"))
        return {name: value.strip('"') for name, _, value in pairs}

    def memory_kib(self, name: str) -> int | None:
        """A line of /proc/meminfo, such as ``CmaTotal``, in KiB."""
        for line in self.lines("proc/meminfo"):
            found = re.fullmatch(rf"{name}:\s*([0-9]{{1,12}}) kB", line)
            if found:
                return int(found[1])
        return None

    def mount_of(self, path: Path) -> Mount | None:
        """The mount that *path* lies on, a path of the machine; ``None`` if unknown."""
        best: Mount | None = None
        for line in self.lines("proc/self/mounts"):
            words = line.split(" ")
            if len(words) < 4:
                continue
            at = re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), words[1])
            is_around = path == Path(at) or Path(at) in path.parents
            # Of two mounts at one place, the later one covers the earlier.
            if is_around and (best is None or len(at) >= len(best.at)):
                best = Mount(at, words[2], "ro" in words[3].split(","))
        return best

    def groups_of(self, user: str) -> frozenset[str]:
        """The groups that /etc/group and /etc/passwd put *user* in."""
        own_ids = {
            words[3]
            for line in self.lines("etc/passwd")
            if len(words := line.split(":")) > 3 and words[0] == user
        }
        return frozenset(
            words[0]
            for line in self.lines("etc/group")
            if len(words := line.split(":")) > 3
            and (user in words[3].split(",") or words[2] in own_ids)
        )


@dataclass(frozen=True, slots=True)
class Mount:
    """A mounted file system."""

    at: str
    kind: str
    """Such as ``ext4``, ``overlay`` or ``tmpfs``."""
    is_read_only: bool


def _all(handle: int) -> bytes:
    """All that can be read without waiting, up to ``READ_BYTES_MAX``."""
    parts: list[bytes] = []
    size = 0
    while size < READ_BYTES_MAX:
        try:
            part = os.read(handle, 1 << 16)  # A line at a time, of the kernel's log.
        except BlockingIOError:
            break
        if not part:
            break
        parts.append(part)
        size += len(part)
    return b"".join(parts)[:READ_BYTES_MAX]
