"""Figures that nobody knows, as a page asks for them.

Some of them the table plays with as they probably are: they are asked for as well, and
what the real card says takes their place.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.edition.labels import label_of
from companion.errors import Why
from companion.game import moves as m
from companion.game.move_run import MoveRun
from companion.game.rulebook import Unknown
from companion.rules import refusal
from companion.rules.debt import unknown_worths
from companion.units import Dollars
from companion.views.turn_buttons import Look
from companion.views.turn_words import is_debtor
from companion.words import say
from companion.words.amount import Amount
from companion.words.money import dollars_text


class Blank(msgspec.Struct, frozen=True):
    """A figure that nobody knows.

    Attributes:
        key: Its key in edition files.
        words: What the figure is, in words.
        likely: Its probable amount, or ``None`` if there is no clue.
        like: The name of the other deed that the clue comes from, or empty.
        clue: Where the probable amount comes from, in words.
        is_used: The table plays with that amount.
    """

    key: str
    words: str
    likely: Dollars | None = None
    like: str = ""
    clue: str = ""
    is_used: bool = False

    @property
    def amount(self) -> Amount | None:
        """The probable amount, marked as such."""
        return (
            None if self.likely is None else dollars_text(self.likely, is_likely=True)
        )


class Gap(msgspec.Struct, frozen=True):
    """A way to raise money whose amount nobody knows.

    Attributes:
        words: What could be done if it were known.
        blank: The figure that is lacking.
    """

    words: str
    blank: Blank


def blanks_of(look: Look, deed: str) -> tuple[Blank, ...]:
    """The figures of *deed* that the table can read off the real card."""
    board = look.board
    found = [(one, False) for one in board.unknown if one.of == deed]
    found += [(one, True) for one in board.rules.likely if one.of == deed]
    return tuple(_blank(look, one, is_used=is_used) for one, is_used in found)


def _blank(look: Look, one: Unknown, *, is_used: bool) -> Blank:
    like = look.name(one.like) if one.like else ""
    clue = say("as on {deed}", deed=like) if like else CLUES.get(one.figure, "")
    words = label_of("deed", one.figure)
    return Blank(one.key, words, one.likely, like, clue, is_used)


CLUES = {
    "mortgage": say("half the price"),
    "unmortgage": say("a tenth more than the mortgage value"),
}
"""Where the probable amount of a figure comes from, if not from another deed."""


def gaps(look: Look) -> Iterator[Gap]:
    """What the seat could raise money with if the table read the card first.

    In a debt that is all of its own: what nobody knows keeps it from giving up.
    """
    for at, figure in unknown_worths(MoveRun(look.game), look.seat):
        deed = look.board.rules.deeds[at]
        known = {one.key.rpartition(".")[2]: one for one in blanks_of(look, deed.id)}
        move: m.Move = m.Unbuild(by=look.seat, deed=deed.id)
        words = say("Sell from {deed}", deed=deed.name)
        if figure == "mortgage":
            move = m.Mortgage(by=look.seat, deed=deed.id)
            words = say("Mortgage {deed}", deed=deed.name)
        elif figure == "price":
            move = m.SellDeed(by=look.seat, deed=deed.id)
            words = say("Sell {deed}", deed=deed.name)
        if is_debtor(look) or _lacks_figure(look, move):
            yield Gap(words, known[figure])


def _lacks_figure(look: Look, move: m.Move) -> bool:
    """Whether only a figure that nobody knows is in the way of *move*."""
    refused = refusal(look.game, move)
    return refused is not None and refused.why is Why.UNKNOWN_FIGURE
