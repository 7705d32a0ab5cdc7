"""Finds the deck's faces in a hidden picture, from coarse to fine.

The wave of the print's lines, the *carrier*, was measured earlier. It gives the length
and the direction of a line period, which is half of the map from the paper to the
frame. A *tilt* of the paper adds a stretch and a shear along the lines. Several tilts
are tried: the picture is flattened accordingly, and correlated with *coarse templates*,
the mean of the deck's two faces, upright and upside down, each at a few turns.

- *Place*: where a face may be. Its *score* is the correlation.
- *Orientation*: 0 is upright, 1 upside down.
- *Sign*: 1 or -1, since either state of the print's lines may be ink.
- *Group*: all places of one orientation and sign. A panel's faces are in one group.
- *Fit*: the exact comparison of a place with a face, see `fit.py`. The places of the
  best group are fitted.

A face is COARSE_ROWS elements high in the search, and FINE_ROWS in the fit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache, reduce

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Deck, draw_turned
from companion.decoder.fit import FINE_ROWS, Face, Map, Peak, aids_of, fit_face
from companion.decoder.phase import Field

Float = NDArray[np.float32]
Index = NDArray[np.intp]

# What is sought.

COARSE_ROWS = 18
"""Height of a face while it is searched for, in elements."""

TEMPLATE_BLUR = 0.5
"""Standard deviation of the blur of the mean face, in line periods."""

TURNS_DEG = (-8.0, 0.0, 8.0)
"""Turns from upright, and from upside down, at which the mean face is drawn."""

TILTS = ((0.0, 1.0), (0.0, 1.19), (0.0, 0.84), (0.17, 1.0), (-0.17, 1.0))
"""Tilts, in the order of trial: pairs of shear and stretch along the lines.

(0, 1) is paper seen from straight above."""

# Where it is sought.

SHOWS_MIN = 0.25
"""`Field.weight` above which an element is searched."""

ROOM_FACES = 0.25
"""Blank margin around the searched part of a field, in heights of a face."""

CANVAS_MAX = 600
"""Longest side of a flattened picture that is searched, in elements."""

CANVAS_BLUR = 0.6
"""Standard deviation of the blur of a flattened picture, in elements."""

ENERGY_FLOOR = 0.12
"""Added to the variance under a template, so that blank paper matches nothing."""

# Which places are kept.

PLACE_MIN = 0.42
"""Least score of a place."""

TILT_PLACES_MAX = 16
"""Most places that one tilt adds to a group."""

PLACES_MAX = 8
"""Most places kept of a group."""

# When the search ends.

HOPE_MIN = 0.5
"""Least score of the best place, after a tilt, for the next tilt to be tried.

Of 381 prints that were read, the lowest had 0.555 after the first tilt. Prints under a
finger score less, but more than clutter."""

HOPE_ALIASED = 0.56
"""HOPE_MIN for a carrier that is only assumed; all 10 prints read had 0.58."""

HOPE_MIRRORED = 0.6
"""HOPE_MIN for faces in a mirror; 99 of 100 prints read had it after the first tilt."""

COUNTED = 5
"""How many of a group's best scores are added up to its total."""

WORTHLESS = 0.35
"""What is subtracted from each score that is added to a total."""

ENOUGH_TOTAL, ENOUGH_BEST = 1.2, 0.78
"""A group's total and the best score above which no further tilt is tried.

Half of 96 prints that were read had both after the first tilt, and all of them were
read as clearly as after all tilts.
"""

# Which places are fitted.

PATIENCE = 4
"""How many places are fitted before one of them must be PROMISING."""

PROMISING = 0.5
"""Least likeness of one fitted face for further places to be fitted."""

FACES_MAX = 8
"""Most faces returned."""


