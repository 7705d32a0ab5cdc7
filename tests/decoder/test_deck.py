"""Deck files: what was saved loads again; what is none is refused in words."""

from __future__ import annotations

import random
import struct
import subprocess
import sys
import zlib
from dataclasses import replace

import cv2
import msgspec
import numpy as np
import pytest

from companion.decoder import Deck, house_deck, load_deck, save_deck
from companion.decoder.deck import (
    DECK_BYTES_MAX,
    DECK_VERSION,
    EXAMPLE_SIDE_MAX,
    RUNS_MAX,
    Example,
    Run,
)
from companion.errors import Malformed
from tests.sample import each

NEW = {"runs", "lesson"}
"""What a deck of the first version has not."""

RUN = {"angle_deg": 20.0, "shift": 0.5, "face_height_lines": 27.5}


def altered(**changes: object) -> bytes:
    content = msgspec.msgpack.decode(save_deck(house_deck()))
    return msgspec.msgpack.encode({**content, **changes})


def test_a_saved_deck_loads_again_alike() -> None:
    house = house_deck()
    again = load_deck(save_deck(house))
    assert save_deck(again) == save_deck(house)
    assert again.face_height_lines == pytest.approx(house.face_height_lines)
    assert np.abs(again.plain - house.plain).max() < 0.01


def grid(side: int) -> tuple[np.ndarray, np.ndarray]:
    soft = np.linspace(-1.5, 1.5, side * side, dtype=np.float32).reshape(side, side)
    return soft, np.asarray(np.hypot(soft, soft.T) < 1.5, np.float32)


def learnt(side: int = 40) -> Deck:
    """A deck with all that learning adds, of two photos that show no matter what."""
    soft, weight = grid(side)
    return replace(
        house_deck(),
        runs=(Run(-30.0, 1 / 3, 27.5), Run(75.0, 0.25, 31.0)),
        lesson=(
            Example.packed(False, (0.1, 0.2), soft, weight),
            Example.packed(True, (-0.2, 0.05), -soft, weight),
        ),
    )


def test_what_was_learnt_is_kept_in_the_file() -> None:
    deck = learnt()
    again = load_deck(save_deck(deck))
    assert again.runs == deck.runs
    for one, other in zip(again.lesson, deck.lesson, strict=True):
        assert (one.is_fake, one.frequency) == (other.is_fake, other.frequency)
        assert one.picture == other.picture
    assert save_deck(again) == save_deck(deck)


def test_what_is_remembered_is_packed_in_levels_as_fine_as_the_noise() -> None:
    soft, weight = grid(40)
    again, trust = Example.packed(True, (0.1, 0.2), soft, weight).unpacked()
    assert np.abs(again - soft).max() <= 0.11, "a level of 16"
    assert (trust == weight).all()


def test_a_deck_of_the_first_version_has_no_print_runs_and_no_lesson() -> None:
    content = msgspec.msgpack.decode(save_deck(house_deck()))
    old = {k: v for k, v in content.items() if k not in NEW}
    deck = load_deck(msgspec.msgpack.encode({**old, "version": 1}))
    assert (deck.runs, deck.lesson) == ((), ())
    assert save_deck(deck) == save_deck(house_deck())


def png(rows: int, columns: int) -> bytes:
    whole = np.zeros((rows, columns), np.uint8)
    return bytes(cv2.imencode(".png", whole)[1])


def with_picture(content: bytes) -> bytes:
    photo = {"is_fake": True, "frequency": (0.1, 0.2), "picture": content}
    return altered(lesson=[photo])


def chunk(kind: bytes, content: bytes) -> bytes:
    whole = kind + content
    return (
        struct.pack(">I", len(content)) + whole + struct.pack(">I", zlib.crc32(whole))
    )


def tiff(side: int) -> bytes:
    """A grey TIFF that has a size where a PNG has one."""
    packed = zlib.compress(bytes(side * side), 9)
    start = struct.pack("<2sHI8x2I", b"II", 42, 24 + len(packed), *(0x20030000,) * 2)
    tags = {256: side, 257: side, 258: 8, 259: 8, 262: 1, 273: 24, 277: 1, 278: side}
    tags[279] = len(packed)
    fields = (struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags.items())
    return start + packed + struct.pack("<H", len(tags)) + b"".join(fields) + bytes(4)


def kind_of(extension: str, *, channels: int = 1, dtype: type = np.uint8) -> bytes:
    shape = (80, 40, channels) if channels > 1 else (80, 40)
    return bytes(cv2.imencode(extension, np.zeros(shape, dtype))[1])


WHOLE = png(80, 40)
UNREADABLE = {
    "empty": b"",
    "else": b"no picture at all, though longer than a header",
    "cut": WHOLE[:60],
    "chunk": WHOLE.replace(b"IDAT", b"IDAX"),
    "odd": png(81, 40),
    "small": png(80, 4),
    "header": WHOLE[:16] + b"\xff" * 8 + WHOLE[24:],
    "tall": png(2 * EXAMPLE_SIDE_MAX + 2, 40),
    "wide": png(80, EXAMPLE_SIDE_MAX + 2),
    "tiff": tiff(800),
    "bmp": kind_of(".bmp"),
    "webp": kind_of(".webp"),
    "jpeg": kind_of(".jpg"),
    "colours": kind_of(".png", channels=3),
    "deep": kind_of(".png", dtype=np.uint16),
    "interlaced": WHOLE[:28] + b"\1" + WHOLE[29:],
    "animated": WHOLE[:33] + chunk(b"acTL", bytes(8)) + WHOLE[33:],
    "words": WHOLE[:33] + chunk(b"zTXt", b"a\0\0" + zlib.compress(b"")) + WHOLE[33:],
    "behind": WHOLE + b"more",
    "two headers": WHOLE[:33] * 2 + WHOLE[33:],
}


