"""The pay sheet: a payment as it is filled in, and its effect before it is made.

The sheet is a form with payer, payee, amount and reason. For a preview, the rules try
the payment without changing the game, and the sheet shows both balances afterwards, or
a hint why the payment is impossible.
"""

from __future__ import annotations

import msgspec

from companion.errors import Malformed, Refused
from companion.game import Game
from companion.game import commands as c
from companion.game.ledger import Reason
from companion.rules import decide
from companion.units import BANK, Account, Dollars, Seat
from companion.views.refusals import refusal_text, sentence
from companion.views.table import SeatView, seat_names
from companion.words import say
from web.http import fields
from web.play import forms


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """The pay sheet as it is filled in, and the effect of the payment.

    Attributes:
        payer: The account that pays.
        payee: The account that is paid; empty while none is chosen.
        amount_text: The amount as it was typed.
        amount: The amount in whole dollars; ``None`` if the text is not an amount.
        reason: The reason of the payment.
        hint: A sentence on what is missing, or why it cannot be paid; may be empty.
        can_pay: Whether the payment would be accepted now.
        can_ask: Whether asking the payee for that amount would be accepted instead.
        payer_after: The payer's balance after a payment that can be made.
        payee_after: The payee's.
    """

    payer: str
    payee: str = ""
    amount_text: str = ""
    amount: Dollars | None = None
    reason: Reason = Reason.OTHER
    hint: str = ""
    can_pay: bool = False
    can_ask: bool = False
    payer_after: Dollars | None = None
    payee_after: Dollars | None = None


def empty_sheet(view: SeatView) -> Sheet:
    """Return a sheet with only a payer: the seat itself, or the bank for a banker."""
    return Sheet(payer=view.by if view.seat else BANK)


def filled_sheet(game: Game, view: SeatView, form: fields.Form) -> Sheet:
    """Read the sheet in *form*, and try the payment without changing *game*."""
    payer = fields.text(form, "payer") or empty_sheet(view).payer
    payee = fields.text(form, "payee")
    reason = forms.read_reason(form)
    typed, amount, hint = _read_amount(form)
    sheet = Sheet(
        payer=payer, payee=payee, amount_text=typed, amount=amount, reason=reason
    )
    if amount is None and (typed or payee):
        return msgspec.structs.replace(sheet, hint=hint)
    if not payee:
        return msgspec.structs.replace(sheet, hint=say("Choose who gets it."))
    return _try_payment(game, view, sheet)


def _read_amount(form: fields.Form) -> tuple[str, Dollars | None, str]:
    """Return the amount in *form*: its text, its value, and a hint if it is wrong.

    Without script, a button that adds 100, say, sends that in the field ``add``.
    """
    typed = fields.text(form, "amount")
    try:
        typed = fields.with_added(typed, fields.text(form, "add"))
        amount = fields.dollars_in(typed)
    except Malformed as error:
        return typed, None, sentence(error.plain, error.remedy)
    if not amount:
        return typed, None, say("How much?")
    return str(amount), amount, ""


def _try_payment(game: Game, view: SeatView, sheet: Sheet) -> Sheet:
    """Complete a sheet: ask the rules for its payment, and for a request instead."""
    payer, payee = Account(sheet.payer), Account(sheet.payee)
    amount = sheet.amount or 0
    can_ask = view.seat is not None and _is_allowed(
        game, c.AskMoney(by=view.by, seat=Seat(view.by), payer=payee, amount=amount)
    )
    try:
        decide(game, c.Pay(by=view.by, payer=payer, payee=payee, amount=amount))
    except Refused as refused:
        own_seat = view.seat.seat if view.seat else ""
        hint = sentence(*refusal_text(refused, seat_names(view.table), own_seat))
        return msgspec.structs.replace(sheet, hint=hint, can_ask=can_ask)
    return msgspec.structs.replace(
        sheet,
        can_pay=True,
        can_ask=can_ask and sheet.payer == view.by,
        payer_after=game.ledger[payer] - amount,
        payee_after=game.ledger[payee] + amount,
    )


def _is_allowed(game: Game, command: c.Command) -> bool:
    try:
        decide(game, command)
    except Refused:
        return False
    return True
