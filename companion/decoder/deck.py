"""Decks: what the decoder knows of one game's notes or cards, and the file of a deck.

A deck holds two *templates*, pictures of the face that its prints hide: plain and
masked. It also says how they hide it: by which *family* of prints, and with which
lines. Notes of one game may come from several print *runs*, whose lines differ. A deck
learnt from photos keeps their hidden pictures, its *lesson*, so that it can learn more.

A deck file is one msgpack map with the fields of `_File`; version 2 added runs and
lesson, version 3 family. Decks of the carrier family are still written as version 2, so
that older programs can read them. A template's pixels are uint8 by rows, 0 where
nothing is hidden, 255 where something is. A learnt deck knows no millimetres, only
face_height_lines. A photo of its lesson is a PNG, the upper half `Field.soft`, the
lower half `Field.weight`.

A deck file may come from a stranger. Loading it unpacks no PNG: the chunks are checked
first, and a picture is unpacked only when it is needed, and no further than its size.
"""

from __future__ import annotations

import enum
import math
import zlib
from dataclasses import dataclass, replace

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.errors import Malformed
from companion.words import say

Float = NDArray[np.float32]

# Deck files.

DECK_FORMAT = "companion-deck"
DECK_VERSION = 3
"""The newest version of the file format."""

DECK_VERSION_CARRIER = 2
"""The version in which decks of the carrier family are written."""

DECK_BYTES_MAX = 6 << 20
"""Most bytes of a deck file: 6 MiB."""

RUNS_MAX = 12
"""Most print runs of a deck."""

LESSON_MAX = 24
"""Most photos in a deck's lesson."""

_DAMAGED = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""The errors of msgspec for a file that is no deck, or is damaged."""

_REMEDY = "take a file that `companion learn` wrote, or learn the deck again"

# Pictures: a template, or a hidden picture of the lesson. Their pixels are elements.

SIDE_MIN = 8
"""Shortest side of a picture of either kind, in elements."""

TEMPLATE_SIDE_MAX = 512
"""Longest side of a template, in elements."""

EXAMPLE_SIDE_MAX = 1200
"""Longest side of a hidden picture, in elements."""

PNG_START = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
"""The first bytes of every PNG, up to the width and the height."""

GREY_PNG = b"\x08\0\0\0\0"
"""Eight bits, grey, not interlaced. Source: PNG (ISO/IEC 15948), 5.2, 11.2.2."""

SOFT_MAX = 1.5
"""Largest value of a hidden picture, see `Field.soft`."""

EXAMPLE_LEVELS = 15
"""Highest grey level in which a lesson's pictures are kept; the lowest is 0.

These sixteen levels are as fine as the noise, in a third of the bytes of 256 levels."""

# Print runs.

FACE_LINES = (8.0, 80.0)
"""Least and most height of a face, in line periods."""

_RANGES_OF_RUN = (
    ("angle_deg", -360, 360),
    ("shift", 0.2, 0.5),
    ("face_height_lines", *FACE_LINES),
)
"""The fields of a run, each with its least and greatest value."""


def clamp_lines(lines: float) -> float:
    """Limit the height of a face to FACE_LINES."""
    low, high = FACE_LINES
    return min(high, max(low, lines))


def _check_range(
    name: str, value: float | tuple[float, ...] | None, low: float, high: float
) -> None:
    """Refuse a number outside low..high, and a tuple that holds one; None is allowed.

    Raises:
        Malformed: Names the field and its range.
    """
    numbers = value if isinstance(value, tuple) else (value,)
    if not all(number is None or low <= number <= high for number in numbers):
        raise Malformed(f"expected {name} in {low}..{high}, got {value!r}", _REMEDY)


class Family(enum.StrEnum):
    """How the prints of a deck hide their picture."""

    CARRIER = "carrier"  # Lines that move where the picture is.
    INTERLACED = "interlaced"  # Strips of the picture between those of a camouflage.
    STRIPS = "strips"  # Strips of the picture, each turned over or squeezed, or both.


@dataclass(frozen=True, slots=True)
class Run:
    """The lines of one print run.

    The attributes are those of `Deck`.
    """

    angle_deg: float
    shift: float
    face_height_lines: float

    def __post_init__(self) -> None:
        for name, low, high in _RANGES_OF_RUN:
            _check_range(name, getattr(self, name), low, high)


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One photo of a lesson: its hidden picture, packed as a PNG.

    Attributes:
        is_fake: Whether the faces in it wear the mask.
        frequency: Frequency of its lines or seams, (x, y) in periods an element.
        picture: A grey PNG, the upper half `Field.soft`, the lower `Field.weight`.
    """

    is_fake: bool
    frequency: tuple[float, float]
    picture: bytes

    def __post_init__(self) -> None:
        lines_an_element = math.hypot(*self.frequency)
        _check_range("lines an element", lines_an_element, 1e-3, 1)
        if not _is_example_png(self.picture):
            raise _example_error()

    @classmethod
    def packed(
        cls, is_fake: bool, frequency: tuple[float, float], soft: Float, weight: Float
    ) -> Example:
        """Pack a hidden picture, see `Field`."""
        step = 255 // EXAMPLE_LEVELS  # From one level that is kept to the next.
        upper = np.rint((soft / SOFT_MAX + 1) * (EXAMPLE_LEVELS / 2)) * step
        lower = np.rint(weight * EXAMPLE_LEVELS) * step
        stacked = np.concatenate([upper, lower]).clip(0, 255).astype(np.uint8)
        _, png = cv2.imencode(".png", stacked, [cv2.IMWRITE_PNG_COMPRESSION, 9])
        return cls(is_fake, frequency, png.tobytes())

    def unpacked(self) -> tuple[Float, Float]:
        """Unpack *soft* and *weight*.

        Raises:
            Malformed: If the picture is damaged.
        """
        columns, rows = _size_of(self.picture)
        packed, _ = _split_png(self.picture)
        most = rows * (columns + 1)  # A byte before each row names its filter.
        try:
            pixels = zlib.decompressobj().decompress(packed, most + 1)
        except zlib.error as error:
            raise _example_error() from error
        if len(pixels) > most:  # OpenCV would unpack all of them before it drops some.
            raise _example_error()
        content = np.frombuffer(self.picture, np.uint8)
        stacked = cv2.imdecode(content, cv2.IMREAD_GRAYSCALE)
        if stacked is None:
            raise _example_error()
        upper, weight = np.split(stacked.astype(np.float32) / np.float32(255), 2)
        return upper * np.float32(2 * SOFT_MAX) - np.float32(SOFT_MAX), weight


