"""Scrambled images: a picture in strips, laced with a camouflage or turned over.

*Interlaced*: in each line period one slot carries the hidden picture's ink and the
other one, half a period on, the camouflage's. Where the two agree there are no lines at
all. *Strips*: each line period shows what lies around its middle turned over, or more
of it than it is wide, or both.
Sources: van Renesse, SPIE 4677 (2002); US 5,708,717 (1998).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.decoder.styles.screens import Encoding, ForeignScreen, Profile
from companion.printing.art import Drawing, Placed, paint
from companion.printing.screen import Screen, pixels_per_mm

SLOT = (0.40, 0.50)
"""Least and most width of a slot, in line periods; what is left is blank."""

SHOWN = (-1.0, 2.0, -2.0, 3.0, -3.0)
"""How much of the picture a strip shows, in its own widths; less than 0 turned over."""

BLOB_FACES = (0.05, 0.12)
"""Standard deviation of the noise of which blobs are cut, in heights of a face."""

BLOB_MM = 0.25
"""Side of an element of that noise."""

Picture = NDArray[np.bool_]


def laced(screen: ForeignScreen, slot: float) -> ForeignScreen:
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


def in_strips(
    hidden: Picture, screen: Screen, dpi: float, phase0: float, shown: float
) -> Picture:
    """Return a picture in strips as wide as a line period, (rows, columns) bool.

    Args:
        hidden: The picture, True for ink.
        screen: Says how wide the strips are, and where they run.
        dpi: Elements an inch.
        phase0: Where the first strip begins, in periods.
        shown: One of SHOWN.
    """
    scale, angle = pixels_per_mm(dpi), math.radians(screen.angle_deg)
    normal = math.cos(angle), math.sin(angle)
    y, x = np.mgrid[: hidden.shape[0], : hidden.shape[1]].astype(np.float32)
    across_mm = ((x + 0.5) * normal[0] + (y + 0.5) * normal[1]) / scale
    off = np.mod(across_mm / screen.pitch_mm + phase0, 1) - 0.5
    away = (shown - 1) * screen.pitch_mm * scale * off
    ink = hidden.astype(np.uint8)
    at = (
        np.asarray(own + part * away, np.float32)
        for own, part in zip((x, y), normal, strict=True)
    )
    return cv2.remap(ink, *at, cv2.INTER_NEAREST).astype(np.bool_)


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
