from __future__ import annotations

import sys

import pytest

from companion.errors import DeviceFault, Refused
from hardware.vault.coil import (
    OFF_RETRIES_CLOSED,
    OFF_RETRIES_QUICK,
    OFF_RETRY_MS,
    OFF_RETRY_SLOW_MS,
    OVERDUE_MS,
    REST_MS,
    URGENT_S,
    Coil,
)
from tests.fakes import FakeClock, FakeTimer, StuckClock


class Switch:
    """A switch that notes what it was asked for and can be told to fail."""

    def __init__(self, clock: FakeClock) -> None:
        self.clock = clock
        self.levels: list[bool] = []
        self.timers_at_on: list[int] = []
        self.fails_on = self.fails_off = False

    def __call__(self, is_on: bool) -> None:
        if is_on:
            self.timers_at_on.append(self.clock.waiting_count)
        if self.fails_on if is_on else self.fails_off:
            raise OSError("no answer")
        self.levels.append(is_on)


@pytest.fixture
def switch() -> Switch:
    return Switch(FakeClock())


def coil_of(switch: Switch) -> Coil:
    """Make a coil with both deadlines on one clock."""
    return Coil(switch, switch.clock, switch.clock)


def test_both_timers_are_armed_before_the_current_flows(switch: Switch) -> None:
    coil_of(switch).pulse(100)
    assert switch.timers_at_on == [2]


@pytest.mark.parametrize("is_first", [False, True])
def test_without_both_timers_no_current_flows(switch: Switch, is_first: bool) -> None:
    def no_timer(delay_ms: int, act: object) -> None:
        raise RuntimeError("can't start new thread")

    broken = StuckClock(switch.clock)
    broken.call_later = no_timer  # type: ignore[assignment,method-assign]
    clocks = (broken, switch.clock) if is_first else (switch.clock, broken)
    coil = Coil(switch, *clocks)
    with pytest.raises(DeviceFault, match="can't start new thread"):
        coil.pulse(100)
    assert True not in switch.levels
    assert not coil.is_on
    assert switch.clock.waiting_count == 0


def test_coil_that_stays_on_is_tried_again_and_again(
    switch: Switch, caplog: pytest.LogCaptureFixture
) -> None:
    coil = coil_of(switch)
    coil.pulse(100)
    switch.fails_off = True
    switch.clock.advance(100 + 10 * OFF_RETRY_MS)
    assert coil.is_on
    assert caplog.text.count("coil_not_off") == 11
    assert coil.rest_ms() == REST_MS
    with pytest.raises(Refused):
        coil.pulse(100)
    switch.fails_off = False
    switch.clock.advance(OFF_RETRY_MS)
    assert switch.levels == [False, True, False]
    assert switch.clock.waiting_count == 0


def test_it_is_tried_until_the_coil_is_off(switch: Switch) -> None:
    coil = coil_of(switch)
    coil.pulse(100)
    switch.fails_off = True
    switch.clock.advance(60_000)
    assert coil.is_on
    switch.fails_off = False
    switch.clock.advance(OFF_RETRY_SLOW_MS)
    assert not coil.is_on
    assert switch.levels[-1] is False
    assert switch.clock.waiting_count == 0


@pytest.mark.parametrize("way", ["end", "close"])
def test_an_end_that_fails_is_tried_again(switch: Switch, way: str) -> None:
    coil = coil_of(switch)
    coil.pulse(400)
    switch.clock.advance(30)
    switch.fails_off = True
    if way == "close":
        coil.close()
    else:
        for _ in range(2):
            with pytest.raises(DeviceFault):
                coil.end()
    assert coil.is_on
    switch.clock.advance(400)
    switch.fails_off = False
    switch.clock.advance(OFF_RETRY_MS)
    assert not coil.is_on
    assert switch.levels[-1] is False
    assert switch.clock.waiting_count == 0


def test_a_coil_that_came_on_in_spite_of_a_fault_is_tried_again(switch: Switch) -> None:
    coil = coil_of(switch)
    switch.fails_on = switch.fails_off = True
    with pytest.raises(DeviceFault):
        coil.pulse(100)
    switch.fails_off = False
    switch.clock.advance(100)
    assert switch.levels == [False, False]
    assert switch.clock.waiting_count == 0


GIVES_UP_MS = (
    OFF_RETRIES_QUICK * OFF_RETRY_MS
    + (OFF_RETRIES_CLOSED - OFF_RETRIES_QUICK) * OFF_RETRY_SLOW_MS
)
"""How long a coil that was closed is tried to be switched off."""


