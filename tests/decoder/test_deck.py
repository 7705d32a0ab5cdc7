"""Deck files: what was saved loads again; what is none is refused in words."""

from __future__ import annotations

import random
import subprocess
import sys

import msgspec
import numpy as np
import pytest

from companion.decoder import Deck, house_deck, load_deck, save_deck
from companion.errors import Malformed


def altered(**changes: object) -> bytes:
    content = msgspec.msgpack.decode(save_deck(house_deck()))
    return msgspec.msgpack.encode({**content, **changes})


def test_a_saved_deck_loads_again_alike() -> None:
    house = house_deck()
    again = load_deck(save_deck(house))
    assert save_deck(again) == save_deck(house)
    assert again.face_height_lines == pytest.approx(house.face_height_lines)
    assert np.abs(again.plain - house.plain).max() < 0.01


def test_a_deck_without_millimetres_keeps_its_size_in_lines() -> None:
    house = house_deck()
    learnt = Deck("mine", -30.0, 1 / 3, 27.5, house.plain, house.masked)
    again = load_deck(save_deck(learnt))
    assert again.face_height_lines == 27.5
    assert again.pitch_mm is None


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no deck"),
        (b"\x89PNG\r\n", "no deck"),
        (b"x" * (1 << 21), "at most"),
        (altered(format="else"), "expected format"),
        (altered(version=2), "newer than the program: update"),
        (altered(shift=0.9), "expected shift.*; take a file"),
        (altered(name="Our notes").replace(b"Our", b"\xe5ur"), "mistake: .*learn"),
        (altered(format="Our").replace(b"Our", b"\xe5ur"), "something else"),
        (altered(x=None)[:-1] + b"\x91" * 100_000, "a mistake|something else"),
        (altered(pitch_mm=-0.3), "expected pitch_mm in 0.05..5, got -0.3; take"),
        (altered(pitch_mm=float("nan")), "expected pitch_mm"),
        (altered(panel_mm=(1e9, 5.0)), "expected panel_mm in 1..1000"),
        (altered(item_mm=(0.0, 5.0)), "expected item_mm in 1..1000"),
        (altered(shift="half"), "with a mistake"),
        (altered(face_height_lines=None, face_height_mm=None), "got neither"),
        (altered(plain={"height": 48, "width": 37, "pixels": b"1"}), "elements"),
        (altered(plain={"height": 9999, "width": 37, "pixels": b""}), "a side"),
        (altered(plain={"height": 8, "width": 8, "pixels": b"1" * 64}), "one shape"),
    ],
)
def test_what_is_no_deck_is_refused_with_a_remedy(content: bytes, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        load_deck(content)


@pytest.mark.parametrize("cut", [1, 10, 100, 1000, 3000])
def test_a_truncated_deck_is_refused(cut: int) -> None:
    with pytest.raises(Malformed):
        load_deck(save_deck(house_deck())[:-cut])


def test_flipped_bytes_are_a_deck_or_damage_and_nothing_else() -> None:
    draw = random.Random(5)
    whole = save_deck(house_deck())
    refused: list[str] = []
    for _ in range(4_000):
        content = bytearray(whole)
        for _ in range(draw.randint(1, 3)):
            # Names and numbers stand before and behind the templates.
            at = draw.choice((draw.randrange(250), -draw.randint(1, 200)))
            content[at] = draw.randrange(256)
        try:
            load_deck(bytes(content))
        except Malformed as damage:
            refused.append(str(damage))
    assert 1_000 < len(refused) < 4_000
    assert all("; " in damage for damage in refused)


def test_the_core_imports_without_numpy_and_opencv() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None; sys.modules['cv2'] = None; "
        "import companion, companion.table"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False)
    assert done.returncode == 0
