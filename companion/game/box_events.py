"""What is written down about a box itself, apart from any game.

Whoever has the box reads a figure off it while no game of that box is led, or says
that what was read does not count. Such an entry changes no balance and no position.
"""

from __future__ import annotations

import msgspec

from companion.units import Dollars


class FigureRead(msgspec.Struct, frozen=True, tag=True):
    """Somebody read a figure off a real deed or card.

    Attributes:
        of: The id of the deed or the card.
        figure: As edition files call it: ``mortgage``, ``amount``.
        amount: Whole dollars, from 0.
    """

    of: str
    figure: str
    amount: Dollars


class PrintRead(msgspec.Struct, frozen=True, tag=True):
    """Somebody read off the board what is printed on a space that nobody knew.

    Attributes:
        space: Its number on the board.
        kind: As edition files call it: ``chance``.
    """

    space: int
    kind: str


class ReadingTakenBack(msgspec.Struct, frozen=True, tag=True):
    """A reading no longer counts, wherever it was written down.

    Attributes:
        journal_id: Of the game, or of the box.
        revision: Of the entry in it.
        of: The deed, the card or the number of the space.
        figure: Which figure of it; ``kind`` of a space.
    """

    journal_id: str = msgspec.field(name="journal")
    revision: int
    of: str
    figure: str


BoxEvent = FigureRead | PrintRead | ReadingTakenBack
