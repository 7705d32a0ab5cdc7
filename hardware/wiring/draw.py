"""Draw ``vault.svg`` from the pin map: ``python -m hardware.wiring.draw``.

Red is supply, black is ground, blue is signal. A test compares the file with what this
program draws, so that the figure always shows the current pins.
"""

from __future__ import annotations

from pathlib import Path

from hardware.pins import PHYSICAL, Pins
from hardware.wiring.pen import BLACK, BLUE, RED, Pen

WIDTH, HEIGHT = 1240, 1250
PI_LEFT, PI_RIGHT = 40, 220
COIL_Y = 290
INPUT_Y = 545
ROW = 112
FILE = Path(__file__).parent / "vault.svg"

INPUTS = (
    ("m_button", "M button", ("closed while pressed",)),
    ("yellow_button", "yellow button", ("closed while pressed",)),
    (
        "lid",
        "lid switch",
        ("closed while the lid is SHUT:", "a cut wire reads open"),
    ),
    ("wheel_a", "wheel, contact A", ("common contact to ground;", "10 nF calms it")),
    ("wheel_b", "wheel, contact B", ("as A; swap the two if it", "counts backwards")),
)


def draw(pins: Pins) -> str:
    """Return the whole figure as SVG text."""
    pen = Pen(WIDTH, HEIGHT, "The vault's wiring: coil, contacts, lights and buzzer")
    pen.box(PI_LEFT, 60, PI_RIGHT - PI_LEFT, HEIGHT - 120, fill="#f2efe6")
    pen.text(PI_LEFT + 16, 96, "Raspberry Pi", size=20, weight=700)
    pen.text(PI_LEFT + 16, 118, "40-pin header, 3.3 V", size=14)
    _coil(pen, pins)
    for index, (wire, name, words) in enumerate(INPUTS):
        _input(pen, pins, wire, name, words, INPUT_Y + index * ROW)
    _lights(pen, pins)
    _legend(pen)
    return pen.svg()


def _pin(pen: Pen, pins: Pins, wire: str, y: int) -> None:
    bcm = getattr(pins, wire)
    pen.dot(PI_RIGHT, y)
    pen.text(PI_LEFT + 16, y - 4, wire.replace("_", " "), size=15, weight=700)
    pen.text(PI_LEFT + 16, y + 15, f"BCM {bcm} · pin {PHYSICAL[bcm]}", size=14)


def _coil(pen: Pen, pins: Pins) -> None:
    y = COIL_Y
    pen.text(260, 84, "Latch coil, with the limit in hardware", size=18, weight=700)
    _pin(pen, pins, "coil", y)
    pen.wire(BLUE, (PI_RIGHT, y), (340, y))
    pen.dot(260, y)
    pen.resistor_down(260, y, "10 kΩ", "holds the line low", "while nobody owns it")
    pen.dot(310, y)
    pen.wire(BLUE, (310, y), (310, y - 90), (600, y - 90), (600, y - 12), (620, y - 12))
    pen.box(340, y - 44, 190, 88, fill="#ffffff")
    pen.text(352, y - 20, "74HC221", size=16, weight=700)
    pen.text(352, y, "one-shot, 1.1 s", size=14)
    pen.text(352, y + 18, "A to ground, B here", size=14)
    pen.text(352, y + 36, "330 kΩ, 4.7 µF film", size=14)
    pen.wire(BLUE, (530, y + 12), (620, y + 12))
    pen.text(540, y + 30, "Q", size=14)
    pen.box(620, y - 30, 80, 60, fill="#ffffff")
    pen.text(632, y - 4, "74HC08", size=14, weight=700)
    pen.text(632, y + 16, "and", size=14)
    pen.text(560, y + 60, "both chips on 3.3 V,", size=13)
    pen.text(560, y + 77, "100 nF each", size=13)
    pen.wire(BLUE, (700, y), (724, y))
    pen.resistor(724, y, "100 Ω")
    pen.wire(BLUE, (784, y), (850, y))
    pen.dot(815, y)
    pen.resistor_down(815, y, "10 kΩ", "gate held off")
    drain_y = pen.mosfet(850, y, "AO3400A")
    _coil_and_supply(pen, drain_y)


