"""Commands from the forms of phones.

The address of a form is that of its command, and its fields have the names of the
command's own; only forms that ask in another way are written out.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.errors import Malformed, quoted
from companion.game import commands as c
from companion.game import moves as m
from companion.game.box_key import taken_apart
from companion.game.envelope import Envelope
from companion.game.ledger import Reason
from companion.game.position import Bundle
from companion.rules.drawing import FROM_PHONES, Begin
from companion.units import (
    Account,
    Balance,
    CardId,
    ChoiceWord,
    DeedWord,
    Dollars,
    Levels,
    Name,
    Revision,
    Seat,
    SeatWord,
    SpaceWord,
    TargetWord,
)
from companion.words import say
from companion.words.money import plain_text
from companion.words.report import unexpected
from web.http.fields import (
    FIELDS_MAX,
    Form,
    amount,
    amount_or_0,
    dollars_in,
    number,
    text,
)
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

NAME_LENGTH_MAX = 1_000
"""Longer names are cut; the rules refuse them long before."""

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
    got = quoted(found)
    raise unexpected(
        say("a reason of {known}", known=wanted),
        got,
        say("choose what the money is for"),
        plain=say("{got} is no reason to pay", got=got),
    )


def _pay(by: str, form: Form) -> c.Command:
    return c.Pay(
        by=by,
        payer=Account(text(form, "payer") or by),
        payee=Account(text(form, "payee")),
        amount=amount(form, "amount"),
        reason=reason(form),
    )


def _ask(by: str, form: Form) -> c.Command:
    return c.AskMoney(
        by=by,
        seat=Seat(text(form, "seat") or by),
        payer=Account(text(form, "payer")),
        amount=amount(form, "amount"),
        reason=reason(form),
    )


def sitting(by: str, form: Form) -> c.AddSeat:
    """A new seat, whose id is the name of its colour."""
    colour = text(form, "colour")
    return c.AddSeat(
        by=by,
        seat=Seat(colour),
        name=form.get("name", "")[:NAME_LENGTH_MAX],
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

    def count(field: str) -> int:
        name = f"{side}-{field}"
        return number(form, name) if form.get(name) else 0

    return Bundle(
        cash=dollars_in(text(form, f"{side}-cash")) or 0,
        deeds=tuple(form.getlist(f"{side}-deed")[:FIELDS_MAX]),
        jail_cards=count("jail-cards"),
        hotels=count("hotels"),
        tickets=count("tickets"),
        debt=form.get(f"{side}-debt") == "yes",
    )


def levels_in(form: Form) -> Levels:
    """What shall stand on each street of a group, as ``level-boardwalk`` says it.

    Raises:
        Malformed: If one of them is no whole number.
    """
    deeds = [one.removeprefix(LEVEL) for one in list(form)[:FIELDS_MAX] if LEVEL in one]
    return tuple((deed, number(form, f"{LEVEL}{deed}")) for deed in deeds)


LEVEL = "level-"
"""Stands before the deed in the name of such a field."""


def _level(by: str, form: Form) -> c.Command:
    return m.Level(by=by, levels=levels_in(form))


def offer(by: str, form: Form) -> m.MakeOffer:
    """Read the trade that a form offers.

    Raises:
        Malformed: If a number or an amount in it is none.
    """
    give, want = _bundle(form, "give"), _bundle(form, "want")
    return m.MakeOffer(by=by, taker=text(form, "taker"), give=give, want=want)


def _correction(by: str, form: Form) -> c.Command:
    """A correction in words, as typed or put together from what was chosen."""
    parts = [text(form, field) for field in ("words", "subject", "what", "value")]
    if "n" in form:
        parts.append(str(amount_or_0(form, "n")))
    words = plain_text(" ".join(parts)).lower().split()
    return m.CorrectPosition(by=by, words=tuple(words))


def _reading(by: str, form: Form) -> c.Command:
    """What the box says at a key: words for a space, otherwise an amount.

    The amount in ``likely`` is one that nobody has read off the box.
    """
    key, is_likely = text(form, "key"), bool(form.get("likely"))
    field = "likely" if is_likely else "value"
    is_amount = taken_apart(key).is_amount
    value = amount_or_0(form, field) if is_amount else text(form, field)
    return m.ReadBox(by=by, key=key, value=value, is_likely=is_likely)


def _begin(by: str, form: Form) -> c.Command:
    named = _named(form, "option-")
    return Begin(by=by, options={key: _chosen(value) for key, value in named.items()})


def _chosen(value: str) -> str:
    """Return an option's word; a number that was typed instead, as plain digits."""
    try:
        found = dollars_in(value)
    except Malformed:
        return value
    return value if found is None else str(found)


def _draw(by: str, form: Form) -> c.Command:
    return m.Draw(by=by, card=text(form, "card") or written(form))


Make = Callable[[str, Form], c.Command]
"""Makes a command from who asks and a form."""

ODD: dict[type[c.Command], Make] = {
    c.Pay: _pay,
    c.AskMoney: _ask,
    c.AddSeat: sitting,
    Begin: _begin,
    m.Roll: _roll,
    m.Draw: _draw,
    m.MakeOffer: offer,
    m.Level: _level,
    m.ReadBox: _reading,
    m.CorrectPosition: _correction,
}
"""The forms that do not follow from the fields of their command."""

READERS: dict[object, Callable[[Form, str], object]] = {
    **dict.fromkeys((int, Revision), number),
    **dict.fromkeys((str, Seat, SeatWord, DeedWord, CardId, Account), text),
    **dict.fromkeys((TargetWord, SpaceWord, ChoiceWord), text),
    Dollars: amount,
    Balance: amount_or_0,
    Name: lambda form, field: form.get(field, "")[:NAME_LENGTH_MAX],
    bool: lambda form, field: text(form, field) == "yes",
    bool | None: lambda form, field: {"yes": True, "no": False}.get(text(form, field)),
}
"""Type of a field -> what reads it; fields of other types come from no form."""


def _derived(kind: type[c.Command]) -> Make:
    """What makes a command from fields with the names of its own."""
    fields = [field for field in c.fields_of(kind) if field.type in READERS]

    def make(by: str, form: Form) -> c.Command:
        given = (field for field in fields if field.required or form.get(field.name))
        said = {field.name: READERS[field.type](form, field.name) for field in given}
        command: Callable[..., c.Command] = kind
        return command(by=by, **said)

    return make


FORMS = {c.address_of(kind): ODD.get(kind) or _derived(kind) for kind in FROM_PHONES}
"""All forms: the last word of the address, and what makes the command."""


def envelope_from_form(command: c.Command, form: Form) -> Envelope:
    """*command* with the id and the revision of the page that sent it.

    Raises:
        Malformed: If the revision is not a whole number.
    """
    expected = form.get("expected_revision", "")
    revision = Revision(number(form, "expected_revision")) if expected else None
    return Envelope(command, text(form, "command_id"), revision)
