"""Chips, transistor and header as they lie on the table, seen from above.

What a figure of symbols hides while one solders: which leg is where, and what it is on.
"""

from __future__ import annotations

from hardware.vault.pins import PHYSICAL, POWER, Pins
from hardware.wiring.nets import CHIP_NAMES, CHIPS, LEFT_OPEN, net_of
from hardware.wiring.pen import BLACK, BLUE, HEADER, PLAIN, RED, SMALL, Pen

WIDTH, HEIGHT = 1280, 1060
LEG_ROW, HEADER_ROW = 46, 45
CHIP_WIDTH = 190


def draw_chips(pins: Pins) -> str:
    """Return the figure as SVG text."""
    pen = Pen(WIDTH, HEIGHT, "Seen from above, notch up: which leg is on which net")
    on = net_of(pins)
    _chip(pen, on, "U1", 250, 110)
    _chip(pen, on, "U2", 250, 560)
    _small_parts(pen)
    _header(pen, pins, on)
    return pen.svg()


def colour_of(net: str) -> str:
    """Red for a supply, black for ground and what is open, blue for a signal."""
    if net.endswith(" V"):
        return RED
    return BLACK if net in ("ground", "open") else BLUE


def _chip(pen: Pen, on: dict[str, str], chip: str, x: float, y: float) -> None:
    """Draw *chip*, its upper left corner at (x, y)."""
    legs = CHIPS[chip]
    rows = len(legs) // 2
    pen.box(x, y, CHIP_WIDTH, rows * LEG_ROW + 12)
    pen.notch(x + CHIP_WIDTH / 2, y)
    name = f"{chip}  {CHIP_NAMES[chip]}"
    middle = x + CHIP_WIDTH / 2
    pen.text(middle, y - 14, name, size=PLAIN, weight=700, anchor="middle")
    for number, leg in legs.items():
        net = on.get(f"{chip}.{number}", "open")
        assert net != "open" or f"{chip}.{number}" in LEFT_OPEN
        is_left = number <= rows
        row = number - 1 if is_left else len(legs) - number
        edge = x if is_left else x + CHIP_WIDTH
        _leg(pen, edge, y + 30 + row * LEG_ROW, number, leg.name, net, is_left=is_left)


def _leg(
    pen: Pen, edge: float, y: float, number: int, name: str, net: str, *, is_left: bool
) -> None:
    way = -1 if is_left else 1
    outer, inner = ("end", "start") if is_left else ("start", "end")
    pen.box(edge - 26 if is_left else edge, y - 9, 26, 18, fill=HEADER)
    number_x = edge - 26 * way
    pen.text(number_x, y + 7, str(number), size=PLAIN, weight=700, anchor="middle")
    pen.text(edge - 46 * way, y + 6, name, anchor=inner)
    pen.text(
        edge + 36 * way,
        y + 6,
        net,
        size=PLAIN,
        weight=700,
        colour=colour_of(net),
        anchor=outer,
    )


def _small_parts(pen: Pen) -> None:
    x, y = 60, 960
    pen.text(x, y, "AO3400A, IRLML6344", size=PLAIN, weight=700)
    pen.lines(
        x,
        y + 24,
        "print up: 1 gate, 2 source,",
        "3 drain (alone on its side);",
        "check the adapter's own print",
    )
    pen.text(x + 330, y, "Diodes", size=PLAIN, weight=700)
    pen.lines(
        x + 330,
        y + 24,
        "the band is the end at",
        "the bar of the symbol; 1/A",
        "is A with a bar over it",
    )


def _header(pen: Pen, pins: Pins, on: dict[str, str]) -> None:
    x, y = 900, 110
    pen.text(
        x + 50, y - 38, "Header of the Pi", size=PLAIN, weight=700, anchor="middle"
    )
    pen.text(x + 50, y - 14, "pin 1 at the SD card's end, inwards", anchor="middle")
    pen.box(x, y, 100, 20 * HEADER_ROW + 8, fill=HEADER)
    wires = {PHYSICAL[bcm]: (wire, bcm) for wire, bcm in pins.named()}
    volts = {pin: name for name, physical in POWER.items() for pin in physical}
    for pin in range(1, 41):
        is_left = pin % 2 == 1
        at_x = x + (27 if is_left else 73)
        at_y = y + 27 + (pin - 1) // 2 * HEADER_ROW
        is_used = f"Pi.{pin}" in on
        pen.pad(at_x, at_y, str(pin), is_used=is_used)
        way, anchor = (-1, "end") if is_left else (1, "start")
        edge = (x if is_left else x + 100) + 14 * way
        if pin in wires:
            wire, bcm = wires[pin]
            pen.text(
                edge,
                at_y + 6,
                f"{wire.replace('_', ' ')} · BCM {bcm}",
                size=PLAIN,
                weight=700,
                colour=BLUE,
                anchor=anchor,
            )
        elif pin in volts:
            pen.text(
                edge,
                at_y + 6,
                volts[pin],
                weight=700 if is_used else 400,
                size=PLAIN if is_used else SMALL,
                colour=colour_of(volts[pin]),
                anchor=anchor,
            )
