"""Figures that nobody could read to us: which they are, and what is likely.

The likely amount is a help for the thumb, never data: whoever has the box reads
the real one off its card.
"""

from __future__ import annotations

import msgspec

from companion.rulebook import AMOUNTS, HOTEL, Rulebook
from companion.units import Dollars

TYPICAL_INTEREST_PERCENT = 10
"""What lifting a mortgage adds in every edition that says so."""


class Unknown(msgspec.Struct, frozen=True):
    """A figure that is printed somewhere, and that the table can type in.

    Attributes:
        of: The id of the deed or the card that prints it.
        figure: As edition files call it: ``mortgage``, ``rent_hotel``, ``amount``.
        likely: What it probably is, or ``None`` where nothing tells.
    """

    of: str
    figure: str
    likely: Dollars | None = None


def unknown_figures(rules: Rulebook) -> tuple[Unknown, ...]:
    """Every figure of *rules* that is unknown, deeds in board order, then cards."""
    return (*_of_deeds(rules), *_of_cards(rules))


def _of_deeds(rules: Rulebook) -> tuple[Unknown, ...]:
    found: list[Unknown] = []
    for deed in rules.deeds:
        price, mortgage = deed.price, deed.mortgage
        half = None if price is None else price // 2
        if price is None and not deed.is_locked:
            found.append(Unknown(deed.id, "price"))
        if mortgage is None and rules.has_mortgages:
            found.append(Unknown(deed.id, "mortgage", half))
        if deed.unmortgage is None and rules.is_lifting_printed:
            base = half if mortgage is None else mortgage
            found.append(Unknown(deed.id, "unmortgage", _lifting(base)))
        if deed.rents[:1] == (None,):
            found.append(Unknown(deed.id, "rent"))
        found += _of_steps(deed.id, deed.ladder, deed.costs, deed.rents[1:])
    return tuple(found)


def _lifting(mortgage: Dollars | None) -> Dollars | None:
    if mortgage is None:
        return None
    return mortgage + -(-mortgage * TYPICAL_INTEREST_PERCENT // 100)


def _of_steps(
    deed: str,
    ladder: tuple[str, ...],
    costs: tuple[Dollars | None, ...],
    rents: tuple[Dollars | None, ...],
) -> tuple[Unknown, ...]:
    """Costs by kind of building, and the rents of hotels."""
    kinds = dict.fromkeys(
        kind for kind, cost in zip(ladder, costs, strict=True) if cost is None
    )
    found = [Unknown(deed, f"{kind}_cost") for kind in kinds]
    many = ladder.count(HOTEL) > 1
    for at, (kind, rent) in enumerate(zip(ladder, rents, strict=False)):
        if kind == HOTEL and rent is None:
            count = ladder[: at + 1].count(HOTEL)
            names = ("rent_1_hotel", "rent_2_hotels") if many else ("rent_hotel",)
            found.append(Unknown(deed, names[count - 1]))
    return tuple(found)


def _of_cards(rules: Rulebook) -> tuple[Unknown, ...]:
    return tuple(
        Unknown(card.id, "amount")
        for card in rules.cards
        if card.effect in AMOUNTS and card.amount is None
    )
