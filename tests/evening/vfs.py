"""SQLite's own way to its files, with some of its acts put through Python.

No compiler and no other package: ``ctypes`` reaches the functions of the library that
Python's ``sqlite3`` uses. A file is unix's own; its reads, locks and shared memory stay
so. What Python raises cannot pass through SQLite: it is kept in ``error``.
"""

from __future__ import annotations

import _sqlite3
import ctypes
from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple, Protocol

OK, FULL, CANTOPEN = 0, 13, 14
IOERR, WRITE, FSYNC, TRUNCATE, DELETE, LOCK, SHMLOCK = (
    10 | more << 8 for more in (0, 3, 4, 6, 10, 15, 20)
)
"""Source: sqlite.org/rescode.html."""

READONLY, MAIN_DB, JOURNAL, WAL = 0x1, 0x100, 0x800, 0x80000
"""Source: sqlite.org/c3ref/c_open_autoproxy.html."""

SHM_UNLOCK = 1
"""Source: sqlite.org/c3ref/c_shm_exclusive.html."""

POINTER, INT, LONG = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
_method = partial(ctypes.CFUNCTYPE, INT, POINTER)
Open, Delete = _method(POINTER, POINTER, INT, POINTER), _method(POINTER, INT)
Randomness, Write = _method(INT, POINTER), _method(POINTER, INT, LONG)
Truncate, Sync, Lock = _method(LONG), _method(INT), _method(INT)
ShmLock, Close = _method(INT, INT, INT), _method()

Act = Callable[..., int]
"""Does what SQLite asks for, and returns its code for how that went."""


class Acts(NamedTuple):
    """What happens to an open file in place of what unix would do."""

    owner: object
    write: Act
    truncate: Act
    sync: Act


class Behind(Protocol):
    """What decides about files that are opened and deleted."""

    def open(self, name: int, handle: int, flags: int, out: int) -> int:
        """Open a file, with ``Vfs.unix_open``; if it is ours, have it adopted."""

    def delete(self, name: int, syncs_names: int) -> int:
        """Delete a file, or leave that to ``Vfs.unix_delete``."""

    def draw(self, count: int, out: int) -> int:
        """Write that many random bytes to an address."""


class _Struct(ctypes.Structure):
    """Source: sqlite.org/c3ref/vfs.html; all methods are kept as addresses."""

    _fields_ = (
        *((name, INT) for name in ("version", "file_size", "path_max")),
        *(("next", POINTER), ("name", ctypes.c_char_p), ("app_data", POINTER)),
        *((name, POINTER) for name in ("open", "delete", "access", "full_path")),
        *((f"dl_{name}", POINTER) for name in ("open", "error", "sym", "close")),
        *((name, POINTER) for name in ("randomness", "sleep", "time", "last_error")),
        *((name, POINTER) for name in ("time_64", "set_call", "call", "next_call")),
    )


class _Methods(ctypes.Structure):
    """Source: sqlite.org/c3ref/io_methods.html."""

    _fields_ = (
        ("version", INT),
        *((name, POINTER) for name in ("close", "read", "write", "truncate", "sync")),
        *((name, POINTER) for name in ("size", "lock", "unlock", "reserved")),
        *((name, POINTER) for name in ("control", "sector_size", "abilities")),
        *((f"shm_{name}", POINTER) for name in ("map", "lock", "barrier", "unmap")),
        *((name, POINTER) for name in ("fetch", "unfetch")),
    )


