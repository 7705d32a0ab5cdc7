"""What several figures draw: a pin of the header, beside its circuit."""

from __future__ import annotations

from hardware.vault.pins import PHYSICAL, Pins
from hardware.wiring.pen import HEADER, SMALL, Pen

TAG_WIDTH = 160


def header_tag(pen: Pen, pins: Pins, wire: str, x: float, y: float) -> None:
    """Draw the pin of *wire*, its connection at (x + 160, y)."""
    bcm = getattr(pins, wire)
    pen.box(x, y - 30, TAG_WIDTH, 60, fill=HEADER)
    pen.text(x + 10, y - 5, wire.replace("_", " "), size=SMALL + 1, weight=700)
    pen.text(x + 10, y + 19, f"BCM {bcm} · pin {PHYSICAL[bcm]}", size=SMALL)
    pen.dot(x + TAG_WIDTH, y)
