"""The circuit is complete: each leg is on one net, and nothing is shorted."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from hardware.vault.pins import (
    GROUND,
    LATCH_5V,
    LATCH_GROUND,
    PHYSICAL,
    POWER,
    SERVO_BCM,
    SUPPLY_5V,
    Pins,
)
from hardware.wiring.nets import BOX, COIL, PARTS, SERVO, Nets
from tests.sample import each

ENDS = {
    **dict.fromkeys(("PS1", "BZ1", "C1", "C8", "C9"), "+-"),
    "M1": "+-S",
    "S1": "ABC",
}
ON = {leg: net for nets in (BOX, SERVO, COIL) for net in nets for leg in nets[net]}
"""The net that each leg is on."""
CONTACTS = {"S1.A", "S1.B", "S2.1", "S3.1", "S4.1"}


def ends_of(part: str) -> list[str]:
    ends = ENDS.get(part) or {"D": "AK", "Q": "BCE"}.get(part[0], "12")
    return [f"{part}.{end}" for end in ends]


def legs_of(nets: Nets) -> Counter[str]:
    return Counter(leg for leg in chain(*nets.values()) if not leg.startswith("Pi."))


def test_every_leg_is_on_one_net() -> None:
    legs = legs_of(BOX) + legs_of(SERVO) + legs_of(COIL)
    assert legs == Counter(chain(*map(ends_of, PARTS)))


@each(("nets", "parts", "legs"), [(BOX, 23, 48), (COIL, 9, 19), (SERVO, 8, 17)])
def test_a_stage_is_as_small_as_it_is_said_to_be(
    nets: Nets, parts: int, legs: int
) -> None:
    counted = [leg for leg in legs_of(nets) if not leg.startswith("PS1")]
    assert len({leg.split(".")[0] for leg in counted}) == parts
    assert len(counted) == legs


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
    used = {"5 V": (SUPPLY_5V, LATCH_5V), "ground": (GROUND, LATCH_GROUND)}
    for net, (box, latch) in used.items():
        assert {box, latch} <= set(POWER[net])
        assert f"Pi.{box}" in BOX[net]
        assert f"Pi.{latch}" in SERVO[net]
    assert f"Pi.{LATCH_GROUND}" in COIL["ground"]
    assert "5 V" not in COIL


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
    for leg, resistor in (("Q1.B", "R3"), ("R18.1", "R5"), ("Q2.B", "R9")):
        assert {ON[end] for end in ends_of(resistor)} == {ON[leg], "ground"}
        assert PARTS[resistor] == "10 kΩ"


def test_every_contact_is_behind_1_kilohm_and_its_capacitor_at_the_pin() -> None:
    contacts = [legs for legs in BOX.values() if legs[0] in CONTACTS]
    assert len(contacts) == len(CONTACTS)
    for _, resistor in contacts:
        part = resistor.split(".")[0]
        assert PARTS[part] == "1 kΩ"
        behind, capacitor, pin = BOX[ON[f"{part}.2"]]
        assert (behind, capacitor[0], pin[:3]) == (f"{part}.2", "C", "Pi.")
        assert ON[f"{capacitor.split('.')[0]}.2"] == "ground"


def test_all_of_the_servos_current_goes_through_its_resistor() -> None:
    assert SERVO["5 V"] == (f"Pi.{LATCH_5V}", "R15.1")
    assert ON["R15.2"] == ON["M1.+"] == ON["C8.+"] == "servo +"


def test_cells_in_series_share_their_voltage_by_equal_resistors() -> None:
    for cell, resistor in (("C8", "R16"), ("C9", "R17")):
        assert [ON[end] for end in ends_of(cell)] == [
            ON[end] for end in ends_of(resistor)
        ]
    assert ON["C8.-"] == ON["C9.+"]
    assert (PARTS["R16"], PARTS["C8"]) == (PARTS["R17"], PARTS["C9"])
