"""Finds line screens: joins tiles whose spectrum has one narrow peak.

- screen: an area of parallel lines, as on a scrambled print.
- tile: a square of the frame.
- frequency: where the strongest narrow peak of a tile's spectrum lies, (x, y) in
  periods a pixel.
- share: how much of the tile's energy lies in that peak.
- crossed: how strong a second peak is in another direction, as a share of the first.
- group: neighbouring tiles of similar frequency.
- core: the tiles of a group that are near its commonest frequency.
- trend: frequencies that change evenly from place to place, as on a tilted print.
- line cell: a line period squared, the unit of a screen's area.
- alias: a frequency at which JPEG repeats the lines.

Clutter may join several screens to one group, so each group is split again into tiles
that follow one trend. Weaves and halftones, which are crossed, are refused, and so are
cloth and thin borders.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import chain, product

import numpy as np
from numpy.typing import NDArray

from companion.decoder.tiles import (
    TILE,
    Index,
    Pixels,
    Tiles,
    alias_shares,
    crossed_shares,
)

Float = NDArray[np.float32]

# Groups.

SHARE_STRONG, SHARE_WEAK = 0.24, 0.15
"""Least share of a group's strongest tile, and of all its tiles.

With 0.3 for the first, one of 196 notes of drawn decks is not found: its lines are fine
and a little blurred, and all its tiles have 0.2 to 0.29."""

JOIN = 0.028
"""The most by which frequencies of joined tiles differ, in periods a pixel."""

# Splitting a group.

SPREAD_MAX = 0.011
"""Largest standard deviation of frequencies from a trend, in periods a pixel.

Wood grain has twice as much."""

TRIMMED = 0.06
"""Share of a group's tiles that each round of `_trim_group` drops."""

KEPT_MIN = 0.6
"""Share of a group's tiles at which `_trim_group` stops."""

CORES_MAX = 4
"""How many screens are sought in one group."""

CORE_TILES = 64
"""About how many tiles of a group are tried to find its commonest frequency."""

CORE_REACH = 1.4
"""How far a core's tiles may be off the commonest frequency, as a multiple of JOIN."""

# What a screen must be like.

TILES_MIN = 5
"""Least tiles of a screen: about one face."""

CELLS_MIN = 400
"""Least line cells of a screen: about one face."""

CELLS_MAX = 60_000
"""Most line cells of a print; a larger screen is cloth.

A panel has some 150 by 100 lines; the film of `companion print lens`, with the tiles
that it touches, up to 58,000 cells."""

SOLID_FROM, SOLID = 12, 7
"""A screen of SOLID_FROM tiles or more must fill SOLID tiles of some block of 3 by 3.

The corner of a narrow frame or border fills five."""

SAMPLE_TILES = 6
"""Most tiles of a screen that are searched for a second peak or an alias."""

CROSSED_MAX = 0.5
"""Highest `Screen.crossed` of a print."""

# Lines too fine to be read.

FINE_PX = 3.3
"""Pixels a line below which a print may be too far away to be read.

JPEG's alias of the finest lines has 3.2."""

SHARE_FINE = 0.09
"""Least share of the tiles of such a print.

With CROSSED_FINE it finds 21 of 24 notes of 2 to 2.4 pixels a line; 0.12, with a second
peak of 0.5, finds only 16. In 108 tables, decoys and noise either finds one print."""

CROSSED_FINE = 0.7
"""Highest `Screen.crossed` of such a print.

JPEG's alias makes a second peak of up to as much; weaves had 0.76 and more."""


@dataclass(frozen=True, slots=True)
class Screen:
    """A patch of parallel lines in a frame.

    Attributes:
        box_px: x0, y0, x1, y1 of the tiles, exclusive on the right and below.
        tiles_px: (n, 2) centres of its tiles, x and y.
        frequencies: (n, 2) x and y in periods a pixel, all pointing the same way.
        shares: (n,) share of each tile's energy in its peak, 0 to 1.
        frequency: Mean of the frequencies, weighted by the shares.
        crossed: Energy of the second peak, as a share of the first one's, median over
            some tiles.
    """

    box_px: tuple[int, int, int, int]
    tiles_px: Float
    frequencies: Float
    shares: Float
    frequency: tuple[float, float]
    crossed: float

    @property
    def pixels_per_line(self) -> float:
        """Frame pixels from line to line, mean over the screen."""
        return 1 / math.hypot(*self.frequency)

    @property
    def cells(self) -> float:
        """Line cells that its tiles cover."""
        return len(self.tiles_px) * (TILE / self.pixels_per_line) ** 2


def find_screens(
    tiles: Tiles,
    crossed_max: float = CROSSED_MAX,
    line_px: tuple[float, float] = (0, math.inf),
) -> tuple[Screen, ...]:
    """Find every line screen of a frame that could hold a face, largest first.

    Args:
        tiles: The tiles of the frame.
        crossed_max: Highest `Screen.crossed`.
        line_px: Range of pixels a line: at least the first, less than the second.
    """
    groups = _group_tiles(tiles, share_min=SHARE_WEAK, strongest_min=SHARE_STRONG)
    return _find_sound(tiles, groups, crossed_max, line_px)


