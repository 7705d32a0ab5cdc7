"""A deck grows by photos that are proven, and never reads anything worse for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.decoder import (
    Deck,
    Verdict,
    grow,
    house_deck,
    learn,
    load_deck,
    read,
    save_deck,
)
from companion.decoder.deck import LESSON_MAX
from companion.errors import Malformed
from tests.decoder.screens import photo


@pytest.fixture(scope="module")
def learnt() -> Deck:
    """Learn from two photos of each kind, and read the deck from its file."""
    real = [photo(roll, is_fake=False) for roll in (3, -5)]
    fake = [photo(roll, is_fake=True) for roll in (-2, 6)]
    return load_deck(save_deck(learn(real, fake, "mine").deck))


def test_a_learnt_deck_remembers_its_photos_in_its_file(learnt: Deck) -> None:
    assert [one.is_fake for one in learnt.lesson] == [False, False, True, True]
    assert len(save_deck(learnt)) < 300_000


@pytest.mark.parametrize("is_fake", [False, True])
def test_a_deck_knows_a_photo_more_and_reads_as_before(
    learnt: Deck, is_fake: bool
) -> None:
    grown = grow(learnt, photo(1, is_fake=is_fake), is_fake=is_fake)
    assert grown.photos_count == grown.right_count == 5
    assert [one.is_fake for one in grown.deck.lesson[4:]] == [is_fake]
    assert len(learnt.lesson) == 4, "the given one stays as it was"
    again = load_deck(save_deck(grown.deck))
    for kind in (False, True):
        wanted = Verdict.FAKE if kind else Verdict.REAL
        assert read(photo(-7, is_fake=kind), again)[0].verdict is wanted
    third = grow(again, photo(8, is_fake=not is_fake), is_fake=not is_fake)
    assert third.photos_count == 6


@pytest.mark.parametrize("is_fake", [False, True])
def test_a_wrong_tap_is_doubted(learnt: Deck, is_fake: bool) -> None:
    with pytest.raises(Malformed, match="other kind; look through the lens again"):
        grow(learnt, photo(1, is_fake=is_fake), is_fake=not is_fake)


def test_a_photo_that_shows_nothing_is_refused(learnt: Deck) -> None:
    blank = np.full((384, 384, 3), 200, np.uint8)
    with pytest.raises(Malformed, match="the new photo could not be used, no scram"):
        grow(learnt, blank, is_fake=True)


def test_a_photo_does_not_vouch_for_itself(learnt: Deck) -> None:
    seen = photo(1, is_fake=True)
    grown = load_deck(save_deck(grow(learnt, seen, is_fake=True).deck))
    with pytest.raises(Malformed, match="knows this photo already"):
        grow(grown, seen, is_fake=True)
    with pytest.raises(Malformed, match="knows this photo already"):
        grow(learnt, photo(3, is_fake=False), is_fake=False)  # Of its lesson.


def test_a_deck_without_photos_and_one_with_enough_of_them_do_not_grow(
    learnt: Deck,
) -> None:
    full = replace(learnt, lesson=learnt.lesson * (LESSON_MAX // 4))
    for deck in (house_deck(), full):
        with pytest.raises(Malformed, match="from no more photos; learn a deck anew"):
            grow(deck, photo(1, is_fake=True), is_fake=True)
