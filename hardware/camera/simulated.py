"""Cameras without a camera: given pictures, which fail as real ones do, or a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.errors import DeviceFault, Malformed
from hardware.photos.photo import read_photo_file

BAIZE, PAPER, INK = (62, 92, 24), (214, 236, 240), (70, 110, 40)
"""Colours of the default picture, BGR."""


class SimulatedDriver:
    """The ``CameraDriver`` that shows given pictures in turn, again and again.

    Args:
        pictures: Each (height, width, 3) uint8 BGR. Without any, it shows a plain note
            that has no scrambled print.

    Attributes:
        is_missing: Set it to make opening fail as if there were no camera.
        is_busy: Set it to make opening fail as if another program held the camera.
        is_unplugged: Set it to make the next frame fail, and opening after that.
    """

    name = "simulated camera"

    def __init__(self, pictures: Sequence[NDArray[np.uint8]] = ()) -> None:
        self.is_missing = self.is_busy = self.is_unplugged = False
        self._pictures = tuple(pictures) or (plain_note(),)
        self._shown = 0
        self._is_open = False

    def open(self) -> None:
        """Open the camera."""
        if self.is_missing or self.is_unplugged:
            raise DeviceFault(
                "no simulated camera: it was unplugged", "plug it in again"
            )
        if self.is_busy:
            raise DeviceFault("the simulated camera is busy", "stop who holds it")
        self._is_open = True

    def grab(self) -> NDArray[np.uint8]:
        """Show the next picture."""
        if not self._is_open or self.is_unplugged:
            raise DeviceFault("the simulated camera was unplugged", "plug it in again")
        picture = self._pictures[self._shown % len(self._pictures)]
        self._shown += 1
        return picture

    def close(self) -> None:
        """Close the camera."""
        self._is_open = False


def plain_note(width: int = 1152, height: int = 648) -> NDArray[np.uint8]:
    """Draw paper with an ink border on green baize: (height, width, 3) uint8 BGR."""
    picture = np.empty((height, width, 3), np.uint8)
    picture[:] = BAIZE
    for inset, colour in ((0, PAPER), (12, INK), (18, PAPER)):
        top, left = height // 4 + inset, width // 4 + inset
        picture[top : height - top, left : width - left] = colour
    return picture


SUFFIXES = {".jpg", ".jpeg", ".png", ".webp"}
"""How the names of pictures end."""
FILES_MAX = 10_000
"""The most pictures of a folder that are shown."""


class FolderDriver:
    """The ``CameraDriver`` that shows a folder's pictures by name, again and again.

    The folder is read again after its last picture. A picture that cannot be read
    raises a fault that names it; the next attempt goes on after it.

    Args:
        folder: The folder of pictures; it need not exist yet.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._to_come: list[Path] = []  # The next picture is last.

    @property
    def name(self) -> str:
        """The folder, for people."""
        return f"folder {self._folder}"

    def open(self) -> None:
        """Look for pictures."""
        if not self._to_come:
            self._to_come = self._pictures()

    def grab(self) -> NDArray[np.uint8]:
        """Read the next picture."""
        self.open()
        path = self._to_come.pop()
        try:
            return read_photo_file(path)
        except Malformed as error:
            raise DeviceFault(error.message, error.remedy) from error

    def close(self) -> None:
        """Do nothing: a reopened camera goes on with the next picture."""

    def _pictures(self) -> list[Path]:
        """List the folder's pictures, the last name first."""
        try:
            paths = [
                path
                for path in self._folder.iterdir()
                if path.suffix.lower() in SUFFIXES
            ]
        except OSError as error:
            raise DeviceFault(
                f"no pictures: looked for the folder {self._folder}, got "
                f"{error.strerror or error}",
                "check COMPANION_CAMERA_FOLDER",
            ) from error
        if not paths:
            raise DeviceFault(
                f"no pictures: looked in {self._folder} for "
                f"{', '.join(sorted(SUFFIXES))}, got none",
                "put some there",
            )
        return sorted(paths)[:FILES_MAX][::-1]
