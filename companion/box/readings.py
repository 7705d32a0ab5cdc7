"""Readings of one edition's box, from the journals and from files of other tables.

A *reading* is a value that the edition lacks, such as a rent or a card, and that
somebody read off the real box and typed in. Its *key* names what was read.

A reading made in a game is an event in the game's journal, and an undo there takes it
back. Any other reading is an event in the box's own journal. So is taking a reading
back for good, since old games are never written to. The latest event of each key
counts.

The clock of a Raspberry Pi without a network can go back. So the order of a journal's
entries matters more than their times, and a new reading is never dated before a known
one.

From a file that another table shared, only values are taken that the program's own
edition lacks; they then count as readings of this table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate

import msgspec

from companion.edition import Edition, load
from companion.edition.library import UK
from companion.edition.own import Readings, accepts_reading, unknown_keys, value_at
from companion.errors import Malformed
from companion.game.box_key import BoxValue, key_of
from companion.game.commands import TABLE
from companion.game.journal import Entry, counting_entries
from companion.game.play_events import BoxRead, PositionGiven
from companion.ports import Clock
from companion.store import Journals
from companion.units import BANK, Revision, TimeMs
from companion.words import say


class BoxReading(msgspec.Struct, frozen=True, kw_only=True):
    """A value that somebody read off the real box, and where it is recorded.

    Attributes:
        key: What was read, as edition files name it (``companion/game/box_key.py``).
        value: What the box says; ``None`` if earlier readings were taken back.
        journal_id: The journal that records it: a game's, or the box's.
        revision: The entry there.
        actor: Who typed it: a seat of that game, ``bank``, ``table``, or a name.
        at_ms: When it was typed.
    """

    key: str
    value: BoxValue | None
    journal_id: str
    revision: int
    actor: str
    at_ms: TimeMs


NamesAt = Callable[[int], Mapping[str, str]]
"""Returns the players' names in a game by seat, as they were at a revision."""


def values_of(readings: Iterable[BoxReading]) -> dict[str, BoxValue]:
    """Return the latest value of each key; *readings* come oldest first."""
    latest = {reading.key: reading.value for reading in readings}
    return {key: value for key, value in latest.items() if value is not None}


def readings_in(journal_id: str, entries: Iterable[Entry]) -> Iterator[BoxReading]:
    """Yield every reading of a journal that was not undone there, oldest first.

    *entries* are all entries of the journal, or a part that ends with the last one.
    """
    for entry in counting_entries(entries):
        if isinstance(entry.events[0], PositionGiven):
            continue  # A script's starting position was not read off a box.
        for event in entry.events:
            if isinstance(event, BoxRead) and not event.is_likely:
                yield BoxReading(
                    key=event.key,
                    value=event.value,
                    journal_id=journal_id,
                    revision=entry.revision,
                    actor=entry.actor,
                    at_ms=entry.at_ms,
                )


def _with_rising_times(
    readings: Iterable[BoxReading],
) -> Iterator[tuple[TimeMs, BoxReading]]:
    """Pair a journal's readings with times that never go back."""
    kept = tuple(readings)
    times = accumulate((reading.at_ms for reading in kept), max)
    return zip(times, kept, strict=True)


def _name_reader(reading: BoxReading, names: NamesAt) -> str:
    """Return who typed the reading in, by name: a seat means nothing in other games."""
    if reading.actor in (TABLE, BANK):
        return reading.actor
    return names(reading.revision).get(reading.actor, reading.actor)


