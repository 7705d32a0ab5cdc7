"""Covered eyes, and faces in dots: what was not seen decides nothing."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

from benchmarks.decoder import zoo
from benchmarks.decoder.bench_eyes import DAMAGED, table
from benchmarks.decoder.simulator import simulate
from benchmarks.decoder.simulator_damage import COVERS, EYES, covered, eyes_of
from benchmarks.decoder.simulator_print import TEXTURE_PX_PER_MM, printed
from benchmarks.decoder.styles import STYLES, Family, zoo_style
from companion.decoder import Deck, Reason, Through, Verdict, house_deck, learn, read
from tests.sample import SLOW, each

NARROW = zoo.NARROW_WORKING[2]
SHARP = {"notes_count": 1, "decoys_count": 0, "size_px": (900, 640)}


@lru_cache(maxsize=1)
def narrow_deck() -> Deck:
    photos = zoo.lesson(NARROW, 0, 2, 2)
    return learn(photos.real, photos.fake, "narrow").deck


@SLOW
@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("is_fake", [False, True])
def test_covered_eyes_are_never_judged_wrongly(eyes: str, is_fake: bool) -> None:
    wanted = {Verdict.UNSURE, Verdict.FAKE if is_fake else Verdict.REAL}
    for style, deck in (("house", house_deck()), (f"zoo {NARROW}", narrow_deck())):
        fixed = {"is_fake": is_fake, "eyes": eyes, "pixels_per_line": 4.5, **SHARP}
        frame = simulate(5, "easy", (style,), **fixed)
        assert {reading.verdict for reading in read(frame.image, deck)} <= wanted


@lru_cache(maxsize=2)
def deck_of(family: Family) -> Deck:
    photos = zoo.lesson(zoo.WORKING[0], 0, family=family)
    return learn(photos.real, photos.fake, family).deck


@SLOW
@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("family", [Family.INTERLACED, Family.STRIPS])
def test_covered_eyes_of_other_families_are_never_judged_wrongly(
    eyes: str, family: Family
) -> None:
    """Paper without lines is what such pictures show as well."""
    for seed in range(2):
        frame = zoo.unseen(zoo.WORKING[0], seed, "easy", family, eyes)
        (note,) = frame.notes
        for reading in read(frame.image, deck_of(family)):
            assert reading.verdict in (Verdict.UNSURE, note.verdict)


@SLOW
@pytest.mark.parametrize("eyes", ["white strip", "black strip", "glare"])
def test_what_hides_all_eyes_is_said(eyes: str) -> None:
    frame = simulate(
        5, "easy", (f"zoo {NARROW}",), eyes=eyes, pixels_per_line=4.5, **SHARP
    )
    assert read(frame.image, narrow_deck())[0].reason is Reason.EYES_COVERED


@pytest.mark.parametrize("seed", [943, 977])
def test_faces_in_plain_sight_in_dots_are_never_judged(seed: int) -> None:
    """Their dots passed for a film's lines: these two were real and fake, 99.9 %."""
    frame = simulate(
        seed,
        "normal",
        ("dotted house",),
        notes_count=1,
        decoys_count=0,
        size_px=(1600, 1100),
        pixels_per_line=4.0 + 2 * (seed % 3),
        motion_px=0.6 * (seed % 5),
    )
    assert not frame.notes[0].faces_px.size
    for reading in read(frame.image, house_deck()):
        assert reading.verdict is Verdict.UNSURE


@SLOW
@pytest.mark.parametrize("through", Through)
def test_a_pen_over_the_eyes_is_no_mask_that_a_lens_shows(through: Through) -> None:
    """It was fake, 99.9 %, for who told of a lens after bare lines were unsure."""
    deck_seed = zoo.NARROW_FROM + 3046
    photos = zoo.lesson(deck_seed, 0)
    deck = learn(photos.real, photos.fake, "narrow").deck
    frame = zoo.unseen(deck_seed, DAMAGED + 401, "normal", eyes="pen")
    readings = read(frame.image, deck, through)
    assert {reading.verdict for reading in readings} == {Verdict.UNSURE}


@SLOW
@pytest.mark.parametrize("eyes", COVERS)
def test_what_covers_the_eyes_leaves_the_rest_of_the_face(eyes: str) -> None:
    sound = printed("house", 0, True, 3)
    worn = covered(sound, eyes, np.random.default_rng(1))
    clear = 255 if worn.clear is None else worn.clear
    gone = (worn.coverage < sound.coverage) | (clear < 128)
    for face in sound.faces:
        x, y = (round(at * TEXTURE_PX_PER_MM) for at in (face.x_mm, face.y_mm))
        half = round(face.height_mm * TEXTURE_PX_PER_MM / 2)
        box = gone[y - half : y + half, x - half : x + half]
        assert 0.02 < box.mean() < 0.5
        assert not box[int(1.8 * half) :].any()


@each("name", STYLES)
def test_the_eyes_of_a_deck_lie_where_its_faces_differ(name: str) -> None:
    left, top, right, below = eyes_of(STYLES[name].deck)
    assert -0.5 <= top < below <= 0.5
    assert left < 0 < right


@SLOW
def test_narrow_masks_change_less_of_a_face() -> None:
    wide, narrow = (
        [box[3] - box[1] for box in (eyes_of(zoo_style(s).deck) for s in seeds)]
        for seeds in (zoo.WORKING[:12], zoo.NARROW_WORKING[:12])
    )
    assert sum(narrow) < 0.8 * sum(wide)


def test_the_table_counts_what_was_said_of_covered_and_of_sound_notes() -> None:
    def note(kind: str, outcome: str, reason: str = "", confidence: float = 0.999):
        return {
            "kind": kind,
            "outcome": outcome,
            "reason": reason,
            "confidence": confidence,
            "causes": [],
        }

    rows = [
        {
            "deck": 1,
            "notes": [
                note("pen", "wrong"),
                note("pen", "unsure", "eyes_covered", 0.0),
                note("normal", "right"),
            ],
            "halftone": [0, 1],
            "decoy": [0],
            "other": [0],
        },
        {"deck": 2, "notes": [], "refused": "no"},
    ]
    said = table(rows)
    assert said.startswith("1 decks")
    assert "| eyes under pen | 2 |" in said
    assert "1: 50.0 %" in said
    assert "eyes covered 1" in said
    assert "confidence 0.998 to 1: 1 of 2 right" in said
    assert "halftone: 1 of 2 judged" in said
