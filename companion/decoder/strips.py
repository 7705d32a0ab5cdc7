"""Finds pictures that were cut into strips, and joins the strips.

Two families of prints hide a picture in lines. The third cuts it into *strips*, each as
wide as a ridge of the plastic lens, and mirrors or squeezes each strip. The picture
breaks at every *seam* between two strips, so a panel has edges *in step* with its
seams: one at every strip width. The seams make a `Screen`, whose line period is the
width of a strip.

To find them, the frame is cut into overlapping *squares*. In the spectrum of a square's
edges, its *contrast* is how much each frequency exceeds the surrounding ones, and seams
make a *peak*. Squares with similar peaks make a screen.

The middle of a strip stays in place when the strip is squeezed or mirrored; so the
middles are joined to recover the picture.

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
from companion.decoder.interlaced import WHITE, fill_panel
from companion.decoder.phase import (
    LOWPASS_LINES,
    SOFT_MAX,
    STRIP_PX,
    Field,
    locate_pattern,
    ramp,
    rarer_share,
)
from companion.decoder.screen import Screen

Float = NDArray[np.float32]
Grey = NDArray[np.uint8]

# Finding seams.

EDGE = 12.0
"""Slope, in grey levels a pixel, of an edge that counts half; ink on paper has 20."""

BLOCK = 384
"""Side of the squares, in pixels.

Few edges recur by chance over its 50 strips or so. At a side of 256, tables and borders
make stronger peaks than the seams."""

STRIDE = 192
"""Pixels from square to square: they overlap by half."""

EDGES_MIN = 0.03
"""Mean strength of a square's edges, 0..1, below which the square is bare."""

FREQUENCIES = (1 / 11, 0.3)
"""Range of the seams' frequency, in periods a pixel; edges are some two pixels wide."""

PEAK_MIN, ISOLATED_MIN = 2.5, 1.4
"""Least contrast of a peak; and its least ratio to the next peak, which the clearest
square of a screen must have. Multiples of the first frequency do not count as next.

Borders and grain may be stronger, but have many peaks in a row. Of 64 photos of coarse
or much squeezed strips, 57 had both values, and 50 had 3 and 1.9.
"""

PEAKS_MAX = 24
"""Most peaks kept of a square, the strongest."""

NEAR = 0.08
"""Largest difference in frequency within a tilted panel, as a share of it."""

HARMONICS = (1, 2, 3)
"""Multiples of a peak's frequency that belong to the same wave."""

# Finding the panel.

CLEAR_LINES = 3.0
"""Standard deviation, in strips, of the blur around a place for CLEAR."""

CLEAR = (0.55, 0.75)
"""Share of the edges around a place that are in step, from which it is trusted in part,
and fully.

Panels had 0.69 to 0.84 on average; borders that run nearly along the seams had 0.67."""

THIN_LINES = 20.0
"""Least thickness of a panel, in strips: panels are two faces high, borders thinner."""

IN_STEP_MIN = 0.62
"""Least share of a panel's edges in step with its seams; 62 photos of strips had 0.66
or more."""

PANEL_CELLS = 2000
"""Least area of a panel, in squares as wide as a strip.

The smallest of 48 had 5,800; false panels in borders had up to 1,300."""

# Joining the strips.

PAPER_LINES = 24.0
"""Side of a square, in strips, that surely holds bare paper: two faces wide."""

FLAT = 0.8
"""Half the difference of ink and paper, as a multiple of the light's standard
deviation, below which the joined middles show plain lines, not a picture.

Pictures in two levels have 1 or more. Of three sets of stripes, two had 0.5 and 0.6;
one, taken for slanting strips, had 1.1.
"""

PROOF_LINES = 1.5
"""Standard deviation, in strips, of the reach of edges that prove what a place shows.

Only edges in step are proof; those of a cover over the eyes are out of step. With 2
strips, a pen's strokes would count as seen.
"""

