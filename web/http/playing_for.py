"""The cookie by which the banker's phone plays for a seat whose phone is not there.

Each request asks anew whether the phone may (``may.may_stand_in``). Once the seat's own
phone is touched, another one takes the seat, or the bank goes to somebody else, it acts
for itself again: a form that was on its way meanwhile is refused.
"""

from __future__ import annotations

from flask import Flask, Response, g, request

from companion.units import GameId

COOKIE = "for"


def install_playing_for(app: Flask) -> None:
    """Have *app* forget whom a phone played for, once it may no longer."""
    app.after_request(_without_ended)


def play_for(response: Response, game_id: GameId, seat: str) -> Response:
    """Have *response* tell the phone whom it plays for; an empty seat ends that."""
    if seat:
        response.set_cookie(COOKIE, f"{game_id}.{seat}", samesite="Lax", httponly=True)
    else:
        response.delete_cookie(COOKIE)
    return response


def seat_played_for(game_id: GameId) -> str:
    """Return the seat that the cookie names, if it is one of that game."""
    remembered, _, seat = request.cookies.get(COOKIE, "").partition(".")
    return seat if remembered == game_id else ""


def end_playing_for() -> None:
    """Note that this phone may no longer; its cookie goes with the response."""
    g.has_ended_playing_for = True


def has_ended() -> bool:
    """Tell whether this request found out that the phone may no longer."""
    return bool(g.get("has_ended_playing_for"))


def _without_ended(response: Response) -> Response:
    if g.pop("has_ended_playing_for", False):
        response.delete_cookie(COOKIE)
    return response
