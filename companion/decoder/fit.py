"""Fits one face with a free affine map, then measures whether it wears a mask.

- templates: a deck's two pictures, of its plain and of its masked face.
- map: an affine one, from a template to a place in a hidden picture.
- patch: the picture at that place, turned upright.
- gain and level: a patch is taken as a template times a gain plus a level, since a
  picture may be fainter, lighter or darker than the deck.
- aids: what is computed from a deck's templates once, for all its fits.

The map is improved in steps until the patch agrees best with the average of both
templates. Only what the two have in common steers the fit, so that it favours neither
answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Deck
from companion.decoder.phase import Field

Float = NDArray[np.float32]
Map = NDArray[np.float64]

TINY = 1e-6
"""Added to divisors, so that none is zero."""

# Templates.

FINE_ROWS = 36
"""Height of a face while it is fitted, in elements."""

TEMPLATE_BLUR = 0.45
"""Standard deviation of the templates' blur, in line periods.

It is about that of a field, `phase.LOWPASS_LINES`. With 30 % less, 2 of 151 notes are
no longer read; with 30 % more, 1.
"""

# Steps of a fit.

STEPS_MIN, STEPS_MAX = 3, 8
"""Least and most steps of a fit."""

STILL = 0.02
"""A fit ends with a step that moves the map by less than this, in elements.

It is far below the noise; 30 % less or more changes no verdict.
"""

GAIN_MIN = 0.15
"""Least gain of a patch; a fit with less is given up.

Of 669 faces alike enough to count, the least gain was 0.63. A seventh of this limit, or
30 % more, changes no verdict.
"""

STRETCH_MAX = 1.45
"""Largest factor by which a fit may stretch or squeeze its first map.

It is twice the step between the stretches that are searched. With 30 % less nearly no
face can be fitted; 30 % more, or no limit, changes no verdict.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """One face in a hidden picture.

    Attributes:
        centre_px: Its centre in the frame, x and y.
        box_px: (4, 2) corners of the template's box in the frame, clockwise from the
            face's own top left.
        likeness: Correlation with the template that it is more like, -1..1.
        mask: -1 where the plain template fits exactly, 1 where the masked one does.
        spread: Standard deviation of `mask` from noise alone.
        seen: Share of the face that lies where the panel can be trusted, 0..1.
        shown: Share of what differs between the templates, such as the eyes, that lies
            where the panel can be trusted, 0..1.
        patch: (FINE_ROWS, columns) float32, upright, with the sign of the templates.
    """

    centre_px: tuple[float, float]
    box_px: Float
    likeness: float
    mask: float
    spread: float
    seen: float
    shown: float
    patch: Float


def best_likeness(faces: Iterable[Face]) -> float:
    """Return the likeness of the clearest face; 0 without faces."""
    return max((face.likeness for face in faces), default=0.0)


@dataclass(frozen=True, slots=True)
class Peak:
    """Where a face may be: its score, and a map to start from."""

    score: float
    map: Map  # (2, 3): from fine template elements to elements of the field.


@dataclass(frozen=True, slots=True, eq=False)
class Aids:
    """What is computed from a deck's templates once, for all its fits.

    A template has n elements. A *step* is six numbers: the change of an affine map.

    Attributes:
        plain, masked: The templates at FINE_ROWS rows.
        average: (n,) the average of the two templates.
        average_mean: Mean of `average`, weighted by `common_weight`.
        difference: (n,) the masked template minus the plain one.
        common_weight: (n,) 1 where the two templates agree, down to 0 where they
            differ.
        probe: (8, n) matrix. Its product with a patch holds the patch's mean, its gain
            over `average`, and the step that it calls for if its level is 0.
        step_of_level: (6,) the step that a constant patch of 1 calls for.
        step_of_average: (6,) the step that `average` itself calls for.
        within: (2, n) for the plain and for the masked face, 1 within and on the
            outline, else 0.
    """

    plain: Float
    masked: Float
    average: Float
    average_mean: float
    difference: Float
    common_weight: Float
    probe: Float
    step_of_level: Map
    step_of_average: Map
    within: Float


@lru_cache(maxsize=8)
def aids_of(deck: Deck) -> Aids:
    """Prepare a deck's templates for fitting, and keep them for the next frame."""
    blur = TEMPLATE_BLUR * FINE_ROWS / deck.face_height_lines
    plain, masked = deck.at_height(FINE_ROWS, blur)
    differs = np.clip(np.abs(masked - plain), 0, 1)
    weight = np.asarray(1 - differs, np.float32).ravel()
    average = np.asarray((plain + masked) / 2, np.float32)
    flat = average.ravel()
    total = float(weight.sum()) + TINY
    mean = float(weight @ flat) / total
    # Each is multiplied with a patch: for its mean, its gain, and its step.
    for_mean = weight / total
    centred = weight * (flat - mean)
    for_gain = centred / (float(centred @ (flat - mean)) + TINY)
    for_step = _step_matrix(average, weight)
    return Aids(
        plain=plain,
        masked=masked,
        average=flat,
        average_mean=mean,
        difference=(masked - plain).ravel(),
        common_weight=weight,
        probe=np.vstack([for_mean, for_gain, for_step]).astype(np.float32),
        step_of_level=for_step.sum(axis=1),
        step_of_average=for_step @ flat,
        within=np.stack([_mark_within(plain), _mark_within(masked)]),
    )


