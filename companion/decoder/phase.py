"""From lines to the hidden picture: demodulate, remove the bend, split in two states.

The phase of a line screen, in periods, is a carrier (the wave of the lines), plus a
slow bend from perspective and curl, plus the hidden picture (two states, `shift`
apart). Squaring the demodulated field makes states half a period apart equal; what is
left is the slow bend. States that are nearer to one another stay two, but paper is
more than the picture on it, so the bend is followed by the paper, and then by the
nearer state.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.bend import ORDER, TURN, powers, slopes, solve, terms, turn
from companion.decoder.screen import Screen
from companion.decoder.tiles import TILE

Float = NDArray[np.float32]
Complex = NDArray[np.complex64]

LOWPASS_LINES = 0.42
"""Standard deviation of the low-pass behind the demodulator, in line periods."""

SAMPLES_PER_LINE = 1.5
"""At least so many samples a line are kept when the field is decimated."""

SMOOTH_LINES = 2.5
"""Standard deviation of the blur that gives the slow phase, in line periods."""

WIDE = 3.0
"""How many times wider it is where paper must outweigh a whole face."""

HALF_FROM = 0.45
"""Shift from which the two states count as half a period apart."""


@dataclass(frozen=True, slots=True)
class Field:
    """The hidden picture of one screen, on a grid coarser than the frame.

    Attributes:
        soft: (rows, columns) float32, -1.5..1.5: the picture, its sign unknown.
        weight: (rows, columns) float32, 0..1: how far the carrier can be trusted.
        origin_px: Frame position of element (0, 0), x and y.
        step_px: Frame pixels per element.
        frequency: Frequency of the carrier, (x, y) periods a pixel.
        amplitude: Amplitude of the carrier in grey levels, median over the panel.
        coherence: 0..1: how well two states and a smooth phase explain the field.
        evenness: 0..1: how far the field squared has one phase: the more, the nearer
            the shift is to half a period.
        minority: Share of the panel in the rarer state, 0..0.5.
        coefficients: The phase polynomial, in periods, over the box scaled to -1..1.
        scale_px: Half the larger side of the box, by which positions are scaled.
    """

    soft: Float
    weight: Float
    origin_px: tuple[float, float]
    step_px: int
    frequency: tuple[float, float]
    amplitude: float
    coherence: float
    evenness: float
    minority: float
    coefficients: NDArray[np.float64]
    scale_px: float

    @property
    def pixels_per_line(self) -> float:
        """Frame pixels from line to line."""
        return 1 / math.hypot(*self.frequency)

    @property
    def samples_per_line(self) -> float:
        """Elements from line to line."""
        return self.pixels_per_line / self.step_px


def _from_tiles(
    screen: Screen, middle: tuple[float, float], scale: float
) -> NDArray[np.float64]:
    """A first estimate of the phase polynomial, from the frequencies of the tiles."""
    mean = np.array(screen.frequency)
    at = (screen.tiles_px - np.array(middle)) / scale
    by_x, by_y = slopes(at[:, 0].astype(np.float32), at[:, 1].astype(np.float32), ORDER)
    order = 3 if len(at) >= 24 else 2 if len(at) >= 9 else 1
    used = [k for k, (i, j) in enumerate(powers(ORDER)) if i + j <= order]
    rest = (screen.frequencies - mean) * scale
    weights = np.concatenate([screen.shares, screen.shares]) ** 2
    columns = np.concatenate([by_x, by_y], axis=1)[used]
    solved = solve(columns, np.concatenate([rest[:, 0], rest[:, 1]]), weights)
    coefficients = np.zeros(len(powers(ORDER)))
    coefficients[used] = solved
    return coefficients


def _mix(
    grey: NDArray[np.uint8], box: tuple[int, int, int, int], f: tuple[float, float]
) -> tuple[Complex, int]:
    """The box times a wave of frequency -f, low-passed and decimated; and the step."""
    x0, y0, x1, y1 = box
    period = 1 / math.hypot(*f)
    step = max(1, int(period / SAMPLES_PER_LINE))
    patch = grey[y0:y1, x0:x1].astype(np.float32)
    wide = max(3, round(period))
    patch -= cv2.blur(patch, (wide, wide))
    wave_x = np.exp(-1j * TURN * f[0] * np.arange(x1 - x0)).astype(np.complex64)
    wave_y = np.exp(-1j * TURN * f[1] * np.arange(y1 - y0)).astype(np.complex64)
    mixed = patch * wave_x
    mixed *= wave_y[:, None]
    pair = mixed.view(np.float32).reshape(*patch.shape, 2)
    sigma = LOWPASS_LINES * period
    side = 2 * math.ceil(2.5 * sigma) + 1
    low = cv2.GaussianBlur(pair, (side, side), sigma)[::step, ::step]
    return np.ascontiguousarray(low).view(np.complex64)[..., 0], step


def _smooth(field: Complex, sigma: float) -> Complex:
    """Gaussian blur of a complex field, *sigma* in elements; zero outside."""
    pair = np.ascontiguousarray(field).view(np.float32).reshape(*field.shape, 2)
    side = 2 * math.ceil(2.2 * sigma) + 1
    out = cv2.GaussianBlur(pair, (side, side), sigma, borderType=cv2.BORDER_CONSTANT)
    return np.ascontiguousarray(out).view(np.complex64)[..., 0]


def _square(field: Complex) -> Complex:
    """Field ** 2, with the magnitude of the field itself."""
    size = np.abs(field) + np.float32(1e-6)
    return (field * (field / size)).astype(np.complex64)


def _coarse(
    field: Complex, x: Float, y: Float, stride: int, sigma: float
) -> tuple[Complex, Float, Float, Float]:
    """Field squared and smoothed on a coarse grid; its size 0..1; columns and rows."""
    coarse = _smooth(_square(field), sigma)[::stride, ::stride]
    size = np.abs(coarse)
    size /= size.max() + np.float32(1e-9)
    return coarse, size, x[::stride], y[::stride]


def _flatten(coarse: Complex, size: Float, x: Float, y: Float) -> NDArray[np.float64]:
    """Coefficients from the phase steps between neighbours, which do not wrap."""
    basis = terms(*np.meshgrid(x, y), ORDER)
    steps = []
    for axis in (0, 1):
        count = coarse.shape[axis]
        ahead = np.take(coarse, range(1, count), axis)
        behind = np.take(coarse, range(count - 1), axis)
        weight = np.minimum(
            np.take(size, range(1, count), axis), np.take(size, range(count - 1), axis)
        )
        columns = np.diff(basis, axis=axis + 1)
        steps.append((columns, np.angle(ahead * behind.conj()) / TURN, weight**2))
    return solve(
        np.concatenate([c.reshape(len(basis), -1) for c, _, _ in steps], axis=1),
        np.concatenate([v.ravel() for _, v, _ in steps]),
        np.concatenate([w.ravel() for _, _, w in steps]),
    )


def _level(coarse: Complex, size: Float, x: Float, y: Float) -> NDArray[np.float64]:
    """Coefficients from the phase that is left, where it is near its mean."""
    basis = terms(*np.meshgrid(x, y), ORDER)
    constant = np.concatenate([np.ones((1, *size.shape), np.float32), basis])
    left = coarse * np.exp(np.complex64(-1j) * np.angle((coarse * size).sum()))
    phase = np.angle(left)
    near = np.abs(phase) < 0.7 * math.pi
    return solve(constant, phase / TURN, size**2 * near)[1:]


def _split(
    field: Complex, shift: float, sigma: float
) -> tuple[Complex, Complex, Float]:
    """Turn the field so that its two states lie at phase -shift/2 and +shift/2.

    Returns the turned field, the field with both states turned to zero, and the share
    of the field that has one phase once it is squared.
    """
    is_half = shift > HALF_FROM
    squared = _square(field)
    slow = _smooth(squared, sigma)
    size = cv2.GaussianBlur(
        np.abs(field), (0, 0), sigma, borderType=cv2.BORDER_CONSTANT
    )
    even = np.asarray(np.abs(slow) / (size + np.float32(1e-3)), np.float32)
    half = np.exp(1j * math.pi * shift).astype(np.complex64)
    if is_half:
        turned = _unwind(field, slow) * half.conj()
    else:
        wide = WIDE * sigma
        turned = _paper_first(_unwind(field, _smooth(squared, wide)), half)
        for reach in (wide, sigma, sigma):
            guess = np.where(turned.imag > 0, half.conj(), half)
            level = _smooth((turned * guess).astype(np.complex64), reach)
            turned *= np.exp(-1j * np.angle(level)).astype(np.complex64)
    guess = np.where(turned.imag > 0, half.conj(), half)
    return turned, (turned * guess).astype(np.complex64), even


def _unwind(field: Complex, slow: Complex) -> Complex:
    """The field without the root of *slow*; what the polynomial left does not wrap."""
    slow = slow * np.exp(-1j * np.angle((slow * np.abs(slow)).sum()))
    offset = np.angle((_square(field) * slow.conj()).sum())
    turn = -(np.angle(slow) + offset) / 2
    return np.asarray(field * np.exp(1j * turn), np.complex64)


def _paper_first(field: Complex, half: np.complex64) -> Complex:
    """The field with its fuller state at -shift/2 and the other one at +shift/2.

    Squaring has brought the fuller state, which is the paper, to phase 0 or half a
    period; the other is on one side of it.
    """
    field = (field * np.exp(-1j * np.angle(field.sum()))).astype(np.complex64)
    away = np.abs(np.angle(field)) > np.angle(half)
    sides = [float((field * turn).real[away].sum()) for turn in (half**-2, half**2)]
    if sides[1] > sides[0]:
        field = field.conj()
    return np.asarray(field * half.conj(), np.complex64)


def demodulate(grey: NDArray[np.uint8], screen: Screen, shift: float = 0.5) -> Field:
    """The picture that a screen hides.

    Args:
        grey: (height, width) uint8, the frame that the screen was found in.
        screen: The screen, which says where its lines are.
        shift: Periods between the two states of the picture, 0.25 to 0.5.
    """
    box = _box(screen, grey.shape)
    mixed, step = _mix(grey, box, screen.frequency)
    rows, columns = mixed.shape
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    scale = max(box[2] - box[0], box[3] - box[1]) / 2
    x = ((np.arange(columns) * step + box[0] - middle[0]) / scale).astype(np.float32)
    y = ((np.arange(rows) * step + box[1] - middle[1]) / scale).astype(np.float32)
    inside = _inside(screen, box, step, mixed.shape)
    field = mixed * inside
    coefficients = _from_tiles(screen, middle, scale)
    field = (field * turn(coefficients, x, y)).astype(np.complex64)
    line = screen.pixels_per_line / step
    stride = max(1, round(2.5 * line))
    for fit in (_flatten, _flatten, _level):
        coarse, size, at_x, at_y = _coarse(field, x, y, stride, SMOOTH_LINES * line)
        more = fit(coarse, size, at_x, at_y) / 2
        field *= turn(more, x, y)
        coefficients = coefficients + more
    turned, level, even = _split(field, shift, 2 * SMOOTH_LINES * line)
    return _field(
        turned, level, even, screen, (box[0], box[1]), step, coefficients, scale
    )


def _box(screen: Screen, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """The tiles' box with a margin of one tile, cut off at the frame."""
    x0, y0, x1, y1 = screen.box_px
    return (
        max(0, x0 - TILE),
        max(0, y0 - TILE),
        min(shape[1], x1 + TILE),
        min(shape[0], y1 + TILE),
    )


