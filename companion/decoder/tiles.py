"""Measuring the strongest narrow peak in the spectrum of every tile of a frame.

Frequencies are (x, y) in periods a pixel. The blocks of JPEG repeat a fine carrier (the
wave of a print's lines) as a coarser alias; of a peak and its likely aliases, the
finest is believed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float32]
Pixels = NDArray[np.uint8]
"""A picture: rows of pixels, grey or in colour, 0 to 255."""

BLOCK = 1 / 8
"""Frequency of JPEG's blocks of 8 pixels, in periods a pixel."""

ALIAS_SHARE = 0.35
"""A finer alias with this share of the strongest peak's energy is the carrier."""

TILE = 64
"""Side of a tile in pixels: 8 lines at 8 pixels a line, 29 at 2.2."""

FREQUENCY_MIN, FREQUENCY_MAX = 0.06, 0.48
"""Periods a pixel: from 16 pixels a line down to just over two, where lines alias."""

CONTRAST_MIN = 0.6
"""Amplitude in grey levels below which there is only the sensor's noise."""


LIKELY = 0.15
"""Share of a tile's energy from which a peak is looked at more closely."""


@dataclass(frozen=True, slots=True)
class Tiles:
    """The strongest peak of every tile.

    Attributes:
        rows, columns: How many tiles.
        frequencies: (rows, columns, 2) x and y of the peak, in periods a pixel.
        shares: (rows, columns) share of the tile's energy in its peak, 0 to 1.
        narrow: (tiles, elements) energy around each frequency of the plane.
        peaks: (tiles, 4) frequency of the peak before refinement (x, y), its energy,
            and what noise alone would give.
    """

    rows: int
    columns: int
    frequencies: Float
    shares: Float
    narrow: Float
    peaks: Float


_BEYOND = 3  # Columns of negative x frequency kept, so that no peak is cut in half.


