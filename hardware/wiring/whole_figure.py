"""The whole vault as blocks: which cable goes where, and how many wires it has."""

from __future__ import annotations

from itertools import chain

from schemdraw import elements as elm
from schemdraw import flow

from hardware.vault.pins import (
    GROUND,
    LATCH_5V,
    LATCH_GROUND,
    PHYSICAL,
    SERVO_BCM,
    SUPPLY_5V,
    Pins,
)
from hardware.wiring.nets import BOX, COIL, PARTS, SERVO
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
CABLES = {
    "S2": ("m_button",),
    "S3": ("yellow_button",),
    "S4": ("lid",),
    "S1": ("wheel_a", "wheel_b"),
    "D3": ("led_green",),
    "D4": ("led_red",),
    "BZ1": ("buzzer",),
}
"""What hangs on the box's board, from top to bottom, and the wires of the Pi for it."""
ROW = 1.75
"""The height of a cable's row, in schemdraw's units."""
HEIGHT = 15.9
"""The height of the Pi and of the box's board."""


def draw_whole() -> str:
    """Return the figure as SVG text."""
    with sheet() as drawing:
        _block(15.4, 0, 6, HEIGHT, "Raspberry Pi", *PIN_1).fill(SHADE)
        _draw_header()
        _draw_box()
        _draw_coil()
        _draw_servo()
        note(
            0, -16.3,
            "Blue: 3.3 V signal. Red: supply. Black: ground and load. "
            "Filled: the pins in use. The Pi has its own supply.",
        )  # fmt: skip
    return svg_of(drawing, "The whole")


def _draw_header() -> None:
    """Draw the Pi's header, the pins in use filled."""
    used = set(chain(*BOX.values(), *SERVO.values(), *COIL.values()))
    for place in range(40):
        row, column = divmod(place, 2)
        pin = str(place + 1)
        is_used = f"Pi.{pin}" in used
        dot = elm.Dot(radius=0.34, open=not is_used, color=BLACK)
        dot.at((18.05 + 0.7 * column, -2.2 - 0.7 * row))
        colour = PAPER if is_used else BLACK
        dot.label(pin, loc="center", ofst=0, color=colour)


def _draw_box() -> None:
    parts = ("R6 to R14,", "C3 to C7,", "Q2, D5")
    _block(8, 0, 4, HEIGHT, "box board", *parts)
    for row, (name, wires) in enumerate(CABLES.items()):
        y = -ROW * row
        _block(0, y, 5.2, 1.4, f"{PARTS[name]} {name}")
        _cable(BLACK, (5.2, y - 0.7), (8, y - 0.7), f"{len(wires) + 1} wires")
        numbers = ", ".join(str(PIN_OF[wire]) for wire in wires)
        _cable(BLUE, (12, y - 0.7), (15.4, y - 0.7), f"pin {numbers}")
    _cable(RED, (12, -7.4 * ROW), (15.4, -7.4 * ROW), f"5 V: pin {SUPPLY_5V}")
    _cable(BLACK, (12, -8.4 * ROW), (15.4, -8.4 * ROW), f"GND: pin {GROUND}")


def _draw_coil() -> None:
    note(25.1, 0, "Build A", font=BOLD)
    _block(25.1, -0.8, 6.8, 3, "coil board", "C1, Q1, R1 to R4,", "D1, D2")
    _cable(BLUE, (21.4, -1.6), (25.1, -1.6), f"pin {PIN_OF['latch']}")
    _cable(BLACK, (21.4, -2.9), (25.1, -2.9), f"GND: pin {LATCH_GROUND}")
    _block(25.1, -5.2, 2.9, 1.4, "latch L1")
    _cable(BLACK, (25.9, -3.8), (25.9, -5.2), "2 wires")
    _block(28.4, -5.2, 3.5, 1.4, "supply PS1")
    _cable(RED, (29.7, -3.8), (29.7, -5.2), "2 wires")


def _draw_servo() -> None:
    note(25.1, -8, "or build B", font=BOLD)
    _block(25.1, -8.8, 6.8, 4.2, "servo board", "C8, C9, R5,", "R15 to R18")
    _cable(BLUE, (21.4, -9.6), (25.1, -9.6), f"pin {PHYSICAL[SERVO_BCM]}")
    _cable(RED, (21.4, -10.9), (25.1, -10.9), f"5 V: pin {LATCH_5V}")
    _cable(BLACK, (21.4, -12.2), (25.1, -12.2), f"GND: pin {LATCH_GROUND}")
    _block(25.1, -14.3, 2.9, 1.4, "servo M1")
    _cable(BLACK, (25.9, -13), (25.9, -14.3), "3 wires")


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
