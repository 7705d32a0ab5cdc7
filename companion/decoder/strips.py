"""Pictures cut into strips, each turned over or squeezed: found by their seams, joined.

Each strip is as wide as a lens's pitch, and shows what lies around its middle turned
over, or more of it than it is wide, or both. There are no lines to demodulate, but the
picture breaks at every seam, so its edges recur with the pitch over the whole panel,
and their wave tells where the strips lie. In the middle of a strip nothing has moved,
however it was squeezed or turned over: what the middles show, joined, is the picture.
Source: US 5,708,717 (1998).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.bend import TURN
from companion.decoder.interlaced import WHITE, closed
from companion.decoder.phase import LOWPASS_LINES, STRIP_PX, Field, recurring
from companion.decoder.screen import Screen

Float = NDArray[np.float32]
Grey = NDArray[np.uint8]

EDGE = 12.0
"""Grey levels a pixel of an edge that counts half: ink on paper has 20 and more."""

BLOCK, STRIDE = 384, 192
"""Side in pixels of the squares in which seams are sought, and from one to the next:
50 strips or so, over which few of their edges recur by chance. With 256, what is left
of tables and borders is stronger than the seams."""

EDGES_MIN = 0.03
"""Share of edges below which a square is bare."""

FREQUENCIES = (1 / 11, 0.3)
"""Of seams, in periods a pixel: an edge is some two pixels wide."""

PEAK_MIN, ISOLATED_MIN = 2.5, 1.4
"""A peak is so many times as strong as what is around it; one peak of a screen is so
many times as strong as all others but its multiples: borders and grain, stronger, have
many peaks in a row. Of 64 photos of coarse or much squeezed strips 57 had both, and 50
had 3 and 1.9; what seems to be strips has yet to be in step.
"""

PEAKS_MAX = 24
"""Most peaks of a square that are remembered, the strongest."""

NEAR = 0.08
"""How far frequencies in squares of one screen differ, as a share: by its tilt."""

CLEAR_LINES, CLEAR = 3.0, (0.55, 0.75)
"""Standard deviation, in strips, of what counts as around a place; and shares of the
edges there, in step with the seams, at which trust begins, and is full: of panels the
edges had 0.69 to 0.84 on the mean, those of borders that run nearly along them 0.67."""

THIN_LINES = 20.0
"""What is thinner, in strips, is a border's row of dots; panels are two faces high."""

PAPER_LINES = 24.0
"""Side of the square, in strips, in which there is bare paper: two faces."""

IN_STEP_MIN = 0.62
"""Least share of a panel's edges in step with its seams: of 62 photos of strips all had
0.66."""

PANEL_CELLS = 2000
"""Least line cells of a panel: the smallest of 48 had 5,800, what seemed to be panels
in borders up to 1,300."""

FLAT = 0.8
"""Half the difference of ink and paper in what the middles show, as a multiple of how
far the light deviates, below which they show none of it: that is lines, which lie the
same way in each strip. Two levels have 1 or more; of three sets of stripes two had 0.5
and 0.6, and one 1.1, taken for strips aslant.
"""

PROOF_LINES, PROVEN = 1.5, 0.6
"""Standard deviation, in strips, of how far edges at seams prove what is beside them;
and what proves in full, as a share of what edges of the panel have around them on the
mean. What covers eyes has edges as well, but out of step. With 2 strips, a pen's
strokes count as seen; with the whole mean, eyes that wear no mask do not.
"""


def find_strips(grey: Grey) -> tuple[Screen, ...]:
    """Return the pictures in strips in a frame, as screens of their seams.

    Args:
        grey: (height, width) uint8.
    """
    every = list(_squares(edges_of(grey)))
    left = [square for square in every if square.isolated >= ISOLATED_MIN]
    found = []
    while left:
        best = max(left, key=lambda square: square.isolated).frequencies[0]
        left = [square for square in left if square.near(best, most=1) is None]
        told = ((square, square.near(best)) for square in every)
        found.append(_screen([(square, *peak) for square, peak in told if peak]))
    return tuple(sorted(found, key=lambda screen: -len(screen.tiles_px)))


