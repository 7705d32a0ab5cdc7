"""How a charge came about: the numbers that were multiplied, each with its word.

A *step* is a word of the data and a number: a printed figure first, such as ``rent 22``
or ``railroad-2 50`` (the rent of each of two railroads), then what multiplies it, such
as ``group 2``, ``dice 7`` or ``card 2``. ``percent`` counts in hundredths, and dollars
are whole. The product of its steps is the amount; where several products are added up
or taken off, ``+`` or ``-`` stands between them.

The event that charges carries the steps as a text, ``railroad-2 50 card 2``. The rules
write it; pages read it. A figure that nobody knows yet is ``?``. ``bid`` is a word
alone: people named the amount. The text is empty if the reason says it all (a tax, a
salary), and in the events of older games.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

Step = tuple[str, int | None]
"""A word and its number; ``None`` for an unknown figure, or for a word alone."""

Steps = tuple[Step, ...]

PLUS, MINUS, UNKNOWN = "+", "-", "?"


def product(steps: Steps) -> int | None:
    """Return the product of *steps* without ``percent``; ``None`` if one is unknown."""
    amount = 1
    for _, number in steps:
        if number is None:
            return None
        amount *= number
    return amount


def of(count: int) -> Steps:
    """Return the step for several of the same price; none for a single one."""
    return () if count == 1 else (("of", count),)


def write(*steps: Step) -> str:
    """Write a product as the text of an event."""
    return " ".join(
        f"{word} {UNKNOWN if number is None else number}" for word, number in steps
    )


def add_up(terms: Iterable[Steps]) -> str:
    """Write a sum of products."""
    return f" {PLUS} ".join(write(*term) for term in terms)


STEP = re.compile(r"([a-z][a-z0-9-]*)(?: (\d+|\?))?")


def read(how: str) -> Iterator[tuple[str, Steps]]:
    """Yield each product in a text: its sign, ``+`` or ``-``, and its steps."""
    first, *others = re.split(r" ([+-]) ", how)
    for sign, term in zip((PLUS, *others[::2]), (first, *others[1::2]), strict=True):
        found = STEP.findall(term)
        if found:
            yield sign, tuple((x, int(n) if n.isdecimal() else None) for x, n in found)
