"""Where everything lies on a drawn board: spaces, bands, names, tokens.

This is pure geometry for any number of spaces, in units of the drawing: x to the
right, y down. GO is the lower right corner and play goes clockwise, as on every printed
board. All words stand upright, so that a whole table can read them. A space's *number*
counts from GO, which is 0.

A space is drawn in a *cell*. Along its inner side runs the *band* in the colour of its
group, and along its outer side the *flag* in the colour of its owner. Its tokens stand
in a *lane* inside the ring of cells, so that they hide no names. The *note* is a short
text below the name, mostly a price. A *strip* shows part of the board in rows, for a
phone.
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

    def inset(self, margin: int) -> Rect:
        """Return this rectangle without a margin of that width on every side."""
        width, height = self.width - 2 * margin, self.height - 2 * margin
        return Rect(self.x + margin, self.y + margin, width, height)

    def mirrored(self) -> Rect:
        """Return this rectangle mirrored at the diagonal: x and y change places."""
        return Rect(self.y, self.x, self.height, self.width)


class BoardSize(msgspec.Struct, frozen=True):
    """The size of a board, in units of the drawing.

    Attributes:
        width: The width of the whole drawing.
        height: Its height.
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
"""The board on the table's own screen."""

NARROW: Final = BoardSize(width=900, height=1120, side=150, end=100, lane=46, band=24)
"""The board on a phone, taller than wide."""


class Cell(msgspec.Struct, frozen=True):
    """Where one space and its parts lie.

    Attributes:
        edge: ``bottom``, ``left``, ``top``, ``right``, or ``corner``.
        box: The whole space.
        band: Its group's band, on the inner side.
        flag: Its owner's flag, on the outer side.
        words: The room that is left for the name and the price.
        lane: Where tokens stand without hiding anything.
    """

    edge: str
    box: Rect
    band: Rect
    flag: Rect
    words: Rect
    lane: Rect


EDGES: Final = ("bottom", "left", "top", "right")
"""The edges in the order of play; the corner before each has the same index."""

COLUMNS_MAX: Final = 5
"""The most spaces in a row of a strip."""

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
    shorter, longer_sides = divmod(count - len(EDGES), len(EDGES))
    cells: list[Cell] = []
    for index, edge in enumerate(EDGES):
        cells.append(_corner_before(edge, frame))
        # If the spaces cannot be divided evenly, the first sides get one more each.
        length = shorter + 1 if index < longer_sides else shorter
        cells += (_side_cell(edge, place, length, frame) for place in range(length))
    return tuple(cells)


def side_of(count: int, space: int) -> tuple[int, ...]:
    """Return the numbers of the spaces on the side of *space*, with both corners.

    A corner belongs to the side that begins there.
    """
    cells = lay_out(count)
    corners = [number for number, cell in enumerate(cells) if cell.edge == "corner"]
    first = max(number for number in corners if number <= space)
    last = next((number for number in corners if number > space), count)
    return (*range(first, last), last % count)


RING_HEIGHT: Final = 5
"""Room above a strip for the ring around the token of the player whose turn it is."""


@cache
def lay_out_strip(count: int) -> tuple[BoardSize, tuple[Cell, ...]]:
    """Return the size of a strip of *count* spaces, and the cell of each space."""
    rows = _divided_up(count, COLUMNS_MAX)
    columns = _divided_up(count, rows)
    row_height = STRIP.lane + STRIP.end
    cells = []
    for index in range(count):
        row, column = divmod(index, columns)
        left, right = _span(column, columns, STRIP.width)
        y = RING_HEIGHT + row * row_height + STRIP.lane
        box = Rect(left, y, right - left, STRIP.end)
        cells.append(_cell_of_edge("bottom", box, STRIP))
    height = RING_HEIGHT + rows * row_height
    return msgspec.structs.replace(STRIP, height=height), tuple(cells)