def _is_example_png(png: bytes) -> bool:
    """Tell, without unpacking, whether bytes may come from `Example.packed`."""
    if not png.startswith(PNG_START) or png[24:29] != GREY_PNG:
        return False
    columns, rows = _size_of(png)
    # Two pictures of at most EXAMPLE_SIDE_MAX rows stand one above the other.
    has_columns = SIDE_MIN <= columns <= EXAMPLE_SIDE_MAX
    has_rows = SIDE_MIN <= rows <= 2 * EXAMPLE_SIDE_MAX and rows % 2 == 0
    if not has_columns or not has_rows:
        return False
    # PNG_START is followed only by the rest of the header, chunks of data and the end.
    _, end = _split_png(png)
    return end[:8] == b"\0\0\0\0IEND" and len(end) == 12


def _size_of(png: bytes) -> tuple[int, int]:
    """Return how many columns and rows a PNG says that it has."""
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


def _split_png(png: bytes) -> tuple[bytes, bytes]:
    """Return the pixels that follow a PNG's header, still packed, and what is behind.

    The header ends with 13 bytes and their checksum (4). A chunk is a length (4 bytes),
    a name (4), that many bytes, and a checksum (4).
    """
    start, pieces = len(PNG_START) + 17, []
    while png[start + 4 : start + 8] == b"IDAT":
        end = start + 8 + int.from_bytes(png[start : start + 4])
        pieces.append(png[start + 8 : end])
        start = end + 4
    return b"".join(pieces), png[start:]


