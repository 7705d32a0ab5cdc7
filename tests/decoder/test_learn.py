"""Learning: four photos make a deck that reads; what does not suffice gets a no."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.decoder import (
    Learnt,
    Reason,
    Sorted,
    Verdict,
    house_deck,
    learn,
    load_deck,
    read,
    save_deck,
    sort_out,
)
from companion.decoder.deck import Run
from companion.decoder.portrait import Portrait, average_copies
from companion.errors import Malformed
from tests.decoder.screens import panel
from tests.sample import sampled

HOUSE = house_deck()
FACE_PX = 4.0 * HOUSE.face_height_lines

FIRST = Run(HOUSE.angle_deg, HOUSE.shift, HOUSE.face_height_lines)
SECOND = Run(HOUSE.angle_deg + 40, 1 / 3, 1.3 * HOUSE.face_height_lines)
UNKNOWN = Run(HOUSE.angle_deg - 50, 0.42, 0.8 * HOUSE.face_height_lines)
"""Print runs: the second's lines are the finest, the unknown one's the widest."""

BLANK = np.full((320, 320, 3), 200, np.uint8)

learning = sys.modules["companion.decoder.learn"]
"""The module; the package's own name for it is the function."""

Copied = Callable[..., tuple[NDArray[np.uint8], ...]]


@cache
def photo(*, is_fake: bool, roll_deg: float, run: Run = FIRST) -> NDArray[np.uint8]:
    return panel(
        HOUSE.of_run(run),
        is_fake=is_fake,
        pixels_per_line=FACE_PX / run.face_height_lines,
        roll_deg=roll_deg,
        side=384,
    )


def photos(rolls_deg: Sequence[float], *, is_fake: bool) -> list[NDArray[np.uint8]]:
    return [photo(is_fake=is_fake, roll_deg=roll) for roll in rolls_deg]


def wanted(*, is_fake: bool) -> Verdict:
    return Verdict.FAKE if is_fake else Verdict.REAL


@pytest.fixture(scope="module")
def learnt() -> Learnt:
    real, fake = photos((3, -5), is_fake=False), photos((-2, 6), is_fake=True)
    return learn(real, fake, "mine")


def test_two_photos_of_each_kind_make_a_deck(learnt: Learnt) -> None:
    assert (learnt.right_count, learnt.photos_count) == (4, 4)
    assert learnt.left_out == ()
    assert learnt.deck.name == "mine"
    assert learnt.deck.shift == 0.5
    assert learnt.deck.runs == ()
    assert learnt.deck.face_height_lines == pytest.approx(
        HOUSE.face_height_lines, rel=0.05
    )
    assert learnt.picture.dtype == np.uint8
    assert ways_up(learnt)[0] > 0.8


@pytest.mark.parametrize("is_fake", [False, True])
def test_a_learnt_deck_reads_what_it_has_not_seen(
    learnt: Learnt, is_fake: bool
) -> None:
    deck = load_deck(save_deck(learnt.deck))
    first = read(photo(is_fake=is_fake, roll_deg=140), deck)[0]
    assert first.verdict is wanted(is_fake=is_fake)


def test_lines_that_hide_nothing_are_not_called_blurred() -> None:
    blank = np.full_like(HOUSE.plain, -1)
    empty = replace(HOUSE, plain=blank, masked=blank)
    stripes = [
        panel(empty, is_fake=False, pixels_per_line=5.0, roll_deg=roll, side=384)
        for roll in (3, -5, -2, 6)
    ]
    with pytest.raises(Malformed, match=r"real photo 1.* nothing hidden in them"):
        learn(stripes[:2], stripes[2:], "mine")


@pytest.mark.slow
def test_photos_may_be_taken_any_way_up() -> None:
    real, fake = photos((3, 100), is_fake=False), photos((-130, 195), is_fake=True)
    learnt = learn(real, fake, "mine")
    assert (learnt.right_count, learnt.photos_count) == (4, 4)
    assert max(ways_up(learnt)[::2]) > 0.65
    for is_fake in (False, True):
        first = read(photo(is_fake=is_fake, roll_deg=60), learnt.deck)[0]
        assert first.verdict is wanted(is_fake=is_fake)


