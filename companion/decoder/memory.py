"""What a deck keeps of the photos it was learnt from: their hidden pictures.

A deck's *lesson* is its *examples*: hidden pictures, made small and packed as PNG.
Unpacked, they can be read like the photos themselves.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.decoder.deck import EXAMPLE_SIDE_MAX, Example
from companion.decoder.phase import Field, rarer_share

CLEAR = 100.0
"""Amplitude, in grey levels, of an unpacked field: that of a clear photo."""


def pack_example(field: Field, *, is_fake: bool) -> Example:
    """Pack a photo's hidden picture as an example for a deck's lesson."""
    scale = min(1.0, EXAMPLE_SIDE_MAX / max(field.soft.shape))
    small = []
    for picture in (field.soft, field.weight):
        # At a scale of 1 this is a copy.
        area = cv2.INTER_AREA
        out = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=area)
        small.append(np.asarray(out, np.float32))
    x, y = (part * field.step_px / scale for part in field.frequency)
    return Example.packed(is_fake, (x, y), *small)


def field_of(example: Example) -> Field:
    """Unpack the hidden picture that a deck remembers; each element is a pixel.

    Raises:
        Malformed: If the example is damaged.
    """
    soft, weight = example.unpacked()
    return Field(
        soft=soft,
        weight=weight,
        origin_px=(0.0, 0.0),
        step_px=1,
        frequency=example.frequency,
        amplitude=CLEAR,
        coherence=1.0,
        minority=rarer_share(soft[weight > 0.5]),
    )
