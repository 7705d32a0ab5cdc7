"""Read photo files for ``companion decode``, and build an object for JSON from each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NotRequired, TypedDict

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder import Deck, Reading, Through, explain, read
from companion.errors import DeviceFault, Malformed
from companion.files import write_whole
from hardware.photos.photo import read_photo_file

Pixels = NDArray[np.uint8]
Explain = Callable[[Pixels, tuple[Reading, ...]], Iterable[tuple[str, Pixels]]]
"""Draws pictures that explain readings: pairs of (name without suffix, BGR or grey)."""


class ReadingObject(TypedDict):
    """A reading as it is written in JSON."""

    verdict: str
    confidence: float
    reason: str | None
    corners_px: list[list[float]]
    pixels_per_line: float | None
    kind: str


class ImageObject(TypedDict):
    """A photo file and its readings in JSON; has *error* only if it cannot be read."""

    image: str
    readings: list[ReadingObject]
    error: NotRequired[str]


def decode_files(
    paths: Iterable[Path],
    deck: Deck,
    explain_dir: Path | None = None,
    explained: Explain | None = None,
    through: Through = Through.NOTHING,
) -> Iterator[ImageObject]:
    """Read photos one by one; yield an object for each, even if it cannot be read.

    Args:
        paths: The files.
        deck: The deck that the notes should belong to.
        explain_dir: The folder for the PNGs that *explained* draws; made if missing.
        explained: Draws the pictures.
        through: Whether a lens or film lies on the prints.

    Raises:
        DeviceFault: If a picture cannot be written.
    """
    stems: Counter[str] = Counter()
    for path in paths:
        try:
            pixels = read_photo_file(path)
            readings = read(pixels, deck, through)
        except Malformed as error:
            yield {"image": str(path), "readings": [], "error": str(error)}
            continue
        if explain_dir is not None and explained is not None:
            stems[path.stem] += 1  # A second file of the same name gets a number.
            suffix = f"-{stems[path.stem]}" if stems[path.stem] > 1 else ""
            for name, picture in explained(pixels, readings):
                save_png(explain_dir / f"{path.stem}{suffix}-{name}.png", picture)
        yield {"image": str(path), "readings": [as_object(r) for r in readings]}


def as_object(reading: Reading) -> ReadingObject:
    """Convert a reading for JSON: rounded, and without its pictures."""
    pitch = reading.pixels_per_line
    return {
        "verdict": str(reading.verdict),
        "confidence": round(float(reading.confidence), 4),
        "reason": None if reading.reason is None else str(reading.reason),
        "corners_px": [[round(x, 1), round(y, 1)] for x, y in reading.corners_px],
        "pixels_per_line": None if pitch is None else round(float(pitch), 2),
        "kind": str(reading.kind),
    }


def explained_with(deck: Deck) -> Explain:
    """Return a function that draws ``1-seen``, ``1-hidden``, ``1-face``, ``2-seen``….

    A reading without a scrambled print has no pictures.
    """

    def pictures(
        pixels: Pixels, readings: tuple[Reading, ...]
    ) -> Iterator[tuple[str, Pixels]]:
        for number, reading in enumerate(readings, 1):
            if reading.picture is None:
                continue
            shown = explain(pixels, reading, deck)
            yield f"{number}-seen", shown.seen
            yield f"{number}-hidden", shown.hidden
            if shown.face is not None:
                yield f"{number}-face", shown.face

    return pictures


def save_png(path: Path, picture: Pixels) -> None:
    """Write (height, width[, 3]) uint8, grey or BGR, as PNG; see ``save_bytes``."""
    _, content = cv2.imencode(".png", picture)
    save_bytes(path, content.tobytes())


def save_picture(path: Path, picture: Pixels) -> None:
    """Write a picture as JPEG if the file's name says so, else as PNG."""
    if path.suffix.lower() not in (".jpg", ".jpeg"):
        save_png(path, picture)
        return
    _, content = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 85])
    save_bytes(path, content.tobytes())


def save_bytes(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; make its folder if needed.

    Raises:
        DeviceFault: If it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    except OSError as error:
        raise DeviceFault(
            f"expected to write {path}, got {error.strerror or error}",
            "choose another folder",
        ) from error
