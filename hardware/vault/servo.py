"""A servo that pulls the bolt in a coil's place, as the switch of a ``Coil``.

On, it holds the bolt back; off, it goes home and its pulses end, so that it hums and
warms no more. At the start it only goes home.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from companion.ports import Clock, Timer
from hardware.vault.latches import Travel
from hardware.vault.pwm import Channel

log = logging.getLogger(__name__)

HOME_MS = 500
"""How long the way home may take: a small servo needs 0.1 s for 60 degrees, unloaded.

Source: Tower Pro, MG90S, "operating speed" at 4.8 V.
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

    def __call__(self, is_on: bool) -> None:
        """Hold the bolt back, or go home and end the pulses; may raise anything."""
        with self._lock:
            if is_on:
                self._is_home = False  # First, as half of it may be done.
                self._stop_waiting()
                self._channel.send(self._travel.back_us)
            elif not self._is_home:
                self._channel.send(self._travel.home_us)
                self._timer = self._clock.call_later(HOME_MS, self._rest)
                self._is_home = True

    def close(self) -> None:
        """End the pulses, once it had the time to come home if it is on its way."""
        if self._timer is not None:
            self._wait(HOME_MS / 1000)
        with self._lock:
            self._stop_waiting()
            self._end()

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _rest(self) -> None:
        """End the pulses at home, unless the bolt was pulled back meanwhile."""
        with self._lock:
            if self._is_home:
                self._timer = None
                self._end()

    def _end(self) -> None:
        try:
            self._channel.end()
        except OSError:  # It hums until the next pull, or until ``coil_off``.
            log.exception("servo_hums")
