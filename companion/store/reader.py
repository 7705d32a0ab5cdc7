"""Reads the games beside a table that may run on them, and leaves no trace.

A file that is served is opened read-only, as one more of its readers: its writer does
not wait. SQLite would leave two files beside one that is not served, so then a private
copy is read. No reader takes a lock that keeps a table from starting. Readers belong
into a process of their own: to close a file releases the locks of all others in the
process that have opened it, as POSIX wants it, and so those of a table.
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
from companion.store.base import Act, in_a_line
from companion.store.copying import copy_to_file
from companion.store.database import ASIDE, LOCK_NAME
from companion.store.owner import as_owner
from companion.store.swap import DECIDED, FILE_NAME


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
        except exc.DBAPIError as error:
            what = f"could not be read: {in_a_line(error)}"
            raise base.fault(self.place, what, "nothing was changed") from None
        except exc.PendingRollbackError:  # It failed before, for that reason.
            what = postgres.LOST
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
    """Read the games as they are at this moment, whether or not a table serves them.

    Nothing is created or changed, and a restore that is half done stays so. Root acts
    as the owner until all is open.

    Args:
        directory: The folder of the games.
        url: The PostgreSQL database that keeps them instead; may be empty.

    Raises:
        NoGames: If there is no table yet.
        Malformed: If *url* is not the address of a PostgreSQL database.
        JournalFault: If the games are damaged, not ours, or a newer companion's.
        DeviceFault: If they cannot be reached, may not be read, or are half restored.
    """
    with ExitStack() as stack:
        with as_owner(directory):
            _expect_whole(directory)
            if url:
                reader = stack.enter_context(_beside_server(directory, url))
            else:
                reader = _beside_file(directory, stack)
        yield reader


def _expect_whole(directory: Path) -> None:
    """Raise ``DeviceFault`` if a restore decided what counts, and has not ended."""
    with suppress(PermissionError):  # The games say it in better words.
        if (directory / DECIDED).exists():
            raise DeviceFault(
                f"expected whole games in {directory}, got a restore that is half done",
                "start the table, which finishes it; then try the same again",
            )


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


def _beside_file(directory: Path, stack: ExitStack) -> Reader:
    path = directory / FILE_NAME
    try:
        opened(path).close()  # Its errors say more than SQLite's.
    except FileNotFoundError:
        raise NoGames(directory) from None
    except PermissionError as error:
        what = f"the games in {directory} may not be read by this user"
        raise DeviceFault(what, "type the command again with sudo") from error
    except OSError as error:
        raise database.fault(path, f"cannot be read: {error.strerror}", ASIDE) from None
    try:
        with database.as_journal_fault(path):
            file, how = _served_or_copied(path, stack)
            return stack.enter_context(reading_file(file, how, path))
    except CompanionError:
        raise
    except OSError as error:
        what = f"cannot be copied: {error.strerror or error}"
        remedy = "see that its disk is well, and that temporary files have room"
        raise database.fault(path, what, remedy) from error


def _served_or_copied(path: Path, stack: ExitStack) -> tuple[Path, str]:
    """Return which file to read and how: *path*, or a copy until the *stack* ends.

    A table that starts while it is copied writes into the file or its log, or makes
    one, and so the copy is made again. Until there is a log, SQLite may have to be
    alone with the file for an instant, and a reader would be in its way.
    """
    log = path.with_name(f"{path.name}-wal")
    while not log.exists() or is_served(path.parent) is False:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        before = _marks(path)
        with suppress(FileNotFoundError):
            for file in before:
                shutil.copyfile(file, folder / file.name)
        if _marks(path) == before:
            return folder / path.name, "mode=rw"  # A log, or a journal, is taken in.
    return path, "mode=ro"


def _marks(path: Path) -> dict[Path, tuple[int, ...]]:
    """Return a file with what lies beside it, and what differs once it is written to.

    Besides its log that is the journal of a change that the power interrupted.
    """
    states = {path: path.stat()}
    for end in ("-wal", "-journal"):
        with suppress(FileNotFoundError):
            beside = path.with_name(f"{path.name}{end}")
            states[beside] = beside.stat()
    return {x: (s.st_ino, s.st_size, s.st_mtime_ns) for x, s in states.items()}


@contextmanager
def reading_file(file: Path, how: str, path: Path) -> Iterator[Reader]:
    """Read a *file* that SQLite opens by the query *how*; it stands for *path*."""
    with database.read_only(str(file), how).connect() as connection:
        connection.exec_driver_sql("BEGIN")
        if not database.has_tables(connection, path):  # Begins to see this moment.
            what = "start the table, which makes them, or restore a backup"
            raise database.fault(path, "has no tables", what)
        table_id = database.id_in(connection)
        yield Reader(str(path), path.parent, table_id, connection)


def is_served(directory: Path, url: str = "") -> bool | None:
    """Tell whether a table runs on these games; ``None`` if that cannot be told."""
    try:
        if url:
            with postgres.read_connection(postgres.address_of(url)) as connection:
                return bool(postgres.writer(connection))
        with opened(directory / LOCK_NAME) as lock:
            return not database.has_locked(lock, fcntl.LOCK_SH)
    except FileNotFoundError:
        return False
    except (CompanionError, OSError):
        return None
