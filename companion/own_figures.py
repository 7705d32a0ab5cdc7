"""What this table read off its own box, in any of its games or outside of one.

It stands in journals and nowhere else. While a game of the box is led, it is that
game's own entry, so an undo there takes it back; otherwise it is an entry of the
box's journal (``companion/box_journal.py``). The last word counts, for every later
game of the same edition. Taking a reading back is an entry of the box's journal that
names the reading, so an old game is never written to; a game that used it goes on
as it was played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import cast

import msgspec

from companion import box_events as b
from companion import deed_events as d
from companion import events as e
from companion import play_events as p
from companion.board import READABLE
from companion.box_journal import BoxJournal
from companion.edition import Edition
from companion.edition.own import Figures, Spaces, own_text, with_figures
from companion.edition.shape import LISTED_FIGURES, SpaceKind
from companion.errors import Malformed, quoted
from companion.journal import Entry
from companion.money import AMOUNT_MAX
from companion.store import Journals
from companion.table import TableService
from companion.units import Dollars, TimeMs

SPACE_FIGURE = "kind"
"""What is read off a space."""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody read off the real box.

    Attributes:
        of: The id of the deed or the card; of a space, its number.
        figure: As edition files call it; ``kind`` of a space.
        amount: Whole dollars; 0 of a space.
        kind: What is printed on a space; empty for deeds and cards.
        journal: Where it was written down: a game's journal, or the box's.
        revision: Of the entry there.
        actor: Who typed it: a seat of that game, ``bank`` or ``table``, a name.
        at_ms: When, by the clock on the wall.
    """

    of: str
    figure: str
    amount: Dollars = 0
    kind: str = ""
    journal: str
    revision: int
    actor: str
    at_ms: TimeMs

    @property
    def place(self) -> tuple[str, int, str, str]:
        """What names this very reading."""
        return self.journal, self.revision, self.of, self.figure


def figures_of(readings: Iterable[Reading]) -> dict[tuple[str, str], Dollars]:
    """The amounts among *readings*, by deed or card and figure."""
    return {(one.of, one.figure): one.amount for one in readings if not one.kind}


def spaces_of(readings: Iterable[Reading]) -> dict[int, SpaceKind]:
    """The spaces among *readings*, by their number."""
    return {int(one.of): cast("SpaceKind", one.kind) for one in readings if one.kind}


