"""The polynomial that describes how perspective and curl bend a carrier's phase.

The *carrier* is the wave of a print's parallel lines. On a flat print seen from above
its phase grows evenly. Perspective and curl add the *bend*, which changes slowly from
place to place: a polynomial in x and y up to degree ORDER, without a constant. Its
*coefficients* are in the order of POWERS, positions are normalised to -1..1, and
phases are in periods.

`estimate_bend` uses the frequency of the lines in each small *tile* of the frame. Once
that estimate is removed, `fit_steps` and `fit_rest` fit what is left of the bend.
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


def terms(x: Float, y: Float) -> Float:
    """Return the value of every term at normalised positions: (terms, ...) float32."""
    powers_x, powers_y = _powers_of(x), _powers_of(y)
    values = [powers_x[of_x] * powers_y[of_y] for of_x, of_y in POWERS]
    return np.stack(values).astype(np.float32)


def _powers_of(x: Array) -> list[Array]:
    """Return 1, x, x * x and so on; products are quicker than powers."""
    products = [np.ones_like(x)]
    for _ in range(ORDER):
        products.append(products[-1] * x)
    return products


def slopes(x: Float, y: Float) -> tuple[Float, Float]:
    """Return the derivatives of `terms` by x and by y."""
    powers_x, powers_y = _powers_of(x), _powers_of(y)
    by_x, by_y = [], []
    for of_x, of_y in POWERS:
        # The derivative of a constant is 0, whatever power it is multiplied with.
        by_x.append(of_x * powers_x[max(of_x - 1, 0)] * powers_y[of_y])
        by_y.append(of_y * powers_x[of_x] * powers_y[max(of_y - 1, 0)])
    return np.stack(by_x).astype(np.float32), np.stack(by_y).astype(np.float32)


def solve(columns: Float, values: Float, weights: Float) -> NDArray[np.float64]:
    """Solve for coefficients by weighted least squares, slightly regularised.

    Args:
        columns: (terms, ...) what each term adds to the values per coefficient.
        values: What the sum of all terms should be.
        weights: How much each value counts.
    """
    terms_flat = columns.reshape(len(columns), -1).astype(np.float32)
    weighed = terms_flat * weights.ravel().astype(np.float32)
    normal = (weighed @ terms_flat.T).astype(np.float64)
    normal += np.eye(len(terms_flat)) * (1e-4 * float(weights.sum()) + 1e-9)
    right = (weighed @ values.ravel().astype(np.float32)).astype(np.float64)
    return np.asarray(np.linalg.solve(normal, right), np.float64)


def unbending_phasor(coefficients: NDArray[np.float64], x: Float, y: Float) -> Complex:
    """Compute the phasor that removes a bend from a field, by multiplication.

    Args:
        coefficients: Those of the bend.
        x: (columns,) normalised positions of the field's columns.
        y: (rows,) normalised positions of the field's rows.

    Returns:
        (rows, columns) exp(-i phase).
    """
    by_power = np.zeros((ORDER + 1, ORDER + 1))
    for (of_x, of_y), value in zip(POWERS, coefficients, strict=True):
        by_power[of_y, of_x] = value
    powers_y = np.stack(_powers_of(y.astype(np.float64)), axis=1)
    powers_x = np.stack(_powers_of(x.astype(np.float64)))
    phase = (-TURN * (powers_y @ by_power @ powers_x)).astype(np.float32)
    turned = np.empty(phase.shape, np.complex64)
    np.cos(phase, out=turned.real)
    np.sin(phase, out=turned.imag)
    return turned


ROUNDS = 4
"""How often tiles are weighted, each time by their distance from the last estimate."""

OFF_SCALE = 0.003
"""Distance from that estimate, in periods a pixel, that halves the weight of a tile."""

TILES_MIN = 9
"""Least number of tiles from which terms of degree 2 are estimated."""


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
    positions = ((screen.tiles_px - np.array(middle)) / scale).astype(np.float32)
    degree = 2 if len(positions) >= TILES_MIN else 1
    used = [number for number, powers in enumerate(POWERS) if sum(powers) <= degree]
    # A tile's frequency differs from the mean by the bend's slope there: x's, then y's.
    columns = np.concatenate(slopes(*positions.T), axis=1)[used]
    values = ((screen.frequencies - np.array(screen.frequency)) * scale).T.ravel()
    shares = screen.shares**2
    weights = shares
    # A tile on a panel's edge may be off, since it shows other lines as well.
    for _ in range(ROUNDS):
        for_x_and_y = np.concatenate([weights, weights]).astype(np.float32)
        solved = solve(columns, values, for_x_and_y)
        off = (solved @ columns - values).reshape(2, -1) / scale
        weights = shares / (1 + (np.hypot(*off) / OFF_SCALE) ** 2)
    coefficients = np.zeros(len(POWERS))
    coefficients[used] = solved
    return coefficients


def fit_steps(coarse: Complex, trust: Float, basis: Float) -> NDArray[np.float64]:
    """Fit coefficients to the steps of phase between neighbours, which do not wrap.

    Args:
        coarse: (rows, columns) the demodulated carrier at coarse points.
        trust: (rows, columns) how far each point can be trusted.
        basis: (terms, rows, columns) the value of each term, see `terms`.
    """
    columns, values, weights = [], [], []
    for axis in (0, 1):
        count = coarse.shape[axis]
        later, earlier = range(1, count), range(count - 1)
        weight = np.minimum(trust.take(later, axis), trust.take(earlier, axis))
        turned = coarse.take(later, axis) * coarse.take(earlier, axis).conj()
        columns.append(np.diff(basis, axis=axis + 1).reshape(len(basis), -1))
        values.append((np.angle(turned) / TURN).ravel())
        weights.append((weight**2).ravel())
    return solve(
        np.concatenate(columns, axis=1),
        np.concatenate(values),
        np.concatenate(weights),
    )


NEAR_MEAN = 0.7 * math.pi
"""Radians from the mean within which a phase is fitted; others may have wrapped."""


def fit_rest(coarse: Complex, trust: Float, basis: Float) -> NDArray[np.float64]:
    """Fit coefficients to the phase itself, where it is near its mean.

    The arguments are those of `fit_steps`. A constant is fitted too, and dropped.
    """
    with_constant = np.concatenate([np.ones((1, *trust.shape), np.float32), basis])
    mean = np.angle((coarse * trust).sum())
    phase = np.angle(coarse * np.exp(np.complex64(-1j) * mean))
    is_near = np.abs(phase) < NEAR_MEAN
    return solve(with_constant, phase / TURN, trust**2 * is_near)[1:]
