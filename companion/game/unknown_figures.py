"""Lists the figures that an edition's data lacks, and their likely amounts.

A *figure* is an amount printed on a deed or a card. If it is unknown, a *likely* amount
may be computed from what is known, or stated by the edition. It never counts as data.
A table may play with it until somebody reads the real one off the card; the rulebook
lists such amounts in ``likely``. None lies outside the bounds that the known figures of
its deed set (``figure_bounds.py``). A seat can get a *locked* street only with a key
from the vault.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from companion.game.box_key import key_of
from companion.game.figure_bounds import find_clash, known_figures, rent_names
from companion.game.figures import with_figure
from companion.game.rulebook import (
    HOTEL,
    STREET,
    Rulebook,
    RuleDeed,
    RuleSpace,
    Unknown,
)
from companion.game.spaces import PAYING
from companion.units import Dollars

TYPICAL_INTEREST_PERCENT = 10
"""The interest on lifting a mortgage in every edition that states one."""


def unknown_figures(rules: Rulebook) -> tuple[Unknown, ...]:
    """List every unknown figure: deeds in board order, then cards, then spaces."""
    return (
        *_unknown_of_deeds(rules),
        *_unknown_of_cards(rules),
        *(
            Unknown(key_of("space", str(number), "amount"))
            for number, space in enumerate(rules.spaces)
            if lacks_amount(space)
        ),
    )


def lacks_amount(space: RuleSpace) -> bool:
    """Return whether the space prints an amount that nobody knows."""
    return space.kind in PAYING and space.amount is None


def _unknown_of_deeds(rules: Rulebook) -> Iterator[Unknown]:
    for deed in rules.deeds:
        if deed.price is None and not deed.is_locked:
            yield _make_unknown(deed, "price")
        yield from _unknown_of_mortgage(rules, deed)
        if deed.kind == STREET and deed.rents[:1] == (None,):
            yield _make_unknown(deed, "rent")
        yield from _unknown_of_ladder(deed)


def _make_unknown(
    deed: RuleDeed, figure: str, likely: Dollars | None = None, like: str = ""
) -> Unknown:
    """Return an unknown figure with the edition's likely amount, or else *likely*.

    *like* is the other deed from which *likely* was taken, if any.
    """
    key, stated = key_of("deed", deed.id, figure), dict(deed.likely).get(figure)
    unknown = Unknown(key, likely, like) if stated is None else Unknown(key, stated)
    return unknown if _fits(deed, unknown) else Unknown(key)


def _fits(deed: RuleDeed, figure: Unknown) -> bool:
    """Return whether the deed may print the likely amount, if there is one."""
    amount = figure.likely
    if amount is None:
        return True
    return find_clash(known_figures(deed), figure.figure, amount) is None


def _unknown_of_mortgage(rules: Rulebook, deed: RuleDeed) -> Iterator[Unknown]:
    """Yield the loan on a deed and the cost of lifting it, if they are unknown.

    A locked street has no price to halve, so its likely figures are those of the street
    in its group with the nearest rent.
    """
    is_by_key = deed.is_locked and deed.price is None
    alike = _most_alike(rules, deed) if is_by_key else deed
    like = "" if alike is deed else alike.id
    if deed.mortgage is None and rules.mortgage.exists:
        yield _make_unknown(deed, "mortgage", _likely_loan(alike), like)
    if deed.unmortgage is None and rules.mortgage.is_lifting_printed:
        if deed.mortgage is not None:
            yield _make_unknown(deed, "unmortgage", _with_interest(deed.mortgage))
        else:
            yield _make_unknown(deed, "unmortgage", _likely_lifting_cost(alike), like)


def _most_alike(rules: Rulebook, deed: RuleDeed) -> RuleDeed:
    """Return the priced deed of its group with the nearest rent, or *deed* itself."""
    priced = [
        other
        for other in rules.deeds
        if other.group == deed.group and other.price is not None
    ]
    return min(priced, key=lambda other: _rent_difference(other, deed), default=deed)


def _rent_difference(deed: RuleDeed, other: RuleDeed) -> Dollars:
    """Return the difference of two bare rents; 0 if one is unknown."""
    if not (deed.rents and other.rents):
        return 0
    rent, other_rent = deed.rents[0], other.rents[0]
    return 0 if rent is None or other_rent is None else abs(rent - other_rent)


def _likely_lifting_cost(deed: RuleDeed) -> Dollars | None:
    """Return the cost of lifting a mortgage: as printed, or loan and interest."""
    if deed.unmortgage is not None:
        return deed.unmortgage
    return _with_interest(_likely_loan(deed))


def _likely_loan(deed: RuleDeed) -> Dollars | None:
    """Return what the bank lends on a deed: as printed, or half its price."""
    if deed.mortgage is not None or deed.price is None:
        return deed.mortgage
    return deed.price // 2 or None  # No card says $0.


def _with_interest(mortgage: Dollars | None) -> Dollars | None:
    """Return a loan with the typical interest, rounded up; ``None`` if unknown."""
    if mortgage is None:
        return None
    interest = math.ceil(mortgage * TYPICAL_INTEREST_PERCENT / 100)
    return mortgage + interest


def _unknown_of_ladder(deed: RuleDeed) -> Iterator[Unknown]:
    """Yield the unknown costs of buildings, by kind, and the rents with hotels."""
    ladder = deed.ladder
    steps = zip(ladder, deed.costs, strict=True)
    without_cost = [kind for kind, cost in steps if cost is None]
    for kind in dict.fromkeys(without_cost):
        yield _make_unknown(deed, f"{kind}_cost")
    names = rent_names(ladder)[1:]
    for kind, name, rent in zip(ladder, names, deed.rents[1:], strict=False):
        if kind == HOTEL and rent is None:
            yield _make_unknown(deed, name)


def _unknown_of_cards(rules: Rulebook) -> Iterator[Unknown]:
    for card in rules.cards:
        if card.lacks_amount:
            yield Unknown(key_of("card", card.id, "amount"))


def has_likely(rules: Rulebook) -> bool:
    """Return whether any unknown figure has a likely amount."""
    return any(figure.likely is not None for figure in unknown_figures(rules))


def with_likely(rules: Rulebook) -> Rulebook:
    """Return *rules* with the likely amount of every unknown figure, marked as such."""
    return _with_likely(rules, unknown_figures(rules))


def _with_likely(rules: Rulebook, figures: Iterable[Unknown]) -> Rulebook:
    """Return *rules* with those of the likely amounts that fit beside one another."""
    for figure in figures:
        deed = next((deed for deed in rules.deeds if deed.id == figure.of), None)
        is_fitting = deed is None or _fits(deed, figure)
        if figure.likely is not None and is_fitting:
            rules = with_figure(rules, figure.key, figure.likely)
            rules = replace(rules, likely=(*rules.likely, figure))
    return rules


def with_known(
    rules: Rulebook, key: str, amount: Dollars, *, is_likely: bool = False
) -> Rulebook:
    """Return *rules* with *amount*, perhaps only likely, as the figure at *key*.

    Likely amounts that were computed from this figure change with it. Those that do not
    fit beside it are unknown from then on.

    Raises:
        Malformed: If there is no such figure.
    """
    blank = _without_likely(rules)
    known = with_figure(blank, key, amount)
    before, after = _by_key(blank), _by_key(known)
    likely = [figure for figure in rules.likely if figure.key != key]
    if is_likely:
        source = before[key].like if key in before else ""
        likely.append(Unknown(key, amount, source))
    changed = {
        changed_key: figure
        for changed_key, figure in after.items()
        if figure != before.get(changed_key, figure)
    }
    return _with_likely(known, [changed.get(figure.key, figure) for figure in likely])


def _without_likely(rules: Rulebook) -> Rulebook:
    for figure in rules.likely:
        rules = with_figure(rules, figure.key, None)
    return replace(rules, likely=())


def _by_key(rules: Rulebook) -> dict[str, Unknown]:
    return {figure.key: figure for figure in unknown_figures(rules)}
