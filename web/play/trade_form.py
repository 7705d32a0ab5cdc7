"""Reading and writing the form of a trade: the partner, and what either side gives.

The *giver* makes the offer, and the *taker* is to answer it. The side ``give`` is what
the giver would give, ``want`` what the giver wants in return. The fields are ``taker``
and for each side ``give-cash``, ``give-jail-cards``, ``give-hotels``, ``give-tickets``,
``give-debt``, and ``give-deed`` any number of times. Without script, buttons send
further fields: ``add-give`` and ``add-want`` hold an amount to add to the cash, and
``up`` and ``down`` name a field whose number changes by one.
"""

from __future__ import annotations

import msgspec

from companion.errors import Malformed
from companion.game.position import Bundle, Offer
from companion.units import Dollars, Seat
from web.http import fields

DEEDS_MAX = 60
"""How many deeds of a side are read; no edition has as many."""


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
