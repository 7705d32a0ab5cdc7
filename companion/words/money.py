"""Dollars as text: written as ``$1,200``, read from ``1200``, ``1 200`` or ``1,200``.

All amounts are whole. Each page also reads amounts as its language writes them, such as
``1.200 $`` in German. A separator counts only before exactly three digits, so a
fraction is refused, and never taken for another amount.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

from companion.errors import Malformed
from companion.units import Dollars
from companion.words import Words, say
from companion.words.amount import Amount
from companion.words.report import NOTHING, unexpected

AMOUNT_MIN: Final = 1
"""The smallest amount that can be moved, in whole dollars."""

AMOUNT_MAX: Final = 1_000_000
"""The largest amount that can be moved; no printed game comes near it."""

TEXT_LENGTH_MAX: Final = 40
"""A longer text is refused unread."""


def dollars_text(
    amount: Dollars, currency: str = "$", *, is_likely: bool = False
) -> Amount:
    """Write *amount* with the edition's sign and commas: ``$1,200``.

    *is_likely* marks it as only probable: ``≈$60``.
    """
    return Amount(amount, currency, is_likely=is_likely)


MILLION: Final = dollars_text(1_000_000)
"""A million as an English page writes it, the model of amounts that are read."""


def plain_text(text: str) -> str:
    """Return *text* with plain digits and blanks, and no invisible marks."""
    return "".join(map(_plain, text))


def _plain(letter: str) -> str:
    kind = unicodedata.category(letter)
    if kind == "Nd":  # A digit of any script.
        return str(unicodedata.decimal(letter))
    invisible, blank = "Cf", "Zs"
    return {invisible: "", blank: " "}.get(kind, letter)


@cache
def amount_form(million: str = MILLION) -> re.Pattern[str]:
    """Return the pattern of an amount in plain text; its first group is the number.

    Pages give the pattern to their script, so it must mean the same in JavaScript.

    Args:
        million: 1,000,000 as the reader's language and edition write it.
    """
    text = plain_text(million)
    gap = text.split("000")[1]
    sign = text.replace(f"1{gap}000{gap}000", "").strip()
    signs = f"(?:[$£€]|{_literal(sign)})"
    gaps = f"[, \N{ARABIC THOUSANDS SEPARATOR}\N{FULLWIDTH COMMA}{_literal(gap)}]"
    grouped = rf"[1-9][0-9]{{0,2}}({gaps})[0-9]{{3}}(?:\2[0-9]{{3}})*"
    # A leading zero is refused: it was probably typed by mistake.
    number = f"({grouped}|[1-9][0-9]*|0)"
    return re.compile(f" *(?:{signs} ?)?{number}(?: ?{signs})? *| *")


def _literal(text: str) -> str:
    """Escape *text* for a regular expression of Python or JavaScript."""
    return re.sub(r"[ -/:-@\[-`{-~]", lambda match: f"\\x{ord(match[0]):02x}", text)


def read_dollars(text: str, million: str = MILLION) -> Dollars | None:
    """Read an amount that a person typed; ``None`` if nothing was typed.

    Args:
        text: Digits of any script, perhaps with a sign of money before or after them,
            and with separators between every three.
        million: 1,000,000 as the reader's language and edition write it.

    Raises:
        Malformed: For anything else: a fraction, a minus, a leading zero, or more than
            ``AMOUNT_MAX``.
    """
    if len(text) > TEXT_LENGTH_MAX:
        raise _no_amount(text[:TEXT_LENGTH_MAX] + "...")
    match = amount_form(million).fullmatch(plain_text(text))
    if match is None:
        raise _no_amount(text)
    if not match[1]:
        return None
    amount = int(re.sub("[^0-9]", "", match[1]))
    if amount > AMOUNT_MAX:
        raise _no_amount(text, is_too_much=True)
    return amount


def parse_dollars(
    text: str, million: str = MILLION, least: Dollars = AMOUNT_MIN
) -> Dollars:
    """Read an amount of at least *least*, as ``read_dollars`` does.

    Raises:
        Malformed: For anything else, including nothing.
    """
    amount = read_dollars(text, million)
    if amount is None or amount < least:
        raise _no_amount(text, least)
    return amount


def _no_amount(
    text: str, least: Dollars = AMOUNT_MIN, *, is_too_much: bool = False
) -> Malformed:
    got, most = repr(plain_text(text)), dollars_text(AMOUNT_MAX)
    plain = say("{got} is no amount", got=got)
    if not plain_text(text).strip():
        got, plain = NOTHING, say("no amount was typed")
    elif is_too_much:
        plain = say("{got} is too much: {most} at most", got=got, most=most)
    return unexpected(
        amount_from(least), got, say("type a whole number such as 150"), plain=plain
    )


def amount_from(least: Dollars) -> Words:
    """Return the phrase for any amount of at least *least*."""
    return say(
        "a whole amount from {least} to {most}",
        least=dollars_text(least),
        most=dollars_text(AMOUNT_MAX),
    )
