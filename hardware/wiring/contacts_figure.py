"""The contacts, lights and buzzer, each drawn from its pin of the header to ground."""

from __future__ import annotations

from schemdraw import Drawing
from schemdraw import elements as elm

from hardware.vault.pins import GROUND, PHYSICAL, SUPPLY_3V3, SUPPLY_5V, Pins
from hardware.wiring.nets import net_of, nets
from hardware.wiring.schematic import (
    BLACK,
    RED,
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

ROW = 4.1
"""The height of a contact's row, in schemdraw's units."""
OUTPUT_X = 18
"""Where the circuits of the lights and the buzzer start."""

CONTACTS = {
    "m_button": "closed while\npressed",
    "yellow_button": "closed while\npressed",
    "lid": "closed while\nthe lid is SHUT",
    "wheel_a": "C, the middle\nleg: ground",
    "wheel_b": "A and B swapped:\ncounts backwards",
}
"""The contacts from top to bottom, by wire, and the note beside each."""


def draw_contacts(pins: Pins) -> str:
    """Return the figure as SVG text."""
    with sheet() as drawing:
        for row, wire in enumerate(CONTACTS):
            _draw_contact(drawing, pins, wire, -row * ROW)
        _draw_led(pins, "led_green", "R8", "D4", 0)
        _draw_led(pins, "led_red", "R9", "D5", -ROW)
        _draw_buzzer(drawing, pins, -3 * ROW)
        note(
            -4.5, -4.9 * ROW,
            f"3.3 V: header pin {SUPPLY_3V3}. 5 V: pin {SUPPLY_5V}. "
            f"Ground: pin {GROUND}, or any other. "
            "LED: the short leg, at the flat side, to ground.",
        )  # fmt: skip
    return svg_of(drawing, "Contacts, lights and buzzer")


def _draw_contact(drawing: Drawing, pins: Pins, wire: str, y: float) -> None:
    """Draw the contact on *wire*, with its pull-up and its capacitor."""
    pin = f"Pi.{PHYSICAL[getattr(pins, wire)]}"
    # On the wire's net: each part, and which end of it.
    end_of = dict(leg.split(".") for leg in nets(pins)[net_of(pins)[pin]])
    (resistor,) = (name for name in end_of if name.startswith("R"))
    (capacitor,) = (name for name in end_of if name.startswith("C"))
    (contact,) = (name for name in end_of if name.startswith("S"))
    header_pin(pins, wire, 0, y)
    elm.Line().right(1.2)
    with drawing.hold():
        part(elm.ResistorIEC(), resistor, loc="bottom").up().idot()
        supply("3.3 V")
    elm.Line().right(3.2)
    part_to_ground(drawing, elm.Capacitor(), capacitor)
    elm.Line().right(1)
    # The wheel has contacts A and B; other switches have only ends 1 and 2.
    details = [f"contact {end_of[contact]}"] if end_of[contact].isalpha() else []
    part(elm.Switch(), contact, *details).right()
    elm.Line(color=BLACK).right(0.8)
    ground(CONTACTS[wire])


def _draw_led(pins: Pins, wire: str, resistor: str, led: str, y: float) -> None:
    header_pin(pins, wire, OUTPUT_X, y)
    part(elm.ResistorIEC(), resistor).right(3)
    part(elm.LED(color=BLACK), led).right(3)
    ground()


def _draw_buzzer(drawing: Drawing, pins: Pins, y: float) -> None:
    header_pin(pins, "buzzer", OUTPUT_X, y)
    part(elm.ResistorIEC(), "R10").right(2.4)
    part_to_ground(drawing, elm.ResistorIEC(), "R11")
    elm.Line().right(2)
    drain = mosfet("Q2").drain
    plus = elm.IcPin("+", side="top", anchorname="plus")
    minus = elm.IcPin("-", side="bottom", anchorname="minus")
    buzzer = elm.Ic((3.4, 2.8), [plus, minus], leadlen=0.4, color=BLACK)
    part(buzzer, "BZ1", "active, 5 V", loc="center").anchor("minus").at(drain).right()
    elm.Line(color=RED).right(1.2).at(buzzer.plus)
    supply("5 V")
    elm.Line(color=RED).right(1.2)
    part(elm.Diode(color=RED), "D6", loc="bottom").toy(drain).reverse()
    elm.Line(color=BLACK).tox(drain).dot()
