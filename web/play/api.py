"""JSON for programs: view a game, and give it a command.

A program is known by its cookie, and the rules decide its commands, as for a phone.
"""

from __future__ import annotations

import functools
import operator

import msgspec
from flask import Blueprint, Response, request

from companion.as_json import to_json
from companion.errors import CompanionError, DeviceFault, Malformed, Refused, Why
from companion.game.envelope import Envelope
from companion.rules.drawing import FROM_PHONES
from companion.units import GameId, Revision
from companion.warm_up import warm_up
from web.http.errors import answer, problem_of
from web.http.may import sender_of_form
from web.http.panel import panel
from web.http.render import my_view
from web.play.pages import rules_against

blueprint = Blueprint("api", __name__, url_prefix="/api")

JSON = "application/json"


class Posted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command as JSON: ``{"command_id": …, "command": {"type": "Pay", …}}``."""

    command_id: str
    command: dict[str, object]
    expected_revision: Revision | None = None


AnyCommand = functools.reduce(operator.or_, FROM_PHONES)
"""The union of the commands that JSON may give, each under its struct's name."""

warm_up(Posted, AnyCommand)


@blueprint.get("/games/<game_id>")
def view(game_id: GameId) -> Response:
    """Send the game as this phone may see it."""
    return Response(to_json(my_view(game_id), is_sorted=True), mimetype=JSON)


@blueprint.post("/games/<game_id>/commands")
def command(game_id: GameId) -> Response:
    """Carry out one command; answer with the revision that it led to."""
    sender = sender_of_form()
    try:
        envelope = envelope_from_json(request.get_data(), sender)
        receipt = panel().built.give(game_id, envelope)
    except (Refused, Malformed) as error:
        return _with_revision(game_id, error)
    done = {"ok": True, "revision": receipt.revision, "is_repeat": receipt.is_repeat}
    return Response(to_json(done), mimetype=JSON)


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


def envelope_from_json(body: bytes, sender: str) -> Envelope:
    """Read the command of *sender* from JSON, even if the JSON names another sender.

    Raises:
        Malformed: If *body* is not JSON, or not a command.
    """
    try:
        posted = msgspec.json.decode(body, type=Posted)
        fields = {**posted.command, "by": sender}
        command = msgspec.convert(fields, AnyCommand)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(
            f"expected a command as JSON, got a mistake: {str(error)[:200]}",
            "correct it and send it again",
        ) from None
    return Envelope(command, posted.command_id, posted.expected_revision)
