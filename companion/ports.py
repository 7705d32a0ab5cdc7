"""The interfaces through which the core reaches the vault, a camera and the clock.

``hardware`` implements each of them with real devices and as a simulation in memory;
both pass the same contract tests. This module imports no optional library.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # Only for types: a table without a camera needs no numpy.
    import numpy as np
    from numpy.typing import NDArray


class Line(enum.StrEnum):
    """An input of the vault."""

    WHEEL_A = "wheel_a"
    WHEEL_B = "wheel_b"
    M_BUTTON = "m_button"
    YELLOW_BUTTON = "yellow_button"
    LID = "lid"


@dataclass(frozen=True, slots=True)
class Edge:
    """An unfiltered change of one input; contacts bounce, and each bounce is an edge.

    Attributes:
        line: Which input.
        is_active: Whether the wheel's contact is closed, the button is pressed, or the
            lid is shut; with a cut wire a lid counts as open.
        at_ns: ``Clock.monotonic_ns`` when the change was seen.
    """

    line: Line
    is_active: bool
    at_ns: int


class Signal(enum.StrEnum):
    """What the vault's light and buzzer express; a press always gets a signal."""

    ACCEPTED = "accepted"  # A press was heard.
    LOCKED = "locked"  # A new code is set.
    RIGHT = "right"  # The number was right; the latch fires.
    WRONG = "wrong"  # The number was wrong.
    WRONG_TIME = "wrong_time"  # Heard, but it means nothing now.
    JAMMED = "jammed"  # The latch fired and the lid did not rise.
    ALARM = "alarm"  # The lid was forced, or the driver failed.


class VaultDevice(Protocol):
    """The vault's electricity: five inputs, one coil, a light and a buzzer.

    A servo may pull the bolt in the coil's place: it is *on* while it holds the bolt
    back. A device knows no numbers, codes or states. It is constructed with the coil
    off, and the coil is off again after ``close`` or any exception.
    """

    @property
    def name(self) -> str:
        """The name for people: ``simulated vault`` or ``vault on GPIO pins``."""

    @property
    def hands(self) -> Hands | None:
        """The hands that move a simulated vault; ``None`` for a real one."""

    @property
    def is_sound(self) -> bool:
        """Whether the coil is switched off in time and the inputs are read.

        A pulse of the coil has two deadlines. If the first one failed to end a pulse,
        the device begins no pulse until that deadline has proved to work. If nothing
        reads the inputs any more, the device is not sound until the program ends.
        """

    def listen(self, hear: Callable[[Edge], None]) -> None:
        """Call *hear* with every edge from now on, from any thread.

        *hear* must only enqueue the edge. The device catches its exceptions: one that
        escaped would silence all other inputs.
        """

    def levels(self) -> dict[Line, bool]:
        """Read whether each input is active now, as in ``Edge``."""

    def release(self, on_time_ms: int) -> None:
        """Pull the bolt back for *on_time_ms*; return at once.

        Args:
            on_time_ms: How long the coil is on: 50 to 1000.

        Raises:
            ValueError: If *on_time_ms* is outside its range.
            Refused: ``coil_resting``, if the coil is on, or has to rest from a pulse,
                or from one before this program's start; the remedy says how long.
            DeviceFault: If the coil cannot be driven, or the device is not sound.
        """

    def end_release(self) -> None:
        """End the pulse now, if there is one, so that the bolt goes home.

        Raises:
            DeviceFault: If the coil cannot be driven.
        """

    def rest_ms(self) -> int:
        """Return how long ``release`` would still be refused; may be 0."""

    def charge_ms(self) -> int:
        """Return how long a pull may be too weak yet, after power-on; may be 0."""

    def signal(self, signal: Signal) -> None:
        """Show and sound *signal*; return at once. Never raises."""

    def close(self) -> None:
        """Switch the coil off and free the pins. May be called twice."""


class Hands(Protocol):
    """A person's hands on a simulated vault; the virtual vault page moves them."""

    def turn(self, numbers: int) -> None:
        """Turn the wheel by this many numbers; clockwise is positive."""

    def press(self, line: Line) -> None:
        """Press and release a button, after any presses that are waiting."""

    @property
    def waiting_presses_count(self) -> int:
        """How many presses are still waiting."""

    def shut_lid(self) -> None:
        """Push the lid down until the bolt snaps in."""

    def lift_lid(self) -> None:
        """Pull at the lid; it rises if the bolt does not hold it."""

    def force_lid(self) -> None:
        """Break the lid open against the bolt."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One whole picture from a camera or a photo.

    Attributes:
        pixels: (height, width, 3) uint8, BGR, contiguous and read-only. The camera does
            not reuse it.
        taken_at_ms: ``Clock.now_ms`` when the frame came from the device.
    """

    pixels: NDArray[np.uint8]
    taken_at_ms: int


class CameraState(enum.StrEnum):
    """The state of a camera."""

    CLOSED = "closed"  # Nobody has asked for it.
    STARTING = "starting"  # Asked for, or found again; no frame has come yet.
    WORKING = "working"  # The last frame that was asked for came.
    BROKEN = "broken"  # Missing, busy, unplugged or silent; the camera tries again.


@dataclass(frozen=True, slots=True)
class CameraHealth:
    """A camera's state, with the reason if it is broken.

    Attributes:
        state: The state.
        message: What is wrong while ``BROKEN``, otherwise empty.
        remedy: What to do about it; may be empty.
        retry_ms: How long the camera waits before it tries again; 0 if it does not.
    """

    state: CameraState
    message: str = ""
    remedy: str = ""
    retry_ms: int = 0


class Camera(Protocol):
    """A camera over the table; any thread may use it.

    After a fault the device is opened again and again, with growing pauses, until
    ``close``.
    """

    @property
    def name(self) -> str:
        """The name for people: ``camera of the Pi``, ``webcam /dev/video0``."""

    def open(self) -> None:
        """Begin to own the device, unless it is open; return at once.

        Only ``frame`` and ``health`` report a fault, so that a table can start without
        its camera.
        """

    def frame(self, timeout_ms: int = 8000) -> Frame:
        """Take a frame now and wait for it; never return an older one.

        Args:
            timeout_ms: 1 to 60000.

        Raises:
            ValueError: If *timeout_ms* is outside its range.
            DeviceFault: If the camera is closed, missing, busy, unplugged, or sends
                nothing within *timeout_ms*.
        """

    def health(self) -> CameraHealth:
        """Return the camera's last known state, without asking the device."""

    def close(self) -> None:
        """Release the device. May be called twice, and ``open`` again afterwards."""


class Timer(Protocol):
    """A call in the future that can be cancelled."""

    def cancel(self) -> None:
        """Cancel the call, unless it was made already."""


class Clock(Protocol):
    """The source of time: the core never asks the operating system."""

    def now_ms(self) -> int:
        """Return the wall clock: milliseconds since 1970 UTC."""

    def monotonic_ns(self) -> int:
        """Return nanoseconds of a clock that never goes back, for durations."""

    def call_later(self, delay_ms: int, act: Callable[[], None]) -> Timer:
        """Call *act* once, in another thread, *delay_ms* from now."""


@dataclass(frozen=True, slots=True)
class Stick:
    """A file system on a USB stick; of its words each may be empty."""

    uuid: str
    label: str
    kind: str  # Such as vfat, exfat, ext4, ntfs.
    size_bytes: int
    is_mounted: bool  # At the place for copies.
    is_usable: bool  # The table can write to it.
    device: str  # The kernel's name for it, such as sda1.