def _example_error() -> Malformed:
    """Build the refusal of a picture that `Example.packed` did not write."""
    return Malformed(
        f"expected every photo of the lesson as a PNG of {SIDE_MIN} to "
        f"{EXAMPLE_SIDE_MAX} elements a side, got something else",
        _REMEDY,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """The notes or cards of one game, as the decoder sees them.

    Attributes:
        name: The name given by its owner; "house" is the built-in deck.
        angle_deg: Direction across the lines on the upright note: 0 is right, 90 down.
        shift: Line periods by which lines move where something is hidden, 0.2 to 0.5.
        face_height_lines: Height of the templates in line periods.
        plain, masked: (rows, columns) float32, -1 where nothing is hidden, 1 where
            something is; same shape.
        pitch_mm: From line to line; None if unknown.
        panel_mm, item_mm: Width and height of the area with lines, and of the whole
            note or card; None if unknown.
        runs: Further print runs; angle_deg, shift and face_height_lines describe the
            first.
        lesson: The photos that the deck was learnt from; none for the built-in deck.
        family: How its prints hide their picture.
    """

    name: str
    angle_deg: float
    shift: float
    face_height_lines: float
    plain: Float
    masked: Float
    pitch_mm: float | None = None
    panel_mm: tuple[float, float] | None = None
    item_mm: tuple[float, float] | None = None
    runs: tuple[Run, ...] = ()
    lesson: tuple[Example, ...] = ()
    family: Family = Family.CARRIER

    def __post_init__(self) -> None:
        for name, low, high in (
            *_RANGES_OF_RUN,
            ("pitch_mm", 0.05, 5),
            ("panel_mm", 1, 1000),
            ("item_mm", 1, 1000),
        ):
            _check_range(name, getattr(self, name), low, high)
        if len(self.runs) >= RUNS_MAX or len(self.lesson) > LESSON_MAX:
            raise Malformed(
                f"expected at most {RUNS_MAX} print runs and {LESSON_MAX} photos, got "
                f"{len(self.runs) + 1} and {len(self.lesson)}",
                _REMEDY,
            )
        if self.plain.shape != self.masked.shape or self.plain.ndim != 2:
            raise Malformed(
                f"expected two templates of one shape, got {self.plain.shape} and "
                f"{self.masked.shape}",
                _REMEDY,
            )

    @property
    def is_learnt(self) -> bool:
        """Whether it was learnt from photos, which show no millimetres."""
        return self.pitch_mm is None

    def of_run(self, run: Run) -> Deck:
        """Return the deck with this print run only."""
        return replace(
            self,
            angle_deg=run.angle_deg,
            shift=run.shift,
            face_height_lines=run.face_height_lines,
            runs=(),
        )

    def at_height(self, rows: int, blur: float = 0.0) -> tuple[Float, Float]:
        """Return the plain and the masked template, scaled to *rows* rows.

        *blur* is the standard deviation of a blur, in elements of the new size.
        """
        columns = max(4, round(self.plain.shape[1] * rows / self.plain.shape[0]))
        scaled = []
        for template in (self.plain, self.masked):
            small = cv2.resize(template, (columns, rows), interpolation=cv2.INTER_AREA)
            if blur:
                small = cv2.GaussianBlur(
                    small, (0, 0), blur, borderType=cv2.BORDER_REPLICATE
                )
            scaled.append(np.asarray(small, np.float32))
        return scaled[0], scaled[1]


def draw_turned(template: Float, turn_deg: float, size: tuple[int, int]) -> Float:
    """Draw a template turned clockwise, in the middle of paper of *size* (x, y)."""
    rows, columns = template.shape
    middle_x, middle_y = (columns - 1) / 2, (rows - 1) / 2
    matrix = cv2.getRotationMatrix2D((middle_x, middle_y), -turn_deg, 1.0)
    matrix[:, 2] += ((size[0] - 1) / 2 - middle_x, (size[1] - 1) / 2 - middle_y)
    paper = float(template.min())
    out = cv2.warpAffine(template, matrix, size, borderValue=paper)
    return np.asarray(out, np.float32)


class _Template(msgspec.Struct, frozen=True):
    """A template in a deck file."""

    height: int
    width: int
    pixels: bytes


class _Run(msgspec.Struct, frozen=True):
    """A `Run` in a deck file."""

    angle_deg: float
    shift: float
    face_height_lines: float


class _Example(msgspec.Struct, frozen=True):
    """An `Example` in a deck file."""

    is_fake: bool
    frequency: tuple[float, float]
    picture: bytes


class _Head(msgspec.Struct, frozen=True):
    """The fields of a deck file that are checked before the others are read."""

    format: str
    version: int


class _File(msgspec.Struct, frozen=True, kw_only=True):
    """A deck file, see `Deck`."""

    format: str
    version: int
    name: str
    angle_deg: float
    shift: float
    plain: _Template
    masked: _Template
    pitch_mm: float | None = None
    face_height_mm: float | None = None
    face_height_lines: float | None = None
    panel_mm: tuple[float, float] | None = None
    item_mm: tuple[float, float] | None = None
    runs: tuple[_Run, ...] = ()
    lesson: tuple[_Example, ...] = ()
    family: Family | msgspec.UnsetType = msgspec.UNSET


_head_decoder = msgspec.msgpack.Decoder(_Head)
_file_decoder = msgspec.msgpack.Decoder(_File)


def _unpack_template(template: _Template, name: str) -> Float:
    """Unpack a template to -1..1; a refusal calls it *name*.

    Raises:
        Malformed: If its size is not allowed, or does not fit its pixels.
    """
    elements = template.height * template.width
    sides = (template.height, template.width)
    if not all(SIDE_MIN <= side <= TEMPLATE_SIDE_MAX for side in sides):
        raise Malformed(
            f"expected a {name} template of {SIDE_MIN} to {TEMPLATE_SIDE_MAX} elements "
            f"a side, got {template.width} x {template.height}",
            _REMEDY,
        )
    if len(template.pixels) != elements:
        raise Malformed(
            f"expected {elements} elements in the {name} template, got "
            f"{len(template.pixels)}",
            _REMEDY,
        )
    pixels = np.frombuffer(template.pixels, np.uint8).reshape(sides)
    return (pixels.astype(np.float32) - 127.5) / np.float32(127.5)


def load_deck(content: bytes) -> Deck:
    """Read a deck file.

    Raises:
        Malformed: If *content* is not a deck file, or is from a newer program.
    """
    if not content:
        raise Malformed("expected a deck, got an empty file: no deck", _REMEDY)
    if len(content) > DECK_BYTES_MAX:
        raise Malformed(
            f"expected a deck of at most {DECK_BYTES_MAX} bytes, got {len(content)}",
            _REMEDY,
        )
    try:
        head = _head_decoder.decode(content)
    except _DAMAGED as error:
        raise Malformed(
            f"expected a deck file, got something else ({error}): no deck", _REMEDY
        ) from error
    if head.format != DECK_FORMAT:
        raise Malformed(
            f"expected format {DECK_FORMAT!r}, got {head.format!r}", _REMEDY
        )
    if head.version > DECK_VERSION:
        raise Malformed(
            f"expected a deck of version {DECK_VERSION} or older, got version "
            f"{head.version}",
            "this deck is newer than the program: update the program",
        )
    return _decode_body(content)


def _decode_body(content: bytes) -> Deck:
    """Decode a deck file whose format and version were checked."""
    try:
        file = _file_decoder.decode(content)
    except _DAMAGED as error:
        raise Malformed(
            f"expected a whole deck, got one with a mistake: {error}", _REMEDY
        ) from error
    face_lines = file.face_height_lines
    if face_lines is None and file.face_height_mm and file.pitch_mm:
        face_lines = file.face_height_mm / file.pitch_mm
    if face_lines is None:
        raise Malformed(
            "expected face_height_lines, or face_height_mm and pitch_mm, got neither",
            _REMEDY,
        )
    return Deck(
        name=file.name,
        angle_deg=file.angle_deg,
        shift=file.shift,
        face_height_lines=face_lines,
        plain=_unpack_template(file.plain, "plain"),
        masked=_unpack_template(file.masked, "masked"),
        pitch_mm=file.pitch_mm,
        panel_mm=file.panel_mm,
        item_mm=file.item_mm,
        runs=tuple(
            Run(run.angle_deg, run.shift, run.face_height_lines) for run in file.runs
        ),
        lesson=tuple(
            Example(example.is_fake, example.frequency, example.picture)
            for example in file.lesson
        ),
        family=file.family or Family.CARRIER,
    )


def save_deck(deck: Deck) -> bytes:
    """Encode a deck as a deck file.

    Raises:
        Malformed: If the pictures of its lesson make the file too large.
    """
    face_mm = deck.face_height_lines * deck.pitch_mm if deck.pitch_mm else None
    is_carrier = deck.family is Family.CARRIER
    content = msgspec.msgpack.encode(
        _File(
            format=DECK_FORMAT,
            version=DECK_VERSION_CARRIER if is_carrier else DECK_VERSION,
            name=deck.name,
            angle_deg=deck.angle_deg,
            shift=deck.shift,
            plain=_pack_template(deck.plain),
            masked=_pack_template(deck.masked),
            pitch_mm=deck.pitch_mm,
            face_height_mm=face_mm,
            face_height_lines=deck.face_height_lines,
            panel_mm=deck.panel_mm,
            item_mm=deck.item_mm,
            runs=tuple(
                _Run(run.angle_deg, run.shift, run.face_height_lines)
                for run in deck.runs
            ),
            lesson=tuple(
                _Example(example.is_fake, example.frequency, example.picture)
                for example in deck.lesson
            ),
            family=msgspec.UNSET if is_carrier else deck.family,
        )
    )
    if len(content) > DECK_BYTES_MAX:
        raise Malformed(
            say("the pictures of these notes do not fit into one deck"),
            say("learn a deck anew, from fewer photos"),
        )
    return content


def _pack_template(picture: Float) -> _Template:
    """Pack a template of -1..1 as uint8."""
    pixels = np.clip(np.rint(picture * 127.5 + 127.5), 0, 255).astype(np.uint8)
    return _Template(picture.shape[0], picture.shape[1], pixels.tobytes())