@lru_cache(maxsize=1)
def _plane() -> tuple[Float, Float, Float, NDArray[np.bool_]]:
    """Window; x and y frequency of a power plane's elements; which of them count."""
    hann = np.hanning(TILE + 1)[:TILE].astype(np.float32)
    y = (np.arange(TILE) - TILE // 2)[:, None] / TILE
    x = np.arange(-_BEYOND, TILE // 2)[None, :] / TILE
    x, y = np.broadcast_arrays(x, y)
    radius = np.hypot(x, y)
    ring = (radius >= FREQUENCY_MIN) & (radius <= FREQUENCY_MAX) & (x >= 0)
    window = np.outer(hann, hann).astype(np.float32)
    return window, x.astype(np.float32), y.astype(np.float32), ring


def _power(grey: NDArray[np.uint8]) -> Float:
    """Power of every tile: (tiles, TILE, TILE / 2 + 3).

    Rows begin at y frequency -0.5, columns at x frequency -_BEYOND / TILE.
    """
    rows, columns = grey.shape[0] // TILE, grey.shape[1] // TILE
    power = np.zeros((rows, columns, TILE, TILE // 2 + _BEYOND), np.float32)
    for row, out in enumerate(power):  # One by one, which saves memory.
        strip = grey[row * TILE : (row + 1) * TILE, : columns * TILE]
        _power_of(strip.reshape(TILE, columns, TILE).swapaxes(0, 1), out)
    return power.reshape(-1, *power.shape[2:])


def _power_of(strip: Pixels, power: Float) -> None:
    """Fill in the power of a row of tiles, (columns, TILE, TILE)."""
    tiles = strip.astype(np.float32)
    tiles -= tiles.mean(axis=(1, 2), keepdims=True)
    tiles *= _plane()[0]
    packed = np.empty_like(tiles)
    for tile, out in zip(tiles, packed, strict=True):
        cv2.dft(tile, out)
    half = TILE // 2
    square = packed * packed
    # cv2 packs (real, imaginary) of x bins 1..31 side by side, and those of bin 0 one
    # below the other in column 0.
    body = square[:, :, 1 : TILE - 1 : 2] + square[:, :, 2:TILE:2]
    power[:, half:, _BEYOND + 1 :] = body[:, :half]
    power[:, :half, _BEYOND + 1 :] = body[:, half:]
    edge = square[:, 1 : TILE - 1 : 2, 0] + square[:, 2:TILE:2, 0]
    power[:, half + 1 :, _BEYOND] = edge
    power[:, 1:half, _BEYOND] = edge[:, ::-1]
    for beyond in range(1, _BEYOND + 1):
        power[:, 1:, _BEYOND - beyond] = power[:, :0:-1, _BEYOND + beyond]


def measure_tiles(grey: NDArray[np.uint8]) -> Tiles:
    """The strongest narrow peak of each tile of a frame.

    Args:
        grey: (height, width) uint8; pixels left over at right and below are ignored.
    """
    _, fx, fy, ring = _plane()
    rows, columns = grey.shape[0] // TILE, grey.shape[1] // TILE
    power = _power(grey)
    count = len(power)
    flat_ring = ring.ravel()
    wide = (np.hypot(fx, fy) >= FREQUENCY_MIN) & (np.hypot(fx, fy) <= FREQUENCY_MAX)
    # Clutter falls with frequency, so each element is weighted by its frequency.
    power *= np.where(wide, np.hypot(fx, fy), 0)
    sums = np.asarray(cv2.blur(power.reshape(-1, power.shape[2]), (5, 5)), np.float32)
    narrow = sums.reshape(count, -1)
    narrow *= np.float32(25)
    narrow[:, ~flat_ring] = 0
    at = narrow.argmax(axis=1)
    likely = narrow.max(axis=1) / (power[:, :, _BEYOND:].sum(axis=(1, 2)) + 1e-6)
    for i in np.flatnonzero(likely > LIKELY):
        at[i] = _prefer_fine(narrow, at, int(i))
    first = narrow[np.arange(count), at]
    total = power[:, :, _BEYOND:].sum(axis=(1, 2)) + 1e-6
    floor = 25 * np.maximum(total - first, 0) / (ring.sum() - 25)
    peak_x, peak_y = fx.ravel()[at], fy.ravel()[at]
    found = np.column_stack([peak_x, peak_y])
    found = _centroids(power, at, found)
    shares = np.minimum(first / total, 1)
    # Power of a wave of amplitude a under a Hann window, times its frequency.
    amplitude = np.sqrt(first / np.maximum(np.hypot(peak_x, peak_y), 0.01))
    amplitude *= 2 / float(np.sqrt((_plane()[0] ** 2).sum() * TILE**2))
    shares = np.where(amplitude >= CONTRAST_MIN, shares, 0)
    return Tiles(
        rows=rows,
        columns=columns,
        frequencies=found.reshape(rows, columns, 2),
        shares=shares.reshape(rows, columns).astype(np.float32),
        narrow=narrow,
        peaks=np.column_stack([peak_x, peak_y, first, floor]),
    )


def _centroids(power: Float, at: NDArray[np.intp], found: Float) -> Float:
    """Peaks to a fraction of an element: the centroid of the 5 by 5 around each."""
    wide = power.shape[2]
    y, x = np.divmod(at, wide)
    offsets = np.arange(-2, 3)
    ys = np.clip(y[:, None] + offsets, 0, TILE - 1)
    xs = np.clip(x[:, None] + offsets, 0, wide - 1)
    patch = power[np.arange(len(at))[:, None, None], ys[:, :, None], xs[:, None, :]]
    weight = patch / (patch.sum(axis=(1, 2), keepdims=True) + 1e-9)
    dx = (weight.sum(axis=1) * offsets).sum(axis=1) / TILE
    dy = (weight.sum(axis=2) * offsets).sum(axis=1) / TILE
    return np.asarray(found + np.column_stack([dx, dy]), np.float32)


def crossed_share(tiles: Tiles, i: int) -> float:
    """A tile's strongest peak 25 degrees or more off the first, as a share of that."""
    peak_x, peak_y, first, floor = tiles.peaks[i].tolist()
    _, fx, fy, _ = _plane()
    x, y = fx.ravel(), fy.ravel()
    across = np.abs(x * peak_y - y * peak_x)
    along = np.abs(x * peak_x + y * peak_y)
    free = across > 0.466 * along
    for other_x, other_y in aliases_of(peak_x, peak_y):
        free &= np.hypot(x - other_x, y - other_y) > 4.5 / TILE
        free &= np.hypot(x + other_x, y + other_y) > 4.5 / TILE
    second = float(tiles.narrow[i][free].max())
    return float(max(0.0, second - 1.6 * floor) / (first - floor + 1e-6))


def aliases_of(x: float, y: float) -> tuple[tuple[float, float], ...]:
    """Frequencies at which JPEG repeats a carrier, in periods a pixel.

    JPEG drops weak high frequencies in each block of 8 by 8 pixels; what is left of a
    wave repeats with the blocks, which adds peaks an eighth of a period a pixel away.
    """
    return ((x - BLOCK, y), (x + BLOCK, y), (x, y - BLOCK), (x, y + BLOCK))


def _prefer_fine(narrow: Float, at: NDArray[np.intp], i: int) -> int:
    """The finest of a peak and its aliases that is strong enough to be the carrier.

    JPEG drops the finer of them and leaves the coarser.
    """
    _, fx, fy, ring = _plane()
    best = int(at[i])
    x, y = fx.ravel()[best], fy.ravel()[best]
    for other_x, other_y in aliases_of(float(x), float(y)):
        if other_x < 0:
            other_x, other_y = -other_x, -other_y
        column = round(other_x * TILE) + _BEYOND
        row = round(other_y * TILE) + TILE // 2
        if not (0 <= row < TILE and column < fx.shape[1] and ring[row, column]):
            continue
        where = row * fx.shape[1] + column
        is_finer = np.hypot(other_x, other_y) > np.hypot(x, y) + 0.03
        is_strong = narrow[i, where] > ALIAS_SHARE * narrow[i, at[i]]
        is_better = narrow[i, where] > narrow[i, best] or best == at[i]
        if is_finer and is_strong and is_better:
            best = where
    return best
