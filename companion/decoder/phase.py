"""Recovers the picture hidden in lines: demodulates, removes the bend, splits states.

- screen: an area of parallel lines; a *period* leads from one line to the next.
- carrier: the wave of these lines; its amplitude at a place is the *strength* there.
- state: paper, where lines are in place, or picture, where they are moved.
- shift: how far they are moved, in periods.
- bend: how perspective and curl move the lines as well, slowly from place to place.
- panel: where lines are strong, and explained by the two states.
- element: one sample of a field; a field is coarser than the frame and its pixels.

Demodulation multiplies the frame by a wave opposite to the carrier, and low-passes it.
That gives a complex field whose phase is bend plus state. If the states are half a
period apart, squaring the field makes them equal, and leaves only the bend to be
removed. If they are nearer, the bend is fitted to the paper first, since that covers
more than the picture, and then at each place to the nearer state. The result is a
`Field`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.bend import (
    TURN,
    estimate_bend,
    fit_rest,
    fit_steps,
    terms,
    unbending_phasor,
)
from companion.decoder.screen import Screen
from companion.decoder.tiles import TILE

Float = NDArray[np.float32]
Complex = NDArray[np.complex64]

# Demodulation.

LOWPASS_LINES = 0.42
"""Standard deviation of the low-pass behind the demodulator, in line periods.

It leaves 3 % of a wave of the carrier's own frequency. 30 % more loses 2 of 151 notes,
30 % less none. Such figures are from `bench_constants`.
"""

SAMPLES_PER_LINE = 1.5
"""Least elements of a field from line to line."""

STRIP_PX = 512
"""Rows or columns computed at a time, to save memory; the result does not change."""

UNIT = np.ones(1)
"""The kernel that leaves an axis unchanged."""

# Removal of the bend, and of the phase that both states share.

SMOOTH_LINES = 2.5
"""Standard deviation of the blur that leaves only the bend, in line periods.

It is a tenth of a face. 30 % less or more loses none of 151 notes."""

SLOPE_ROUNDS = 2
"""How often the slopes of the bend are fitted, if no lines are missing."""

HALF_FROM = 0.45
"""Shift from which the two states count as half a period apart."""

WIDER = 3.0
"""Factor by which `_centre_states` widens a blur where paper must outweigh faces."""

# Trust in the picture.

LOCAL_LINES = 1.5
"""Standard deviation of the blur around a place that is measured, in line periods.

It is less than a face's parts. 30 % less or more loses no note."""

STRONG_QUANTILE = 0.9
"""Quantile of the strengths in a box that counts as its best lines' strength.

A panel covers a quarter of its box or more. 30 % less loses 4 of 151 notes, more none.
"""

STRENGTH = (0.175, 0.675)
"""Shares of the best lines' strength: no trust below the first, full from the second.

Half way between them lies the edge of a panel, where the low-pass leaves half the
strength. 30 % more loses 1 of 151 notes, less none; trust from 0 to 0.3 loses 6 of 110
hard ones.
"""

EXPLAINED = (0.35, 0.68)
"""Such bounds for the share of a field that the two states explain.

Two states explain 0.3 of mere noise. 30 % less changes nothing; 30 % more changes no
verdict, but the reason of 4 of 31 unsure notes.
"""

SOFT_MAX = 1.5
"""Largest absolute value of `Field.soft`: 1 is the usual distance of a state from 0."""


@dataclass(frozen=True, slots=True)
class Field:
    """The hidden picture of one screen, on a grid coarser than the frame.

    Attributes:
        soft: (rows, columns) float32, -1.5..1.5: the picture, near -1 in one state and
            near 1 in the other; which is which is unknown.
        weight: (rows, columns) float32, 0..1: how far the picture can be trusted. The
            panel is where it is above a half.
        proof: (rows, columns) float32, 0 or more, usually 1: how far the lines or seams
            near an element prove what the picture shows there. None if there are lines
            everywhere, so that the weight is proof enough.
        origin_px: Frame position of element (0, 0), x and y.
        step_px: Frame pixels per element.
        frequency: Frequency of the carrier, (x, y) periods a pixel.
        amplitude: Amplitude of the carrier in grey levels, median over the panel.
        coherence: 0..1: how well two states and a smooth phase explain the field.
        minority: Share of the panel in the rarer state, 0..0.5.
        uneven: 0 and more: standard deviation of the lines' contrast, as a share of
            its mean.
    """

    soft: Float
    weight: Float
    origin_px: tuple[float, float]
    step_px: int
    frequency: tuple[float, float]
    amplitude: float
    coherence: float
    minority: float
    uneven: float = 0.0
    proof: Float | None = None

    @property
    def pixels_per_line(self) -> float:
        """Frame pixels from line to line."""
        return 1 / math.hypot(*self.frequency)

    @property
    def samples_per_line(self) -> float:
        """Elements from line to line."""
        return self.pixels_per_line / self.step_px

    @property
    def cells(self) -> float:
        """The panel's area in line cells; a line cell is a line period squared."""
        return float((self.weight > 0.5).sum()) / self.samples_per_line**2


