"""Conversion of the forms on phones to commands of the game.

A form's address ends in the word of its command, and most forms have the command's own
fields, so their readers are derived from it. ``ODD`` lists the readers of the others.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.errors import Malformed, quoted
from companion.game import commands as c
from companion.game import moves as m
from companion.game.box_key import split_key
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
"""Longer names are cut; the rules refuse much shorter ones."""

DICE = ("die-1", "die-2", "die-3")
"""The fields for the numbers that the dice show."""


def reason(form: Form) -> Reason:
    """Read the reason of a payment; ``OTHER`` if none was chosen.

    Raises:
        Malformed: If it is none of ``PAY_REASONS``.
    """
    value = text(form, "reason") or Reason.OTHER.value
    for known in PAY_REASONS:
        if known.value == value:
            return known
    got = quoted(value)
    raise unexpected(
        say("a reason of {known}", known=", ".join(PAY_REASONS)),
        got,
        say("choose what the money is for"),
        plain=say("{got} is no reason to pay", got=got),
    )


def _pay(by: str, form: Form) -> c.Command:
    """Read a payment; without a payer, the sender pays."""
    return c.Pay(
        by=by,
        payer=Account(text(form, "payer") or by),
        payee=Account(text(form, "payee")),
        amount=amount(form, "amount"),
        reason=reason(form),
    )


def _ask(by: str, form: Form) -> c.Command:
    """Read a request for money; without a seat, it is for the sender's."""
    return c.AskMoney(
        by=by,
        seat=Seat(text(form, "seat") or by),
        payer=Account(text(form, "payer")),
        amount=amount(form, "amount"),
        reason=reason(form),
    )


def read_new_seat(by: str, form: Form) -> c.AddSeat:
    """Read the command for a new seat, whose id is the name of its colour."""
    colour = text(form, "colour")
    return c.AddSeat(
        by=by,
        seat=Seat(colour),
        name=form.get("name", "")[:NAME_LENGTH_MAX],
        colour=colour,
        token=text(form, "token"),
    )


def _named(form: Form, prefix: str) -> dict[str, str]:
    """Read the fields whose names begin with *prefix*, by the rest of their names."""
    return {
        field.removeprefix(prefix): text(form, field)
        for field in list(form)[:FIELDS_MAX]
        if field.startswith(prefix)
    }


def _roll(by: str, form: Form) -> c.Command:
    """Read a roll; if no numbers were typed, the companion throws the dice."""
    dice = tuple(number(form, field) for field in DICE if form.get(field))
    return m.Roll(by=by, dice=dice, special=text(form, "special"))


def _bundle(form: Form, side: str) -> Bundle:
    """Read one side of a trade: *side* is ``give`` or ``want``."""

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
    """Read the planned level of each street, from fields like ``level-boardwalk``.

    Raises:
        Malformed: If one of them is not a whole number.
    """
    names = [field for field in list(form)[:FIELDS_MAX] if LEVEL in field]
    return tuple(
        (name.removeprefix(LEVEL), number(form, f"{LEVEL}{name.removeprefix(LEVEL)}"))
        for name in names
    )


LEVEL = "level-"
"""The prefix of such a field's name; the id of the deed follows it."""


def _level(by: str, form: Form) -> c.Command:
    return m.Level(by=by, levels=levels_in(form))


def read_offer(by: str, form: Form) -> m.MakeOffer:
    """Read the trade that a form offers.

    Raises:
        Malformed: If it contains text instead of a number or an amount.
    """
    give, want = _bundle(form, "give"), _bundle(form, "want")
    return m.MakeOffer(by=by, taker=text(form, "taker"), give=give, want=want)


def _correction(by: str, form: Form) -> c.Command:
    """Read a correction: words that were typed, or that choices put together."""
    parts = [text(form, field) for field in ("words", "subject", "what", "value")]
    if "n" in form:
        parts.append(str(amount_or_0(form, "n")))
    words = plain_text(" ".join(parts)).lower().split()
    return m.CorrectPosition(by=by, words=tuple(words))


def _box_figure(by: str, form: Form) -> c.Command:
    """Read a figure of the box: words for a space, an amount for any other key.

    The field ``likely`` holds an amount that nobody has read off the box itself.
    """
    key, is_likely = text(form, "key"), bool(form.get("likely"))
    field = "likely" if is_likely else "value"
    is_amount = split_key(key).is_amount
    value = amount_or_0(form, field) if is_amount else text(form, field)
    return m.ReadBox(by=by, key=key, value=value, is_likely=is_likely)


def _begin(by: str, form: Form) -> c.Command:
    """Read the start of guided play, with the table's options."""
    named = _named(form, "option-")
    return Begin(by=by, options={key: _option(value) for key, value in named.items()})


def _option(value: str) -> str:
    """Return an option's word unchanged, and a typed number as plain digits."""
    try:
        count = dollars_in(value)
    except Malformed:
        return value
    return value if count is None else str(count)


def _draw(by: str, form: Form) -> c.Command:
    """Read a drawn card: one from the list, or one that people describe."""
    return m.Draw(by=by, card=text(form, "card") or written(form))


Make = Callable[[str, Form], c.Command]
"""A function that makes a command from its sender and a form."""

ODD: dict[type[c.Command], Make] = {
    c.Pay: _pay,
    c.AskMoney: _ask,
    c.AddSeat: read_new_seat,
    Begin: _begin,
    m.Roll: _roll,
    m.Draw: _draw,
    m.MakeOffer: read_offer,
    m.Level: _level,
    m.ReadBox: _box_figure,
    m.CorrectPosition: _correction,
}
"""Readers of forms whose fields differ from those of the command."""

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
"""Readers of fields, by type; a field of another type is not read from forms."""


def _derived(kind: type[c.Command]) -> Make:
    """Build the reader of a form that has the fields of its command."""
    fields = [field for field in c.fields_of(kind) if field.type in READERS]

    def make(by: str, form: Form) -> c.Command:
        given = (field for field in fields if field.required or form.get(field.name))
        values = {field.name: READERS[field.type](form, field.name) for field in given}
        command: Callable[..., c.Command] = kind
        return command(by=by, **values)

    return make


FORMS = {c.address_of(kind): ODD.get(kind) or _derived(kind) for kind in FROM_PHONES}
"""The readers of all forms, by the last word of their address."""


def envelope_from_form(command: c.Command, form: Form) -> Envelope:
    """Wrap *command* with the form's command id and the page's revision.

    Raises:
        Malformed: If the revision is not a whole number.
    """
    expected = form.get("expected_revision", "")
    revision = Revision(number(form, "expected_revision")) if expected else None
    return Envelope(command, text(form, "command_id"), revision)
