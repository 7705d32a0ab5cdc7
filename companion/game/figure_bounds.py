"""Bounds on the printed amounts (*figures*) of a deed: each limits some of the others.

``BOUNDS`` is the only list: it holds for what people type in, for likely amounts, for
edition files, and for what a debtor might still raise. Figures have the names of
edition files; one amount of a list has its number too, such as ``rent_houses.2``. Where
nothing is known, there is no bound.

Source:
    The Secret Vault article, "Owned: By You": lifting a mortgage always costs more than
    the mortgage brought. Grab & Go's sheet, "Paying rent"; the standard rules in the
    Mega booklet, "Paying rent"; the Secret Vault article, "Scoring"; Cash Decoder's
    sheet, "Collect colour sets!"; the Crooked Cash article, "Hotels": rents rise with
    the group and with buildings. Our reading, since no sheet says it: the bank lends
    less on a deed than its price.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from companion.game.rulebook import HOTEL, HOUSE, STREET, RuleDeed
from companion.sheets import CROOKED, DECODER, GRAB, SECRET, STANDARD, Told
from companion.units import Dollars
from companion.words import Words, say
from companion.words.common import common
from companion.words.money import dollars_text

LOAN_RULE = Told("The bank lends less on a deed than its price.")
LIFTING_RULE = Told(
    "Lifting a mortgage always costs more than the mortgage brings.",
    {SECRET: "Owned: By You"},
)
RENTS_RULE = Told(
    "The rent rises with the group and with what is built.",
    {
        GRAB: "Paying rent",
        STANDARD: "Paying rent",
        SECRET: "Scoring",
        DECODER: "Collect colour sets!",
        CROOKED: "Hotels",
    },
)

NUMBERS: Final = range(1, 9)
"""The numbers of the amounts in a list of an edition file."""


def _numbered(name: str) -> tuple[str, ...]:
    return tuple(f"{name}.{number}" for number in NUMBERS)


class Bound(NamedTuple):
    """Figures of one deed that rise in this order, as far as they are known.

    Attributes:
        rule: The rule that says so, with its sheets.
        is_strict: Whether no two of them may be equal.
    """

    rule: Told
    figures: tuple[str, ...]
    is_strict: bool = False


BOUNDS: Final = (
    Bound(LOAN_RULE, ("mortgage", "price"), is_strict=True),
    Bound(LIFTING_RULE, ("mortgage", "unmortgage"), is_strict=True),
    Bound(
        RENTS_RULE,
        (
            "rent",
            "rent_all_but_one",
            "rent_full_group",
            *_numbered("rent_houses"),
            "rent_hotel",
            "rent_1_hotel",
            "rent_2_hotels",
            "rent_skyscraper",
        ),
    ),
    Bound(RENTS_RULE, _numbered("rent_by_owned")),
    Bound(RENTS_RULE, _numbered("rent_by_owned_with_depot")),
    Bound(RENTS_RULE, _numbered("rent_dice_multiplier_by_owned")),
)
"""All bounds."""

BOUNDED: Final = frozenset(name for bound in BOUNDS for name in bound.figures)
"""The figures that limit others."""


class Clash(NamedTuple):
    """Two figures that cannot be on one card.

    Attributes:
        other: The figure that the amount clashes with.
        amount: The amount of *other*.
        rule: The rule that they would break.
        is_too_small: Whether the amount is too small beside *other*, not too large.
    """

    other: str
    amount: Dollars
    rule: Told
    is_too_small: bool


def find_clash(
    known: Mapping[str, Dollars], figure: str, amount: Dollars
) -> Clash | None:
    """Find a known figure beside which *figure* cannot be *amount*, or ``None``."""
    for bound in BOUNDS:
        if figure not in bound.figures:
            continue
        place = bound.figures.index(figure)
        for other_place, other in enumerate(bound.figures):
            if other == figure or other not in known:
                continue
            is_above, value = other_place < place, known[other]
            gap = amount - value if is_above else value - amount
            if gap < bound.is_strict:
                return Clash(other, value, bound.rule, is_too_small=is_above)
    return None


def clash_words(clash: Clash, deed: str, amount: Dollars) -> Words:
    """Say that *amount* cannot be on the card of the deed of that name."""
    values = {
        "got": dollars_text(amount),
        "figure": common(clash.other.replace("_", " ")),
        "deed": deed,
        "amount": dollars_text(clash.amount),
    }
    if clash.is_too_small:
        return say("{got} is too little: the {figure} of {deed} is {amount}", **values)
    return say("{got} is too much: the {figure} of {deed} is {amount}", **values)


def highest(known: Mapping[str, Dollars], figure: str) -> Dollars | None:
    """Return the largest amount that *figure* can be; ``None`` without a bound."""
    return min(
        (
            known[other] - bound.is_strict
            for bound in BOUNDS
            if figure in bound.figures
            for other in bound.figures[bound.figures.index(figure) + 1 :]
            if other in known
        ),
        default=None,
    )


def known_figures(deed: RuleDeed) -> dict[str, Dollars]:
    """Return the known figures of a deed that limit others, by name."""
    figures = {
        "price": deed.price,
        "mortgage": deed.mortgage,
        "unmortgage": deed.unmortgage,
    }
    if deed.kind == STREET:
        figures["rent_all_but_one"] = deed.rent_near_group
        figures["rent_full_group"] = deed.rent_group
        figures |= dict(zip(rent_names(deed.ladder), deed.rents, strict=False))
    return {name: amount for name, amount in figures.items() if amount is not None}


def rent_names(ladder: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of a street's rents: bare, then one for each building step."""
    names, has_many = ["rent"], ladder.count(HOTEL) > 1
    for step, kind in enumerate(ladder, 1):
        count = ladder[:step].count(kind)
        if kind == HOUSE:
            names.append(f"rent_houses.{count}")
        elif kind == HOTEL and has_many:
            names.append("rent_1_hotel" if count == 1 else f"rent_{count}_hotels")
        else:
            names.append(f"rent_{kind}")
    return tuple(names)
