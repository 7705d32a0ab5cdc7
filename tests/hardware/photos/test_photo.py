"""Photos from phones: every kind, every mistake, and bounded memory."""

from __future__ import annotations

import io
import os
import random
import re
import select
import subprocess
import sys
import zlib
from collections.abc import Callable
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image, ImageOps

from companion.errors import Malformed
from hardware.photos import heic
from hardware.photos.photo import (
    BYTES_MAX,
    EXIF_BYTES_MAX,
    KINDS,
    PIECES_MAX,
    RESULT_PIXELS_MAX,
    SEARCH_BYTES,
    Scans,
    _scans,
    _webp_size,
    read_photo,
    read_photo_file,
)
from tests.running import PATIENCE_S, ROOT
from tests.sample import SLOW, each, volume

PNG_MARK = b"\x89PNG\r\n\x1a\n"
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
    ],
)
def test_every_kind_gives_blue_first(kind: str, options: dict[str, object]) -> None:
    pixels = read_photo(saved(corners(), kind, **options))
    assert (pixels.shape, pixels.dtype) == ((32, 48, 3), np.uint8)
    assert pixels.flags.c_contiguous
    assert pixels.flags.writeable
    want = [RED, GREEN, BLUE, WHITE]
    assert np.abs(np.array(colours(pixels)) - want).max() <= 12


@each("orientation", range(1, 9))
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


@each(
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


def test_sixteen_bits_keep_the_upper_eight() -> None:
    deep = np.array([[0, 255, 256, 65535]], np.uint16)
    pixels = read_photo(saved(Image.fromarray(deep), "PNG"))
    assert pixels.shape == (1, 4, 3)
    assert [int(v) for v in pixels[0, :, 1]] == [0, 0, 1, 255]


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_of_an_animation_the_first_picture(kind: str) -> None:
    more = [Image.new("RGB", (48, 32), BLUE)]
    data = saved(corners(), kind, save_all=True, append_images=more)
    assert np.abs(np.array(colours(read_photo(data)))[1] - GREEN).max() <= 40


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_one_pixel_is_a_photo(kind: str) -> None:
    assert read_photo(saved(Image.new("RGB", (1, 1), RED), kind)).shape == (1, 1, 3)


@each(
    ("data", "problem"),
    [
        (b"", "this is an empty file, not a photo; send it again"),
        (
            b"hello, table",
            r"this is another kind of file, not a photo; send a photo as JPEG or PNG",
        ),
        (b"%PDF-1.7 ...", "this is a PDF, not a photo; send a photo"),
        (b"  <html>", "this is a web page, not a photo"),
        (b"PK\x03\x04....", "this is a ZIP archive, not a photo"),
        (b"\0\0\0\x18ftypheic\0\0", "this HEIC was cut off on its way; send it again"),
        (b"\0\0\0\x14ftypmif1\0\0\0\0heic", "HEIC.*Most Compatible.*Android.*screens"),
        (b"\0\0\0\x18ftypavif\0\0", "AVIF"),
        (b"\0\0\0\x18ftypmif1\0\0\0\0mif1avif", "AVIF"),
        (b"\0\0\0\x18ftypisom\0\0", "this is a film, not a photo"),
        (b"\x89PNG\r\n\x1a\n", "this PNG cannot be read"),
        (b"\xff\xd8\xff", "this JPEG"),
        (b"RIFF\0\0\0\0WEBP", "this WEBP cannot be read"),
        (b"BM", "this is a BMP picture, not a photo; send a photo as JPEG or PNG"),
        (b"GIF89a", "this is a GIF picture, not a photo"),
        (b"II*\0\x08", "this is a TIFF picture, not a photo"),
        (b"MM\0*\0", "this is a TIFF picture, not a photo"),
    ],
)
def test_what_is_no_photo_is_told_what_to_send(data: bytes, problem: str) -> None:
    with pytest.raises(Malformed, match=problem):
        read_photo(data)


@each(("kind", "share"), product(["JPEG", "PNG", "WEBP"], [0.2, 0.6, 0.95]))
def test_a_photo_that_is_cut_off_is_refused(kind: str, share: float) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (64, 64, 3), np.uint8)
    data = saved(Image.fromarray(noise), kind)
    with pytest.raises(Malformed, match=r"^this .*; (send|take)"):
        read_photo(data[: int(len(data) * share)])


