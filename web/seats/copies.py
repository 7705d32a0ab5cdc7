"""The host's page of copies: the stick that they are on, and what lies there."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request

from companion.errors import Malformed, Refused
from companion.store.ticks import TABLE
from companion.words import say
from web.http import fields
from web.http.address import go
from web.http.errors import Problem, not_found, problem_of
from web.http.panel import Copies, panel
from web.seats.games import box_names

blueprint = Blueprint("copies", __name__)

STICKS = "sticks"
"""The table's list of sticks on which the host wants copies, by their UUIDs."""


def _copies() -> Copies:
    """Return the copies of this table; refuse with 404 if it makes none."""
    copies = panel().copies
    if copies is None:
        raise not_found(
            say("this table copies its games nowhere"),
            say("start it with --copy-to and a folder"),
            ("/games", say("Games")),
        )
    return copies


@blueprint.get("/games/copies")
def show(problem: Problem | None = None) -> str:
    """Show the state of the copy, the sticks, and what could be taken in."""
    copies = _copies()
    return render_template(
        "copies.html",
        state=copies.state(),
        sticks=copies.sticks(),
        found=copies.found(),
        edition_names=box_names(),
        problem=problem,
    )


@blueprint.post("/games/copies")
def choose() -> Response:
    """Have a stick used from now on, or let go of the one that is."""
    copies, ticks = _copies(), panel().table.ticks
    uuid = fields.text(request.form, "stick")
    mounted = [stick.uuid for stick in copies.sticks() if stick.is_mounted]
    usable = [stick.uuid for stick in copies.sticks() if stick.is_usable]
    if mounted and not uuid:
        ticks.untick(TABLE, STICKS, mounted[0])
        copies.choose("")
    elif uuid in usable and not mounted:
        ticks.tick(TABLE, STICKS, uuid)
        copies.choose(uuid)
    return go("/games/copies")


@blueprint.post("/games/copies/take-in")
def take_in() -> Response | tuple[str, int]:
    """Take in a game, or have it go on from its copy; a repeated form does nothing."""
    file = fields.text(request.form, "file")
    here = fields.number(request.form, "here")
    copies = _copies()
    if all(copy.file != file for copy in copies.found()):
        return go("/games/copies")  # It was taken in meanwhile, or pulled out.
    try:
        game_id = panel().table.take_in(copies.read(file), here)
    except (Malformed, Refused) as error:
        return show(problem_of(error)), 409
    return go(f"/g/{game_id}/")
