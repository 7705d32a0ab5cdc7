"""The SQLite file: opened once, checked before it is trusted, never overwritten.

It keeps all that a gaming table knows, even the vault's code, so other users of the
machine may not read it. A lock file beside it keeps out any other process.
"""

from __future__ import annotations

import fcntl
import secrets
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy import event, exc
from sqlalchemy.pool import NullPool, StaticPool

from companion.errors import CompanionError, DeviceFault, JournalFault
from companion.files import NotAFile, check_file, opened, to_disk
from companion.store import base, schema, swap
from companion.store.base import Store
from companion.store.swap import FILE_NAME

LOCK_NAME = "companion.lock"
"""The file that a process locks while it has the folder open."""

OUR_FILES = "companion.*"
"""Matches all files that we keep in the folder, except decks and editions."""

OTHERS = stat.S_IRWXG | stat.S_IRWXO
"""The access rights of everybody but a file's owner."""

ROW_BYTES_MAX = 16 * 1024 * 1024
"""The longest row that is read or written; a whole imported game fits in."""

ASIDE = "move it aside, or choose another with --data"
"""The remedy if something else is in the place of our file."""

REMEDY = "nothing was changed; move it aside and restore a backup"


class Database(Store):
    """One connection to one file, used by one thread at a time.

    Args:
        directory: The folder of the file; it is made if missing.

    Attributes:
        path: The file.
        open_to_others: The folder and those of its files that other users of this
            machine can still read. We cannot close another user's files, shared
            folders such as /tmp, or files on a stick whose file system has no owners.

    Raises:
        JournalFault: If the file is damaged, is not ours, or was written by a newer
            companion.
        DeviceFault: If another process has it open, or it cannot be opened.
    """

    REMEDY = REMEDY

    def __init__(self, directory: Path) -> None:
        self.path = directory / FILE_NAME
        self._claim: BinaryIO = claim_folder(directory)
        _force_log_to_disk(self.path)
        engine = sa.create_engine(
            sa.URL.create("sqlite", database=str(self.path)),
            poolclass=StaticPool,
            connect_args={"check_same_thread": False},
            hide_parameters=True,  # An error message must not carry the code.
        )
        super().__init__(str(self.path), directory, engine)
        event.listen(self._engine, "connect", _prepare)
        event.listen(self._engine, "begin", _begin)
        try:
            self._check_or_create()
            self.table_id = self._read_or_draw_id()
        except BaseException:
            self.close()
            raise
        # Only now: a file that is not ours must not be changed.
        files = tuple(directory.glob(OUR_FILES))
        close_to_others(*files)
        if _is_ours(directory):
            close_to_others(directory)
        self.open_to_others = tuple(filter(_is_open, (directory, *files)))

    def _let_go(self) -> None:
        self._claim.close()

    def copy_to(self, path: Path) -> None:
        """Copy the whole file, even damaged rows, as ``Store.copy_to`` does."""
        with self._lock, closing(self._engine.raw_connection()) as source:
            copy_pages(source, path)

    def triggers_and_views(self) -> tuple[str, ...]:
        """Return the names of triggers and views; a companion's file has none."""
        query = "SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view')"
        with self.reading() as connection:
            return tuple(connection.exec_driver_sql(query).scalars())

    def _check_or_create(self) -> None:
        try:
            check_file(self.path)
        except NotAFile as error:
            raise self.fault(f"is {error.strerror}", ASIDE) from error
        if self.path.exists() and self.path.stat().st_size:
            examine(self.path)
        with as_journal_fault(self.path), self._engine.begin() as connection:
            tables = sa.inspect(connection).get_table_names()
            if not tables:
                schema.create(connection)
            else:
                schema.add_missing(connection, tables)

    def _read_or_draw_id(self) -> str:
        """Read the table's id, or draw and store one if there is none.

        It is kept in ``user_version``, a number that SQLite leaves to applications, so
        that older companions, which know no ids, can still open the file.
        """
        with as_journal_fault(self.path), self._engine.begin() as connection:
            table_id = id_in(connection)
        return table_id or self.become(draw_id())

    def become(self, table_id: str) -> str:
        """Store *table_id* as the table's id, and return it."""
        with as_journal_fault(self.path), self._engine.begin() as connection:
            number = number_of_id(table_id)
            connection.exec_driver_sql(f"PRAGMA user_version = {number}")
        return table_id


