from __future__ import annotations

import pytest

from tests.fakes import FakeClock


def test_clock_calls_in_order_of_time_then_of_asking():
    clock = FakeClock()
    said: list[tuple[str, int]] = []
    for name, delay_ms in [("late", 30), ("first", 10), ("second", 10)]:
        clock.call_later(
            delay_ms, lambda name=name: said.append((name, clock.monotonic_ns()))
        )
    clock.advance(29.9)
    assert said == [("first", 10_000_000), ("second", 10_000_000)]
    clock.advance(0.1)
    assert said[-1] == ("late", 30_000_000)


def test_timer_set_by_a_timer_fires_within_the_same_advance():
    clock = FakeClock()
    said: list[int] = []
    clock.call_later(
        10, lambda: clock.call_later(10, lambda: said.append(clock.now_ms()))
    )
    began_ms = clock.now_ms()
    clock.advance(25)
    assert said == [began_ms + 20]
    assert clock.now_ms() == began_ms + 25


def test_cancelled_timer_never_fires():
    clock = FakeClock()
    said: list[str] = []
    timer = clock.call_later(5, lambda: said.append("fired"))
    timer.cancel()
    assert clock.waiting_count == 0
    clock.advance(10)
    assert said == []


def test_time_does_not_go_back():
    with pytest.raises(ValueError, match="does not go back"):
        FakeClock().advance(-1)
