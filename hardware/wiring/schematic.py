"""What the figures share: sheet and colours, and parts labelled from ``nets``.

schemdraw draws the symbols. Inside ``with sheet() as drawing:`` an element starts where
the last one ended, or ``at`` a point. It is drawn when the next one is created: set
everything about it before then.

Lengths are in schemdraw's units, of 36 points each, and y grows upwards. A figure that
is at most 33 units wide has text 11 pixels high on a page of GitHub.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from schemdraw import Drawing
from schemdraw import elements as elm
from schemdraw.types import Side

from hardware.vault.pins import PHYSICAL, Pins
from hardware.wiring.nets import CHIP_NAMES, CHIPS, PARTS

RED, BLACK, BLUE = "#b3261e", "#1c1b18", "#1f5fa8"
"""The colours of supply, of ground and load, and of signals."""
PAPER, SHADE = "#fffdf7", "#f2efe6"
"""The background of a figure, and that of what belongs to the Pi."""

SMALL, LARGE = 16, 22
"""Sizes of text, in points."""
PLAIN, BOLD = "plain", "bold"
"""Weights of text. schemdraw knows only fonts, which ``svg_of`` turns into weights."""


def sheet() -> Drawing:
    """Return an empty drawing, in which everything is blue unless it has a colour."""
    drawing = Drawing(canvas="svg", show=False)
    drawing.config(unit=2, color=BLUE, font=PLAIN, fontsize=SMALL, margin=0.5)
    return drawing


def svg_of(drawing: Drawing, title: str) -> str:
    """Render *drawing* as SVG text on light paper, with *title* above it.

    The paper is part of the figure, for dark pages. Coordinates are rounded: the last
    digits of a sine differ between machines, and a test draws the files anew.
    """
    root = drawing.draw(show=False).getsvg()
    left, top, width, height = (float(size) for size in root.get("viewBox").split())
    top, height = top - 2 * LARGE, height + 2 * LARGE
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" font-family="system-ui, sans-serif" '
        f'viewBox="{left} {top} {width} {height}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect x="{left}" y="{top}" width="100%" height="100%" fill="{PAPER}"/>',
        f'<text x="{left + LARGE}" y="{top + 2 * LARGE}" font-size="{LARGE}" '
        f'font-weight="700" fill="{BLACK}">{escape(title)}</text>',
    ]
    for shape in root:
        if shape.attrib.pop("font-family", PLAIN) == BOLD:
            shape.set("font-weight", "700")
        lines.append(ElementTree.tostring(shape, encoding="unicode"))
    text = "\n".join([*lines, "</svg>\n"])
    return re.sub(r"-?\d+\.\d{3,}", lambda match: f"{float(match[0]):.2f}", text)


def note(x: float, y: float, *lines: str, font: str = PLAIN) -> None:
    """Write *lines* of text, the upper left corner of the first one at (x, y)."""
    text = elm.Label().at((x, y)).right()
    text.label(
        "\n".join(lines), halign="left", valign="top", ofst=0, font=font, color=BLACK
    )


def part(
    symbol: elm.Element, name: str, *details: str, loc: str = "top"
) -> elm.Element:
    """Label a part's symbol with its name, its value and *details*; return it.

    The label goes to *loc*: on a part drawn up or down, ``top`` is at its left and
    ``bottom`` at its right.
    """
    return symbol.label("\n".join((name, PARTS[name], *details)), loc=loc, color=BLACK)


def part_to_ground(
    drawing: Drawing, symbol: elm.Element, name: str, *details: str, loc: str = "top"
) -> None:
    """Draw a part down to ground; the next element starts where this one did."""
    part(symbol, name, *details, loc=loc).down().idot()
    ground()
    drawing.move_from(symbol.start, theta=0)


def mosfet(name: str) -> elm.NMos:
    """Draw an N-channel MOSFET from its gate, with its source on ground."""
    symbol = part(elm.NMos(color=BLACK), name, loc="right").anchor("gate").right()
    beside = {"gate": (0.2, 0.3), "drain": (-0.3, -0.3), "source": (-0.3, 0.3)}
    for leg, offset in beside.items():
        symbol.label(leg[0].upper(), loc=leg, ofst=offset, halign="center", color=BLUE)
    elm.Ground(color=BLACK).at(symbol.source)
    return symbol


def ground(*lines: str) -> None:
    """Draw ground, hanging from where the last element ended, *lines* at its right."""
    elm.Ground(color=BLACK).label("\n".join(lines), loc="right")


def supply(net: str) -> None:
    """Draw the supply *net*, standing where the last element ended."""
    elm.Vdd(color=RED).label(net)


def colour_of(net: str) -> str:
    """Return the colour of *net*, or of a leg that is left ``open``."""
    if net.endswith(" V"):
        return RED
    return BLACK if net in ("ground", "open") else BLUE


def net_name(symbol: elm.Element, leg: str, net: str) -> None:
    """Write the name of *net* at the end of *leg*, an anchor of *symbol*."""
    symbol.label(net, loc=leg, valign="center", ofst=0.2, color=colour_of(net))


def header_pin(pins: Pins, wire: str, x: float, y: float) -> None:
    """Draw a tag with the header's pin for *wire*; the circuit starts at (x, y)."""
    bcm = getattr(pins, wire)
    tag = elm.Tag(width=4.6, height=1.3, fontsize=SMALL, fill=SHADE, color=BLACK)
    tag.at((x, y)).left().drop("start")
    tag.label(f"{wire.replace('_', ' ')}\nBCM {bcm} · pin {PHYSICAL[bcm]}")


