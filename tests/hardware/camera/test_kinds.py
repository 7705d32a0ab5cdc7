"""What each camera does in its own way, and what it says when it cannot."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import cv2
import numpy as np
import pytest
from PIL import Image

from companion.errors import DeviceFault
from companion.ports import CameraState
from hardware.camera.live import LiveCamera
from hardware.camera.pi import (
    FOCUS_HOLD_MS,
    FOCUS_MS,
    FRAME_MS,
    GRAB_MS,
    PiDriver,
    controls,
)
from hardware.camera.settings import CameraSettings
from hardware.camera.simulated import FolderDriver, plain_note
from hardware.camera.webcam import MJPEG, STALE_MAX, WebcamDriver
from tests.fakes import FakeClock, FakeTimer
from tests.hardware.camera.rigs import (
    FRAME_EVERY_MS,
    SIZE,
    Bench,
    FakeCapture,
    PiRig,
    PiSocket,
    WebcamRig,
    opened,
    picture,
)
from tests.running import PATIENCE_S

SENSOR = (4608, 2592)

# The live camera, over a driver that tests hold in their hands.


class SlowDriver:
    """Holds a frame back until it is let go."""

    name = "slow camera"

    def __init__(self) -> None:
        self.begun, self.let_go = threading.Event(), threading.Event()
        self.opened = self.closed = self.grabbed = 0

    def open(self) -> None:
        self.opened += 1

    def grab(self) -> np.ndarray:
        self.begun.set()
        assert self.let_go.wait(PATIENCE_S)
        self.grabbed += 1
        return picture(self.grabbed)

    def close(self) -> None:
        self.closed += 1


class TellingClock(FakeClock):
    """Says when somebody has begun to wait."""

    def __init__(self) -> None:
        super().__init__()
        self.was_asked = threading.Event()

    def call_later(self, delay_ms: int, act: Callable[[], None]) -> FakeTimer:
        timer = super().call_later(delay_ms, act)
        self.was_asked.set()
        return timer


def test_a_camera_that_sends_nothing_is_silent_until_it_sends() -> None:
    driver, clock = SlowDriver(), TellingClock()
    bench = Bench(driver, clock)
    bench.camera.open()
    faults: list[DeviceFault] = []

    def look() -> None:
        with pytest.raises(DeviceFault) as fault:
            bench.camera.frame(timeout_ms=700)
        faults.append(fault.value)

    caller = threading.Thread(target=look, daemon=True)
    caller.start()
    assert driver.begun.wait(PATIENCE_S)
    assert clock.was_asked.wait(PATIENCE_S)
    clock.advance(700)
    caller.join(PATIENCE_S)
    assert "slow camera sent nothing within 700 ms; check its cable" in str(faults[0])
    assert bench.camera.health().state is CameraState.BROKEN
    with pytest.raises(DeviceFault, match="sent nothing within 700 ms"):
        bench.camera.frame()  # At once: nobody waits for it again and again.
    driver.let_go.set()
    bench.wait_until(CameraState.WORKING)
    assert bench.camera.frame().pixels[0, 0, 2] == 2, "the late frame is an old one"
    bench.camera.close()
    assert (driver.opened, driver.closed) == (1, 1)


def test_what_a_library_raises_becomes_a_sentence() -> None:
    class Broken(SlowDriver):
        def open(self) -> None:
            raise RuntimeError("dma heap exhausted")

        def close(self) -> None:
            raise OSError("was never open")

    bench = Bench(Broken(), FakeClock())
    bench.camera.open()
    health = bench.wait_until(CameraState.BROKEN)
    assert health.message == "slow camera failed (dma heap exhausted)"
    assert health.remedy == "it is tried again by itself"
    bench.camera.close()


@pytest.mark.parametrize(
    "wrong",
    [np.zeros((4, 4), np.uint8), np.zeros((4, 4, 4), np.uint8), np.zeros((4, 4, 3))],
)
def test_a_frame_of_another_shape_is_a_fault(wrong: np.ndarray) -> None:
    driver = SlowDriver()
    driver.grab = lambda: wrong
    message = r"expected frames of \(height, width, 3\) uint8, got \(4, 4"
    with (
        opened(LiveCamera(driver, FakeClock())) as camera,
        pytest.raises(DeviceFault, match=message),
    ):
        camera.frame()


def test_a_listener_that_fails_does_not_stop_the_camera() -> None:
    def fail(_: object) -> None:
        raise ValueError("the page is gone")

    driver = SlowDriver()
    driver.let_go.set()
    with opened(LiveCamera(driver, FakeClock(), fail)) as camera:
        assert camera.frame().pixels.any()


# The camera of the Pi.


def pi(socket: PiSocket, **settings: object) -> PiDriver:
    size = {"camera_width_px": SIZE[0], "camera_height_px": SIZE[1]}
    chosen = CameraSettings(**{**size, **settings})
    return PiDriver(chosen, socket.clock, socket)


def test_pi_cuts_the_middle_out_at_full_resolution() -> None:
    socket = PiSocket(FakeClock())
    pi(socket, camera_width_px=2304, camera_height_px=1296).open()
    camera = socket.made[0]
    assert camera.configuration["main"] == {"size": (2304, 1296), "format": "RGB888"}
    assert camera.configuration["raw"] == {"size": SENSOR}
    assert camera.configuration["queue"] is False
    assert camera.told["ScalerCrop"] == (1152, 648, 2304, 1296)


def test_pi_shows_the_whole_field_when_told() -> None:
    socket = PiSocket(FakeClock())
    pi(socket, camera_is_whole_field=True).open()
    assert socket.made[0].configuration["raw"] is None
    assert "ScalerCrop" not in socket.made[0].told


def test_pi_finds_its_focus_once() -> None:
    socket = PiSocket(FakeClock())
    driver = pi(socket)
    driver.open()
    driver.grab()
    driver.grab()
    assert socket.focused == 1
    assert socket.made[0].told["AfRange"] == 1


def test_pi_holds_frames_back_until_the_lens_has_found_its_focus() -> None:
    socket = PiSocket(FakeClock())
    socket.focus_frames = 9
    driver = pi(socket)
    driver.open()
    assert driver.grab()[0, 0, 2] == 8, "the ninth frame is the first sharp one"
    assert driver.grab()[0, 0, 2] == 9


def test_pi_over_a_bare_table_keeps_its_stream_and_says_it_found_no_focus(
    caplog: pytest.LogCaptureFixture,
) -> None:
    socket = PiSocket(FakeClock())
    socket.focus_frames = 360  # 25 s of frames.
    socket.picture = lambda _: picture(0)
    driver = pi(socket)
    driver.open()
    driver.grab()
    assert socket.clock.monotonic_ns() // 1_000_000 in range(
        FOCUS_HOLD_MS, FOCUS_HOLD_MS + 100
    )
    for _ in range(360):
        driver.grab()
    assert caplog.text.count("pi_camera_found_no_focus") == 1
    camera = socket.made[0]
    assert not camera.is_closed
    assert camera.lens.state == "idle", "the search was called off"
    assert socket.focused == 1, "nothing has come that it could focus on"


def test_pi_searches_again_when_a_note_comes_to_lie_on_the_bare_table() -> None:
    socket = PiSocket(FakeClock())
    socket.focus_frames = 360
    socket.picture = lambda _: picture(0)
    driver = pi(socket)
    driver.open()
    for _ in range(100):
        driver.grab()
    assert socket.focused == 1
    socket.focus_frames = 9

    def with_note(number: int) -> np.ndarray:
        pixels = picture(number % 200)
        pixels[20:30, 20:40] = 240
        return pixels

    socket.picture = with_note
    driver.grab()
    assert socket.focused == 2
    assert socket.made[0].lens.state == "focused", "this frame waited for it"
    for _ in range(200):
        driver.grab()
    assert socket.focused == 2


def test_pi_that_was_last_asked_over_a_bare_table_is_sharp_over_the_next_note() -> None:
    socket = PiSocket(FakeClock())
    socket.focus_frames = 100
    socket.finds_focus = False
    socket.picture = lambda _: picture(0)
    driver = pi(socket)
    driver.open()
    driver.grab()
    socket.clock.advance(FOCUS_MS)  # Nobody looks for a while.
    socket.finds_focus, socket.focus_frames = True, 9
    socket.picture = lambda _: np.full((SIZE[1], SIZE[0], 3), 240, np.uint8)
    driver.grab()
    assert socket.made[0].lens.state == "focused"


def test_pi_hands_out_a_frame_though_the_view_changes_all_the_time() -> None:
    """A search in vain, and something new at its end: another search, and so on."""
    socket = PiSocket(FakeClock())
    socket.finds_focus = False
    socket.picture = lambda number: np.full_like(picture(0), 37 * (number // 20) % 200)
    driver = pi(socket)
    driver.open()
    for _ in range(9):
        before_ns = socket.clock.monotonic_ns()
        driver.grab()
        took_ms = (socket.clock.monotonic_ns() - before_ns) // 1_000_000
        assert took_ms <= GRAB_MS + 2 * FRAME_EVERY_MS


def test_pi_holds_a_fixed_focus() -> None:
    socket = PiSocket(FakeClock())
    pi(socket, camera_focus_mm=250).open()
    assert socket.focused == 0
    assert socket.made[0].told["LensPosition"] == 4.0
    assert socket.made[0].told["AfMode"] == 0


def test_pi_without_autofocus_is_not_told_of_it() -> None:
    socket = PiSocket(FakeClock())
    socket.control_names = ["ScalerCrop"]
    driver = pi(socket, camera_focus_mm=250)
    driver.open()
    assert set(socket.made[0].told) == {"ScalerCrop"}
    assert driver.grab().shape == (SIZE[1], SIZE[0], 3)


def test_pi_that_finds_no_focus_still_shows() -> None:
    socket = PiSocket(FakeClock())
    socket.finds_focus = False
    driver = pi(socket)
    driver.open()
    assert driver.grab().any()


def test_pi_exposure_and_focus_are_fixed_together() -> None:
    chosen = CameraSettings(
        camera_focus_mm=200, camera_exposure_us=8000, camera_gain_percent=200
    )
    assert controls(chosen, None) == {
        "AfMode": 0,
        "LensPosition": 5.0,
        "AeEnable": False,
        "ExposureTime": 8000,
        "AnalogueGain": 2.0,
        "FrameDurationLimits": (33_333, 41_333),
    }


def test_pi_gives_a_long_exposure_frames_that_are_long_enough() -> None:
    chosen = CameraSettings(camera_exposure_us=500_000)
    shortest_us, longest_us = controls(chosen, None)["FrameDurationLimits"]
    assert shortest_us <= 70_000, "a short frame must stay possible"
    assert longest_us >= 510_000, "the sensor needs some rows more than the exposure"
    assert "FrameDurationLimits" not in controls(CameraSettings(), None)


def test_pi_waits_longer_for_frames_with_a_long_exposure() -> None:
    socket = PiSocket(FakeClock())
    driver = pi(socket, camera_exposure_us=500_000)
    driver.open()
    socket.is_silent = True
    with pytest.raises(DeviceFault, match="no good frame within 7500 ms; it is opened"):
        driver.grab()
    driver.close()


def test_pi_hands_on_the_very_array_that_the_library_made() -> None:
    rig = PiRig(Path())
    with opened(rig.bench.camera) as camera:
        frame = camera.frame()
    assert np.shares_memory(frame.pixels, rig.socket.handed[-1])
    assert not frame.pixels.flags.writeable


def test_pi_frame_with_an_error_is_not_the_cables_fault() -> None:
    rig = PiRig(Path())
    with opened(rig.bench.camera) as camera:
        camera.frame()
        rig.socket.spoils_next = True
        with pytest.raises(DeviceFault, match="sent a frame with an error") as fault:
            camera.frame()
        assert "cable" not in str(fault.value)
        assert rig.socket.made[0].held == 0
        rig.bench.clock.advance(rig.bench.wait_until(CameraState.BROKEN).retry_ms)
        rig.bench.wait_until(CameraState.STARTING)
        assert camera.frame().pixels.any()


def test_pi_without_a_camera_is_not_opened_in_vain_again_and_again() -> None:
    socket = PiSocket(FakeClock())
    socket.is_plugged_in = False
    socket.webcams = [{"Id": "/base/axi/usb@200000-1.2:1.0-046d:0825", "Num": 0}]
    driver = pi(socket)
    for _ in range(3):
        with pytest.raises(DeviceFault, match="ribbon cable, got none; switch"):
            driver.open()
    assert socket.leaked == 0
    assert not socket.made


def test_pi_with_a_small_sensor_takes_all_of_it() -> None:
    chosen = CameraSettings(camera_width_px=2304, camera_height_px=1296)
    assert controls(chosen, (1640, 1232))["ScalerCrop"] == (0, 0, 1640, 1232)


def test_pi_gives_every_frame_back() -> None:
    rig = PiRig(Path())
    with opened(rig.bench.camera) as camera:
        for _ in range(10):
            camera.frame()
    assert rig.socket.made[0].held == 0
    assert rig.socket.made[0].is_closed


def test_pi_that_sends_nothing_is_closed_and_opened_anew() -> None:
    rig = PiRig(Path())
    camera = rig.bench.camera
    camera.open()
    camera.frame()
    rig.socket.is_silent = True
    with pytest.raises(DeviceFault, match=f"sent no good frame within {FRAME_MS} ms"):
        camera.frame()
    health = rig.bench.wait_until(CameraState.BROKEN)
    rig.socket.is_silent = False
    rig.bench.clock.advance(health.retry_ms)
    rig.bench.wait_until(CameraState.STARTING)
    assert camera.frame().pixels.any()
    assert [made.is_closed for made in rig.socket.made] == [True, False]
    camera.close()


def test_pi_frame_that_comes_too_late_is_given_back() -> None:
    socket = PiSocket(FakeClock())
    driver = pi(socket)
    driver.open()
    socket.is_silent = True
    with pytest.raises(DeviceFault):
        driver.grab()
    socket.made[0].deliver()
    assert socket.made[0].held == 0
    driver.close()


def test_pi_on_an_old_library_is_closed_without_stopping() -> None:
    socket = PiSocket(FakeClock())
    driver = pi(socket)
    driver.open()
    socket.is_silent = True
    with pytest.raises(DeviceFault):
        driver.grab()
    camera = socket.made[0]

    class Older:
        stop, close = camera.stop, camera.close

    driver._camera = Older()  # type: ignore[assignment]
    driver.close()
    assert camera.is_closed


def test_pi_in_another_format_is_refused() -> None:
    socket = PiSocket(FakeClock())
    socket.changes = {"format": "XBGR8888"}
    with pytest.raises(DeviceFault, match=r"expected frames in RGB888 .*, got XBGR"):
        pi(socket).open()
    assert socket.made[0].is_closed


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RuntimeError("Failed to acquire camera: busy"), "is busy .*; stop whatever"),
        (ValueError("numpy.dtype size changed"), "could not be started .numpy.dtype"),
    ],
)
def test_pi_that_cannot_be_made_says_why(error: Exception, said: str) -> None:
    class Failing(PiSocket):
        def __call__(self) -> NoReturn:
            raise error

    with pytest.raises(DeviceFault, match=said):
        pi(Failing(FakeClock())).open()


def test_without_picamera2_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(DeviceFault, match="picamera2 is not installed; apt install"):
        PiDriver(CameraSettings(), FakeClock()).open()


# Webcams.


def test_webcam_is_told_its_format_before_its_size(tmp_path: Path) -> None:
    rig = WebcamRig(tmp_path)
    with opened(rig.bench.camera) as camera:
        camera.frame()
    assert list(rig.made[0].props.items()) == [
        (cv2.CAP_PROP_FOURCC, MJPEG),
        (cv2.CAP_PROP_FRAME_WIDTH, SIZE[0]),
        (cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1]),
        (cv2.CAP_PROP_BUFFERSIZE, 1),
    ]
    assert cv2.VideoWriter.fourcc(*"MJPG") == MJPEG
    assert not rig.made[0].is_held


@pytest.mark.parametrize("queued", range(STALE_MAX + 1))
def test_webcam_passes_over_what_lay_in_the_queue(tmp_path: Path, queued: int) -> None:
    rig = WebcamRig(tmp_path)
    with opened(rig.bench.camera) as camera:
        camera.frame()
        rig.made[0].queued, shown = queued, rig.shown
        assert camera.frame().pixels[0, 0, 2] == shown + queued + 1


def test_webcam_without_a_file_lists_the_others(tmp_path: Path) -> None:
    (tmp_path / "video3").touch()
    driver = WebcamDriver(str(tmp_path / "video0"), SIZE, FakeClock(), devices=tmp_path)
    with pytest.raises(
        DeviceFault, match=r"no webcam: .*video0, got .*video3; plug it"
    ):
        driver.open()


def test_webcams_are_listed_by_the_names_that_they_keep(tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / f"video{number}").touch()
    by_id = tmp_path / "v4l" / "by-id"
    by_id.mkdir(parents=True)
    for number, name in enumerate(("usb-Acme_A1-video-", "usb-Acme_B2-video-")):
        for index in range(2):
            (by_id / f"{name}index{index}").symlink_to(
                f"../../video{2 * number + index}"
            )
    driver = WebcamDriver(str(tmp_path / "video9"), SIZE, FakeClock(), devices=tmp_path)
    with pytest.raises(DeviceFault) as fault:
        driver.open()
    a, b = (by_id / f"usb-Acme_{x}-video-index0" for x in ("A1", "B2"))
    assert f"got {a}, {b}; plug it in, or set COMPANION_CAMERA_DEVICE" in str(
        fault.value
    )


def test_webcam_by_its_own_name_is_found_again_under_another_number(
    tmp_path: Path,
) -> None:
    link = tmp_path / "usb-Acme_A1-video-index0"
    link.symlink_to("video0")
    opened: list[Path] = []

    def capture(device: str) -> FakeCapture:
        opened.append(Path(device).resolve())
        return FakeCapture(rig)

    rig = WebcamRig(tmp_path)
    driver = WebcamDriver(str(link), SIZE, rig.bench.clock, capture)
    driver.open()
    driver.grab()
    rig.unplug()
    link.unlink()
    with pytest.raises(DeviceFault, match="A1-video-index0 was unplugged; plug it in"):
        driver.grab()
    driver.close()
    rig.device = tmp_path / "video2"
    rig.plug_in()
    link.symlink_to("video2")
    driver.open()
    assert driver.grab().any()
    driver.close()
    assert [device.name for device in opened] == ["video0", "video2"]


def test_file_that_is_no_camera_is_refused_by_the_real_v4l2(tmp_path: Path) -> None:
    (tmp_path / "video0").write_bytes(b"not a camera")
    driver = WebcamDriver(str(tmp_path / "video0"), SIZE, FakeClock())
    with pytest.raises(DeviceFault, match=r"is busy, or no camera; close whatever"):
        driver.open()


@pytest.mark.parametrize(
    ("sent", "is_good"),
    [
        (np.zeros((48, 64), np.uint8), True),
        (np.zeros((48, 64, 1), np.uint8), True),
        (np.zeros((48, 64, 4), np.uint8), True),
        (np.zeros((48, 64), np.uint16), False),
        (None, False),
    ],
)
def test_webcam_may_be_grey(
    tmp_path: Path, sent: np.ndarray | None, is_good: bool
) -> None:
    rig = WebcamRig(tmp_path)
    rig.picture = lambda _: sent
    with opened(rig.bench.camera) as camera:
        if is_good:
            assert camera.frame().pixels.shape == (48, 64, 3)
        else:
            with pytest.raises(DeviceFault, match=r"expected frames|stopped sending"):
                camera.frame()


def test_webcam_in_mid_frame_is_unplugged(tmp_path: Path) -> None:
    rig = WebcamRig(tmp_path)
    with opened(rig.bench.camera) as camera:
        camera.frame()
        rig.retrieves = False
        rig.device.unlink()
        with pytest.raises(DeviceFault, match="was unplugged; plug it in again"):
            camera.frame()
        rig.bench.wait_until(CameraState.BROKEN)
    assert not rig.made[0].is_held


# Folders, and pictures in memory.


def test_folder_shows_all_in_the_order_of_names_and_begins_again(
    tmp_path: Path,
) -> None:
    for number in (3, 1, 2):
        Image.new("RGB", (4, 4), (number, 0, 0)).save(tmp_path / f"{number}.png")
    (tmp_path / "readme.txt").write_text("no picture")
    driver = FolderDriver(tmp_path)
    driver.open()
    assert [driver.grab()[0, 0, 2] for _ in range(4)] == [1, 2, 3, 1]
    driver.close()
    driver.open()
    assert driver.grab()[0, 0, 2] == 2


def test_folder_goes_on_after_a_broken_picture(tmp_path: Path) -> None:
    Image.new("RGB", (4, 4), (7, 0, 0)).save(tmp_path / "b.png")
    (tmp_path / "a.png").write_bytes(b"broken")
    bench = Bench(FolderDriver(tmp_path), FakeClock())
    with opened(bench.camera) as camera:
        with pytest.raises(DeviceFault, match=r"^a\.png: this is another kind of file"):
            camera.frame()
        bench.clock.advance(bench.wait_until(CameraState.BROKEN).retry_ms)
        bench.wait_until(CameraState.STARTING)
        assert camera.frame().pixels[0, 0, 2] == 7


def test_empty_folder_says_what_it_looked_for(tmp_path: Path) -> None:
    with pytest.raises(DeviceFault, match=r"for \.jpeg, .*, got none; put some there"):
        FolderDriver(tmp_path).open()


def test_simulated_camera_has_a_picture_of_its_own() -> None:
    note = plain_note()
    assert note.shape == (648, 1152, 3)
    assert len(set(map(tuple, note[::3, ::3].reshape(-1, 3).tolist()))) == 3


# What must not be loaded.


@pytest.mark.parametrize(
    ("module", "unloaded"),
    [
        ("companion.ports", ("numpy", "cv2", "PIL", "picamera2")),
        ("hardware.camera.discover", ("cv2", "picamera2")),
        ("hardware.photos.photo", ("cv2",)),
        ("hardware.network.whereabouts", ("zeroconf",)),
    ],
)
def test_heavy_libraries_wait_until_they_are_needed(
    module: str, unloaded: tuple[str, ...]
) -> None:
    code = f"import sys, {module}; print([m for m in {unloaded} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
