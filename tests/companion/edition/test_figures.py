"""Figures of the deeds, typed by hand, and how well every figure is known."""

from __future__ import annotations

import pytest
from msgspec.structs import fields, replace

from companion.edition import builtin, builtin_text
from companion.edition.model import SECTIONS, has_figure
from companion.edition.origin import Candidate
from companion.edition.shape import DEED_FIGURES
from companion.errors import Malformed
from tests.sample import each

EVERY = ("classic", "grab-and-go", "secret-vault", "crooked-cash", "mega")


@each(
    ("edition_id", "deed_id", "price", "mortgage", "rents", "full_group"),
    [
        ("classic", "boardwalk", 400, 200, (50, 200, 600, 1400, 1700, 2000), 100),
        ("classic", "mediterranean-avenue", 60, 30, (2, 10, 30, 90, 160, 250), 4),
        ("classic", "tennessee-avenue", 180, 90, (14, 70, 200, 550, 750, 950), 28),
        ("classic", "park-place", 350, 175, (35, 175, 500, 1100, 1300, 1500), 70),
        ("grab-and-go", "tennessee-avenue", 180, 90, (14, 70, 200, 550, 750, 950), 28),
        ("secret-vault", "park-place", 700, None, (390, 1080, 1380), 780),
        ("secret-vault", "mediterranean-avenue", 120, None, (20, 340, 640), 40),
        ("mega", "arctic-avenue", 80, 40, (5, 30, 80, 240, 360, 500, 950), 15),
        ("mega", "boardwalk", 400, 200, (50, 200, 600, 1400, 1700, 2000, 3000), 150),
    ],
)
def test_a_street_costs_and_earns_what_its_card_says(
    edition_id, deed_id, price, mortgage, rents, full_group
):
    edition = builtin(edition_id)
    deed = edition.deed(deed_id)
    assert (deed.price, deed.mortgage) == (price, mortgage)
    assert edition.rents(deed_id) == rents
    assert edition.figure(deed_id, "rent_full_group") == full_group


def test_railroads_and_utilities_pay_by_how_many_are_owned():
    for edition_id, times in (("classic", (4, 10)), ("mega", (4, 10, 20))):
        edition = builtin(edition_id)
        assert edition.figure("reading-railroad", "rent_by_owned") == (25, 50, 100, 200)
        for deed in edition.members("utility"):
            assert deed.rent_dice_multiplier_by_owned == times
            assert deed.price == 150


def test_locked_deeds_have_no_price_to_ask_for():
    edition = builtin("secret-vault")
    locked = [deed.id for deed in edition.deeds if deed.locked]
    assert locked == ["vermont-avenue", "st-james-place", "ventnor-avenue", "boardwalk"]
    assert edition.buying.locked_deeds == tuple(locked)
    for deed_id in locked:
        with pytest.raises(Malformed, match="got 'price'"):
            edition.figure(deed_id, "price")
    assert edition.rents("boardwalk") == (470, 1250, 1550)
    assert edition.figure("boardwalk", "rent_full_group") == 950


def test_unknown_is_none_and_never_zero():
    edition = builtin("crooked-cash")
    for name in ("rent", "rent_full_group", "rent_hotel", "hotel_cost"):
        assert edition.figure("park-place", name) is None
        assert edition.provenance(f"deed.park-place.{name}").confidence == "unknown"
        assert edition.provenance(f"deed.park-place.{name}").sources == ()
    assert edition.rents("boardwalk") == (200, None)
    vault = builtin("secret-vault")
    assert vault.figure("park-place", "mortgage") is None
    assert vault.figure("park-place", "hotel_cost") == 0
    assert vault.vault.guess_fee_to is None
    assert vault.provenance("vault.guess_fee_to").confidence == "unknown"


def test_known_and_derived_rents_of_crooked_cash_are_told_apart():
    edition = builtin("crooked-cash")
    read = [
        deed.id
        for deed in edition.deeds
        if edition.provenance(f"deed.{deed.id}.rent").confidence == "single"
    ]
    assert read == [
        "mediterranean-avenue",
        "oriental-avenue",
        "st-charles-place",
        "new-york-avenue",
    ]
    assert [edition.deed(one).rent for one in read] == [30, 50, 70, 100]
    assert "half" in edition.provenance("deed.baltic-avenue.rent").note


