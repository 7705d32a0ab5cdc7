"""What a learnt deck's box is drawn around: what every copy shows, and no more."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.decoder import Deck
from companion.decoder.whole import whole_of

BLANK = np.full((36, 36), -1, np.float32)
PIECE = Deck("piece", 30.0, 0.5, 18.0, BLANK, BLANK)


def copies(rows: slice, columns: slice, seed: int) -> list[NDArray[np.float32]]:
    """A block that every copy shows, and a neighbour that each has elsewhere."""
    draw = np.random.default_rng(seed)
    found = []
    for _ in range(6):
        copy = np.full((65, 65), -1, np.float32)
        copy[rows, columns] = 1
        at = int(draw.integers(0, 60))
        copy[at : at + 5, 58:63] = 1
        found.append(copy)
    return found


def test_the_box_is_drawn_around_what_all_copies_show() -> None:
    shown = slice(8, 44), slice(20, 48)
    deck = whole_of(PIECE, copies(*shown, 1), copies(*shown, 2))
    assert deck is not None
    # 36 of 36 elements are 18 lines; a margin of 1.5 lines goes above and below.
    assert abs(deck.face_height_lines - (18 + 3)) <= 1
    assert deck.plain.shape == deck.masked.shape
    assert abs(deck.plain.shape[1] - (28 + 6)) <= 2
    assert deck.plain[:2].max() < 0
    assert deck.plain[8, 10] > 0.9


def test_what_only_the_masked_ones_show_belongs_to_it() -> None:
    without = slice(20, 44), slice(20, 48)
    deck = whole_of(PIECE, copies(*without, 1), copies(slice(8, 44), slice(20, 48), 2))
    assert deck is not None
    assert abs(deck.face_height_lines - (18 + 3)) <= 1


def test_where_nothing_is_shown_there_is_no_deck() -> None:
    blank = [np.full((65, 65), -1, np.float32)] * 3
    assert whole_of(PIECE, blank, blank) is None
    speck = slice(30, 33), slice(30, 33)
    assert whole_of(PIECE, copies(*speck, 1), copies(*speck, 2)) is None
