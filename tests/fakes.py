"""Clocks that tests move."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

NS_PER_MS = 1_000_000


@dataclass(order=True)
class FakeTimer:
    """A promise of a ``FakeClock``, sorted by time, then by asking."""

    due_ns: int
    asked: int
    act: Callable[[], None] = field(compare=False)
    is_cancelled: bool = field(default=False, compare=False)

    def cancel(self) -> None:
        """Do not keep the promise; harmless if it was kept."""
        self.is_cancelled = True


class FakeClock:
    """A ``companion.ports.Clock`` that stands still until a test moves it.

    ``advance`` calls what is due in this thread, in order, each at its own time:
    a timer set by a timer within the span fires within the same ``advance``.
    """

    def __init__(self, now_ms: int = 1_750_000_000_000) -> None:
        self._began_ms = now_ms
        self._passed_ns = 0
        self._timers: list[FakeTimer] = []
        self._counter = itertools.count()

    def now_ms(self) -> int:
        """Return the milliseconds since 1970 UTC."""
        return self._began_ms + self._passed_ns // NS_PER_MS

    def monotonic_ns(self) -> int:
        """Return the nanoseconds since the clock was made."""
        return self._passed_ns

    def leap(self, ms: int) -> None:
        """Set the time of day forward or back, without any time passing."""
        self._began_ms += ms

    def call_later(self, delay_ms: int, act: Callable[[], None]) -> FakeTimer:
        """Promise to call *act* when a test has advanced by *delay_ms*."""
        if delay_ms < 0:
            raise ValueError(f"expected delay_ms of 0 or more, got {delay_ms}")
        due_ns = self._passed_ns + delay_ms * NS_PER_MS
        timer = FakeTimer(due_ns, next(self._counter), act)
        heapq.heappush(self._timers, timer)
        return timer

    def advance(self, ms: float) -> None:
        """Let *ms* pass (fractions allowed) and call everything that falls due."""
        self.advance_to_ns(self._passed_ns + round(ms * NS_PER_MS))

    def advance_to_ns(self, until_ns: int) -> None:
        """Let time pass up to *until_ns* on the monotonic scale."""
        if until_ns < self._passed_ns:
            raise ValueError(f"time does not go back: {until_ns} < {self._passed_ns}")
        while self._timers and self._timers[0].due_ns <= until_ns:
            timer = heapq.heappop(self._timers)
            self._passed_ns = max(self._passed_ns, timer.due_ns)
            if not timer.is_cancelled:
                timer.act()
        self._passed_ns = max(self._passed_ns, until_ns)  # An act may have waited.

    @property
    def due_ns(self) -> int | None:
        """When the next promise falls due; ``None`` if there is none."""
        while self._timers and self._timers[0].is_cancelled:
            heapq.heappop(self._timers)
        return self._timers[0].due_ns if self._timers else None

    @property
    def waiting_count(self) -> int:
        """How many promises are still to be kept."""
        return sum(not timer.is_cancelled for timer in self._timers)


class StuckClock(FakeClock):
    """Tells the time of *healthy*, but keeps promises only when advanced itself.

    So does a clock whose thread has died, or is held up by a long act.
    """

    def __init__(self, healthy: FakeClock) -> None:
        super().__init__()
        self._healthy = healthy

    def monotonic_ns(self) -> int:
        """Return the other clock's time."""
        return self._healthy.monotonic_ns()
