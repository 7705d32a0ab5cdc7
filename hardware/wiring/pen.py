"""A pen that draws circuit symbols in SVG; each method adds one."""

from __future__ import annotations

from xml.sax.saxutils import escape

RED, BLACK, BLUE = "#b3261e", "#1c1b18", "#1f5fa8"
INK, PAPER, WHITE, HEADER = "#1c1b18", "#fffdf7", "#ffffff", "#f2efe6"

SMALL, PLAIN, LARGE = 17, 19, 24
"""Sizes of writing, in pixels of a drawing that is 1280 wide."""

Point = tuple[float, float]


class Pen:
    """Collects shapes; ``svg`` returns the drawing.

    Args:
        width: Width of the drawing in pixels; x grows to the right.
        height: Height of the drawing in pixels; y grows downwards.
        title: What the drawing shows; written at its top, and for those who cannot
            see it.
    """

    def __init__(self, width: int, height: int, title: str) -> None:
        self._shapes: list[str] = []
        self._head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'font-family="system-ui, sans-serif" role="img">\n'
            f"<title>{escape(title)}</title>\n"
            f'<rect width="{width}" height="{height}" fill="{PAPER}"/>\n'
        )
        self.text(30, 42, title, size=LARGE, weight=700)

    def svg(self) -> str:
        """The drawing, as the text of a file."""
        return self._head + "\n".join(self._shapes) + "\n</svg>\n"

    # Writing and lines.

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: int = SMALL,
        weight: int = 400,
        colour: str = INK,
        anchor: str = "start",
    ) -> None:
        """Write *words* with their baseline at (x, y)."""
        self._shapes.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-weight="{weight}" '
            f'fill="{colour}" text-anchor="{anchor}">{escape(words)}</text>'
        )

    def lines(self, x: float, y: float, *words: str, anchor: str = "start") -> None:
        """Write each of *words* on a line of its own."""
        for index, line in enumerate(words):
            self.text(x, y + 21 * index, line, anchor=anchor)

    def box(
        self, x: float, y: float, width: float, height: float, fill: str = WHITE
    ) -> None:
        """Draw a box: the outline of a part."""
        self._shapes.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6" '
            f'fill="{fill}" stroke="{INK}" stroke-width="2"/>'
        )

    def wire(self, colour: str, *points: Point) -> None:
        """A wire through *points*."""
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self._shapes.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" '
            f'stroke-width="3" stroke-linejoin="round"/>'
        )

    def cable(
        self, colour: str, left: float, right: float, y: float, words: str
    ) -> None:
        """A cable from (left, y) to (right, y), its words above it."""
        self.wire(colour, (left, y), (right, y))
        self.text((left + right) / 2, y - 9, words, anchor="middle")

    def bar(self, x: float, y: float) -> None:
        """A bar over a letter: active low."""
        self._path(f"M{x:g} {y:g}h12")

    def dot(self, x: float, y: float) -> None:
        """Draw a dot: wires that meet here are joined."""
        self._shapes.append(f'<circle cx="{x:g}" cy="{y:g}" r="5" fill="{INK}"/>')

    def notch(self, x: float, y: float) -> None:
        """The notch at a chip's upper end, its middle at (x, y)."""
        self._path(f"M{x - 16:g} {y:g}a16 16 0 0 0 32 0", fill=HEADER)

    def pad(self, x: float, y: float, number: str, *, is_used: bool) -> None:
        """A pin of a header with its number; one in use is filled."""
        fill, ink = (INK, WHITE) if is_used else (WHITE, INK)
        self._shapes.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="17" fill="{fill}" stroke="{INK}" '
            f'stroke-width="2"/>'
        )
        self.text(x, y + 6, number, weight=700, colour=ink, anchor="middle")

    def _path(self, d: str, fill: str = "none") -> None:
        self._shapes.append(
            f'<path d="{d}" fill="{fill}" stroke="{INK}" stroke-width="2.5"/>'
        )

    # Where wires end.

    def ground(self, x: float, y: float) -> None:
        """Ground, hanging from (x, y)."""
        self.wire(BLACK, (x, y), (x, y + 10))
        for half, down in ((14, 10), (9, 16), (4, 22)):
            self._path(f"M{x - half:g} {y + down:g}H{x + half:g}")

    def supply(self, x: float, y: float, volts: str) -> None:
        """A supply, standing on (x, y)."""
        self.wire(RED, (x, y), (x, y - 12))
        self.text(x, y - 18, volts, weight=700, colour=RED, anchor="middle")

    def tied(self, x: float, y: float, net: str, *, to_right: bool) -> None:
        """The end of a leg's wire, tied to *net*: a supply, ground, or ``open``."""
        colour = RED if net.endswith("V") else BLACK
        side = 1 if to_right else -1
        if net != "open":
            self.wire(colour, (x, y), (x + 14 * side, y))
        anchor = "start" if to_right else "end"
        away = 20 if net != "open" else 6
        self.text(x + away * side, y + 6, net, weight=700, colour=colour, anchor=anchor)

    def mark(self, x: float, y: float, letter: str) -> None:
        """A round mark: the wire goes on where the same letter stands."""
        self._shapes.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="17" fill="{WHITE}" stroke="{BLUE}" '
            f'stroke-width="3"/>'
        )
        self.text(
            x, y + 7, letter, size=PLAIN, weight=700, colour=BLUE, anchor="middle"
        )

    # Parts that lie.

    def resistor(self, x: float, y: float, *words: str) -> None:
        """A resistor from (x, y) to (x + 64, y), its words above it."""
        self.box(x, y - 10, 64, 20)
        for index, line in enumerate(reversed(words)):
            self.text(x + 32, y - 18 - 20 * index, line, anchor="middle")

    def capacitor(self, left: float, right: float, y: float, *words: str) -> None:
        """A capacitor from (left, y) to (right, y), its words below it."""
        middle = (left + right) / 2
        self.wire(BLUE, (left, y), (middle - 5, y))
        self.wire(BLUE, (middle + 5, y), (right, y))
        for x in (middle - 5, middle + 5):
            self._path(f"M{x:g} {y - 15:g}V{y + 15:g}")
        for index, line in enumerate(reversed(words)):
            self.text(middle, y - 22 - 20 * index, line, anchor="middle")

    def switch(self, x: float, y: float) -> None:
        """A contact from (x, y) to (x + 60, y)."""
        self._path(f"M{x:g} {y:g}L{x + 48:g} {y - 20:g}")
        for end in (x, x + 60):
            self._shapes.append(
                f'<circle cx="{end:g}" cy="{y:g}" r="5" fill="{WHITE}" '
                f'stroke="{INK}" stroke-width="2"/>'
            )

    def led_right(self, x: float, y: float) -> None:
        """A LED from (x, y) to (x + 36, y), the short leg at the right."""
        self._path(f"M{x:g} {y - 15:g}L{x + 30:g} {y:g}L{x:g} {y + 15:g}Z", fill=WHITE)
        self._path(f"M{x + 33:g} {y - 15:g}V{y + 15:g}")
        self._path(f"M{x + 14:g} {y + 18:g}l9 11M{x + 24:g} {y + 14:g}l9 11")

    def fuse(self, x: float, y: float, width: float, *words: str) -> None:
        """A fuse from (x, y) to (x + width, y), its words below it."""
        self.box(x, y - 14, width, 28)
        self.wire(BLACK, (x, y), (x + width, y))
        for index, line in enumerate(words):
            self.text(x + width / 2, y + 38 + 21 * index, line, anchor="middle")

    # Parts that stand.

    def resistor_v(
        self, x: float, top: float, bottom: float, *words: str, to_left: bool = False
    ) -> None:
        """A resistor from (x, top) to (x, bottom), its words beside it."""
        middle = (top + bottom) / 2
        self.wire(BLUE, (x, top), (x, middle - 24))
        self.wire(BLUE, (x, middle + 24), (x, bottom))
        self.box(x - 10, middle - 24, 20, 48)
        self._beside(x, middle, words, to_left=to_left)

    def capacitor_v(
        self, x: float, top: float, bottom: float, *words: str, to_left: bool = False
    ) -> None:
        """A capacitor from (x, top) to (x, bottom), its words beside it."""
        middle = (top + bottom) / 2
        self.wire(BLUE, (x, top), (x, middle - 5))
        self.wire(BLACK, (x, middle + 5), (x, bottom))
        for y in (middle - 5, middle + 5):
            self._path(f"M{x - 15:g} {y:g}H{x + 15:g}")
        self._beside(x, middle, words, to_left=to_left)

    def diode_up(self, x: float, top: float, bottom: float, *words: str) -> None:
        """A diode from *bottom* to *top*, its band at the top."""
        middle = (top + bottom) / 2
        self.wire(BLACK, (x, bottom), (x, middle + 13))
        self.wire(RED, (x, middle - 13), (x, top))
        self._path(
            f"M{x - 13:g} {middle + 13:g}H{x + 13:g}L{x:g} {middle - 11:g}Z", fill=WHITE
        )
        self._path(f"M{x - 14:g} {middle - 13:g}H{x + 14:g}")
        self._beside(x + 4, middle, words, to_left=False)

    def coil(self, x: float, top: float, bottom: float, *words: str) -> None:
        """A coil between (x, top) and (x, bottom), its words left of it."""
        size = (bottom - top) / 4
        turns = "".join(f"a{size / 2:g} {size / 2:g} 0 0 1 0 {size:g}" for _ in "1234")
        self._path(f"M{x:g} {top:g}{turns}")
        self._beside(x + 4, (top + bottom) / 2, words, to_left=True)

    def _beside(
        self, x: float, middle: float, words: tuple[str, ...], *, to_left: bool
    ) -> None:
        away, anchor = (-22, "end") if to_left else (22, "start")
        first = middle + 6 - 10.5 * (len(words) - 1)
        self.lines(x + away, first, *words, anchor=anchor)

    def mosfet(self, x: float, y: float, *words: str) -> float:
        """An N-channel MOSFET, gate at (x, y); return y of its drain at x + 40."""
        self._path(
            f"M{x:g} {y:g}H{x + 10:g}M{x + 10:g} {y - 22:g}V{y + 22:g}"
            f"M{x + 18:g} {y - 24:g}v14M{x + 18:g} {y - 7:g}v14M{x + 18:g} {y + 10:g}"
            f"v14M{x + 18:g} {y - 17:g}H{x + 40:g}V{y - 40:g}M{x + 18:g} {y + 17:g}"
            f"H{x + 40:g}V{y + 40:g}M{x + 18:g} {y:g}H{x + 40:g}V{y + 17:g}"
        )
        self._path(f"M{x + 20:g} {y:g}l9 -5v10Z", fill=INK)
        self.ground(x + 40, y + 40)
        for leg, right, down in (("G", -10, -10), ("D", 48, -26), ("S", 60, 52)):
            self.text(x + right, y + down, leg, weight=700, colour=BLUE)
        self.lines(x + 60, y - 2, *words)
        return y - 40

    # Legs of a chip.

    def leg(
        self, x: float, y: float, number: int, name: str, *, side: str
    ) -> tuple[float, float]:
        """A leg at (x, y) on a box's edge; return where its wire begins, 30 px away.

        Args:
            x: The edge, or the leg's place along it.
            y: The edge, or the leg's place along it.
            number: Written outside the box, in bold.
            name: Written inside the box.
            side: ``left``, ``right`` or ``top``.
        """
        if side == "top":
            self.wire(BLUE, (x, y), (x, y - 30))
            self.text(x + 7, y - 9, str(number), size=PLAIN, weight=700)
            self.text(x, y + 22, name, anchor="middle")
            return x, y - 30
        way, anchor = (-1, "start") if side == "left" else (1, "end")
        self.wire(BLUE, (x, y), (x + 30 * way, y))
        self.text(
            x + 15 * way, y - 7, str(number), size=PLAIN, weight=700, anchor="middle"
        )
        self.text(x - 10 * way, y + 6, name, anchor=anchor)
        return x + 30 * way, y
