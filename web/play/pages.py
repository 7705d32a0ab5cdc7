"""Pages of a game: a seat's page, the banker's page, the pay sheet, the history."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, render_template, request

from companion.errors import Malformed, Refused, Why, quoted
from companion.units import GameId
from companion.views.refusals import refusal_text
from companion.views.table import SeatView
from companion.views.turn_words import awaited
from companion.views.undoing import undo_offers
from companion.views.why import ShownRule, shown
from companion.words import say
from web.http import fields
from web.http.address import go, local
from web.http.auth import caller, is_host
from web.http.errors import Problem
from web.http.health import health_sentence
from web.http.language import COOKIE as LANGUAGE
from web.http.language import LANGUAGES
from web.http.panel import panel, settings
from web.http.render import THEMES, my_view, page
from web.http.sentences import names_in, seat_names
from web.http.undoing import undo_button
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
    """Where this phone belongs: its seat, the games, the start, or a waiting page."""
    table, phone = panel().table, caller().phone
    if panel().seating.first_run_code() is not None:
        return go("/start")
    playing = [game.game_id for game in table.games() if not game.is_closed]
    seated = table.phones.games_of(phone.phone) if phone else ()
    for game_id in playing:
        if game_id in seated:
            return go(f"/g/{game_id}/")
    if is_host():
        return go(f"/g/{playing[0]}/" if playing else "/games")
    if panel().seating.awaits_host():
        return go("/start")
    if playing:
        return go(f"/g/{playing[0]}/join")
    return render_template("wait.html")


@blueprint.get("/g/<game_id>/")
def seat(game_id: GameId) -> Response | str:
    """A seat's own page."""
    view = my_view(game_id)
    return seat_page(view) if view.seat else go(f"/g/{game_id}/bank")


def seat_page(view: SeatView, **more: object) -> str:
    """The page of a seat; *more* holds what went wrong or was filled in before."""
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
    """The page of the bank; *more* holds what went wrong or was filled in before."""
    game = panel().table.game(view.table.game_id)
    if people_gather(game):
        return waiting_page(view, "bank", **free_looks(view), **more)
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
        **free_looks(view),
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
    """Everything that happened, newest first."""
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
    """The page with the QR code that other phones scan to join."""
    return page("invite.html", my_view(game_id))


@blueprint.post("/theme")
def choose_theme() -> Response:
    """Remember on this phone whether pages are light or dark."""
    chosen = request.form.get("theme", "")
    if chosen not in THEMES:
        said = say("this table has no look {got}", got=quoted(chosen))
        raise Malformed(said, say("choose light or dark"))
    return _remembered("theme", chosen)


@blueprint.post("/language")
def choose_language() -> Response:
    """Remember on this phone which language it reads."""
    chosen = request.form.get("language", "")
    if chosen not in LANGUAGES:
        said = say("this table does not speak {got}", got=quoted(chosen))
        raise Malformed(said, say("choose another language"))
    return _remembered(LANGUAGE, chosen)


def _remembered(cookie: str, chosen: str) -> Response:
    response = go(local(request.form.get("back", "/")))
    response.set_cookie(cookie, chosen, max_age=31_536_000, samesite="Lax")
    return response


def free_looks(view: SeatView) -> dict[str, dict[str, str]]:
    """Colours and tokens that are taken already, each with its player's name."""
    return {
        "taken_colours": {row.colour: row.name for row in view.table.seats},
        "taken_tokens": {row.token: row.name for row in view.table.seats},
    }


def page_after(view: SeatView, refused: Refused, form: fields.Form) -> str:
    """Show the page that *form* was sent from, as it is now, and why it was refused."""
    me = view.seat.seat if view.seat else ""
    message, remedy = refusal_text(refused, seat_names(view.table), me)
    problem = Problem(409, refused.why.value, message, remedy)
    problem.rules = rules_against(view, refused)
    if refused.why is Why.UNKNOWN_FIGURE:
        problem.link = way_on(view, form)
    return page_with(view, problem, form)


def page_with(view: SeatView, problem: Problem, form: fields.Form) -> str:
    """The page that *form* was sent from, as it is now, with what went wrong."""
    more: dict[str, object] = {"problem": problem}
    if "amount" in form and "payee" in form:
        more["sheet"] = filled_sheet(panel().table.game(view.table.game_id), view, form)
    is_from = form.get("from", "")
    if is_from in AFTER:
        return AFTER[is_from](view, **more)
    if view.is_banker and (is_from == "bank" or view.seat is None):
        return bank_page(view, **more)
    if view.seat is None:
        raise problem
    return seat_page(view, **more)


def rules_against(view: SeatView, refused: Refused) -> tuple[ShownRule, ...]:
    """Return the rule that a refusal stands on, by the sheet of this box."""
    return (shown(refused.rule, panel().table.game(view.table.game_id)),)


AFTER: dict[str, Callable[..., str]] = {"begin": begin_page, "correct": correct_page}
"""Pages to show again after a refusal, by the form's field ``from``. Each function
takes the view, ``problem=`` and what was filled in; other modules add their pages."""


def way_on(view: SeatView, form: fields.Form) -> tuple[str, str]:
    """Where to type in the figure that a refusal asks for: a link's address and words.

    Args:
        view: The game as the refused phone sees it.
        form: The form that was refused.
    """
    game = panel().table.game(view.table.game_id)
    named = (fields.text(form, field) for field in ("deed", "card"))
    of = next((one for one in named if one), game.play.awaited if game.play else "")
    is_deed = game.board is not None and of in game.board.index
    if is_deed and not view.is_banker:
        address = f"/g/{view.table.game_id}/deeds/{of}"
        return address, say("Type in what the deed says")
    address = f"/editions/{view.table.edition}"
    if is_deed or (game.board is not None and of in game.board.cards):
        address += f"?of={of}"
    return address, say("To the figures of the box")
