"""The simulator's truth, checked against what its frames show; small and quick."""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np
import pytest

from benchmarks.decoder.simulator import DIFFICULTIES, Frame, negative, simulate
from benchmarks.decoder.simulator_camera import (
    Lens,
    Pose,
    Sensor,
    blur_kernel,
    contrast_kept,
    expose,
    jacobian,
    on_sheet,
    project,
    rotation,
)
from benchmarks.decoder.simulator_conditions import ODD, Conditions
from benchmarks.decoder.simulator_print import TEXTURE_PX_PER_MM, printed
from benchmarks.decoder.simulator_scene import DECOYS
from benchmarks.decoder.simulator_truth import green_contrast
from benchmarks.decoder.styles import FOREIGN, STYLES
from benchmarks.decoder.styles.screens import Encoding, ForeignScreen, Profile
from companion.decoder import Verdict, house_deck, read
from tests.sample import SLOW

pytestmark = SLOW  # What only benchmarks use.

SMALL = (800, 480)
CLEAN = {
    "size_px": SMALL,
    "notes_count": 1,
    "pixels_per_line": 2.9,
    "decoys_count": 0,
    "curl_radius_mm": 0.0,
    "glare_count": 0,
    "shadow": 0.0,
    "light": 0.9,
    "variants": 1,
    "dpi": 600,
    "is_fake": True,
}


def clean(seed: int, style: str = "house", **fixed: object) -> Frame:
    return simulate(seed, "easy", (style,), **{**CLEAN, **fixed})


def test_a_frame_is_the_same_for_the_same_seed_and_differs_for_another() -> None:
    first, again, other = (clean(seed) for seed in (1, 1, 2))
    assert (first.image == again.image).all()
    assert first.conditions == again.conditions
    assert (first.notes[0].corners_px == again.notes[0].corners_px).all()
    assert (first.image != other.image).any()


@pytest.mark.parametrize("odd", ODD)
def test_an_unusual_print_or_camera_changes_the_picture_and_no_truth(odd: str) -> None:
    size = {"size_px": (1000, 720), "pixels_per_line": 5.0}
    usual, unusual = (clean(3, odd=one, **size) for one in ("", odd))
    off = unusual.image.astype(float) - usual.image
    assert np.abs(off).mean() > 3
    assert (unusual.notes[0].corners_px == usual.notes[0].corners_px).all()
    (reading, *_) = read(unusual.image, house_deck())
    assert reading.verdict is Verdict.FAKE


def test_a_pair_has_one_layout_and_differs_by_its_masks_alone() -> None:
    pairs = [
        [printed("house", 0, is_fake, 1, is_paired=paired) for is_fake in (False, True)]
        for paired in (True, False)
    ]
    alike, others = (
        float((real.coverage != fake.coverage).mean()) for real, fake in pairs
    )
    assert 0 < alike < 0.02 < others


def test_frames_are_colour_pictures_of_the_size_that_was_asked_for() -> None:
    frame = clean(3)
    assert frame.image.shape == (SMALL[1], SMALL[0], 3)
    assert frame.image.dtype == np.uint8


@pytest.mark.parametrize("bend", [0.0, 1 / 90, -1 / 60])
@pytest.mark.parametrize("roll_deg", [0.0, 190.0])
def test_paper_to_pixel_and_back_is_the_same_point(
    bend: float, roll_deg: float
) -> None:
    table = rotation((0.6, 0.8, 0), 34)
    pose = Pose(
        np.array([12.0, -7, 260]), table @ rotation((0, 0, 1), roll_deg), bend, 25
    )
    lens = Lens(3386, (2304, 1296))
    points = np.random.default_rng(0).uniform((-50, -25), (50, 25), (50, 2))
    assert on_sheet(project(points, pose, lens), pose, lens) == pytest.approx(points)


def test_a_flat_sheet_seen_straight_has_the_scale_of_the_pinhole() -> None:
    pose = Pose(np.array([0, 0, 300.0]), np.eye(3))
    lens = Lens(3000, (640, 480))
    assert jacobian(np.zeros(2), pose, lens) == pytest.approx(np.eye(2) * 10)
    assert project(np.zeros((1, 2)), pose, lens)[0] == pytest.approx(lens.middle_px)


@pytest.mark.parametrize("roll_deg", [0.0, 137.0, 180.0])
def test_corners_enclose_the_paper_and_nothing_else(roll_deg: float) -> None:
    """Paper is lighter than the table just across each side."""
    frame = clean(5, roll_deg=roll_deg, full_electrons=20000.0, tilt_deg=12.0)
    note = frame.notes[0]
    corners = note.corners_px
    middle = corners.mean(axis=0)
    # The printed border is dark, so look at the blank rim of 1 mm outside of it.
    grey = frame.image[..., 1].astype(float)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        across = (a + b) / 2 - middle
        across /= np.hypot(*across)
        inside, outside = (
            grey[tuple(np.rint(((a + b) / 2 + step * across)[::-1]).astype(int))]
            for step in (-4, 5)
        )
        assert abs(inside - outside) > 25