def test_a_vault_that_was_closed_gives_up_in_the_end(switch: Switch) -> None:
    coil = coil_of(switch)
    coil.pulse(100)
    switch.fails_off = True
    coil.close()  # And does not raise.
    switch.clock.advance(100 + OVERDUE_MS + GIVES_UP_MS)
    assert switch.clock.waiting_count == 0


def test_stuck_coil_counts_as_on_until_it_is_off(switch: Switch) -> None:
    coil = coil_of(switch)
    coil.pulse(100)
    switch.fails_off = True
    switch.clock.advance(4000)
    switch.fails_off = False
    coil.end()
    assert coil.rest_ms() == 4 * 4000


def test_coil_that_cannot_be_off_at_the_start_is_no_coil(switch: Switch) -> None:
    switch.fails_off = True
    with pytest.raises(DeviceFault, match=r"switched off .*; cut its supply"):
        coil_of(switch)


def test_failed_pulse_leaves_no_timer_behind(switch: Switch) -> None:
    coil = coil_of(switch)
    switch.fails_on = True
    with pytest.raises(DeviceFault, match="switched on"):
        coil.pulse(100)
    assert switch.clock.waiting_count == 0
    assert switch.levels == [False, False]


def test_timer_too_late_to_be_cancelled_does_not_cut_the_next_pulse(
    switch: Switch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeTimer, "cancel", lambda self: None)
    coil = coil_of(switch)
    coil.pulse(100)
    switch.clock.advance(60)
    coil.end()
    switch.clock.advance(10)
    coil._rests_until_ns = None  # A rest would outlast the late timer.
    coil.pulse(100)
    switch.clock.advance(99)
    assert switch.levels == [False, True, False, True]
    switch.clock.advance(1)
    assert switch.levels[-1] is False


def test_second_deadline_tries_until_the_coil_is_off(
    switch: Switch, caplog: pytest.LogCaptureFixture
) -> None:
    coil = Coil(switch, StuckClock(switch.clock), switch.clock)
    coil.pulse(100)
    switch.fails_off = True
    switch.clock.advance(100 + OVERDUE_MS + 2 * OFF_RETRY_MS)
    assert coil.is_on
    assert caplog.text.count("no answer") == 3
    switch.fails_off = False
    switch.clock.advance(OFF_RETRY_MS)
    assert switch.levels == [False, True, False]
    assert switch.clock.waiting_count == 0
    assert not coil.is_sound


@pytest.mark.parametrize("is_first", [False, True])
def test_second_deadline_gives_up_as_late_as_the_first(
    switch: Switch, is_first: bool
) -> None:
    clocks = [switch.clock, StuckClock(switch.clock)]
    coil = Coil(switch, *clocks) if is_first else Coil(switch, *reversed(clocks))
    coil.pulse(100)
    switch.fails_off = True
    coil.close()
    switch.clock.advance(100 + (0 if is_first else OVERDUE_MS) + GIVES_UP_MS - 1)
    assert switch.clock.waiting_count == 1
    switch.clock.advance(1)
    assert switch.clock.waiting_count == 0
    assert coil.is_on


class HastyCoil(Coil):
    """A coil at which another thread begins a pulse just while somebody asks."""

    is_asked = False

    @property
    def is_on(self) -> bool:
        if self.is_asked:
            self.is_asked = False
            self.pulse(100)
        return super().is_on


def test_coil_is_sound_while_a_pulse_begins(switch: Switch) -> None:
    switch.clock.advance(1_000)
    coil = HastyCoil(switch, switch.clock, switch.clock)
    coil.is_asked = True
    assert coil.is_sound
    assert coil.is_on


def test_coil_is_not_sound_while_it_is_on_too_long(switch: Switch) -> None:
    """Even if no deadline comes at all: whoever asks is told the truth."""
    coil = Coil(switch, StuckClock(switch.clock), StuckClock(switch.clock))
    coil.pulse(100)
    switch.clock.advance(100 + OVERDUE_MS)
    assert coil.is_sound
    switch.clock.advance(1)
    assert not coil.is_sound


def test_threads_take_turns_faster_while_the_coil_is_on(switch: Switch) -> None:
    usual_s = sys.getswitchinterval()
    coil = coil_of(switch)
    coil.pulse(100)
    assert sys.getswitchinterval() == pytest.approx(URGENT_S)
    switch.clock.advance(100)
    assert sys.getswitchinterval() == usual_s
