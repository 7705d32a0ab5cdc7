"""Reads every journal again and adds up its books, without changing anything.

A game's *books* are the balances of all seats, the bank and other accounts: each dollar
that one gains another loses, so their sum is always 0. ``companion doctor`` shows the
result as a finding.
"""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from companion.errors import CompanionError, JournalFault
from companion.health import Condition, Finding
from companion.store import postgres, schema
from companion.store.journals import Journals
from companion.store.reader import NoGames, Reader, reading_beside
from companion.units import GameId

TOPIC = "games.books"
"""The name of the finding."""

RESTORE = "keep a copy of the folder, then restore a backup with companion restore"


def look_at_books(directory: Path, url: str = "") -> Finding:
    """Read every entry again, and add up the books of all games.

    After each event of each game the sum of all balances must be 0, no revision may be
    missing, and phones may only hold seats that exist. If *url* is not empty, that
    PostgreSQL database keeps the games, otherwise a file in *directory*.
    """
    try:
        with reading_beside(directory, url) as reader:
            state = _look_at_server(reader) if url else _look_at_pages(reader)
            return Finding(TOPIC, Condition.OK, f"{_add_up_all(reader)}{state}")
    except NoGames as none:
        return Finding(TOPIC, Condition.OK, none.message)
    except CompanionError as error:
        if not url and isinstance(error, JournalFault):
            return Finding(TOPIC, Condition.FAIL, str(error)[:300], RESTORE)
        is_closed = isinstance(error.__cause__, PermissionError)
        condition = Condition.UNKNOWN if is_closed else Condition.FAIL
        return Finding(TOPIC, condition, error.message[:500], error.remedy)


def _look_at_server(reader: Reader) -> str:
    size = sa.select(sa.func.pg_database_size(sa.func.current_database()))
    with reader.reading() as connection:
        writer = postgres.writer(connection) or "nobody"
        size_bytes = connection.execute(size).scalar_one()
    return f"; who writes: {writer}; the database takes {size_bytes / 1e6:,.0f} MB"


def _look_at_pages(reader: Reader) -> str:
    """Raise ``JournalFault`` if a page of the file is damaged; else say nothing."""
    with reader.reading() as connection:
        broken = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    if broken != "ok":
        raise JournalFault(f"{reader.place} is damaged: {broken}")
    return ""


def _add_up_all(reader: Reader) -> str:
    """Add up all books of a database; return the counts of games and entries."""
    columns = schema.holdings.c
    query = sa.select(columns.game_id, columns.seat)
    with reader.reading() as connection:
        holdings = connection.execute(query).all()
    journals = Journals(reader)
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
