"""What `read` promises: verdicts, causes of unsure, refusals; on golden frames."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from companion.decoder import Reason, Verdict, explain, house_deck, read
from companion.errors import Malformed
from tests.decoder.screens import panel, stored
from tests.sample import each

GOLDEN = Path(__file__).parent / "golden"
TRUTH = json.loads((GOLDEN / "truth.json").read_text(encoding="utf-8"))
HOUSE = house_deck()


def golden(name: str) -> NDArray[np.uint8]:
    return stored(GOLDEN / f"{name}.jpg")


@each("name", TRUTH)
def test_a_golden_frame_reads_as_its_truth_says(name: str) -> None:
    first = read(golden(name), HOUSE)[0]
    assert str(first.reason or first.verdict) == TRUTH[name]["expected"]
    if first.verdict is not Verdict.UNSURE:
        assert str(first.verdict) == TRUTH[name]["truth"]
        assert 0.9 < first.confidence < 1
        assert abs(first.pixels_per_line - TRUTH[name]["pixels_per_line"]) < 0.15


@each("name", sorted(set(TRUTH) - {"upside_down"}))
def test_a_golden_frame_says_what_it_is_called(name: str) -> None:
    assert TRUTH[name]["expected"] == name


def test_there_is_a_golden_frame_of_every_verdict_and_reason() -> None:
    wanted = {str(one) for kind in (Verdict, Reason) for one in kind}
    # A whole page of prints is no small frame; see test_page.py.
    assert wanted - set(TRUTH) == {"unsure", "too_many"}


@each("name", TRUTH)
def test_a_golden_frame_is_small(name: str) -> None:
    assert (GOLDEN / f"{name}.jpg").stat().st_size < 60_000


@pytest.mark.parametrize("name", ["real", "fake", "upside_down", "mirrored"])
def test_a_flipped_frame_is_read_right_or_told_to_be_mirrored(name: str) -> None:
    frame = golden(name)
    for turned in (frame[:, ::-1], frame[::-1], frame[:, ::-1].transpose(1, 0, 2)):
        first = read(np.ascontiguousarray(turned), HOUSE)[0]
        said = str(first.reason or first.verdict)
        assert said in ("mirrored", TRUTH[name]["truth"])


def test_a_note_of_another_deck_is_not_told_to_be_mirrored() -> None:
    frame = golden("not_a_deck_i_know")
    for seen in (frame, np.ascontiguousarray(frame[:, ::-1])):
        assert all(r.reason is not Reason.MIRRORED for r in read(seen, HOUSE))


def test_a_print_is_told_to_be_mirrored_at_any_size() -> None:
    frame = np.ascontiguousarray(golden("mirrored"))
    large = cv2.resize(frame, None, fx=4, fy=4, interpolation=cv2.INTER_CUBIC)
    first = read(np.asarray(large, np.uint8), HOUSE)[0]
    assert (first.verdict, first.reason) == (Verdict.UNSURE, Reason.MIRRORED)
    assert not first.judgement or not first.judgement.faces


def test_symmetric_faces_are_never_judged_wrongly_in_a_mirror() -> None:
    even = replace(
        HOUSE,
        plain=(HOUSE.plain + HOUSE.plain[:, ::-1]) / 2,
        masked=(HOUSE.masked + HOUSE.masked[:, ::-1]) / 2,
    )
    for is_fake in (False, True):
        frame = panel(even, is_fake=is_fake, pixels_per_line=4.0, side=640)
        first = read(np.ascontiguousarray(frame[:, ::-1]), even)[0]
        said = str(first.reason or first.verdict)
        assert said in ("mirrored", "fake" if is_fake else "real")


@each("reason", Reason)
def test_the_words_of_a_reason_say_what_to_do_next(reason: Reason) -> None:
    said = reason.words.partition(": ")[2]
    assert said.split()[0] in {
        "bring", "choose", "hold", "lay", "show", "take", "tilt", "use"
    }  # fmt: skip


def test_a_frame_is_not_modified_and_read_alike_twice() -> None:
    frame = golden("fake")
    before = frame.copy()
    one, other = read(frame, HOUSE)[0], read(frame, HOUSE)[0]
    assert (frame == before).all()
    assert (one.confidence, one.corners_px) == (other.confidence, other.corners_px)


def test_corners_start_at_the_panels_own_top_left() -> None:
    upright = read(golden("fake"), HOUSE)[0].corners_px
    turned = read(golden("upside_down"), HOUSE)[0].corners_px
    assert upright[0][0] < upright[1][0]
    assert upright[0][1] < upright[3][1]
    assert turned[0][0] > turned[1][0]
    assert turned[0][1] > turned[3][1]


def test_the_pictures_that_convince_are_pictures() -> None:
    frame = golden("fake")
    reading = read(frame, HOUSE)[0]
    shown = explain(frame, reading, HOUSE)
    assert shown.face is not None
    for picture in (shown.seen, shown.hidden, shown.face):
        assert picture.dtype == np.uint8
        assert picture.ndim == 3
        assert picture.shape[2] == 3
        assert picture.std() > 10
    nothing = golden("no_scrambled_print")
    with pytest.raises(Malformed, match="got one without"):
        explain(nothing, read(nothing, HOUSE)[0], HOUSE)


def test_every_reason_has_words() -> None:
    for reason in Reason:
        assert len(reason.words) > 10


@each(
    ("frame", "words"),
    [
        (np.zeros((40, 40), np.uint8), "turn grey into three channels"),
        (np.zeros((40, 40, 4), np.uint8), "drop the alpha channel"),
        (np.zeros((40, 40, 3), np.uint16), "got type uint16"),
        (np.zeros((40, 40, 3), np.float32), "got type float32"),
        (np.zeros((0, 40, 3), np.uint8), "holds no pixels"),
        (np.broadcast_to(np.uint8(0), (16000, 12500, 3)), "cut out the note"),
        ([[1, 2, 3]], "got list"),
    ],
)
def test_what_is_no_frame_is_refused_with_a_remedy(frame: object, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        read(frame, HOUSE)  # type: ignore[arg-type]


@each(
    ("shape", "level"),
    product([(1, 1, 3), (63, 4000, 3), (64, 64, 3), (65, 67, 3)], [0, 127, 255]),
)
def test_a_tiny_or_blank_frame_holds_no_scrambled_print(
    shape: tuple[int, ...], level: int
) -> None:
    (reading,) = read(np.full(shape, level, np.uint8), HOUSE)
    assert reading.verdict is Verdict.UNSURE
    assert reading.reason is Reason.NO_SCRAMBLED_PRINT
    assert reading.pixels_per_line is None


@pytest.mark.parametrize("seed", range(3))
def test_noise_is_never_judged(seed: int) -> None:
    frame = np.random.default_rng(seed).integers(0, 256, (320, 320, 3), np.uint8)
    assert {r.verdict for r in read(frame, HOUSE)} == {Verdict.UNSURE}


@each(("pixels_per_line", "turn_deg"), product([3.0, 4.7, 7.5], [0, 37, 90]))
def test_lines_that_hide_nothing_are_never_judged(
    pixels_per_line: float, turn_deg: float
) -> None:
    y, x = np.mgrid[:320, :320]
    turn = np.radians(turn_deg)
    wave = np.cos(2 * np.pi / pixels_per_line * (x * np.cos(turn) + y * np.sin(turn)))
    grey = (128 + 90 * wave).astype(np.uint8)
    readings = read(np.repeat(grey[..., None], 3, axis=2), HOUSE)
    assert {r.verdict for r in readings} == {Verdict.UNSURE}


@pytest.mark.parametrize("contrast", [9, 10])
@pytest.mark.parametrize("pixels_per_line", [2.3, 2.5])
def test_lines_too_weak_to_be_read_say_that_the_note_is_too_far(
    pixels_per_line: float, contrast: int
) -> None:
    frame = panel(HOUSE, is_fake=True, pixels_per_line=pixels_per_line)
    small = (frame.astype(np.float32) - 135) / 75 * contrast
    noise = np.random.default_rng(3).normal(0, 16, frame.shape[:2])[..., None]
    weak = np.clip(135 + small + noise, 0, 255).astype(np.uint8)
    first = read(weak, HOUSE)[0]
    assert first.reason is Reason.TOO_FAR
    assert first.pixels_per_line == pytest.approx(pixels_per_line, rel=0.1)
    assert "closer" in first.reason.words
    only_noise = np.clip(135 + noise.repeat(3, axis=2), 0, 255).astype(np.uint8)
    nothing = read(only_noise, HOUSE)[0]
    assert nothing.reason is Reason.NO_SCRAMBLED_PRINT
    assert "come closer" in nothing.reason.words


def striped(side: int, hidden: float, noise: float = 3.0) -> NDArray[np.uint8]:
    """Lines of 6 pixels; where *hidden* is not 0, blots of them are shifted by it."""
    y, x = np.mgrid[:side, :side]
    blots = (np.sin(x / 17) * np.sin(y / 23) > 0.3) * hidden
    wave = np.cos(2 * np.pi * (x * 0.94 / 6 + y * 0.34 / 6 + blots))
    grey = 128 + 70 * wave
    grey += np.random.default_rng(5).normal(0, noise, grey.shape)
    return np.repeat(np.clip(grey, 0, 255).astype(np.uint8)[..., None], 3, axis=2)


def beside(frame: NDArray[np.uint8], scrap: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A frame with a scrap on a plain table below it."""
    rows = max(scrap.shape[0] + 128, 128)
    below = np.full((rows, frame.shape[1], 3), 128, np.uint8)
    below[64 : 64 + scrap.shape[0], 64 : 64 + scrap.shape[1]] = scrap
    return np.concatenate([frame, below])


