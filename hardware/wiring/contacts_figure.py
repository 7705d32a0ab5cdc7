"""Contacts, lights and buzzer, each beside its pin of the header."""

from __future__ import annotations

from hardware.vault.pins import GROUND, SUPPLY_3V3, SUPPLY_5V, Pins
from hardware.wiring.nets import PARTS
from hardware.wiring.pen import BLACK, BLUE, LARGE, RED, Pen
from hardware.wiring.symbols import TAG_WIDTH, header_tag

WIDTH, HEIGHT = 1280, 900
FIRST_Y, ROW = 170, 142

INPUTS = (
    ("m_button", "R14", "C9", "S2 M button", ("closed while", "pressed")),
    ("yellow_button", "R15", "C10", "S3 yellow", ("closed while", "pressed")),
    ("lid", "R16", "C11", "S4 lid switch", ("closed while", "the lid is SHUT")),
    ("wheel_a", "R12", "C7", "S1 wheel, A", ("C, the middle", "leg: ground")),
    ("wheel_b", "R13", "C8", "S1 wheel, B", ("A and B swapped:", "counts backwards")),
)
"""Wire, pull-up, capacitor, contact, and what to know of it."""


def draw_contacts(pins: Pins) -> str:
    """Return the figure as SVG text."""
    pen = Pen(WIDTH, HEIGHT, "Contacts, lights and buzzer")
    for index, row in enumerate(INPUTS):
        _input(pen, pins, FIRST_Y + index * ROW, *row)
    _led(pen, pins, "led_green", "R8", "D4", FIRST_Y)
    _led(pen, pins, "led_red", "R9", "D5", FIRST_Y + ROW)
    _buzzer(pen, pins, FIRST_Y + 3 * ROW)
    pen.text(
        30,
        HEIGHT - 24,
        f"3.3 V: header pin {SUPPLY_3V3}. 5 V: pin {SUPPLY_5V}. Ground: pin {GROUND}, "
        "or any other. LED: the short leg, at the flat side, to ground.",
    )
    return pen.svg()


def _input(
    pen: Pen,
    pins: Pins,
    y: float,
    wire: str,
    pull_up: str,
    capacitor: str,
    name: str,
    words: tuple[str, ...],
) -> None:
    header_tag(pen, pins, wire, 30, y)
    pen.wire(BLUE, (30 + TAG_WIDTH, y), (450, y))
    pen.dot(240, y)
    pen.resistor_v(240, y - 66, y, pull_up, PARTS[pull_up])
    pen.supply(240, y - 66, "3.3 V")
    pen.dot(370, y)
    pen.capacitor_v(370, y, y + 44, capacitor, PARTS[capacitor], to_left=True)
    pen.ground(370, y + 44)
    pen.switch(450, y)
    pen.wire(BLACK, (510, y), (560, y))
    pen.ground(560, y)
    pen.text(440, y - 34, name, weight=700)
    pen.lines(440, y + 44, *words)


def _led(pen: Pen, pins: Pins, wire: str, resistor: str, led: str, y: float) -> None:
    left = 700
    header_tag(pen, pins, wire, left, y)
    pen.wire(BLUE, (left + TAG_WIDTH, y), (left + 200, y))
    pen.resistor(left + 200, y, resistor, PARTS[resistor])
    pen.wire(BLUE, (left + 264, y), (left + 330, y))
    pen.led_right(left + 330, y)
    pen.wire(BLACK, (left + 366, y), (left + 430, y))
    pen.ground(left + 430, y)
    pen.text(left + 348, y - 30, f"{led} {PARTS[led]}", anchor="middle")


def _buzzer(pen: Pen, pins: Pins, y: float) -> None:
    left = 700
    header_tag(pen, pins, "buzzer", left, y)
    pen.wire(BLUE, (left + TAG_WIDTH, y), (left + 200, y))
    pen.resistor(left + 200, y, "R10", PARTS["R10"])
    pen.wire(BLUE, (left + 264, y), (left + 350, y))
    pen.dot(left + 300, y)
    pen.resistor_v(left + 300, y, y + 90, "R11", PARTS["R11"], to_left=True)
    pen.ground(left + 300, y + 90)
    drain_y = pen.mosfet(left + 350, y, "Q2", PARTS["Q2"])
    x, top, bottom = left + 390, drain_y - 110, drain_y - 20
    pen.wire(BLACK, (x, drain_y), (x, bottom))
    pen.box(x - 60, top + 14, 120, bottom - top - 28)
    pen.lines(x, top + 41, "BZ1 buzzer", "active, 5 V", anchor="middle")
    pen.text(x - 52, top + 8, "+", size=LARGE)
    pen.wire(RED, (x, top), (x, top + 14))
    pen.wire(BLACK, (x, bottom - 14), (x, bottom))
    pen.dot(x, bottom)
    pen.wire(BLACK, (x, bottom), (x + 90, bottom))
    pen.diode_up(x + 90, top, bottom, "D6", "1N4148")
    pen.wire(RED, (x, top), (x + 90, top))
    pen.supply(x + 45, top, "5 V")