@cache
def scene(width: int = 200, height: int = 150) -> Image.Image:
    """Waves with the noise of a camera, so that every part of it has something."""
    y, x = np.mgrid[:height, :width]
    waves = [np.sin(x / 9) * np.cos(y / 13), np.cos(x / 23), y / height * 2 - 1]
    noise = np.random.default_rng(4).normal(0, 8, (height, width, 3))
    return Image.fromarray((127 + 100 * np.stack(waves, -1) + noise).astype(np.uint8))


FILM = b"\0\0\0\x18ftypmp42" + np.random.default_rng(5).bytes(100_000)
"""What a phone puts behind a photo that moves; here with markers of all kinds in it."""

PACKED = [
    {},
    {"progressive": True},
    {"restart_marker_blocks": 1},
    {"restart_marker_rows": 2},
    {"restart_marker_rows": 1, "progressive": True},
]


@pytest.mark.parametrize("options", PACKED)
@pytest.mark.parametrize(
    ("ended_by", "followed_by"),
    [
        (b"", b""),
        (b"\xff", b""),
        (b"\xff\xff", b""),
        (b"", bytes(3_000)),
        (b"", bytes(SEARCH_BYTES) + FILM),
        (b"", FILM),
        (b"\xff\xd9", FILM),
        (b"", b"MotionPhoto_Data" + FILM),
        (b"", saved(corners(), "JPEG")),  # A second picture, as in an MPO.
    ],
)
def test_a_jpeg_without_an_end_marker_is_read(
    ended_by: bytes, followed_by: bytes, options: dict[str, object]
) -> None:
    data = saved(scene(), "JPEG", **options)
    assert data.endswith(b"\xff\xd9")
    pixels = read_photo(data[:-2] + ended_by + followed_by)
    assert np.array_equal(pixels, read_photo(data))


@pytest.mark.parametrize("colours", ["L", "CMYK"])
def test_a_jpeg_of_any_colours_needs_no_end_marker(colours: str) -> None:
    data = saved(scene().convert(colours), "JPEG")
    assert np.array_equal(read_photo(data[:-2]), read_photo(data))


@pytest.mark.parametrize("options", PACKED)
def test_of_a_jpeg_that_is_cut_off_nothing_is_read(options: dict[str, object]) -> None:
    """Wherever it is cut, at a restart or between two scans, film behind it or not."""
    data = saved(scene(), "JPEG", **options)
    places = [int(len(data) * share) for share in np.linspace(0.3, 0.99, 40)]
    places += [
        found.start() for found in re.finditer(rb"\xff[\xc4\xd0-\xd7\xda]", data)
    ]
    for place in places:
        for more in (b"", bytes(3_000)):
            with pytest.raises(
                Malformed, match=r"this JPEG (was cut off|cannot be re)"
            ):
                read_photo(data[:place] + more)


