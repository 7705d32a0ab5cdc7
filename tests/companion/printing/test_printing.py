from __future__ import annotations

import subprocess
import sys
from dataclasses import astuple, replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from benchmarks.decoder.styles.screens import Encoding, ForeignScreen, Profile
from companion.printing.art import Drawing, Placed, fill, paint, polygon, raster
from companion.printing.deck import HOUSE, deck_file, panel_lines, panel_scene
from companion.printing.gentleman import MASKED, PLAIN, SYMBOLS
from companion.printing.screen import Screen, pixels_per_mm
from tests.companion.printing.film import EYE_PX_PER_MM, eye, film, looks_fake, response
from tests.sample import each

DPI = 300


def test_the_core_imports_without_numpy_and_reportlab() -> None:
    words = (
        "import sys, companion; "
        "assert not {'numpy', 'reportlab', 'companion.printing'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", words], check=True)


def test_a_square_fills_exactly_its_pixels() -> None:
    square = np.array([(2.0, 1.0), (6.0, 1.0), (6.0, 4.0), (2.0, 4.0)])
    filled = fill(square, (6, 8))
    wanted = np.zeros((6, 8), np.bool_)
    wanted[1:4, 2:6] = True
    assert (filled == wanted).all()


def test_a_star_that_crosses_itself_is_empty_in_the_middle() -> None:
    angles = 2 * np.pi * np.arange(5) * 2 / 5 - np.pi / 2
    star = np.column_stack([np.cos(angles), np.sin(angles)]) * 40 + 50
    filled = fill(star, (100, 100))
    assert not filled[50, 50]
    assert filled[20, 50]


def test_what_lies_outside_the_sheet_is_cut_off() -> None:
    drawing = Drawing(
        "box", (polygon((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)),)
    )
    sheet = paint([Placed(drawing, 0, 0, 10), Placed(drawing, 90, 90, 10)], (20, 10), 2)
    assert sheet.shape == (20, 40)
    assert sheet[:10, :10].all()
    assert sheet.sum() == 100


def test_the_mask_is_all_that_tells_the_two_faces_apart() -> None:
    plain, masked = raster(PLAIN, 100), raster(MASKED, 100)
    assert plain.shape == masked.shape
    differ = np.abs(plain - masked) > 0.5
    rows = np.flatnonzero(differ.any(axis=1))
    assert 0.05 < differ.mean() < 0.15
    assert rows.min() > 40, "nothing above the eyes"
    assert rows.max() < 65, "nothing below them"


@each("drawing", [PLAIN, MASKED, *SYMBOLS])
def test_every_drawing_keeps_to_its_box(drawing: Drawing) -> None:
    points = np.concatenate([np.array(o.points) for o in drawing.outlines])
    assert np.abs(points[:, 1]).max() <= 0.52
    assert np.abs(points[:, 0]).max() <= 0.6
    assert 0.1 < raster(drawing, 64).mean() < 0.8


@each("seed", range(20))
def test_every_face_lies_inside_the_panel_and_none_is_missing(seed: int) -> None:
    scene = panel_scene(HOUSE, is_fake=seed % 2 == 0, seed=seed)
    faces = [p for p in scene if p.drawing in (PLAIN, MASKED)]
    assert {p.drawing.name for p in faces} == {
        (MASKED if seed % 2 == 0 else PLAIN).name
    }
    assert HOUSE.faces[0] <= len(faces) <= HOUSE.faces[1]
    for face in faces:
        half = face.height_mm / 2
        assert half * 0.9 < face.y_mm < HOUSE.panel_mm[1] - half * 0.9
        assert half * 0.7 < face.x_mm < HOUSE.panel_mm[0] - half * 0.7


def test_the_same_seed_prints_the_same_dots() -> None:
    first, again, other = (
        panel_lines(HOUSE, panel_scene(HOUSE, is_fake=True, seed=seed), DPI)
        for seed in (4, 4, 5)
    )
    assert (first == again).all()
    assert (first != other).any()


