"""Unpack photos that people send.

No file is trusted: its first bytes tell its kind, and its header its size, before
anything is unpacked. Every failure becomes a ``Malformed`` that says what to send
instead.

A JPEG consists of *segments*, each begun by a *marker*; its pixels are coded in one
*scan* or several, as *coefficients*. A PNG consists of *chunks*, and a HEIC of *boxes*.
*EXIF* is a part of a photo that tells, for example, how to turn it upright.
"""

from __future__ import annotations

import io
import logging
import math
import re
import warnings
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, JpegImagePlugin

from companion.errors import Malformed
from companion.files import opened
from companion.words import say
from hardware.photos import heic

log = logging.getLogger(__name__)

# Pillow warns about odd photos; they are read, or refused and logged, below.
warnings.filterwarnings("ignore", module=r"PIL\.")

Pixels = NDArray[np.uint8]

# The most that is read.

BYTES_MAX = 40_000_000
"""The longest file that is read."""
PIECES_MAX = 20_000
"""The most segments of a JPEG, or chunks of a PNG; each of them costs time."""
PIXELS_MAX = 26_000_000
"""The largest picture that is unpacked, about 6200 x 4200: a phone's usual finest."""
RESULT_PIXELS_MAX = 12_600_000
"""The largest result; the decoder needs twice as much memory again."""
COEFFICIENTS_PIXELS_MAX = 12_600_000
"""The limit for a JPEG that keeps all coefficients, up to six bytes per pixel."""
WEBP_PIXELS_MAX = 6_000_000
"""The limit for WebP, which takes up to 21 bytes per pixel."""
JPEG_PIXELS_MAX = 300_000_000
"""The most pixels times scans of a JPEG, as each scan goes over all pixels.

A plain JPEG has one scan, and can be unpacked at 1/8 of its size, a strip at a time.
"""
SCAN_PIXELS_MIN = 1_000_000
"""A scan counts as at least so many pixels, as it builds tables for any picture."""
SIDE_MAX = 16_384
"""The longest side of a PNG or HEIC, so that strips stay small. JPEG and WebP have such
a limit of their own."""
EXIF_BYTES_MAX = 200_000
"""The longest EXIF that is searched, as finding one entry means reading all.

A JPEG needs only one segment of EXIF, which has at most 64 kB.
"""

# How a picture is unpacked.

STRIP_PIXELS = 1_000_000
"""About how many pixels are converted or scaled at a time."""
PARTS = 64
"""Pictures are scaled by a whole number of 64ths, so that strips fit together."""
ORIENTATION_TAG = 0x0112
"""The EXIF entry that tells how to turn a photo upright."""

# The bytes of files.

KINDS = {b"\xff\xd8\xff": "JPEG", b"\x89PNG\r\n\x1a\n": "PNG"}
"""The kinds of files that their first bytes tell; WebP and HEIC need a closer look."""

NEXT_MARKER = re.compile(rb"\xff([^\x00\x01\xd0-\xd7\xff])", re.DOTALL)
"""The next marker of a JPEG that begins a segment; *restart* markers begin none."""
SEARCH_BYTES = 100_000
"""How many bytes one search covers, as no other thread runs during it."""
PATTERN_BYTES_MAX = 8
"""How far a search looks into the next part, for a match that ends there."""

MARKER_BYTE, START, END, START_OF_SCAN = b"\xff", b"\xd8", b"\xd9", b"\xda"
"""The first byte of every marker, and the second byte of three of them."""
FRAMES, PROGRESSIVE_FRAME, EXIF = b"\xc0\xc1\xc2", b"\xc2", b"\xe1"
"""The second byte of the markers of frame headers, and of the one that EXIF is in."""
FILM = re.compile(rb"\0\0..ftyp", re.DOTALL)
"""The beginning of the film that some phones append to a photo.

Source: ISO/IEC 14496-12, 4.3: the length of the box, four bytes, then its kind.
"""
NOISE = b"".join(bytes(range(0xFE, 0, -1)) + bytes((0xFF, 0xD0 + n)) for n in range(8))
"""Meaningless coded pixels and all restart markers, to stand for missing pixels."""

