"""What lies over the eyes of every face of a note, so that its mask cannot be told.

    simulate(7, "normal", eyes="fluid")

A note is worn out, corrected, scribbled on or held under a lamp: the rest of each face
is as clear as ever. The right answer is the truth or *unsure*, never the other kind.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.decoder.simulator_print import TEXTURE_PX_PER_MM, Face, Print
from companion.printing.art import Placed, paint
from companion.printing.deck import PrintDeck

ROWS = 64
"""Rows in which the two faces of a deck are compared."""

ROOM = (0.02, 0.12)
"""How far what covers the eyes reaches beyond them, in heights of a face."""

CLEAR, DARK = 255, 12
"""Share of the light, of 255, that open paper and a black strip let through."""

Paint = NDArray[np.uint8]
Points = NDArray[np.float64]
Cover = Callable[[np.random.Generator, Paint, Points, float], None]
"""Draws 255 where the print is gone: onto a sheet, over the four corners of the eyes
(4, 2) px, in pixels a face height."""


def eyes_of(deck: PrintDeck) -> tuple[float, float, float, float]:
    """Return left, top, right, below of what a mask changes, in heights of a face.

    They are counted from the middle of the face.
    """
    plain, masked = (
        paint([Placed(one, 0.75, 0.75, 1.0)], (1.5, 1.5), ROWS)
        for one in (deck.plain, deck.masked)
    )
    ys, xs = np.nonzero(plain != masked)
    return (
        float(xs.min()) / ROWS - 0.75,
        float(ys.min()) / ROWS - 0.75,
        float(xs.max() + 1) / ROWS - 0.75,
        float(ys.max() + 1) / ROWS - 0.75,
    )


def eyes_mm(print_: Print, face: Face, room: float) -> Points:
    """Return the corners (4, 2) of a face's eyes with *room* around, in mm."""
    x0, y0, x1, y1 = eyes_of(print_.style.deck)
    box = np.array(
        [
            (x0 - room, y0 - room),
            (x1 + room, y0 - room),
            (x1 + room, y1 + room),
            (x0 - room, y1 + room),
        ]
    )
    angle = math.radians(face.turn_deg)
    turn = np.array(
        [[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]
    )
    return np.asarray(box @ turn * face.height_mm + (face.x_mm, face.y_mm))


def _strip(draw: np.random.Generator, sheet: Paint, box: Points, face: float) -> None:
    del draw, face
    cv2.fillConvexPoly(sheet, np.rint(box).astype(np.int32), 255)


def _fluid(draw: np.random.Generator, sheet: Paint, box: Points, face: float) -> None:
    """Dabs of a brush, which leave a ragged edge."""
    for _ in range(14):
        along, down = draw.uniform(0, 1, 2)
        at = box[0] + along * (box[1] - box[0]) + down * (box[3] - box[0])
        radius = int(face * draw.uniform(0.05, 0.11))
        cv2.circle(sheet, np.rint(at).astype(int).tolist(), radius, 255, -1)


def _strokes(
    draw: np.random.Generator, sheet: Paint, box: Points, face: float, width: float
) -> None:
    """Strokes to and fro across the box, *width* heights wide."""
    for _ in range(int(draw.integers(10, 30))):
        ends = [
            box[0]
            + draw.uniform(-0.1, 1.1) * (box[1] - box[0])
            + draw.uniform(0, 1) * (box[3] - box[0])
            for _ in range(2)
        ]
        one, other = (np.rint(end).astype(int).tolist() for end in ends)
        cv2.line(sheet, one, other, 255, max(1, round(face * width)), cv2.LINE_AA)


def _scratches(
    draw: np.random.Generator, sheet: Paint, box: Points, face: float
) -> None:
    _strokes(draw, sheet, box, face, float(draw.uniform(0.02, 0.05)))


def _pen(draw: np.random.Generator, sheet: Paint, box: Points, face: float) -> None:
    _strokes(draw, sheet, box, face, float(draw.uniform(0.03, 0.07)))


COVERS: dict[str, tuple[Cover, bool]] = {
    "white strip": (_strip, False),
    "black strip": (_strip, True),
    "fluid": (_fluid, False),
    "scratches": (_scratches, False),
    "pen": (_pen, True),
}
"""What covers the eyes, and whether it is dark; the others are as light as paper."""

EYES = (*COVERS, "glare")
"""All that Conditions.eyes may be; glare is light, and falls on the note as it lies."""


def covered(print_: Print, eyes: str, draw: np.random.Generator) -> Print:
    """Return the print with the eyes of every whole face covered."""
    cover, is_dark = COVERS[eyes]
    sheet = np.zeros_like(print_.coverage)
    room = float(draw.uniform(*ROOM))
    for face in print_.faces:
        box = eyes_mm(print_, face, room) * TEXTURE_PX_PER_MM
        cover(draw, sheet, box, face.height_mm * TEXTURE_PX_PER_MM)
    gone = cv2.GaussianBlur(sheet, (0, 0), 2.0).astype(np.float32) / 255
    coverage = (print_.coverage * (1 - gone)).astype(np.uint8)
    if not is_dark:
        return replace(print_, coverage=coverage)
    clear = (CLEAR + (DARK - CLEAR) * gone).astype(np.uint8)
    return replace(print_, coverage=coverage, clear=clear)
