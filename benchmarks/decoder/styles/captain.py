"""A bearded captain under a flat cap; fine lines, a third of a period."""

from __future__ import annotations

from benchmarks.decoder.styles import symbols
from benchmarks.decoder.styles.base import Ink, Style
from companion.printing.art import Drawing, ellipse, mirror, polygon, smooth
from companion.printing.deck import PrintDeck
from companion.printing.screen import Screen

_HEAD = (
    ellipse((0, 0.08), (0.36, 0.4)),
    ellipse((0, 0.0), (0.27, 0.22), ink=False),
    smooth(
        (-0.2, 0.24), (0, 0.19), (0.2, 0.24), (0.08, 0.31), (-0.08, 0.31), ink=False
    ),
    smooth((-0.07, 0.06), (0.07, 0.06), (0.08, 0.15), (-0.08, 0.15)),
    smooth((-0.42, -0.42), (0, -0.52), (0.42, -0.42), (0.34, -0.18), (-0.34, -0.18)),
    polygon((-0.36, -0.22), (0.36, -0.22), (0.32, -0.12), (-0.32, -0.12)),
    ellipse((0, -0.34), (0.09, 0.08), ink=False),
)
_EYE = ellipse((0.12, 0.0), (0.04, 0.05))
_MASK = (
    polygon(
        (-0.38, -0.08),
        (0.38, -0.08),
        (0.36, 0.1),
        (0.07, 0.1),
        (0, 0.03),
        (-0.07, 0.1),
        (-0.36, 0.1),
    ),
    ellipse((0.15, 0.0), (0.06, 0.04), ink=False),
    ellipse((-0.15, 0.0), (0.06, 0.04), ink=False),
)

CAPTAIN = Style(
    deck=PrintDeck(
        name="captain",
        plain=Drawing("captain", (*_HEAD, _EYE, mirror(_EYE))),
        masked=Drawing("masked captain", (*_HEAD, *_MASK)),
        symbols=(
            symbols.ANCHOR,
            symbols.FISH,
            symbols.star(5, 0.2),
            symbols.MOON,
            symbols.BELL,
        ),
        screen=Screen(pitch_mm=0.32, angle_deg=-38, duty=0.42, shift=1 / 3),
        face_height_mm=8.0,
        faces=(5, 7),
        panel_mm=(46.0, 32.0),
    ),
    inks=(
        Ink("1", (0.30, 0.08, 0.03), (0.86, 0.88, 0.84)),
        Ink("5", (0.04, 0.07, 0.30), (0.70, 0.84, 0.92)),
        Ink("25", (0.05, 0.05, 0.06), (0.80, 0.86, 0.88)),
    ),
    item_mm=(96.0, 48.0),
    panel_at_mm=(44.0, 8.0),
    frame="dots",
    guilloche=7,
)
