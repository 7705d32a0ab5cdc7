"""What one card can say: each figure between the others, wherever those are known."""

from __future__ import annotations

from companion.edition import builtin, editions
from companion.edition.snapshot import snapshot
from companion.game.figure_bounds import find_clash, highest, known_figures
from companion.game.unknown_figures import unknown_figures, with_likely
from tests.sample import each

DEED = {"price": 120, "mortgage": 60, "rent": 8, "rent_full_group": 16}
TOO_SMALL, TOO_LARGE = True, False


@each(
    ("figure", "amount", "clash"),
    [
        ("mortgage", 119, None),
        ("mortgage", 120, ("price", TOO_LARGE)),
        ("unmortgage", 61, None),
        ("unmortgage", 60, ("mortgage", TOO_SMALL)),
        ("price", 60, ("mortgage", TOO_SMALL)),
        ("rent", 16, None),
        ("rent", 17, ("rent_full_group", TOO_LARGE)),
        ("rent_full_group", 7, ("rent", TOO_SMALL)),
        ("rent_1_hotel", 16, None),
        ("rent_1_hotel", 15, ("rent_full_group", TOO_SMALL)),
        ("rent_houses.2", 9, ("rent_full_group", TOO_SMALL)),
        ("hotel_cost", 5_000, None),
        ("amount", 5_000, None),
    ],
)
def test_a_figure_lies_between_those_that_are_known(
    figure: str, amount: int, clash: tuple[str, bool] | None
) -> None:
    found = find_clash(DEED, figure, amount)
    assert (found and (found.other, found.is_too_small)) == clash
    assert find_clash({}, figure, amount) is None, "nothing is known, so no bound"


def test_the_highest_that_a_figure_can_be() -> None:
    assert highest(DEED, "mortgage") == 119
    assert highest({**DEED, "unmortgage": 66}, "mortgage") == 65
    assert highest(DEED, "rent") == 16
    assert highest(DEED, "price") is None
    assert highest(DEED, "hotel_cost") is None


@each("edition", editions())
def test_what_is_printed_and_what_is_likely_lies_within_the_bounds(
    edition: str,
) -> None:
    rules = snapshot(builtin(edition))
    for deed in with_likely(rules).deeds:
        known = known_figures(deed)
        clashes = {name: find_clash(known, name, known[name]) for name in known}
        assert not any(clashes.values()), f"{deed.id}: {clashes}"
    offered = {(one.of, one.figure): one.likely for one in unknown_figures(rules)}
    for deed in rules.deeds:
        for name, amount in deed.likely:
            assert offered[deed.id, name] == amount, "no bound drops what is stated"
