"""Blanks: figures that the edition file does not know, to be read off real deeds.

A *figure* is a printed amount of a deed, such as its price, its mortgage or a rent.
Where there is a clue to an unknown figure, the file gives a *likely* amount, and the
table may agree to play with it until somebody types in the real one.

A *gap* is a way to raise money that is blocked as long as a figure is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.edition.figures import label_of
from companion.errors import Why
from companion.game import moves as m
from companion.game.box_key import key_of
from companion.game.figure_bounds import known_figures
from companion.game.move_run import MoveRun
from companion.game.rulebook import Unknown
from companion.rules import refusal
from companion.rules.box_reading import may_type_again
from companion.rules.debt import unknown_worths
from companion.units import Dollars
from companion.views.turn_buttons import Look
from companion.views.turn_words import is_debtor
from companion.words import say
from companion.words.amount import Amount
from companion.words.money import dollars_text


class Blank(msgspec.Struct, frozen=True):
    """An unknown figure of a deed.

    Attributes:
        key: Its key in edition files.
        words: What the figure is, in words.
        likely: Its likely amount in dollars; ``None`` if there is no clue to it.
        clue: How it is known, in words; may be empty.
        is_used: The table plays with the likely amount.
        typed: The amount that the seat has typed in, and may type again.
    """

    key: str
    words: str
    likely: Dollars | None = None
    clue: str = ""
    is_used: bool = False
    typed: Amount | None = None

    @property
    def amount(self) -> Amount | None:
        """The likely amount, marked as such."""
        if self.likely is None:
            return None
        return dollars_text(self.likely, is_likely=True)


class Gap(msgspec.Struct, frozen=True):
    """A way to raise money that an unknown figure blocks.

    Attributes:
        words: What the seat could do if the figure were known.
        blank: The missing figure.
    """

    words: str
    blank: Blank


def blanks_of(look: Look, deed: str) -> tuple[Blank, ...]:
    """Return the blanks of *deed*: first the unknown figures, then the likely ones.

    While there are any, those follow that the seat itself may type again, since what it
    reads next may prove them wrong.
    """
    board = look.board
    unknown = (figure for figure in board.unknown if figure.of == deed)
    likely = (figure for figure in board.rules.likely if figure.of == deed)
    blanks = (
        *(_blank(look, figure, is_used=False) for figure in unknown),
        *(_blank(look, figure, is_used=True) for figure in likely),
    )
    return (*blanks, *_typed_by(look, deed)) if blanks else ()


def _typed_by(look: Look, deed: str) -> Iterator[Blank]:
    """Yield the figures of *deed* that the seat typed in, and may type again."""
    board = look.board
    for name, amount in known_figures(board.rules.deeds[board.index[deed]]).items():
        key = key_of("deed", deed, name)
        if may_type_again(board, look.play, look.seat, key):
            yield Blank(key, label_of("deed", name), typed=dollars_text(amount))


def _blank(look: Look, unknown: Unknown, *, is_used: bool) -> Blank:
    like = look.name(unknown.like) if unknown.like else ""
    clue = say("as on {deed}", deed=like) if like else CLUES.get(unknown.figure, "")
    words = label_of("deed", unknown.figure)
    return Blank(unknown.key, words, unknown.likely, clue, is_used)


CLUES = {
    "mortgage": say("half the price"),
    "unmortgage": say("a tenth more than the mortgage value"),
}
"""How a likely amount follows from the deed itself, by the kind of figure."""


def gaps(look: Look) -> Iterator[Gap]:
    """Yield the ways to raise money that only an unknown figure blocks.

    A seat in debt gets all that need the figure, since it cannot give up before.
    """
    for at, figure in unknown_worths(MoveRun(look.game), look.seat):
        deed = look.board.rules.deeds[at]
        # The key of a figure ends with its kind: "boardwalk.mortgage".
        blanks = {
            blank.key.rpartition(".")[2]: blank for blank in blanks_of(look, deed.id)
        }
        move: m.Move = m.Unbuild(by=look.seat, deed=deed.id)
        words = say("Sell from {deed}", deed=deed.name)
        if figure == "mortgage":
            move = m.Mortgage(by=look.seat, deed=deed.id)
            words = say("Mortgage {deed}", deed=deed.name)
        elif figure == "price":
            move = m.SellDeed(by=look.seat, deed=deed.id)
            words = say("Sell {deed}", deed=deed.name)
        if is_debtor(look) or _lacks_figure(look, move):
            yield Gap(words, blanks[figure])


def _lacks_figure(look: Look, move: m.Move) -> bool:
    """Return whether the rules refuse *move* only because of an unknown figure."""
    refused = refusal(look.game, move)
    return refused is not None and refused.why is Why.UNKNOWN_FIGURE
