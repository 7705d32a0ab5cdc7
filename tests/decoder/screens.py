"""Small scrambled pictures of the tests' own, drawn without the simulator."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from companion.decoder import Deck


def panel(
    deck: Deck,
    *,
    is_fake: bool,
    pixels_per_line: float,
    roll_deg: float = 0.0,
    tilt: float = 1.0,
    is_inverted: bool = False,
    side: int = 448,
) -> NDArray[np.uint8]:
    """A square frame full of lines that hide a lattice of faces.

    *tilt* shrinks the frame downwards, as looking from one side does; *is_inverted*
    swaps ink and paper.
    """
    y, x = np.mgrid[:side, :side].astype(np.float64) - side / 2
    y = y / tilt
    roll = math.radians(roll_deg)
    # Position on the upright paper, in line periods.
    u = (x * math.cos(roll) + y * math.sin(roll)) / pixels_per_line
    v = (y * math.cos(roll) - x * math.sin(roll)) / pixels_per_line
    hidden = _lattice(deck.masked if is_fake else deck.plain, u, v, deck)
    angle = math.radians(deck.angle_deg)
    phase = u * math.cos(angle) + v * math.sin(angle) + deck.shift * hidden
    wave = 0.5 + 0.4 * np.cos(2 * math.pi * phase)
    wave = 1 - wave if is_inverted else wave
    noise = np.random.default_rng(7).normal(0, 3, wave.shape)
    grey = np.clip(60 + 150 * wave + noise, 0, 255).astype(np.uint8)
    return np.repeat(grey[..., None], 3, axis=2)


def _lattice(
    template: NDArray[np.float32],
    u: NDArray[np.float64],
    v: NDArray[np.float64],
    deck: Deck,
) -> NDArray[np.bool_]:
    rows, columns = template.shape
    scale = rows / deck.face_height_lines
    cell = 1.3 * deck.face_height_lines
    at_x = np.mod(u + cell / 2, cell) - cell / 2
    at_y = np.mod(v + cell / 2, cell) - cell / 2
    column = np.rint(at_x * scale + columns / 2).astype(int)
    row = np.rint(at_y * scale + rows / 2).astype(int)
    inside = (column >= 0) & (column < columns) & (row >= 0) & (row < rows)
    hidden = np.zeros(u.shape, np.bool_)
    hidden[inside] = template[row[inside], column[inside]] > 0
    return hidden
