"""What this table read off its own box, in any of its games.

It stands in the journals where it was typed, and counts for every later game of the
same edition. Nothing is kept beside them, so an undo takes a figure back, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import cast

from companion import deed_events as d
from companion import events as e
from companion import play_events as p
from companion.edition import Edition
from companion.edition.own import Figures, Spaces, with_figures
from companion.edition.shape import SpaceKind
from companion.journal import Entry
from companion.table import TableService


def typed_in(entries: Iterable[Entry]) -> dict[tuple[str, str], int]:
    """Every figure that was typed in and not taken back; the last one counts.

    Args:
        entries: A whole journal, or a part that ends with its last entry.
    """
    return {
        (event.deed, event.figure): event.amount
        for entry in _standing(entries)
        # What a script begins with is its own, not read off a box.
        if not isinstance(entry.events[0], p.PositionGiven)
        for event in entry.events
        if isinstance(event, d.FigureTyped)
    }


def spaces_read(entries: Iterable[Entry]) -> dict[int, SpaceKind]:
    """What the table read off spaces that nobody knew, and did not take back."""
    return {
        event.space: cast("SpaceKind", event.kind)
        for entry in _standing(entries)
        if isinstance(entry.events[0], p.PositionCorrected)
        for event in entry.events
        if isinstance(event, d.SpaceRead)
    }


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


class OwnEditions:
    """Gives editions with what this table typed in; safe to call from any thread.

    Args:
        table: All games.
        edition: Gives an edition as it comes with the program.
    """

    def __init__(self, table: TableService, edition: Callable[[str], Edition]) -> None:
        self._table = table
        self._edition = edition
        self._seen: dict[str, tuple[int, tuple[Entry, ...]]] = {}
        self._made: dict[str, tuple[tuple[Figures, Spaces], Edition]] = {}

    def __call__(self, edition_id: str) -> Edition:
        """The edition of that id.

        Raises:
            Malformed: If there is none.
        """
        base = self._edition(edition_id)
        if not _is_gappy(base):
            return base
        known = self._known(edition_id)
        made = self._made.get(edition_id)
        if made is None or made[0] != known:
            made = (known, with_figures(base, *known))
            self._made[edition_id] = made
        return made[1]

    def _known(self, edition_id: str) -> tuple[Figures, Spaces]:
        """What was read in the edition's latest games; the last word counts."""
        figures: dict[tuple[str, str], int] = {}
        spaces: dict[int, SpaceKind] = {}
        with self._table.lock:
            games = [x for x in self._table.games() if x.edition == edition_id]
            for game in reversed(games[:GAMES_READ_MAX]):
                entries = self._of_game(game.journal)
                figures |= typed_in(entries)
                spaces |= spaces_read(entries)
        return figures, spaces

    def _of_game(self, journal: str) -> tuple[Entry, ...]:
        """A game's entries about figures; only its new ones are read."""
        revision, kept = self._seen.get(journal, (0, ()))
        new = self._table.entries(journal, revision)
        if new:
            kept = (*kept, *(entry for entry in new if _matters(entry)))
            self._seen[journal] = (new[-1].revision, kept)
        return kept


GAMES_READ_MAX = 20
"""Games of an edition that are looked through, the latest first."""


def _is_gappy(edition: Edition) -> bool:
    """Whether anything of it is unknown at all."""
    of_deeds = any(deed.unknown for deed in edition.deeds)
    of_spaces = any(space.kind_candidate for space in edition.spaces)
    return of_deeds or of_spaces or any(card.unknown for card in edition.cards)


def _matters(entry: Entry) -> bool:
    kinds = (d.FigureTyped, d.SpaceRead, e.Undone, e.Redone)
    return any(isinstance(event, kinds) for event in entry.events)
