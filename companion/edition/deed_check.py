"""Checks on deeds: each figure printed on a card is given or listed as unknown.

A *figure* is an amount on a title deed: its price, mortgage value, costs and rents. A
*candidate* is a value for a figure that is too uncertain to be used; it is *likely* if
the figure is unknown and the value is from this printing. The *ladder* of an edition
lists the buildings that can be put on a street, one after another.

For *draft* and report, see ``companion/edition/check.py``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from companion.edition.model import has_figure
from companion.edition.read import Draft, declared_names, entries
from companion.edition.shape import DEED_FIGURES, RENT_STEPS, Deed, Space
from companion.game.figure_bounds import find_clash
from companion.game.rulebook import RAILROAD, STREET, UTILITY
from companion.game.sections import Buildings, Mortgage, Rent, StreetSale
from companion.words.report import undeclared, unknown_key

BY_OWNED: Final[Mapping[str, tuple[str, ...]]] = {
    RAILROAD: ("rent_by_owned",),
    UTILITY: ("rent_dice_multiplier_by_owned",),
}
"""Kind of deed -> the fields with a rent for each number of deeds owned."""


def check_deeds(draft: Draft) -> None:
    """Report what is wrong with the deeds of *draft*."""
    deeds = entries(draft, "deed", Deed)
    count_by_kind = Counter(deed.kind for deed in deeds)
    is_whole = len(deeds) == len(declared_names(draft, "deed"))
    for deed in deeds:
        where = f"deed[{deed.id}]"
        _check_place(draft, deed, where)
        _check_unknown(draft, deed, where)
        _check_candidates(draft, deed, where)
        for name in _list_needed(draft, deed):
            if name not in deed.unknown and getattr(deed, name) is None:
                text = "expected a figure, or its name in unknown; got nothing"
                draft.fault(f"{where}.{name}", text)
        if deed.locked and (deed.price is not None or "price" in deed.unknown):
            text = f"expected no price on a locked deed, got {deed.price}"
            draft.fault(f"{where}.price", text)
        if deed.kind == STREET:
            _check_rents(draft, deed, where)
        _check_bounds(draft, deed, where)
        if is_whole:  # Else the count lacks the deeds that could not be read.
            for name in BY_OWNED.get(deed.kind, ()):
                count = count_by_kind[deed.kind]
                _check_length(draft, f"{where}.{name}", deed, name, count)


def _check_place(draft: Draft, deed: Deed, where: str) -> None:
    """Check that a deed's group exists, and that just its space names the deed."""
    groups = declared_names(draft, "group")
    if deed.group not in groups:
        text = str(undeclared("the id of a group", deed.group, groups))
        draft.fault(f"{where}.group", text)
    others = entries(draft, "deed", Deed)
    kinds = {other.kind for other in others if other.group == deed.group}
    if len(kinds) > 1:
        text = f"expected one kind of deed in a group, got {', '.join(sorted(kinds))}"
        draft.fault(f"{where}.group", text)
    spaces = entries(draft, "space", Space)
    places = [space.number for space in spaces if space.deed == deed.id]
    if places != [deed.space] and len(places) < 2:
        got = places[0] if places else "none"
        text = f"expected a space that names this deed, got {deed.space}; it is {got}"
        draft.fault(f"{where}.space", text)
    if len(places) > 1:
        text = f"expected one space that names this deed, got {places}"
        draft.fault(f"{where}.space", text)


def _check_unknown(draft: Draft, deed: Deed, where: str) -> None:
    """Check that figures listed as unknown exist, and have no value."""
    for name in deed.unknown:
        if name not in DEED_FIGURES:
            draft.fault(f"{where}.unknown", unknown_key(name, DEED_FIGURES))
        elif getattr(deed, name) is not None:
            text = f"expected no value, for unknown lists it; got {getattr(deed, name)}"
            draft.fault(f"{where}.{name}", text)


def _check_candidates(draft: Draft, deed: Deed, where: str) -> None:
    """Check that candidates name figures, each with at most one likely value."""
    for name in dict.fromkeys(candidate.field for candidate in deed.candidates):
        if name.partition(".")[0] not in DEED_FIGURES:
            draft.fault(f"{where}.candidates", unknown_key(name, DEED_FIGURES))
    for name, count in Counter(candidate.field for candidate in deed.likely).items():
        if count > 1:
            text = f"expected one likely value of {name}, got {count}"
            draft.fault(f"{where}.candidates", text)


def _list_needed(draft: Draft, deed: Deed) -> list[str]:
    """List the figures that a deed of this kind needs in this edition."""
    names = [] if deed.locked else ["price"]
    mortgage = draft.parts.get("mortgage")
    if isinstance(mortgage, Mortgage) and mortgage.exists:
        names.append("mortgage")
    if deed.kind != STREET:
        return names + list(BY_OWNED[deed.kind])
    names += ["rent", "rent_full_group"]
    rent = draft.parts.get("rent")
    if isinstance(rent, Rent) and rent.all_but_one_times > 1:
        names.append("rent_all_but_one")
    sale = draft.parts.get("street_sale")
    if isinstance(sale, StreetSale) and sale.exists:
        names.append("sale_to_bank")
    buildings = draft.parts.get("buildings")
    if isinstance(buildings, Buildings) and buildings.source == "bank":
        names += [f"{step}_cost" for step in dict.fromkeys(buildings.ladder)]
    return names


def _check_rents(draft: Draft, deed: Deed, where: str) -> None:
    """Check that a bare street has a rent, and so has each step of the ladder."""
    buildings = draft.parts.get("buildings")
    if not isinstance(buildings, Buildings):
        return
    house_count = buildings.ladder.count("house")
    _check_length(draft, f"{where}.rent_houses", deed, "rent_houses", house_count)
    steps = 0
    for name in RENT_STEPS:
        if has_figure(deed, name):
            steps += house_count if name == "rent_houses" else 1
    expected = 1 + len(buildings.ladder)
    if steps != expected:
        text = f"expected {expected} rents, bare and one for each building, got {steps}"
        draft.fault(where, text)


def printed_amounts(deed: Deed) -> dict[str, int]:
    """Return the known amounts of a deed by name; those of a list have a number too."""
    amounts: dict[str, int] = {}
    for name in DEED_FIGURES:
        value: object = getattr(deed, name)
        if isinstance(value, int):
            amounts[name] = value
        elif isinstance(value, tuple):
            amounts |= {f"{name}.{step}": each for step, each in enumerate(value, 1)}
    return amounts


def _check_bounds(draft: Draft, deed: Deed, where: str) -> None:
    """Check that no amount is too small beside another one."""
    known = printed_amounts(deed)
    for name, amount in known.items():
        clash = find_clash(known, name, amount)
        if clash is not None and clash.is_too_small:  # Each pair is reported once.
            text = f"expected more, since {clash.other} is {clash.amount}; got {amount}"
            draft.fault(f"{where}.{name}", text)


def _check_length(
    draft: Draft, where: str, deed: Deed, name: str, expected: int
) -> None:
    """Check that a known list of amounts on a deed has that length."""
    value: object = getattr(deed, name)
    if isinstance(value, tuple) and len(value) != expected:
        text = f"expected {expected} whole numbers, got {len(value)}: {list(value)}"
        draft.fault(where, text)
