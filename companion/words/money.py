"""Dollars as text: written as ``$1,200``, read from ``1200``, ``1 200`` or ``1,200``.

Whole numbers only; no part of the program handles fractions.
"""

from __future__ import annotations

import re
from typing import Final

from companion.errors import Malformed
from companion.units import Dollars
from companion.words import Words, say
from companion.words.amount import Amount
from companion.words.report import NOTHING, unexpected

AMOUNT_MIN: Final = 1
"""The smallest amount that can be moved, in whole dollars."""

AMOUNT_MAX: Final = 1_000_000
"""The largest amount that can be moved at once; no printed game comes near it."""

TEXT_LENGTH_MAX: Final = 40
"""Longer texts are not read at all, and are cut where an error quotes them."""

_SPACES = str.maketrans({"\N{NO-BREAK SPACE}": " ", "\N{NARROW NO-BREAK SPACE}": " "})
_WRITTEN = re.compile(
    r"(?:[$£€] ?)?([1-9][0-9]{0,2}(?:(?:,[0-9]{3})+|(?: [0-9]{3})+)|[0-9]+)(?: ?[$£€])?"
)


def dollars_text(
    amount: Dollars, currency: str = "$", *, is_likely: bool = False
) -> Amount:
    """Print *amount* with the edition's sign and commas: ``$1,200``.

    Args:
        amount: Whole dollars; below zero for the bank's account.
        currency: The edition's sign, put before the first digit.
        is_likely: Mark it as an amount that nobody knows: ``≈$60``.
    """
    return Amount(amount, currency, is_likely=is_likely)


def parse_dollars(text: str) -> Dollars:
    """Read an amount that a person typed.

    Args:
        text: Digits 0-9, optionally one of ``$ £ €`` before or after them, and commas
            or blanks between every three.

    Returns:
        Whole dollars from ``AMOUNT_MIN`` to ``AMOUNT_MAX``.

    Raises:
        Malformed: For anything else: a fraction, a sign, zero, a leading zero,
            digits of other scripts, an amount out of range.
    """
    if len(text) > TEXT_LENGTH_MAX:
        raise _no_amount(text[:TEXT_LENGTH_MAX] + "...")
    match = _WRITTEN.fullmatch(text.translate(_SPACES).strip(" "))
    digits = "" if match is None else match[1].replace(",", "").replace(" ", "")
    # A leading zero is more likely a typing slip than meant.
    if not digits or digits.startswith("0") or int(digits) > AMOUNT_MAX:
        raise _no_amount(text)
    return int(digits)


def _no_amount(text: str) -> Malformed:
    got = repr(text)
    if not text.strip():
        got, plain = NOTHING, say("no amount was typed")
    elif text.isascii() and text.isdigit() and int(text) > AMOUNT_MAX:
        most = dollars_text(AMOUNT_MAX)
        plain = say("{got} is too much: {most} at most", got=got, most=most)
    else:
        plain = say("{got} is no amount", got=got)
    return unexpected(
        amount_from(AMOUNT_MIN),
        got,
        say("type a whole number such as 150"),
        plain=plain,
    )


def amount_from(least: Dollars) -> Words:
    """Any amount from *least* on, as a phrase for what should have been typed."""
    return say(
        "a whole amount from {least} to {most}",
        least=dollars_text(least),
        most=dollars_text(AMOUNT_MAX),
    )
