"""Reading what a note of our own print is worth, from the numbers beside its panel.

Where the panel lies in the picture, so does the note around it: its two numbers stand
in known places. Each is compared with drawings of every amount that there may be. Notes
of other decks have their numbers elsewhere, or none is known, so nothing is read there.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from companion.decoder import Deck, Reading

Pixels = NDArray[np.uint8]
Grey = NDArray[np.float32]

AMOUNTS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""The notes that boxes have."""

PX = 4
"""Pixels a millimetre of the flattened note."""

MARGIN_MM = 5
"""How much is shown around the note: its place is known to a few millimetres."""

NOTE_MM, PANEL_MM, PANEL_AT_MM = (100, 50), (58.0, 36.0), (21.0, 7.0)
"""Size of a note, size of its panel, and where that is; see ``printing/faces.py``."""

PLACES_MM = ((0, 1, 22, 16), (78, 35, 100, 50))
"""Where its numbers stand: left, top, right and bottom on the note."""

SCALES = (0.92, 1.0, 1.08)
GAP_PX = 10
"""How much nothing follows a number: else 50 would be in 500."""

SUM_MIN, MARGIN_MIN = 0.85, 0.03
"""How alike the two numbers must be together, and how much more than any other's.

Of 70 photographs of printed notes at the simulator's *normal* the right amount had 0.90
and more; all but two led by more than this, and those two are not told.
"""


def value_of(pixels: Pixels, reading: Reading, deck: Deck) -> int:
    """What the note is worth; 0 where that cannot be told.

    Args:
        pixels: The picture that was read: (height, width, 3) uint8 BGR.
        reading: What was read, with the corners of its panel.
        deck: The deck it was read with.
    """
    if deck.is_learnt or reading.picture is None:
        return 0
    ranked = scores(pixels, reading)
    (best, value), (second, _) = ranked[0], ranked[1]
    return value if best >= SUM_MIN and best - second >= MARGIN_MIN else 0


def scores(pixels: Pixels, reading: Reading) -> list[tuple[float, int]]:
    """How alike the note's numbers are to each amount, the most alike first."""
    flat = _flattened(pixels, reading)
    left, top, right, bottom = range(4)
    places = [
        flat[
            (MARGIN_MM + at[top]) * PX : (MARGIN_MM + at[bottom]) * PX,
            (MARGIN_MM + at[left]) * PX : (MARGIN_MM + at[right]) * PX,
        ]
        for at in PLACES_MM
    ]
    found = []
    for amount in AMOUNTS:
        alike = [
            max(_alike(place, _drawn(amount, scale)) for scale in SCALES)
            for place in places
        ]
        found.append((max(alike) + 0.5 * min(alike), amount))
    return sorted(found, reverse=True)


def _flattened(pixels: Pixels, reading: Reading) -> Grey:
    """The note seen from straight above, dark things light, on an even ground."""
    (x, y), (width, height) = PANEL_AT_MM, PANEL_MM
    corners = np.array(
        [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
    )
    matrix = cv2.getPerspectiveTransform(
        np.asarray(reading.corners_px, np.float32),
        np.asarray((corners + MARGIN_MM) * PX, np.float32),
    )
    size = tuple((side + 2 * MARGIN_MM) * PX for side in NOTE_MM)
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    flat = cv2.warpPerspective(grey, matrix, size, flags=cv2.INTER_AREA)
    dark = cv2.GaussianBlur(np.asarray(255 - flat, np.float32), (0, 0), 0.8)
    return np.asarray(dark - cv2.GaussianBlur(dark, (0, 0), 4 * PX), np.float32)


def _alike(place: Grey, drawing: Grey) -> float:
    alike = cv2.matchTemplate(place, drawing, cv2.TM_CCOEFF_NORMED)
    return float(alike.max())


@lru_cache(64)
def _drawn(amount: int, scale: float) -> Grey:
    """The digits of an amount as large as on a note, with nothing behind them."""
    digits = str(amount)
    em_mm = min(8.0, 24 / (len(digits) + 1))  # Before them is the currency's sign.
    page = Image.new("L", (200 * len(digits) + 100, 320), 0)
    font = ImageFont.load_default(size=200)
    ImageDraw.Draw(page).text((40, 20), digits, fill=255, font=font, stroke_width=7)
    whole = np.asarray(page.crop(page.getbbox()), np.uint8)
    factor = 0.72 * scale * em_mm * PX / whole.shape[0]
    small = cv2.resize(whole, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    edges = (3, 3, 2, GAP_PX)
    around = cv2.copyMakeBorder(small, *edges, cv2.BORDER_CONSTANT, value=0)
    return np.asarray(around, np.float32)