def test_a_scrap_beside_a_judged_note_is_not_worth_a_line() -> None:
    alone, scrap = read(golden("fake"), HOUSE), striped(192, hidden=0.5)
    both = read(beside(golden("fake"), scrap), HOUSE)
    assert [r.verdict for r in both] == [r.verdict for r in alone] == [Verdict.FAKE]
    (nothing,) = read(beside(golden("fake")[:64], scrap), HOUSE)
    assert nothing.reason is Reason.NO_SCRAMBLED_PRINT


def test_a_second_note_beside_a_judged_one_is_told_of() -> None:
    both = read(beside(golden("real"), striped(560, hidden=0.5)), HOUSE)
    assert [r.reason for r in both] == [None, Reason.NOT_A_DECK_I_KNOW]


def test_a_bent_note_is_told_to_be_laid_flat_not_to_be_blurred() -> None:
    first = read(golden("no_picture"), HOUSE)[0]
    assert first.reason is Reason.NO_PICTURE
    assert "flat" in first.reason.words


@pytest.mark.parametrize("pixels_per_line", [2.5, 2.9])
def test_fine_lines_that_hide_nothing_are_no_note_too_far_away(
    pixels_per_line: float,
) -> None:
    x = np.mgrid[:448, :448][1]
    wave = np.cos(2 * np.pi * x / pixels_per_line)
    grey = (128 + 60 * wave).astype(np.uint8)
    (reading,) = read(np.repeat(grey[..., None], 3, axis=2), HOUSE)
    assert reading.reason is Reason.NO_SCRAMBLED_PRINT


