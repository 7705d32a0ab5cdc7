"""Photos that people send: from bytes to the pixels that the decoder reads.

Nothing that arrives is trusted. The kind of file is taken from its first bytes and the
size from its header, before anything is unpacked; whatever goes wrong becomes a
``Malformed`` that says what to send instead.
"""

from __future__ import annotations

import io
import logging
import math
import re
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, JpegImagePlugin

from companion.errors import Malformed
from companion.files import opened
from companion.words import say

log = logging.getLogger(__name__)

# Odd photos are read, or refused in words; the program's own log says which.
warnings.filterwarnings("ignore", module=r"PIL\.")

Pixels = NDArray[np.uint8]

BYTES_MAX = 40_000_000
PIECES_MAX = 20_000
"""The most segments of a JPEG or chunks of a PNG, each of which costs time."""
PIXELS_MAX = 26_000_000
"""The largest picture that is unpacked, about 6200 x 4200: a phone's usual finest."""
GIVEN_PIXELS_MAX = 12_600_000
"""The largest picture that is given; the decoder needs twice as much again."""
COEFFICIENTS_PIXELS_MAX = 12_600_000
"""The limit for a JPEG all of whose coefficients are kept, up to six bytes a pixel."""
WEBP_PIXELS_MAX = 6_000_000
"""The limit for WebP, which takes up to 21 bytes a pixel."""
JPEG_PIXELS_MAX = 300_000_000
"""The limit for the pixels of a JPEG times its scans, each of which goes over them all.

A plain JPEG has one scan, and can be unpacked at 1/8 of its size, a strip at a time.
"""
SCAN_PIXELS_MIN = 1_000_000
"""What a scan counts at least: it has tables to build, however small the picture."""
SIDE_MAX = 16_384
"""The longest side of a PNG, so that a strip is one; other kinds have a limit."""
EXIF_BYTES_MAX = 200_000
"""The longest EXIF that is looked into: all its figures are read, to find one.

A JPEG holds it in segments of at most 64 kB, and needs one.
"""
STRIP_PIXELS = 1_000_000
PARTS = 64
"""A picture is made smaller by a whole number of 64ths, so that strips fit together."""
ORIENTATION_TAG = 0x0112

KINDS = {b"\xff\xd8\xff": "JPEG", b"\x89PNG\r\n\x1a\n": "PNG"}
"""How a file of each kind begins; WebP and HEIC have their mark further inside."""

NEXT_MARKER = re.compile(rb"\xff([^\x00\x01\xd0-\xd7\xff])", re.DOTALL)
"""The next marker of a JPEG with a segment; coded pixels and restarts are none."""
SEARCH_BYTES = 100_000
"""How far a marker is looked for at once: nothing else runs during a search."""

