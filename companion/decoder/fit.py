"""Fitting one face with a free affine map, then measuring whether it wears a mask.

Only what both templates share steers the fit, so that it cannot be drawn towards
either answer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Deck
from companion.decoder.phase import Field

Float = NDArray[np.float32]
Map = NDArray[np.float64]

FINE_ROWS = 36
"""Height of a face while it is fitted, in elements."""


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """One face in a hidden picture.

    Attributes:
        centre_px: Its centre in the frame, x and y.
        box_px: (4, 2) corners of the template's box in the frame, clockwise from the
            face's own top left.
        likeness: Correlation with the better of the two templates, -1..1.
        mask: -1 if the plain face fits exactly, 1 if the masked one does.
        spread: Standard deviation of `mask` from noise alone.
        seen: Share of the face that lies where the panel can be trusted, 0..1.
        patch: (FINE_ROWS, columns) float32, the face turned upright, with the sign of
            the templates.
    """

    centre_px: tuple[float, float]
    box_px: Float
    likeness: float
    mask: float
    spread: float
    seen: float
    patch: Float


@dataclass(frozen=True, slots=True)
class Peak:
    """Where a face may be: its score, and a map to start from."""

    score: float
    map: Map  # (2, 3): from fine template elements to elements of the field.


@dataclass(frozen=True, slots=True, eq=False)
class Aids:
    """What fitting needs of a deck, computed once for each deck.

    Attributes:
        plain, masked: The templates at FINE_ROWS rows.
        steepest: (6, n) derivative of the mean template by each affine parameter.
        common_weight: (n,) 0 where the two templates differ, up to 1 elsewhere.
    """

    plain: Float
    masked: Float
    steepest: Float
    common_weight: Float


def _weights(plain: Float, masked: Float) -> Float:
    return np.asarray(1 - np.clip(np.abs(masked - plain) * 1.5, 0, 1), np.float32)


@lru_cache(maxsize=8)
def aids_of(deck: Deck) -> Aids:
    """The templates of a deck, scaled and differentiated; kept for the next frame."""
    blur = 0.45 * FINE_ROWS / deck.face_height_lines
    plain, masked = deck.at_height(FINE_ROWS, blur)
    weight = _weights(plain, masked)
    middle = (plain + masked) / 2
    by_x = cv2.Sobel(middle, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    by_y = cv2.Sobel(middle, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    y, x = _grid(plain.shape)
    steepest = np.stack([by_x, by_y, by_x * x, by_x * y, by_y * x, by_y * y])
    return Aids(
        plain=plain,
        masked=masked,
        steepest=steepest.reshape(6, -1).astype(np.float32),
        common_weight=weight.ravel(),
    )


def _grid(shape: tuple[int, ...]) -> tuple[Float, Float]:
    """Y and x of each element, counted from the middle in halves of the height."""
    rows, columns = shape
    y, x = np.mgrid[:rows, :columns].astype(np.float32)
    half = rows / 2
    return (y - (rows - 1) / 2) / half, (x - (columns - 1) / 2) / half


def _warp(picture: Float, matrix: Map, shape: tuple[int, ...]) -> Float:
    """The part of a picture under a template; *matrix* maps from its middle."""
    rows, columns = shape
    middle = np.array([(columns - 1) / 2, (rows - 1) / 2])
    moved = np.column_stack([matrix[:, :2], matrix[:, 2] - matrix[:, :2] @ middle])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    out = cv2.warpAffine(picture, moved, (columns, rows), flags=flags)
    return np.asarray(out, np.float32)


def fit_face(
    peak: Peak, field: Field, shown: Float, aids: Aids, sign: int
) -> Face | None:
    """Fit a free affine map by Gauss-Newton steps, then weigh the face.

    Returns:
        The face; None if there is none or the fit went astray.

    Source:
        Baker and Matthews, Lucas-Kanade 20 years on (2004), inverse compositional.
    """
    shape = aids.plain.shape
    rows = shape[0]
    signed = np.asarray(sign * field.soft * field.weight, np.float32)
    middle = ((aids.plain + aids.masked) * np.float32(0.5)).ravel()
    matrix = peak.map.copy()
    for step in range(8):
        patch = _warp(signed, matrix, shape).ravel()
        weight = aids.common_weight
        gain, level = _level(patch, middle, weight)
        if gain < 0.15:
            return None
        error = ((patch - level) / gain - middle) * weight
        gauss = (aids.steepest * weight) @ aids.steepest.T
        gauss += np.eye(6) * 0.02 * np.trace(gauss) / 6
        move = np.asarray(np.linalg.solve(gauss, aids.steepest @ error), np.float64)
        matrix = _compose(matrix, move, rows / 2)
        if np.abs(move[:2]).max() < 0.02 and step >= 2:
            break
    if not _plausible(matrix, peak.map, rows):
        return None
    return _weigh(matrix, field, signed, aids)


def _compose(matrix: Map, move: NDArray[np.float64], half: float) -> Map:
    """The map after an inverse compositional step *move*, in template coordinates."""
    linear = np.eye(2) + np.array([[move[2], move[3]], [move[4], move[5]]]) / half
    inverse = np.linalg.inv(linear)
    shift = inverse @ move[:2]
    out = matrix.copy()
    out[:, :2] = matrix[:, :2] @ inverse
    out[:, 2] = matrix[:, 2] - matrix[:, :2] @ shift
    return out


def _plausible(matrix: Map, first: Map, rows: int) -> bool:
    """Whether the fit stayed near where it began."""
    change = np.linalg.inv(first[:, :2]) @ matrix[:, :2]
    stretch = np.linalg.svd(change, compute_uv=False)
    moved = np.linalg.inv(first[:, :2]) @ (matrix[:, 2] - first[:, 2])
    return bool(
        stretch.max() < 1.45 and stretch.min() > 0.69 and np.hypot(*moved) < 0.3 * rows
    )


def _level(patch: Float, template: Float, weight: Float) -> tuple[float, float]:
    """Gain and level from template to patch, by weighted least squares."""
    total = weight.sum() + 1e-6
    mean_t = float((weight * template).sum() / total)
    mean_p = float((weight * patch).sum() / total)
    centred = template - mean_t
    gain = float(
        (weight * centred * patch).sum() / ((weight * centred**2).sum() + 1e-6)
    )
    return gain, mean_p - gain * mean_t


def levelled(picture: Float, aids: Aids, patch: Float | None = None) -> Float:
    """A picture, as light and dark as the templates.

    Args:
        picture: (rows, columns) float32, what a field shows.
        aids: The templates.
        patch: The part of it under the template; if not given, the whole.
    """
    middle = ((aids.plain + aids.masked) * np.float32(0.5)).ravel()
    part = (picture if patch is None else patch).ravel()
    gain, level = _level(part, middle, aids.common_weight)
    return np.asarray((picture - level) / max(gain, 0.15), np.float32)


def _likeness(patch: Float, template: Float, weight: Float) -> float:
    total = weight.sum() + 1e-6
    p = patch - (weight * patch).sum() / total
    t = template - (weight * template).sum() / total
    under = math.sqrt(float((weight * p * p).sum() * (weight * t * t).sum())) + 1e-6
    return float((weight * p * t).sum()) / under


def _weigh(matrix: Map, field: Field, signed: Float, aids: Aids) -> Face:
    shape = aids.plain.shape
    patch = _warp(signed, matrix, shape).ravel()
    trust = np.clip(_warp(field.weight, matrix, shape).ravel(), 0, 1)
    trust = trust.astype(np.float32)
    plain, masked = aids.plain.ravel(), aids.masked.ravel()
    middle = (plain + masked) * np.float32(0.5)
    difference = masked - plain
    gain, level = _level(patch, middle, aids.common_weight * trust)
    flat = (patch - level) / max(gain, 0.05)
    away = trust * difference
    power = float((away * difference).sum()) + 1e-6
    mask = 2 * float((away * (flat - middle)).sum()) / power
    rest = (flat - middle) * aids.common_weight * trust
    noise = float(
        np.sqrt((rest**2).sum() / ((aids.common_weight * trust).sum() + 1e-6))
    )
    likeness = max(_likeness(patch, plain, trust), _likeness(patch, masked, trust))
    scale, origin = field.step_px, np.array(field.origin_px)
    rows, columns = shape
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (columns / 2, rows / 2)
    box = (corners @ matrix[:, :2].T + matrix[:, 2]) * scale + origin
    centre = matrix[:, 2] * scale + origin
    return Face(
        centre_px=(float(centre[0]), float(centre[1])),
        box_px=box.astype(np.float32),
        likeness=likeness,
        mask=mask,
        spread=2 * noise / math.sqrt(power) * 2,
        seen=float(trust.mean()),
        patch=patch.reshape(shape).astype(np.float32),
    )
