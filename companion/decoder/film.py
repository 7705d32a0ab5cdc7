"""Recovers the hidden picture, as tones, from a print under a film grating.

A *film* is a transparent sheet with parallel lines of the same pitch as the print's.
Laid on the print, it hides more of the print's lines in some places than in others,
which makes light and dark: the *tone*. A hidden picture moves the print's lines by the
phase ``hidden``, and the film lies at some phase ``film`` to them. The tone follows
``cos(film + hidden)``, which shows nothing if the film is a quarter of a period off.
But the lines remain: demodulated with the phase of the film, they hold
``1 + exp(i (film + hidden))``. Its imaginary part, the *sine*, is clearest where the
tone fails. So the tone, the sine or a *mixture* of both always shows the picture.
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
"""Standard deviation of the blur that turns lines into tones, in line periods."""

EVEN_LINES = 24
"""Line periods over which phase and tone are averaged: the height of a face."""

CONTRAST = 48.0
"""Grey levels that one standard deviation of a picture is drawn as."""

MIXTURES = (
    (0.0, 1.0),
    (math.sqrt(0.5), math.sqrt(0.5)),
    (-1.0, 1.0),
)
"""By what tone and sine are multiplied in each picture after the tone alone.

The first is the sine; the others lie half way between the two, with either sign.
"""

WHITE = 250
"""Grey level from which a pixel is glare, which is drawn as 255."""


def recover_tones(
    cut: NDArray[np.uint8], frequency: tuple[float, float]
) -> Iterator[tuple[NDArray[np.uint8], int]]:
    """Yield the tone, the sine and their mixtures; one should show the picture.

    Args:
        cut: (height, width) uint8, the part of a frame that shows a film's lines.
        frequency: Frequency of the film's lines, (x, y) periods a pixel.

    Yields:
        (rows, columns) uint8, and how many pixels of *cut* an element is wide.
    """
    period = 1 / math.hypot(*frequency)
    step = step_of(frequency)
    first = (step - 1) // 2  # An element is the middle one of *step* pixels.
    sigma = LINES_BLUR * period
    side = 2 * math.ceil(2.5 * sigma) + 1
    kernel = cv2.getGaussianKernel(side, sigma)
    soft = cv2.sepFilter2D(cut, cv2.CV_32F, kernel, kernel)
    tone = np.array(soft[first::step, first::step], np.float32)
    del soft  # It may be as large as a frame.
    glare = cut[first::step, first::step] >= WHITE
    yield np.where(glare, np.uint8(255), tone.astype(np.uint8)), step
    lines = mix_down(cut, (first, first, cut.shape[1], cut.shape[0]), frequency)
    rows, columns = lines.shape
    tone, glare = tone[:rows, :columns], glare[:rows, :columns]
    reach = round(EVEN_LINES * period / step) | 1  # Odd.
    real, imag = lines.real.copy(), lines.imag.copy()
    # Averaging over a face cancels the picture and leaves the film's phase.
    film_real, film_imag = _average_around(real, reach), _average_around(imag, reach)
    film = film_real + np.complex64(1j) * film_imag
    sine = (lines * to_unit(film).conj()).imag.copy()
    tone, sine = _normalise(tone, reach), _normalise(sine, reach)
    for tone_factor, sine_factor in MIXTURES:
        mixed = tone_factor * tone + sine_factor * sine
        mixed = mixed * np.float32(CONTRAST) + np.float32(128)
        tones = np.clip(mixed, 0, WHITE - 1).astype(np.uint8)
        tones[glare] = 255
        yield tones, step


def _average_around(picture: Float, reach: int) -> Float:
    """Average around each element by two box blurs, *reach* elements wide."""
    once = cv2.blur(picture, (reach, reach))
    return np.asarray(cv2.blur(once, (reach, reach)), np.float32)


def _normalise(picture: Float, reach: int) -> Float:
    """Remove slow changes from a picture, and scale it to a standard deviation of 1."""
    out = picture - _average_around(picture, reach)
    return np.asarray(out / (out.std() + np.float32(1e-3)), np.float32)
