"""Photos from phones: every kind, every mistake, and bounded memory."""

from __future__ import annotations

import io
import random
import re
import subprocess
import sys
import zlib
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageOps

from companion.errors import Malformed
from hardware.photo import (
    BYTES_MAX,
    KINDS,
    PIXELS_MAX,
    _webp_size,
    is_sequential,
    read_photo,
    read_photo_file,
)
from tests.sample import SLOW

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)


def corners() -> Image.Image:
    """48 x 32, red and green above, blue and white below."""
    image = Image.new("RGB", (48, 32), RED)
    image.paste(GREEN, (24, 0, 48, 16))
    image.paste(BLUE, (0, 16, 24, 32))
    image.paste(WHITE, (24, 16, 48, 32))
    return image


def saved(image: Image.Image, kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def colours(pixels: np.ndarray) -> list[list[int]]:
    """RGB in the middle of the four quarters, row by row."""
    height, width = pixels.shape[:2]
    places = [(1, 1), (1, 3), (3, 1), (3, 3)]
    return [
        [int(v) for v in pixels[height * y // 4, width * x // 4, ::-1]]
        for y, x in places
    ]


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("JPEG", {"quality": 98, "subsampling": 0}),
        ("PNG", {}),
        ("WEBP", {"lossless": True}),
        ("WEBP", {"quality": 100}),
        ("BMP", {}),
        ("TIFF", {}),
        ("TIFF", {"compression": "tiff_lzw"}),
        ("GIF", {}),
    ],
)
def test_every_kind_gives_blue_first(kind: str, options: dict[str, object]) -> None:
    pixels = read_photo(saved(corners(), kind, **options))
    assert (pixels.shape, pixels.dtype) == ((32, 48, 3), np.uint8)
    assert pixels.flags.c_contiguous
    assert pixels.flags.writeable
    want = [RED, GREEN, BLUE, WHITE]
    assert np.abs(np.array(colours(pixels)) - want).max() <= 12


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_turned_photo_is_turned_back(orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = saved(corners(), "PNG", exif=exif)
    want = np.asarray(ImageOps.exif_transpose(Image.open(io.BytesIO(data))))
    assert np.array_equal(read_photo(data), want[:, :, ::-1])


@pytest.mark.parametrize("orientation", [0, 9, 600])
def test_an_orientation_that_is_none_is_upright(orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    assert read_photo(saved(corners(), "JPEG", exif=exif)).shape == (32, 48, 3)


def test_broken_exif_does_not_spoil_the_photo() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    data = bytearray(saved(corners(), "JPEG", exif=exif))
    at = data.index(b"Exif\0\0")
    data[at + 6 : at + 14] = b"\xff" * 8
    assert read_photo(bytes(data)).shape == (32, 48, 3)


@pytest.mark.parametrize(
    ("mode", "colour", "want"),
    [
        ("L", 100, (100, 100, 100)),
        ("1", 1, WHITE),
        ("LA", (0, 0), WHITE),
        ("RGBA", (255, 0, 0, 255), RED),
        ("RGBA", (0, 0, 0, 0), WHITE),
        ("RGBA", (255, 0, 0, 128), (255, 127, 127)),
    ],
)
def test_grey_and_transparent_png(
    mode: str, colour: float | tuple[int, ...], want: tuple[int, ...]
) -> None:
    pixels = read_photo(saved(Image.new(mode, (8, 8), colour), "PNG"))
    assert np.abs(pixels[4, 4, ::-1].astype(int) - want).max() <= 1


def test_transparent_colour_of_a_palette_is_white() -> None:
    image = corners().convert("P", palette=Image.Palette.ADAPTIVE)
    index = image.getpixel((2, 2))
    pixels = read_photo(saved(image, "PNG", transparency=index))
    assert colours(pixels)[0] == list(WHITE)
    assert colours(pixels)[1] == list(GREEN)


def test_cmyk_jpeg_has_its_colours() -> None:
    data = saved(Image.new("CMYK", (16, 16), (0, 255, 255, 0)), "JPEG", quality=95)
    assert np.abs(read_photo(data)[8, 8, ::-1].astype(int) - RED).max() <= 6


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_sixteen_bits_keep_the_upper_eight(kind: str) -> None:
    deep = np.array([[0, 255, 256, 65535]], np.uint16)
    pixels = read_photo(saved(Image.fromarray(deep), kind))
    assert pixels.shape == (1, 4, 3)
    assert [int(v) for v in pixels[0, :, 1]] == [0, 0, 1, 255]


@pytest.mark.parametrize("white", [1.0, 255.0])
def test_floats_are_shares_or_levels(white: float) -> None:
    real = np.array([[0, np.nan, white / 2, white]], np.float32)
    pixels = read_photo(saved(Image.fromarray(real), "TIFF"))
    assert [int(v) for v in pixels[0, :, 0]] in ([0, 0, 127, 255], [0, 0, 128, 255])


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP", "TIFF"])
def test_of_an_animation_the_first_picture(kind: str) -> None:
    more = [Image.new("RGB", (48, 32), BLUE)]
    data = saved(corners(), kind, save_all=True, append_images=more)
    assert np.abs(np.array(colours(read_photo(data)))[1] - GREEN).max() <= 40


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF"])
def test_one_pixel_is_a_photo(kind: str) -> None:
    assert read_photo(saved(Image.new("RGB", (1, 1), RED), kind)).shape == (1, 1, 3)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "got an empty file; send it again"),
        (b"hello, table", r"begins with b'hello, t'; send a photo as JPEG or PNG"),
        (b"%PDF-1.7 ...", "got a PDF; send a photo"),
        (b"  <html>", "got a web page"),
        (b"PK\x03\x04....", "got a ZIP archive"),
        (b"\0\0\0\x18ftypheic\0\0", "HEIC.*Most Compatible.*screenshot"),
        (b"\0\0\0\x18ftypmif1\0\0", "HEIC"),
        (b"\0\0\0\x18ftypavif\0\0", "AVIF"),
        (b"\0\0\0\x18ftypisom\0\0", "got a film"),
        (b"\x89PNG\r\n\x1a\n", "expected a PNG photo"),
        (b"\xff\xd8\xff", "expected a.* JPEG"),
        (b"RIFF\0\0\0\0WEBP", "expected a WEBP photo"),
        (b"BM", "BMP"),
    ],
)
def test_what_is_no_photo_is_told_what_to_send(data: bytes, problem: str) -> None:
    with pytest.raises(Malformed, match=problem):
        read_photo(data)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP", "TIFF"])
