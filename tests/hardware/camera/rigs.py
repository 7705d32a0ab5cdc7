"""Every camera on the bench, each with a hand that unplugs it, for one contract."""

from __future__ import annotations

import queue
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from PIL import Image

from companion.ports import CameraHealth, CameraState
from hardware.camera.live import CameraDriver, LiveCamera
from hardware.camera.pi import PiDriver
from hardware.camera.settings import PI_BUFFERS, CameraSettings
from hardware.camera.simulated import FolderDriver, SimulatedDriver
from hardware.camera.webcam import WebcamDriver
from tests.fakes import FakeClock, FakeTimer
from tests.running import PATIENCE_S

SIZE = (64, 48)
FILM_FRAMES = 200
FRAME_EVERY_MS = 70
"""From frame to frame of the Pi's camera at full resolution."""


def picture(number: int) -> np.ndarray:
    """(48, 64, 3) BGR: blue 200, green 100, red the number."""
    pixels = np.empty((SIZE[1], SIZE[0], 3), np.uint8)
    pixels[:] = (200, 100, number)
    return pixels


@contextmanager
def opened(camera: LiveCamera) -> Iterator[LiveCamera]:
    """Open a camera for the length of a ``with`` block."""
    camera.open()
    try:
        yield camera
    finally:
        camera.close()


class SharedClock(FakeClock):
    """A clock that a device moves in its thread, while callers set timers in theirs."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.RLock()

    def call_later(self, delay_ms: int, act: Callable[[], None]) -> FakeTimer:
        with self._lock:
            return super().call_later(delay_ms, act)

    def advance_to_ns(self, until_ns: int) -> None:
        with self._lock:
            super().advance_to_ns(until_ns)


class Bench:
    """A live camera on a clock that stands still, and all that it has told."""

    def __init__(self, driver: CameraDriver, clock: FakeClock) -> None:
        self.clock = clock
        self.told: queue.Queue[CameraHealth] = queue.Queue()
        self.camera = LiveCamera(driver, clock, self.told.put)

    def wait_until(self, state: CameraState) -> CameraHealth:
        while True:
            health = self.told.get(timeout=PATIENCE_S)
            if health.state is state:
                return health


class Rig(Protocol):
    """A camera, and what a test does to it."""

    bench: Bench

    def unplug(self) -> None: ...

    def plug_in(self) -> None: ...

    def make_busy(self, is_busy: bool) -> None: ...


class SimulatedRig:
    def __init__(self, folder: Path) -> None:
        self.driver = SimulatedDriver([picture(n) for n in range(200)])
        self.bench = Bench(self.driver, SharedClock())

    def unplug(self) -> None:
        self.driver.is_unplugged = True

    def plug_in(self) -> None:
        self.driver.is_unplugged = False

    def make_busy(self, is_busy: bool) -> None:
        self.driver.is_busy = is_busy


class FolderRig:
    """A folder that is unplugged by taking it away, pictures and all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "frames"
        self.plug_in()
        self.bench = Bench(FolderDriver(self.folder), SharedClock())

    def unplug(self) -> None:
        shutil.rmtree(self.folder)

    def plug_in(self) -> None:
        self.folder.mkdir()
        for number in range(3):
            rgb = Image.fromarray(picture(number)[:, :, ::-1])
            rgb.save(self.folder / f"{number}.png")

    def make_busy(self, is_busy: bool) -> None:
        if is_busy:
            self.unplug()  # Nobody else can hold a folder: a missing one must do.
        else:
            self.plug_in()


class FakeRequest:
    def __init__(self, camera: FakePicamera2, pixels: np.ndarray) -> None:
        self.camera, self.pixels = camera, pixels

    def make_array(self, name: str) -> np.ndarray:
        assert name == "main"
        if self.camera.socket.spoils_next:
            self.camera.socket.spoils_next = False
            raise RuntimeError("failed to find buffer")
        self.camera.socket.handed.append(self.pixels.copy())
        return self.camera.socket.handed[-1]

    def get_metadata(self):
        return self.camera.lens.metadata()

    def release(self) -> None:
        self.camera.held -= 1
        self.pixels[:] = 0  # The camera writes its next frame there.


class FakeJob:
    def __init__(self, result: object) -> None:
        self.result = result

    def get_result(self) -> object:
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


