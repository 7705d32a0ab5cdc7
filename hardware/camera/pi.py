"""The camera of the Pi, through picamera2.

This was written from the library's source, and has not run on a real camera yet.
A *control* is a setting of libcamera's, a *request* a frame of its own.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from companion.errors import DeviceFault
from companion.ports import Clock
from hardware.camera.settings import PI_BUFFERS, CameraSettings

log = logging.getLogger(__name__)

NAME = "camera of the Pi"
"""The name of the device, for people."""
BGR = "RGB888"
"""libcamera's name for the channel order blue, green, red in memory."""
FRAME_MS = 2500
"""Time limit for a frame; most take 70 ms, the first one up to 1 s."""
STARTING_FRAMES = 10
"""Frames after a start that libcamera may hold back while colours settle."""

# Values of libcamera's controls. Source: libcamera, control_ids_core.yaml.
AF_MANUAL, AF_AUTO = 0, 1  # AfMode
AF_RANGE_MACRO = 1  # AfRange
AF_START, AF_CANCEL = 0, 1  # AfTrigger
AF_FOCUSED, AF_FAILED = 2, 3  # AfState

# The search for the focus.
FOCUS_MS = 6000
"""Time limit for a search; over a bare table it could take 25 s."""
FOCUS_HOLD_MS = 2000
"""How long a search holds frames back; over a print it ends sooner."""
GRAB_MS = 2 * FOCUS_HOLD_MS
"""How long searches together hold a frame back, however often the view changes."""


class PiRequest(Protocol):
    """A frame in the camera's memory (``picamera2.CompletedRequest``)."""

    def make_array(self, name: str) -> NDArray[np.uint8]: ...  # noqa: D102
    def get_metadata(self) -> Mapping[str, object]: ...  # noqa: D102
    def release(self) -> None: ...  # noqa: D102


