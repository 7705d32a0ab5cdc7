"""Finding the deck's faces in a hidden picture, from coarse to fine.

The carrier (the wave of the print's lines) fixes half of the map from line periods on
the paper to the frame; turn, stretch and shear along the lines are searched. A face
that is found is fitted with a free affine map and weighed: does it wear the mask?
"""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Deck
from companion.decoder.fit import FINE_ROWS, Face, Map, Peak, aids_of, fit_face
from companion.decoder.phase import Field

Float = NDArray[np.float32]

COARSE_ROWS = 18
"""Height of a face while it is searched for, in elements."""

TURNS_DEG = (-8.0, 0.0, 8.0)
STRETCHES = ((0.0, 1.0), (0.0, 1.19), (0.0, 0.84), (0.17, 1.0), (-0.17, 1.0))
"""Pairs of shear and stretch along the lines; (0, 1) is seen from straight above."""

PEAK_MIN = 0.42
HOPE_MIN = 0.5
"""If nothing is as alike as this for one tilt of the paper, no other tilt is tried."""

ENOUGH = 2.2
"""A total from which no other tilt is tried: five faces at 0.8 or so."""

PEAKS_MAX = 8
FACES_MAX = 8
ENERGY_FLOOR = 0.12
"""Added to the variance of each window, so that blank paper matches nothing."""


@lru_cache(maxsize=8)
def _coarse(deck: Deck) -> tuple[tuple[float, Float], ...]:
    plain, masked = deck.at_height(
        COARSE_ROWS, 0.5 * COARSE_ROWS / deck.face_height_lines
    )
    middle = (plain + masked) / 2
    rows, columns = middle.shape
    paper = float(middle.min())
    turned = []
    for base in (0.0, 180.0):
        for turn in TURNS_DEG:
            out = (columns + 2, rows + 2)
            matrix = cv2.getRotationMatrix2D(
                ((columns - 1) / 2, (rows - 1) / 2), -(base + turn), 1.0
            )
            matrix[:, 2] += 1
            template = cv2.warpAffine(middle, matrix, out, borderValue=paper)
            centred = template.astype(np.float32)
            centred -= centred.mean()
            size = np.float32(np.sqrt((centred**2).sum()))
            turned.append((base + turn, np.asarray(centred / size, np.float32)))
    return tuple(turned)


def paper_map(
    deck: Deck, frequency: tuple[float, float], shear: float = 0, stretch: float = 1
) -> Map:
    """The map from line periods on the upright paper to pixels, from the carrier.

    Args:
        deck: The deck; only the angle of its lines counts.
        frequency: Frequency of the carrier, (x, y) periods a pixel.
        shear: Shear along the lines, 0 for a note seen from straight above.
        stretch: Stretch along the lines, 1 for a note seen from straight above.

    Returns:
        (2, 2), in pixels a line period.
    """
    size = math.hypot(*frequency)
    along = np.array(frequency) / size
    across = np.array([-along[1], along[0]])
    angle = math.radians(deck.angle_deg)
    normal = np.array([math.cos(angle), math.sin(angle)])
    line = np.array([-normal[1], normal[0]])
    return (
        np.outer(along, normal) + np.outer(across, shear * normal + stretch * line)
    ) / size


def find_faces(field: Field, deck: Deck) -> tuple[Face, ...]:
    """The deck's faces, most alike first; empty where there are none.

    Args:
        field: A screen's hidden picture, made with the deck's shift.
        deck: The deck whose faces are sought.
    """
    aids = aids_of(deck)
    shown = field.soft * field.weight
    peaks = _peaks(shown, field, deck)
    faces = [
        fit_face(peak, field, shown, aids, sign) for sign, peak in peaks[:PEAKS_MAX]
    ]
    found = sorted((f for f in faces if f is not None), key=lambda f: -f.likeness)
    return tuple(_apart(found)[:FACES_MAX])


def _peaks(shown: Float, field: Field, deck: Deck) -> list[tuple[int, Peak]]:
    """Places of the best orientation and sign, with the sign, best place first."""
    groups: dict[tuple[int, int], list[Peak]] = {}
    for shear, stretch in STRETCHES:
        base = paper_map(deck, field.frequency, shear, stretch) / field.step_px
        _search(shown, base, deck, groups)
        best = max((p.score for g in groups.values() for p in g), default=0.0)
        if best < HOPE_MIN or _total(groups) > ENOUGH:
            break
    if not groups:
        return []
    (_, sign), peaks = max(groups.items(), key=lambda item: _sum(item[1]))
    kept: list[Peak] = []
    for peak in sorted(peaks, key=lambda p: -p.score):
        apart = 0.5 * np.sqrt(abs(np.linalg.det(peak.map[:, :2]))) * FINE_ROWS
        if all(np.hypot(*(peak.map[:, 2] - k.map[:, 2])) > apart for k in kept):
            kept.append(peak)
    return [(sign, peak) for peak in kept]


