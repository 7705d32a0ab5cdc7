"""Where everything lies on a drawn board: spaces, bands, names, tokens.

This is pure geometry for any number of spaces, in units of the drawing: x to the
right, y down. GO is the lower right corner and play goes clockwise, as on every printed
board. All words stand upright, so that a whole table can read them, and tokens stand in
a lane along the inner edge of the spaces, so that they hide no names.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import msgspec

SPACES_MIN: Final = 8
"""With fewer spaces, a side would have none between its corners."""

GAP: Final = 3
"""The distance between the parts of a space, in units of the drawing."""


class Rect(msgspec.Struct, frozen=True):
    """A rectangle; *x* and *y* are its upper left corner."""

    x: int
    y: int
    width: int
    height: int

    @property
    def middle(self) -> tuple[int, int]:
        """Its centre."""
        return self.x + self.width // 2, self.y + self.height // 2

    def inset(self, by: int) -> Rect:
        """Return a rectangle that is smaller by *by* on every side."""
        return Rect(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)


class BoardSize(msgspec.Struct, frozen=True):
    """The size of a board.

    Attributes:
        width: The width of the whole drawing.
        height: The height of the whole drawing.
        side: The depth of the spaces along the left and the right edge.
        end: The depth of the spaces along the upper and the lower edge.
        lane: Width of the lane for tokens.
        band: Width of a group's band, and of an owner's flag.
    """

    width: int = 1600
    height: int = 940
    side: int = 186
    end: int = 124
    lane: int = 46
    band: int = 28


TABLE: Final = BoardSize()
"""For the table's own screen."""

NARROW: Final = BoardSize(900, 1120, 150, 100, 46, 24)
"""For a phone: taller than wide."""


class Cell(msgspec.Struct, frozen=True):
    """Where one space and its parts lie.

    Attributes:
        edge: ``bottom``, ``left``, ``top``, ``right``, or ``corner``.
        box: The whole space.
        band: Its group's band, on the inner side.
        flag: Its owner's flag, on the outer side.
        words: The room left for name and price.
        lane: Where tokens stand without hiding anything.
    """

    edge: str
    box: Rect
    band: Rect
    flag: Rect
    words: Rect
    lane: Rect


EDGES: Final = ("bottom", "left", "top", "right")

COLUMNS_MAX: Final = 5
"""At most so many spaces of a strip stand beside each other."""

STRIP: Final = BoardSize(width=550, end=114, lane=48)
"""A strip's width on a phone; its height follows from its rows."""


@cache
def lay_out(count: int, frame: BoardSize = TABLE) -> tuple[Cell, ...]:
    """Return the cells of a board of *count* spaces, in the order of play.

    Raises:
        ValueError: For fewer spaces than ``SPACES_MIN``.
    """
    if count < SPACES_MIN:
        raise ValueError(f"expected at least {SPACES_MIN} spaces, got {count}")
    each, more = divmod(count - len(EDGES), len(EDGES))
    cells: list[Cell] = []
    for at, edge in enumerate(EDGES):
        cells.append(_corner(at, frame))
        # Each side gets an even share; spaces left over go to the first sides.
        between = each + (at < more)
        cells += (_between(edge, i, between, frame) for i in range(between))
    return tuple(cells)


def side_of(count: int, space: int) -> tuple[int, ...]:
    """Return the spaces of the side on which *space* lies, in the order of play.

    Both corners are among them. A corner belongs to the side that begins there.
    """
    cells = lay_out(count)
    corners = [at for at, cell in enumerate(cells) if cell.edge == "corner"]
    first = max(at for at in corners if at <= space)
    last = next((at for at in corners if at > space), count)
    return (*range(first, last), last % count)


RING: Final = 5
"""Room above a strip for the ring around the token of whoever has the dice."""


