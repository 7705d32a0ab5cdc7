"""Choosing between a print's carrier and its JPEG aliases, by the faces found on it.

The carrier is the wave of the print's lines. The box of a face tells how many pixels a
line of its deck takes, and in which direction. If JPEG has left only an alias, the
faces fit the finer carrier behind it; if the deck was printed with lines of another
pitch, they fit neither, and the lines that were found are believed.
"""

from __future__ import annotations

import math

import numpy as np

from companion.decoder.deck import Deck
from companion.decoder.fit import Face
from companion.decoder.tiles import FREQUENCY_MAX, aliases_of

Frequency = tuple[float, float]

APART_MAX = 0.12
"""How far a carrier may be from what faces tell, as a share of that: tilt changes it by
some percent from one end of a panel to the other, and faces are turned a little."""

LOST_FROM = 0.37
"""Periods a pixel above which a carrier may be believed though only its alias showed:
JPEG weakens such waves, and the faces found must fit."""


def told_by(face: Face, deck: Deck) -> Frequency:
    """Return the carrier that a face implies, if printed at its deck's pitch.

    Returns:
        Its frequency (x, y) in periods a pixel.
    """
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
    """Return the carrier *own*, or its alias if the faces fit only that.

    Args:
        own: Frequency of the lines found, (x, y) periods a pixel, of either sign.
        faces: The faces found on them, in the same pixels; at least one.
        deck: The deck of the faces.
    """
    told = _told(faces, deck)
    if _apart(own, told) <= APART_MAX:
        return own
    finer = [a for a in aliases_of(*own) if LOST_FROM < math.hypot(*a) < FREQUENCY_MAX]
    best = min(finer, key=lambda alias: _apart(alias, told), default=own)
    return best if _apart(best, told) <= APART_MAX else own


def off_by(own: Frequency, faces: tuple[Face, ...], deck: Deck) -> float:
    """Return how far lines are from those that faces tell, as a share of these.

    Args:
        own: Frequency of the lines found, (x, y) periods a pixel, of either sign.
        faces: Faces in the same pixels; at least one.
        deck: The deck of the faces.
    """
    return _apart(own, _told(faces, deck))


def _told(faces: tuple[Face, ...], deck: Deck) -> Frequency:
    x, y = np.mean([told_by(face, deck) for face in faces], axis=0).tolist()
    return float(x), float(y)


def _apart(one: Frequency, told: Frequency) -> float:
    """Distance of two carriers as a share of the second; their sign does not matter."""
    same = math.dist(one, told)
    turned = math.dist((-one[0], -one[1]), told)
    return min(same, turned) / math.hypot(*told)
