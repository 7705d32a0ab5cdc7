"""The polynomial that describes how perspective and curl bend a carrier's phase.

The *carrier* is the wave of a print's parallel lines. On a flat print seen from above
its phase grows evenly. Perspective and curl add the *bend*, which changes slowly from
place to place: a polynomial in x and y up to degree ORDER, without a constant. Its
*coefficients* are in the order of POWERS, positions are normalised to -1..1, and
phases are in periods.

`estimate_bend` uses the frequency of the lines in each small *tile* of the frame. Once
that estimate is removed, `fit_steps` and `fit_rest` fit the *rest* of the phase.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from companion.decoder.screen import Screen

Float = NDArray[np.float32]
Complex = NDArray[np.complex64]
Array = NDArray[np.floating]

ORDER = 4
"""Degree of the polynomial; its error is below 0.02 periods at a tilt of 35 degrees."""

POWERS = tuple((n - k, k) for n in range(1, ORDER + 1) for k in range(n + 1))
"""The exponents of x and y in each term, from degree 1 up to ORDER."""

TURN = 2 * math.pi
"""Radians in a period."""

NEAR_MEAN = 0.7 * math.pi
"""Radians from the mean within which a phase is fitted; others may have wrapped."""

ROUNDS = 4
"""How often tiles are weighted by their distance from the estimate before."""

OFF_SCALE = 0.003
"""Distance from that estimate, in periods a pixel, that halves the weight of a tile."""

TILES_MIN = 9
"""Least number of tiles from which terms of degree 2 are estimated."""


def terms(x: Float, y: Float) -> Float:
    """Return the value of every term at normalised positions: (terms, ...) float32."""
    of_x, of_y = _powers_of(x), _powers_of(y)
    return np.stack([of_x[i] * of_y[j] for i, j in POWERS]).astype(np.float32)


def _powers_of(x: Array) -> list[Array]:
    """Return 1, x, x * x and so on; products are quicker than powers."""
    products = [np.ones_like(x)]
    for _ in range(ORDER):
        products.append(products[-1] * x)
    return products


def slopes(x: Float, y: Float) -> tuple[Float, Float]:
    """Return the derivatives of `terms` by x and by y."""
    of_x, of_y = _powers_of(x), _powers_of(y)
    by_x = [i * of_x[max(i - 1, 0)] * of_y[j] for i, j in POWERS]
    by_y = [j * of_x[i] * of_y[max(j - 1, 0)] for i, j in POWERS]
    return np.stack(by_x).astype(np.float32), np.stack(by_y).astype(np.float32)


def solve(columns: Float, values: Float, weights: Float) -> NDArray[np.float64]:
    """Solve for coefficients by weighted least squares, slightly regularised."""
    terms_flat = columns.reshape(len(columns), -1).astype(np.float32)
    weighed = terms_flat * weights.ravel().astype(np.float32)
    normal = (weighed @ terms_flat.T).astype(np.float64)
    normal += np.eye(len(terms_flat)) * (1e-4 * float(weights.sum()) + 1e-9)
    right = (weighed @ values.ravel().astype(np.float32)).astype(np.float64)
    return np.asarray(np.linalg.solve(normal, right), np.float64)


def unbending_phasor(coefficients: NDArray[np.float64], x: Float, y: Float) -> Complex:
    """Compute the phasor that removes a bend from a field, by multiplication.

    Args:
        coefficients: The coefficients of the bend.
        x: (columns,) normalised positions of the field's columns.
        y: (rows,) normalised positions of the field's rows.

    Returns:
        (rows, columns) exp(-i phase).
    """
    by_power = np.zeros((ORDER + 1, ORDER + 1))
    for (i, j), value in zip(POWERS, coefficients, strict=True):
        by_power[j, i] = value
    of_y = np.stack(_powers_of(y.astype(np.float64)), axis=1)
    of_x = np.stack(_powers_of(x.astype(np.float64)))
    phase = (-TURN * (of_y @ by_power @ of_x)).astype(np.float32)
    turned = np.empty(phase.shape, np.complex64)
    np.cos(phase, out=turned.real)
    np.sin(phase, out=turned.imag)
    return turned


def estimate_bend(
    screen: Screen, middle: tuple[float, float], scale: float
) -> NDArray[np.float64]:
    """Estimate the bend from the frequencies of a screen's tiles.

    Args:
        screen: The screen.
        middle: The point of the frame, in pixels, whose normalised position is (0, 0).
        scale: Pixels in one unit of normalised position.

    Returns:
        The coefficients; above degree 2 they are 0, with few tiles also at degree 2.
    """
    mean = np.array(screen.frequency)
    at = (screen.tiles_px - np.array(middle)) / scale
    by_x, by_y = slopes(at[:, 0].astype(np.float32), at[:, 1].astype(np.float32))
    degree = 2 if len(at) >= TILES_MIN else 1
    used = [k for k, (i, j) in enumerate(POWERS) if i + j <= degree]
    rest = (screen.frequencies - mean) * scale
    columns = np.concatenate([by_x, by_y], axis=1)[used]
    shares = screen.shares**2
    weights = shares
    # A tile on a panel's edge may be off, since it shows other lines as well.
    for _ in range(ROUNDS):
        solved = solve(
            columns,
            rest.T.ravel(),
            np.concatenate([weights, weights]).astype(np.float32),
        )
        off = (solved @ columns - rest.T.ravel()).reshape(2, -1) / scale
        weights = shares / (1 + (np.hypot(*off) / OFF_SCALE) ** 2)
    coefficients = np.zeros(len(POWERS))
    coefficients[used] = solved
    return coefficients


def fit_steps(coarse: Complex, size: Float, basis: Float) -> NDArray[np.float64]:
    """Fit coefficients to the steps of phase between neighbours, which do not wrap.

    Args:
        coarse: (rows, columns) the demodulated carrier at coarse points.
        size: (rows, columns) how far each point can be trusted.
        basis: (terms, rows, columns) the value of each term, see `terms`.
    """
    columns, values, weights = [], [], []
    for axis in (0, 1):
        count = coarse.shape[axis]
        later, earlier = range(1, count), range(count - 1)
        weight = np.minimum(size.take(later, axis), size.take(earlier, axis))
        turned = coarse.take(later, axis) * coarse.take(earlier, axis).conj()
        columns.append(np.diff(basis, axis=axis + 1).reshape(len(basis), -1))
        values.append((np.angle(turned) / TURN).ravel())
        weights.append((weight**2).ravel())
    return solve(
        np.concatenate(columns, axis=1),
        np.concatenate(values),
        np.concatenate(weights),
    )


def fit_rest(coarse: Complex, size: Float, basis: Float) -> NDArray[np.float64]:
    """Fit coefficients to the rest of the phase itself, where it is near its mean.

    The arguments are those of `fit_steps`.
    """
    constant = np.concatenate([np.ones((1, *size.shape), np.float32), basis])
    centred = coarse * np.exp(np.complex64(-1j) * np.angle((coarse * size).sum()))
    phase = np.angle(centred)
    near = np.abs(phase) < NEAR_MEAN
    return solve(constant, phase / TURN, size**2 * near)[1:]
