"""A servo that pulls the bolt in a coil's place, as the switch of a ``Coil``.

On, it holds the bolt back; off, it goes home and its pulses end, so that it hums and
warms no more. At the start it only goes home, and again once its reservoir is charged:
a power cut in a pull left it back.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from companion.ports import Clock, Timer
from hardware.vault.latches import HOME_MS, Travel
from hardware.vault.pwm import LAST_PULSE_S, Channel

log = logging.getLogger(__name__)

NS_PER_MS = 1_000_000
RETRY_MS = 1_000
"""The pause before another try to have the channel obey."""
CHARGE_MS = 240_000
"""The time from power-on until the servo's reservoir is charged.

R15 and C8 with C9 have a time constant of 50 s; see ``hardware/README.md``.
"""


class Servo:
    """A servo on the kernel's PWM.

    Args:
        channel: Sends its pulses.
        travel: The pulses that hold it home, and the bolt back.
        clock: Ends the pulses once it is home.
        wait: Waits for so many seconds.
    """

    def __init__(
        self,
        channel: Channel,
        travel: Travel,
        clock: Clock,
        wait: Callable[[float], object] = time.sleep,
    ) -> None:
        self._channel = channel
        self._travel = travel
        self._clock = clock
        self._wait = wait
        self._lock = threading.Lock()
        self._timer: Timer | None = None
        self._is_home = False  # Or on its way there; at first nobody knows.
        self._is_still = False  # Without pulses.

    def charge_ms(self) -> int:
        """Compute how long the reservoir may be too low for a pull; 0 once it is full.

        Linux counts the clock from the start of the Pi, which may have had its power
        all the time.
        """
        return max(0, CHARGE_MS - self._clock.monotonic_ns() // NS_PER_MS)

    def __call__(self, is_on: bool) -> None:
        """Hold the bolt back, or go home and end the pulses; may raise anything."""
        with self._lock:
            if is_on:
                self._is_home = self._is_still = False  # First: it may half succeed.
                self._stop_waiting()
                self._channel.send(self._travel.back_us)
            elif not self._is_home:
                self._go_home()
                self._is_home = True

    def close(self) -> None:
        """End the pulses, once it had the time to come home if it is on its way."""
        if not self._is_still:
            self._wait(HOME_MS / 1000)
        with self._lock:
            self._stop_waiting()
        if not self._is_still:
            try:
                self._channel.end(self._wait)
            except OSError:
                log.exception("servo_hums")

    def _go_home(self) -> None:
        self._is_still = False
        self._channel.send(self._travel.home_us)
        self._then(HOME_MS, self._rest)

    def _rest(self) -> None:
        """Send no more pulses; two timers, as nobody may wait under the lock."""
        self._channel.hush()
        self._then(round(LAST_PULSE_S * 1000), self._be_still)

    def _be_still(self) -> None:
        self._channel.disable()
        self._is_still = True
        if charge_ms := self.charge_ms():
            self._then(charge_ms, self._go_home)

    def _then(self, delay_ms: int, act: Callable[[], None]) -> None:
        """Call *act* later, until it succeeds, unless anything else was asked for."""

        def due() -> None:
            with self._lock:
                if self._timer is not timer:
                    return  # It waited for the lock, and the bolt was pulled back.
                self._timer = None
                try:
                    act()
                except OSError:
                    log.exception("servo_hums")  # Until then, or until ``coil_off``.
                    self._then(RETRY_MS, act)

        timer = self._timer = self._clock.call_later(delay_ms, due)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
