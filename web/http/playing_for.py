"""The cookie by which the banker's phone plays for a seat whose phone is not there.

Each game has its own: with one for all, another game, at this table or another of the
same host, would end it, and a form for that seat would count as the banker's.

Each request asks anew whether the phone may (``may.may_stand_in``). Once the seat's own
phone is touched, another one takes the seat, or the bank goes to somebody else, it acts
for itself again: a form that was on its way meanwhile is refused.
"""

from __future__ import annotations

from flask import Flask, Response, g, request

from companion.units import GameId

COOKIE = "for-{}"


def install_playing_for(app: Flask) -> None:
    """Have *app* forget whom a phone played for, once it may no longer."""
    app.after_request(_without_ended)


def play_for(response: Response, game_id: GameId, seat: str) -> Response:
    """Have *response* tell the phone whom it plays for; an empty seat ends that."""
    if seat:
        name = COOKIE.format(game_id)
        response.set_cookie(name, seat, samesite="Lax", httponly=True)
    else:
        response.delete_cookie(COOKIE.format(game_id))
    return response


def seat_played_for(game_id: GameId) -> str:
    """Return the seat that this phone plays for in that game; empty for none."""
    return request.cookies.get(COOKIE.format(game_id), "")


def end_playing_for(game_id: GameId) -> None:
    """Note that this phone may no longer; its cookie goes with the response."""
    g.ended_playing_for = game_id


def has_ended() -> bool:
    """Tell whether this request found out that the phone may no longer."""
    return "ended_playing_for" in g


def _without_ended(response: Response) -> Response:
    game_id = g.pop("ended_playing_for", None)
    if game_id is not None:
        response.delete_cookie(COOKIE.format(game_id))
    return response
