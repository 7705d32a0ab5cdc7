"""Deeds and trades: what everybody owns, what may be done with it, and offers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import urlencode

from flask import Blueprint, Response, request

from companion.edition.shape import Group
from companion.errors import Refused
from companion.game import Game
from companion.game import moves as m
from companion.game.move_run import MoveRun
from companion.game.position import Bundle, Offer
from companion.game.stage import FOR_SALE, Stage
from companion.rules import out_of_turn
from companion.rules.trade import last_offer
from companion.units import BANK, GameId, Seat
from companion.views.deed import can_type, deed_view, estate_of
from companion.views.plan import plan_view
from companion.views.table import SeatView
from companion.views.trade import open_offers, trade_of
from companion.words import say
from web.http import fields
from web.http.address import go
from web.http.errors import Problem, not_found
from web.http.may import sender_of_form
from web.http.panel import panel
from web.http.render import my_view, page
from web.play import forms
from web.play.pages import AFTER, page_after
from web.play.trade_form import Draft, fields_of, read_draft, swapped

blueprint = Blueprint("estate", __name__)


@blueprint.get("/g/<game_id>/deeds")
def deeds(game_id: GameId) -> Response | str:
    """A wallet of deeds: this seat's, or that of ``?owner=``; all of them without."""
    view = my_view(game_id)
    if not _game(view).is_guided:
        return go(f"/g/{game_id}/")
    return deeds_page(view)


def deeds_page(view: SeatView, **more: object) -> str:
    """The page of a wallet of deeds, with what went wrong, if anything.

    The group of the deed that something was done with lies open.
    """
    known = {str(BANK), *(row.seat for row in view.table.seats)}
    asked = request.args.get("owner", view.seat.seat if view.seat else "")
    owner = asked if asked in known else ""
    return page(
        "deeds.html",
        view,
        estate=estate_of(_game(view), _groups(view), view.by, owner),
        opened=request.values.get("deed", ""),
        **more,
    )


@blueprint.get("/g/<game_id>/deeds/<deed_id>")
def deed(game_id: GameId, deed_id: str) -> Response | str:
    """One deed with all its figures, and the rest of its group."""
    view = my_view(game_id)
    game = _game(view)
    if not game.is_guided:
        return go(f"/g/{game_id}/")
    assert game.board is not None, "the companion leads"
    at = game.board.index.get(deed_id)
    if at is None:
        raise no_such_deed(game_id)
    members = [game.board.rules.deeds[i].id for i in game.board.members[at]]
    group = [deed_view(game, _groups(view), view.by, one) for one in members]
    shown = next(one for one in group if one.id == deed_id)
    return page(
        "deed.html",
        view,
        deed=shown,
        others=[one for one in group if one is not shown],
        can_type=can_type(game, view.by),
        back="" if raises_money(game, view.by) else "deeds",
        may_offer=bool(view.seat) and not view.table.is_closed,
    )


@blueprint.get("/g/<game_id>/plan/<deed_id>")
def plan(game_id: GameId, deed_id: str) -> Response | str:
    """What shall stand on each street of a group, and what that costs or brings."""
    view = my_view(game_id)
    game = _game(view)
    board = game.board if view.by and game.is_guided else None
    if board is None:
        return go(f"/g/{game_id}/deeds")
    if deed_id not in board.index:
        raise no_such_deed(game_id)
    wanted = dict(forms.levels_in(request.args))
    shown = plan_view(game, _groups(view), view.by, deed_id, wanted)
    for field, more in (("up", 1), ("down", -1)):
        street = fields.text(request.args, field)
        if street:
            shall = {one.id: one.shall for one in shown.sites}
            shall[street] = shall.get(street, 0) + more
            shown = plan_view(game, _groups(view), view.by, deed_id, shall)
    return page("plan.html", view, plan=shown)


def no_such_deed(game_id: GameId) -> Problem:
    """The problem of an address that names no deed of the game."""
    way_on = (f"/g/{game_id}/deeds", say("To the deeds"))
    return not_found(
        say("this game has no such deed"), say("look at all of them"), way_on
    )


