"""What every camera does, whichever it is."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from companion.errors import DeviceFault
from companion.ports import Camera, CameraState, Frame
from hardware.camera.live import RETRY_MS
from tests.hardware.camera.rigs import RIGS, SIZE, Rig
from tests.running import PATIENCE_S


@pytest.fixture(params=RIGS)
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    rig: Rig = RIGS[request.param](tmp_path)
    yield rig
    rig.bench.camera.close()


@pytest.fixture
def camera(rig: Rig) -> Camera:
    rig.bench.camera.open()
    return rig.bench.camera


def look(camera: Camera, count: int) -> list[Frame]:
    return [camera.frame() for _ in range(count)]


def test_a_frame_is_blue_first_read_only_and_stamped(rig: Rig, camera: Camera) -> None:
    frame = camera.frame()
    assert frame.pixels.shape == (SIZE[1], SIZE[0], 3)
    assert frame.pixels.dtype == np.uint8
    assert frame.pixels.flags.c_contiguous
    assert not frame.pixels.flags.writeable
    assert np.abs(frame.pixels[20, 20, :2].astype(int) - (200, 100)).max() <= 6
    assert frame.taken_at_ms == rig.bench.clock.now_ms()


def test_frames_are_new_and_old_ones_stay(camera: Camera) -> None:
    first = camera.frame()
    kept = first.pixels.copy()
    rest = look(camera, 8)
    assert np.array_equal(first.pixels, kept)
    assert len({id(frame.pixels) for frame in rest}) == 8
    # The folder has three pictures, and the film's reds suffer from its JPEG.
    assert len({int(frame.pixels[20, 20, 2]) for frame in rest}) >= 3


def test_health_follows_the_device(rig: Rig) -> None:
    camera = rig.bench.camera
    assert camera.health().state is CameraState.CLOSED
    camera.open()
    camera.frame()
    assert camera.health().state is CameraState.WORKING
    assert (camera.health().message, camera.health().retry_ms) == ("", 0)
    camera.close()
    assert camera.health().state is CameraState.CLOSED


def test_a_closed_camera_says_so(rig: Rig, camera: Camera) -> None:
    camera.frame()
    camera.close()
    camera.close()
    with pytest.raises(DeviceFault, match="is closed; open it first"):
        camera.frame()
    camera.open()
    camera.open()
    assert camera.frame().pixels.any()


def test_a_missing_camera_says_what_to_do_and_comes_by_itself(rig: Rig) -> None:
    rig.unplug()
    camera = rig.bench.camera
    camera.open()
    health = rig.bench.wait_until(CameraState.BROKEN)
    assert health.message
    assert health.remedy
    with pytest.raises(DeviceFault) as fault:
        camera.frame()
    said = fault.value
    assert (said.message, said.remedy) == (health.message, health.remedy)
    rig.plug_in()
    rig.bench.clock.advance(health.retry_ms)
    rig.bench.wait_until(CameraState.STARTING)
    assert camera.frame().pixels.any()
    assert camera.health().state is CameraState.WORKING


def test_a_busy_camera_comes_when_it_is_free(rig: Rig) -> None:
    rig.make_busy(True)
    rig.bench.camera.open()
    health = rig.bench.wait_until(CameraState.BROKEN)
    assert any(word in health.message for word in ("busy", "looked for"))
    rig.make_busy(False)
    rig.bench.clock.advance(health.retry_ms)
    rig.bench.wait_until(CameraState.STARTING)
    assert rig.bench.camera.frame().pixels.any()


def test_unplugged_in_the_middle_it_faults_and_comes_back(rig: Rig) -> None:
    camera = rig.bench.camera
    camera.open()
    camera.frame()
    rig.unplug()
    with pytest.raises(DeviceFault, match=r"; |: "):
        look(camera, 5)  # A folder ends only when its last picture was shown.
    health = rig.bench.wait_until(CameraState.BROKEN)
    rig.plug_in()
    while health.state is not CameraState.STARTING:
        rig.bench.clock.advance(health.retry_ms)
        health = rig.bench.told.get(timeout=PATIENCE_S)
    assert camera.frame().pixels.any()


def test_pauses_grow_to_a_limit(rig: Rig) -> None:
    rig.unplug()
    rig.bench.camera.open()
    pauses = []
    for _ in RETRY_MS:
        health = rig.bench.wait_until(CameraState.BROKEN)
        pauses.append(health.retry_ms)
        rig.bench.clock.advance(health.retry_ms)
    assert pauses == [500, 1000, 2000, 4000, 8000]


def test_it_does_nothing_before_its_pause_is_over(rig: Rig) -> None:
    rig.unplug()
    rig.bench.camera.open()
    health = rig.bench.wait_until(CameraState.BROKEN)
    rig.bench.clock.advance(health.retry_ms - 1)
    assert rig.bench.told.empty()
    assert rig.bench.clock.waiting_count == 1


def test_a_close_ends_the_pause(rig: Rig) -> None:
    rig.unplug()
    rig.bench.camera.open()
    rig.bench.wait_until(CameraState.BROKEN)
    rig.bench.camera.close()
    assert rig.bench.clock.waiting_count == 0
    assert not any(thread.name == "camera" for thread in threading.enumerate())


@pytest.mark.parametrize("timeout_ms", [-1, 0, 60_001])
def test_a_wait_outside_the_limit_is_refused(camera: Camera, timeout_ms: int) -> None:
    with pytest.raises(ValueError, match=r"expected timeout_ms in 1\.\.60000, got"):
        camera.frame(timeout_ms)


def test_whoever_asks_while_it_breaks_gets_an_answer(rig: Rig, camera: Camera) -> None:
    camera.frame()
    faults: list[str] = []

    def take() -> None:
        try:
            look(camera, 60)
        except DeviceFault as fault:
            faults.append(str(fault))

    rig.unplug()
    threads = [threading.Thread(target=take, daemon=True) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert len(faults) == 8


def test_many_callers_share_one_device(rig: Rig, camera: Camera) -> None:
    frames: list[Frame] = []

    def take() -> None:
        frames.extend(look(camera, 5))

    threads = [threading.Thread(target=take, daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert len(frames) == 20