def find_too_fine(tiles: Tiles) -> tuple[Screen, ...]:
    """Find lines too fine and weak to be read, as of a note far away, largest first.

    Args:
        tiles: The tiles of the frame at its full size.
    """
    x, y = tiles.frequencies[..., 0], tiles.frequencies[..., 1]
    shares = np.where(np.hypot(x, y) > 1 / FINE_PX, tiles.shares, np.float32(0))
    fine = replace(tiles, shares=shares)
    groups = _group_tiles(fine, share_min=SHARE_FINE, strongest_min=SHARE_FINE)
    return _find_sound(fine, groups, CROSSED_FINE, (0, math.inf))


def _find_sound(
    tiles: Tiles,
    groups: list[NDArray[np.intp]],
    crossed_max: float,
    line_px: tuple[float, float],
) -> tuple[Screen, ...]:
    """Find the screens of *groups* that could be prints, see `find_screens`."""
    least_px, most_px = line_px
    sound = []
    for screen in chain.from_iterable(_split_group(tiles, group) for group in groups):
        is_in_range = least_px <= screen.pixels_per_line < most_px
        if not is_in_range or screen.cells > CELLS_MAX or not _is_solid(screen):
            continue
        measured = _measure_crossed(tiles, screen)
        if measured.crossed <= crossed_max:
            sound.append(measured)
    return tuple(sorted(sound, key=lambda screen: -len(screen.tiles_px)))


def _is_solid(screen: Screen) -> bool:
    """Tell whether a screen is no frame or border, see SOLID."""
    centres = {(int(x), int(y)) for x, y in screen.tiles_px.tolist()}
    if len(centres) < SOLID_FROM:
        return True
    block = list(product((-TILE, 0, TILE), repeat=2))
    for x, y in centres:
        filled = sum((x + right, y + down) in centres for right, down in block)
        if filled >= SOLID:
            return True
    return False


def _find_links(tiles: Tiles, share_min: float) -> list[tuple[int, int]]:
    """Return pairs of neighbouring tiles, as indices, with nearly equal frequencies.

    Only tiles with a share of *share_min* or more are paired.
    """
    index = np.arange(tiles.rows * tiles.columns).reshape(tiles.rows, tiles.columns)
    is_usable = tiles.shares >= share_min
    links: list[tuple[int, int]] = []
    # The four other neighbours have been paired with the tile already.
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        tile = (
            slice(0, tiles.rows - down),
            slice(max(0, -right), tiles.columns - max(0, right)),
        )
        neighbour = (
            slice(down, tiles.rows),
            slice(max(0, right), tiles.columns - max(0, -right)),
        )
        frequency, other = tiles.frequencies[tile], tiles.frequencies[neighbour]
        # The sign of a frequency is arbitrary.
        apart = ((frequency - other) ** 2).sum(axis=2)
        apart_turned = ((frequency + other) ** 2).sum(axis=2)
        is_near = np.minimum(apart, apart_turned) <= JOIN**2
        joined = is_near & is_usable[tile] & is_usable[neighbour]
        pairs = index[tile][joined].tolist(), index[neighbour][joined].tolist()
        links += zip(*pairs, strict=True)
    return links


def _group_tiles(
    tiles: Tiles, *, share_min: float, strongest_min: float
) -> list[NDArray[np.intp]]:
    """Group connected tiles, as indices.

    *share_min* is the least share of a tile, *strongest_min* that of a group's
    strongest tile.
    """
    parents = list(range(tiles.rows * tiles.columns))

    def root(tile: int) -> int:
        """Return the tile that stands for a tile's group."""
        while parents[tile] != tile:
            parents[tile] = parents[parents[tile]]  # So the way is shorter next time.
            tile = parents[tile]
        return tile

    for tile, neighbour in _find_links(tiles, share_min):
        parents[root(tile)] = root(neighbour)
    members: dict[int, list[int]] = {}
    for tile in np.flatnonzero(tiles.shares >= share_min).tolist():
        members.setdefault(root(tile), []).append(tile)
    shares = tiles.shares.ravel()
    groups = [np.array(group) for group in members.values() if len(group) >= TILES_MIN]
    return [group for group in groups if shares[group].max() >= strongest_min]


def _off_trend(screen: Screen) -> Float:
    """Return how far each tile is off the trend, in periods a pixel."""
    places = (screen.tiles_px - screen.tiles_px.mean(axis=0)) / TILE
    design = np.column_stack([places, np.ones(len(places))]).astype(np.float64)
    weighed = (design * (screen.shares**2)[:, None]).T
    # Tiles in one row do not tell the slope across it; the last term makes it 0.
    normal = weighed @ design + 1e-6 * np.eye(3)
    trend = np.linalg.solve(normal, weighed @ screen.frequencies)
    off = design @ trend - screen.frequencies
    return np.asarray(np.hypot(off[:, 0], off[:, 1]), np.float32)


