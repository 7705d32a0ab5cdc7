"""JSON for programs: view a game, and give it a command.

A program is known by its cookie, and the rules decide its commands, as for a phone.
"""

from __future__ import annotations

from flask import Blueprint, Response, request

from companion.as_json import to_json
from companion.errors import CompanionError, DeviceFault, Malformed, Refused, Why
from companion.units import GameId
from web.http.errors import answer, problem_of
from web.http.may import sender_of_form
from web.http.panel import panel
from web.http.render import my_view
from web.play import json_forms
from web.play.pages import rules_against

blueprint = Blueprint("api", __name__, url_prefix="/api")

JSON = "application/json"


@blueprint.get("/games/<game_id>")
def view(game_id: GameId) -> Response:
    """Send the game as this phone may see it."""
    return Response(to_json(my_view(game_id), is_sorted=True), mimetype=JSON)


@blueprint.post("/games/<game_id>/commands")
def command(game_id: GameId) -> Response:
    """Carry out one command; answer with the revision that it led to."""
    sender = sender_of_form()
    try:
        envelope = json_forms.envelope_from_json(request.get_data(), sender)
        receipt = panel().built.give(game_id, envelope)
    except (Refused, Malformed) as error:
        return _with_revision(game_id, error)
    return Response(json_forms.receipt_to_json(receipt), mimetype=JSON)


def _with_revision(game_id: GameId, error: CompanionError) -> Response:
    """Answer an error with the game's revision, for the program to catch up."""
    assert not isinstance(error, DeviceFault), "commands are only refused or malformed"
    problem, now = problem_of(error), my_view(game_id)
    problem.revision = now.table.revision
    if isinstance(error, Refused):
        problem.rules = rules_against(now, error)
    if problem.why == Why.STALE:
        problem.view = now
    return answer(problem)
