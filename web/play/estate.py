"""Pages of deeds and trades: who owns what, how to build on it, and trade offers.

A *wallet* shows the deeds of one seat, by group. A *plan* for a group says how high
each of its streets is to be built, and what that costs; nothing changes until the
plan is sent. A *draft* is a trade while it is filled in; once sent it is an *offer*,
which the other seat can accept, reject, or answer with a *counter-offer*.

The form of a trade has the fields ``taker``, the seat that is to answer it, and for
each side, ``give`` or ``want``, ``give-cash``, ``give-jail-cards``, ``give-hotels``,
``give-tickets``, ``give-debt``, and ``give-deed`` any number of times. Without script,
buttons send further fields: ``add-give`` and ``add-want`` hold an amount to add to the
cash, and ``up`` and ``down`` name a field whose number changes by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import urlencode

import msgspec
from flask import Blueprint, Response, request

from companion.edition.shape import Group
from companion.errors import Malformed, Refused
from companion.game import Game
from companion.game import moves as m
from companion.game.move_run import MoveRun
from companion.game.position import Bundle, Offer
from companion.game.stage import FOR_SALE, Stage
from companion.rules import out_of_turn
from companion.rules.trade import last_offer
from companion.units import BANK, Dollars, GameId, Seat
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
from web.play.pages import RENDER_AGAIN, page_after

blueprint = Blueprint("estate", __name__)

DEEDS_MAX = 60
"""How many deeds of a side are read; no edition has as many."""

CHIPS_MAX = 6
"""How many amounts a side of a trade offers to add, the largest ones of the box."""

NO_NOTE = Dollars(200)
"""An amount that people offer often, and of which no box has a note."""


@blueprint.get("/g/<game_id>/deeds")
def deeds(game_id: GameId) -> Response | str:
    """Show a wallet: this seat's, or that of ``?owner=``, or all deeds."""
    view = my_view(game_id)
    if not _game(view).is_guided:
        return go(f"/g/{game_id}/")
    return deeds_page(view)


def deeds_page(view: SeatView, **more: object) -> str:
    """Render a wallet of deeds; *more* may hold a ``problem``.

    The group of the deed named in ``deed`` is unfolded.
    """
    owners = {str(BANK), *(row.seat for row in view.table.seats)}
    owner = request.args.get("owner", view.seat.seat if view.seat else "")
    if owner not in owners:
        owner = ""  # All deeds.
    return page(
        "deeds.html",
        view,
        estate=estate_of(_game(view), _groups(view), view.by, owner),
        opened=request.values.get("deed", ""),
        **more,
    )


@blueprint.get("/g/<game_id>/deeds/<deed_id>")
def deed(game_id: GameId, deed_id: str) -> Response | str:
    """Show one deed with all its figures, and the others of its group."""
    view = my_view(game_id)
    game = _game(view)
    if not game.is_guided:
        return go(f"/g/{game_id}/")
    assert game.board is not None, "the companion leads"
    index = game.board.index.get(deed_id)
    if index is None:
        raise no_such_deed(game_id)
    rules, members = game.board.rules, game.board.members[index]
    member_ids = [rules.deeds[member].id for member in members]
    group = [deed_view(game, _groups(view), view.by, other) for other in member_ids]
    return page(
        "deed.html",
        view,
        deed=next(member for member in group if member.id == deed_id),
        others=[member for member in group if member.id != deed_id],
        can_type=can_type(game, view.by),
        back="" if raises_money(game, view.by) else "deeds",
        may_offer=bool(view.seat) and not view.table.is_closed,
    )


