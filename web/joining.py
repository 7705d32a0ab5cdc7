"""Becoming the host, taking a seat, asking to be let in."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, render_template, request

from companion import commands as c
from companion.commands import TABLE
from companion.envelope import Envelope
from companion.errors import Refused
from companion.rules.seats import COLOURS, TOKENS
from companion.store import JoinRequest, Wish
from companion.units import BANK, Seat
from companion.views.table import SeatView
from web import wire
from web.auth import known_phone, phone_or_new
from web.errors import Problem
from web.pages import free_looks
from web.panel import panel
from web.preview import refusal_text
from web.render import go, known_game, page

blueprint = Blueprint("joining", __name__)


@blueprint.get("/start")
def start() -> Response | str:
    """Where the first phone types the code that stands on the table's screen."""
    phone_or_new()
    if panel().seating.first_run_code() is None:
        return go("/")
    return render_template("start.html")


@blueprint.post("/start")
def become_host() -> Response:
    """The first phone shows the code."""
    code = "".join(wire.text(request.form, "code").split())
    try:
        panel().seating.become_host(known_phone(), code)
    except Refused as refused:
        problem = Problem(409, refused.why.value, refused.message, refused.remedy)
        response = make_response(render_template("start.html", problem=problem))
        response.status_code = 409
        return response
    panel().table.notices.tell("table", 0)  # The screen no longer shows the code.
    return go("/games")


@blueprint.get("/g/<journal>/join")
def join(journal: str) -> Response | str:
    """Free seats to take, or a new one to make; on a locked table, to ask for."""
    known_game(journal)
    phone = phone_or_new()
    by = panel().seating.acts_as(journal, phone)
    if by and panel().table.seat_view(journal, by).seat:
        return go(f"/g/{journal}/")
    return join_page(journal)


def join_page(journal: str, problem: Problem | None = None) -> str:
    """The page on which a phone takes a seat."""
    phone = phone_or_new()
    by = panel().seating.acts_as(journal, phone)
    view = panel().table.seat_view(journal, by)
    late = panel().seating.was_too_late(journal, phone)
    return page(
        "join.html",
        view,
        problem=problem,
        form=request.form or _wish_again(view, late),
        too_late=refusal_text(late[1], view.table) if late else None,
        has_lost="lost" in request.args,
        is_waiting=panel().seating.waits(journal, phone),
        must_ask=view.table.is_locked and not phone.is_host,
        is_full=len(view.table.seats) >= len(COLOURS),
        colours=COLOURS,
        tokens=TOKENS,
        **free_looks(view),
    )


def _wish_again(
    view: SeatView, late: tuple[JoinRequest, Refused] | None
) -> dict[str, str]:
    """What a phone that was too late typed, without what is taken now."""
    if late is None:
        return {}
    asked, taken = late[0], {row.token for row in view.table.seats}
    token = "" if asked.token in taken else asked.token
    return {"name": asked.name, "token": token}


@blueprint.post("/g/<journal>/join")
def sit_down(journal: str) -> Response:
    """Sit down in a new seat; on a locked table, ask for it."""
    known_game(journal)
    phone = known_phone()
    sitting = wire.sitting(TABLE, request.form)
    command_id = wire.text(request.form, "command_id")
    was = panel().seating.acts_as(journal, phone)
    if was not in ("", BANK, TABLE):
        return go(f"/g/{journal}/")  # A second tap on the same button.
    try:
        if panel().table.game(journal).is_locked and not phone.is_host:
            panel().seating.ask(
                journal, phone, Wish.JOIN, sitting.colour, sitting.name, sitting.token
            )
            return go(f"/g/{journal}/join")
        panel().seating.join(journal, phone, sitting, command_id)
        _keep_bank(journal, was, sitting.seat, command_id)
    except Refused as refused:
        return _refused(journal, refused)
    return go(f"/g/{journal}/")


@blueprint.post("/g/<journal>/take")
def take(journal: str) -> Response:
    """Hold a seat that is there already and that no phone holds."""
    known_game(journal)
    phone = known_phone()
    was = panel().seating.acts_as(journal, phone)
    seat = wire.text(request.form, "seat")
    try:
        panel().seating.take_seat(journal, phone, seat)
        _keep_bank(journal, was, Seat(seat), wire.text(request.form, "command_id"))
    except Refused as refused:
        return _refused(journal, refused)
    return go(f"/g/{journal}/")


@blueprint.post("/g/<journal>/resume")
def resume(journal: str) -> Response:
    """Ask the banker for a seat that another phone holds, or a locked one."""
    known_game(journal)
    phone = known_phone()
    try:
        seat = wire.text(request.form, "seat")
        panel().seating.ask(journal, phone, Wish.RESUME, seat)
    except Refused as refused:
        return _refused(journal, refused)
    return go(f"/g/{journal}/join")


@blueprint.post("/g/<journal>/leave")
def leave(journal: str) -> Response:
    """Let go of the seat; it stays at the table with its money."""
    known_game(journal)
    panel().seating.leave(journal, known_phone())
    return go(f"/g/{journal}/join")


def _keep_bank(journal: str, was: str, seat: Seat, command_id: str) -> None:
    """A host that kept the bank goes on keeping it from its own seat."""
    if was == BANK:
        handing = c.HandBanker(by=BANK, to=seat)
        panel().table.submit(journal, Envelope(handing, f"{command_id}-bank"[-64:]))


def _refused(journal: str, refused: Refused) -> Response:
    view = panel().table.table_view(journal)
    problem = Problem(409, refused.why.value, *refusal_text(refused, view))
    response = make_response(join_page(journal, problem))
    response.status_code = 409
    return response
