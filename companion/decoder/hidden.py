"""The pictures that the lines of a screen may hide, by the family of their prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Gate:
    """What a field must have to hide a picture.

    Attributes:
        minority: Least share of the rarer state: stripes and corduroy have less.
        coherence: Least coherence; hatching and text have less.
        crossed: Most energy of a second peak in another direction, see `find_screens`.
    """

    minority: float
    coherence: float
    crossed: float = CROSSED_MAX

    def lets(self, field: Field) -> bool:
        """Whether a field may hide a picture."""
        return field.minority >= self.minority and field.coherence >= self.coherence


GATES = {
    Family.CARRIER: Gate(0.05, 0.8),
    Family.INTERLACED: Gate(0.05, 0.8, CROSSED_INTERLACED),
}
"""For reading, where faces must follow."""


def hidden_in(
    grey: NDArray[np.uint8], screen: Screen, family: Family, shifts: Sequence[float]
) -> tuple[Field, ...]:
    """The pictures that a screen may hide; none if its lines hide nothing.

    Args:
        grey: (height, width) uint8, the frame that the screen was found in.
        screen: The screen, which says where its lines are.
        family: How the print hides its picture.
        shifts: Of a carrier's two states, those that are tried.
    """
    if family is Family.CARRIER:
        fields = [demodulate(grey, screen, shift) for shift in shifts]
        found: tuple[Field, ...] = (max(fields, key=lambda f: f.coherence),)
    else:
        found = looks(grey, screen)
    return tuple(field for field in found if GATES[family].lets(field))
