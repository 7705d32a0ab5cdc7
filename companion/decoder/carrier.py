"""Which of a carrier and its aliases the print has: the faces on it tell.

A face's box says how many pixels a line of its deck takes, and which way. JPEG may
have left an alias only, and then the faces fit the alias's finer brother; but a deck
printed with lines of another pitch fits neither, and has the lines that were found.
"""

from __future__ import annotations

import math

import numpy as np

from companion.decoder.deck import Deck
from companion.decoder.fit import Face
from companion.decoder.tiles import FREQUENCY_MAX, aliases_of

Frequency = tuple[float, float]

APART_MAX = 0.12
"""How far a carrier may lie off what faces tell, as a share of it: tilt moves it by
some percent from one end of a panel to the other, and faces are turned a little."""

LOST_FROM = 0.37
"""Periods a pixel from which JPEG may have left nothing but an alias."""


def told_by(face: Face, deck: Deck) -> Frequency:
    """The carrier under a face if its deck's pitch is right, (x, y) periods a pixel."""
    rows, columns = deck.plain.shape
    box = face.box_px.astype(np.float64)
    lines_high = deck.face_height_lines
    right = (box[1] - box[0]) / (lines_high * columns / rows)
    down = (box[3] - box[0]) / lines_high
    angle = math.radians(deck.angle_deg)
    normal = np.array([math.cos(angle), math.sin(angle)])
    x, y = np.linalg.solve(np.column_stack([right, down]).T, normal).tolist()
    return float(x), float(y)


def believed(own: Frequency, faces: tuple[Face, ...], deck: Deck) -> Frequency:
    """The alias of a carrier that faces fit and the carrier does not; else itself.

    Args:
        own: Of the lines that were found, (x, y) periods a pixel, of either sign.
        faces: On them, in the same pixels; at least one.
        deck: Whose faces.
    """
    x, y = np.mean([told_by(face, deck) for face in faces], axis=0).tolist()
    told = float(x), float(y)
    if _apart(own, told) <= APART_MAX:
        return own
    finer = [a for a in aliases_of(*own) if LOST_FROM < math.hypot(*a) < FREQUENCY_MAX]
    best = min(finer, key=lambda alias: _apart(alias, told), default=own)
    return best if _apart(best, told) <= APART_MAX else own


def _apart(one: Frequency, told: Frequency) -> float:
    """Distance of two carriers as a share of the second; a carrier has no sign."""
    same = math.dist(one, told)
    turned = math.dist((-one[0], -one[1]), told)
    return min(same, turned) / math.hypot(*told)
