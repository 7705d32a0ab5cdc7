"""Events about a box (a family's copy of an edition), apart from any game.

The owner reads a figure off the box while no game with it is led, or takes such a
reading back. These events change no balance and no position.
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
    """Somebody read off the board what is printed on a space that was unknown.

    Attributes:
        space: Its number on the board.
        kind: As edition files call it: ``chance``.
    """

    space: int
    kind: str


class ReadingTakenBack(msgspec.Struct, frozen=True, tag=True):
    """A reading no longer counts, wherever it was written down.

    Attributes:
        journal_id: The journal with the reading: of a game, or of the box.
        revision: Revision of the entry in that journal.
        of: The deed, the card or the number of the space that was read.
        figure: Which figure of it was read; ``kind`` for a space.
    """

    journal_id: str = msgspec.field(name="journal")
    revision: int
    of: str
    figure: str


BoxEvent = FigureRead | PrintRead | ReadingTakenBack