def test_what_nobody_knows_of_a_hotel_is_likely_by_the_rule_that_the_file_states():
    edition, classic = builtin("crooked-cash"), builtin("classic")
    for deed in edition.deeds:
        likely = {one.field: one.value for one in deed.likely}
        cost = classic.deed(deed.id).house_cost
        rent = deed.rent or likely["rent"]
        assert likely["hotel_cost"] == cost
        assert likely["rent_hotel"] == 2 * rent + 2 * cost
        assert all(value % 10 == 0 for value in likely.values()), "paid in notes of 10"
        assert set(likely) | {"rent_full_group"} >= set(deed.unknown)
        assert {one.sources for one in deed.likely} == {("own-choice",)}
        assert "likely" in edition.provenance(f"deed.{deed.id}.hotel_cost").note
        assert "likely" in edition.provenance(f"deed.{deed.id}.rent_hotel").note
    park_place = {one.field: one.value for one in edition.deed("park-place").likely}
    assert park_place["rent"] == 180
    assert "likely" in edition.provenance("deed.park-place.rent").note


MADE = {"confidence": "inferred", "sources": ("own-choice",)}


def test_another_printings_figure_is_not_what_is_likely_of_this_one():
    deed = builtin("mega").deeds[0]
    other = replace(
        deed,
        price=None,
        unknown=("price",),
        candidates=(
            Candidate(field="price", value=60, printing="UK", **MADE),
            Candidate(field="price", value=70, **MADE),
            Candidate(field="rent", value=7, **MADE),
        ),
    )
    assert [(one.field, one.value) for one in other.likely] == [("price", 70)]


def test_a_figure_that_does_not_exist_is_malformed():
    edition = builtin("classic")
    with pytest.raises(Malformed, match="got 'skyscraper_cost'"):
        edition.figure("boardwalk", "skyscraper_cost")
    with pytest.raises(Malformed, match="did you mean 'rent_hotel'"):
        edition.figure("boardwalk", "rent_hotels")
    with pytest.raises(Malformed, match="did you mean 'boardwalk'"):
        edition.figure("bordwalk", "rent")
    with pytest.raises(Malformed, match=r"did you mean 'money.salary'"):
        edition.provenance("money.salery")


def test_inherited_figures_are_not_better_known_than_the_inheritance():
    edition = builtin("grab-and-go")
    assert builtin("classic").provenance("deed.boardwalk").confidence == "confirmed"
    inherited = edition.provenance("deed.boardwalk.price")
    assert inherited.confidence == "inferred"
    assert "grab-and-go-sheet" in inherited.sources
    assert edition.provenance("money.salary").confidence == "single"


@each("edition_id", EVERY)
def test_every_figure_says_how_well_it_is_known_and_from_where(edition_id):
    edition = builtin(edition_id)
    known = {source.id for source in edition.sources}
    keys = [*edition.origins]
    keys += [
        f"deed.{deed.id}.{name}"
        for deed in edition.deeds
        for name in DEED_FIGURES
        if has_figure(deed, name)
    ]
    for key in keys:
        origin = edition.provenance(key)
        assert set(origin.sources) <= known, key
        if origin.confidence != "unknown" and key not in edition.inherited:
            assert origin.sources, key


@each("edition_id", EVERY)
def test_no_mechanic_is_set_without_a_source(edition_id):
    edition = builtin(edition_id)
    for key, shape in SECTIONS.items():
        section = getattr(edition, key)
        if section is None:
            continue
        for one in fields(shape):
            if getattr(section, one.name) != one.default:
                assert f"{key}.{one.name}" in edition.origins, f"{key}.{one.name}"


@each("edition_id", EVERY)
def test_more_than_one_source_stands_behind_what_is_confirmed(edition_id):
    edition = builtin(edition_id)
    lonely = [
        key
        for key, origin in edition.origins.items()
        if origin.confidence == "confirmed" and len(origin.sources) < 2
    ]
    # Also printed on other sheets of the same publisher, as its note says.
    assert lonely in ([], ["money.start_notes"])


@each("edition_id", EVERY)
def test_no_file_speaks_of_this_machine(edition_id):
    text = builtin_text(edition_id)
    for word in ("/work", "/tmp", "rules/", ".txt)"):
        assert word not in text
