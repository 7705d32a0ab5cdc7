"""The boards to solder by, from both sides: each net has a row of holes to itself.

A part stands across the rows in a column of its own, so that every leg comes to lie in
the row of its net. What is not on the board is a cable, with a hole for each wire.
Columns and rows are counted from 1. Lengths are in holes, unless they end in ``_MM``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import ceil
from typing import NamedTuple, TypeAlias

from schemdraw import elements as elm
from schemdraw.segments import Segment, SegmentCircle, SegmentPoly, SegmentText

from hardware.wiring.nets import BOX, COIL, PARTS, SERVO, Nets
from hardware.wiring.schematic import (
    BLACK,
    BLUE,
    BOLD,
    PAPER,
    SHADE,
    SMALL,
    note,
    sheet,
    svg_of,
)


class Board(NamedTuple):
    """A board: its nets from top to bottom, and its parts from left to right."""

    title: str
    nets: Nets
    rows: tuple[str, ...]
    """The net of each row; an empty name is a row that stays free."""
    columns: str
    """Parts joined by a plus share a column, one below the other."""
    hints: tuple[str, ...]


BOX_BOARD = Board(
    "The box: its board",
    BOX,
    (
        "lid", "yellow", "m", "wheel b", "wheel a",
        "lid pin", "yellow pin", "m pin", "wheel b pin", "wheel a pin", "",
        "ground", "buzzer base", "buzzer -",
        "green", "red", "buzzer pin", "5 V", "green pin", "red pin",
    ),
    "S4 S3 S2 S1+BZ1 D3 D4 R14+R6 R13+R7 R12+D5 R11+R8 R10 Q2 R9 C7 C6 C5 C4 C3 Pi",
    ("Q2: the bar is its flat side. D5: the ring, K. D3, D4: K is the short leg.",),
)  # fmt: skip
"""Ground lies where no part reaches further than six rows."""
COIL_BOARD = Board(
    "Build A: the coil's board",
    COIL,
    (
        "coil pin", "", "reservoir", "", "base", "coil -", "ground", "charge",
        "", "", "24 V",
    ),
    "L1 PS1 R1 R4 D2 C1 D1 Q1 R3 R2 Pi",
    (
        "Q1: the bar is its metal back. C1: the stripe, minus. D1: the ring, K. "
        "D2: the flat side; K is its short leg.",
        "R1 stands 5 mm off the board.",
    ),
)  # fmt: skip
"""C1 wants four rows, R1 eight; 24 V lies apart from what goes to the header."""
SERVO_BOARD = Board(
    "Build B: the servo's board",
    SERVO,
    (
        "servo pin", "", "", "servo signal", "servo +", "ground", "", "middle",
        "", "", "", "", "", "", "", "5 V",
    ),
    "M1 C8 C9 R16 R17 R18 R5 R15 Pi",
    (
        "M1: a strip of three pins fits, in the order of the servo's plug. "
        "C8, C9: the bar is the stripe, minus.",
        "R15 stands 5 mm off the board.",
    ),
)  # fmt: skip
"""C8 and C9 want two rows at least, R15 eleven; M1's rows are neighbours."""

OFF_BOARD = {"Pi", "S1", "S2", "S3", "S4", "D3", "D4", "BZ1", "L1", "PS1", "M1"}
"""What hangs on a cable."""
PITCH_MM = 2.54
BODIES_MM = {
    "R": (6.3, 2.5), "R1": (17, 6), "R15": (22, 9.5),
    "C": (5, 2.5), "C1": (22, 22), "C8": (12.5, 12.5), "C9": (12.5, 12.5),
    "D1": (5.2, 2.7), "D2": (5, 5), "D5": (4, 2), "Q1": (10, 4.4), "Q2": (4.8, 4.8),
}  # fmt: skip
"""Length and width of each body, or of its kind; what is as long as wide is round.

Source: KiCad's footprints DIN0207, DIN0617, C_Disc_D5.0mm, CP_Radial_D22.0mm,
CP_Radial_D12.5mm, DO-41, LED_D5.0mm, DO-35, TO-220-3, TO-92; R15: Yageo, SQP500.
"""
LEADS_MM = 1.3
"""How much longer than its body a resistor that lies is: DIN0207 on 7.62 mm."""
ROOM_MM = {"R1": 5, "R15": 5}
"""The room that a part which grows hot has at either side."""
ORDERS = {"Q1": "BCE", "Q2": "CBE"}
"""The legs of a transistor from left to right, its print or flat side to you."""
HOLE = 0.61
"""The distance of two holes in the drawing's units."""
LETTER, LABEL = 0.38, 0.95
"""The room for a letter of a cable's label, and beside a body for its label."""
DOTS = "#d3cdbb"
"""The colour of holes."""

