"""The side of the board on which a seat's token stands, large enough for a phone."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.edition.shape import Group
from companion.game import Game
from companion.views.badge import seat_states
from companion.views.board import BoardView, TokenView
from companion.views.board_layout import (
    BoardSize,
    Cell,
    lay_out_strip,
    side_of,
    token_spots,
)
from companion.views.deed_rents import rent_at
from companion.views.space import SpaceView, space_view
from companion.words import say
from companion.words.money import dollars_text


class StripView(msgspec.Struct, frozen=True):
    """One side, ready to be drawn.

    Attributes:
        spaces: Its spaces in the order of play, with both corners. The note of a deed
            that another seat owns is its rent.
        tokens: The tokens that stand there.
        here: The space under the seat's token.
    """

    frame: BoardSize
    spaces: tuple[SpaceView, ...]
    tokens: tuple[TokenView, ...]
    here: SpaceView


def strip_view(
    game: Game, groups: Sequence[Group], board: BoardView, seat: str
) -> StripView | None:
    """Return the side on which *seat* stands; ``None`` if it has no token.

    *groups* tells the colours, and *board* is the board of the same game.
    """
    token_of = {token.player.seat: token for token in board.tokens}
    if seat not in token_of:
        return None
    own_space = token_of[seat].space
    side = side_of(len(board.spaces), own_space)
    frame, cells = lay_out_strip(len(side))
    states = seat_states(game)
    spaces = tuple(
        _with_rent(game, seat, space_view(game, groups, states, number, cell))
        for number, cell in zip(side, cells, strict=True)
    )
    return StripView(
        frame=frame,
        spaces=spaces,
        tokens=_tokens(board, dict(zip(side, cells, strict=True))),
        here=spaces[side.index(own_space)],
    )


def _with_rent(game: Game, seat: str, space: SpaceView) -> SpaceView:
    """Note the rent on the space of a deed that another seat owns."""
    board, play = game.board, game.play
    assert board is not None, "the companion leads"
    assert play is not None, "the companion leads"
    deed = board.deed_on(space.number)
    if deed is None or space.owner is None or space.is_mortgaged:
        return space
    if space.owner.seat == seat:
        return space
    rent = rent_at(board, play, board.index[deed.id])
    if not rent.is_due or rent.amount is None:
        return space
    amount = dollars_text(rent.amount)
    times = say("{times} \N{MULTIPLICATION SIGN} dice", times=rent.amount)
    return msgspec.structs.replace(space, note=times if rent.is_times else amount)


def _tokens(board: BoardView, cells: dict[int, Cell]) -> tuple[TokenView, ...]:
    standing: dict[int, list[TokenView]] = {}
    for token in board.tokens:
        if token.space in cells:
            standing.setdefault(token.space, []).append(token)
    return tuple(
        msgspec.structs.replace(token, x=spot.x, y=spot.y, radius=spot.radius)
        for space, here in standing.items()
        for token, spot in zip(here, token_spots(cells[space], len(here)), strict=True)
    )
