"""The coil's limits in software: two deadlines end each pulse, and a rest follows it.

The coil's own clock ends a pulse at its first deadline; if that fails, another clock,
the *guard*, ends it at the second. Whatever these fail to end, the electricity bears;
see ``hardware/README.md``. A servo that pulls the bolt in a coil's place has the same
limits. All vaults differ only in the switch that they pass in.
"""

from __future__ import annotations

import logging
import math
import sys
import threading
from collections.abc import Callable

from companion.errors import DeviceFault, Why
from companion.ports import Clock, Timer
from companion.sheets import Told

log = logging.getLogger(__name__)

COIL_RULE = Told("The latch of the vault rests for five seconds after each pull.")
"""The rule that refuses a pulse while the coil has to rest."""

NS_PER_MS = 1_000_000
ON_TIME_MS_MIN = 50
ON_TIME_MS_MAX = 1000
"""The limits of a pulse: a shorter one is too weak, a longer one too hot."""
REST_MS = 5000
"""The least rest after a pulse, in which the latch's reservoir is charged again.

A coil's has a time constant of 2.2 s: 470 Ω, 4,700 µF. After 3 s a stiff latch often
stays shut; `make proofs-circuit`.
"""
RESTS_PER_PULSE = 4
"""A long pulse is followed by a rest four times its length.

So the coil is on for a fifth of the time at most, and below 5 s in any 20, even if the
first deadline comes late. A solenoid for 25 % duty bears that.

Source: The Solenoid Company, glossary, "duty cycle": 15 s on and 45 s off are 25 %.
"""
OVERDUE_MS = 100
"""The time from a pulse's first deadline to its second."""

# The tries to switch off a coil that stayed on.
OFF_RETRY_MS = 50
"""The pause before another try."""
OFF_RETRY_SLOW_MS = 1000
"""The pause after ``OFF_RETRIES_QUICK`` tries."""
OFF_RETRIES_QUICK = 100
OFF_RETRIES_CLOSED = 200
"""A closed coil gives up after so many tries, which take 105 s."""

URGENT_S = 0.0005
"""How long a busy thread may keep others waiting while the coil is on.

With the usual 5 ms, each busy thread ahead of the coil's adds 5 ms to a pulse, and with
eight of them a pulse of 400 ms took up to 800; see ``benchmarks/coil_end.py``.
"""


def check_on_time(on_time_ms: int) -> None:
    """Raise ``ValueError`` unless *on_time_ms* is a whole number in 50..1000."""
    expected = f"expected on_time_ms in {ON_TIME_MS_MIN}..{ON_TIME_MS_MAX}"
    if isinstance(on_time_ms, bool) or not isinstance(on_time_ms, int):
        raise ValueError(f"{expected}, got {on_time_ms!r}")  # noqa: TRY004 one kind
    if not ON_TIME_MS_MIN <= on_time_ms <= ON_TIME_MS_MAX:
        raise ValueError(f"{expected}, got {on_time_ms}")


Switch = Callable[[bool], None]
"""Turns the current on or off, or drives a servo back or home; may raise anything."""


