"""Every figure of the 37 deeds of the Mega Edition, against four sources.

``mega_deeds.toml`` holds what the printed cards and three programs say, and where
they differ from the edition.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import msgspec

from companion.edition import builtin
from companion.edition.shape import Deed
from tests.sample import each


class Row(msgspec.Struct, forbid_unknown_fields=True):
    """What one source says of one deed."""

    price: int | None = None
    mortgage: int | None = None
    building: int | None = None
    rents: tuple[int, ...] = ()
    times: tuple[int, ...] = ()
    depot: int | None = None

    def figures(self) -> dict[str, int]:
        """Each figure by its name, lists by name and index."""
        plain = ("price", "mortgage", "building", "depot")
        found = {name: getattr(self, name) for name in plain}
        lists = {"rents": self.rents, "times": self.times}
        found |= {f"{k}.{i}": x for k, v in lists.items() for i, x in enumerate(v)}
        return {name: value for name, value in found.items() if value is not None}


class Source(msgspec.Struct, forbid_unknown_fields=True):
    """Where rows were read, and what the edition calls that."""

    what: str
    where: str
    path: str
    commit: str
    edition_source: str


class Difference(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One figure that a source gives otherwise than the edition."""

    deed: str
    source: str
    figure: str
    value: int
    why: str


class Found(msgspec.Struct, forbid_unknown_fields=True):
    """The whole file."""

    differences: tuple[Difference, ...]
    source: dict[str, Source]
    deed: dict[str, dict[str, Row]]


FOUND = msgspec.toml.decode(
    Path(__file__).with_name("mega_deeds.toml").read_bytes(), type=Found
)
MEGA = builtin("mega")
STREETS = [deed for deed in MEGA.deeds if deed.kind == "street"]
RAILROADS = [deed for deed in MEGA.deeds if deed.kind == "railroad"]
UTILITIES = [deed for deed in MEGA.deeds if deed.kind == "utility"]
FIELDS = {"rents.0": "rent", "rents.5": "rent_hotel", "rents.6": "rent_skyscraper"}


def ours(deed: Deed) -> dict[str, int]:
    """The edition's figures, named as in the file of sources."""
    assert deed.rent_hotel is None or deed.house_cost == deed.hotel_cost
    rents = deed.rent_by_owned or ()
    if deed.kind == "street":
        houses = deed.rent_houses or ()
        row = (deed.rent, *houses, deed.rent_hotel, deed.rent_skyscraper)
        rents = tuple(int(rent) for rent in row if rent is not None)
    return Row(
        price=deed.price,
        mortgage=deed.mortgage,
        building=deed.house_cost,
        rents=tuple(map(int, rents)),
        times=deed.rent_dice_multiplier_by_owned or (),
        depot=deed.depot_cost,
    ).figures()


def differing(deed: Deed) -> Iterator[tuple[str, str, str, int]]:
    """What a source says of a deed and the edition does not."""
    figures = ours(deed)
    for source, row in FOUND.deed[deed.id].items():
        for name, value in row.figures().items():
            if figures[name] != value:
                yield deed.id, source, name, value


def test_all_37_deeds_are_on_a_card() -> None:
    assert set(FOUND.deed) == {deed.id for deed in MEGA.deeds}
    assert len(FOUND.deed) == 37
    for rows in FOUND.deed.values():
        assert {"card", "program", "simulation"} <= set(rows) <= set(FOUND.source)
    assert all("table" in FOUND.deed[deed.id] for deed in STREETS)


def test_every_figure_is_what_its_sources_say_but_for_the_differences() -> None:
    found = {one for deed in MEGA.deeds for one in differing(deed)}
    noted = {(x.deed, x.source, x.figure, x.value) for x in FOUND.differences}
    assert found == noted
    assert len(noted) == len(FOUND.differences)


@each("deed", MEGA.deeds)
def test_every_figure_has_two_sources_that_agree(deed: Deed) -> None:
    rows = [row.figures() for row in FOUND.deed[deed.id].values()]
    for name, value in ours(deed).items():
        agreeing = sum(row.get(name) == value for row in rows)
        assert agreeing >= (1 if name == "depot" else 2), f"{name} {value}"


