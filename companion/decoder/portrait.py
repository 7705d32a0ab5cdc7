"""Portraits: templates of one thing, averaged from its copies in every photo.

A *thing* is a face or a symbol, found by `things.py`. Each of its places in the photos
is a *copy*; the mean copy of one photo is the photo's *piece*. A *portrait* is the
copies and their average, the *template*. `learn.py` repeats three steps until the box
holds the whole thing and nothing else: fit each copy to the template (`refit`), average
the copies anew (`average_copies`), and redraw the box around them (`redraw_box`).

A face is plain in one *kind* of photo and masked in the other, so a portrait has two
templates. They are the same until the kinds are known.

Learning starts from a box that may hold only a corner of the face, or the face and
some neighbours. So a larger *area* is cut out around each copy. The face is in all the
areas, while the neighbours change; so the new box is drawn around what they share.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Deck, clamp_lines, draw_turned
from companion.decoder.fit import (
    FINE_ROWS,
    Aids,
    Face,
    Map,
    Peak,
    aids_of,
    best_likeness,
    fit_face,
    scale_to_templates,
)
from companion.decoder.phase import Field
from companion.decoder.things import Hit, Kind

Float = NDArray[np.float32]

# The first portrait.

FIRST_ROOM = 1.3
"""Height of the first template, as a multiple of the thing's own."""

CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))
"""The corners of a box in half sides from its middle, clockwise from the top left."""

# Which copies are kept.

LIKENESS_FIRST, LIKENESS_LATER = 0.6, 0.75
"""Least likeness of a copy to the template, in the first rounds and in the last."""

BEST_SHARE = 0.82
"""Least likeness of a copy, as a share of that of the best copy in its photo."""

SEEN_MIN = 0.8
"""Share of a copy that must lie where the panel can be trusted."""

# Light and dark of templates.

STATE_QUANTILES = (0.1, 0.95)
"""Quantiles of both templates that become the two states, -1 and 1."""

CONTRAST_MIN = 0.2
"""Least distance between these quantiles, so that blank templates stay blank."""

STRETCHED_MAX = 1.2
"""Largest absolute value in a stretched template."""

# Which way is up.

ALIKE_LENGTH = 0.7
"""If the mean of unit vectors to each copy's right is this long, the copies lie alike.

At this length they spread by 45 degrees."""

LONG_MASK = 1.4
"""Length of a mask, in thicknesses, from which it shows which way is level.

Nearly all masks drawn for tests have it, and then lie within six degrees of level."""

SIDEWAYS_DEG = 45
"""Degrees between copies and the level of their mask from which notes lie sideways."""

MIDDLE_LINE_STEPS = 36
"""How many directions of the middle line are tried, over half a turn."""


