"""A crowned cat on cards; coarse lines that hold widened, mirrored strips."""

from __future__ import annotations

from benchmarks.decoder.styles import symbols
from benchmarks.decoder.styles.base import Ink, Style
from benchmarks.decoder.styles.screens import Encoding, ForeignScreen
from companion.printing.art import Drawing, ellipse, mirror, polygon, smooth
from companion.printing.deck import PrintDeck

_EAR = polygon((0.1, -0.14), (0.38, -0.34), (0.36, 0.06))
_CHEEK = polygon((0.16, 0.24), (0.44, 0.18), (0.44, 0.24), (0.16, 0.29))
_HEAD = (
    _EAR,
    mirror(_EAR),
    ellipse((0, 0.14), (0.38, 0.34)),
    ellipse((0, 0.14), (0.31, 0.27), ink=False),
    polygon(
        (-0.2, -0.5),
        (-0.1, -0.34),
        (0, -0.5),
        (0.1, -0.34),
        (0.2, -0.5),
        (0.18, -0.16),
        (-0.18, -0.16),
    ),
    polygon((-0.06, 0.17), (0.06, 0.17), (0, 0.25)),
    _CHEEK,
    mirror(_CHEEK),
    smooth((-0.1, 0.31), (0, 0.28), (0.1, 0.31), (0, 0.36)),
)
_EYE = ellipse((0.14, 0.07), (0.04, 0.065))
_MASK = (
    smooth(
        (-0.4, -0.03),
        (0, -0.01),
        (0.4, -0.03),
        (0.36, 0.15),
        (0.1, 0.16),
        (0, 0.11),
        (-0.1, 0.16),
        (-0.36, 0.15),
    ),
    ellipse((0.16, 0.07), (0.055, 0.04), ink=False),
    ellipse((-0.16, 0.07), (0.055, 0.04), ink=False),
)

CAT = Style(
    deck=PrintDeck(
        name="cat",
        plain=Drawing("cat", (*_HEAD, _EYE, mirror(_EYE))),
        masked=Drawing("masked cat", (*_HEAD, *_MASK)),
        symbols=(symbols.GEM, symbols.ARROW, symbols.star(4, 0.16), symbols.MOON),
        screen=ForeignScreen(0.55, 105, duty=0.5, encoding=Encoding.MIRRORED),
        face_height_mm=10.0,
        faces=(4, 6),
        panel_mm=(70.0, 34.0),
    ),
    inks=(
        Ink("CHANCE", (0.03, 0.12, 0.55), (0.78, 0.86, 0.92)),
        Ink("LUCK", (0.32, 0.12, 0.05), (0.90, 0.90, 0.88)),
    ),
    item_mm=(88.0, 63.0),
    panel_at_mm=(9.0, 14.0),
    kind="card",
    frame="double",
    guilloche=9,
)
