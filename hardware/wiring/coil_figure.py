"""The coil's stage, with the number of every leg that carries a signal."""

from __future__ import annotations

from collections.abc import Iterable

from hardware.vault.pins import GROUND, SUPPLY_3V3, Pins
from hardware.wiring.nets import (
    CHIP_NAMES,
    CHIPS,
    LEFT_OPEN,
    LOCK_OUT_MS,
    PARTS,
    PULL_MS,
    nets,
)
from hardware.wiring.pen import BLACK, BLUE, LARGE, PLAIN, RED, Pen
from hardware.wiring.symbols import header_tag

WIDTH, HEIGHT = 1280, 1120
SIGNAL_Y = 330
"""Height of the wire that runs from the Pi through both one-shots to the and."""
SUPPLY_Y = 700
"""Height of the wire from the 12 V supply to the latch."""


def draw_coil(pins: Pins) -> str:
    """Return the figure as SVG text."""
    pen = Pen(WIDTH, HEIGHT, "The coil's stage")
    pen.text(260, 42, "at most one short pull, then a rest, whatever the pin does")
    _from_the_pi(pen, pins)
    _one_shot(pen, 430, 2, f"lock-out {LOCK_OUT_MS / 1000:.1f} s", "C1", "R3", "D1", 10)
    pen.wire(BLUE, (630, SIGNAL_Y), (770, SIGNAL_Y))
    pen.text(664, SIGNAL_Y - 12, "lock-out", colour=BLUE)
    _one_shot(pen, 800, 1, f"pull {PULL_MS / 1000:.1f} s", "C2", "R4", "D2", 2)
    _and(pen)
    _switch(pen)
    _twelve_volts(pen)
    _chips_supply(pen)
    return pen.svg()


def _from_the_pi(pen: Pen, pins: Pins) -> None:
    y = SIGNAL_Y
    header_tag(pen, pins, "coil", 30, y)
    pen.wire(BLUE, (190, y), (200, y))
    pen.resistor(200, y, "R1", PARTS["R1"])
    pen.wire(BLUE, (264, y), (400, y))
    pen.dot(280, y)
    pen.dot(308, y)
    pen.resistor_v(280, y, y + 90, "R2", PARTS["R2"], to_left=True)
    pen.ground(280, y + 90)
    pen.wire(BLUE, (308, y), (308, 550), (1062, 550), (1062, y + 60), (1070, y + 60))
    pen.text(640, 542, "fire: the pin itself", colour=BLUE)


def _one_shot(
    pen: Pen, x: float, half: int, words: str, c: str, r: str, d: str, trigger: int
) -> None:
    """Draw one half of U1, its timing parts above it, and what its inputs are on."""
    legs = {leg.name: number for number, leg in CHIPS["U1"].items()}
    y = SIGNAL_Y
    pen.box(x, y - 40, 170, 230)
    pen.text(x + 85, y + 156, CHIP_NAMES["U1"], size=PLAIN, weight=700, anchor="middle")
    pen.text(x + 85, y + 179, words, weight=700, anchor="middle")
    pen.leg(x, y, trigger, f"{half}B", side="left")
    pen.tied(
        *pen.leg(x, y + 60, legs[f"{half}/A"], "A", side="left"), "GND", to_right=False
    )
    pen.tied(
        *pen.leg(x, y + 120, legs[f"{half}/R"], "R", side="left"),
        "3.3 V",
        to_right=False,
    )
    pen.leg(x + 170, y, legs[f"{half}Q"], f"{half}Q", side="right")
    pen.tied(
        *pen.leg(x + 170, y + 60, legs[f"{half}/Q"], "Q", side="right"),
        "open",
        to_right=True,
    )
    for bar in ((x + 10, y + 48), (x + 10, y + 108), (x + 148, y + 48)):
        pen.bar(*bar)
    pen.leg(x + 40, y - 40, legs[f"{half}C"], f"{half}C", side="top")
    pen.leg(x + 120, y - 40, legs[f"{half}RC"], f"{half}RC", side="top")
    node = y - 100
    pen.wire(BLUE, (x + 40, y - 70), (x + 40, node))
    pen.wire(BLUE, (x + 120, y - 70), (x + 120, node))
    pen.capacitor(x + 40, x + 120, node)
    pen.lines(x + 28, node - 6, c, PARTS[c], "film", anchor="end")
    pen.dot(x + 120, node)
    pen.resistor_v(x + 120, node - 100, node, r, PARTS[r], to_left=True)
    pen.wire(BLUE, (x + 120, node), (x + 180, node))
    pen.diode_up(x + 180, node - 100, node, d, PARTS[d])
    pen.wire(RED, (x + 120, node - 100), (x + 180, node - 100))
    pen.supply(x + 150, node - 100, "3.3 V")


