"""What every vault device must do, with a coil and with a servo.

Simulated, on mock pins, and on the kernel's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from companion.errors import DeviceFault, Refused, Why
from companion.ports import Edge, Line, Signal
from hardware.vault.coil import REST_MS
from tests.fakes import FakeClock, StuckClock
from tests.hardware.vault.rigs import RIGS, GpioRig, Rig, SimulatedRig, seconds_in


def test_coil_is_off_after_construction(rig: Rig) -> None:
    assert not any(rig.coil_levels())


@pytest.mark.parametrize("on_time_ms", [-1, 0, 49, 1001, 10_000, True, 80.0, "80"])
def test_pulse_outside_the_limit_is_refused(rig: Rig, on_time_ms: int) -> None:
    before = rig.coil_levels()
    with pytest.raises(ValueError, match=r"expected on_time_ms in 50\.\.1000, got"):
        rig.device.release(on_time_ms)
    assert rig.coil_levels() == before


@pytest.mark.parametrize("on_time_ms", [50, 400, 1000])
def test_pulse_ends_by_itself(rig: Rig, on_time_ms: int) -> None:
    rig.device.release(on_time_ms)
    rig.clock.advance(on_time_ms - 1)
    assert rig.coil_levels() == [False, True]
    rig.clock.advance(1)
    assert rig.coil_levels() == [False, True, False]


def test_pulse_can_be_ended_early_and_twice(rig: Rig) -> None:
    rig.device.release(1000)
    rig.device.end_release()
    rig.device.end_release()
    rig.clock.advance(5000)
    assert rig.coil_levels() == [False, True, False]


def test_late_timer_of_an_ended_pulse_does_not_cut_the_next(rig: Rig) -> None:
    rig.device.release(1000)
    rig.clock.advance(100)
    rig.device.end_release()
    rig.clock.advance(REST_MS)
    rig.device.release(1000)
    rig.clock.advance(999)
    assert rig.coil_levels() == [False, True, False, True]


def test_second_pulse_during_the_first_is_refused(rig: Rig) -> None:
    rig.device.release(1000)
    rig.clock.advance(400)
    with pytest.raises(Refused) as refused:
        rig.device.release(1000)
    assert refused.value.why is Why.COIL_RESTING
    assert rig.device.rest_ms() == 600 + REST_MS


def test_five_seconds_pass_between_two_pulls(rig: Rig) -> None:
    rig.device.release(50)
    rig.clock.advance(50)
    before = rig.coil_levels()
    with pytest.raises(Refused, match="has to rest") as refused:
        rig.device.release(50)
    assert refused.value.why is Why.COIL_RESTING
    assert seconds_in(refused.value.remedy) == 5
    assert rig.coil_levels() == before
    rig.clock.advance(REST_MS - 1)
    with pytest.raises(Refused):
        rig.device.release(50)
    rig.clock.advance(1)
    rig.device.release(50)


@pytest.mark.parametrize(("late_ms", "on_ms"), [(0, 4_000), (99, 4_396)])
def test_pulls_as_early_as_allowed_stay_below_5_s_of_20(
    rig: Rig, late_ms: int, on_ms: int
) -> None:
    """Even if the first deadline comes as late as it may."""
    began_ns, was_on_ms = rig.clock.monotonic_ns(), 0
    while rig.clock.monotonic_ns() - began_ns < 20_000_000_000:
        rig.device.release(1000)
        rig.device._coil._timer.cancel()
        rig.clock.advance(1000 + late_ms)
        rig.device.end_release()
        was_on_ms += 1000 + late_ms
        rig.clock.advance(rig.device.rest_ms())
    assert was_on_ms == on_ms


def test_close_ends_a_pulse_and_may_be_called_twice(rig: Rig) -> None:
    rig.device.release(1000)
    rig.device.close()
    rig.device.close()
    assert rig.coil_levels()[:3] == [False, True, False]
    assert not any(rig.coil_levels()[2:])
    with pytest.raises(DeviceFault, match="closed"):
        rig.device.release(100)


def test_close_by_an_exception_ends_a_pulse(rig: Rig) -> None:
    def die_in_the_middle() -> None:
        with closing(rig.device):
            rig.device.release(1000)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        die_in_the_middle()
    assert rig.coil_levels()[-1] is False


def test_coil_that_cannot_be_driven_is_a_fault_and_off(rig: Rig) -> None:
    rig.break_coil()
    with pytest.raises(DeviceFault, match="could not be switched on"):
        rig.device.release(400)
    assert rig.coil_levels()[-1] is False
    assert rig.device.rest_ms() == REST_MS  # It may have been on for a moment.


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture(params=RIGS.values(), ids=RIGS.keys())
def held_up(request: pytest.FixtureRequest, clock: FakeClock) -> Iterator[Rig]:
    """Make a vault whose clock is held up, beside the coil's, *clock*."""
    rig = request.param(StuckClock(clock), clock)
    yield rig
    rig.device.close()


