"""The coil's stage: a reservoir that gives the latch one pull and recovers slowly."""

from __future__ import annotations

from schemdraw import elements as elm

from hardware.vault.pins import LATCH_GROUND, Pins
from hardware.wiring.schematic import (
    BLACK,
    RED,
    ground,
    header_pin,
    note,
    npn,
    part,
    part_to_ground,
    sheet,
    svg_of,
)


def draw_coil() -> str:
    """Return the figure as SVG text."""
    with sheet() as drawing:
        header_pin("coil", Pins().latch, 0, 0)
        part(elm.ResistorIEC(), "R2").right(3)
        part_to_ground(drawing, elm.ResistorIEC(), "R3")
        elm.Line().right(2.4).label("base")
        transistor = npn("Q1")
        elm.Line(color=BLACK).up(1.2).at(transistor.collector).label("coil -")
        with drawing.hold():
            elm.Line(color=BLACK).right(2.8).idot()
            part(elm.Diode(color=RED), "D1", "band up", loc="bottom").up(3).dot()
        part(elm.Inductor(color=BLACK), "L1").up(3)
        elm.Line(color=RED).right(7.6).label("reservoir", loc="top").dot()
        capacitor = elm.Capacitor(polar=True, color=RED)
        part_to_ground(drawing, capacitor, "C1", "35 V", "stripe: -")
        elm.Line(color=RED).right(3).dot()
        with drawing.hold():
            part(elm.ResistorIEC(color=RED), "R4", loc="bottom").down()
            elm.Line(color=RED).down(0.8).label("charge", loc="bottom")
            part(elm.LED(color=BLACK), "D2", loc="bottom").down()
            ground()
        resistor = elm.ResistorIEC(color=RED)
        part(resistor, "R1", "3 W, flameproof", "5 mm off the board").right(5.4)
        elm.Line(color=RED).right(1.2).label("24 V")
        source = part(elm.SourceV(color=BLACK), "PS1", "0.3 A or more", loc="bottom")
        source.down(3).reverse()
        ground()
        note(
            -4.5, -3.6,
            "TIP120: print to you, legs down: B, C, E; C is its metal back, too.",
            "D1: the band is the end at the bar, on the reservoir. "
            "The wrong way round, C1 empties through it: measure before C1 is charged.",
            "D2 shows the charge, and drains it: short leg, flat side, to ground. "
            f"24 V never touches the header. Ground: pin {LATCH_GROUND}.",
        )  # fmt: skip
    return svg_of(drawing, "Build A: the coil and its reservoir")
