"""Small scrambled pictures of the tests' own, drawn without the simulator."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder import Deck, house_deck


def panel(
    deck: Deck,
    *,
    is_fake: bool,
    pixels_per_line: float,
    roll_deg: float = 0.0,
    tilt: float = 1.0,
    is_inverted: bool = False,
    side: int = 448,
    symbols: Sequence[NDArray[np.float32]] = (),
) -> NDArray[np.uint8]:
    """Draw a square frame full of lines that hide a lattice of faces.

    *tilt* shrinks the frame downwards, as looking from one side does; *is_inverted*
    swaps ink and paper; *symbols* are templates as large as the faces, which take
    turns with them. For another print run, give the deck `Deck.of_run`.
    """
    y, x = np.mgrid[:side, :side].astype(np.float64) - side / 2
    u, v = _on_paper(x, y / tilt, roll_deg, pixels_per_line)
    face = deck.masked if is_fake else deck.plain
    hidden = _lattice(np.array([face, *symbols]), u, v, deck)
    angle = math.radians(deck.angle_deg)
    phase = u * math.cos(angle) + v * math.sin(angle) + deck.shift * hidden
    wave = 0.5 + 0.4 * np.cos(2 * math.pi * phase)
    wave = 1 - wave if is_inverted else wave
    noise = np.random.default_rng(7).normal(0, 3, wave.shape)
    grey = np.clip(60 + 150 * wave + noise, 0, 255).astype(np.uint8)
    return np.repeat(grey[..., None], 3, axis=2)


def photo(roll_deg: float, *, is_fake: bool) -> NDArray[np.uint8]:
    """Draw a frame of the house's lines, good enough to learn from."""
    return panel(
        house_deck(), is_fake=is_fake, pixels_per_line=4.0, roll_deg=roll_deg, side=384
    )


def stored(path: Path) -> NDArray[np.uint8]:
    """Read a picture that is part of the project."""
    content = np.frombuffer(path.read_bytes(), np.uint8)
    return np.asarray(cv2.imdecode(content, cv2.IMREAD_COLOR), np.uint8)


def laced(
    deck: Deck, *, is_fake: bool, pixels_per_line: float, roll_deg: float, seed: int
) -> NDArray[np.uint8]:
    """Draw a square of strips that show a lattice of faces, between strips of blobs."""
    side = 448
    y, x = np.mgrid[:side, :side].astype(np.float64) - side / 2
    u, v = _on_paper(x, y, roll_deg, pixels_per_line)
    face = deck.masked if is_fake else deck.plain
    hidden = _lattice(np.array([face]), u, v, deck)
    draw = np.random.default_rng(seed)
    blobs = cv2.GaussianBlur(draw.normal(size=(side, side)), (0, 0), 10) > 0
    angle = math.radians(deck.angle_deg)
    wave = np.cos(2 * math.pi * (u * math.cos(angle) + v * math.sin(angle)))
    # Each pixel shows as much of a slot as a slightly blurred edge leaves to it.
    slot = 0.5 + np.clip(2 * wave, -0.5, 0.5)
    ink = slot * hidden + (1 - slot) * blobs
    grey = np.clip(210 - 150 * ink + draw.normal(0, 3, ink.shape), 0, 255)
    return np.repeat(grey.astype(np.uint8)[..., None], 3, axis=2)


def in_strips(
    deck: Deck,
    *,
    is_fake: bool,
    shown: float,
    pixels_per_line: float = 5.0,
    roll_deg: float = 0.0,
    seed: int = 1,
    side: int = 640,
) -> NDArray[np.uint8]:
    """A square frame of a lattice of faces in strips a line wide.

    Each shows *shown* times as much of the picture as it is wide, turned over if that
    is negative; 1 leaves the picture as it is. The seed is that of the noise.
    """
    fine = 2
    y, x = (np.mgrid[: fine * side, : fine * side] + 0.5) / fine - side / 2
    u, v = _on_paper(x, y, roll_deg, pixels_per_line)
    angle = math.radians(deck.angle_deg)
    off = np.mod(u * math.cos(angle) + v * math.sin(angle), 1) - 0.5
    away = (shown - 1) * off
    face = deck.masked if is_fake else deck.plain
    # Drawn so fine that steps of the template are no edges of their own.
    face = cv2.resize(face, None, fx=4, fy=4, interpolation=cv2.INTER_CUBIC)
    hidden = _lattice(
        np.array([face]), u + away * math.cos(angle), v + away * math.sin(angle), deck
    )
    ink = cv2.GaussianBlur(hidden.astype(np.float32), (0, 0), fine * 0.6)
    ink = cv2.resize(ink, (side, side), interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(seed).normal(0, 3, ink.shape)
    grey = np.clip(210 - 150 * ink + noise, 0, 255).astype(np.uint8)
    return np.repeat(grey[..., None], 3, axis=2)


def _on_paper(
    x: NDArray[np.float64], y: NDArray[np.float64], roll_deg: float, line_px: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Positions on the upright paper, in line periods."""
    roll = math.radians(roll_deg)
    return (
        (x * math.cos(roll) + y * math.sin(roll)) / line_px,
        (y * math.cos(roll) - x * math.sin(roll)) / line_px,
    )


def _lattice(
    things: NDArray[np.float32],
    u: NDArray[np.float64],
    v: NDArray[np.float64],
    deck: Deck,
) -> NDArray[np.bool_]:
    """(things, rows, columns) take turns along every row and column of the lattice."""
    count, rows, columns = things.shape
    scale = rows / deck.face_height_lines
    cell = 1.3 * deck.face_height_lines
    across, down = np.floor(u / cell + 0.5), np.floor(v / cell + 0.5)
    column = np.rint((u - across * cell) * scale + columns / 2).astype(int)
    row = np.rint((v - down * cell) * scale + rows / 2).astype(int)
    inside = (column >= 0) & (column < columns) & (row >= 0) & (row < rows)
    turn = np.mod(across + down, count).astype(int)
    hidden = np.zeros(u.shape, np.bool_)
    hidden[inside] = things[turn[inside], row[inside], column[inside]] > 0
    return hidden