PROVEN = 0.6
"""Strength of such edges that is full proof, as a share of the panel's mean.

With 1, eyes without a mask would not count as seen.
"""


def find_strips(grey: Grey) -> tuple[Screen, ...]:
    """Find the pictures in strips in a frame, as screens of their seams, largest first.

    Args:
        grey: (height, width) uint8.
    """
    squares = list(_find_squares(measure_edges(grey)))
    # Each round takes the clearest square that is left, and makes a screen of all
    # squares with a peak near its own.
    clear = [square for square in squares if square.isolation >= ISOLATED_MIN]
    screens = []
    while clear:
        seams = max(clear, key=lambda square: square.isolation).frequencies[0]
        clear = [square for square in clear if square.find_peak(seams, 1) is None]
        members = []
        for square in squares:
            peak = square.find_peak(seams)
            if peak is not None:
                members.append((square, *peak))
        screens.append(_build_screen(members))
    return tuple(sorted(screens, key=lambda screen: -len(screen.tiles_px)))


def measure_edges(grey: Grey) -> Grey:
    """Measure how strong an edge each pixel lies on, 0 to 255."""
    edges = np.empty_like(grey)
    # By parts, to save memory; each reads a row more on either side than it writes.
    for top in range(0, len(grey), STRIP_PX):
        begin = max(0, top - 1)
        light = grey[begin : top + STRIP_PX + 1].astype(np.float32)
        # A Scharr kernel's weights add up to 32 for a slope of one.
        by_x = cv2.Scharr(light, cv2.CV_32F, 1, 0) / 32
        by_y = cv2.Scharr(light, cv2.CV_32F, 0, 1) / 32
        power = by_x * by_x + by_y * by_y
        power /= power + np.float32(EDGE**2)
        edges[top : top + STRIP_PX] = np.rint(255 * power)[top - begin :][:STRIP_PX]
    return edges


@dataclass(frozen=True, slots=True)
class _Plane:
    """What the spectra of all squares have in common; each (BLOCK, BLOCK).

    Attributes:
        x, y: Frequency of each element in periods a pixel, from -0.5 on.
        may_peak: Whether seams may have this frequency; False in the half of the plane
            that repeats the other.
        window: The Hann window for a square's pixels.
    """

    x: Float
    y: Float
    may_peak: NDArray[np.bool_]
    window: Float


@lru_cache(maxsize=1)
def _shared_plane() -> _Plane:
    line = np.fft.fftshift(np.fft.fftfreq(BLOCK)).astype(np.float32)
    y, x = np.meshgrid(line, line, indexing="ij")
    size, hann = np.hypot(x, y), np.hanning(BLOCK).astype(np.float32)
    may_peak = (size > FREQUENCIES[0]) & (size < FREQUENCIES[1]) & (x >= 0)
    return _Plane(x, y, may_peak, np.outer(hann, hann))


@dataclass(frozen=True, slots=True, eq=False)
class _Square:
    """A square of a frame, and the peaks in the spectrum of its edges.

    Attributes:
        middle_px: x and y of its middle.
        frequencies: (n, 2) x and y in periods a pixel, strongest peak first.
        strengths: (n,) contrast of each peak.
        isolation: The first of them as a multiple of the strongest of another wave; 0
            if the square has no peak.
    """

    middle_px: tuple[float, float]
    frequencies: Float
    strengths: Float
    isolation: float

    def find_peak(
        self, frequency: Float, peaks_max: int = PEAKS_MAX
    ) -> tuple[Float, float] | None:
        """Find the strongest peak near a frequency.

        Args:
            frequency: (2,), x and y in periods a pixel.
            peaks_max: How many of the strongest peaks are considered.

        Returns:
            The frequency of the peak, with the sign of *frequency*, and its strength;
            None if no peak is near.
        """
        signs = np.where(self.frequencies[:peaks_max] @ frequency < 0, -1, 1)
        signed = self.frequencies[:peaks_max] * signs[:, None]
        distance = np.hypot(*(signed - frequency).T)
        near = np.flatnonzero(distance < NEAR * np.hypot(*frequency))
        if not len(near):
            return None
        return signed[near[0]], float(self.strengths[near[0]])


