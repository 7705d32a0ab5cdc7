"""Pictures in strips that are turned over or squeezed, without lines of their own."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.decoder import Reason, Verdict, house_deck, learn, load_deck, read
from companion.decoder import save_deck as saved
from companion.decoder.deck import Family
from companion.decoder.strips import find_strips, join_strips
from companion.errors import Malformed
from tests.decoder.screens import in_strips, panel

HOUSE = house_deck()
CUT = replace(HOUSE, family=Family.STRIPS)

WAYS = ((-1.0, True), (2.0, False), (-2.0, False), (-3.0, True))


def wanted(*, is_fake: bool) -> Verdict:
    return Verdict.FAKE if is_fake else Verdict.REAL


def said(frame: NDArray[np.uint8]) -> tuple[Verdict, Reason | None]:
    first = read(frame, CUT)[0]
    return first.verdict, first.reason


@pytest.mark.parametrize(("shown", "is_fake"), WAYS)
def test_a_deck_of_the_family_reads_a_note_however_its_strips_were_made(
    shown: float, is_fake: bool
) -> None:
    frame = in_strips(HOUSE, is_fake=is_fake, shown=shown, roll_deg=20)
    assert said(frame) == (wanted(is_fake=is_fake), None)


def test_the_strips_are_where_they_were_drawn() -> None:
    frame = in_strips(HOUSE, is_fake=True, shown=-2, pixels_per_line=5.5)
    (screen,) = find_strips(frame[..., 1])
    assert screen.pixels_per_line == pytest.approx(5.5, rel=0.01)
    (field,) = join_strips(frame[..., 1], screen)
    whole = in_strips(HOUSE, is_fake=True, shown=1, pixels_per_line=5.5)[..., 1]
    left, top = (round(at) for at in field.origin_px)
    rows, columns = field.soft.shape
    size = (columns * field.step_px, rows * field.step_px)
    drawn = cv2.resize(
        cv2.GaussianBlur(whole, (0, 0), 1.5)[
            top : top + size[1], left : left + size[0]
        ],
        (columns, rows),
        interpolation=cv2.INTER_AREA,
    )
    inside = field.weight > 0.9
    alike = np.corrcoef(drawn[inside], field.soft[inside])[0, 1]
    assert alike > 0.9


def test_faces_in_plain_sight_are_no_print_of_the_family() -> None:
    whole = in_strips(HOUSE, is_fake=True, shown=1)
    assert find_strips(whole[..., 1]) == ()
    assert said(whole) == (Verdict.UNSURE, Reason.NO_SCRAMBLED_PRINT)


@pytest.mark.parametrize("grey", [60, 210])
def test_what_lies_over_the_eyes_is_no_part_of_the_print(grey: int) -> None:
    """Ink or fluid: the eyes of every face lie under it, and it has no seams."""
    deck = HOUSE
    frame = in_strips(deck, is_fake=grey > 100, shown=-1, pixels_per_line=5.0)
    line, cell = 5.0, 1.3 * deck.face_height_lines
    differ = np.abs(deck.masked - deck.plain).sum(axis=1)
    rows = np.flatnonzero(differ > 0.2 * differ.max())
    scale = deck.face_height_lines / len(differ)
    high, low = (
        (at - len(differ) / 2) * scale for at in (rows[0] - 1.0, rows[-1] + 2.0)
    )
    middle = frame.shape[0] / 2
    for down in range(-3, 4):
        top, bottom = (
            max(0, round(middle + (down * cell + at) * line)) for at in (high, low)
        )
        frame[top:bottom] = grey
    assert said(frame)[0] is Verdict.UNSURE


def test_a_lesson_is_learnt_and_reads_what_it_has_not_shown() -> None:
    real, fake = (
        [
            in_strips(HOUSE, is_fake=is_fake, shown=-1, roll_deg=roll, seed=k)
            for k, roll in enumerate(rolls)
        ]
        for is_fake, rolls in ((False, (3.0, -5.0)), (True, (-2.0, 6.0)))
    )
    learnt = learn(real, fake, "mine")
    assert learnt.deck.family is Family.STRIPS
    assert (learnt.right_count, learnt.photos_count) == (4, 4)
    deck = load_deck(saved(learnt.deck))
    for is_fake in (False, True):
        frame = in_strips(HOUSE, is_fake=is_fake, shown=-1, roll_deg=160)
        assert read(frame, deck)[0].verdict is wanted(is_fake=is_fake)


def test_lines_are_no_print_of_the_family() -> None:
    carrier = panel(HOUSE, is_fake=True, pixels_per_line=6.0)
    assert said(carrier)[0] is Verdict.UNSURE
    with pytest.raises(Malformed):
        learn([carrier] * 2, [carrier] * 2, "mine")
