"""Journals on disk: entries are appended and read, never changed or deleted singly.

A *journal* is the history of one game, of the vault, or of an edition's box. Its
*entries* are numbered from 1 without a gap; the number is the entry's *revision*. An
entry has the events of one command, and the command's id, which the sender chose.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TypeVar

import msgspec
import sqlalchemy as sa

from companion.errors import DamagedGame, JournalFault, Malformed
from companion.game.codec import events_from_json, events_to_json
from companion.game.events import (
    GameClosed,
    GameOpened,
    GameReopened,
    Redone,
    SeatAdded,
    SeatRemoved,
    Undone,
)
from companion.game.journal import NONSENSE, Entry, Journal, Mark
from companion.game.play_events import BoxRead
from companion.store import schema
from companion.store.base import Act, Opened
from companion.store.phones import forget_game, vacate
from companion.store.pictures import Pictures
from companion.store.snapshots import Snapshots
from companion.store.ticks import Ticks
from companion.units import GameId, Revision, TimeMs

PAGE = 500
"""Entries that are read at a time, so that a long game is not held in memory."""

OF_BOX = (BoxRead, Undone, Redone)
"""Events that record a reading of the game's box, or may undo or redo one."""

OF_GAME = (schema.ticks, schema.pictures, schema.snapshots, schema.journals)
"""Further tables from which a deleted game's rows are deleted."""

T = TypeVar("T")

_Columns = tuple[str, int, str, str, int, bytes]
"""The types of the columns of ``schema.entries``, in order."""

_INSERT = schema.entries.insert()  # Kept, so that it is compiled once.


class GameSummary(msgspec.Struct, frozen=True):
    """A game in the list of games."""

    game_id: GameId
    title: str
    edition: str
    opened_ms: TimeMs
    is_closed: bool


