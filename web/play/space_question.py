"""Questions on the seats' pages about spaces whose printed text is not known.

When a token lands on such a space, every seat's page asks what is printed there. A
phone may put the question off until somebody lands on such a space again: a cookie
remembers the *landing*, whose id is its turn and its space, such as ``12.17``.
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
"""The name of a game's cookie for the landings that this phone put off."""

REMEMBERED_MAX: Final = 8
"""How many landings the cookie lists: no board has more unknown spaces."""

_LANDING = re.compile(r"[0-9]{1,9}\.[0-9]{1,3}")


def questions_here(game_id: GameId, game: Game, seat: str) -> tuple[SpaceAsk, ...]:
    """Return the questions for *seat* that this phone has not put off.

    A landing in an earlier turn has 0 in place of the turn, such as ``0.17``; it is put
    off together with any other landing on its space.
    """
    landings = _landings_put_off(game_id)
    spaces = {landing.partition(".")[2] for landing in landings}

    def is_put_off(ask: SpaceAsk) -> bool:
        is_earlier = ask.landing.startswith("0.")
        return ask.landing in landings or (is_earlier and str(ask.number) in spaces)

    return tuple(ask for ask in space_asks(game, seat) if not is_put_off(ask))


def _landings_put_off(game_id: GameId) -> tuple[str, ...]:
    """Return this game's landings in the cookie, the oldest first."""
    landings = _LANDING.findall(request.cookies.get(COOKIE.format(game_id), ""))
    return tuple(landings[-REMEMBERED_MAX:])


@blueprint.post("/g/<game_id>/later")
def put_off(game_id: GameId) -> Response:
    """Stop asking this phone about a space, until the next landing there."""
    landing = fields.text(request.form, "landing")
    if not _LANDING.fullmatch(landing):
        raise unexpected(say("a landing like 12.17"), quoted(landing))
    response = go(f"/g/{game_id}/")
    landings = [other for other in _landings_put_off(game_id) if other != landing]
    landings.append(landing)
    value = "~".join(landings[-REMEMBERED_MAX:])
    name = COOKIE.format(game_id)
    response.set_cookie(name, value, samesite="Lax", httponly=True)
    return response
