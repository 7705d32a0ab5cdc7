"""The circuit is complete: each leg is on one net, and no input is left open."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from hardware.vault.pins import PHYSICAL, POWER, Pins
from hardware.wiring.nets import (
    CHIPS,
    FUSE_OHMS,
    LEFT_OPEN,
    LOCK_OUT_MS,
    PARTS,
    PULL_MS,
    TOLERANCE,
    net_of,
    nets,
)
from tests.hardware.wiring.tables import coil_ohms_for
from tests.sample import each

NETS = nets(Pins())
ENDS = {
    "C5": "+-", "C6": "+-", "PS1": "+-", "BZ1": "+-",
    "Q1": "GDS", "Q2": "GDS", "S1": "ABC",
}  # fmt: skip


def ends_of(part: str) -> set[str]:
    """Return the ends of a part that is not a chip."""
    ends = ENDS.get(part) or ("AK" if part.startswith("D") else "12")
    return {f"{part}.{end}" for end in ends}


CHIP_LEGS = {f"{chip}.{number}" for chip, legs in CHIPS.items() for number in legs}


def test_every_leg_is_on_one_net_or_left_open_on_purpose() -> None:
    uses = Counter(leg for legs in NETS.values() for leg in legs)
    expected = CHIP_LEGS - LEFT_OPEN
    for part in PARTS:
        expected |= ends_of(part)
    assert not [leg for leg, count in uses.items() if count > 1]
    assert {leg for leg in uses if not leg.startswith("Pi.")} == expected


def test_only_outputs_are_left_open() -> None:
    for leg in LEFT_OPEN:
        chip, number = leg.split(".")
        assert CHIPS[chip][int(number)].role == "out", leg


def test_every_input_is_tied_to_something_that_drives_it() -> None:
    on = net_of(Pins())
    for chip, legs in CHIPS.items():
        for number, leg in legs.items():
            if leg.role == "in":
                net = on[f"{chip}.{number}"]
                assert drivers(net) or net in ("3.3 V", "ground", "fire"), leg


def drivers(net: str) -> list[str]:
    """Return the outputs on *net*."""
    return [
        leg
        for leg in NETS[net]
        if leg in CHIP_LEGS
        and CHIPS[leg.split(".")[0]][int(leg.split(".")[1])].role == "out"
    ]


def test_no_two_outputs_fight() -> None:
    assert not [net for net in NETS if len(drivers(net)) > 1]


def test_chips_are_supplied() -> None:
    on = net_of(Pins())
    for chip, legs in CHIPS.items():
        for number, leg in legs.items():
            if leg.role in ("supply", "ground"):
                net = "3.3 V" if leg.role == "supply" else "ground"
                assert on[f"{chip}.{number}"] == net


@each("part", [part for part in PARTS if len(ends_of(part)) == 2])
def test_no_part_is_shorted(part: str) -> None:
    on = net_of(Pins())
    first, second = ends_of(part)
    assert on[first] != on[second]


def test_every_wire_of_the_header_is_on_a_net_of_its_own() -> None:
    on = net_of(Pins())
    used = [on[f"Pi.{PHYSICAL[bcm]}"] for _, bcm in Pins().named()]
    assert len(set(used)) == len(used)
    assert not set(used) & set(POWER)


def test_header_and_twelve_volts_meet_in_ground_only() -> None:
    """Q1 is on both sides, but no current flows from its drain to its gate."""
    twelve = {"12 V", "fused", "coil +", "coil -"}
    bridges = {"R7", "C6", "Q1", "PS1"}
    for part in PARTS:
        touched = {net_of(Pins())[end] for end in ends_of(part)}
        if touched & twelve and not touched <= twelve:
            assert part in bridges
            assert touched - twelve <= {"ground", "gate"}


def test_diodes_point_the_right_way() -> None:
    on = net_of(Pins())
    assert (on["D1.A"], on["D1.K"]) == (on["U1.7"], "3.3 V")
    assert (on["D2.A"], on["D2.K"]) == (on["U1.15"], "3.3 V")
    assert (on["D3.A"], on["D3.K"]) == (on["Q1.D"], on["L1.1"])
    assert (on["D6.A"], on["D6.K"]) == (on["Q2.D"], "5 V")


def test_fuse_and_thermal_cut_off_carry_all_of_the_coils_current() -> None:
    on = net_of(Pins())
    assert NETS["fused"] == ("F1.2", "TF1.1")
    assert (on["F1.1"], on["TF1.2"]) == ("12 V", on["L1.1"])
    assert on["C6.+"] == "12 V"  # Before the fuse: without it nothing pulls.


def test_every_coil_between_the_limits_has_a_fuse() -> None:
    ranges = [coil_ohms_for(fuse_ma) for fuse_ma in FUSE_OHMS]
    assert max(most for _, most in ranges) == pytest.approx(27.0, abs=0.05)
    assert min(least for least, _ in ranges) == pytest.approx(10.4, abs=0.05)
    for (least, _), (_, most) in itertools.pairwise(ranges):
        assert least <= most


def test_a_coil_that_is_always_on_draws_what_opens_its_fuse() -> None:
    """It draws 2.1 times the rating, although the fuse's own resistance limits it."""
    for fuse_ma, ohms in FUSE_OHMS.items():
        _, most = coil_ohms_for(fuse_ma)
        assert 12_000 / (most + ohms) >= 2.1 * fuse_ma - 0.001


def test_the_fuse_outlasts_the_longest_pull() -> None:
    """A time-lag fuse holds 2.75 times its rating for 600 ms."""
    assert PULL_MS * TOLERANCE[1] < 600


def test_worst_parts_keep_the_circuit_below_a_quarter() -> None:
    assert PULL_MS * TOLERANCE[1] / (LOCK_OUT_MS * TOLERANCE[0]) < 0.25
