"""Reads every journal again and adds up its books, without changing anything.

A game's *books* are the balances of all seats, the bank and other accounts: each dollar
that one gains another loses, so their sum is always 0. ``companion doctor`` shows the
result as a finding.

The file is opened read-only, as a running table may be writing it. If none seems to,
SQLite would leave two files beside it, which might belong to root. So then the file is
opened as immutable, which leaves none; or a copy is read, if it has a log.
"""

from __future__ import annotations

import fcntl
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa
from sqlalchemy import exc

from companion.errors import CompanionError, JournalFault
from companion.files import opened
from companion.health import Condition, Finding
from companion.store import postgres, schema
from companion.store.base import Act
from companion.store.database import LOCK_NAME, read_only
from companion.store.journals import Journals
from companion.store.swap import FILE_NAME
from companion.units import GameId

TOPIC = "games.books"
"""The name of the finding."""

RESTORE = "keep a copy of the folder, then restore a backup with companion restore"


@dataclass(slots=True)
class _ReadOnly:
    """An ``Opened`` database that cannot be written, so ``box_changes`` stays 0."""

    place: str
    connection: sa.Connection
    box_changes: int = 0

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Yield the connection."""
        yield self.connection

    transaction = reading

    def write(self, act: Act) -> None:
        """Fail, since nothing is written here."""
        raise AssertionError("expected to read only")


def is_served(directory: Path, url: str = "") -> bool | None:
    """Tell whether a table runs on these games; ``None`` if that cannot be told."""
    if url:
        try:
            with postgres.read_connection(postgres.address_of(url)) as connection:
                return bool(postgres.writer(connection))
        except CompanionError:
            return None
    try:
        with opened(directory / LOCK_NAME) as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    except OSError:
        return None
    return False


def look_at_books(directory: Path, url: str = "") -> Finding:
    """Read every entry again, and add up the books of all games.

    After each event of each game the sum of all balances must be 0, no revision may be
    missing, and phones may only hold seats that exist. If *url* is not empty, that
    PostgreSQL database keeps the games, otherwise a file in *directory*.
    """
    if url:
        return _look_at_database(url)
    path = directory / FILE_NAME
    try:
        return _look_at_file(path)
    except FileNotFoundError:
        return Finding(TOPIC, Condition.OK, f"no games in {directory} yet")
    except PermissionError:
        return Finding(
            TOPIC,
            Condition.UNKNOWN,
            f"the games in {directory} may not be read by this user",
            "type the command again with sudo",
        )
    except CompanionError as error:
        return Finding(TOPIC, Condition.FAIL, str(error)[:300], RESTORE)
    except (exc.DBAPIError, sqlite3.Error, OSError) as error:
        reason = getattr(error, "strerror", None) or getattr(error, "orig", error)
        message = f"{path} cannot be read: {reason}"
        return Finding(TOPIC, Condition.FAIL, message, RESTORE)


def _look_at_file(path: Path) -> Finding:
    """Add up the books of an SQLite file, leaving no file behind."""
    opened(path).close()  # Its PermissionError says more than SQLite's error.
    log = path.with_name(f"{path.name}-wal")
    if is_served(path.parent):
        return _add_up_file(path, f"{path}", "mode=ro")
    if not log.exists():
        return _add_up_file(path, f"{path}", "immutable=1")
    with TemporaryDirectory() as folder:  # Power was cut: the log has the last entries.
        for file in (path, log):
            shutil.copyfile(file, Path(folder) / file.name)
        return _add_up_file(path, f"{folder}/{path.name}", "mode=ro")


def _look_at_database(url: str) -> Finding:
    try:
        address = postgres.address_of(url)
        place = postgres.place_of(address)
        with postgres.read_connection(address) as connection:
            tables = sa.inspect(connection).get_table_names()
            if not tables:
                return Finding(TOPIC, Condition.OK, f"no games in {place} yet")
            postgres.check_tables(connection, place, tables)
            writer = postgres.writer(connection) or "nobody"
            size = sa.func.pg_database_size(sa.func.current_database())
            size_bytes = connection.execute(sa.select(size)).scalar_one()
            counts = _add_up_all(_ReadOnly(place, connection))
    except CompanionError as error:
        return Finding(TOPIC, Condition.FAIL, error.message[:500], error.remedy)
    state = f"who writes: {writer}; the database takes {size_bytes / 1e6:,.0f} MB"
    return Finding(TOPIC, Condition.OK, f"{counts}; {state}")


def _add_up_file(path: Path, file: str, uri_query: str) -> Finding:
    """Check *file* and add up its books; errors name *path*, of which it may be a copy.

    *uri_query* says how SQLite opens it: ``mode=ro`` or ``immutable=1``.
    """
    with read_only(file, uri_query).connect() as connection:
        broken = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
        if broken != "ok":
            raise JournalFault(f"{path} is damaged: {broken}")
        counts = _add_up_all(_ReadOnly(str(path), connection))
    return Finding(TOPIC, Condition.OK, counts)


def _add_up_all(database: _ReadOnly) -> str:
    """Add up all books of a database; return the counts of games and entries."""
    columns = schema.holdings.c
    query = sa.select(columns.game_id, columns.seat)
    holdings = database.connection.execute(query).all()
    journals = Journals(database)
    games = {game.game_id for game in journals.games()}
    entries_count = 0
    for journal_id in journals.ids():
        seats = {seat for game_id, seat in holdings if game_id == journal_id}
        entries_count += _add_up_journal(
            journals, journal_id, seats, journal_id in games
        )
    counts = f"games: {len(games)}, entries: {entries_count}"
    return f"{counts}; every sum is 0, every seat is there"


def _add_up_journal(
    journals: Journals, journal_id: str, seats: set[str], is_game: bool
) -> int:
    """Read a journal, check a game's books, and return the count of entries."""
    if not is_game:
        return sum(1 for _ in journals.entries(journal_id))
    journal = journals.replayed(GameId(journal_id))  # Sums are 0 after each event.
    if journal.game is not None:
        strangers = seats - {state.seat for state in journal.game.seats}
        if strangers:
            what = f"phones hold what is no seat, {', '.join(sorted(strangers))},"
            raise journals.damaged(journal_id, what)
    return journal.revision
