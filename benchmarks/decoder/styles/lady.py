"""A lady under a wide sun hat; soft waves instead of lines, soft shifts."""

from __future__ import annotations

from benchmarks.decoder.styles import symbols
from benchmarks.decoder.styles.base import Ink, Style
from benchmarks.decoder.styles.screens import Encoding, ForeignScreen, Profile
from companion.printing.art import Drawing, ellipse, mirror, polygon, smooth
from companion.printing.deck import PrintDeck

_HEAD = (
    smooth(
        (-0.36, 0.0),
        (-0.3, -0.24),
        (0, -0.34),
        (0.3, -0.24),
        (0.36, 0.0),
        (0.38, 0.34),
        (0.2, 0.36),
        (0.12, 0.3),
        (-0.12, 0.3),
        (-0.2, 0.36),
        (-0.38, 0.34),
    ),
    ellipse((0, 0.08), (0.23, 0.3), ink=False),
    polygon((-0.09, 0.34), (0.09, 0.34), (0.13, 0.5), (-0.13, 0.5)),
    smooth(
        (-0.5, -0.12),
        (-0.2, -0.26),
        (0, -0.28),
        (0.2, -0.26),
        (0.5, -0.12),
        (0.2, -0.13),
        (0, -0.12),
        (-0.2, -0.13),
    ),
    smooth((-0.24, -0.24), (-0.2, -0.44), (0, -0.5), (0.2, -0.44), (0.24, -0.24)),
    smooth((-0.09, 0.24), (0, 0.22), (0.09, 0.24), (0, 0.31)),
)
_EYE = ellipse((0.1, 0.06), (0.045, 0.035))
_WING = smooth(
    (0.0, 0.04), (0.12, -0.06), (0.4, -0.08), (0.32, 0.1), (0.16, 0.16), (0.02, 0.1)
)
_MASK = (
    _WING,
    mirror(_WING),
    ellipse((0.13, 0.05), (0.055, 0.03), 15, ink=False),
    ellipse((-0.13, 0.05), (0.055, 0.03), -15, ink=False),
)

LADY = Style(
    deck=PrintDeck(
        name="lady",
        plain=Drawing("lady", (*_HEAD, _EYE, mirror(_EYE))),
        masked=Drawing("masked lady", (*_HEAD, *_MASK)),
        symbols=(symbols.HEART, symbols.TREE, symbols.CUP, symbols.star(6, 0.26)),
        screen=ForeignScreen(0.5, 64, profile=Profile.SINE, encoding=Encoding.SOFT),
        face_height_mm=10.0,
        faces=(4, 5),
        panel_mm=(64.0, 34.0),
    ),
    inks=(
        Ink("2", (0.22, 0.05, 0.42), (0.86, 0.84, 0.90)),
        Ink("4", (0.06, 0.20, 0.05), (0.80, 0.90, 0.86)),
        Ink("8", (0.12, 0.03, 0.03), (0.74, 0.82, 0.84)),
    ),
    item_mm=(104.0, 52.0),
    panel_at_mm=(8.0, 9.0),
    frame="solid",
    guilloche=0,
)