@pytest.mark.slow
def test_a_large_jpeg_without_an_end_marker_is_read_smaller() -> None:
    data = saved(scene().resize((5712, 4284)), "JPEG", quality=30)
    assert read_photo(data[:-2]).shape == (3012, 4016, 3)
    with pytest.raises(Malformed, match="was cut off"):
        read_photo(data[: len(data) * 99 // 100])


PHOTOS = Path(__file__).parent
TURNED, LARGE = ((PHOTOS / f"{name}.heic").read_bytes() for name in ("turned", "large"))


@pytest.mark.parametrize("quarters", range(4))
def test_a_heic_photo_is_turned_as_it_says_and_not_by_its_exif_again(
    quarters: int,
) -> None:
    """``make.py`` beside it drew it: in tiles, with a thumbnail, and EXIF that says 6.

    Source: ISO/IEC 23008-12, 6.5.10: how many quarters counter-clockwise.
    """
    turn = TURNED.index(b"irot") + 4
    assert TURNED[turn] == 3
    pixels = read_photo(TURNED[:turn] + bytes([quarters]) + TURNED[turn + 1 :])
    upright = np.rot90(pixels, -quarters)
    assert upright.shape == (128, 192, 3)
    want = [RED, GREEN, BLUE, WHITE]
    assert np.abs(np.array(colours(upright)) - want).max() <= 12


@pytest.mark.slow
def test_a_large_heic_photo_is_read_as_large_as_the_decoder_takes_it() -> None:
    pixels = read_photo(LARGE)
    assert pixels.shape == (3012, 4016, 3)
    want = [RED, GREEN, BLUE, WHITE]
    assert np.abs(np.array(colours(pixels)) - want).max() <= 12


@pytest.mark.parametrize("more", [b"SEFT", FILM, b"\0\0\1\0mpvd" + FILM])
def test_what_a_phone_puts_behind_a_heic_photo_is_passed_over(more: bytes) -> None:
    assert np.array_equal(read_photo(TURNED + more), read_photo(TURNED))


@pytest.mark.parametrize("share", [0.05, 0.5, 0.9, 0.99])
def test_a_heic_photo_that_is_cut_off_is_refused(share: float) -> None:
    with pytest.raises(
        Malformed, match=r"this HEIC was cut off on its way; send it ag"
    ):
        read_photo(TURNED[: int(len(TURNED) * share)])


def claiming(width: int, height: int, which: int = 0) -> bytes:
    """Make the photo of tiles claim a size for itself or for its tiles."""
    at = [found.end() + 4 for found in re.finditer(b"ispe", TURNED)][which]
    size = width.to_bytes(4) + height.to_bytes(4)
    return TURNED[:at] + size + TURNED[at + 8 :]


@each(
    ("data", "problem"),
    [
        (claiming(6000, 5000), "26 million pixels at most; this one has 5000 x 6000"),
        (claiming(65, 400_000), "at most; this one has 400000 x 65"),
        (claiming(65_535, 65_535), "at most; this one has 65535 x 65535"),
        (claiming(65_535, 65_535, 1), "this HEIC cannot be read"),
        (claiming(16, 16, 1), "this HEIC cannot be read"),
        (TURNED.replace(b"pitm", b"ptim"), "this HEIC cannot be read"),
    ],
)
def test_a_heic_photo_is_not_believed(data: bytes, problem: str) -> None:
    with pytest.raises(Malformed, match=problem):
        read_photo(data)


def test_without_its_library_a_heic_photo_is_refused_in_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without_packages = (sys.executable, "-I", "-S")
    monkeypatch.setattr(heic, "PYTHON", without_packages)
    message = (
        r"this table cannot open HEIC photos; on an iPhone choose .*Most Compatible.*; "
        r"on an Android phone .*High efficiency pictures.*; .*screenshot"
    )
    with pytest.raises(Malformed, match=message):
        read_photo(TURNED)


def test_what_unpacks_heic_takes_no_more_memory_than_it_is_given() -> None:
    def unpacked(limit: int) -> subprocess.CompletedProcess[bytes]:
        command = [*heic.PYTHON, heic.__file__, str(limit)]
        return subprocess.run(command, input=LARGE, capture_output=True, check=False)

    assert unpacked(heic.BYTES_MAX).returncode == 0
    scarce = unpacked(40_000_000)
    assert scarce.returncode not in (0, heic.NO_LIBRARY)
    assert len(scarce.stdout) == heic.HEADER.size


def test_unpacking_heic_ends_when_its_time_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = 0
    begun: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            begun.append(self)

    # Children of other tests may still run beside it, say a browser.
    monkeypatch.setattr(subprocess, "Popen", Noted)

    def check(last: int) -> None:
        nonlocal calls
        calls += 1
        if calls == last:
            raise Malformed("too late")

    for last in (1, 2, 30):  # It has 34 strips.
        calls = 0
        with pytest.raises(Malformed, match="too late"):
            read_photo(LARGE, lambda last=last: check(last))
        assert calls == last
    assert [process.returncode is None for process in begun] == [False] * 3


def test_unpacking_heic_ends_by_itself_when_the_table_is_killed(tmp_path: Path) -> None:
    """The service's ``KillMode=process`` kills no child."""
    (tmp_path / "photo").write_bytes(LARGE)
    code = """
import sys
from hardware.photos import heic
with open(sys.argv[1], "rb") as photo, heic.unpacking(photo.read(), bool):
    print(flush=True)
    sys.stdin.read()
"""
    command = [sys.executable, "-c", code, str(tmp_path / "photo")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as table:
        assert table.stdout is not None
        table.stdout.readline()
        children = Path(f"/proc/{table.pid}/task/{table.pid}/children")
        child = int(children.read_text())
        limits = Path(f"/proc/{child}/limits").read_text()
        assert f"{'Max cpu time':<25} {heic.CPU_S:<20}" in limits
        end = os.pidfd_open(child)
        assert not select.select([end], [], [], 0)[0]
        table.kill()
    assert select.select([end], [], [], PATIENCE_S)[0]
    os.close(end)


def test_too_many_bytes_are_refused_unread() -> None:
    with pytest.raises(
        Malformed, match=r"40 MB at most; this one has 40\.0 MB; send it"
    ):
        read_photo(bytes(BYTES_MAX + 1))


def png_header(width: int, height: int) -> bytes:
    """Make a PNG that claims a size and holds nothing."""
    data = bytearray(saved(Image.new("L", (1, 1)), "PNG"))
    data[16:24] = width.to_bytes(4, "big") + height.to_bytes(4, "big")
    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4, "big")
    return bytes(data)


@pytest.mark.parametrize("side", [6_000, 14_000, 2**31 - 1])
def test_a_bomb_is_refused_by_its_header(side: int) -> None:
    with pytest.raises(Malformed, match=r"at most|cannot be read"):
        read_photo(png_header(side, side))


def test_too_many_pixels_are_said_to_be() -> None:
    with pytest.raises(
        Malformed, match=r"26 million pixels .*; this one has 6000 x 5000"
    ):
        read_photo(png_header(6000, 5000))


def test_a_webp_bomb_is_refused_by_its_header() -> None:
    data = bytearray(saved(Image.new("RGBA", (9, 9)), "WEBP", exif=b"Exif\0\0"))
    assert data[12:16] == b"VP8X"
    data[24:30] = b"\xff\x3f\0" * 2
    with pytest.raises(
        Malformed, match=r"6 million pixels .*; this one has 16384 x 16384"
    ):
        read_photo(bytes(data))


@pytest.mark.parametrize("options", [{}, {"lossless": True}, {"exif": b"Exif\0\0"}])
def test_every_webp_header_tells_its_size(options: dict[str, object]) -> None:
    data = saved(Image.new("RGB", (321, 123), RED), "WEBP", **options)
    assert _webp_size(data) == (321, 123)


def test_a_scan_with_all_colours_can_be_unpacked_in_strips() -> None:
    assert _scans(saved(corners(), "JPEG")) == Scans(1, True)
    assert _scans(saved(corners().convert("L"), "JPEG")) == Scans(1, True)
    assert _scans(saved(corners(), "JPEG", progressive=True)) == Scans(10, False)
    assert _scans(b"\xff\xd8\xff") == Scans(0, False)


def test_what_follows_the_picture_is_no_scan() -> None:
    small = saved(corners(), "JPEG")
    preview = b"\xff\xe1" + (len(small) + 2).to_bytes(2) + small
    film = b"\xff\xda" * 999
    assert _scans(small[:2] + preview + small[2:] + film) == Scans(1, True)


@pytest.mark.parametrize(
    ("size", "given"),
    [
        ((4032, 3024), (3024, 4032, 3)),  # 12 megapixels, as they are.
        ((5712, 4284), (3012, 4016, 3)),  # 24 megapixels.
        ((8160, 6144), (3072, 4080, 3)),  # 50 megapixels, unpacked at a half.
        ((6000, 4097), (2880, 4218, 3)),  # A last row too thin to show.
    ],
)
def test_a_phones_photo_is_read_as_large_as_the_decoder_takes_it(
    size: tuple[int, int], given: tuple[int, int, int]
) -> None:
    image = Image.new("RGB", size, BLUE)
    image.paste(GREEN, (0, 0, size[0], size[1] // 2))
    pixels = read_photo(saved(image, "JPEG", quality=30))
    assert pixels.shape == given
    assert pixels.shape[0] * pixels.shape[1] <= RESULT_PIXELS_MAX
    middle = given[0] // 2
    assert (pixels[[0, middle - 9], :, 1] > 200).all()
    assert (pixels[[middle + 9, -1], :, 0] > 200).all()


def test_what_comes_smaller_shows_the_same_without_seams() -> None:
    y, x = (np.sin(np.arange(side) / 40) for side in (3600, 4200))
    wave = (127 + 100 * np.outer(y, x)).astype(np.uint8)
    pixels = read_photo(saved(Image.fromarray(wave), "PNG", compress_level=1))
    height, width = pixels.shape[:2]
    whole = cv2.resize(wave, (width, height), interpolation=cv2.INTER_AREA)
    assert height * width <= RESULT_PIXELS_MAX
    assert cv2.absdiff(pixels[:, :, 1], whole).max() <= 6


def with_scans(image: Image.Image, more: int, hidden_by: bytes = b"") -> bytes:
    """Make a progressive JPEG that repeats its last scan *more* times.

    Args:
        hidden_by: A mark before them that has no length, such as TEM, which is
            followed by what might be taken for one.
    """
    data = saved(image, "JPEG", progressive=True)
    last = data[data.rindex(b"\xff\xda") : -2]
    return data[:-2] + hidden_by + more * last + data[-2:]


def test_a_progressive_photo_of_a_messenger_is_read() -> None:
    data = with_scans(Image.new("RGB", (2048, 1536), GREEN), 6)
    assert read_photo(data).shape == (1536, 2048, 3)


@each(
    ("data", "problem"),
    [
        (lambda: with_scans(corners(), 300), "fewer scans, got 310 of 48 x 32 pixels"),
        (
            lambda: with_scans(Image.new("L", (3600, 3400)), 30),
            "fewer scans, got 36 of 3600 x 3400",
        ),
        (
            lambda: with_scans(corners(), 300, hidden_by=b"\xff\x01\xff\xff"),
            "fewer scans, got 310",
        ),
        (lambda: with_scans(corners(), PIECES_MAX), "at most 20,000 pieces, got more"),
        (
            lambda: b"\xff\xd8" + b"\xff\xfe\0\2" * PIECES_MAX,
            "JPEG of at most 20,000 pieces",
        ),
        (
            lambda: PNG_MARK + (bytes(4) + b"teSt" + bytes(4)) * (PIECES_MAX + 1),
            "PNG of at most 20,000 pieces",
        ),
    ],
)
def test_work_that_would_not_end_is_refused_before_it_begins(
    data: Callable[[], bytes], problem: str
) -> None:
    with pytest.raises(Malformed, match=f"{problem}.*; send a screenshot of it"):
        read_photo(data())


def test_marks_that_never_end_are_gone_through_once() -> None:
    """Not once more for each of them, which would take hours."""
    with pytest.raises(Malformed):
        read_photo(b"\xff\xd8" + b"\xff" * 500_000 + b"\0")


def test_a_mark_between_two_searches_is_found() -> None:
    scan = saved(corners(), "JPEG")
    first = SEARCH_BYTES - (len(scan) - 2 - scan.rindex(b"\xff\xda"))
    for more in range(first, first + 30):  # The scan's own header is passed over.
        assert _scans(scan[:-2] + bytes(more) + b"\xff\xda" + scan[-2:]).count == 2


def turned_with_exif_of(size: int) -> bytes:
    """EXIF that says 6, which is a quarter clockwise, and much else."""
    exif = Image.Exif()
    exif[0x0112] = 6
    head = exif.tobytes()
    return head + bytes(size - len(head))


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_only_exif_of_a_size_that_cameras_write_is_looked_into(kind: str) -> None:
    for size, shape in (
        (EXIF_BYTES_MAX // 2, (48, 32, 3)),
        (EXIF_BYTES_MAX * 2, (32, 48, 3)),
    ):
        data = saved(corners().resize((48, 32)), kind, exif=turned_with_exif_of(size))
        assert read_photo(data).shape == shape


def test_a_jpeg_of_much_exif_is_refused_before_it_is_put_together() -> None:
    data = saved(corners(), "JPEG")
    block = b"\xff\xe1" + (60_002).to_bytes(2) + turned_with_exif_of(60_000)
    few = data[:2] + 3 * block + data[2:]
    assert read_photo(few).size == read_photo(data).size
    with pytest.raises(Malformed, match="at most 200 kB of EXIF, got more; send a s"):
        read_photo(data[:2] + 4 * block + data[2:])


def test_a_progressive_jpeg_whose_coefficients_fill_memory_is_refused() -> None:
    data = saved(Image.new("L", (5000, 5000)), "JPEG", progressive=True)
    with pytest.raises(
        Malformed, match=r"12 million pixels .*; this one has 5000 x 5000"
    ):
        read_photo(data)


@pytest.mark.parametrize(
    ("kind", "options"),
    [("JPEG", {}), ("JPEG", {"progressive": True}), ("PNG", {}), ("WEBP", {})],
)
def test_work_ends_when_its_time_is_over(kind: str, options: dict[str, object]) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (600, 600, 3), np.uint8)
    data = saved(Image.fromarray(noise), kind, **options)
    calls = 0

    def check(last: int) -> None:
        nonlocal calls
        calls += 1
        if calls == last:
            raise Malformed("too late")

    read_photo(data, lambda: check(0))
    whole, calls = calls, 0
    assert whole > 1
    with pytest.raises(Malformed, match="too late"):
        read_photo(data, lambda: check(whole - 1))
    assert calls == whole - 1


ODD = """
import sys
from companion.errors import Malformed
from hardware.photos.photo import read_photo
try:
    read_photo(sys.stdin.buffer.read())
except Malformed:
    pass
"""


def spoiled_exif() -> bytes:
    exif = Image.Exif()
    exif[0x0112] = 6
    data = bytearray(saved(corners(), "JPEG", exif=exif))
    at = data.index(b"Exif\0\0")
    data[at + 14 : at + 16] = b"\0\x09"  # Nine entries where there is one.
    return bytes(data)


@pytest.mark.parametrize(
    "data",
    [
        spoiled_exif,
        lambda: saved(corners(), "JPEG", quality=98)[:600],
        lambda: saved(corners(), "TIFF", compression="tiff_lzw")[:-40],
        lambda: png_header(9999, 9999),
        lambda: saved(corners(), "JPEG").replace(b"\xff\xda", b"xx\xff\xda"),
        lambda: TURNED.replace(b"grid", b"gird"),
    ],
)
def test_odd_photos_leave_nothing_on_stderr(data: Callable[[], bytes]) -> None:
    command = [sys.executable, "-c", ODD]
    done = subprocess.run(command, input=data(), capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


slow = partial(pytest.param, marks=SLOW)

BIG = """
import resource, sys
from companion.errors import Malformed
from hardware.photos.photo import read_photo
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "mode", "size", "options", "limit_mb", "said"),
    [
        ("JPEG", "L", (16320, 12240), {}, 160, "(3060, 4080, 3) bounded"),
        ("PNG", "L", (16320, 12240), {}, 20, "Malformed bounded"),
        slow("JPEG", "RGB", (5712, 4284), {}, 160, "(3012, 4016, 3) bounded"),
        slow("PNG", "RGBA", (400_000, 64), {}, 20, "Malformed bounded"),
        slow(
            "JPEG", "L", (16320, 12240), {"progressive": True}, 20, "Malformed bounded"
        ),
        slow("PNG", "RGBA", (5500, 4600), {}, 160, "(3234, 3867, 3) bounded"),
        slow("WEBP", "RGBA", (2400, 2400), {}, 130, "(2400, 2400, 3) bounded"),
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


@cache
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
    ]


@pytest.mark.filterwarnings("ignore")  # Pillow warns of what it then refuses or mends.
def test_mutated_photos_are_read_or_refused_and_nothing_else() -> None:
    draw = random.Random(20)
    refused = 0
    for round_number in range(1200):
        data = bytearray(draw.choice(seeds()))
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
        message = "this "
        try:
            pixels = read_photo(bytes(data))
        except Malformed as error:
            refused += 1
            message = str(error)
        else:
            assert pixels.dtype == np.uint8, round_number
            assert pixels.ndim == 3, round_number
            assert pixels.size <= RESULT_PIXELS_MAX * 3, round_number
        assert re.match(r"this |expected |a photo may", message), round_number
        # What Python calls its objects helps nobody who sent a photo.
        assert not re.search(r"0x[0-9a-f]|<_io|object at", message), message
    assert 200 < refused < 1150


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("rounds", [15, *volume([400])])
def test_mutated_heic_photos_are_read_or_refused_and_nothing_else(rounds: int) -> None:
    draw = random.Random(21)
    for _ in range(rounds):
        data = bytearray(TURNED)
        for _ in range(draw.randint(1, 4)):
            data[draw.randrange(24, len(data))] = draw.choice((0, 1, 0xFF, 0x7F))
        message = "this HEIC was cut off"
        try:
            pixels = read_photo(bytes(data))
        except Malformed as error:
            message = str(error)
        else:
            assert pixels.shape[2] == 3
        assert re.match(r"this HEIC (was cut off|cannot be read)|a photo may", message)


def test_every_kind_is_among_the_fuzzed() -> None:
    assert all(any(seed.startswith(s) for seed in seeds()) for s in KINDS)


def test_a_file_is_read_and_named_in_what_is_wrong(tmp_path: Path) -> None:
    good, bad = tmp_path / "note.png", tmp_path / "note.avif"
    good.write_bytes(saved(corners(), "PNG"))
    bad.write_bytes(b"\0\0\0\x18ftypavif")
    assert read_photo_file(good).shape == (32, 48, 3)
    with pytest.raises(Malformed, match=r"^note\.avif: this is an AVIF file, n"):
        read_photo_file(bad)
    with pytest.raises(Malformed, match=r"^gone\.png: expected a photo, got No such f"):
        read_photo_file(tmp_path / "gone.png")
    with pytest.raises(Malformed, match="got a folder, not a file"):
        read_photo_file(tmp_path)
