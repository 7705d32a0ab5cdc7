"""Reading and writing the form of a trade: the partner, and what either side gives.

The fields are ``taker`` and, for each side (``give``, ``want``), any number of
``-deed``, and ``-cash``, ``-jail-cards``, ``-hotels``, ``-tickets``, ``-debt``. Without
script, the page's buttons send further fields: ``add-give`` and ``add-want`` add an
amount, and ``up`` and ``down`` name a field whose number changes by one.
"""

from __future__ import annotations

import msgspec

from companion.errors import Malformed
from companion.game.position import Bundle, Offer
from companion.units import Dollars, Seat
from web.http import fields

DEEDS_MAX = 60
"""Further deeds are ignored; no edition has as many."""


class Draft(msgspec.Struct, frozen=True):
    """A trade as far as it is filled in.

    Attributes:
        offer: The trade, without the amounts that could not be read.
        texts: The texts of the two fields for money, the giver's first.
        hint: A sentence about what could not be read; may be empty.
        counters: Whether it answers an offer to the giver, as a counter-offer.
    """

    offer: Offer
    texts: tuple[str, str] = ("", "")
    hint: str = ""
    counters: bool = False


def read_draft(by: str, form: fields.Form) -> Draft:
    """Read the trade in *form*; the hint names an amount that cannot be read.

    Raises:
        Malformed: If a field is longer than any field may be.
    """
    give_text, give_cash, give_hint = _money(form, "give")
    want_text, want_cash, want_hint = _money(form, "want")
    give = _bundle(form, "give", give_cash)
    want = _bundle(form, "want", want_cash)
    offer = Offer(Seat(by), Seat(fields.text(form, "taker")), give, want)
    is_counter = fields.text(form, "counter") == "yes"
    return Draft(offer, (give_text, want_text), give_hint or want_hint, is_counter)


def swapped(offer: Offer) -> Draft:
    """Return *offer* with its sides swapped, as the start of a counter-offer."""
    back = Offer(offer.taker, offer.giver, offer.want, offer.give)
    texts = (cash_text(back.give.cash), cash_text(back.want.cash))
    return Draft(back, texts, counters=True)


def cash_text(cash: Dollars) -> str:
    """Return the text of an amount's field; empty for 0."""
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


def _bundle(form: fields.Form, side: str, cash: Dollars) -> Bundle:
    """Read what one side gives; its cash was read before."""
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
    """Read a number, changed by one if a button for that was tapped; at least 0."""
    count = fields.number(form, field) if form.get(field) else 0
    more = form.get("up") == field
    return max(0, count + more - (form.get("down") == field))


def _money(form: fields.Form, side: str) -> tuple[str, Dollars, str]:
    """Return the text of a side's field for money, its amount, and a hint if wrong."""
    typed = fields.text(form, f"{side}-cash")
    try:
        typed = fields.with_added(typed, fields.text(form, f"add-{side}"))
        amount = fields.dollars_in(typed) or 0
    except Malformed as error:
        return typed, 0, error.plain
    return typed, amount, ""
