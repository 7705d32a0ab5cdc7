"""Draws the dial of the vault's wheel, its pointer, and a plate for the box.

The wheel sits on a knob that clicks at each of its *detents*.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from companion.printing.art import Placed
from companion.printing.gentleman import PLAIN, SYMBOLS
from companion.printing.job import Job
from companion.printing.layout import draw_ruler
from companion.printing.page import BLACK, WHITE, Align, Colour, Pages

Array = NDArray[np.float64]

NUMBERS_COUNT = 6
"""Numbers on the wheel, 1 at the top."""

DETENTS_COUNT = 24
"""Detents in a full turn of the knob."""

RADIUS_MM = 38.0
"""Radius of the wheel."""

SHAFT_MM = 7.0
"""Diameter of the hole for the knob's shaft, which is 6 mm with most encoders."""

GREEN: Colour = (0.07, 0.24, 0.17)
BRASS: Colour = (0.83, 0.66, 0.29)
IVORY: Colour = (0.98, 0.96, 0.89)
RED: Colour = (0.70, 0.10, 0.10)


def _trace_circle(middle: Array, radius: float) -> Array:
    """Return the points of a circle, (n, 2) in mm."""
    around = np.linspace(0, 2 * math.pi, 121)
    ring: Array = np.column_stack([np.cos(around), np.sin(around)]) * radius + middle
    return ring


def _outwards(share: float) -> Array:
    """Return the unit vector at *share* of a turn clockwise from the top."""
    return np.array([math.sin(2 * math.pi * share), -math.cos(2 * math.pi * share)])


def _draw_number(pages: Pages, middle: Array, number: int) -> None:
    """Draw one number in its disc, with its mark at the rim."""
    share = (number - 1) / NUMBERS_COUNT
    out = _outwards(share)
    across = np.array([-out[1], out[0]])  # At right angles to *out*.
    disc = middle + out * (RADIUS_MM - 12.5)
    pages.shape(_trace_circle(disc, 6.6), BRASS)
    pages.shape(_trace_circle(disc, 5.8), IVORY)
    base = disc - out * 3.0  # The foot of a figure points at the wheel's middle.
    at = (float(base[0]), float(base[1]))
    turn_deg = 360 * share
    pages.text(at, str(number), 8.5, GREEN, Align.MIDDLE, turn_deg=turn_deg, bold=True)
    tip = middle + out * (RADIUS_MM - 1.2)
    foot = tip - out * 3.4
    pages.shape(np.array([tip, foot + across * 1.5, foot - across * 1.5]), BRASS)


def _draw_rosette(pages: Pages, middle: Array) -> None:
    """Draw turned ovals around the middle."""
    around = np.linspace(0, 2 * math.pi, 73)
    oval = np.column_stack([15.5 * np.cos(around), 9.5 * np.sin(around)])
    for turn in np.linspace(0, math.pi, 9)[:-1]:
        cos, sin = math.cos(turn), math.sin(turn)
        pages.path(oval @ np.array([[cos, sin], [-sin, cos]]) + middle, BRASS, 0.2)


def _draw_wheel(pages: Pages, middle: Array) -> None:
    """Draw the wheel: detents, numbers, symbols and the hole for the shaft."""
    pages.shape(_trace_circle(middle, RADIUS_MM), GREEN)
    pages.path(_trace_circle(middle, RADIUS_MM - 0.6), BRASS, 0.5)
    for detent in range(DETENTS_COUNT):
        out = _outwards(detent / DETENTS_COUNT)
        ends = [middle + out * (RADIUS_MM - inset) for inset in (1.4, 3.6)]
        pages.path(np.array(ends), BRASS, 0.35)
    _draw_rosette(pages, middle)
    for number in range(1, NUMBERS_COUNT + 1):
        _draw_number(pages, middle, number)
    for index in range(NUMBERS_COUNT):
        share = (index + 0.5) / NUMBERS_COUNT
        x, y = middle + _outwards(share) * 26.5
        placed = Placed(SYMBOLS[index], float(x), float(y), 5.5, 360 * share)
        pages.drawing(placed, BRASS, GREEN)
    pages.shape(_trace_circle(middle, SHAFT_MM / 2), WHITE)
    pages.path(_trace_circle(middle, SHAFT_MM / 2), BLACK, 0.15)


def _draw_plate(pages: Pages, x: float, y: float) -> None:
    pages.shape(np.array([(x, y - 24), (x - 4, y - 31), (x + 4, y - 31)]), RED)
    words = "The pointer: glue it on the box, above the wheel."
    pages.text((x, y - 19), words, 3.4, BLACK, Align.MIDDLE)
    pages.box((x - 44, y - 12), (88, 52), GREEN)
    pages.drawing(Placed(PLAIN, x, y + 14, 44), IVORY, GREEN)
    for side, word in ((-1, "THE"), (1, "VAULT")):
        at = (x + side * 29, y + 16)
        pages.text(at, word, 6.5, BRASS, Align.MIDDLE, bold=True)
    words = "A plate for the front of the vault."
    pages.text((x, y + 46), words, 3.4, BLACK, Align.MIDDLE)


def dial_pdf(job: Job | None = None) -> bytes:
    """Make a PDF of the wheel's dial: six numbers, four of 24 clicks apart."""
    job = job or Job()
    pages = job.pages("Vault dial")
    pages.heading(
        "The vault's wheel",
        (
            "Glue on card, cut round, punch the middle, and set 1 at the knob's mark.",
            "For a wheel of 24 clicks: four from each number to the next.",
        ),
    )
    middle = pages.width_mm / 2
    _draw_wheel(pages, np.array([middle, 92.0]))
    _draw_plate(pages, middle, 174.0)
    draw_ruler(pages)
    pages.next_page()
    return pages.pdf()
