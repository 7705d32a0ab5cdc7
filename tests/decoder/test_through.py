"""A lens or a film over the print: what shows by itself is read, and nothing else."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from companion.decoder import (
    Deck,
    Kind,
    Reading,
    Reason,
    Through,
    Verdict,
    explain,
    house_deck,
    read,
)
from companion.decoder.phase import demodulate
from companion.decoder.scale import views
from companion.decoder.through import UNEVEN_MIN
from tests.decoder.screens import panel, stored
from tests.sample import each

GOLDEN = Path(__file__).parent / "through"
TRUTH = json.loads((GOLDEN / "truth.json").read_text(encoding="utf-8"))
HOUSE = house_deck()
Picture = NDArray[np.uint8]


def golden(name: str) -> Picture:
    return stored(GOLDEN / f"{name}.jpg")


def shown(
    faces: tuple[Picture, ...],
    height_px: float,
    *,
    roll_deg: float = 0.0,
    bands: float = 0.0,
    is_light: bool = True,
    side: int = 480,
) -> Picture:
    """Faces in rows of three, in tones, as a lens shows them.

    *bands* is how many times dark and light change places from left to right.
    """
    rows, columns = faces[0].shape
    cell = int(1.3 * rows)
    sheet = np.full((3 * cell, 3 * cell), -1.0, np.float32)
    for k, face in enumerate(faces):
        y, x = (at * cell + (cell - s) // 2 for at, s in zip(
            divmod(k, 3), (rows, columns), strict=True))  # fmt: skip
        sheet[y : y + rows, x : x + columns] = face
    scale = height_px / rows
    turned = cv2.getRotationMatrix2D((1.5 * cell, 1.5 * cell), -roll_deg, scale)
    turned[:, 2] += side / 2 - 1.5 * cell
    drawn = cv2.warpAffine(
        sheet, turned, (side, side), flags=cv2.INTER_AREA, borderValue=-1.0
    )
    wave = np.cos(math.pi * bands * np.arange(side) / side)[None]
    tone = drawn * wave * (1 if is_light else -1)
    noise = np.random.default_rng(3).normal(0, 3, tone.shape)
    grey = np.clip(130 + 55 * tone + noise, 0, 255).astype(np.uint8)
    return np.repeat(grey[..., None], 3, axis=2)


def verdicts(readings: tuple[Reading, ...]) -> set[str]:
    return {str(r.verdict) for r in readings if r.verdict is not Verdict.UNSURE}


@pytest.mark.parametrize("name", TRUTH)
def test_a_golden_frame_reads_as_its_truth_says(name: str) -> None:
    truth = TRUTH[name]
    for through, wanted in ((Through.LENS, "expected"), (Through.NOTHING, "unasked")):
        said = verdicts(read(golden(name), HOUSE, through))
        assert said == ({truth[wanted]} - {"unsure"})
        assert said <= {truth["truth"]}


@pytest.mark.parametrize("name", TRUTH)
def test_a_flipped_golden_frame_is_never_read_wrong(name: str) -> None:
    flipped = np.ascontiguousarray(golden(name)[:, ::-1])
    for through in Through:
        assert verdicts(read(flipped, HOUSE, through)) <= {TRUTH[name]["truth"]}


def test_faces_that_a_lens_shows_in_a_mirror_are_told_to_be_mirrored() -> None:
    profile = replace(HOUSE, plain=HOUSE.plain.copy(), masked=HOUSE.masked.copy())
    for face in (profile.plain, profile.masked):
        face[:, face.shape[1] // 2 :] = -1
    frame = shown((profile.masked,) * 9, 120, side=560)
    assert verdicts(read(frame, profile, Through.LENS)) == {"fake"}
    first, *others = read(np.ascontiguousarray(frame[:, ::-1]), profile, Through.LENS)
    assert (first.verdict, first.reason) == (Verdict.UNSURE, Reason.MIRRORED)
    assert not others


@each("name", TRUTH)
def test_a_golden_frame_is_small(name: str) -> None:
    assert (GOLDEN / f"{name}.jpg").stat().st_size < 60_000


@pytest.mark.parametrize("name", ["film_real", "film_fake", "lens_real", "lens_fake"])
def test_what_is_read_lies_where_the_print_lies(name: str) -> None:
    frame = golden(name)
    first = read(frame, HOUSE, Through.LENS)[0]
    assert first.judgement is not None
    assert len(first.judgement.faces) >= 2
    truth = np.array(TRUTH[name]["faces_px"])
    for face in first.judgement.faces:
        off = np.hypot(*(truth[:, :2] - face.centre_px).T)
        assert off.min() < 0.1 * truth[0, 2]
        outline = np.array(first.corners_px, np.float32)
        assert cv2.pointPolygonTest(outline, face.centre_px, False) > 0
    told = TRUTH[name]["pixels_per_line"]
    assert first.pixels_per_line == pytest.approx(told, rel=0.15)
    assert first.kind is Kind.PANEL
    assert 0.9 < first.confidence < 1


def test_the_pictures_that_convince_are_pictures() -> None:
    frame = golden("lens_fake")
    before = frame.copy()
    reading = read(frame, HOUSE, Through.LENS)[0]
    told = explain(frame, reading, HOUSE)
    assert (frame == before).all()
    assert told.face is not None
    for picture in (told.seen, told.hidden, told.face):
        assert picture.dtype == np.uint8
        assert picture.std() > 10


@settings(
    max_examples=6,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)
@given(
    height_px=st.floats(44, 100),
    roll_deg=st.floats(-180, 180),
    bands=st.floats(0, 1.2),
    is_light=st.booleans(),
    is_fake=st.booleans(),
)
def test_size_turn_bands_and_polarity_do_not_change_the_verdict(
    height_px: float, roll_deg: float, bands: float, is_light: bool, is_fake: bool
) -> None:
    face = HOUSE.masked if is_fake else HOUSE.plain
    frame = shown(
        (face,) * 9, height_px, roll_deg=roll_deg, bands=bands, is_light=is_light
    )
    said = verdicts(read(frame, HOUSE, Through.LENS))
    assert said == {"fake" if is_fake else "real"}


def test_what_shows_without_lines_is_judged_only_where_a_lens_was_told_of() -> None:
    frame = shown((HOUSE.plain,) * 9, 70)
    assert verdicts(read(frame, HOUSE)) == set()
    assert verdicts(read(frame, HOUSE, Through.LENS)) == {"real"}


def test_one_face_alone_is_never_judged() -> None:
    frame = shown((HOUSE.masked,), 80)
    assert verdicts(read(frame, HOUSE, Through.LENS)) == set()


def test_faces_that_contradict_make_it_unsure() -> None:
    frame = shown((HOUSE.masked, HOUSE.plain) * 3, 80)
    (reading,) = read(frame, HOUSE, Through.LENS)
    assert reading.verdict is Verdict.UNSURE
    assert reading.reason is Reason.CONTRADICTION


def test_a_face_of_another_size_belongs_to_no_print() -> None:
    small, large = shown((HOUSE.plain,), 50), shown((HOUSE.plain,), 100)
    frame = np.concatenate([small, large], axis=1)
    assert verdicts(read(frame, HOUSE, Through.LENS)) == set()


def test_what_differs_from_the_decks_faces_is_never_judged() -> None:
    upside_down = HOUSE.plain[::-1, :].copy()
    frame = shown((upside_down,) * 9, 80)
    other = Deck(
        name="other",
        angle_deg=20,
        shift=0.5,
        face_height_lines=24,
        plain=np.roll(HOUSE.plain, 20, axis=1),
        masked=np.roll(HOUSE.masked, 20, axis=1),
    )
    assert verdicts(read(frame, other, Through.LENS)) == set()


@each(
    ("shape", "level"),
    product([(1, 1, 3), (63, 4000, 3), (64, 64, 3), (65, 67, 3)], [0, 255]),
)
def test_a_tiny_or_blank_frame_shows_nothing(
    shape: tuple[int, ...], level: int
) -> None:
    (reading,) = read(np.full(shape, level, np.uint8), HOUSE, Through.LENS)
    assert reading.reason is Reason.NO_SCRAMBLED_PRINT


@pytest.mark.parametrize("seed", range(2))
def test_noise_shows_nothing(seed: int) -> None:
    frame = np.random.default_rng(seed).integers(0, 256, (320, 320, 3), np.uint8)
    soft = np.asarray(cv2.GaussianBlur(frame, (0, 0), 4), np.uint8)
    for picture in (frame, soft):
        assert verdicts(read(picture, HOUSE, Through.LENS)) == set()


@pytest.mark.parametrize("turn_deg", [0, 1, 90])
def test_two_gratings_that_hide_nothing_show_nothing(turn_deg: float) -> None:
    y, x = np.mgrid[:360, :360]
    turn = math.radians(turn_deg)
    below = np.cos(2 * np.pi / 5 * x) > 0
    above = np.cos(2 * np.pi / 5 * (x * math.cos(turn) + y * math.sin(turn))) > 0
    grey = np.where(below & above, 220, 40).astype(np.uint8)
    frame = np.repeat(grey[..., None], 3, axis=2)
    assert verdicts(read(frame, HOUSE, Through.LENS)) == set()


def test_a_large_photo_is_read_as_a_small_one() -> None:
    zoom = 4
    small = shown((HOUSE.masked,) * 9, 90, roll_deg=20)
    large = cv2.resize(small, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC)
    one, other = (
        read(np.asarray(frame, np.uint8), HOUSE, Through.LENS)[0]
        for frame in (small, large)
    )
    assert one.verdict is other.verdict is Verdict.FAKE
    middles = [np.mean(r.corners_px, axis=0) for r in (one, other)]
    assert np.abs(middles[0] * zoom - middles[1]).max() < 6 * zoom
    assert one.pixels_per_line is not None
    assert other.pixels_per_line == pytest.approx(one.pixels_per_line * zoom, rel=0.1)


def under_film(
    *, is_fake: bool, pixels_per_line: float, phase: float, turn_deg: float, side: int
) -> Picture:
    """A drawn panel under opaque lines of its own pitch."""
    bare = panel(HOUSE, is_fake=is_fake, pixels_per_line=pixels_per_line, side=side)
    y, x = np.mgrid[:side, :side] - side / 2
    angle = math.radians(HOUSE.angle_deg + turn_deg)
    across = (x * math.cos(angle) + y * math.sin(angle)) / pixels_per_line
    clear = 0.55 + 0.45 * np.sin(2 * math.pi * (across + phase))
    return np.rint(bare * clear[..., None]).astype(np.uint8)


@settings(
    max_examples=6,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)
@given(
    pixels_per_line=st.floats(3.4, 6.5),
    phase=st.floats(0, 1),
    turn_deg=st.floats(-0.7, 0.7),
    is_fake=st.booleans(),
)
def test_a_film_is_read_however_far_out_of_step(
    pixels_per_line: float, phase: float, turn_deg: float, is_fake: bool
) -> None:
    frame = under_film(
        is_fake=is_fake,
        pixels_per_line=pixels_per_line,
        phase=phase,
        turn_deg=turn_deg,
        side=512,
    )
    assert verdicts(read(frame, HOUSE)) == {"fake" if is_fake else "real"}


@pytest.mark.parametrize("pixels_per_line", [7.5, 9.0])
def test_a_film_seen_from_near_is_read(pixels_per_line: float) -> None:
    side = int(85 * pixels_per_line)
    frame = under_film(
        is_fake=True,
        pixels_per_line=pixels_per_line,
        phase=0.3,
        turn_deg=0.2,
        side=side,
    )
    first = read(frame, HOUSE)[0]
    assert first.verdict is Verdict.FAKE
    assert first.pixels_per_line == pytest.approx(pixels_per_line, rel=0.1)
    outline = np.array(first.corners_px)
    assert np.hypot(*(outline.mean(axis=0) - side / 2)) < 0.25 * side


def varies(frame: Picture) -> float:
    grey = np.ascontiguousarray(frame[:, :, 1])
    screen = next(views(grey)).screens[0]
    return demodulate(grey, screen).uneven


def test_lines_vary_more_under_a_film_than_on_a_bare_print() -> None:
    bare = panel(HOUSE, is_fake=False, pixels_per_line=4.0, side=640)
    blank = panel(
        replace(HOUSE, plain=np.full_like(HOUSE.plain, -1)),
        is_fake=False,
        pixels_per_line=4.0,
        side=640,
    )
    films = [golden(n) for n in ("film_real", "film_fake", "film_out_of_step")]
    assert varies(blank) < UNEVEN_MIN < 1.5 * varies(bare) < min(map(varies, films))


def test_a_film_that_reaches_far_beyond_its_note_is_read() -> None:
    pixels_per_line, mm = 3.6, 1 / 0.4233
    bare = panel(
        HOUSE, is_fake=True, pixels_per_line=pixels_per_line, side=int(58 * mm * 3.6)
    )
    bare = bare[: int(36 * mm * pixels_per_line)]
    table = np.full((900, 1300, 3), 190, np.uint8)
    table[260 : 260 + bare.shape[0], 330 : 330 + bare.shape[1]] = bare
    film = table[120 : 120 + int(70 * mm * 3.6), 180 : 180 + int(110 * mm * 3.6)]
    y, x = np.mgrid[: film.shape[0], : film.shape[1]]
    angle = math.radians(HOUSE.angle_deg + 0.4)
    across = (x * math.cos(angle) + y * math.sin(angle)) / pixels_per_line
    clear = 0.55 + 0.45 * np.sin(2 * math.pi * across)
    film[:] = np.rint(film * clear[..., None]).astype(np.uint8)
    assert verdicts(read(table, HOUSE)) == {"fake"}