def _measure_spread(off: Float, screen: Screen) -> float:
    """Return the standard deviation of tiles off their trend, in periods a pixel."""
    return float(np.sqrt(((off * screen.shares) ** 2).sum() / (screen.shares**2).sum()))


def _has_one_trend(screen: Screen) -> bool:
    return _measure_spread(_off_trend(screen), screen) <= SPREAD_MAX


def _trim_group(tiles: Tiles, group: NDArray[np.intp]) -> Screen:
    """Make the screen of a group without the tiles farthest off its trend.

    Tiles on a panel's edge show its lines and those of the table at once.
    """
    screen = _build_screen(tiles, group)
    least = max(TILES_MIN, KEPT_MIN * len(group))
    while len(group) > least:
        off = _off_trend(screen)
        if _measure_spread(off, screen) <= SPREAD_MAX:
            break
        last_kept = int((1 - TRIMMED) * (len(off) - 1))
        group = group[off <= np.partition(off, last_kept)[last_kept]]
        screen = _build_screen(tiles, group)
    return screen


def _split_group(tiles: Tiles, group: NDArray[np.intp]) -> list[Screen]:
    """Find the screens in a group of tiles."""
    screens: list[Screen] = []
    for _ in range(CORES_MAX):
        if len(group) < TILES_MIN:
            break
        screen = _build_screen(tiles, group)
        if screen.cells < CELLS_MIN:
            break
        if _has_one_trend(screen):
            return [*screens, screen]
        core = _distance_from_commonest(screen) < CORE_REACH * JOIN
        screen = _trim_group(tiles, group[core])
        is_large = len(screen.shares) >= TILES_MIN and screen.cells >= CELLS_MIN
        if is_large and _has_one_trend(screen):
            screens.append(screen)
        group = group[~core]
    return screens


def _distance_from_commonest(screen: Screen) -> Float:
    """Return how far every tile is from the commonest frequency, in periods a pixel."""
    sample = screen.frequencies[:: math.ceil(len(screen.shares) / CORE_TILES)]
    difference = sample[:, None] - screen.frequencies[None]
    apart = np.hypot(difference[..., 0], difference[..., 1])
    # The commonest is the one that most other tiles are near to, strong ones above all.
    support = (apart < JOIN).astype(np.float32) @ screen.shares
    return np.asarray(apart[support.argmax()], np.float32)


def _measure_crossed(tiles: Tiles, screen: Screen) -> Screen:
    """Return the screen with `crossed` measured on a few of its tiles."""
    rows, columns, _ = _sample_tiles(screen)
    crossed = crossed_shares(tiles, rows * tiles.columns + columns)
    return replace(screen, crossed=float(np.median(crossed)))


def shares_at_aliases(screen: Screen, grey: Pixels) -> list[float]:
    """Return the energy at each of a screen's aliases, as a share of its lines' own.

    Args:
        screen: The screen; a few of its tiles are measured.
        grey: (height, width) uint8, the frame that it was found in.

    Returns:
        The shares, in the order of `aliases_of`.
    """
    rows, columns, sample = _sample_tiles(screen)
    return alias_shares(grey, rows, columns, screen.frequencies[sample])


def _sample_tiles(screen: Screen) -> tuple[Index, Index, Index]:
    """Choose a few tiles, strong and weak: their rows, columns and indices."""
    strongest = np.argsort(-screen.shares)
    sample = strongest[:: math.ceil(len(strongest) / SAMPLE_TILES)]
    columns, rows = (screen.tiles_px[sample] // TILE).astype(np.intp).T
    return rows, columns, sample


def _build_screen(tiles: Tiles, group: NDArray[np.intp]) -> Screen:
    """Make the screen of a group of tiles, with `crossed` still 0."""
    rows, columns = np.divmod(group, tiles.columns)
    frequencies = tiles.frequencies.reshape(-1, 2)[group]
    shares = tiles.shares.ravel()[group]
    strongest = frequencies[int(shares.argmax())]
    frequencies = frequencies * np.where(frequencies @ strongest < 0, -1, 1)[:, None]
    mean = shares @ frequencies / shares.sum()
    centres = np.column_stack([columns, rows]).astype(np.float32) * TILE + TILE / 2
    box = (
        int(columns.min()) * TILE,
        int(rows.min()) * TILE,
        int(columns.max() + 1) * TILE,
        int(rows.max() + 1) * TILE,
    )
    return Screen(
        box_px=box,
        tiles_px=centres.astype(np.float32),
        frequencies=frequencies.astype(np.float32),
        shares=shares,
        frequency=(float(mean[0]), float(mean[1])),
        crossed=0.0,
    )
