"""The kinds of spaces: one list, in the words of editions, scripts and people.

Each kind has a word for files and scripts, a name for people, and a *sign*, which is a
drawing. ``LANDINGS`` in ``companion/rules/walking.py`` says what a landing on each kind
does, and ``PLAIN`` in ``companion/views/reach.py`` what a phone says beforehand. If
either lacks a row for a kind without a deed, the program does not start.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Final, Literal, TypeVar, get_args

from companion.words import say
from companion.words.common import common

Row = TypeVar("Row")
"""The type of the values in a table with a row for each kind of space."""

DeedKind = Literal["street", "railroad", "utility"]
"""The kinds of space that can be owned; a space of such a kind names its deed."""


class SpaceKind(enum.StrEnum):
    """The kind of a space; its word stands in stored games, so it never changes.

    Attributes:
        words: The name that people use.
        sign: The id of its drawing in ``web/static/spaces.svg``; empty for none.
    """

    words: str
    sign: str

    def __new__(cls, word: str, words: str, sign: str) -> SpaceKind:
        """Make the kind that editions and scripts call *word*."""
        kind = str.__new__(cls, word)
        kind._value_ = word
        kind.words, kind.sign = words, sign
        return kind

    __repr__ = str.__repr__  # Reports quote the word of a kind as the file has it.

    GO = "go", say("GO"), "go"
    STREET = "street", say("street"), ""  # A coloured band is drawn instead.
    RAILROAD = "railroad", say("railroad"), "railroad"
    UTILITY = "utility", say("utility"), "utility"
    INCOME_TAX = "income-tax", say("income tax"), "income-tax"
    LUXURY_TAX = "luxury-tax", say("luxury tax"), "luxury-tax"
    CHANCE = "chance", say("chance"), "chance"
    COMMUNITY_CHEST = "community-chest", say("community chest"), "community-chest"
    JAIL = "jail", say("jail"), "jail"
    GO_TO_JAIL = "go-to-jail", say("go to jail"), "go-to-jail"
    FREE_PARKING = "free-parking", say("free parking"), "free-parking"
    GUESS_FOR_FREE = "guess-for-free", say("guess for free"), "guess-for-free"
    PAY_TO_GUESS = "pay-to-guess", say("pay to guess"), "pay-to-guess"
    TRAIN = "train", say("train"), "railroad"
    AUCTION = "auction", say("an auction"), "auction"
    BIRTHDAY_GIFT = "birthday-gift", say("birthday gift"), "birthday-gift"
    BUS_TICKET = "bus-ticket", say("bus ticket"), "bus-ticket"
    REST = "rest", say("rest"), "rest"  # Also a space whose print nobody knows.


CARD_SPACES: Final = (SpaceKind.CHANCE, SpaceKind.COMMUNITY_CHEST)
"""The spaces on which a card is drawn, from the deck of the same name."""

PAYING: Final = (SpaceKind.INCOME_TAX, SpaceKind.LUXURY_TAX, SpaceKind.BIRTHDAY_GIFT)
"""The spaces that print an amount of money."""

READABLE: Final = (
    SpaceKind.REST,
    SpaceKind.CHANCE,
    SpaceKind.GUESS_FOR_FREE,
    SpaceKind.PAY_TO_GUESS,
    SpaceKind.FREE_PARKING,
)
"""The kinds that people can read off a space that was unknown."""

KINDS: Final[Mapping[str, SpaceKind]] = {kind.value: kind for kind in SpaceKind}
"""Each kind by its word."""

OWNED: Final = tuple(KINDS[word] for word in get_args(DeedKind))
"""The kinds that have a deed."""


def data_words(word: str) -> str:
    """Return the name that people use for a kind of space, a figure or a colour."""
    plain = word.replace("_", " ").replace("-", " ")
    return KINDS[word].words if word in KINDS else common(plain)


def row_for_each(rows: Mapping[SpaceKind, Row]) -> Mapping[SpaceKind, Row]:
    """Return *rows* after checking that each kind without a deed has one.

    Raises:
        LookupError: If not, or if there is a row for another kind.
    """
    odd = sorted(rows.keys() ^ (set(SpaceKind) - set(OWNED)))
    if odd:
        raise LookupError(f"expected a row for each kind of space, not so: {odd}")
    return rows
