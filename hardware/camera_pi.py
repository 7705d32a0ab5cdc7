"""The camera of the Pi, through picamera2; the only file that imports picamera2.

This was written from the library's source and has not run on a real camera yet.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from companion.errors import DeviceFault
from companion.ports import Clock

log = logging.getLogger(__name__)

NAME = "camera of the Pi"
BGR = "RGB888"
"""libcamera's name for the channel order blue, green, red in memory."""
BUFFERS = 3
FRAME_MS = 2500
"""Time limit for a frame: one takes 70 ms at full resolution, the first up to 1 s."""
FOCUS_MS = 6000
AF_MANUAL, AF_AUTO, AF_RANGE_MACRO = 0, 1, 1
"""Source: libcamera, control_ids_core.yaml: AfMode, AfRange."""


@dataclass(frozen=True, slots=True)
class PiCameraSettings:
    """Settings that the Pi's camera is given once, when it is opened."""

    size_px: tuple[int, int] = (2304, 1296)
    """Width and height of a frame; the width a multiple of 32."""
    is_whole_field: bool = False
    """False: the middle of the sensor, one sensor pixel for each frame pixel.
    True: the whole field, scaled down to ``size_px``."""
    focus_mm: int = 0
    """Distance from lens to table in mm; 0 finds the focus once, at opening."""
    exposure_us: int = 0
    """Exposure in microseconds; 0 leaves it to the camera."""
    gain: float = 1.0
    """Analogue gain, used with a fixed exposure."""
    colour_gains: tuple[float, float] | None = None
    """Gains of red and blue; None leaves the white balance to the camera."""


class PiRequest(Protocol):
    """A frame in the camera's memory (``picamera2.CompletedRequest``)."""

    def make_array(self, name: str) -> NDArray[np.uint8]: ...  # noqa: D102
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
    def autofocus_cycle(self, *, signal_function: WhenDone) -> PiJob: ...  # noqa: D102
    def cancel_all_and_flush(self) -> None: ...  # noqa: D102
    def stop(self) -> None: ...  # noqa: D102
    def close(self) -> None: ...  # noqa: D102