def raises_money(game: Game, seat: str) -> bool:
    """Tell whether a seat raises money for a debt, a purchase or a bid.

    What it does elsewhere leads back to that.
    """
    if game.play is None or game.play.stage not in (*FOR_SALE, Stage.DEBT):
        return False
    return out_of_turn(game, seat, m.Mortgage) is None


@blueprint.get("/g/<game_id>/trade")
def trade(game_id: GameId) -> Response | str:
    """Open offers, and a form for a trade that shows what the trade would do."""
    view = my_view(game_id)
    game = _game(view)
    if view.seat is None:
        return go(f"/g/{game_id}/bank")
    if not game.is_guided:
        return go(f"/g/{game_id}/")
    return trade_page(view, _draft(game, view, request.args))


def trade_page(view: SeatView, draft: Draft | None = None, **more: object) -> str:
    """The page of trades, with what is filled in and what went wrong, if anything."""
    game, groups = _game(view), _groups(view)
    empty = Offer(Seat(view.by), Seat(""), Bundle(), Bundle())
    draft = draft or Draft(empty)
    trade = trade_of(game, groups, draft.offer, counters=draft.counters)
    fields = fields_of(
        Offer(Seat(view.by), Seat(trade.taker), draft.offer.give, draft.offer.want)
    )
    return page(
        "trade.html",
        view,
        trade=trade,
        draft=draft,
        hint=draft.hint or trade.hint,
        may_send=trade.can_send and not draft.hint,
        given=_given(fields),
        bills=panel().editions(view.table.edition).note_keys[-4:],
        fields=fields,
        offers=open_offers(game, groups, view.by),
        **more,
    )


def _given(fields: Iterable[tuple[str, str]]) -> str:
    """What the seat would give, at the end of an address; whoever it is offered to."""
    given = [(name, value) for name, value in fields if name.startswith("give")]
    return "".join(f"&{urlencode([one])}" for one in given)


def _draft(game: Game, view: SeatView, form: fields.Form) -> Draft:
    """The trade in *form*; a counter-offer begins with the offer's sides swapped."""
    if form.get("counter") == "begin":
        offered = last_offer(MoveRun(game), view.by)
        return swapped(offered) if offered else read_draft(view.by, fields.Form())
    return read_draft(view.by, form)


@blueprint.post("/g/<game_id>/counter")
def counter(game_id: GameId) -> Response | tuple[str, int]:
    """Make a counter-offer to whoever waits for an answer, and reject their offer.

    Both are done, or neither.
    """
    by = sender_of_form()
    form = request.form
    made = forms.offer(by, form)
    tap = forms.envelope_from_form(made, form)
    try:
        with panel().table.alone_with(game_id):
            game = panel().table.game(game_id)
            theirs = last_offer(MoveRun(game), by) if game.play else None
            is_answer = theirs is not None and theirs.giver == made.taker
            panel().built.give(game_id, tap, *([m.Reject(by=by)] if is_answer else []))
    except Refused as refused:
        return page_after(my_view(game_id), refused, form), 409
    return go(f"/g/{game_id}/trade")


def _game(view: SeatView) -> Game:
    return panel().table.game(view.table.game_id)


def _groups(view: SeatView) -> Sequence[Group]:
    return panel().editions(view.table.edition).groups


def _after_deeds(view: SeatView, **more: object) -> str:
    _check_guided(view, more)
    return deeds_page(view, **more)


def _after_trade(view: SeatView, **more: object) -> str:
    _check_guided(view, more)
    return trade_page(view, read_draft(view.by, request.form), **more)


def _check_guided(view: SeatView, more: dict[str, object]) -> None:
    """Raise the problem in *more* if the companion no longer leads the game.

    Raises:
        Problem: The one in *more*, as there is no page to show it on.
    """
    problem = more.get("problem")
    if not _game(view).is_guided and isinstance(problem, Problem):
        raise problem


AFTER["deeds"] = _after_deeds
AFTER["trade"] = _after_trade