def ways_up(learnt: Learnt) -> list[float]:
    """How alike the face is to the house's: upright, on a side, and so on round."""
    size = HOUSE.plain.shape[::-1]
    turned = [cv2.resize(np.rot90(learnt.deck.plain, k), size) for k in range(4)]
    return [float(np.corrcoef(x.ravel(), HOUSE.plain.ravel())[0, 1]) for x in turned]


@pytest.mark.slow
@pytest.mark.parametrize("side", sampled([90, -90]))
def test_a_face_that_every_photo_shows_on_its_side_is_learnt_upright(side: int) -> None:
    real = photos((side + 3, side - 5), is_fake=False)
    learnt = learn(real, photos((side - 2, side + 6), is_fake=True), "mine")
    assert (learnt.right_count, learnt.photos_count) == (4, 4)
    assert ways_up(learnt)[0] > 0.65
    first = read(photo(is_fake=True, roll_deg=20), learnt.deck)[0]
    assert first.verdict is Verdict.FAKE


@pytest.fixture(scope="module")
def of_two_runs() -> Learnt:
    real = [
        photo(is_fake=False, roll_deg=roll, run=run)
        for roll, run in ((3, FIRST), (-5, SECOND))
    ]
    fake = [
        photo(is_fake=True, roll_deg=roll, run=run)
        for roll, run in ((6, FIRST), (-2, SECOND))
    ]
    return learn(real, fake, "mine")


@pytest.mark.slow
def test_notes_of_two_print_runs_are_learnt_together(of_two_runs: Learnt) -> None:
    assert (of_two_runs.right_count, of_two_runs.photos_count) == (4, 4)
    deck = of_two_runs.deck
    (other,) = deck.runs
    assert other.angle_deg - deck.angle_deg == pytest.approx(40, abs=3)
    assert other.face_height_lines / deck.face_height_lines == pytest.approx(
        1.3, rel=0.05
    )
    assert other.shift == pytest.approx(SECOND.shift, abs=0.1)


@pytest.mark.parametrize("is_fake", sampled([False, True]))
@pytest.mark.parametrize(
    "run", [FIRST, SECOND, UNKNOWN], ids=["first", "second", "unknown"]
)
def test_a_deck_reads_the_print_runs_of_its_lesson_and_others(
    of_two_runs: Learnt, run: Run, is_fake: bool
) -> None:
    deck = load_deck(save_deck(of_two_runs.deck))
    first = read(photo(is_fake=is_fake, roll_deg=12, run=run), deck)[0]
    assert first.verdict is wanted(is_fake=is_fake)


UNSORTED = (False, True, True, False, False, True, False, True)


@pytest.fixture(scope="module")
def unsorted() -> Sorted:
    rolls = (3, -5, 8, 95, -9, 1, 180, -2)
    shown = zip(UNSORTED, rolls, strict=True)
    return sort_out([photo(is_fake=kind, roll_deg=roll) for kind, roll in shown], "any")


@pytest.mark.slow
def test_photos_that_nobody_has_sorted_fall_into_two_kinds(unsorted: Sorted) -> None:
    masked = unsorted.kinds[1]
    assert masked is not None
    assert [kind == masked for kind in unsorted.kinds] == list(UNSORTED)
    assert unsorted.left_out == ()
    assert unsorted.faces[0].shape == unsorted.faces[1].shape
    learnt = unsorted.learnt(masked)
    assert (learnt.right_count, learnt.photos_count) == (8, 8)
    for is_fake in (False, True):
        first = read(photo(is_fake=is_fake, roll_deg=30), learnt.deck)[0]
        assert first.verdict is wanted(is_fake=is_fake)


