"""Decks in a folder: whatever lies there, and whatever their files claim to hold."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import msgspec
import numpy as np
import pytest

from companion.decoder import house_deck, save_deck
from companion.errors import Malformed
from companion.examining import Busy
from hardware.photos.deck_folder import HOUSE, DeckFolder
from hardware.photos.one_at_a_time import OneAtATime
from tests.decoder.test_deck import png, tiff, with_picture

ROOT = Path(__file__).parents[3]
CONTENT = save_deck(house_deck())
JPEG = b"\xff\xd8\xff"
CLEANED = {
    "Our\r\nnotes": "Our notes",
    "\u2068Our notes\u2069 ": "Our notes",
    "Our\0notes": "our-notes",
    "Our\u202enotes": "our-notes",
    "x" * 25: "our-notes",
    "x" * 100_000: "our-notes",
    " \n": "our-notes",
}
"""By what stands in the file of a name: what the deck is called."""


@pytest.fixture
def one_at_a_time() -> OneAtATime:
    return OneAtATime(waiting_max=0, wait_s=0)


@pytest.fixture
def decks(tmp_path: Path, one_at_a_time: OneAtATime) -> DeckFolder:
    return DeckFolder(tmp_path, one_at_a_time)


def test_a_deck_is_called_as_a_seat_may_be(decks: DeckFolder) -> None:
    assert decks.keep(" Our\r\nnotes ", CONTENT, JPEG).name == "Our notes"
    assert [card.name for card in decks.cards()] == [HOUSE, "Our notes"]
    for name in ("a\0b", "a\u202eb", "\ud800a", "a\u200fb", "x" * 25, "\u3164"):
        with pytest.raises(Malformed, match="type another"):
            decks.keep(name, CONTENT, JPEG)


def test_a_file_with_a_name_that_bends_the_page_is_called_otherwise(
    decks: DeckFolder,
) -> None:
    named = msgspec.msgpack.decode(CONTENT)
    content = msgspec.msgpack.encode({**named, "name": "Our\0notes\u202e"})
    with pytest.raises(Malformed, match="type another"):
        decks.take_in(BytesIO(content))
    assert decks.take_in(BytesIO(content), "Our notes").name == "Our notes"


@pytest.mark.parametrize("written", CLEANED, ids=lambda text: ascii(text[:12]))
def test_a_deck_that_lies_there_with_a_bad_name_is_listed_under_a_good_one(
    decks: DeckFolder, tmp_path: Path, written: str
) -> None:
    decks.keep("Our notes", CONTENT, JPEG)
    (tmp_path / "our-notes.txt").write_bytes(written.encode())
    decks.choose("our-notes")
    assert decks.cards()[1].name == decks.deck().name == CLEANED[written]


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def no_end(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize("lay", [a_folder, a_pipe, no_end])
def test_what_is_no_file_is_never_waited_for(
    decks: DeckFolder, tmp_path: Path, lay: Callable[[Path], None]
) -> None:
    decks.choose(decks.keep("Ours", CONTENT, JPEG).key)
    for name in ("ours.deck", "ours.jpg", "ours.txt"):
        lay(tmp_path / name)
    assert [card.name for card in decks.cards()] == [HOUSE, "ours"]
    assert decks.picture("ours") is decks.file("ours") is None
    assert decks.face("ours", is_masked=True) is None
    assert decks.deck().key == HOUSE
    assert decks.cards()[1].is_damaged
    lay(tmp_path / "chosen.txt")
    assert decks.is_house()


# What is unpacked.


@pytest.mark.parametrize("picture", [tiff(800), png(80, 40)[:-20]], ids=["kind", "cut"])
def test_a_deck_with_a_picture_that_cannot_be_unpacked_is_not_taken_in(
    decks: DeckFolder, picture: bytes
) -> None:
    with pytest.raises(Malformed, match="no deck that this table can read"):
        decks.take_in(BytesIO(with_picture(picture)), "Ours")
    assert decks.take_in(BytesIO(with_picture(png(80, 40))), "Ours").key == "ours"


def test_decks_are_unpacked_in_their_turn_and_their_faces_drawn_once(
    decks: DeckFolder, one_at_a_time: OneAtATime
) -> None:
    decks.keep("Ours", CONTENT, JPEG)
    faces = {kind: decks.face("ours", is_masked=kind) for kind in (False, True)}
    decks.keep("Theirs", CONTENT, JPEG)
    with one_at_a_time.turn():
        with pytest.raises(Busy):
            decks.take_in(BytesIO(CONTENT), "Another")
        for kind, face in faces.items():
            assert face is not None
            assert decks.face("ours", is_masked=kind) is face
            assert decks.face("no-such", is_masked=kind) is None
    assert decks.face("theirs", is_masked=True) == faces[True]
    mirrored = msgspec.msgpack.decode(CONTENT)
    plain, masked = mirrored["plain"], mirrored["masked"]
    swapped = msgspec.msgpack.encode({**mirrored, "plain": masked, "masked": plain})
    decks.change("ours", swapped, JPEG)
    assert decks.face("ours", is_masked=True) != faces[True], "it has learnt more"
    decks.forget("ours")
    assert decks.face("ours", is_masked=True) is None


def test_a_new_deck_has_no_face_of_one_that_was_forgotten_while_it_was_drawn(
    decks: DeckFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def jpeg(pixels: np.ndarray) -> bytes:
        decks.forget("ours")
        return b"the old face"

    decks.keep("Ours", CONTENT, JPEG)
    with monkeypatch.context() as patched:
        patched.setattr("hardware.photos.examine.jpeg", jpeg)
        decks.face("ours", is_masked=True)
    decks.keep("Ours", CONTENT, JPEG)
    assert decks.face("ours", is_masked=True) != b"the old face"


@pytest.mark.slow
def test_no_deck_takes_more_memory_than_a_photo(tmp_path: Path) -> None:
    whole = msgspec.msgpack.decode(with_picture(png(2400, 1200)))
    many = msgspec.msgpack.encode({**whole, "lesson": whole["lesson"] * 24})
    for name, content in {"tiff": with_picture(tiff(9000)), "many": many}.items():
        (tmp_path / f"{name}.deck").write_bytes(content)
    done = subprocess.run(
        [sys.executable, "-c", GROWTH, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["refused", "taken", "bounded"], done.stderr


GROWTH = """
import resource, sys
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from companion.decoder import house_deck, save_deck
from companion.errors import Malformed
from hardware.photos.deck_folder import DeckFolder
from hardware.photos.one_at_a_time import OneAtATime, give_back_memory

def peak_mb():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

give_back_memory()
folder = Path(sys.argv[1])
decks = DeckFolder(folder / "decks", OneAtATime())
decks.take_in(BytesIO(save_deck(house_deck())), "Ours")
decks.face("ours", is_masked=True)
before = peak_mb()
for name in ("tiff", "many"):
    try:
        decks.take_in(BytesIO((folder / f"{name}.deck").read_bytes()), name)
        print("taken")
    except Malformed:
        print("refused")
    # As if it had been there before.
    (folder / "decks" / f"{name}.deck").write_bytes(
        (folder / f"{name}.deck").read_bytes()
    )
    with ThreadPoolExecutor(4) as pool:
        wanted = [(name, kind) for kind in (False, True)] * 2
        list(pool.map(lambda x: decks.face(x[0], is_masked=x[1]), wanted))
assert peak_mb() - before < 100, peak_mb() - before
print("bounded")
"""
