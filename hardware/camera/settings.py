"""The settings of the camera.

Nothing heavy is imported here, as a table without a camera should not wait for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.errors import Malformed
from hardware.variables import PREFIX, saying_what_to_do, values_of

KINDS = ("auto", "pi", "webcam", "folder", "simulated", "none")
"""The allowed values of ``camera``."""
INNER = ("bcm2835", "rpi", "rpivid", "unicam", "pispbe", "rp1-cfe", "pisp")
"""How the names of the Pi's own video devices, which are no webcams, begin."""

SENSORS = ("unicam", "rp1-cfe")
"""Those of ``INNER`` that exist only if the Pi has found a camera on its cable."""

PI_BUFFERS = 3
"""How many frames the Pi's camera has memory for."""


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """The kind of camera, and how it is set up."""

    camera: str = "auto"
    """``auto`` tries the Pi's camera, then the webcam; or ``pi``, ``webcam``,
    ``folder``, ``simulated``, ``none``."""
    camera_device: str = "/dev/video0"
    """The webcam's device file, or its link in ``/dev/v4l/by-id``."""
    camera_folder: str = ""
    """The folder whose pictures the camera ``folder`` shows."""
    camera_width_px: int = 2304
    """Width of a frame; on the Pi a multiple of 32."""
    camera_height_px: int = 1296
    """Height of a frame."""
    camera_is_whole_field: bool = False
    """Pi: the whole field, scaled down, instead of its middle at full resolution."""
    camera_focus_mm: int = 0
    """Pi: distance from lens to table; 0 finds the focus after opening."""
    camera_exposure_us: int = 0
    """Pi: fixed exposure in microseconds; 0 leaves it to the camera."""
    camera_gain_percent: int = 100
    """Pi: analogue gain with a fixed exposure; 100 means no gain."""
    camera_focal_px: int = 0
    """Focal length in pixels, for advice in centimetres; 0 if unknown."""

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of a frame."""
        return self.camera_width_px, self.camera_height_px


RANGES = {
    "camera_width_px": (64, 9248),
    "camera_height_px": (64, 6944),
    "camera_focus_mm": (0, 5000),
    "camera_exposure_us": (0, 1_000_000),
    "camera_gain_percent": (100, 1600),
    "camera_focal_px": (0, 50_000),
}
"""The smallest and largest value of each numeric setting."""


@saying_what_to_do()
def read_camera_settings(variables: Mapping[str, str]) -> CameraSettings:
    """Read settings from variables such as ``COMPANION_CAMERA=webcam``.

    Raises:
        Malformed: If a value makes no sense.
    """
    values = values_of(CameraSettings, variables)
    settings = CameraSettings(**values)  # type: ignore[arg-type]
    if settings.camera not in KINDS:
        raise Malformed(
            f"expected COMPANION_CAMERA of {', '.join(KINDS)}, got {settings.camera!r}"
        )
    if settings.camera == "folder" and not settings.camera_folder:
        raise Malformed(
            "expected COMPANION_CAMERA_FOLDER to name a folder, got nothing"
        )
    for name, (low, high) in RANGES.items():
        value = getattr(settings, name)
        if not low <= value <= high:
            variable = PREFIX + name.upper()
            raise Malformed(f"expected {variable} in {low}..{high}, got {value}")
    return settings