def _mark_within(template: Float) -> Float:
    """Mark with 1 the elements within, on and next to a face's outline: (n,)."""
    marks = np.asarray(template > 0, np.uint8)
    outlines, _ = cv2.findContours(marks, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(marks, outlines, -1, 1, cv2.FILLED)
    grown = cv2.dilate(marks, np.ones((3, 3), np.uint8), borderValue=0)
    return np.asarray(grown.ravel(), np.float32)


def _step_matrix(average: Float, weight: Float) -> Map:
    """Compute the (6, n) matrix from an error of the patch to a Gauss-Newton step."""
    # A Sobel kernel's weights add up to 8 for a slope of one.
    by_x = cv2.Sobel(average, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    by_y = cv2.Sobel(average, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    y, x = _grid(average.shape)
    # How the patch changes with each of a step's six numbers.
    changes = [by_x, by_y, by_x * x, by_x * y, by_y * x, by_y * y]
    jacobian = np.stack(changes).reshape(6, -1).astype(np.float64)
    weighed = jacobian * weight
    normal = weighed @ jacobian.T
    return np.asarray(np.linalg.pinv(normal) @ weighed, np.float64)


def _grid(shape: tuple[int, ...]) -> tuple[Float, Float]:
    """Return y and x of each element, counted from the middle in half heights."""
    rows, columns = shape
    y, x = np.mgrid[:rows, :columns].astype(np.float32)
    half = rows / 2
    return (y - (rows - 1) / 2) / half, (x - (columns - 1) / 2) / half


def _warp(picture: Float, matrix: Map, shape: tuple[int, ...]) -> Float:
    """Cut out the patch under a template, whose middle is (0, 0) for *matrix*."""
    rows, columns = shape
    moved = matrix.copy()
    moved[:, 2] -= matrix[:, 0] * ((columns - 1) / 2) + matrix[:, 1] * ((rows - 1) / 2)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    out = cv2.warpAffine(picture, moved, (columns, rows), flags=flags)
    return np.asarray(out, np.float32)


def fit_face(
    peak: Peak, field: Field, shown: Float, aids: Aids, sign: int
) -> Face | None:
    """Fit a free affine map by Gauss-Newton steps, then weigh the face.

    Args:
        peak: Where to begin.
        field: The hidden picture.
        shown: The `soft` of *field* times its `weight`, which many fits share.
        aids: The deck's templates.
        sign: 1 or -1, by which the picture is multiplied to match the templates.

    Returns:
        The face; None if the gain is too small, or the fit went astray.

    Source:
        Baker and Matthews, Lucas-Kanade 20 years on (2004), inverse compositional.
    """
    shape = aids.plain.shape
    half_height = shape[0] / 2
    matrix = peak.map.copy()
    for step in range(1, STEPS_MAX + 1):
        probed = sign * (aids.probe @ _warp(shown, matrix, shape).ravel())
        mean, gain = float(probed[0]), float(probed[1])
        if gain < GAIN_MIN:
            return None
        level = mean - gain * aids.average_mean
        # The patch's step without its level, at a gain of 1, less the average's own.
        move = (probed[2:] - level * aids.step_of_level) / gain - aids.step_of_average
        matrix = _compose(matrix, move, half_height)
        is_still = max(abs(move[0]), abs(move[1])) < STILL
        if is_still and step >= STEPS_MIN:
            break
    if not _is_plausible(matrix, peak.map):
        return None
    patch = sign * _warp(shown, matrix, shape).ravel()
    return _measure_face(matrix, field, patch, aids)


def _compose(matrix: Map, move: NDArray[np.float64], half_height: float) -> Map:
    """Compose a map with the inverse of *move*, a step in template coordinates."""
    x, y, *linear = move.tolist()
    # These four are changes per half height, see `_grid`; a map's are per element.
    # The identity plus them, [[xx, xy], [yx, yy]], is the step's linear part.
    xx, xy, yx, yy = (part / half_height for part in linear)
    xx, yy = 1 + xx, 1 + yy
    inverse = np.array([[yy, -xy], [-yx, xx]]) / (xx * yy - xy * yx)
    out = matrix.copy()
    out[:, :2] = matrix[:, :2] @ inverse
    out[:, 2] -= out[:, 0] * x + out[:, 1] * y
    return out


def _is_plausible(matrix: Map, first: Map) -> bool:
    """Tell whether a fit stayed near its first map, see STRETCH_MAX."""
    change = np.linalg.inv(first[:, :2]) @ matrix[:, :2]
    stretch = np.linalg.svd(change, compute_uv=False)
    return bool(stretch.max() < STRETCH_MAX and stretch.min() > 1 / STRETCH_MAX)


def _fit_level(patch: Float, template: Float, weight: Float) -> tuple[float, float]:
    """Fit a patch's gain and level over a template, by weighted least squares."""
    total = float(weight.sum()) + TINY
    template_mean = float(weight @ template) / total
    patch_mean = float(weight @ patch) / total
    centred = weight * (template - np.float32(template_mean))
    gain = float(centred @ patch) / (float(centred @ template) + TINY)
    return gain, patch_mean - gain * template_mean


def scale_to_templates(picture: Float, aids: Aids, patch: Float | None = None) -> Float:
    """Scale a picture's light and dark to those of the templates.

    Args:
        picture: (rows, columns) float32, cut from a field.
        aids: The templates.
        patch: The part of it at the template's place; None if that is all of it.
    """
    measured = (picture if patch is None else patch).ravel()
    gain, level = _fit_level(measured, aids.average, aids.common_weight)
    return np.asarray((picture - level) / max(gain, GAIN_MIN), np.float32)


def _correlate(patch: Float, template: Float, weight: Float) -> float:
    """Return the weighted correlation of a patch and a template, -1..1."""
    total = float(weight.sum()) + TINY
    off_patch = patch - np.float32(float(weight @ patch) / total)
    off_template = template - np.float32(float(weight @ template) / total)
    weighed_patch, weighed_template = weight * off_patch, weight * off_template
    powers = float(weighed_patch @ off_patch) * float(weighed_template @ off_template)
    return float(weighed_patch @ off_template) / (math.sqrt(powers) + TINY)


def _measure_face(matrix: Map, field: Field, patch: Float, aids: Aids) -> Face:
    """Measure a fitted face: its likeness, and where it lies between the templates.

    Args:
        matrix: The fitted map.
        field: The hidden picture.
        patch: (n,) the patch at that place, with the sign of the templates.
        aids: The templates.
    """
    shape = aids.plain.shape
    trust = np.clip(_warp(field.weight, matrix, shape).ravel(), 0, 1)
    common = aids.common_weight * trust
    gain, level = _fit_level(patch, aids.average, common)
    # A plain patch is now below the average by half the difference, a masked one above.
    rest = (patch - level) / max(gain, GAIN_MIN) - aids.average
    proof = 1.0 if field.proof is None else _warp(field.proof, matrix, shape).ravel()
    proven = trust * proof * aids.difference
    power = float(proven @ aids.difference) + TINY
    # Where the templates agree, what is left is noise.
    weighed = common * rest
    noise = math.sqrt(float(weighed @ weighed) / (common.sum() + TINY))
    full_power = float(aids.difference @ aids.difference) + TINY
    likeness = max(
        _correlate(patch, template.ravel(), trust)
        for template in (aids.plain, aids.masked)
    )
    centre, box = _place_box(matrix, field, shape)
    return Face(
        centre_px=(float(centre[0]), float(centre[1])),
        box_px=box.astype(np.float32),
        likeness=likeness,
        mask=2 * float(proven @ rest) / power,
        spread=2 * noise / math.sqrt(power) * 2,
        seen=float(trust.mean()),
        shown=min(1.0, power / full_power),
        patch=patch.reshape(shape).astype(np.float32),
    )


def _place_box(matrix: Map, field: Field, shape: tuple[int, ...]) -> tuple[Map, Map]:
    """Return the middle and the corners of a template's box, in frame pixels."""
    step, origin = field.step_px, np.array(field.origin_px)
    rows, columns = shape
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (columns / 2, rows / 2)
    box = (corners @ matrix[:, :2].T + matrix[:, 2]) * step + origin
    return matrix[:, 2] * step + origin, box


def mean_likeness(faces: Sequence[Face], deck: Deck, *, masked: bool) -> float:
    """Correlate the mean of a note's faces with the template, within its outline.

    Averaging cancels the noise, but not the features of another face. A solid symbol
    may have a face's outline, but not its interior.

    Args:
        faces: At least one face; all are masked, or all are plain.
        deck: The deck.
        masked: Whether these faces wear the mask.
    """
    aids = aids_of(deck)
    mean = np.mean([scale_to_templates(face.patch, aids) for face in faces], axis=0)
    template = aids.masked if masked else aids.plain
    return _correlate(mean.ravel(), template.ravel(), aids.within[int(masked)])
