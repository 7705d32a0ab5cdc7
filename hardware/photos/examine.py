"""Examine a picture for people: verdicts, reasons, advice, and pictures as proof.

``examiner.py`` imports this at the first look only, as it needs OpenCV.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder import Deck, Reading, Through, Verdict, explain, read
from companion.examining import Finding
from hardware.photos.note_value import value_of
from hardware.photos.watch import ADVICE, COLOURS, EDGE_BGR, Optics, advise, thumb_of

Pixels = NDArray[np.uint8]

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
