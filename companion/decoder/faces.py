"""Finding the deck's faces in a hidden picture, from coarse to fine.

The carrier (the wave of the print's lines) fixes half of the map from line periods on
the paper to the frame; turn, stretch and shear along the lines are searched. A face
that is found is fitted with a free affine map and weighed: does it wear the mask?
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
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
"""If nothing is as alike as this for one tilt of the paper, no other tilt is tried.

Of 381 prints that were read, the least alike at first had 0.555; those under a finger
have less, and are told apart from clutter by it."""

HOPE_ALIASED = 0.56
"""The same for another carrier that is tried; of 10 that were read, all had 0.58."""

HOPE_MIRRORED = 0.6
"""The same for faces in a mirror; 99 of 100 prints that were read had it at first."""

ENOUGH, ENOUGH_BEST = 1.2, 0.78
"""A total, and a best score, from which no other tilt is tried: the fit does the rest.

Of 96 prints that were read half had both at the first look, and none was read less
clearly than after all looks.
"""

PEAKS_MAX = 8
MAXIMA_MAX = 16
"""Most places of one way up and sign, of which few lie on one another."""

FACES_MAX = 8
PATIENCE, PROMISING = 4, 0.5
"""After so many fits, one must be as alike as the second, or no more are tried."""

ROOM_FACES = 0.25
"""Room around the part of a field that is searched, in heights of a face."""

SHOWS_MIN = 0.25
"""Weight from which a field shows anything."""

ENERGY_FLOOR = 0.12
"""Added to the variance of each window, so that blank paper matches nothing."""


@lru_cache(maxsize=8)
def _coarse(deck: Deck) -> tuple[tuple[tuple[float, Float], ...], ...]:
    """Upright and upside down, each turn in degrees with its template."""
    plain, masked = deck.at_height(
        COARSE_ROWS, 0.5 * COARSE_ROWS / deck.face_height_lines
    )
    middle = (plain + masked) / 2
    rows, columns = middle.shape
    paper = float(middle.min())
    ways = []
    for base in (0.0, 180.0):
        turned = []
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
        ways.append(tuple(turned))
    return tuple(ways)


def paper_map(
    deck: Deck, frequency: tuple[float, float], shear: float = 0, stretch: float = 1
) -> Map:
    """The map from line periods on the upright paper to pixels, from the carrier.

    Args:
        deck: The deck; only the angle of its lines counts.
        frequency: Frequency of the carrier, (x, y) periods a pixel.
        shear: Shear along the lines, 0 for a note seen from straight above.
        stretch: Stretch along the lines, 1 for a note seen from straight above,
            negative in a mirror.

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


def find_faces(field: Field, deck: Deck, hope: float = HOPE_MIN) -> tuple[Face, ...]:
    """The deck's faces, most alike first; empty where there are none.

    Args:
        field: A screen's hidden picture, made with the deck's shift.
        deck: The deck whose faces are sought.
        hope: How alike something must be at the first look to be looked at closer.
    """
    return _found(field, deck, 1, hope)


def find_mirrored(field: Field, deck: Deck) -> tuple[Face, ...]:
    """The deck's faces in a frame that was flipped, most alike first.

    Their boxes run counter-clockwise. A picture that shows nothing at the first look
    is not searched further, so that other prints cost little.
    """
    return _found(field, deck, -1, HOPE_MIRRORED)