@lru_cache(maxsize=8)
def _draw_coarse(deck: Deck) -> tuple[tuple[tuple[float, Float], ...], ...]:
    """Draw the mean face upright and upside down, each at all TURNS_DEG.

    Returns:
        For each orientation, pairs of a turn in degrees and a template whose squares
        add up to 1.
    """
    blur = TEMPLATE_BLUR * COARSE_ROWS / deck.face_height_lines
    plain, masked = deck.at_height(COARSE_ROWS, blur)
    mean = np.asarray((plain + masked) / 2, np.float32)
    orientations = []
    for orientation_deg in (0.0, 180.0):
        turns = [orientation_deg + turn for turn in TURNS_DEG]
        orientations.append(tuple((turn, _draw_template(mean, turn)) for turn in turns))
    return tuple(orientations)


def _draw_template(face: Float, turn_deg: float) -> Float:
    """Draw a face turned, with a margin of an element, its mean 0 and its length 1."""
    rows, columns = face.shape
    centred = draw_turned(face, turn_deg, (columns + 2, rows + 2))
    centred -= centred.mean()
    length = np.float32(np.sqrt((centred**2).sum()))
    return np.asarray(centred / length, np.float32)


def paper_map(
    deck: Deck, frequency: tuple[float, float], shear: float = 0, stretch: float = 1
) -> Map:
    """Return the map from line periods on the upright paper to pixels.

    Args:
        deck: The deck; only the angle of its lines matters.
        frequency: Frequency of the carrier, (x, y) periods a pixel.
        shear: Shear along the lines, 0 for a note seen from straight above.
        stretch: Stretch along the lines: 1 for a note seen from straight above, less
            than 0 in a mirror.

    Returns:
        (2, 2), in pixels a line period.
    """
    # Unit vectors across and along the lines, in the frame and on the paper.
    size = math.hypot(*frequency)
    frame_normal = np.array(frequency) / size
    frame_line = np.array([-frame_normal[1], frame_normal[0]])
    angle = math.radians(deck.angle_deg)
    normal = np.array([math.cos(angle), math.sin(angle)])
    line = np.array([-normal[1], normal[0]])
    along_lines = np.outer(frame_line, shear * normal + stretch * line)
    return (np.outer(frame_normal, normal) + along_lines) / size


def find_faces(field: Field, deck: Deck, hope: float = HOPE_MIN) -> tuple[Face, ...]:
    """Find the deck's faces, the most alike first.

    Args:
        field: A print's hidden picture, recovered with the deck's shift.
        deck: The deck whose faces are sought.
        hope: Least score after a tilt for the next one to be tried, see HOPE_MIN.
    """
    return _search_and_fit(field, deck, hope, is_mirrored=False)


def find_mirrored(field: Field, deck: Deck) -> tuple[Face, ...]:
    """Find the deck's faces in a mirrored frame, the most alike first.

    The corners of their boxes run counter-clockwise. If the first tilt finds nothing,
    no other is tried, to save time on prints that are not mirrored.
    """
    return _search_and_fit(field, deck, HOPE_MIRRORED, is_mirrored=True)


