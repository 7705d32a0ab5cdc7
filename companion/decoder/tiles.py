"""Measures the strongest narrow peak in the spectrum of every tile of a frame.

A *tile* is a square of TILE pixels. If it holds parallel lines, their wave, the
*carrier*, makes a narrow *peak* in its spectrum, at a frequency (x, y) in periods a
pixel. JPEG's blocks of 8 by 8 pixels repeat a fine carrier at coarser frequencies, its
*aliases*, which may be stronger. So of a peak and its aliases, the finest is taken as
the carrier.

A spectrum's numbers are called elements. The *plane* is the half of a spectrum that is
kept; the other half repeats it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float32]
Index = NDArray[np.intp]
Number = TypeVar("Number", float, Float)
Pixels = NDArray[np.uint8]
"""A picture: rows of pixels, grey or in colour, 0 to 255."""

BLOCK = 1 / 8
"""Frequency of JPEG's blocks, in periods a pixel."""

ALIAS_SHARE = 0.35
"""A finer alias with this share of the strongest peak's energy is the carrier."""

FINER_BY = 0.03
"""How much finer an alias must be than the peak, in periods a pixel."""

CROSSED_TAN = 0.466
"""Tangent of 25 degrees: a peak that far off the first one's direction is *crossed*."""

TILE = 64
"""Side of a tile in pixels: 8 lines at 8 pixels a line, 29 at 2.2."""

ALIAS_REACH = 4.5 / TILE
"""Periods a pixel from an alias of the first peak within which no peak is crossed."""

FLOOR_FACTOR = 1.6
"""Multiple of the energy of mere noise that is taken off a crossed peak's energy."""

PEAK_SIDE = 5
"""Side, in elements, of the square whose energy counts as one peak's."""

FREQUENCY_MIN, FREQUENCY_MAX = 0.06, 0.48
"""Periods a pixel: from 16 pixels a line down to just over two, where lines alias."""

CONTRAST_MIN = 0.6
"""Amplitude in grey levels below which there is only the sensor's noise."""

ROWS = 3
"""Rows of tiles measured at a time, which fit a processor's cache."""

LIKELY = 0.15
"""Share of a tile's energy from which a peak's aliases are compared with it."""


@dataclass(frozen=True, slots=True, eq=False)
class Tiles:
    """The strongest peak of every tile.

    Attributes:
        grey: (height, width) uint8, the picture.
        frequencies: (rows, columns, 2) x and y of the peak, in periods a pixel.
        shares: (rows, columns) share of the tile's energy in its peak, 0 to 1.
        peaks: (tiles, 4) frequency of the peak before refinement (x, y), its energy,
            and the energy that noise alone would give.
    """

    grey: Pixels
    frequencies: Float
    shares: Float
    peaks: Float

    @property
    def rows(self) -> int:
        """The number of rows of tiles."""
        return int(self.shares.shape[0])

    @property
    def columns(self) -> int:
        """The number of tiles in a row."""
        return int(self.shares.shape[1])


_BEYOND = 3
"""Columns of negative x frequency that are kept, so that no peak is cut in half."""

_WIDE = TILE // 2 + _BEYOND
"""Columns of the plane."""


@dataclass(frozen=True, slots=True, eq=False)
class _Plane:
    """What the spectra of all tiles have in common.

    A plane has TILE rows, from y frequency -0.5 on, and _WIDE columns, the first
    _BEYOND with negative x frequency.

    Attributes:
        window: (TILE, TILE) Hann window for the tile's pixels.
        x, y: (elements,) frequency of each element.
        radius: (TILE, _WIDE) absolute frequency, 0 where no carrier can be.
        ring: (elements,) 1 where a peak may be, else 0.
        once: (elements,) 0 where an element repeats another one, else 1.
    """

    window: Float
    x: Float
    y: Float
    radius: Float
    ring: Float
    once: Float