def _found(field: Field, deck: Deck, side: int, hope: float) -> tuple[Face, ...]:
    """Faces as the paper shows them from its front (*side* 1) or in a mirror (-1)."""
    aids = aids_of(deck)
    shown = field.soft * field.weight
    peaks = _peaks(shown, field, deck, side, hope)
    found: list[Face] = []
    for count, (sign, peak) in enumerate(peaks):
        if count >= PATIENCE and all(f.likeness < PROMISING for f in found):
            break
        face = fit_face(peak, field, shown, aids, sign)
        if face is not None:
            found.append(face)
    found.sort(key=lambda f: -f.likeness)
    return tuple(_apart(found)[:FACES_MAX])


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a face may be, in elements of the field; its map but for the place."""

    score: float
    x: float
    y: float
    linear: Map  # (2, 2): from fine template elements to elements of the field.
    apart: float  # How far another face must be, in elements of the field.


Groups = dict[tuple[int, int], list[_Place]]
"""Places by orientation (0 upright, 1 upside down) and sign."""


def _peaks(
    shown: Float, field: Field, deck: Deck, side: int, hope: float
) -> list[tuple[int, Peak]]:
    """Places of the best orientation and sign, with the sign, best place first."""
    groups: Groups = {}
    outline = _outline(field)
    if outline is None:
        return []
    for shear, stretch in STRETCHES:
        base = paper_map(deck, field.frequency, shear, side * stretch) / field.step_px
        _search(shown, outline, base, deck, groups)
        groups = {key: _distinct(places) for key, places in groups.items()}
        best = max((places[0].score for places in groups.values()), default=0.0)
        total = max(map(_sum, groups.values()), default=0.0)
        if best < hope or (best > ENOUGH_BEST and total > ENOUGH):
            break
    if not groups:
        return []
    (_, sign), places = max(groups.items(), key=lambda item: _sum(item[1]))
    at = [(p.score, p.linear, (p.x, p.y)) for p in places]
    return [(sign, Peak(score, np.column_stack([m, xy]))) for score, m, xy in at]


def _distinct(places: list[_Place]) -> list[_Place]:
    """The best PEAKS_MAX places that lie apart, best first."""
    kept: list[_Place] = []
    for place in sorted(places, key=lambda p: -p.score):
        if all(math.hypot(place.x - k.x, place.y - k.y) > place.apart for k in kept):
            kept.append(place)
        if len(kept) == PEAKS_MAX:
            break
    return kept


def _outline(field: Field) -> Map | None:
    """Ends (count, 2) of every row that shows in a field; None where nothing does."""
    shows = field.weight[::2, ::2] > SHOWS_MIN
    rows = np.flatnonzero(shows.any(axis=1))
    if not len(rows):
        return None
    some = shows[rows]
    first, last = some.argmax(axis=1), some[:, ::-1].argmax(axis=1)
    columns = np.concatenate([first, some.shape[1] - 1 - last])
    return 2.0 * np.column_stack([columns, np.concatenate([rows, rows])])


def _sum(places: list[_Place]) -> float:
    """The score of a group of distinct places: the sum over its best five."""
    return sum(place.score - 0.35 for place in places[:5])


def _search(shown: Float, outline: Map, base: Map, deck: Deck, groups: Groups) -> None:
    """Correlate under one map of the paper; add places to *groups*."""
    per_line = COARSE_ROWS / deck.face_height_lines
    matrix = base / per_line  # From coarse elements to elements of the field.
    inverse = np.linalg.inv(matrix)
    corners = outline @ inverse.T
    room = ROOM_FACES * COARSE_ROWS
    low, high = corners.min(axis=0) - room, corners.max(axis=0) + room
    size = np.ceil(high - low).astype(int) + 1
    coarse = _coarse(deck)
    shape = coarse[0][0][1].shape
    box = (shape[1], shape[0])
    if (size < np.array(box) + 2).any() or (size > 600).any():
        return
    offset = matrix @ low
    whole = np.column_stack([matrix, offset])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    canvas = cv2.warpAffine(shown, whole, (int(size[0]), int(size[1])), flags=flags)
    canvas = np.asarray(cv2.GaussianBlur(canvas, (3, 3), 0.6), np.float32)
    count = box[0] * box[1]
    mean = cv2.blur(canvas, box)
    variance = cv2.blur(canvas * canvas, box) - mean * mean
    norm = 1 / np.sqrt(count * (np.maximum(variance, 0) + ENERGY_FLOOR))
    top, left = shape[0] // 2, shape[1] // 2
    for way, turned in enumerate(coarse):
        scores = np.stack(
            [cv2.matchTemplate(canvas, drawn, cv2.TM_CCORR) for _, drawn in turned]
        )
        scores *= norm[top : top + scores.shape[1], left : left + scores.shape[2]]
        alike = np.asarray(scores, np.float32)
        turns = [turn for turn, _ in turned]
        # A face shows at several turns; where it shows best, one place is enough.
        for sign, signed in ((1, alike), (-1, -alike)):
            if signed.max() > PEAK_MIN:
                found = _maxima(signed, whole, shape, turns)
                groups.setdefault((way, sign), []).extend(found)


def _maxima(
    scores: Float, whole: Map, shape: tuple[int, ...], turns: list[float]
) -> Iterator[_Place]:
    """Places where the best of *scores* (turns, rows, columns) peaks, with its turn."""
    best = scores.max(axis=0)
    wide = cv2.dilate(best, np.ones((9, 9), np.uint8))
    at = np.flatnonzero(best > PEAK_MIN)
    at = at[best.ravel()[at] >= wide.ravel()[at]]
    at = at[np.argsort(-best.ravel()[at], kind="stable")[:MAXIMA_MAX]]
    ys, xs = np.divmod(at, best.shape[1])
    which = scores[:, ys, xs].argmax(axis=0).tolist()
    linears = [whole[:, :2] @ _rotation(turn) for turn in turns]
    apart = 0.5 * COARSE_ROWS * math.sqrt(abs(float(np.linalg.det(whole[:, :2]))))
    middle = np.array([xs + (shape[1] - 1) / 2, ys + (shape[0] - 1) / 2])
    at_x, at_y = (whole[:, :2] @ middle + whole[:, 2:]).tolist()
    for score, x, y, k in zip(best[ys, xs].tolist(), at_x, at_y, which, strict=True):
        yield _Place(score, x, y, linears[k], apart)


def _rotation(turn_deg: float) -> Map:
    """From fine template elements to coarse ones, turned."""
    angle = math.radians(turn_deg)
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([[cos, -sin], [sin, cos]]) * (COARSE_ROWS / FINE_ROWS)


def _apart(faces: list[Face]) -> list[Face]:
    """The faces without those that lie on a better one; the best must come first."""
    kept: list[Face] = []
    for face in faces:
        size = math.sqrt(abs(float(cv2.contourArea(face.box_px)))) * 0.5
        if all(math.dist(face.centre_px, k.centre_px) > size for k in kept):
            kept.append(face)
    return kept
