"""Recovers the hidden picture, as tones, from a print under a film grating.

A film's lines cover part of the print's. With a phase `m` between both, the mean tone
follows ``cos(m + hidden)``, which the eye sees; where the film is a quarter of a period
off, the tone shows nothing. But the lines remain: demodulated with the film's own
phase, they hold ``1 + exp(i (m + hidden))``, whose imaginary part, the sine, is largest
just where the tone fails. So tone, lines or a mixture of both always show the picture.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.phase import mix, step_of, unit_of

Float = NDArray[np.float32]

LINES_BLUR = 0.5
"""Standard deviation of the low-pass, in line periods."""

EVEN_LINES = 24
"""Lines over which the film's phase and the mean tone are averaged: a face's height."""

CONTRAST = 48.0
"""How many grey levels one standard deviation becomes."""

WHITE = 250
"""Grey level from which glare hides the picture; such pixels become 255."""


def tones_of(
    cut: NDArray[np.uint8], frequency: tuple[float, float]
) -> Iterator[tuple[NDArray[np.uint8], int]]:
    """Yield pictures, one of which should show the hidden picture, likeliest first.

    Args:
        cut: (height, width) uint8, a part of a frame that holds a film's lines.
        frequency: Frequency of the film's lines, (x, y) periods a pixel.

    Yields:
        (rows, columns) uint8, and how many pixels of *cut* an element is.
    """
    period = 1 / math.hypot(*frequency)
    step = step_of(frequency)
    first = (step - 1) // 2  # So that an element lies amid the pixels it stands for.
    sigma = LINES_BLUR * period
    side = 2 * math.ceil(2.5 * sigma) + 1
    kernel = cv2.getGaussianKernel(side, sigma)
    soft = cv2.sepFilter2D(cut, cv2.CV_32F, kernel, kernel)
    plain = np.array(soft[first::step, first::step], np.float32)
    del soft  # It may be as large as a frame.
    glare = cut[first::step, first::step] >= WHITE
    yield np.where(glare, np.uint8(255), plain.astype(np.uint8)), step
    lines = mix(cut, (first, first, cut.shape[1], cut.shape[0]), frequency)
    plain, glare = (
        plain[: len(lines), : lines.shape[1]],
        glare[: len(lines), : lines.shape[1]],
    )
    reach = round(EVEN_LINES * period / step) | 1
    real, imag = lines.real.copy(), lines.imag.copy()
    film = _broad(real, reach) + np.complex64(1j) * _broad(imag, reach)
    sine = (lines * unit_of(film).conj()).imag.copy()
    tone, sine = _evened(plain, reach), _evened(sine, reach)
    for of_tone, of_sine in (
        (0.0, 1.0),
        (math.sqrt(0.5), math.sqrt(0.5)),
        (-1.0, 1.0),
    ):
        mixed = of_tone * tone + of_sine * sine
        mixed = mixed * np.float32(CONTRAST) + np.float32(128)
        tones = np.clip(mixed, 0, WHITE - 1).astype(np.uint8)
        tones[glare] = 255
        yield tones, step


def _broad(picture: Float, reach: int) -> Float:
    """Average around each element by two box blurs of side *reach*."""
    once = cv2.blur(picture, (reach, reach))
    return np.asarray(cv2.blur(once, (reach, reach)), np.float32)


def _evened(picture: Float, reach: int) -> Float:
    """Remove slow changes from a picture, and scale it to a standard deviation of 1."""
    out = picture - _broad(picture, reach)
    return np.asarray(out / (out.std() + np.float32(1e-3)), np.float32)