def _search_and_fit(
    field: Field, deck: Deck, hope: float, *, is_mirrored: bool
) -> tuple[Face, ...]:
    """Find faces, the most alike first."""
    templates = aids_of(deck)
    shown = field.soft * field.weight
    starts = _find_starts(shown, field, deck, hope, is_mirrored=is_mirrored)
    faces: list[Face] = []
    for count, (sign, start) in enumerate(starts):
        if count >= PATIENCE and all(face.likeness < PROMISING for face in faces):
            break
        face = fit_face(start, field, shown, templates, sign)
        if face is not None:
            faces.append(face)
    faces.sort(key=lambda face: -face.likeness)
    return tuple(_drop_overlapping(faces)[:FACES_MAX])


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a face may be.

    Attributes:
        score: Correlation with the mean face, at the turn that fits best.
        x, y: The middle of the face, in elements of the field.
        linear: (2, 2) map from fine template elements to elements of the field.
        apart_min: Least distance of another face, in elements of the field.
    """

    score: float
    x: float
    y: float
    linear: Map
    apart_min: float


Groups = dict[tuple[int, int], list[_Place]]
"""Places by orientation and sign."""


def _find_starts(
    shown: Float, field: Field, deck: Deck, hope: float, *, is_mirrored: bool
) -> list[tuple[int, Peak]]:
    """Return the sign and the start of a fit for each place of the best group.

    The best place comes first. *shown* is the field's `soft` times its `weight`.
    """
    groups: Groups = {}
    outline = _trace_ends(field)
    if outline is None:
        return []
    for shear, stretch in TILTS:
        seen_stretch = -stretch if is_mirrored else stretch
        tilt = paper_map(deck, field.frequency, shear, seen_stretch) / field.step_px
        _search(shown, outline, tilt, deck, groups)
        groups = {key: _keep_distinct(places) for key, places in groups.items()}
        best = max((places[0].score for places in groups.values()), default=0.0)
        total = max(map(_add_up_total, groups.values()), default=0.0)
        is_enough = best > ENOUGH_BEST and total > ENOUGH_TOTAL
        if best < hope or is_enough:
            break
    if not groups:
        return []
    (_, sign), places = max(groups.items(), key=lambda item: _add_up_total(item[1]))
    starts = []
    for place in places:
        first_map = np.column_stack([place.linear, (place.x, place.y)])
        starts.append((sign, Peak(place.score, first_map)))
    return starts


def _keep_distinct(places: list[_Place]) -> list[_Place]:
    """Keep the best PLACES_MAX places that lie apart, best first."""
    kept: list[_Place] = []
    for place in sorted(places, key=lambda place: -place.score):
        distances = (
            math.hypot(place.x - better.x, place.y - better.y) for better in kept
        )
        if all(distance > place.apart_min for distance in distances):
            kept.append(place)
        if len(kept) == PLACES_MAX:
            break
    return kept


def _trace_ends(field: Field) -> Map | None:
    """Return the first and last element to search in every second row of a field.

    Returns:
        (count, 2) x and y in elements; None if there is nothing to search.
    """
    shows = field.weight[::2, ::2] > SHOWS_MIN
    rows = np.flatnonzero(shows.any(axis=1))
    if not len(rows):
        return None
    shown = shows[rows]
    first, last = shown.argmax(axis=1), shown[:, ::-1].argmax(axis=1)
    columns = np.concatenate([first, shown.shape[1] - 1 - last])
    return 2.0 * np.column_stack([columns, np.concatenate([rows, rows])])


def _add_up_total(places: list[_Place]) -> float:
    """Add up a group's total, see COUNTED; its best places come first."""
    return sum(place.score - WORTHLESS for place in places[:COUNTED])


def _search(shown: Float, outline: Map, tilt: Map, deck: Deck, groups: Groups) -> None:
    """Correlate the templates with a field under one tilt; add places to *groups*.

    Args:
        shown: The field's `soft` times its `weight`.
        outline: See `_trace_ends`.
        tilt: See `paper_map`, but in elements of the field a line period.
        deck: The deck whose faces are sought.
        groups: The places found so far.
    """
    # From coarse elements to elements of the field.
    matrix = tilt / (COARSE_ROWS / deck.face_height_lines)
    coarse = _draw_coarse(deck)
    _, first_template = coarse[0][0]
    flattened = _flatten_field(shown, outline, matrix, first_template.shape)
    if flattened is None:
        return
    canvas, norm, to_middle = flattened
    # Half the height of a face.
    apart_min = 0.5 * COARSE_ROWS * math.sqrt(abs(float(np.linalg.det(matrix))))
    for orientation, turned in enumerate(coarse):
        scores = [cv2.matchTemplate(canvas, face, cv2.TM_CCORR) for _, face in turned]
        linears = [matrix @ _rotation(turn) for turn, _ in turned]
        # A picture of the other sign scores as far below zero.
        for sign, extreme, index_of_extreme in (
            (1, cv2.max, np.argmax),
            (-1, cv2.min, np.argmin),
        ):
            best = np.asarray(reduce(extreme, scores) * (sign * norm), np.float32)
            if best.max() <= PLACE_MIN:
                continue
            xs, ys = _find_maxima(best)
            # A face scores at several turns; the best of them makes its one place.
            turns = index_of_extreme([of_turn[ys, xs] for of_turn in scores], axis=0)
            middles = to_middle @ np.array([xs, ys, np.ones(len(xs))])
            found = (best[ys, xs], *middles, turns)
            columns = (column.tolist() for column in found)
            places = groups.setdefault((orientation, sign), [])
            for score, x, y, turn in zip(*columns, strict=True):
                places.append(_Place(score, x, y, linears[turn], apart_min))