Point = tuple[float, float]
Place = Callable[[float, float], Point]
Shape: TypeAlias = Segment | SegmentCircle | SegmentPoly | SegmentText
Parts = dict[str, dict[str, tuple[int, int]]]
"""The column and the row of each leg, by part and end."""


def draw_board(board: Board) -> str:
    """Return the figure as SVG text: the component side, and the solder side below."""
    parts, width = _arrange(board)
    height = len(board.rows)
    holes = [hole for legs in parts.values() for hole in legs.values()]

    def back(column: float, row: float) -> Point:
        return _front(width + 1 - column, row + height + 4)

    with sheet() as drawing:
        picture = elm.Element()
        for place in (_front, back):
            picture.segments.extend(_grid(board, width, place))
            for column in sorted({column for column, _ in holes}):
                picture.segments.append(_text(place(column, 0), str(column)))
        for name, legs in parts.items():
            draw = _cable if name in OFF_BOARD else _part
            picture.segments.extend(draw(name, legs))
        for row in range(1, height + 1):
            joints = sorted(back(*hole) for hole in holes if hole[1] == row)
            if joints:
                wire = Segment([joints[0], joints[-1]], color=BLACK, lw=3, zorder=1)
                picture.segments.append(wire)
            picture.segments.extend(_dot(at, 0.14) for at in joints)
        picture.at((0, 0)).theta(0)
        note(*_front(0.5, -1.4), "Component side", font=BOLD)
        note(*_front(0.5, height + 2.6), "Solder side, turned like a page", font=BOLD)
        note(
            *_front(-5.5, 2 * height + 5.5),
            f"{len(holes)} joints on {width} x {height} holes, {PITCH_MM} mm apart. "
            "Along each row a bare wire, or an uncut strip, joins its joints.",
            "Blue rings: wires to what stands beside them. A small circle: a resistor "
            "that stands on end.",
            *board.hints,
        )  # fmt: skip
    return svg_of(drawing, board.title)


def _front(column: float, row: float) -> Point:
    return column * HOLE, -row * HOLE


def _arrange(board: Board) -> tuple[Parts, int]:
    """Return the hole of each leg, and how many columns there are."""
    rows: dict[str, dict[str, int]] = {}
    for net, legs in board.nets.items():
        for leg in legs:
            name, end = leg.split(".")
            rows.setdefault(name, {})[end] = board.rows.index(net) + 1
    parts: Parts = {}
    edge = 0.5
    for column in board.columns.split():
        names = column.split("+")
        reaches = [_reach(name, rows[name]) for name in names]
        at = ceil(edge + max(left for left, _ in reaches))
        edge = at + max(right for _, right in reaches)
        for name in names:
            parts[name] = {end: (at, row) for end, row in rows[name].items()}
    return parts, ceil(edge)


def _reach(name: str, ends: Iterable[str]) -> Point:
    """Return how far a part and its labels reach to the left and to the right."""
    if name in OFF_BOARD:
        return 0.4, 0.5 + LETTER * max(len(_wire(name, end)) for end in ends)
    half = _body(name)[1] / 2
    room = ROOM_MM.get(name, 0) / PITCH_MM
    letter = _letter(name) + 0.2 if set(ends) - {"1", "2"} else 0
    return max(half + room, letter), half + max(room, LABEL)


def _body(name: str) -> Point:
    length, width = BODIES_MM.get(name) or BODIES_MM[name[0]]
    return length / PITCH_MM, width / PITCH_MM


def _wire(name: str, end: str) -> str:
    if name == "Pi":
        return f"pin {end}"
    return name if end in "12" else f"{name} {end}"