@dataclass(frozen=True, slots=True, eq=False)
class HiddenPicture:
    """The hidden picture of one photo."""

    field: Field
    sign: int  # 1 if the rarer state is positive, else -1.

    @property
    def shown(self) -> Float:
        """The light, -1.5..1.5, its rarer state positive, 0 where it is unknown."""
        return np.asarray(self.sign * self.field.soft * self.field.weight, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Portrait:
    """One thing: its templates, and its copies in every photo.

    Attributes:
        deck: Holds the templates and their height; its other fields are placeholders.
        copies: The copies, by photo.
    """

    deck: Deck
    copies: tuple[tuple[Face, ...], ...]

    @property
    def pieces(self) -> tuple[Float | None, ...]:
        """The mean copy in each photo, as light and dark as the template.

        (FINE_ROWS, columns) float32; None for a photo without a copy.
        """
        aids = aids_of(self.deck)
        pieces: list[Float | None] = []
        for faces in self.copies:
            patches = [scale_to_templates(face.patch, aids) for face in faces]
            pieces.append(np.mean(patches, axis=0) if patches else None)
        return tuple(pieces)


def first_portrait(kind: Kind, pictures: Sequence[HiddenPicture]) -> Portrait:
    """Make the first portrait of a kind: the mean of all its hits."""
    copies: list[tuple[Face, ...]] = []
    means = []
    for number, picture in enumerate(pictures):
        faces = tuple(
            _face_at(hit, picture.field) for hit in kind.hits if hit.photo == number
        )
        copies.append(faces)
        if faces:
            means.append(np.mean([_cut_face(picture, face) for face in faces], axis=0))
    mean = np.asarray(np.mean(means, axis=0), np.float32)
    lines = clamp_lines(FIRST_ROOM * kind.first.height_lines)
    plain, masked = _stretch(mean, mean)
    deck = Deck(
        name="thing",
        angle_deg=0.0,
        shift=0.5,
        face_height_lines=lines,
        plain=plain,
        masked=masked,
    )
    return Portrait(deck, tuple(copies))


def _face_at(hit: Hit, field: Field) -> Face:
    """Make a face at a hit, with a box but without measurements."""
    line_px = field.pixels_per_line
    middle = np.array([hit.x, hit.y]) * line_px + np.array(field.origin_px)
    half_side = FIRST_ROOM * hit.height_lines * line_px / 2
    right = half_side * np.array([math.cos(hit.turn), math.sin(hit.turn)])
    down = np.array([-right[1], right[0]])
    corners = [middle + x * right + y * down for x, y in CORNERS]
    return Face(
        centre_px=(float(middle[0]), float(middle[1])),
        box_px=np.array(corners, np.float32),
        likeness=0.0,
        mask=0.0,
        spread=0.0,
        seen=0.0,
        shown=0.0,
        patch=np.zeros((FINE_ROWS, FINE_ROWS), np.float32),
    )


def _cut_face(picture: HiddenPicture, face: Face) -> Float:
    """Cut out a face's box, upright, the rarer state positive."""
    matrix = _map_face(picture.field, face, (FINE_ROWS, FINE_ROWS))
    middle = (FINE_ROWS - 1) / 2
    matrix[:, 2] -= matrix[:, :2] @ np.array([middle, middle])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    out = cv2.warpAffine(picture.shown, matrix, (FINE_ROWS, FINE_ROWS), flags=flags)
    return np.asarray(np.clip(out, -1, 1), np.float32)


def _map_face(field: Field, face: Face, shape: tuple[int, ...]) -> Map:
    """Return the map, (2, 3), from template elements to those of a field.

    The former are counted from the middle of the template, of this *shape*.
    """
    rows, columns = shape
    box = (face.box_px.astype(np.float64) - np.array(field.origin_px)) / field.step_px
    right, down = (box[1] - box[0]) / columns, (box[3] - box[0]) / rows
    return np.column_stack([right, down, box.mean(axis=0)])


def refit(
    portrait: Portrait, pictures: Sequence[HiddenPicture], likeness_min: float
) -> Portrait:
    """Fit the portrait's copies anew, and drop poor ones.

    *likeness_min* is LIKENESS_FIRST or LIKENESS_LATER.
    """
    aids = aids_of(portrait.deck)
    copies = []
    for picture, faces in zip(pictures, portrait.copies, strict=True):
        shown = np.asarray(picture.field.soft * picture.field.weight, np.float32)
        seen: list[Face] = []
        for face in faces:
            start = Peak(1.0, _map_face(picture.field, face, aids.plain.shape))
            fit = fit_face(start, picture.field, shown, aids, picture.sign)
            if fit is not None and fit.seen > SEEN_MIN:
                seen.append(fit)
        least = max(likeness_min, BEST_SHARE * best_likeness(seen))
        copies.append(tuple(face for face in seen if face.likeness >= least))
    return replace(portrait, copies=tuple(copies))


def average_copies(portrait: Portrait, kinds: Sequence[int | None] | None) -> Portrait:
    """Replace the templates by the mean of the copies; all photos count alike.

    Args:
        portrait: A fitted portrait.
        kinds: For each photo 0 if its copies make the plain template, 1 if the masked
            one, None if neither. If it is None, all photos make both.
    """
    means = _average_by_kind(portrait.pieces, kinds)
    plain, masked = _stretch(*means)
    return replace(portrait, deck=replace(portrait.deck, plain=plain, masked=masked))


def _average_by_kind(
    pieces: Sequence[Float | None], kinds: Sequence[int | None] | None
) -> tuple[Float, Float]:
    """Average the pieces of either kind; without kinds, all pieces for both."""

    def mean(kind: int) -> Float:
        kept = [
            piece
            for number, piece in enumerate(pieces)
            if piece is not None and (kinds is None or kinds[number] == kind)
        ]
        return np.asarray(np.mean(kept, axis=0), np.float32)

    return mean(0), mean(1)


def _stretch(plain: Float, masked: Float) -> tuple[Float, Float]:
    """Stretch both templates alike so that their two states lie near -1 and 1."""
    low, high = np.quantile(np.concatenate([plain, masked]), STATE_QUANTILES)
    middle, half_range = (low + high) / 2, max(float(high - low), CONTRAST_MIN) / 2

    def stretched(template: Float) -> Float:
        out = (template - middle) / half_range
        return np.asarray(np.clip(out, -STRETCHED_MAX, STRETCHED_MAX), np.float32)

    return stretched(plain), stretched(masked)


def redraw_box(
    portrait: Portrait,
    pictures: Sequence[HiddenPicture],
    kinds: Sequence[int | None] | None,
    sure_min: float,
) -> Portrait | None:
    """Redraw the portrait's box around the whole thing; None if no box suits a face.

    Args:
        portrait: A fitted portrait.
        pictures: Those of the photos.
        kinds: See `average_copies`.
        sure_min: One of SURE_MINS.
    """
    aids = aids_of(portrait.deck)
    areas = [
        [area_around(picture.field, face, aids) for face in faces]
        for picture, faces in zip(pictures, portrait.copies, strict=True)
    ]
    pieces = [np.mean(own, axis=0) if own else None for own in areas]
    means = _average_by_kind(pieces, kinds)
    sure = np.quantile(list(chain.from_iterable(areas)), 1 - SURE_COPIES, axis=0)
    box = find_whole_box(portrait.deck, *means, np.asarray(sure, np.float32), sure_min)
    if box is None:
        return None
    top, left, below, right = box.elements
    plain, masked = _stretch(*(mean[top:below, left:right] for mean in means))
    deck = replace(
        portrait.deck,
        face_height_lines=clamp_lines(box.lines),
        plain=plain,
        masked=masked,
    )
    copies = tuple(
        tuple(_rebox(face, box) for face in faces) for faces in portrait.copies
    )
    return Portrait(deck, copies)


def _rebox(face: Face, box: Box) -> Face:
    """Return a face with the redrawn box and the old measurements."""
    old_box = face.box_px.astype(np.float64)
    right, down = old_box[1] - old_box[0], old_box[3] - old_box[0]
    middle = old_box.mean(axis=0)
    corners = np.array([middle + x * right + y * down for x, y in box.corners])
    x, y = corners.mean(axis=0).tolist()
    return replace(face, box_px=corners.astype(np.float32), centre_px=(x, y))


def turn_upright(portrait: Portrait, kinds: Sequence[int | None]) -> Portrait:
    """Turn the portrait so that its face is upright, as far as the photos tell.

    A long mask is level on an upright face. If the mask is too round, and all notes lie
    alike, they are taken to be upright, since people photograph things so; otherwise
    the face is turned until both sides of its middle line are most alike.

    Args:
        portrait: A fitted portrait.
        kinds: For each photo 0 or 1; the faces of one of these kinds wear the mask.
    """
    turns = [_turn_of(face) for faces in portrait.copies for face in faces]
    mean_vector = complex(np.exp(1j * np.array(turns)).mean())
    mean_turn = math.atan2(mean_vector.imag, mean_vector.real)
    are_alike = abs(mean_vector) >= ALIKE_LENGTH
    deck = average_copies(portrait, kinds).deck
    level = _find_level(deck)
    if level is None and are_alike:
        return _turn_portrait(portrait, mean_turn)
    axis = _find_middle_line(portrait.deck) if level is None else level
    both_ways = (axis, axis + math.pi)
    # Upright or upside down: as most copies lie.
    turn = max(both_ways, key=lambda way: (mean_vector * np.exp(-1j * way)).real)
    level_share = abs(math.cos(turn - mean_turn))
    if are_alike and level_share < math.cos(math.radians(SIDEWAYS_DEG)):
        # All notes lie on their side, so the copies do not tell which way is up.
        turn = max(both_ways, key=lambda way: _ink_above(deck, way))
    return _turn_portrait(portrait, turn)


def _turn_of(face: Face) -> float:
    """Return the angle from the photo's right to the face's own, in radians."""
    x, y = (face.box_px[1] - face.box_px[0]).tolist()
    return math.atan2(y, x)


def _find_level(deck: Deck) -> float | None:
    """Return the angle that levels the mask, or puts it upside down, in radians.

    None if the mask is too round.
    """
    y, x = _mask_elements(np.abs(deck.masked - deck.plain))
    # The mask's spread along its thickness and its length, and these axes.
    (thick, long), axes = np.linalg.eigh(np.cov(x, y))
    if long < LONG_MASK**2 * thick:
        return None
    across, down = axes[:, 1].tolist()
    return -math.atan2(down, across)


def _mask_elements(differs: Float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return rows and columns of the elements where the two faces differ most."""
    rows, columns = np.nonzero(differs > differs.max() / 2)
    return rows, columns


def _ink_above(deck: Deck, turn: float) -> float:
    """Return the share of a turned face's ink above its mask: hat or hair."""
    rows, _ = _mask_elements(_draw_turned(np.abs(deck.masked - deck.plain), turn))
    ink = _draw_turned(deck.plain + deck.masked, turn)
    ink -= ink.min()
    return float(ink[: round(float(rows.mean()))].sum() / ink.sum())


def _find_middle_line(deck: Deck) -> float:
    """Return the angle that makes both sides of a template most alike, in radians."""
    plain, masked = deck.at_height(FINE_ROWS)
    template = np.asarray((plain + masked) / 2, np.float32)

    def symmetry(turn: float) -> float:
        """Correlate the turned template with its mirror image."""
        drawn = _draw_turned(template, turn)
        return float(np.corrcoef(drawn.ravel(), drawn[:, ::-1].ravel())[0, 1])

    turns = [math.pi * step / MIDDLE_LINE_STEPS for step in range(MIDDLE_LINE_STEPS)]
    return max(turns, key=symmetry)


def _draw_turned(template: Float, turn: float) -> Float:
    """Draw a template turned by *turn* radians, whole, in a square."""
    side = math.ceil(math.hypot(*template.shape))
    return draw_turned(template, math.degrees(turn), (side, side))


def _turn_portrait(portrait: Portrait, turn: float) -> Portrait:
    """Turn the templates and boxes by *turn* radians; boxes become square."""
    deck = portrait.deck
    rows, columns = deck.plain.shape
    plain, masked = _draw_turned(deck.plain, turn), _draw_turned(deck.masked, turn)
    side = plain.shape[0]
    lines = clamp_lines(deck.face_height_lines * side / rows)
    cos, sin = math.cos(turn), math.sin(turn)

    def turned(face: Face) -> Face:
        box = face.box_px.astype(np.float64)
        # Vectors of one template element, before and after the turn.
        right, down = (box[1] - box[0]) / columns, (box[3] - box[0]) / rows
        along, below = cos * right - sin * down, sin * right + cos * down
        corners = [
            box.mean(axis=0) + side / 2 * (x * along + y * below) for x, y in CORNERS
        ]
        return replace(face, box_px=np.array(corners, np.float32))

    copies = tuple(tuple(map(turned, faces)) for faces in portrait.copies)
    deck = replace(deck, face_height_lines=lines, plain=plain, masked=masked)
    return Portrait(deck, copies)


# The areas.

REACH = 1.8
"""Height and width of an area, as a multiple of the old box's own."""

LIMIT = 2.0
"""Largest absolute value in an area; the templates lie in -1..1."""

# What of them belongs to the face.

SHOWN_MIN = -0.1
"""Mean over the copies, -1..1, from which a place belongs to the face."""

GAP_LINES, GAP_SURE_LINES = 1.4, 3.2
"""Gaps, in line periods, up to which parts are joined to the face.

The first is for any part, such as an aerial or a chin; the second for parts that most
copies show, such as a hat, see SURE_COPIES."""

SURE_COPIES = 0.75
"""Share of the copies that must show a place that surely belongs to the face."""

SURE_MINS = (-0.2, -0.3)
"""Least value, -1..1, of a place that a copy shows.

Thin strokes have low values, so the second is tried if the first finds no face."""

# The new box.

MARGIN_LINES = 1.5
"""Blank margin kept around the face, in line periods."""

HEIGHT_LINES = (10.0, 60.0)
"""Least and most height of a face's box, in line periods."""

WIDTH_MIN = 8
"""Least width of a face's box, in elements."""


@dataclass(frozen=True, slots=True)
class Box:
    """A box drawn anew around a thing.

    Attributes:
        elements: top, left, below, right in the area that `area_around` returns.
        corners: Its corners, clockwise from the top left, counted from the middle of
            the old box in sides of that box.
        lines: Its height in line periods.
    """

    elements: tuple[int, int, int, int]
    corners: tuple[tuple[float, float], ...]
    lines: float


def area_around(field: Field, face: Face, templates: Aids) -> Float:
    """Cut out the area around a face: REACH times its box, upright.

    Its light and dark are scaled to those of the templates.
    """
    box = (face.box_px.astype(np.float64) - np.array(field.origin_px)) / field.step_px
    right, down = box[1] - box[0], box[3] - box[0]
    rows, columns = (round(REACH * side) for side in face.patch.shape)
    corner = box.mean(axis=0) - REACH / 2 * (right + down)
    matrix = np.column_stack([REACH * right / columns, REACH * down / rows, corner])
    shown = np.asarray(field.soft * field.weight, np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    area = cv2.warpAffine(shown, matrix, (columns, rows), flags=flags)
    # The sign of a field is unknown; that of a patch is the templates'.
    face_rows, face_columns = face.patch.shape
    top, left = (rows - face_rows) // 2, (columns - face_columns) // 2
    inner = area[top : top + face_rows, left : left + face_columns]
    sign = 1.0 if float((inner * face.patch).sum()) > 0 else -1.0
    signed = np.asarray(sign * area, np.float32)
    return np.clip(scale_to_templates(signed, templates, face.patch), -LIMIT, LIMIT)


def find_whole_box(
    deck: Deck, plain: Float, masked: Float, sure: Float, sure_min: float
) -> Box | None:
    """Find the box of the whole face, if a deck's templates show a piece of it.

    Args:
        deck: Its templates show the piece.
        plain: Mean of the areas around copies without mask.
        masked: The same for copies with mask; *plain* again if masks are unknown.
        sure: For each place, the value that SURE_COPIES of the areas reach.
        sure_min: One of SURE_MINS.

    Returns:
        The box; None if it is too small or too large for a face.
    """
    element_lines = deck.face_height_lines / FINE_ROWS  # Line periods an element.
    shown = np.maximum(plain, masked) > SHOWN_MIN
    face = _close_gaps(shown, GAP_LINES / element_lines)
    face |= _close_gaps(sure > sure_min, GAP_SURE_LINES / element_lines)
    count, labels = cv2.connectedComponents(face)
    rows, columns = face.shape
    # The face is the part that fills most of the middle half.
    middle = labels[rows // 4 : -(rows // 4), columns // 4 : -(columns // 4)]
    sizes = np.bincount(middle.ravel(), minlength=count)
    sizes[0] = 0
    if not sizes.any():
        return None
    largest = (labels == int(sizes.argmax())).astype(np.uint8)
    x, y, width, height = cv2.boundingRect(largest)
    margin = round(MARGIN_LINES / element_lines)
    top, left = max(0, y - margin), max(0, x - margin)
    below, right = min(rows, y + height + margin), min(columns, x + width + margin)
    height_lines = (below - top) * element_lines
    least, most = HEIGHT_LINES
    if not least <= height_lines <= most or right - left < WIDTH_MIN:
        return None
    # From elements of the area to sides of the old box, counted from its middle.
    y0, y1 = (REACH * (side / rows - 0.5) for side in (top, below))
    x0, x1 = (REACH * (side / columns - 0.5) for side in (left, right))
    corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return Box((top, left, below, right), corners, height_lines)


def _close_gaps(belongs: NDArray[np.bool_], gap: float) -> NDArray[np.uint8]:
    """Close gaps of at most *gap* elements between places."""
    side = 2 * round(gap / 2) + 1
    brush = np.ones((side, side), np.uint8)
    closed = cv2.morphologyEx(belongs.astype(np.uint8), cv2.MORPH_CLOSE, brush)
    return np.asarray(closed, np.uint8)