@pytest.fixture(params=RIGS.values(), ids=RIGS.keys())
def dead(request: pytest.FixtureRequest, clock: FakeClock) -> Iterator[Rig]:
    """Make a vault whose coil's clock is dead, beside the other one, *clock*."""
    rig = request.param(clock, StuckClock(clock))
    yield rig
    rig.device.close()


def test_pulse_ends_though_lights_and_sounds_are_held_up(
    held_up: Rig, clock: FakeClock
) -> None:
    held_up.device.signal(Signal.ALARM)
    held_up.device.release(400)
    clock.advance(400)
    assert held_up.coil_levels() == [False, True, False]
    assert held_up.device.is_sound


def test_second_deadline_ends_a_pulse_that_the_first_did_not(
    dead: Rig, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    dead.device.release(400)
    clock.advance(499)
    assert dead.coil_levels() == [False, True]
    clock.advance(1)
    assert dead.coil_levels() == [False, True, False]
    assert not dead.device.is_sound
    assert caplog.text.count("coil_overdue") == len(caplog.records) == 1
    clock.advance(REST_MS)
    with pytest.raises(DeviceFault, match="start the program again"):
        dead.device.release(50)
    assert dead.coil_levels() == [False, True, False]


def test_vault_is_sound_again_once_the_first_deadline_came(
    dead: Rig, clock: FakeClock
) -> None:
    dead.device.release(400)
    clock.advance(500)
    dead.device.end_release()  # As when the lid is seen open.
    assert not dead.device.is_sound
    dead.coil_clock.advance(400)
    assert dead.device.is_sound
    clock.advance(REST_MS)
    dead.coil_clock.advance(REST_MS)
    dead.device.release(400)
    assert dead.coil_levels() == [False, True, False, True]


@pytest.mark.parametrize("line", list(Line))
def test_each_contact_is_an_edge_and_a_level(rig: Rig, line: Line) -> None:
    heard: list[Edge] = []
    rig.device.listen(heard.append)
    assert not any(rig.device.levels().values())
    rig.clock.advance(7)
    now_ns = rig.clock.monotonic_ns()
    rig.contact(line, True)
    assert heard == [Edge(line, True, now_ns)]
    assert [one for one, is_on in rig.device.levels().items() if is_on] == [line]
    rig.contact(line, False)
    assert heard[1:] == [Edge(line, False, now_ns)]
    assert set(rig.device.levels()) == set(Line)


def test_listener_that_raises_deafens_nobody(
    rig: Rig, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[Edge] = []

    def hear(edge: Edge) -> None:
        heard.append(edge)
        if edge.line is Line.LID:
            raise RuntimeError("a bug in the listener")

    rig.device.listen(hear)
    for line in (Line.LID, Line.M_BUTTON):
        rig.contact(line, True)
    rig.contact(Line.LID, False)
    assert [edge.line for edge in heard] == [Line.LID, Line.M_BUTTON, Line.LID]
    assert caplog.text.count("vault_edge_not_heard") == 2


def test_closed_vault_says_nothing(rig: Rig) -> None:
    heard: list[Edge] = []
    rig.device.listen(heard.append)
    rig.device.close()
    if isinstance(rig, SimulatedRig):
        rig.contact(Line.M_BUTTON, True)
    assert heard == []


@pytest.mark.parametrize("signal", list(Signal))
def test_signal_returns_at_once_and_ends(rig: Rig, signal: Signal) -> None:
    before_ns = rig.clock.monotonic_ns()
    rig.device.signal(signal)
    assert rig.clock.monotonic_ns() == before_ns
    rig.clock.advance(10_000)
    assert rig.clock.waiting_count == 0
    assert not any(rig.coil_levels())


def test_names_tell_real_from_simulated() -> None:
    clock = FakeClock()
    simulated, real = SimulatedRig(clock), GpioRig(clock)
    assert (simulated.device.name, real.device.name) == (
        "simulated vault",
        "vault on GPIO pins",
    )
    assert simulated.device.hands is simulated.device
    assert real.device.hands is None
    real.device.close()