def edges_of(grey: Grey) -> Grey:
    """Return how far each pixel lies on an edge, 0 to 255."""
    edges = np.empty_like(grey)
    # In strips that reach a row beyond what they give, to hold a photo's floats small.
    for top in range(0, len(grey), STRIP_PX):
        begin = max(0, top - 1)
        light = grey[begin : top + STRIP_PX + 1].astype(np.float32)
        x, y = (cv2.Scharr(light, cv2.CV_32F, *way) / 32 for way in ((1, 0), (0, 1)))
        power = x * x + y * y
        power /= power + np.float32(EDGE**2)
        edges[top : top + STRIP_PX] = np.rint(255 * power)[top - begin :][:STRIP_PX]
    return edges


@dataclass(frozen=True, slots=True)
class _Plane:
    """Frequencies of a square's spectrum, x from -0.5, and where seams may show."""

    x: Float
    y: Float
    able: NDArray[np.bool_]
    window: Float


@lru_cache(maxsize=1)
def _plane() -> _Plane:
    line = np.fft.fftshift(np.fft.fftfreq(BLOCK)).astype(np.float32)
    y, x = np.meshgrid(line, line, indexing="ij")
    size, hann = np.hypot(x, y), np.hanning(BLOCK).astype(np.float32)
    able = (size > FREQUENCIES[0]) & (size < FREQUENCIES[1]) & (x >= 0)
    return _Plane(x, y, able, np.outer(hann, hann))


@dataclass(frozen=True, slots=True, eq=False)
class _Square:
    """A square of a frame, and how its edges recur.

    Attributes:
        middle_px: x and y of its middle.
        frequencies: (n, 2) of its peaks, x and y in periods a pixel, strongest first.
        strengths: (n,) of its peaks, as multiples of what is around each.
        isolated: How many times as strong as others the first is; 0 without peaks.
    """

    middle_px: tuple[float, float]
    frequencies: Float
    strengths: Float
    isolated: float

    def near(
        self, frequency: Float, most: int = PEAKS_MAX
    ) -> tuple[Float, float] | None:
        """Return the strongest peak near a frequency, pointing its way; None if none.

        Args:
            frequency: (2,), x and y in periods a pixel.
            most: How many of the strongest peaks are looked at.

        Returns:
            The frequency of the peak, and how strong it is.
        """
        signs = np.where(self.frequencies[:most] @ frequency < 0, -1, 1)
        signed = self.frequencies[:most] * signs[:, None]
        off = np.hypot(*(signed - frequency).T)
        near = np.flatnonzero(off < NEAR * np.hypot(*frequency))
        return (signed[near[0]], float(self.strengths[near[0]])) if len(near) else None


def _squares(edges: Grey) -> Iterator[_Square]:
    ends = [side - BLOCK for side in edges.shape]
    if min(ends) < 0:
        return
    tops, lefts = ([*range(0, end, STRIDE), end] for end in ends)
    for top in tops:
        for left in lefts:
            part = edges[top : top + BLOCK, left : left + BLOCK]
            if part.mean() > 255 * EDGES_MIN:
                yield _square((left + BLOCK / 2, top + BLOCK / 2), _contrast(part))


def _square(middle_px: tuple[float, float], contrast: Float) -> _Square:
    highest = cv2.dilate(contrast, np.ones((5, 5), np.uint8))
    at = np.flatnonzero((contrast >= highest) & (contrast >= PEAK_MIN))
    at = at[np.argsort(-contrast.ravel()[at], kind="stable")[:PEAKS_MAX]]
    plane, strengths = _plane(), contrast.ravel()[at]
    frequencies = np.column_stack([plane.x.ravel()[at], plane.y.ravel()[at]])
    isolated = _isolated(contrast, int(at[0])) if len(at) else 0.0
    return _Square(middle_px, frequencies, strengths, isolated)