def test_a_slip_is_one_programs_alone() -> None:
    """A card's figure is never put down to a slip of the pen."""
    slips = [x for x in FOUND.differences if x.why == "slip"]
    assert slips
    for slip in slips:
        assert slip.source == "simulation"
        others = FOUND.deed[slip.deed]
        assert others["card"].figures()[slip.figure] != slip.value
        others = {k: v for k, v in others.items() if k != slip.source}
        assert slip.value not in [row.figures()[slip.figure] for row in others.values()]


def test_the_edition_names_every_conflict_with_both_readings() -> None:
    kept = {
        (conflict.deed, conflict.field, other.value): other.sources
        for conflict in MEGA.conflicts
        for other in conflict.other
    }
    noted: dict[tuple[str, str, object], set[str]] = {}
    for x in FOUND.differences:
        if x.why == "conflict":
            field = FIELDS.get(x.figure, x.figure).replace("rents.", "rent_houses.")
            source = FOUND.source[x.source].edition_source
            noted.setdefault((x.deed, field, x.value), set()).add(source)
    assert {key: set(sources) for key, sources in kept.items()} == noted
    assert {x.why for x in FOUND.differences} == {"conflict", "slip"}


def test_the_sources_are_those_that_the_edition_names() -> None:
    named = {source.id: source for source in MEGA.sources}
    for source in FOUND.source.values():
        url = named[source.edition_source].url or ""
        assert url.startswith(source.where)
        assert source.path in url
        assert source.commit in url


@each("deed", STREETS)
def test_a_street_keeps_the_order_of_the_printed_deeds(deed: Deed) -> None:
    """Each card says it: doubled, tripled, one price for each building."""
    assert deed.price is not None
    assert deed.rent is not None
    assert deed.mortgage == deed.price // 2
    assert deed.rent_all_but_one == 2 * deed.rent
    assert deed.rent_full_group == 3 * deed.rent
    assert deed.house_cost == deed.hotel_cost == deed.skyscraper_cost
    rents = ours(deed)
    row = [rents[f"rents.{step}"] for step in range(7)]
    assert all(less < more for less, more in pairwise(row))
    assert rents["rents.1"] >= 4 * rents["rents.0"]


def test_a_skyscraper_adds_500_or_1000_to_the_hotels_rent() -> None:
    """But on the new street of the first group, which ends where its neighbour does."""
    others = {}
    for deed in STREETS:
        assert deed.rent_hotel is not None
        assert deed.rent_skyscraper is not None
        added = deed.rent_skyscraper - deed.rent_hotel
        if added != (500 if (deed.house_cost or 0) <= 100 else 1000):
            others[deed.id] = added
    assert others == {"arctic-avenue": 450}


def test_buildings_cost_50_more_on_each_side_of_the_board() -> None:
    for deed in STREETS:
        assert deed.house_cost == 50 * (1 + deed.space // 13), deed.id


def test_railroads_double_with_each_other_and_with_a_depot() -> None:
    assert len(RAILROADS) == 4
    for deed in RAILROADS:
        assert (deed.price, deed.mortgage) == (200, 100)
        assert deed.rent_by_owned == (25, 50, 100, 200)
        assert deed.rent_by_owned_with_depot == (50, 100, 200, 400)
        assert (deed.depot_cost, deed.depot_sale) == (100, 50)
    assert MEGA.buildings.depot_rent_times == 2


def test_three_utilities_ask_for_4_10_and_20_times_the_dice() -> None:
    assert len(UTILITIES) == 3
    for deed in UTILITIES:
        assert (deed.price, deed.mortgage) == (150, 75)
        assert deed.rent_dice_multiplier_by_owned == (4, 10, 20)


def test_each_group_has_one_new_street_and_is_one_larger_than_before() -> None:
    classic = builtin("classic")
    for group in {deed.group for deed in STREETS}:
        members, old = MEGA.members(group), classic.members(group)
        assert len(members) == len(old) + 1
        assert sum(deed.is_new for deed in members) == 1
        before = {deed.id: deed.price for deed in old}
        after = {deed.id: deed.price for deed in members if not deed.is_new}
        assert before == after
