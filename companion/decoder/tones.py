"""The hidden picture as tones, under a lens or a film, and a `Field` of such a picture.

Under a lens or a film a print shows its hidden picture as *tones*, light and dark
areas, so its lines are only blurred away. How fine they are follows from the deck and
the size of its face in the frame. *Moire*, slow bands of light and dark, is removed
with the changes of the light.

A field holds a hidden picture as values about 0, and as a weight how far each can be
trusted; its samples, the *elements*, are coarser than the frame's pixels.

A *film* is a transparent sheet with parallel lines of the same pitch as the print's.
Laid on the print, it hides more of the print's lines in some places than in others. A
hidden picture moves the print's lines by the phase ``hidden``, and the film lies at
some phase ``film`` to them. The tone follows ``cos(film + hidden)``, which shows
nothing if the film is a quarter of a period off. But the lines remain: demodulated with
the phase of the film, they hold ``1 + exp(i (film + hidden))``. Its imaginary part, the
*sine*, is clearest where the tone fails. So the tone, the sine or a *mixture* of both
always shows the picture.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Deck
from companion.decoder.fit import Face
from companion.decoder.phase import SOFT_MAX, Field, mix_down, step_of, to_unit

Float = NDArray[np.float32]

LINES_BLUR = 0.5
"""Standard deviation of the blur, in line periods; it leaves 0.7 % of the lines."""

SAMPLES_PER_LINE = 1.5
"""Least elements of the field from line to line."""

BLUR_VARIANCE_MIN = 0.04
"""Least variance of the blur, in elements squared."""

EVEN_FACES = 0.55
"""Reach, in face heights, of the mean that is subtracted as light and moire."""

SPREAD_FACTOR = 1.4
"""How many standard deviations of the tones around a place become 1 in the field."""

TONE_MIN = 2.0
"""Standard deviation in grey levels below which there is only noise."""

WHITE = 250
"""Grey level from which glare hides the picture; a film's tones draw it as 255."""

MARGIN_FACES = 0.35
"""Margin that `cut_around` leaves, in face heights."""

# Of a film's lines.

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


