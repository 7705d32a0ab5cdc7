"""The camera of the Pi, through picamera2; the only file that imports picamera2.

This was written from the library's source and has not run on a real camera yet.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from companion.errors import DeviceFault
from companion.ports import Clock
from hardware.camera.settings import PI_BUFFERS

log = logging.getLogger(__name__)

NAME = "camera of the Pi"
BGR = "RGB888"
"""libcamera's name for the channel order blue, green, red in memory."""
FRAME_MS = 2500
"""Time limit for a frame: one takes 70 ms at full resolution, the first up to 1 s."""
STARTING_FRAMES = 10
"""Frames after a start that libcamera may keep to itself, while colours settle."""
FRAME_MIN_US = 33_333
"""Shortest time from frame to frame; at full resolution the sensor takes longer."""
FOCUS_MS = 6000
"""How long the lens may search; over a bare table it can go on for 25 s."""
FOCUS_HOLD_MS = 2000
"""How long frames are held back meanwhile: over a print, the search takes less."""
GRAB_MS = 2 * FOCUS_HOLD_MS
"""How long they are held back at most, however often the view changes meanwhile."""
PATCHES = 16
"""Parts of a frame's height and width whose brightness tells one view from another."""
PATCH_CHANGED = 25
"""A part whose mean green level, 0 to 255, differs by more shows something else."""
AF_MANUAL, AF_AUTO, AF_RANGE_MACRO = 0, 1, 1
AF_START, AF_CANCEL, AF_FOCUSED, AF_FAILED = 0, 1, 2, 3
"""Source: libcamera, control_ids_core.yaml: AfMode, AfRange, AfTrigger, AfState."""


@dataclass(frozen=True, slots=True)
class PiCameraSettings:
    """Settings that the Pi's camera is given once, when it is opened."""

    size_px: tuple[int, int] = (2304, 1296)
    """Width and height of a frame; the width a multiple of 32."""
    is_whole_field: bool = False
    """False: the middle of the sensor, one sensor pixel for each frame pixel.
    True: the whole field, scaled down to ``size_px``."""
    focus_mm: int = 0
    """Distance from lens to table in mm; 0 finds the focus once it is opened."""
    exposure_us: int = 0
    """Exposure in microseconds; 0 leaves it to the camera."""
    gain: float = 1.0
    """Analogue gain, used with a fixed exposure."""
    colour_gains: tuple[float, float] | None = None
    """Gains of red and blue; None leaves the white balance to the camera."""


class PiRequest(Protocol):
    """A frame in the camera's memory (``picamera2.CompletedRequest``)."""

    def make_array(self, name: str) -> NDArray[np.uint8]: ...  # noqa: D102
    def get_metadata(self) -> Mapping[str, object]: ...  # noqa: D102
    def release(self) -> None: ...  # noqa: D102


class PiJob(Protocol):
    """Something the camera does in its own thread (``picamera2.job.Job``)."""

    def get_result(self) -> object: ...  # noqa: D102


WhenDone = Callable[[PiJob], None]


class PiCamera(Protocol):
    """The part of ``picamera2.Picamera2`` that is used here."""

    camera_controls: Mapping[str, object]
    camera_properties: Mapping[str, object]

    def create_video_configuration(  # noqa: D102
        self,
        main: dict[str, object],
        raw: dict[str, object] | None,
        buffer_count: int,
        queue: bool,
    ) -> dict[str, object]: ...
    def configure(self, camera_config: dict[str, object]) -> None: ...  # noqa: D102
    def camera_configuration(self) -> dict[str, dict[str, object]]: ...  # noqa: D102
    def set_controls(self, controls: dict[str, object]) -> None: ...  # noqa: D102
    def start(self) -> None: ...  # noqa: D102
    def capture_request(self, *, signal_function: WhenDone) -> PiJob: ...  # noqa: D102
    def cancel_all_and_flush(self) -> None: ...  # noqa: D102
    def stop(self) -> None: ...  # noqa: D102
    def close(self) -> None: ...  # noqa: D102


class PiLibrary(Protocol):
    """The class ``picamera2.Picamera2`` itself, which opens a camera when called."""

    def global_camera_info(self) -> Sequence[Mapping[str, object]]: ...  # noqa: D102
    def __call__(self) -> PiCamera: ...  # noqa: D102


