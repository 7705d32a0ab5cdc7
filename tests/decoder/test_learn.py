"""Learning: four photos make a deck that reads; what does not suffice gets a no."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
import pytest
from companion.decoder.recur import Patch
from numpy.typing import NDArray

from companion.decoder import (
    Deck,
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

learning = sys.modules["companion.decoder.learn"]
"""The module; the package's own name for it is the function."""

Copied = Callable[..., tuple[NDArray[np.uint8], ...]]


@cache
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


@pytest.mark.slow
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


def packed(frame: NDArray[np.uint8], quality: int) -> NDArray[np.uint8]:
    content = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(content, cv2.IMREAD_COLOR), np.uint8)


def smaller(frame: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    small = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


@pytest.mark.parametrize(
    ("copied", "named"),
    [
        (lambda real, fake: (real[0], real[0], *fake), "real photo 1 and real photo 2"),
        (lambda real, fake: (*real, real[1], fake[1]), "real photo 2 and fake photo 1"),
        (
            lambda real, fake: (*real, fake[0], packed(fake[0], 70)),
            "fake photo 1 and fake photo 2",
        ),
        (
            lambda real, fake: (real[0], smaller(real[0], 0.85), *fake),
            "real photo 1 and real photo 2",
        ),
        (
            lambda real, fake: (real[0], real[0][20:-12, 9:-31], *fake),
            "real photo 1 and real photo 2",
        ),
        (
            lambda real, fake: (real[0], real[0] // 2 + 30, *fake),
            "real photo 1 and real photo 2",
        ),
    ],
    ids=["twice", "as both", "packed again", "smaller", "cut", "darker"],
)
def test_one_photo_does_not_count_as_two(copied: Copied, named: str) -> None:
    real = [photo(is_fake=False, roll_deg=d) for d in (3, -5)]
    fake = [photo(is_fake=True, roll_deg=d) for d in (-2, 6)]
    photos = list(copied(real, fake))
    with pytest.raises(Malformed, match=f"^{named} are the same picture; take every"):
        learn(photos[:2], photos[2:], "mine")


def test_another_note_in_the_same_place_is_another_photo() -> None:
    # As near as a hand lays it: the other is turned by less than half a degree.
    real = [photo(is_fake=False, roll_deg=d) for d in (3, -4)]
    fake = [photo(is_fake=True, roll_deg=d) for d in (3.4, -4.4)]
    frames = [(f, False) for f in real] + [(f, True) for f in fake]
    learning._refuse_twins(real, fake, learning._unscramble(frames)[1])


@pytest.mark.slow
def test_a_photo_is_left_out_of_all_that_its_trial_deck_is_made_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = [photo(is_fake=False, roll_deg=d) for d in (3, -5)]
    fake = [photo(is_fake=True, roll_deg=d) for d in (-2, 6)]
    taught: list[frozenset[int]] = []

    def grow(
        self: learning._Teacher, patch: Patch, photos: list[learning._Photo]
    ) -> tuple[float, Deck] | None:
        taught.append(frozenset(self.photos.index(p) for p in photos))
        return plain(self, patch, photos)

    plain = learning._Teacher.grow
    monkeypatch.setattr(learning._Teacher, "grow", grow)
    learn(real, fake, "mine")
    everyone = frozenset(range(4))
    assert taught[0] == everyone
    assert taught[-4:] == [everyone - {k} for k in range(4)]
