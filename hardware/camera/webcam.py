"""Webcams under Linux, through OpenCV's VideoCapture on V4L2.

OpenCV is imported when one is opened: it takes a quarter of a second and 40 MB.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from companion.errors import DeviceFault
from companion.ports import Clock

MJPEG = 0x47504A4D
"""V4L2's code ``MJPG``; USB 2 is too slow for other formats of large frames."""
STALE_MAX = 5
"""How many old frames a driver may queue, although only one buffer is asked for."""
WAITED_NS = 4_000_000
"""A grab that takes at least this long has waited for a new frame."""


class Capture(Protocol):
    """The part of ``cv2.VideoCapture`` that is used here."""

    def isOpened(self) -> bool: ...  # noqa: N802, D102 (OpenCV's name)
    def set(self, prop: int, value: float, /) -> bool: ...  # noqa: D102
    def grab(self) -> bool: ...  # noqa: D102
    def retrieve(self) -> tuple[bool, NDArray[np.uint8] | None]: ...  # noqa: D102
    def release(self) -> None: ...  # noqa: D102


class WebcamDriver:
    """The ``CameraDriver`` of a USB webcam, or any V4L2 device that gives pictures.

    Args:
        device: The device's file, such as ``/dev/video0``, or its link in
            ``/dev/v4l/by-id``, which a camera keeps wherever it is plugged in.
        size_px: Width and height to ask for; the camera takes the nearest it has.
        clock: Times each grab, to tell a new frame from a queued one.
        capture: Makes OpenCV's object from the file's name.
        devices: Linux's folder of devices.
    """

    def __init__(
        self,
        device: str,
        size_px: tuple[int, int],
        clock: Clock,
        capture: Callable[[str], Capture] | None = None,
        devices: Path = Path("/dev"),
    ) -> None:
        self._device = device
        self._size_px = size_px
        self._clock = clock
        self._make = capture or _v4l2
        self._devices = devices
        self._capture: Capture | None = None

    @property
    def name(self) -> str:
        """The device's file, for people."""
        return f"webcam {self._device}"

    def open(self) -> None:
        """Open the device and choose its format."""
        self._check_file()
        capture = self._make(self._device)
        if not capture.isOpened():
            capture.release()
            raise DeviceFault(
                f"{self.name} is busy, or no camera",
                "close whatever else uses it, or choose another of "
                f"{_webcams(self._devices)}",
            )
        import cv2

        # The format comes before the size: many sizes exist in one format only.
        width, height = self._size_px
        capture.set(cv2.CAP_PROP_FOURCC, MJPEG)
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._capture = capture

    def grab(self) -> NDArray[np.uint8]:
        """Skip queued frames, and take a new one."""
        capture = self._capture
        if capture is None:
            raise DeviceFault(f"{self.name} is closed", "open it first")
        for _ in range(STALE_MAX + 1):
            began_ns = self._clock.monotonic_ns()
            if not capture.grab():
                raise self._gone()
            if self._clock.monotonic_ns() - began_ns >= WAITED_NS:
                break
        is_good, picture = capture.retrieve()
        if not is_good or picture is None:
            raise self._gone()
        return _bgr(picture)

    def close(self) -> None:
        """Close the device."""
        capture, self._capture = self._capture, None
        if capture is not None:
            capture.release()

    def _check_file(self) -> None:
        """Find out why the device cannot be opened; OpenCV gives no reason."""
        if not Path(self._device).exists():
            raise DeviceFault(
                f"no webcam: looked for {self._device}, got {_webcams(self._devices)}",
                "plug it in, or set COMPANION_CAMERA_DEVICE to one of these",
            )
        if not os.access(self._device, os.R_OK | os.W_OK):
            raise DeviceFault(
                f"{self.name} may not be opened by this user",
                "add the user to the group video and log in again",
            )

    def _gone(self) -> DeviceFault:
        if not Path(self._device).exists():
            return DeviceFault(f"{self.name} was unplugged", "plug it in again")
        return DeviceFault(
            f"{self.name} stopped sending",
            "it may be busy elsewhere, or have too little power: it is tried again "
            "by itself",
        )


def _v4l2(device: str) -> Capture:
    import cv2

    # OpenCV's type stub allows matrices of any kind; those of a camera are uint8.
    return cast(Capture, cv2.VideoCapture(device, cv2.CAP_V4L2))


def _webcams(devices: Path) -> str:
    """List all webcams, by their own names if they have any.

    The numbers of ``video*`` change with each plugging in. Only a camera's ``index0``
    gives pictures.
    """
    paths = sorted(devices.glob("v4l/by-id/*-video-index0"))
    paths = paths or sorted(devices.glob("video*"))
    return ", ".join(map(str, paths)) or "no video device at all"


def _bgr(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Convert to three channels; cameras send none, one, three or four."""
    if picture.ndim == 2:
        picture = picture[:, :, None]
    if picture.ndim == 3 and picture.shape[2] == 1:
        picture = np.repeat(picture, 3, axis=2)
    return picture[..., :3]
