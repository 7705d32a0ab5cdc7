"""Searching the board for the space to which a train, die, space or bus takes a token.

A space is given by its board number, counted from GO; a deed's *index* is its place in
the rulebook. *Ahead* means in the order of play, round the board, up to the space
behind the token's own. The rules move tokens to the spaces found here, and pages show
in advance where a token would go.

Source:
    The Mega booklet, "The dice & how to move", "Bus tickets", "Other new spaces"; the
    Crooked Cash article, "Trains". Our readings: if the only deed left is the one
    under the token, the token stays, and does not go once round; without rolled dice,
    the highest rent is found with seven for a utility, the average of two dice, and
    that rent is rolled for afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.game.board import Board
from companion.game.position import Position
from companion.game.sections import SIDES
from companion.game.spaces import CARD_SPACES
from companion.rules.rent import rent_of
from companion.sheets import BOOKLET, Told
from companion.units import Dollars

MR_RULE = Told(
    "Mr. Monopoly: first you move by the white dice. "
    "Then you go on to the next deed that nobody owns.",
    {BOOKLET: "The dice & how to move"},
)
MR_RENT_RULE = Told(
    "Once all deeds are owned, Mr. Monopoly takes you to the next rent. "
    "Mortgaged deeds do not count.",
    {BOOKLET: "The dice & how to move"},
)
AUCTION_HIGHEST_RULE = Told(
    "Once all deeds are owned, it sends you to the highest rent.",
    {BOOKLET: "Other new spaces"},
)

AVERAGE_ROLL = 7
"""The average sum of two dice."""


def next_unowned(board: Board, play: Position, space: int) -> int | None:
    """Find the next space ahead whose deed is unowned and needs no key."""
    for ahead, index in _deeds_ahead(board, space):
        if not play.owners[index] and not board.rules.deeds[index].is_locked:
            return ahead
    return None


def next_rent(board: Board, play: Position, seat: str, space: int) -> int | None:
    """Find the next space ahead on which *seat* has to pay rent."""
    for ahead, index in _deeds_ahead(board, space):
        if owes_rent(board, play, seat, index):
            return ahead
    return None


def mr_space(board: Board, play: Position, seat: str, space: int) -> int | None:
    """Return where Mr. Monopoly takes a token of *seat* from *space*, if anywhere.

    That is the next deed that nobody owns; once all are owned, the next rent.
    """
    unowned = next_unowned(board, play, space)
    if unowned is not None:
        return unowned
    index = board.deed_at[space]
    if index is not None and not play.owners[index]:
        return None  # The deed under the token is unowned, so not all are owned.
    return next_rent(board, play, seat, space)


def highest_rent(board: Board, play: Position, seat: str) -> int | None:
    """Find the space where *seat* pays the highest rent; of several, the nearest.

    An unknown rent counts as 0.
    """
    total = board.rent_dice(play.dice) or AVERAGE_ROLL
    best, highest = None, -1  # Below any rent.
    for space, index in _deeds_ahead(board, play.token_of(seat).space):
        if owes_rent(board, play, seat, index):
            rent: Dollars = rent_of(board, play, index, total) or 0
            if rent > highest:
                best, highest = space, rent
    return best


def owes_rent(board: Board, play: Position, seat: str, index: int) -> bool:
    """Return whether *seat* owes rent for landing on the deed at *index*.

    The owner may still have to ask; in some boxes one in jail collects none.
    """
    owner = play.owners[index]
    if owner in ("", seat) or play.mortgaged[index]:
        return False
    return board.rules.jail.collects_rent or not play.token_of(owner).is_jailed


def next_card_space(board: Board, space: int) -> int | None:
    """Find the next space ahead on which a card is drawn."""
    for ahead in _ahead(board, space):
        if board.rules.spaces[ahead].kind in CARD_SPACES:
            return ahead
    return None


def same_side(board: Board, space: int) -> tuple[int, ...]:
    """List the spaces to which a bus ticket may take a token, the nearest first.

    They lie ahead on the same side of the board, up to the corner at its end.
    """
    side = board.size // SIDES
    corner = (space // side + 1) * side
    return tuple(ahead % board.size for ahead in range(space + 1, corner + 1))


def _ahead(board: Board, space: int) -> Iterator[int]:
    """Yield all spaces but *space*, in the order of play."""
    for steps in range(1, board.size):
        yield (space + steps) % board.size


def _deeds_ahead(board: Board, space: int) -> Iterator[tuple[int, int]]:
    """Yield each space ahead that has a deed, and the index of that deed."""
    for ahead in _ahead(board, space):
        index = board.deed_at[ahead]
        if index is not None:
            yield ahead, index
