"""The whole vault as blocks: which cable goes where, and how many wires it has."""

from __future__ import annotations

from schemdraw import elements as elm
from schemdraw import flow

from hardware.vault.pins import GROUND, PHYSICAL, SUPPLY_3V3, SUPPLY_5V, Pins
from hardware.wiring.schematic import BLACK, BLUE, BOLD, RED, SHADE, note, sheet, svg_of

CONTACTS = (
    ("M button", ("m_button",)),
    ("yellow button", ("yellow_button",)),
    ("lid switch", ("lid",)),
    ("wheel", ("wheel_a", "wheel_b")),
)
"""The contacts between a pin and ground, and the wires of each."""


def draw_whole(pins: Pins) -> str:
    """Return the figure as SVG text."""
    pin_of = {wire: PHYSICAL[bcm] for wire, bcm in pins.named()}
    with sheet() as drawing:
        _block(11, 0, 8, 15, "Raspberry Pi", "40-pin header").fill(SHADE)
        filters = ("R12 to R16 and C7 to C11", "at this end of", "the contacts' cables")
        note(11.3, -2, *filters)
        note(11.3, -9, "camera: its own ribbon or USB")
        note(11.3, -10.4, "power: the Pi's own supply,", "never the 12 V")
        note(11.3, -12.2, "the camera's lamp has its own", "plug and switch")
        _draw_left(pin_of)
        _draw_right(pin_of)
        note(
            0, -15.6,
            "Blue: 3.3 V signal. Red: supply. Black: ground and load. "
            "Pins: numbers on the header.",
        )  # fmt: skip
    return svg_of(drawing, "The whole")


def _draw_left(pin_of: dict[str, int]) -> None:
    for row, (name, wires) in enumerate(CONTACTS):
        y = -2.6 * row
        _block(0, y, 5.2, 2.2, name, f"{len(wires) + 1} wires")
        numbers = ", ".join(str(pin_of[wire]) for wire in wires)
        _cable(BLUE, (5.2, y - 1.1), (11, y - 1.1), f"pin {numbers}; GND")
    _block(0, -10.8, 5.2, 4.2, "lights, buzzer", "R8 to R11, Q2,", "D4 to D6, BZ1")
    lights = f"pin {pin_of['led_green']}, {pin_of['led_red']}"
    _cable(BLUE, (5.2, -12), (11, -12), lights)
    buzzer = f"pin {pin_of['buzzer']}; 5 V: pin {SUPPLY_5V}; GND"
    _cable(RED, (5.2, -13.8), (11, -13.8), buzzer)


def _draw_right(pin_of: dict[str, int]) -> None:
    _block(24, 0, 7.4, 4, "coil board", "U1, U2, R1 to R6,", "C1 to C5, D1, D2, Q1")
    _cable(BLUE, (19, -0.9), (24, -0.9), f"coil: pin {pin_of['coil']}")
    _cable(RED, (19, -2), (24, -2), f"3.3 V: pin {SUPPLY_3V3}")
    _cable(BLACK, (19, -3.1), (24, -3.1), f"GND: pin {GROUND}")
    _block(24, -6, 3.5, 3.2, "latch", "L1; D3, TF1", "on its frame")
    _cable(BLACK, (25.6, -4), (25.6, -6), "coil -")
    _block(28.2, -6, 3.2, 3.2, "fuse", "F1 in its", "holder")
    _cable(RED, (27.5, -7.6), (28.2, -7.6))
    _block(28.2, -11.2, 3.2, 3.2, "12 V, 2 A", "C6, R7", "plug-in")
    _cable(RED, (29.8, -9.2), (29.8, -11.2), "+12 V")
    ground = elm.Wire("c", k=-5.6, color=BLACK).at((28.2, -12.8)).to((24, -3.7))
    ground.label("ground of all", color=BLACK)


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
