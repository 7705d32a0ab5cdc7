"""Crumpled paper: creases that raise it, draw it in, and shade it.

A crease is a straight fold through the sheet; the paper rises from it on both sides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]

COUNT = 9
"""How many creases cross a note."""

REACH_MM = 40.0
"""The farthest crease from the middle of a note."""


@dataclass(frozen=True, slots=True)
class Creases:
    """The creases of one sheet; lengths in mm off its middle.

    Attributes:
        across: (n, 2), unit vectors across the creases.
        at_mm: (n,), how far from the middle they are, along these.
        slopes: (n,), how steeply the paper rises beside each; it falls if negative.
        light: (2,), the way the light comes along the sheet, by the tangent of its
            angle to the sheet's normal.
    """

    across: Float
    at_mm: Float
    slopes: Float
    light: Float

    def flat(self, at: Float, tangents: Float) -> Float:
        """Where rays that would meet the flat sheet at *at* meet the paper: (n, 2).

        Args:
            at: (n, 2).
            tangents: (n, 2), how far each ray moves along the sheet per mm of depth.
        """
        height = np.abs(at @ self.across.T - self.at_mm) @ self.slopes
        at = at - tangents * height[:, None]
        away = at @ self.across.T - self.at_mm
        moved: Float = at + (away * (np.hypot(self.slopes, 1) - 1)) @ self.across
        return moved

    def shade(self, at: Float) -> Float:
        """Return the light on the paper, 1 where it is level: (n,)."""
        side = np.sign(at @ self.across.T - self.at_mm)
        slope = (side * self.slopes) @ self.across
        facing = (1 - slope @ self.light) / np.sqrt(1 + (slope**2).sum(axis=1))
        shaded: Float = np.clip(facing, 0.05, 2)
        return shaded


def crumpled(draw: np.random.Generator, slope: float) -> Creases:
    """Draw creases beside which the paper rises or falls by up to *slope*."""
    angles = draw.uniform(0, math.pi, COUNT)
    lit = draw.uniform(0, 2 * math.pi)
    return Creases(
        across=np.column_stack([np.cos(angles), np.sin(angles)]),
        at_mm=draw.uniform(-REACH_MM, REACH_MM, COUNT),
        slopes=slope * draw.uniform(0.3, 1, COUNT) * draw.choice([-1, 1], COUNT),
        light=0.8 * np.array([math.cos(lit), math.sin(lit)]),
    )
