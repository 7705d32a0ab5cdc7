"""The banker's phone can play for a seat that no phone holds, perhaps a child's.

A cookie names that seat; each request checks anew whether the phone may. Once another
phone takes the seat, or the bank goes to somebody else, it acts for itself again.
"""

from __future__ import annotations

from flask import request

from companion.rules import keeps_bank
from companion.units import GameId
from web.http.auth import acts_as
from web.http.panel import panel

COOKIE = "for"


def stands_in_for(game_id: GameId) -> str:
    """The seat that this phone plays for besides its own; empty for none."""
    remembered, _, seat = request.cookies.get(COOKIE, "").partition(".")
    return seat if remembered == game_id and may_stand_in(game_id, seat) else ""


def may_stand_in(game_id: GameId, seat: str) -> bool:
    """Whether this phone keeps the bank, and no phone holds that seat."""
    by, game = acts_as(game_id), panel().table.game(game_id)
    if not by or not keeps_bank(game, by) or game.seat(seat) is None:
        return False
    return seat not in panel().table.phones.held_seats(game_id)


def speaks_as(game_id: GameId) -> str:
    """Whom this phone acts for now: the seat it stands in for, else its own.

    Raises:
        Problem: 403 for a token that no phone has.
    """
    return stands_in_for(game_id) or acts_as(game_id)
