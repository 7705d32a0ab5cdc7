"""Commands from the forms of phones: only this module names the forms' fields."""

from __future__ import annotations

from collections.abc import Callable

from companion.game import commands as c
from companion.game import moves as m
from companion.game.box_key import taken_apart
from companion.game.envelope import Envelope
from companion.game.ledger import Reason
from companion.game.position import Bundle
from companion.rules.drawing import Begin, Choose
from companion.units import Account, Revision, Seat
from companion.words import say
from companion.words.money import parse_dollars
from companion.words.report import unexpected
from web.http.fields import FIELDS_MAX, Form, number, text
from web.play.another_card import written

PAY_REASONS = (
    Reason.RENT,
    Reason.PURCHASE,
    Reason.TAX,
    Reason.FINE,
    Reason.CARD,
    Reason.DEAL,
    Reason.OTHER,
)
"""Reasons that a person may give for a payment, in the order of the page."""

DICE = ("die-1", "die-2", "die-3")


def reason(form: Form) -> Reason:
    """Why money moves; ``OTHER`` where nothing was chosen.

    Raises:
        Malformed: If it is none of ``PAY_REASONS``.
    """
    found = text(form, "reason") or Reason.OTHER.value
    for known in PAY_REASONS:
        if known.value == found:
            return known
    wanted = ", ".join(PAY_REASONS)
    raise unexpected(say("a reason of {known}", known=wanted), repr(found[:40]))


def balance(form: Form) -> int:
    """A balance that the table agrees on, from 0.

    Raises:
        Malformed: If it is not a whole amount.
    """
    found = text(form, "balance")
    return 0 if found.strip(" $") == "0" else parse_dollars(found)


def _seat(form: Form) -> Seat:
    return Seat(text(form, "seat"))


def _pay(by: str, form: Form) -> c.Command:
    return c.Pay(
        by=by,
        payer=Account(text(form, "payer") or by),
        payee=Account(text(form, "payee")),
        amount=parse_dollars(text(form, "amount")),
        reason=reason(form),
    )


def _ask(by: str, form: Form) -> c.Command:
    return c.AskMoney(
        by=by,
        seat=Seat(text(form, "seat") or by),
        payer=Account(text(form, "payer")),
        amount=parse_dollars(text(form, "amount")),
        reason=reason(form),
    )


def sitting(by: str, form: Form) -> c.AddSeat:
    """A new seat, whose id is the name of its colour."""
    colour = text(form, "colour")
    return c.AddSeat(
        by=by,
        seat=Seat(colour),
        name=form.get("name", "")[:1_000],
        colour=colour,
        token=text(form, "token"),
    )


def _named(form: Form, prefix: str) -> dict[str, str]:
    """The fields whose names begin with *prefix*, named without it."""
    return {
        field.removeprefix(prefix): text(form, field)
        for field in list(form)[:FIELDS_MAX]
        if field.startswith(prefix)
    }


def _roll(by: str, form: Form) -> c.Command:
    """A roll with the dice as typed; without any, the panel throws them."""
    dice = tuple(number(form, field) for field in DICE if form.get(field))
    return m.Roll(by=by, dice=dice, special=text(form, "special"))


def _bundle(form: Form, side: str) -> Bundle:
    """One side of a trade: *side* is ``give`` or ``want``."""
    cash, cards, hotels = f"{side}-cash", f"{side}-jail-cards", f"{side}-hotels"
    return Bundle(
        cash=number(form, cash) if form.get(cash) else 0,
        deeds=tuple(form.getlist(f"{side}-deed")[:FIELDS_MAX]),
        jail_cards=number(form, cards) if form.get(cards) else 0,
        hotels=number(form, hotels) if form.get(hotels) else 0,
    )


def _offer(by: str, form: Form) -> c.Command:
    give, want = _bundle(form, "give"), _bundle(form, "want")
    return m.MakeOffer(by=by, taker=text(form, "taker"), give=give, want=want)


def _correction(by: str, form: Form) -> c.Command:
    """A correction in words, as typed or put together from what was chosen."""
    parts = [text(form, field) for field in ("words", "subject", "what", "value")]
    parts.append(text(form, "n").replace(",", "").lstrip("$ "))
    return m.CorrectPosition(by=by, words=tuple(" ".join(parts).lower().split()))


