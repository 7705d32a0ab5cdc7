"""The zoo: decks drawn at random hold what a lesson needs, and nothing by accident."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.decoder import bench_zoo, zoo
from benchmarks.decoder.bench_zoo_table import WAYS, refusals, table
from benchmarks.decoder.styles import STYLES, Family, style_named, zoo_style
from benchmarks.decoder.styles.screens import Encoding, Profile
from benchmarks.decoder.styles.zoo.interlaced import in_strips, interlace
from benchmarks.decoder.styles.zoo.masks import SHAPES
from companion.decoder import Learnt
from companion.errors import Malformed
from companion.printing.art import Drawing, Placed, paint
from companion.printing.deck import panel_lines, panel_scene
from companion.printing.screen import Screen, pixels_per_mm
from tests.sample import SLOW, proven, tens

pytestmark = SLOW  # What only benchmarks use.

SOME = range(40)
"""So many working decks show every factor."""


@cache
def coarse() -> int:
    """A deck whose photographs are small, and so quick to make."""
    return next(s for s in SOME if zoo_style(s).deck.screen.pitch_mm > 0.5)


def test_a_seed_draws_the_same_deck_again_and_another_seed_another() -> None:
    zoo_style.cache_clear()
    first = zoo_style(3)
    zoo_style.cache_clear()
    assert zoo_style(3) == first
    assert zoo_style(3) is not first
    assert style_named("zoo 3") == first
    assert zoo_style(4).deck.plain != first.deck.plain


def test_decks_for_working_are_none_of_those_that_are_only_measured() -> None:
    assert not set(zoo.WORKING) & set(zoo.END)
    assert len(zoo.END) >= 60
    with pytest.raises(ValueError, match="expected decks in range"):
        zoo.sheet(zoo.END.start, 1)


def drawn(face: Drawing) -> NDArray[np.bool_]:
    return paint([Placed(face, 0.6, 0.5, 1.0)], (1.2, 1.0), 120.0)


@tens("seed", SOME, proven)
def test_a_mask_changes_enough_of_the_face_and_leaves_the_rest(seed: int) -> None:
    deck = zoo_style(seed).deck
    plain, masked = drawn(deck.plain), drawn(deck.masked)
    box = np.flatnonzero((plain | masked).any(axis=0))
    assert box[0] > 0
    share = (plain != masked)[:, box[0] : box[-1] + 1].mean()
    assert 0.04 < share < 0.27


def test_every_factor_occurs_among_the_working_decks() -> None:
    styles = [zoo_style(seed) for seed in SOME]
    said = {trait for style in styles for trait in style.traits}
    assert said >= {"cut", "whole", "round", "square", "person", "animal", "solid"}
    assert said >= {"screens of their own", "one screen", "common symbol", *SHAPES}
    assert said >= {"states exchanged", "states as drawn", "drawn in lines"}
    assert said >= {f"encoding {encoding}" for encoding in Encoding}
    assert said >= {f"profile {profile}" for profile in Profile}
    assert {style.kind for style in styles} == {"note", "card"}
    pitches = [style.deck.screen.pitch_mm for style in styles]
    assert min(pitches) < 0.28
    assert max(pitches) > 0.56
    shifts = {round(style.deck.screen.shift, 2) for style in styles}
    assert shifts > {0.25, 0.33, 0.5}


@tens("seed", SOME, proven)
def test_a_deck_keeps_within_what_can_be_printed_and_read(seed: int) -> None:
    style = zoo_style(seed)
    deck = style.deck
    for denomination in range(len(style.inks)):
        screen = style.screen(denomination)
        assert 0.25 <= screen.pitch_mm <= 0.60
        assert 0.25 <= screen.shift <= 0.5
    assert 6 <= deck.face_height_mm <= 10
    assert deck.face_height_mm >= 14 * deck.screen.pitch_mm - 1e-9
    assert 3 <= deck.faces[0] <= deck.faces[1] <= 7
    assert 2 <= len(deck.symbols) <= 8
    for at, panel, item in zip(
        style.panel_at_mm, deck.panel_mm, style.item_mm, strict=True
    ):
        assert 4.5 <= at <= item - panel - 4.5


@pytest.mark.parametrize("seed", range(12))
def test_whole_faces_lie_on_the_panel_and_nothing_beside_it(seed: int) -> None:
    style = zoo_style(seed)
    for is_fake in (False, True):
        panel = style.panel(0, 5, 300, is_fake=is_fake)
        assert style.deck.faces[0] <= len(panel.faces) <= style.deck.faces[1]
        inside = np.ones_like(panel.lines) if panel.inside is None else panel.inside
        assert not (panel.lines & ~inside).any()
        for face in panel.faces:
            x, y = (round(mm * pixels_per_mm(300)) for mm in (face.x_mm, face.y_mm))
            reach = round(0.4 * face.height_mm * pixels_per_mm(300))
            assert inside[y - reach : y + reach + 1, x].all()
            assert inside[y, x - reach : x + reach + 1].all()


def carrier(lines: NDArray[np.bool_], screen: Screen) -> complex:
    """The wave of the screen in the lines, 0 to about 0.3, with its phase."""
    y, x = np.mgrid[: lines.shape[0], : lines.shape[1]] / pixels_per_mm(600)
    angle = math.radians(screen.angle_deg)
    turn = (x * math.cos(angle) + y * math.sin(angle)) / screen.pitch_mm
    return complex((lines * np.exp(-2j * np.pi * turn)).mean())


def test_print_runs_have_screens_of_their_own_and_notes_their_own_phase() -> None:
    style = next(s for s in map(zoo_style, SOME) if "screens of their own" in s.traits)
    own, other = style.screen(0), style.screen(1)
    assert own.angle_deg != other.angle_deg
    for denomination, (right, wrong) in enumerate(((own, other), (other, own))):
        lines = style.panel(denomination, 1, 600, is_fake=True).lines
        assert abs(carrier(lines, right)) > 5 * abs(carrier(lines, wrong))
    again = carrier(style.panel(0, 2, 600, is_fake=True).lines, own)
    turned = carrier(style.panel(0, 1, 600, is_fake=True).lines, own) / again
    assert abs(math.remainder(math.atan2(turned.imag, turned.real), math.tau)) > 0.1


def test_interlaced_decks_hide_what_the_carrier_decks_hide() -> None:
    styles = [zoo_style(seed, Family.INTERLACED) for seed in SOME]
    assert style_named("zoo 3 interlaced") == styles[3]
    for seed, style in zip(range(6), styles, strict=False):
        carrier_panel = zoo_style(seed).panel(0, 5, 300, is_fake=True)
        panel = style.panel(0, 5, 300, is_fake=True)
        assert panel.faces == carrier_panel.faces
        assert panel.lines.shape == carrier_panel.lines.shape
        assert (panel.lines != carrier_panel.lines).any()
    said = {trait for style in styles for trait in style.traits}
    assert said >= {"camouflage of symbols", "camouflage of blobs"}
    slots = {style.screen(k).duty for style in styles for k in range(2)}
    assert 0.4 <= min(slots) < 0.43
    assert 0.47 < max(slots) <= 0.5


@pytest.mark.parametrize(("shown", "ink"), [(-1, 0.25), (2, 0.375), (-2, 0.375)])
def test_strips_show_what_lies_around_their_middles(shown: float, ink: float) -> None:
    screen = Screen(pitch_mm=0.8, angle_deg=90, duty=0.5)
    across = pixels_per_mm(600) * screen.pitch_mm
    hidden = np.zeros((200, 40), np.bool_)
    hidden[: round(5.25 * across)] = True  # Ends a quarter into the sixth strip.
    drawn = in_strips(hidden, screen, 600, 0.0, shown)[:, 20]
    strip = drawn[round(5 * across) : round(6 * across)]
    assert strip.mean() == pytest.approx(ink, abs=0.08)
    assert (bool(strip[1]), bool(strip[-2])) == (shown > 0, shown < 0)


def test_lines_show_where_the_two_pictures_differ_and_vanish_where_they_agree() -> None:
    screen = Screen(pitch_mm=0.4, angle_deg=30, duty=0.45)
    none, all_ = (np.full((600, 600), ink) for ink in (False, True))
    ours, theirs = (
        carrier(interlace(*pair, screen, 600, 0.0), screen)
        for pair in ((all_, none), (none, all_))
    )
    for both in (none, all_):
        assert abs(carrier(interlace(both, both, screen, 600, 0.0), screen)) < 0.01
    assert abs(ours) == pytest.approx(math.sin(0.45 * math.pi) / math.pi, abs=0.01)
    assert theirs == pytest.approx(-ours, abs=0.01)
    # A lens keeps one slot in sight: light less by its width where there is ink.
    assert interlace(all_, none, screen, 600, 0.0).mean() == pytest.approx(0.45, 0.02)
    assert interlace(all_, all_, screen, 600, 0.0).mean() == pytest.approx(0.9, 0.02)


def test_the_camouflage_is_another_one_on_every_note() -> None:
    style = next(
        s for s in (zoo_style(k, Family.INTERLACED) for k in SOME) if not s.camouflage
    )
    draws = [np.random.default_rng(k) for k in (1, 1, 2)]
    hidden = np.zeros((700, 1100), np.bool_)
    hidden[:, :400] = True
    same, again, other = (style.camouflaged(draw, hidden, 600) for draw in draws)
    assert (same == again).all()
    assert 0.3 < (same != other).mean() < 0.7
    assert 0.33 < same.mean() < 0.53


@pytest.mark.parametrize("name", STYLES)
def test_styles_drawn_by_hand_are_printed_as_the_project_prints(name: str) -> None:
    style = STYLES[name]
    scene = panel_scene(style.deck, is_fake=True, seed=9)
    panel = style.panel(0, 9, 300, is_fake=True)
    assert (panel.lines == panel_lines(style.deck, scene, 300)).all()
    assert panel.inside is None
    assert set(panel.faces) <= set(scene)
    assert {face.drawing for face in panel.faces} == {style.deck.masked}


def test_a_lesson_is_the_same_again_and_says_what_it_shows() -> None:
    first, again = (zoo.lesson(coarse(), 0, 1, 1) for _ in range(2))
    assert all((a == b).all() for a, b in zip(first.photos, again.photos, strict=True))
    assert (first.fakes, first.poor, first.way_up) == ((False, True), None, "upright")
    assert [len(first.real), len(first.fake)] == [1, 1]
    assert first.pitches_mm == (zoo_style(coarse()).deck.screen.pitch_mm,) * 2


def test_a_poor_photo_is_one_of_the_lesson_and_notes_lie_any_way_up_in_others() -> None:
    spoilt, good = (zoo.lesson(coarse(), 1, 1, 1, has_poor=p) for p in (True, False))
    assert spoilt.fault in zoo.POOR
    assert spoilt.way_up == "any"
    same = [
        a.shape == b.shape and bool((a == b).all())
        for a, b in zip(spoilt.photos, good.photos, strict=True)
    ]
    assert same == [k != spoilt.poor for k in range(2)]


def test_unsorted_lessons_show_two_of_either_kind_at_least() -> None:
    lesson = zoo.mixed(coarse(), 0, 4)
    assert sorted(lesson.fakes) == [False, False, True, True]
    counts = {sum(zoo.shuffled(coarse(), k, 8)) for k in range(60)}
    assert counts == {2, 3, 4, 5, 6}


def test_unseen_frames_show_one_note_of_the_deck_and_some_show_more() -> None:
    frame, crowd = zoo.unseen(coarse(), 1), zoo.unseen(coarse(), 0)
    assert [note.style for note in frame.notes] == [f"zoo {coarse()}"]
    assert frame.notes[0].is_readable
    assert len(crowd.notes) > 1


def test_a_photo_is_called_by_its_label_and_its_number_among_those() -> None:
    fakes = [False, True, False, True]
    called = [bench_zoo.called(fakes, k) for k in range(4)]
    assert called == ["real photo 1", "fake photo 1", "real photo 2", "fake photo 2"]
    assert bench_zoo.names("fake photo 1 was left out: blurred", called[1])
    assert not bench_zoo.names("fake photo 11 was left out", called[1])


def test_a_refusal_that_names_another_photo_is_told_apart() -> None:
    said = "real photo 2 shows the face of the other notes"
    assert bench_zoo.refusal(said, "real photo 2") == "refused and named"
    assert bench_zoo.refusal(said, "real photo 5") == "refused, naming another"
    assert bench_zoo.refusal("no two kinds", "real photo 5") == "refused"


def test_a_refusal_is_told_in_its_own_words() -> None:
    def refused() -> Learnt:
        raise Malformed("take them again")

    row, learnt = bench_zoo.tried(refused)
    assert learnt is None
    assert (row["outcome"], row["said"]) == ("refused", "take them again")


def test_photos_of_the_wrong_kind_are_counted_whichever_kind_wears_the_mask() -> None:
    fakes = [True, True, False, False, False]
    assert bench_zoo.told_apart([1, None, 0, 0, 0], fakes) == (1, 0)
    assert bench_zoo.told_apart([0, 0, 1, None, 1], fakes) == (0, 0)
    assert bench_zoo.told_apart([0, 0, 1, 0, 1], fakes) == (0, 1)


def rows() -> Iterator[dict[str, object]]:
    for lesson, outcome in enumerate(("learnt", "refused")):
        said = {"outcome": outcome, "said": "no face", "left_out": [], "seconds": 2.0}
        frame = {"way": "4+4", "difficulty": ("normal", "hard")[lesson]}
        note = {"truth": "real", "causes": [], "outcome": ("unsure", "wrong")[lesson]}
        seen = {**note, "reason": "blurred", "run_shown": lesson == 0}
        yield {
            "part": "lesson",
            "deck": 0,
            "lesson": lesson,
            "ways": dict.fromkeys(WAYS, said),
            "unseen": [frame | seen, frame | {"beside": lesson}],
            "strange": {"scene": "text", "decoy": lesson, "other": 0},
        }
    swapped = {"part": "swapped", "deck": 0, "lesson": 0}
    yield {**swapped, "outcome": "refused and named"}
    yield {**swapped, "part": "poor", "outcome": "learnt with it", "fault": "far"}


def test_tables_count_lessons_notes_and_what_must_not_be_judged() -> None:
    text = table(list(rows()))
    assert "| eight unsorted | 2 | 50.0 % (9.5 to 90.5) | 1 | 0 | 0 | 2.0 |" in text
    assert "| four photos of each | 2 | 50.0 % (9.5 to 90.5) | 1 | 0 | 1 |" in text
    assert "| **normal** | 1 | 0.0 % (0.0 to 79.3) | 0.0 % " in text
    assert "| **hard** | 1 | 0.0 % (0.0 to 79.3) | 1:100.0 % " in text
    assert "| of print runs that the lesson did not show | 1 | 0.0 % " in text
    assert "Why the unsure ones were: normal: blurred 1." in text
    assert "Pictures without a print, read with a learnt deck: 1 of 2 judged" in text
    assert "Clutter beside the notes was judged 1 times." in text
    assert "One label of eight swapped (1 lessons): refused and named 1." in text
    assert "- far: learnt with it 1" in text
    assert "| notes any way up | 1 | 0 % | 0 % | 0 % |" in text
    assert "1 x 2+2: no face" in refusals(list(rows()))
