"""Recovering the hidden picture, as tones, from a print under a film grating.

A film's lines cover part of the print's. With a phase `m` between both, the mean tone
follows ``cos(m + hidden)``, which is what the eye sees; a quarter of a period off, it
shows nothing. The lines themselves remain, and demodulated with the film's own phase
they hold ``1 + exp(i (m + hidden))``: their imaginary part is the sine, and largest
where the eye sees nothing. So the tone, the lines or a mixture of both always shows it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.bend import TURN

Float = NDArray[np.float32]
Complex = NDArray[np.complex64]

LINES_BLUR = 0.5
"""Standard deviation of the low-pass, in line periods."""

EVEN_LINES = 24
"""Lines over which the film's phase and the mean tone are averaged: about a face."""

CONTRAST = 48.0
"""How many grey levels one standard deviation becomes."""

WHITE = 250
"""Grey level from which glare hides the picture; such pixels become 255."""


def tones_of(
    cut: NDArray[np.uint8], frequency: tuple[float, float]
) -> Iterator[NDArray[np.uint8]]:
    """Pictures of which one should show the hidden one, the most likely first.

    Args:
        cut: (height, width) uint8, a part of a frame that holds a film's lines.
        frequency: Frequency of the film's lines, (x, y) periods a pixel.

    Yields:
        (height, width) uint8.
    """
    yield cut
    period = 1 / math.hypot(*frequency)
    step = max(1, int(period / 2))
    plain, lines = _split(cut, frequency, step)
    reach = round(EVEN_LINES * period / step) | 1
    own = lines.real.copy(), lines.imag.copy()
    film = _broad(own[0], reach) + np.complex64(1j) * _broad(own[1], reach)
    turned = lines * np.exp(-1j * np.angle(film)).astype(np.complex64)
    tone, sine = _evened(plain, reach), _evened(turned.imag.copy(), reach)
    glare = cut >= WHITE
    for a, b in ((0.0, 1.0), (math.sqrt(0.5), math.sqrt(0.5)), (-1.0, 1.0)):
        mixed = (a * tone + b * sine) * np.float32(CONTRAST) + np.float32(128)
        small = np.clip(mixed, 0, WHITE - 1).astype(np.uint8)
        large = cv2.resize(small, cut.shape[::-1], interpolation=cv2.INTER_LINEAR)
        large[glare] = 255
        yield np.asarray(large, np.uint8)


def _split(
    cut: NDArray[np.uint8], frequency: tuple[float, float], step: int
) -> tuple[Float, Complex]:
    """Mean tone, and the lines shifted to frequency zero, at every *step* pixels."""
    sigma = LINES_BLUR / math.hypot(*frequency)
    side = 2 * math.ceil(2.5 * sigma) + 1
    light = cut.astype(np.float32)
    plain = cv2.GaussianBlur(light, (side, side), sigma)
    wave_x, wave_y = (
        np.exp(-1j * TURN * f * np.arange(count)).astype(np.complex64)
        for f, count in zip(frequency, cut.shape[::-1], strict=True)
    )
    mixed = (light - plain) * wave_x
    mixed *= wave_y[:, None]
    pair = mixed.view(np.float32).reshape(*cut.shape, 2)
    low = cv2.GaussianBlur(pair, (side, side), sigma)[::step, ::step]
    lines = np.ascontiguousarray(low).view(np.complex64)[..., 0]
    return np.asarray(plain[::step, ::step], np.float32), lines


def _broad(picture: Float, reach: int) -> Float:
    once = cv2.blur(picture, (reach, reach))
    return np.asarray(cv2.blur(once, (reach, reach)), np.float32)


def _evened(picture: Float, reach: int) -> Float:
    """The picture without its slow changes, at a standard deviation of 1."""
    out = picture - _broad(picture, reach)
    return np.asarray(out / (out.std() + np.float32(1e-3)), np.float32)
