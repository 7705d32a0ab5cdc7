from __future__ import annotations

from dataclasses import fields

import pytest

from companion.errors import Malformed
from hardware.vault.pins import PHYSICAL, POWER, Pins
from tests.hardware.wiring.tables import pin_table
from tests.sample import each


def test_default_pins_are_distinct_and_on_the_header() -> None:
    numbers = [bcm for _, bcm in Pins().named()]
    assert len(set(numbers)) == len(numbers) == len(fields(Pins))
    assert set(numbers) <= set(PHYSICAL)


def test_default_pins_are_clear_of_the_buses() -> None:
    buses = {0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 14, 15, 18, 19, 20, 21}
    assert not buses & {bcm for _, bcm in Pins().named()}


@pytest.mark.parametrize("wire", ["latch", "led_green", "led_red", "buzzer"])
def test_outputs_power_up_with_pull_downs(wire: str) -> None:
    assert 9 <= getattr(Pins(), wire) <= 27


def test_physical_places_are_distinct() -> None:
    assert sorted(PHYSICAL) == list(range(28))
    assert len(set(PHYSICAL.values())) == 28
    power = {pin for pins in POWER.values() for pin in pins}
    assert power == {1, 2, 4, 6, 9, 14, 17, 20, 25, 30, 34, 39}
    assert set(PHYSICAL.values()) == set(range(1, 41)) - power


@each(
    ("chosen", "problem"),
    [
        ({"latch": 5}, "latch: expected a pin of its own, got 5, also used by m_but"),
        ({"lid": 0}, "lid: expected a free pin, got 0, which is kept for the ID"),
        ({"lid": 1}, "lid: expected a free pin, got 1, which is kept for the ID"),
        ({"lid": 28}, r"lid: expected a BCM number in 2\.\.27, got 28"),
        ({"lid": -1}, r"lid: expected a BCM number in 2\.\.27, got -1"),
        ({"lid": "16"}, "lid: expected a BCM number, got '16'"),
        ({"lid": True}, "lid: expected a BCM number, got True"),
    ],
)
def test_impossible_pin_is_refused(chosen, problem: str) -> None:
    with pytest.raises(Malformed, match=problem):
        Pins(**chosen)


def test_all_problems_are_told_at_once() -> None:
    with pytest.raises(Malformed) as malformed:
        Pins(latch=99, lid=0, led_red=22)
    for wire in ("latch", "lid", "led_red", "led_green"):
        assert f"{wire}: expected" in str(malformed.value)


def test_table_names_every_wire() -> None:
    table = pin_table(Pins())
    assert "| coil | 17 | 11 |" in table
    assert len(table.splitlines()) == 3 + len(fields(Pins)) + len(("5 V", "ground"))


def test_table_names_supply_and_ground() -> None:
    table = pin_table(Pins())
    assert "| 5 V | | 2; the latch's: 4 |" in table
    grounds = "9; the latch's: 14 (the same: 6, 20, 25, 30, 34, 39)"
    assert f"| ground | | {grounds} |" in table


@each("bcm", [2, 3, 4, 5, 7, 8, 14])
def test_no_coil_where_the_bolt_could_open_by_itself_at_power_up(bcm: int) -> None:
    others = {"m_button": 18}
    with pytest.raises(Malformed, match="latch: expected a pin that starts low"):
        Pins(latch=bcm, **others)


@each("bcm", [9, 15, 18, 25, 26])
def test_the_coil_may_move_to_any_pin_that_starts_low(bcm: int) -> None:
    assert Pins(latch=bcm).latch == bcm
