"""Editions completed with what this table read off its own box, in a game or outside.

Readings are kept in journals and nowhere else (``companion/box/readings.py``). The
latest reading of a figure counts for every later game of the same edition. A game
that has already begun keeps its figures, whatever is read off the box later.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from companion.box.journal import BoxEvents
from companion.box.readings import (
    CARD_FIGURE,
    SPACE_FIGURE,
    BoxReading,
    BoxReadings,
    NamesAt,
    cards_of,
    figures_of,
    spaces_of,
)
from companion.edition import Edition
from companion.edition.catalogue import Catalogue
from companion.edition.own import Figures, Spaces, own_text, with_figures
from companion.edition.own_cards import Cards, can_have, is_open
from companion.edition.shape import LISTED_FIGURES
from companion.errors import Malformed, quoted
from companion.game import box_events as b
from companion.game.board import READABLE
from companion.game.card_code import parsed
from companion.game.deed_events import CardRead
from companion.game.journal import Entry
from companion.ports import Clock
from companion.store import Journals
from companion.units import Dollars, GameId
from companion.words.money import AMOUNT_MAX


class OwnEditions:
    """Gives editions with what this table read off its boxes; safe in any thread.

    Args:
        catalogue: Gives an edition as its file has it.
        journals: Where entries are kept.
        clock: The wall clock.

    Attributes:
        ids: Every edition there is.
    """

    def __init__(self, catalogue: Catalogue, journals: Journals, clock: Clock) -> None:
        self.ids = catalogue.ids
        self._lock = threading.RLock()
        self._file_of = catalogue.file_of
        self._edition = catalogue
        self._journals = journals
        self._clock = clock
        self._boxes: dict[str, BoxReadings] = {}
        self._made: dict[str, tuple[tuple[Figures, Spaces, Cards], Edition]] = {}

    def __call__(self, edition_id: str) -> Edition:
        """The edition of that id.

        Raises:
            Malformed: If there is none.
        """
        base = self._edition(edition_id)
        if not is_gappy(base):
            return base
        readings = self.readings(edition_id)
        known = (figures_of(readings), spaces_of(readings), cards_of(readings))
        made = self._made.get(edition_id)
        if made is None or made[0] != known:
            made = (known, with_figures(base, *known))
            self._made[edition_id] = made
        return made[1]

    def base(self, edition_id: str) -> Edition:
        """The edition as its file has it, whatever was read off the box.

        Raises:
            Malformed: If there is none.
        """
        return self._edition(edition_id)

    def readings(self, edition_id: str) -> tuple[BoxReading, ...]:
        """The latest reading of each figure read off that box, oldest first."""
        with self._lock:
            return self._of(edition_id).latest()

    def read(
        self, edition_id: str, of: str, figures: Mapping[str, Dollars], actor: str
    ) -> None:
        """Write down figures of one deed or card, outside of any game.

        A figure already known with the same amount is not written down again.

        Raises:
            Malformed: As ``check`` says.
            JournalFault: If it could not be written; nothing has changed.
        """
        self.check(edition_id, of, figures)
        with self._lock:
            known = figures_of(self.readings(edition_id))
            events = (
                b.FigureRead(of, name, amount)
                for name, amount in figures.items()
                if known.get((of, name)) != amount
            )
            self._record(edition_id, actor, tuple(events))

    def check(self, edition_id: str, of: str, figures: Mapping[str, Dollars]) -> None:
        """Check that these are figures that the edition does not know.

        Raises:
            Malformed: For a figure that the edition knows, an amount out of range, or
                the print on a space, which is not an amount.
        """
        wanted = typeable(self._edition(edition_id))
        for figure, amount in figures.items():
            if figure == SPACE_FIGURE or (of, figure) not in wanted:
                what = quoted(f"{of} {figure}")
                raise Malformed(f"expected a figure that nobody knew, got {what}")
            if not 0 <= amount <= AMOUNT_MAX:
                raise Malformed(
                    f"expected an amount from 0 to {AMOUNT_MAX:,}, got {amount:,}; "
                    "type it again"
                )

    def read_space(self, edition_id: str, number: int, kind: str, actor: str) -> None:
        """Write down what is printed on a space, outside of any game.

        Raises:
            Malformed: As ``check_space`` says.
            JournalFault: If it could not be written; nothing has changed.
        """
        self.check_space(edition_id, number, kind)
        with self._lock:
            if spaces_of(self.readings(edition_id)).get(number) != kind:
                self._record(edition_id, actor, (b.PrintRead(number, kind),))

    def check_space(self, edition_id: str, number: int, kind: str) -> None:
        """Check that the edition does not know that space, and that the kind exists.

        Raises:
            Malformed: If the space is known, or cannot be of that kind.
        """
        if (str(number), SPACE_FIGURE) not in typeable(self._edition(edition_id)):
            raise Malformed(f"expected a space that nobody knew, got {number}")
        if kind not in READABLE:
            wanted = ", ".join(READABLE)
            raise Malformed(f"expected one of {wanted}, got {quoted(kind)}")

    def read_card(self, edition_id: str, deck: str, card: str, actor: str) -> None:
        """Write down a card that was put into words, outside of any game.

        Args:
            edition_id: The edition that the box belongs to.
            deck: The id of its deck.
            card: The words for it (``companion/game/card_code.py``).
            actor: Who read it.

        Raises:
            Malformed: If the edition knows the whole deck, or cannot have the card.
            JournalFault: If it could not be written; nothing has changed.
        """
        base = self._edition(edition_id)
        if not (is_open(base, deck) and can_have(base, card)):
            what = quoted(f"{deck} {card}")
            raise Malformed(f"expected a card that nobody knew, got {what}")
        with self._lock:
            if (deck, card) not in cards_of(self.readings(edition_id)):
                self._record(edition_id, actor, (CardRead(deck=deck, card=card),))

    def take_back(self, edition_id: str, of: str, figure: str, actor: str) -> None:
        """Take back every reading of one figure; it is unknown again.

        Raises:
            Malformed: For a figure that the edition itself knows.
            JournalFault: If it could not be written; nothing has changed.
        """
        is_card = figure == CARD_FIGURE and parsed(of) is not None
        if not is_card and (of, figure) not in typeable(self._edition(edition_id)):
            what = quoted(f"{of} {figure}")
            raise Malformed(f"expected a figure that nobody knew, got {what}")
        with self._lock:
            readings = self._of(edition_id).all()
            self._record(
                edition_id,
                actor,
                tuple(
                    b.ReadingTakenBack(one.journal_id, one.revision, of, figure)
                    for one in readings
                    if (one.of, one.figure) == (of, figure)
                ),
            )

    @contextmanager
    def rescued(
        self, edition_id: str, game_id: GameId, names: NamesAt
    ) -> Iterator[tuple[str, tuple[Entry, ...]]]:
        """Give the latest readings made in a game, for the box's own journal.

        Nothing else is read off a box until the context is left, so that they can be
        written as they are.

        Args:
            edition_id: The edition that the game is played by.
            game_id: The game, which will be removed.
            names: Gives everybody's name in that game at a revision.

        Yields:
            The id of the box's journal, and the entries, not yet written.

        Raises:
            JournalFault: If a journal cannot be read.
        """
        with self._lock:
            readings = self._of(edition_id)
            yield readings.box.journal_id, readings.moved(game_id, names)

    def file_text(self, edition_id: str, own_id: str, name: str) -> str:
        """What was read off that box, as an edition file to share.

        Raises:
            Malformed: If nothing was read off it.
        """
        readings = self.readings(edition_id)
        base, spaces = self._edition(edition_id), spaces_of(readings)
        figures, cards = figures_of(readings), cards_of(readings)
        file = self._file_of(edition_id)
        return own_text(base, figures, own_id, name, spaces, cards, file)

    def _of(self, edition_id: str) -> BoxReadings:
        if edition_id not in self._boxes:
            self._boxes[edition_id] = BoxReadings(self._journals, edition_id)
        return self._boxes[edition_id]

    def _record(self, edition_id: str, actor: str, events: BoxEvents) -> None:
        if not events:
            return  # A repeated tap.
        with self._lock:
            self._of(edition_id).record(self._clock, actor, events)


def typeable(edition: Edition) -> frozenset[tuple[str, str]]:
    """The unknown figures that can be typed in: deed, card or space, and figure."""
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
    """Whether anything in the edition is unknown."""
    return (
        bool(typeable(edition))
        or any(card.unknown for card in edition.cards)
        or any(not deck.is_complete for deck in edition.decks)
    )
