"""What a style of print is made of besides its deck."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.printing.art import Placed
from companion.printing.deck import PrintDeck, panel_lines, panel_scene
from companion.printing.screen import Screen

Colour = tuple[float, float, float]
"""Reflectance in linear light, 0 to 1: blue, green, red."""


@dataclass(frozen=True, slots=True)
class Ink:
    """One denomination: its number, its ink and its paper.

    Attributes:
        screen: The line screen of this denomination, where it is another print run
            than the rest of its deck; None for the deck's own.
    """

    label: str
    ink: Colour
    paper: Colour
    screen: Screen | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """One scrambled panel, and what is true of it.

    Attributes:
        lines: (rows, columns) bool, True for ink.
        inside: Same shape, True on the panel; None where it fills its box.
        faces: The faces that lie on the panel whole, in mm from its top left corner.
    """

    lines: NDArray[np.bool_]
    inside: NDArray[np.bool_] | None
    faces: tuple[Placed, ...]


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

    def screen(self, denomination: int) -> Screen:
        """The line screen of a denomination."""
        return self.inks[denomination].screen or self.deck.screen

    def panel(self, denomination: int, seed: int, dpi: int, *, is_fake: bool) -> Panel:
        """The panel of one note; equal arguments give equal panels."""
        del denomination  # Every note of such a deck is of one print run.
        deck = self.deck
        scene = panel_scene(deck, is_fake=is_fake, seed=seed)
        name = (deck.masked if is_fake else deck.plain).name
        faces = tuple(placed for placed in scene if placed.drawing.name == name)
        return Panel(panel_lines(deck, scene, dpi), None, faces)