def readings_in(journal: str, entries: Iterable[Entry]) -> Iterator[Reading]:
    """Every reading of one journal that was not undone there, oldest first.

    Args:
        journal: Its id.
        entries: All of it, or a part that ends with its last entry.
    """
    for entry in _standing(entries):
        if isinstance(entry.events[0], p.PositionGiven):
            continue  # What a script begins with is its own, not read off a box.
        for event in entry.events:
            said = _said(event)
            if said is not None:
                of, figure, amount, kind = said
                yield Reading(
                    of=of,
                    figure=figure,
                    amount=amount,
                    kind=kind,
                    journal=journal,
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


MATTER = (d.FigureTyped, d.SpaceRead, e.Undone, e.Redone)
"""Events of a game that say something of its box, or take it back."""


class BoxReadings:
    """All that stands in the journals about one edition's box.

    Not safe to call from several threads at once: the table's lock guards it.

    Args:
        journals: Where entries are kept.
        edition_id: Whose box.
    """

    def __init__(self, journals: Journals, edition_id: str) -> None:
        self.box = BoxJournal(journals, edition_id)
        self._journals = journals
        self._edition_id = edition_id
        self._seen: dict[str, tuple[int, tuple[Entry, ...]]] = {}

    def latest(self) -> tuple[Reading, ...]:
        """The last word on each figure and space, oldest first."""
        words: dict[tuple[str, str], Reading] = {}
        for one in self.all():
            words.pop((one.of, one.figure), None)
            words[one.of, one.figure] = one
        return tuple(words.values())

    def all(self) -> tuple[Reading, ...]:
        """Every reading that counts, oldest first; the box's own after a game's.

        Raises:
            JournalFault: If a journal cannot be read.
        """
        own = self.box.entries()
        away = {
            (one.journal, one.revision, one.of, one.figure)
            for entry in own
            for one in entry.events
            if isinstance(one, b.ReadingTakenBack)
        }
        found: list[Reading] = []
        for journal, revision in self._journals.revisions(self._edition_id).items():
            found += readings_in(journal, self._of_game(journal, revision))
        found += readings_in(self.box.journal, own)
        found.sort(key=lambda one: one.at_ms)
        return tuple(one for one in found if one.place not in away)

    def _of_game(self, journal: str, revision: int) -> tuple[Entry, ...]:
        """A game's entries about figures; only its new ones are read."""
        seen, kept = self._seen.get(journal, (0, ()))
        if seen != revision:
            names = tuple(kind.__name__ for kind in MATTER)
            kept = (*kept, *self._journals.telling(journal, names, seen))
            self._seen[journal] = (revision, kept)
        return kept


class OwnEditions:
    """Gives editions with what this table read off its boxes; safe for any thread.

    Args:
        table: All games; its lock and its clock.
        edition: Gives an edition as it comes with the program.
        journals: Where entries are kept.
    """

    def __init__(
        self,
        table: TableService,
        edition: Callable[[str], Edition],
        journals: Journals,
    ) -> None:
        self._table = table
        self._edition = edition
        self._journals = journals
        self._boxes: dict[str, BoxReadings] = {}
        self._made: dict[str, tuple[tuple[Figures, Spaces], Edition]] = {}

    def __call__(self, edition_id: str) -> Edition:
        """The edition of that id.

        Raises:
            Malformed: If there is none.
        """
        base = self._edition(edition_id)
        if not is_gappy(base):
            return base
        readings = self.readings(edition_id)
        known = (figures_of(readings), spaces_of(readings))
        made = self._made.get(edition_id)
        if made is None or made[0] != known:
            made = (known, with_figures(base, *known))
            self._made[edition_id] = made
        return made[1]

    def base(self, edition_id: str) -> Edition:
        """The edition as it comes with the program, whatever was read off the box.

        Raises:
            Malformed: If there is none.
        """
        return self._edition(edition_id)

    def readings(self, edition_id: str) -> tuple[Reading, ...]:
        """The last word on each figure that was read off that box, oldest first."""
        with self._table.lock:
            return self._of(edition_id).latest()

    def read(
        self, edition_id: str, of: str, figures: Mapping[str, Dollars], actor: str
    ) -> None:
        """Write down figures of one deed or card, outside of any game.

        Raises:
            Malformed: For what the edition knows, or an amount out of range.
            JournalFault: If it could not be written; nothing has changed.
        """
        wanted = typeable(self._edition(edition_id))
        for figure, amount in figures.items():
            if (of, figure) not in wanted:
                what = quoted(f"{of} {figure}")
                raise Malformed(f"expected a figure that nobody knew, got {what}")
            if not 0 <= amount <= AMOUNT_MAX:
                raise Malformed(
                    f"expected an amount from 0 to {AMOUNT_MAX:,}, got {amount:,}; "
                    "type it again"
                )
        events = (b.FigureRead(of, name, amount) for name, amount in figures.items())
        self._record(edition_id, actor, tuple(events))

    def read_space(self, edition_id: str, number: int, kind: str, actor: str) -> None:
        """Write down what is printed on a space, outside of any game.

        Raises:
            Malformed: If the space is known, or cannot be of that kind.
            JournalFault: If it could not be written; nothing has changed.
        """
        if (str(number), SPACE_FIGURE) not in typeable(self._edition(edition_id)):
            raise Malformed(f"expected a space that nobody knew, got {number}")
        if kind not in READABLE:
            wanted = ", ".join(READABLE)
            raise Malformed(f"expected one of {wanted}, got {quoted(kind)}")
        self._record(edition_id, actor, (b.PrintRead(number, kind),))

    def take_back(self, edition_id: str, of: str, figure: str, actor: str) -> None:
        """Nothing that was read of it counts any more; it is unknown again.

        Raises:
            JournalFault: If it could not be written; nothing has changed.
        """
        with self._table.lock:
            readings = self._of(edition_id).all()
            self._record(
                edition_id,
                actor,
                tuple(
                    b.ReadingTakenBack(one.journal, one.revision, of, figure)
                    for one in readings
                    if (one.of, one.figure) == (of, figure)
                ),
            )

    def file_text(self, edition_id: str, own_id: str, name: str) -> str:
        """What was read off that box, as an edition file to share.

        Raises:
            Malformed: If nothing was read off it.
        """
        readings = self.readings(edition_id)
        base, spaces = self._edition(edition_id), spaces_of(readings)
        return own_text(base, figures_of(readings), own_id, name, spaces)

    def _of(self, edition_id: str) -> BoxReadings:
        if edition_id not in self._boxes:
            self._boxes[edition_id] = BoxReadings(self._journals, edition_id)
        return self._boxes[edition_id]

    def _record(
        self, edition_id: str, actor: str, events: tuple[b.BoxEvent, ...]
    ) -> None:
        if not events:
            return  # A repeated tap: it was taken back already.
        with self._table.lock:
            self._of(edition_id).box.record(self._table.clock, actor, events)


def typeable(edition: Edition) -> frozenset[tuple[str, str]]:
    """What a game asks for where the data has nothing: deed, card or space, figure."""
    return frozenset(
        (
            *(
                (deed.id, name)
                for deed in edition.deeds
                for name in deed.unknown
                if name not in LISTED_FIGURES
            ),
            *(
                (card.id, "amount")
                for card in edition.cards
                if "amount" in card.unknown
            ),
            *(
                (str(space.number), SPACE_FIGURE)
                for space in edition.spaces
                if space.kind_candidate
            ),
        )
    )


def is_gappy(edition: Edition) -> bool:
    """Whether anything of it is unknown at all."""
    return bool(typeable(edition)) or any(card.unknown for card in edition.cards)
