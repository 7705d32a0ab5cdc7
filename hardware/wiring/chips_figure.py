"""The figure to solder by: chips and header from above, with the net of each leg."""

from __future__ import annotations

from schemdraw import elements as elm

from hardware.vault.pins import PHYSICAL, POWER, Pins
from hardware.wiring.nets import CHIP_NAMES, CHIPS, LEFT_OPEN, net_of
from hardware.wiring.schematic import (
    BLACK,
    BOLD,
    PAPER,
    SMALL,
    colour_of,
    net_name,
    note,
    sheet,
    svg_of,
)


def draw_chips(pins: Pins) -> str:
    """Return the figure as SVG text."""
    net_on = net_of(pins)  # The net on each leg.
    with sheet() as drawing:
        _draw_chip("U1", 0, 0, net_on)
        _draw_chip("U2", 0, -9.5, net_on)
        _draw_header(17, -9.5, pins, net_on)
        note(
            -4, -11,
            "AO3400A, IRLML6344",
            "print up: 1 gate, 2 source,",
            "3 drain (alone on its side);",
            "check the adapter's own print",
        )  # fmt: skip
        note(
            5, -11,
            "Diodes",
            "the band is the end at",
            "the bar of the symbol; 1/A",
            "is A with a bar over it",
        )  # fmt: skip
    return svg_of(drawing, "Seen from above, notch up: which leg is on which net")


def _draw_chip(chip: str, x: float, y: float, net_on: dict[str, str]) -> None:
    """Draw *chip* with the net of each leg, its lower left corner at (x, y)."""
    legs = CHIPS[chip]
    names = [leg.name for leg in legs.values()]
    package = elm.IcDIP(
        pins=len(legs), names=names, width=4, pinw=0.7, spacing=0.25,
        fontsize=SMALL, pfontsize=SMALL, color=BLACK,
    )  # fmt: skip
    package.at((x, y)).label(f"{chip}  {CHIP_NAMES[chip]}", font=BOLD)
    for number in legs:
        net = net_on.get(f"{chip}.{number}", "open")
        assert net != "open" or f"{chip}.{number}" in LEFT_OPEN
        net_name(package, f"p{number}", net)


def _draw_header(x: float, y: float, pins: Pins, net_on: dict[str, str]) -> None:
    """Draw the Pi's header, pins in use filled, its lower left corner at (x, y)."""
    names = {pin: net for net, physical in POWER.items() for pin in physical}
    for wire, bcm in pins.named():
        names[PHYSICAL[bcm]] = f"{wire.replace('_', ' ')} · BCM {bcm}"
    header = elm.Header(20, 2, pinspacing=0.9, edge=0.5, pinrad=0.38, color=BLACK)
    header.at((x, y)).label("Header of the Pi\npin 1 at the SD card's end, inwards")
    for pin in range(1, 41):
        is_used = f"Pi.{pin}" in net_on
        dot = elm.Dot(radius=0.38, open=not is_used, color=BLACK)
        dot.at(getattr(header, f"pin{pin}"))
        dot.label(str(pin), loc="center", ofst=0, color=PAPER if is_used else BLACK)
        if pin in names:
            is_left = pin % 2 == 1
            dot.label(
                names[pin],
                loc="left" if is_left else "right",
                ofst=0.3,
                color=colour_of(names[pin]),
            )
