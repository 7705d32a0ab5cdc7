"""Becoming the host, taking a seat, asking to be let in."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response, make_response, render_template, request

from companion.errors import Refused
from companion.game import commands as c
from companion.game.commands import TABLE
from companion.rules.seats import COLOURS, TOKENS
from companion.store import JoinRequest, Phone, Wish
from companion.units import BANK, GameId, Seat
from companion.views.refusals import refusal_text
from companion.views.table import SeatView
from companion.words.money import plain_text
from web.http import fields
from web.http.address import go
from web.http.auth import is_host, phone_or_new, sender
from web.http.errors import Problem
from web.http.panel import panel
from web.http.render import my_view, page
from web.http.sentences import seat_names
from web.play import forms
from web.play.pages import taken_looks

blueprint = Blueprint("joining", __name__)


@blueprint.get("/start")
def start() -> Response | str:
    """The page on which the first phone types the code shown on the table's screen."""
    phone_or_new()
    if not panel().seating.awaits_host() or is_host():
        return go("/")
    return _start_page()


def _start_page(problem: Problem | None = None) -> str:
    seating, table = panel().seating, panel().table
    game_id = table.current()
    return render_template(
        "start.html",
        problem=problem,
        has_host=seating.first_run_code() is None,
        digits_count=seating.digits_count(),
        onward=f"/g/{game_id}/join" if game_id else "/table",
    )


@blueprint.post("/start")
def become_host() -> Response:
    """Make the phone that typed the right code the host; twice is once."""
    if is_host():
        return go("/games")
    code = "".join(plain_text(fields.text(request.form, "code")).split())
    digits_count = panel().seating.digits_count()
    try:
        panel().seating.become_host(phone_or_new(), code, sender())
    except Refused as refused:
        if panel().seating.digits_count() != digits_count:
            panel().table.notices.tell("table", 0)  # The screen shows another code.
        problem = Problem(409, refused.why.value, refused.message, refused.remedy)
        return make_response(_start_page(problem), 409)
    panel().table.notices.tell("table", 0)  # The screen no longer shows the code.
    return go("/games")


@blueprint.get("/g/<game_id>/join")
def join(game_id: GameId) -> Response | str:
    """The page with free seats to take, and a form to make a new one or ask for one."""
    phone = phone_or_new()
    by = panel().seating.acts_as(game_id, phone)
    if by and panel().table.seat_view(game_id, by).seat:
        return go(f"/g/{game_id}/")
    return join_page(game_id)


def join_page(game_id: GameId, problem: Problem | None = None) -> str:
    """The page on which a phone takes a seat."""
    phone = phone_or_new()
    by = panel().seating.acts_as(game_id, phone)
    view = panel().table.seat_view(game_id, by)
    late = panel().seating.was_too_late(game_id, phone)
    wish = _wish_again(view, late) or _look_before(view, phone)
    form = request.form or wish
    is_waiting = panel().seating.waits(game_id, phone)
    is_full = len(view.table.seats) >= len(COLOURS)
    is_led = panel().table.game(game_id).is_guided
    seats, looks = view.table.seats, taken_looks(view)
    free = [row for row in seats if not row.has_phone]
    has_lost = "lost" in request.args
    return page(
        "join.html",
        view,
        problem=problem,
        form=form,
        too_late=refusal_text(late[1], seat_names(view.table)) if late else None,
        has_lost=has_lost,
        has_cursor=not (free or has_lost or problem or wish),
        is_waiting=is_waiting,
        must_ask=panel().seating.must_ask(game_id, phone),
        must_ask_back=view.table.is_locked and not phone.is_host,
        is_full=is_full,
        is_led=is_led,
        may_sit=not (view.table.is_closed or is_full or is_led or is_waiting),
        free=free,
        held=[row for row in seats if row.has_phone],
        colours=COLOURS,
        tokens=TOKENS,
        colour=_wished(form.get("colour", ""), COLOURS, looks["taken_colours"]),
        token=_wished(form.get("token", ""), TOKENS, looks["taken_tokens"]),
        **looks,
    )


def _wished(wish: str, every: tuple[str, ...], taken: dict[str, str]) -> str:
    """What is chosen already on the page: the wish, or the first that is free."""
    free = [one for one in every if one not in taken]
    return wish if wish in free else next(iter(free), "")


