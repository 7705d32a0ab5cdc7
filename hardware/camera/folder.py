"""A folder of pictures as a camera: for tests, and for tables without one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.errors import DeviceFault, Malformed
from hardware.photos.photo import read_photo_file

SUFFIXES = {".jpg", ".jpeg", ".png", ".webp"}
FILES_MAX = 10_000
"""How many files of a folder are shown; any more are ignored."""


class FolderDriver:
    """Shows every picture of a folder in the order of their names, again and again.

    The folder is read again when the last picture has been shown. A picture that
    cannot be read is a fault that names it; the next attempt goes on after it.

    Args:
        folder: The folder of pictures; it need not exist yet.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._left: list[Path] = []

    @property
    def name(self) -> str:
        """The folder, for people."""
        return f"folder {self._folder}"

    def open(self) -> None:
        """Look for pictures (``CameraDriver.open``)."""
        if not self._left:
            self._left = self._pictures()

    def grab(self) -> NDArray[np.uint8]:
        """Read the next picture (``CameraDriver.grab``)."""
        self.open()
        path = self._left.pop()
        try:
            return read_photo_file(path)
        except Malformed as error:
            raise DeviceFault(error.message, error.remedy) from error

    def close(self) -> None:
        """Do nothing: a camera that is opened again goes on with the next picture."""

    def _pictures(self) -> list[Path]:
        """The folder's pictures, the last name first, as ``grab`` pops them."""
        try:
            found = [p for p in self._folder.iterdir() if p.suffix.lower() in SUFFIXES]
        except OSError as error:
            raise DeviceFault(
                f"no pictures: looked for the folder {self._folder}, got "
                f"{error.strerror or error}",
                "check COMPANION_CAMERA_FOLDER",
            ) from error
        if not found:
            raise DeviceFault(
                f"no pictures: looked in {self._folder} for "
                f"{', '.join(sorted(SUFFIXES))}, got none",
                "put some there",
            )
        return sorted(found)[:FILES_MAX][::-1]