@pytest.mark.slow
def test_who_wears_the_mask_decides_what_is_real(unsorted: Sorted) -> None:
    one, other = (unsorted.learnt(masked).deck for masked in (0, 1))
    assert (one.plain == other.masked).all()
    assert (one.masked == other.plain).all()
    assert [e.is_fake for e in one.lesson] == [not e.is_fake for e in other.lesson]
    assert [e.is_fake for e in other.lesson] == [k == 1 for k in unsorted.kinds]
    for is_fake in (False, True):
        frame = photo(is_fake=is_fake, roll_deg=30)
        verdicts = {read(frame, deck)[0].verdict for deck in (one, other)}
        assert verdicts == {Verdict.REAL, Verdict.FAKE}


@pytest.mark.parametrize("fakes_count", sampled([0, 1]))
def test_too_few_of_one_kind_do_not_fall_into_two(fakes_count: int) -> None:
    every = photos((3, -5, 8, -9, 1)[: 6 - fakes_count], is_fake=False)
    every += photos((-2,)[:fakes_count], is_fake=True)
    every += photos((-12,)[: 6 - len(every)], is_fake=False)
    words = (
        "add photos until there are two" if fakes_count != 1 else "only photo 6 shows"
    )
    with pytest.raises(Malformed, match=words):
        sort_out(every, "any")


@pytest.mark.parametrize("count", [5, 11])
def test_too_few_or_too_many_unsorted_photos_are_refused(count: int) -> None:
    with pytest.raises(
        Malformed, match=f"6 to 10 photos are needed; there are {count}; take"
    ):
        sort_out([BLANK] * count, "any")


CROSS = np.full_like(HOUSE.plain, -1)
CROSS[20:28], CROSS[:, 14:22] = 1, 1

WITHOUT_CHIN = HOUSE.plain.copy()
WITHOUT_CHIN[-10:] = -1


@cache
def beside(symbol: str) -> Learnt:
    """Learnt from notes on which a symbol takes turns with the face."""
    drawn = {"cross": CROSS, "face without chin": WITHOUT_CHIN}[symbol]

    def note(roll_deg: float, *, is_fake: bool) -> NDArray[np.uint8]:
        return panel(
            HOUSE,
            is_fake=is_fake,
            pixels_per_line=4.0,
            roll_deg=roll_deg,
            side=416,
            symbols=(drawn,),
        )

    real = [note(roll, is_fake=False) for roll in (3, -5)]
    return learn(real, [note(roll, is_fake=True) for roll in (-2, 6)], symbol)


@pytest.mark.slow
@pytest.mark.parametrize("symbol", sampled(["face without chin", "cross"]))
def test_the_face_is_told_from_a_symbol_beside_it(symbol: str) -> None:
    learnt = beside(symbol)
    assert (learnt.right_count, learnt.photos_count) == (4, 4)
    for is_fake in (False, True):
        first = read(photo(is_fake=is_fake, roll_deg=30), learnt.deck)[0]
        assert first.verdict is wanted(is_fake=is_fake)


@pytest.mark.parametrize("symbol", [CROSS, WITHOUT_CHIN], ids=["cross", "chinless"])
def test_a_symbol_alone_is_not_taken_for_the_face_that_it_resembles(
    symbol: NDArray[np.float32],
) -> None:
    alone = replace(HOUSE, plain=symbol, masked=symbol)
    frame = panel(alone, is_fake=False, pixels_per_line=4.0, roll_deg=3)
    readings = read(frame, HOUSE)
    assert [r.reason for r in readings] == [Reason.NOT_A_DECK_I_KNOW]


def test_photos_of_one_kind_only_are_not_enough() -> None:
    every = photos((3, -5, 1, -2), is_fake=False)
    with pytest.raises(Malformed, match="differs between real and fake"):
        learn(every[:2], every[2:], "mine")


@pytest.mark.slow
@pytest.mark.parametrize("is_fake", sampled([False, True]))
def test_a_photo_among_the_wrong_ones_is_named(is_fake: bool) -> None:
    real, fake = photos((3, -5, 8), is_fake=False), photos((-2, 6, 9), is_fake=True)
    (real if is_fake else fake)[1] = photo(is_fake=is_fake, roll_deg=-8)
    named = "real photo 2" if is_fake else "fake photo 2"
    with pytest.raises(Malformed, match=f"^{named} shows the face of the other notes"):
        learn(real, fake, "mine")