def _and(pen: Pen) -> None:
    y = SIGNAL_Y
    pen.wire(BLUE, (1000, y), (1070, y))
    pen.text(1012, y - 12, "pull", colour=BLUE)
    pen.box(1100, y - 40, 110, 180)
    pen.leg(1100, y, 2, "1B", side="left")
    pen.leg(1100, y + 60, 1, "1A", side="left")
    pen.leg(1210, y + 30, 3, "1Y", side="right")
    pen.text(1155, y + 105, CHIP_NAMES["U2"], size=PLAIN, weight=700, anchor="middle")
    pen.text(1155, y + 127, "and", weight=700, anchor="middle")
    pen.wire(BLUE, (1240, y + 30), (1240, y + 80))
    pen.mark(1240, y + 97, "A")


def _switch(pen: Pen) -> None:
    y = 910
    pen.mark(60, y, "A")
    pen.wire(BLUE, (77, y), (110, y))
    pen.resistor(110, y, "R5", PARTS["R5"])
    pen.wire(BLUE, (174, y), (270, y))
    pen.dot(215, y)
    pen.resistor_v(215, y, y + 90, "R6", PARTS["R6"], to_left=True)
    pen.ground(215, y + 90)
    drain_y = pen.mosfet(270, y, "Q1", PARTS["Q1"])
    top, bottom = SUPPLY_Y, drain_y - 30
    pen.wire(BLACK, (310, drain_y), (310, bottom))
    pen.coil(310, top, bottom, "L1 latch", "12 V")
    pen.dot(310, bottom)
    pen.wire(BLACK, (310, bottom), (400, bottom))
    pen.diode_up(400, top, bottom, "D3 1N4007", "band up")
    pen.dot(400, top)


def _twelve_volts(pen: Pen) -> None:
    y = SUPPLY_Y
    pen.text(310, y - 70, "Power, away from the Pi", size=LARGE, weight=700)
    pen.wire(RED, (310, y), (560, y))
    pen.fuse(
        560,
        y,
        120,
        "TF1 thermal cut-off,",
        "72 to 77 °C, clamped",
        "to the coil's frame",
    )
    pen.wire(RED, (680, y), (750, y))
    pen.fuse(750, y, 120, "F1 in a holder,", "time-lag, see", "the table")
    pen.wire(RED, (870, y), (1090, y))
    for x in (920, 1036):
        pen.dot(x, y)
    pen.capacitor_v(920, y, y + 120, "C6", "1000 µF", "25 V")
    pen.text(912, y + 44, "+", size=LARGE, anchor="end")
    pen.ground(920, y + 120)
    pen.resistor_v(1036, y, y + 120, "R7", "4.7", "kΩ")
    pen.ground(1036, y + 120)
    pen.box(1090, y - 40, 160, 120)
    pen.lines(1106, y + 6, "+  PS1", "    12 V, 2 A,", "    plug-in")
    pen.text(1106, y + 69, "-", size=PLAIN)
    pen.wire(BLACK, (1130, y + 80), (1130, y + 120))
    pen.ground(1130, y + 120)
    pen.lines(1160, y + 112, "all grounds", "meet here")


def _chips_supply(pen: Pen) -> None:
    x, y = 560, 940
    on = nets(Pins())
    pen.text(x, y - 34, "Supply of both chips", size=PLAIN, weight=700)
    pen.wire(RED, (x, y), (x + 330, y))
    pen.wire(BLACK, (x, y + 80), (x + 330, y + 80))
    pen.text(x - 8, y + 6, "3.3 V", weight=700, colour=RED, anchor="end")
    pen.text(x - 8, y + 86, "GND", weight=700, anchor="end")
    for index, (part, near) in enumerate(
        (("C3", "U1 16 to 8"), ("C4", "U2 14 to 7"), ("C5", "+ to 3.3 V"))
    ):
        pen.capacitor_v(x + 30 + 110 * index, y, y + 80, part, PARTS[part])
        pen.text(x + 30 + 110 * index, y + 104, near, anchor="middle")
    pen.lines(
        x + 360,
        y - 10,
        f"U1 leg 16, U2 leg 14: 3.3 V, header pin {SUPPLY_3V3}.",
        f"U1 leg 8, U2 leg 7: GND, header pin {GROUND}.",
        f"U2 legs {_numbers(on['ground'], 'in')} (inputs): GND.",
        f"U2 legs {_numbers(LEFT_OPEN, 'out')} (outputs): open.",
        "C1, C2 no electrolytics: their leak",
        "would spoil the times.",
    )
    pen.text(
        30,
        1096,
        "12 V never touches the header. Red: supply. Black: ground and load. "
        "Blue: signal, 3.3 V. Numbers at the chips: legs.",
    )


def _numbers(legs: Iterable[str], role: str) -> str:
    """The numbers of those *legs* that are legs of U2 in *role*."""
    numbers = sorted(int(leg[3:]) for leg in legs if leg.startswith("U2."))
    return ", ".join(str(n) for n in numbers if CHIPS["U2"][n].role == role)
