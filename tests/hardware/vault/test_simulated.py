"""What the simulated vault adds: hands, a spring, a bolt, and faults on request."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from companion.errors import Malformed
from companion.lock.quadrature import WheelSettings
from companion.lock.senses import SenseSettings, first_senses
from companion.lock.states import VaultState
from companion.ports import Edge, Line, Signal
from hardware.vault.simulated import CYCLE, SimulatedVault
from tests.fakes import FakeClock
from tests.hardware.photos.desk import Desk
from tests.hardware.vault.rigs import SimulatedRig
from tests.sample import each


@pytest.fixture
def rig() -> SimulatedRig:
    return SimulatedRig(FakeClock())


def test_an_evening_by_hand(rig: SimulatedRig) -> None:
    desk = Desk(rig)
    hands = desk.keeper.hands
    assert hands is not None
    hands.shut_lid()
    desk.run(60)
    for _ in range(3):
        hands.press(Line.YELLOW_BUTTON)  # As fast as a page can click.
    desk.run(300)
    assert desk.state is VaultState.LOCKED
    hands.lift_lid()
    desk.run(100)
    assert desk.state is VaultState.LOCKED
    hands.turn(3)
    hands.press(Line.M_BUTTON)
    desk.run(200)
    assert desk.state is VaultState.OPEN
    assert rig.device.values("lid") == [True, False]
    assert rig.device.values("coil") == [False, True, False]
    assert rig.device.values("signal")[-1] is Signal.RIGHT


@each(("steps", "rest"), product([1, 2, 4], CYCLE))
def test_wheel_makes_the_edges_of_its_part(steps: int, rest) -> None:
    device = SimulatedVault(FakeClock(), wheel=WheelSettings(steps), rest=rest)
    heard: list[Edge] = []
    device.listen(heard.append)
    device.turn(6)
    device.turn(-6)
    assert len(heard) == 12 * steps
    levels = device.levels()
    assert (levels[Line.WHEEL_A], levels[Line.WHEEL_B]) == rest


def test_bolt_holds_a_shut_lid_and_the_spring_lifts_a_free_one(
    rig: SimulatedRig,
) -> None:
    device = rig.device
    device.shut_lid()
    device.lift_lid()
    assert device.levels()[Line.LID]
    device.release(50)
    assert device.is_coil_on
    rig.clock.advance(19)
    assert device.levels()[Line.LID]
    rig.clock.advance(1)
    assert not device.levels()[Line.LID]


def test_lid_does_not_stay_down_while_the_bolt_is_back(rig: SimulatedRig) -> None:
    rig.device.release(400)
    rig.clock.advance(100)
    rig.device.shut_lid()
    rig.clock.advance(20)
    assert not rig.device.levels()[Line.LID]
    rig.clock.advance(400)
    rig.device.shut_lid()
    rig.clock.advance(100)
    assert rig.device.levels()[Line.LID]


def test_jammed_lid_rises_only_by_force(rig: SimulatedRig) -> None:
    device = rig.device
    device.shut_lid()
    device.is_jammed = True
    device.release(100)
    device.lift_lid()
    rig.clock.advance(100)
    assert device.levels()[Line.LID]
    device.force_lid()
    assert not device.levels()[Line.LID]


def test_cut_lid_wire_reads_open_and_mends(rig: SimulatedRig) -> None:
    desk = Desk(rig)
    desk.lock()
    rig.device.cut_wire(Line.LID)
    desk.run(60)
    assert desk.state is VaultState.FORCED
    assert not rig.device.levels()[Line.LID]
    rig.device.mend_wire(Line.LID)
    desk.run(60)
    assert desk.state is VaultState.LOCKED


def test_cut_button_is_deaf(rig: SimulatedRig) -> None:
    heard: list[Edge] = []
    rig.device.listen(heard.append)
    rig.device.cut_wire(Line.M_BUTTON)
    rig.device.press(Line.M_BUTTON)
    rig.clock.advance(100)
    assert heard == []


def test_finger_presses_in_turn(rig: SimulatedRig) -> None:
    heard: list[Edge] = []
    rig.device.listen(heard.append)
    for _ in range(20):
        rig.device.press(Line.M_BUTTON)
    assert rig.device.waiting_presses_count == 19  # One is made at once.
    rig.clock.advance(10_000)
    assert rig.device.waiting_presses_count == 0
    assert [edge.is_active for edge in heard] == [True, False] * 20
    assert {b.at_ns - a.at_ns for a, b in pairwise(heard)} == {40_000_000}


@pytest.mark.parametrize("line", [Line.LID, Line.WHEEL_A])
def test_only_buttons_can_be_pressed(rig: SimulatedRig, line: Line) -> None:
    with pytest.raises(Malformed, match="expected m_button or yellow_button"):
        rig.device.press(line)


@pytest.mark.parametrize("numbers", [121, -121, 1.5, True, "3"])
def test_turn_beyond_a_hand_is_refused(rig: SimulatedRig, numbers) -> None:
    with pytest.raises(Malformed, match="expected"):
        rig.device.turn(numbers)


@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize(("steps", "detents"), [(4, 1), (2, 1), (1, 1), (4, 4), (1, 3)])
def test_a_turn_is_by_numbers_whichever_wheel_is_mounted(
    steps: int, detents: int, is_reversed: bool
) -> None:
    wheel = WheelSettings(steps, detents, is_reversed)
    device = SimulatedVault(FakeClock(), wheel=wheel)
    senses = [first_senses(device.levels(), 1, SenseSettings(wheel=wheel))]
    device.listen(lambda edge: senses.append(senses[-1].hear(edge)[0]))
    numbers = [device.turn(by) or senses[-1].wheel.number for by in (1, 2, -4, 6, -1)]
    assert numbers == [2, 4, 6, 6, 5]