class PiJob(Protocol):
    """A job that the camera does in its own thread (``picamera2.job.Job``)."""

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
    """The ``CameraDriver`` of a camera on the Pi's ribbon cable.

    The sensor runs at its full resolution, and the camera's hardware crops the middle:
    the lines of a print need every pixel, and a frame of the whole sensor would take
    five times as much memory.

    Args:
        settings: The settings of the camera.
        clock: Limits the wait for a frame.
        library: Lists and opens cameras; ``None`` for the real picamera2.
    """

    name = NAME

    def __init__(
        self, settings: CameraSettings, clock: Clock, library: PiLibrary | None = None
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._library = library
        self._camera: PiCamera | None = None
        self._focus: Focus | None = None
        exposure_ms = settings.camera_exposure_us // 1000
        self._frame_ms = FRAME_MS + STARTING_FRAMES * exposure_ms
        self._is_stuck = False

    def open(self) -> None:
        """Start the camera, and begin to focus."""
        self._is_stuck = False
        try:
            camera = self._camera = _first_camera(self._library or _picamera2())
            self._configure(camera)
            camera.start()
            is_fixed = (
                self._settings.camera_focus_mm or "AfMode" not in camera.camera_controls
            )
            self._focus = None if is_fixed else Focus(camera, self._clock)
        except Exception as error:  # libcamera's errors share no parent.
            self.close()
            raise _fault(error) from error

    def grab(self) -> NDArray[np.uint8]:
        """Wait for the next frame, sharp if possible."""
        end_ns = self._clock.monotonic_ns() + GRAB_MS * 1_000_000
        while True:
            pixels, is_blurred = self._next()
            if not is_blurred or self._clock.monotonic_ns() > end_ns:
                return pixels

    def _next(self) -> tuple[NDArray[np.uint8], bool]:
        """Take the next frame, and tell whether a sharper one will follow soon."""
        camera, focus = self._camera, self._focus
        if camera is None:
            raise DeviceFault(f"{NAME} is closed", "open it first")
        try:
            request = self._request(camera)
            try:
                pixels = request.make_array("main")  # A copy.
                is_blurred = focus is not None and focus.follow(
                    request.get_metadata(), pixels
                )
            finally:
                request.release()  # Unreleased requests stop the camera.
        except DeviceFault:
            raise
        except Exception as error:  # libcamera's errors share no parent.
            raise DeviceFault(
                f"{NAME} sent a frame with an error ({error!r})",
                "it is opened again by itself",
            ) from error
        return pixels, is_blurred

    def close(self) -> None:
        """Stop and close the camera."""
        camera, self._camera, self._focus = self._camera, None, None
        if camera is None:
            return
        # stop() would wait for ever for a job that waits for a frame. Older releases of
        # picamera2 cannot cancel the job; there, only close() is safe.
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
        settings = self._settings
        raw: dict[str, object] | None = None
        sensor = camera.camera_properties.get("PixelArraySize")
        if not settings.camera_is_whole_field and sensor is not None:
            raw = {"size": sensor}  # Every pixel, not the binned mode.
        configuration = camera.create_video_configuration(
            main={"size": settings.size_px, "format": BGR},
            raw=raw,
            buffer_count=PI_BUFFERS,
            queue=False,  # Always the next frame, never one from a queue.
        )
        camera.configure(configuration)
        actual = camera.camera_configuration()["main"]["format"]
        if actual != BGR:
            raise DeviceFault(f"expected frames in {BGR} from the {NAME}, got {actual}")
        chosen = controls(settings, cast("tuple[int, int] | None", sensor))
        known = {
            name: value
            for name, value in chosen.items()
            if name in camera.camera_controls
        }
        if len(known) < len(chosen):
            # Setting an unknown control is an error; a fixed lens has no focus.
            log.info(
                "pi_camera_has_no names=%s",
                ",".join(sorted(chosen.keys() - known.keys())),
            )
        camera.set_controls(known)

    def _request(self, camera: PiCamera) -> PiRequest:
        """Wait for the next frame, with a limit: a stopped stream never answers."""
        waiting = threading.Lock()
        ended = threading.Event()
        done: list[PiJob] = []  # The job, once it is done.
        is_given_up = False

        def when_done(job: PiJob) -> None:
            with waiting:
                is_late = is_given_up
                done.append(job)
                ended.set()
            if is_late:
                _release_late(job)

        timer = self._clock.call_later(self._frame_ms, ended.set)
        camera.capture_request(signal_function=when_done)
        ended.wait()
        timer.cancel()
        with waiting:
            is_given_up = not done
        if is_given_up:
            self._is_stuck = True
            # Frames with an error do not count: the library skips them.
            raise DeviceFault(
                f"{NAME} sent no good frame within {self._frame_ms} ms",
                "it is opened again by itself, and if that does not help, check its "
                "ribbon cable",
            )
        return cast(PiRequest, done[0].get_result())


class Focus:
    """The lens's search for the focus, while frames keep coming.

    Once found, the focus stays. After a failed search the next one begins only when the
    view has changed, for example by a note on a bare table.
    ``Picamera2.autofocus_cycle`` would hold up every frame until it ends.

    Args:
        camera: A running camera with autofocus; the search begins at once.
        clock: Limits the search.
    """

    def __init__(self, camera: PiCamera, clock: Clock) -> None:
        self._camera = camera
        self._clock = clock
        self._is_found = self._is_searching = False
        self._began_ns = 0
        # The view when the search began; None until a frame comes.
        self._view: NDArray[np.float64] | None = None
        self._begin()

    def follow(self, metadata: Mapping[str, object], pixels: NDArray[np.uint8]) -> bool:
        """Follow the search with a frame; tell whether a later frame will be sharper.

        Args:
            metadata: The camera's metadata of the frame.
            pixels: (height, width, 3) uint8.
        """
        self._is_found = self._is_found or metadata.get("AfState") == AF_FOCUSED
        if self._is_found:
            return False
        took_ms = (self._clock.monotonic_ns() - self._began_ns) // 1_000_000
        if not self._is_searching:
            view = _view_in(pixels)
            is_new = self._view is None or _differ(view, self._view)
            if is_new:
                self._view = view
                self._begin()
            return is_new
        has_failed = metadata.get("AfState") == AF_FAILED
        # A failed search ends at FOCUS_HOLD_MS, any other at FOCUS_MS.
        if took_ms < (FOCUS_HOLD_MS if has_failed else FOCUS_MS):
            self._view = _view_in(pixels) if self._view is None else self._view
            return took_ms < FOCUS_HOLD_MS
        log.warning("pi_camera_found_no_focus took_ms=%d", took_ms)
        self._camera.set_controls({"AfTrigger": AF_CANCEL})
        self._is_searching = False
        return True  # The next frame shows whether the view has changed.

    def _begin(self) -> None:
        self._camera.set_controls({"AfMode": AF_AUTO, "AfTrigger": AF_START})
        self._is_searching = True
        self._began_ns = self._clock.monotonic_ns()


PATCHES = 16
"""A view is compared as so many rows of so many patches."""
PATCH_CHANGED = 25
"""A patch shows something else if its mean green level, 0 to 255, differs by more."""


def _view_in(pixels: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Compute the mean green level of each of (PATCHES, PATCHES) parts of a frame."""
    height, width = (side // PATCHES for side in pixels.shape[:2])  # Of a patch.
    green = pixels[: height * PATCHES, : width * PATCHES, 1]
    patches = green.reshape(PATCHES, height, PATCHES, width)
    return np.asarray(patches.mean(axis=(1, 3)), np.float64)


def _differ(view: NDArray[np.float64], earlier: NDArray[np.float64]) -> bool:
    return bool((np.abs(view - earlier) > PATCH_CHANGED).any())


def _first_camera(library: PiLibrary) -> PiCamera:
    # The library lists webcams, too, which have a driver of their own. Each attempt to
    # open a missing camera would leave a pipe open.
    if all("/usb" in str(camera["Id"]) for camera in library.global_camera_info()):
        raise DeviceFault(
            "no camera of the Pi: looked for one on the ribbon cable, got none",
            "switch the Pi off, check both ends of the cable, and see `rpicam-hello "
            "--list`",
        )
    return library()


FRAME_MIN_US = 33_333
"""Shortest time between frames; at full resolution the sensor takes longer."""


def controls(
    settings: CameraSettings, sensor: tuple[int, int] | None
) -> dict[str, object]:
    """Compute the controls to set on the camera, by libcamera's names.

    *sensor* is the sensor's width and height; ``None`` sets no crop.

    Source:
        libcamera, control_ids_core.yaml: LensPosition is in dioptres, 1 / metres;
        ScalerCrop is x, y, width, height in sensor pixels; FrameDurationLimits are
        the shortest and the longest time from frame to frame, in microseconds.
    """
    values: dict[str, object] = {}
    if not settings.camera_is_whole_field and sensor is not None:
        width, height = map(min, settings.size_px, sensor)
        left, top = (sensor[0] - width) // 2, (sensor[1] - height) // 2
        values["ScalerCrop"] = (left, top, width, height)
    if settings.camera_focus_mm:
        values |= {"AfMode": AF_MANUAL, "LensPosition": 1000 / settings.camera_focus_mm}
    else:
        values |= {"AfMode": AF_AUTO, "AfRange": AF_RANGE_MACRO}
    if settings.camera_exposure_us:
        values |= {
            "AeEnable": False,
            "ExposureTime": settings.camera_exposure_us,
            "AnalogueGain": settings.camera_gain_percent / 100,
            # Exposures longer than their frame would be cut short silently.
            "FrameDurationLimits": (
                FRAME_MIN_US,
                FRAME_MIN_US + settings.camera_exposure_us,
            ),
        }
    return values


def _release_late(job: PiJob) -> None:
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
    problem = str(error) or type(error).__name__
    signs_of_use = ("busy", "acquire", "__init__")  # By another program.
    if any(sign in problem.lower() for sign in signs_of_use):
        return DeviceFault(f"{NAME} is busy ({problem})", "stop whatever else uses it")
    return DeviceFault(
        f"{NAME} could not be started ({problem})", "it is tried again by itself"
    )