AF_STATES = ("idle", "scanning", "focused", "failed")
"""libcamera's AfState by its number."""


class FakeLens:
    """A lens that searches for as long as its socket says, one frame at a time."""

    def __init__(self, socket: PiSocket) -> None:
        self.socket = socket
        self.state, self.left = "idle", 0

    def tell(self, trigger: int) -> None:
        """Take AfTrigger; one that searches already does not begin again."""
        if trigger == 1:
            self.state = "idle"
        elif self.state != "scanning":
            self.socket.focused += 1
            self.state, self.left = "scanning", self.socket.focus_frames

    def move(self) -> None:
        self.left -= 1
        if self.state == "scanning" and self.left <= 0:
            self.state = "focused" if self.socket.finds_focus else "failed"

    def metadata(self) -> dict[str, object]:
        return {"AfState": AF_STATES.index(self.state)}


SILENT_MS = 7_500
"""Longer than the driver waits for a frame, and less than whoever asks for one: else
both give up at the same moment, and either may be the first to say so."""


class FakePicamera2:
    """Picamera2's methods and manners, over a socket that tests pull."""

    def __init__(self, socket: PiSocket) -> None:
        if not socket.is_plugged_in:
            socket.leaked += 1  # As the library does with a pipe.
            raise RuntimeError(
                'No camera number 0 found - use "rpicam-hello --list-cameras" to check '
                "connected cameras"
            )
        if socket.is_busy:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.socket = socket
        self.lens = FakeLens(socket)
        self.camera_properties = {"PixelArraySize": (4608, 2592)}
        self.camera_controls = dict.fromkeys(socket.control_names)
        self.told: dict[str, object] = {}
        self.held = 0
        self.waiting: list[Callable[[FakeJob], None]] = []
        self.is_started = self.is_closed = False
        socket.is_busy = True

    def create_video_configuration(self, **options):
        return {"queue": True, **options}

    def configure(self, camera_config):
        assert not self.is_started
        self.configuration = camera_config

    def camera_configuration(self):
        main = {**self.configuration["main"], "stride": 1}
        return {**self.configuration, "main": {**main, **self.socket.changes}}

    def set_controls(self, controls):
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.told |= controls
        if "AfTrigger" in controls:
            assert self.told["AfMode"] == 1
            self.lens.tell(controls["AfTrigger"])

    def start(self):
        self.is_started = True

    def capture_request(self, *, signal_function):
        assert self.is_started
        self.waiting.append(signal_function)
        if self.socket.is_silent or not self.socket.is_plugged_in:
            self.socket.clock.advance(SILENT_MS)  # Nothing comes, for ever.
        else:
            self.deliver()
        return FakeJob(None)

    def deliver(self):
        if self.lens.state in ("scanning", "failed"):
            self.socket.clock.advance(FRAME_EVERY_MS)
            self.lens.move()
        assert self.held < PI_BUFFERS, "every buffer is held: the camera has stopped"
        self.held += 1
        padded = np.zeros((SIZE[1], SIZE[0] + 32, 3), np.uint8)
        padded[:, : SIZE[0]] = self.socket.picture(self.socket.shown)
        self.socket.shown += 1
        request = FakeRequest(self, padded[:, : SIZE[0]])
        self.waiting.pop(0)(FakeJob(request))

    def cancel_all_and_flush(self):
        self.waiting.clear()

    def stop(self):
        assert not self.waiting, "stop() waits for ever behind a job without a frame"
        self.is_started = False

    def close(self):
        assert not self.is_closed
        self.is_closed = True
        self.socket.is_busy = False