def make_tone_field(grey: NDArray[np.uint8], deck: Deck, height_px: float) -> Field:
    """Make a field of the tones of a frame in which faces are *height_px* high.

    Args:
        grey: (height, width) uint8, not modified.
        deck: The deck whose lines are blurred away.
        height_px: Height of a face's box in the frame.
    """
    line_px = height_px / deck.face_height_lines
    step = max(1, int(line_px / SAMPLES_PER_LINE))
    rows, columns = (side // step for side in grey.shape)
    cut = grey[: rows * step, : columns * step]
    tones = cv2.resize(cut, (columns, rows), interpolation=cv2.INTER_AREA)
    # Averaging areas has already blurred by a variance of 1/12 element squared.
    variance = (LINES_BLUR * line_px / step) ** 2 - 1 / 12
    sigma = math.sqrt(max(BLUR_VARIANCE_MIN, variance))
    blurred = cv2.GaussianBlur(tones.astype(np.float32), (0, 0), sigma)
    soft = np.asarray(blurred, np.float32)
    # What follows is in place where possible: each array may be as large as the frame.
    side = 2 * round(EVEN_FACES * height_px / step) + 1
    soft -= _average_around(soft, side, 3)
    spread = _average_around(soft * soft, side, 3)
    np.sqrt(np.maximum(spread, 0, out=spread), out=spread)
    amplitude = SPREAD_FACTOR * float(np.median(spread[::4, ::4]))
    spread *= np.float32(SPREAD_FACTOR)
    spread += np.float32(TONE_MIN)
    soft /= spread
    without_glare = (cut < WHITE).view(np.uint8) * np.uint8(255)
    weight = cv2.resize(without_glare, (columns, rows), interpolation=cv2.INTER_AREA)
    return Field(
        soft=np.clip(soft, -SOFT_MAX, SOFT_MAX, out=soft),
        weight=weight.astype(np.float32) / np.float32(255),
        origin_px=((step - 1) / 2, (step - 1) / 2),
        step_px=step,
        frequency=(1 / line_px, 0.0),
        amplitude=amplitude,
        coherence=1.0,
        minority=0.5,
    )


def cut_around(field: Field, faces: tuple[Face, ...]) -> Field:
    """Cut a field down to the box of its faces, turned like them; 0 weight outside."""
    points = np.concatenate([face.box_px for face in faces]).astype(np.float64)
    right = sum((face.box_px[1] - face.box_px[0] for face in faces), np.zeros(2))
    right /= np.hypot(*right)
    axes = np.array([right, [-right[1], right[0]]])  # The faces' right and down.
    turned = points @ axes.T
    margin = MARGIN_FACES * math.sqrt(cv2.contourArea(faces[0].box_px))
    (x0, y0), (x1, y1) = turned.min(axis=0) - margin, turned.max(axis=0) + margin
    box_px = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]) @ axes
    box = (box_px - np.array(field.origin_px)) / field.step_px
    rows, columns = field.soft.shape
    # The cut, as x and y of its first element and of the one after its last.
    first = np.clip(np.floor(box.min(axis=0)).astype(int), 0, [columns - 1, rows - 1])
    end = np.clip(np.ceil(box.max(axis=0)).astype(int) + 1, first + 1, [columns, rows])
    cut = (slice(first[1], end[1]), slice(first[0], end[0]))
    inside = np.zeros(field.soft[cut].shape, np.uint8)
    cv2.fillConvexPoly(inside, np.rint(box - first).astype(np.int32), 1)
    x, y = (np.array(field.origin_px) + first * field.step_px).tolist()
    return replace(
        field,
        soft=field.soft[cut],
        weight=field.weight[cut] * inside.astype(np.float32),
        origin_px=(x, y),
    )


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
    kernel = cv2.getGaussianKernel(2 * math.ceil(2.5 * sigma) + 1, sigma)
    soft = cv2.sepFilter2D(cut, cv2.CV_32F, kernel, kernel)
    tone = np.array(soft[first::step, first::step], np.float32)
    del soft  # It may be as large as a frame.
    glare = cut[first::step, first::step] >= WHITE
    yield np.where(glare, np.uint8(255), tone.astype(np.uint8)), step
    lines = mix_down(cut, (first, first, cut.shape[1], cut.shape[0]), frequency)
    rows, columns = lines.shape
    tone, glare = tone[:rows, :columns], glare[:rows, :columns]
    side = round(EVEN_LINES * period / step) | 1  # Odd.
    real, imag = lines.real.copy(), lines.imag.copy()
    # Averaging over a face cancels the picture and leaves the film's phase.
    film_real = _average_around(real, side, 2)
    film = film_real + np.complex64(1j) * _average_around(imag, side, 2)
    sine = (lines * to_unit(film).conj()).imag.copy()
    tone, sine = _normalise(tone, side), _normalise(sine, side)
    for tone_factor, sine_factor in MIXTURES:
        mixed = tone_factor * tone + sine_factor * sine
        mixed = mixed * np.float32(CONTRAST) + np.float32(128)
        tones = np.clip(mixed, 0, WHITE - 1).astype(np.uint8)
        tones[glare] = 255
        yield tones, step


def _average_around(picture: Float, side: int, times: int) -> Float:
    """Average around each element *times* over, by box blurs *side* elements wide.

    Three box blurs make nearly a Gaussian.
    """
    for _ in range(times):
        picture = np.asarray(cv2.blur(picture, (side, side)), np.float32)
    return picture


def _normalise(picture: Float, side: int) -> Float:
    """Remove slow changes from a picture, and scale it to a standard deviation of 1."""
    out = picture - _average_around(picture, side, 2)
    return np.asarray(out / (out.std() + np.float32(1e-3)), np.float32)
