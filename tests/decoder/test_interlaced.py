"""Interlaced prints: strips of the hidden picture between those of a camouflage."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.decoder import (
    Learnt,
    Verdict,
    grow,
    house_deck,
    learn,
    load_deck,
    read,
    save_deck,
    sort_out,
)
from companion.decoder.deck import DECK_VERSION_CARRIER, Family
from companion.decoder.interlaced import lens_pictures
from companion.decoder.scale import views
from companion.decoder.things import drop_edge_ink
from companion.decoder.unscramble import Photo, settle_choices, unscramble
from companion.errors import Malformed
from companion.words import say
from tests.decoder.screens import laced, panel

HOUSE = house_deck()
LACED = replace(HOUSE, family=Family.INTERLACED)

ROLLS_DEG = {False: (3.0, -5.0), True: (-2.0, 6.0)}
"""How the notes of a lesson lie, by whether they are fake."""


@cache
def photo(roll_deg: float, *, is_fake: bool) -> NDArray[np.uint8]:
    """Another camouflage for every photo."""
    seed = 100 + round(2 * roll_deg) + 1000 * is_fake
    return laced(
        HOUSE, is_fake=is_fake, pixels_per_line=5.0, roll_deg=roll_deg, seed=seed
    )


def wanted(*, is_fake: bool) -> Verdict:
    return Verdict.FAKE if is_fake else Verdict.REAL


@pytest.fixture(scope="module")
def learnt() -> Learnt:
    real, fake = (
        [photo(roll, is_fake=is_fake) for roll in ROLLS_DEG[is_fake]]
        for is_fake in (False, True)
    )
    return learn(real, fake, "mine")


@pytest.mark.parametrize("is_fake", [False, True])
@pytest.mark.parametrize("roll_deg", [20.0, 200.0])
def test_a_deck_of_the_family_reads_an_interlaced_note(
    is_fake: bool, roll_deg: float
) -> None:
    frame = photo(roll_deg, is_fake=is_fake)
    first = read(frame, LACED)[0]
    assert first.verdict is wanted(is_fake=is_fake)
    # Whoever knows the deck as a carrier's never takes a face for its opposite.
    assert read(frame, HOUSE)[0].verdict in {first.verdict, Verdict.UNSURE}


def test_the_lens_shows_one_picture_at_either_place() -> None:
    masked, plain = (
        laced(HOUSE, is_fake=is_fake, pixels_per_line=5.0, roll_deg=20, seed=1140)
        for is_fake in (True, False)
    )
    (one, other), (again, same) = (
        lens_pictures(view.grey, view.screens[0])
        for view in (
            next(iter(views(np.ascontiguousarray(frame[..., 1]))))
            for frame in (masked, plain)
        )
    )
    inside = (one.weight > 0.9) & (again.weight > 0.9)
    alike = sorted(
        abs(float(np.corrcoef(a.soft[inside], b.soft[inside])[0, 1]))
        for a, b in [(one, again), (one, same), (other, again), (other, same)]
    )
    # Both photos have the same blobs, and faces that differ by the mask only.
    assert alike[1] < 0.2
    assert alike[2] > 0.7
    assert np.median(np.abs(one.soft[inside])) == pytest.approx(1, abs=0.2)


def test_a_lesson_is_learnt_and_reads_what_it_has_not_shown(learnt: Learnt) -> None:
    assert learnt.deck.family is Family.INTERLACED
    assert (learnt.right_count, learnt.photos_count) == (4, 4)
    deck = load_deck(save_deck(learnt.deck))
    for is_fake in (False, True):
        first = read(photo(140, is_fake=is_fake), deck)[0]
        assert first.verdict is wanted(is_fake=is_fake)


@pytest.mark.slow
def test_a_photo_with_the_wrong_label_is_named() -> None:
    real = [photo(roll, is_fake=False) for roll in (3, -5, 10)]
    fake = [photo(roll, is_fake=True) for roll in (-2, 6, -9)]
    with pytest.raises(Malformed, match="fake photo 3 shows the face of the other"):
        learn(real[:2], [*fake, real[2]][1:], "mine")


def test_such_a_deck_grows_by_one_more_photo(learnt: Learnt) -> None:
    grown = grow(learnt.deck, photo(1, is_fake=True), is_fake=True)
    assert grown.photos_count == grown.right_count == 5
    assert grown.deck.family is Family.INTERLACED
    with pytest.raises(Malformed, match="knows this photo already"):
        grow(grown.deck, photo(1, is_fake=True), is_fake=True)


@pytest.mark.slow
def test_photos_are_sorted_out() -> None:
    shown = [(roll, kind) for kind in (False, True) for roll in (3, -5, 10)]
    found = sort_out([photo(roll, is_fake=kind) for roll, kind in shown], "mine")
    assert len(set(found.kinds[:3])) == len(set(found.kinds[3:])) == 1
    assert found.learnt(found.kinds[3] or 0).deck.family is Family.INTERLACED


def test_the_hidden_pictures_are_told_from_the_camouflage_together() -> None:
    every = [
        unscramble(photo(r, is_fake=f), say("one"), int(f), family=Family.INTERLACED)
        for f in (False, True)
        for r in ROLLS_DEG[f]
    ]
    mixed = [replace(p, field=p.second_field, second_field=p.field) for p in every[1:3]]

    def piles(photos: list[Photo]) -> set[frozenset[int]]:
        return {frozenset(id(p.field) for p in way) for way in settle_choices(photos)}

    assert piles([every[0], *mixed, every[3]]) == piles(every)
    first, second = piles(every)
    assert not first & second


def test_only_decks_that_need_it_are_written_in_the_new_version() -> None:
    old, new = (msgspec.msgpack.decode(save_deck(deck)) for deck in (HOUSE, LACED))
    assert (old["version"], "family" in old) == (DECK_VERSION_CARRIER, False)
    assert (new["version"], new["family"]) == (DECK_VERSION_CARRIER + 1, "interlaced")
    assert load_deck(save_deck(LACED)).family is Family.INTERLACED
    assert load_deck(save_deck(HOUSE)).family is Family.CARRIER
    unknown = msgspec.msgpack.encode({**new, "family": "holograms"})
    with pytest.raises(Malformed, match="a mistake: Invalid enum value 'holograms'"):
        load_deck(unknown)


def test_lines_that_hide_nothing_are_no_print_of_the_family() -> None:
    blank = np.full_like(HOUSE.plain, -1)
    empty = replace(HOUSE, plain=blank, masked=blank)
    stripes = panel(empty, is_fake=False, pixels_per_line=5.0)
    assert read(stripes, LACED)[0].picture is None


def test_lines_that_are_everywhere_are_no_print_of_the_family(learnt: Learnt) -> None:
    carrier = panel(HOUSE, is_fake=True, pixels_per_line=5.0)
    view = next(iter(views(np.ascontiguousarray(carrier[..., 1]))))
    assert lens_pictures(view.grey, view.screens[0]) == ()
    with pytest.raises(Malformed, match="lines, but nothing hidden in them"):
        grow(learnt.deck, carrier, is_fake=True)


def test_what_touches_the_edge_of_the_panel_is_no_thing_of_a_lesson() -> None:
    ink = np.zeros((60, 60, 2), np.float32)
    ink[5:55, 5:55, 1] = 1  # The panel,
    ink[5:9, 5:55, 0] = 1  # paper along its edge, a thing that touches it,
    ink[9:20, 10:20, 0] = 1
    ink[30:40, 30:40, 0] = 1  # and a thing that does not.
    shown = drop_edge_ink(ink)
    assert shown[..., 0].sum() == 100
    assert (shown[30:40, 30:40, 0] == 1).all()
    assert (shown[..., 1] == ink[..., 1]).all()
