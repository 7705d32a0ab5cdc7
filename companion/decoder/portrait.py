"""Portraits: templates of one thing, averaged from its copies in every photo.

A thing is found roughly; its copies are fitted to a template and averaged, and a new
box is drawn around what all of them show, until it holds the whole thing and nothing
else.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Deck, allowed_lines
from companion.decoder.fit import (
    FINE_ROWS,
    Face,
    Map,
    Peak,
    aids_of,
    fit_face,
    levelled,
)
from companion.decoder.phase import Field
from companion.decoder.things import Hit, Kind
from companion.decoder.whole import SURE_COPIES, Box, area_around, find_whole_box

Float = NDArray[np.float32]

FIRST_ROOM = 1.3
"""Height of the first template, as a multiple of the thing's own."""

LIKENESS_FIRST, LIKENESS_LATER = 0.6, 0.75
"""How alike the copies must be in the first rounds, and in the last ones."""

NEARLY = 0.82
"""Share of the likeness of its photo's best copy that each copy must have."""

ALIKE_TURNS = 0.7
"""Length of the mean of unit vectors from which turns count as alike.

It stands for a spread of 45 degrees."""

LONG = 1.4
"""How many times as long as thick a mask must be to show what is level.

Nearly all masks drawn for tests are, and then lie within six degrees of level."""

COS_SIDE = math.cos(math.radians(45))
"""Cosine of the least angle between a mask and the level of photos on their side."""

