"""Chooses between a print's carrier and its JPEG aliases, by the faces found on it.

The *carrier* is the wave of the print's lines, given by its frequency. JPEG may repeat
a fine carrier at coarser frequencies, its *aliases*, and weaken it so much that only an
alias is measured. But the size and direction of a face *imply* the pitch and direction
of its deck's lines in the frame. So if an alias was measured, the faces imply the finer
carrier behind it. If the notes were printed at another pitch, the faces imply neither,
and the measured carrier is kept.
"""

from __future__ import annotations

import math

import numpy as np

from companion.decoder.deck import Deck
from companion.decoder.fit import Face
from companion.decoder.tiles import FREQUENCY_MAX, aliases_of

Frequency = tuple[float, float]

APART_MAX = 0.12
"""Greatest distance of a carrier from the one that faces imply, as a share of that.

Tilt changes a carrier by a few percent across a panel, and faces are printed slightly
turned."""

LOST_FROM = 0.37
"""Periods a pixel above which JPEG may leave only an alias of a carrier.

A coarser carrier is not chosen unless it was measured."""


def carrier_implied_by(face: Face, deck: Deck) -> Frequency:
    """Return the frequency that a face printed at its deck's pitch implies, (x, y)."""
    rows, columns = deck.plain.shape
    box = face.box_px.astype(np.float64)
    height_lines = deck.face_height_lines
    # Directions of the upright note, seen in the frame, in pixels a line period.
    right = (box[1] - box[0]) / (height_lines * columns / rows)
    down = (box[3] - box[0]) / height_lines
    # How many lines a line period in each of these directions crosses.
    angle = math.radians(deck.angle_deg)
    lines_crossed = np.array([math.cos(angle), math.sin(angle)])
    x, y = np.linalg.solve(np.array([right, down]), lines_crossed).tolist()
    return float(x), float(y)


def true_carrier(measured: Frequency, faces: tuple[Face, ...], deck: Deck) -> Frequency:
    """Return the measured carrier, or the finer one that the faces imply instead.

    Args:
        measured: Frequency of the lines, (x, y) periods a pixel, of either sign.
        faces: The faces found on these lines, in the same pixels; at least one.
        deck: The deck of the faces.
    """
    implied = _mean_implied(faces, deck)
    if _relative_distance(measured, implied) <= APART_MAX:
        return measured
    # If an alias was measured, its own aliases include the carrier.
    lost_carriers = [
        alias
        for alias in aliases_of(*measured)
        if LOST_FROM < math.hypot(*alias) < FREQUENCY_MAX
    ]
    nearest = min(
        lost_carriers,
        key=lambda carrier: _relative_distance(carrier, implied),
        default=measured,
    )
    return nearest if _relative_distance(nearest, implied) <= APART_MAX else measured


def carrier_error(measured: Frequency, faces: tuple[Face, ...], deck: Deck) -> float:
    """Return a carrier's distance from the one that faces imply, as a share of that.

    The arguments are those of `true_carrier`.
    """
    return _relative_distance(measured, _mean_implied(faces, deck))


def _mean_implied(faces: tuple[Face, ...], deck: Deck) -> Frequency:
    x, y = np.mean([carrier_implied_by(face, deck) for face in faces], axis=0).tolist()
    return float(x), float(y)


def _relative_distance(carrier: Frequency, implied: Frequency) -> float:
    """Return the distance of two carriers of either sign, as a share of *implied*."""
    of_same_sign = math.dist(carrier, implied)
    of_other_sign = math.dist((-carrier[0], -carrier[1]), implied)
    return min(of_same_sign, of_other_sign) / math.hypot(*implied)
