"""Makes a report of a print that no deck can be learnt from, for this program's makers.

It is a picture of the print's lines, and what was measured of them. It shows nothing of
the room: everything around the lines is cut off or painted over. A line
has one of two *states* at each place: the hidden picture's dark and light.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from companion.decoder.tiles import Pixels
from companion.decoder.unscramble import Photo, unscramble
from companion.decoder.verdict import Reason
from companion.errors import Malformed
from companion.words import say

PAINT = 255
"""Grey level painted over everything but the lines: white, like paper."""

SEND = say(
    "if these lines are a scrambled print, companion learn --report makes a picture of "
    "them alone, which the makers of this program would like to see"
)


@dataclass(frozen=True, slots=True, eq=False)
class LinesReport:
    """The lines of one photo, and what was measured of them.

    Attributes:
        picture: (rows, columns, 3) uint8 BGR, in the photo's own pixels.
        left_px, top_px: Where the picture begins in the photo.
        cells: How many line cells (a line period squared) it shows.
        pixels_per_line: Pixels from line to line.
        angle_deg: Angle of the lines' normal against the picture's rows, 0 to 180.
        amplitude: Amplitude of the lines, in grey levels.
        coherence: 0..1: how well two states explain the lines.
        rarer_share: Share of the lines in the rarer state, 0 to 0.5.
    """

    picture: Pixels
    left_px: int
    top_px: int
    cells: float
    pixels_per_line: float
    angle_deg: float
    amplitude: float
    coherence: float
    rarer_share: float


def lines_of(frame: Pixels) -> LinesReport:
    """Cut out the lines of a photo that show the clearest picture, and measure them.

    Args:
        frame: (height, width, 3) uint8 BGR, not modified.

    Raises:
        Malformed: If there are no lines in it, or for the reasons of `check_frame`.
    """
    photo = unscramble(frame, say("the photo"), None)
    if photo.field is None:
        raise Malformed(
            say("there are no lines to be seen in this photo"),
            say("take it from above, flat, in focus, the print filling the picture"),
        )
    field, outline = photo.in_photo, np.array(photo.corners_px)
    limits = np.array(frame.shape[1::-1])
    x0, y0 = np.clip(np.floor(outline.min(axis=0)), 0, limits - 1).astype(int).tolist()
    x1, y1 = np.clip(np.ceil(outline.max(axis=0)), 1, limits).astype(int).tolist()
    lines = np.zeros((y1 - y0, x1 - x0), np.uint8)
    inside = np.floor(outline - (x0, y0)).astype(np.int32)
    cv2.fillConvexPoly(lines, inside, 1)
    picture = frame[y0:y1, x0:x1].copy()
    picture[lines == 0] = PAINT
    fx, fy = field.frequency
    return LinesReport(
        picture=picture,
        left_px=x0,
        top_px=y0,
        cells=field.cells,
        pixels_per_line=field.pixels_per_line,
        angle_deg=math.degrees(math.atan2(fy, fx)) % 180,
        amplitude=field.amplitude,
        coherence=field.coherence,
        rarer_share=field.minority,
    )


def hint_for(photos: Iterable[Photo]) -> str:
    """Return advice on photos whose lines show no picture; empty if all show one."""
    is_lost = any(photo.fault is Reason.NO_PICTURE for photo in photos)
    return SEND if is_lost else ""
