"""A photo that the plastic lens has proven makes its deck better, or is left out."""

from __future__ import annotations

import threading
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.decoder import house_deck, learn, load_deck, save_deck
from companion.errors import Malformed
from companion.examining import Growth, GrowthState
from hardware.photos.deck_folder import DeckFolder
from hardware.photos.examiner import PRINTS_MAX, PhotoExaminer, PhotoGrowing
from hardware.photos.one_at_a_time import OneAtATime
from hardware.photos.photo import read_photo
from tests.decoder.screens import photo
from tests.fakes import FakeClock
from tests.running import PATIENCE_S

JPEG = b"\xff\xd8\xff"


def encoded(picture: np.ndarray) -> bytes:
    return cv2.imencode(".png", picture)[1].tobytes()


@pytest.fixture(scope="module")
def learnt() -> bytes:
    """Return a deck file that remembers two photos of each kind."""
    real, fake = ([photo(roll, is_fake=kind) for roll in rolls]
                  for kind, rolls in ((False, (3, -5)), (True, (-2, 6))))  # fmt: skip
    return save_deck(learn(real, fake, "Shop").deck)


class Garden:
    """A deck of a table that grows by what the table sees."""

    def __init__(self, folder: Path, content: bytes) -> None:
        self.decks = DeckFolder(folder)
        self.decks.choose(self.decks.keep("Shop", content, JPEG).key)
        gate = OneAtATime()
        self.examiner = PhotoExaminer(self.decks, gate, FakeClock(), lambda: None)
        self.over = threading.Event()
        self.growing = PhotoGrowing(self.decks, self.examiner, gate, self.over.set)

    def look(self, picture: np.ndarray, *, has_lens: bool = False) -> str:
        look = self.examiner.examine(BytesIO(encoded(picture)), has_lens=has_lens)
        assert (look.deck, look.deck_key) == ("Shop", "shop")
        return look.key

    def grow(self, key: str, *, is_fake: bool) -> Growth:
        self.over.clear()
        self.growing.begin(key, is_fake=is_fake)
        assert self.over.wait(PATIENCE_S)
        growth = self.growing.of(key)
        assert growth is not None
        return growth


@pytest.fixture
def garden(tmp_path: Path, learnt: bytes) -> Garden:
    return Garden(tmp_path / "decks", learnt)


@pytest.mark.slow
def test_a_proven_photo_is_learnt_and_read_with_from_then_on(garden: Garden) -> None:
    key = garden.look(photo(-4, is_fake=True))
    assert garden.growing.of(key) is None
    growth = garden.grow(key, is_fake=True)
    assert growth == Growth(GrowthState.GROWN, photos_count=5)
    assert len(garden.decks.deck().deck.lesson) == 5
    assert garden.decks.picture("shop") != JPEG
    garden.growing.begin(key, is_fake=False)  # A second tap.
    assert garden.growing.of(key) == growth
    look = garden.examiner.found(key)
    assert look is not None
    assert look.verdict == "fake"
    other = garden.look(photo(1, is_fake=False))
    assert garden.grow(other, is_fake=False).photos_count == 6


def test_a_photo_that_would_make_the_deck_worse_changes_nothing(
    garden: Garden, learnt: bytes
) -> None:
    key = garden.look(photo(-4, is_fake=True))
    growth = garden.grow(key, is_fake=False)
    assert growth.state is GrowthState.UNCHANGED
    assert growth.why
    assert garden.decks.file("shop") == learnt
    assert garden.decks.picture("shop") == JPEG
    assert garden.grow(key, is_fake=True).state is GrowthState.GROWN, "the right tap"


def test_a_deck_that_was_forgotten_meanwhile_does_not_come_back(
    garden: Garden,
) -> None:
    key = garden.look(photo(-4, is_fake=True))
    garden.decks.forget("shop")
    growth = garden.grow(key, is_fake=True)
    assert growth.state is GrowthState.UNCHANGED
    assert growth.why == "this deck was forgotten"
    assert len(garden.decks.cards()) == 1


def test_only_the_latest_prints_are_kept_and_small(garden: Garden) -> None:
    keys = [garden.look(photo(-4, is_fake=True)) for _ in range(PRINTS_MAX + 1)]
    assert garden.examiner.print_of(keys[0]) is None
    with pytest.raises(Malformed, match="has forgotten this photo; take it again"):
        garden.growing.begin(keys[0], is_fake=True)
    with pytest.raises(Malformed, match="take it again"):
        garden.growing.begin("guessed", is_fake=True)
    far = np.full((1600, 2400, 3), 120, np.uint8)
    far[500:884, 900:1284] = photo(-4, is_fake=True)
    kept = garden.examiner.print_of(garden.look(far))
    assert kept is not None
    assert max(read_photo(kept).shape) < 800


def test_what_no_deck_can_learn_from_is_not_offered(
    garden: Garden, tmp_path: Path
) -> None:
    two = np.full((500, 1000, 3), 120, np.uint8)
    two[50:434, 50:434] = photo(-4, is_fake=True)
    two[50:434, 550:934] = photo(2, is_fake=False)
    for key in (
        garden.look(two),
        garden.look(photo(-4, is_fake=True), has_lens=True),
        garden.look(np.full((400, 400, 3), 120, np.uint8)),
    ):
        look = garden.examiner.found(key)
        assert look is not None
        assert not look.can_teach
        assert garden.examiner.print_of(key) is None
    garden.decks.choose("house")
    look = garden.examiner.examine(BytesIO(encoded(photo(-4, is_fake=True))))
    assert (look.verdict, look.can_teach) == ("fake", False)
    assert load_deck(save_deck(house_deck())).lesson == ()
