"""Conversion of the forms on phones to commands of the game.

A form's address ends in the word of its command. A *reader* makes the command from its
sender's account and the form. Most forms have the fields of their command, so their
readers are derived from it; ``BY_HAND`` lists the others.
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
from web.play.another_card import code_from_form

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

NAME_READ_MAX = 1_000
"""How many characters of a name are read; the rules refuse even shorter names."""

DICE = ("die-1", "die-2", "die-3")
"""The fields for the numbers on the dice."""


def read_reason(form: Form) -> Reason:
    """Read the reason of a payment; ``OTHER`` if none was chosen.

    Raises:
        Malformed: If the reason is not in ``PAY_REASONS``.
    """
    value = text(form, "reason") or Reason.OTHER.value
    for reason in PAY_REASONS:
        if reason.value == value:
            return reason
    got = quoted(value)
    raise unexpected(
        say("a reason of {known}", known=", ".join(PAY_REASONS)),
        got,
        say("choose what the money is for"),
        plain=say("{got} is no reason to pay", got=got),
    )


def _read_payment(sender: str, form: Form) -> c.Command:
    """Read a payment; if no payer is named, the sender pays."""
    return c.Pay(
        by=sender,
        payer=Account(text(form, "payer") or sender),
        payee=Account(text(form, "payee")),
        amount=amount(form, "amount"),
        reason=read_reason(form),
    )


def _read_request(sender: str, form: Form) -> c.Command:
    """Read a request for money; if no seat is named, it is for the sender."""
    return c.AskMoney(
        by=sender,
        seat=Seat(text(form, "seat") or sender),
        payer=Account(text(form, "payer")),
        amount=amount(form, "amount"),
        reason=read_reason(form),
    )


def read_new_seat(sender: str, form: Form) -> c.AddSeat:
    """Read the command for a new seat, whose id is the name of its colour."""
    colour = text(form, "colour")
    return c.AddSeat(
        by=sender,
        seat=Seat(colour),
        name=form.get("name", "")[:NAME_READ_MAX],
        colour=colour,
        token=text(form, "token"),
    )


def _read_roll(sender: str, form: Form) -> c.Command:
    """Read a roll; if no numbers were typed, the companion throws the dice."""
    dice = tuple(number(form, field) for field in DICE if form.get(field))
    return m.Roll(by=sender, dice=dice, special=text(form, "special"))


def _read_bundle(form: Form, side: str) -> Bundle:
    """Read one side of a trade: *side* is ``give`` or ``want``."""

    def count(what: str) -> int:
        field = f"{side}-{what}"
        return number(form, field) if form.get(field) else 0

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
    fields = [field for field in list(form)[:FIELDS_MAX] if LEVEL in field]
    deeds = [field.removeprefix(LEVEL) for field in fields]
    return tuple((deed, number(form, f"{LEVEL}{deed}")) for deed in deeds)


LEVEL = "level-"
"""The prefix of a field for a planned level, before the id of the deed."""


def _read_plan(sender: str, form: Form) -> c.Command:
    return m.Level(by=sender, levels=levels_in(form))


def read_offer(sender: str, form: Form) -> m.MakeOffer:
    """Read the trade that a form offers.

    Raises:
        Malformed: If it contains text instead of a number or an amount.
    """
    give, want = _read_bundle(form, "give"), _read_bundle(form, "want")
    return m.MakeOffer(by=sender, taker=text(form, "taker"), give=give, want=want)


def _read_correction(sender: str, form: Form) -> c.Command:
    """Read a correction: its words were typed, or come from choices on the page."""
    parts = [text(form, field) for field in ("words", "subject", "what", "value")]
    if "n" in form:
        parts.append(str(amount_or_0(form, "n")))
    words = plain_text(" ".join(parts)).lower().split()
    return m.CorrectPosition(by=sender, words=tuple(words))


def _read_box_figure(sender: str, form: Form) -> c.Command:
    """Read a figure off the box: an amount, or words for a space.

    An amount in the field ``likely`` was guessed from similar deeds instead.
    """
    key, is_likely = text(form, "key"), bool(form.get("likely"))
    field = "likely" if is_likely else "value"
    is_amount = split_key(key).is_amount
    value = amount_or_0(form, field) if is_amount else text(form, field)
    return m.ReadBox(by=sender, key=key, value=value, is_likely=is_likely)


def _read_begin(sender: str, form: Form) -> c.Command:
    """Read the start of guided play, with the table's options."""
    options = {
        field.removeprefix(OPTION): _option_value(text(form, field))
        for field in list(form)[:FIELDS_MAX]
        if field.startswith(OPTION)
    }
    return Begin(by=sender, options=options)


OPTION = "option-"
"""The prefix of a field for an option of the table, before the option's name."""


def _option_value(value: str) -> str:
    """Return a number in plain digits, however it was typed; keep any other word."""
    try:
        count = dollars_in(value)
    except Malformed:
        return value
    return value if count is None else str(count)


def _read_draw(sender: str, form: Form) -> c.Command:
    """Read a drawn card: one from the list, or one that people describe."""
    return m.Draw(by=sender, card=text(form, "card") or code_from_form(form))


Reader = Callable[[str, Form], c.Command]
"""A function that makes a command from its sender and a form."""

BY_HAND: dict[type[c.Command], Reader] = {
    c.Pay: _read_payment,
    c.AskMoney: _read_request,
    c.AddSeat: read_new_seat,
    Begin: _read_begin,
    m.Roll: _read_roll,
    m.Draw: _read_draw,
    m.MakeOffer: read_offer,
    m.Level: _read_plan,
    m.ReadBox: _read_box_figure,
    m.CorrectPosition: _read_correction,
}
"""Readers of forms whose fields differ from those of the command."""

FIELD_READERS: dict[object, Callable[[Form, str], object]] = {
    **dict.fromkeys((int, Revision), number),
    **dict.fromkeys((str, Seat, SeatWord, DeedWord, CardId, Account), text),
    **dict.fromkeys((TargetWord, SpaceWord, ChoiceWord), text),
    Dollars: amount,
    Balance: amount_or_0,
    Name: lambda form, field: form.get(field, "")[:NAME_READ_MAX],
    bool: lambda form, field: text(form, field) == "yes",
    bool | None: lambda form, field: {"yes": True, "no": False}.get(text(form, field)),
}
"""Readers of fields, by type; fields of other types are not in forms."""


def _derive_reader(kind: type[c.Command]) -> Reader:
    """Build the reader of a form that has the fields of its command.

    An optional field that is empty in the form keeps the command's default.
    """
    fields = [field for field in c.fields_of(kind) if field.type in FIELD_READERS]

    def read(sender: str, form: Form) -> c.Command:
        values = {
            field.name: FIELD_READERS[field.type](form, field.name)
            for field in fields
            if field.required or form.get(field.name)
        }
        command: Callable[..., c.Command] = kind
        return command(by=sender, **values)

    return read


FORMS = {
    c.address_of(kind): BY_HAND.get(kind) or _derive_reader(kind)
    for kind in FROM_PHONES
}
"""The readers of all forms, by the last word of their address."""


def envelope_from_form(command: c.Command, form: Form) -> Envelope:
    """Wrap *command* with the form's command id and the page's revision.

    Raises:
        Malformed: If the revision is not a whole number.
    """
    expected = form.get("expected_revision", "")
    revision = Revision(number(form, "expected_revision")) if expected else None
    return Envelope(command, text(form, "command_id"), revision)
