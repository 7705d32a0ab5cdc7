"""Keys for what a real box says: the figures, spaces and cards that editions may lack.

A *key* names one such value by three parts, as editions' files do.
``deed.boardwalk.mortgage``, ``card.chance-kind-3.amount`` and ``space.38.amount`` are
amounts;
``space.17.kind`` is what is printed on a space; ``card.pay:100.deck`` is the deck of a
card that people described by a code. Scripts have their own words for each, such as
``figure boardwalk mortgage 400``.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.units import Dollars

BoxValue = Dollars | str
"""A value of a box: an amount, the kind printed on a space, or the deck of a card."""


class BoxKey(NamedTuple):
    """The parts of a key.

    Attributes:
        part: The part of the file: ``deed``, ``card`` or ``space``.
        of: The id of the deed or card, or the number of the space.
        field: The field there.
    """

    part: str
    of: str
    field: str

    @property
    def is_card(self) -> bool:
        """Whether the key names a whole card that people described by a code."""
        return (self.part, self.field) == ("card", "deck")

    @property
    def is_space(self) -> bool:
        """Whether the key names what is printed on a space."""
        return (self.part, self.field) == ("space", "kind")

    @property
    def is_deed(self) -> bool:
        """Whether the key names a figure of a deed."""
        return self.part == "deed"

    @property
    def is_amount(self) -> bool:
        """Whether the key names an amount of dollars."""
        return not (self.is_card or self.is_space)


def split_key(key: str) -> BoxKey:
    """Split *key* into its three parts; missing parts are empty."""
    part, _, rest = key.partition(".")
    of, _, field = rest.rpartition(".")
    return BoxKey(part, of, field)


def key_of(part: str, of: str, field: str) -> str:
    """Return the key of a field of one entry."""
    return f"{part}.{of}.{field}"


LIKELY = "likely"
"""The word after a figure that the table plays with, though nobody has read it."""


def reading_words(
    key: str, value: BoxValue | None, *, is_likely: bool = False
) -> tuple[str, ...]:
    """Return a reading in the words of scripts, as after ``given``."""
    parts = split_key(key)
    if parts.is_card:
        return "card", str(value), parts.of
    if parts.is_space:
        return "space", parts.of, str(value)
    likely = (LIKELY,) if is_likely else ()
    return ("figure", parts.of, parts.field, str(value), *likely)
