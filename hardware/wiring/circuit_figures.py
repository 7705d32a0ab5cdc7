"""The circuits: the two builds of the latch, and the contacts, lights and buzzer.

The coil's reservoir gives the latch one pull and recovers slowly. Of the servo, the
figure shows as well how its horn pulls the bolt. Contacts, lights and buzzer are each
drawn from their pin of the header to ground.
"""

from __future__ import annotations

from math import cos, radians, sin

from schemdraw import Drawing
from schemdraw import elements as elm
from schemdraw.segments import Segment, SegmentCircle, SegmentPoly

from hardware.vault.pins import (
    GROUND,
    LATCH_5V,
    LATCH_GROUND,
    SERVO_BCM,
    SUPPLY_5V,
    Pins,
)
from hardware.wiring.nets import BOX, PI
from hardware.wiring.schematic import (
    BLACK,
    BLUE,
    PAPER,
    RED,
    SHADE,
    ground,
    header_pin,
    note,
    npn,
    part,
    part_to_ground,
    sheet,
    supply,
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


# The servo, and its mechanics.

Points = list[tuple[float, float]]
SCALE = 0.4
"""Units of the drawing for a millimetre of the mechanics."""
SHAFT = (6.5, -14)
"""Where the servo's shaft is drawn, in units."""
HORN_MM = 8
"""From the shaft to the screw in the horn, at most."""
SCREW_MM = 1
"""The radius of that screw, as drawn."""
HOME, BACK, LOST = 45, -45, 15
"""Where the horn stands, in degrees from upright, and what it turns for nothing."""
PULL_MM = HORN_MM * (sin(radians(HOME - LOST)) - sin(radians(BACK)))
"""How far a horn of that length then pulls the bolt."""
SLOT_MM, SLOT_LOW = (14, 6), 3.4
"""The slot's length and height, and its lower edge above the shaft's centre, in mm."""
CATCH: Points = [
    (14, 16), (14, 18), (36, 18), (36, -3), (25, -3), (25, 1), (33, 1), (33, 16),
]  # fmt: skip
"""The outline of the lid and its catch, in millimetres from the shaft."""
LABELS = {
    "spring": (-15.5, 11), "servo": (8, -1), "bolt": (22.5, 7.4), "horn": (3.6, 3.1),
    "slot": (12, 7.4), "home": (6.9, 5.6), "back": (-7.5, 8.2), "bevel": (28.2, 9.9),
    "guide": (22.6, -4.5), "lid's catch": (25, 17.6),
}  # fmt: skip
"""Where the names in the mechanics stand."""


def draw_servo() -> str:
    """Return the figure as SVG text."""
    with sheet() as drawing:
        _draw_circuit(drawing)
        _draw_mechanics()
        note(
            -4.5, -17.8,
            "Drawn at home: the spring alone holds the bolt. The lid pushes it back at "
            "its bevel; the slot leaves room to the right.",
            "Bar 10 mm high; slot {} x {} mm, its lower edge {} mm above the "
            "shaft's centre.".format(*SLOT_MM, SLOT_LOW),
            f"The horn turns {LOST}° before its screw meets the slot's left end: a "
            "twitch at power-up opens nothing.",
            f"From shaft to screw {HORN_MM} mm at most: with a turn of "
            f"{HOME - BACK}°, as drawn, the bolt then goes {PULL_MM:.1f} mm.",
            f"C8, C9: the stripe is minus. Ground: header pin {LATCH_GROUND}.",
        )  # fmt: skip
    return svg_of(drawing, "Build B: the servo and its reservoir")


def _draw_circuit(drawing: Drawing) -> None:
    colours = {"-": "brown", "S": "orange", "+": "red"}
    legs = [
        elm.IcPin(f"{leg} {colour}", side="left", anchorname=leg)
        for leg, colour in colours.items()
    ]
    servo = elm.Ic((5.2, 4.6), legs, leadlen=1, edgepadH=0.4, color=BLACK)
    part(servo, "M1", "MG90S class;", "check its colours", loc="right")
    servo.anchor("+").at((16.4, 0)).right()
    elm.Line(color=RED).at((-4, 0)).up(0.1)
    supply(f"5 V, pin {LATCH_5V}")
    elm.Line(color=RED).at((-4, 0)).right(0.6)
    part(elm.ResistorIEC(color=RED), "R15", "5 W").right(3.2)
    elm.Line(color=RED).right(1.4).dot()
    with drawing.hold():
        _draw_cell(drawing, "C8", "R16")
        elm.Line(color=RED).left(1).hold().label("middle", loc="left")
        _draw_cell(drawing, "C9", "R17")
        ground()
    elm.Line(color=RED).tox(servo.absanchors["+"]).label("servo +")
    signal = servo.absanchors["S"]
    header_pin("servo", SERVO_BCM, 10, signal.y)
    elm.Line().right(0.6)
    part_to_ground(drawing, elm.ResistorIEC(), "R5")
    part(elm.ResistorIEC(), "R18").right(2.6)
    elm.Line().tox(signal).label("servo signal")
    elm.Line(color=BLACK).left(0.3).at(servo.absanchors["-"])
    ground()


def _draw_cell(drawing: Drawing, capacitor: str, resistor: str) -> None:
    """Draw one capacitor of the reservoir down, with the resistor across it."""
    with drawing.hold():
        elm.Line(color=RED).right(2).idot()
        part(elm.ResistorIEC(color=RED), resistor, loc="bottom").down()
        elm.Line(color=RED).left(2)
    part(elm.Capacitor(polar=True, color=RED), capacitor).down().dot()


def _draw_mechanics() -> None:
    """Draw servo, bolt, spring and lid, in millimetres from the servo's shaft."""
    slot = _screw(HOME - LOST)[0] - SCREW_MM
    shapes = [
        (SHADE, _box(-6, -6, 17, 6)),  # The servo, behind the bolt.
        (PAPER, [(-8, 1.4), (31, 1.4), (31, 4), (23.6, 11.4), (-8, 11.4)]),
        (SHADE, _box(slot, SLOT_LOW, slot + SLOT_MM[0], SLOT_LOW + SLOT_MM[1])),
        (SHADE, _box(20, -8, 22, 1.2)),
        (SHADE, _box(20, 11.6, 22, 15.2)),
        (SHADE, _box(-19, 1.5, -17, 11.5)),
        (SHADE, CATCH),
    ]
    mechanics = elm.Element(color=BLACK)
    for fill, corners in shapes:
        mechanics.segments.append(SegmentPoly(_scaled(corners), fill=fill))
    zigzag = [(-17 + turn * 9 / 12, 5 + turn % 2 * 3.5) for turn in range(13)]
    mechanics.segments.append(Segment(_scaled(zigzag)))
    for angle, style in ((BACK, ":"), (HOME - LOST, ":"), (HOME, "-")):
        horn = Segment(_scaled([(0, 0), _screw(angle)]), color=BLUE, ls=style, lw=3)
        mechanics.segments.append(horn)
    for centre in ((0, 0), _screw(HOME)):
        dot = SegmentCircle(*_scaled([centre]), SCREW_MM * SCALE, fill=BLUE)
        mechanics.segments.append(dot)
    mechanics.at(SHAFT).theta(0)
    elm.Line(color=BLACK).at(_place(4, 13)).to(_place(4.8, 7.6))
    _say(0, 15.7, f"{LOST}° lost", "at first")
    for name, place in LABELS.items():
        _say(*place, name)


def _screw(angle: float) -> tuple[float, float]:
    """Return where the horn's screw is at *angle*."""
    return HORN_MM * sin(radians(angle)), HORN_MM * cos(radians(angle))


def _box(left: float, low: float, right: float, high: float) -> Points:
    return [(left, low), (right, low), (right, high), (left, high)]


def _scaled(points: Points) -> Points:
    return [(x * SCALE, y * SCALE) for x, y in points]


def _place(x: float, y: float) -> tuple[float, float]:
    return SHAFT[0] + x * SCALE, SHAFT[1] + y * SCALE


def _say(x: float, y: float, *lines: str) -> None:
    note(*_place(x, y), *lines)


ROW = 4.1
"""The height of a contact's row, in schemdraw's units."""
OUTPUT_X = 17.8
"""Where the circuits of the lights and the buzzer start."""

CONTACTS = {
    "m_button": "closed while\npressed",
    "yellow_button": "closed while\npressed",
    "lid": "closed while\nthe lid is SHUT",
    "wheel_a": "C, the middle\nleg: ground",
    "wheel_b": "A and B swapped:\ncounts backwards",
}
"""The contacts from top to bottom, by wire, and the note beside each."""


def draw_contacts() -> str:
    """Return the figure as SVG text."""
    with sheet() as drawing:
        for row, wire in enumerate(CONTACTS):
            _draw_contact(drawing, wire, -row * ROW)
        _draw_led("led_green", "R6", "D3", 0)
        _draw_led("led_red", "R7", "D4", -ROW)
        _draw_buzzer(drawing, -3 * ROW)
        note(
            OUTPUT_X - 4.6, -3.9 * ROW,
            "BC337: flat side to you, legs down: C, B, E;",
            "check its data sheet.",
            "D5: the band is the end at the bar.",
            "LED: the short leg, at the flat side, to ground.",
        )  # fmt: skip
        note(
            -4.5, -4.9 * ROW,
            f"5 V: header pin {SUPPLY_5V}. Ground: pin {GROUND}. The Pi itself pulls "
            "the contacts' pins up.",
        )  # fmt: skip
    return svg_of(drawing, "Contacts, lights and buzzer")


def _draw_contact(drawing: Drawing, wire: str, y: float) -> None:
    """Draw the contact on *wire*, with the resistor before it and the capacitor."""
    (at_pin,) = (legs for legs in BOX.values() if PI[wire] in legs)
    resistor, capacitor = (leg.split(".")[0] for leg in at_pin[:2])
    (at_contact,) = (legs for legs in BOX.values() if f"{resistor}.1" in legs)
    contact, end = at_contact[0].split(".")
    _tag(wire, 0, y)
    elm.Line().right(1.2)
    part_to_ground(drawing, elm.Capacitor(), capacitor)
    elm.Line().right(0.8)
    part(elm.ResistorIEC(), resistor).right(2.8)
    # The wheel has contacts A and B; other switches have only ends 1 and 2.
    details = [f"contact {end}"] if end.isalpha() else []
    part(elm.Switch(), contact, *details).right()
    elm.Line(color=BLACK).right(0.8)
    ground(CONTACTS[wire])


def _tag(wire: str, x: float, y: float) -> None:
    header_pin(wire.replace("_", " "), getattr(Pins(), wire), x, y)


def _draw_led(wire: str, resistor: str, led: str, y: float) -> None:
    _tag(wire, OUTPUT_X, y)
    part(elm.ResistorIEC(), resistor).right(3)
    part(elm.LED(color=BLACK), led).right(3)
    ground()


def _draw_buzzer(drawing: Drawing, y: float) -> None:
    _tag("buzzer", OUTPUT_X, y)
    part(elm.ResistorIEC(), "R8").right(2.4)
    part_to_ground(drawing, elm.ResistorIEC(), "R9")
    elm.Line().right(2)
    collector = npn("Q2").collector
    plus = elm.IcPin("+", side="top", anchorname="plus")
    minus = elm.IcPin("-", side="bottom", anchorname="minus")
    buzzer = elm.Ic((3.4, 2.8), [plus, minus], leadlen=0.4, color=BLACK)
    part(buzzer, "BZ1", "active, 5 V", loc="center").anchor("minus").at(
        collector
    ).right()
    elm.Line(color=RED).right(1.2).at(buzzer.plus)
    supply("5 V")
    elm.Line(color=RED).right(1.2)
    part(elm.Diode(color=RED), "D5", loc="bottom").toy(collector).reverse()
    elm.Line(color=BLACK).tox(collector).dot()
