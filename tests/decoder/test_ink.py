"""Whatever the polarity of a print, its masks are shown dark on a light face."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.decoder import Deck, Verdict, explain, house_deck, read
from companion.decoder.ink import PAPER_BGR, face_of, mask_tone, on_paper, side_by_side
from tests.decoder.screens import panel

HOUSE = house_deck()
BLANK = replace(HOUSE, plain=HOUSE.masked, masked=HOUSE.plain)
"""A deck whose masks are left blank on faces that are drawn."""

DECKS = pytest.mark.parametrize("deck", [HOUSE, BLANK], ids=["drawn", "blank"])
MASK = HOUSE.masked - HOUSE.plain > 1


@DECKS
def test_a_mask_is_dark_where_a_face_without_is_light(deck: Deck) -> None:
    plain, masked = (face_of(deck, is_masked=kind) for kind in (False, True))
    where = np.kron(MASK, np.ones((10, 10))) > 0
    assert plain[where].mean() > 200
    assert masked[where].mean() < 55
    large = cv2.resize(side_by_side(deck), None, fx=2, fy=2).astype(int)
    first, second, differs = np.split(large, 3, axis=1)
    assert np.abs(first - plain).mean() < 4
    assert np.abs(second - masked).mean() < 4
    assert differs[where].mean() < 55
    assert np.median(differs) > 200


def test_what_a_mask_is_made_of_is_told_by_the_faces() -> None:
    assert (mask_tone(HOUSE), mask_tone(BLANK)) == (1, -1)
    assert np.median(face_of(HOUSE, is_masked=True)) > 200
    assert np.median(face_of(BLANK, is_masked=True)) < 55


@DECKS
@pytest.mark.parametrize("is_inverted", [False, True])
@pytest.mark.parametrize("is_fake", [False, True])
def test_a_hidden_picture_looks_as_the_deck_does_whatever_was_ink(
    deck: Deck, is_fake: bool, is_inverted: bool
) -> None:
    frame = panel(
        deck,
        is_fake=is_fake,
        pixels_per_line=4.0,
        roll_deg=3.0,
        is_inverted=is_inverted,
        side=384,
    )
    reading = read(frame, deck)[0]
    assert reading.verdict is (Verdict.FAKE if is_fake else Verdict.REAL)
    told = explain(frame, reading, deck)
    assert told.face is not None
    middle = np.median(told.hidden[100:-100, 100:-100])
    plain = np.median(told.face[30:60, 30:60])
    for shade in (middle, plain):
        assert shade > 180 if deck is HOUSE else shade < 75


@pytest.mark.parametrize("is_fake", [False, True])
def test_a_frame_joins_the_face_to_the_one_it_resembles(is_fake: bool) -> None:
    frame = panel(HOUSE, is_fake=is_fake, pixels_per_line=4.0, roll_deg=3.0, side=384)
    reading = read(frame, HOUSE)[0]
    told = explain(frame, reading, HOUSE).face
    assert told is not None
    rim = told[told.shape[0] // 2, [12, -12]].astype(int)
    is_framed = np.abs(rim - np.array(PAPER_BGR)).max(axis=1) > 20
    assert is_framed.tolist() == [not is_fake, is_fake]
    doubtful = replace(reading, verdict=Verdict.UNSURE)
    unframed = explain(frame, doubtful, HOUSE).face
    assert unframed is not None
    assert (unframed[:6] == np.array(PAPER_BGR, np.uint8)).all()


def test_black_is_ink_and_white_is_paper() -> None:
    shades = on_paper(np.array([[0, 128, 255]], np.uint8))
    assert shades.shape == (1, 3, 3)
    assert tuple(shades[0, 2]) == PAPER_BGR
    assert shades[0, 0].max() < 40 < shades[0, 1].min()