def _contrast(edges: Grey) -> Float:
    plane = _plane()
    off = (edges - np.float32(edges.mean())) * plane.window
    wave = cv2.dft(off, flags=cv2.DFT_COMPLEX_OUTPUT)
    size = np.fft.fftshift(np.hypot(wave[..., 0], wave[..., 1]))
    size = cv2.GaussianBlur(size, (0, 0), 0.7)
    level = float(size[plane.able].mean()) / 20
    coarse = np.clip(size / level, 0, 255).astype(np.uint8)
    half = cv2.resize(coarse, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    wide = cv2.resize(cv2.medianBlur(half, 21), coarse.shape[::-1])
    around = wide.astype(np.float32) + 4
    return np.where(plane.able, size / (around * level), 0).astype(np.float32)


def _isolated(contrast: Float, at: int) -> float:
    """Return how many times as strong as all others but its multiples a peak is."""
    half, rest = BLOCK // 2, contrast.copy()
    for times in (1, 2, 3):
        reach = 6 + times
        top, left = ((k - half) * times + half - reach for k in divmod(at, BLOCK))
        rows, columns = (
            slice(max(0, k), max(0, k + 2 * reach + 1)) for k in (top, left)
        )
        rest[rows, columns] = 0
    return float(contrast.ravel()[at]) / (float(rest.max()) + 1e-6)


def _screen(told: list[tuple[_Square, Float, float]]) -> Screen:
    middles = np.array([square.middle_px for square, _, _ in told], np.float32)
    frequencies = np.array([own for _, own, _ in told], np.float32)
    shares = np.array([size for _, _, size in told], np.float32)
    x, y = np.average(frequencies, axis=0, weights=shares).tolist()
    x0, y0 = (middles.min(axis=0) - BLOCK / 2).astype(int).tolist()
    x1, y1 = (middles.max(axis=0) + BLOCK / 2).astype(int).tolist()
    shares /= shares.max()
    return Screen((x0, y0, x1, y1), middles, frequencies, shares, (x, y), 0.0)


def joined(grey: Grey, screen: Screen) -> tuple[Field, ...]:
    """Return the picture of some strips; none if their edges are not in step.

    Args:
        grey: (height, width) uint8, the frame that the screen was found in.
        screen: The screen of their seams.
    """
    edges = edges_of(grey)
    seams = recurring(edges, screen, CLEAR_LINES)
    x0, y0, x1, y1 = seams.box_px
    step, samples = seams.step_px, screen.pixels_per_line / seams.step_px
    cut, edges = np.ascontiguousarray(grey[y0:y1, x0:x1]), edges[y0:y1, x0:x1]
    panel, clear = _panel(seams.coherence, _small(edges, step), samples)
    if not panel.any():
        return ()
    light = _small(_middles(cut, seams.off, screen.frequency), step)
    soft, contrast = _two_levels(light, panel, samples)
    inside = cv2.resize(panel, cut.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0
    if contrast < FLAT * float(cut[inside].std()):
        return ()
    in_step = _small(edges * np.cos(np.float32(TURN) * seams.off), step) * panel
    near = cv2.GaussianBlur(in_step, (0, 0), PROOF_LINES * samples)
    usual = float((near * clear).sum() / clear.sum())
    share = float((soft[panel > 0] > 0).mean())
    field = Field(
        soft=soft,
        weight=panel * (1 - _small(cut >= WHITE, step)),
        origin_px=(x0 + (step - 1) / 2, y0 + (step - 1) / 2),
        step_px=step,
        frequency=screen.frequency,
        amplitude=contrast,
        coherence=1.0,
        minority=min(share, 1 - share),
        proof=np.clip(near / np.float32(PROVEN * usual + 1e-3), 0, 1),
    )
    return (field,)


def _small(picture: NDArray[np.generic], step: int) -> Float:
    """Return the means of squares of *step* pixels, even numbers of them."""
    rows, columns = ((side // step) // 2 * 2 for side in picture.shape)
    cut = picture[: rows * step, : columns * step].astype(np.float32)
    out = cv2.resize(cut, (columns, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(out, np.float32)


def _panel(coherence: Float, edges: Float, samples: float) -> tuple[Float, Float]:
    """Return where strips are, 0 or 1, and how many edges there are in step.

    Args:
        coherence: (rows, columns), how much of what is around is in step.
        edges: Same shape, of any unit.
        samples: Elements a strip.

    Returns:
        Both of zeros if that is no panel.
    """
    low, high = CLEAR
    clear = np.clip((coherence - low) / (high - low), 0, 1).astype(np.float32)
    panel = _thick(closed(clear, samples), THIN_LINES * samples)
    own = edges * panel * clear
    in_step = float((own * coherence).sum() / (own.sum() + 1e-6))
    if float(panel.sum()) < PANEL_CELLS * samples**2 or in_step < IN_STEP_MIN:
        return np.zeros_like(panel), np.zeros_like(own)
    return panel, own


def _thick(panel: Float, least: float) -> Float:
    """Return the parts of a panel that are so many elements wide either way."""
    _, parts = cv2.connectedComponents((panel > 0.5).astype(np.uint8))
    padded = np.pad((parts > 0).astype(np.uint8), 1)
    inside = cv2.distanceTransform(padded, cv2.DIST_L2, 3)[1:-1, 1:-1]
    kept = np.unique(parts[inside > least / 2])
    return np.asarray(np.isin(parts, kept), np.float32)


def _middles(grey: Grey, off: Float, frequency: tuple[float, float]) -> Float:
    """Return what the middles of the strips show, joined from each to the next.

    Args:
        grey: (height, width) uint8.
        off: Same shape, strips from the nearest seam.
        frequency: Of the strips, (x, y) periods a pixel.
    """
    size = frequency[0] ** 2 + frequency[1] ** 2
    shown = np.empty(off.shape, np.float32)
    x = np.arange(off.shape[1], dtype=np.float32)
    for top in range(0, len(off), STRIP_PX):
        # From the middle of a pixel's own strip it is half a strip less to a seam.
        seam = off[top : top + STRIP_PX]
        away = seam - np.where(seam < 0, np.float32(-0.5), np.float32(0.5))
        y = np.arange(top, top + len(seam), dtype=np.float32)[:, None]

        def moved(strips: Float, y: Float = y) -> Float:
            at_x, at_y = (
                np.asarray(own + strips * np.float32(part / size), np.float32)
                for own, part in zip((x, y), frequency, strict=True)
            )
            replicate = cv2.BORDER_REPLICATE
            out = cv2.remap(grey, at_x, at_y, cv2.INTER_LINEAR, borderMode=replicate)
            return np.asarray(out, np.float32)

        far = np.abs(away)
        shown[top : top + STRIP_PX] = (1 - far) * moved(-away) + far * moved(
            np.sign(away) - away
        )
    return shown


def _two_levels(light: Float, panel: Float, samples: float) -> tuple[Float, float]:
    """Return a picture with paper at 1 and ink at -1, and half their difference."""
    sigma, side = LOWPASS_LINES * samples / 2, round(PAPER_LINES * samples)
    light = np.asarray(cv2.GaussianBlur(light, (0, 0), sigma), np.float32)
    quarter = cv2.resize(light, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    kernel = np.ones((max(3, side // 4),) * 2, np.uint8)
    paper, ink = (
        cv2.resize(cv2.blur(extreme(quarter, kernel), kernel.shape), light.shape[::-1])
        for extreme in (cv2.dilate, cv2.erode)
    )
    inside = panel > 0
    ratio = float(np.median(ink[inside] / (paper[inside] + 1)))
    half = np.asarray(paper * np.float32((1 - ratio) / 2) + 1, np.float32)
    soft = np.clip((light - paper) / half + 1, -1.5, 1.5)
    return np.asarray(soft, np.float32), float(np.median(half[inside]))
