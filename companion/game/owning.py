"""Changing the owner of a deed, and groups that have to be built evenly because of it.

In some editions a seat may build on streets before it owns the whole group. When it
gets the last street, the group may already have buildings that are spread unevenly.

Source:
    The Mega booklet, "New properties & skyscrapers".
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.game.board import Board
from companion.game.event import put
from companion.game.position import Position, Uneven
from companion.units import DeedId, Seat


def with_owner(play: Position, board: Board, deed: str, seat: str) -> Position:
    """Return *play* with *seat* as the owner of the deed; empty for the bank.

    If that completes a group, its buildings may have to be spread evenly.
    """
    index = board.index[deed]
    play = without_even_groups(
        replace(play, owners=put(play.owners, index, seat)), board
    )
    if not seat or not builds_early(board) or not is_uneven(board, play, index):
        return play
    uneven = Uneven(Seat(seat), DeedId(deed))
    return replace(play, uneven=(*play.uneven, uneven))


def builds_early(board: Board) -> bool:
    """Return whether streets may be built on before their group is whole."""
    return board.rules.buildings.build_when == "all-but-one"


def comes_from_hand(board: Board) -> bool:
    """Return whether hotels are placed from the hand, and the bank sells none."""
    return board.rules.buildings.source == "hand"


def is_uneven(board: Board, play: Position, index: int) -> bool:
    """Return whether the deed's group, of one owner, has to be built evenly.

    It has to if its buildings are uneven, or if it has buildings and a mortgage.
    """
    sites = board.sites[index]
    levels = [play.levels[site] for site in sites]
    if not any(levels) or len({play.owners[site] for site in sites}) > 1:
        return False
    is_even = max(levels) - min(levels) < 2 or not board.rules.buildings.evenly
    return not is_even or any(play.mortgaged[site] for site in sites)


def without_even_groups(play: Position, board: Board) -> Position:
    """Return *play* without groups that need not be built evenly any more.

    They are even by now, or their seat lost a street of them.
    """
    if not play.uneven:
        return play
    left = tuple(
        uneven
        for uneven in play.uneven
        if play.owners[board.index[uneven.deed]] == uneven.seat
        and is_uneven(board, play, board.index[uneven.deed])
    )
    return replace(play, uneven=left)
