from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from hardware.clock import SystemClock
from tests.running import PATIENCE_S


@pytest.fixture
def clock() -> Iterator[SystemClock]:
    made = SystemClock()
    yield made
    made.close()


def test_clock_agrees_with_the_system(clock: SystemClock) -> None:
    assert abs(clock.now_ms() - time.time() * 1000) < 1000
    assert clock.monotonic_ns() <= clock.monotonic_ns()


def test_promises_are_kept_in_order_and_not_too_early(clock: SystemClock) -> None:
    made, kept, done = [], [], threading.Event()

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


def test_acts_run_in_one_other_thread_that_does_not_keep_the_program(
    clock: SystemClock,
) -> None:
    threads, done = set(), threading.Event()
    clock.call_later(0, lambda: threads.add(threading.current_thread()))
    clock.call_later(1, lambda: threads.add(threading.current_thread()))
    clock.call_later(2, done.set)
    assert done.wait(PATIENCE_S)
    (thread,) = threads
    assert thread is not threading.current_thread()
    assert thread.daemon


def test_cancelled_promise_is_not_kept(clock: SystemClock) -> None:
    kept, later = threading.Event(), threading.Event()

    def promise() -> None:  # In the clock's own thread: it keeps none meanwhile.
        promised = clock.call_later(5, kept.set)
        promised.cancel()
        promised.cancel()
        clock.call_later(10, later.set)

    clock.call_later(0, promise)
    assert later.wait(PATIENCE_S)
    assert not kept.is_set()


def test_act_that_raises_stops_no_other(
    clock: SystemClock, caplog: pytest.LogCaptureFixture
) -> None:
    later = threading.Event()

    def fail() -> None:
        raise RuntimeError("a bug")

    clock.call_later(0, fail)
    clock.call_later(1, later.set)
    assert later.wait(PATIENCE_S)
    assert "clock_act_failed" in caplog.text


def test_act_may_promise_and_cancel(clock: SystemClock) -> None:
    done = threading.Event()
    clock.call_later(0, lambda: clock.call_later(1, done.set) and None)
    assert done.wait(PATIENCE_S)


def test_time_does_not_go_back(clock: SystemClock) -> None:
    with pytest.raises(ValueError, match="delay_ms of 0 or more, got -1"):
        clock.call_later(-1, lambda: None)


def test_a_closed_clock_forgets_and_may_be_asked_again(clock: SystemClock) -> None:
    forgotten, kept, done = threading.Event(), [], threading.Event()
    clock.call_later(60_000, forgotten.set)
    (thread,) = (one for one in threading.enumerate() if one.name == "clock")
    clock.close()
    assert not thread.is_alive()
    clock.close()
    clock.call_later(0, lambda: kept.append(threading.current_thread()))
    clock.call_later(1, done.set)
    assert done.wait(PATIENCE_S)
    assert kept != [thread]
    assert not forgotten.is_set()


def test_a_clock_that_could_not_begin_promises_nothing_and_may_be_asked_again(
    clock: SystemClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    kept = threading.Event()
    with monkeypatch.context() as full:
        full.setattr(threading.Thread, "start", refuse)
        with pytest.raises(RuntimeError, match="can't start"):
            clock.call_later(0, pytest.fail)
    clock.call_later(0, kept.set)
    assert kept.wait(PATIENCE_S)


def test_an_act_may_close_its_own_clock(clock: SystemClock) -> None:
    threads, done = [], threading.Event()

    def act() -> None:
        threads.append(threading.current_thread())
        clock.close()
        done.set()

    clock.call_later(0, act)
    assert done.wait(PATIENCE_S)
    threads[0].join(PATIENCE_S)
    assert not threads[0].is_alive()