HEIC_BRANDS = {b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1"}
"""What follows ``ftyp`` in the HEIC photos of an iPhone."""
NO_PHOTOS = {
    b"%PDF": say("a PDF"),
    b"PK\x03\x04": say("a ZIP archive"),
    b"<svg": say("an SVG drawing"),
    b"<": say("a web page"),
    b"GIF8": say("a GIF picture"),
    b"BM": say("a BMP picture"),
    b"II*\x00": say("a TIFF picture"),
    b"MM\x00*": say("a TIFF picture"),
}

TOO_INTRICATE = say("this photo is packed in a way that the table cannot open")

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
"""What turns the stored picture upright, by its EXIF orientation.

Source: EXIF 2.3, tag 0x0112: 6 has to be turned a quarter clockwise, 8 a quarter
counter-clockwise; 2, 4, 5 and 7 are mirrored as well.
"""


def read_photo(data: bytes, check: Callable[[], object] = lambda: None) -> Pixels:
    """Unpack a JPEG, PNG or WebP, which is what phones send, as a person sees it.

    It is turned upright by its EXIF orientation; an animation gives its first picture;
    transparent parts become white; 16 bits a channel lose the lower eight. What has
    more than ``GIVEN_PIXELS_MAX`` comes smaller, a JPEG of more than ``PIXELS_MAX`` by
    way of a half, a quarter or an eighth of its size.

    Args:
        data: The whole file; at most ``BYTES_MAX`` long.
        check: Called again and again meanwhile; what it raises ends the work.

    Returns:
        (height, width, 3) uint8, BGR, at least 1x1; the caller owns it.

    Raises:
        Malformed: If *data* is not a photo, is cut off or broken, or too large; says
            what to send instead.
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
    """Read a photo from *path*; see ``read_photo``.

    Raises:
        Malformed: If the file is missing, unreadable, or not a good photo; the
            message begins with its name.
    """
    try:
        with opened(path) as file:
            data = file.read(BYTES_MAX + 1)  # One more shows if it is too long.
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
    """Tell the kind from the first bytes."""
    for start, kind in KINDS.items():
        if data.startswith(start):
            return kind
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WEBP"
    what, remedy = _what_else(data)
    raise Malformed(say("this is {what}, not a photo", what=what), remedy)


def _what_else(data: bytes) -> tuple[str, str]:
    """What was sent that is no photo, and what to do about it."""
    brand = data[8:12]
    if data[4:8] == b"ftyp" and brand in HEIC_BRANDS:
        return say("an HEIC file"), say(
            "on the iPhone choose Settings, Camera, Formats, Most Compatible and take "
            "it again, or send a screenshot of it"
        )
    if data[4:8] == b"ftyp" and brand in (b"avif", b"avis"):
        return say("an AVIF file"), say("send it as JPEG, or send a screenshot of it")
    if not data:
        return say("an empty file"), say("send it again")
    known = (name for x, name in NO_PHOTOS.items() if data.lstrip()[:8].startswith(x))
    what = say("a film") if data[4:8] == b"ftyp" else next(known, None)
    if what is None:
        what = say("another kind of file")
    return what, say("send a photo as JPEG or PNG")


class _Checked(io.BytesIO):
    """A file that Pillow reads piece by piece, and that may end this by raising."""

    def __init__(self, data: bytes, check: Callable[[], object]) -> None:
        super().__init__(data)
        self._check = check

    def read(self, size: int | None = -1, /) -> bytes:
        self._check()
        return super().read(size)


def _unpack(data: bytes, kind: str, check: Callable[[], object]) -> tuple[Pixels, int]:
    scans, in_strips = _scans(data) if kind == "JPEG" else (1, True)
    with _open(data, kind, check) as image:
        _fit(image, kind, scans, in_strips)
        return _bgr(image, check), _orientation(image)


def _open(data: bytes, kind: str, check: Callable[[], object]) -> Image.Image:
    """Open the photo, reading only its header."""
    file = _Checked(data, check)
    if kind == "JPEG":
        # Not with Image.open, which warns above 89 million pixels and then refuses,
        # even if the picture is to be unpacked much smaller.
        return JpegImagePlugin.JpegImageFile(file)
    if kind == "WEBP":
        _check_size(_webp_size(data), WEBP_PIXELS_MAX)  # Pillow reserves at opening.
    if kind == "PNG":
        _check_chunks(data)
    return Image.open(file, formats=(kind,))


def _fit(image: Image.Image, kind: str, scans: int, in_strips: bool) -> None:
    """Refuse a picture too large to unpack; have a large JPEG unpacked smaller."""
    if kind != "JPEG":
        if max(image.size) > SIDE_MAX:
            raise Malformed(
                say(
                    "a photo may have {most} pixels a side at most; this "
                    "one has {width} x {height}",
                    most=f"{SIDE_MAX:,}",
                    width=image.width,
                    height=image.height,
                ),
                say("send it smaller"),
            )
        _check_size(image.size, WEBP_PIXELS_MAX if kind == "WEBP" else PIXELS_MAX)
        return
    width, height = image.size
    if scans > 1 and scans * max(width * height, SCAN_PIXELS_MIN) > JPEG_PIXELS_MAX:
        raise Malformed(
            f"expected a JPEG in fewer scans, got {scans} of {width} x {height} pixels",
            say("send a screenshot of it"),
            plain=TOO_INTRICATE,
        )
    _check_size(image.size, JPEG_PIXELS_MAX if in_strips else COEFFICIENTS_PIXELS_MAX)
    scale = 1
    while (width // scale) * (height // scale) > PIXELS_MAX:
        scale *= 2
    if scale > 1:
        image.draft(None, (width // scale, height // scale))


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


def _scans(data: bytes) -> tuple[int, bool]:
    """How many scans a JPEG has, and whether it can be unpacked a strip at a time.

    A progressive JPEG, or one whose colours come one after the other, keeps all its
    coefficients in memory: up to six bytes a pixel, at any scale.

    Source: ITU-T T.81, B.1.1.3 (markers), B.2.2 (frame header), B.2.3 (scan header).

    Raises:
        Malformed: If it has more than ``PIECES_MAX`` segments, or too much EXIF.
    """
    at, scans, components, in_strips, exif_bytes = 2, 0, 0, False, 0
    for _ in range(PIECES_MAX):
        found = _next_marker(data, at)
        if found is None or found[1] == b"\xd9":  # The end of the picture.
            return scans, in_strips
        at, marker = found.end(), found[1]
        if marker in b"\xc0\xc1":
            components = data[at + 7] if at + 7 < len(data) else 0
        elif marker == b"\xda":
            scans += 1
            if scans == 1:
                in_strips = 0 < components == int.from_bytes(data[at + 2 : at + 3])
        size = max(2, int.from_bytes(data[at : at + 2]))
        if marker == b"\xe1" and data.startswith(b"Exif\0", at + 2):
            exif_bytes += size
        if exif_bytes > EXIF_BYTES_MAX:
            raise Malformed(
                f"expected at most {EXIF_BYTES_MAX // 1_000} kB of EXIF, got more",
                say("send a screenshot of it"),
                plain=TOO_INTRICATE,
            )
        at += size
    raise _too_many_pieces("JPEG")


def _next_marker(data: bytes, at: int) -> re.Match[bytes] | None:
    for start in range(at, len(data), SEARCH_BYTES):
        found = NEXT_MARKER.search(data, start, start + SEARCH_BYTES + 1)
        if found is not None:
            return found
    return None


def _check_chunks(data: bytes) -> None:
    """Refuse a PNG of too many chunks.

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
    """Width and height from the first chunk; (0, 0) if its kind is unknown.

    Source: RFC 9649, 2.5 to 2.7; RFC 6386, 9.1.
    """
    first, body = data[12:16], data[20:34]
    if first == b"VP8X":
        width, height = (int.from_bytes(body[i : i + 3], "little") for i in (4, 7))
        return width + 1, height + 1
    if first == b"VP8L":
        bits = int.from_bytes(body[1:5], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if first == b"VP8 ":
        width, height = (int.from_bytes(body[i : i + 2], "little") for i in (6, 8))
        return width & 0x3FFF, height & 0x3FFF
    return 0, 0


def _orientation(image: Image.Image) -> int:
    """The EXIF orientation, 1 to 8; broken EXIF does not spoil a good photo."""
    held = (image.info.get(x, b"") for x in ("exif", "Raw profile type exif"))
    if any(len(exif) > EXIF_BYTES_MAX for exif in held):
        return 1
    try:
        value = image.getexif().get(ORIENTATION_TAG, 1)
    except Exception as error:  # EXIF is nested TIFF and can fail anyhow.
        log.info("photo_exif_unreadable error=%r", error)
        return 1
    return value if isinstance(value, int) and value in TURNS else 1


def _bgr(image: Image.Image, check: Callable[[], object]) -> Pixels:
    """Unpack to 8-bit BGR on white, strip by strip to save memory."""
    image.load()
    width, height = image.size
    share = math.sqrt(GIVEN_PIXELS_MAX / (width * height))
    parts = min(PARTS, max(1, int(PARTS * share)))
    to_strip = _grey_strip if _is_deep(image) else _colour_strip
    rows = max(1, STRIP_PIXELS // width // PARTS) * PARTS
    given = [max(1, side * parts // PARTS) for side in (height, width)]
    pixels = np.empty((*given, 3), np.uint8)
    for top in range(0, height, rows):
        check()
        strip = to_strip(image.crop((0, top, width, min(top + rows, height))))
        part = pixels[top * parts // PARTS : (top + rows) * parts // PARTS]
        if not part.size:
            continue  # A last row too thin to show.
        if parts < PARTS:
            strip = _smaller(strip, part.shape[1], part.shape[0])
        part[:] = strip[: len(part)]
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
    """A strip of up to eight bits a channel as (rows, width, 3) uint8 BGR, on white."""
    if strip.has_transparency_data:
        layered = strip.convert("RGBA")
        strip = Image.new("RGB", layered.size, "white")
        strip.paste(layered, mask=layered.getchannel("A"))
    return np.asarray(strip.convert("RGB"))[:, :, ::-1]


def _grey_strip(strip: Image.Image) -> Pixels:
    """A strip of 16-bit grey as (rows, width, 1) uint8."""
    levels = np.clip(np.asarray(strip), 0, 65535).astype(np.uint16)
    return np.asarray(levels[:, :, None] >> 8, np.uint8)


def _broken(kind: str, error: Exception) -> Malformed:
    """An error that says what to send; the library's own message is only logged."""
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
        return Malformed(
            say("this {kind} was cut off on its way", kind=kind), say("send it again")
        )
    return Malformed(
        say("this {kind} cannot be read", kind=kind),
        say("take it again, or send a screenshot of it"),
    )
