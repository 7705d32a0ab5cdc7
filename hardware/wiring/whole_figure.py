"""The whole vault as blocks: which cable goes where, and how many wires it has."""

from __future__ import annotations

from hardware.vault.pins import GROUND, PHYSICAL, SUPPLY_3V3, SUPPLY_5V, Pins
from hardware.wiring.pen import BLACK, BLUE, HEADER, PLAIN, RED, WHITE, Pen

WIDTH, HEIGHT = 1280, 720
CONTACTS = (
    ("M button", ("m_button",)),
    ("yellow button", ("yellow_button",)),
    ("lid switch", ("lid",)),
    ("wheel", ("wheel_a", "wheel_b")),
)
"""What lies between a pin and ground, and its wires."""


def draw_whole(pins: Pins) -> str:
    """Return the figure as SVG text."""
    pen = Pen(WIDTH, HEIGHT, "The whole")
    _block(pen, 490, 90, 300, 560, "Raspberry Pi", "40-pin header", fill=HEADER)
    pen.lines(
        504, 176, "R12 to R16 and C7 to C11", "at this end of the contacts'", "cables"
    )
    pen.lines(504, 330, "camera: its own ribbon or USB")
    pen.lines(504, 400, "power: the Pi's own supply,", "never the 12 V")
    pen.lines(504, 490, "the camera's lamp has its own", "plug and switch")
    at = {wire: PHYSICAL[bcm] for wire, bcm in pins.named()}
    _contacts(pen, at)
    _lights(pen, at)
    _coil(pen, at)
    pen.text(
        40,
        700,
        "Blue: 3.3 V signal. Red: supply. Black: ground and load. "
        "Pins: numbers on the header.",
    )
    return pen.svg()


def _contacts(pen: Pen, at: dict[str, int]) -> None:
    for index, (name, wires) in enumerate(CONTACTS):
        y = 90 + index * 100
        _block(pen, 40, y, 220, 80, name, f"{len(wires) + 1} wires")
        numbers = ", ".join(str(at[wire]) for wire in wires)
        pen.cable(BLUE, 260, 490, y + 40, f"pin {numbers}; GND")


def _lights(pen: Pen, at: dict[str, int]) -> None:
    words = ("R8 to R11, Q2,", "D4 to D6, BZ1")
    _block(pen, 40, 490, 220, 160, "lights, buzzer", *words)
    lights = f"pin {at['led_green']}, {at['led_red']}"
    pen.cable(BLUE, 260, 490, 545, lights)
    buzzer = f"pin {at['buzzer']}; 5 V: pin {SUPPLY_5V}; GND"
    pen.cable(RED, 260, 490, 610, buzzer)


def _coil(pen: Pen, at: dict[str, int]) -> None:
    words = ("U1, U2, R1 to R6,", "C1 to C5, D1, D2, Q1")
    _block(pen, 960, 90, 280, 150, "coil board", *words)
    pen.cable(BLUE, 790, 960, 130, f"coil: pin {at['coil']}")
    pen.cable(RED, 790, 960, 170, f"3.3 V: pin {SUPPLY_3V3}")
    pen.cable(BLACK, 790, 960, 210, f"GND: pin {GROUND}")
    _block(pen, 960, 330, 130, 110, "latch", "L1; D3, TF1", "on its frame")
    pen.wire(BLACK, (1025, 240), (1025, 330))
    pen.text(1035, 290, "coil -")
    _block(pen, 1110, 330, 130, 110, "fuse", "F1 in its", "holder")
    pen.wire(RED, (1090, 385), (1110, 385))
    _block(pen, 1110, 520, 130, 130, "12 V, 2 A", "C6, R7", "plug-in")
    pen.wire(RED, (1175, 520), (1175, 440))
    pen.text(1185, 486, "+12 V")
    pen.wire(BLACK, (1110, 585), (910, 585), (910, 225), (960, 225))
    pen.text(925, 575, "ground of all")


def _block(
    pen: Pen,
    x: float,
    y: float,
    width: float,
    height: float,
    name: str,
    *words: str,
    fill: str = WHITE,
) -> None:
    pen.box(x, y, width, height, fill=fill)
    pen.text(x + 14, y + 30, name, size=PLAIN, weight=700)
    pen.lines(x + 14, y + 56, *words)