class PiSocket:
    """The ribbon cable's end: what is on it, and what it did.

    Called, it opens the camera, as the class ``Picamera2`` does.
    """

    def __init__(self, clock: FakeClock) -> None:
        self.clock = clock
        self.is_plugged_in, self.is_busy, self.is_silent = True, False, False
        self.finds_focus, self.focus_frames = True, 3
        self.spoils_next = False
        self.picture: Callable[[int], np.ndarray] = picture
        self.webcams: list[dict[str, object]] = []
        self.changes: dict[str, object] = {}
        self.shown = self.focused = self.leaked = 0
        self.made: list[FakePicamera2] = []
        self.handed: list[np.ndarray] = []
        self.control_names = [
            *("AfMode", "AfRange", "AfTrigger", "LensPosition", "ScalerCrop"),
            *("AeEnable", "ExposureTime", "AnalogueGain", "FrameDurationLimits"),
            *("AwbEnable", "ColourGains"),
        ]

    def global_camera_info(self) -> list[dict[str, object]]:
        on_cable = {"Id": "/base/soc/i2c0mux/i2c@1/imx708@1a", "Num": 0}
        return [on_cable, *self.webcams] if self.is_plugged_in else self.webcams

    def __call__(self) -> FakePicamera2:
        self.made.append(FakePicamera2(self))
        return self.made[-1]


class PiRig:
    def __init__(self, folder: Path) -> None:
        clock = SharedClock()
        self.socket = PiSocket(clock)
        settings = CameraSettings(camera_width_px=SIZE[0], camera_height_px=SIZE[1])
        driver = PiDriver(settings, clock, self.socket)
        self.bench = Bench(driver, clock)

    def unplug(self) -> None:
        self.socket.is_plugged_in = False

    def plug_in(self) -> None:
        self.socket.is_plugged_in = True

    def make_busy(self, is_busy: bool) -> None:
        self.socket.is_busy = is_busy


class FakeCapture:
    """``cv2.VideoCapture`` over a V4L2 file that tests take away."""

    def __init__(self, socket: WebcamRig) -> None:
        self.socket = socket
        self.is_held = socket.device.exists() and not socket.is_busy
        self.props: dict[int, float] = {}
        self.queued = 0

    def isOpened(self):  # noqa: N802
        return self.is_held

    def set(self, prop, value, /):
        self.props[prop] = value
        return True

    def grab(self):
        assert self.is_held
        if not self.socket.device.exists():
            return False
        if self.queued:
            self.queued -= 1  # Lay there: at once.
        else:
            self.socket.bench.clock.advance(33)
        self.socket.shown += 1
        return True

    def retrieve(self):
        return self.socket.retrieves, self.socket.picture(self.socket.shown)

    def release(self):
        self.is_held = False


class WebcamRig:
    def __init__(self, folder: Path) -> None:
        self.device = folder / "video0"
        self.is_busy, self.retrieves, self.shown = False, True, 0
        self.picture: Callable[[int], np.ndarray | None] = picture
        self.made: list[FakeCapture] = []
        self.plug_in()
        clock = SharedClock()
        driver = WebcamDriver(str(self.device), SIZE, clock, self.make)
        self.bench = Bench(driver, clock)

    def make(self, device: str) -> FakeCapture:
        assert device == str(self.device)
        self.made.append(FakeCapture(self))
        return self.made[-1]

    def unplug(self) -> None:
        self.device.unlink()

    def plug_in(self) -> None:
        self.device.touch()

    def make_busy(self, is_busy: bool) -> None:
        self.is_busy = is_busy


class VideoRig:
    """The real ``cv2.VideoCapture``, over a film."""

    def __init__(self, folder: Path) -> None:
        self.film = folder / "film.avi"
        self.plug_in()
        clock = SharedClock()
        driver = WebcamDriver(str(self.film), SIZE, clock, cv2.VideoCapture)
        self.bench = Bench(driver, clock)

    def unplug(self) -> None:
        self.film.write_bytes(b"")  # An open film ends only for who opens it anew.
        driver = self.bench.camera._driver
        assert isinstance(driver, WebcamDriver)
        if driver._capture is not None:
            driver._capture.set(cv2.CAP_PROP_POS_FRAMES, FILM_FRAMES - 1)
            driver._capture.grab()
        self.film.unlink()

    def plug_in(self) -> None:
        code = cv2.VideoWriter.fourcc(*"MJPG")
        writer = cv2.VideoWriter(str(self.film), code, 25, SIZE)
        for number in range(FILM_FRAMES):
            writer.write(picture(number))
        writer.release()

    def make_busy(self, is_busy: bool) -> None:
        if is_busy:
            self.film.write_bytes(b"no film")
        else:
            self.plug_in()


RIGS = {
    "simulated": SimulatedRig,
    "folder": FolderRig,
    "pi": PiRig,
    "webcam": WebcamRig,
    "video": VideoRig,
}
