"""Journals on disk: entries are appended and read, never changed or deleted singly.

A *journal* is the history of one game, of the vault, or of an edition's box. Its
*entries* are numbered from 1 without a gap, and an entry's number is its *revision*. It
has the events of one command, with the id that the sender chose. The state of a game
follows from its entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TypeVar

import msgspec
import sqlalchemy as sa

from companion.errors import JournalFault, Malformed
from companion.game import events as e
from companion.game import play_events as p
from companion.game.codec import events_from_json, events_to_json
from companion.game.journal import NONSENSE, Entry, Journal, Mark
from companion.store import schema
from companion.store.base import Act, Opened
from companion.store.pictures import Pictures
from companion.store.snapshots import Snapshots
from companion.store.ticks import Ticks
from companion.store.wishes import forget_game, vacate
from companion.units import GameId, Revision, TimeMs

PAGE = 500
"""Entries that are read at a time, so that a long game is not held in memory."""


OF_BOX = (p.BoxRead, e.Undone, e.Redone)
"""Events that record a reading of the game's box, or may undo or redo one."""

OF_GAME = (schema.ticks, schema.pictures, schema.snapshots, schema.journals)
"""Tables other than the entries from which a deleted game's rows are deleted."""

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
        """How many entries about boxes (``OF_BOX``) were written since the start.

        While the count stays the same, so do all readings of boxes.
        """
        return self._database.box_changes

    def append(self, journal_id: str, *entries: Entry, also: Act | None = None) -> None:
        """Write entries; they are on the disk when this returns, all of them or none.

        Args:
            journal_id: Which journal.
            entries: Its next entries.
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
        """Delete a game's whole journal, with its phones, ticks and pictures.

        Args:
            game_id: Which game; all of it is deleted when this returns.
            heir: The id of the journal to which *kept* is appended.
            kept: Entries to save from deletion, oldest first.

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
        """Load a game as it stands, from its snapshot on if it has a valid one.

        Raises:
            JournalFault: As for ``replayed``; entries before the snapshot are not read.
        """
        with suppress(JournalFault):
            mark = self.snapshots.latest(game_id)
            if mark is not None:
                return self._played(game_id, mark)
        return self._played(game_id)

    def replayed(self, game_id: GameId) -> Journal:
        """Play back a game from all its entries.

        Raises:
            JournalFault: If one cannot be read, is missing or cannot have happened.
        """
        return self._played(game_id)

    def _played(self, game_id: GameId, mark: Mark | None = None) -> Journal:
        """Play back a game from a snapshot's *mark*, or from its first entry."""
        journal = Journal(partial(self.entries, game_id), mark)
        for entry in self.entries(game_id, journal.revision):
            try:
                journal.append(entry)
            except NONSENSE as error:
                what = f"entry {entry.revision} cannot have happened ({error})"
                raise self.damaged(game_id, what) from error
        return journal

    def taps(self, game_id: GameId, journal: Journal) -> Mapping[str, Revision]:
        """Return the revision of every entry of a game by its command id."""
        if journal.is_whole:
            return journal.revisions
        return _Taps(self._database, game_id, journal.revisions)

    def ids(self) -> tuple[str, ...]:
        """Return the id of every journal: of games, of the vault and of boxes."""
        ids = sa.select(schema.entries.c.journal_id).distinct()
        with self._database.transaction() as connection:
            return tuple(connection.execute(ids).scalars())

    def _read(
        self,
        journal_id: str,
        after: int,
        *where: sa.ColumnElement[bool],
        most: int | None = None,
    ) -> tuple[Entry, ...]:
        """Read entries after a revision, at most *most* of them, oldest first."""
        table = schema.entries
        query = (
            sa.select(table)
            .where(table.c.journal_id == journal_id, table.c.revision > after, *where)
            .order_by(table.c.revision)
            .limit(most)
        )
        with self._database.transaction() as connection:
            rows = connection.execute(query).all()
        return tuple(self._entry(tuple(row)) for row in rows)

    def games(self) -> tuple[GameSummary, ...]:
        """Return all games, the latest first."""
        table = schema.journals
        with self._database.transaction() as connection:
            rows = connection.execute(
                sa.select(table).order_by(table.c.opened_ms.desc(), table.c.game_id)
            ).all()
        return tuple(GameSummary(*row) for row in rows)

    def revisions(self, edition: str) -> dict[GameId, Revision]:
        """Return the latest revisions of an edition's games with readings of the box.

        The oldest game comes first.
        """
        with_readings = sa.select(schema.entries.c.journal_id).where(schema.is_of_box)
        table = schema.journals.c
        return self._latest(table.edition == edition, table.game_id.in_(with_readings))

    def latest(self) -> dict[GameId, Revision]:
        """Return the latest revision of each game, the oldest first."""
        return self._latest()

    def _latest(self, *where: sa.ColumnElement[bool]) -> dict[GameId, Revision]:
        """Return the latest revision of the games that fulfil all conditions."""
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
        with self._database.transaction() as connection:
            rows = connection.execute(query).all()
        return {game_id: Revision(revision) for game_id, revision in rows}

    def telling(self, journal_id: str, after: int = 0) -> tuple[Entry, ...]:
        """Read the entries after revision *after* that may record readings of the box.

        Raises:
            JournalFault: If one cannot be read.
        """
        kinds = (schema.Tells(kind.__name__) for kind in OF_BOX)
        return self._read(journal_id, after, sa.or_(*kinds))

    def _append(self, connection: sa.Connection, journal_id: str, entry: Entry) -> None:
        """Insert one entry, and update what depends on its events."""
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
            _index(connection, GameId(journal_id), entry, event)

    def _entry(self, row: _Columns) -> Entry:
        """Decode a row.

        Raises:
            JournalFault: If its events cannot be read.
        """
        # Unpacked, since looking up columns by name is slow and there are many rows.
        journal_id, revision, command_id, actor, at_ms, text = row
        try:
            events = events_from_json(text)
        except Malformed:
            events = ()
        if not events:
            raise self.damaged(journal_id, f"entry {revision} is unreadable")
        return Entry(Revision(revision), command_id, actor, TimeMs(at_ms), events)

    def damaged(self, journal_id: str, what: str) -> JournalFault:
        """Build the error that says *what* is wrong with which game, and a remedy."""
        return JournalFault(
            f"journal {self._database.place} is damaged: {what} in game {journal_id}",
            "nothing was changed; move it aside and restore a backup",
        )


class _Taps(Mapping[str, Revision]):
    """The command ids of one game; those before its snapshot are looked up on disk."""

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
        """Return a column of the game's entries that have these values."""
        query = sa.select(column).filter_by(journal_id=self._game_id, **where)
        with self._database.transaction() as connection:
            return connection.execute(query).scalars().all()


def _index(
    connection: sa.Connection, game_id: GameId, entry: Entry, event: object
) -> None:
    """Update the tables of games and phones, in the transaction of the entry."""
    table = schema.journals
    match event:
        case e.GameOpened():
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
        case e.SeatAdded() | e.SeatRemoved():
            vacate(connection, game_id, event.seat)
        case e.GameClosed() | e.GameReopened():
            is_closed = isinstance(event, e.GameClosed)
            connection.execute(
                table.update()
                .where(table.c.game_id == game_id)
                .values(is_closed=is_closed)
            )
