"""A deck as it is printed: hidden faces and symbols, line screen and sizes."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.printing.art import MARGIN, Drawing, Placed, paint, raster
from companion.printing.gentleman import MASKED, PLAIN, SYMBOLS
from companion.printing.screen import Screen, pixels_per_mm

TEMPLATE_ROWS = 48
"""Height of a face in a deck file, in pixels."""

DECK_FORMAT = "companion-deck"
"""The name by which the decoder recognises a deck file."""

DECK_VERSION = 1
"""The version of the format that is written."""


@dataclass(frozen=True, slots=True)
class PrintDeck:
    """The drawings, line screen and sizes that all prints of one deck share.

    Attributes:
        plain: The face on real notes.
        masked: The face on fake notes.
        symbols: Drawings that are scattered between the faces.
        faces: Fewest and most copies of the face in one panel.
        face_height_mm: Height of the face drawing, 6 to 10 mm.
        panel_mm: Width and height of the scrambled panel.
    """

    name: str
    plain: Drawing
    masked: Drawing
    symbols: tuple[Drawing, ...]
    screen: Screen
    face_height_mm: float = 9.0
    faces: tuple[int, int] = (4, 6)
    panel_mm: tuple[float, float] = (58.0, 36.0)


HOUSE = PrintDeck(
    name="house",
    plain=PLAIN,
    masked=MASKED,
    symbols=SYMBOLS,
    screen=Screen(pitch_mm=0.4233, angle_deg=20.0),
)
"""The built-in deck: 60 lines an inch, or ten dots a line on a 600 dpi printer."""


def panel_scene(deck: PrintDeck, *, is_fake: bool, seed: int) -> tuple[Placed, ...]:
    """Scatter faces and symbols over a panel, all faces inside it.

    Each cell of a slightly irregular grid holds a face or a symbol, a little turned, so
    nothing overlaps. Equal arguments give equal scenes.
    """
    draw = np.random.default_rng(seed)
    face = deck.masked if is_fake else deck.plain
    width, height = deck.panel_mm
    # A cell is a little larger than a face, so that a turned face stays within it.
    columns = max(2, int(width / (deck.face_height_mm * 1.02)))
    rows = max(1, int(height / (deck.face_height_mm * 1.12)))
    cell = (width / columns, height / rows)
    count = min(int(draw.integers(deck.faces[0], deck.faces[1] + 1)), columns * rows)
    chosen = set(draw.permutation(columns * rows)[:count].tolist())
    placed = []
    for index in range(columns * rows):
        is_face = index in chosen
        drawing = face if is_face else deck.symbols[draw.integers(len(deck.symbols))]
        share = 1.0 if is_face else draw.uniform(0.6, 0.8)  # Symbols are smaller.
        placed.append(
            Placed(
                drawing,
                x_mm=(index % columns + 0.5 + draw.uniform(-0.06, 0.06)) * cell[0],
                y_mm=(index // columns + 0.5 + draw.uniform(-0.04, 0.04)) * cell[1],
                height_mm=deck.face_height_mm * share,
                turn_deg=draw.uniform(-9, 9) if is_face else draw.uniform(-25, 25),
            )
        )
    return tuple(placed)


def panel_lines(
    deck: PrintDeck, scene: tuple[Placed, ...], dpi: float
) -> NDArray[np.bool_]:
    """Draw the scrambled panel of a scene, (rows, columns) bool, True for ink."""
    hidden = paint(scene, deck.panel_mm, pixels_per_mm(dpi))
    return deck.screen.scramble(hidden, dpi)


def _encode_template(drawing: Drawing) -> dict[str, int | bytes]:
    """Encode a drawing for a deck file."""
    pixels = np.rint(raster(drawing, TEMPLATE_ROWS) * 255).astype(np.uint8)
    return {
        "height": pixels.shape[0],
        "width": pixels.shape[1],
        "pixels": pixels.tobytes(),
    }


def deck_file(deck: PrintDeck) -> bytes:
    """Encode the deck file by which the decoder knows a deck.

    It gives no size of the printed item, since notes and cards have the same panel. A
    template has a ``MARGIN`` on every side, which ``face_height_mm`` in the file
    includes.
    """
    return msgspec.msgpack.encode(
        {
            "format": DECK_FORMAT,
            "version": DECK_VERSION,
            "name": deck.name,
            "pitch_mm": deck.screen.pitch_mm,
            "angle_deg": deck.screen.angle_deg,
            "shift": deck.screen.shift,
            "face_height_mm": round(deck.face_height_mm * (1 + 2 * MARGIN), 4),
            "panel_mm": deck.panel_mm,
            "item_mm": None,
            "plain": _encode_template(deck.plain),
            "masked": _encode_template(deck.masked),
        }
    )
