"""Finds the box of the whole face when learning has found only a piece of it.

Learning starts from a box around something that recurs in the photos. It may hold only
a corner of the face, or the face and some neighbours. Each place where it was found is
a *copy*, around which a larger *area* is cut out. The face is in all the areas, while
the neighbours change; so the new box is drawn around what the areas have in common.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Deck
from companion.decoder.fit import FINE_ROWS, Aids, Face, scale_to_templates
from companion.decoder.phase import Field

Float = NDArray[np.float32]

# The areas.

REACH = 1.8
"""Height and width of an area, as a multiple of the old box's own."""

LIMIT = 2.0
"""Largest absolute value in an area; the templates lie in -1..1."""

# What of them belongs to the face.

SHOWN_MIN = -0.1
"""Mean over the copies, -1..1, from which a place belongs to the face."""

GAP_LINES, GAP_SURE_LINES = 1.4, 3.2
"""Gaps, in line periods, up to which parts are joined to the face.

The first is for any part, such as an aerial or a chin; the second for parts that most
copies show, such as a hat, see SURE_COPIES."""

SURE_COPIES = 0.75
"""Share of the copies that must show a place that surely belongs to the face."""

SURE_MINS = (-0.2, -0.3)
"""Least value, -1..1, of a place that a copy shows.

Thin strokes have low values, so the second is tried if the first finds no face."""

# The new box.

MARGIN_LINES = 1.5
"""Blank margin kept around the face, in line periods."""

HEIGHT_LINES = (10.0, 60.0)
"""Least and most height of a face's box, in line periods."""

WIDTH_MIN = 8
"""Least width of a face's box, in elements."""


@dataclass(frozen=True, slots=True)
class Box:
    """A box drawn anew around a thing.

    Attributes:
        elements: top, left, below, right in the area that `area_around` returns.
        corners: Its corners, clockwise from the top left, counted from the middle of
            the old box in sides of that box.
        lines: Its height in line periods.
    """

    elements: tuple[int, int, int, int]
    corners: tuple[tuple[float, float], ...]
    lines: float


def area_around(field: Field, face: Face, templates: Aids) -> Float:
    """Cut out the area around a face: REACH times its box, upright.

    Its light and dark are scaled to those of the templates.
    """
    box = (face.box_px.astype(np.float64) - np.array(field.origin_px)) / field.step_px
    right, down = box[1] - box[0], box[3] - box[0]
    rows, columns = (round(REACH * side) for side in face.patch.shape)
    corner = box.mean(axis=0) - REACH / 2 * (right + down)
    matrix = np.column_stack([REACH * right / columns, REACH * down / rows, corner])
    shown = np.asarray(field.soft * field.weight, np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    area = cv2.warpAffine(shown, matrix, (columns, rows), flags=flags)
    # The sign of a field is unknown; that of a patch is the templates'.
    face_rows, face_columns = face.patch.shape
    top, left = (rows - face_rows) // 2, (columns - face_columns) // 2
    inner = area[top : top + face_rows, left : left + face_columns]
    sign = 1.0 if float((inner * face.patch).sum()) > 0 else -1.0
    signed = np.asarray(sign * area, np.float32)
    return np.clip(scale_to_templates(signed, templates, face.patch), -LIMIT, LIMIT)


def find_whole_box(
    deck: Deck, plain: Float, masked: Float, sure: Float, sure_min: float
) -> Box | None:
    """Find the box of the whole face, if a deck's templates show a piece of it.

    Args:
        deck: Its templates show the piece.
        plain: Mean of the areas around copies without mask.
        masked: The same for copies with mask; *plain* again if masks are unknown.
        sure: For each place, the value that SURE_COPIES of the areas reach.
        sure_min: One of SURE_MINS.

    Returns:
        The box; None if it is too small or too large for a face.
    """
    element_lines = deck.face_height_lines / FINE_ROWS  # Line periods an element.
    shown = np.maximum(plain, masked) > SHOWN_MIN
    face = _close_gaps(shown, GAP_LINES / element_lines)
    face |= _close_gaps(sure > sure_min, GAP_SURE_LINES / element_lines)
    count, labels = cv2.connectedComponents(face)
    rows, columns = face.shape
    # The face is the part that fills most of the middle half.
    middle = labels[rows // 4 : -(rows // 4), columns // 4 : -(columns // 4)]
    sizes = np.bincount(middle.ravel(), minlength=count)
    sizes[0] = 0
    if not sizes.any():
        return None
    largest = (labels == int(sizes.argmax())).astype(np.uint8)
    x, y, width, height = cv2.boundingRect(largest)
    margin = round(MARGIN_LINES / element_lines)
    top, left = max(0, y - margin), max(0, x - margin)
    below, right = min(rows, y + height + margin), min(columns, x + width + margin)
    height_lines = (below - top) * element_lines
    least, most = HEIGHT_LINES
    if not least <= height_lines <= most or right - left < WIDTH_MIN:
        return None
    # From elements of the area to sides of the old box, counted from its middle.
    y0, y1 = (REACH * (side / rows - 0.5) for side in (top, below))
    x0, x1 = (REACH * (side / columns - 0.5) for side in (left, right))
    corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return Box((top, left, below, right), corners, height_lines)


def _close_gaps(belongs: NDArray[np.bool_], gap: float) -> NDArray[np.uint8]:
    """Close gaps of at most *gap* elements between places."""
    side = 2 * round(gap / 2) + 1
    brush = np.ones((side, side), np.uint8)
    closed = cv2.morphologyEx(belongs.astype(np.uint8), cv2.MORPH_CLOSE, brush)
    return np.asarray(closed, np.uint8)