def test_both_ways_up_keep_the_papers_own_top_left_first() -> None:
    upright, turned = (
        clean(6, roll_deg=r, tilt_deg=0.0).notes[0] for r in (0.0, 180.0)
    )
    assert upright.corners_px[0, 0] < upright.corners_px[1, 0]
    assert turned.corners_px[0, 0] > turned.corners_px[1, 0]


@pytest.mark.parametrize("style", STYLES)
def test_pixels_per_line_are_those_of_the_frame(style: str) -> None:
    """The carrier's peak in the picture's spectrum stands where the truth says."""
    frame = clean(7, style, tilt_deg=15.0, pixels_per_line=4.0, sharpening=0.0)
    note = frame.notes[0]
    x, y = np.rint(note.faces_px[:, :2].mean(axis=0)).astype(int)
    tile = frame.image[y - 56 : y + 56, x - 56 : x + 56].astype(float).min(axis=2)
    tile = (tile - tile.mean()) * np.hanning(112)[:, None] * np.hanning(112)
    power = np.abs(np.fft.fft2(tile, (448, 448)))
    fy, fx = np.meshgrid(*[np.fft.fftfreq(448)] * 2, indexing="ij")
    power[np.hypot(fx, fy) < 0.12] = 0
    at = np.unravel_index(np.argmax(power), power.shape)
    assert 1 / np.hypot(fx[at], fy[at]) == pytest.approx(note.pixels_per_line, rel=0.08)


def test_tilt_takes_pixels_from_the_lines_and_roll_does_not() -> None:
    straight = clean(8, tilt_deg=0.0, roll_deg=0.0).notes[0].pixels_per_line
    rolled = clean(8, tilt_deg=0.0, roll_deg=77.0).notes[0].pixels_per_line
    along = clean(8, tilt_deg=35.0, roll_deg=0.0, tilt_towards_deg=110.0).notes[0]
    assert rolled == pytest.approx(straight, rel=0.02)
    assert along.pixels_per_line == pytest.approx(straight * math.cos(0.61), rel=0.08)


def test_blur_takes_the_contrast_that_the_kernel_says() -> None:
    wave_px, angle = 5.0, 0.4
    frequency = np.array([math.cos(angle), math.sin(angle)]) / wave_px
    sharp = blur_kernel(0.0, 0.35, 0.0, 0.0)
    soft = blur_kernel(1.5, 0.5, 0.0, 0.0)
    smeared = blur_kernel(0.0, 0.35, 5.0, math.degrees(angle))
    assert contrast_kept(sharp, frequency) > 0.8
    assert contrast_kept(soft, frequency) < 0.65
    assert contrast_kept(smeared, frequency) < 0.1, "smeared over a whole line"


def test_frames_lose_the_contrast_that_the_truth_tells() -> None:
    """Carrier in the green of a bright frame, sharp against blurred."""
    carriers, told = [], []
    for defocus_px in (0.0, 1.3):
        frame = clean(7, pixels_per_line=4.0, tilt_deg=0.0, sharpening=0.0,
                      defocus_px=defocus_px, motion_px=0.0, jpeg_quality=0,
                      full_electrons=50000.0)  # fmt: skip
        note = frame.notes[0]
        x, y = np.rint(note.faces_px[:, :2].mean(axis=0)).astype(int)
        tile = (frame.image[y - 48 : y + 48, x - 48 : x + 48, 1] / 255.0) ** 2.2
        tile = (tile - tile.mean()) * np.hanning(96)[:, None] * np.hanning(96)
        power = np.abs(np.fft.fft2(tile, (384, 384))) ** 2
        fy, fx = np.meshgrid(*[np.fft.fftfreq(384)] * 2, indexing="ij")
        near = np.abs(np.hypot(fx, fy) - 1 / note.pixels_per_line) < 0.05
        carriers.append(math.sqrt(power[near].sum()))
        told.append(note.contrast)
    assert told[1] < 0.7 * told[0]
    assert carriers[1] / carriers[0] == pytest.approx(told[1] / told[0], rel=0.12)


@pytest.mark.parametrize("channel", [0, 1, 2])
def test_the_mosaic_keeps_colours_in_their_places(channel: int) -> None:
    light = np.full((32, 32, 3), 0.02, np.float32)
    light[..., channel] = 0.8
    frame = expose(light, Sensor(jpeg_quality=0), np.random.default_rng(0))
    assert int(np.argmax(frame.reshape(-1, 3).mean(axis=0))) == channel


def test_dim_frames_have_less_signal_to_noise() -> None:
    bright, dim = (clean(9, light=light).notes[0].snr for light in (0.9, 0.2))
    assert dim < 0.6 * bright


