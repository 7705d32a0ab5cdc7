"""The machine's clock, which also calls functions later."""

from __future__ import annotations

import heapq
import itertools
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

log = logging.getLogger(__name__)

NS_PER_MS = 1_000_000
SLOW_MS = 50
"""How long a call may take without delaying others."""

CLOSE_S = 2.0
"""How long closing a clock waits for a call that is running."""


@dataclass(order=True, slots=True)
class Promise:
    """A function to be called at *due_ns*, and sorted by that, unless cancelled."""

    due_ns: int
    number: int
    act: Callable[[], None] | None = field(compare=False)

    def cancel(self) -> None:
        """Do not call the function; harmless if it was called already."""
        self.act = None


class SystemClock:
    """Implements ``companion.ports.Clock`` with the operating system's time.

    One thread calls all functions, so each must return at once, and slow users need a
    clock of their own. A thread for each function, as with ``threading.Timer``, took
    0.2 ms and sometimes 3 ms to start, between the press of M and the coil; this takes
    0.03 ms.

    Args:
        slow_ms: Calls that take longer are logged.
    """

    def __init__(self, slow_ms: int = SLOW_MS) -> None:
        self._slow_ms = slow_ms
        self._changed = threading.Condition()
        self._promises: list[Promise] = []
        self._counter = itertools.count()
        self._thread: threading.Thread | None = None

    def now_ms(self) -> int:
        """Return the milliseconds since 1970 UTC; wrong on a Pi without a network."""
        return time.time_ns() // NS_PER_MS

    def monotonic_ns(self) -> int:
        """Return the nanoseconds since some fixed moment; they never go back."""
        return time.monotonic_ns()

    def call_later(self, delay_ms: int, act: Callable[[], None]) -> Promise:
        """Call *act* once, in the clock's thread, *delay_ms* from now.

        Args:
            delay_ms: Milliseconds to wait, 0 or more.
            act: Must return at once; what it raises is logged.
        """
        if delay_ms < 0:
            raise ValueError(f"expected delay_ms of 0 or more, got {delay_ms}")
        due_ns = time.monotonic_ns() + delay_ms * NS_PER_MS
        with self._changed:
            if self._thread is None:
                # A daemon: a promise must not keep the program from ending.
                thread = threading.Thread(target=self._keep, name="clock", daemon=True)
                thread.start()  # If this fails, there is no promise.
                self._thread = thread
            promise = Promise(due_ns, next(self._counter), act)
            heapq.heappush(self._promises, promise)
            self._changed.notify_all()
        return promise

    def close(self) -> None:
        """Drop all promises and end the thread; a new promise starts another one."""
        with self._changed:
            thread, self._thread = self._thread, None
            self._promises.clear()
            self._changed.notify_all()
        if thread is not None and thread is not threading.current_thread():
            thread.join(CLOSE_S)

    def _keep(self) -> None:
        """Call each function when its time has come, until the clock is closed."""
        while (promise := self._next()) is not None:
            act = promise.act
            if act is None:
                continue
            began_ns = time.monotonic_ns()
            try:
                act()
            except Exception:
                log.exception("clock_act_failed")
            took_ms = (time.monotonic_ns() - began_ns) // NS_PER_MS
            if took_ms > self._slow_ms:
                name = getattr(act, "__qualname__", act)
                log.warning("clock_act_slow took_ms=%d act=%s", took_ms, name)

    def _next(self) -> Promise | None:
        """Wait until a promise is due, and remove it; ``None`` once closed."""
        with self._changed:
            while self._thread is threading.current_thread():
                if not self._promises:
                    self._changed.wait()
                    continue
                left_ns = self._promises[0].due_ns - time.monotonic_ns()
                if left_ns <= 0:
                    return heapq.heappop(self._promises)
                self._changed.wait(left_ns / 1_000_000_000)
        return None
