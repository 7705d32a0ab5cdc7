"""Lines too coarse for one size are read in a smaller picture, and told as they are."""

from __future__ import annotations

import math

import numpy as np
import pytest

from companion.decoder import Verdict, explain, house_deck, learn, read
from companion.decoder.scale import LINE_MAX, LINE_MIN, SIZES, STEP, ToFrame, views
from companion.decoder.tiles import FREQUENCY_MIN, TILE
from tests.decoder.screens import panel
from tests.sample import sampled

HOUSE = house_deck()


@pytest.mark.parametrize(
    "pixels_per_line", sampled([9.8, 33.0, 18.0, 10.5, 12.0, 15.0, 26.0])
)
@pytest.mark.parametrize("is_fake", sampled([False, True]))
def test_a_note_that_fills_the_picture_is_read(
    pixels_per_line: float, is_fake: bool
) -> None:
    side = round(70 * pixels_per_line)
    frame = panel(
        HOUSE,
        is_fake=is_fake,
        pixels_per_line=pixels_per_line,
        roll_deg=17,
        side=side,
    )
    first = read(frame, HOUSE)[0]
    assert first.verdict is (Verdict.FAKE if is_fake else Verdict.REAL)
    assert first.pixels_per_line == pytest.approx(pixels_per_line, rel=0.03)
    assert first.judgement is not None
    # The faces stand where they were drawn: a lattice around the frame's middle.
    roll, cell = math.radians(17), 1.3 * HOUSE.face_height_lines * pixels_per_line
    for face in first.judgement.faces:
        x, y = np.array(face.centre_px) - (side - 1) / 2
        u = x * math.cos(roll) + y * math.sin(roll)
        v = y * math.cos(roll) - x * math.sin(roll)
        off = [abs(w / cell - round(w / cell)) for w in (u, v)]
        assert max(off) < 0.06
    assert min(min(c) for c in first.corners_px) > -TILE
    assert max(max(c) for c in first.corners_px) < side + TILE
    shown = explain(frame, first, HOUSE)
    assert shown.face is not None


@pytest.mark.parametrize("pixels_per_line", [12.0, 15.0, 24.0, 40.0])
@pytest.mark.parametrize("turn_deg", [0, 37, 90])
def test_coarse_lines_that_hide_nothing_are_never_judged(
    pixels_per_line: float, turn_deg: float
) -> None:
    y, x = np.mgrid[:900, :900]
    turn = np.radians(turn_deg)
    wave = np.cos(2 * np.pi / pixels_per_line * (x * np.cos(turn) + y * np.sin(turn)))
    grey = (128 + 90 * wave).astype(np.uint8)
    readings = read(np.repeat(grey[..., None], 3, axis=2), HOUSE)
    assert {r.verdict for r in readings} == {Verdict.UNSURE}


@pytest.mark.slow
def test_a_deck_is_learnt_from_photos_that_the_note_fills() -> None:
    photos = [
        panel(HOUSE, is_fake=f, pixels_per_line=15.0, roll_deg=d, side=1440)
        for f, d in ((False, 3), (False, -5), (True, -2), (True, 6))
    ]
    learnt = learn(photos[:2], photos[2:], "mine")
    assert learnt.right_count == 4
    fresh = panel(HOUSE, is_fake=True, pixels_per_line=4.0, roll_deg=140, side=384)
    assert read(fresh, learnt.deck)[0].verdict is Verdict.FAKE


@pytest.mark.slow
def test_every_pitch_belongs_to_one_size_or_to_two_that_measure_it_almost_alike() -> (
    None
):
    # Neither a gap, nor room for a second opinion.
    assert 0.85 < STEP * LINE_MIN / LINE_MAX < 0.95
    assert LINE_MAX < 1 / FREQUENCY_MIN
    assert SIZES == (1, STEP, STEP * STEP)
    for line in np.geomspace(2.2, 90, 24).tolist():
        frame = panel(HOUSE, is_fake=True, pixels_per_line=line, side=TILE * 10)
        found = [
            view.reduction
            for view in views(np.ascontiguousarray(frame[:, :, 1]))
            for screen in view.screens
            if abs(screen.pixels_per_line * view.reduction / line - 1) < 0.05
        ]
        assert len(set(found)) <= (2 if is_shared(line) else 1)


def is_shared(line: float) -> bool:
    return any(
        0.94 * STEP * LINE_MIN < line / by < 1.06 * LINE_MAX for by in SIZES[:-1]
    )


@pytest.mark.parametrize("shape", [(63, 900), (64, 64), (191, 400), (192, 192)])
def test_a_size_that_holds_no_tile_is_left_out(shape: tuple[int, int]) -> None:
    seen = [(v.reduction, v.grey.shape) for v in views(np.full(shape, 90, np.uint8))]
    assert [by for by, _ in seen] == [by for by in SIZES if min(shape) >= TILE * by]
    assert all(s == (shape[0] // by, shape[1] // by) for by, s in seen)


def test_the_way_back_leads_from_the_middle_of_a_pixel_to_the_middle_of_its_nine() -> (
    None
):
    first = read(panel(HOUSE, is_fake=True, pixels_per_line=4.0), HOUSE)[0]
    assert first.field is not None
    back = ToFrame(3, left=30, top=60).convert_field(first.field)
    x, y = first.field.origin_px
    assert back.origin_px == (3 * x + 31, 3 * y + 61)
    assert back.step_px == 3 * first.field.step_px
    assert back.pixels_per_line == pytest.approx(3 * first.field.pixels_per_line)
    assert back.samples_per_line == pytest.approx(first.field.samples_per_line)
