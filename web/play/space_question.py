"""Asking on every seat's page what is printed on a space that no source tells us.

A phone may put a question off. A cookie remembers for which landing, so the phone
is asked again when somebody lands on such a space the next time.
"""

from __future__ import annotations

import re
from typing import Final

from flask import Blueprint, Response, request

from companion.errors import quoted
from companion.game import Game
from companion.units import GameId
from companion.views.space_ask import SpaceAsk, space_asks
from companion.words import say
from companion.words.report import unexpected
from web.http import fields
from web.http.address import go

blueprint = Blueprint("space_question", __name__)

COOKIE: Final = "later-{}"
"""A game's cookie with the landings about which this phone is not asked."""

REMEMBERED_MAX: Final = 8
"""How many landings it remembers: no board has more spaces that nobody knows."""

_LANDING = re.compile(r"[0-9]{1,9}\.[0-9]{1,3}")


def questions_here(game_id: GameId, game: Game, seat: str) -> tuple[SpaceAsk, ...]:
    """The questions for *seat*, but for those that this phone put off."""
    later = _put_off(game_id)
    spaces = {one.partition(".")[2] for one in later}
    return tuple(
        ask
        for ask in space_asks(game, seat)
        if ask.landing not in later
        and not (ask.landing.startswith("0.") and str(ask.number) in spaces)
    )


def _put_off(game_id: GameId) -> tuple[str, ...]:
    """The landings in this game that this phone put off, the oldest first."""
    landings = _LANDING.findall(request.cookies.get(COOKIE.format(game_id), ""))
    return tuple(landings[-REMEMBERED_MAX:])


@blueprint.post("/g/<game_id>/later")
def put_off(game_id: GameId) -> Response:
    """Ask this phone about the space no more until the next landing."""
    landing = fields.text(request.form, "landing")
    if not _LANDING.fullmatch(landing):
        raise unexpected(say("a landing like 12.17"), quoted(landing))
    response = go(f"/g/{game_id}/")
    others = [one for one in _put_off(game_id) if one != landing]
    value = "~".join((*others, landing)[-REMEMBERED_MAX:])
    name = COOKIE.format(game_id)
    response.set_cookie(name, value, samesite="Lax", httponly=True)
    return response