def step_of(frequency: tuple[float, float]) -> int:
    """Return the side of an element in pixels, for a carrier of this frequency."""
    return max(1, int(1 / math.hypot(*frequency) / SAMPLES_PER_LINE))


def mix_down(
    grey: NDArray[np.uint8],
    box: tuple[int, int, int, int],
    frequency: tuple[float, float],
) -> Complex:
    """Shift the lines in a box to frequency zero, the first step of demodulating.

    Args:
        grey: (height, width) uint8.
        box: x0, y0, x1, y1 in pixels, exclusive on the right and below.
        frequency: Frequency of the lines, (x, y) periods a pixel.

    Returns:
        The box times a wave of the opposite frequency, low-passed, every `step_of`
        pixels, with even sides.
    """
    x0, y0, x1, y1 = box
    period = 1 / math.hypot(*frequency)
    step = step_of(frequency)
    # Band-passing and then shifting equals shifting and then low-passing; but only its
    # last step is complex, and half of the work is on decimated rows.
    kernel_x = _make_band_pass(frequency[0], LOWPASS_LINES * period)
    kernel_y = _make_band_pass(frequency[1], LOWPASS_LINES * period)
    area, side = grey[y0:y1, x0:x1], max(3, round(period))
    lines = cv2.subtract(area, cv2.blur(area, (side, side)), dtype=cv2.CV_16S)
    real, imag = _filter_columns(lines, kernel_y, step)
    del lines  # It is as large as the box.
    band = _filter_rows(real, imag, kernel_x, step)
    rows, columns = (count // 2 * 2 for count in band.shape[:2])
    mixed = _to_complex(band[:rows, :columns])
    mixed *= _sample_wave(frequency[0], columns, step)
    mixed *= _sample_wave(frequency[1], rows, step)[:, None]
    return mixed


def _filter_columns(
    lines: cv2.typing.MatLike, kernel: NDArray[np.complex128], step: int
) -> tuple[Float, Float]:
    """Filter columns; return real and imaginary part of every *step*-th row."""
    shape = (math.ceil(lines.shape[0] / step), lines.shape[1])
    real, imag = np.empty(shape, np.float32), np.empty(shape, np.float32)
    # By parts: a whole filtered frame in floats is 50 MB, and few rows are kept.
    for left in range(0, shape[1], STRIP_PX):
        strip = slice(left, left + STRIP_PX)
        for out, part in ((real, kernel.real), (imag, kernel.imag)):
            filtered = cv2.sepFilter2D(lines[:, strip], cv2.CV_32F, UNIT, part)
            out[:, strip] = filtered[::step]
    return real, imag


def _filter_rows(
    real: Float, imag: Float, kernel: NDArray[np.complex128], step: int
) -> Float:
    """Filter rows; return every *step*-th column as pairs, see `_to_pairs`."""
    band = np.empty((*real[:, ::step].shape, 2), np.float32)
    # The product of two complex numbers: first its real part, then its imaginary one.
    factors = ((kernel.real, -kernel.imag), (kernel.imag, kernel.real))
    for part, (for_real, for_imag) in enumerate(factors):
        from_real = cv2.sepFilter2D(real, cv2.CV_32F, for_real, UNIT)[:, ::step]
        from_imag = cv2.sepFilter2D(imag, cv2.CV_32F, for_imag, UNIT)[:, ::step]
        np.add(from_real, from_imag, out=band[..., part])
    return band


def _make_band_pass(frequency: float, sigma: float) -> NDArray[np.complex128]:
    """Make a band-pass kernel: a wave under a Gaussian of *sigma* pixels."""
    reach = math.ceil(2.5 * sigma)
    at = np.arange(-reach, reach + 1)
    gauss = np.exp(-0.5 * (at / sigma) ** 2)
    wave = np.exp(-1j * TURN * frequency * at)
    return np.asarray(gauss / gauss.sum() * wave, np.complex128)


def _sample_wave(frequency: float, count: int, step: int) -> Complex:
    """Sample a wave of -*frequency* at *count* points, *step* pixels apart."""
    turns = frequency * step * np.arange(count)
    return np.asarray(np.exp(-1j * TURN * turns), np.complex64)


def _to_pairs(field: Complex) -> Float:
    """View real and imaginary part as two channels, for OpenCV."""
    return np.ascontiguousarray(field).view(np.float32).reshape(*field.shape, 2)


def _to_complex(pair: cv2.typing.MatLike) -> Complex:
    """Undo `_to_pairs`."""
    return np.ascontiguousarray(pair).view(np.complex64)[..., 0]


def _blur(field: Complex, sigma: float) -> Complex:
    """Blur a complex field by a Gaussian, *sigma* in elements; it is zero outside."""
    side = 2 * math.ceil(2.2 * sigma) + 1  # Beyond, a Gaussian is below a tenth.
    zero = cv2.BORDER_CONSTANT
    return _to_complex(
        cv2.GaussianBlur(_to_pairs(field), (side, side), sigma, borderType=zero)
    )


def _halve(field: Complex) -> Complex:
    """Average two by two elements."""
    size = (field.shape[1] // 2, field.shape[0] // 2)
    return _to_complex(cv2.resize(_to_pairs(field), size, interpolation=cv2.INTER_AREA))


def _double(picture: Float) -> Float:
    size = (picture.shape[1] * 2, picture.shape[0] * 2)
    return np.asarray(cv2.resize(picture, size), np.float32)


def to_unit(field: Complex) -> Complex:
    """Scale a complex field to magnitude 1, or nearly 0 where there is nothing."""
    magnitude = np.abs(field) + np.float32(1e-6)
    # On pairs: NumPy divides complex numbers by real ones as if both were complex.
    return _to_complex(_to_pairs(field) / magnitude[..., None])


def _to_power(field: Complex, power: int) -> Complex:
    """Return field ** power, with the magnitude of the field itself."""
    unit, raised = to_unit(field), field
    for _ in range(power - 1):
        raised = raised * unit
    return raised


def _fit_bend(
    raised: Complex, x: Float, y: Float, power: int, line: float, slope_rounds: int
) -> NDArray[np.float64]:
    """Fit the coefficients of the slow bend of a field.

    Args:
        raised: The field raised to *power*, see `_to_power`.
        x: Positions of its columns, -1..1.
        y: Positions of its rows, -1..1.
        power: The power that makes both states equal.
        line: Elements a line.
        slope_rounds: How often the slopes are fitted, before the phase itself is.
    """
    stride = max(1, round(SMOOTH_LINES * line))
    basis = terms(*np.meshgrid(x[::stride], y[::stride]))
    bend = np.zeros(len(basis))
    # Once the slopes fit, the phase itself no longer wraps.
    for fit in [fit_steps] * slope_rounds + [fit_rest]:
        unbent = raised * unbending_phasor(power * bend, x, y)
        coarse = _blur(unbent, SMOOTH_LINES * line)[::stride, ::stride]
        trust = np.abs(coarse)
        trust /= trust.max() + np.float32(1e-9)
        bend += fit(coarse, trust, basis) / power
    return bend


def _centre_states(
    field: Complex, squared: Complex, shift: float, line: float
) -> tuple[Complex, Complex]:
    """Turn a field so that its two states lie at phase -shift/2 and +shift/2.

    States half a period apart are equal once squared, so the square shows what to turn.
    Nearer states are turned so that the commoner one, the paper, comes first; then the
    phase that both share is removed, over a wide reach first.

    Args:
        field: The field without its bend.
        squared: That field squared, at half the size.
        shift: Periods between its two states.
        line: Elements of *squared* a line.

    Returns:
        `turned` and `level` of `StraightLines`.
    """
    sigma = 2 * SMOOTH_LINES * line
    half_shift = np.complex64(np.exp(1j * math.pi * shift))
    if shift > HALF_FROM:
        unwinding = _unwind(squared, _blur(squared, sigma))
        turned = field * _upsample(unwinding) * half_shift.conj()
        return turned, _halve(_join_states(turned, half_shift))
    wide_sigma = WIDER * sigma
    unwinding = _unwind(squared, _blur(squared, wide_sigma))
    turned = _put_paper_first(field * _upsample(unwinding), half_shift)
    for reach in (wide_sigma, sigma, sigma):
        level = _blur(_halve(_join_states(turned, half_shift)), reach)
        turned *= _upsample(to_unit(level).conj())
    return turned, _halve(_join_states(turned, half_shift))


def _join_states(turned: Complex, half_shift: np.complex64) -> Complex:
    """Turn both states of a field to phase zero."""
    return turned * np.where(turned.imag > 0, half_shift.conj(), half_shift)


def _upsample(phasor: Complex) -> Complex:
    """Double the size of a slowly turning phasor."""
    return _to_complex(_double(_to_pairs(phasor)))


def _unwind(squared: Complex, slow: Complex) -> Complex:
    """Return a phasor that removes half the phase of *slow*, a blurred *squared*."""
    # A phase can only be halved where it does not wrap: first it is centred on 0.
    slow = slow * np.exp(-1j * np.angle((slow * np.abs(slow)).sum()))
    offset = np.angle((squared * slow.conj()).sum())
    return np.asarray(np.exp(-0.5j * (np.angle(slow) + offset)), np.complex64)


def _put_paper_first(field: Complex, half_shift: np.complex64) -> Complex:
    """Turn a field so that its commoner state is at -shift/2, the other at +shift/2.

    The commoner state, the paper, is at phase 0 or half a period; the other state is
    ahead of it or behind it.
    """
    field = (field * np.exp(-1j * np.angle(field.sum()))).astype(np.complex64)
    sample = field[::2, ::2]
    other_state = sample[np.abs(np.angle(sample)) > np.angle(half_shift)]
    ahead = float((other_state * half_shift**-2).real.sum())
    behind = float((other_state * half_shift**2).real.sum())
    if behind > ahead:
        field = field.conj()
    return np.asarray(field * half_shift.conj(), np.complex64)


def demodulate(grey: NDArray[np.uint8], screen: Screen, shift: float = 0.5) -> Field:
    """Recover the picture that a screen hides.

    Args:
        grey: (height, width) uint8, the frame that the screen was found in.
        screen: The screen: where the lines are, and how fine.
        shift: Periods between the two states of the picture, 0.25 to 0.5.
    """
    return build_field(remove_bend(grey, screen, shift), screen)


@dataclass(frozen=True, slots=True, eq=False)
class StraightLines:
    """The lines of a screen without their bend, as a complex field.

    Attributes:
        turned: (rows, columns) complex64: the states are at phase -shift/2, +shift/2.
        level: `turned` at half the size, with both states turned to phase zero.
        origin_px: Frame position of element (0, 0), x and y.
        step_px: Frame pixels an element.
    """

    turned: Complex
    level: Complex
    origin_px: tuple[int, int]
    step_px: int


def remove_bend(
    grey: NDArray[np.uint8],
    screen: Screen,
    shift: float = 0.5,
    slope_rounds: int = SLOPE_ROUNDS,
) -> StraightLines:
    """Remove the bend from the lines of a screen, and centre their states.

    Args:
        grey: (height, width) uint8, the frame that the screen was found in.
        screen: The screen: where the lines are, and how fine.
        shift: Periods between the two states of the picture, 0.25 to 0.5.
        slope_rounds: How often the slopes of the bend are fitted; lines that are
            missing in places need more.
    """
    power = max(2, round(1 / shift))  # It makes a whole period of the shift, or nearly.
    flat = _flatten(grey, screen, power, slope_rounds)
    half_line = screen.pixels_per_line / flat.step_px / 2
    squared = _halve(_to_power(flat.field, 2))
    turned, level = _centre_states(flat.field, squared, shift, half_line)
    return StraightLines(turned, level, flat.box_px[:2], flat.step_px)


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """Where a pattern lies that recurs with the lines of a screen; it has one state.

    Attributes:
        box_px: x0, y0, x1, y1 of the area that was examined.
        off: For every pixel of the area, float32, -0.5..0.5: line periods to the
            nearest place where the pattern recurs.
        coherence: For every element, 0..1: the share of its surroundings in which the
            pattern is in step with the lines.
        step_px: Frame pixels an element.
    """

    box_px: tuple[int, int, int, int]
    off: Float
    coherence: Float
    step_px: int


RECURS_MIN = 0.5
"""Grey levels added to the strength, so that bare places have hardly any coherence."""


def locate_pattern(grey: NDArray[np.uint8], screen: Screen, lines: float) -> Pattern:
    """Locate a pattern that recurs with the lines of a screen.

    Args:
        grey: (height, width) uint8, in which the pattern is bright.
        screen: The screen: where the pattern is, and how often it recurs.
        lines: Standard deviation of the blur over its surroundings, in line periods.
    """
    flat = _flatten(grey, screen, 1, SLOPE_ROUNDS)
    small, step = _halve(flat.field), flat.step_px  # At half the size, to save time.
    sigma = lines * screen.pixels_per_line / step / 2
    slow = _blur(small, sigma)
    strength = np.asarray(cv2.GaussianBlur(np.abs(small), (0, 0), sigma), np.float32)
    coherence = np.abs(slow) / (strength + np.float32(RECURS_MIN))
    bent = to_unit(slow) * flat.unbending.conj()
    del slow, small  # They are large for a whole photo.
    x0, y0, x1, y1 = flat.box_px
    rows, columns = ((side // step) // 2 * 2 for side in (y1 - y0, x1 - x0))
    off = np.empty((rows * step, columns * step), np.float32)
    # The carrier, which was shifted to frequency zero, is put back.
    wave_x = _sample_wave(-screen.frequency[0], off.shape[1], 1)
    wave_y = _sample_wave(-screen.frequency[1], off.shape[0], 1)
    # By parts: for a whole photo the complex pattern would be 100 MB.
    for top in range(0, len(off), STRIP_PX):
        strip = off[top : top + STRIP_PX]
        pattern = _refine(bent, 2 * step, top, strip.shape)
        pattern *= wave_x
        pattern *= wave_y[top : top + STRIP_PX, None]
        strip[...] = np.angle(pattern) / np.float32(TURN)
    box = (x0, y0, x0 + columns * step, y0 + rows * step)
    full_size = _double(np.asarray(coherence, np.float32))[:rows, :columns]
    return Pattern(box, off, full_size, step)


def _refine(field: Complex, factor: int, top: int, shape: tuple[int, int]) -> Complex:
    """Make a field *factor* times finer; return *shape* of it, from row *top* on."""
    scale = 1 / factor
    offset = 0.5 / factor - 0.5  # An element stands for the middle of its square.
    matrix = np.array([[scale, 0, offset], [0, scale, top * scale + offset]])
    return _to_complex(
        cv2.warpAffine(
            _to_pairs(field),
            matrix,
            shape[::-1],
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Flat:
    """The lines of a screen at frequency zero, without their bend.

    Attributes:
        box_px: x0, y0, x1, y1 of the area that was examined.
        step_px: Frame pixels an element.
        field: (rows, columns) complex64, even numbers of both.
        unbending: At half the size, the phasor that removed the bend.
    """

    box_px: tuple[int, int, int, int]
    step_px: int
    field: Complex
    unbending: Complex


def _flatten(
    grey: NDArray[np.uint8], screen: Screen, power: int, slope_rounds: int
) -> _Flat:
    """Shift a screen's lines to frequency zero and remove the bend.

    *power* and *slope_rounds* are those of `_fit_bend`.
    """
    box = _widen_box(screen, grey.shape)
    mixed, step = mix_down(grey, box, screen.frequency), step_of(screen.frequency)
    rows, columns = mixed.shape
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    scale = max(box[2] - box[0], box[3] - box[1]) / 2
    x = ((np.arange(columns) * step + box[0] - middle[0]) / scale).astype(np.float32)
    y = ((np.arange(rows) * step + box[1] - middle[1]) / scale).astype(np.float32)
    field = mixed * _mask_tiles(screen, box, step, mixed.shape)
    half_x, half_y = x.reshape(-1, 2).mean(axis=1), y.reshape(-1, 2).mean(axis=1)
    estimated = estimate_bend(screen, middle, scale)
    first_unbending = unbending_phasor(estimated, half_x, half_y)
    field *= _upsample(first_unbending)
    raised = _halve(_to_power(field, power))
    half_line = screen.pixels_per_line / step / 2
    rest = _fit_bend(raised, half_x, half_y, power, half_line, slope_rounds)
    second_unbending = unbending_phasor(rest, half_x, half_y)
    field *= _upsample(second_unbending)
    return _Flat(box, step, field, first_unbending * second_unbending)


def _widen_box(screen: Screen, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Return the box of a screen's tiles, and of a tile around them in the frame."""
    x0, y0, x1, y1 = screen.box_px
    return (
        max(0, x0 - TILE),
        max(0, y0 - TILE),
        min(shape[1], x1 + TILE),
        min(shape[0], y1 + TILE),
    )


def _mask_tiles(
    screen: Screen, box: tuple[int, int, int, int], step: int, shape: tuple[int, ...]
) -> Float:
    """Make a mask over *box*: 1 on the screen's tiles and those beside them, else 0.

    *step* is pixels an element of the mask, *shape* its rows and columns.
    """
    # The tile in which each row and each column of the mask lies.
    tile_of_row = (box[1] + step * np.arange(shape[0])) // TILE
    tile_of_column = (box[0] + step * np.arange(shape[1])) // TILE
    tiles = np.zeros((tile_of_row[-1] + 2, tile_of_column[-1] + 2), np.uint8)
    columns, rows = (screen.tiles_px // TILE).astype(int).T
    tiles[rows, columns] = 1
    around = cv2.dilate(tiles, np.ones((3, 3), np.uint8))
    return np.asarray(around[np.ix_(tile_of_row, tile_of_column)], np.float32)


def ramp(values: Float, ends: tuple[float, float]) -> Float:
    """Map values to 0..1, linearly between *ends* and clipped outside."""
    low, high = ends
    return np.asarray(np.clip((values - low) / (high - low), 0, 1), np.float32)


def rarer_share(soft: Float) -> float:
    """Return the share of the rarer state, see `Field.minority`; 0 for no elements."""
    positive = float((soft > 0).mean()) if soft.size else 0.0
    return min(positive, 1 - positive)


def build_field(lines: StraightLines, screen: Screen) -> Field:
    """Build the field of the picture that straight lines hide in their two states."""
    turned, level = lines.turned, lines.level
    sigma = LOCAL_LINES * screen.pixels_per_line / lines.step_px / 2
    full_size = np.asarray(np.abs(turned), np.float32)
    # Strength and coherence are measured at half the size, as `level` is.
    small = (level.shape[1], level.shape[0])
    strength = cv2.resize(full_size, small, interpolation=cv2.INTER_AREA)
    mean = np.asarray(cv2.GaussianBlur(strength, (0, 0), sigma), np.float32)
    explained = np.abs(_blur(level, sigma)) / (mean + 1e-3)
    best = float(np.quantile(mean, STRONG_QUANTILE)) + 1e-3
    share_of_best = mean / best
    weight = ramp(share_of_best, STRENGTH) * ramp(explained, EXPLAINED)
    panel = weight > 0.5
    inside = strength[share_of_best > sum(STRENGTH) / 2]  # See STRENGTH.
    uneven = float(inside.std() / (inside.mean() + 1e-6)) if len(inside) else 0.0
    in_panel = full_size[::2, ::2][panel]
    amplitude = 2 * float(np.median(in_panel)) if panel.any() else 0.0
    soft = turned.imag / (_double(mean) + np.float32(1e-3))
    soft = np.clip(soft, -SOFT_MAX, SOFT_MAX).astype(np.float32)
    return Field(
        soft=soft,
        weight=_double(weight),
        origin_px=(float(lines.origin_px[0]), float(lines.origin_px[1])),
        step_px=lines.step_px,
        frequency=screen.frequency,
        amplitude=amplitude,
        coherence=float(explained[panel].mean()) if panel.any() else 0.0,
        minority=rarer_share(soft[::2, ::2][panel]),
        uneven=uneven,
    )
