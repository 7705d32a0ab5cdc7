"""A photo for a lesson is cut down to its print, from near and from far."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.decoder import Reading, Verdict, house_deck, read
from companion.decoder.deck import Family
from companion.errors import Malformed
from hardware.photos.lesson_photo import PIXELS_PER_LINE_MAX, cut_out
from tests.decoder.screens import in_strips, laced, panel

HOUSE = house_deck()


def first_of(png: bytes) -> Reading:
    pixels = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    return read(np.asarray(pixels, np.uint8), HOUSE)[0]


@pytest.mark.parametrize("pixels_per_line", [5.0, 12.0, 18.0])
def test_a_print_is_kept_no_finer_than_a_lesson_needs(pixels_per_line: float) -> None:
    side = round(70 * pixels_per_line)
    frame = panel(HOUSE, is_fake=True, pixels_per_line=pixels_per_line, side=side)
    kept = first_of(cut_out(frame)[0])
    assert kept.verdict is Verdict.FAKE
    expected = min(pixels_per_line, PIXELS_PER_LINE_MAX)
    assert kept.pixels_per_line == pytest.approx(expected, rel=0.06)


@pytest.mark.slow
def test_lines_too_weak_to_read_do_not_hide_a_print_that_can_be() -> None:
    halves = [np.roll(face, 18, axis=0) for face in (HOUSE.plain, HOUSE.masked)]
    other = replace(HOUSE, plain=halves[0], masked=halves[1])
    near = panel(other, is_fake=True, pixels_per_line=5.0, side=384)
    far = panel(HOUSE, is_fake=True, pixels_per_line=2.4, side=512)
    frame = np.full((640, 1100, 3), 135, np.float32)
    frame[64:576, 64:576] += (far.astype(np.float32) - 135) / 75 * 10
    frame[64:448, 640:1024] = near
    frame += np.random.default_rng(3).normal(0, 16, frame.shape[:2])[..., None]
    shot = np.clip(frame, 0, 255).astype(np.uint8)
    reasons = [str(r.reason) for r in read(shot, HOUSE)]
    assert "None" not in reasons
    assert "too_far" in reasons
    assert first_of(cut_out(shot)[0]).pixels_per_line == pytest.approx(5.0, rel=0.04)
    with pytest.raises(Malformed, match="too far away in this photo; go closer"):
        cut_out(np.ascontiguousarray(shot[:, :600]))


@pytest.mark.parametrize("shift", [0.25, 1 / 3, 0.5])
def test_a_print_is_kept_however_little_its_lines_move(shift: float) -> None:
    other = replace(HOUSE, shift=shift)
    frame = panel(other, is_fake=True, pixels_per_line=5.0, roll_deg=4, side=448)
    pixels = cv2.imdecode(np.frombuffer(cut_out(frame)[0], np.uint8), cv2.IMREAD_COLOR)
    assert read(np.asarray(pixels, np.uint8), other)[0].verdict is Verdict.FAKE


@pytest.mark.parametrize("family", [Family.INTERLACED, Family.STRIPS])
def test_a_print_of_another_family_is_kept_as_well(family: Family) -> None:
    if family is Family.INTERLACED:
        frame = laced(HOUSE, is_fake=True, pixels_per_line=5.0, roll_deg=4, seed=3)
    else:
        frame = in_strips(HOUSE, is_fake=True, shown=-2, roll_deg=4)
    pixels = cv2.imdecode(np.frombuffer(cut_out(frame)[0], np.uint8), cv2.IMREAD_COLOR)
    other = replace(HOUSE, family=family)
    assert read(np.asarray(pixels, np.uint8), other)[0].verdict is Verdict.FAKE
