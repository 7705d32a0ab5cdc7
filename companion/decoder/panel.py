"""Finds where the scrambled panel lies in the frame, and what it is printed on.

The *panel* is the part of a note or card that hides a picture. In a `Field` it is where
the weight is above a half.
"""

from __future__ import annotations

import enum

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Deck
from companion.decoder.fit import Face
from companion.decoder.phase import Field

Corners = tuple[tuple[float, float], ...]

NOTE_ASPECT_MIN = 1.65
"""Ratio of width to height from which a print is a note.

Notes have about 2, cards about 1.4."""

WHITE = 252
"""Grey level from which a pixel is blown out."""


class Kind(enum.StrEnum):
    """What the scrambled panel is printed on."""

    NOTE = "note"
    CARD = "card"
    PANEL = "panel"  # Only the scrambled panel is known.


def kind_of(deck: Deck, faces: tuple[Face, ...]) -> Kind:
    """Return what the deck's panels are printed on.

    PANEL if no face was found, or the deck names no size, like the built-in one, whose
    panels are on notes and on cards.
    """
    if not faces or deck.item_mm is None:
        return Kind.PANEL
    width, height = deck.item_mm
    return Kind.NOTE if width / height >= NOTE_ASPECT_MIN else Kind.CARD


def corners_of(field: Field, faces: tuple[Face, ...]) -> Corners:
    """Return the panel's four corners in the frame, (x, y), clockwise.

    The first is the panel's own top left if a face tells which way is up, else the
    corner nearest to the frame's top left.
    """
    panel = (field.weight > 0.5).astype(np.uint8)
    # Specks smaller than 7 by 7 elements are no panels.
    opened = cv2.morphologyEx(panel, cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
    outlines, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if outlines:
        largest = max(outlines, key=cv2.contourArea)
        box = np.asarray(cv2.boxPoints(cv2.minAreaRect(largest)), np.float64)
    else:
        rows, columns = field.weight.shape
        box = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float64)
    corners_px = box * field.step_px + np.array(field.origin_px)
    return tuple((float(x), float(y)) for x, y in _order_corners(corners_px, faces))


def _order_corners(
    corners_px: NDArray[np.float64], faces: tuple[Face, ...]
) -> NDArray[np.float64]:
    """Sort corners clockwise from the top left.

    Args:
        corners_px: (4, 2) the corners, in their order around the panel.
        faces: The first tells which way is up; without faces, it is the frame's up.
    """
    right, down = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    if faces:
        top_left, top_right, _, low_left = faces[0].box_px[:4].astype(np.float64)
        right, down = top_right - top_left, low_left - top_left
    # The top left is the corner that is least far to the right and down.
    to_low_right = right / np.hypot(*right) + down / np.hypot(*down)
    top_left_number = int((corners_px @ to_low_right).argmin())
    ordered = np.roll(corners_px, -top_left_number, axis=0)
    next_x, next_y = ordered[1] - ordered[0]
    last_x, last_y = ordered[3] - ordered[0]
    is_clockwise = next_x * last_y - next_y * last_x > 0
    return ordered if is_clockwise else ordered[[0, 3, 2, 1]]


def is_on(first: Corners, second: Corners) -> bool:
    """Tell whether the middle of either outline lies within the other."""
    for inner, outer in ((first, second), (second, first)):
        x, y = np.mean(inner, axis=0).tolist()
        outline = np.array(outer, np.float32)
        if cv2.pointPolygonTest(outline, (x, y), measureDist=False) > 0:
            return True
    return False


def picture_of(field: Field) -> NDArray[np.uint8]:
    """Draw the hidden picture as uint8: the rarer state black, 128 where unknown."""
    panel = field.weight > 0.5
    is_high_state_rarer = panel.any() and (field.soft[panel] > 0).mean() < 0.5
    sign = -1.0 if is_high_state_rarer else 1.0
    shown = np.clip(sign * field.soft * field.weight, -1, 1)
    return np.asarray(np.rint(127.5 + 127.5 * shown), np.uint8)


def glare_on(grey: NDArray[np.uint8], corners: Corners) -> float:
    """Return the share of blown-out pixels in the box around the corners, 0..1."""
    xs, ys = zip(*corners, strict=True)
    rows = slice(max(0, int(min(ys))), max(1, int(max(ys))))
    columns = slice(max(0, int(min(xs))), max(1, int(max(xs))))
    box = grey[rows, columns]
    return float((box >= WHITE).mean()) if box.size else 0.0