def _sum(peaks: list[Peak]) -> float:
    """The score of a group of places: the sum over its best five."""
    best: list[tuple[float, float]] = []
    total = 0.0
    for peak in sorted(peaks, key=lambda p: -p.score)[:24]:
        x, y = peak.map[:, 2].tolist()
        if all(math.hypot(x - p, y - q) > 8 for p, q in best):
            best.append((x, y))
            total += peak.score - 0.35
        if len(best) == 5:
            break
    return total


def _total(groups: dict[tuple[int, int], list[Peak]]) -> float:
    return max((_sum(peaks) for peaks in groups.values()), default=0)


def _search(
    shown: Float,
    base: Map,
    deck: Deck,
    groups: dict[tuple[int, int], list[Peak]],
) -> None:
    """Correlate under one map of the paper; add peaks to *groups*.

    A group is an orientation (0 upright, 1 upside down) and a sign.
    """
    per_line = COARSE_ROWS / deck.face_height_lines
    matrix = base / per_line  # From coarse elements to elements of the field.
    inverse = np.linalg.inv(matrix)
    rows, columns = shown.shape
    corners = np.array([(0, 0), (columns, 0), (0, rows), (columns, rows)]) @ inverse.T
    low, high = corners.min(axis=0), corners.max(axis=0)
    size = np.ceil(high - low).astype(int) + 1
    if (size < COARSE_ROWS + 4).any() or (size > 600).any():
        return
    offset = matrix @ low
    whole = np.column_stack([matrix, offset])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    canvas = cv2.warpAffine(shown, whole, (int(size[0]), int(size[1])), flags=flags)
    canvas = np.asarray(cv2.GaussianBlur(canvas, (3, 3), 0.6), np.float32)
    coarse = _coarse(deck)
    shape = coarse[0][1].shape
    box = (shape[1], shape[0])
    count = box[0] * box[1]
    mean = cv2.blur(canvas, box)
    variance = cv2.blur(canvas * canvas, box) - mean * mean
    norm = 1 / np.sqrt(count * (np.maximum(variance, 0) + ENERGY_FLOOR))
    top, left = shape[0] // 2, shape[1] // 2
    for turn, template in coarse:
        scores = cv2.matchTemplate(canvas, template, cv2.TM_CCORR)
        scores *= norm[top : top + scores.shape[0], left : left + scores.shape[1]]
        for sign in (1, -1):
            if (scores.max() if sign > 0 else -scores.min()) <= PEAK_MIN:
                continue
            peaks = groups.setdefault((int(abs(turn) > 90), sign), [])
            signed = np.asarray(scores * sign, np.float32)
            peaks.extend(_maxima(signed, whole, shape, turn))


def _maxima(
    scores: Float,
    whole: Map,
    shape: tuple[int, ...],
    turn_deg: float,
) -> list[Peak]:
    wide = cv2.dilate(scores, np.ones((9, 9), np.uint8))
    ys, xs = np.divmod(
        np.flatnonzero((scores >= wide) & (scores > PEAK_MIN)), scores.shape[1]
    )
    scale = COARSE_ROWS / FINE_ROWS
    angle = math.radians(turn_deg)
    rotation = np.array(
        [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
    )
    found = []
    for y, x in zip(ys.tolist(), xs.tolist(), strict=True):
        middle = np.array([x + (shape[1] - 1) / 2, y + (shape[0] - 1) / 2])
        at = whole[:, :2] @ middle + whole[:, 2]
        linear = whole[:, :2] @ rotation * scale
        found.append(Peak(float(scores[y, x]), np.column_stack([linear, at])))
    return found


def _apart(faces: list[Face]) -> list[Face]:
    """The faces without those that lie on a better one; the best must come first."""
    kept: list[Face] = []
    for face in faces:
        size = math.sqrt(abs(float(cv2.contourArea(face.box_px)))) * 0.5
        if all(math.dist(face.centre_px, k.centre_px) > size for k in kept):
            kept.append(face)
    return kept
