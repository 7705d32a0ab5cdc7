"""Examine a picture for people: verdicts, reasons, advice, and pictures as proof.

``examiner.py`` imports this at the first look only, as it needs OpenCV.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from companion.decoder import Deck, Reading, Through, Verdict, explain, read
from companion.examining import Finding
from hardware.photos.watch import ADVICE, COLOURS, EDGE_BGR, Optics, advise, thumb_of

Pixels = NDArray[np.uint8]
Grey = NDArray[np.float32]

PIXELS_MAX = 12_600_000
"""Larger pictures are scaled down: reading takes seven bytes of memory per pixel."""

FRAME_SIDE, PICTURE_SIDE = 1280, 640
"""The longest side of the frame, and of other pictures, in pixels."""

QUALITY = [cv2.IMWRITE_JPEG_QUALITY, 82]
"""The quality of JPEGs, for OpenCV."""
FINDINGS_MAX = 12
"""The most readings that are shown; a printed page has ten notes."""


@dataclass(frozen=True, slots=True)
class Examined:
    """The result of reading a picture; see ``companion.examining.Examination``.

    Attributes:
        only: The reading, if there is exactly one and it is of a print.
    """

    findings: tuple[Finding, ...]
    advice: tuple[str, ...]
    frame: bytes
    only: Reading | None


def examine_picture(
    pixels: Pixels,
    deck: Deck,
    optics: Optics,
    *,
    has_lens: bool = False,
    check: Callable[[], object] = lambda: None,
) -> Examined:
    """Read a picture, and draw pictures that explain the readings.

    Args:
        pixels: (height, width, 3) uint8 BGR, not modified.
        deck: The deck that the notes should belong to.
        optics: The optics, for advice in centimetres.
        has_lens: Whether the plastic lens or a film lies on the note.
        check: As for ``companion.decoder.read``.
    """
    pixels = scale_down(pixels, PIXELS_MAX)
    through = Through.LENS if has_lens else Through.NOTHING
    readings = worth_showing(read(pixels, deck, through, check))
    is_only = len(readings) == 1 and readings[0].picture is not None
    return Examined(
        findings=tuple(_finding(pixels, reading, deck) for reading in readings),
        advice=further_advice(
            readings, advise(readings, thumb_of(pixels), None, optics)
        ),
        frame=jpeg(outlined(pixels, readings)),
        only=readings[0] if is_only else None,
    )


def further_advice(
    readings: tuple[Reading, ...], advice: tuple[str, ...]
) -> tuple[str, ...]:
    """Return *advice* without what a reading's reason implies already."""
    implied = {ADVICE[reading.reason] for reading in readings if reading.reason}
    return tuple(sentence for sentence in advice if sentence not in implied)


