"""The contacts, lights and buzzer, each drawn from its pin of the header to ground."""

from __future__ import annotations

from schemdraw import Drawing
from schemdraw import elements as elm

from hardware.vault.pins import GROUND, SUPPLY_5V, Pins
from hardware.wiring.nets import BOX, PI
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
    supply,
    svg_of,
)

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
