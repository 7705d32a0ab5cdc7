"""A board of any size lies flat: no space covers another, no token hides a token."""

from __future__ import annotations

import itertools

import pytest

from companion.rules.walking import same_side
from companion.views.board_layout import (
    NARROW,
    NOTE_HEIGHT,
    RING_HEIGHT,
    SPACES_MIN,
    TABLE,
    BoardSize,
    Cell,
    Rect,
    arrange_parts,
    lay_out,
    lay_out_strip,
    side_of,
    squares_on_band,
    token_spots,
)
from tests.guided import Guided
from tests.sample import each

of_any_size = each("count", range(24, 61))
SEATS_MAX = 8


def overlap(one: Rect, other: Rect) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def within(inner: Rect, outer: Rect) -> bool:
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and inner.x + inner.width <= outer.x + outer.width
        and inner.y + inner.height <= outer.y + outer.height
    )


@pytest.mark.parametrize("frame", [TABLE, NARROW], ids=["table", "narrow"])
@of_any_size
def test_every_space_has_its_own_place(count: int, frame: BoardSize) -> None:
    cells = lay_out(count, frame)
    whole = Rect(0, 0, frame.width, frame.height)
    assert len(cells) == count
    assert all(within(cell.box, whole) for cell in cells)
    assert all(cell.box.width > 0 and cell.box.height > 0 for cell in cells)
    for one, other in itertools.combinations(cells, 2):
        assert not overlap(one.box, other.box)


@of_any_size
def test_spaces_follow_each_other_around_the_board(count: int) -> None:
    boxes = [cell.box for cell in lay_out(count)]
    for one, other in itertools.pairwise([*boxes, boxes[0]]):
        wider = Rect(one.x - 1, one.y - 1, one.width + 2, one.height + 2)
        assert overlap(wider, other), "a space touches the next"