def _coil_and_supply(pen: Pen, drain_y: float) -> None:
    x = 890
    pen.wire(BLACK, (x, drain_y), (x, drain_y - 24))
    bottom, top = drain_y - 24, drain_y - 104
    pen.coil_symbol(x, top, bottom)
    pen.text(x - 18, top + 36, "latch coil", size=14, anchor="end")
    pen.text(x - 18, top + 54, "12 V, ≤ 1 A", size=14, anchor="end")
    pen.wire(BLACK, (x, bottom), (x + 70, bottom))
    pen.wire(RED, (x, top), (x + 70, top))
    pen.diode_up(x + 70, top, bottom)
    pen.text(x + 90, top + 36, "1N4007 flyback,", size=14)
    pen.text(x + 90, top + 54, "band to +12 V", size=14)
    pen.dot(x, top)
    pen.dot(x, bottom)
    pen.wire(RED, (x, top), (x, top - 24), (x + 80, top - 24))
    pen.box(x + 80, top - 36, 84, 24, fill="#ffffff")
    pen.text(x + 90, top - 19, "fuse 1.1 A", size=14)
    pen.wire(RED, (x + 164, top - 24), (x + 220, top - 24))
    pen.text(x + 226, top - 19, "+12 V", size=15, weight=700, colour=RED)
    pen.text(x + 226, top, "own supply,", size=13)
    pen.text(x + 226, top + 17, "1000 µF to", size=13)
    pen.text(x + 226, top + 34, "ground here", size=13)


def _input(
    pen: Pen, pins: Pins, wire: str, name: str, words: tuple[str, ...], y: int
) -> None:
    _pin(pen, pins, wire, y)
    pen.wire(BLUE, (PI_RIGHT, y), (500, y))
    pen.dot(300, y)
    pen.resistor_up(300, y, "10 kΩ", "3.3 V")
    pen.dot(410, y)
    pen.capacitor_down(410, y, "10 nF" if wire.startswith("wheel") else "100 nF")
    pen.switch(500, y)
    pen.wire(BLACK, (560, y), (610, y))
    pen.ground(610, y)
    pen.text(480, y - 24, name, size=15, weight=700)
    for index, line in enumerate(words):
        pen.text(480, y + 48 + 18 * index, line, size=13)


def _lights(pen: Pen, pins: Pins) -> None:
    left = 700
    pen.text(left, 475, "Lights and buzzer", size=18, weight=700)
    for index, (wire, name) in enumerate(
        (("led_green", "green LED"), ("led_red", "red LED"))
    ):
        y = INPUT_Y + index * ROW
        _tag(pen, pins, wire, left, y)
        pen.wire(BLUE, (left + 130, y), (left + 170, y))
        pen.resistor(left + 170, y, "330 Ω")
        pen.wire(BLUE, (left + 230, y), (left + 290, y))
        pen.led_right(left + 290, y)
        pen.wire(BLACK, (left + 326, y), (left + 380, y))
        pen.ground(left + 380, y)
        pen.text(left + 270, y - 30, name, size=14)
    for index, (wire, name) in enumerate(
        (("buzzer", "active buzzer"), ("camera_light", "camera light"))
    ):
        y = INPUT_Y + 300 + index * 190
        _tag(pen, pins, wire, left, y)
        pen.wire(BLUE, (left + 130, y), (left + 170, y))
        pen.resistor(left + 170, y, "100 Ω")
        pen.wire(BLUE, (left + 230, y), (left + 290, y))
        pen.dot(left + 258, y)
        pen.resistor_down(left + 258, y, "10 kΩ")
        drain_y = pen.mosfet(left + 290, y, "AO3400A")
        pen.wire(BLACK, (left + 330, drain_y), (left + 330, drain_y - 12))
        pen.box(left + 280, drain_y - 42, 110, 30, fill="#ffffff")
        pen.text(left + 288, drain_y - 22, name, size=14)
        pen.wire(RED, (left + 390, drain_y - 27), (left + 430, drain_y - 27))
        pen.text(left + 436, drain_y - 22, "+5 V", size=15, weight=700, colour=RED)


def _tag(pen: Pen, pins: Pins, wire: str, x: int, y: int) -> None:
    """Draw a header pin beside its circuit, away from the drawn header."""
    bcm = getattr(pins, wire)
    pen.box(x, y - 24, 130, 48, fill="#f2efe6")
    pen.text(x + 10, y - 4, wire.replace("_", " "), size=15, weight=700)
    pen.text(x + 10, y + 15, f"BCM {bcm} · pin {PHYSICAL[bcm]}", size=14)
    pen.dot(x + 130, y)


def _legend(pen: Pen) -> None:
    y = HEIGHT - 90
    for x, colour, word in (
        (260, RED, "supply"),
        (380, BLACK, "ground and load"),
        (560, BLUE, "signal, 3.3 V"),
    ):
        pen.wire(colour, (x, y), (x + 34, y))
        pen.text(x + 42, y + 5, word, size=14)
    pen.text(
        260,
        y + 28,
        "All grounds meet at one point, the 12 V supply's minus. 12 V never touches "
        "the header.",
        size=14,
    )


if __name__ == "__main__":
    FILE.write_text(draw(Pins()), encoding="utf-8")
