"""From settings to a decoder's desk: eyes, decks, and a place to learn them.

Nothing heavy is imported yet, and no camera opened: the first look does both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from companion.examining import DecoderDesk
from companion.ports import Camera
from hardware.camera_settings import CameraSettings, read_camera_settings
from hardware.clock import SystemClock
from hardware.deck_shelf import DeckShelf
from hardware.examiner import PhotoExaminer
from hardware.lessons import PhotoLessons
from hardware.turnstile import Turnstile


@contextmanager
def open_desk(
    folder: Path, variables: Mapping[str, str], tell: Callable[[str], object]
) -> Iterator[DecoderDesk]:
    """The decoder of a table; lets go of its camera at the end.

    Args:
        folder: Where its decks are.
        variables: The settings of the camera, such as ``COMPANION_CAMERA=webcam``.
        tell: Called with ``decoder`` when the table's screen is to show something
            else, with ``lesson`` when learning goes on; from any thread.

    Raises:
        Malformed: If a setting makes no sense.
    """
    settings = read_camera_settings(variables)
    shelf, turnstile = DeckShelf(folder), Turnstile()
    examiner = PhotoExaminer(
        shelf,
        turnstile,
        SystemClock(),
        lambda: tell("decoder"),
        None if settings.camera == "none" else lambda: _camera(settings),
        focal_px=settings.camera_focal_px,
    )
    lessons = PhotoLessons(shelf, turnstile, folder / "lesson", lambda: tell("lesson"))
    try:
        yield DecoderDesk(examiner, shelf, lessons)
    finally:
        examiner.close()


def _camera(settings: CameraSettings) -> Camera:
    from hardware.discover_camera import find_camera  # Needs numpy and Pillow.

    found = find_camera(settings, SystemClock())  # A clock that it may keep waiting.
    assert found is not None, "only none is no camera"
    return found
