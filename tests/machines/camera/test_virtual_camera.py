"""``hardware/camera/pi.py`` on the real picamera2, before libcamera's virtual camera.

That camera sends frames as fast as they are given back, and has neither crop nor lens.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from companion.decoder import Verdict, house_deck, read
from companion.errors import DeviceFault
from companion.ports import CameraState
from hardware.camera.live import LiveCamera
from hardware.camera.pi import PiDriver, PiLibrary
from hardware.camera.settings import PI_BUFFERS, CameraSettings
from hardware.clock import SystemClock
from tests.machines.camera.virtual import (
    GOLDEN,
    PATCH_PX,
    PATCHES,
    SIZE,
    BareVirtualPicamera2,
    VirtualPicamera2,
    card,
)

FRAMES_MAX = 40
"""Within so many frames every picture was shown."""
SHOWN = {
    "card": card(),
    "real": cv2.imread(str(GOLDEN / "real.jpg")),
    "fake": cv2.imread(str(GOLDEN / "fake.jpg")),
}


@pytest.fixture
def clock() -> Iterator[SystemClock]:
    clock = SystemClock()
    yield clock
    clock.close()


def pi(
    clock: SystemClock, library: PiLibrary = VirtualPicamera2, **settings: object
) -> PiDriver:
    width_px, height_px = SIZE
    size = {"camera_width_px": width_px, "camera_height_px": height_px}
    return PiDriver(CameraSettings(**size, **settings), clock, library)


@pytest.fixture
def driver(clock: SystemClock) -> Iterator[PiDriver]:
    driver = pi(clock)
    driver.open()
    yield driver
    driver.close()


def look_for(driver: PiDriver, name: str) -> np.ndarray:
    """A frame that shows the picture *name*."""
    for _ in range(FRAMES_MAX):
        pixels = driver.grab()
        if np.abs(pixels.astype(int) - SHOWN[name]).mean() < 4:
            return pixels
    raise AssertionError(f"{name} was not among {FRAMES_MAX} frames")


def test_known_colours_come_back_blue_first(driver: PiDriver) -> None:
    pixels = look_for(driver, "card")
    for (left, top), colour in PATCHES.items():
        patch = pixels[top : top + PATCH_PX, left : left + PATCH_PX][10:-10, 10:-10]
        assert np.abs(patch.astype(int) - colour).max() <= 8, (left, top)


@pytest.mark.parametrize("verdict", [Verdict.REAL, Verdict.FAKE])
def test_what_lies_there_is_read_as_it_is(driver: PiDriver, verdict: Verdict) -> None:
    reading = read(look_for(driver, str(verdict)), house_deck())[0]
    assert reading.verdict is verdict
    assert reading.confidence > 0.9


def test_every_frame_is_given_back_and_stays_as_it_was(driver: PiDriver) -> None:
    first = look_for(driver, "card")
    kept = first.copy()
    for _ in range(4 * PI_BUFFERS):  # One kept request of each buffer would stop it.
        driver.grab()
    assert np.array_equal(first, kept)


def test_it_is_opened_again_and_again_and_leaves_no_file_open(
    clock: SystemClock,
) -> None:
    opened = []
    camera = LiveCamera(pi(clock), clock)
    for _ in range(4):
        assert camera.health().state is CameraState.CLOSED
        camera.open()
        assert camera.frame(20_000).pixels.shape == (SIZE[1], SIZE[0], 3)
        assert camera.health().state is CameraState.WORKING
        camera.close()
        gc.collect()  # picamera2 keeps its pipes until the last frame is forgotten.
        opened.append(len(os.listdir("/proc/self/fd")))
    assert opened[-1] <= opened[0], opened


def test_a_camera_that_is_taken_is_busy_until_it_is_free(
    clock: SystemClock, driver: PiDriver
) -> None:
    second = pi(clock)
    with pytest.raises(DeviceFault, match=r"is busy .*; stop whatever else uses it"):
        second.open()
    driver.grab()
    driver.close()
    second.open()
    second.grab()
    second.close()


def test_a_stream_that_stops_is_a_fault_and_can_be_closed_and_opened(
    driver: PiDriver,
) -> None:
    driver.grab()
    assert driver._camera is not None
    driver._camera.stop()
    with pytest.raises(DeviceFault, match="sent no good frame within 2500 ms"):
        driver.grab()
    driver.close()  # Behind the request that still waits: this could wait for ever.
    driver.open()
    driver.grab()


def test_controls_that_a_camera_lacks_are_left_out(clock: SystemClock) -> None:
    driver = pi(
        clock,
        camera_focus_mm=250,
        camera_exposure_us=8000,
        camera_gain_percent=200,
    )
    driver.open()
    driver.grab()
    driver.close()


def test_a_camera_that_sends_another_format_is_refused(clock: SystemClock) -> None:
    driver = pi(clock, BareVirtualPicamera2)
    with pytest.raises(DeviceFault, match=r"expected frames in RGB888 .* got NV12"):
        driver.open()
