"""Finds the pictures that a screen may hide, in the way of its prints' family.

There are three families: see `deck.Family`. A *screen* is an area of parallel lines;
of prints in strips, which have no lines, it is an area of parallel seams.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Family
from companion.decoder.interlaced import lens_pictures
from companion.decoder.phase import Field, demodulate
from companion.decoder.screen import Screen
from companion.decoder.strips import join_strips

MINORITY_MIN = 0.05
"""Share of the rarer state below which lines hide nothing: stripes, corduroy."""

COHERENCE_MIN = 0.8
"""Least coherence of a field that two states explain; hatching and text stay below."""


def find_hidden(
    grey: NDArray[np.uint8], screen: Screen, family: Family, shifts: Sequence[float]
) -> tuple[Field, ...]:
    """Recover the pictures that a screen may hide.

    Args:
        grey: (height, width) uint8, the frame that the screen was found in.
        screen: The screen, which says where its lines are.
        family: How the print hides its picture.
        shifts: Shifts between a carrier's two states to try, in periods.

    Returns:
        One picture of a carrier print, with the clearest shift; two of an interlaced
        one; one of strips. Empty if the lines hide no picture in the family's way.
    """
    if family is Family.CARRIER:
        fields = [demodulate(grey, screen, shift) for shift in shifts]
        return (max(fields, key=lambda field: field.coherence),)
    find = lens_pictures if family is Family.INTERLACED else join_strips
    return find(grey, screen)
