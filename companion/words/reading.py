"""Reads the words of a typed line; ``Malformed`` says what cannot be read.

The *rest* of a line is its words that were not read yet.
"""

from __future__ import annotations

from companion.errors import quoted
from companion.words import say
from companion.words.money import AMOUNT_MAX, amount_from
from companion.words.report import NOTHING, unexpected


def number(text: str, most: int = AMOUNT_MAX) -> int:
    """Return *text* as a whole number from 0 to *most*."""
    if not (text.isascii() and text.isdigit() and len(text) < 10) or int(text) > most:
        expected = say("a number from 0 to {most}", most=most)
        if most == AMOUNT_MAX:
            expected = amount_from(0)
        raise unexpected(expected, quoted(text), say("type another number"))
    return int(text)


def one_word(rest: tuple[str, ...]) -> str:
    """Return the only word of *rest*."""
    if len(rest) != 1:
        raise unexpected(say("one word more"), quoted_all(rest))
    return rest[0]


def amount_and_creditor(rest: tuple[str, ...]) -> tuple[str, str]:
    """Read a debt, such as ``200 to blue``; without ``to``, the creditor is empty."""
    match rest:
        case (amount,):
            return amount, ""
        case (amount, "to", creditor):
            return amount, creditor
    raise unexpected(say("an amount and to whom"), quoted_all(rest))


def quoted_all(words: tuple[str, ...]) -> str:
    """Quote all *words* for an error message; ``nothing`` if there are none."""
    return quoted(" ".join(words)) if words else NOTHING
