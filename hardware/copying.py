"""Copies games as they are played, in a process of its own, since a stick may hang.

The process is a reader beside the table, and owns nothing of it. If it hangs in the
kernel, with a device or with a share that is gone, the table does not wait for it, and
starts another one for the next stick. It ends when the table has ended.
"""

from __future__ import annotations

import errno
import logging
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from companion.as_json import to_json
from companion.errors import CompanionError, DeviceFault
from companion.health import Condition, Finding
from companion.ports import Clock, Stick, Timer
from companion.store.copies import FILE_BYTES_MAX, Copier, Copy, export_of
from companion.store.reader import reading_beside
from companion.words import Words, say
from hardware.stick import MOUNT, ask, sticks

log = logging.getLogger(__name__)

PASS_S: Final = 1.0
"""The time between two batches, so that a stick lives."""
RETRY_S: Final = 10.0
"""The time after which what failed is tried again."""
LOOK_MS: Final = 2_000
"""How often the table looks what the process has said."""
SILENT_NS: Final = 20_000_000_000
"""How long the process may say nothing."""
END_S: Final = 0.3
"""How long the table waits for the process to end."""
READ_S: Final = 20
"""How long a copy may take to be read."""

GONE, SILENT, UNREADABLE, FAILED = "gone", "silent", "unreadable", "failed"
WHYS: Final = {
    GONE: say("it is not there any more"),
    SILENT: say("it does not answer"),
    UNREADABLE: say("the games cannot be read"),
    FAILED: say("the table cannot start copying"),
    "ENOENT": say("its folder is not there"),
    "ENOSPC": say("it is full"),
    "EDQUOT": say("it is full"),
    "EROFS": say("it can be read, but not written"),
    "EACCES": say("the table may not write there"),
    "EPERM": say("the table may not write there"),
}
"""Why there is no copy, by our own words and by the system's names of errors."""
BROKEN: Final = say("it makes mistakes")
"""The words for all other errors of the system."""

MOUNTS, DISKS = Path("/proc/self/mountinfo"), Path("/sys/class/block")
"""Where Linux lists what is mounted and plugged in; to look there touches no stick."""


class Report(msgspec.Struct, frozen=True):
    """What the process says after each batch.

    Attributes:
        why: What failed, as in ``WHYS``; empty if nothing did.
        is_whole: Whether the copy is as the table.
        found: What could be taken in, if that has changed.
    """

    why: str = ""
    is_whole: bool = False
    found: tuple[Copy, ...] | None = None