@each("content", UNREADABLE.values())
def test_a_photo_of_a_lesson_is_a_picture_of_our_own_kind_and_size(
    content: bytes,
) -> None:
    assert load_deck(with_picture(WHOLE)).lesson[0].picture == WHOLE
    with pytest.raises(Malformed, match=r"every photo of the lesson as a PNG of .*; t"):
        load_deck(with_picture(content))


@pytest.mark.parametrize("pixels", [b"", bytes(100), b"\xff" * 5000], ids=len)
def test_a_photo_with_other_pixels_than_its_size_has_is_refused_when_it_is_unpacked(
    pixels: bytes,
) -> None:
    torn = WHOLE[:33] + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    (example,) = load_deck(with_picture(torn)).lesson
    with pytest.raises(Malformed, match=r"every photo of the lesson as a PNG of .*; t"):
        example.unpacked()


def test_pixels_without_end_are_not_unpacked() -> None:
    """OpenCV would unpack all of them, and then drop those that are too many."""
    room = 80 * 41  # A byte before each row says how it was filtered.
    for size, is_right in ((room, True), (room + 1, False), (100 << 20, False)):
        packed = zlib.compress(bytes(size), 9)
        parts = (packed[:200], packed[200:])  # A PNG's pixels may be in many chunks.
        chunks = b"".join(chunk(b"IDAT", part) for part in parts if part)
        picture = WHOLE[:33] + chunks + chunk(b"IEND", b"")
        (example,) = load_deck(with_picture(picture)).lesson
        if is_right:
            assert example.unpacked()[0].shape == (40, 40)
            continue
        with pytest.raises(Malformed, match="every photo of the lesson as a PNG of"):
            example.unpacked()


def test_no_deck_is_saved_that_would_not_be_read_again() -> None:
    draw = np.random.default_rng(1)
    soft = draw.uniform(-1.5, 1.5, (1000, 1000)).astype(np.float32)
    example = Example.packed(True, (0.1, 0.2), soft, np.abs(soft) / 1.5)
    assert load_deck(save_deck(replace(house_deck(), lesson=(example,)))).lesson
    large = replace(house_deck(), lesson=(example,) * 8)
    with pytest.raises(Malformed, match="do not fit into one deck; learn a deck anew"):
        save_deck(large)


def test_a_deck_without_millimetres_keeps_its_size_in_lines() -> None:
    house = house_deck()
    learnt = Deck("mine", -30.0, 1 / 3, 27.5, house.plain, house.masked)
    again = load_deck(save_deck(learnt))
    assert again.face_height_lines == 27.5
    assert again.pitch_mm is None


@each(
    ("content", "words"),
    [
        (b"", "no deck"),
        (b"\x89PNG\r\n", "no deck"),
        (b"x" * (DECK_BYTES_MAX + 1), "at most"),
        (altered(format="else"), "expected format"),
        (altered(version=DECK_VERSION + 1), "newer than the program: update"),
        (altered(shift=0.9), "expected shift.*; take a file"),
        (altered(name="Our notes").replace(b"Our", b"\xe5ur"), "mistake: .*learn"),
        (altered(format="Our").replace(b"Our", b"\xe5ur"), "something else"),
        (altered(x=None)[:-1] + b"\x91" * 100_000, "a mistake|something else"),
        (altered(pitch_mm=-0.3), "expected pitch_mm in 0.05..5, got -0.3; take"),
        (altered(pitch_mm=float("nan")), "expected pitch_mm"),
        (altered(panel_mm=(1e9, 5.0)), "expected panel_mm in 1..1000"),
        (altered(item_mm=(0.0, 5.0)), "expected item_mm in 1..1000"),
        (altered(shift="half"), "with a mistake"),
        (altered(runs=[RUN] * RUNS_MAX), f"at most {RUNS_MAX} print runs"),
        (altered(runs=[{**RUN, "shift": "half"}]), "with a mistake"),
        (altered(runs=[{**RUN, "shift": 0.9}]), "expected shift in 0.2..0.5, got 0.9"),
        (altered(runs=[{**RUN, "angle_deg": float("nan")}]), "expected angle_deg"),
        (altered(lesson=[{"is_fake": True}]), "with a mistake"),
        (altered(face_height_lines=None, face_height_mm=None), "got neither"),
        (altered(plain={"height": 48, "width": 37, "pixels": b"1"}), "elements"),
        (altered(plain={"height": 9999, "width": 37, "pixels": b""}), "a side"),
        (altered(plain={"height": 8, "width": 8, "pixels": b"1" * 64}), "one shape"),
    ],
)
def test_what_is_no_deck_is_refused_with_a_remedy(content: bytes, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        load_deck(content)


@pytest.mark.parametrize("frequency", [(0.0, 0.0), (float("nan"), 0.1), (3.0, 0.1)])
def test_a_lesson_without_lines_is_refused(frequency: tuple[float, float]) -> None:
    photo = {"is_fake": True, "frequency": frequency, "picture": png(80, 40)}
    with pytest.raises(Malformed, match=r"expected lines an element in 0\.001\.\.1"):
        load_deck(altered(lesson=[photo]))


@each("cut", [1, 10, 100, 1000, 3000])
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
