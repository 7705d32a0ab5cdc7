"""Seeks places in a frame that look like a deck's face, at any size, turn and sign.

The search is coarse and needs no lines. The frame is made so small that a face is
SEEK_ROWS elements high, and its lines are gone. Then it is correlated with *stencils*:
the mean of the deck's plain and masked face, drawn at each turn within a disc, which is
the same at every turn. A `Place` is where one correlates well.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Deck, draw_turned

Float = NDArray[np.float32]

SEEK_ROWS = 14
"""Height of a face while it is sought, in elements."""

HEIGHTS_PX = (34.0, 420.0)
"""Smallest and largest height of a face in the frame that is sought, in pixels."""

ROOM_HEIGHTS = 1.2
"""Least side of a frame in which a face is sought, in heights of the face."""

STENCIL_BLUR = 0.5
"""Standard deviation of the blur of stencils and frame, in elements."""

SCALE_STEP = 1.2
"""Ratio of each height of a face that is tried to the one before."""

TURNS = 20
"""How many directions are tried in a full turn."""

TURN_REACH_DEG = 26.0
"""How far a face may be turned from the direction that lines suggest."""

SCORE_MIN = 0.5
"""Least correlation of a place."""

TONE_MIN = 2.0
"""Standard deviation in grey levels below which there is only noise."""

PLACES_MAX = 400
"""Most places returned."""

SAME_REACH = 0.3
"""Distance, as a share of a face's height, below which places of one size overlap."""

SAME_SIZE = 1.25
"""Ratio of heights below which two places are of one size."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a face may be.

    Attributes:
        score: Correlation, 0..1.
        sign: 1 if the face's ink is lighter than its paper, else -1.
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


def heights_to_seek(shape: tuple[int, ...]) -> list[float]:
    """List the heights of a face, in pixels, to seek in a frame of this shape."""
    low, high = HEIGHTS_PX[0], min(HEIGHTS_PX[1], min(shape[:2]) / ROOM_HEIGHTS)
    if high < low:
        return []
    count = math.floor(math.log(high / low) / math.log(SCALE_STEP))
    return [low * SCALE_STEP**k for k in range(count + 1)]


@lru_cache(maxsize=8)
def _draw_stencils(deck: Deck) -> tuple[Float, tuple[tuple[float, Float], ...]]:
    """Draw the stencils of a deck.

    Returns:
        The disc, 1 within and 0 outside; and for every turn, in degrees, a stencil of
        mean 0 and length 1, 0 outside the disc.
    """
    plain, masked = deck.at_height(SEEK_ROWS, STENCIL_BLUR)
    middle = np.asarray((plain + masked) / 2, np.float32)
    side = SEEK_ROWS + 1
    y, x = np.mgrid[:side, :side] - (side - 1) / 2
    disc = (np.hypot(x, y) <= side / 2).astype(np.float32)
    stencils = []
    for k in range(TURNS):
        turn = k * 360 / TURNS
        drawn = draw_turned(middle, turn, (side, side))
        stencil = (drawn - (drawn * disc).sum() / disc.sum()) * disc
        unit = stencil / np.sqrt((stencil**2).sum())
        stencils.append((turn, np.asarray(unit, np.float32)))
    return disc, tuple(stencils)


def _is_near(turn: float, turns: tuple[float, ...] | None) -> bool:
    """Tell whether a direction is within reach of one of *turns*; None means any."""
    if turns is None:
        return True
    return any(degrees_apart(turn, other) <= TURN_REACH_DEG for other in turns)


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
    disc, all_stencils = _draw_stencils(deck)
    stencils = [(turn, s) for turn, s in all_stencils if _is_near(turn, turns_deg)]
    places: list[Place] = []
    for height_px in sizes_px:
        scale = SEEK_ROWS / height_px
        size = (round(grey.shape[1] * scale), round(grey.shape[0] * scale))
        if min(size) <= SEEK_ROWS + 1:
            continue
        small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
        soft = cv2.GaussianBlur(small.astype(np.float32), (3, 3), STENCIL_BLUR)
        tones = np.asarray(soft, np.float32)
        places.extend(_find_maxima(tones, disc, stencils, height_px))
    return sorted(_drop_overlapping(places), key=lambda p: -p.score)[:PLACES_MAX]


def _find_maxima(
    tones: Float, disc: Float, stencils: list[tuple[float, Float]], height_px: float
) -> list[Place]:
    """Correlate stencils with a small frame; return the local maxima.

    *tones* is so small that faces of *height_px* in the frame are SEEK_ROWS high.
    """
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
    # At each maximum, the stencil that is most alike tells the turn and the sign.
    side, scale = disc.shape[0], SEEK_ROWS / height_px
    seen = np.lib.stride_tricks.sliding_window_view(tones, disc.shape)[ys, xs]
    flat_stencils = np.array([stencil.ravel() for _, stencil in stencils])
    alike = seen.reshape(-1, disc.size) @ flat_stencils.T
    which = np.abs(alike).argmax(axis=1)
    signs = np.where(alike[np.arange(len(ys)), which] < 0, -1, 1)
    places = []
    columns = (column.tolist() for column in (ys, xs, which, signs))
    for y, x, k, sign in zip(*columns, strict=True):
        score, (turn, _) = float(best[y, x]), stencils[k]
        # From the top left of the disc in the small frame to its middle in the frame.
        middle_x = (x + side / 2) / scale - 0.5
        middle_y = (y + side / 2) / scale - 0.5
        places.append(Place(score, sign, height_px, turn, middle_x, middle_y))
    return places


def _drop_overlapping(places: list[Place]) -> list[Place]:
    """Drop places that overlap a better one of about the same size."""
    kept: list[Place] = []
    # Kept places by square cell of the frame, so that few need to be compared.
    cells: dict[tuple[int, int], list[Place]] = {}
    cell = HEIGHTS_PX[0]
    for place in sorted(places, key=lambda p: -p.score):
        reach = SAME_REACH * place.height_px
        rows = range(int((place.y - reach) // cell), int((place.y + reach) // cell) + 1)
        columns = range(
            int((place.x - reach) // cell), int((place.x + reach) // cell) + 1
        )
        near = [p for key in product(rows, columns) for p in cells.get(key, ())]
        if any(_overlaps(place, better, reach) for better in near):
            continue
        kept.append(place)
        key = int(place.y // cell), int(place.x // cell)
        cells.setdefault(key, []).append(place)
    return kept


def _overlaps(place: Place, other: Place, reach: float) -> bool:
    """Tell whether two places are nearer than *reach* pixels, and of about one size."""
    is_near = math.hypot(place.x - other.x, place.y - other.y) < reach
    return is_near and 1 / SAME_SIZE < place.height_px / other.height_px < SAME_SIZE
