"""Scrambles a hidden picture into printed lines, which the decoder reads back.

The *phase* of a point is how many *pitches* (distances from line to line) it lies from
the first line: ``u / pitch``, with ``u = x cos(angle) + y sin(angle)`` in mm across the
lines, x to the right and y down. The *duty* says up to which fraction of a phase there
is ink. Where the hidden picture is dark, it adds ``shift`` to the phase. A lens or film
of the same pitch shows the hidden picture.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

MM_PER_INCH = 25.4


@dataclass(frozen=True, slots=True)
class Screen:
    """One line screen.

    Attributes:
        pitch_mm: Distance from line to line, 0.25 to 0.60.
        angle_deg: Direction of the lines' normal; 0 is +x, growing towards +y (down).
        duty: Share of a period that is ink, 0.35 to 0.6.
        shift: Periods by which the picture moves the lines, 0.25 to 0.5.
    """

    pitch_mm: float
    angle_deg: float
    duty: float = 0.5
    shift: float = 0.5

    def __post_init__(self) -> None:
        if not 0.1 <= self.pitch_mm <= 2.0:
            raise ValueError(f"expected pitch_mm in 0.1..2.0, got {self.pitch_mm!r}")
        if not 0.1 <= self.duty <= 0.9:
            raise ValueError(f"expected duty in 0.1..0.9, got {self.duty!r}")
        if not 0.1 <= self.shift <= 0.5:
            raise ValueError(f"expected shift in 0.1..0.5, got {self.shift!r}")

    def scramble(self, hidden: NDArray[np.bool_], dpi: float) -> NDArray[np.bool_]:
        """Draw the printed lines of a hidden picture.

        Args:
            hidden: (rows, columns) bool, one element a printer dot.
            dpi: Printer dots an inch; 300, 600 or 1200 as a rule.

        Returns:
            (rows, columns) bool, True for ink.
        """
        shape = (hidden.shape[0], hidden.shape[1])
        return np.where(hidden, *_draw_two_states(shape, self, dpi))


def pixels_per_mm(dpi: float) -> float:
    """Convert dots an inch to dots a mm."""
    return dpi / MM_PER_INCH


def measure_position(
    shape: tuple[int, int], scale: float, angle_deg: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the position of every pixel in mm, across and along the lines."""
    angle = math.radians(angle_deg)
    y, x = np.ogrid[: shape[0], : shape[1]]
    x_mm = ((x + 0.5) / scale).astype(np.float32)
    y_mm = ((y + 0.5) / scale).astype(np.float32)
    cos, sin = np.float32(math.cos(angle)), np.float32(math.sin(angle))
    return x_mm * cos + y_mm * sin, y_mm * cos - x_mm * sin


@lru_cache(maxsize=4)
def _draw_two_states(
    shape: tuple[int, int], screen: Screen, dpi: float
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return shifted and unshifted lines, cached for all panels of a run."""
    u_mm, _ = measure_position(shape, pixels_per_mm(dpi), screen.angle_deg)
    phase = u_mm / np.float32(screen.pitch_mm)
    moved, still = (
        np.mod(phase + np.float32(move), 1) < screen.duty
        for move in (screen.shift, 0.0)
    )
    return moved, still


def grating(
    size_mm: tuple[float, float], screen: Screen, dpi: float
) -> NDArray[np.bool_]:
    """Draw the film that decodes: plain lines of a screen's pitch, half ink.

    Returns:
        (rows, columns) bool, True for ink.
    """
    scale = pixels_per_mm(dpi)
    shape = (round(size_mm[1] * scale), round(size_mm[0] * scale))
    u_mm, _ = measure_position(shape, scale, screen.angle_deg)
    lines: NDArray[np.bool_] = np.mod(u_mm / np.float32(screen.pitch_mm), 1) < 0.5
    return lines
