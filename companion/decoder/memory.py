"""What a deck keeps of the photos it was learnt from: their hidden pictures.

A deck's *lesson* is a list of examples. An *example* is the hidden picture of a photo,
made small and packed as a PNG; unpacked, it can be read like the photo itself.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.decoder.deck import EXAMPLE_SIDE_MAX, Example
from companion.decoder.phase import Field

CLEAR = 100.0
"""Amplitude, in grey levels, of an unpacked field: that of a clear photo.

The photo was clear enough to learn from, but its own amplitude is not kept."""


def pack_example(field: Field, *, is_fake: bool) -> Example:
    """Pack a photo's hidden picture as an example for a deck's lesson."""
    scale = min(1.0, EXAMPLE_SIDE_MAX / max(field.soft.shape))
    soft, weight = field.soft, field.weight
    if scale < 1:
        soft, weight = (
            np.asarray(
                cv2.resize(
                    picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA
                ),
                np.float32,
            )
            for picture in (soft, weight)
        )
    x, y = (part * field.step_px / scale for part in field.frequency)
    return Example.packed(is_fake, (x, y), soft, weight)


def field_of(example: Example) -> Field:
    """Unpack the hidden picture that a deck remembers; each element is a pixel.

    Raises:
        Malformed: If the example is damaged.
    """
    soft, weight = example.unpacked()
    panel = weight > 0.5
    high = float((soft[panel] > 0).mean()) if panel.any() else 0.0
    return Field(
        soft=soft,
        weight=weight,
        origin_px=(0.0, 0.0),
        step_px=1,
        frequency=example.frequency,
        amplitude=CLEAR,
        coherence=1.0,
        minority=min(high, 1 - high),
    )
