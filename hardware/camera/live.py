"""A camera of any kind that recovers from faults without help.

A *driver* serves one kind of device. ``LiveCamera`` runs it in a thread of its own,
answers callers from any thread, and reopens the device after a fault, with growing
pauses. It takes frames only on request: each caller draws a numbered *ticket*, and a
frame answers all tickets that were drawn before it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.errors import DeviceFault
from companion.ports import CameraHealth, CameraState, Clock, Frame, Timer

log = logging.getLogger(__name__)

RETRY_MS = (500, 1000, 2000, 4000, 8000)
"""Pauses between attempts to open the device; the last repeats."""
TIMEOUT_MAX_MS = 60_000
"""The longest time limit that ``frame`` accepts."""
LET_GO_S = 3.0
"""How long ``close`` waits for a device that does not answer."""


class CameraDriver(Protocol):
    """One kind of device. All calls come from one thread."""

    @property
    def name(self) -> str:
        """The name of the device, for people."""

    def open(self) -> None:
        """Open the device, or raise ``DeviceFault`` and leave it closed."""

    def grab(self) -> NDArray[np.uint8]:
        """Take a frame whose exposure ended after this call began, if possible.

        Returns:
            (height, width, 3) uint8 BGR, of any stride. It is passed on without a copy,
            so the driver must not write into it again.

        Raises:
            DeviceFault: If the device went away or sends nothing.
        """

    def close(self) -> None:
        """Close the device; harmless if it is closed. Never raises."""


class LiveCamera:
    """Implements ``companion.ports.Camera`` with any driver.

    Args:
        driver: The driver; it must not be used elsewhere.
        clock: Stamps frames and limits waits.
        tell: Called with each new health, from any thread; must return soon.
    """

    def __init__(
        self,
        driver: CameraDriver,
        clock: Clock,
        tell: Callable[[CameraHealth], None] | None = None,
    ) -> None:
        self._driver = driver
        self._clock = clock
        self._tell = tell
        self._changed = threading.Condition()
        # All below are guarded by _changed, which is notified of requests and answers.
        self._thread: threading.Thread | None = None
        self._is_wanted = False
        self._asked = 0  # The last ticket that was drawn.
        self._answered = 0  # The last ticket that was answered.
        self._answer: Frame | DeviceFault | None = None
        self._health = CameraHealth(CameraState.CLOSED)

    @property
    def name(self) -> str:
        """The device's name, for people."""
        return self._driver.name

    def __repr__(self) -> str:
        return f"LiveCamera({self.name}, {self._health.state})"

    # For callers, from any thread.

    def open(self) -> None:
        """Start the thread that opens the device."""
        with self._changed:
            if self._is_wanted:
                return
            self._is_wanted = True
            self._health = CameraHealth(CameraState.STARTING)
            if self._thread is None:
                # A daemon: a device that hangs must not keep the program from ending.
                self._thread = threading.Thread(
                    target=self._own, name="camera", daemon=True
                )
                self._thread.start()

    def frame(self, timeout_ms: int = 8000) -> Frame:
        """Take a frame now."""
        if not 1 <= timeout_ms <= TIMEOUT_MAX_MS:
            raise ValueError(
                f"expected timeout_ms in 1..{TIMEOUT_MAX_MS}, got {timeout_ms}"
            )
        with self._changed:
            if self._health.state is CameraState.BROKEN:
                raise DeviceFault(self._health.message, self._health.remedy)
            self._asked += 1
            ticket = self._asked
            self._changed.notify_all()
        alarm = Alarm(self._clock, timeout_ms, self._changed)
        with self._changed:
            while self._is_wanted and self._answered < ticket and not alarm.is_over:
                self._changed.wait()
            alarm.cancel()
            is_wanted, is_answered = self._is_wanted, self._answered >= ticket
            answer = self._answer
        if not is_wanted:
            raise DeviceFault(f"{self.name} is closed", "open it first")
        if not is_answered:
            answer = DeviceFault(
                f"{self.name} sent nothing within {timeout_ms} ms",
                "check its cable, or wait until it answers",
            )
            self._become(_broken(answer), unless_past=ticket)
        if isinstance(answer, Frame):
            return answer
        assert answer is not None, "every answer is a frame or a fault"
        # A copy, as other callers may raise the same fault.
        raise DeviceFault(answer.message, answer.remedy)

    def health(self) -> CameraHealth:
        """Return the state of the camera."""
        with self._changed:
            return self._health

    def close(self) -> None:
        """Close the device, and wait until it is closed."""
        with self._changed:
            self._is_wanted = False
            self._health = CameraHealth(CameraState.CLOSED)
            self._changed.notify_all()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(LET_GO_S)
            if thread.is_alive():
                log.warning("camera_does_not_let_go name=%r", self.name)

    # The thread that owns the device.

    def _own(self) -> None:
        """Serve callers, and reopen the device after each fault, until ``close``."""
        failures = 0
        while True:
            before = self._answered
            fault = self._serve_until_fault()
            if fault:
                failures = 0 if self._answered > before else failures
                self._rest(fault, RETRY_MS[min(failures, len(RETRY_MS) - 1)])
                failures += 1
            with self._changed:
                if not self._is_wanted:
                    self._thread = None  # From here on, open() starts a new one.
                    return

    def _serve_until_fault(self) -> DeviceFault | None:
        """Open the device and serve; return the fault, if that ended it."""
        try:
            self._driver.open()
            self._become(CameraHealth(CameraState.STARTING))
            self._serve()
        except Exception as error:  # The drivers' libraries raise anything.
            return _fault(self.name, error)
        finally:
            self._close_driver()
        return None

    def _serve(self) -> None:
        """Take frames for all callers, until ``close``."""
        while True:
            with self._changed:
                while self._is_wanted and self._asked == self._answered:
                    self._changed.wait()
                if not self._is_wanted:
                    return
                ticket = self._asked
            frame = _frozen(self._driver.grab(), self._clock.now_ms())
            self._become(CameraHealth(CameraState.WORKING), frame, ticket)

    def _rest(self, fault: DeviceFault, pause_ms: int) -> None:
        """Answer all waiting callers with *fault*, and pause."""
        log.info("camera_fault retry_ms=%d message=%r", pause_ms, str(fault))
        alarm = Alarm(self._clock, pause_ms, self._changed)
        self._become(_broken(fault, pause_ms), fault)
        with self._changed:
            while self._is_wanted and not alarm.is_over:
                self._changed.wait()
        alarm.cancel()

    def _close_driver(self) -> None:
        try:
            self._driver.close()
        except Exception:
            log.exception("camera_not_let_go name=%r", self.name)

    def _become(
        self,
        health: CameraHealth,
        answer: Frame | DeviceFault | None = None,
        ticket: int | None = None,
        *,
        unless_past: int | None = None,
    ) -> None:
        """Change health and answer in one step; then report the health, unlocked.

        Args:
            health: The new health.
            answer: The answer for waiting callers, if any.
            ticket: The last ticket that it answers; ``None`` answers all.
            unless_past: Change nothing if this ticket has been answered already.
        """
        with self._changed:
            if unless_past is not None and self._answered >= unless_past:
                return
            if answer is not None:
                self._answer = answer
                # Under the lock: whoever asks while the camera breaks is answered now,
                # or sees that it is broken.
                self._answered = self._asked if ticket is None else ticket
                self._changed.notify_all()
            if not self._is_wanted or health == self._health:
                return
            self._health = health
        if self._tell is not None:
            try:
                self._tell(health)
            except Exception:
                log.exception("camera_health_not_told")