class PiDriver:
    """A camera on the Pi's ribbon cable, in its own stream configuration.

    The sensor runs at its full resolution and the camera's own hardware crops the
    middle: the lines of a print need every pixel that the lens resolves, and a frame
    of the whole sensor would take five times as much memory.

    Args:
        settings: How the camera is set up.
        clock: Limits the wait for a camera that sends nothing.
        make: Makes picamera2's camera object; None for the real one.
    """

    name = NAME

    def __init__(
        self,
        settings: PiCameraSettings,
        clock: Clock,
        make: Callable[[], PiCamera] | None = None,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._make = make or _picamera2
        self._camera: PiCamera | None = None
        self._is_stuck = False

    def open(self) -> None:
        """Configure, start and focus (``CameraDriver.open``)."""
        self._is_stuck = False
        try:
            camera = self._camera = self._make()
            self._configure(camera)
            camera.start()
            self._focus(camera)
        except Exception as error:  # libcamera's errors share no parent.
            self.close()
            raise DeviceFault(_explain(error)) from error

    def grab(self) -> NDArray[np.uint8]:
        """Wait for the next frame and copy it out (``CameraDriver.grab``)."""
        camera = self._camera
        if camera is None:
            raise DeviceFault(f"{NAME} is closed; open it first")
        request = cast(
            PiRequest, self._wait_for(camera.capture_request, FRAME_MS, _let_go)
        )
        try:
            return request.make_array("main").copy()
        finally:
            request.release()  # A request that is kept stops the camera.

    def close(self) -> None:
        """Stop and let go (``CameraDriver.close``)."""
        camera, self._camera = self._camera, None
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
            buffer_count=BUFFERS,
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

    def _focus(self, camera: PiCamera) -> None:
        """Find the focus once; the lens then stays where it is."""
        if self._settings.focus_mm or "AfMode" not in camera.camera_controls:
            return
        if not self._wait_for(camera.autofocus_cycle, FOCUS_MS):
            log.warning("pi_camera_found_no_focus")

    def _wait_for(
        self,
        begin: Callable[..., PiJob],
        timeout_ms: int,
        too_late: Callable[[PiJob], None] | None = None,
    ) -> object:
        """Begin a job and wait for it with a limit; a stopped stream never answers.

        Args:
            begin: Begins the job; takes ``signal_function``.
            timeout_ms: How long to wait, in milliseconds.
            too_late: Called with the job if it ends after the limit.
        """
        waiting = threading.Lock()
        ended = threading.Event()
        done: list[PiJob] = []
        is_given_up = False

        def when_done(job: PiJob) -> None:
            with waiting:
                is_late = is_given_up
                done.append(job)
                ended.set()
            if is_late and too_late is not None:
                too_late(job)

        timer = self._clock.call_later(timeout_ms, ended.set)
        begin(signal_function=when_done)
        ended.wait()
        timer.cancel()
        with waiting:
            is_given_up = not done
        if is_given_up:
            self._is_stuck = True
            raise DeviceFault(
                f"{NAME} sent nothing within {timeout_ms} ms; check its ribbon cable"
            )
        return done[0].get_result()


def controls(
    chosen: PiCameraSettings, whole: tuple[int, int] | None
) -> dict[str, object]:
    """The controls to set on the camera, by libcamera's names.

    Args:
        chosen: The settings.
        whole: Width and height of the sensor; None sets no crop.

    Source:
        libcamera, control_ids_core.yaml: LensPosition is in dioptres, 1 / metres;
        ScalerCrop is x, y, width, height in sensor pixels.
    """
    told: dict[str, object] = {}
    if not chosen.is_whole_field and whole is not None:
        width, height = (
            min(side, w) for side, w in zip(chosen.size_px, whole, strict=True)
        )
        told["ScalerCrop"] = (
            (whole[0] - width) // 2,
            (whole[1] - height) // 2,
            width,
            height,
        )
    if chosen.focus_mm:
        told |= {"AfMode": AF_MANUAL, "LensPosition": 1000 / chosen.focus_mm}
    else:
        told |= {"AfMode": AF_AUTO, "AfRange": AF_RANGE_MACRO}
    if chosen.exposure_us:
        told |= {
            "AeEnable": False,
            "ExposureTime": chosen.exposure_us,
            "AnalogueGain": chosen.gain,
        }
    if chosen.colour_gains is not None:
        told |= {"AwbEnable": False, "ColourGains": chosen.colour_gains}
    return told


def _let_go(job: PiJob) -> None:
    """Release a frame that came too late."""
    try:
        cast(PiRequest, job.get_result()).release()
    except Exception as error:  # Cancelled, or the camera is gone already.
        log.info("pi_camera_late_frame error=%r", error)


def _picamera2() -> PiCamera:
    try:
        # Imported here: it exists on a Pi only, and takes a second.
        from picamera2 import Picamera2
    except ImportError as error:
        raise DeviceFault(
            "no camera of the Pi: picamera2 is not installed; apt install "
            "python3-picamera2, in a venv with system site packages"
        ) from error
    made: PiCamera = Picamera2()
    return made


def _explain(error: Exception) -> str:
    if isinstance(error, DeviceFault):
        return str(error)
    if isinstance(error, IndexError):
        return (
            "no camera of the Pi: looked for one on the ribbon cable, got none; switch "
            "the Pi off, check both ends of the cable, and see `rpicam-hello --list`"
        )
    said = str(error) or type(error).__name__
    if "busy" in said.lower() or "acquire" in said.lower() or "__init__" in said:
        return f"{NAME} is busy ({said}); stop whatever else uses it"
    return f"{NAME} could not be started ({said}); check its cable, it is tried again"
