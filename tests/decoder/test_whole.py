"""What a learnt deck's box is drawn around: what every copy shows, and no more."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.decoder import Deck
from companion.decoder.portrait import SURE_MINS, Box, find_whole_box

BLANK = np.full((36, 36), -1, np.float32)
PIECE = Deck("piece", 30.0, 0.5, 18.0, BLANK, BLANK)
SIDE = 65
"""Elements of the area around PIECE's box, 1.8 times its side."""

SURE = SURE_MINS[0]
NOTHING = np.full((SIDE, SIDE), -1, np.float32)


def mean_copy(rows: slice, columns: slice, seed: int) -> NDArray[np.float32]:
    """A block that every copy shows, and a neighbour that each has elsewhere."""
    draw = np.random.default_rng(seed)
    found = []
    for _ in range(6):
        copy = np.full((SIDE, SIDE), -1, np.float32)
        copy[rows, columns] = 1
        at = int(draw.integers(0, 60))
        copy[at : at + 5, 58:63] = 1
        found.append(copy)
    return np.asarray(np.mean(found, axis=0), np.float32)


def block(box: Box) -> tuple[int, int, int, int]:
    """The box without its margin of 1.5 lines, 3 elements, on every side."""
    top, left, below, right = box.elements
    return top + 3, left + 3, below - 3, right - 3


def test_the_box_is_drawn_around_what_all_copies_show() -> None:
    shown = slice(8, 44), slice(20, 48)
    box = find_whole_box(
        PIECE, mean_copy(*shown, 1), mean_copy(*shown, 2), NOTHING, SURE
    )
    assert box is not None
    assert block(box) == (8, 20, 44, 48)
    # 36 of 36 elements are 18 lines; a margin of 1.5 lines goes above and below.
    assert box.lines == 18 + 3


def test_corners_are_told_in_sides_of_the_old_box_from_its_middle() -> None:
    shown = slice(8, 44), slice(20, 48)
    box = find_whole_box(
        PIECE, mean_copy(*shown, 1), mean_copy(*shown, 2), NOTHING, SURE
    )
    assert box is not None
    top, left, below, right = box.elements
    expected = [(left, top), (right, top), (right, below), (left, below)]
    elements = (np.array(expected) - SIDE / 2) / (SIDE / 1.8)
    assert np.array(box.corners) == pytest.approx(elements)


def test_what_only_the_masked_ones_show_belongs_to_it() -> None:
    plain = mean_copy(slice(20, 44), slice(20, 48), 1)
    box = find_whole_box(
        PIECE, plain, mean_copy(slice(8, 44), slice(20, 48), 2), NOTHING, SURE
    )
    assert box is not None
    assert block(box) == (8, 20, 44, 48)


@pytest.mark.parametrize(("gap_lines", "is_joined"), [(1, True), (3, True), (4, False)])
def test_a_hat_belongs_to_the_face_below_it_if_nearly_all_copies_show_it(
    gap_lines: int, *, is_joined: bool
) -> None:
    shown = mean_copy(slice(26, 46), slice(20, 48), 1)
    hat = slice(16 - 2 * gap_lines + 2, 26 - 2 * gap_lines), slice(24, 44)
    shown[hat] = 1
    sure = np.where(shown == 1, shown, NOTHING)
    some = find_whole_box(PIECE, shown, shown, NOTHING, SURE)
    every = find_whole_box(PIECE, shown, shown, sure, SURE)
    assert some is not None
    assert every is not None
    assert block(some)[0] == (hat[0].start if gap_lines == 1 else 26)
    assert block(every)[0] == (hat[0].start if is_joined else 26)


def test_a_thing_that_is_too_small_or_too_large_has_no_box() -> None:
    assert find_whole_box(PIECE, NOTHING, NOTHING, NOTHING, SURE) is None
    speck = slice(30, 33), slice(30, 33)
    assert (
        find_whole_box(PIECE, mean_copy(*speck, 1), mean_copy(*speck, 2), NOTHING, SURE)
        is None
    )
    tall = Deck("piece", 30.0, 0.5, 50.0, BLANK, BLANK)
    shown = slice(8, 60), slice(20, 48)
    assert (
        find_whole_box(tall, mean_copy(*shown, 1), mean_copy(*shown, 2), NOTHING, SURE)
        is None
    )
