"""Scrambled images: strips of the hidden picture laced with strips of a camouflage.

In each line period one slot carries the hidden picture's ink and the other one, half a
period on, the camouflage's. Where the two agree there are no lines at all.
Source: van Renesse, SPIE 4677 (2002).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.printing.art import Drawing, Placed, paint
from companion.printing.screen import Encoding, Profile, Screen, pixels_per_mm

SLOT = (0.40, 0.50)
"""Least and most width of a slot, in line periods; what is left is blank."""

BLOB_FACES = (0.05, 0.12)
"""Standard deviation of the noise of which blobs are cut, in heights of a face."""

BLOB_MM = 0.25
"""Side of an element of that noise."""

Picture = NDArray[np.bool_]


def laced(screen: Screen, slot: float) -> Screen:
    """Return the screen of such a print; its duty is the slot's width in periods."""
    return replace(
        screen, duty=slot, shift=0.5, profile=Profile.SQUARE, encoding=Encoding.PHASE
    )


def interlace(
    hidden: Picture, camouflage: Picture, screen: Screen, dpi: float, phase0: float
) -> Picture:
    """Return the printed lines of two pictures of one shape, an element a printer dot.

    Returns:
        (rows, columns) bool, True for ink.
    """
    scale, angle = pixels_per_mm(dpi), math.radians(screen.angle_deg)
    y, x = np.ogrid[: hidden.shape[0], : hidden.shape[1]]
    across_mm = (x + 0.5) / scale * math.cos(angle) + (y + 0.5) / scale * math.sin(
        angle
    )
    turn = np.mod(across_mm / screen.pitch_mm + phase0, 1)
    lines: Picture = (hidden & (turn < screen.duty)) | (
        camouflage & (turn >= 0.5) & (turn < 0.5 + screen.duty)
    )
    return lines


def blobs(
    draw: np.random.Generator, shape: tuple[int, int], dpi: float, face_mm: float
) -> NDArray[np.float32]:
    """Smooth noise, (rows, columns) float32; cut at a level it gives blobs."""
    columns, rows = (
        math.ceil(side / pixels_per_mm(dpi) / BLOB_MM) for side in shape[::-1]
    )
    noise = draw.normal(size=(rows, columns)).astype(np.float32)
    sigma = draw.uniform(*BLOB_FACES) * face_mm / BLOB_MM
    smooth = cv2.GaussianBlur(noise, (0, 0), sigma)
    return np.asarray(cv2.resize(smooth, shape[::-1]), np.float32)


def symbols(
    draw: np.random.Generator,
    things: Sequence[Drawing],
    size_mm: tuple[float, float],
    dpi: float,
    face_mm: float,
) -> Picture:
    """Symbols scattered over a panel, at any turn, about as dense as faces stand."""
    columns, rows = (max(2, round(side / face_mm)) for side in size_mm)
    placed = []
    for cell in range(columns * rows):
        x, y = cell % columns + 0.5, cell // columns + 0.5
        off_x, off_y = draw.uniform(-0.2, 0.2, 2)
        placed.append(
            Placed(
                things[int(draw.integers(len(things)))],
                float(x + off_x) * size_mm[0] / columns,
                float(y + off_y) * size_mm[1] / rows,
                face_mm * float(draw.uniform(0.6, 0.95)),
                float(draw.uniform(-180, 180)),
            )
        )
    return paint(placed, size_mm, pixels_per_mm(dpi))