@pytest.mark.parametrize("dpi", [300, 600, 1200])
def test_lines_have_the_pitch_and_angle_that_were_asked_for(dpi: int) -> None:
    screen = Screen(pitch_mm=0.5, angle_deg=30)
    scale = pixels_per_mm(dpi)
    lines = screen.scramble(
        np.zeros((round(20 * scale), round(20 * scale)), np.bool_), dpi
    )
    spectrum = np.abs(np.fft.fft2(lines - lines.mean()))
    row, column = np.unravel_index(np.argmax(spectrum), spectrum.shape)
    fy, fx = (np.fft.fftfreq(lines.shape[0], 1 / scale)[i] for i in (row, column))
    assert 1 / np.hypot(fx, fy) == pytest.approx(0.5, rel=0.03)
    assert np.degrees(np.arctan2(fy, fx)) % 180 == pytest.approx(30, abs=2)
    assert lines.mean() == pytest.approx(screen.duty, abs=0.03)


@pytest.mark.parametrize(
    "screen",
    [
        HOUSE.screen,
        replace(HOUSE.screen, shift=1 / 3),
        replace(HOUSE.screen, shift=0.25),
        replace(HOUSE.screen, pitch_mm=0.6, angle_deg=100.0),
        ForeignScreen(0.5, HOUSE.screen.angle_deg, profile=Profile.SINE),
        ForeignScreen(*astuple(HOUSE.screen), encoding=Encoding.SOFT),
        ForeignScreen(0.5, HOUSE.screen.angle_deg, encoding=Encoding.MIRRORED),
    ],
    ids=str,
)
@pytest.mark.parametrize("is_fake", [False, True])
def test_film_shows_the_faces_where_they_are(screen: Screen, is_fake: bool) -> None:
    """The product of grating and print, low-passed, as an eye would see it."""
    deck = replace(HOUSE, screen=screen, panel_mm=(48.0, 24.0))
    scene = panel_scene(deck, is_fake=is_fake, seed=11)
    seen = film(panel_lines(deck, scene, DPI), deck.screen, DPI)
    picture = eye(seen, DPI, 0.6 * deck.screen.pitch_mm)
    peak = response(picture, deck, masked=is_fake)
    y, x = (i / EYE_PX_PER_MM for i in np.unravel_index(np.argmax(peak), peak.shape))
    faces = [p for p in scene if p.drawing in (PLAIN, MASKED)]
    assert min(np.hypot(p.x_mm - x, p.y_mm - y) for p in faces) < 1.5
    assert looks_fake(seen, deck, DPI) is is_fake


@pytest.mark.parametrize("turn_deg", [6.0, 25.0])
def test_film_at_the_wrong_angle_shows_nothing(turn_deg: float) -> None:
    scene = panel_scene(HOUSE, is_fake=True, seed=2)
    lines = panel_lines(HOUSE, scene, DPI)
    hidden = paint(scene, HOUSE.panel_mm, pixels_per_mm(DPI))
    truth = eye(hidden, DPI, 0.25)
    wrong = replace(HOUSE.screen, angle_deg=HOUSE.screen.angle_deg + turn_deg)
    likeness = []
    for screen in (HOUSE.screen, wrong):
        picture = eye(film(lines, screen, DPI), DPI, 0.25)
        likeness.append(abs(np.corrcoef(picture.ravel(), truth.ravel())[0, 1]))
    assert likeness[0] > 0.8
    assert likeness[1] < 0.1


def test_without_film_the_print_is_even_grey() -> None:
    scene = panel_scene(HOUSE, is_fake=True, seed=2)
    hidden = eye(paint(scene, HOUSE.panel_mm, pixels_per_mm(DPI)), DPI, 0.25)
    bare = eye(panel_lines(HOUSE, scene, DPI), DPI, 0.25)
    assert abs(np.corrcoef(bare.ravel(), hidden.ravel())[0, 1]) < 0.15


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"pitch_mm": 0.0}, "pitch_mm"),
        ({"duty": 1.0}, "duty"),
        ({"shift": 0.7}, "shift"),
    ],
)
def test_a_screen_that_cannot_be_printed_is_refused(
    change: dict[str, float], words: str
) -> None:
    with pytest.raises(ValueError, match=f"expected {words} in "):
        replace(HOUSE.screen, **change)


def test_the_decoder_ships_exactly_the_house_deck() -> None:
    beside = Path(__file__).parents[3] / "companion" / "decoder" / "house.deck"
    assert beside.read_bytes() == deck_file(HOUSE)


def test_a_deck_file_says_what_it_is() -> None:
    content = msgspec.msgpack.decode(deck_file(HOUSE))
    assert (content["format"], content["version"]) == ("companion-deck", 1)
    for name in ("plain", "masked"):
        template = content[name]
        assert len(template["pixels"]) == template["height"] * template["width"]