class BoxReadings:
    """All readings of one edition's box; one thread at a time may use it.

    Attributes:
        journal_id: The id of the box's own journal.
    """

    def __init__(self, journals: Journals, edition_id: str) -> None:
        self.journal_id = f"box {edition_id}"
        self._journals = journals
        self._edition_id = edition_id
        # The entries of the box's own journal that were read so far.
        self._own: tuple[Entry, ...] = ()
        # By game: the revision up to which it was read, and its entries about the box.
        self._seen: dict[str, tuple[int, tuple[Entry, ...]]] = {}
        # ``Journals.changes`` when the latest readings were collected, and these.
        self._latest: tuple[int, tuple[BoxReading, ...]] = (-1, ())

    def known(self) -> tuple[BoxReading, ...] | None:
        """Return ``latest`` if it is up to date, else ``None``; any thread may ask."""
        changes, latest = self._latest
        return latest if changes == self._journals.changes else None

    def latest(self) -> tuple[BoxReading, ...]:
        """Return the latest reading of each key that was not taken back, oldest first.

        Raises:
            JournalFault: If a journal cannot be read.
        """
        changes, known = self._journals.changes, self.known()
        if known is None:
            readings = (reading for _, reading in self._latest_by_key())
            known = tuple(reading for reading in readings if reading.value is not None)
            self._latest = (changes, known)
        return known

    def moved(self, journal_id: str, names: NamesAt) -> tuple[Entry, ...]:
        """Build entries of the box's journal for the latest readings from one game.

        Each keeps its time and the name of its reader. The entries are not written yet.

        Args:
            journal_id: The journal of the game, which will be removed.
            names: Returns the names in that game.

        Raises:
            JournalFault: If a journal cannot be read.
        """
        from_game = [
            (at_ms, reading)
            for at_ms, reading in self._latest_by_key()
            if reading.journal_id == journal_id
        ]
        return tuple(
            self._build_entry(
                at_ms, _name_reader(reading, names), {reading.key: reading.value}, count
            )
            for count, (at_ms, reading) in enumerate(from_game)
        )

    def record(
        self, clock: Clock, actor: str, values: Mapping[str, BoxValue | None]
    ) -> None:
        """Write *values* to the box's journal as the latest readings of their keys.

        Args:
            clock: The wall clock; if it went back, the last known time is used.
            actor: The name of the person who did it, or ``table``.
            values: At least one value by key; ``None`` takes readings back.

        Raises:
            JournalFault: If they could not be written; nothing has changed.
        """
        known = (at_ms for at_ms, _ in self._latest_by_key())
        at_ms = max((TimeMs(clock.now_ms()), *known))
        self._journals.append(self.journal_id, self._build_entry(at_ms, actor, values))

    def _build_entry(
        self,
        at_ms: TimeMs,
        actor: str,
        values: Mapping[str, BoxValue | None],
        unwritten: int = 0,
    ) -> Entry:
        """Build the box's next entry, or the one after so many *unwritten* ones."""
        revision = Revision(len(self._own) + unwritten + 1)
        events = tuple(BoxRead(key=key, value=value) for key, value in values.items())
        return Entry(revision, f"box-{revision:08d}", actor, at_ms, events)

    def _latest_by_key(self) -> list[tuple[TimeMs, BoxReading]]:
        """Return the latest event of each key, oldest first.

        At equal times, those of the box's own journal come last.

        Raises:
            JournalFault: If a journal cannot be read.
        """
        # Games first: a game removed meanwhile moves its readings to the box's journal
        # in one transaction, so each is found in one of the two.
        games = self._journals.revisions(self._edition_id)
        self._seen = {game: seen for game, seen in self._seen.items() if game in games}
        new = self._journals.entries(self.journal_id, len(self._own))
        self._own = (*self._own, *new)
        readings: list[tuple[TimeMs, BoxReading]] = []
        for game_id, revision in games.items():
            readings += _with_rising_times(
                readings_in(game_id, self._read_game(game_id, revision))
            )
        readings += _with_rising_times(readings_in(self.journal_id, self._own))
        readings.sort(key=lambda timed: timed[0])
        latest: dict[str, tuple[TimeMs, BoxReading]] = {}
        for at_ms, reading in readings:
            latest.pop(reading.key, None)  # The new entry then comes last.
            latest[reading.key] = (at_ms, reading)
        return list(latest.values())

    def _read_game(self, journal_id: str, revision: int) -> tuple[Entry, ...]:
        """Return a game's entries about its box; read only new ones from the disk."""
        seen, kept = self._seen.get(journal_id, (0, ()))
        if seen != revision:
            kept = (*kept, *self._journals.about_box(journal_id, seen))
            self._seen[journal_id] = (revision, kept)
        return kept


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The values of a shared file, sorted by what this table has read before.

    Attributes:
        new: Values that this table has not read, by key.
        same: Values that this table has read, too, by key.
        other: Values that differ, by key: the file's, then this table's.
    """

    new: dict[str, BoxValue]
    same: dict[str, BoxValue]
    other: dict[str, tuple[BoxValue, BoxValue]]


def shared_edition(text: str, name: str, base: Edition) -> Edition:
    """Read the edition in a file that somebody shared.

    Args:
        text: The file.
        name: Its name, for messages.
        base: This table's edition, without readings.

    Raises:
        EditionFault: With every mistake in the file, if it has any.
        Malformed: If the file is about another box.
    """
    theirs = load(text, name)
    box = theirs.inherits.edition if theirs.inherits else theirs.id
    our_boxes = {base.id.removesuffix(UK)}
    if base.inherits:
        our_boxes.add(base.inherits.edition)
    if box not in our_boxes:
        raise Malformed(
            say("this file is about another box: {box}", box=box),
            say("open the page of that box and read it there"),
        )
    return theirs


def compare_file(base: Edition, theirs: Edition, ours: Readings) -> Comparison:
    """Compare the values of a shared file with this table's readings.

    Args:
        base: This table's edition, without readings.
        theirs: The edition in the file.
        ours: This table's readings.
    """
    values = dict(values_in(base, theirs))
    return Comparison(
        new={key: value for key, value in values.items() if key not in ours},
        same={key: value for key, value in values.items() if ours.get(key) == value},
        other={
            key: (value, ours[key])
            for key, value in values.items()
            if key in ours and ours[key] != value
        },
    )


def values_in(base: Edition, theirs: Edition) -> Iterator[tuple[str, BoxValue]]:
    """Yield key and value of everything that *theirs* has and *base* lacks."""
    for key in unknown_keys(base):
        value = value_at(theirs, key)
        if value is not None:
            yield key, value
    for card in theirs.cards:
        key = key_of("card", card.id, "deck")
        if accepts_reading(base, key, card.deck):
            yield key, card.deck
