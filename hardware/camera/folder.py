"""A folder of pictures as a camera, for tests and for tables without a camera."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.errors import DeviceFault, Malformed
from hardware.photos.photo import read_photo_file

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
