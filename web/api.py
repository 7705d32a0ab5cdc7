"""JSON for programs: see a game, give a command. Same cookie, same rules."""

from __future__ import annotations

from flask import Blueprint, Response, request

from companion.errors import CompanionError, DeviceFault, Malformed, Refused, Why
from web import wire_json
from web.errors import answer, problem_of
from web.pages import require_seat
from web.panel import panel
from web.render import my_view

blueprint = Blueprint("api", __name__, url_prefix="/api")
JSON = "application/json"


@blueprint.get("/games/<journal>")
def view(journal: str) -> Response:
    """The game as this phone may see it."""
    return Response(wire_json.view_to_json(my_view(journal)), mimetype=JSON)


@blueprint.post("/games/<journal>/commands")
def command(journal: str) -> Response:
    """Give one command; the answer tells its revision."""
    by = require_seat(journal)
    try:
        envelope = wire_json.envelope_from_json(request.get_data(), by)
        receipt = panel().give(journal, envelope)
    except (Refused, Malformed) as error:
        return _with_revision(journal, error)
    return Response(wire_json.receipt_to_json(receipt), mimetype=JSON)


def _with_revision(journal: str, error: CompanionError) -> Response:
    """The error with what the table is at now, so that the page can catch up."""
    assert not isinstance(error, DeviceFault), "a fault knows no revision"
    problem, now = problem_of(error), my_view(journal)
    problem.revision = now.table.revision
    if problem.why == Why.STALE:
        problem.view = now
    return answer(problem)
