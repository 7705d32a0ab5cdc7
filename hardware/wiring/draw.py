"""Draw every figure from the pins and the nets: ``python -m hardware.wiring.draw``.

A test compares the files with what this draws. schemdraw comes with the extra ``dev``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hardware.vault.pins import Pins
from hardware.wiring.chips_figure import draw_chips
from hardware.wiring.coil_figure import draw_coil
from hardware.wiring.contacts_figure import draw_contacts
from hardware.wiring.whole_figure import draw_whole

FIGURES: dict[str, Callable[[Pins], str]] = {
    "whole.svg": draw_whole,
    "coil.svg": draw_coil,
    "contacts.svg": draw_contacts,
    "chips.svg": draw_chips,
}
"""What draws each file."""
FOLDER = Path(__file__).parent


if __name__ == "__main__":
    for name, draw in FIGURES.items():
        (FOLDER / name).write_text(draw(Pins()), encoding="utf-8")
