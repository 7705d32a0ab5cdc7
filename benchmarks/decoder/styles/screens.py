"""Line screens as other makers print them: with soft waves, or in mirrored strips."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.printing.screen import Screen, measure_position, pixels_per_mm


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
class ForeignScreen(Screen):
    """A line screen that its maker may print in other ways than we do.

    The duty is that of a square profile only.
    """

    profile: Profile = Profile.SQUARE
    encoding: Encoding = Encoding.PHASE

    def scramble(
        self, hidden: NDArray[np.bool_], dpi: float, phase0: float = 0.0
    ) -> NDArray[np.bool_]:
        """Draw the printed lines of a hidden picture.

        *phase0* is the phase at the top left corner, in periods.
        """
        scale = pixels_per_mm(dpi)
        u_mm, along_mm = measure_position(hidden.shape, scale, self.angle_deg)
        if self.encoding is Encoding.MIRRORED:
            picture = _mirror_in_lines(hidden, u_mm, self, scale).astype(np.float32)
        elif self.encoding is Encoding.SOFT:
            radius = max(1, round(self.pitch_mm * scale * 0.6))  # Blurs over 1.2 lines.
            picture = _box_blur(hidden.astype(np.float32), radius)
        else:
            picture = hidden.astype(np.float32)
        phase = u_mm / np.float32(self.pitch_mm) + np.float32(phase0)
        phase += np.float32(self.shift) * picture
        if self.profile is Profile.SQUARE:
            lines: NDArray[np.bool_] = np.mod(phase, 1) < self.duty
            return lines
        # Dithering: along a line, dots are compared with levels a golden ratio apart.
        level = np.mod(np.floor(along_mm * scale) * np.float32(0.618034), 1)
        wave: NDArray[np.bool_] = 0.5 + 0.5 * np.sin(2 * np.pi * phase) > level
        return wave


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