@pytest.mark.parametrize("count", [24, 40, 52])
def test_a_square_board_has_a_quarter_on_each_side(count: int) -> None:
    edges = [cell.edge for cell in lay_out(count)]
    corners = [at for at, edge in enumerate(edges) if edge == "corner"]
    assert corners == [0, count // 4, count // 2, 3 * count // 4]
    assert [edges[at + 1] for at in corners] == ["bottom", "left", "top", "right"]


def test_go_is_the_lower_right_corner_and_play_goes_clockwise() -> None:
    cells = lay_out(40)
    go, first = cells[0].box, cells[1].box
    assert go.x + go.width == TABLE.width
    assert go.y + go.height == TABLE.height
    assert first.x < go.x


def test_too_small_a_board_is_refused_with_the_limit() -> None:
    assert len(lay_out(SPACES_MIN)) == SPACES_MIN
    with pytest.raises(ValueError, match="expected at least 8 spaces, got 7"):
        lay_out(7)


@of_any_size
def test_the_parts_of_a_space_lie_in_it_and_apart(count: int) -> None:
    for cell in lay_out(count):
        for is_deed, has_note, has_flag in itertools.product((True, False), repeat=3):
            if cell.edge == "corner" and is_deed:
                continue
            parts = arrange_parts(
                cell, is_deed=is_deed, has_note=has_note, has_flag=has_flag
            )
            assert within(parts.name, cell.box)
            assert within(parts.icon, cell.box)
            assert not overlap(parts.name, parts.icon)
            assert parts.name.height >= 20
            if is_deed:
                assert not overlap(parts.name, cell.band)
                assert not (has_flag and overlap(parts.name, cell.flag))
                assert not overlap(cell.flag, cell.band)


def around(cell: Cell) -> Rect:
    box, lane = cell.box, cell.lane
    x, y = min(box.x, lane.x), min(box.y, lane.y)
    right = max(box.x + box.width, lane.x + lane.width)
    low = max(box.y + box.height, lane.y + lane.height)
    return Rect(x, y, right - x, low - y)


@pytest.mark.parametrize("seats", range(1, SEATS_MAX + 1))
@of_any_size
def test_tokens_on_one_space_do_not_cover_each_other(count: int, seats: int) -> None:
    for cell in lay_out(count):
        placed = token_spots(cell, seats)
        assert len(placed) == seats
        for spot in placed:
            assert spot.radius >= 9, "a token is large enough to be seen"
            reach = Rect(
                spot.x - spot.radius,
                spot.y - spot.radius,
                2 * spot.radius,
                2 * spot.radius,
            )
            assert within(reach, around(cell))
        for one, other in itertools.combinations(placed, 2):
            apart_squared = (one.x - other.x) ** 2 + (one.y - other.y) ** 2
            assert apart_squared >= (one.radius + other.radius) ** 2


@pytest.mark.parametrize("count", [24, 40, 52])
def test_a_lonely_token_hides_no_name(count: int) -> None:
    for cell in lay_out(count):
        (spot,) = token_spots(cell, 1)
        reach = Rect(
            spot.x - spot.radius, spot.y - spot.radius, 2 * spot.radius, 2 * spot.radius
        )
        parts = arrange_parts(cell, is_deed=cell.edge != "corner", has_note=True)
        assert not overlap(reach, parts.name)


@of_any_size
def test_buildings_stay_on_their_band_and_each_shows_its_roof(count: int) -> None:
    for cell in lay_out(count):
        if cell.edge == "corner":
            continue
        for built in range(1, 6):
            places = squares_on_band(cell.band, built)
            assert len(set(places)) == built
            assert all(within(place, cell.band) for place in places)
            for one, next_one in itertools.pairwise(places):
                assert next_one.x - one.x + next_one.y - one.y >= 4
    assert squares_on_band(lay_out(count)[1].band, 0) == ()


def test_two_pictures_on_a_band_do_not_cover_each_other() -> None:
    for cell in lay_out(52):
        if cell.edge != "corner":
            assert not overlap(*squares_on_band(cell.band, 2))


@each(
    ("space", "side"),
    [
        (0, (*range(13), 13)),
        (12, (*range(13), 13)),
        (13, tuple(range(13, 27))),
        (38, tuple(range(26, 40))),
        (39, (*range(39, 52), 0)),
        (51, (*range(39, 52), 0)),
    ],
)
def test_a_side_has_both_its_corners(space: int, side: tuple[int, ...]) -> None:
    assert side_of(52, space) == side


@of_any_size
def test_every_space_is_on_its_side_and_sides_share_only_corners(count: int) -> None:
    sides = {side_of(count, space) for space in range(count)}
    assert len(sides) == 4
    assert sum(len(side) - 1 for side in sides) == count
    for space in range(count):
        assert space in side_of(count, space)[:-1]


@pytest.mark.parametrize("edition", ["classic", "secret-vault", "mega"])
def test_a_ticket_takes_one_along_the_side_that_is_drawn(edition: str) -> None:
    board = Guided(edition).game.board
    assert board is not None
    for space in range(board.size):
        side = side_of(board.size, space)
        assert tuple(same_side(board, space)) == side[side.index(space) + 1 :]


@each("count", range(3, 17))
def test_a_strip_covers_nothing_and_has_no_row_of_one_alone(count: int) -> None:
    frame, cells = lay_out_strip(count)
    whole = Rect(0, 0, frame.width, frame.height)
    assert len(cells) == count
    for cell in cells:
        assert within(cell.box, whole)
        assert within(cell.lane, whole)
        assert cell.box.width >= 110
    parts = [part for cell in cells for part in (cell.box, cell.lane)]
    for one, other in itertools.combinations(parts, 2):
        assert not overlap(one, other)
    rows = [sum(x.box.y == cell.box.y for x in cells) for cell in cells]
    assert min(rows) > 1


@each("seats", range(1, SEATS_MAX + 1))
def test_tokens_on_a_strip_stay_in_it(seats: int) -> None:
    frame, cells = lay_out_strip(14)
    for cell in cells:
        for spot in token_spots(cell, seats):
            assert spot.y - spot.radius >= RING_HEIGHT  # It marks whose turn it is.
            assert spot.y + spot.radius <= frame.height


def test_nobody_needs_no_place() -> None:
    assert token_spots(lay_out(40)[0], 0) == ()


@each(("frame", "count"), itertools.product([TABLE, NARROW], [32, 40, 52]))
def test_no_token_lies_on_what_a_space_says_of_its_deed(count, frame) -> None:
    for cell in lay_out(count, frame):
        if cell.edge == "corner":
            continue
        x, y = arrange_parts(cell, is_deed=True, has_note=True).note
        for tokens in range(1, 9):
            for spot in token_spots(cell, tokens):
                across, along = abs(spot.x - x), abs(spot.y - (y - NOTE_HEIGHT // 3))
                is_beside = across >= spot.radius + NOTE_HEIGHT
                assert is_beside or along >= spot.radius + NOTE_HEIGHT // 3, (
                    tokens,
                    spot,
                )
