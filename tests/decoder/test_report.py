"""What is sent to people of a print that cannot be learnt: the lines, and no more."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.decoder import house_deck, learn
from companion.decoder.report import PAINT, hint_for, lines_of
from companion.decoder.unscramble import unscramble
from companion.decoder.verdict import Reason
from companion.errors import Malformed
from companion.words import say
from tests.decoder.screens import panel

TABLE = (40, 60, 230)


def photo(turn_deg: float, lines: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Grey lines on white paper, on a red table."""
    paper = np.full((lines.shape[0] + 80, lines.shape[1] + 80, 3), 240, np.uint8)
    paper[40:-40, 40:-40] = lines
    rows, columns = paper.shape[:2]
    side = 900
    turn = cv2.getRotationMatrix2D((columns / 2, rows / 2), turn_deg, 1.0)
    turn[:, 2] += (side - columns) / 2, (side - rows) / 2
    laid = cv2.warpAffine(paper, turn, (side, side), borderValue=TABLE)
    return np.asarray(laid, np.uint8)


def note(side: int = 448) -> NDArray[np.uint8]:
    return panel(house_deck(), is_fake=True, pixels_per_line=5.0, side=side)


def stripes(side: int = 448) -> NDArray[np.uint8]:
    x, y = np.mgrid[:side, :side]
    wave = np.cos(2 * np.pi * (x / 6 + y / 17))
    grey = (128 + 80 * wave).astype(np.uint8)
    return np.repeat(grey[..., None], 3, axis=2)


@pytest.mark.parametrize("turn_deg", [0, 28, 61])
@pytest.mark.parametrize("lines", [note, stripes])
def test_a_report_shows_the_lines_and_nothing_of_the_table(
    turn_deg: float, lines: Callable[[], NDArray[np.uint8]]
) -> None:
    frame = photo(turn_deg, lines())
    before = frame.copy()
    found = lines_of(frame)
    picture = found.picture.astype(int)
    assert ((picture[..., 2] - picture[..., 0]) > 60).mean() == 0
    rows, columns = picture.shape[:2]
    left, top = found.left_px, found.top_px
    shown = (picture != PAINT).any(axis=2)
    assert (found.picture == frame[top : top + rows, left : left + columns])[
        shown
    ].all()
    assert shown.sum() > 0.8 * 448**2
    assert (frame == before).all()


def test_a_report_tells_what_was_measured() -> None:
    found = lines_of(photo(0, note()))
    assert found.pixels_per_line == pytest.approx(5.0, rel=0.03)
    assert found.angle_deg == pytest.approx(house_deck().angle_deg, abs=2)
    assert found.cells == pytest.approx((448 / 5) ** 2, rel=0.2)
    assert found.amplitude > 30
    assert found.coherence > 0.9
    assert 0.05 < found.rarer_share < 0.5
    assert lines_of(photo(0, stripes())).rarer_share < 0.03


def test_a_photo_without_lines_makes_no_report() -> None:
    with pytest.raises(Malformed, match="no lines to be seen"):
        lines_of(np.full((600, 600, 3), 128, np.uint8))


def test_a_lesson_of_lines_that_hide_nothing_says_what_may_be_sent() -> None:
    photos = [photo(turn, stripes()) for turn in (3, 9, 17, 25)]
    with pytest.raises(Malformed, match="nothing hidden in them") as refused:
        learn(photos[:2], photos[2:], "stripes")
    assert "companion learn --report" in refused.value.remedy
    nothing = unscramble(np.full((600, 600, 3), 128, np.uint8), say("it"), None)
    assert nothing.fault is Reason.NO_SCRAMBLED_PRINT
    assert hint_for([nothing]) == ""