def _find_squares(edges: Grey) -> Iterator[_Square]:
    """Yield the overlapping squares of a frame that hold enough edges."""
    last_top, last_left = (side - BLOCK for side in edges.shape)
    if min(last_top, last_left) < 0:
        return
    tops = [*range(0, last_top, STRIDE), last_top]
    lefts = [*range(0, last_left, STRIDE), last_left]
    for top in tops:
        for left in lefts:
            part = edges[top : top + BLOCK, left : left + BLOCK]
            if part.mean() > 255 * EDGES_MIN:
                yield _measure_square(
                    (left + BLOCK / 2, top + BLOCK / 2), _measure_contrast(part)
                )


def _measure_square(middle_px: tuple[float, float], contrast: Float) -> _Square:
    """Find a square's peaks in its contrast: (BLOCK, BLOCK)."""
    plane, flat = _shared_plane(), contrast.ravel()
    highest = cv2.dilate(contrast, np.ones((5, 5), np.uint8))
    peaks = np.flatnonzero((contrast >= highest) & (contrast >= PEAK_MIN))
    peaks = peaks[np.argsort(-flat[peaks], kind="stable")[:PEAKS_MAX]]
    frequencies = np.column_stack([plane.x.ravel()[peaks], plane.y.ravel()[peaks]])
    isolation = _measure_isolation(contrast, int(peaks[0])) if len(peaks) else 0.0
    return _Square(middle_px, frequencies, flat[peaks], isolation)


