"""The host's page: open a game, put it away, take it out, copy it, throw it away."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request

from companion import commands as c
from companion.codec import entries_to_json
from companion.edition.british import UK
from companion.envelope import Envelope
from companion.errors import Refused
from companion.words import say
from web import wire
from web.auth import is_host, known_phone
from web.board import books
from web.errors import Problem
from web.panel import panel
from web.render import default_name, go, is_on_shelf, kept_game

blueprint = Blueprint("games", __name__)

ABOUT = {
    "classic": say("Streets, houses and hotels, as everybody knows it."),
    "grab-and-go": say(
        "The travel game: classic rules, easy to pause and take up again."
    ),
    "secret-vault": say("Fill the vault, guess its number, take the riches."),
    "crooked-cash": say("Some notes are forged. Trust nobody; check with the decoder."),
    "mega": say("A bigger board, skyscrapers, depots and bus tickets."),
}
"""A sentence for each edition that comes with the program."""


def require_host() -> None:
    """Refuse every phone but a host's.

    Raises:
        Problem: 403.
    """
    known_phone()
    if not is_host():
        raise Problem(
            403,
            "not_yours",
            say("only the host's phone opens and closes games"),
            say("ask whoever opened the first game"),
            link=("/", say("To my game")),
        )


@blueprint.get("/games")
def games(problem: Problem | None = None) -> str:
    """All games of this table, and the boxes to open another from."""
    require_host()
    return render_template(
        "games.html",
        games=panel().table.games(),
        editions=[panel().edition(one) for one in panel().edition_ids],
        edition_names=box_names(),
        about=ABOUT,
        problem=problem,
        form=request.form,
    )


def box_names() -> dict[str, str]:
    """What is printed on each box, in either printing, by the edition's id."""
    editions = [panel().edition(one) for one in panel().edition_ids]
    american = {one.id: one.name for one in editions}
    return american | {one.id + UK: one.name_uk for one in editions}


@blueprint.post("/games")
def open_game() -> Response | tuple[str, int]:
    """Open a game; the host goes on to its bank."""
    require_host()
    form = request.form
    printing = UK if form.get("printing") == "uk" else ""
    edition_id = wire.text(form, "edition") + printing
    command_id = wire.text(form, "command_id")
    try:
        name = form.get("name", "").strip() or default_name(
            panel().edition(edition_id).name
        )
        journal = panel().table.open_game(edition_id, name, command_id)
    except Refused as refused:
        return _refused(refused)
    plays_too = form.get("play") == "yes"
    return go(f"/g/{journal}/join" if plays_too else f"/g/{journal}/bank")


@blueprint.get("/games/<journal>/throw-away")
def throwing_away(journal: str) -> Response | str | tuple[str, int]:
    """What would be lost with a game that was put away, and copies to keep."""
    require_host()
    kept_game(journal)
    table = panel().table
    try:
        table.check_removal(journal)
    except Refused as refused:
        return _refused(refused)
    game = table.game(journal)
    summary = next(one for one in table.games() if one.journal == journal)
    return render_template(
        "throw_away.html",
        game=summary,
        box=box_names().get(summary.edition, summary.edition),
        is_readable=is_on_shelf(summary.edition),
        seats=game.seats,
        entries_count=table.revision(journal),
        has_script=game.play is not None,
        keeps_figures=bool(table.rescue(journal)[1]),
    )


@blueprint.post("/games/<journal>/throw-away")
def throw_away(journal: str) -> Response | tuple[str, int]:
    """Throw a game away that was put away; again, and it is gone already."""
    require_host()
    if any(one.journal == journal for one in panel().table.games()):
        try:
            panel().table.remove_game(journal)
        except Refused as refused:
            return _refused(refused)
        books().forget(journal)
    return go("/games")


def _refused(refused: Refused) -> tuple[str, int]:
    problem = Problem(409, refused.why.value, refused.message, refused.remedy)
    return games(problem), 409


@blueprint.post("/games/<journal>/<verb>")
def put_away(journal: str, verb: str) -> Response | tuple[str, int]:
    """Close a game or reopen it."""
    require_host()
    kept_game(journal)
    kinds = {"close": c.CloseGame, "reopen": c.ReopenGame}
    if verb not in kinds:
        raise Problem(
            404,
            "not_found",
            say("there is nothing called {verb} to do", verb=repr(verb[:40])),
        )
    command = kinds[verb](by=c.TABLE)
    envelope = Envelope(command, wire.text(request.form, "command_id"))
    try:
        panel().table.submit(journal, envelope)
    except Refused as refused:
        return _refused(refused)
    return go("/games")


@blueprint.get("/games/<journal>/export.json")
def export(journal: str) -> Response:
    """The whole game as one JSON document."""
    require_host()
    kept_game(journal)
    title = panel().table.game(journal).name
    body = entries_to_json(title, panel().table.entries(journal))
    response = Response(body, mimetype="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="{journal}.json"'
    return response
