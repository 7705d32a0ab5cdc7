"""Finds out whether two photos are one: a file given twice, scaled down or cropped.

Such *copies* must not be learnt from, since each would confirm the other. A photo and
its copy agree in the places of all lines, a hundred or more, to a fraction of a period;
two photos of a note never do. So the lines of both prints are cut out, brought to
LINE_PX pixels a line, and correlated.
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
"""Pixels a line at which photos are compared; finer lines are not enlarged."""

SEARCH_LINES = 8
"""How far, in line periods, a print is sought around its measured edges."""

TURN_MAX_DEG = 0.5
"""Largest angle between the lines of two copies."""

ALIKE = 0.75
"""Correlation of lines from which two photos are one: copies have 0.87 and more, others
less than 0.1, or 0.6 if another note lay in exactly the place of the first."""

SPOT_LINES = 2.0
"""Standard deviation, in line periods, of a *spot*: a Gaussian around a pixel."""

WORST = 0.005
"""Quantile of all spots' correlations that stands for the worst spot."""

IN_SPOTS = 0.6
"""Least correlation of the worst spot in copies, as a share of the spots' median.

It is for a real and a fake photo, which may differ by their masks alone if the notes
lay in the same place: of 20 such pairs of held-out decks, this tells 13 apart that a
plain correlation does not. It misses copies at half the size, so it is not used for
photos of one kind.
"""

STRONGEST = 0.9
"""Quantile of the lines' strength that counts as the strongest."""

SPOT_STRENGTH = 0.3
"""Share of the strongest lines' strength from which a spot has lines."""

SHAPE_MAX = 0.01
"""Largest difference in proportions that rounding makes in a scaled copy."""


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """A scrambled print in a photo.

    Attributes:
        grey: (height, width) uint8, the whole photo.
        box_px: x0, y0, x1, y1 of the print in it.
        frequency: Frequency of its lines, (x, y) periods a pixel.
    """

    grey: Grey
    box_px: Box
    frequency: tuple[float, float]


def are_copies(one: Print, other: Print, *, in_spots: bool = False) -> bool:
    """Tell whether two photos are copies of one, at the same size or another.

    Args:
        one: The print in one photo.
        other: The print in the other.
        in_spots: Whether they must be alike in every spot, see IN_SPOTS.
    """
    if _degrees_between(one.frequency, other.frequency) > TURN_MAX_DEG:
        return False
    # A cropped copy has the size of the photo; a scaled one has its proportions.
    sizes = {1.0}
    rows, columns = one.grey.shape
    other_rows, other_columns = other.grey.shape
    if abs(rows * other_columns / (columns * other_rows) - 1) < SHAPE_MAX:
        sizes.add(columns / other_columns)
    return any(_are_alike(one, other, size, in_spots=in_spots) for size in sizes)


def _degrees_between(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Return the angle between two carriers of either sign, 0 to 90 degrees."""
    cross = abs(one[0] * other[1] - one[1] * other[0])
    return math.degrees(math.atan2(cross, abs(one[0] * other[0] + one[1] * other[1])))


def _are_alike(one: Print, other: Print, size: float, *, in_spots: bool) -> bool:
    """Tell whether two prints have the same lines, see `are_copies`.

    *size* is how many pixels of *one* equal a pixel of *other*.
    """
    scale = min(1.0, LINE_PX * math.hypot(*one.frequency), 1 / size)
    room = round(SEARCH_LINES * LINE_PX)
    inner = _cut_lines(one, scale, -room)
    outer = _cut_lines(other, scale * size, room)
    rows, columns = (min(pair) for pair in zip(inner.shape, outer.shape, strict=True))
    top, left = (inner.shape[0] - rows) // 2, (inner.shape[1] - columns) // 2
    inner = inner[top : top + rows, left : left + columns]
    if min(inner.shape) < room:
        return False
    scores = cv2.matchTemplate(outer, inner, cv2.TM_CCOEFF_NORMED)
    _, alike, _, (x, y) = cv2.minMaxLoc(scores)
    if alike < ALIKE or not in_spots:
        return alike >= ALIKE
    spots = _correlate_spots(inner, outer[y : y + rows, x : x + columns])
    least, half = np.quantile(spots, [WORST, 0.5])
    return bool(least >= IN_SPOTS * half)


def _correlate_spots(one: Float, other: Float) -> Float:
    """Correlate two prints in each spot that has lines."""
    first_power, second_power, product = (
        cv2.GaussianBlur(part, (0, 0), SPOT_LINES * LINE_PX)
        for part in (one * one, other * other, one * other)
    )
    size = np.sqrt(first_power * second_power)
    has_lines = size > SPOT_STRENGTH * np.quantile(size, STRONGEST)
    return np.asarray(product[has_lines] / size[has_lines], np.float32)


def _cut_lines(print_: Print, scale: float, room: int) -> Float:
    """Cut out a print's lines, scaled, without light and shade.

    Args:
        print_: The print.
        scale: By how much it is scaled.
        room: Scaled pixels around the print that are cut out as well; if negative, left
            out within it.

    Returns:
        The lines; a single 0 if they are too small to compare.
    """
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
