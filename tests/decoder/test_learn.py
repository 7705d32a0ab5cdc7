"""Learning: four photos make a deck that reads; what does not suffice gets a no."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.decoder import (
    Learnt,
    Verdict,
    house_deck,
    learn,
    load_deck,
    read,
    save_deck,
)
from companion.errors import Malformed
from tests.decoder.screens import panel

HOUSE = house_deck()


def photo(*, is_fake: bool, roll_deg: float) -> NDArray[np.uint8]:
    return panel(
        HOUSE, is_fake=is_fake, pixels_per_line=4.0, roll_deg=roll_deg, side=384
    )


@pytest.fixture(scope="module")
def learnt() -> Learnt:
    real = [photo(is_fake=False, roll_deg=d) for d in (3, -5)]
    fake = [photo(is_fake=True, roll_deg=d) for d in (-2, 6)]
    return learn(real, fake, "mine")


def test_two_photos_of_each_kind_make_a_deck(learnt: Learnt) -> None:
    assert (learnt.right_count, learnt.photos_count) == (4, 4)
    assert learnt.deck.name == "mine"
    assert learnt.deck.shift == 0.5
    assert learnt.picture.dtype == np.uint8


@pytest.mark.parametrize("is_fake", [False, True])
def test_a_learnt_deck_reads_what_it_has_not_seen(
    learnt: Learnt, is_fake: bool
) -> None:
    deck = load_deck(save_deck(learnt.deck))
    first = read(photo(is_fake=is_fake, roll_deg=140), deck)[0]
    assert first.verdict is (Verdict.FAKE if is_fake else Verdict.REAL)


def test_photos_of_one_kind_only_are_not_enough() -> None:
    photos = [photo(is_fake=False, roll_deg=d) for d in (3, -5, 1, -2)]
    with pytest.raises(Malformed, match="differs between real and fake"):
        learn(photos[:2], photos[2:], "mine")


def test_a_photo_without_print_is_named() -> None:
    photos = [photo(is_fake=False, roll_deg=d) for d in (3, -5)]
    blank = np.full((320, 320, 3), 200, np.uint8)
    with pytest.raises(Malformed, match="none in photo 4"):
        learn(photos, [photos[0], blank], "mine")


@pytest.mark.parametrize("count", [0, 1, 6])
def test_too_few_or_too_many_photos_are_refused(count: int) -> None:
    blank = np.full((320, 320, 3), 200, np.uint8)
    with pytest.raises(Malformed, match="expected 2 to 5 photos of real notes"):
        learn([blank] * count, [blank] * 2, "mine")
