"""The keys under which an edition's file names what a real box says.

``deed.boardwalk.mortgage`` and ``card.chance-kind-3.amount`` are amounts;
``space.17.kind`` is what is printed there; ``card.pay:100.deck`` is the deck with a
card that people put into words. In scripts each has words of its own, such as
``figure boardwalk mortgage 400``.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.units import Dollars

BoxValue = Dollars | str
"""What a box says: an amount, what is printed on a space, or the deck of a card."""


class BoxKey(NamedTuple):
    """A key taken apart.

    Attributes:
        part: The part of the file: ``deed``, ``card`` or ``space``.
        of: The deed or the card by its id, the space by its number.
        field: The field of that entry.
    """

    part: str
    of: str
    field: str

    @property
    def is_card(self) -> bool:
        """Whether it names a whole card that people put into words."""
        return (self.part, self.field) == ("card", "deck")

    @property
    def is_space(self) -> bool:
        """Whether it names what is printed on a space."""
        return (self.part, self.field) == ("space", "kind")

    @property
    def is_amount(self) -> bool:
        """Whether it names an amount of dollars."""
        return not (self.is_card or self.is_space)


def taken_apart(key: str) -> BoxKey:
    """The three parts of *key*; those that it lacks are empty."""
    part, _, rest = key.partition(".")
    of, _, field = rest.rpartition(".")
    return BoxKey(part, of, field)


def key_of(part: str, of: str, field: str) -> str:
    """The key of a field of one entry."""
    return f"{part}.{of}.{field}"


LIKELY = "likely"
"""The word after a figure that nobody has read, and that is played with."""


def words_of(
    key: str, value: BoxValue | None, *, is_likely: bool = False
) -> tuple[str, ...]:
    """A reading in the words of scripts, as after ``given``."""
    one = taken_apart(key)
    if one.is_card:
        return "card", str(value), one.of
    if one.is_space:
        return "space", one.of, str(value)
    likely = (LIKELY,) if is_likely else ()
    return ("figure", one.of, one.field, str(value), *likely)
