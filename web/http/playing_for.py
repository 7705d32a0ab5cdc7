"""The cookie by which the banker's phone plays for a seat whose phone is absent.

Each game has a cookie of its own: a second game on this host name would overwrite a
common one, and a form meant for the seat would count as the banker's own.

Each request checks anew whether the phone may play for the seat (``may.may_stand_in``).
It may no longer once the seat's own phone is used, another phone takes the seat, or
somebody else gets the bank. Then a form for the seat that is on its way is refused.
"""

from __future__ import annotations

from flask import Flask, Response, g, request

from companion.units import GameId

COOKIE = "for-{}"
"""The name of a game's cookie."""


def install_playing_for(app: Flask) -> None:
    """Have *app* delete the cookie of a phone that may no longer play for its seat."""
    app.after_request(_delete_ended_cookie)


def play_for(response: Response, game_id: GameId, seat: str) -> Response:
    """Set the cookie on *response*, or delete it if *seat* is empty; return it."""
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
    """Have the response delete the cookie."""
    g.ended_playing_for = game_id


def has_ended() -> bool:
    """Tell whether this request's response deletes the cookie."""
    return "ended_playing_for" in g


def _delete_ended_cookie(response: Response) -> Response:
    game_id = g.pop("ended_playing_for", None)
    if game_id is not None:
        response.delete_cookie(COOKIE.format(game_id))
    return response