def _inside(
    screen: Screen, box: tuple[int, int, int, int], step: int, shape: tuple[int, ...]
) -> Float:
    """A mask: 1 within one tile of the screen's tiles, else 0."""
    mask = np.zeros(shape, np.float32)
    reach = TILE * 1.5
    for x, y in screen.tiles_px:
        top, left = (y - reach - box[1]) / step, (x - reach - box[0]) / step
        side = 2 * reach / step
        mask[
            max(0, round(float(top))) : max(0, round(float(top + side))),
            max(0, round(float(left))) : max(0, round(float(left + side))),
        ] = 1
    return mask


def _field(
    turned: Complex,
    level: Complex,
    even: Float,
    screen: Screen,
    origin: tuple[int, int],
    step: int,
    coefficients: NDArray[np.float64],
    scale: float,
) -> Field:
    line = screen.pixels_per_line / step
    size = np.abs(turned)
    mean = cv2.GaussianBlur(size, (0, 0), 1.5 * line)
    explained = np.abs(_smooth(level, 1.5 * line)) / (mean + 1e-3)
    strong = float(np.quantile(mean, 0.9))
    weight = np.clip(mean / (0.5 * strong + 1e-3) - 0.35, 0, 1)
    weight *= np.clip((explained - 0.35) * 3, 0, 1)
    soft = np.clip(turned.imag / (mean + 1e-3), -1.5, 1.5)
    panel = weight > 0.5
    enough = panel.sum() >= 50
    share = float((soft[panel] > 0).mean()) if enough else 0.0
    return Field(
        soft=soft.astype(np.float32),
        weight=weight.astype(np.float32),
        origin_px=(float(origin[0]), float(origin[1])),
        step_px=step,
        frequency=screen.frequency,
        amplitude=2 * float(np.median(size[panel])) if enough else 0.0,
        coherence=float(explained[panel].mean()) if enough else 0.0,
        evenness=float(even[panel].mean()) if enough else 0.0,
        minority=min(share, 1 - share),
        coefficients=coefficients,
        scale_px=scale,
    )