def _wish_again(
    view: SeatView, late: tuple[JoinRequest, Refused] | None
) -> dict[str, str]:
    """What a phone typed whose request came too late, without what is taken now."""
    if late is None:
        return {}
    asked, taken = late[0], {row.token for row in view.table.seats}
    token = "" if asked.token in taken else asked.token
    return {"name": asked.name, "token": token}


def _look_before(view: SeatView, phone: Phone) -> dict[str, str]:
    """Return how this phone sat at its latest game, as far as nobody here does so."""
    table = panel().table
    seated = table.phones.games_of(phone.phone)
    latest = next((one.game_id for one in table.games() if one.game_id in seated), None)
    if latest is None:
        return {}
    sat = table.game(latest).seat(table.phones.seat_of(latest, phone) or "")
    if sat is None:
        return {}
    is_free = all(
        row.name.casefold() != sat.name.casefold() for row in view.table.seats
    )
    look = {"colour": sat.colour, "token": sat.token}
    return look | {"name": sat.name} if is_free else look


@blueprint.post("/g/<game_id>/join")
def sit_down(game_id: GameId) -> Response:
    """Take a new seat; at a locked table, or beyond the box, ask the banker for it."""
    phone = phone_or_new()
    sitting = _without_clash(game_id, forms.read_new_seat(TABLE, request.form))
    command_id = fields.text(request.form, "command_id")
    was = panel().seating.acts_as(game_id, phone)
    if was not in ("", BANK, TABLE):
        return go(f"/g/{game_id}/")  # A second tap on the same button.
    try:
        if panel().seating.must_ask(game_id, phone):
            asked = (sitting.colour, sitting.name, sitting.token)
            panel().seating.ask(game_id, phone, Wish.JOIN, *asked, address=sender())
            return go(f"/g/{game_id}/join")
        panel().seating.join(game_id, phone, sitting, command_id)
    except Refused as refused:
        return _refused(game_id, refused)
    return go(f"/g/{game_id}/")


def _without_clash(game_id: GameId, sitting: c.AddSeat) -> c.AddSeat:
    """The same seat in a free look, where the page's own proposal was just taken.

    Whoever chose a look is asked again; most people keep what the page proposed, and
    several of them sit down at the same moment.
    """
    looks, form = taken_looks(my_view(game_id)), request.form
    colour, token = sitting.colour, sitting.token
    if colour == form.get("proposed-colour"):
        colour = _wished(colour, COLOURS, looks["taken_colours"]) or colour
    if token == form.get("proposed-token"):
        token = _wished(token, TOKENS, looks["taken_tokens"]) or token
    return msgspec.structs.replace(
        sitting, seat=Seat(colour), colour=colour, token=token
    )


@blueprint.post("/g/<game_id>/take")
def take(game_id: GameId) -> Response:
    """Take an existing seat that no phone holds."""
    phone = phone_or_new()
    seat, tap = (fields.text(request.form, one) for one in ("seat", "command_id"))
    try:
        panel().seating.take_seat(game_id, phone, seat, tap)
    except Refused as refused:
        return _refused(game_id, refused)
    return go(f"/g/{game_id}/")


@blueprint.post("/g/<game_id>/resume")
def resume(game_id: GameId) -> Response:
    """Ask the banker for a seat that another phone holds, or a locked one."""
    phone = phone_or_new()
    try:
        seat = fields.text(request.form, "seat")
        panel().seating.ask(game_id, phone, Wish.RESUME, seat, address=sender())
    except Refused as refused:
        return _refused(game_id, refused)
    return go(f"/g/{game_id}/join")


@blueprint.post("/g/<game_id>/leave")
def leave(game_id: GameId) -> Response:
    """Give the seat up; it stays at the table with its money."""
    panel().seating.leave(game_id, phone_or_new())
    return go(f"/g/{game_id}/join")


def _refused(game_id: GameId, refused: Refused) -> Response:
    view = panel().table.table_view(game_id)
    problem = Problem(409, refused.why.value, *refusal_text(refused, seat_names(view)))
    return make_response(join_page(game_id, problem), 409)