ID_MAX = (1 << 31) - 1
"""The largest number drawn for a table's id; SQLite keeps it in 32 bits with a sign."""

ID_BITS = (1 << 32) - 1
"""The bits of that number, which may be negative in a stranger's file."""

ID_AT = slice(60, 64)
"""Where it is in a file (sqlite.org/fileformat.html, section 1.3)."""


def draw_id() -> str:
    """Draw a new table's id."""
    return f"{1 + secrets.randbelow(ID_MAX):08x}"


def id_in(connection: sa.Connection) -> str:
    """Read the table's id in its file; empty if it has none."""
    number = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
    return f"{number & ID_BITS:08x}" if number else ""


def number_of_id(table_id: str) -> int:
    """Return the number that SQLite keeps for a table's id; 0 for none."""
    number = int(table_id or "0", 16)
    return number - (number >> 31 << 32)


def read_or_draw_id(path: Path) -> str:
    """Read the id in a table's file, however damaged the rest is, or draw one."""
    with suppress(OSError), opened(path) as file:
        header = file.read(ID_AT.stop)
        if header.startswith(MAGIC) and any(header[ID_AT]):
            return header[ID_AT].hex()
    return draw_id()


def _force_log_to_disk(path: Path) -> None:
    """Force onto the disk the write-ahead log that a killed process may have left.

    SQLite would do so only at its next write, but pages show the entries in the log
    before that, and what was shown must not be lost.
    """
    with suppress(OSError):  # An unreadable log is reported later.
        to_disk(path.with_name(f"{path.name}-wal"))


def examine(path: Path) -> None:
    """Check that a file is a companion's, without changing it.

    To switch a file to a write-ahead log changes it, and so does closing a file that
    has one; neither may happen to a file that is not ours.

    Raises:
        JournalFault: If it is damaged, is not ours, or is a newer companion's.
    """
    with as_journal_fault(path):
        _examine(path)


MAGIC = b"SQLite format 3\0"
"""The first bytes of an SQLite file (sqlite.org/fileformat.html, section 1.3)."""


def _examine(path: Path) -> None:
    with opened(path) as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise fault(path, "is damaged: it is no SQLite file")
    if (path.parent / f"{path.name}-journal").exists():
        return  # Power failed during the first start; SQLite rolls that back.
    with read_only(str(path), "mode=ro").connect() as connection:
        broken = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
        if broken != "ok":
            raise fault(path, f"is damaged: {broken}")
        has_tables(connection, path)


def has_tables(connection: sa.Connection, path: Path) -> bool:
    """Tell whether a file has tables yet; ``JournalFault`` if they are not ours."""
    tables = sa.inspect(connection).get_table_names()
    if not tables:
        return False  # Power failed before the first tables were made.
    if "about" not in tables:
        raise fault(path, "is damaged: its tables are not a companion's")
    number = connection.execute(sa.select(schema.about.c.schema)).scalar()
    if mistake := schema.explain_unknown(number):
        raise fault(
            path, mistake, "update the companion, or choose another folder with --data"
        )
    return True


def copy_pages(source: sa.PoolProxiedConnection, path: Path) -> None:
    """Copy all pages that a connection sees, as ``Store.copy_to`` does."""
    try:
        with closing(sqlite3.connect(path)) as copy:
            source.driver_connection.backup(copy)  # type: ignore[union-attr]
            copy.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.DatabaseError as error:
        raise DeviceFault(f"cannot write {path}: {error}") from error


def read_only(file: str, uri_query: str) -> sa.Engine:
    """Return an engine that only reads *file*, opened by the URI with that query."""
    address = f"file:{quote(file)}?{uri_query}"
    return sa.create_engine(
        "sqlite://",
        poolclass=NullPool,
        creator=lambda: limit_rows(sqlite3.connect(address, uri=True)),
        hide_parameters=True,
    )


