"""Asking on every seat's page what is printed on a space that no source tells us.

A phone may put the question off. A cookie remembers for which landing, so the phone
is asked again when somebody lands on such a space the next time.
"""

from __future__ import annotations

import re
from typing import Final

from flask import Blueprint, Response, request

from companion.errors import quoted
from companion.game import Game
from companion.units import GameId
from companion.views.space_ask import SpaceAsk, space_ask
from companion.words import say
from companion.words.report import unexpected
from web.http import fields
from web.http.render import go, known_game

blueprint = Blueprint("space_question", __name__)

COOKIE: Final = "later"
"""The cookie with the game and the landing about which this phone is not asked."""

_LANDING = re.compile(r"[0-9]{1,9}\.[0-9]{1,3}")


def question_here(game_id: GameId, game: Game, seat: str) -> SpaceAsk | None:
    """The question for *seat*; ``None`` also where this phone put it off."""
    ask = space_ask(game, seat)
    if ask is None or request.cookies.get(COOKIE) == f"{game_id}.{ask.landing}":
        return None
    return ask


@blueprint.post("/g/<game_id>/later")
def put_off(game_id: GameId) -> Response:
    """Ask this phone about the space no more until the next landing."""
    known_game(game_id)
    landing = fields.text(request.form, "landing")
    if not _LANDING.fullmatch(landing):
        raise unexpected(say("a landing like 12.17"), quoted(landing))
    response = go(f"/g/{game_id}/")
    value = f"{game_id}.{landing}"
    response.set_cookie(COOKIE, value, samesite="Lax", httponly=True)
    return response
