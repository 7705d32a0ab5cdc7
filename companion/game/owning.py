"""A deed in other hands, and the groups that have to be built evenly from then on.

Where streets may be built on before the group is whole, the last street comes to a
group on which buildings stand already.

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
    """*play* with the deed in other hands, which may have to build its group evenly."""
    at = board.index[deed]
    play = still_uneven(replace(play, owners=put(play.owners, at, seat)), board)
    if not seat or not builds_early(board) or not is_uneven(board, play, at):
        return play
    found = Uneven(Seat(seat), DeedId(deed))
    return replace(play, uneven=(*play.uneven, found))


def builds_early(board: Board) -> bool:
    """Whether streets may be built on before their group is whole."""
    return board.rules.buildings.build_when == "all-but-one"


def is_uneven(board: Board, play: Position, at: int) -> bool:
    """Whether a whole group is built unevenly, or has a mortgage beside buildings."""
    sites = board.sites[at]
    levels = [play.levels[i] for i in sites]
    if not any(levels) or len({play.owners[i] for i in sites}) > 1:
        return False
    is_even = max(levels) - min(levels) < 2 or not board.rules.buildings.evenly
    return not is_even or any(play.mortgaged[i] for i in sites)


def still_uneven(play: Position, board: Board) -> Position:
    """*play* without groups that are even by now, or no longer in one hand."""
    if not play.uneven:
        return play
    left = tuple(
        one
        for one in play.uneven
        if play.owners[board.index[one.deed]] == one.seat
        and is_uneven(board, play, board.index[one.deed])
    )
    return replace(play, uneven=left)
