"""The main pages of a game: a seat's, the banker's, the pay sheet and the history.

A *view* is the game as one phone may see it. What a seat's page shows depends on the
game: while people take their seats it is the waiting page; in *guided* play, where the
companion knows the rules, it is the turn (``web/play/play.py``); in play by hand it is
the *pay sheet*, a form for a payment, which shows its effect before it is made.

When a form was refused, the page that it was on is shown again with the *problem*.
"""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, render_template, request

from companion.errors import Malformed, Refused, Why, quoted
from companion.units import GameId
from companion.views.refusals import refusal_text
from companion.views.table import SeatView, names_in, seat_names
from companion.views.turn_words import awaited
from companion.views.undoing import undo_offers
from companion.views.why import ShownRule, shown
from companion.words import say
from web.http import fields
from web.http.address import go, local
from web.http.assets import YEAR_S
from web.http.auth import caller, is_host
from web.http.errors import Problem
from web.http.frame import undo_button
from web.http.health import health_sentence
from web.http.language import COOKIE as LANGUAGE
from web.http.language import LANGUAGES
from web.http.panel import panel, settings
from web.http.render import THEMES, my_view, page
from web.play.pay_sheet import Sheet, empty_sheet, filled_sheet
from web.play.play import (
    begin_page,
    correct_page,
    minutes_left,
    people_gather,
    play_page,
    received_by,
    waiting_page,
)

blueprint = Blueprint("pages", __name__)


@blueprint.get("/")
def home() -> Response | str:
    """Lead this phone to where it belongs.

    At a new table, that is its set-up; later, the open game in which the phone has a
    seat. Without a seat, the host's phone gets an open game or the list of games, and
    any other phone a page to join an open game or to wait for one. A damaged game does
    not count as open: its own page leads here.
    """
    table, phone = panel().table, caller().phone
    if panel().seating.first_run_code() is not None:
        return go("/start")
    open_ids = [game.game_id for game in table.games() if not game.is_closed]
    seated_in = table.phones.games_of(phone.phone) if phone else ()
    for game_id in open_ids:
        if game_id in seated_in and not table.is_damaged(game_id):
            return go(f"/g/{game_id}/")
    shown_id = table.current()
    if is_host():
        return go(f"/g/{shown_id}/" if shown_id else "/games")
    if panel().seating.awaits_host():
        return go("/start")
    if shown_id:
        return go(f"/g/{shown_id}/join")
    return render_template("wait.html")


@blueprint.get("/g/<game_id>/")
def seat(game_id: GameId) -> Response | str:
    """Show the page of this phone's seat, or else the bank's."""
    view = my_view(game_id)
    return seat_page(view) if view.seat else go(f"/g/{game_id}/bank")


def seat_page(view: SeatView, **more: object) -> str:
    """Render a seat's page; *more* may hold a ``problem`` or a filled-in ``sheet``."""
    game = panel().table.game(view.table.game_id)
    if game.is_guided:
        more.pop("sheet", None)
        return play_page(view, game, undo_line=undo_button(view), **more)
    if people_gather(game):
        return waiting_page(view, "seat", **more)
    more.setdefault("sheet", empty_sheet(view))
    return page(
        "seat.html",
        view,
        undo_line=undo_button(view),
        received_by=received_by(view, game),
        **more,
    )


@blueprint.get("/g/<game_id>/bank")
def bank(game_id: GameId) -> str:
    """Show the banker's page."""
    return bank_page(my_view(game_id))


def bank_page(view: SeatView, **more: object) -> str:
    """Render the bank's page; *more* may hold a ``problem`` or a filled ``sheet``."""
    game = panel().table.game(view.table.game_id)
    if people_gather(game):
        return waiting_page(view, "bank", **taken_looks(view), **more)
    more.setdefault("sheet", Sheet(payer="bank"))
    health, health_details, is_well = health_sentence()
    return page(
        "bank.html",
        view,
        awaited=awaited(game) if game.is_guided else "",
        minutes_left=minutes_left(view.table.game_id, game),
        undo_line=undo_button(view),
        health=health,
        health_details=health_details,
        is_well=is_well,
        **taken_looks(view),
        **more,
    )


@blueprint.get("/g/<game_id>/pay")
def pay(game_id: GameId) -> str:
    """Show the filled-in pay sheet: what it would do, and a button to confirm."""
    view = my_view(game_id)
    sheet = filled_sheet(panel().table.game(game_id), view, request.args)
    from_bank = request.args.get("from") == "bank" and view.is_banker
    return page("pay.html", view, sheet=sheet, from_bank=from_bank)


