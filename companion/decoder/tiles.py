"""Measures the strongest narrow peak in the spectrum of every tile of a frame.

A *tile* is a square of TILE pixels. If it holds parallel lines, their wave, the
*carrier*, makes a narrow *peak* in its spectrum, at a frequency (x, y) in periods a
pixel. JPEG's blocks of 8 by 8 pixels repeat a fine carrier at coarser frequencies, its
*aliases*, which may be stronger. So of a peak and its aliases, the finest is taken as
the carrier. A peak in quite another direction than the first is *crossed*.

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

# Peaks.

TILE = 64
"""Side of a tile in pixels: 8 lines at 8 pixels a line, 29 at 2.2."""

ROWS = 3
"""Rows of tiles measured at a time, which fit a processor's cache."""

PEAK_SIDE = 5
"""Side, in elements, of the square whose energy counts as one peak's."""

FREQUENCY_MIN, FREQUENCY_MAX = 0.06, 0.48
"""Periods a pixel: from 16 pixels a line down to just over two, the finest possible."""

CONTRAST_MIN = 0.6
"""Amplitude in grey levels below which there is only the sensor's noise."""

# Aliases.

BLOCK = 1 / 8
"""Frequency of JPEG's blocks, in periods a pixel."""

LIKELY = 0.15
"""Share of a tile's energy from which a peak is compared with its aliases."""

ALIAS_SHARE = 0.35
"""A finer alias with more than this share of the peak's energy is the carrier."""

FINER_BY = 0.03
"""How much finer an alias must be than the peak, in periods a pixel."""

# Crossed peaks.

CROSSED_TAN = 0.466
"""Tangent of 25 degrees: a peak farther off the first one's direction is crossed."""

ALIAS_REACH = 4.5 / TILE
"""Periods a pixel from an alias of the first peak within which no peak is crossed."""

