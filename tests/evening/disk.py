"""A disk for SQLite that forgets what was never synced, and fails as dice say.

SQLite reaches its files through a VFS. Here it is unix's own, with four of its acts
put through Python: a write, a sync, a truncation, a deletion. Each still changes the
real file at once, as the page cache would, and notes what was there before; a sync
forgets the notes instead of waiting for hardware. After a power cut the notes are
taken back, and a part of what was written since is done again: none of it, all, what
came first, or any of its sectors. New and lost names of files behave likewise.

Reads, locks and shared memory are unix's own. So is every file outside the folder, and
what Python writes without SQLite is on the disk at once; its ``os.fsync`` counts, and
so does each name that it gives, moves or takes.
"""

from __future__ import annotations

import ctypes
import errno
import os
import random
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from os import unlink
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.evening import vfs
from tests.evening.unsynced import File, Name

NAMING = ("mkdir", "rename", "replace", "rmdir", "unlink")
"""Python's functions that change a name."""


class Disk:
    """SQLite's files in one folder, on a disk that fails as a seed says.

    It is the disk of every connection that is opened while it is entered.

    Args:
        folder: Where the files are; what lies below it belongs to it, too.
        dice: Decide what a power cut leaves, and all that SQLite itself draws.
        wait: Lets a number of milliseconds pass, for a slow disk; SQLite is in the
            middle of a write then, so it must not use the store.

    Attributes:
        is_full: Whether each write is refused.
        is_broken: Whether each operation is refused.
        slow_ms: How long each sync waits first.
    """

    def __init__(
        self,
        folder: Path,
        dice: random.Random,
        wait: Callable[[int], None] = lambda _ms: None,
    ) -> None:
        self.is_full = self.is_broken = False
        self.slow_ms = 0
        self._folder = os.fsencode(folder.resolve()) + b"/"
        self._dice, self._wait = dice, wait
        self._files: dict[int, File] = {}  # By inode, which an open file keeps.
        self._names: list[Name] = []
        self._operations = 0
        self._due: dict[int, Callable[[], None]] = {}
        self._is_cut = self._is_power = False
        self._fsync, self._vfs = os.fsync, vfs.vfs()
        self._counting = ExitStack()

    def __enter__(self) -> Disk:
        self._vfs.use(self)
        acts: dict[str, Callable[..., None]] = {"fsync": self._fsync_of_python}
        for name in NAMING:
            acts[name] = partial(self._name_of_python, getattr(os, name))
        for name, act in acts.items():
            self._counting.enter_context(patch.object(os, name, act))
        return self

    def __exit__(self, *_: object) -> None:
        self._counting.close()
        self._vfs.use(None)
        self._complain()

    @property
    def operations(self) -> int:
        """How many writes, syncs, truncations, deletions, … there were so far."""
        self._complain()
        return self._operations

    @property
    def is_cut(self) -> bool:
        """Whether the process has died: no call of its reaches the disk any more."""
        self._complain()
        return self._is_cut

    @property
    def is_power_cut(self) -> bool:
        """Whether it has died for want of power, which takes what was not synced."""
        return self._is_cut and self._is_power

    @property
    def is_synced(self) -> bool:
        """Whether a power cut now would take nothing of what stands in a log."""
        return not any(x.notes for x in self._files.values() if x.is_log)

    @property
    def is_due(self) -> bool:
        """Whether something is to happen before an operation to come."""
        return bool(self._due)

    @property
    def is_well(self) -> bool:
        """Whether nothing keeps it from being written and read."""
        return not (self.is_full or self.is_broken or self._is_cut)

    def spare(self) -> None:
        """Let the process live: nothing is due any more."""
        self._due.clear()

    def before(self, operation: int, act: Callable[[], None]) -> None:
        """Do *act* just before an operation from now on, of which 1 is the next."""
        self._due[self._operations + operation] = act

    def cut_after(self, operations: int, *, is_power: bool) -> None:
        """Have the process die once that many more are done, in the next one."""
        self.before(operations + 1, partial(self._die, is_power))

    def cut(self, *, is_power: bool) -> None:
        """Let the process die now; a killed one may still lose its power."""
        self._complain()
        self._die(is_power)

    def leave(self) -> None:
        """Put on the files what the cut left, and be whole for the next start.

        Raises:
            RuntimeError: If a connection is open; a dead process has none.
        """
        self._complain()
        if opened := sum(x.owner is self for x in self._vfs.opened.values()):
            raise RuntimeError(
                f"expected no open file of SQLite's, got {opened}; close every "
                "connection before leave()"
            )
        if self._is_power:
            for file in dict.fromkeys((*self._files.values(), *self._named())):
                file.lose_power(self._dice)
            kept = self._dice.randint(0, len(self._names))
            for name in reversed(self._names[kept:]):
                name.take_back()
            self._names.clear()
        named = self._named()
        self._files = {n: x for n, x in self._files.items() if x.notes or x in named}
        self._due.clear()
        self._is_cut = self._is_power = False
        self._vfs.refuse_locks(is_dead=False)
        self._vfs.forget_drawn()

    def _named(self) -> list[File]:
        return [name.file for name in self._names]

    def _die(self, is_power: bool) -> None:
        self._is_cut = True
        self._is_power |= is_power
        self._vfs.refuse_locks(is_dead=True)

    def _complain(self) -> None:
        error, self._vfs.error = self._vfs.error, None
        if error is not None:
            raise error

    def _do(self, act: Callable[[], None], refusal: int, is_write: bool = False) -> int:
        """Do one operation, unless something is in its way; return SQLite's code."""
        if self._is_cut:
            return refusal
        self._operations += 1
        self._due.pop(self._operations, bool)()
        if self._is_cut:
            if self._is_power and self._dice.random() < 0.5:
                act()  # It was under way, so a part of it may be on the disk.
            return refusal
        if self.is_broken:
            return refusal
        if self.is_full and is_write:
            return vfs.FULL
        act()
        return vfs.OK

    def open(self, name: int, handle: int, flags: int, out: int) -> int:
        """Open a file for SQLite; those that matter here are adopted."""
        path = ctypes.string_at(name) if name else b""
        is_kept = flags & (vfs.MAIN_DB | vfs.JOURNAL | vfs.WAL)
        if not is_kept or flags & vfs.READONLY or not path.startswith(self._folder):
            return self._vfs.unix_open(name, handle, flags, out)
        if self._is_cut:
            return vfs.CANTOPEN
        is_new = not os.path.exists(path)
        code = self._vfs.unix_open(name, handle, flags, out)
        if code == vfs.OK:
            file = self._file(path)
            if is_new:
                self._names.append(Name(path, file, is_new))
                if not flags & vfs.MAIN_DB:  # unix syncs a new log's folder with it.
                    file.folder_to_sync = os.path.dirname(path)
            acts = (partial(x, file) for x in (self._write, self._truncate, self._sync))
            self._vfs.adopt(handle, vfs.Acts(self, *acts))
        return code

    def delete(self, name: int, syncs_names: int) -> int:
        """Delete a file for SQLite."""
        path = ctypes.string_at(name)
        if not path.startswith(self._folder) or not os.path.exists(path):
            return self._vfs.unix_delete(name, syncs_names)

        def act() -> None:
            file = self._file(path)
            del self._files[os.stat(path).st_ino]
            self._names.append(Name(path, file, is_new=False))
            unlink(path)
            if syncs_names:
                self._keep_names(os.path.dirname(path))

        return self._do(act, vfs.DELETE)

    def draw(self, count: int, out: int) -> int:
        """Draw what SQLite begins with when it draws."""
        ctypes.memmove(out, self._dice.randbytes(count), count)
        return count

    def _write(self, file: File, address: int, length: int, offset: int) -> int:
        new = ctypes.string_at(address, length)
        return self._do(partial(file.write, offset, new), vfs.WRITE, is_write=True)

    def _truncate(self, file: File, size: int) -> int:
        return self._do(partial(file.truncate, size), vfs.TRUNCATE)

    def _sync(self, file: File, _flags: int) -> int:
        def act() -> None:
            file.notes.clear()
            if file.folder_to_sync:
                self._keep_names(file.folder_to_sync)
                file.folder_to_sync = b""

        if self.slow_ms and not self._is_cut:
            self._wait(self.slow_ms)
        return self._do(act, vfs.FSYNC)

    def _fsync_of_python(self, number: int) -> None:
        path = os.fsencode(os.readlink(f"/proc/self/fd/{number}"))
        if not (path + b"/").startswith(self._folder):
            self._fsync(number)
            return

        def act() -> None:
            self._keep_names(path)
            if (found := self._files.get(os.fstat(number).st_ino)) is not None:
                found.notes.clear()

        if self._do(act, vfs.FSYNC) != vfs.OK:
            raise OSError(errno.EIO, os.strerror(errno.EIO), os.fsdecode(path))

    def _name_of_python(
        self, act: Callable[..., None], path: str | Path, *more: Any, **how: Any
    ) -> None:
        folder = how.get("dir_fd")
        above = (
            os.getcwd() if folder is None else os.readlink(f"/proc/self/fd/{folder}")
        )
        whole = os.path.join(os.fsencode(above), os.fsencode(path))
        if not whole.startswith(self._folder):
            act(path, *more, **how)
        elif self._do(partial(act, path, *more, **how), vfs.FSYNC) != vfs.OK:
            raise OSError(errno.EIO, os.strerror(errno.EIO), os.fsdecode(path))

    def _keep_names(self, folder: bytes) -> None:
        self._names = [x for x in self._names if os.path.dirname(x.path) != folder]

    def _file(self, path: bytes) -> File:
        number = os.stat(path).st_ino
        if number not in self._files:
            self._files[number] = File(path)
        return self._files[number]