def _reading(by: str, form: Form) -> c.Command:
    """What the box says at a key: words for a space, otherwise an amount."""
    key, field = text(form, "key"), "likely" if form.get("likely") else "value"
    is_amount = taken_apart(key).is_amount
    value = number(form, field) if is_amount else text(form, field)
    return m.ReadBox(by=by, key=key, value=value)


def _of_deed(
    kind: Callable[..., c.Command],
) -> Callable[[str, Form], c.Command]:
    return lambda by, form: kind(by=by, deed=text(form, "deed"))


def _alone(kind: Callable[..., c.Command]) -> Callable[[str, Form], c.Command]:
    return lambda by, _: kind(by=by)


GUIDED: dict[str, Callable[[str, Form], c.Command]] = {
    "begin": lambda by, form: Begin(by=by, options=_named(form, "option-")),
    "rest": _alone(m.RestPlay),
    "resume": _alone(m.ResumePlay),
    "roll": _roll,
    "draw": lambda by, form: m.Draw(by=by, card=text(form, "card") or written(form)),
    "buy": _alone(m.Buy),
    "put-up": _alone(m.PutUp),
    "bid": lambda by, form: m.Bid(by=by, amount=parse_dollars(text(form, "amount"))),
    "pass": _alone(m.PassBid),
    "ask-rent": lambda by, form: m.AskRent(by=by, seat=text(form, "seat")),
    "pay-debt": _alone(m.PayDebt),
    "pay-jail": _alone(m.PayJail),
    "use-card": lambda by, form: m.UseCard(by=by, card=text(form, "card")),
    "build": _of_deed(m.Build),
    "unbuild": lambda by, form: m.Unbuild(
        by=by, deed=text(form, "deed"), is_all=text(form, "all") == "yes"
    ),
    "want-building": _of_deed(m.WantBuilding),
    "mortgage": _of_deed(m.Mortgage),
    "guess": lambda by, form: m.Guess(
        by=by,
        number=number(form, "number"),
        is_right={"yes": True, "no": False}.get(text(form, "opened")),
    ),
    "read-box": _reading,
    "lift": _of_deed(m.LiftMortgage),
    "offer": _offer,
    "accept": _alone(m.Accept),
    "reject": _alone(m.Reject),
    "declare-bankrupt": _alone(m.DeclareBankrupt),
    "resign": _alone(m.Resign),
    "correct-position": _correction,
    "call-time": _alone(m.CallTime),
    "move": lambda by, form: Choose(
        by=by, kind=text(form, "kind"), values=_named(form, "with-")
    ),
}
"""Forms of guided play: the last word of the address, and what makes the command.

``move`` is any move that the seat has now.
"""

FORMS: dict[str, Callable[[str, Form], c.Command]] = {
    "pay": _pay,
    "ask": _ask,
    "salary": lambda by, form: c.CollectSalary(by=by, seat=_seat(form)),
    "pay-ask": lambda by, form: c.PayAsk(by=by, number=number(form, "number")),
    "decline": lambda by, form: c.DeclineAsk(by=by, number=number(form, "number")),
    "withdraw": lambda by, form: c.WithdrawAsk(by=by, number=number(form, "number")),
    "undo": lambda by, _: c.Undo(by=by),
    "redo": lambda by, _: c.Redo(by=by),
    "rename": lambda by, form: c.RenameSeat(
        by=by, seat=_seat(form), name=form.get("name", "")[:1_000]
    ),
    "add-seat": sitting,
    "remove": lambda by, form: c.RemoveSeat(by=by, seat=_seat(form)),
    "hand": lambda by, form: c.HandBanker(by=by, to=_seat(form)),
    "lock": lambda by, _: c.LockTable(by=by),
    "unlock": lambda by, _: c.UnlockTable(by=by),
    "correct": lambda by, form: c.CorrectBalance(
        by=by, account=Account(text(form, "account")), balance=balance(form)
    ),
    "close": lambda by, _: c.CloseGame(by=by),
    "reopen": lambda by, _: c.ReopenGame(by=by),
    **GUIDED,
}
"""All forms: the last word of the address, and what makes the command."""


def envelope_from_form(command: c.Command, form: Form) -> Envelope:
    """*command* with the id and the revision of the page that sent it.

    Raises:
        Malformed: If the revision is not a whole number.
    """
    expected = form.get("expected_revision", "")
    revision = Revision(number(form, "expected_revision")) if expected else None
    return Envelope(command, text(form, "command_id"), revision)
