"""Recovers the hidden picture, as tones, from a print under a film grating.

A *film* is a transparent sheet with parallel lines of the same pitch as the print's.
Laid on the print, its lines cover part of the print's lines, and how much is left makes
light and dark *tones*. A hidden picture moves the print's lines by the phase `hidden`,
and the film lies at some phase `m` to them. The mean tone follows ``cos(m + hidden)``,
which the eye sees; where the film is a quarter of a period off, it shows nothing. But
the lines remain: demodulated with the film's own phase, they hold
``1 + exp(i (m + hidden))``, whose imaginary part, the sine, is largest just where the
tone fails. So tone, sine or a mixture of both always shows the picture.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.phase import mix_down, step_of, to_unit

Float = NDArray[np.float32]

LINES_BLUR = 0.5
"""Standard deviation of the low-pass, in line periods."""

EVEN_LINES = 24
"""Lines over which the film's phase and the mean tone are averaged: a face's height."""

CONTRAST = 48.0
"""How many grey levels one standard deviation becomes."""

MIXTURES = (
    (0.0, 1.0),
    (math.sqrt(0.5), math.sqrt(0.5)),
    (-1.0, 1.0),
)
"""Factors of tone and of sine in the pictures after the plain tone, in their order."""

WHITE = 250
"""Grey level from which glare hides the picture; such pixels become 255."""


def recover_tones(
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
    lines = mix_down(cut, (first, first, cut.shape[1], cut.shape[0]), frequency)
    rows, columns = lines.shape
    plain, glare = plain[:rows, :columns], glare[:rows, :columns]
    reach = round(EVEN_LINES * period / step) | 1  # An odd number.
    real, imag = lines.real.copy(), lines.imag.copy()
    # Averaged over a face, the picture cancels out, which leaves the film's phase.
    film_real, film_imag = _average_around(real, reach), _average_around(imag, reach)
    film = film_real + np.complex64(1j) * film_imag
    sine = (lines * to_unit(film).conj()).imag.copy()
    tone, sine = _even_out(plain, reach), _even_out(sine, reach)
    for of_tone, of_sine in MIXTURES:
        mixed = of_tone * tone + of_sine * sine
        mixed = mixed * np.float32(CONTRAST) + np.float32(128)
        tones = np.clip(mixed, 0, WHITE - 1).astype(np.uint8)
        tones[glare] = 255
        yield tones, step


def _average_around(picture: Float, reach: int) -> Float:
    """Average around each element by two box blurs of side *reach*."""
    once = cv2.blur(picture, (reach, reach))
    return np.asarray(cv2.blur(once, (reach, reach)), np.float32)


def _even_out(picture: Float, reach: int) -> Float:
    """Remove slow changes from a picture, and scale it to a standard deviation of 1."""
    out = picture - _average_around(picture, reach)
    return np.asarray(out / (out.std() + np.float32(1e-3)), np.float32)