def _flatten_field(
    shown: Float, outline: Map, matrix: Map, shape: tuple[int, ...]
) -> tuple[Float, Float, Map] | None:
    """Draw a field flattened, as if the paper had one tilt.

    Args:
        shown: The field's `soft` times its `weight`.
        outline: See `_trace_ends`.
        matrix: (2, 2): from coarse elements to elements of the field.
        shape: Rows and columns of a template.

    Returns:
        The drawing, in coarse elements; for each window as large as a template, the
        factor that turns its product with the template into a correlation; and the map
        from a window to its middle in the field. None if the drawing would be smaller
        than a template, or larger than CANVAS_MAX.
    """
    corners = outline @ np.linalg.inv(matrix).T
    room = ROOM_FACES * COARSE_ROWS
    low, high = corners.min(axis=0) - room, corners.max(axis=0) + room
    size = np.ceil(high - low).astype(int) + 1
    rows, columns = shape
    if (size < (columns + 2, rows + 2)).any() or (size > CANVAS_MAX).any():
        return None
    to_field = np.column_stack([matrix, matrix @ low])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    drawn = cv2.warpAffine(shown, to_field, (int(size[0]), int(size[1])), flags=flags)
    canvas = np.asarray(cv2.GaussianBlur(drawn, (3, 3), CANVAS_BLUR), np.float32)
    mean = cv2.blur(canvas, (columns, rows))
    variance = cv2.blur(canvas * canvas, (columns, rows)) - mean * mean
    norm = 1 / np.sqrt(rows * columns * (np.maximum(variance, 0) + ENERGY_FLOOR))
    top, left = rows // 2, columns // 2  # OpenCV stores a window's mean at its middle.
    inner = norm[top : top + size[1] - rows + 1, left : left + size[0] - columns + 1]
    first_middle = to_field @ ((columns - 1) / 2, (rows - 1) / 2, 1)
    to_middle = np.column_stack([matrix, first_middle])
    return canvas, np.asarray(inner, np.float32), to_middle


def _find_maxima(scores: Float) -> tuple[Index, Index]:
    """Return x and y of the highest scores around, best first."""
    highest = cv2.dilate(scores, np.ones((9, 9), np.uint8))
    peaks = np.flatnonzero((scores > PLACE_MIN) & (scores >= highest))
    peaks = peaks[np.argsort(-scores.ravel()[peaks], kind="stable")[:TILT_PLACES_MAX]]
    ys, xs = np.divmod(peaks, scores.shape[1])
    return xs, ys


def _rotation(turn_deg: float) -> Map:
    """Return the map that turns fine template elements and scales them to coarse."""
    angle = math.radians(turn_deg)
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([[cos, -sin], [sin, cos]]) * (COARSE_ROWS / FINE_ROWS)


def _drop_overlapping(faces: list[Face]) -> list[Face]:
    """Drop each face that overlaps a better one; the best must come first."""
    kept: list[Face] = []
    for face in faces:
        half_size = math.sqrt(abs(float(cv2.contourArea(face.box_px)))) * 0.5
        distances = (math.dist(face.centre_px, better.centre_px) for better in kept)
        if all(distance > half_size for distance in distances):
            kept.append(face)
    return kept