class PiDriver:
    """A camera on the Pi's ribbon cable, in its own stream configuration.

    The sensor runs at its full resolution and the camera's own hardware crops the
    middle: the lines of a print need every pixel that the lens resolves, and a frame
    of the whole sensor would take five times as much memory.

    Args:
        settings: How the camera is set up.
        clock: Limits the wait for a camera that sends nothing.
        library: Lists and opens cameras; None for the real picamera2.
    """

    name = NAME

    def __init__(
        self, settings: PiCameraSettings, clock: Clock, library: PiLibrary | None = None
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._library = library
        self._camera: PiCamera | None = None
        self._focus: Focus | None = None
        exposure_ms = settings.exposure_us // 1000
        self._frame_ms = FRAME_MS + STARTING_FRAMES * exposure_ms
        self._is_stuck = False

    def open(self) -> None:
        """Configure, start and begin to focus (``CameraDriver.open``)."""
        self._is_stuck = False
        try:
            camera = self._camera = _first_camera(self._library or _picamera2())
            self._configure(camera)
            camera.start()
            is_fixed = self._settings.focus_mm or "AfMode" not in camera.camera_controls
            self._focus = None if is_fixed else Focus(camera, self._clock)
        except Exception as error:  # libcamera's errors share no parent.
            self.close()
            raise _fault(error) from error

    def grab(self) -> NDArray[np.uint8]:
        """Wait for the next frame, sharp if possible (``CameraDriver.grab``)."""
        end_ns = self._clock.monotonic_ns() + GRAB_MS * 1_000_000
        while True:
            pixels, is_blurred = self._next()
            if not is_blurred or self._clock.monotonic_ns() > end_ns:
                return pixels

    def _next(self) -> tuple[NDArray[np.uint8], bool]:
        """The next frame, and whether one that follows soon will be sharper."""
        camera, focus = self._camera, self._focus
        if camera is None:
            raise DeviceFault(f"{NAME} is closed", "open it first")
        try:
            request = self._request(camera)
            try:
                pixels = request.make_array("main")  # A copy, and nobody else's.
                is_blurred = focus is not None and focus.follow(
                    request.get_metadata(), pixels
                )
            finally:
                request.release()  # A request that is kept stops the camera.
        except DeviceFault:
            raise
        except Exception as error:  # libcamera's errors share no parent.
            raise DeviceFault(
                f"{NAME} sent a frame with an error ({error!r})",
                "it is opened again by itself",
            ) from error
        return pixels, is_blurred

    def close(self) -> None:
        """Stop and let go (``CameraDriver.close``)."""
        camera, self._camera, self._focus = self._camera, None, None
        if camera is None:
            return
        # A job that still waits for a frame would keep stop() waiting for ever. Older
        # releases of picamera2 cannot cancel it; there, only close() is safe.
        can_cancel = hasattr(camera, "cancel_all_and_flush")
        steps = [camera.stop, camera.close]
        if self._is_stuck:
            steps = [camera.cancel_all_and_flush, *steps] if can_cancel else steps[1:]
        for step in steps:
            try:
                step()
            except Exception as error:  # The next steps must still run.
                log.warning("pi_camera_not_let_go error=%r", error)

    def _configure(self, camera: PiCamera) -> None:
        chosen = self._settings
        raw: dict[str, object] | None = None
        whole = camera.camera_properties.get("PixelArraySize")
        if not chosen.is_whole_field and whole is not None:
            raw = {"size": whole}  # Every pixel, not the binned mode.
        configuration = camera.create_video_configuration(
            main={"size": chosen.size_px, "format": BGR},
            raw=raw,
            buffer_count=PI_BUFFERS,
            queue=False,  # The next frame, never one that waited.
        )
        camera.configure(configuration)
        got = camera.camera_configuration()["main"]["format"]
        if got != BGR:
            raise DeviceFault(f"expected frames in {BGR} from the {NAME}, got {got}")
        wanted = controls(chosen, cast("tuple[int, int] | None", whole))
        known = {k: v for k, v in wanted.items() if k in camera.camera_controls}
        if len(known) < len(wanted):
            # Setting an unknown control is an error; a fixed lens, say, has no focus.
            log.info(
                "pi_camera_has_no names=%s", ",".join(sorted(wanted - known.keys()))
            )
        camera.set_controls(known)

    def _request(self, camera: PiCamera) -> PiRequest:
        """Wait for the next frame with a limit; a stopped stream never answers."""
        waiting = threading.Lock()
        ended = threading.Event()
        done: list[PiJob] = []
        is_given_up = False

        def when_done(job: PiJob) -> None:
            with waiting:
                is_late = is_given_up
                done.append(job)
                ended.set()
            if is_late:
                _let_go(job)

        timer = self._clock.call_later(self._frame_ms, ended.set)
        camera.capture_request(signal_function=when_done)
        ended.wait()
        timer.cancel()
        with waiting:
            is_given_up = not done
        if is_given_up:
            self._is_stuck = True
            # Frames with an error count as none: the library passes over them.
            raise DeviceFault(
                f"{NAME} sent no good frame within {self._frame_ms} ms",
                "it is opened again by itself, and if that does not help, check its "
                "ribbon cable",
            )
        return cast(PiRequest, done[0].get_result())


class Focus:
    """The lens's search for its focus; frames keep coming meanwhile.

    Once found, the focus stays. A search in vain is left alone, and begins again when
    the camera sees something else than it did, such as a note on a bare table.
    ``Picamera2.autofocus_cycle`` would hold up every frame until the search ends.

    Args:
        camera: A camera with autofocus that is started; the search begins at once.
        clock: Limits the search.
    """

    def __init__(self, camera: PiCamera, clock: Clock) -> None:
        self._camera = camera
        self._clock = clock
        self._is_found = self._is_searching = False
        self._began_ns = 0
        # What lay there when the search began; None until a frame comes.
        self._over: NDArray[np.float64] | None = None
        self._begin()

    def follow(self, metadata: Mapping[str, object], pixels: NDArray[np.uint8]) -> bool:
        """Judge the search by a frame; whether a frame that follows will be sharper.

        Args:
            metadata: What the camera says of the frame.
            pixels: (height, width, 3) uint8.
        """
        self._is_found = self._is_found or metadata.get("AfState") == AF_FOCUSED
        if self._is_found:
            return False
        took_ms = (self._clock.monotonic_ns() - self._began_ns) // 1_000_000
        if not self._is_searching:
            seen = _patches(pixels)
            is_new = self._over is None or _differ(seen, self._over)
            if is_new:
                self._over = seen
                self._begin()
            return is_new
        has_failed = metadata.get("AfState") == AF_FAILED
        if took_ms < (FOCUS_HOLD_MS if has_failed else FOCUS_MS):
            self._over = _patches(pixels) if self._over is None else self._over
            return took_ms < FOCUS_HOLD_MS
        log.warning("pi_camera_found_no_focus took_ms=%d", took_ms)
        self._camera.set_controls({"AfTrigger": AF_CANCEL})
        self._is_searching = False
        return True  # The next frame tells whether to begin again.

    def _begin(self) -> None:
        self._camera.set_controls({"AfMode": AF_AUTO, "AfTrigger": AF_START})
        self._is_searching = True
        self._began_ns = self._clock.monotonic_ns()


def _patches(pixels: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The mean green level of each of ``PATCHES`` by ``PATCHES`` parts of a frame."""
    height, width = (side // PATCHES for side in pixels.shape[:2])
    green = pixels[: height * PATCHES, : width * PATCHES, 1]
    parts = green.reshape(PATCHES, height, PATCHES, width)
    return np.asarray(parts.mean(axis=(1, 3)), np.float64)


def _differ(a: NDArray[np.float64], b: NDArray[np.float64]) -> bool:
    return bool((np.abs(a - b) > PATCH_CHANGED).any())


def _first_camera(library: PiLibrary) -> PiCamera:
    # Opening one that is not there would leave a pipe open each time. Webcams, which
    # the library lists too, have a driver of their own.
    if all("/usb" in str(camera["Id"]) for camera in library.global_camera_info()):
        raise DeviceFault(
            "no camera of the Pi: looked for one on the ribbon cable, got none",
            "switch the Pi off, check both ends of the cable, and see `rpicam-hello "
            "--list`",
        )
    return library()


def controls(
    chosen: PiCameraSettings, whole: tuple[int, int] | None
) -> dict[str, object]:
    """The controls to set on the camera, by libcamera's names.

    Args:
        chosen: The settings.
        whole: Width and height of the sensor; None sets no crop.

    Source:
        libcamera, control_ids_core.yaml: LensPosition is in dioptres, 1 / metres;
        ScalerCrop is x, y, width, height in sensor pixels; FrameDurationLimits are
        the shortest and the longest time from frame to frame, in microseconds.
    """
    values: dict[str, object] = {}
    if not chosen.is_whole_field and whole is not None:
        width, height = (
            min(side, w) for side, w in zip(chosen.size_px, whole, strict=True)
        )
        values["ScalerCrop"] = (
            (whole[0] - width) // 2,
            (whole[1] - height) // 2,
            width,
            height,
        )
    if chosen.focus_mm:
        values |= {"AfMode": AF_MANUAL, "LensPosition": 1000 / chosen.focus_mm}
    else:
        values |= {"AfMode": AF_AUTO, "AfRange": AF_RANGE_MACRO}
    if chosen.exposure_us:
        values |= {
            "AeEnable": False,
            "ExposureTime": chosen.exposure_us,
            "AnalogueGain": chosen.gain,
            # An exposure that is longer than its frame is cut short without a word.
            "FrameDurationLimits": (FRAME_MIN_US, FRAME_MIN_US + chosen.exposure_us),
        }
    if chosen.colour_gains is not None:
        values |= {"AwbEnable": False, "ColourGains": chosen.colour_gains}
    return values


def _let_go(job: PiJob) -> None:
    """Release a frame that came too late."""
    try:
        cast(PiRequest, job.get_result()).release()
    except Exception as error:  # Cancelled, or the camera is gone already.
        log.info("pi_camera_late_frame error=%r", error)


def _picamera2() -> PiLibrary:
    try:
        # Imported here: it exists on a Pi only, and takes a second.
        from picamera2 import Picamera2
    except ImportError as error:
        raise DeviceFault(
            "no camera of the Pi: picamera2 is not installed",
            "apt install python3-picamera2, in a venv with system site packages",
        ) from error
    return cast(PiLibrary, Picamera2)


def _fault(error: Exception) -> DeviceFault:
    if isinstance(error, DeviceFault):
        return DeviceFault(error.message, error.remedy)
    said = str(error) or type(error).__name__
    if "busy" in said.lower() or "acquire" in said.lower() or "__init__" in said:
        return DeviceFault(f"{NAME} is busy ({said})", "stop whatever else uses it")
    return DeviceFault(
        f"{NAME} could not be started ({said})", "it is tried again by itself"
    )
