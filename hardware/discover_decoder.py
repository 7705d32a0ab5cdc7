"""Build the decoder service from the settings: examiner, decks, and lessons.

Nothing heavy is imported here, and no camera is opened: the first look does both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

from companion.examining import DecoderService
from companion.ports import Camera
from hardware.camera.settings import (
    INNER,
    SENSORS,
    CameraSettings,
    read_camera_settings,
)
from hardware.clock import SystemClock
from hardware.photos.deck_folder import DeckFolder
from hardware.photos.examiner import PhotoExaminer, PhotoGrowing
from hardware.photos.lessons import PhotoLessons
from hardware.photos.one_at_a_time import OneAtATime, give_back_memory


@contextmanager
def open_decoder(
    folder: Path, variables: Mapping[str, str], tell: Callable[[str], object]
) -> Iterator[DecoderService]:
    """Yield the decoder service of a table; close its camera at the end.

    Args:
        folder: The folder of the table's decks.
        variables: The settings of the camera, such as ``COMPANION_CAMERA=webcam``.
        tell: Called from any thread: with ``decoder`` when the table's screen should
            show something else, with ``lesson`` when a lesson or a deck has changed.

    Raises:
        Malformed: If a setting makes no sense.
    """
    settings = read_camera_settings(variables)
    give_back_memory()
    one_at_a_time = OneAtATime()
    decks = DeckFolder(folder, one_at_a_time)
    lessons = PhotoLessons(
        decks, one_at_a_time, folder / "lesson", lambda: tell("lesson")
    )
    with (
        ThreadPoolExecutor(1, "deck") as background,
        closing(SystemClock()) as clock,
        # The camera has a clock of its own, as it may block the clock's thread.
        closing(SystemClock()) as camera_clock,
    ):
        if not decks.is_house():
            # Find out whether the deck is damaged; that takes seconds.
            background.submit(decks.deck)
        examiner = PhotoExaminer(
            decks,
            one_at_a_time,
            clock,
            lambda: tell("decoder"),
            None
            if settings.camera == "none"
            else lambda: _camera(settings, camera_clock),
            focal_px=settings.camera_focal_px,
            is_camera_there=lambda: settings.camera != "auto" or is_camera_in_sight(),
        )
        growing = PhotoGrowing(decks, examiner, one_at_a_time, lambda: tell("lesson"))
        with closing(examiner):
            yield DecoderService(examiner, decks, lessons, growing)


def is_camera_in_sight(folder: Path = Path("/sys/class/video4linux")) -> bool:
    """Return whether Linux has a device that may be a camera.

    A Pi's codecs have such devices, too, and do not count.
    """
    try:
        names = [path.read_text() for path in sorted(folder.glob("video*/name"))]
    except OSError:
        return True  # Unknown; the first look will find out.
    return any(name.startswith(SENSORS) or not name.startswith(INNER) for name in names)


def _camera(settings: CameraSettings, clock: SystemClock) -> Camera:
    from hardware.camera.discover import find_camera  # Needs numpy and Pillow.

    camera = find_camera(settings, clock)
    assert camera is not None, "find_camera gives None only for the setting none"
    return camera