@cache
def lay_out_strip(count: int) -> tuple[BoardSize, tuple[Cell, ...]]:
    """Lay out *count* spaces in rows from left to right.

    Returns:
        The size of the whole strip, and the cell of each space.
    """
    rows = -(-count // COLUMNS_MAX)
    columns = -(-count // rows)
    row = STRIP.lane + STRIP.end
    cells = []
    for at in range(count):
        down, along = divmod(at, columns)
        low, high = _span(along, columns, STRIP.width)
        y = RING + down * row + STRIP.lane
        cells.append(_lying("bottom", Rect(low, y, high - low, STRIP.end), STRIP))
    return msgspec.structs.replace(STRIP, height=RING + rows * row), tuple(cells)


def _corner(at: int, frame: BoardSize) -> Cell:
    """Return a corner's cell, counted in the order of play from the lower right."""
    x = 0 if at in (1, 2) else frame.width - frame.side
    y = 0 if at in (2, 3) else frame.height - frame.end
    box = Rect(x, y, frame.side, frame.end)
    third = frame.end // 3
    words = Rect(x + GAP, y + GAP, frame.side - 2 * GAP, frame.end - third - 2 * GAP)
    lane = Rect(x, y + frame.end - third, frame.side, third)
    nothing = Rect(x, y, 0, 0)
    return Cell("corner", box, nothing, nothing, words, lane)


def _between(edge: str, at: int, count: int, frame: BoardSize) -> Cell:
    """Return cell *at* of the *count* cells along an edge, in the order of play."""
    if edge in ("top", "bottom"):
        place = at if edge == "top" else count - 1 - at
        low, high = _span(place, count, frame.width - 2 * frame.side)
        y = 0 if edge == "top" else frame.height - frame.end
        box = Rect(frame.side + low, y, high - low, frame.end)
        return _lying(edge, box, frame)
    place = at if edge == "right" else count - 1 - at
    low, high = _span(place, count, frame.height - 2 * frame.end)
    x = 0 if edge == "left" else frame.width - frame.side
    return _standing(edge, Rect(x, frame.end + low, frame.side, high - low), frame)


def _span(place: int, count: int, length: int) -> tuple[int, int]:
    """Return where cell *place* begins and ends: whole units, no gap, no overlap."""
    return place * length // count, (place + 1) * length // count


def _lying(edge: str, box: Rect, frame: BoardSize) -> Cell:
    """Return a cell of the upper or the lower edge, whose band runs across."""
    band, lane = frame.band, frame.lane
    inner, outer = box.y, box.y + box.height
    if edge == "top":
        inner, outer = outer - band, box.y + band
        lane_y = box.y + box.height
    else:
        lane_y = box.y - lane
    words_y = box.y + band + GAP
    return Cell(
        edge,
        box,
        band=Rect(box.x, inner, box.width, band),
        flag=Rect(box.x, outer - band, box.width, band),
        words=Rect(
            box.x + GAP, words_y, box.width - 2 * GAP, box.height - 2 * (band + GAP)
        ),
        lane=Rect(box.x, lane_y, box.width, lane),
    )


def _standing(edge: str, box: Rect, frame: BoardSize) -> Cell:
    """Return a cell of the left or the right edge, whose band runs down."""
    band, lane = frame.band, frame.lane
    if edge == "left":
        inner, outer, lane_x = box.x + box.width - band, box.x, box.x + box.width
    else:
        inner, outer, lane_x = box.x, box.x + box.width - band, box.x - lane
    words_x = box.x + band + GAP
    return Cell(
        edge,
        box,
        band=Rect(inner, box.y, band, box.height),
        flag=Rect(outer, box.y, band, box.height),
        words=Rect(
            words_x, box.y + GAP, box.width - 2 * (band + GAP), box.height - 2 * GAP
        ),
        lane=Rect(lane_x, box.y, lane, box.height),
    )


class Parts(msgspec.Struct, frozen=True):
    """Where a space's picture, name and price stand.

    Attributes:
        icon: The square of the picture; the picture of a deed lies on its band.
        name: The room for the name.
        note: The point at the middle of the price's baseline: x, y.
    """

    icon: Rect
    name: Rect
    note: tuple[int, int]


NOTE: Final = 22
"""The height of the line for a price, in units of the drawing."""


@cache
def arranged(
    cell: Cell, *, is_deed: bool, has_note: bool, has_flag: bool = True
) -> Parts:
    """Share out the inside of a space; a space without a deed keeps no room for bands.

    Args:
        cell: The space.
        is_deed: The space has a band, and room for an owner's flag.
        has_note: A price or another word stands below the name.
        has_flag: Somebody owns the deed; otherwise the name gets the flag's room too.
    """
    if is_deed and cell.edge in ("top", "bottom"):
        x, y = cell.flag.middle  # A price stands where the flag will.
        icon = on_band(cell.band, 1)[0]
        return Parts(icon, cell.words, (x, y + NOTE // 3))
    room = cell.words if is_deed or cell.edge == "corner" else cell.box.inset(GAP)
    if is_deed and not has_flag:
        x = min(room.x, cell.flag.x + GAP)
        room = Rect(x, room.y, room.width + cell.flag.width, room.height)
    low = NOTE if has_note else 0
    inner = Rect(room.x, room.y, room.width, room.height - low)
    if is_deed:
        (icon,), name = on_band(cell.band, 1), inner
    else:
        is_lying = cell.edge in ("left", "right")
        icon, name = _beside(inner) if is_lying else _above(inner)
    return Parts(icon, name, (name.middle[0], room.y + room.height - NOTE // 4))


def on_band(band: Rect, count: int) -> tuple[Rect, ...]:
    """Return the squares of *count* small pictures along a group's band, all within it.

    Pictures that do not fit beside each other overlap.
    """
    across, length = sorted((band.width, band.height))
    size = across - 2
    step = min(size + 2, (length - size) // max(1, count - 1))
    first = (length - size - step * (count - 1)) // 2
    along = [first + step * at for at in range(count)]
    if band.width > band.height:
        return tuple(Rect(band.x + by, band.y + 1, size, size) for by in along)
    return tuple(Rect(band.x + 1, band.y + by, size, size) for by in along)


def _above(room: Rect) -> tuple[Rect, Rect]:
    """Place a picture above the name: return both rectangles."""
    size = min(room.width, room.height * 11 // 20)
    icon = Rect(room.middle[0] - size // 2, room.y, size, size)
    return icon, Rect(room.x, room.y + size, room.width, room.height - size)


def _beside(room: Rect) -> tuple[Rect, Rect]:
    """Place a picture to the left of the name: return both rectangles."""
    size = min(room.width * 7 // 20, room.height)
    icon = Rect(room.x, room.middle[1] - size // 2, size, size)
    gap = 2 * GAP
    return icon, Rect(room.x + size + gap, room.y, room.width - size - gap, room.height)


RADIUS_MAX: Final = 21
RADIUS_GOOD: Final = 14
"""Smaller tokens could hardly be seen; below this size they may cover the name."""


class Spot(msgspec.Struct, frozen=True):
    """Where one token stands."""

    x: int
    y: int
    radius: int


def spots(cell: Cell, count: int) -> tuple[Spot, ...]:
    """Return places for *count* tokens on one space, none of which covers another."""
    if not count:
        return ()
    places = _packed(cell.lane, count)
    if places[0].radius < RADIUS_GOOD:
        places = _packed(_crowded(cell), count)
    return places


def _crowded(cell: Cell) -> Rect:
    """Return the area for many tokens, beside the price or the note of a mortgage."""
    if cell.edge in ("top", "bottom"):  # Both stand on the flag there.
        return _together(cell.lane, _together(cell.band, cell.words))
    area = _together(cell.lane, cell.box)
    if cell.edge == "corner":
        return area
    low = cell.words.y + cell.words.height - NOTE
    return Rect(area.x, area.y, area.width, low - area.y)


def _packed(area: Rect, count: int) -> tuple[Spot, ...]:
    """Return a grid of *count* circles in *area*, as large as possible."""
    radii = {
        columns: _radius(area, columns, -(-count // columns))
        for columns in range(1, count + 1)
    }
    radius = max(radii.values())
    columns = next(x for x in radii if radii[x] == radius)  # The fewest of them.
    rows = -(-count // columns)
    x, y = area.middle
    placed = []
    for at in range(count):
        row, column = divmod(at, columns)
        here = min(columns, count - row * columns)  # The last row may be shorter.
        placed.append(
            Spot(
                x + radius * (2 * column + 1 - here),
                y + radius * (2 * row + 1 - rows),
                radius,
            )
        )
    return tuple(placed)


def _radius(area: Rect, columns: int, rows: int) -> int:
    return min(RADIUS_MAX, area.width // (2 * columns), area.height // (2 * rows))


def _together(one: Rect, other: Rect) -> Rect:
    """Return the smallest rectangle that contains both."""
    x, y = min(one.x, other.x), min(one.y, other.y)
    right = max(one.x + one.width, other.x + other.width)
    low = max(one.y + one.height, other.y + other.height)
    return Rect(x, y, right - x, low - y)