def limit_rows(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Make SQLite refuse rows longer than ``ROW_BYTES_MAX`` without reading them."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, ROW_BYTES_MAX)
    return connection


@contextmanager
def as_journal_fault(path: Path) -> Iterator[None]:
    """Turn the errors of a file that cannot be read into ``JournalFault``."""
    try:
        yield
    except exc.DBAPIError as error:
        raise fault(path, f"cannot be read: {error.orig}") from None
    except UnicodeDecodeError:  # In a name or a message of SQLite's.
        raise fault(path, "is damaged: some of its text is none") from None
    except CompanionError:
        raise
    except OSError as error:
        remedy = "see that its disk is well, and that temporary files have room"
        raise fault(path, f"cannot be read: {error.strerror}", remedy) from None


def fault(path: Path, what: str, remedy: str = "") -> JournalFault:
    """Build the error that says *what* is wrong with the file."""
    return base.fault(path, what, remedy or REMEDY)


def close_to_others(*paths: Path) -> None:
    """Let only their owner, and root, read or change these files and folders.

    A path whose mode cannot be changed stays open. SQLite gives its log files the mode
    of the database.
    """
    for path in paths:
        with suppress(OSError):  # Deleted, or somebody else's.
            mode = path.stat().st_mode
            if not mode & stat.S_ISVTX:  # Closing /tmp would break the machine.
                path.chmod(stat.S_IMODE(mode) & ~OTHERS)


def _is_ours(directory: Path) -> bool:
    """Tell whether a folder holds only our files, unlike a home folder or ``/srv``."""
    return all(
        path.name in swap.FOLDERS or path.match(OUR_FILES)
        for path in directory.glob("*")
    )


def _is_open(path: Path) -> bool:
    """Tell whether other users may read or change a file or folder."""
    with suppress(OSError):  # Deleted, or closed to us, too.
        return bool(path.stat().st_mode & OTHERS)
    return False


def claim_folder(directory: Path) -> BinaryIO:
    """Lock the directory until the file is closed or this process ends.

    A restore that was interrupted near its end is finished then.

    Raises:
        DeviceFault: If another process has locked it, or it cannot be written.
    """
    try:
        directory.mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
        claim = opened(directory / LOCK_NAME, "ab")
    except NotAFile as error:
        raise DeviceFault(
            f"expected the file {error.filename}, got {error.strerror}", ASIDE
        ) from error
    except OSError as error:
        raise not_writable(directory, error) from error
    while not has_locked(claim, fcntl.LOCK_EX):
        # Whoever only asks whether a table runs shares the lock for an instant.
        if not has_locked(claim, fcntl.LOCK_SH):
            claim.close()
            raise DeviceFault(
                f"the games in {directory} are open in another companion",
                "stop that one (on a Raspberry Pi: sudo systemctl stop companion), or "
                "choose another folder with --data",
            )
    try:
        finish_restore(directory)
    except DeviceFault:
        claim.close()
        raise
    return claim


def has_locked(file: BinaryIO, how: int) -> bool:
    """Try to lock a file, without waiting; tell whether it is locked now."""
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def finish_restore(directory: Path) -> None:
    """Finish a restore as ``swap.finish`` does; ``DeviceFault`` if that fails."""
    try:
        swap.finish(directory)
    except OSError as error:
        raise DeviceFault(
            f"cannot finish the restore in {directory}: {error.strerror or error}",
            "make some room, or check who may write there, then try the same again",
        ) from error


def not_writable(directory: Path, error: OSError) -> DeviceFault:
    """Build the error for a folder in which nothing can be written."""
    return DeviceFault(
        f"expected a writable folder {directory}, got {error.strerror}",
        "type sudo before the command, or choose another folder with --data",
    )


def _prepare(connection: sqlite3.Connection, _record: object) -> None:
    """Set up a new connection."""
    limit_rows(connection).isolation_level = None
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        "busy_timeout=2000",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: sa.Connection) -> None:
    """Begin a transaction, which writes from its start unless it only reads."""
    if connection.get_execution_options().get("is_reading"):
        connection.exec_driver_sql("BEGIN")
    else:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
