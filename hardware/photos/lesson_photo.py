"""Crop a photo of a note to its scrambled print, to learn a deck from it."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder import Reason
from companion.decoder.panel import Corners
from companion.decoder.report import hint_for
from companion.decoder.unscramble import OTHER_FAMILIES, unscramble
from companion.errors import Malformed
from companion.words import say
from hardware.photos.examine import PIXELS_MAX, jpeg, scale_down

Pixels = NDArray[np.uint8]

MARGIN = 0.2
"""The margin kept around the print, as a share of its longer side."""

KEPT_PIXELS_MAX = 5_000_000
"""The largest crop that is kept."""
PIXELS_PER_LINE_MAX = 6.0
"""Photos with more pixels from line to line are scaled down."""
PIXELS_PER_LINE_MIN = 3.5
"""Photos with fewer are refused."""

SMALL_SIDE = 240
"""The longest side, in pixels, of the picture to show."""


def cut_out(
    pixels: Pixels, check: Callable[[], object] = lambda: None
) -> tuple[bytes, bytes]:
    """Cut the largest scrambled print out of a photo, with a margin.

    Args:
        pixels: (height, width, 3) uint8 BGR.
        check: As for ``companion.decoder.read``.

    Returns:
        The crop as PNG, and a small JPEG of it to show.

    Raises:
        Malformed: If there is no print, or it is too small or blurred to learn from.
    """
    pixels = scale_down(pixels, PIXELS_MAX)
    name = say("the new photo")
    photo = unscramble(pixels, name, None, check)
    if photo.fault is not None:
        # Learning knows other families too: their lines may move by less than ours.
        others = (
            unscramble(pixels, name, None, check, family) for family in OTHER_FAMILIES
        )
        photo = next((other for other in others if other.fault is None), photo)
    if photo.fault is Reason.NO_SCRAMBLED_PRINT:
        raise Malformed(
            say(
                "there is no scrambled print to be seen in this photo; take it from "
                "above, flat, in focus, the note filling the picture"
            )
        )
    is_small = (
        photo.field is None or photo.in_photo.pixels_per_line < PIXELS_PER_LINE_MIN
    )
    if is_small or photo.fault is Reason.TOO_FAR:
        raise Malformed(
            say("the note is too far away in this photo; go closer and take it again")
        )
    if photo.fault is not None:
        raise Malformed(
            say(
                "{photo} could not be used, {why}",
                photo=photo.name,
                why=photo.fault.words,
            ),
            hint_for([photo]),
        )
    crop = crop_print(pixels, photo.corners_px, photo.in_photo.pixels_per_line)
    return as_png(crop), jpeg(crop, SMALL_SIDE)


def crop_print(pixels: Pixels, corners_px: Corners, pixels_per_line: float) -> Pixels:
    """Cut out the print with these corners, scaled to what a lesson needs."""
    corners = np.array(corners_px)
    low, high = corners.min(axis=0), corners.max(axis=0)
    margin = MARGIN * float((high - low).max())
    x0, y0 = np.maximum(low - margin, 0).astype(int)
    x1, y1 = (high + margin).astype(int) + 1
    crop = pixels[y0:y1, x0:x1]
    scale = min(1.0, PIXELS_PER_LINE_MAX / pixels_per_line)
    needed = max(1, int(crop[..., 0].size * scale**2))
    return scale_down(crop, min(KEPT_PIXELS_MAX, needed))


def as_png(picture: Pixels) -> bytes:
    """Encode a picture as PNG, quickly rather than small."""
    _, png = cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    return png.tobytes()
