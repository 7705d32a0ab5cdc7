"""Finding out whether two photos are one: a file given twice, scaled down or cropped.

No two photos of a note have their lines in the same places, to a fraction of a period,
over a hundred lines and more; a copy has, however it was compressed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float32]
Grey = NDArray[np.uint8]
Box = tuple[int, int, int, int]

LINE_PX = 4.0
"""Pixels a line at which photos are compared; finer ones stay as they are."""

SEARCH_LINES = 8
"""How far around a copy's print is looked for, since the edges found are not exact."""

TURN_MAX_DEG = 0.5
ALIKE = 0.75
"""Correlation of lines from which two photos are one: copies have 0.87 and more, others
less than 0.1, or 0.6 if another note lay in exactly the place of the first."""

SHAPE_MAX = 0.01
"""Most difference in proportions between a photo and a scaled copy: rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """A scrambled print in a photo.

    Attributes:
        grey: (height, width) uint8, the whole photo.
        box_px: x0, y0, x1, y1 of the print in it.
        frequency: Frequency of its lines, (x, y) periods a pixel of the photo.
    """

    grey: Grey
    box_px: Box
    frequency: tuple[float, float]


def are_one(one: Print, other: Print) -> bool:
    """Whether two photos are copies of one, at the same size or another."""
    if _turned_deg(one.frequency, other.frequency) > TURN_MAX_DEG:
        return False
    sizes = {1.0}
    (rows, columns), (other_rows, other_columns) = one.grey.shape, other.grey.shape
    if abs(rows * other_columns / (columns * other_rows) - 1) < SHAPE_MAX:
        sizes.add(columns / other_columns)
    return any(_alike(one, other, size) >= ALIKE for size in sizes)


def _turned_deg(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Angle between two carriers, 0 to 90 degrees; their sign does not matter."""
    cross = abs(one[0] * other[1] - one[1] * other[0])
    return math.degrees(math.atan2(cross, abs(one[0] * other[0] + one[1] * other[1])))


def _alike(one: Print, other: Print, size: float) -> float:
    """Correlation of both prints' lines; *size* pixels of one are one of the other."""
    scale = min(1.0, LINE_PX * math.hypot(*one.frequency), 1 / size)
    room = round(SEARCH_LINES * LINE_PX)
    inner = _lines(one, scale, -room)
    outer = _lines(other, scale * size, room)
    rows, columns = (min(pair) for pair in zip(inner.shape, outer.shape, strict=True))
    top, left = (inner.shape[0] - rows) // 2, (inner.shape[1] - columns) // 2
    inner = inner[top : top + rows, left : left + columns]
    if min(inner.shape) < room:
        return 0.0
    return float(cv2.matchTemplate(outer, inner, cv2.TM_CCOEFF_NORMED).max())


def _lines(print_: Print, scale: float, room: int) -> Float:
    """The print's lines without light and shade, with *room* pixels on every side."""
    x0, y0, x1, y1 = print_.box_px
    more = round(room / scale)
    rows = slice(max(0, y0 - more), max(0, y1 + more))
    columns = slice(max(0, x0 - more), max(0, x1 + more))
    cut = print_.grey[rows, columns].astype(np.float32)
    if min(cut.shape, default=0) < 2 / scale:
        return np.zeros((1, 1), np.float32)
    small = cv2.resize(cut, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    wide = 2 * round(LINE_PX) + 1
    return np.asarray(small - cv2.blur(small, (wide, wide)), np.float32)