@pytest.mark.parametrize("swapped", sampled(range(4)))
def test_with_two_photos_of_each_a_wrong_label_makes_no_deck(swapped: int) -> None:
    shown = [(False, 3), (False, -5), (True, -2), (True, 6)]
    every = [
        photo(is_fake=kind != (number == swapped), roll_deg=roll)
        for number, (kind, roll) in enumerate(shown)
    ]
    with pytest.raises(Malformed):
        learn(every[:2], every[2:], "mine")


def test_a_photo_without_print_is_named_if_too_few_are_left() -> None:
    real, fake = photos((3, -5), is_fake=False), photos((-2,), is_fake=True)
    with pytest.raises(Malformed, match=r"^fake photo 2 could not be used"):
        learn(real, [*fake, BLANK], "mine")


@pytest.mark.slow
def test_a_photo_without_print_is_left_out_and_named() -> None:
    real, fake = photos((3, -5, 8), is_fake=False), photos((-2, 6, 9), is_fake=True)
    learnt = learn([real[0], BLANK, *real[1:]], fake, "mine")
    assert (learnt.right_count, learnt.photos_count) == (6, 6)
    (sentence,) = learnt.left_out
    assert sentence.startswith("real photo 2 could not be used, no scrambled print")


@pytest.mark.slow
def test_an_unsorted_photo_without_print_has_no_kind() -> None:
    real, fake = photos((3, -5, 8), is_fake=False), photos((-2, 6, 9), is_fake=True)
    found = sort_out([*real, BLANK, *fake], "any")
    assert [kind is None for kind in found.kinds] == [False] * 3 + [True] + [False] * 3
    (sentence,) = found.left_out
    assert sentence.startswith("photo 4 could not be used, no scrambled print")


@pytest.mark.parametrize("count", [0, 1, 6])
def test_too_few_or_too_many_photos_are_refused(count: int) -> None:
    with pytest.raises(Malformed, match="2 to 5 photos each of real"):
        learn([BLANK] * count, [BLANK] * 2, "mine")


def packed(frame: NDArray[np.uint8], quality: int) -> NDArray[np.uint8]:
    content = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(content, cv2.IMREAD_COLOR), np.uint8)


def smaller(frame: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    small = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


@pytest.mark.slow
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
    real, fake = photos((3, -5), is_fake=False), photos((-2, 6), is_fake=True)
    every = list(copied(real, fake))
    with pytest.raises(Malformed, match=f"^{named} are the same picture; take every"):
        learn(every[:2], every[2:], "mine")


@pytest.mark.slow
def test_another_note_in_the_same_place_is_another_photo() -> None:
    # As near as a hand lays it: the other is turned by less than half a degree.
    real, fake = photos((3, -4), is_fake=False), photos((3.4, -4.4), is_fake=True)
    assert learn(real, fake, "mine").right_count == 4


@pytest.mark.slow
def test_a_real_and_a_fake_note_of_one_layout_in_one_place_are_two_photos() -> None:
    real, fake = photos((3, -5), is_fake=False), photos((3, 6), is_fake=True)
    assert learn(real, fake, "mine").right_count == 4


@pytest.mark.slow
def test_a_photo_is_left_out_of_all_averages_of_its_trial_deck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taught: list[frozenset[int]] = []

    def noted(portrait: Portrait, kinds: Sequence[int | None] | None) -> Portrait:
        taught.append(frozenset(k for k, own in enumerate(portrait.copies) if own))
        return average_copies(portrait, kinds)

    monkeypatch.setattr(learning, "average_copies", noted)
    real, fake = photos((3, -5), is_fake=False), photos((-2, 6), is_fake=True)
    assert learn(real, fake, "mine").right_count == 4
    everyone = frozenset(range(4))
    assert taught[0] == everyone
    # A trial averages twice: the copies are fitted again to the others' templates.
    assert taught[-8:] == [everyone - {k} for k in range(4) for _ in range(2)]
