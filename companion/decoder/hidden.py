"""The pictures that the lines of a screen may hide, by the family of their prints."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Family
from companion.decoder.interlaced import looks
from companion.decoder.phase import Field, demodulate
from companion.decoder.screen import CROSSED_MAX, Screen

CROSSED_INTERLACED = 0.75
"""Most energy of a second peak where pictures show in tones as well, with their edges.

Of prints whose tiles tell where they are, four in five have less than 0.5, others up to
0.65; weaves and halftones have 1 or so.
"""


CROSSED = {Family.CARRIER: CROSSED_MAX, Family.INTERLACED: CROSSED_INTERLACED}
"""The same by family, see `find_screens`."""

MINORITY_MIN = 0.05
"""Share of the rarer state below which lines hide nothing: stripes, corduroy."""

COHERENCE_MIN = 0.8
"""Least coherence of a field that two states explain; hatching and text stay below."""


def hidden_in(
    grey: NDArray[np.uint8], screen: Screen, family: Family, shifts: Sequence[float]
) -> tuple[Field, ...]:
    """Return the pictures that a screen may hide; none if nothing is laced in it.

    Args:
        grey: (height, width) uint8, the frame that the screen was found in.
        screen: The screen, which says where its lines are.
        family: How the print hides its picture.
        shifts: Of a carrier's two states, those that are tried.
    """
    if family is Family.CARRIER:
        fields = [demodulate(grey, screen, shift) for shift in shifts]
        return (max(fields, key=lambda field: field.coherence),)
    return looks(grey, screen)
