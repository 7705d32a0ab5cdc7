"""What the figures share: sheet and colours, and parts labelled from ``nets``.

schemdraw draws the symbols. Inside ``with sheet() as drawing:`` an element starts where
the last one ended, or ``at`` a point. It is drawn when the next one is created: set
everything about it before then.

Lengths are in schemdraw's units, of 36 points each, and y grows upwards. A figure that
is at most 33 units wide has text 11 pixels high on a page of GitHub.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from schemdraw import Drawing
from schemdraw import elements as elm

from hardware.vault.pins import PHYSICAL
from hardware.wiring.nets import PARTS

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


def npn(name: str) -> elm.BjtNpn:
    """Draw an NPN transistor from its base, with its emitter on ground."""
    symbol = part(elm.BjtNpn(color=BLACK), name, loc="right").anchor("base").right()
    beside = {"base": (-0.1, 0.3), "collector": (-0.3, -0.2), "emitter": (-0.3, 0.2)}
    for leg, offset in beside.items():
        symbol.label(leg[0].upper(), loc=leg, ofst=offset, halign="center", color=BLUE)
    elm.Ground(color=BLACK).at(symbol.emitter)
    return symbol


def ground(*lines: str) -> None:
    """Draw ground, hanging from where the last element ended, *lines* at its right."""
    elm.Ground(color=BLACK).label("\n".join(lines), loc="right")


def supply(net: str) -> None:
    """Draw the supply *net*, standing where the last element ended."""
    elm.Vdd(color=RED).label(net)


def header_pin(wire: str, bcm: int, x: float, y: float) -> None:
    """Draw a tag with the header's pin for *wire*; the circuit starts at (x, y)."""
    tag = elm.Tag(width=4.6, height=1.3, fontsize=SMALL, fill=SHADE, color=BLACK)
    tag.at((x, y)).left().drop("start")
    tag.label(f"{wire}\nBCM {bcm} · pin {PHYSICAL[bcm]}")
