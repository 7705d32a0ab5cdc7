"""The circuit is complete: each leg is on one net, and nothing is shorted."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from hardware.vault.pins import (
    GROUND,
    PHYSICAL,
    POWER,
    SERVO_BCM,
    SUPPLY_3V3,
    SUPPLY_5V,
    Pins,
)
from hardware.wiring.nets import BOX, COIL, OPTIONAL, PARTS, SERVO, Nets
from tests.sample import each

ENDS = {"PS1": "+-", "BZ1": "+-", "C1": "+-", "C2": "+-", "M1": "+-S", "S1": "ABC"}
ON = {leg: net for nets in (BOX, SERVO, COIL) for net in nets for leg in nets[net]}
"""The net that each leg is on."""


def ends_of(part: str) -> list[str]:
    ends = ENDS.get(part) or {"D": "AK", "Q": "BCE"}.get(part[0], "12")
    return [f"{part}.{end}" for end in ends]


def legs_of(nets: Nets) -> Counter[str]:
    return Counter(leg for leg in chain(*nets.values()) if not leg.startswith("Pi."))


def test_every_leg_is_on_one_net() -> None:
    legs = legs_of(BOX) + legs_of(SERVO) + legs_of(COIL)
    assert legs == Counter(chain(*map(ends_of, PARTS)))


@each(("nets", "apart", "parts", "legs"), [(COIL, "PS1", 9, 19), (SERVO, "C2", 3, 7)])
def test_a_stage_is_as_small_as_it_is_said_to_be(
    nets: Nets, apart: str, parts: int, legs: int
) -> None:
    counted = [leg for leg in legs_of(nets) if not leg.startswith(apart)]
    assert len({leg.split(".")[0] for leg in counted}) == parts
    assert len(counted) == legs


def test_what_may_be_left_out_only_steadies_the_servos_supply() -> None:
    assert [ON[end] for end in ends_of(OPTIONAL)] == ["servo +", "ground"]


@each("part", PARTS)
def test_no_part_is_shorted(part: str) -> None:
    nets = [ON[end] for end in ends_of(part)]
    assert len(set(nets)) == len(nets)


def test_every_wire_of_the_header_is_on_a_net_of_its_own() -> None:
    wires = [ON[f"Pi.{PHYSICAL[bcm]}"] for _, bcm in Pins().named()]
    wires.append(ON[f"Pi.{PHYSICAL[SERVO_BCM]}"])
    assert len(set(wires)) == len(wires)
    assert not set(wires) & set(POWER)


def test_supplies_are_on_their_own_pins() -> None:
    used = (SUPPLY_3V3, SUPPLY_5V, GROUND)
    assert [ON[f"Pi.{pin}"] for pin in used] == list(POWER)


def test_header_and_24_volts_meet_in_ground_only() -> None:
    """Q1 is on both sides, but no current flows from its collector to its base."""
    high = {"24 V", "reservoir", "coil -", "charge"}
    for part in PARTS:
        touched = {ON[end] for end in ends_of(part)}
        if touched & high:
            low = {"ground", "base"} if part == "Q1" else {"ground"}
            assert touched - high <= low, part
    assert not any(leg.startswith("Pi.") for net in high for leg in COIL[net])


def test_diodes_point_the_right_way() -> None:
    assert (
        (ON["D1.A"], ON["D1.K"]) == (ON["Q1.C"], ON["L1.1"]) == ("coil -", ON["C1.+"])
    )
    assert (ON["D5.A"], ON["D5.K"]) == (ON["Q2.C"], "5 V")
    assert {ON[f"D{led}.K"] for led in (2, 3, 4)} == {"ground"}


def test_what_floats_is_held_low_by_10_kilohms() -> None:
    for leg, resistor in (("Q1.B", "R3"), ("M1.S", "R5"), ("Q2.B", "R9")):
        assert {ON[end] for end in ends_of(resistor)} == {ON[leg], "ground"}
        assert PARTS[resistor] == "10 kΩ"


def test_all_of_the_servos_current_goes_through_its_fuse() -> None:
    assert (ON["F1.1"], ON["F1.2"]) == ("5 V", ON["M1.+"])
    assert SERVO["servo +"] == ("F1.2", "M1.+", "C2.+")