class Copying:
    """The process that copies, as the table sees it; nothing here waits for it long.

    Args:
        folder: Where the copies are; only the process touches it.
        start: Starts the process.
        clock: Looks after it; nothing else uses it.
        tell: Called when there is something new to be seen.
        chosen: Returns the UUIDs of the sticks to which the host has said yes, if the
            copies are on whichever of them is plugged in.
    """

    def __init__(
        self,
        folder: Path,
        start: Callable[[], subprocess.Popen[bytes]],
        clock: Clock,
        tell: Callable[[], object],
        chosen: Callable[[], Collection[str]] | None = None,
    ) -> None:
        self._folder = folder
        self._start = start
        self._clock = clock
        self._tell = tell
        self._chosen = chosen
        self._lock = threading.Lock()  # Guards all below.
        self._process: subprocess.Popen[bytes] | None = None
        self._heard = b""
        self._heard_ns = 0
        self._good_ms = 0  # When the copy was last as the table; 0 for never.
        self._why = ""
        self._found: tuple[Copy, ...] = ()
        self._seen: frozenset[str] = frozenset()  # Sticks; each is asked for once.
        self._is_leaving = False  # The stick was let go, and is still there.
        self._timer: Timer | None = clock.call_later(0, self._look)

    def state(self) -> Words | None:
        """Return what people at the table may know of the copy, if anything."""
        at = time.strftime("%H:%M", time.localtime(self._good_ms / 1000))
        why = WHYS.get(self._why, BROKEN)
        if self._why and self._good_ms:
            return say("no copy since {time}: {why}", time=at, why=why)
        if self._why:
            return say("there is no copy: {why}", why=why)
        if not self._good_ms:
            return None if self._process is None else say("the games are being copied")
        if self._chosen is None:
            return say(
                "all games are in {folder}, as of {time}",
                folder=str(self._folder),
                time=at,
            )
        return say("all games are on the stick, as of {time}", time=at)

    def findings(self) -> Iterator[Finding]:
        """Report the state of the copy, if there is one."""
        if words := self.state():
            kind = Condition.WARN if self._why else Condition.OK
            yield Finding("table.copy", kind, words, say("see the page of the copies"))

    def sticks(self) -> tuple[Stick, ...]:
        """List the sticks that are plugged in, if the copies are on one of them."""
        return () if self._chosen is None else sticks()

    def choose(self, uuid: str) -> None:
        """Have a stick mounted, or the present one let go if *uuid* is empty.

        Raises:
            DeviceFault: If nobody can do that.
        """
        with self._lock:
            self._end()
            self._good_ms, self._why, self._is_leaving = 0, "", not uuid
            ask(uuid)

    def found(self) -> tuple[Copy, ...]:
        """Return what lies there and is not on the table, or otherwise."""
        return self._found

    def read(self, file: str) -> bytes:
        """Return the exported game in one of these files; who reads may hang instead.

        Raises:
            DeviceFault: If it cannot be read, or not in time.
            Malformed: If it has no game.
        """
        command = "head", f"--bytes={FILE_BYTES_MAX}", "--", self._folder / file
        reading = subprocess.Popen(command, stdout=subprocess.PIPE)
        try:
            content, _ = reading.communicate(timeout=READ_S)
        except subprocess.TimeoutExpired:
            _kill(reading)
        if reading.returncode != 0:
            raise DeviceFault(
                say("the copy cannot be read"), say("plug the stick in again")
            )
        return export_of(content)

    def close(self) -> None:
        """End the process; one that hangs ends by itself, once it can."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = None
            self._end()

    def _look(self) -> None:
        with self._lock:
            if self._timer is None:
                return
            before = self._why, self._found, bool(self._good_ms)
            try:
                self._look_after()
            except (OSError, DeviceFault, msgspec.MsgspecError) as error:
                log.warning("copies_not_looked_after error=%r", error)
                self._end()
                self._why = FAILED
            is_news = before != (self._why, self._found, bool(self._good_ms))
            self._timer = self._clock.call_later(LOOK_MS, self._look)
        if is_news:
            self._tell()

    def _look_after(self) -> None:
        """Start the process, or hear what it has said."""
        now_ns = self._clock.monotonic_ns()
        is_there = self._is_there()
        self._is_leaving &= is_there
        if self._is_leaving or not is_there:
            is_missed = self._good_ms or self._process or self._why == GONE
            self._end()
            self._why, self._found = GONE if is_missed else "", ()
            return
        if self._process is None:
            self._process, self._heard_ns = self._start(), now_ns
            if self._why == GONE and not self._good_ms:
                self._why = ""  # Another stick than the one that is missed, maybe.
        output = self._process.stdout
        assert output is not None, "it was asked for"
        os.set_blocking(output.fileno(), False)
        with suppress(BlockingIOError):
            while more := os.read(output.fileno(), 1 << 16):
                self._heard += more
        *lines, self._heard = self._heard.split(b"\n")
        for line in lines:
            report = msgspec.json.decode(line, type=Report)
            self._heard_ns, self._why = now_ns, report.why
            if report.is_whole:
                self._good_ms = self._clock.now_ms()
            if report.found is not None:
                self._found = report.found
        if now_ns - self._heard_ns > SILENT_NS:
            self._why = SILENT
            if self._process.poll() is not None:
                self._end()  # Another one is started at the next look.

    def _is_there(self) -> bool:
        """Tell whether a stick is mounted, if it has to be; else have one mounted."""
        # Not its folder on the system's own disk, which the unit binds to itself.
        if self._chosen is None or f" / {MOUNT} " in MOUNTS.read_text():
            return True
        seen: frozenset[str] = frozenset()
        if any(DISKS.glob("sd*")) and (chosen := self._chosen()):
            seen = frozenset(stick.uuid for stick in sticks())
            for uuid in sorted((seen - self._seen) & {*chosen})[:1]:
                ask(uuid)
        self._seen = seen
        return False

    def _end(self) -> None:
        if self._process is not None:
            _kill(self._process)
        self._process, self._heard = None, b""


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process now, unless it hangs in the kernel."""
    process.kill()
    for pipe in filter(None, (process.stdin, process.stdout)):
        pipe.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(END_S)


def start(folder: Path, data: Path, url: str) -> subprocess.Popen[bytes]:
    """Start the process that copies the games in *data*, or at *url*, to *folder*."""
    return subprocess.Popen(
        (sys.executable, "-I", "-m", __name__, folder.absolute(), data.absolute()),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "COMPANION_DATABASE": url},
    )


def main() -> None:
    """Copy until the table has ended: what the process does."""
    folder, data = map(Path, sys.argv[1:])
    url = os.environ.get("COMPANION_DATABASE", "")
    copier = Copier(folder, partial(reading_beside, data, url))
    os.umask(0o022)  # On another Pi the table's user may have another number.
    told: tuple[Copy, ...] = ()
    wait_s = 0.0
    while not select.select([sys.stdin], [], [], wait_s)[0]:
        why = ""
        try:
            wait_s = 0.0 if copier.copy() else PASS_S
        except CompanionError:
            why, wait_s = UNREADABLE, RETRY_S
        except OSError as error:
            why, wait_s = errno.errorcode.get(error.errno or 0, "EIO"), RETRY_S
        found = None if copier.found == told else copier.found
        told = copier.found
        sys.stdout.buffer.write(to_json(Report(why, wait_s == PASS_S, found)) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