NOISE_FACTOR = 1.6
"""Multiple of the energy of mere noise that is taken off a crossed peak's energy."""


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
        may_peak: (elements,) 1 where a peak may be, else 0.
        is_first: (elements,) 0 where an element repeats another one, else 1.
    """

    window: Float
    x: Float
    y: Float
    radius: Float
    may_peak: Float
    is_first: Float


@lru_cache(maxsize=1)
def _shared_plane() -> _Plane:
    hann = np.hanning(TILE + 1)[:TILE]
    y, x = np.mgrid[-TILE // 2 : TILE // 2, -_BEYOND : TILE // 2] / TILE
    radius = np.hypot(x, y)
    radius *= (radius >= FREQUENCY_MIN) & (radius <= FREQUENCY_MAX)
    return _Plane(
        window=np.outer(hann, hann).astype(np.float32),
        x=x.ravel().astype(np.float32),
        y=y.ravel().astype(np.float32),
        radius=radius.astype(np.float32),
        may_peak=((x >= 0) & (radius > 0)).ravel().astype(np.float32),
        is_first=(x >= 0).ravel().astype(np.float32),
    )


def _compute_power(tiles: Pixels) -> Float:
    """Compute the power spectrum of tiles: (count, TILE, _WIDE).

    It is multiplied by frequency, since the power of clutter falls with frequency.
    """
    power = np.zeros((len(tiles), TILE, _WIDE), np.float32)
    # The mean is not subtracted: under the window it stays below FREQUENCY_MIN.
    spectra = tiles.astype(np.float32)
    spectra *= _shared_plane().window
    for tile in spectra:
        cv2.dft(tile, tile)  # In place: the tile becomes its spectrum.
    half = TILE // 2
    square = np.multiply(spectra, spectra, out=spectra)
    # cv2 packs real and imaginary part of x bins 1..31 side by side, and those of bin 0
    # one below the other in column 0. All pairs are added at once; a few are not used.
    flat = square.ravel()
    sums = np.zeros(flat.size // 2, np.float32)
    np.add(flat[1:-1:2], flat[2::2], out=sums[:-1])
    sums = sums.reshape(-1, TILE, half)[:, :, :-1]
    # cv2 puts y frequency 0 first and the negative ones last; a plane, -0.5 first.
    power[:, half:, _BEYOND + 1 :] = sums[:, :half]
    power[:, :half, _BEYOND + 1 :] = sums[:, half:]
    bin_0 = square[:, 1 : TILE - 1 : 2, 0] + square[:, 2:TILE:2, 0]
    power[:, half + 1 :, _BEYOND] = bin_0
    power[:, 1:half, _BEYOND] = bin_0[:, ::-1]
    # At (-x, -y) a spectrum has the power that it has at (x, y).
    for beyond in range(1, _BEYOND + 1):
        power[:, 1:, _BEYOND - beyond] = power[:, :0:-1, _BEYOND + beyond]
    power *= _shared_plane().radius
    return power


def _sum_peaks(power: Float) -> Float:
    """Sum the energy around each element, 0 where no peak may be: (tiles, elements)."""
    side = (PEAK_SIDE, PEAK_SIDE)
    around = cv2.boxFilter(power.reshape(-1, _WIDE), -1, side, normalize=False)
    energies = np.asarray(around, np.float32).reshape(len(power), -1)
    energies *= _shared_plane().may_peak
    return energies


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
    energies = _sum_peaks(power)
    numbers = np.arange(len(tiles))
    elements = energies.argmax(axis=1)
    total = power.reshape(len(tiles), -1) @ plane.is_first + np.float32(1e-6)
    likely = np.flatnonzero(energies[numbers, elements] > LIKELY * total)
    elements[likely] = _prefer_finer(energies, likely, elements[likely])
    energy = energies[numbers, elements]
    rest = np.maximum(total - energy, 0)
    noise = PEAK_SIDE**2 * rest / (plane.may_peak.sum() - PEAK_SIDE**2)
    peak_x, peak_y = plane.x[elements], plane.y[elements]
    refined = _refine_peaks(power, elements, np.column_stack([peak_x, peak_y]))
    shares = np.minimum(energy / total, 1)
    # From the power of a wave under a Hann window, times its frequency.
    amplitude = np.sqrt(energy / np.maximum(np.hypot(peak_x, peak_y), 0.01))
    amplitude *= 2 / float(np.sqrt((plane.window**2).sum() * TILE**2))
    shares = np.where(amplitude >= CONTRAST_MIN, shares, np.float32(0))
    return refined, shares, np.column_stack([peak_x, peak_y, energy, noise])


def _refine_peaks(power: Float, elements: Index, peaks: Float) -> Float:
    """Refine peaks to a fraction of an element: the centroid of 5 by 5 around each."""
    rows, columns = np.divmod(elements, _WIDE)
    offsets = np.arange(-2, 3)
    near_rows = np.clip(rows[:, None] + offsets, 0, TILE - 1)
    near_columns = np.clip(columns[:, None] + offsets, 0, _WIDE - 1)
    numbers = np.arange(len(elements))
    patch = power[
        numbers[:, None, None], near_rows[:, :, None], near_columns[:, None, :]
    ]
    weight = patch / (patch.sum(axis=(1, 2), keepdims=True) + 1e-9)
    off_x = (weight.sum(axis=1) * offsets).sum(axis=1) / TILE
    off_y = (weight.sum(axis=2) * offsets).sum(axis=1) / TILE
    return np.asarray(peaks + np.column_stack([off_x, off_y]), np.float32)


def crossed_shares(tiles: Tiles, chosen: Index) -> Float:
    """Measure the strongest crossed peak of some tiles.

    Args:
        tiles: All tiles of a picture.
        chosen: (count,) indices of the tiles to measure.

    Returns:
        (count,) energy of that peak, as a share of the first one's.
    """
    plane = _shared_plane()
    rows, columns = np.divmod(chosen, tiles.columns)
    energies = _sum_peaks(_compute_power(_cut_tiles(tiles.grey, rows, columns)))
    peak_x, peak_y, energy, noise = tiles.peaks[chosen].T[:, :, None]
    along = np.abs(plane.x * peak_x + plane.y * peak_y)
    across = np.abs(plane.x * peak_y - plane.y * peak_x)
    energies *= across > CROSSED_TAN * along
    for alias_x, alias_y in aliases_of(peak_x, peak_y):
        for sign in (1, -1):
            away_x, away_y = plane.x - sign * alias_x, plane.y - sign * alias_y
            energies *= away_x**2 + away_y**2 > ALIAS_REACH**2
    crossed = energies.max(axis=1, keepdims=True)
    shares = np.maximum(0, crossed - NOISE_FACTOR * noise) / (energy - noise + 1e-6)
    return np.asarray(shares[:, 0], np.float32)


def aliases_of(x: Number, y: Number) -> tuple[tuple[Number, Number], ...]:
    """List the frequencies at which JPEG repeats a carrier, in periods a pixel.

    JPEG drops weak high frequencies in each block of 8 by 8 pixels; the rest of a wave
    repeats with the blocks, which adds peaks an eighth of a period a pixel away.
    """
    return ((x - BLOCK, y), (x + BLOCK, y), (x, y - BLOCK), (x, y + BLOCK))


def _prefer_finer(energies: Float, numbers: Index, peaks: Index) -> Index:
    """Return the element of each tile's carrier: its peak, or a finer alias of it.

    Args:
        energies: (tiles, elements), see `_sum_peaks`.
        numbers: (count,) indices of the tiles.
        peaks: (count,) elements of their peaks.
    """
    plane, best = _shared_plane(), peaks.copy()
    x, y = plane.x[peaks], plane.y[peaks]
    for alias_x, alias_y in aliases_of(x, y):
        alias = _nearest_elements(alias_x, alias_y)
        energy = energies[numbers, alias]
        wins = np.hypot(alias_x, alias_y) > np.hypot(x, y) + np.float32(FINER_BY)
        wins &= energy > ALIAS_SHARE * energies[numbers, peaks]
        # Of several such aliases, the strongest.
        wins &= (energy > energies[numbers, best]) | (best == peaks)
        best[wins] = alias[wins]
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
    energies = _sum_peaks(_compute_power(_cut_tiles(grey, rows, columns)))
    numbers = np.arange(len(rows))

    def energy_at(x: Float, y: Float) -> float:
        """Sum the energy at a frequency of each tile."""
        return float(energies[numbers, _nearest_elements(x, y)].sum())

    x, y = frequencies.T
    own = energy_at(x, y) + 1e-6
    return [energy_at(*alias) / own for alias in aliases_of(x, y)]