@blueprint.get("/g/<game_id>/plan/<deed_id>")
def plan(game_id: GameId, deed_id: str) -> Response | str:
    """Show a plan for the group of a deed, and what it would cost or bring in.

    The query holds the planned level of each street; ``?up=`` or ``?down=`` names the
    street whose button was tapped.
    """
    view = my_view(game_id)
    game = _game(view)
    board = game.board if view.by and game.is_guided else None
    if board is None:
        return go(f"/g/{game_id}/deeds")
    if deed_id not in board.index:
        raise no_such_deed(game_id)
    levels = dict(forms.levels_in(request.args))
    plan = plan_view(game, _groups(view), view.by, deed_id, levels)
    for field, change in (("up", 1), ("down", -1)):
        street = fields.text(request.args, field)
        if street:
            levels = {site.id: site.planned for site in plan.sites}
            levels[street] = levels.get(street, 0) + change
            plan = plan_view(game, _groups(view), view.by, deed_id, levels)
    return page("plan.html", view, plan=plan)


def no_such_deed(game_id: GameId) -> Problem:
    """Return the ``Problem`` 404 of an address that names no deed of the game."""
    link = (f"/g/{game_id}/deeds", say("To the deeds"))
    return not_found(
        say("this game has no such deed"), say("look at all of them"), link
    )


def raises_money(game: Game, seat: str) -> bool:
    """Tell whether a seat may now raise money for a debt, a purchase or a bid."""
    if game.play is None or game.play.stage not in (*FOR_SALE, Stage.DEBT):
        return False
    return out_of_turn(game, seat, m.Mortgage) is None


@blueprint.get("/g/<game_id>/trade")
def trade(game_id: GameId) -> Response | str:
    """Show the open offers, and a form for a trade with its effect."""
    view = my_view(game_id)
    game = _game(view)
    if view.seat is None:
        return go(f"/g/{game_id}/bank")
    if not game.is_guided:
        return go(f"/g/{game_id}/")
    return trade_page(view, _begin_draft(game, view, request.args))


def trade_page(view: SeatView, draft: Draft | None = None, **more: object) -> str:
    """Render the page of trades, with a draft; *more* may hold a ``problem``."""
    game, groups = _game(view), _groups(view)
    edition = panel().editions(view.table.edition)
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
        given=_giver_query(fields),
        bills=sorted({*edition.note_keys, NO_NOTE})[-CHIPS_MAX:],
        fields=fields,
        offers=open_offers(game, groups, view.by),
        **more,
    )


def _giver_query(fields: Iterable[tuple[str, str]]) -> str:
    """Return the fields of the giver's side as a query, each after an ``&``.

    It keeps them when the giver taps the link to another trading partner.
    """
    given = [(name, value) for name, value in fields if name.startswith("give")]
    return "".join(f"&{urlencode([field])}" for field in given)


def _begin_draft(game: Game, view: SeatView, form: fields.Form) -> Draft:
    """Read the trade in *form*; a new counter-offer begins with the offer, swapped."""
    if form.get("counter") == "begin":
        offer = last_offer(MoveRun(game), view.by)
        return swap_sides(offer) if offer else read_draft(view.by, fields.Form())
    return read_draft(view.by, form)


@blueprint.post("/g/<game_id>/counter")
def counter(game_id: GameId) -> Response | tuple[str, int]:
    """Make a counter-offer, and reject the offer that it answers, in one write."""
    sender = sender_of_form()
    form = request.form
    offer = forms.read_offer(sender, form)
    tap = forms.envelope_from_form(offer, form)
    try:
        with panel().table.alone_with(game_id):
            game = panel().table.game(game_id)
            theirs = last_offer(MoveRun(game), sender) if game.play else None
            is_answer = theirs is not None and theirs.giver == offer.taker
            rejections = [m.Reject(by=sender)] if is_answer else []
            panel().built.give(game_id, tap, *rejections)
    except Refused as refused:
        return page_after(my_view(game_id), refused, form), 409
    return go(f"/g/{game_id}/trade")


def _game(view: SeatView) -> Game:
    return panel().table.game(view.table.game_id)


def _groups(view: SeatView) -> Sequence[Group]:
    return panel().editions(view.table.edition).groups


def _render_deeds_again(view: SeatView, **more: object) -> str:
    _check_guided(view, more)
    return deeds_page(view, **more)


def _render_trade_again(view: SeatView, **more: object) -> str:
    """Render the page of trades again, as the refused form was filled in."""
    _check_guided(view, more)
    return trade_page(view, read_draft(view.by, request.form), **more)


