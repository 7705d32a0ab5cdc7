"""Badges: the name, colour and token under which pages show a seat or an account.

Besides the seats there are common accounts, such as the bank, the pot and the vault.
"""

from __future__ import annotations

import msgspec

from companion.game import Game
from companion.game.game import SeatState
from companion.views.history import COMMON_NAMES
from companion.words import capital

COMMON_COLOUR = "brass"
"""The colour of common accounts, whose ids serve as tokens."""


class Badge(msgspec.Struct, frozen=True):
    """The name, colour and token of a seat or another account."""

    name: str
    colour: str
    token: str


def badge_of(game: Game, account: str) -> Badge:
    """Return the badge of a seat, even if its player has left, or of an account.

    Raises:
        KeyError: If there is no such account.
    """
    state = seat_states(game).get(account)
    if state is None:
        return Badge(capital(COMMON_NAMES[account]), COMMON_COLOUR, account)
    return Badge(state.name, state.colour, state.token)


def seat_states(game: Game) -> dict[str, SeatState]:
    """Return every seat by its id; players who left are included."""
    return {str(state.seat): state for state in game.seats}
