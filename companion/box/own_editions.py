"""Editions completed with what this table read off its own box.

An edition describes a *box*, the printed game. Some of its figures and cards are
unknown. The owner of the box can read such a value off it and type it in: a *reading*
(``companion/box/readings.py``). The latest reading of each key counts for every later
game of that edition; a game that has begun keeps its figures.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from companion.box.readings import BoxReading, BoxReadings, NamesAt, values_of
from companion.edition import Edition
from companion.edition.catalogue import Catalogue
from companion.edition.own import (
    Readings,
    check_reading,
    own_text,
    unknown_keys,
    with_readings,
)
from companion.errors import quoted
from companion.game.box_key import BoxValue, split_key
from companion.game.journal import Entry
from companion.ports import Clock
from companion.store import Journals
from companion.units import GameId
from companion.words import say
from companion.words.report import unexpected


class OwnEditions:
    """Completes editions with what this table read off its boxes; safe in any thread.

    Args:
        catalogue: Returns an edition as its file has it.
        journals: Where readings are kept.
        clock: The wall clock.
    """

    def __init__(self, catalogue: Catalogue, journals: Journals, clock: Clock) -> None:
        self.ids = catalogue.ids
        self._lock = threading.RLock()
        self._file_of = catalogue.file_of
        self._catalogue = catalogue
        self._journals = journals
        self._clock = clock
        self._boxes: dict[str, BoxReadings] = {}
        # By id: an edition's readings, and the edition completed with them.
        self._cache: dict[str, tuple[Readings, Edition]] = {}

    def __call__(self, edition_id: str) -> Edition:
        """Return an edition with this table's readings; ``Malformed`` if unknown."""
        base = self._catalogue(edition_id)
        values = values_of(self.readings(edition_id))
        if not values:
            return base
        cached_values, edition = self._cache.get(edition_id, (None, base))
        if cached_values != values:
            edition = with_readings(base, values, self._file_of(edition_id))
            self._cache[edition_id] = (values, edition)
        return edition

    def base(self, edition_id: str) -> Edition:
        """Return an edition without readings; ``Malformed`` if unknown."""
        return self._catalogue(edition_id)

    def readings(self, edition_id: str) -> tuple[BoxReading, ...]:
        """Return the latest reading of each key of a box, oldest first."""
        box = self._boxes.get(edition_id)
        known = box.known() if box is not None else None
        if known is not None:
            return known
        with self._lock:
            return self._find_box(edition_id).latest()

    def check(self, edition_id: str, values: Readings) -> None:
        """Refuse readings that the edition does not lack, or that no box can show.

        Raises:
            Malformed: If a reading is refused.
        """
        base = self._catalogue(edition_id)
        read = {**values_of(self.readings(edition_id)), **values}
        for key, value in values.items():
            check_reading(base, key, value, read)

    def read(self, edition_id: str, values: Readings, actor: str) -> None:
        """Record readings that were typed in outside of any game, unless known.

        Raises:
            Malformed: As for ``check``.
            JournalFault: If it could not be written; nothing has changed.
        """
        self.check(edition_id, values)
        with self._lock:
            known = values_of(self.readings(edition_id))
            new = {
                key: value for key, value in values.items() if known.get(key) != value
            }
            self._record(edition_id, actor, new)

    def take_back(self, edition_id: str, key: str, actor: str) -> None:
        """Take back every reading of *key*, whose value is then unknown again.

        Raises:
            Malformed: If the edition itself knows that key.
            JournalFault: If it could not be written; nothing has changed.
        """
        is_card = split_key(key).is_card
        if not is_card and key not in unknown_keys(self._catalogue(edition_id)):
            raise unexpected(say("a figure that nobody knew"), quoted(key))
        with self._lock:
            if key in values_of(self.readings(edition_id)):
                self._record(edition_id, actor, {key: None})

    @contextmanager
    def rescued(
        self, edition_id: str, game_id: GameId, names: NamesAt
    ) -> Iterator[tuple[str, tuple[Entry, ...]]]:
        """Turn the latest readings of a game into entries for the box's own journal.

        No other reading is recorded until the context is left, so that the entries can
        be written as they are.

        Args:
            edition_id: The game's edition.
            game_id: The game, which will be removed.
            names: Returns the names in that game.

        Yields:
            The id of the box's journal, and the entries, not yet written.

        Raises:
            JournalFault: If a journal cannot be read.
        """
        with self._lock:
            box = self._find_box(edition_id)
            yield box.journal_id, box.moved(game_id, names)

    def file_text(self, edition_id: str, own_id: str, name: str) -> str:
        """Return the readings of a box as an edition file to share."""
        values = values_of(self.readings(edition_id))
        base, file = self._catalogue(edition_id), self._file_of(edition_id)
        return own_text(base, values, own_id, name, file)

    def _find_box(self, edition_id: str) -> BoxReadings:
        """Return an edition's box; the caller holds the lock."""
        if edition_id not in self._boxes:
            self._boxes[edition_id] = BoxReadings(self._journals, edition_id)
        return self._boxes[edition_id]

    def _record(
        self, edition_id: str, actor: str, values: Mapping[str, BoxValue | None]
    ) -> None:
        """Append values, if any, to the box's journal."""
        if values:  # A repeated tap brings no new ones.
            self._find_box(edition_id).record(self._clock, actor, values)
