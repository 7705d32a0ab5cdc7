"""A trade as a form says it: who is asked, and what either side would give.

Fields: ``taker``; for each side (``give``, ``want``) any number of ``-deed``, and
``-cash``, ``-jail-cards``, ``-hotels``, ``-tickets``, ``-debt``. ``add-give`` and
``add-want`` are quick amounts, and ``up`` and ``down`` name a field of which it is one
more or less; the server works these out where no script does so on the page.
"""

from __future__ import annotations

import msgspec

from companion.errors import Malformed
from companion.game.position import Bundle, Offer
from companion.units import Dollars, Seat
from web.http import fields

SIDES = ("give", "want")
DEEDS_MAX = 60
"""More deeds than any edition has."""


class Draft(msgspec.Struct, frozen=True):
    """A trade as far as it is filled in.

    Attributes:
        offer: The trade, without what was not understood.
        texts: What stands in the two fields for money, the giver's first.
        hint: What was not understood; may be empty.
        counters: Whether it is a counter-offer to the offer the giver has to answer.
    """

    offer: Offer
    texts: tuple[str, str] = ("", "")
    hint: str = ""
    counters: bool = False


def read_draft(by: str, form: fields.Form) -> Draft:
    """The trade in *form*; what makes no sense is left out and named in the hint.

    Raises:
        Malformed: If a field is longer than any field may be.
    """
    read = [_money(form, side) for side in SIDES]
    give, want = (
        _bundle(form, side, amount)
        for side, (_, amount, _) in zip(SIDES, read, strict=True)
    )
    offer = Offer(Seat(by), Seat(fields.text(form, "taker")), give, want)
    hint = next((hint for _, _, hint in read if hint), "")
    texts = (read[0][0], read[1][0])
    return Draft(offer, texts, hint, fields.text(form, "counter") == "yes")


def swapped(offer: Offer) -> Draft:
    """*offer* with its sides swapped, as a counter-offer begins."""
    back = Offer(offer.taker, offer.giver, offer.want, offer.give)
    texts = (cash_text(back.give.cash), cash_text(back.want.cash))
    return Draft(back, texts, counters=True)


def cash_text(cash: Dollars) -> str:
    """An amount as it stands in its field; empty for 0."""
    return str(cash) if cash else ""


def fields_of(offer: Offer) -> tuple[tuple[str, str], ...]:
    """Names and values of the hidden fields that describe *offer* in a form."""
    found = [("taker", str(offer.taker))]
    for side, bundle in zip(SIDES, (offer.give, offer.want), strict=True):
        found += [(f"{side}-deed", deed) for deed in bundle.deeds]
        for name, count in (
            ("cash", bundle.cash),
            ("jail-cards", bundle.jail_cards),
            ("hotels", bundle.hotels),
            ("tickets", bundle.tickets),
        ):
            if count:
                found.append((f"{side}-{name}", str(count)))
        if bundle.debt:
            found.append((f"{side}-debt", "yes"))
    return tuple(found)


def _bundle(form: fields.Form, side: str, cash: Dollars) -> Bundle:
    deeds = dict.fromkeys(form.getlist(f"{side}-deed")[:DEEDS_MAX])
    return Bundle(
        cash=cash,
        deeds=tuple(deeds),
        jail_cards=_count(form, f"{side}-jail-cards"),
        hotels=_count(form, f"{side}-hotels"),
        tickets=_count(form, f"{side}-tickets"),
        debt=fields.text(form, f"{side}-debt") == "yes",
    )


def _count(form: fields.Form, field: str) -> int:
    count = fields.number(form, field) if form.get(field) else 0
    more = form.get("up") == field
    return max(0, count + more - (form.get("down") == field))


def _money(form: fields.Form, side: str) -> tuple[str, Dollars, str]:
    """What stands in the field, how much that is, and what is wrong with it."""
    typed = fields.text(form, f"{side}-cash")
    try:
        typed = fields.with_added(typed, fields.text(form, f"add-{side}"))
        amount = fields.dollars_in(typed) or 0
    except Malformed as error:
        return typed, 0, error.plain
    return typed, amount, ""
