"""Recovers the pictures that a screen may hide, each family of prints in its own way.

A *screen* is an area of parallel lines. The three families are in `deck.Family`: in a
carrier print, lines move by a *shift* where the picture is; a print in strips has
*seams* for lines, where strips meet.
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
"""Least `Field.minority` of a picture; plain stripes and corduroy have less."""

COHERENCE_MIN = 0.8
"""Least `Field.coherence` of a picture; hatching and text have less."""


def find_hidden(
    grey: NDArray[np.uint8], screen: Screen, family: Family, shifts: Sequence[float]
) -> tuple[Field, ...]:
    """Recover the pictures that a screen may hide.

    Args:
        grey: (height, width) uint8, the frame that the screen was found in.
        screen: The screen.
        family: How the print hides its picture.
        shifts: The shifts to try for a carrier print, in periods of the lines.

    Returns:
        One picture for a carrier print, the clearest of all shifts; two for an
        interlaced print; one for strips. Empty if nothing is hidden in that way.
    """
    if family is Family.CARRIER:
        fields = [demodulate(grey, screen, shift) for shift in shifts]
        return (max(fields, key=lambda field: field.coherence),)
    if family is Family.INTERLACED:
        return lens_pictures(grey, screen)
    return join_strips(grey, screen)
