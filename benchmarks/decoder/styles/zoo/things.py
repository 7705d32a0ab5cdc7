"""Symbols drawn at random: known pictures, stars, rings, blots and letters."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.decoder.styles import symbols
from benchmarks.decoder.styles.zoo.heads import Outlines, stroke
from companion.printing.art import Drawing, ellipse, polygon, smooth

KNOWN = (
    symbols.ANCHOR, symbols.FISH, symbols.HEART, symbols.CUP, symbols.TREE,
    symbols.BELL, symbols.MOON, symbols.GEM, symbols.ARROW, symbols.WRENCH,
    symbols.GEAR,
)  # fmt: skip

LETTERS = {
    "A": "-30,42 0,-42 30,42 / -16,12 16,12",
    "E": "25,-42 -25,-42 -25,42 25,42 / -25,0 16,0",
    "H": "-28,-42 -28,42 / 28,-42 28,42 / -28,0 28,0",
    "K": "-25,-42 -25,42 / 28,-42 -22,4 28,42",
    "M": "-36,42 -30,-42 0,20 30,-42 36,42",
    "N": "-26,42 -26,-42 26,42 26,-42",
    "T": "-32,-42 32,-42 / 0,-42 0,42",
    "X": "-28,-42 28,42 / 28,-42 -28,42",
    "Z": "-28,-42 28,-42 -28,42 28,42",
    "2": "-24,-20 -10,-42 16,-40 24,-18 -26,42 26,42",
    "4": "14,42 14,-42 -30,16 32,16",
    "7": "-28,-42 28,-42 -8,42",
}
"""Strokes of letters and figures, in hundredths of a box one unit high."""


def _letter(draw: np.random.Generator) -> Drawing:
    name = str(draw.choice(list(LETTERS)))
    width = float(draw.uniform(0.13, 0.2))
    parts: Outlines = []
    for line in LETTERS[name].split(" / "):
        ends = [point.split(",") for point in line.split()]
        points = [(int(x) / 100, int(y) / 100) for x, y in ends]
        parts += stroke(*points, width=width)
    return Drawing(f"letter {name}", tuple(parts))


def _polygon(draw: np.random.Generator) -> Drawing:
    count, turn = int(draw.integers(3, 9)), float(draw.uniform(0, math.pi))
    corners = [
        (0.48 * math.cos(turn + a), 0.48 * math.sin(turn + a))
        for a in np.linspace(0, 2 * math.pi, count, endpoint=False)
    ]
    parts = [polygon(*corners)]
    if draw.random() < 0.5:
        hole = float(draw.uniform(0.4, 0.65))
        parts.append(polygon(*((x * hole, y * hole) for x, y in corners), ink=False))
    return Drawing(f"polygon {count}", tuple(parts))


def _ring(draw: np.random.Generator) -> Drawing:
    wide = float(draw.uniform(0.6, 1)) * 0.48
    parts = [ellipse((0, 0), (wide, 0.48))]
    hole = float(draw.uniform(0.45, 0.7))
    parts.append(ellipse((0, 0), (wide * hole, 0.48 * hole), ink=False))
    if draw.random() < 0.5:
        parts.append(ellipse((0, 0), (0.12, 0.12)))
    return Drawing("ring", tuple(parts))


def _blot(draw: np.random.Generator) -> Drawing:
    count = int(draw.integers(5, 10))
    radii = draw.uniform(0.2, 0.48, count)
    angles = np.linspace(0, 2 * math.pi, count, endpoint=False)
    points = [
        (float(r * math.cos(a)), float(r * math.sin(a)))
        for r, a in zip(radii, angles, strict=True)
    ]
    return Drawing("blot", (smooth(*points),))


def _star(draw: np.random.Generator) -> Drawing:
    return symbols.star(int(draw.integers(4, 9)), float(draw.uniform(0.15, 0.32)))


def thing(draw: np.random.Generator) -> Drawing:
    """Some symbol, in a box one unit high."""
    if draw.random() < 0.4:
        return KNOWN[int(draw.integers(len(KNOWN)))]
    kinds = (_letter, _polygon, _ring, _blot, _star)
    return kinds[int(draw.integers(len(kinds)))](draw)
