"""Make the camera that the settings ask for.

Like the vault, a camera is simulated only if the settings say so. Unlike the vault, it
may be missing, and is used once it is plugged in.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.errors import DeviceFault
from companion.ports import Camera, Clock
from hardware.camera.live import CameraDriver, LiveCamera
from hardware.camera.pi import PiDriver
from hardware.camera.settings import CameraSettings
from hardware.camera.simulated import FolderDriver, SimulatedDriver
from hardware.camera.webcam import WebcamDriver

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
        return PiDriver(settings, clock)
    webcam = WebcamDriver(settings.camera_device, settings.size_px, clock)
    if settings.camera == "webcam":
        return webcam
    return FirstDriver((PiDriver(settings, clock), webcam))


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
