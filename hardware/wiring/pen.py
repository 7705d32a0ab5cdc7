"""A pen that draws circuit symbols in SVG; each method adds one."""

from __future__ import annotations

from xml.sax.saxutils import escape

RED, BLACK, BLUE = "#b3261e", "#1c1b18", "#1f5fa8"
INK, PAPER = "#1c1b18", "#fffdf7"

Point = tuple[float, float]


class Pen:
    """Collects shapes; ``svg`` returns the drawing.

    Args:
        width: Width of the drawing in pixels; x grows to the right.
        height: Height of the drawing in pixels; y grows downwards.
        title: What the drawing shows, for readers who cannot see it.
    """

    def __init__(self, width: int, height: int, title: str) -> None:
        self._shapes: list[str] = []
        self._head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'font-family="system-ui, sans-serif" role="img">\n'
            f"<title>{escape(title)}</title>\n"
            f'<rect width="{width}" height="{height}" fill="{PAPER}"/>\n'
        )

    def svg(self) -> str:
        """The drawing, as the text of a file."""
        return self._head + "\n".join(self._shapes) + "\n</svg>\n"

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: int,
        weight: int = 400,
        colour: str = INK,
        anchor: str = "start",
    ) -> None:
        """Write *words* with their baseline at (x, y)."""
        self._shapes.append(
            f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" '
            f'fill="{colour}" text-anchor="{anchor}">{escape(words)}</text>'
        )

    def box(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        """Draw a box: the outline of a part."""
        self._shapes.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" '
            f'fill="{fill}" stroke="{INK}" stroke-width="2"/>'
        )

    def wire(self, colour: str, *points: Point) -> None:
        """A wire through *points*."""
        path = " ".join(f"{x},{y}" for x, y in points)
        self._shapes.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" '
            f'stroke-width="3" stroke-linejoin="round"/>'
        )

    def dot(self, x: float, y: float) -> None:
        """Draw a dot: wires that meet here are joined."""
        self._shapes.append(f'<circle cx="{x}" cy="{y}" r="5" fill="{INK}"/>')

    def _path(self, d: str, fill: str = "none") -> None:
        self._shapes.append(
            f'<path d="{d}" fill="{fill}" stroke="{INK}" stroke-width="2.5"/>'
        )

    def ground(self, x: float, y: float) -> None:
        """Ground, hanging from (x, y)."""
        self.wire(BLACK, (x, y), (x, y + 10))
        for half, down in ((13, 10), (8, 16), (3, 22)):
            self._path(f"M{x - half} {y + down}H{x + half}")

    def resistor(self, x: float, y: float, value: str) -> None:
        """A resistor from (x, y) to (x + 60, y)."""
        self.box(x, y - 9, 60, 18, fill="#ffffff")
        self.text(x + 30, y - 16, value, size=14, anchor="middle")

    def resistor_down(self, x: float, y: float, value: str, *why: str) -> None:
        """A resistor from (x, y) down to ground."""
        self.wire(BLUE, (x, y), (x, y + 16))
        self._shapes.append(
            f'<rect x="{x - 8}" y="{y + 16}" width="16" height="40" rx="4" '
            f'fill="#ffffff" stroke="{INK}" stroke-width="2"/>'
        )
        self.ground(x, y + 56)
        for index, line in enumerate((value, *why)):
            self.text(x + 16, y + 62 + 17 * index, line, size=13)

    def resistor_up(self, x: float, y: float, value: str, supply: str) -> None:
        """A resistor from (x, y) up to *supply*."""
        self.wire(BLUE, (x, y), (x, y - 10))
        self._shapes.append(
            f'<rect x="{x - 8}" y="{y - 44}" width="16" height="34" rx="4" '
            f'fill="#ffffff" stroke="{INK}" stroke-width="2"/>'
        )
        self.wire(RED, (x, y - 44), (x, y - 56))
        self.text(x + 16, y - 22, value, size=13)
        self.text(x + 10, y - 50, supply, size=13, weight=700, colour=RED)

    def capacitor_down(self, x: float, y: float, value: str) -> None:
        """A capacitor from (x, y) down to ground."""
        self.wire(BLUE, (x, y), (x, y + 14))
        self._path(f"M{x - 13} {y + 14}H{x + 13}M{x - 13} {y + 21}H{x + 13}")
        self.ground(x, y + 21)
        self.text(x - 18, y + 22, value, size=13, anchor="end")

    def switch(self, x: float, y: float) -> None:
        """A contact from (x, y) to (x + 60, y)."""
        self._path(f"M{x} {y}L{x + 48} {y - 20}")
        for end in (x, x + 60):
            self._shapes.append(
                f'<circle cx="{end}" cy="{y}" r="5" fill="#ffffff" stroke="{INK}" '
                f'stroke-width="2"/>'
            )

    def led_right(self, x: float, y: float) -> None:
        """A LED from (x, y) to (x + 36, y), the short leg at the right."""
        self._path(f"M{x} {y - 15}L{x + 30} {y}L{x} {y + 15}Z", fill="#ffffff")
        self._path(f"M{x + 33} {y - 15}V{y + 15}")
        self._path(f"M{x + 14} {y + 18}l9 11M{x + 24} {y + 14}l9 11")

    def diode_up(self, x: float, top: float, bottom: float) -> None:
        """A diode from *bottom* to *top*, its band at the top."""
        middle = (top + bottom) / 2
        self.wire(BLACK, (x, bottom), (x, middle + 13))
        self.wire(RED, (x, middle - 13), (x, top))
        self._path(
            f"M{x - 13} {middle + 13}H{x + 13}L{x} {middle - 11}Z", fill="#ffffff"
        )
        self._path(f"M{x - 14} {middle - 13}H{x + 14}")

    def coil_symbol(self, x: float, top: float, bottom: float) -> None:
        """A coil between (x, top) and (x, bottom)."""
        size = (bottom - top) / 4
        turns = "".join(f"a{size / 2} {size / 2} 0 0 1 0 {size}" for _ in range(4))
        self._path(f"M{x} {top}{turns}")

    def mosfet(self, x: float, y: float, name: str) -> float:
        """An N-channel MOSFET, gate at (x, y); return y of its drain at x + 40."""
        self._path(f"M{x} {y}H{x + 10}M{x + 10} {y - 22}V{y + 22}")
        self._path(
            f"M{x + 18} {y - 24}v14M{x + 18} {y - 7}v14M{x + 18} {y + 10}v14"
            f"M{x + 18} {y - 17}H{x + 40}V{y - 40}"
            f"M{x + 18} {y + 17}H{x + 40}V{y + 40}M{x + 18} {y}H{x + 40}V{y + 17}"
        )
        self._path(f"M{x + 20} {y}l9 -5v10Z", fill=INK)
        self.ground(x + 40, y + 40)
        self.text(x + 52, y + 6, name, size=14)
        return y - 40
