"""Make the camera that the settings ask for.

Like the vault, a camera is simulated only if the settings say so. Unlike the vault, it
may be missing, and is used once it is plugged in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.errors import DeviceFault
from companion.ports import Camera, Clock
from hardware.camera.live import CameraDriver, LiveCamera
from hardware.camera.pi import PiCameraSettings, PiDriver
from hardware.camera.settings import CameraSettings
from hardware.camera.simulated import FolderDriver, SimulatedDriver

HINT = "set COMPANION_CAMERA=none to play without, or simulated to try"
"""What to do if no camera is found."""


def find_camera(
    settings: CameraSettings,
    clock: Clock,
    *,
    pictures: Sequence[NDArray[np.uint8]] = (),
) -> Camera | None:
    """Make the camera that *settings* ask for, closed; ``None`` if they ask for none.

    Whether the device is there shows only after ``open``.

    Args:
        settings: The settings of the camera.
        clock: The camera's own clock, as a camera may block the clock's thread.
        pictures: Pictures for a simulated camera; (height, width, 3) uint8 BGR each.
    """
    if settings.camera == "none":
        return None
    return LiveCamera(_driver(settings, clock, pictures), clock)


def _driver(
    settings: CameraSettings, clock: Clock, pictures: Sequence[NDArray[np.uint8]]
) -> CameraDriver:
    if settings.camera == "simulated":
        return SimulatedDriver(pictures)
    if settings.camera == "folder":
        return FolderDriver(Path(settings.camera_folder).absolute())
    if settings.camera == "pi":
        return _pi(settings, clock)
    if settings.camera == "webcam":
        return _webcam(settings, clock)
    return FirstDriver((_pi(settings, clock), _webcam(settings, clock)))


def _pi(settings: CameraSettings, clock: Clock) -> CameraDriver:
    chosen = PiCameraSettings(
        size_px=(settings.camera_width_px, settings.camera_height_px),
        is_whole_field=settings.camera_is_whole_field,
        focus_mm=settings.camera_focus_mm,
        exposure_us=settings.camera_exposure_us,
        gain=settings.camera_gain_percent / 100,
    )
    return PiDriver(chosen, clock)


def _webcam(settings: CameraSettings, clock: Clock) -> CameraDriver:
    """Make the driver of a webcam, which imports OpenCV when opened."""

    def make() -> CameraDriver:
        # Imported here: OpenCV takes a quarter of a second and 40 MB.
        from hardware.camera.webcam import WebcamDriver

        size_px = (settings.camera_width_px, settings.camera_height_px)
        return WebcamDriver(settings.camera_device, size_px, clock)

    return LateDriver(f"webcam {settings.camera_device}", make)


class LateDriver:
    """A driver that *make* makes when it is first opened, as its imports are heavy."""

    def __init__(self, name: str, make: Callable[[], CameraDriver]) -> None:
        self.name = name
        self._make = make
        self._driver: CameraDriver | None = None

    def open(self) -> None:
        """Make the driver if need be, and open it."""
        self._driver = self._driver or self._make()
        self._driver.open()

    def grab(self) -> NDArray[np.uint8]:
        """Take a frame."""
        if self._driver is None:
            raise DeviceFault(f"{self.name} is closed", "open it first")
        return self._driver.grab()

    def close(self) -> None:
        """Close the driver, if it was made."""
        if self._driver is not None:
            self._driver.close()


class FirstDriver:
    """The first of several drivers that opens, chosen anew each time."""

    def __init__(self, drivers: Sequence[CameraDriver]) -> None:
        self._drivers = tuple(drivers)
        self._chosen: CameraDriver | None = None

    @property
    def name(self) -> str:
        """The name of the open device, for people; ``camera`` if none is open."""
        return "camera" if self._chosen is None else self._chosen.name

    def open(self) -> None:
        """Open the first device that is there."""
        problems = []
        for driver in self._drivers:
            try:
                driver.open()
            except DeviceFault as fault:
                problems.append(str(fault))
            else:
                self._chosen = driver
                return
        raise DeviceFault(" / ".join((*problems, HINT)))

    def grab(self) -> NDArray[np.uint8]:
        """Take a frame from the open device."""
        if self._chosen is None:
            raise DeviceFault("no camera is open", "open it first")
        return self._chosen.grab()

    def close(self) -> None:
        """Close the open device."""
        chosen, self._chosen = self._chosen, None
        if chosen is not None:
            chosen.close()
