"""What the journals say about one edition's box: what was read, what was taken back.

A figure typed in while the companion leads a game is an entry of that game, and an
undo there takes it back. Every other reading is an entry of the box's journal. So is
an entry that takes a reading back for good, because an old game is never written to.

The clock of a Raspberry Pi without a network can go back. So the order of a journal's
entries matters more than their times, and a new reading is never dated before one
that was already known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate
from typing import cast

import msgspec

from companion.box.journal import BoxEvents, BoxJournal
from companion.edition.own_cards import Cards
from companion.edition.shape import SpaceKind
from companion.game import box_events as b
from companion.game import deed_events as d
from companion.game import events as e
from companion.game import play_events as p
from companion.game.commands import TABLE
from companion.game.journal import Entry
from companion.ports import Clock
from companion.store import Journals
from companion.units import BANK, Dollars, TimeMs

SPACE_FIGURE = "kind"
"""The name of the figure that is read off a space: what is printed there."""

CARD_FIGURE = "card"
"""The name of the figure that stands for a whole card, put into words."""


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that somebody, or a file, says about a box.

    Attributes:
        of: The id of the deed or the card; for a space, its number.
        figure: Its name in edition files; ``kind`` for a space, ``card`` for a card
            that was put into words.
        amount: Whole dollars; 0 for a space or a whole card.
        kind: What is printed on a space; the deck of a card that was put into words.
    """

    of: str
    figure: str
    amount: Dollars = 0
    kind: str = ""


class BoxReading(Said, frozen=True, kw_only=True):
    """What somebody read off the real box, and where that was written down.

    Attributes:
        journal_id: Where it was written down: a game's journal, or the box's.
        revision: The revision of the entry there.
        actor: Who typed it: a seat of that game, ``bank``, ``table``, or a name.
        at_ms: When, in milliseconds since 1970 UTC; never before earlier readings.
    """

    journal_id: str
    revision: int
    actor: str
    at_ms: TimeMs

    @property
    def place(self) -> tuple[str, int, str, str]:
        """Identifies this reading: journal, revision, what it is of, and figure."""
        return self.journal_id, self.revision, self.of, self.figure


def figures_of(readings: Iterable[BoxReading]) -> dict[tuple[str, str], Dollars]:
    """The amounts among *readings*, by deed or card and figure."""
    return {(one.of, one.figure): one.amount for one in readings if not one.kind}


def spaces_of(readings: Iterable[BoxReading]) -> dict[int, SpaceKind]:
    """The spaces among *readings*, by their number."""
    read = (one for one in readings if one.figure == SPACE_FIGURE)
    return {int(one.of): cast("SpaceKind", one.kind) for one in read}


def cards_of(readings: Iterable[BoxReading]) -> Cards:
    """The cards among *readings* that were put into words."""
    return tuple((one.kind, one.of) for one in readings if one.figure == CARD_FIGURE)


def readings_in(journal_id: str, entries: Iterable[Entry]) -> Iterator[BoxReading]:
    """Every reading of one journal that was not undone there, oldest first.

    Args:
        journal_id: The id of the journal.
        entries: All its entries, or a part that ends with the last one.
    """
    for entry in _standing(entries):
        if isinstance(entry.events[0], p.PositionGiven):
            continue  # A script's starting position was not read off a box.
        for event in entry.events:
            said = _said(event)
            if said is not None:
                of, figure, amount, kind = said
                yield BoxReading(
                    of=of,
                    figure=figure,
                    amount=amount,
                    kind=kind,
                    journal_id=journal_id,
                    revision=entry.revision,
                    actor=entry.actor,
                    at_ms=entry.at_ms,
                )


def _said(event: object) -> tuple[str, str, Dollars, str] | None:
    match event:
        case d.FigureTyped():
            return event.deed, event.figure, event.amount, ""
        case b.FigureRead():
            return event.of, event.figure, event.amount, ""
        case d.SpaceRead() | b.PrintRead():
            return str(event.space), SPACE_FIGURE, 0, event.kind
        case d.CardRead():
            return event.card, CARD_FIGURE, 0, event.deck
    return None


def _standing(entries: Iterable[Entry]) -> list[Entry]:
    """The entries that were not taken back, oldest first."""
    kept = list(entries)
    undone: set[int] = set()
    for entry in kept:
        act = entry.events[0]
        if isinstance(act, e.Undone):
            undone.add(act.revision)
        elif isinstance(act, e.Redone):
            undone.discard(act.revision)
    return [entry for entry in kept if entry.revision not in undone]


def _timed(readings: Iterable[BoxReading]) -> Iterator[tuple[TimeMs, BoxReading]]:
    """One journal's readings, none of them earlier than the one before it."""
    kept = tuple(readings)
    return zip(accumulate((one.at_ms for one in kept), max), kept, strict=True)


