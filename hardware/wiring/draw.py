"""Draw every figure from the nets: ``python -m hardware.wiring.draw``.

A test compares the files with what this draws. schemdraw comes with the extra ``dev``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from hardware.wiring.board_figure import BOX_BOARD, COIL_BOARD, SERVO_BOARD, draw_board
from hardware.wiring.circuit_figures import draw_coil, draw_contacts, draw_servo
from hardware.wiring.whole_figure import draw_whole

FIGURES: dict[str, Callable[[], str]] = {
    "whole.svg": draw_whole,
    "contacts.svg": draw_contacts,
    "coil.svg": draw_coil,
    "servo.svg": draw_servo,
    "box-board.svg": partial(draw_board, BOX_BOARD),
    "coil-board.svg": partial(draw_board, COIL_BOARD),
    "servo-board.svg": partial(draw_board, SERVO_BOARD),
}
"""What draws each file."""
FOLDER = Path(__file__).parent


if __name__ == "__main__":
    for name, draw in FIGURES.items():
        (FOLDER / name).write_text(draw(), encoding="utf-8")
