"""The end of a game: the count, the story, the chart, and copies to take home."""

from __future__ import annotations

from flask import Blueprint, Response

from companion.script.export import export_script
from companion.units import GameId
from companion.views.score import in_order, score_view
from companion.views.story_words import own_moment, story
from companion.words import translated
from web.http.address import go
from web.http.download import download
from web.http.language import language_code, language_of
from web.http.may import may
from web.http.panel import panel
from web.http.render import my_view, page
from web.play.board import books
from web.play.export_csv import entries_to_csv

blueprint = Blueprint("ending", __name__)


@blueprint.get("/g/<game_id>/ending")
def ending(game_id: GameId) -> Response | str:
    """The scores, counted as the rule sheet says; before the end, as they stand now."""
    view = my_view(game_id)
    game = panel().table.game(game_id)
    score = score_view(game)
    if score is None:
        return go(f"/g/{game_id}/")
    names = panel().table.names(game_id)
    found = books().facts(game_id, game)
    return page(
        "ending.html",
        view,
        score=in_order(score, found.gone),
        turns=found.turns,
        chapters=story(found, names),
        mine=next((one for one in score.seats if one.seat == view.by), None),
        moment=own_moment(found, view.by, names),
        may_export=may("ending.export_game", game_id),
    )


@blueprint.get("/g/<game_id>/export.game")
def export_game(game_id: GameId) -> Response:
    """The guided game as a script; playing it leads to the same position."""
    name, entries = panel().table.game(game_id).name, panel().table.entries(game_id)
    script = export_script(entries, name, panel().editions.base)
    return download([script.encode()], "text/plain; charset=utf-8", f"{game_id}.game")


@blueprint.get("/g/<game_id>/export.csv")
def export_csv(game_id: GameId) -> Response:
    """The game as a table for a spreadsheet, in this phone's language."""
    table, language = panel().table, language_of(language_code())
    until, undone = table.undone(game_id)
    rows = entries_to_csv(
        table.each_entry(game_id, 0, until),
        table.names(game_id),
        undone,
        lambda text: translated(text, language),
    )
    return download(rows, "text/csv; charset=utf-8", f"{game_id}.csv")