class Vfs:
    """What SQLite calls; it lasts as long as the process, as SQLite expects.

    Attributes:
        opened: What happens to each open file that was adopted, by its address.
        error: What Python raised while SQLite called it.
    """

    def __init__(self) -> None:
        library = ctypes.CDLL(getattr(_sqlite3, "__file__", None))
        try:
            library.sqlite3_vfs_find.restype = ctypes.POINTER(_Struct)
            self._register = library.sqlite3_vfs_register
            self._randomness = library.sqlite3_randomness
        except AttributeError as error:
            raise RuntimeError(
                f"expected SQLite's own functions in Python's _sqlite3, got {error}; "
                "use a Python that is linked with libsqlite3.so, such as Debian's"
            ) from error
        self.opened: dict[int, Acts] = {}
        self.error: BaseException | None = None
        self._behind: Any = None  # A ``Behind``.
        self._callbacks: list[object] = []  # SQLite does not count who uses them.
        self._tables: dict[int, _Table] = {}
        unix = self._unix = library.sqlite3_vfs_find(None).contents
        self.unix_open: Act = partial(Open(unix.open), ctypes.addressof(unix))
        self.unix_delete: Act = partial(Delete(unix.delete), ctypes.addressof(unix))
        mine = self._mine = _Struct.from_buffer_copy(unix)
        mine.version, mine.name = min(3, unix.version), b"evening"
        mine.open = self.called(Open, lambda _, *x: self._behind.open(*x), CANTOPEN)
        mine.delete = self.called(Delete, lambda _, *x: self._behind.delete(*x), DELETE)
        mine.randomness = self.called(
            Randomness, lambda _, *x: self._behind.draw(*x), 0
        )
        self.write = self.called(Write, lambda at, *x: self.opened[at].write(*x), WRITE)
        self.sync = self.called(Sync, lambda at, *x: self.opened[at].sync(*x), FSYNC)
        self.truncate = self.called(
            Truncate, lambda at, *x: self.opened[at].truncate(*x), TRUNCATE
        )

    def use(self, behind: Behind | None) -> None:
        """Put *behind* in charge of what is opened from now on, or unix again."""
        self._behind = behind
        self._register(ctypes.byref(self._mine if behind else self._unix), 1)
        self.forget_drawn()

    def forget_drawn(self) -> None:
        """Have SQLite draw anew, as a new process does."""
        self._randomness(0, None)

    def adopt(self, handle: int, acts: Acts) -> None:
        """Let *acts* happen to a file that unix has opened."""
        methods = POINTER.from_address(handle)
        unix = methods.value or 0
        if unix not in self._tables:
            self._tables[unix] = _Table(self, _Methods.from_address(unix))
        methods.value = ctypes.addressof(self._tables[unix].methods)
        self.opened[handle] = acts

    def refuse_locks(self, is_dead: bool) -> None:
        """Let a dead process not even read, or the next one do all again."""
        for table in self._tables.values():
            table.refuse_locks(is_dead)

    def called(self, kind: Callable[[Act], Any], act: Act, code: int) -> int:
        """Return the address of a callback that does *act*, or returns *code*."""

        def call(*arguments: int) -> int:
            try:
                return act(*arguments)
            except BaseException as error:
                self.error = self.error or error
                return code

        callback = kind(call)
        self._callbacks.append(callback)
        return ctypes.cast(callback, POINTER).value or 0


class _Table:
    """What SQLite may do with a kind of open file: unix's methods and ours."""

    def __init__(self, vfs: Vfs, unix: _Methods) -> None:
        self.methods = _Methods.from_buffer_copy(unix)
        self.methods.version = min(3, unix.version)
        self.methods.write, self.methods.sync = vfs.write, vfs.sync
        self.methods.truncate = vfs.truncate
        self._locks = unix.lock, unix.shm_lock
        close, shm_lock = Close(unix.close), ShmLock(unix.shm_lock or 0)

        def forget(handle: int) -> int:
            vfs.opened.pop(handle, None)
            return int(close(handle))

        def unlock(handle: int, at: int, count: int, how: int) -> int:
            is_lock = not how & SHM_UNLOCK
            return SHMLOCK if is_lock else int(shm_lock(handle, at, count, how))

        self.methods.close = vfs.called(Close, forget, IOERR)
        self._refusals = (
            vfs.called(Lock, lambda *_: LOCK, LOCK),
            vfs.called(ShmLock, unlock, SHMLOCK) if unix.shm_lock else None,
        )

    def refuse_locks(self, is_dead: bool) -> None:
        locks = self._refusals if is_dead else self._locks
        self.methods.lock, self.methods.shm_lock = locks


@cache
def vfs() -> Vfs:
    """Return the one of this process."""
    return Vfs()