class Journals:
    """All journals of one database.

    Attributes:
        pictures: The decoder's pictures from the challenges of games.
        snapshots: Recent states of long games.
        ticks: Steps that are ticked off in the checklists of games.
    """

    def __init__(self, database: Opened) -> None:
        self.pictures = Pictures(database)
        self.snapshots = Snapshots(database)
        self.ticks = Ticks(database)
        self._database = database

    @property
    def changes(self) -> int:
        """A count that changes whenever a reading of a box may change."""
        return self._database.box_changes

    def append(self, journal_id: str, *entries: Entry, also: Act | None = None) -> None:
        """Write the next entries of a journal; they are on the disk when this returns.

        Args:
            journal_id: Which journal.
            entries: Its next entries; all are written, or none.
            also: Writes other rows in the same transaction, after the entries.

        Raises:
            JournalFault: If it cannot be written; everything is as it was.
            sqlalchemy.exc.IntegrityError: If a revision, a command id or the id of a
                game is taken; the table service, the only writer, prevents that.
        """

        def act(connection: sa.Connection) -> None:
            for entry in entries:
                self._append(connection, journal_id, entry)
            if also is not None:
                also(connection)

        self._database.write(act)

    def appending(self, journal_id: str, entry: Entry) -> Act:
        """Return the act that writes *entry*; pass it as ``also`` to ``append``."""
        return lambda connection: self._append(connection, journal_id, entry)

    def remove(self, game_id: GameId, heir: str, kept: Iterable[Entry]) -> None:
        """Delete all that is known about a game, except the entries *kept*.

        Args:
            game_id: Which game.
            heir: The id of the journal to which *kept* is appended.
            kept: Entries, oldest first.

        Raises:
            JournalFault: If it could not be written; everything is as it was.
        """
        with self._database.transaction() as connection:
            self._database.box_changes += 1
            for entry in kept:
                self._append(connection, heir, entry)
            forget_game(connection, game_id)
            for table in OF_GAME:
                schema.delete(connection, table, game_id=game_id)
            schema.delete(connection, schema.entries, journal_id=game_id)
        self.snapshots.forget(game_id)
        self.ticks.forget(game_id)

    def entries(
        self, journal_id: str, after: int = 0, until: int | None = None
    ) -> Iterator[Entry]:
        """Yield the entries with ``after < revision <= until``, oldest first.

        Raises:
            JournalFault: If one cannot be read or is missing.
        """
        bounds = () if until is None else (schema.entries.c.revision <= until,)
        while until is None or after < until:
            page = self._read(journal_id, after, *bounds, most=PAGE)
            for entry in page:
                if entry.revision != after + 1:
                    raise self.damaged(journal_id, f"entry {after + 1} is missing")
                after = entry.revision
                yield entry
            if len(page) < PAGE:
                return

    def opened(self, game_id: GameId) -> Journal:
        """Load a game, from its snapshot on if it has a valid one.

        Raises:
            JournalFault: As for ``replayed``, about the entries that are read.
        """
        with suppress(JournalFault):
            mark = self.snapshots.latest(game_id)
            if mark is not None:
                return _last(self._played(game_id, mark))
        return self.replayed(game_id)

    def replayed(self, game_id: GameId) -> Journal:
        """Play back a game from all its entries.

        Raises:
            JournalFault: If one cannot be read, is missing or cannot have happened, or
                if the game has a snapshot of another state.
        """
        return _last(self.playing_back(game_id))

    def playing_back(self, game_id: GameId) -> Iterator[Journal]:
        """Yield the game before its first entry and after each, as it is played back.

        A snapshot would hide that an entry before it was changed. It stays as it is,
        so that this is found again after a restart.

        Raises:
            JournalFault: As for ``replayed``.
        """
        mark = None
        # Without a snapshot that can be read there is nothing to compare. An older
        # companion's file has no table of them, and may be open for reading only.
        with suppress(JournalFault, sa.exc.OperationalError):
            mark = self.snapshots.latest(game_id)
        for journal in self._played(game_id):
            if mark is not None and journal.contradicts(mark):
                what = f"up to entry {mark.revision} entries and snapshot disagree"
                raise self.damaged(game_id, f"{what}, and either may be wrong,")
            yield journal

    def _played(self, game_id: GameId, mark: Mark | None = None) -> Iterator[Journal]:
        """Yield a game as it is played back, from *mark* if it is given."""
        journal = Journal(partial(self.entries, game_id), mark)
        yield journal
        for entry in self.entries(game_id, journal.revision):
            try:
                journal.append(entry)
            except NONSENSE as error:
                what = f"entry {entry.revision} cannot have happened ({error})"
                raise self.damaged(game_id, what) from error
            yield journal

    def taps(self, game_id: GameId, journal: Journal) -> Mapping[str, Revision]:
        """Return the revisions of a game's entries by their command ids."""
        if journal.is_whole:
            return journal.revisions
        return _Taps(self._database, game_id, journal.revisions)

    def ids(self) -> tuple[str, ...]:
        """Return the ids of all journals."""
        ids = sa.select(schema.entries.c.journal_id).distinct()
        with self._database.reading() as connection:
            return tuple(connection.execute(ids).scalars())

    def _read(
        self,
        journal_id: str,
        after: int,
        *where: sa.ColumnElement[bool],
        most: int | None = None,
    ) -> tuple[Entry, ...]:
        """Read at most *most* entries after a revision, oldest first."""
        table = schema.entries
        query = (
            sa.select(table)
            .where(table.c.journal_id == journal_id, table.c.revision > after, *where)
            .order_by(table.c.revision)
            .limit(most)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return tuple(self._entry(tuple(row)) for row in rows)

    def games(self) -> tuple[GameSummary, ...]:
        """Return all games, the latest first."""
        table = schema.journals
        with self._database.reading() as connection:
            rows = connection.execute(
                sa.select(table).order_by(table.c.opened_ms.desc(), table.c.game_id)
            ).all()
        return tuple(GameSummary(*row) for row in rows)

    def revisions(self, edition: str) -> dict[GameId, Revision]:
        """Return the latest revisions of an edition's games with readings of its box.

        Like ``latest``, it names the oldest game first.
        """
        with_readings = sa.select(schema.entries.c.journal_id).where(schema.is_of_box)
        table = schema.journals.c
        return self._latest(table.edition == edition, table.game_id.in_(with_readings))

    def latest(self) -> dict[GameId, Revision]:
        """Return the latest revision of each game, the oldest first."""
        return self._latest()

    def _latest(self, *where: sa.ColumnElement[bool]) -> dict[GameId, Revision]:
        table, entries = schema.journals, schema.entries
        latest = (
            sa.select(sa.func.max(entries.c.revision))
            .where(entries.c.journal_id == table.c.game_id)
            .scalar_subquery()
        )
        query = (
            sa.select(table.c.game_id, latest)
            .where(*where)
            .order_by(table.c.opened_ms, table.c.game_id)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return {game_id: Revision(revision) for game_id, revision in rows}

    def about_box(self, journal_id: str, after: int = 0) -> tuple[Entry, ...]:
        """Read the entries after a revision that may record readings of a box.

        Raises:
            JournalFault: If one cannot be read.
        """
        return self.with_events(journal_id, OF_BOX, after)

    def with_events(
        self, journal_id: str, kinds: Iterable[type], after: int = 0
    ) -> tuple[Entry, ...]:
        """Read the entries after a revision that have an event of one of *kinds*.

        Raises:
            JournalFault: If one cannot be read.
        """
        of_kinds = (schema.HasEvent(kind.__name__) for kind in kinds)
        return self._read(journal_id, after, sa.or_(*of_kinds))

    def _append(self, connection: sa.Connection, journal_id: str, entry: Entry) -> None:
        """Insert an entry, and update the tables of games and phones."""
        if any(isinstance(event, OF_BOX) for event in entry.events):
            self._database.box_changes += 1
        connection.execute(
            _INSERT,
            {
                "journal_id": journal_id,
                "revision": entry.revision,
                "command_id": entry.command_id,
                "actor": entry.actor,
                "at_ms": entry.at_ms,
                "events": events_to_json(entry.events),
            },
        )
        for event in entry.events:
            _index_event(connection, GameId(journal_id), entry, event)

    def _entry(self, row: _Columns) -> Entry:
        """Decode a row; ``JournalFault`` if its events cannot be read."""
        # Looking up columns by name would be slow, and there are many rows.
        journal_id, revision, command_id, actor, at_ms, text = row
        try:
            events = events_from_json(text)
        except Malformed:
            events = ()
        if not events:
            raise self.damaged(journal_id, f"entry {revision} is unreadable")
        return Entry(Revision(revision), command_id, actor, TimeMs(at_ms), events)

    def damaged(self, journal_id: str, what: str) -> DamagedGame:
        """Build the error that says *what* is wrong with a journal."""
        return DamagedGame(
            f"journal {self._database.place} is damaged: {what} in game {journal_id}",
            "nothing was changed; move it aside and restore a backup",
        )


def _last(playing: Iterator[Journal]) -> Journal:
    """Return a journal that was played to its end."""
    (journal,) = deque(playing, maxlen=1)
    return journal


class _Taps(Mapping[str, Revision]):
    """The command ids of a game; those before its snapshot are looked up on disk."""

    def __init__(
        self, database: Opened, game_id: GameId, latest: Mapping[str, Revision]
    ) -> None:
        self._database = database
        self._game_id = game_id
        self._latest = latest

    def __getitem__(self, command_id: str) -> Revision:
        if command_id in self._latest:
            return self._latest[command_id]
        revisions = self._select(schema.entries.c.revision, command_id=command_id)
        if not revisions:
            raise KeyError(command_id)
        return Revision(revisions[0])

    def __iter__(self) -> Iterator[str]:
        return iter(self._select(schema.entries.c.command_id))

    def __len__(self) -> int:
        (count,) = self._select(sa.func.count(schema.entries.c.revision))
        return int(count)

    def _select(self, column: sa.ColumnElement[T], **where: str) -> Sequence[T]:
        """Return a column of the game's entries with these values."""
        query = sa.select(column).filter_by(journal_id=self._game_id, **where)
        with self._database.reading() as connection:
            return connection.execute(query).scalars().all()


def _index_event(
    connection: sa.Connection, game_id: GameId, entry: Entry, event: object
) -> None:
    """Update the tables of games and phones by an event."""
    table = schema.journals
    match event:
        case GameOpened():
            connection.execute(
                table.insert(),
                {
                    "game_id": game_id,
                    "title": event.name,
                    "edition": event.terms.edition,
                    "opened_ms": entry.at_ms,
                    "is_closed": False,
                },
            )
        case SeatAdded() | SeatRemoved():
            vacate(connection, game_id, event.seat)
        case GameClosed() | GameReopened():
            is_closed = isinstance(event, GameClosed)
            connection.execute(
                table.update()
                .where(table.c.game_id == game_id)
                .values(is_closed=is_closed)
            )
