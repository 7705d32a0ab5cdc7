"""Scrambles a hidden picture into printed lines, which the decoder reads back.

The *phase* of a point is how many *pitches* (distances from line to line) it lies from
the first line: ``u / pitch + phase0``, with ``u = x cos(angle) + y sin(angle)`` in mm
across the lines, x to the right and y down. The *profile* says for which fractions of a
phase there is ink. Where the hidden picture is dark, it adds ``shift`` to the phase. A
lens or film of the same pitch shows the hidden picture.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

MM_PER_INCH = 25.4


class Profile(enum.StrEnum):
    """The shape of one period of the lines."""

    SQUARE = "square"
    SINE = "sine"  # Dithered along the line, since a dot is either ink or paper.


class Encoding(enum.StrEnum):
    """How the hidden picture moves the lines."""

    PHASE = "phase"  # Each point of the picture moves the lines beneath it.
    MIRRORED = "mirrored"  # Like PHASE, but each line shows its part mirrored.
    SOFT = "soft"  # Like PHASE, but lines move gradually at the picture's edges.


@dataclass(frozen=True, slots=True)
class Screen:
    """One line screen.

    Attributes:
        pitch_mm: Distance from line to line, 0.25 to 0.60.
        angle_deg: Direction of the lines' normal; 0 is +x, growing towards +y (down).
        duty: Share of a period that is ink, 0.35 to 0.6; square profile only.
        shift: Periods by which the picture moves the lines, 0.25 to 0.5.
    """

    pitch_mm: float
    angle_deg: float
    duty: float = 0.5
    shift: float = 0.5
    profile: Profile = Profile.SQUARE
    encoding: Encoding = Encoding.PHASE

    def __post_init__(self) -> None:
        if not 0.1 <= self.pitch_mm <= 2.0:
            raise ValueError(f"expected pitch_mm in 0.1..2.0, got {self.pitch_mm!r}")
        if not 0.1 <= self.duty <= 0.9:
            raise ValueError(f"expected duty in 0.1..0.9, got {self.duty!r}")
        if not 0.1 <= self.shift <= 0.5:
            raise ValueError(f"expected shift in 0.1..0.5, got {self.shift!r}")


def pixels_per_mm(dpi: float) -> float:
    """Convert dots an inch to dots a mm."""
    return dpi / MM_PER_INCH


def _measure_position(
    shape: tuple[int, int], scale: float, angle_deg: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the position of every pixel in mm, across and along the lines."""
    angle = math.radians(angle_deg)
    y, x = np.ogrid[: shape[0], : shape[1]]
    x_mm = ((x + 0.5) / scale).astype(np.float32)
    y_mm = ((y + 0.5) / scale).astype(np.float32)
    cos, sin = np.float32(math.cos(angle)), np.float32(math.sin(angle))
    return x_mm * cos + y_mm * sin, y_mm * cos - x_mm * sin


def _box_blur(picture: NDArray[np.float32], radius: int) -> NDArray[np.float32]:
    """Average over squares that reach *radius* pixels around each pixel."""
    width = 2 * radius + 1
    for axis in (0, 1):
        pad = [(0, 0), (0, 0)]
        pad[axis] = (radius + 1, radius)
        total = np.cumsum(
            np.pad(picture, pad, mode="edge"), axis=axis, dtype=np.float64
        )
        last = np.take(total, range(width, total.shape[axis]), axis=axis)
        first = np.take(total, range(total.shape[axis] - width), axis=axis)
        picture = ((last - first) / width).astype(np.float32)
    return picture


def _mirror_in_lines(
    hidden: NDArray[np.bool_], u_mm: NDArray[np.float32], screen: Screen, scale: float
) -> NDArray[np.bool_]:
    """Mirror the picture within each line, which shows 1.5 times its width."""
    angle = math.radians(screen.angle_deg)
    offset = (np.mod(u_mm / screen.pitch_mm, 1) - np.float32(0.5)) * screen.pitch_mm
    # A pixel at *offset* mm from its line's middle shows the place at -1.5 * *offset*.
    move = -2.5 * offset * scale
    rows, columns = hidden.shape
    y, x = np.ogrid[:rows, :columns]
    from_x = np.clip(np.rint(x + move * math.cos(angle)), 0, columns - 1)
    from_y = np.clip(np.rint(y + move * math.sin(angle)), 0, rows - 1)
    shown: NDArray[np.bool_] = hidden[from_y.astype(np.int32), from_x.astype(np.int32)]
    return shown


@lru_cache(maxsize=4)
def _draw_two_states(
    shape: tuple[int, int], screen: Screen, dpi: float, phase0: float
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return shifted and unshifted lines, cached for all panels of a run."""
    u_mm, _ = _measure_position(shape, pixels_per_mm(dpi), screen.angle_deg)
    phase = u_mm / np.float32(screen.pitch_mm) + np.float32(phase0)
    moved, still = (
        np.mod(phase + np.float32(move), 1) < screen.duty
        for move in (screen.shift, 0.0)
    )
    return moved, still


def scramble(
    hidden: NDArray[np.bool_], screen: Screen, dpi: float, phase0: float = 0.0
) -> NDArray[np.bool_]:
    """Draw the printed lines of a hidden picture.

    Args:
        hidden: (rows, columns) bool, one element a printer dot.
        screen: The line screen.
        dpi: Printer dots an inch; 300, 600 or 1200 as a rule.
        phase0: Phase at the top left corner, in periods.

    Returns:
        (rows, columns) bool, True for ink.
    """
    shape = (hidden.shape[0], hidden.shape[1])
    if screen.encoding is Encoding.PHASE and screen.profile is Profile.SQUARE:
        return np.where(hidden, *_draw_two_states(shape, screen, dpi, phase0))
    scale = pixels_per_mm(dpi)
    u_mm, along_mm = _measure_position(shape, scale, screen.angle_deg)
    picture: NDArray[np.float32]
    if screen.encoding is Encoding.MIRRORED:
        picture = _mirror_in_lines(hidden, u_mm, screen, scale).astype(np.float32)
    elif screen.encoding is Encoding.SOFT:
        radius = max(1, round(screen.pitch_mm * scale * 0.6))  # Blurs over 1.2 lines.
        picture = _box_blur(hidden.astype(np.float32), radius)
    else:
        picture = hidden.astype(np.float32)
    phase = u_mm / np.float32(screen.pitch_mm) + np.float32(phase0)
    phase += np.float32(screen.shift) * picture
    if screen.profile is Profile.SQUARE:
        lines: NDArray[np.bool_] = np.mod(phase, 1) < screen.duty
        return lines
    # Dithering: along a line, dots are compared with levels a golden ratio apart.
    level = np.mod(np.floor(along_mm * scale) * np.float32(0.618034), 1)
    wave: NDArray[np.bool_] = 0.5 + 0.5 * np.sin(2 * np.pi * phase) > level
    return wave


def grating(
    size_mm: tuple[float, float], screen: Screen, dpi: float
) -> NDArray[np.bool_]:
    """Draw the film that decodes: plain lines of a screen's pitch, half ink.

    Returns:
        (rows, columns) bool, True for ink.
    """
    scale = pixels_per_mm(dpi)
    shape = (round(size_mm[1] * scale), round(size_mm[0] * scale))
    u_mm, _ = _measure_position(shape, scale, screen.angle_deg)
    lines: NDArray[np.bool_] = np.mod(u_mm / np.float32(screen.pitch_mm), 1) < 0.5
    return lines
