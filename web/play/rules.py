"""The page with the rules of a game in short, and tips for winning it."""

from __future__ import annotations

from flask import Blueprint, Response, request

from companion.units import GameId
from companion.views.rules_in_short import rules_in_short, tips_for
from web.http.address import go
from web.http.panel import panel
from web.http.render import my_view, page
from web.play.option_words import left_open

blueprint = Blueprint("rules", __name__)


@blueprint.get("/g/<game_id>/rules")
def rules(game_id: GameId) -> Response | str:
    """Show the rules of the game in short; with ``?of=tips``, the tips."""
    view = my_view(game_id)
    game = panel().table.game(game_id)
    if game.board is None:
        return go(f"/g/{game_id}/")  # The table has not agreed on its rules yet.
    options = dict(game.board.rules.options)
    if game.play and game.play.end:  # The table has agreed on that end since.
        options["end"] = game.play.end
    tips = tips_for(game.board.rules)
    return page(
        "rules.html",
        view,
        chapters=rules_in_short(game),
        left_open=left_open(panel().editions(view.table.edition), options),
        tips=tips,
        shows_tips=bool(tips) and request.args.get("of") == "tips",
    )