def _check_guided(view: SeatView, more: dict[str, object]) -> None:
    """Raise the problem in *more* if the companion no longer leads the game."""
    problem = more.get("problem")
    if not _game(view).is_guided and isinstance(problem, Problem):
        raise problem


class Draft(msgspec.Struct, frozen=True):
    """A trade as far as it is filled in.

    Attributes:
        offer: The trade, with 0 for an amount of money that could not be read.
        texts: The amounts of money as typed, for ``give`` and ``want``.
        hint: A sentence about what could not be read; may be empty.
        counters: Whether it is a counter-offer, which answers an offer of the taker.
    """

    offer: Offer
    texts: tuple[str, str] = ("", "")
    hint: str = ""
    counters: bool = False


def read_draft(sender: str, form: fields.Form) -> Draft:
    """Read the trade in *form*; the hint names an amount that cannot be read.

    Raises:
        Malformed: If a field is longer than any field may be.
    """
    give_text, give_cash, give_hint = _read_cash(form, "give")
    want_text, want_cash, want_hint = _read_cash(form, "want")
    give = _read_bundle(form, "give", give_cash)
    want = _read_bundle(form, "want", want_cash)
    offer = Offer(Seat(sender), Seat(fields.text(form, "taker")), give, want)
    is_counter = fields.text(form, "counter") == "yes"
    return Draft(offer, (give_text, want_text), give_hint or want_hint, is_counter)


def swap_sides(offer: Offer) -> Draft:
    """Return *offer* with its sides swapped, as the start of a counter-offer."""
    reply = Offer(offer.taker, offer.giver, offer.want, offer.give)
    texts = (_cash_text(reply.give.cash), _cash_text(reply.want.cash))
    return Draft(reply, texts, counters=True)


def _cash_text(cash: Dollars) -> str:
    return str(cash) if cash else ""


def fields_of(offer: Offer) -> tuple[tuple[str, str], ...]:
    """List the hidden fields that describe *offer* in a form, as (name, value)."""
    pairs = [("taker", str(offer.taker))]
    for side, bundle in (("give", offer.give), ("want", offer.want)):
        pairs += [(f"{side}-deed", deed) for deed in bundle.deeds]
        for name, count in (
            ("cash", bundle.cash),
            ("jail-cards", bundle.jail_cards),
            ("hotels", bundle.hotels),
            ("tickets", bundle.tickets),
        ):
            if count:
                pairs.append((f"{side}-{name}", str(count)))
        if bundle.debt:
            pairs.append((f"{side}-debt", "yes"))
    return tuple(pairs)


def _read_bundle(form: fields.Form, side: str, cash: Dollars) -> Bundle:
    """Read what one side gives, apart from its *cash*."""
    deeds = dict.fromkeys(form.getlist(f"{side}-deed")[:DEEDS_MAX])
    return Bundle(
        cash=cash,
        deeds=tuple(deeds),
        jail_cards=_read_count(form, f"{side}-jail-cards"),
        hotels=_read_count(form, f"{side}-hotels"),
        tickets=_read_count(form, f"{side}-tickets"),
        debt=fields.text(form, f"{side}-debt") == "yes",
    )


def _read_count(form: fields.Form, field: str) -> int:
    """Read a number from 0, and change it by 1 if its button was tapped."""
    count = fields.number(form, field) if form.get(field) else 0
    if form.get("up") == field:
        count += 1
    if form.get("down") == field:
        count -= 1
    return max(0, count)


def _read_cash(form: fields.Form, side: str) -> tuple[str, Dollars, str]:
    """Return the money of a side: its text, its value, and a hint if it is wrong."""
    typed = fields.text(form, f"{side}-cash")
    try:
        typed = fields.with_added(typed, fields.text(form, f"add-{side}"))
        amount = fields.dollars_in(typed) or 0
    except Malformed as error:
        return typed, 0, error.plain
    return typed, amount, ""


RENDER_AGAIN["deeds"] = _render_deeds_again
RENDER_AGAIN["trade"] = _render_trade_again