class Alarm:
    """A time limit: after *delay_ms* it sets ``is_over`` and notifies *changed*."""

    def __init__(
        self, clock: Clock, delay_ms: int, changed: threading.Condition
    ) -> None:
        self.is_over = False
        self._changed = changed
        self._timer: Timer = clock.call_later(delay_ms, self._ring)

    def _ring(self) -> None:
        with self._changed:
            self.is_over = True
            self._changed.notify_all()

    def cancel(self) -> None:
        """Cancel the time limit."""
        self._timer.cancel()


def _frozen(pixels: NDArray[np.uint8], taken_at_ms: int) -> Frame:
    """Make a read-only frame; pixels with gaps in memory are copied."""
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 3:
        raise DeviceFault(
            f"expected frames of (height, width, 3) uint8, got {pixels.shape} "
            f"{pixels.dtype}",
            "choose another format on this camera",
        )
    contiguous = np.ascontiguousarray(pixels).view()
    contiguous.flags.writeable = False
    return Frame(contiguous, taken_at_ms)


def _broken(fault: DeviceFault, retry_ms: int = 0) -> CameraHealth:
    """Return the health of a camera that is tried again after *retry_ms*."""
    return CameraHealth(CameraState.BROKEN, fault.message, fault.remedy, retry_ms)


def _fault(name: str, error: Exception) -> DeviceFault:
    if isinstance(error, DeviceFault):
        return error
    log.warning("camera_driver_failed name=%r", name, exc_info=error)
    problem = str(error) or type(error).__name__
    return DeviceFault(f"{name} failed ({problem})", "it is tried again by itself")
