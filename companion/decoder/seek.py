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
from itertools import chain, product

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Deck, draw_turned

Float = NDArray[np.float32]

# What is sought.

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

# Which places count.

SCORE_MIN = 0.5
"""Least score of a place."""

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
    steps = math.floor(math.log(high / low) / math.log(SCALE_STEP))
    return [low * SCALE_STEP**step for step in range(steps + 1)]


@lru_cache(maxsize=8)
def _draw_stencils(deck: Deck) -> tuple[Float, tuple[tuple[float, Float], ...]]:
    """Draw the stencils of a deck.

    Returns:
        The disc, 1 within and 0 outside; and for every turn, in degrees, a stencil of
        mean 0 and length 1, 0 outside the disc.
    """
    plain, masked = deck.at_height(SEEK_ROWS, STENCIL_BLUR)
    mean = np.asarray((plain + masked) / 2, np.float32)
    side = SEEK_ROWS + 1
    y, x = np.mgrid[:side, :side] - (side - 1) / 2
    disc = (np.hypot(x, y) <= side / 2).astype(np.float32)
    stencils = []
    for number in range(TURNS):
        turn_deg = number * 360 / TURNS
        drawn = draw_turned(mean, turn_deg, (side, side))
        centred = (drawn - (drawn * disc).sum() / disc.sum()) * disc
        stencil = centred / np.sqrt((centred**2).sum())
        stencils.append((turn_deg, np.asarray(stencil, np.float32)))
    return disc, tuple(stencils)


def _is_near(turn_deg: float, wanted_deg: tuple[float, ...] | None) -> bool:
    """Tell whether a direction is near one that is wanted; None means any."""
    if wanted_deg is None:
        return True
    return any(degrees_apart(turn_deg, near) <= TURN_REACH_DEG for near in wanted_deg)


def degrees_apart(first_deg: float, second_deg: float) -> float:
    """Return the degrees between two directions, 0..180."""
    return abs((first_deg - second_deg + 180) % 360 - 180)


def seek(
    grey: NDArray[np.uint8],
    deck: Deck,
    sizes_px: list[float],
    turns_deg: tuple[float, ...] | None,
) -> list[Place]:
    """Find places that look like the mean of a deck's two faces, best score first.

    Args:
        grey: (height, width) uint8.
        deck: The deck whose faces are sought.
        sizes_px: Heights of a face to try.
        turns_deg: Directions near which a face may lie; None for any.
    """
    disc, all_stencils = _draw_stencils(deck)
    stencils = [pair for pair in all_stencils if _is_near(pair[0], turns_deg)]
    places: list[Place] = []
    for height_px in sizes_px:
        scale = SEEK_ROWS / height_px
        size = (round(grey.shape[1] * scale), round(grey.shape[0] * scale))
        if min(size) <= SEEK_ROWS + 1:  # No larger than a stencil.
            continue
        small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
        soft = cv2.GaussianBlur(small.astype(np.float32), (3, 3), STENCIL_BLUR)
        tones = np.asarray(soft, np.float32)
        places.extend(_find_maxima(tones, disc, stencils, height_px))
    return _drop_overlapping(places)[:PLACES_MAX]


def _find_maxima(
    tones: Float, disc: Float, stencils: list[tuple[float, Float]], height_px: float
) -> list[Place]:
    """Correlate stencils with a small frame; return the local maxima.

    Args:
        tones: The frame, so small that a face is SEEK_ROWS high.
        disc: See `_draw_stencils`.
        stencils: Each with its turn in degrees.
        height_px: Height of such a face in the frame itself.
    """
    # A correlation is a product with a stencil, over the tones' spread on the disc.
    count = float(disc.sum())
    mean = cv2.matchTemplate(tones, disc, cv2.TM_CCORR) / count
    square = cv2.matchTemplate(tones * tones, disc, cv2.TM_CCORR) / count
    variance = np.maximum(square - mean * mean, 0)
    scores = np.zeros(mean.shape, np.float32)
    for _, stencil in stencils:
        products = cv2.matchTemplate(tones, stencil, cv2.TM_CCORR)
        np.maximum(scores, np.abs(products), out=scores)
    scores /= np.sqrt((variance + TONE_MIN**2) * count)
    best_around = cv2.dilate(scores, np.ones((7, 7), np.uint8))
    ys, xs = np.nonzero((scores >= best_around) & (scores > SCORE_MIN))
    # At each maximum, the stencil that is most alike tells the turn and the sign.
    side, scale = disc.shape[0], SEEK_ROWS / height_px
    cuts = np.lib.stride_tricks.sliding_window_view(tones, disc.shape)[ys, xs]
    flat_stencils = np.array([stencil.ravel() for _, stencil in stencils])
    likeness = cuts.reshape(-1, disc.size) @ flat_stencils.T
    numbers = np.abs(likeness).argmax(axis=1)
    signs = np.where(likeness[np.arange(len(ys)), numbers] < 0, -1, 1)
    places = []
    columns = (column.tolist() for column in (ys, xs, numbers, signs))
    for y, x, number, sign in zip(*columns, strict=True):
        score, (turn_deg, _) = float(scores[y, x]), stencils[number]
        # From the top left of the disc in the small frame to its middle in the frame.
        middle_x = (x + side / 2) / scale - 0.5
        middle_y = (y + side / 2) / scale - 0.5
        places.append(Place(score, sign, height_px, turn_deg, middle_x, middle_y))
    return places


def _drop_overlapping(places: list[Place]) -> list[Place]:
    """Drop places that overlap a better one of about their size; best score first."""
    kept: list[Place] = []
    # Kept places by square of the frame, so that few need to be compared.
    squares: dict[tuple[int, int], list[Place]] = {}
    for place in sorted(places, key=lambda place: -place.score):
        reach = SAME_REACH * place.height_px
        rows = range(_square_at(place.y - reach), _square_at(place.y + reach) + 1)
        columns = range(_square_at(place.x - reach), _square_at(place.x + reach) + 1)
        near = [squares.get(square, []) for square in product(rows, columns)]
        if any(_overlaps(place, better, reach) for better in chain(*near)):
            continue
        kept.append(place)
        square = _square_at(place.y), _square_at(place.x)
        squares.setdefault(square, []).append(place)
    return kept


def _square_at(px: float) -> int:
    """Return a square's number along an axis; it is as wide as the smallest face."""
    return int(px // HEIGHTS_PX[0])


def _overlaps(place: Place, better: Place, reach: float) -> bool:
    """Tell whether two places are nearer than *reach* pixels, and of about one size."""
    is_near = math.hypot(place.x - better.x, place.y - better.y) < reach
    ratio = place.height_px / better.height_px
    return is_near and 1 / SAME_SIZE < ratio < SAME_SIZE
