"""The coil's stage, with the number of every leg that carries a signal."""

from __future__ import annotations

from collections.abc import Iterable

from schemdraw import Drawing
from schemdraw import elements as elm
from schemdraw.util import Point

from hardware.vault.pins import GROUND, SUPPLY_3V3, Pins
from hardware.wiring.nets import CHIPS, LEFT_OPEN, LOCK_OUT_MS, PULL_MS, net_of, nets
from hardware.wiring.schematic import (
    BLACK,
    BOLD,
    RED,
    chip,
    ground,
    header_pin,
    mosfet,
    note,
    part,
    part_to_ground,
    sheet,
    supply,
    svg_of,
)

SUPPLY_CAPACITORS = {"C3": "U1 16 to 8", "C4": "U2 14 to 7", "C5": "+ to 3.3 V"}
"""The capacitors across the chips' supply, and where each one goes."""


def draw_coil(pins: Pins) -> str:
    """Return the figure as SVG text."""
    with sheet() as drawing:
        _draw_logic(drawing, pins)
        _draw_power(drawing)
        _draw_chip_supply(pins)
        note(
            -4.5, -18.2,
            "12 V never touches the header. Red: supply. Black: ground and load. "
            "Blue: signal, 3.3 V. Numbers at the chips: legs.",
        )  # fmt: skip
    return svg_of(
        drawing,
        "The coil's stage: at most one short pull, then a rest, whatever the pin does",
    )


def _draw_logic(drawing: Drawing, pins: Pins) -> None:
    """Draw the path from the Pi through both one-shots to the AND gate."""
    net_on = net_of(pins)  # The net on each leg.
    header_pin(pins, "coil", 0, 0)
    part(elm.ResistorIEC(), "R1").right()
    part_to_ground(drawing, elm.ResistorIEC(), "R2")
    fire = elm.Line().right(0.6).dot()
    elm.Line().right(2)
    lock_out = chip(
        "U1", f"lock-out {LOCK_OUT_MS / 1000:.1f} s", net_on,
        left=(10, 9, 11), right=(5, 12), top=(6, 7), size=(4, 4.8),
    )  # fmt: skip
    _draw_timing(lock_out.pin6, lock_out.pin7, "C1", "R3", "D1")
    elm.Line().right(3.6).at(lock_out.pin5).label(net_on["U1.5"])
    pull = chip(
        "U1", f"pull {PULL_MS / 1000:.1f} s", net_on,
        left=(2, 1, 3), right=(13, 4), top=(14, 15), size=(4, 4.8),
    )  # fmt: skip
    _draw_timing(pull.pin14, pull.pin15, "C2", "R4", "D2")
    elm.Line().right(1.8).at(pull.pin13).label(net_on["U1.13"])
    and_gate = chip("U2", "and", net_on, left=(2, 1), right=(3,), size=(3.6, 3.6))
    elm.Wire("n", k=-4.4).at(fire.end).to(and_gate.pin1).label("fire: the pin itself")
    elm.Line().down(0.6).at(and_gate.pin3)
    elm.Dot(open=True, radius=0.4).label("A", loc="center", ofst=0)


def _draw_timing(
    c: Point, rc: Point, capacitor: str, resistor: str, diode: str
) -> None:
    """Draw the parts that set a one-shot's time, above its legs C and RC."""
    elm.Line().up(0.4).at(c)
    part(elm.Capacitor(), capacitor, "film", loc="left").tox(rc)
    node = elm.Line().toy(rc).idot().start
    part(elm.ResistorIEC(), resistor).at(node).up(2.4)
    elm.Line(color=RED).right(0.8)
    supply("3.3 V")
    elm.Line(color=RED).right(0.8)
    part(elm.Diode(), diode, loc="bottom").toy(node).reverse()
    elm.Line().tox(node)


def _draw_power(drawing: Drawing) -> None:
    """Draw the coil, its transistor, its fuses and its supply."""
    note(4, -6.4, "Power, away from the Pi", font=BOLD)
    elm.Dot(open=True, radius=0.4).at((-4, -13)).label("A", loc="center", ofst=0)
    part(elm.ResistorIEC(), "R5").at((-3.6, -13)).right(2.2)
    part_to_ground(drawing, elm.ResistorIEC(), "R6")
    elm.Line().right(1.6)
    transistor = mosfet("Q1")
    elm.Line(color=BLACK).up(1).at(transistor.drain)
    with drawing.hold():
        elm.Line(color=BLACK).right(2.4).idot()
        part(elm.Diode(color=RED), "D3", "band up", loc="bottom").up(2.8).dot()
    part(elm.Inductor(color=BLACK), "L1", "12 V").up(2.8)
    elm.Line(color=RED).right(5.4)
    clamped = ("72 to 77 °C, clamped", "to the coil's frame")
    part(elm.Fuse(color=RED), "TF1", *clamped, loc="bottom").right(4)
    held = ("in a holder,", "see the table")
    part(elm.Fuse(color=RED), "F1", *held, loc="bottom").right(5)
    buffer = elm.Capacitor(polar=True, color=RED)
    part_to_ground(drawing, buffer, "C6", "25 V", loc="bottom")
    elm.Line(color=RED).right(3)
    part_to_ground(drawing, elm.ResistorIEC(color=RED), "R7", loc="bottom")
    elm.Line(color=RED).right(3)
    part(elm.SourceV(color=BLACK), "PS1", "2 A, plug-in", loc="bottom").down().reverse()
    ground("all grounds", "meet here")


def _draw_chip_supply(pins: Pins) -> None:
    """Draw the chips' capacitors, and list the legs that carry no signal."""
    top, bottom = -14, -16.6
    note(6, -12.6, "Supply of both chips", font=BOLD)
    elm.Line(color=RED).at((7, top)).right(9).label("3.3 V", loc="left")
    elm.Line(color=BLACK).at((7, bottom)).right(9).label("ground", loc="left")
    for place, (name, ends) in enumerate(SUPPLY_CAPACITORS.items()):
        capacitor = elm.Capacitor(polar=name == "C5", color=RED)
        part(capacitor, name, ends, loc="bottom").at((7.5 + 3 * place, top)).toy(bottom)
    note(
        17.2, -13.6,
        f"U1 leg 16, U2 leg 14: 3.3 V, header pin {SUPPLY_3V3}.",
        f"U1 leg 8, U2 leg 7: ground, header pin {GROUND}.",
        f"U2 legs {_u2_legs(nets(pins)['ground'], 'in')} (inputs): ground.",
        f"U2 legs {_u2_legs(LEFT_OPEN, 'out')} (outputs): open.",
        "C1, C2 no electrolytics: their leak",
        "would spoil the times.",
    )  # fmt: skip


def _u2_legs(legs: Iterable[str], role: str) -> str:
    numbers = sorted(int(leg[3:]) for leg in legs if leg.startswith("U2."))
    return ", ".join(str(pin) for pin in numbers if CHIPS["U2"][pin].role == role)
