"""Seeks places in a frame that look like a deck's face, at any size, turn and sign.

The search is coarse and needs no lines to guide it. Faces are compared within a disc,
which is the same at every turn, on a frame made so small that its lines are gone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Deck

Float = NDArray[np.float32]

SEEK_ROWS = 14
"""Height of a face while it is sought, in elements."""

HEIGHTS_PX = (34.0, 420.0)
"""Smallest and largest height of a face in the frame that is sought, in pixels."""

SCALE_STEP = 1.2
TURNS = 20
"""How many directions are tried in a full turn."""

TURN_REACH_DEG = 26.0
"""How far a face may be turned from the direction that lines suggest."""

SCORE_MIN = 0.5
TONE_MIN = 2.0
"""Standard deviation in grey levels below which there is only noise."""

OVERLAP = 0.3
"""Distance below which two places overlap, as a share of the height."""

PLACES_MAX = 400


@dataclass(frozen=True, slots=True)
class Place:
    """Where a face may be.

    Attributes:
        score: Correlation, 0..1.
        sign: 1 if the picture is lighter than its background, else -1.
        height_px: Height of the template's box, in pixels.
        turn_deg: Direction of the face's own right, 0 = the frame's right, growing
            towards down.
        x, y: The middle of the face, in pixels.
    """

    score: float
    sign: int
    height_px: float
    turn_deg: float
    x: float
    y: float


def heights(shape: tuple[int, ...]) -> list[float]:
    """List the heights of a face, in pixels, to seek in a frame of this shape."""
    low, high = HEIGHTS_PX[0], min(HEIGHTS_PX[1], min(shape[:2]) / 1.2)
    if high < low:
        return []
    count = math.floor(math.log(high / low) / math.log(SCALE_STEP))
    return [low * SCALE_STEP**k for k in range(count + 1)]


@lru_cache(maxsize=8)
def _stencils(deck: Deck) -> tuple[Float, tuple[tuple[float, Float], ...]]:
    """Draw a disc, and within it the mean of both faces at every turn, of length 1."""
    plain, masked = deck.at_height(SEEK_ROWS, 0.5)
    middle = (plain + masked) / 2
    rows, columns = middle.shape
    side = SEEK_ROWS + 1
    y, x = np.mgrid[:side, :side] - (side - 1) / 2
    disc = (np.hypot(x, y) <= side / 2).astype(np.float32)
    stencils = []
    for k in range(TURNS):
        turn = k * 360 / TURNS
        centre = ((columns - 1) / 2, (rows - 1) / 2)
        matrix = cv2.getRotationMatrix2D(centre, -turn, 1.0)
        matrix[0, 2] += (side - 1) / 2 - centre[0]
        matrix[1, 2] += (side - 1) / 2 - centre[1]
        paper = float(middle.min())
        drawn = cv2.warpAffine(middle, matrix, (side, side), borderValue=paper)
        stencil = (drawn - (drawn * disc).sum() / disc.sum()) * disc
        unit = stencil / np.sqrt((stencil**2).sum())
        stencils.append((turn, np.asarray(unit, np.float32)))
    return disc, tuple(stencils)


def _is_near(turn: float, turns: tuple[float, ...] | None) -> bool:
    """Tell whether a direction is within reach of one of *turns*; None means any."""
    return turns is None or any(degrees_apart(turn, t) <= TURN_REACH_DEG for t in turns)


def degrees_apart(first_deg: float, second_deg: float) -> float:
    """Return the degrees between two directions, 0..180."""
    return abs((first_deg - second_deg + 180) % 360 - 180)


def seek(
    grey: NDArray[np.uint8],
    deck: Deck,
    sizes_px: list[float],
    turns_deg: tuple[float, ...] | None,
) -> list[Place]:
    """Find places that look like the mean of a deck's two faces, best first.

    Args:
        grey: (height, width) uint8.
        deck: The deck whose faces are sought.
        sizes_px: Heights of a face to try.
        turns_deg: Directions near which a face may lie; None for any.
    """
    disc, all_stencils = _stencils(deck)
    stencils = [(turn, s) for turn, s in all_stencils if _is_near(turn, turns_deg)]
    places: list[Place] = []
    for height_px in sizes_px:
        scale = SEEK_ROWS / height_px
        size = (round(grey.shape[1] * scale), round(grey.shape[0] * scale))
        if min(size) <= SEEK_ROWS + 1:
            continue
        small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
        soft = cv2.GaussianBlur(small.astype(np.float32), (3, 3), 0.5)
        tones = np.asarray(soft, np.float32)
        places.extend(_maxima(tones, disc, stencils, height_px))
    return sorted(_thinned(places), key=lambda p: -p.score)[:PLACES_MAX]


def _maxima(
    tones: Float, disc: Float, stencils: list[tuple[float, Float]], height_px: float
) -> list[Place]:
    """Correlate all stencils with tones of one size; return the local maxima."""
    count = float(disc.sum())
    mean = cv2.matchTemplate(tones, disc, cv2.TM_CCORR) / count
    square = cv2.matchTemplate(tones * tones, disc, cv2.TM_CCORR) / count
    best = np.zeros(mean.shape, np.float32)
    for _, stencil in stencils:
        scores = cv2.matchTemplate(tones, stencil, cv2.TM_CCORR)
        np.maximum(best, np.abs(scores), out=best)
    best /= np.sqrt((np.maximum(square - mean * mean, 0) + TONE_MIN**2) * count)
    wide = cv2.dilate(best, np.ones((7, 7), np.uint8))
    ys, xs = np.nonzero((best >= wide) & (best > SCORE_MIN))
    side, scale = disc.shape[0], SEEK_ROWS / height_px
    seen = np.lib.stride_tricks.sliding_window_view(tones, disc.shape)[ys, xs]
    flat_stencils = np.array([stencil.ravel() for _, stencil in stencils])
    alike = seen.reshape(-1, disc.size) @ flat_stencils.T
    which = np.abs(alike).argmax(axis=1)
    signs = np.where(alike[np.arange(len(ys)), which] < 0, -1, 1)
    places = []
    columns = (column.tolist() for column in (ys, xs, which, signs))
    for y, x, k, sign in zip(*columns, strict=True):
        at_x, at_y = ((at + side / 2) / scale - 0.5 for at in (x, y))
        score, turn = float(best[y, x]), stencils[k][0]
        places.append(Place(score, sign, height_px, turn, at_x, at_y))
    return places


def _thinned(places: list[Place]) -> list[Place]:
    """Drop places that overlap a better one of about the same size."""
    kept: list[Place] = []
    cells: dict[tuple[int, int], list[Place]] = {}
    side = HEIGHTS_PX[0]
    for place in sorted(places, key=lambda p: -p.score):
        if not any(_overlap(place, near) for near in _kept_near(place, cells, side)):
            kept.append(place)
            cell = int(place.y // side), int(place.x // side)
            cells.setdefault(cell, []).append(place)
    return kept


def _kept_near(
    place: Place, cells: dict[tuple[int, int], list[Place]], side: float
) -> Iterator[Place]:
    """Yield the places in all cells, *side* pixels wide, that a place reaches."""
    reach = OVERLAP * place.height_px
    rows, columns = (
        range(int((at - reach) // side), int((at + reach) // side) + 1)
        for at in (place.y, place.x)
    )
    for cell in product(rows, columns):
        yield from cells.get(cell, ())


def _overlap(place: Place, other: Place) -> bool:
    """Tell whether two places overlap and are about the same size."""
    gap = math.hypot(place.x - other.x, place.y - other.y)
    ratio = place.height_px / other.height_px
    return gap < OVERLAP * place.height_px and 0.8 < ratio < 1.25
