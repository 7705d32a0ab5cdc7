"""Reads the games beside a table that may run on them, and leaves no trace.

A file that is served is opened read-only: its writer does not wait. Beside one that is
not, SQLite would leave files, so a private copy is read. No reader keeps a table from
starting. None belongs in a table's process: POSIX releases all locks that a process has
on a file once it closes one of its handles.
"""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa
from sqlalchemy import exc

from companion.errors import CompanionError, DeviceFault, JournalFault
from companion.files import opened
from companion.store import base, database, postgres
from companion.store.base import Act
from companion.store.copying import copy_to_file
from companion.store.database import LOCK_NAME
from companion.store.owner import as_owner
from companion.store.swap import BESIDE, DECIDED, FILE_NAME


class NoGames(JournalFault):
    """There is no table yet where games were to be read."""

    def __init__(self, place: str | Path) -> None:
        super().__init__(f"no games in {place} yet", "begin one, or name another place")


@dataclass(slots=True)
class Reader:
    """An ``Opened`` database of one moment; ``Store`` explains its members.

    Attributes:
        table_id: Empty if the table has none yet.
        box_changes: Stays 0.
    """

    place: str
    directory: Path
    table_id: str
    connection: sa.Connection
    box_changes: int = 0

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Yield the connection; database errors become ``JournalFault``."""
        try:
            with self.connection.begin_nested():  # PostgreSQL reads on after an error.
                yield self.connection
        except (exc.DBAPIError, exc.PendingRollbackError) as error:
            why = " ".join(str(getattr(error, "orig", error)).split())
            what = f"could not be read: {why}"
            raise base.fault(self.place, what, "nothing was changed") from None

    transaction = reading

    def write(self, act: Act) -> None:
        """Fail, since nothing is written here."""
        raise AssertionError("expected to read only")

    def copy_to(self, path: Path) -> None:
        """Copy everything as it was at that moment, as ``Store.copy_to`` does."""
        with self.reading() as connection:
            if connection.dialect.name == "sqlite":
                database.copy_pages(connection.connection, path)
            else:
                copy_to_file(connection, path, self.table_id)


@contextmanager
def reading_beside(directory: Path, url: str = "") -> Iterator[Reader]:
    """Read the games of *directory*, or of PostgreSQL, as they are at this moment.

    Nothing is created or changed, and a restore that is half done stays so. Root acts
    as the owner until all is open.

    Raises:
        NoGames: If there is no table yet.
        Malformed: If *url* is not the address of a PostgreSQL database.
        JournalFault: If the games are damaged, not ours, or a newer companion's.
        DeviceFault: If they cannot be reached, may not be read, or are half restored.
    """
    with ExitStack() as stack:
        with as_owner(directory):
            with suppress(PermissionError):  # To read the games says more.
                if (directory / DECIDED).exists():
                    what = f"in {directory}, got a restore that is half done"
                    remedy = "start the table, which finishes it; then try again"
                    raise DeviceFault(f"expected whole games {what}", remedy)
            beside = _beside_server(directory, url) if url else _beside_file(directory)
            reader = stack.enter_context(beside)
        yield reader


@contextmanager
def _beside_server(directory: Path, url: str) -> Iterator[Reader]:
    address = postgres.address_of(url)
    place = postgres.place_of(address)
    with postgres.read_connection(address) as connection:
        tables = sa.inspect(connection).get_table_names()
        if not tables:
            raise NoGames(place)
        postgres.check_tables(connection, place, tables)
        yield Reader(place, directory, postgres.id_in(connection), connection)


@contextmanager
def _beside_file(directory: Path) -> Iterator[Reader]:
    path = directory / FILE_NAME
    with ExitStack() as stack:
        with database.as_journal_fault(path):
            try:
                opened(path).close()  # Its errors say more than SQLite's.
            except FileNotFoundError:
                raise NoGames(directory) from None
            except PermissionError as error:
                what = f"the games in {directory} may not be read by this user"
                raise DeviceFault(what, "type the command again with sudo") from error
            file, how = _served_or_copied(path, stack)
            reader = stack.enter_context(reading_file(file, how, path))
        yield reader


def _served_or_copied(path: Path, stack: ExitStack) -> tuple[Path, str]:
    """Return which file to read and how: *path*, or a copy until the *stack* ends.

    A table that starts while it is copied writes into one of the files or makes one;
    then they are copied again. Until there is a log, SQLite may have to be alone with
    the file for an instant, and a reader would be in its way.
    """
    log = path.with_name(f"{path.name}-wal")
    while not log.exists() or is_served(path.parent) is False:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        with suppress(FileNotFoundError):  # A table that ends deletes its log.
            before = _marks(path.parent)
            for file in before:
                shutil.copyfile(file, folder / file.name)
            if _marks(path.parent) == before:
                return folder / path.name, "mode=rw"  # A log is taken in.
    return path, "mode=ro"


def _marks(directory: Path) -> dict[Path, tuple[int, ...]]:
    """Return the files that SQLite keeps, with what differs once one is written to."""
    files = (directory / name for name in (FILE_NAME, *BESIDE))
    states = {file: file.stat() for file in files if file.exists()}
    return {x: (s.st_ino, s.st_size, s.st_mtime_ns) for x, s in states.items()}


@contextmanager
def reading_file(file: Path, how: str, path: Path) -> Iterator[Reader]:
    """Read a *file* that SQLite opens by the query *how*; it stands for *path*."""
    with database.read_only(str(file), how).connect() as connection:
        connection.exec_driver_sql("BEGIN")
        if not database.has_tables(connection, path):  # Begins to see this moment.
            raise database.fault(path, "has no tables", "start the table once")
        yield Reader(str(path), path.parent, database.id_in(connection), connection)


def is_served(directory: Path, url: str = "") -> bool | None:
    """Tell whether a table runs on these games; ``None`` if that cannot be told."""
    try:
        if url:
            with postgres.read_connection(postgres.address_of(url)) as connection:
                return bool(postgres.writer(connection))
        with opened(directory / LOCK_NAME) as lock:
            return not database.has_locked(lock, fcntl.LOCK_SH)
    except (CompanionError, OSError) as error:
        return False if isinstance(error, FileNotFoundError) else None