def chip(
    name: str,
    purpose: str,
    net_on: dict[str, str],
    *,
    left: Sequence[int],
    right: Sequence[int],
    top: Sequence[int] = (),
    size: tuple[float, float],
) -> elm.Ic:
    """Draw a chip, or a part of it; its first left leg is where the last element ended.

    Each leg gets its number outside the box and its name inside. Supply, ground or an
    open end is written at a leg. The figure connects the other legs, which are the
    anchors ``pin1``, ``pin2`` and so on.

    Args:
        name: As in ``CHIPS``.
        purpose: What the chip does here, in a word or two.
        net_on: The net on each leg; see ``nets.net_of``.
        left: Numbers of the legs on the left, from top to bottom.
        right: The same on the right.
        top: Numbers of the legs at the top, from left to right.
        size: Width and height of the box.
    """
    rows = max(len(left), len(right))
    legs = [
        *_legs(name, "left", left, rows),
        *_legs(name, "right", right, rows),
        *_legs(name, "top", top, len(top)),
    ]
    box = elm.Ic(
        size, legs, color=BLACK,
        leadlen=1, edgepadH=1, edgepadW=1, lsize=15, plblsize=18,
    )  # fmt: skip
    box.anchor(f"pin{left[0]}").right()
    box.label(f"{CHIP_NAMES[name]}\n{purpose}", loc="bottom", ofst=(0, 0.9))
    for number in (*left, *right):
        net = net_on.get(f"{name}.{number}", "open")
        if colour_of(net) != BLUE:
            net_name(box, f"pin{number}", net)
    return box


def _legs(
    chip: str, side: Side, numbers: Sequence[int], places: int
) -> Iterator[elm.IcPin]:
    """Yield the legs of one side, from top to bottom or from left to right."""
    for index, number in enumerate(numbers):
        # schemdraw counts the places on a side from the bottom.
        place = index + 1 if side == "top" else places - index
        name = CHIPS[chip][number].name
        yield elm.IcPin(
            name=name.replace("/", ""),
            pin=str(number),
            side=side,
            slot=f"{place}/{places}",
            decoration="overline" if "/" in name else None,
        )
