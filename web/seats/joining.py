"""Pages for becoming the host, taking a seat, and asking the banker for one.

The first phone becomes the host with the digits from the table's own screen. Every
phone takes a free seat of a game, or adds a new one. It has to ask the banker if the
table is locked, the box is made for no more players, or another phone holds the seat.
A seat's *look* is its colour and its token.
"""

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
from companion.views.table import SeatView, seat_names
from companion.words.money import plain_text
from companion.words.names import likeness
from web.http import fields
from web.http.address import go
from web.http.auth import is_host, phone_or_new, sender
from web.http.errors import Problem
from web.http.panel import panel
from web.http.render import my_view, page
from web.play import forms
from web.play.pages import taken_looks

blueprint = Blueprint("joining", __name__)


@blueprint.get("/start")
def start() -> Response | str:
    """Show the page to type the code from the table's screen."""
    phone_or_new()
    if not panel().seating.awaits_host() or is_host():
        return go("/")
    return _render_start()


def _render_start(problem: Problem | None = None) -> str:
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
    """Make a phone the host if it typed the right code."""
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
        return make_response(_render_start(problem), 409)
    panel().table.notices.tell("table", 0)  # The screen no longer shows the code.
    return go("/games")


@blueprint.get("/g/<game_id>/join")
def join(game_id: GameId) -> Response | str:
    """Show the seats and a form for a new one; lead a seated phone to its seat."""
    phone = phone_or_new()
    account = panel().seating.acts_as(game_id, phone)
    if account and panel().table.seat_view(game_id, account).seat:
        return go(f"/g/{game_id}/")
    return join_page(game_id)


def join_page(game_id: GameId, problem: Problem | None = None) -> str:
    """Render the page on which a phone takes a seat or asks for one."""
    phone = phone_or_new()
    view = panel().table.seat_view(game_id, panel().seating.acts_as(game_id, phone))
    late, refused = panel().seating.was_too_late(game_id, phone) or (None, None)
    proposal = (
        _read_late_request(view, late)
        or panel().seating.wished(game_id, phone)
        or _find_last_look(view, phone)
    )
    free = [row for row in view.table.seats if not row.has_phone]
    has_lost = "lost" in request.args
    return page(
        "join.html",
        view,
        problem=problem,
        too_late=refusal_text(refused, seat_names(view.table)) if refused else None,
        has_lost=has_lost,
        has_cursor=not (free or has_lost or problem or proposal),
        free=free,
        held=[row for row in view.table.seats if row.has_phone],
        **_permissions(view, phone),
        **_new_seat_form(view, proposal),
    )


def _permissions(view: SeatView, phone: Phone) -> dict[str, object]:
    """Return whether the phone may take a seat, or has to ask for it."""
    seating, game_id = panel().seating, view.table.game_id
    own_request = seating.waits(game_id, phone)
    is_full = len(view.table.seats) >= len(COLOURS)
    is_led = panel().table.game(game_id).is_guided
    return {
        "own_request": own_request,
        "must_ask": seating.must_ask(game_id, phone),
        "must_ask_back": view.table.is_locked and not phone.is_host,
        "is_full": is_full,
        "is_led": is_led,
        "may_sit": not (view.table.is_closed or is_full or is_led or own_request),
    }


def _new_seat_form(view: SeatView, proposal: dict[str, str]) -> dict[str, object]:
    """Return the fields for a new seat, as typed before, or else as proposed."""
    form, looks = request.form or proposal, taken_looks(view)
    return {
        "form": form,
        "colours": COLOURS,
        "tokens": TOKENS,
        "colour": _free_look(form.get("colour", ""), COLOURS, looks["taken_colours"]),
        "token": _free_look(form.get("token", ""), TOKENS, looks["taken_tokens"]),
        **looks,
    }


def _free_look(wish: str, all_looks: tuple[str, ...], taken: dict[str, str]) -> str:
    """Return the wished colour or token if it is free, else the first free one."""
    free = [look for look in all_looks if look not in taken]
    return wish if wish in free else next(iter(free), "")