MATTER = (d.FigureTyped, d.SpaceRead, d.CardRead, e.Undone, e.Redone)
"""Events of a game that say something about its box, or undo and redo that."""


NamesAt = Callable[[int], Mapping[str, str]]


def _reader(reading: BoxReading, names: NamesAt) -> str:
    """The name of whoever typed it, for the box's journal, which knows no seats."""
    if reading.actor in (TABLE, BANK):
        return reading.actor
    return names(reading.revision).get(reading.actor, reading.actor)


def _event(reading: BoxReading) -> b.BoxEvent | d.CardRead:
    """The event for a box's journal that ``_said`` would turn back into *reading*."""
    if reading.figure == SPACE_FIGURE:
        return b.PrintRead(int(reading.of), reading.kind)
    if reading.figure == CARD_FIGURE:
        return d.CardRead(card=reading.of, deck=reading.kind)
    return b.FigureRead(reading.of, reading.figure, reading.amount)


class BoxReadings:
    """Everything that the journals say about one edition's box.

    Not safe to call from several threads at once: ``OwnEditions`` has the lock.

    Args:
        journals: Where entries are kept.
        edition_id: The edition that the box belongs to.
    """

    def __init__(self, journals: Journals, edition_id: str) -> None:
        self.box = BoxJournal(journals, edition_id)
        self._journals = journals
        self._edition_id = edition_id
        self._seen: dict[str, tuple[int, tuple[Entry, ...]]] = {}
        self._latest: tuple[int, tuple[BoxReading, ...]] = (-1, ())

    def latest(self) -> tuple[BoxReading, ...]:
        """The latest reading of each figure, space and card, oldest first."""
        changes = self._journals.changes
        if self._latest[0] != changes:
            words: dict[tuple[str, str], BoxReading] = {}
            for one in self.all():
                words.pop((one.of, one.figure), None)
                words[one.of, one.figure] = one
            self._latest = (changes, tuple(words.values()))
        return self._latest[1]

    def all(self) -> tuple[BoxReading, ...]:
        """Every reading that counts, oldest first; at equal times the box's own last.

        Raises:
            JournalFault: If a journal cannot be read.
        """
        return tuple(one for _, one in self._in_order())

    def _in_order(self) -> list[tuple[TimeMs, BoxReading]]:
        # Before the box's own: a game that is removed in between has left its readings
        # there, in one transaction, so that each is found in one of the two.
        games = self._journals.revisions(self._edition_id)
        own = self.box.entries()
        away = {
            (one.journal_id, one.revision, one.of, one.figure)
            for entry in own
            for one in entry.events
            if isinstance(one, b.ReadingTakenBack)
        }
        self._seen = {game: seen for game, seen in self._seen.items() if game in games}
        journals = [
            readings_in(journal_id, self._of_game(journal_id, revision))
            for journal_id, revision in games.items()
        ]
        journals.append(readings_in(self.box.journal_id, own))
        found: list[tuple[TimeMs, BoxReading]] = []
        for readings in journals:
            found += _timed(one for one in readings if one.place not in away)
        found.sort(key=lambda timed: timed[0])
        return found

    def moved(self, journal_id: str, names: NamesAt) -> tuple[Entry, ...]:
        """The latest readings that come from one game, as the box journal's entries.

        They are not yet written. Each keeps its time and the name of its reader, and
        stays the latest reading of its figure.

        Args:
            journal_id: The journal of the game, which will be removed.
            names: Gives everybody's name in that game at a revision.

        Raises:
            JournalFault: If a journal cannot be read.
        """
        words = {(one.of, one.figure): (at, one) for at, one in self._in_order()}
        last = [(at, one) for at, one in words.values() if one.journal_id == journal_id]
        last.sort(key=lambda timed: timed[0])
        return tuple(
            self.box.next(at, _reader(one, names), (_event(one),), after)
            for after, (at, one) in enumerate(last)
        )

    def record(self, clock: Clock, actor: str, events: BoxEvents) -> None:
        """Write *events* in the box's journal as the latest readings.

        Args:
            clock: The wall clock; if it went back, the last known time is used.
            actor: The name of who did it, or ``table``.
            events: At least one.

        Raises:
            JournalFault: If they could not be written; nothing has changed.
        """
        known = (one.at_ms for one in self.all())
        at_ms = max((TimeMs(clock.now_ms()), *known))
        self.box.record(at_ms, actor, events)

    def _of_game(self, journal_id: str, revision: int) -> tuple[Entry, ...]:
        """A game's entries about its box; only new ones are read from the disk."""
        seen, kept = self._seen.get(journal_id, (0, ()))
        if seen != revision:
            names = tuple(kind.__name__ for kind in MATTER)
            kept = (*kept, *self._journals.telling(journal_id, names, seen))
            self._seen[journal_id] = (revision, kept)
        return kept
