"""Hands that turn the wheel and press M: ``turn_wheel DETENTS PRESSES``.

20 detents a second, the wheel's four edges evenly spread, M pressed all along.
"""

from __future__ import annotations

import sys
import threading
import time

from hardware.vault.pins import Pins
from tests.kernel.world import World

EDGES_PER_S = 80
CLOCKWISE = (
    *(("wheel_a", False), ("wheel_b", False)),
    *(("wheel_a", True), ("wheel_b", True)),
)
"""One detent: which contact, and its level; low is closed."""

if __name__ == "__main__":
    detents, presses = (int(word) for word in sys.argv[1:])
    moves = [
        *(move for _ in range(detents) for move in CLOCKWISE),
        *(("m_button", is_up) for _ in range(presses) for is_up in (False, True)),
    ]
    world, pins = World(), Pins()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    due = time.monotonic()
    for wire, is_high in moves:
        world.drive(getattr(pins, wire), is_high)
        due += 1 / EDGES_PER_S
        threading.Event().wait(max(0.0, due - time.monotonic()))
    sys.stdout.write(f"{len(moves)}\n")