SEEN_MIN = 0.8
"""Share of a copy that must lie where the panel can be trusted."""


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """The hidden picture of one photo, with the sign that learning uses.

    Attributes:
        field: The hidden picture.
        sign: 1 if the rarer state of the field is positive, else -1.
    """

    field: Field
    sign: int

    @property
    def shown(self) -> Float:
        """The picture, -1.5..1.5, its rarer state positive; 0 if nothing is known."""
        return np.asarray(self.sign * self.field.soft * self.field.weight, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Portrait:
    """One thing: its templates, and its copies in every photo.

    Attributes:
        deck: Holds the templates and their height; its other fields are placeholders.
        copies: The copies that were found, by photo.
    """

    deck: Deck
    copies: tuple[tuple[Face, ...], ...]

    @property
    def pieces(self) -> tuple[Float | None, ...]:
        """The mean copy in each photo, as light and dark as the template.

        (FINE_ROWS, columns) float32; None for a photo without a copy.
        """
        aids = aids_of(self.deck)
        means: list[Float | None] = []
        for faces in self.copies:
            patches = [levelled(face.patch, aids) for face in faces]
            means.append(np.mean(patches, axis=0) if patches else None)
        return tuple(means)


def first_portrait(kind: Kind, sights: Sequence[Sight]) -> Portrait:
    """Make the first portrait of a kind: the mean of all the places it was found at."""
    copies: list[tuple[Face, ...]] = []
    photo_means = []
    for photo, sight in enumerate(sights):
        hits = [hit for hit in kind.hits if hit.photo == photo]
        faces = tuple(_stand_in(sight.field, hit) for hit in hits)
        copies.append(faces)
        if faces:
            photo_means.append(np.mean([_shown(sight, f) for f in faces], axis=0))
    mean = np.asarray(np.mean(photo_means, axis=0), np.float32)
    lines = allowed_lines(FIRST_ROOM * kind.first.height_lines)
    plain, masked = _evened(mean, mean)
    deck = Deck("thing", 0.0, 0.5, lines, plain, masked)
    return Portrait(deck, tuple(copies))


def _stand_in(field: Field, hit: Hit) -> Face:
    """Make a face at a hit; only its box is filled in."""
    line_px = field.pixels_per_line
    middle = np.array([hit.x, hit.y]) * line_px + np.array(field.origin_px)
    half = FIRST_ROOM * hit.height_lines * line_px / 2
    right = half * np.array([math.cos(hit.turn), math.sin(hit.turn)])
    down = np.array([-right[1], right[0]])
    corners = [
        middle + i * right + j * down for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    blank = np.zeros((FINE_ROWS, FINE_ROWS), np.float32)
    at = (float(middle[0]), float(middle[1]))
    box = np.array(corners, np.float32)
    return Face(at, box, 0.0, 0.0, 0.0, 0.0, 0.0, blank)


def _shown(sight: Sight, face: Face) -> Float:
    """Cut out a face's box from a photo, upright, the rarer state positive."""
    matrix = _map(sight.field, face, (FINE_ROWS, FINE_ROWS))
    middle = (FINE_ROWS - 1) / 2
    matrix[:, 2] -= matrix[:, :2] @ np.array([middle, middle])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    out = cv2.warpAffine(sight.shown, matrix, (FINE_ROWS, FINE_ROWS), flags=flags)
    return np.asarray(np.clip(out, -1, 1), np.float32)


def _map(field: Field, face: Face, shape: tuple[int, ...]) -> Map:
    """Map template elements, counted from its middle, to elements of a field."""
    rows, columns = shape
    box = (face.box_px.astype(np.float64) - np.array(field.origin_px)) / field.step_px
    right, down = (box[1] - box[0]) / columns, (box[3] - box[0]) / rows
    return np.column_stack([right, down, box.mean(axis=0)])


def refit(portrait: Portrait, sights: Sequence[Sight], bar: float) -> Portrait:
    """Fit the portrait's copies anew; drop those less alike than *bar*."""
    aids = aids_of(portrait.deck)
    kept = []
    for sight, copies in zip(sights, portrait.copies, strict=True):
        shown = np.asarray(sight.field.soft * sight.field.weight, np.float32)
        fits = [
            fit_face(
                Peak(1.0, _map(sight.field, face, aids.plain.shape)),
                sight.field,
                shown,
                aids,
                sight.sign,
            )
            for face in copies
        ]
        seen = [f for f in fits if f is not None and f.seen > SEEN_MIN]
        best = max((f.likeness for f in seen), default=0.0)
        kept.append(tuple(f for f in seen if f.likeness >= max(bar, NEARLY * best)))
    return replace(portrait, copies=tuple(kept))


def average_copies(portrait: Portrait, kinds: Sequence[int | None] | None) -> Portrait:
    """Replace the portrait's templates by the mean of its copies.

    Args:
        portrait: A fitted portrait.
        kinds: For each photo 0 if its copies make the plain template, 1 if they make
            the masked one, None if neither. If not given, all make both.
    """
    means = _mean_by_kind(portrait.pieces, kinds)
    plain, masked = _evened(*means)
    return replace(portrait, deck=replace(portrait.deck, plain=plain, masked=masked))


def _mean_by_kind(
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


def _evened(plain: Float, masked: Float) -> tuple[Float, Float]:
    """Scale both templates together so that their two states lie near -1 and 1."""
    low, high = np.quantile(np.concatenate([plain, masked]), [0.1, 0.95])
    middle, half = (low + high) / 2, max(float(high - low), 0.2) / 2
    first, second = (
        np.asarray(np.clip((mean - middle) / half, -1.2, 1.2), np.float32)
        for mean in (plain, masked)
    )
    return first, second


def redraw_box(
    portrait: Portrait,
    sights: Sequence[Sight],
    kinds: Sequence[int | None] | None,
    sure_min: float,
) -> Portrait | None:
    """Redraw the portrait's box around the whole thing; None if no box fits a face.

    Args:
        portrait: A fitted portrait.
        sights: The photos.
        kinds: See `average_copies`.
        sure_min: One of `whole.SURE_MINS`.
    """
    aids = aids_of(portrait.deck)
    areas = [
        [area_around(s.field, f, aids) for f in faces]
        for s, faces in zip(sights, portrait.copies, strict=True)
    ]
    pieces = [np.mean(own, axis=0) if own else None for own in areas]
    means = _mean_by_kind(pieces, kinds)
    sure = np.quantile(list(chain.from_iterable(areas)), 1 - SURE_COPIES, axis=0)
    box = find_whole_box(portrait.deck, *means, np.asarray(sure, np.float32), sure_min)
    if box is None:
        return None
    top, left, below, right = box.elements
    plain, masked = _evened(*(mean[top:below, left:right] for mean in means))
    deck = replace(
        portrait.deck,
        face_height_lines=allowed_lines(box.lines),
        plain=plain,
        masked=masked,
    )
    copies = tuple(
        tuple(_reboxed(face, box) for face in faces) for faces in portrait.copies
    )
    return Portrait(deck, copies)


def _reboxed(face: Face, box: Box) -> Face:
    """Give a face the redrawn box."""
    old = face.box_px.astype(np.float64)
    right, down, middle = old[1] - old[0], old[3] - old[0], old.mean(axis=0)
    corners = np.array([middle + x * right + y * down for x, y in box.corners])
    x, y = corners.mean(axis=0).tolist()
    return replace(face, box_px=corners.astype(np.float32), centre_px=(x, y))


def turn_upright(portrait: Portrait, kinds: Sequence[int | None]) -> Portrait:
    """Turn the portrait so that its face is upright, as well as can be told.

    A long mask is level. If it is too round to tell, photos that lie alike are taken
    to be upright, since people hold things so to photograph them; otherwise the face
    is turned until it is the same on both sides of its middle line.

    Args:
        portrait: A fitted portrait.
        kinds: For each photo 0 or 1; one of them wears the mask.
    """
    turns = [_turn_of(face) for faces in portrait.copies for face in faces]
    mean = complex(np.exp(1j * np.array(turns)).mean())
    held = math.atan2(mean.imag, mean.real)
    deck = average_copies(portrait, kinds).deck
    level = _level(deck)
    are_alike = abs(mean) >= ALIKE_TURNS
    if level is None and are_alike:
        return _turned(portrait, held)
    axis = _middle_line(portrait.deck) if level is None else level
    # Take the way up in which more copies lie.
    ways = (axis, axis + math.pi)
    turn = max(ways, key=lambda way: (mean * np.exp(-1j * way)).real)
    if are_alike and abs(math.cos(turn - held)) < COS_SIDE:  # All lie on their side.
        turn = max(ways, key=lambda way: _ink_above(deck, way))
    return _turned(portrait, turn)


def _turn_of(face: Face) -> float:
    """Return the angle, in radians, from the photo's right to the face's own right."""
    x, y = (face.box_px[1] - face.box_px[0]).tolist()
    return math.atan2(y, x)


def _level(deck: Deck) -> float | None:
    """Return the angle, in radians, that makes the mask level; None if it is too round.

    Upside down is level, too.
    """
    y, x = _mask_of(np.abs(deck.masked - deck.plain))
    sizes, ways = np.linalg.eigh(np.cov(x, y))
    if sizes[1] < LONG**2 * sizes[0]:
        return None
    across, down = ways[:, 1].tolist()
    return -math.atan2(down, across)


def _mask_of(differs: Float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return rows and columns of the elements in which two faces differ most."""
    y, x = np.nonzero(differs > differs.max() / 2)
    return y, x


def _ink_above(deck: Deck, turn: float) -> float:
    """Return the share of a turned face's ink above its mask, such as hat or hair."""
    rows, _ = _mask_of(_drawn(np.abs(deck.masked - deck.plain), turn))
    ink = _drawn(deck.plain + deck.masked, turn)
    ink -= ink.min()
    return float(ink[: round(float(rows.mean()))].sum() / ink.sum())


def _middle_line(deck: Deck) -> float:
    """Return the angle, in radians, that makes both sides of a template most alike."""
    template = (deck.at_height(FINE_ROWS)[0] + deck.at_height(FINE_ROWS)[1]) / 2

    def symmetry(turn: float) -> float:
        drawn = _drawn(np.asarray(template, np.float32), turn)
        return float(np.corrcoef(drawn.ravel(), drawn[:, ::-1].ravel())[0, 1])

    return max((math.pi * step / 36 for step in range(36)), key=symmetry)


def _drawn(template: Float, turn: float) -> Float:
    """Draw a template turned by *turn* radians, in a square that holds all of it."""
    rows, columns = template.shape
    side = math.ceil(math.hypot(rows, columns))
    centre = ((columns - 1) / 2, (rows - 1) / 2)
    matrix = cv2.getRotationMatrix2D(centre, -math.degrees(turn), 1.0)
    matrix[0, 2] += (side - 1) / 2 - centre[0]
    matrix[1, 2] += (side - 1) / 2 - centre[1]
    paper = float(template.min())
    out = cv2.warpAffine(template, matrix, (side, side), borderValue=paper)
    return np.asarray(out, np.float32)


def _turned(portrait: Portrait, turn: float) -> Portrait:
    """Turn the portrait's template by *turn* radians, and square its box."""
    deck = portrait.deck
    rows, columns = deck.plain.shape
    plain, masked = _drawn(deck.plain, turn), _drawn(deck.masked, turn)
    side = plain.shape[0]
    lines = allowed_lines(deck.face_height_lines * side / rows)
    cos, sin = math.cos(turn), math.sin(turn)

    def turned(face: Face) -> Face:
        box = face.box_px.astype(np.float64)
        right, down = (box[1] - box[0]) / columns, (box[3] - box[0]) / rows
        along, below = cos * right - sin * down, sin * right + cos * down
        corners = [
            box.mean(axis=0) + side / 2 * (i * along + j * below)
            for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        return replace(face, box_px=np.array(corners, np.float32))

    copies = tuple(tuple(map(turned, faces)) for faces in portrait.copies)
    deck = replace(deck, face_height_lines=lines, plain=plain, masked=masked)
    return Portrait(deck, copies)
