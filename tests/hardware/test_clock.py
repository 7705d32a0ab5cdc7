from __future__ import annotations

import threading
import time

import pytest

from hardware.clock import SystemClock

PATIENCE_S = 10


def test_clock_agrees_with_the_system() -> None:
    clock = SystemClock()
    assert abs(clock.now_ms() - time.time() * 1000) < 1000
    assert clock.monotonic_ns() <= clock.monotonic_ns()


def test_promises_are_kept_in_order_and_not_too_early() -> None:
    clock, made, kept, done = SystemClock(), [], [], threading.Event()

    def keep(delay_ms: int) -> None:
        kept.append((delay_ms, clock.monotonic_ns()))
        if len(kept) == 3:
            done.set()

    def promise() -> None:  # In the clock's own thread: it keeps none meanwhile.
        began_ns = clock.monotonic_ns()
        for delay_ms in (30, 20, 0):
            due_ns = clock.call_later(delay_ms, lambda ms=delay_ms: keep(ms)).due_ns
            assert due_ns >= began_ns + delay_ms * 1_000_000
            made.append((due_ns, delay_ms))

    clock.call_later(0, promise)
    assert done.wait(PATIENCE_S)
    assert [delay_ms for delay_ms, _ in kept] == [ms for _, ms in sorted(made)]
    assert all(
        at_ns >= due_ns
        for (_, at_ns), (due_ns, _) in zip(kept, sorted(made), strict=True)
    )


def test_acts_run_in_one_other_thread_that_does_not_keep_the_program() -> None:
    clock, threads, done = SystemClock(), set(), threading.Event()
    clock.call_later(0, lambda: threads.add(threading.current_thread()))
    clock.call_later(1, lambda: threads.add(threading.current_thread()))
    clock.call_later(2, done.set)
    assert done.wait(PATIENCE_S)
    (thread,) = threads
    assert thread is not threading.current_thread()
    assert thread.daemon


def test_cancelled_promise_is_not_kept() -> None:
    kept, later = threading.Event(), threading.Event()
    clock = SystemClock()

    def promise() -> None:  # In the clock's own thread: it keeps none meanwhile.
        promised = clock.call_later(5, kept.set)
        promised.cancel()
        promised.cancel()
        clock.call_later(10, later.set)

    clock.call_later(0, promise)
    assert later.wait(PATIENCE_S)
    assert not kept.is_set()


def test_act_that_raises_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    clock, later = SystemClock(), threading.Event()

    def fail() -> None:
        raise RuntimeError("a bug")

    clock.call_later(0, fail)
    clock.call_later(1, later.set)
    assert later.wait(PATIENCE_S)
    assert "clock_act_failed" in caplog.text


def test_act_may_promise_and_cancel() -> None:
    clock, done = SystemClock(), threading.Event()
    clock.call_later(0, lambda: clock.call_later(1, done.set) and None)
    assert done.wait(PATIENCE_S)


def test_time_does_not_go_back() -> None:
    with pytest.raises(ValueError, match="delay_ms of 0 or more, got -1"):
        SystemClock().call_later(-1, lambda: None)