def _measure_contrast(edges: Grey) -> Float:
    """Return a square's spectrum, as multiples of the surroundings of each element."""
    plane = _shared_plane()
    waves = (edges - np.float32(edges.mean())) * plane.window
    transform = cv2.dft(waves, flags=cv2.DFT_COMPLEX_OUTPUT)
    spectrum = np.fft.fftshift(np.hypot(transform[..., 0], transform[..., 1]))
    spectrum = cv2.GaussianBlur(spectrum, (0, 0), 0.7)
    # A mean of 20 grey levels keeps most peaks within 8 bits, which the median needs.
    grey_level = float(spectrum[plane.may_peak].mean()) / 20
    drawn = np.clip(spectrum / grey_level, 0, 255).astype(np.uint8)
    # Half the size makes the median of 21 elements one of 42.
    half = cv2.resize(drawn, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    median = cv2.resize(cv2.medianBlur(half, 21), drawn.shape[::-1])
    # 4 grey levels more, so that an empty neighbourhood makes no peak of noise.
    usual = (median.astype(np.float32) + 4) * grey_level
    return np.where(plane.may_peak, spectrum / usual, 0).astype(np.float32)


def _measure_isolation(contrast: Float, peak: int) -> float:
    """Divide a peak's contrast by that of the strongest other wave, see HARMONICS.

    *peak* is its index in the flattened contrast.
    """
    zero, others = BLOCK // 2, contrast.copy()  # Frequency 0 is in the middle.
    row, column = divmod(peak, BLOCK)
    for harmonic in HARMONICS:
        reach = 6 + harmonic  # How many elements are blanked on either side.
        top = (row - zero) * harmonic + zero - reach
        left = (column - zero) * harmonic + zero - reach
        side = 2 * reach + 1
        rows = slice(max(0, top), max(0, top + side))
        columns = slice(max(0, left), max(0, left + side))
        others[rows, columns] = 0
    return float(contrast.ravel()[peak]) / (float(others.max()) + 1e-6)


def _build_screen(peaks: list[tuple[_Square, Float, float]]) -> Screen:
    """Make a screen of squares, each with the frequency and strength of its peak."""
    middles = np.array([square.middle_px for square, _, _ in peaks], np.float32)
    frequencies = np.array([frequency for _, frequency, _ in peaks], np.float32)
    shares = np.array([strength for _, _, strength in peaks], np.float32)
    x, y = np.average(frequencies, axis=0, weights=shares).tolist()
    x0, y0 = (middles.min(axis=0) - BLOCK / 2).astype(int).tolist()
    x1, y1 = (middles.max(axis=0) + BLOCK / 2).astype(int).tolist()
    shares /= shares.max()
    return Screen((x0, y0, x1, y1), middles, frequencies, shares, (x, y), 0.0)


def join_strips(grey: Grey, screen: Screen) -> tuple[Field, ...]:
    """Join the strips of a screen to their picture.

    Args:
        grey: (height, width) uint8, the frame that the screen was found in.
        screen: The screen of their seams.

    Returns:
        The picture; empty if the edges are not in step, or no picture shows.
    """
    edges = measure_edges(grey)
    seams = locate_pattern(edges, screen, CLEAR_LINES)
    x0, y0, x1, y1 = seams.box_px
    cut, edges = np.ascontiguousarray(grey[y0:y1, x0:x1]), edges[y0:y1, x0:x1]
    step = seams.step_px
    strip = screen.pixels_per_line / step  # The width of a strip in elements.
    panel, seam_edges = _find_panel(
        seams.coherence, _average_squares(edges, step), strip
    )
    if not panel.any():
        return ()
    light = _average_squares(_join_middles(cut, seams.off, screen.frequency), step)
    soft, amplitude = _scale_levels(light, panel, strip)
    inside = cv2.resize(panel, cut.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0
    if amplitude < FLAT * float(cut[inside].std()):
        return ()
    # Edges on a seam count in full; half a strip from it, they count against.
    in_step = _average_squares(edges * np.cos(np.float32(TURN) * seams.off), step)
    field = Field(
        soft=soft,
        weight=panel * (1 - _average_squares(cut >= WHITE, step)),
        origin_px=(x0 + (step - 1) / 2, y0 + (step - 1) / 2),
        step_px=step,
        frequency=screen.frequency,
        amplitude=amplitude,
        coherence=1.0,
        minority=rarer_share(soft[panel > 0]),
        proof=_measure_proof(in_step * panel, seam_edges, strip),
    )
    return (field,)


def _measure_proof(in_step: Float, seam_edges: Float, strip: float) -> Float:
    """Measure how far edges in step prove what a place shows, see PROOF_LINES."""
    near = cv2.GaussianBlur(in_step, (0, 0), PROOF_LINES * strip)
    usual = float((near * seam_edges).sum() / seam_edges.sum())
    proof = np.clip(near / np.float32(PROVEN * usual + 1e-3), 0, 1)
    return np.asarray(proof, np.float32)


def _average_squares(picture: NDArray[np.generic], step: int) -> Float:
    """Average squares of *step* pixels; the result has even sides."""
    rows, columns = ((side // step) // 2 * 2 for side in picture.shape)
    cut = picture[: rows * step, : columns * step].astype(np.float32)
    out = cv2.resize(cut, (columns, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(out, np.float32)


def _find_panel(coherence: Float, edges: Float, strip: float) -> tuple[Float, Float]:
    """Find the panel of strips, and its edges that are in step with the seams.

    *coherence* is that of `Pattern`, *strip* the width of a strip in elements.

    Returns:
        The panel, 0 or 1, and the strength of its edges in step; zeros if there is no
        panel.
    """
    clear = ramp(coherence, CLEAR)
    panel = _keep_thick(fill_panel(clear, strip), THIN_LINES * strip)
    seam_edges = edges * panel * clear
    in_step = float((seam_edges * coherence).sum() / (seam_edges.sum() + 1e-6))
    if float(panel.sum()) < PANEL_CELLS * strip**2 or in_step < IN_STEP_MIN:
        return np.zeros_like(panel), np.zeros_like(seam_edges)
    return panel, seam_edges


def _keep_thick(panel: Float, least: float) -> Float:
    """Keep the parts of a panel that are *least* elements thick at some place."""
    _, parts = cv2.connectedComponents((panel > 0.5).astype(np.uint8))
    padded = np.pad((parts > 0).astype(np.uint8), 1)
    inside = cv2.distanceTransform(padded, cv2.DIST_L2, 3)[1:-1, 1:-1]
    kept = np.unique(parts[inside > least / 2])
    return np.asarray(np.isin(parts, kept), np.float32)


def _join_middles(grey: Grey, off: Float, frequency: tuple[float, float]) -> Float:
    """Blend the middles of neighbouring strips into one picture.

    Each pixel is blended from the middles of its own strip and of the nearest
    neighbour, the nearer middle weighing more.

    Args:
        grey: (height, width) uint8.
        off: Distance from the nearest seam, in strips, same shape.
        frequency: Frequency of the strips, (x, y) periods a pixel.
    """
    # The step from a strip to the next, in pixels.
    power = frequency[0] ** 2 + frequency[1] ** 2
    step_x, step_y = (np.float32(part / power) for part in frequency)
    shown = np.empty(off.shape, np.float32)
    x = np.arange(off.shape[1], dtype=np.float32)
    for top in range(0, len(off), STRIP_PX):
        # The middle of a pixel's own strip lies half a strip from the seam.
        seam = off[top : top + STRIP_PX]
        away = seam - np.where(seam < 0, np.float32(-0.5), np.float32(0.5))
        y = np.arange(top, top + len(seam), dtype=np.float32)[:, None]

        def grey_at(strips: Float, y: Float = y) -> Float:
            """Return the grey level *strips* strips away from each pixel."""
            at_x = np.asarray(x + strips * step_x, np.float32)
            at_y = np.asarray(y + strips * step_y, np.float32)
            replicate = cv2.BORDER_REPLICATE
            out = cv2.remap(grey, at_x, at_y, cv2.INTER_LINEAR, borderMode=replicate)
            return np.asarray(out, np.float32)

        far = np.abs(away)
        own, neighbour = grey_at(-away), grey_at(np.sign(away) - away)
        shown[top : top + STRIP_PX] = (1 - far) * own + far * neighbour
    return shown


def _scale_levels(light: Float, panel: Float, strip: float) -> tuple[Float, float]:
    """Scale light so that paper is 1 and ink -1.

    Paper is the lightest place within PAPER_LINES, ink the darkest.

    Args:
        light: (rows, columns) the joined middles, in grey levels.
        panel: 1 on the panel, else 0.
        strip: The width of a strip in elements.

    Returns:
        The scaled light, and half the difference of paper and ink in grey levels.
    """
    sigma, side = LOWPASS_LINES * strip / 2, round(PAPER_LINES * strip)
    light = np.asarray(cv2.GaussianBlur(light, (0, 0), sigma), np.float32)
    # To save time, paper and ink are sought at a quarter of the size.
    small = cv2.resize(light, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    reach = max(3, side // 4)
    kernel, full_size = np.ones((reach, reach), np.uint8), light.shape[::-1]
    paper = cv2.resize(cv2.blur(cv2.dilate(small, kernel), (reach, reach)), full_size)
    ink = cv2.resize(cv2.blur(cv2.erode(small, kernel), (reach, reach)), full_size)
    inside = panel > 0
    ratio = float(np.median(ink[inside] / (paper[inside] + 1)))
    half = np.asarray(paper * np.float32((1 - ratio) / 2) + 1, np.float32)
    soft = np.clip((light - paper) / half + 1, -SOFT_MAX, SOFT_MAX)
    return np.asarray(soft, np.float32), float(np.median(half[inside]))
