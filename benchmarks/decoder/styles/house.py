"""The project's own deck: in the black of its printed sheets, and in colours."""

from __future__ import annotations

from benchmarks.decoder.styles.base import Ink, Style
from companion.printing.deck import HOUSE

HOUSE_STYLE = Style(
    deck=HOUSE,
    inks=(
        Ink("1000", (0.04, 0.04, 0.04), (0.86, 0.86, 0.86)),
        Ink("10", (0.06, 0.05, 0.35), (0.78, 0.84, 0.90)),
        Ink("20", (0.07, 0.16, 0.05), (0.72, 0.86, 0.76)),
        Ink("50", (0.35, 0.10, 0.04), (0.88, 0.82, 0.70)),
        Ink("100", (0.03, 0.10, 0.45), (0.62, 0.80, 0.90)),
        Ink("500", (0.25, 0.04, 0.16), (0.84, 0.74, 0.82)),
    ),
)