@pytest.mark.parametrize(
    ("fixed", "cause"),
    [
        ({"pixels_per_line": 2.4, "tilt_deg": 0.0}, "too_far"),
        ({"defocus_px": 3.2}, "blurred"),
        ({"light": 0.05, "full_electrons": 60.0}, "noisy"),
    ],
)
def test_an_unreadable_note_names_its_cause(
    fixed: dict[str, float], cause: str
) -> None:
    note = clean(10, **fixed).notes[0]
    assert cause in note.causes
    assert not note.is_readable


def test_a_good_photograph_is_readable() -> None:
    note = clean(10, pixels_per_line=3.4, tilt_deg=0.0).notes[0]
    assert note.causes == ()
    assert note.faces_clear_count == len(note.faces_px) >= 4


def test_an_ink_that_green_hardly_sees_needs_more_pixels() -> None:
    inks = [ink for style in STYLES.values() for ink in style.inks]
    assert any(green_contrast(ink) < 0.25 for ink in inks)
    notes = [
        clean(s, "robot", pixels_per_line=3.4, tilt_deg=0.0).notes for s in range(4)
    ]
    weak = [n for (n,) in notes if n.green_contrast < 0.25]
    assert weak
    assert all("too_far" in note.causes for note in weak)


def test_fingers_and_glare_take_faces_away() -> None:
    counts = {"fingers": 0, "glare": 0}
    for seed in range(2):
        free = clean(seed).notes[0].faces_clear_count
        for name in counts:
            frame = clean(seed, **{f"{name}_count": 4})
            counts[name] += free - frame.notes[0].faces_clear_count
    assert counts["fingers"] >= 1
    assert counts["glare"] >= 1


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_presets_keep_their_notes_apart_and_mostly_in_the_frame(
    difficulty: str,
) -> None:
    frame = simulate(
        1, difficulty, size_px=(1152, 648), pixels_per_line=2.7, variants=1
    )
    assert frame.notes
    for note in frame.notes:
        assert (note.corners_px > -80).all()
        assert (note.corners_px < np.array([1152, 648]) + 80).all()


def test_learning_photographs_are_upright_flat_and_sharp() -> None:
    for seed in range(3):
        frame = simulate(seed, "learning", ("cat",), size_px=SMALL, pixels_per_line=4.0)
        (note,) = frame.notes
        top = note.corners_px[1] - note.corners_px[0]
        assert abs(math.degrees(math.atan2(top[1], top[0]))) < 13
        assert frame.conditions.curl_radius_mm == 0
        assert note.is_readable


def test_real_and_fake_can_be_asked_for() -> None:
    for is_fake in (True, False):
        note = clean(4, is_fake=is_fake).notes[0]
        assert note.is_fake is is_fake
        assert note.verdict == ("fake" if is_fake else "real")


def test_negatives_take_every_decoy_in_turn_and_hold_no_note() -> None:
    frames = [negative(seed, size_px=(320, 240)) for seed in range(len(DECOYS))]
    assert [f.scene[0] for f in frames] == list(DECOYS)
    assert all(f.notes == () for f in frames)
    assert all(f.image.std() > 5 for f in frames)


def test_styles_differ_in_all_that_the_decoder_could_lean_on() -> None:
    decks = [style.deck for style in STYLES.values()]
    assert len(FOREIGN) >= 3
    assert "house" not in FOREIGN
    names = [symbol.name for deck in decks[:1] for symbol in deck.symbols]
    assert not {s.name for deck in decks[1:] for s in deck.symbols} & set(names)
    assert len({(d.screen.pitch_mm, d.screen.angle_deg) for d in decks}) == len(decks)
    assert len({d.screen.shift for d in decks}) == 3
    foreign = [d.screen for d in decks if isinstance(d.screen, ForeignScreen)]
    assert {s.encoding for s in foreign} == {Encoding.MIRRORED, Encoding.SOFT}
    assert {s.profile for s in foreign} == set(Profile)
    assert len(foreign) < len(decks), "some print as we do"


def test_ink_spreads_and_the_panel_lies_where_the_style_says() -> None:
    print_ = printed("house", 0, True, 0)
    x, y = (round(at * TEXTURE_PX_PER_MM) for at in print_.style.panel_at_mm)
    panel = print_.coverage[y : y + 800, x : x + 1300] / 255
    assert print_.style.deck.screen.duty + 0.02 < panel.mean() < 0.72
    assert panel.mean() == pytest.approx(print_.mean, abs=0.05)
    assert {f.name for f in fields(Conditions)} >= {"dpi", "curl_radius_mm"}


def test_a_style_is_printed_with_the_pitch_that_its_name_tells() -> None:
    coarse, fine = (printed(name, 0, False, 1) for name in ("house 0.6", "house"))
    assert coarse.style.deck.screen.pitch_mm == 0.6
    assert (coarse.coverage != fine.coverage).any()