@pytest.mark.parametrize("share", [0.2, 0.6, 0.95])
def test_a_photo_that_is_cut_off_is_refused(kind: str, share: float) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (64, 64, 3), np.uint8)
    data = saved(Image.fromarray(noise), kind)
    with pytest.raises(Malformed, match=r"expected .*; (send|take)"):
        read_photo(data[: int(len(data) * share)])


def test_too_many_bytes_are_refused_unread() -> None:
    with pytest.raises(Malformed, match=r"at most 40 MB, got 40\.0 MB; send it in a s"):
        read_photo(bytes(BYTES_MAX + 1))


def png_header(width: int, height: int) -> bytes:
    """A PNG that says it is that large and is nothing."""
    data = bytearray(saved(Image.new("L", (1, 1)), "PNG"))
    data[16:24] = width.to_bytes(4, "big") + height.to_bytes(4, "big")
    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4, "big")
    return bytes(data)


@pytest.mark.parametrize("side", [6_000, 14_000, 2**31 - 1])
def test_a_bomb_is_refused_by_its_header(side: int) -> None:
    with pytest.raises(Malformed, match=r"expected a"):
        read_photo(png_header(side, side))


def test_too_many_pixels_are_said_to_be() -> None:
    with pytest.raises(Malformed, match=r"at most 26 million pixels, got 6000 x 5000"):
        read_photo(png_header(6000, 5000))


def test_a_webp_bomb_is_refused_by_its_header() -> None:
    data = bytearray(saved(Image.new("RGBA", (9, 9)), "WEBP", exif=b"Exif\0\0"))
    assert data[12:16] == b"VP8X"
    data[24:30] = b"\xff\x3f\0" * 2
    with pytest.raises(Malformed, match="at most 16 million pixels, got 16384 x 16384"):
        read_photo(bytes(data))


@pytest.mark.parametrize("options", [{}, {"lossless": True}, {"exif": b"Exif\0\0"}])
def test_every_webp_header_tells_its_size(options: dict[str, object]) -> None:
    data = saved(Image.new("RGB", (321, 123), RED), "WEBP", **options)
    assert _webp_size(data) == (321, 123)


def test_progressive_jpeg_is_not_sequential() -> None:
    assert is_sequential(saved(corners(), "JPEG"))
    assert is_sequential(saved(corners().convert("L"), "JPEG"))
    assert not is_sequential(saved(corners(), "JPEG", progressive=True))
    assert not is_sequential(b"\xff\xd8\xff")


def test_a_large_jpeg_comes_smaller() -> None:
    data = saved(Image.new("RGB", (8064, 6048), GREEN), "JPEG", quality=30)
    pixels = read_photo(data)
    assert pixels.shape == (3024, 4032, 3)
    assert pixels.shape[0] * pixels.shape[1] <= PIXELS_MAX


WEBP_SAID = "(3700, 4200, 3) bounded"
slow = partial(pytest.param, marks=SLOW)