class Coil:
    """A coil behind any switch: off at first, on for a pulse, then off by itself.

    Each pulse has two timers, and both are started *before* the current flows.

    Args:
        switch: Turns the current on or off.
        clock: Ends the pulse; it should do nothing else, as that could delay the end.
        guard: Ends, in another thread, a pulse that is still on ``OVERDUE_MS`` later.

    Raises:
        DeviceFault: If the coil cannot be switched off at the start.
    """

    def __init__(self, switch: Switch, clock: Clock, guard: Clock) -> None:
        self._switch = switch
        self._clock = clock
        self._guard = guard
        self._lock = threading.RLock()
        self._rests_until_ns: int | None = None  # None before the first pulse.
        self._timer: Timer | None = None
        self._guard_timer: Timer | None = None
        self._began_ns: int | None = None  # None while the coil is off.
        self._due_ns = 0  # The first deadline of the latest pulse.
        self._turn = 0  # The number of the latest pulse.
        self._has_clock_failed = False  # The guard has had to end a pulse.
        self._usual_s = sys.getswitchinterval()  # Python's, while the coil is off.
        self._is_closed = False
        self._off()

    @property
    def is_on(self) -> bool:
        """Whether current flows, as far as this program knows."""
        return self._began_ns is not None

    @property
    def is_sound(self) -> bool:
        """Whether pulses end in time (``VaultDevice.is_sound``); waits for no lock."""
        is_on = self.is_on  # Read first, as _on sets _due_ns before _began_ns.
        limit_ns = self._due_ns + OVERDUE_MS * NS_PER_MS
        is_overdue = is_on and self._clock.monotonic_ns() > limit_ns
        return not (self._has_clock_failed or is_overdue)

    def pulse(self, on_time_ms: int) -> None:
        """Switch on for *on_time_ms*; return at once (``VaultDevice.release``)."""
        check_on_time(on_time_ms)
        with self._lock:
            if self._is_closed:
                raise DeviceFault("the vault was closed", "start the program again")
            if wait_ms := self.rest_ms():
                seconds = math.ceil(wait_ms / 1000)
                raise COIL_RULE.refuses(
                    Why.COIL_RESTING,
                    "the latch has to rest: it was pulled a moment ago, or the program "
                    "has just started",
                    f"wait {seconds} s and try again",
                )
            if not self.is_sound:
                raise DeviceFault(
                    "the latch was not switched off in time, and its clock still does "
                    "not answer",
                    "start the program again",
                )
            self._on(on_time_ms)

    def rest_ms(self) -> int:
        """Compute for how many ms a pulse is still refused, rounded up."""
        with self._lock:
            now_ns = self._clock.monotonic_ns()
            until_ns = self._rests_until_ns
            if self._began_ns is not None:
                # The running pulse counts as if it ran to its end.
                until_ns = _rested_ns(self._began_ns, max(self._due_ns, now_ns))
            if until_ns is None:
                return 0
            return max(0, -(-(until_ns - now_ns) // NS_PER_MS))  # Rounded up.

    def rest(self) -> None:
        """Rest as after a pulse that ends now; an earlier program may have made one."""
        with self._lock:
            now_ns = self._clock.monotonic_ns()
            self._rests_until_ns = _rested_ns(now_ns, now_ns)

    def end(self) -> None:
        """Switch off now, or raise ``DeviceFault``; harmless if it is off already."""
        with self._lock:
            self._off()  # If this fails, the timers try again.
            # After a failure the timer stays: once it fires, its clock runs again.
            if self._timer is not None and not self._has_clock_failed:
                self._timer.cancel()
                self._timer = None

    def close(self) -> None:
        """Switch off for good; a failure is only logged."""
        with self._lock:
            self._is_closed = True
            try:
                self.end()
            except DeviceFault as fault:
                log.critical("coil_not_off_at_close reason=%r", str(fault))

    def _on(self, on_time_ms: int) -> None:
        """Start both timers, then switch on; if anything fails, switch off."""
        now_ns = self._clock.monotonic_ns()
        self._turn += 1
        turn = self._turn
        try:
            self._timer = self._clock.call_later(
                on_time_ms, lambda: self._time_is_up(turn, 0)
            )
            self._guard_timer = self._guard.call_later(
                on_time_ms + OVERDUE_MS, lambda: self._end_overdue(turn, 0)
            )
            self._due_ns = now_ns + on_time_ms * NS_PER_MS
            self._began_ns = now_ns
            self._usual_s = sys.getswitchinterval()
            sys.setswitchinterval(URGENT_S)
            self._switch(True)
        except Exception as error:
            self.end()
            raise DeviceFault(
                f"the latch could not be switched on ({error})"
            ) from error

    def _off(self) -> None:
        """Switch off, cancel the second deadline, and count the pulse."""
        try:
            self._switch(False)
        except Exception as error:
            raise DeviceFault(
                f"the latch could not be switched off ({error})", "cut its supply"
            ) from error
        if self._guard_timer is not None:
            self._guard_timer.cancel()
            self._guard_timer = None
        if self._began_ns is not None:
            sys.setswitchinterval(self._usual_s)
            now_ns = self._clock.monotonic_ns()
            self._rests_until_ns = _rested_ns(self._began_ns, now_ns)
            self._began_ns = None

    def _time_is_up(self, turn: int, retries: int) -> None:
        """End pulse *turn* at its first deadline; if that fails, try again later."""
        with self._lock:
            if self._is_running(turn):
                try:
                    self._off()
                except DeviceFault as fault:
                    log.critical(
                        "coil_not_off tries=%d reason=%r", retries + 1, str(fault)
                    )
                    self._timer = self._try_again(
                        self._clock, retries, lambda n: self._time_is_up(turn, n)
                    )
                    return
            self._has_clock_failed = False  # The clock was only late, or never failed.

    def _end_overdue(self, turn: int, retries: int) -> None:
        """End pulse *turn* at its second deadline, if it is still on."""
        with self._lock:
            if not self._is_running(turn):
                return
            self._has_clock_failed = True
            late_ms = (self._clock.monotonic_ns() - self._due_ns) // NS_PER_MS
            reason = ""
            try:
                self._off()
            except DeviceFault as fault:
                reason = str(fault)
                self._guard_timer = self._try_again(
                    self._guard, retries, lambda n: self._end_overdue(turn, n)
                )
            log.critical("coil_overdue late_ms=%d reason=%r", late_ms, reason)

    def _try_again(
        self, clock: Clock, retries: int, act: Callable[[int], None]
    ) -> Timer | None:
        """Have *clock* call *act* later with *retries* + 1, or give up."""
        if self._is_closed and retries >= OFF_RETRIES_CLOSED:
            return None
        is_quick = retries < OFF_RETRIES_QUICK
        delay_ms = OFF_RETRY_MS if is_quick else OFF_RETRY_SLOW_MS
        return clock.call_later(delay_ms, lambda: act(retries + 1))

    def _is_running(self, turn: int) -> bool:
        """Return whether pulse *turn* is on; a late timer may be of an earlier one."""
        return turn == self._turn and self._began_ns is not None


def _rested_ns(began_ns: int, ended_ns: int) -> int:
    """Return when the rest after a pulse is over."""
    return ended_ns + max(REST_MS * NS_PER_MS, RESTS_PER_PULSE * (ended_ns - began_ns))