def _read_late_request(view: SeatView, late: JoinRequest | None) -> dict[str, str]:
    """Return the form's fields for a request that came too late, if there is one.

    A token that somebody has taken since is left out.
    """
    if late is None:
        return {}
    taken = {row.token for row in view.table.seats}
    token = "" if late.token in taken else late.token
    return {"name": late.name, "token": token}


def _find_last_look(view: SeatView, phone: Phone) -> dict[str, str]:
    """Return the name, colour and token of this phone's seat in its latest game.

    The name is left out if somebody in this game has it, or one that looks like it.
    """
    table = panel().table
    own_ids = table.phones.games_of(phone.phone)
    newest_first = (game.game_id for game in table.games() if game.game_id in own_ids)
    sound = (game_id for game_id in newest_first if not table.is_damaged(game_id))
    latest = next(sound, None)
    if latest is None:
        return {}
    seat = table.game(latest).seat(table.phones.seat_of(latest, phone) or "")
    if seat is None:
        return {}
    names = {likeness(row.name) for row in view.table.seats}
    look = {"colour": seat.colour, "token": seat.token}
    return look if likeness(seat.name) in names else look | {"name": seat.name}


@blueprint.post("/g/<game_id>/join")
def sit_down(game_id: GameId) -> Response:
    """Take a new seat, or ask the banker for one if the game requires that."""
    phone = phone_or_new()
    new_seat = _avoid_clash(game_id, forms.read_new_seat(TABLE, request.form))
    command_id = fields.text(request.form, "command_id")
    account = panel().seating.acts_as(game_id, phone)
    if account not in ("", BANK, TABLE):
        return go(f"/g/{game_id}/")  # A second tap on the same button.
    try:
        if panel().seating.must_ask(game_id, phone):
            wish = (new_seat.colour, new_seat.name, new_seat.token)
            panel().seating.ask(game_id, phone, Wish.JOIN, *wish, address=sender())
            return go(f"/g/{game_id}/join")
        panel().seating.join(game_id, phone, new_seat, command_id)
    except Refused as refused:
        return _show_refusal(game_id, refused)
    return go(f"/g/{game_id}/")


def _avoid_clash(game_id: GameId, new_seat: c.AddSeat) -> c.AddSeat:
    """Replace a colour or token that the page proposed and that was taken since.

    Most people keep the proposal, and several may sit down at the same moment. A look
    that somebody chose is kept: the game refuses it, and the person chooses again.
    """
    looks, form = taken_looks(my_view(game_id)), request.form
    colour, token = new_seat.colour, new_seat.token
    if colour == form.get("proposed-colour"):
        colour = _free_look(colour, COLOURS, looks["taken_colours"]) or colour
    if token == form.get("proposed-token"):
        token = _free_look(token, TOKENS, looks["taken_tokens"]) or token
    return msgspec.structs.replace(
        new_seat, seat=Seat(colour), colour=colour, token=token
    )


@blueprint.post("/g/<game_id>/take")
def take(game_id: GameId) -> Response:
    """Take an existing seat that no phone holds."""
    phone = phone_or_new()
    seat = fields.text(request.form, "seat")
    command_id = fields.text(request.form, "command_id")
    try:
        panel().seating.take_seat(game_id, phone, seat, command_id)
    except Refused as refused:
        return _show_refusal(game_id, refused)
    return go(f"/g/{game_id}/")


@blueprint.post("/g/<game_id>/resume")
def resume(game_id: GameId) -> Response:
    """Ask the banker for a seat of a locked table, or one that another phone holds."""
    phone = phone_or_new()
    try:
        seat = fields.text(request.form, "seat")
        panel().seating.ask(game_id, phone, Wish.RESUME, seat, address=sender())
    except Refused as refused:
        return _show_refusal(game_id, refused)
    return go(f"/g/{game_id}/join")


@blueprint.post("/g/<game_id>/leave")
def leave(game_id: GameId) -> Response:
    """Give the seat up; it stays at the table with its money."""
    panel().seating.leave(game_id, phone_or_new())
    return go(f"/g/{game_id}/join")


def _show_refusal(game_id: GameId, refused: Refused) -> Response:
    view = panel().table.table_view(game_id)
    problem = Problem(409, refused.why.value, *refusal_text(refused, seat_names(view)))
    return make_response(join_page(game_id, problem), 409)
