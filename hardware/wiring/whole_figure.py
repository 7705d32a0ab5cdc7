"""The whole vault as blocks: which cable goes where, and how many wires it has."""

from __future__ import annotations

from itertools import chain

from schemdraw import elements as elm
from schemdraw import flow

from hardware.vault.pins import GROUND, PHYSICAL, SERVO_BCM, SUPPLY_5V, Pins
from hardware.wiring.nets import BOX, COIL, SERVO
from hardware.wiring.schematic import (
    BLACK,
    BLUE,
    BOLD,
    PAPER,
    RED,
    SHADE,
    note,
    sheet,
    svg_of,
)

PIN_OF = {wire: PHYSICAL[bcm] for wire, bcm in Pins().named()}
PIN_1 = ("pin 1 is the inner one", "at the SD card's end")
CONTACTS = (
    ("M button", ("m_button",)),
    ("yellow button", ("yellow_button",)),
    ("lid switch", ("lid",)),
    ("wheel", ("wheel_a", "wheel_b")),
)
"""The contacts between a pin and ground, and the wires of each."""


def draw_whole() -> str:
    """Return the figure as SVG text."""
    with sheet() as drawing:
        _block(11, 0, 8, 15.6, "Raspberry Pi", *PIN_1).fill(SHADE)
        _draw_header()
        _draw_left()
        _draw_right()
        note(
            0, -16.2,
            "Blue: 3.3 V signal. Red: supply. Black: ground and load. "
            "Filled: the pins in use. The Pi has its own supply.",
            "R10 to R14 and C3 to C7 sit on a board at the Pi's end of the contacts' "
            "cables, with 3.3 V from pin 1.",
        )  # fmt: skip
    return svg_of(drawing, "The whole")


def _draw_header() -> None:
    """Draw the Pi's header, the pins in use filled."""
    used = set(chain(*BOX.values(), *SERVO.values(), *COIL.values()))
    for place in range(40):
        row, column = divmod(place, 2)
        pin = str(place + 1)
        is_used = f"Pi.{pin}" in used
        dot = elm.Dot(radius=0.3, open=not is_used, color=BLACK)
        dot.at((14.7 + 0.65 * column, -2.6 - 0.65 * row))
        colour = PAPER if is_used else BLACK
        dot.label(pin, loc="center", ofst=0, fontsize=12, color=colour)


def _draw_left() -> None:
    for row, (name, wires) in enumerate(CONTACTS):
        y = -2.6 * row
        _block(0, y, 5.2, 2.2, name, f"{len(wires) + 1} wires")
        numbers = ", ".join(str(PIN_OF[wire]) for wire in wires)
        _cable(BLUE, (5.2, y - 1.1), (11, y - 1.1), f"pin {numbers}; GND")
    _block(0, -11, 5.2, 4.6, "lights, buzzer", "R6 to R9, Q2,", "D3 to D5, BZ1")
    lights = f"pin {PIN_OF['led_green']}, {PIN_OF['led_red']}"
    _cable(BLUE, (5.2, -12.2), (11, -12.2), lights)
    buzzer = f"pin {PIN_OF['buzzer']}; 5 V: pin {SUPPLY_5V}; GND"
    _cable(RED, (5.2, -14), (11, -14), buzzer)


def _draw_right() -> None:
    note(24, 0, "Build A", font=BOLD)
    _block(24, -0.8, 7.4, 4.2, "servo", "M1, F1, R5", "and C2 if you like")
    _cable(BLUE, (19, -1.7), (24, -1.7), f"signal: pin {PHYSICAL[SERVO_BCM]}")
    _cable(RED, (19, -3), (24, -3), f"5 V: pin {SUPPLY_5V}")
    _cable(BLACK, (19, -4.3), (24, -4.3), f"GND: pin {GROUND}")
    note(24, -6.6, "or build B", font=BOLD)
    _block(24, -7.4, 7.4, 3.2, "coil board", "C1, Q1, R1 to R4,", "D1, D2")
    _cable(BLUE, (19, -8.3), (24, -8.3), f"coil: pin {PIN_OF['latch']}")
    _cable(BLACK, (19, -9.6), (24, -9.6), f"GND: pin {GROUND}")
    _block(24, -12.4, 3.2, 3.2, "latch", "L1")
    _cable(BLACK, (25.6, -10.6), (25.6, -12.4), "2 wires")
    _block(28.2, -12.4, 3.2, 3.2, "supply", "PS1,", "see build B")
    _cable(RED, (29.8, -10.6), (29.8, -12.4), "2 wires")


def _block(
    x: float, y: float, width: float, height: float, name: str, *lines: str
) -> flow.Box:
    """Draw a block, its upper left corner at (x, y), its name above the *lines*."""
    box = flow.Box(w=width, h=height, color=BLACK).anchor("NW").at((x, y))
    note(x + 0.3, y - 0.35, name, font=BOLD)
    note(x + 0.3, y - 0.95, *lines)
    return box


def _cable(
    colour: str, start: tuple[float, float], end: tuple[float, float], words: str = ""
) -> None:
    elm.Line(color=colour).at(start).to(end).label(words, color=BLACK)
