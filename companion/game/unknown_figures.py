"""Figures that are unknown in the edition's data: which they are, and what is likely.

The likely amount never counts as data: whoever has the box reads the real one off its
card. A table may play with it meanwhile; the rulebook then says so (``likely``).
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
    """Every figure of *rules* that is unknown, deeds in board order, then cards."""
    return (*_of_deeds(rules), *_of_cards(rules))


def _of_deeds(rules: Rulebook) -> tuple[Unknown, ...]:
    found: list[Unknown] = []
    for deed in rules.deeds:
        if deed.price is None and not deed.is_locked:
            found.append(_unknown(deed, "price"))
        found += _of_mortgage(rules, deed)
        if deed.rents[:1] == (None,):
            found.append(_unknown(deed, "rent"))
        found += _of_steps(deed)
    return tuple(found)


def _unknown(
    deed: RuleDeed, figure: str, likely: Dollars | None = None, like: str = ""
) -> Unknown:
    """What the edition calls likely; else *likely*, which was worked out."""
    key, said = key_of("deed", deed.id, figure), dict(deed.likely).get(figure)
    return Unknown(key, likely, like) if said is None else Unknown(key, said)


def _of_mortgage(rules: Rulebook, deed: RuleDeed) -> Iterator[Unknown]:
    """What the bank lends, and what it costs to pay that back.

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
    """The deed of its group with a price and the nearest rent; else *deed* itself."""
    priced = [x for x in rules.deeds if x.group == deed.group and x.price is not None]
    return min(priced, key=lambda one: _apart(one, deed), default=deed)


def _apart(one: RuleDeed, other: RuleDeed) -> Dollars:
    """How far the rents of the bare streets lie apart; 0 where one is unknown."""
    if not (one.rents and other.rents):
        return 0
    mine, theirs = one.rents[0], other.rents[0]
    return 0 if mine is None or theirs is None else abs(mine - theirs)


def _lifted(deed: RuleDeed) -> Dollars | None:
    """What lifting its mortgage costs: as printed, or else mortgage plus interest."""
    return _lifting(_lent(deed)) if deed.unmortgage is None else deed.unmortgage


def _lent(deed: RuleDeed) -> Dollars | None:
    """What the bank lends on it: as printed, or else half its price."""
    if deed.mortgage is not None or deed.price is None:
        return deed.mortgage
    return deed.price // 2


def _lifting(mortgage: Dollars | None) -> Dollars | None:
    if mortgage is None:
        return None
    return mortgage + -(-mortgage * TYPICAL_INTEREST_PERCENT // 100)


def _of_steps(deed: RuleDeed) -> Iterator[Unknown]:
    """Costs by kind of building, and the rents of hotels."""
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


# Played with as they probably are.


def has_likely(rules: Rulebook) -> bool:
    """Whether anything tells what an unknown figure probably is."""
    return any(one.likely is not None for one in unknown_figures(rules))


def with_likely(rules: Rulebook) -> Rulebook:
    """*rules* in which every unknown figure is as it probably is, and marked so."""
    for one in unknown_figures(rules):
        if one.likely is not None:
            rules = with_figure(rules, one.key, one.likely)
            rules = replace(rules, likely=(*rules.likely, one))
    return rules


def with_known(
    rules: Rulebook, key: str, amount: Dollars, *, is_likely: bool = False
) -> Rulebook:
    """*rules* in which the figure at *key* is *amount*.

    Likely figures that were worked out from it follow.

    Args:
        rules: The rules before.
        key: As edition files name it.
        amount: What the box says there.
        is_likely: Nobody has read it: it is what it probably is.

    Raises:
        Malformed: If there is no such figure.
    """
    was = _blank(rules)
    now = with_figure(was, key, amount)
    before, after = _clues(was), _clues(now)
    kept = [one for one in rules.likely if one.key != key]
    if is_likely:
        kept.append(Unknown(key, amount, before.get(key, Unknown(key)).like))
    moved = {one.key for one in after.values() if one != before.get(one.key, one)}
    kept = [after[one.key] if one.key in moved else one for one in kept]
    for one in kept:
        now = with_figure(now, one.key, one.likely)
    return replace(now, likely=tuple(kept))


def _blank(rules: Rulebook) -> Rulebook:
    """*rules* without any likely figure."""
    for one in rules.likely:
        rules = with_figure(rules, one.key, None)
    return replace(rules, likely=())


def _clues(rules: Rulebook) -> dict[str, Unknown]:
    return {one.key: one for one in unknown_figures(rules)}