def _divided_up(dividend: int, divisor: int) -> int:
    """Return the quotient, rounded up."""
    return -(-dividend // divisor)


def _corner_before(edge: str, frame: BoardSize) -> Cell:
    """Return the corner that comes before an edge in the order of play.

    A corner has no band and no flag; its lane is the lower third of the cell itself.
    """
    x = 0 if edge in ("left", "top") else frame.width - frame.side
    y = 0 if edge in ("top", "right") else frame.height - frame.end
    box = Rect(x, y, frame.side, frame.end)
    third = frame.end // 3
    words = Rect(x + GAP, y + GAP, frame.side - 2 * GAP, frame.end - third - 2 * GAP)
    lane = Rect(x, y + frame.end - third, frame.side, third)
    nothing = Rect(x, y, 0, 0)
    return Cell("corner", box, nothing, nothing, words, lane)


def _side_cell(edge: str, place: int, count: int, frame: BoardSize) -> Cell:
    """Return one of the *count* cells between two corners; *place* 0 is first in play.

    Play goes to the left along the lower edge, and up along the left one.
    """
    if edge in ("top", "bottom"):
        from_left = place if edge == "top" else count - 1 - place
        left, right = _span(from_left, count, frame.width - 2 * frame.side)
        y = 0 if edge == "top" else frame.height - frame.end
        box = Rect(frame.side + left, y, right - left, frame.end)
        return _cell_of_edge(edge, box, frame)
    from_top = place if edge == "right" else count - 1 - place
    upper, lower = _span(from_top, count, frame.height - 2 * frame.end)
    x = 0 if edge == "left" else frame.width - frame.side
    box = Rect(x, frame.end + upper, frame.side, lower - upper)
    return _cell_of_edge(edge, box, frame)


def _span(index: int, count: int, length: int) -> tuple[int, int]:
    """Return where one of *count* equal parts of a length begins and ends.

    Both are whole units, without a gap or an overlap between the parts.
    """
    return index * length // count, (index + 1) * length // count


def _cell_of_edge(edge: str, box: Rect, frame: BoardSize) -> Cell:
    """Return a cell whose band lies towards the middle of the board.

    A cell of the left or the right edge is one of the upper or the lower edge, mirrored
    at the diagonal: its band runs from top to bottom.
    """
    is_upright = edge in ("left", "right")
    if is_upright:
        box = box.mirrored()
    band, lane = frame.band, frame.lane
    upper, lower = box.y, box.y + box.height - band
    is_first = edge in ("top", "left")
    band_y, flag_y = (lower, upper) if is_first else (upper, lower)
    lane_y = box.y + box.height if is_first else box.y - lane
    words_y, words_height = box.y + band + GAP, box.height - 2 * (band + GAP)
    parts = (
        box,
        Rect(box.x, band_y, box.width, band),
        Rect(box.x, flag_y, box.width, band),
        Rect(box.x + GAP, words_y, box.width - 2 * GAP, words_height),
        Rect(box.x, lane_y, box.width, lane),
    )
    return Cell(edge, *(part.mirrored() if is_upright else part for part in parts))


class Parts(msgspec.Struct, frozen=True):
    """Where a space's picture, name and price stand.

    Attributes:
        icon: The square of the picture; the picture of a deed lies on its band.
        name: The room for the name.
        note: The x and y of the middle of the note's baseline.
    """

    icon: Rect
    name: Rect
    note: tuple[int, int]


NOTE_HEIGHT: Final = 22
"""The height of a note's line, in units of the drawing."""

NOTE_DEPTH: Final = NOTE_HEIGHT // 4
"""The distance from a note's baseline down to the end of its line."""

ON_FLAG_DEPTH: Final = NOTE_HEIGHT // 3
"""The distance from the middle of a flag down to the baseline of a note on it."""

ICON_ABOVE_PERCENT: Final = 55
"""The most that a picture above the name takes of the height."""

ICON_BESIDE_PERCENT: Final = 35
"""The most that a picture beside the name takes of the width."""


@cache
def arrange_parts(
    cell: Cell, *, is_deed: bool, has_note: bool, has_flag: bool = True
) -> Parts:
    """Place the picture, the name and the note of a space in its cell.

    A space without a deed has no band and no flag, so its parts get that room too.

    Args:
        cell: The cell of the space.
        is_deed: The space has a band, and room for an owner's flag.
        has_note: The space has a note.
        has_flag: Somebody owns the deed; if not, the name gets the flag's room too.
    """
    if is_deed and cell.edge in ("top", "bottom"):
        x, y = cell.flag.middle  # The note stands where an owner's flag will be.
        icon = squares_on_band(cell.band, 1)[0]
        return Parts(icon, cell.words, (x, y + ON_FLAG_DEPTH))
    room = cell.words if is_deed or cell.edge == "corner" else cell.box.inset(GAP)
    if is_deed and not has_flag:
        x = min(room.x, cell.flag.x + GAP)
        room = Rect(x, room.y, room.width + cell.flag.width, room.height)
    note_height = NOTE_HEIGHT if has_note else 0
    above_note = Rect(room.x, room.y, room.width, room.height - note_height)
    if is_deed:
        icon, name = squares_on_band(cell.band, 1)[0], above_note
    elif cell.edge in ("left", "right"):
        icon, name = _with_icon_beside(above_note)
    else:
        icon, name = _with_icon_above(above_note)
    baseline = room.y + room.height - NOTE_DEPTH
    return Parts(icon, name, (name.middle[0], baseline))


def squares_on_band(band: Rect, count: int) -> tuple[Rect, ...]:
    """Return the squares of *count* small pictures along a band, one unit from its rim.

    Pictures that do not fit beside each other overlap.
    """
    rim = 1
    thickness, length = sorted((band.width, band.height))
    size = thickness - 2 * rim
    step = min(size + 2, (length - size) // max(1, count - 1))
    first = (length - size - step * (count - 1)) // 2
    starts = [first + step * index for index in range(count)]
    if band.width > band.height:
        y = band.y + rim
        return tuple(Rect(band.x + start, y, size, size) for start in starts)
    x = band.x + rim
    return tuple(Rect(x, band.y + start, size, size) for start in starts)


def _with_icon_above(room: Rect) -> tuple[Rect, Rect]:
    """Return the square of a picture, and the room for a name below it."""
    size = min(room.width, room.height * ICON_ABOVE_PERCENT // 100)
    icon = Rect(room.middle[0] - size // 2, room.y, size, size)
    return icon, Rect(room.x, room.y + size, room.width, room.height - size)


def _with_icon_beside(room: Rect) -> tuple[Rect, Rect]:
    """Return the square of a picture, and the room for a name to its right."""
    size = min(room.width * ICON_BESIDE_PERCENT // 100, room.height)
    icon = Rect(room.x, room.middle[1] - size // 2, size, size)
    gap = 2 * GAP
    return icon, Rect(room.x + size + gap, room.y, room.width - size - gap, room.height)


RADIUS_MAX: Final = 21
"""The radius of a token that has enough room, in units of the drawing."""

RADIUS_GOOD: Final = 14
"""Tokens whose radius in the lane would be smaller may hide names instead."""


class Spot(msgspec.Struct, frozen=True):
    """Where one token stands: the middle and the radius of its circle."""

    x: int
    y: int
    radius: int


def token_spots(cell: Cell, count: int) -> tuple[Spot, ...]:
    """Return places beside each other for *count* tokens on one space.

    They lie in the lane, unless the tokens would be too small there.
    """
    if not count:
        return ()
    spots = _grid(cell.lane, count)
    if spots[0].radius < RADIUS_GOOD:
        spots = _grid(_crowd_area(cell), count)
    return spots


def _crowd_area(cell: Cell) -> Rect:
    """Return the area for many tokens: the lane and the cell, but not its note."""
    if cell.edge in ("top", "bottom"):  # The note stands on the flag there.
        return _around(cell.lane, _around(cell.band, cell.words))
    area = _around(cell.lane, cell.box)
    if cell.edge == "corner":
        return area
    note_y = cell.words.y + cell.words.height - NOTE_HEIGHT
    return Rect(area.x, area.y, area.width, note_y - area.y)


def _grid(area: Rect, count: int) -> tuple[Spot, ...]:
    """Return a grid of *count* circles in *area*, as large as possible."""
    radii = {
        columns: _radius(area, columns, _divided_up(count, columns))
        for columns in range(1, count + 1)
    }
    columns = max(radii, key=radii.__getitem__)  # Of equal ones, the fewest columns.
    radius = radii[columns]
    rows = _divided_up(count, columns)
    x, y = area.middle
    spots = []
    for index in range(count):
        row, column = divmod(index, columns)
        in_row = min(columns, count - row * columns)  # The last row may be shorter.
        # Each row, and the column of rows, is centred on the middle of the area.
        right = radius * (2 * column + 1 - in_row)
        down = radius * (2 * row + 1 - rows)
        spots.append(Spot(x + right, y + down, radius))
    return tuple(spots)


def _radius(area: Rect, columns: int, rows: int) -> int:
    """Return the largest radius at which these columns and rows of circles fit."""
    return min(RADIUS_MAX, area.width // (2 * columns), area.height // (2 * rows))


def _around(first: Rect, second: Rect) -> Rect:
    """Return the smallest rectangle that contains both."""
    x, y = min(first.x, second.x), min(first.y, second.y)
    right = max(first.x + first.width, second.x + second.width)
    bottom = max(first.y + first.height, second.y + second.height)
    return Rect(x, y, right - x, bottom - y)
