"""The banker's phone can play for a seat without a phone, or one whose phone is gone.

A cookie names that seat; each request checks anew whether the phone may. Once the
seat's own phone is touched, another one takes the seat, or the bank goes to somebody
else, it acts for itself again: a form that was on its way meanwhile is refused.
"""

from __future__ import annotations

from flask import Flask, Response, g, request

from companion.rules import keeps_bank
from companion.units import GameId
from companion.words import say
from web.http.auth import acts_as
from web.http.errors import Problem
from web.http.panel import panel
from web.http.presence import quiet_seats

COOKIE = "for"


def install_playing_for(app: Flask) -> None:
    """Have *app* forget whom a phone played for, once it may no longer."""
    app.after_request(_without_ended)


def stands_in_for(game_id: GameId) -> str:
    """The seat that this phone plays for besides its own; empty for none."""
    remembered, _, seat = request.cookies.get(COOKIE, "").partition(".")
    if remembered != game_id:
        return ""
    if may_stand_in(game_id, seat):
        return seat
    g.has_ended_standing_in = True
    return ""


def check_stands_in(game_id: GameId) -> str:
    """As ``stands_in_for``, for a form: what was meant for another seat is not done.

    Raises:
        Problem: 409 if this phone just played for a seat, and may no longer.
    """
    seat = stands_in_for(game_id)
    if g.get("has_ended_standing_in"):
        raise Problem(
            409,
            "seat_taken_back",
            say("the seat's own phone is back, so nothing was done"),
            say("you play for yourself again"),
            link=(f"/g/{game_id}/", say("Back to my seat")),
        )
    return seat


def may_stand_in(game_id: GameId, seat: str) -> bool:
    """Whether this phone keeps the bank, and that seat has no phone that is there."""
    by, game = acts_as(game_id), panel().table.game(game_id)
    if not by or not keeps_bank(game, by) or game.seat(seat) is None:
        return False
    is_held = seat in panel().table.phones.held_seats(game_id)
    return not is_held or seat in quiet_seats(game_id)


def speaks_as(game_id: GameId) -> str:
    """Whom this phone acts for now: the seat it stands in for, else its own.

    Raises:
        Problem: 403 for a token that no phone has.
    """
    return stands_in_for(game_id) or acts_as(game_id)


def _without_ended(response: Response) -> Response:
    if g.pop("has_ended_standing_in", False):
        response.delete_cookie(COOKIE)
    return response
