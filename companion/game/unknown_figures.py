"""Figures that an edition's data lacks: which they are, and their likely amounts.

A likely amount never counts as data: somebody who has the box reads the real one off
the card. Until then a table may play with it; the rulebook's ``likely`` then lists it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.game.box_key import key_of
from companion.game.figures import with_figure
from companion.game.rulebook import AMOUNTS, HOTEL, Rulebook, RuleDeed, Unknown
from companion.units import Dollars

TYPICAL_INTEREST_PERCENT = 10
"""Interest on lifting a mortgage; the same in every edition that states it."""


def unknown_figures(rules: Rulebook) -> tuple[Unknown, ...]:
    """List every unknown figure of *rules*: deeds in board order, then cards."""
    return (*_of_deeds(rules), *_of_cards(rules))


def _of_deeds(rules: Rulebook) -> tuple[Unknown, ...]:
    figures: list[Unknown] = []
    for deed in rules.deeds:
        if deed.price is None and not deed.is_locked:
            figures.append(_unknown(deed, "price"))
        figures += _of_mortgage(rules, deed)
        if deed.rents[:1] == (None,):
            figures.append(_unknown(deed, "rent"))
        figures += _of_steps(deed)
    return tuple(figures)


def _unknown(
    deed: RuleDeed, figure: str, likely: Dollars | None = None, like: str = ""
) -> Unknown:
    """Return an unknown figure with the edition's likely amount, or else *likely*."""
    key, stated = key_of("deed", deed.id, figure), dict(deed.likely).get(figure)
    return Unknown(key, likely, like) if stated is None else Unknown(key, stated)


def _of_mortgage(rules: Rulebook, deed: RuleDeed) -> Iterator[Unknown]:
    """Yield the loan on a deed and the cost of lifting it, if they are unknown.

    A locked street has no price to halve, so the likely figures are those of the
    street in its group that has the nearest rent.
    """
    is_by_key = deed.is_locked and deed.price is None
    alike = _most_alike(rules, deed) if is_by_key else deed
    like = "" if alike is deed else alike.id
    if deed.mortgage is None and rules.mortgage.exists:
        yield _unknown(deed, "mortgage", _lent(alike), like)
    if deed.unmortgage is None and rules.mortgage.is_lifting_printed:
        if deed.mortgage is not None:
            yield _unknown(deed, "unmortgage", _lifting(deed.mortgage))
        else:
            yield _unknown(deed, "unmortgage", _lifted(alike), like)


def _most_alike(rules: Rulebook, deed: RuleDeed) -> RuleDeed:
    """Return the priced deed of its group with the nearest rent, or *deed* itself."""
    priced = [
        other
        for other in rules.deeds
        if other.group == deed.group and other.price is not None
    ]
    return min(priced, key=lambda other: _apart(other, deed), default=deed)


def _apart(deed: RuleDeed, other: RuleDeed) -> Dollars:
    """Return how far the rents of the bare streets lie apart; 0 if one is unknown."""
    if not (deed.rents and other.rents):
        return 0
    rent, other_rent = deed.rents[0], other.rents[0]
    return 0 if rent is None or other_rent is None else abs(rent - other_rent)


def _lifted(deed: RuleDeed) -> Dollars | None:
    """Return what lifting a mortgage costs: as printed, or the loan plus interest."""
    return _lifting(_lent(deed)) if deed.unmortgage is None else deed.unmortgage


def _lent(deed: RuleDeed) -> Dollars | None:
    """Return what the bank lends on a deed: as printed, or half its price."""
    if deed.mortgage is not None or deed.price is None:
        return deed.mortgage
    return deed.price // 2


def _lifting(mortgage: Dollars | None) -> Dollars | None:
    if mortgage is None:
        return None
    return mortgage + -(-mortgage * TYPICAL_INTEREST_PERCENT // 100)


def _of_steps(deed: RuleDeed) -> Iterator[Unknown]:
    """Yield the unknown costs by kind of building, and the rents of hotels."""
    ladder = deed.ladder
    pairs = zip(ladder, deed.costs, strict=True)
    for kind in dict.fromkeys(kind for kind, cost in pairs if cost is None):
        yield _unknown(deed, f"{kind}_cost")
    many = ladder.count(HOTEL) > 1
    for at, (kind, rent) in enumerate(zip(ladder, deed.rents[1:], strict=False)):
        if kind == HOTEL and rent is None:
            count = ladder[: at + 1].count(HOTEL)
            names = ("rent_1_hotel", "rent_2_hotels") if many else ("rent_hotel",)
            yield _unknown(deed, names[count - 1])


def _of_cards(rules: Rulebook) -> tuple[Unknown, ...]:
    return tuple(
        Unknown(key_of("card", card.id, "amount"))
        for card in rules.cards
        if card.effect in AMOUNTS and card.amount is None
    )


# Playing with likely amounts.


def has_likely(rules: Rulebook) -> bool:
    """Return whether any unknown figure has a likely amount."""
    return any(figure.likely is not None for figure in unknown_figures(rules))


def with_likely(rules: Rulebook) -> Rulebook:
    """Return *rules* with the likely amount of every unknown figure, marked as such."""
    for figure in unknown_figures(rules):
        if figure.likely is not None:
            rules = with_figure(rules, figure.key, figure.likely)
            rules = replace(rules, likely=(*rules.likely, figure))
    return rules


def with_known(
    rules: Rulebook, key: str, amount: Dollars, *, is_likely: bool = False
) -> Rulebook:
    """Return *rules* with *amount* as the figure at *key*.

    Likely amounts that were computed from it change with it.

    Args:
        rules: The rules before.
        key: The figure, as edition files name it.
        amount: The amount that the box says.
        is_likely: Nobody has read the amount; it is only likely.

    Raises:
        Malformed: If there is no such figure.
    """
    blank = _blank(rules)
    known = with_figure(blank, key, amount)
    before, after = _by_key(blank), _by_key(known)
    likely = [figure for figure in rules.likely if figure.key != key]
    if is_likely:
        likely.append(Unknown(key, amount, before.get(key, Unknown(key)).like))
    changed = {
        other: figure
        for other, figure in after.items()
        if figure != before.get(other, figure)
    }
    likely = [changed.get(figure.key, figure) for figure in likely]
    for figure in likely:
        known = with_figure(known, figure.key, figure.likely)
    return replace(known, likely=tuple(likely))


def _blank(rules: Rulebook) -> Rulebook:
    """Return *rules* without any likely figure."""
    for figure in rules.likely:
        rules = with_figure(rules, figure.key, None)
    return replace(rules, likely=())


def _by_key(rules: Rulebook) -> dict[str, Unknown]:
    return {figure.key: figure for figure in unknown_figures(rules)}
