"""A square robot; lines of 0.40 mm that move by a quarter of a period only."""

from __future__ import annotations

from benchmarks.decoder.styles import symbols
from benchmarks.decoder.styles.base import Ink, Style
from companion.printing.art import Drawing, Outline, ellipse, polygon
from companion.printing.deck import PrintDeck
from companion.printing.screen import Screen


def _box(x: float, y: float, half: tuple[float, float], *, ink: bool = True) -> Outline:
    w, h = half
    return polygon(
        (x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h), ink=ink
    )


_HEAD = (
    _box(0, 0.1, (0.36, 0.38)),
    _box(0, 0.1, (0.29, 0.31), ink=False),
    _box(0, -0.38, (0.03, 0.1)),
    ellipse((0, -0.43), (0.08, 0.07)),
    _box(-0.42, 0.1, (0.06, 0.12)),
    _box(0.42, 0.1, (0.06, 0.12)),
    _box(0, 0.28, (0.2, 0.06)),
    _box(-0.07, 0.28, (0.025, 0.04), ink=False),
    _box(0.07, 0.28, (0.025, 0.04), ink=False),
)
_EYES = (ellipse((0.13, 0.0), (0.06, 0.06)), ellipse((-0.13, 0.0), (0.06, 0.06)))
_MASK = (
    _box(0, 0.0, (0.36, 0.115)),
    ellipse((0.13, 0.0), (0.06, 0.045), ink=False),
    ellipse((-0.13, 0.0), (0.06, 0.045), ink=False),
)

ROBOT = Style(
    deck=PrintDeck(
        name="robot",
        plain=Drawing("robot", (*_HEAD, *_EYES)),
        masked=Drawing("masked robot", (*_HEAD, *_MASK)),
        symbols=(
            symbols.WRENCH,
            symbols.GEAR,
            symbols.ARROW,
            symbols.GEM,
            symbols.TREE,
        ),
        screen=Screen(0.4, 0, duty=0.5, shift=0.25),
        face_height_mm=9.0,
        faces=(4, 6),
        panel_mm=(52.0, 38.0),
    ),
    inks=(
        Ink("A", (0.30, 0.22, 0.03), (0.90, 0.90, 0.88)),
        Ink("B", (0.05, 0.10, 0.35), (0.66, 0.80, 0.88)),
        Ink("C", (0.10, 0.55, 0.08), (0.80, 0.86, 0.74)),
    ),
    item_mm=(100.0, 56.0),
    panel_at_mm=(24.0, 9.0),
    frame="dots",
    guilloche=5,
)
