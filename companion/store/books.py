"""Every journal read again and its books added up, without touching the file.

The file is opened to read only, beside a table that may be writing it. Even so SQLite
would leave two files beside it while none runs, and a doctor that is called as root
would own them: then the file is read as one that nobody changes, or from a copy.
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
from companion.store import schema
from companion.store.database import LOCK_NAME, Act, read_only
from companion.store.journals import Journals
from companion.store.swap import FILE_NAME
from companion.units import GameId

TOPIC = "games.books"
RESTORE = "keep a copy of the folder, then restore a backup with companion restore"


@dataclass(slots=True)
class _ReadOnly:
    """An ``Opened`` file that cannot be written."""

    path: Path
    engine: sa.Engine
    box_changes: int = 0

    @contextmanager
    def transaction(self) -> Iterator[sa.Connection]:
        """A connection that cannot write."""
        with self.engine.connect() as connection:
            yield connection

    def write(self, act: Act) -> None:
        """Nothing is ever written here."""
        raise AssertionError("expected to read only")


def is_served(directory: Path) -> bool | None:
    """Whether a table runs on the games in *directory*; ``None`` if none may look."""
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


def look_at_books(directory: Path) -> Finding:
    """Read every entry in *directory* again, and add its games' books up.

    After each event of each game the sum of all balances must be 0, every revision
    must be there, and each phone must hold a seat of its game.
    """
    path = directory / FILE_NAME
    try:
        return _look(path)
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
        said = getattr(error, "strerror", None) or getattr(error, "orig", error)
        words = f"{path} cannot be read: {said}"
        return Finding(TOPIC, Condition.FAIL, words, RESTORE)


def _look(path: Path) -> Finding:
    opened(path).close()  # PermissionError says more than SQLite would.
    log = path.with_name(f"{path.name}-wal")
    if is_served(path.parent):
        return _add_all_up(path, f"{path}", "mode=ro")
    if not log.exists():
        return _add_all_up(path, f"{path}", "immutable=1")
    with TemporaryDirectory() as folder:  # The power went, and the log holds the end.
        for file in (path, log):
            shutil.copyfile(file, Path(folder) / file.name)
        return _add_all_up(path, f"{folder}/{path.name}", "mode=ro")


def _add_all_up(path: Path, file: str, how: str) -> Finding:
    database = _ReadOnly(path, read_only(file, how))
    with database.transaction() as connection:
        broken = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
        holdings = schema.holdings.c
        held = connection.execute(sa.select(holdings.game_id, holdings.seat)).all()
    if broken != "ok":
        raise JournalFault(f"{path} is damaged: {broken}")
    journals = Journals(database)
    games = {game.game_id for game in journals.games()}
    entries_count = 0
    for journal_id in journals.ids():
        seats = {seat for game_id, seat in held if game_id == journal_id}
        entries_count += _add_up(journals, journal_id, seats, journal_id in games)
    counts = f"games: {len(games)}, entries: {entries_count}"
    return Finding(
        TOPIC, Condition.OK, f"{counts}; every sum is 0, every seat is there"
    )


def _add_up(journals: Journals, journal_id: str, seats: set[str], is_game: bool) -> int:
    """Read a journal; how many entries it has."""
    if not is_game:
        return sum(1 for _ in journals.entries(journal_id))
    journal = journals.replayed(GameId(journal_id))  # Sums are 0 after each event.
    if journal.game is not None:
        strangers = seats - {state.seat for state in journal.game.seats}
        if strangers:
            what = f"phones hold what is no seat, {', '.join(sorted(strangers))},"
            raise journals.damaged(journal_id, what)
    return journal.revision