BIG = """
import resource, sys
from companion.errors import Malformed
from hardware.photo import read_photo
data = open(sys.argv[1], "rb").read()
read_photo(open(sys.argv[2], "rb").read())  # What the libraries take at first.
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    print(read_photo(data).shape, end=" ")
except Malformed as error:
    print("Malformed", end=" ")
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert after - before < int(sys.argv[3]) * 1000, (after - before) // 1000
print("bounded")
"""


@pytest.mark.parametrize(
    ("kind", "mode", "size", "options", "limit_mb", "said"),
    [
        ("JPEG", "L", (16320, 12240), {}, 160, "(3060, 4080, 3) bounded"),
        ("PNG", "L", (16320, 12240), {}, 20, "Malformed bounded"),
        slow(
            "JPEG", "L", (16320, 12240), {"progressive": True}, 20, "Malformed bounded"
        ),
        slow("PNG", "RGBA", (5500, 4600), {}, 260, "(4600, 5500, 3) bounded"),
        slow("WEBP", "RGBA", (4200, 3700), {"lossless": True}, 400, WEBP_SAID),
    ],
)
def test_memory_is_bounded(
    tmp_path: Path,
    kind: str,
    mode: str,
    size: tuple[int, int],
    options: dict[str, object],
    limit_mb: int,
    said: str,
) -> None:
    big, small = tmp_path / "big", tmp_path / "small"
    big.write_bytes(saved(Image.new(mode, size), kind, **options))
    small.write_bytes(saved(Image.new("RGB", (8, 8)), kind))
    command = [sys.executable, "-c", BIG, str(big), str(small), str(limit_mb)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.startswith(said), done.stdout + done.stderr


def seeds() -> list[bytes]:
    noise = np.random.default_rng(2).integers(0, 255, (24, 40, 4), np.uint8)
    image = Image.fromarray(noise)
    exif = Image.Exif()
    exif[0x0112] = 6
    plain = image.convert("RGB")
    return [
        saved(plain, "JPEG", exif=exif),
        saved(plain, "JPEG", progressive=True),
        saved(image, "PNG", exif=exif),
        saved(plain.convert("P"), "PNG", transparency=3),
        saved(image, "WEBP", exif=exif.tobytes()),
        saved(plain, "WEBP"),
        saved(plain, "BMP"),
        saved(image, "TIFF", compression="tiff_lzw"),
        saved(plain, "TIFF"),
        saved(plain, "GIF", save_all=True, append_images=[plain]),
    ]


@pytest.mark.filterwarnings("ignore")  # Pillow warns of what it then refuses or mends.
def test_mutated_photos_are_read_or_refused_and_nothing_else() -> None:
    draw = random.Random(20)
    refused = 0
    for round_number in range(1200):
        data = bytearray(draw.choice(SEEDS))
        for _ in range(draw.randint(1, 6)):
            # Mostly in the header, where sizes and offsets stand.
            span = draw.choice((32, 64, 256, len(data)))
            at = draw.randrange(min(span, len(data)))
            if draw.random() < 0.8:
                data[at] = draw.choice((0, 1, 0x7F, 0x80, 0xFF, draw.randrange(256)))
            elif draw.random() < 0.5:
                del data[at : at + draw.randint(1, 16)]
            else:
                data[at:at] = draw.randbytes(draw.randint(1, 16))
        told = "expected "
        try:
            pixels = read_photo(bytes(data))
        except Malformed as error:
            refused += 1
            told = str(error)
        else:
            assert pixels.dtype == np.uint8, round_number
            assert pixels.ndim == 3, round_number
            assert pixels.size <= PIXELS_MAX * 3, round_number
        assert told.startswith("expected "), round_number
        # What Python calls its objects helps nobody who sent a photo.
        assert not re.search(r"0x[0-9a-f]|<_io|object at", told), told
    assert 200 < refused < 1150


SEEDS = seeds()


def test_every_kind_is_among_the_fuzzed() -> None:
    starts = [start for start, kind in KINDS.items() if kind not in ("GIF", "TIFF")]
    assert all(any(seed.startswith(s) for seed in SEEDS) for s in starts)


def test_a_file_is_read_and_named_in_what_is_wrong(tmp_path: Path) -> None:
    good, bad = tmp_path / "note.png", tmp_path / "note.heic"
    good.write_bytes(saved(corners(), "PNG"))
    bad.write_bytes(b"\0\0\0\x18ftypheic")
    assert read_photo_file(good).shape == (32, 48, 3)
    with pytest.raises(Malformed, match=r"^note\.heic: expected a photo, got an HEIC"):
        read_photo_file(bad)
    with pytest.raises(Malformed, match=r"^gone\.png: expected a photo, got No such f"):
        read_photo_file(tmp_path / "gone.png")
    with pytest.raises(Malformed, match="got Is a directory"):
        read_photo_file(tmp_path)
