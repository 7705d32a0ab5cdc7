"""Draws the visible part of notes and cards: border, guilloche, numbers, words.

A *guilloche* is a pattern of fine waves, as banknotes have it. The *panel*, which hides
the faces, is drawn elsewhere; here its place is left free.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.printing.art import Placed
from companion.printing.deck import HOUSE
from companion.printing.gentleman import SYMBOLS
from companion.printing.page import BLACK, WHITE, Align, Colour, Pages

Size = tuple[float, float]

NOTE_MM: Size = (100.0, 50.0)
"""Width and height of a note."""

NOTE_PANEL_AT_MM: Size = (21.0, 7.0)
"""The panel's top left corner, from the note's own."""

CARD_MM: Size = (88.0, 63.0)
"""Width and height of a Chance card."""

CARD_PANEL_AT_MM: Size = (15.0, 22.5)
"""The panel's top left corner, from the card's own."""

_HAT = SYMBOLS[0]


@dataclass(frozen=True, slots=True)
class Tone:
    """Colours of one denomination: dark for lines and words, light for the paper."""

    dark: Colour
    light: Colour


TONES = (
    Tone((0.55, 0.29, 0.05), (0.99, 0.95, 0.86)),
    Tone((0.06, 0.38, 0.22), (0.90, 0.96, 0.90)),
    Tone((0.09, 0.27, 0.55), (0.90, 0.94, 0.99)),
    Tone((0.62, 0.10, 0.14), (0.99, 0.91, 0.90)),
    Tone((0.40, 0.14, 0.48), (0.96, 0.91, 0.98)),
    Tone((0.10, 0.40, 0.45), (0.89, 0.96, 0.97)),
    Tone((0.35, 0.35, 0.10), (0.96, 0.96, 0.86)),
    Tone((0.25, 0.25, 0.28), (0.93, 0.93, 0.94)),
)
"""Colours of the denominations, smallest first; the ninth has the first's again."""

CARD_TONE = Tone((0.72, 0.35, 0.05), (1.0, 0.95, 0.86))
"""Colours of the Chance cards."""


def _trace_waves(
    size: Size, count: int, swing_mm: float, turns: float
) -> list[NDArray[np.float64]]:
    """Return a guilloche: *count* waves across *size*, one below the other.

    Each wave has so many *turns*, and begins a little later in its turn than the last.
    """
    x = np.linspace(1.8, size[0] - 1.8, 64)
    sheaf = []
    for number in range(count):
        share = number / count
        middle = size[1] * (0.12 + 0.76 * share)
        y = middle + swing_mm * np.sin(2 * math.pi * (turns * x / size[0] + share))
        sheaf.append(np.column_stack([x, y]))
    return sheaf


def _draw_ground(
    pages: Pages, at: Size, size: Size, tone: Tone, panel_at: Size
) -> None:
    """Draw background, guilloche, border, and a white window for the panel.

    A printer makes a tint from dots, which would break the panel's lines.
    """
    pages.box(at, size, tone.light)
    pale: Colour = (
        (tone.dark[0] + 2 * tone.light[0]) / 3,
        (tone.dark[1] + 2 * tone.light[1]) / 3,
        (tone.dark[2] + 2 * tone.light[2]) / 3,
    )
    for wave in _trace_waves(size, count=14, swing_mm=4.5, turns=2.5):
        pages.path(wave + np.array(at), pale, 0.15)
    for inset, thick in ((1.8, 0.6), (2.9, 0.2)):
        x0, y0 = at[0] + inset, at[1] + inset
        x1, y1 = at[0] + size[0] - inset, at[1] + size[1] - inset
        corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)]
        pages.path(np.array(corners), tone.dark, thick)
    x, y = at[0] + panel_at[0] - 1.2, at[1] + panel_at[1] - 1.2
    width, height = HOUSE.panel_mm
    pages.box((x, y), (width + 2.4, height + 2.4), WHITE)


def _draw_medallion(pages: Pages, middle: Size, radius: float, tone: Tone) -> None:
    """Draw a ring with a hat in it."""
    around = np.linspace(0, 2 * math.pi, 49)
    ring = np.column_stack([np.cos(around), np.sin(around)])
    pages.shape(ring * radius + np.array(middle), tone.dark)
    pages.shape(ring * radius * 0.88 + np.array(middle), tone.light)
    hat = Placed(_HAT, middle[0], middle[1] - 0.02 * radius, radius * 1.15)
    pages.drawing(hat, tone.dark, tone.light)


def draw_note(pages: Pages, at: Size, amount: str, tone: Tone, serial: str) -> None:
    """Draw the front of a note without its panel."""
    _draw_ground(pages, at, NOTE_MM, tone, NOTE_PANEL_AT_MM)
    x, y = at
    width, height = NOTE_MM
    size = min(8.0, 24 / len(amount))  # Long amounts are written smaller.
    # About the middles of the spaces to the left and to the right of the panel.
    left, right = x + 11, x + width - 10.3
    pages.text((left, y + 11.5), amount, size, tone.dark, Align.MIDDLE, bold=True)
    pages.text(
        (right, y + height - 6.2),
        amount,
        size,
        tone.dark,
        Align.MIDDLE,
        bold=True,
    )
    _draw_medallion(pages, (left, y + 27), 6.6, tone)
    _draw_medallion(pages, (right, y + 19), 6.6, tone)
    pages.text(
        (x + width / 2, y + height - 3.6),
        "TABLE BANK",
        3.2,
        tone.dark,
        Align.MIDDLE,
        bold=True,
    )
    pages.text((x + 4.2, y + height - 4.3), serial, 2.4, tone.dark)


def draw_card(
    pages: Pages, at: Size, title: str, words: tuple[str, ...], serial: str
) -> None:
    """Draw the front of a Chance card without its panel."""
    _draw_ground(pages, at, CARD_MM, CARD_TONE, CARD_PANEL_AT_MM)
    x, y = at
    middle = x + CARD_MM[0] / 2
    pages.text((middle, y + 8.6), title, 5.2, CARD_TONE.dark, Align.MIDDLE, bold=True)
    for row, line in enumerate(words):
        pages.text((middle, y + 13.4 + 4.2 * row), line, 3.3, BLACK, Align.MIDDLE)
    pages.text(
        (x + 7.7, y + CARD_MM[1] - 4.4), serial, 2.2, CARD_TONE.dark, Align.MIDDLE
    )


def draw_back(pages: Pages, at: Size, size: Size, tone: Tone, words: str) -> None:
    """Draw a back; all notes, and all cards, share one."""
    pages.box(at, size, tone.light)
    for sheaf in range(3):
        swing_mm = 1.8 + 1.3 * sheaf
        for wave in _trace_waves(size, count=9, swing_mm=swing_mm, turns=1.5 + sheaf):
            pages.path(wave + np.array(at), tone.dark, 0.12)
    x, y = at[0] + size[0] / 2, at[1] + size[1] / 2
    around = np.linspace(0, 2 * math.pi, 73)
    oval = np.column_stack(
        [size[0] * 0.3 * np.cos(around), size[1] * 0.36 * np.sin(around)]
    )
    pages.shape(oval + np.array((x, y)), tone.light)
    pages.path(oval + np.array((x, y)), tone.dark, 0.5)
    pages.path(oval * 0.94 + np.array((x, y)), tone.dark, 0.2)
    pages.drawing(Placed(_HAT, x, y - 3.5, 14), tone.dark, tone.light)
    pages.text((x, y + 9.5), words, 5.0, tone.dark, Align.MIDDLE, bold=True)
