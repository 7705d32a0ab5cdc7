"""What a style of print is made of besides its deck."""

from __future__ import annotations

from dataclasses import dataclass

from companion.printing.deck import PrintDeck

Colour = tuple[float, float, float]
"""Reflectance in linear light, 0 to 1: blue, green, red."""


@dataclass(frozen=True, slots=True)
class Ink:
    """One denomination: its number, its ink and its paper."""

    label: str
    ink: Colour
    paper: Colour


@dataclass(frozen=True, slots=True)
class Style:
    """A deck as one print shop would print it.

    Attributes:
        inks: One for each denomination.
        item_mm: Width and height of the note or card.
        panel_at_mm: Top left corner of the scrambled panel on it.
        kind: "note" or "card".
        frame: Which of the simulator's borders surrounds the print.
        guilloche: Wavy lines drawn on the paper beside the panel.
    """

    deck: PrintDeck
    inks: tuple[Ink, ...]
    item_mm: tuple[float, float] = (100.0, 50.0)
    panel_at_mm: tuple[float, float] = (21.0, 7.0)
    kind: str = "note"
    frame: str = "double"
    guilloche: int = 12

    @property
    def name(self) -> str:
        return self.deck.name
