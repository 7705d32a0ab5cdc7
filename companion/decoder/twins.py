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

# How two prints are compared.

LINE_PX = 4.0
"""Pixels a line at which photos are compared; finer lines are not enlarged."""

SEARCH_LINES = 8
"""How far, in line periods, a print is sought around its measured edges."""

TURN_MAX_DEG = 0.5
"""Largest angle between the lines of two copies."""

SHAPE_MAX = 0.01
"""Largest difference in proportions that rounding makes in a scaled copy."""

ALIKE_MIN = 0.75
"""Least correlation of lines in copies, which have 0.87 and more; others have less than
0.1, or 0.6 if another note lay in exactly the place of the first."""

# How they are compared spot by spot.

SPOT_LINES = 2.0
"""Standard deviation, in line periods, of a *spot*: a Gaussian around a pixel."""

STRONGEST = 0.9
"""Quantile of the lines' strength that counts as the strongest."""

SPOT_STRENGTH = 0.3
"""Share of the strongest lines' strength from which a spot has lines."""

WORST = 0.005
"""Quantile of all spots' correlations that stands for the worst spot."""

WORST_MIN = 0.6
"""Least correlation of the worst spot in copies, as a share of the spots' median.

It is for a real and a fake photo, which may differ by their masks alone if the notes
lay in the same place: of 20 such pairs of held-out decks, this tells 13 apart that a
plain correlation does not. It misses copies at half the size, so it is not used for
photos of one kind.
"""


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


def are_copies(first: Print, second: Print, *, in_spots: bool = False) -> bool:
    """Tell whether two photos are copies of one, at the same size or another.

    Args:
        first: The print in one photo.
        second: The print in the other.
        in_spots: Whether they must be alike in every spot, see WORST_MIN.
    """
    if _degrees_between(first.frequency, second.frequency) > TURN_MAX_DEG:
        return False
    # A cropped copy has the size of the photo; a scaled one has its proportions.
    sizes = {1.0}
    (rows_1, columns_1), (rows_2, columns_2) = first.grey.shape, second.grey.shape
    if abs(rows_1 * columns_2 / (columns_1 * rows_2) - 1) < SHAPE_MAX:
        sizes.add(columns_1 / columns_2)
    return any(_are_alike(first, second, size, in_spots=in_spots) for size in sizes)


def _degrees_between(first: tuple[float, float], second: tuple[float, float]) -> float:
    """Return the angle between two waves of lines of either sign, 0 to 90 degrees."""
    cross = abs(first[0] * second[1] - first[1] * second[0])
    dot = abs(first[0] * second[0] + first[1] * second[1])
    return math.degrees(math.atan2(cross, dot))


def _are_alike(first: Print, second: Print, size: float, *, in_spots: bool) -> bool:
    """Tell whether two prints have the same lines, see `are_copies`.

    *size* is how many pixels of *first* equal a pixel of *second*.
    """
    scale = min(1.0, LINE_PX * math.hypot(*first.frequency), 1 / size)
    margin = round(SEARCH_LINES * LINE_PX)
    inner = _cut_lines(first, scale, -margin)
    outer = _cut_lines(second, scale * size, margin)
    rows, columns = (min(pair) for pair in zip(inner.shape, outer.shape, strict=True))
    top, left = (inner.shape[0] - rows) // 2, (inner.shape[1] - columns) // 2
    inner = inner[top : top + rows, left : left + columns]
    if min(inner.shape) < margin:
        return False
    scores = cv2.matchTemplate(outer, inner, cv2.TM_CCOEFF_NORMED)
    _, best_score, _, (x, y) = cv2.minMaxLoc(scores)
    if best_score < ALIKE_MIN or not in_spots:
        return best_score >= ALIKE_MIN
    spots = _correlate_spots(inner, outer[y : y + rows, x : x + columns])
    worst, median = np.quantile(spots, [WORST, 0.5])
    return bool(worst >= WORST_MIN * median)


def _correlate_spots(first: Float, second: Float) -> Float:
    """Correlate two prints in each spot that has lines."""
    first_power, second_power, product = (
        cv2.GaussianBlur(part, (0, 0), SPOT_LINES * LINE_PX)
        for part in (first * first, second * second, first * second)
    )
    strength = np.sqrt(first_power * second_power)
    has_lines = strength > SPOT_STRENGTH * np.quantile(strength, STRONGEST)
    return np.asarray(product[has_lines] / strength[has_lines], np.float32)


def _cut_lines(print_: Print, scale: float, margin: int) -> Float:
    """Cut out a print's lines, scaled, without light and shade.

    Args:
        print_: The print.
        scale: By how much it is scaled.
        margin: Scaled pixels around the print that are cut out as well; if negative,
            left out within it.

    Returns:
        The lines; a single 0 if they are too small to compare.
    """
    x0, y0, x1, y1 = print_.box_px
    room = round(margin / scale)
    rows = slice(max(0, y0 - room), max(0, y1 + room))
    columns = slice(max(0, x0 - room), max(0, x1 + room))
    cut = print_.grey[rows, columns].astype(np.float32)
    if min(cut.shape, default=0) < 2 / scale:
        return np.zeros((1, 1), np.float32)
    small = cv2.resize(cut, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    side = 2 * round(LINE_PX) + 1  # Two lines.
    return np.asarray(small - cv2.blur(small, (side, side)), np.float32)
