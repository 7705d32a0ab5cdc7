"""Pages of a game's end: scores, story, a picture to share, and files to keep.

The *story* tells the game's best moments in sentences, made from its *facts*, such as
the biggest rent. The files are a script that plays the game again, and a table for
spreadsheets.
"""

from __future__ import annotations

from flask import Blueprint, Response

from companion.script.export import export_script
from companion.units import GameId
from companion.views.score import ScoreView, SeatScore, rank_by_exit, score_view
from companion.views.story_words import moments, own_moment, story
from companion.views.worth_history import thin_out
from companion.words import say, told, translated
from companion.words.money import dollars_text
from web.http.address import go
from web.http.download import download
from web.http.errors import Problem
from web.http.language import day_time, phones_language
from web.http.may import may
from web.http.panel import panel
from web.http.render import LOOKS, is_named, my_view, page
from web.play.board import allow_caching, books, chart_lines, ending_of
from web.play.export_csv import entries_to_csv

blueprint = Blueprint("ending", __name__)

PICTURE_LINES = 3
"""How many sentences of the story the picture has."""


@blueprint.get("/g/<game_id>/ending")
def ending(game_id: GameId) -> Response | str:
    """Show the scores as the rule sheet counts them; before the end, as they stand."""
    view = my_view(game_id)
    game = panel().table.game(game_id)
    score = score_view(game)
    if score is None:
        return go(f"/g/{game_id}/")
    names = panel().table.names(game_id)
    facts = books().facts(game_id, game)
    return page(
        "ending.html",
        view,
        score=rank_by_exit(score, facts.gone),
        turns=game.play.turn_number if game.play else 0,
        chapters=story(facts, names),
        mine=score.of(view.by),
        moment=own_moment(facts, view.by, names),
        may_export=may("ending.export_game", game_id),
    )


@blueprint.get("/g/<game_id>/ending.png")
def picture(game_id: GameId) -> Response:
    """Send the ending as a picture to share, in this phone's language.

    Raises:
        Problem: 409 as long as the game is not over.
    """
    # Imported here because it loads Pillow, which few requests need.
    from web.play.share import EndingTexts, PicturedPlayer, draw_ending

    table, language = panel().table, phones_language()
    game = table.game(game_id)
    outcome = ending_of(game_id, game)
    if outcome is None:
        raise _not_over(game_id)
    score, facts = outcome
    box = panel().editions(game.terms.edition).name
    has_name = is_named(game.name, box)  # Otherwise it has the name of its box.
    day = day_time(facts.ended_ms).striptags()
    sentences = moments(story(facts, table.names(game_id)), PICTURE_LINES)
    texts = EndingTexts(
        title=language.gettext(_title(score)),
        about=game.name if has_name else box,
        when=f"{box} · {day}" if has_name else day,
        people=tuple(
            PicturedPlayer(
                name=seat.name,
                fallback=translated(LOOKS[seat.token], language),
                colour=seat.colour,
                token=seat.token,
                sum=translated(_result(seat), language),
                is_winner=seat.is_winner,
            )
            for seat in score.seats
        ),
        lines=tuple(translated(text, language) for text in sentences),
    )
    worths = thin_out(books().worths(game_id))
    png = draw_ending(texts, worths, chart_lines(game))
    return allow_caching(Response(png, mimetype="image/png"))


def _not_over(game_id: GameId) -> Problem:
    return Problem(
        409,
        "not_over",
        say("the picture shows how the game ended, and it is not over"),
        say("come back at the end"),
        link=(f"/g/{game_id}/", say("Back to the game")),
    )


def _title(score: ScoreView) -> str:
    """Return the untranslated headline; ``{who}`` stands for the winner."""
    winners = sum(seat.is_winner for seat in score.seats)
    if winners == 1:
        return told("{who} won")
    return told("Shared by the richest") if winners else told("Nobody won")


def _result(score: SeatScore) -> str:
    """Return a seat's total as an amount, or why it has none."""
    if score.is_out:
        return say("out of the game") if score.has_left else say("bankrupt")
    return dollars_text(score.total)


@blueprint.get("/g/<game_id>/export.game")
def export_game(game_id: GameId) -> Response:
    """Send the guided game as a script; playing it leads to the same position."""
    table = panel().table
    table.play_back(game_id)
    name, entries = table.game(game_id).name, table.entries(game_id)
    script = export_script(entries, name, panel().editions.base)
    return download([script.encode()], "text/plain; charset=utf-8", f"{game_id}.game")


@blueprint.get("/g/<game_id>/export.csv")
def export_csv(game_id: GameId) -> Response:
    """Send the game as a table for a spreadsheet, in this phone's language."""
    table, language = panel().table, phones_language()
    table.play_back(game_id)
    until, undone = table.undone(game_id)
    rows = entries_to_csv(
        table.each_entry(game_id, 0, until),
        table.names(game_id),
        undone,
        lambda text: translated(text, language),
    )
    return download(rows, "text/csv; charset=utf-8", f"{game_id}.csv")