def _letter(name: str) -> float:
    """Return how far at the left of a leg its letter stands: inside a large body."""
    width = _body(name)[1]
    return 0.45 if width > 2 else width / 2 + 0.35


def _grid(board: Board, width: int, place: Place) -> Iterator[Shape]:
    """Draw a side of the board with its holes and the names of its rows."""
    left, right = sorted(place(column, 0)[0] for column in (1, width))
    x, y = (left + right) / 2, place(0, (len(board.rows) + 1) / 2)[1]
    yield _box((x, y), right - left + HOLE, len(board.rows) * HOLE, SHADE, zorder=0)
    for row, net in enumerate(board.rows, 1):
        y = place(0, row)[1]
        line = [(left, y), (right, y)]
        dots = f"0,{36 * HOLE:.2f}"  # A round end makes a dot of each.
        yield Segment(line, color=DOTS, ls=dots, lw=4, zorder=0)
        yield _text((left - 1.1 * HOLE, y), chr(ord("A") + row - 1))
        yield _text((left - 1.8 * HOLE, y), net, "right")


def _text(at: Point, words: str, align: str = "center", turn: float = 0) -> SegmentText:
    return SegmentText(at, words, (align, "center"), turn, color=BLACK, fontsize=SMALL)


def _dot(at: Point, radius: float) -> SegmentCircle:
    return SegmentCircle(at, radius, color=BLACK, fill=BLACK, zorder=3)


def _box(
    at: Point, width: float, height: float, fill: str, zorder: int = 1
) -> SegmentPoly:
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    points = [(at[0] + x * width / 2, at[1] + y * height / 2) for x, y in corners]
    return SegmentPoly(points, color=BLACK, fill=fill, zorder=zorder)


def _cable(name: str, legs: dict[str, tuple[int, int]]) -> Iterator[Shape]:
    for end, (column, row) in legs.items():
        ring = _front(column, row)
        yield SegmentCircle(ring, 0.15, color=BLUE, fill=PAPER, zorder=3)
        yield _text(_front(column + 0.5, row), _wire(name, end), "left")


def _part(name: str, legs: dict[str, tuple[int, int]]) -> Iterator[Shape]:
    """Draw a part's legs and leads, its body, its mark, and its label."""
    for end, (column, row) in legs.items():
        yield _dot(_front(column, row), 0.11)
        if end not in "12":
            yield _text(_front(column - _letter(name), row), end)
    column = next(iter(legs.values()))[0]
    rows = sorted(row for _, row in legs.values())
    yield Segment([_front(column, row) for row in rows], color=BLACK, zorder=0)
    length, width = _body(name)
    middle = (rows[0] + rows[-1]) / 2
    lies = rows[-1] - rows[0] >= length + LEADS_MM / PITCH_MM
    if length == width or (name[0] == "R" and not lies):
        centre = _front(column, middle if length == width else rows[0])
        yield SegmentCircle(centre, width / 2 * HOLE, color=BLACK, fill=PAPER)
    else:
        yield _box(_front(column, middle), width * HOLE, length * HOLE, PAPER)
    bar = [_front(column + x, middle + y) for x, y in _mark(name, legs)]
    if bar:
        yield Segment(bar, color=BLACK, lw=5, capstyle="butt")
    label = _front(column + width / 2 + LABEL / 2, middle)
    yield _text(label, f"{name} {PARTS[name]}", turn=90)


def _mark(name: str, legs: dict[str, tuple[int, int]]) -> list[Point]:
    """Return the ends of the bar that is a ring, stripe, flat side or metal back."""
    length, width = (size / 2 for size in _body(name))
    wide = 0.6 if length == width else 1
    if name in ORDERS:
        # With the first leg at the top, print and flat side look to the left.
        first, *_, last = (legs[end] for end in ORDERS[name])
        x = 0.85 * width * (-1 if first < last else 1)
        x = -x if length > width else x  # The bar of TO-220 is its back.
        return [(x, -wide * length), (x, wide * length)]
    for end, other in ("KA", "-+"):
        if end in legs:
            y = 0.75 * length * (1 if legs[end] > legs[other] else -1)
            return [(-wide * width, y), (wide * width, y)]
    return []
