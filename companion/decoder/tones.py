"""Makes a `Field` of a picture in tones: blurs the lines away and evens the light.

A field holds a hidden picture as values about 0, and as a weight how far each can be
trusted; its samples, the *elements*, are coarser than the frame's pixels.

Under a lens or a film grating a print shows its hidden picture as *tones*, light and
dark areas, so its lines are only blurred away. How fine they are follows from the deck
and the size of its face in the frame. *Moire*, slow bands of light and dark, is removed
with the changes of the light.
"""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Deck
from companion.decoder.fit import Face
from companion.decoder.phase import SOFT_MAX, Field

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
"""Grey level from which glare hides the picture."""

MARGIN_FACES = 0.35
"""Margin that `cut_around` leaves, in face heights."""


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
    reach = EVEN_FACES * height_px / step
    soft -= _average_around(soft, reach)
    spread = _average_around(soft * soft, reach)
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


def _average_around(picture: Float, reach: float) -> Float:
    """Average around each element, *reach* elements to every side."""
    side = 2 * round(reach) + 1
    for _ in range(3):  # Three box blurs make nearly a Gaussian.
        picture = np.asarray(cv2.blur(picture, (side, side)), np.float32)
    return picture


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
