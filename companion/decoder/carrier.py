"""Chooses between a print's carrier and its JPEG aliases, by the faces found on it.

The *carrier* is the wave of the print's lines, given by its frequency. JPEG may repeat
a fine carrier at coarser frequencies, its *aliases*, and weaken the carrier itself so
much that only an alias was measured. The faces help: the size and direction of a face
*imply* how many pixels a line of its deck takes, and in which direction. If an alias
was measured, the faces fit the finer carrier behind it. If the notes were printed with
lines of another pitch, the faces fit neither, and the measured carrier is kept.
"""

from __future__ import annotations

import math

import numpy as np

from companion.decoder.deck import Deck
from companion.decoder.fit import Face
from companion.decoder.tiles import FREQUENCY_MAX, aliases_of

Frequency = tuple[float, float]

APART_MAX = 0.12
"""How far a carrier may be from the one that faces imply, as a share of the latter.

Tilt changes a carrier by some percent from one end of a panel to the other, and faces
are printed turned a little."""

LOST_FROM = 0.37
"""Periods a pixel above which JPEG may have left only an alias of a carrier.

Only such a carrier is chosen although it was not measured."""


def carrier_implied_by(face: Face, deck: Deck) -> Frequency:
    """Return the carrier that a face implies, if it was printed at its deck's pitch.

    Returns:
        Its frequency (x, y) in periods a pixel.
    """
    rows, columns = deck.plain.shape
    box = face.box_px.astype(np.float64)
    lines_high = deck.face_height_lines
    # The note's own right and down in the frame, in pixels a line period.
    right = (box[1] - box[0]) / (lines_high * columns / rows)
    down = (box[3] - box[0]) / lines_high
    angle = math.radians(deck.angle_deg)
    normal = np.array([math.cos(angle), math.sin(angle)])
    x, y = np.linalg.solve(np.column_stack([right, down]).T, normal).tolist()
    return float(x), float(y)


def true_carrier(measured: Frequency, faces: tuple[Face, ...], deck: Deck) -> Frequency:
    """Return the measured carrier, or its alias if the faces fit only that.

    Args:
        measured: Frequency of the lines found, (x, y) periods a pixel, of either sign.
        faces: The faces found on them, in the same pixels; at least one.
        deck: The deck of the faces.
    """
    implied = _mean_implied(faces, deck)
    if _relative_distance(measured, implied) <= APART_MAX:
        return measured
    aliases = [
        a for a in aliases_of(*measured) if LOST_FROM < math.hypot(*a) < FREQUENCY_MAX
    ]
    best = min(
        aliases, key=lambda alias: _relative_distance(alias, implied), default=measured
    )
    return best if _relative_distance(best, implied) <= APART_MAX else measured


def carrier_error(measured: Frequency, faces: tuple[Face, ...], deck: Deck) -> float:
    """Return how far a carrier is from what faces imply, as a share of the latter.

    Args:
        measured: Frequency of the lines found, (x, y) periods a pixel, of either sign.
        faces: Faces in the same pixels; at least one.
        deck: The deck of the faces.
    """
    return _relative_distance(measured, _mean_implied(faces, deck))


def _mean_implied(faces: tuple[Face, ...], deck: Deck) -> Frequency:
    """Return the mean of the carriers that the faces imply."""
    x, y = np.mean([carrier_implied_by(face, deck) for face in faces], axis=0).tolist()
    return float(x), float(y)


def _relative_distance(carrier: Frequency, implied: Frequency) -> float:
    """Return the distance of two carriers of either sign, as a share of the second."""
    same = math.dist(carrier, implied)
    turned = math.dist((-carrier[0], -carrier[1]), implied)
    return min(same, turned) / math.hypot(*implied)