HEIC_BRANDS = {b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1"}
AVIF_BRANDS = {b"avif", b"avis"}
"""Brands that may follow ``ftyp``; AVIF calls itself ``mif1`` as well."""
BRANDS_BYTES_MAX = 400
"""How many bytes of a file are searched for brands."""
HEIC_BOXES = {b"ftyp", b"meta", b"mdat"}
"""The kinds of boxes that a HEIC needs."""
HEIC_REMEDY = say(
    "on an iPhone choose Settings, Camera, Formats, Most Compatible; on an Android "
    "phone switch off High efficiency pictures (HEIF) in the camera's settings; then "
    "take it again, or send a screenshot of it"
)
"""What to do about a HEIC that the table cannot open."""
OTHER_FILES = {
    b"%PDF": say("a PDF"),
    b"PK\x03\x04": say("a ZIP archive"),
    b"<svg": say("an SVG drawing"),
    b"<": say("a web page"),
    b"GIF8": say("a GIF picture"),
    b"BM": say("a BMP picture"),
    b"II*\x00": say("a TIFF picture"),
    b"MM\x00*": say("a TIFF picture"),
}
"""Names of files that are not photos, by their first bytes."""

TOO_INTRICATE = say("this photo is packed in a way that the table cannot open")
"""The words for a photo with too many segments, chunks or scans."""

TURNS = {
    1: lambda p: p,
    2: lambda p: p[:, ::-1],
    3: lambda p: p[::-1, ::-1],
    4: lambda p: p[::-1],
    5: lambda p: p.transpose(1, 0, 2),
    6: lambda p: p[::-1].transpose(1, 0, 2),
    7: lambda p: p[::-1, ::-1].transpose(1, 0, 2),
    8: lambda p: p[:, ::-1].transpose(1, 0, 2),
}
"""How to turn the stored picture upright, by its EXIF orientation.

Source: EXIF 2.3, tag 0x0112: 6 has to be turned a quarter clockwise, 8 a quarter
counter-clockwise; 2, 4, 5 and 7 are mirrored as well.
"""


def read_photo(data: bytes, check: Callable[[], object] = lambda: None) -> Pixels:
    """Unpack a photo as people see it: a JPEG, HEIC, PNG or WebP, as phones send them.

    It is turned upright. Of an animation the first picture is taken; transparent parts
    become white; of 16 bits per channel the upper eight remain. A picture of more than
    ``RESULT_PIXELS_MAX`` is scaled down, a JPEG of more than ``PIXELS_MAX`` already
    while it is unpacked.

    Args:
        data: The whole file; at most ``BYTES_MAX`` long.
        check: Called again and again meanwhile; it may raise to end the work.

    Returns:
        (height, width, 3) uint8, BGR, at least 1x1; the caller owns it.

    Raises:
        Malformed: If *data* is not a photo, cut off, broken or too large.
    """
    if len(data) > BYTES_MAX:
        raise Malformed(
            say(
                "a photo may have {most} MB at most; this one has {size} MB",
                most=BYTES_MAX // 1_000_000,
                size=f"{len(data) / 1e6:.1f}",
            ),
            say("send it in a smaller size"),
        )
    kind = _kind(data)
    try:
        pixels, orientation = _unpack(data, kind, check)
    except Malformed:
        raise
    except Exception as error:  # Pillow's plug-ins share no parent.
        log.info("photo_unreadable kind=%s error=%r", kind, error)
        raise _broken(kind, error) from error
    return np.ascontiguousarray(TURNS[orientation](pixels))


def read_photo_file(path: Path) -> Pixels:
    """Read the photo at *path*; see ``read_photo``.

    Raises:
        Malformed: If it cannot be read; the message begins with the file's name.
    """
    try:
        with opened(path) as file:
            data = file.read(BYTES_MAX + 1)  # One byte more shows that it is too long.
        return read_photo(data)
    except Malformed as error:
        message = say("{file}: {what}", file=path.name, what=error.message)
        raise Malformed(message, error.remedy) from error
    except OSError as error:
        raise Malformed(
            f"{path.name}: expected a photo, got {error.strerror or error}",
            "check the name and who may read it",
        ) from error


def _kind(data: bytes) -> str:
    """Tell the kind of a photo; refuse all other files."""
    for start, kind in KINDS.items():
        if data.startswith(start):
            return kind
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WEBP"
    if HEIC_BRANDS & (brands := _brands(data)) and not AVIF_BRANDS & brands:
        return "HEIC"
    name, remedy = _name_and_remedy(data)
    raise Malformed(say("this is {what}, not a photo", what=name), remedy)


def _name_and_remedy(data: bytes) -> tuple[str, str]:
    """Name a file that is not a photo, and say what to do about it."""
    if AVIF_BRANDS & _brands(data):
        return say("an AVIF file"), say("send it as JPEG, or send a screenshot of it")
    if not data:
        return say("an empty file"), say("send it again")
    if data[4:8] == b"ftyp":
        name = say("a film")
    else:
        first = data.lstrip()[:8]
        names = (name for start, name in OTHER_FILES.items() if first.startswith(start))
        name = next(names, say("another kind of file"))
    return name, say("send a photo as JPEG or PNG")


def _brands(data: bytes) -> set[bytes]:
    """Return the brands of a HEIC, an AVIF or a film; other files have none.

    Source: ISO/IEC 14496-12, 4.3: major brand, version, compatible brands.
    """
    if data[4:8] != b"ftyp":
        return set()
    end = min(int.from_bytes(data[:4]), BRANDS_BYTES_MAX)
    return {data[8:12], *(data[at : at + 4] for at in range(16, end, 4))}


class _Checked(io.BytesIO):
    """A file in memory that calls *check* at every read; *check* may raise."""

    def __init__(self, data: bytes, check: Callable[[], object]) -> None:
        super().__init__(data)
        self._check = check

    def read(self, size: int | None = -1, /) -> bytes:
        self._check()
        return super().read(size)


def _unpack(data: bytes, kind: str, check: Callable[[], object]) -> tuple[Pixels, int]:
    """Unpack to BGR, not turned yet; return it with the EXIF orientation.

    A JPEG without an end marker may still be whole. It is unpacked with and without
    noise behind it: noise takes the place of missing pixels, and then the pictures
    differ. A few missing bytes may go unnoticed.
    """
    if kind == "HEIC":
        return _unpack_heic(data, check), 1
    if kind != "JPEG":
        return _unpack_whole(data, kind, check, ONE_SCAN)
    scans = _scans(data)
    if scans.end is None:
        return _unpack_whole(data, kind, check, scans)
    if not scans.are_all:
        raise _cut_off(kind)
    stump = data[: scans.end].rstrip(b"\0") + b"\0\0"
    end = MARKER_BYTE + END
    noisy, _ = _unpack_whole(stump + NOISE + end, kind, check, scans)
    digest = zlib.crc32(noisy.data)
    del noisy  # There is no memory for two pictures.
    pixels, orientation = _unpack_whole(stump + end, kind, check, scans)
    if zlib.crc32(pixels.data) != digest:
        raise _cut_off(kind)
    return pixels, orientation


def _unpack_whole(
    data: bytes, kind: str, check: Callable[[], object], scans: Scans
) -> tuple[Pixels, int]:
    """Unpack a file that has all its pixels; return it with the EXIF orientation."""
    with _open(data, kind, check) as image:
        _limit_size(image, kind, scans)
        return _unpack_bgr(image, check), _orientation(image)


def _unpack_heic(data: bytes, check: Callable[[], object]) -> Pixels:
    """Unpack a HEIC, which its decoder turns upright; its EXIF does not count.

    Source: ISO/IEC 23008-12, A.2.1 (Exif does not turn), 6.5.10 (``irot``).
    """
    if _is_heic_cut(data):
        raise _cut_off("HEIC")
    with heic.unpacking(data, check) as packed:
        _check_sides(packed.size, PIXELS_MAX)
        width, mode = packed.size[0], packed.mode

        def strip(top: int, bottom: int) -> Pixels:
            size = (width, bottom - top)
            packed_rows = packed.read(size[0] * size[1] * len(mode))
            return _colour_strip(Image.frombytes(mode, size, packed_rows))

        return _in_strips(packed.size, strip, check)


def _is_heic_cut(data: bytes) -> bool:
    """Return whether a box that a HEIC needs extends beyond the end of the file.

    Source: ISO/IEC 14496-12, 4.2: length, kind. A length of 1 means that the length is
    in the eight bytes behind the kind; 0 means up to the end of the file.
    """
    at = 0
    for _ in range(PIECES_MAX):
        if data[at + 4 : at + 8] not in HEIC_BOXES:
            break
        size = int.from_bytes(data[at : at + 4])
        if size == 1:
            size = int.from_bytes(data[at + 8 : at + 16])
        if size == 0:
            return False
        at += max(size, 8)
    return at > len(data)


def _open(data: bytes, kind: str, check: Callable[[], object]) -> Image.Image:
    """Open the photo, reading only its header."""
    file = _Checked(data, check)
    if kind == "JPEG":
        # Image.open would warn above 89 million pixels and then refuse, even a picture
        # that will be unpacked much smaller.
        return JpegImagePlugin.JpegImageFile(file)
    if kind == "WEBP":
        _check_size(_webp_size(data), WEBP_PIXELS_MAX)  # Opening it takes memory.
    if kind == "PNG":
        _check_chunks(data)
    return Image.open(file, formats=(kind,))


def _limit_size(image: Image.Image, kind: str, scans: Scans) -> None:
    """Refuse a picture that is too large; have a large JPEG unpacked smaller."""
    if kind != "JPEG":
        _check_sides(image.size, WEBP_PIXELS_MAX if kind == "WEBP" else PIXELS_MAX)
        return
    width, height = image.size
    count = scans.count
    if count > 1 and count * max(width * height, SCAN_PIXELS_MIN) > JPEG_PIXELS_MAX:
        raise Malformed(
            f"expected a JPEG in fewer scans, got {count} of {width} x {height} pixels",
            say("send a screenshot of it"),
            plain=TOO_INTRICATE,
        )
    most = JPEG_PIXELS_MAX if scans.in_strips else COEFFICIENTS_PIXELS_MAX
    _check_size(image.size, most)
    scale = 1
    while (width // scale) * (height // scale) > PIXELS_MAX:
        scale *= 2
    if scale > 1:
        image.draft(None, (width // scale, height // scale))


def _check_sides(size: tuple[int, int], pixels_max: int) -> None:
    if max(size) > SIDE_MAX:
        raise Malformed(
            say(
                "a photo may have {most} pixels a side at most; this "
                "one has {width} x {height}",
                most=f"{SIDE_MAX:,}",
                width=size[0],
                height=size[1],
            ),
            say("send it smaller"),
        )
    _check_size(size, pixels_max)


def _check_size(size: tuple[int, int], pixels_max: int) -> None:
    width, height = size
    if width * height > pixels_max:
        raise Malformed(
            say(
                "a photo may have {most} million pixels at most; this one "
                "has {width} x {height}",
                most=pixels_max // 1_000_000,
                width=width,
                height=height,
            ),
            say("send it smaller, or as a plain JPEG"),
        )


@dataclass(frozen=True, slots=True)
class Scans:
    """The scans of a JPEG; each of them goes over all pixels.

    Attributes:
        count: How many there are.
        in_strips: Whether the JPEG can be unpacked a strip at a time. A progressive
            one, or one with a scan for each colour, keeps all its coefficients in
            memory, at any scale.
        end: The end of a picture without an end marker; ``None`` if it has one.
        are_all: Whether they contain all bits of all coefficients.
    """

    count: int
    in_strips: bool
    end: int | None = None
    are_all: bool = True


ONE_SCAN = Scans(1, True)
"""What stands for the scans of a photo that is not a JPEG."""
ALL_COEFFICIENTS = 2**64 - 1
"""A bit for each of the 64 coefficients of a block of pixels."""


def _scans(data: bytes) -> Scans:
    """Read the scans of a JPEG, going from marker to marker.

    Source: ITU-T T.81, B.1.1.3 (markers), B.2.2 (frame header), B.2.3 (scan header),
    G.1.1.1 (which bits of which coefficients a scan brings).

    Raises:
        Malformed: If it has too many segments, or too much EXIF.
    """
    at, end = 2, len(data)
    scans = components = exif_bytes = 0
    in_strips = is_progressive = False
    done: dict[int, int] = {}  # For each colour, a bit for each coefficient.
    for _ in range(PIECES_MAX):
        match = _search(NEXT_MARKER, data, at, end)
        # A start marker behind the scans belongs to another picture.
        last_markers = START + END if scans else END
        if match is None or match[1] in last_markers:
            if match is not None:
                end = match.start()
            has_end = scans == 0 or data.startswith(MARKER_BYTE + END, end)
            are_all = list(done.values()) == components * [ALL_COEFFICIENTS]
            return Scans(scans, in_strips, None if has_end else end, are_all)
        at, marker = match.end(), match[1]
        if marker in FRAMES:
            components = data[at + 7] if at + 7 < len(data) else 0
            is_progressive = marker == PROGRESSIVE_FRAME
        elif marker == START_OF_SCAN:
            colours, coefficients = _scan_header(data[at + 2 : at + 14])
            for colour in colours:
                done[colour] = done.get(colour, 0) | coefficients
            scans += 1
            if scans == 1:
                in_strips = not is_progressive and 0 < components == len(colours)
                film = _search(FILM, data, at, end)
                end = film.start() if film is not None else end
        size = max(2, int.from_bytes(data[at : at + 2]))
        if marker == EXIF and data.startswith(b"Exif\0", at + 2):
            exif_bytes += size
            _check_exif(exif_bytes)
        at += size
    raise _too_many_pieces("JPEG")


def _check_exif(size: int) -> None:
    if size > EXIF_BYTES_MAX:
        raise Malformed(
            f"expected at most {EXIF_BYTES_MAX // 1_000} kB of EXIF, got more",
            say("send a screenshot of it"),
            plain=TOO_INTRICATE,
        )


def _scan_header(header: bytes) -> tuple[bytes, int]:
    """Return the colours of a scan, and a bit for each coefficient it completes."""
    colours_end = 1 + 2 * int.from_bytes(header[:1])
    colours, rest = header[1:colours_end:2], header[colours_end:]
    if len(rest) < 3:  # Cut off.
        return colours, 0
    first, last, bits = rest[:3]
    if bits & 0xF:  # Lower bits are still to come.
        return colours, 0
    up_to_last, from_first = ALL_COEFFICIENTS >> 63 - min(last, 63), -1 << first
    return colours, up_to_last & from_first


def _search(
    pattern: re.Pattern[bytes], data: bytes, at: int, end: int
) -> re.Match[bytes] | None:
    """Search part by part, so that other threads can run in between."""
    for start in range(at, end, SEARCH_BYTES):
        stop = min(start + SEARCH_BYTES + PATTERN_BYTES_MAX, end)
        if (match := pattern.search(data, start, stop)) is not None:
            return match
    return None


def _check_chunks(data: bytes) -> None:
    """Refuse a PNG with too many chunks.

    Source: PNG (ISO/IEC 15948), 5.3: length, kind, content, four bytes of checksum.
    """
    at = 8
    for _ in range(PIECES_MAX):
        if at >= len(data):
            return
        at += 12 + int.from_bytes(data[at : at + 4])
    raise _too_many_pieces("PNG")


def _too_many_pieces(kind: str) -> Malformed:
    return Malformed(
        f"expected a {kind} of at most {PIECES_MAX:,} pieces, got more",
        say("send a screenshot of it"),
        plain=TOO_INTRICATE,
    )


def _webp_size(data: bytes) -> tuple[int, int]:
    """Read width and height from the first chunk; (0, 0) if its kind is unknown.

    Source: RFC 9649, 2.5 to 2.7; RFC 6386, 9.1.
    """
    first, body = data[12:16], data[20:34]
    if first == b"VP8X":
        width, height = (int.from_bytes(body[at : at + 3], "little") for at in (4, 7))
        return width + 1, height + 1
    if first == b"VP8L":
        bits = int.from_bytes(body[1:5], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if first == b"VP8 ":
        width, height = (int.from_bytes(body[at : at + 2], "little") for at in (6, 8))
        return width & 0x3FFF, height & 0x3FFF
    return 0, 0


def _orientation(image: Image.Image) -> int:
    """Read the EXIF orientation, 1 to 8; a broken or too long EXIF counts as 1."""
    blocks = (image.info.get(key, b"") for key in ("exif", "Raw profile type exif"))
    if any(len(exif) > EXIF_BYTES_MAX for exif in blocks):
        return 1
    try:
        value = image.getexif().get(ORIENTATION_TAG, 1)
    except Exception as error:  # EXIF is nested TIFF, and can fail in any way.
        log.info("photo_exif_unreadable error=%r", error)
        return 1
    return value if isinstance(value, int) and value in TURNS else 1


def _unpack_bgr(image: Image.Image, check: Callable[[], object]) -> Pixels:
    """Unpack to 8-bit BGR on white, strip by strip to save memory."""
    image.load()
    to_strip = _grey_strip if _is_deep(image) else _colour_strip
    return _in_strips(
        image.size,
        lambda top, bottom: to_strip(image.crop((0, top, image.width, bottom))),
        check,
    )


def _in_strips(
    size: tuple[int, int],
    strip_of: Callable[[int, int], Pixels],
    check: Callable[[], object],
) -> Pixels:
    """Assemble a picture from its strips, scaled down if it is large.

    Args:
        size: Width and height of the picture.
        strip_of: Called with (top, bottom), from top to bottom; returns the rows from
            *top* up to the one before *bottom*, as BGR or grey.
        check: Called before each strip.
    """
    width, height = size
    scale = math.sqrt(RESULT_PIXELS_MAX / (width * height))
    parts = min(PARTS, max(1, int(PARTS * scale)))  # The scale in 64ths.
    rows = max(1, STRIP_PIXELS // width // PARTS) * PARTS
    shape = [max(1, side * parts // PARTS) for side in (height, width)]
    pixels = np.empty((*shape, 3), np.uint8)
    for top in range(0, height, rows):
        check()
        strip = strip_of(top, min(top + rows, height))
        target = pixels[top * parts // PARTS : (top + rows) * parts // PARTS]
        if not target.size:
            continue  # A last row too thin to show.
        if parts < PARTS:
            strip = _smaller(strip, target.shape[1], target.shape[0])
        target[:] = strip[: len(target)]
    return pixels


def _smaller(strip: Pixels, width: int, height: int) -> Pixels:
    import cv2  # Only large photos need it.

    small = cv2.resize(
        np.ascontiguousarray(strip), (width, height), interpolation=cv2.INTER_AREA
    )
    return np.asarray(small, np.uint8).reshape(height, width, -1)


def _is_deep(image: Image.Image) -> bool:
    return image.mode == "I" or image.mode.startswith("I;16")


def _colour_strip(strip: Image.Image) -> Pixels:
    """Convert a strip of up to 8 bits per channel to (rows, width, 3) BGR, on white."""
    if strip.has_transparency_data:
        layered = strip.convert("RGBA")
        strip = Image.new("RGB", layered.size, "white")
        strip.paste(layered, mask=layered.getchannel("A"))
    return np.asarray(strip.convert("RGB"))[:, :, ::-1]


def _grey_strip(strip: Image.Image) -> Pixels:
    """Convert a strip of 16-bit grey to (rows, width, 1) uint8."""
    levels = np.clip(np.asarray(strip), 0, 65535).astype(np.uint16)
    return np.asarray(levels[:, :, None] >> 8, np.uint8)


def _broken(kind: str, error: Exception) -> Malformed:
    if isinstance(error, Image.DecompressionBombError | Image.DecompressionBombWarning):
        return Malformed(
            say(
                "a photo may have {most} million pixels at most; this one has far more",
                most=PIXELS_MAX // 1_000_000,
            ),
            say("send it smaller, or as a plain JPEG"),
        )
    if isinstance(error, MemoryError):
        return Malformed(
            say("this {kind} does not fit into memory", kind=kind),
            say("send it in a smaller size"),
        )
    if "truncated" in str(error).lower() or isinstance(error, EOFError):
        return _cut_off(kind)
    if isinstance(error, ImportError):
        return Malformed(say("this table cannot open HEIC photos"), HEIC_REMEDY)
    if kind == "HEIC":
        return Malformed(say("this {kind} cannot be read", kind=kind), HEIC_REMEDY)
    return Malformed(
        say("this {kind} cannot be read", kind=kind),
        say("take it again, or send a screenshot of it"),
    )


def _cut_off(kind: str) -> Malformed:
    return Malformed(
        say("this {kind} was cut off on its way", kind=kind), say("send it again")
    )