@settings(
    max_examples=12,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)
@given(
    pixels_per_line=st.floats(3.2, 6.5),
    roll_deg=st.floats(-180, 180),
    tilt=st.floats(0.85, 1.0),
    is_inverted=st.booleans(),
    is_fake=st.booleans(),
)
def test_pitch_turn_tilt_and_polarity_do_not_change_the_verdict(
    pixels_per_line: float,
    roll_deg: float,
    tilt: float,
    is_inverted: bool,
    is_fake: bool,
) -> None:
    frame = panel(
        HOUSE,
        is_fake=is_fake,
        pixels_per_line=pixels_per_line,
        roll_deg=roll_deg,
        tilt=tilt,
        is_inverted=is_inverted,
    )
    first = read(frame, HOUSE)[0]
    assert first.verdict is (Verdict.FAKE if is_fake else Verdict.REAL)


@each(("width_px", "times"), product([96, 112, 192, 224], [2, 3]))
def test_a_strip_too_narrow_for_a_wide_face_is_unsure(
    width_px: int, times: int
) -> None:
    rows, columns = HOUSE.plain.shape
    plain, masked = (
        np.asarray(cv2.resize(template, (times * columns, rows)), np.float32)
        for template in (HOUSE.plain, HOUSE.masked)
    )
    wide = replace(HOUSE, plain=plain, masked=masked)
    strip = panel(HOUSE, is_fake=True, pixels_per_line=5.0)[:, :width_px].copy()
    assert {one.verdict for one in read(strip, wide)} == {Verdict.UNSURE}
