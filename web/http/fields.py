"""Reading of single form fields: text, whole numbers and amounts of money.

People write amounts as their language does: ``1,500`` in English, ``1.500`` in German.
A field that cannot be read is refused with ``Malformed``, whose words name the field.
``web/play/forms.py`` builds commands from whole forms.
"""

from __future__ import annotations

from werkzeug.datastructures import MultiDict

from companion.errors import Malformed
from companion.units import Dollars
from companion.words import say
from companion.words.money import AMOUNT_MIN, parse_dollars, plain_text, read_dollars
from companion.words.report import NOTHING, unexpected
from web.http.language import million

Form = MultiDict[str, str]

NUMBER_LENGTH_MAX = 12
"""The most digits of a whole number."""

TEXT_LENGTH_MAX = 400
"""The most characters of a field."""

FIELDS_MAX = 100
"""The most fields that are read of a form."""


def text(form: Form, field: str) -> str:
    """Read a field of a form; empty if it is missing.

    Raises:
        Malformed: If it is longer than any field may be.
    """
    value = form.get(field, "")
    if len(value) > TEXT_LENGTH_MAX:
        raise Malformed(
            say(
                "{count} characters are too many for {field}: {most} at most",
                most=TEXT_LENGTH_MAX,
                field=field_words(field),
                count=len(value),
            ),
            say("type less"),
        )
    return value


FIELD_WORDS = {
    "die-1": say("the first die"),
    "die-2": say("the second die"),
    "die-3": say("the third die"),
    "number": say("the number"),
    "amount": say("the amount"),
    "likely": say("the amount"),
    "value": say("the amount"),
    "give-cash": say("the money that you give"),
    "want-cash": say("the money that you want"),
    "give-jail-cards": say("the cards that you give"),
    "want-jail-cards": say("the cards that you want"),
    "give-hotels": say("the hotels that you give"),
    "want-hotels": say("the hotels that you want"),
    "give-tickets": say("the bus tickets that you give"),
    "want-tickets": say("the bus tickets that you want"),
    "words": say("what is so"),
}
"""The words for each field that people type into."""


def field_words(field: str) -> str:
    """Return the words for a field, or its name if nobody types into it."""
    return FIELD_WORDS.get(field, field)


def number(form: Form, field: str) -> int:
    """Read a field that holds a whole number from 0.

    Raises:
        Malformed: If it holds anything else, or nothing.
    """
    digits = plain_text(text(form, field)).strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) <= NUMBER_LENGTH_MAX):
        got, name = repr(digits[:40]), field_words(field)
        plain = say("{got} is no whole number for {field}", got=got, field=name)
        if not digits:
            got = NOTHING
            plain = say("a number is missing for {field}", field=name)
        raise unexpected(
            say("a whole number as {field}", field=name),
            got,
            say("type it in digits"),
            plain=plain,
        )
    return int(digits)


def dollars_in(typed: str) -> Dollars | None:
    """Read an amount, which may be 0, in this phone's language; ``None`` for a blank.

    Raises:
        Malformed: If it is not an amount.
    """
    return read_dollars(typed, million())


def with_added(typed: str, added: str) -> str:
    """Add a tapped button's amount, if any, to a field's text; return the new text.

    Raises:
        Malformed: If either is not an amount.
    """
    if not added:
        return typed
    return str((dollars_in(typed) or 0) + (dollars_in(added) or 0))


def amount_in(typed: str, least: Dollars = AMOUNT_MIN) -> Dollars:
    """Read an amount of at least *least* dollars in this phone's language.

    Raises:
        Malformed: If *typed* is something else or blank.
    """
    return parse_dollars(typed, million(), least)


def amount(form: Form, field: str) -> Dollars:
    """Read a field that holds an amount, which may not be 0.

    Raises:
        Malformed: If it holds anything else, or nothing.
    """
    return amount_in(text(form, field))


def amount_or_0(form: Form, field: str) -> Dollars:
    """Read a field that holds an amount, which may be 0.

    Raises:
        Malformed: If it holds anything else, or nothing.
    """
    return amount_in(text(form, field), 0)