@blueprint.get("/g/<game_id>/history")
def history(game_id: GameId) -> str:
    """Show a page of the history, newest entries first; ``?before=`` pages back."""
    view = my_view(game_id)
    before = fields.number(request.args, "before") if "before" in request.args else None
    game = panel().table.game(game_id)
    lines = panel().table.history(game_id, before, settings().history_count)
    oldest = lines[-1].revision if lines else 1
    return page(
        "history.html",
        view,
        lines=lines,
        offers=undo_offers(game, view.by, names_in(view.table)),
        barrier=game.undo_barrier,
        older=oldest if oldest > 1 else None,
        is_first=before is None,
    )


@blueprint.get("/g/<game_id>/invite")
def invite(game_id: GameId) -> str:
    """Show the page with the QR code that other phones scan to join."""
    return page("invite.html", my_view(game_id))


@blueprint.post("/theme")
def choose_theme() -> Response:
    """Remember on this phone whether pages are light or dark."""
    chosen = request.form.get("theme", "")
    if chosen not in THEMES:
        message = say("this table has no look {got}", got=quoted(chosen))
        raise Malformed(message, say("choose light or dark"))
    return _remember("theme", chosen)


@blueprint.post("/language")
def choose_language() -> Response:
    """Remember on this phone which language it reads."""
    chosen = request.form.get("language", "")
    if chosen not in LANGUAGES:
        message = say("this table does not speak {got}", got=quoted(chosen))
        raise Malformed(message, say("choose another language"))
    return _remember(LANGUAGE, chosen)


def _remember(cookie: str, chosen: str) -> Response:
    """Set a cookie for a year, and redirect to the page that the form was on."""
    response = go(local(request.form.get("back", "/")))
    response.set_cookie(cookie, chosen, max_age=YEAR_S, samesite="Lax")
    return response


def taken_looks(view: SeatView) -> dict[str, dict[str, str]]:
    """Return the colours and tokens that are taken, each with its player's name."""
    return {
        "taken_colours": {row.colour: row.name for row in view.table.seats},
        "taken_tokens": {row.token: row.name for row in view.table.seats},
    }


def page_after(view: SeatView, refused: Refused, form: fields.Form) -> str:
    """Render the page that *form* was sent from, with the reason of its refusal."""
    own_seat = view.seat.seat if view.seat else ""
    message, remedy = refusal_text(refused, seat_names(view.table), own_seat)
    problem = Problem(409, refused.why.value, message, remedy)
    problem.rules = rules_against(view, refused)
    if refused.why is Why.UNKNOWN_FIGURE:
        problem.link = link_to_figure(view, form)
    return page_with(view, problem, form)


def page_with(view: SeatView, problem: Problem, form: fields.Form) -> str:
    """Render the page that *form* was sent from, as it is now, with a problem.

    Raises:
        Problem: If this phone has no such page any more.
    """
    more: dict[str, object] = {"problem": problem}
    if "amount" in form and "payee" in form:
        more["sheet"] = filled_sheet(panel().table.game(view.table.game_id), view, form)
    origin = form.get("from", "")
    if origin in RENDER_AGAIN:
        return RENDER_AGAIN[origin](view, **more)
    if view.is_banker and (origin == "bank" or view.seat is None):
        return bank_page(view, **more)
    if view.seat is None:
        raise problem
    return seat_page(view, **more)


def rules_against(view: SeatView, refused: Refused) -> tuple[ShownRule, ...]:
    """Return the rule behind a refusal, with the figures of this game."""
    return (shown(refused.rule, panel().table.game(view.table.game_id)),)


RENDER_AGAIN: dict[str, Callable[..., str]] = {
    "begin": begin_page,
    "correct": correct_page,
}
"""Functions that render the page of a refused form again, by its field ``from``.

Each takes the view and keyword arguments: ``problem``, and ``sheet`` after a payment.
Other modules add their own pages.
"""


def link_to_figure(view: SeatView, form: fields.Form) -> tuple[str, str]:
    """Return a link, as (address, text), to type in a figure that the game lacks.

    It belongs to a deed or card in the refused form, or to the one in play now.
    """
    game = panel().table.game(view.table.game_id)
    awaited_key = game.play.awaited if game.play else ""
    key = fields.text(form, "deed") or fields.text(form, "card") or awaited_key
    is_deed = game.board is not None and key in game.board.index
    if is_deed and not view.is_banker:
        address = f"/g/{view.table.game_id}/deeds/{key}"
        return address, say("Type in what the deed says")
    address = f"/editions/{view.table.edition}"
    if is_deed or (game.board is not None and key in game.board.cards):
        address += f"?of={key}"
    return address, say("To the figures of the box")