def worth_showing(readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """Return the sure readings; if all are unsure, only the first and clearest."""
    sure = tuple(r for r in readings if r.verdict is not Verdict.UNSURE)
    return sure[:FINDINGS_MAX] or readings[:1]


def scale_down(pixels: Pixels, pixels_max: int) -> Pixels:
    """Scale the picture down if it has more than *pixels_max* pixels."""
    height, width = pixels.shape[:2]
    scale = (pixels_max / (height * width)) ** 0.5
    return pixels if scale >= 1 else _scaled(pixels, scale)


def _scaled(pixels: Pixels, scale: float) -> Pixels:
    small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _finding(pixels: Pixels, reading: Reading, deck: Deck) -> Finding:
    is_unsure = reading.verdict is Verdict.UNSURE
    return Finding(
        verdict=str(reading.verdict),
        percent=0 if is_unsure else min(99, int(100 * reading.confidence)),
        reason=reading.reason.words if reading.reason is not None else "",
        pixels_per_line=reading.pixels_per_line,
        pictures=_pictures(pixels, reading, deck),
        value=0 if is_unsure else value_of(pixels, reading, deck),
        cause=str(reading.reason) if reading.reason is not None else "",
    )


def _pictures(pixels: Pixels, reading: Reading, deck: Deck) -> dict[str, bytes]:
    """Draw what explains a reading: JPEGs by name; no print gives none."""
    if reading.picture is None:
        return {}
    shown = explain(pixels, reading, deck)
    pictures = {"seen": shown.seen, "hidden": shown.hidden}
    if shown.face is not None and reading.verdict is not Verdict.UNSURE:
        pictures["face"] = shown.face
    return {name: jpeg(picture, PICTURE_SIDE) for name, picture in pictures.items()}


def outlined(pixels: Pixels, readings: tuple[Reading, ...]) -> Pixels:
    """Draw the outlines of the prints on a copy with sides up to ``FRAME_SIDE``."""
    scale = min(1.0, FRAME_SIDE / max(pixels.shape[:2]))
    canvas = _scaled(pixels, scale) if scale < 1 else pixels.copy()
    thick = max(2, max(canvas.shape[:2]) // 240)
    for reading in readings:
        if reading.pixels_per_line is None:
            continue
        corners = (np.array(reading.corners_px) * scale).round().astype(np.int32)
        for colour, width in ((EDGE_BGR, thick + 4), (COLOURS[reading.verdict], thick)):
            cv2.polylines(canvas, [corners], True, colour, width, cv2.LINE_AA)
    return canvas


def jpeg(picture: Pixels, side_max: int = FRAME_SIDE) -> bytes:
    """Encode a picture, grey or BGR, as JPEG with sides up to *side_max* pixels."""
    scale = side_max / max(picture.shape[:2])
    small = _scaled(picture, scale) if scale < 1 else picture
    is_encoded, content = cv2.imencode(".jpg", small, QUALITY)
    assert is_encoded, "a picture of uint8 can always be encoded"
    return content.tobytes()


# The value of a note that we printed ourselves, from its two printed numbers: each is
# compared with a drawing of every possible amount. Notes of other decks are not read,
# since nobody knows where their numbers are.

AMOUNTS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""The values of notes in the boxes."""

PX_PER_MM = 4
"""Pixels per millimetre of the flattened note."""

MARGIN_MM = 5
"""The margin around the note, whose place is known only to a few millimetres."""

NOTE_MM, PANEL_MM, PANEL_CORNER_MM = (100, 50), (58.0, 36.0), (21.0, 7.0)
"""Sizes of a note and its panel, and where the panel's top left corner is on the note;
see ``printing/faces.py``."""

NUMBERS_MM = ((0, 1, 22, 16), (78, 35, 100, 50))
"""The places of its two numbers: left, top, right and bottom on the note."""

DIGIT_EMS = 0.72
"""The height of a digit, in sizes of its font."""

SCALES = (0.92, 1.0, 1.08)
"""The sizes of the digits that are tried, relative to the printed ones."""
GAP_PX = 10
"""The empty space after a number, without which 50 would match 500."""

SCORE_MIN = 0.85
"""The least score of the best amount; see ``scores``.

In 70 simulated photographs of printed notes, at the level *normal*, the right amount
scored 0.90 or more.
"""

LEAD_MIN = 0.03
"""The least lead of the best amount over the next.

In all but two of these photographs it was greater; those two notes are not read.
"""


def value_of(pixels: Pixels, reading: Reading, deck: Deck) -> int:
    """Read the value of a note; 0 if it cannot be told.

    Args:
        pixels: The picture that was read: (height, width, 3) uint8 BGR.
        reading: The reading of its panel.
        deck: The deck that it was read with.
    """
    if deck.is_learnt or reading.picture is None:
        return 0
    ranked = scores(pixels, reading)
    (best, value), (second, _) = ranked[:2]
    return value if best >= SCORE_MIN and best - second >= LEAD_MIN else 0


def scores(pixels: Pixels, reading: Reading) -> list[tuple[float, int]]:
    """Rank all amounts by their likeness to the note's numbers, as (score, amount).

    The clearer number counts twice as much as the other.
    """
    flat = _flattened(pixels, reading)
    places = []
    for place_mm in NUMBERS_MM:
        left, top, right, bottom = ((MARGIN_MM + mm) * PX_PER_MM for mm in place_mm)
        places.append(flat[top:bottom, left:right])
    ranked = []
    for amount in AMOUNTS:
        likeness = [_best_likeness(place, amount) for place in places]
        ranked.append((max(likeness) + 0.5 * min(likeness), amount))
    return sorted(ranked, reverse=True)


def _flattened(pixels: Pixels, reading: Reading) -> Grey:
    """Show the note from straight above, ink bright, on an even background."""
    (x, y), (width, height) = PANEL_CORNER_MM, PANEL_MM
    corners = np.array(
        [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
    )
    matrix = cv2.getPerspectiveTransform(
        np.asarray(reading.corners_px, np.float32),
        np.asarray((corners + MARGIN_MM) * PX_PER_MM, np.float32),
    )
    size = tuple((side + 2 * MARGIN_MM) * PX_PER_MM for side in NOTE_MM)
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    flat = cv2.warpPerspective(grey, matrix, size, flags=cv2.INTER_AREA)
    dark = cv2.GaussianBlur(np.asarray(255 - flat, np.float32), (0, 0), 0.8)
    around = cv2.GaussianBlur(dark, (0, 0), 4 * PX_PER_MM)
    return np.asarray(dark - around, np.float32)


def _best_likeness(place: Grey, amount: int) -> float:
    """Return how well an amount matches anywhere in *place*, up to 1."""
    return max(
        float(cv2.matchTemplate(place, drawing, cv2.TM_CCOEFF_NORMED).max())
        for drawing in (_drawn(amount, scale) for scale in SCALES)
    )


@lru_cache(64)
def _drawn(amount: int, scale: float) -> Grey:
    """Draw the digits of an amount as large as on a note, on black."""
    digits = str(amount)
    # As in ``printing/faces.py``; a note has a currency sign before the digits.
    font_mm = min(8.0, 24 / (len(digits) + 1))
    # Drawn large, cropped, and then made small.
    page = Image.new("L", (200 * len(digits) + 100, 320), 0)
    font = ImageFont.load_default(size=200)
    ImageDraw.Draw(page).text((40, 20), digits, fill=255, font=font, stroke_width=7)
    large = np.asarray(page.crop(page.getbbox()), np.uint8)
    factor = DIGIT_EMS * scale * font_mm * PX_PER_MM / large.shape[0]
    small = cv2.resize(large, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    top, bottom, left, right = 3, 3, 2, GAP_PX
    with_margin = cv2.copyMakeBorder(
        small, top, bottom, left, right, cv2.BORDER_CONSTANT, value=0
    )
    return np.asarray(with_margin, np.float32)
