"""Print runs: told apart by their lines, and found though no lesson showed them."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from companion.decoder import house_deck
from companion.decoder.deck import RUNS_MAX, Run
from companion.decoder.fit import Face
from companion.decoder.runs import (
    decks_by_run,
    direction_of,
    find_run,
    group_runs,
    match_deck,
    may_be_one_run,
    measure_run,
)
from companion.decoder.unscramble import unscramble
from companion.decoder.verdict import Verdict
from tests.decoder.screens import panel
from tests.sample import each

HOUSE = house_deck()
ONE = Run(20.0, 0.5, 24.0)


@each(
    ("other", "same"),
    [
        (ONE, True),
        (Run(27.0, 0.5, 24.0), True),
        (Run(29.0, 0.5, 24.0), False),
        (Run(200.0, 0.5, 24.0), True),
        (Run(-165.0, 0.5, 24.0), True),
        (Run(20.0, 0.5, 26.5), True),
        (Run(20.0, 0.5, 27.5), False),
        (Run(20.0, 0.42, 24.0), True),
        (Run(20.0, 0.25, 24.0), False),
    ],
)
def test_photos_are_of_one_run_if_their_lines_are_nearly_alike(
    other: Run, same: bool
) -> None:
    assert may_be_one_run(ONE, other) is same
    assert may_be_one_run(other, ONE) is same


def test_each_run_is_kept_once_the_one_of_most_photos_first() -> None:
    photos = [
        Run(88.0, 0.5, 24.0),
        Run(21.0, 1 / 3, 30.0),
        Run(-88.0, 0.5, 25.0),
        Run(19.0, 1 / 3, 31.0),
        Run(20.0, 1 / 3, 32.0),
    ]
    first, second = group_runs(photos)
    assert first.angle_deg == pytest.approx(20)
    assert (first.shift, first.face_height_lines) == (1 / 3, 31.0)
    assert abs(second.angle_deg) == pytest.approx(90), "88 and -88 are 4 degrees apart"
    assert (second.shift, second.face_height_lines) == (0.5, 24.5)


def test_a_deck_knows_so_many_runs_and_no_more() -> None:
    photos = [Run(float(turn), 0.5, 24.0) for turn in range(-88, 88, 11)]
    assert len(photos) > RUNS_MAX
    assert len(group_runs(photos)) == RUNS_MAX


def face(turn_deg: float, height_px: float) -> Face:
    """A face of which only the box counts, turned in its photo."""
    turn = math.radians(turn_deg)
    right = height_px / 2 * np.array([math.cos(turn), math.sin(turn)])
    down = np.array([-right[1], right[0]])
    corners = [i * right + j * down for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    patch = np.zeros((36, 36), np.float32)
    box = np.array(corners, np.float32)
    return Face((0.0, 0.0), box, 0.9, 0.0, 0.0, 1.0, 1.0, patch)


@each(("turn_deg", "sign"), product([0, 30, 120, -100, 180], [1, -1]))
def test_a_run_is_told_from_the_upright_face_and_its_lines(
    turn_deg: float, sign: int
) -> None:
    # Lines 5 pixels apart, their normal 25 degrees from the face's own right.
    angle = math.radians(turn_deg + 25)
    frequency = sign * math.cos(angle) / 5, sign * math.sin(angle) / 5
    run = measure_run([face(turn_deg, 100), face(turn_deg, 110)], frequency, 0.42)
    assert run.angle_deg == pytest.approx(25, abs=0.1)
    assert run.face_height_lines == pytest.approx(21)
    assert run.shift == 0.42


def test_a_carrier_that_points_down_has_a_direction_of_90_degrees() -> None:
    assert direction_of((0.0, 0.2)) == 90
    assert direction_of((0.2, 0.0)) == 0


@pytest.mark.parametrize("roll_deg", [4, -120])
@pytest.mark.parametrize("is_fake", [False, True])
@pytest.mark.parametrize(
    "run",
    [
        Run(-30.0, 1 / 3, 19.0),
        Run(-60.0, 0.42, 22.0),
        Run(-20.0, 0.5, 26.0),
        Run(-75.0, 1 / 3, 31.0),
    ],
)
def test_a_deck_of_several_runs_finds_faces_of_another_one(
    run: Run, is_fake: bool, roll_deg: float
) -> None:
    deck = replace(HOUSE.of_run(ONE), runs=(Run(60.0, 1 / 3, 31.0),))
    frame = panel(
        HOUSE.of_run(run),
        is_fake=is_fake,
        pixels_per_line=4.0,
        roll_deg=roll_deg,
        side=384,
    )
    field = unscramble(frame, "a photo", None).field
    assert field is not None
    found = find_run(field, deck)
    assert found is not None
    assert abs(found.angle_deg - run.angle_deg) < 10
    assert found.face_height_lines == pytest.approx(run.face_height_lines, rel=0.2)
    verdict = match_deck(field, deck).judgement.verdict
    assert verdict is (Verdict.FAKE if is_fake else Verdict.REAL)


def test_a_deck_of_several_runs_is_taken_apart_into_each() -> None:
    deck = replace(HOUSE.of_run(ONE), runs=(Run(60.0, 1 / 3, 31.0),))
    own = [
        Run(one.angle_deg, one.shift, one.face_height_lines)
        for one in decks_by_run(deck)
    ]
    assert own == [ONE, *deck.runs]
    assert all(one.runs == () for one in decks_by_run(deck))


def test_where_no_face_is_seen_no_run_is_found() -> None:
    deck = replace(HOUSE, runs=(ONE,))
    frame = panel(HOUSE, is_fake=False, pixels_per_line=4.0, side=384)
    field = unscramble(frame, "a photo", None).field
    assert field is not None
    blank = replace(field, weight=np.zeros_like(field.weight))
    assert find_run(blank, deck) is None
