"""Decks on a decks, and learning one more from photos that phones send."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import hardware.photos.lessons
from companion.decoder import Verdict, house_deck, read, save_deck
from companion.errors import DeviceFault, Malformed
from companion.examining import PHOTOS_MAX, UNSORTED_MAX, LessonState, LessonView
from companion.words import Words
from hardware.photos.deck_folder import DECKS_MAX, HOUSE, DeckFolder
from hardware.photos.lessons import PhotoLessons
from hardware.photos.one_at_a_time import OneAtATime
from hardware.photos.photo import read_photo
from tests.decoder.screens import panel
from tests.running import PATIENCE_S

CONTENT = save_deck(house_deck())
JPEG = b"\xff\xd8\xff"
GOLDEN = Path(__file__).parents[2] / "decoder" / "golden"


def encoded(picture: NDArray[np.uint8]) -> bytes:
    _, content = cv2.imencode(".png", picture)
    return content.tobytes()


@pytest.fixture(scope="module")
def photos() -> dict[bool, list[bytes]]:
    """By is_fake: five photos of real notes, three of fake ones."""
    return {
        is_fake: [
            encoded(
                panel(
                    house_deck(),
                    is_fake=is_fake,
                    pixels_per_line=4.0,
                    roll_deg=roll,
                    side=384,
                )
            )
            for roll in rolls
        ]
        for is_fake, rolls in ((False, (3, -5, 1, 7, -8)), (True, (-2, 6, -4)))
    }


# The decks.


@pytest.fixture
def decks(tmp_path: Path) -> DeckFolder:
    return DeckFolder(tmp_path / "decks")


def test_an_empty_shelf_holds_the_house_deck(decks: DeckFolder) -> None:
    (card,) = decks.cards()
    assert (card.key, card.is_chosen, card.is_built_in) == (HOUSE, True, True)
    name, deck, key = decks.deck()
    assert key == HOUSE
    assert (name, deck.name) == (HOUSE, "house")


def test_a_deck_that_is_kept_can_be_chosen_and_forgotten(decks: DeckFolder) -> None:
    card = decks.keep(" Grandma's box ", CONTENT, JPEG)
    assert (card.key, card.name) == ("grandma-s-box", "Grandma's box")
    assert [c.is_chosen for c in decks.cards()] == [True, False]
    decks.choose(card.key)
    assert [c.is_chosen for c in decks.cards()] == [False, True]
    assert decks.deck()[0] == "Grandma's box"
    assert decks.picture(card.key) == JPEG
    decks.forget(card.key)
    assert [c.key for c in decks.cards()] == [HOUSE]
    assert decks.deck()[0] == HOUSE
    assert decks.picture(card.key) is None


def test_a_deck_that_takes_the_name_of_a_forgotten_one_is_the_one_that_is_read(
    decks: DeckFolder,
) -> None:
    for shift in (0.5, 0.25):
        content = save_deck(replace(house_deck(), shift=shift))
        decks.choose(decks.keep("Ours", content, JPEG).key)
        assert decks.deck().deck.shift == shift
        decks.forget("ours")


def test_what_was_chosen_outlives_the_program(
    decks: DeckFolder, tmp_path: Path
) -> None:
    decks.choose(decks.keep("Ours", CONTENT, JPEG).key)
    again = DeckFolder(tmp_path / "decks")
    assert again.deck()[0] == "Ours"


def test_a_broken_deck_falls_back_to_the_house_deck(
    decks: DeckFolder, tmp_path: Path
) -> None:
    damaged = CONTENT.replace(b"companion-deck", b"compani\xe5n-deck")
    decks.choose(decks.keep("Ours", damaged, JPEG).key)
    assert decks.deck()[0] == HOUSE
    assert [c.is_damaged for c in decks.cards()] == [False, True]
    (tmp_path / "decks" / "ours.deck").write_bytes(CONTENT)
    assert decks.deck()[0] == "Ours"
    assert [c.is_damaged for c in decks.cards()] == [False, False]


@pytest.mark.parametrize("name", ["", "  ", "!?", "x" * 25, "house", "House", "ours"])
def test_a_name_that_will_not_do_is_refused(decks: DeckFolder, name: str) -> None:
    decks.keep("Ours", CONTENT, JPEG)
    with pytest.raises(Malformed, match="type another"):
        decks.key_for(name)


@pytest.mark.parametrize("key", ["", "..", "../house", "no-such", "a/b", "ours.deck"])
def test_no_other_file_is_chosen_forgotten_or_shown(
    decks: DeckFolder, key: str
) -> None:
    decks.keep("Ours", CONTENT, JPEG)
    for step in (decks.choose, decks.forget):
        with pytest.raises(Malformed, match="this deck was forgotten"):
            step(key)
    assert decks.picture(key) is None


def test_the_house_deck_cannot_be_forgotten(decks: DeckFolder) -> None:
    with pytest.raises(Malformed, match="our own notes cannot be forgotten"):
        decks.forget(HOUSE)


def test_the_shelf_has_an_end(decks: DeckFolder) -> None:
    for number in range(DECKS_MAX):
        decks.keep(f"Deck {number}", b"", b"")
    with pytest.raises(Malformed, match="forget one first"):
        decks.key_for("One more")


def test_a_shelf_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "decks").touch()
    with pytest.raises(DeviceFault, match="the table could not change its decks"):
        DeckFolder(tmp_path / "decks").keep("Ours", CONTENT, JPEG)


# Lessons.


class School:
    """A lesson that can be waited for."""

    def __init__(self, folder: Path) -> None:
        self.decks = DeckFolder(folder)
        self.steps: list[str] = []
        self.over = threading.Event()
        self.lessons = PhotoLessons(
            self.decks, OneAtATime(), folder / "lesson", self.told
        )

    def told(self) -> None:
        view = self.lessons.view()
        self.steps.append(view.step)
        if view.state not in (LessonState.COLLECTING, LessonState.LEARNING):
            self.over.set()

    def learn(self, name: str) -> None:
        self.over.clear()
        self.lessons.begin(name)
        assert self.over.wait(PATIENCE_S)


@pytest.fixture
def school(tmp_path: Path) -> Iterator[School]:
    return School(tmp_path / "decks")


@pytest.mark.slow
def test_a_deck_is_learnt_step_by_step_kept_and_its_photos_forgotten(
    school: School, photos: dict[bool, list[bytes]], tmp_path: Path
) -> None:
    for is_fake in (False, True):
        for photo in photos[is_fake][:2]:
            school.lessons.add(BytesIO(photo), is_fake=is_fake)
    assert school.lessons.view().is_enough
    school.learn("From the shop")
    view = school.lessons.view()
    assert view.state is LessonState.LEARNT, view
    assert view.deck is not None
    assert (view.deck.key, view.right_count, view.photos_count) == (
        "from-the-shop",
        4,
        4,
    )
    assert "unpacking photo 4 of 4" in school.steps
    assert "looking for the face that all photos show" in school.steps
    assert not (tmp_path / "decks" / "lesson").exists()
    picture = school.decks.picture("from-the-shop")
    assert picture is not None
    assert picture.startswith(JPEG)
    assert school.decks.deck().key == "from-the-shop"
    assert school.decks.deck().deck.name == "From the shop"
    school.lessons.add(BytesIO(photos[False][0]), is_fake=False)
    assert school.lessons.view().state is LessonState.COLLECTING
    assert len(school.lessons.view().real) == 1


@pytest.mark.slow
def test_unsorted_photos_show_two_faces_and_one_answer_makes_the_deck_in_use(
    school: School, photos: dict[bool, list[bytes]], tmp_path: Path
) -> None:
    kinds = (True, False, False, True, True, False)
    left = {kind: iter(photos[kind]) for kind in (False, True)}
    for kind in kinds:
        school.lessons.add(BytesIO(next(left[kind])), is_fake=None)
    school.learn("From the shop")
    view = school.lessons.view()
    assert view.state is LessonState.ASKING, view
    assert len(school.decks.cards()) == 1, "nothing is kept before the answer"
    by_kind = {
        kind: {key for key, k in zip(view.unsorted, kinds, strict=True) if k is kind}
        for kind in (False, True)
    }
    shown = [set(keys) for keys in view.shown_by]
    masked = max((0, 1), key=lambda face: len(shown[face] & by_kind[True]))
    assert shown[masked] <= by_kind[True]
    assert shown[1 - masked] <= by_kind[False]
    assert sum(map(len, shown)) + len(view.left_out) == len(kinds)
    for face in view.faces:
        picture = school.lessons.photo(face)
        assert picture is not None
        assert max(read_photo(picture).shape) >= 200
    school.over.clear()
    school.lessons.answer(view.faces[masked])
    school.lessons.answer(view.faces[1 - masked])  # Another phone's, too late.
    assert school.over.wait(PATIENCE_S)
    learnt = school.lessons.view()
    assert learnt.state is LessonState.LEARNT, learnt
    assert learnt.deck is not None
    assert learnt.deck.is_chosen
    assert not (tmp_path / "decks" / "lesson").exists()
    for kind, golden in ((False, "real"), (True, "fake")):
        frame = read_photo((GOLDEN / f"{golden}.jpg").read_bytes())
        verdict = Verdict.FAKE if kind else Verdict.REAL
        assert read(frame, school.decks.deck().deck)[0].verdict is verdict


@pytest.mark.slow
def test_an_answer_to_a_question_that_was_taken_back_does_nothing(
    school: School, photos: dict[bool, list[bytes]]
) -> None:
    for photo in (*photos[False][:3], *photos[True]):
        school.lessons.add(BytesIO(photo), is_fake=None)
    school.learn("From the shop")
    view = school.lessons.view()
    assert view.state is LessonState.ASKING
    school.lessons.drop(view.unsorted[0])
    assert school.lessons.view().state is LessonState.COLLECTING
    assert school.lessons.view().unsorted == view.unsorted[1:]
    assert school.lessons.photo(view.faces[0]) is None
    school.lessons.answer(view.faces[0])
    assert school.lessons.view().state is LessonState.COLLECTING
    assert len(school.decks.cards()) == 1


@pytest.mark.slow
def test_too_few_of_one_kind_are_told_and_one_more_photo_suffices(
    school: School, photos: dict[bool, list[bytes]]
) -> None:
    for photo in (*photos[False], photos[True][0]):
        school.lessons.add(BytesIO(photo), is_fake=None)
    school.learn("From the shop")
    view = school.lessons.view()
    assert view.state is LessonState.REFUSED
    assert re.search("add|photograph", view.step + view.remedy)
    assert len(view.unsorted) == 6
    school.lessons.add(BytesIO(photos[True][1]), is_fake=None)
    assert school.lessons.view().state is LessonState.COLLECTING
    school.learn("From the shop")
    assert school.lessons.view().state is LessonState.ASKING, school.lessons.view()


def test_a_lesson_is_sorted_or_not_and_unsorted_ones_want_six_to_ten(
    school: School, photos: dict[bool, list[bytes]]
) -> None:
    photo = photos[False][0]
    school.lessons.add(BytesIO(photo), is_fake=None)
    with pytest.raises(Malformed, match="go on as you began, or start over"):
        school.lessons.add(BytesIO(photo), is_fake=True)
    with pytest.raises(
        Malformed, match="6 to 10 photos are needed; there are 1; add some"
    ):
        school.lessons.begin("Mine")
    for _ in range(UNSORTED_MAX - 1):
        school.lessons.add(BytesIO(photo), is_fake=None)
    with pytest.raises(Malformed, match="there are 10 photos already"):
        school.lessons.add(BytesIO(photo), is_fake=None)
    school.lessons.start_over()
    with pytest.raises(Malformed, match="photograph six to ten notes first"):
        school.lessons.begin("Mine")
    school.lessons.add(BytesIO(photo), is_fake=True)
    with pytest.raises(Malformed, match="photos that are sorted, or that are not"):
        school.lessons.add(BytesIO(photo), is_fake=None)


def test_photos_that_do_not_suffice_are_refused_and_can_be_changed(
    school: School, photos: dict[bool, list[bytes]]
) -> None:
    for is_fake in (False, True):
        for photo in photos[False][:2]:
            school.lessons.add(BytesIO(photo), is_fake=is_fake)
    school.learn("All real")
    view = school.lessons.view()
    assert view.state is LessonState.REFUSED
    assert view.step.startswith("real photo 1 and fake photo 1 are the same picture; ")
    assert isinstance(view.step, Words), "every phone reads it in its language"
    assert len(school.decks.cards()) == 1
    assert (len(view.real), len(view.fake)) == (2, 2)
    school.lessons.drop(view.fake[0])
    assert len(school.lessons.view().fake) == 1
    assert school.lessons.view().state is LessonState.COLLECTING


def test_a_lesson_wants_two_photos_of_each_kind_and_takes_five(
    school: School, photos: dict[bool, list[bytes]]
) -> None:
    for _ in range(PHOTOS_MAX):
        school.lessons.add(BytesIO(photos[False][0]), is_fake=False)
    with pytest.raises(Malformed, match="there are 5 photos already"):
        school.lessons.add(BytesIO(photos[False][0]), is_fake=False)
    school.lessons.add(BytesIO(photos[True][0]), is_fake=True)
    with pytest.raises(Malformed, match="there are 5 and 1; add some"):
        school.lessons.begin("Mine")
    with pytest.raises(Malformed, match="type another"):
        school.lessons.begin("house")


@pytest.mark.parametrize(
    ("photo", "problem"),
    [
        (b"nothing", "send a photo as JPEG or PNG"),
        ((GOLDEN / "no_scrambled_print.jpg").read_bytes(), "no scrambled print"),
    ],
)
def test_a_photo_that_teaches_nothing_is_refused_at_once(
    school: School, photo: bytes, problem: str
) -> None:
    with pytest.raises(Malformed, match=problem):
        school.lessons.add(BytesIO(photo), is_fake=False)
    assert school.lessons.view().real == ()


def test_a_note_too_far_away_is_sent_back(school: School) -> None:
    far = panel(house_deck(), is_fake=False, pixels_per_line=3.0, side=384)
    with pytest.raises(Malformed, match="go closer and take it again"):
        school.lessons.add(BytesIO(encoded(far)), is_fake=False)


def test_a_kept_photo_is_cut_to_its_print_and_shown_small(
    school: School, tmp_path: Path
) -> None:
    note = cv2.resize(
        read_photo((GOLDEN / "real.jpg").read_bytes()), None, fx=1.5, fy=1.5
    )
    frame = np.full((1500, 2000, 3), 120, np.uint8)
    frame[300 : 300 + note.shape[0], 400 : 400 + note.shape[1]] = note
    school.lessons.add(BytesIO(encoded(frame)), is_fake=False)
    (key,) = school.lessons.view().real
    small = school.lessons.photo(key)
    assert small is not None
    assert max(read_photo(small).shape) <= 240
    (kept,) = (tmp_path / "decks" / "lesson").glob("*.png")
    height, width = read_photo(kept.read_bytes()).shape[:2]
    assert 300 <= height < 900
    assert 400 <= width < 1300
    assert school.lessons.photo("../../etc/passwd") is None


def test_a_photo_that_comes_in_late_is_one_too_many(
    school: School, photos: dict[bool, list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(PHOTOS_MAX - 1):
        school.lessons.add(BytesIO(photos[False][0]), is_fake=False)
    late = hardware.photos.lessons.check_room

    def meanwhile(view: LessonView, *, is_fake: bool) -> None:
        late(view, is_fake=is_fake)
        monkeypatch.undo()
        school.lessons.add(BytesIO(photos[False][1]), is_fake=False)  # Another phone's.

    monkeypatch.setattr(hardware.photos.lessons, "check_room", meanwhile)
    with pytest.raises(Malformed, match="there are 5 photos already"):
        school.lessons.add(BytesIO(photos[False][2]), is_fake=False)
    assert len(school.lessons.view().real) == PHOTOS_MAX


def test_starting_over_forgets_every_photo_and_so_does_a_restart(
    school: School, photos: dict[bool, list[bytes]], tmp_path: Path
) -> None:
    school.lessons.add(BytesIO(photos[False][0]), is_fake=False)
    (key,) = school.lessons.view().real
    School(tmp_path / "decks")
    assert school.lessons.photo(key) is None
    school.lessons.start_over()
    assert school.lessons.view().real == ()
    school.lessons.drop(key)  # Harmless.


def test_nothing_is_changed_while_it_learns(
    school: School, photos: dict[bool, list[bytes]]
) -> None:
    for is_fake in (False, True):
        for photo in photos[False][:2]:
            school.lessons.add(BytesIO(photo), is_fake=is_fake)
    before = school.lessons.view()
    gate = school.lessons._one_at_a_time
    with gate.turn():  # The lesson waits for its turn.
        school.over.clear()
        school.lessons.begin("Mine")
        for step in (
            lambda: school.lessons.add(BytesIO(photos[True][0]), is_fake=True),
            lambda: school.lessons.begin("Other"),
        ):
            with pytest.raises(Malformed, match="being learnt already; wait for it"):
                step()
        school.lessons.drop(before.real[0])
        school.lessons.start_over()
        assert school.lessons.view().state is LessonState.LEARNING
        assert school.lessons.view().real == before.real
    assert school.over.wait(PATIENCE_S)