@lru_cache(maxsize=1)
def _shared_plane() -> _Plane:
    hann = np.hanning(TILE + 1)[:TILE]
    y, x = np.mgrid[-TILE // 2 : TILE // 2, -_BEYOND : TILE // 2] / TILE
    radius = np.hypot(x, y)
    radius *= (radius >= FREQUENCY_MIN) & (radius <= FREQUENCY_MAX)
    planes = (np.outer(hann, hann), x.ravel(), y.ravel(), radius)
    masks = ((x >= 0) & (radius > 0)).ravel(), (x >= 0).ravel()
    return _Plane(*(np.asarray(part, np.float32) for part in (*planes, *masks)))


def _compute_power(tiles: Pixels) -> Float:
    """Compute the power spectrum of tiles: (count, TILE, _WIDE).

    It is multiplied by frequency, since the power of clutter falls with frequency.
    """
    power = np.zeros((len(tiles), TILE, _WIDE), np.float32)
    # The mean is not subtracted: under the window it stays below FREQUENCY_MIN.
    light = tiles.astype(np.float32)
    light *= _shared_plane().window
    for tile in light:
        cv2.dft(tile, tile)
    half = TILE // 2
    square = np.multiply(light, light, out=light)
    # cv2 packs real and imaginary part of x bins 1..31 side by side, and those of bin 0
    # one below the other in column 0. All pairs are added at once; a few are not used.
    flat = square.ravel()
    sums = np.zeros(flat.size // 2, np.float32)
    np.add(flat[1:-1:2], flat[2::2], out=sums[:-1])
    sums = sums.reshape(-1, TILE, half)[:, :, :-1]
    power[:, half:, _BEYOND + 1 :] = sums[:, :half]
    power[:, :half, _BEYOND + 1 :] = sums[:, half:]
    edge = square[:, 1 : TILE - 1 : 2, 0] + square[:, 2:TILE:2, 0]
    power[:, half + 1 :, _BEYOND] = edge
    power[:, 1:half, _BEYOND] = edge[:, ::-1]
    for beyond in range(1, _BEYOND + 1):
        power[:, 1:, _BEYOND - beyond] = power[:, :0:-1, _BEYOND + beyond]
    power *= _shared_plane().radius
    return power


def _sum_peaks(power: Float) -> Float:
    """Sum the energy around every possible peak: (tiles, elements)."""
    side = (PEAK_SIDE, PEAK_SIDE)
    around = cv2.boxFilter(power.reshape(-1, _WIDE), -1, side, normalize=False)
    narrow = np.asarray(around, np.float32).reshape(len(power), -1)
    narrow *= _shared_plane().ring
    return narrow


def measure_tiles(grey: Pixels) -> Tiles:
    """Find the strongest narrow peak of each tile of a frame.

    Args:
        grey: (height, width) uint8; pixels beyond the last whole tile are ignored.
    """
    rows, columns = grey.shape[0] // TILE, grey.shape[1] // TILE
    strips = []
    for row in range(0, rows, ROWS):
        strip = grey[row * TILE : min(rows, row + ROWS) * TILE, : columns * TILE]
        tiles = strip.reshape(-1, TILE, columns, TILE).swapaxes(1, 2)
        strips.append(_find_peaks(tiles.reshape(-1, TILE, TILE)))
    frequencies, shares, peaks = zip(*strips, strict=True)
    return Tiles(
        grey,
        np.concatenate(frequencies).reshape(rows, columns, 2),
        np.concatenate(shares).reshape(rows, columns),
        np.concatenate(peaks),
    )


def _cut_tiles(grey: Pixels, rows: Index, columns: Index) -> Pixels:
    """Cut out the tiles at these rows and columns: (count, TILE, TILE)."""
    height, width = (side // TILE for side in grey.shape)
    whole = grey[: height * TILE, : width * TILE]
    tiles = whole.reshape(height, TILE, width, TILE).swapaxes(1, 2)
    return tiles[rows, columns]


def _find_peaks(tiles: Pixels) -> tuple[Float, Float, Float]:
    """Find the strongest narrow peak of each tile.

    Args:
        tiles: (count, TILE, TILE).

    Returns:
        Frequencies (count, 2), shares (count,), and `Tiles.peaks` (count, 4).
    """
    plane, power = _shared_plane(), _compute_power(tiles)
    narrow = _sum_peaks(power)
    each = np.arange(len(tiles))
    at = narrow.argmax(axis=1)
    total = power.reshape(len(tiles), -1) @ plane.once + np.float32(1e-6)
    likely = np.flatnonzero(narrow[each, at] > LIKELY * total)
    at[likely] = _prefer_finer(narrow, likely, at[likely])
    first = narrow[each, at]
    rest = np.maximum(total - first, 0)
    floor = PEAK_SIDE**2 * rest / (plane.ring.sum() - PEAK_SIDE**2)
    peak_x, peak_y = plane.x[at], plane.y[at]
    refined = _refine_peaks(power, at, np.column_stack([peak_x, peak_y]))
    shares = np.minimum(first / total, 1)
    # Power of a wave of amplitude a under a Hann window, times its frequency.
    amplitude = np.sqrt(first / np.maximum(np.hypot(peak_x, peak_y), 0.01))
    amplitude *= 2 / float(np.sqrt((plane.window**2).sum() * TILE**2))
    shares = np.where(amplitude >= CONTRAST_MIN, shares, np.float32(0))
    return refined, shares, np.column_stack([peak_x, peak_y, first, floor])


def _refine_peaks(power: Float, at: Index, peaks: Float) -> Float:
    """Refine peaks to a fraction of an element: the centroid of 5 by 5 around each."""
    y, x = np.divmod(at, _WIDE)
    offsets = np.arange(-2, 3)
    ys = np.clip(y[:, None] + offsets, 0, TILE - 1)
    xs = np.clip(x[:, None] + offsets, 0, _WIDE - 1)
    patch = power[np.arange(len(at))[:, None, None], ys[:, :, None], xs[:, None, :]]
    weight = patch / (patch.sum(axis=(1, 2), keepdims=True) + 1e-9)
    dx = (weight.sum(axis=1) * offsets).sum(axis=1) / TILE
    dy = (weight.sum(axis=2) * offsets).sum(axis=1) / TILE
    return np.asarray(peaks + np.column_stack([dx, dy]), np.float32)


def crossed_shares(tiles: Tiles, chosen: Index) -> Float:
    """Measure the strongest peak of tiles in another direction than the first's.

    Args:
        tiles: All tiles of a picture.
        chosen: (count,) indices of the tiles to measure.

    Returns:
        (count,) energy of that peak, as a share of the first one's.
    """
    plane = _shared_plane()
    rows, columns = np.divmod(chosen, tiles.columns)
    narrow = _sum_peaks(_compute_power(_cut_tiles(tiles.grey, rows, columns)))
    peak_x, peak_y, first, floor = tiles.peaks[chosen].T[:, :, None]
    across = np.abs(plane.x * peak_y - plane.y * peak_x)
    narrow *= across > CROSSED_TAN * np.abs(plane.x * peak_x + plane.y * peak_y)
    for other_x, other_y in aliases_of(peak_x, peak_y):
        for sign in (1, -1):
            away = (plane.x - sign * other_x) ** 2 + (plane.y - sign * other_y) ** 2
            narrow *= away > ALIAS_REACH**2
    second = narrow.max(axis=1, keepdims=True)
    shares = np.maximum(0, second - FLOOR_FACTOR * floor) / (first - floor + 1e-6)
    return np.asarray(shares[:, 0], np.float32)


def aliases_of(x: Number, y: Number) -> tuple[tuple[Number, Number], ...]:
    """List the frequencies at which JPEG repeats a carrier, in periods a pixel.

    JPEG drops weak high frequencies in each block of 8 by 8 pixels; the rest of a wave
    repeats with the blocks, which adds peaks an eighth of a period a pixel away.
    """
    return ((x - BLOCK, y), (x + BLOCK, y), (x, y - BLOCK), (x, y + BLOCK))


def _prefer_finer(narrow: Float, each: Index, at: Index) -> Index:
    """Return the element of each tile's carrier: its peak, or a finer alias of it.

    Args:
        narrow: (tiles, elements) energy around every frequency.
        each: (count,) indices of the tiles.
        at: (count,) elements of their peaks.
    """
    plane, best = _shared_plane(), at.copy()
    x, y = plane.x[at], plane.y[at]
    for alias_x, alias_y in aliases_of(x, y):
        alias_at = _nearest_elements(alias_x, alias_y)
        energy = narrow[each, alias_at]
        wins = np.hypot(alias_x, alias_y) > np.hypot(x, y) + np.float32(FINER_BY)
        wins &= energy > ALIAS_SHARE * narrow[each, at]
        # Of several such aliases, the strongest.
        wins &= (energy > narrow[each, best]) | (best == at)
        best[wins] = alias_at[wins]
    return best


def _nearest_elements(x: Float, y: Float) -> Index:
    """Return the elements nearest to frequencies; 0, which is empty, if outside."""
    sign = np.where(x < 0, np.float32(-1), np.float32(1))
    column = np.rint(sign * x * TILE).astype(int) + _BEYOND
    row = np.rint(sign * y * TILE).astype(int) + TILE // 2
    is_inside = (row >= 0) & (row < TILE) & (column < _WIDE)
    return np.where(is_inside, row * _WIDE + column, 0)


def alias_shares(
    grey: Pixels, rows: Index, columns: Index, frequencies: Float
) -> list[float]:
    """Measure the energy at each alias of a carrier, as a share of the carrier's own.

    Args:
        grey: (height, width) uint8.
        rows: (count,) rows of the tiles to measure, at least one.
        columns: (count,) their columns.
        frequencies: (count, 2) x and y of the carrier in each.

    Returns:
        The shares, in the order of `aliases_of`.
    """
    narrow = _sum_peaks(_compute_power(_cut_tiles(grey, rows, columns)))
    each = np.arange(len(rows))
    x, y = frequencies.T
    own, *others = (
        float(narrow[each, _nearest_elements(at_x, at_y)].sum())
        for at_x, at_y in ((x, y), *aliases_of(x, y))
    )
    return [other / (own + 1e-6) for other in others]
