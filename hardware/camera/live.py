"""A camera of any kind that recovers from faults by itself.

A driver knows one kind of device and is used by one thread only. ``LiveCamera`` owns
the driver in a thread of its own, answers callers from any thread, and opens the
device again after a fault, with growing pauses. It takes no frames unless asked.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.errors import DeviceFault
from companion.ports import CameraHealth, CameraState, Clock, Frame, Timer

log = logging.getLogger(__name__)

RETRY_MS = (500, 1000, 2000, 4000, 8000)
"""Pauses between attempts to open the device; the last one repeats."""
TIMEOUT_MAX_MS = 60_000
LET_GO_S = 3.0
"""How long ``close`` waits for a device that does not answer."""


class CameraDriver(Protocol):
    """One kind of device; all three calls come from one thread."""

    @property
    def name(self) -> str:
        """The name of the device, for people."""

    def open(self) -> None:
        """Take hold of the device.

        Raises:
            DeviceFault: If it is missing or busy; nothing is held then.
        """

    def grab(self) -> NDArray[np.uint8]:
        """Take a frame whose exposure ended after this call began, if possible.

        Returns:
            (height, width, 3) uint8 BGR, of any stride; nobody writes into its memory
            again, as it is handed on uncopied.

        Raises:
            DeviceFault: If the device went away or sends nothing.
        """

    def close(self) -> None:
        """Let go of the device; harmless if it is not held. Never raises."""


class LiveCamera:
    """``companion.ports.Camera`` over any driver.

    Args:
        driver: The driver; nobody else may use it.
        clock: Stamps frames, limits waits, and times the attempts.
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
        # All below are guarded by _changed.
        self._thread: threading.Thread | None = None
        self._is_wanted = False
        self._asked = 0  # Tickets given to callers of frame().
        self._answered = 0  # The last ticket for which frame or fault was given.
        self._said: Frame | DeviceFault | None = None  # The answer.
        self._health = CameraHealth(CameraState.CLOSED)

    @property
    def name(self) -> str:
        """The device's name, for people."""
        return self._driver.name

    def __repr__(self) -> str:
        return f"LiveCamera({self.name}, {self._health.state})"

    def __enter__(self) -> LiveCamera:
        self.open()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # For callers, from any thread.

    def open(self) -> None:
        """Begin to own the device (``Camera.open``)."""
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
        """Take a frame now (``Camera.frame``)."""
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
            said = self._said
        if not is_wanted:
            raise DeviceFault(f"{self.name} is closed", "open it first")
        if not is_answered:
            said = DeviceFault(
                f"{self.name} sent nothing within {timeout_ms} ms",
                "check its cable, or wait until it answers",
            )
            self._become(_broken(said), unless_past=ticket)
        if isinstance(said, Frame):
            return said
        assert said is not None, "answered with a frame or with what is wrong"
        raise DeviceFault(said.message, said.remedy)  # Others may raise it, too.

    def health(self) -> CameraHealth:
        """The state of the camera (``Camera.health``)."""
        with self._changed:
            return self._health

    def close(self) -> None:
        """Let go of the device (``Camera.close``)."""
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
        failures = 0
        while True:
            before = self._answered
            fault = self._hold()
            if fault:
                failures = 0 if self._answered > before else failures
                self._rest(fault, RETRY_MS[min(failures, len(RETRY_MS) - 1)])
                failures += 1
            with self._changed:
                if not self._is_wanted:
                    self._thread = None  # From here on, open() begins a new one.
                    return

    def _hold(self) -> DeviceFault | None:
        """Hold the device until it fails or is closed; return what is wrong."""
        try:
            self._driver.open()
            self._become(CameraHealth(CameraState.STARTING))
            self._serve()
        except Exception as error:  # Drivers' libraries raise anything.
            return _fault(self.name, error)
        finally:
            self._let_go()
        return None

    def _serve(self) -> None:
        """Take frames for whoever asks, until the camera is closed."""
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
        """Tell everybody who waits what is wrong; then pause, unless it is closed."""
        log.info("camera_fault retry_ms=%d message=%r", pause_ms, str(fault))
        alarm = Alarm(self._clock, pause_ms, self._changed)
        self._become(_broken(fault, pause_ms), fault)
        with self._changed:
            while self._is_wanted and not alarm.is_over:
                self._changed.wait()
        alarm.cancel()

    def _let_go(self) -> None:
        try:
            self._driver.close()
        except Exception:
            log.exception("camera_not_let_go name=%r", self.name)

    def _become(
        self,
        health: CameraHealth,
        said: Frame | DeviceFault | None = None,
        ticket: int | None = None,
        *,
        unless_past: int | None = None,
    ) -> None:
        """Change health and answer in one step; then tell, outside the lock.

        Args:
            health: The new health.
            said: The answer for callers of ``frame`` who wait; None answers nobody.
            ticket: The last ticket that is answered; None answers everybody.
            unless_past: Change nothing if this ticket was answered meanwhile.
        """
        with self._changed:
            if unless_past is not None and self._answered >= unless_past:
                return
            if said is not None:
                self._said = said
                # Tickets are counted here, under the lock: whoever asks while the
                # camera breaks is either answered now or sees that it is broken.
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
    """A time limit: after *delay_ms* it is over, and *changed* is notified."""

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
        """Stop the time limit from running out."""
        self._timer.cancel()


def _frozen(pixels: NDArray[np.uint8], taken_at_ms: int) -> Frame:
    """A read-only frame of these very pixels; copied only to close gaps in a row."""
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 3:
        raise DeviceFault(
            f"expected frames of (height, width, 3) uint8, got {pixels.shape} "
            f"{pixels.dtype}",
            "choose another format on this camera",
        )
    whole = np.ascontiguousarray(pixels).view()
    whole.flags.writeable = False
    return Frame(whole, taken_at_ms)


def _broken(fault: DeviceFault, retry_ms: int = 0) -> CameraHealth:
    return CameraHealth(CameraState.BROKEN, fault.message, fault.remedy, retry_ms)


def _fault(name: str, error: Exception) -> DeviceFault:
    if isinstance(error, DeviceFault):
        return error
    log.warning("camera_driver_failed name=%r", name, exc_info=error)
    said = str(error) or type(error).__name__
    return DeviceFault(f"{name} failed ({said})", "it is tried again by itself")
