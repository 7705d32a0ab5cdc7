"""Forms of a game: each is one command, sent once, answered by the next page."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, request

from companion.errors import Malformed, Refused
from companion.words import say
from web import wire
from web.errors import Problem, problem_of, wants_json
from web.pages import page_after, require_seat
from web.panel import panel
from web.render import go, my_view

blueprint = Blueprint("actions", __name__)

PAGES = frozenset(("bank", "correct", "deeds", "trade", "pause"))
"""Last words of addresses that forms go back to; every other one is the seat's."""


@blueprint.post("/g/<journal>/do/<verb>")
def do(journal: str, verb: str) -> Response:
    """Carry out one form: its last word names the command."""
    by = require_seat(journal)
    read = wire.FORMS.get(verb)
    if read is None:
        raise Problem(
            404,
            "not_found",
            say("there is nothing called {verb} to do", verb=repr(verb[:40])),
        )
    form = request.form
    try:
        envelope = wire.envelope_from_form(read(by, form), form)
        panel().give(journal, envelope)
    except Refused as refused:
        return _refused(journal, refused)
    except Malformed as malformed:
        return _malformed(journal, malformed)
    return go(back(journal))


@blueprint.post("/g/<journal>/answer")
def answer(journal: str) -> Response:
    """The banker lets a waiting phone in, or sends it away."""
    by = require_seat(journal)
    number = wire.number(request.form, "request")
    is_granted = request.form.get("answer") == "yes"
    try:
        panel().seating.answer(journal, by, number, is_granted=is_granted)
    except Refused as refused:
        return _refused(journal, refused)
    return go(back(journal))


def back(journal: str) -> str:
    """The page that the form stood on, as its field ``from`` says, or the seat's."""
    page = request.form.get("from", "")
    return f"/g/{journal}/{page if page in PAGES else ''}"


def _refused(journal: str, refused: Refused) -> Response:
    """The page again as it is now, with the reason: what was typed stays."""
    view = my_view(journal)
    if wants_json():
        problem = problem_of(refused)
        problem.revision = view.table.revision
        raise problem
    response = make_response(page_after(view, refused, request.form))
    response.status_code = 409
    return response


def _malformed(journal: str, malformed: Malformed) -> Response:
    problem = problem_of(malformed)
    problem.revision = my_view(journal).table.revision
    problem.link = (back(journal), say("Back to the game"))
    raise problem
