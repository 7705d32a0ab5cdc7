"""The pages of a game: a seat's, the banker's, the pay sheet, the history."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, render_template, request

from companion.errors import Refused, Why
from companion.history import HistoryLine
from companion.views.stage_words import awaited
from companion.views.table import SeatView
from companion.words import say
from web import wire
from web.auth import caller, is_host, known_phone
from web.errors import Problem, guest_phone, is_fragment, unknown_phone
from web.figures import way_on
from web.language import COOKIE as LANGUAGE
from web.language import LANGUAGES
from web.panel import panel, settings
from web.play import begin_page, correct_page, minutes_left, play_page
from web.preview import Sheet, empty_sheet, filled_sheet, refusal_text
from web.render import THEMES, check_banker, go, known_game, local, my_view, page
from web.standing_in import stands_in_for

blueprint = Blueprint("pages", __name__)


@blueprint.get("/")
def home() -> Response | str:
    """Wherever this phone belongs: its seat, the games, the start, or a wait."""
    table, phone = panel().table, caller().phone
    if panel().seating.first_run_code() is not None:
        return go("/start")
    playing = [game.journal for game in table.games() if not game.is_closed]
    for journal in playing:
        if phone and table.phones.seat_of(journal, phone):
            return go(f"/g/{journal}/")
    if is_host():
        return go(f"/g/{playing[0]}/" if playing else "/games")
    if playing:
        return go(f"/g/{playing[0]}/join")
    return render_template("wait.html")


@blueprint.get("/g/<journal>/")
def seat(journal: str) -> Response | str:
    """A seat's own page."""
    view = my_view(journal)
    if view.by and view.seat is None:
        return go(f"/g/{journal}/bank")
    if view.seat is None:
        return go(f"/g/{journal}/join" + ("?lost=1" if caller().phone else ""))
    return seat_page(view)


def seat_page(view: SeatView, **more: object) -> str:
    """The page of a seat, with what went wrong or was filled in, if anything."""
    game = panel().table.game(view.table.journal)
    if game.is_guided:
        more.pop("sheet", None)
        return play_page(view, game, undo_line=undo_line(view), **more)
    more.setdefault("sheet", empty_sheet(view))
    return page(
        "seat.html",
        view,
        undo_line=undo_line(view),
        **more,
    )


@blueprint.get("/g/<journal>/bank")
def bank(journal: str) -> Response | str:
    """The banker's page."""
    view = my_view(journal)
    if not view.by:
        return go(f"/g/{journal}/join")
    if not view.is_banker and is_fragment():
        return go(f"/g/{journal}/")  # The bank was handed on while it was open.
    check_banker(view)
    return bank_page(view)


def bank_page(view: SeatView, **more: object) -> str:
    """The page of the bank, with what went wrong or was filled in, if anything."""
    more.setdefault("sheet", Sheet(payer="bank"))
    game = panel().table.game(view.table.journal)
    return page(
        "bank.html",
        view,
        awaited=awaited(game) if game.is_guided else "",
        minutes_left=minutes_left(view.table.journal, game),
        undo_line=undo_line(view),
        **free_looks(view),
        **more,
    )


@blueprint.get("/g/<journal>/pay")
def pay(journal: str) -> Response | str:
    """The filled pay sheet: what it would do, and the button that does it."""
    view = my_view(journal)
    if not view.by:
        return go(f"/g/{journal}/join")
    sheet = filled_sheet(panel().table.game(journal), view, request.args)
    from_bank = request.args.get("from") == "bank" and view.is_banker
    return page("pay.html", view, sheet=sheet, from_bank=from_bank)


@blueprint.get("/g/<journal>/history")
def history(journal: str) -> str:
    """Everything that happened, newest first."""
    known_game(journal)
    view = my_view(journal)
    before = wire.number(request.args, "before") if "before" in request.args else None
    count = settings().history_count
    lines = panel().table.history(journal, before, count)
    oldest = lines[-1].revision if lines else 1
    return page(
        "history.html",
        view,
        lines=lines,
        older=oldest if oldest > 1 else None,
        is_first=before is None,
    )


@blueprint.get("/g/<journal>/invite")
def invite(journal: str) -> str:
    """The code that other phones scan."""
    return page("invite.html", my_view(journal))


@blueprint.post("/theme")
def choose_theme() -> Response:
    """Remember on this phone whether pages are light or dark."""
    chosen = request.form.get("theme", "")
    if chosen not in THEMES:
        raise Problem(
            400,
            "malformed",
            say("expected a theme of {known}", known=", ".join(THEMES)),
        )
    response = go(local(request.form.get("back", "/")))
    response.set_cookie("theme", chosen, max_age=31_536_000, samesite="Lax")
    return response


@blueprint.post("/language")
def choose_language() -> Response:
    """Remember on this phone which language it reads."""
    chosen = request.form.get("language", "")
    if chosen not in LANGUAGES:
        wanted = ", ".join(LANGUAGES)
        raise Problem(
            400, "malformed", say("expected a language of {wanted}", wanted=wanted)
        )
    response = go(local(request.form.get("back", "/")))
    response.set_cookie(LANGUAGE, chosen, max_age=31_536_000, samesite="Lax")
    return response


def free_looks(view: SeatView) -> dict[str, object]:
    """Colours and tokens that are taken already, each with whose they are."""
    return {
        "taken_colours": {row.colour: row.name for row in view.table.seats},
        "taken_tokens": {row.token: row.name for row in view.table.seats},
    }


def undo_line(view: SeatView) -> HistoryLine | None:
    """What an undo would take back, if this phone may; else ``None``."""
    if not view.may("Undo"):
        return None
    revision = panel().table.game(view.table.journal).undo_next
    if revision is None:
        return None
    lines = panel().table.history(view.table.journal, revision + 1, 1)
    return lines[0] if lines else None


def page_after(view: SeatView, refused: Refused, form: wire.Form) -> str:
    """The page that *form* came from as things stand now, and why it was refused."""
    message, remedy = refusal_text(refused, view.table)
    problem = Problem(409, refused.why.value, message, remedy)
    if refused.why is Why.UNKNOWN_FIGURE:
        problem.link = way_on(view, form)
    more: dict[str, object] = {"problem": problem}
    if "amount" in form and "payee" in form:
        more["sheet"] = filled_sheet(panel().table.game(view.table.journal), view, form)
    is_from = form.get("from", "")
    if is_from in AFTER:
        return AFTER[is_from](view, **more)
    if is_from == "bank" and view.is_banker:
        return bank_page(view, **more)
    if view.seat is None and view.is_banker:
        return bank_page(view, **more)
    if view.seat is None:
        raise problem
    return seat_page(view, **more)


AFTER: dict[str, Callable[..., str]] = {"begin": begin_page, "correct": correct_page}
"""Pages of other modules by what their forms call ``from``: view, ``problem=`` and
whatever else; each module puts its own page in."""


def require_seat(journal: str) -> str:
    """Whom the phone that posts speaks for.

    Raises:
        Problem: 403 for a guest or a token that is nobody's, 404 for no game.
    """
    known_game(journal)
    address = f"/g/{journal}/join"
    if caller().is_unknown:
        raise unknown_phone(address)
    if caller().phone is None:
        raise guest_phone(address)
    by = panel().seating.acts_as(journal, known_phone())
    if not by:
        raise guest_phone(address)
    return stands_in_for(journal) or by
