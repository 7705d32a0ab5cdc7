"""Draws pictures that explain a reading: what was seen, what was hidden, what decided.

Players see them beside the verdict. Hidden pictures are drawn dark on light (see
`ink.py`). The *decisive* face is the one that gave the most evidence.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Deck
from companion.decoder.fit import Face, aids_of
from companion.decoder.ink import PAPER_BGR, draw_ink, find_tone, mask_tone, on_paper
from companion.decoder.reading import Reading
from companion.decoder.verdict import Verdict, evidence_of
from companion.errors import Malformed

Float = NDArray[np.float32]
Picture = NDArray[np.uint8]

# Colours.

MARK_BGR = (40, 40, 220)
"""Red, around the faces that counted, and where a mask makes a difference."""

ALIKE_BGR = (75, 169, 211)
"""Ochre, around the decisive face and the deck's face that it resembles."""

UNKNOWN_BGR = (194, 217, 226)
"""Slightly darker paper, where the hidden picture is unknown."""

# Sizes.

HIDDEN_SIDE = 900
"""About the longest side of the drawn hidden picture, in pixels."""

ZOOM = 6
"""Pixels a side of each element of a drawn face."""

GAP = 4 * ZOOM
"""Pixels between two drawn faces."""

FRAME = 2 * ZOOM
"""Thickness, in pixels, of the frame around two drawn faces."""

MARGIN = 0.08
"""Margin around the cut-out panel, as a share of its longer side."""

# What is drawn of a face.

DIFFERS_MIN = 0.8
"""Difference between the deck's faces, 0..2, from which an element is marked."""

FACE_QUANTILES = (0.1, 0.95)
"""Quantiles of the decisive face that are drawn as full paper and full ink."""

FACE_RANGE_MIN = 0.2
"""Least distance between these quantiles, so that noise is not drawn as a face."""


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """Three pictures, each (rows, columns, 3) uint8 BGR.

    Attributes:
        seen: The panel as it looks in the frame.
        hidden: The recovered picture, with the faces that counted outlined. Masks are
            drawn dark; if no face counted, the rarer state is.
        face: The decisive face between the deck's plain and masked one. Masks are drawn
            dark, and a box marks where they make a difference. Unless the verdict is
            unsure, a frame joins the face to the one it resembles. None if no face
            counted.
    """

    seen: Picture
    hidden: Picture
    face: Picture | None


def explain(frame: Picture, reading: Reading, deck: Deck) -> Explanation:
    """Draw the pictures that show how a reading came to its verdict.

    Args:
        frame: (height, width, 3) uint8 BGR, the frame that was read.
        reading: A reading that `read` returned for it.
        deck: The deck that it was read with.

    Raises:
        Malformed: If the reading has no scrambled print, so there is nothing to show.
    """
    if reading.field is None or reading.judgement is None:
        raise Malformed(
            "expected a reading with a scrambled print, got one without",
            "show the note",
        )
    counted = reading.judgement.faces
    decisive = max(counted, key=lambda face: abs(evidence_of(face)), default=None)
    seen, hidden = _cut_panel(frame, reading), _draw_hidden(reading, decisive, deck)
    if decisive is None:
        return Explanation(seen, hidden, face=None)
    return Explanation(seen, hidden, _draw_faces(decisive, reading.verdict, deck))


def _cut_panel(frame: Picture, reading: Reading) -> Picture:
    corners = np.array(reading.corners_px)
    low, high = corners.min(axis=0), corners.max(axis=0)
    margin = MARGIN * (high - low).max()
    x0, y0 = np.maximum(low - margin, 0).astype(int)
    x1, y1 = (high + margin).astype(int) + 1
    return frame[y0:y1, x0:x1].copy()


def _draw_hidden(reading: Reading, decisive: Face | None, deck: Deck) -> Picture:
    assert reading.field is not None, "a reading with a picture has a field"
    assert reading.picture is not None, "a reading with a field has a picture"
    origin, step = np.array(reading.field.origin_px), reading.field.step_px
    picture = reading.picture
    if decisive is not None:
        corners = (decisive.box_px - origin) / step
        # Low values are drawn dark, so a picture with light masks is inverted.
        if find_tone(decisive, picture, corners, deck) > 0:
            picture = 255 - picture
    known = np.clip(reading.field.weight, 0, 1)[..., None]
    mixed = known * on_paper(picture) + (1 - known) * np.array(UNKNOWN_BGR)
    small = np.rint(mixed).astype(np.uint8)
    zoom = max(1, round(HIDDEN_SIDE / max(picture.shape)))
    shown = cv2.resize(small, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC)
    for face in reading.judgement.faces if reading.judgement else ():
        points = np.rint((face.box_px - origin) * zoom / step).astype(np.int32)
        cv2.polylines(shown, [points], True, MARK_BGR, max(1, zoom // 2), cv2.LINE_AA)
    return np.asarray(shown, np.uint8)


def _draw_faces(face: Face, verdict: Verdict, deck: Deck) -> Picture:
    templates, tone = aids_of(deck), mask_tone(deck)
    low, high = np.quantile(face.patch, FACE_QUANTILES)
    distance = max(float(high - low), FACE_RANGE_MIN)
    found = np.asarray((face.patch - low) / distance * 2 - 1, np.float32)
    rows, columns = (ZOOM * side for side in found.shape)
    pitch = columns + GAP  # From face to face.
    picture = np.empty((rows + 2 * GAP, 3 * pitch + GAP, 3), np.uint8)
    picture[:] = PAPER_BGR
    for number, shown in enumerate((templates.plain, found, templates.masked)):
        left = GAP + number * pitch
        tile = _draw_tile(draw_ink(shown, tone), templates.masked - templates.plain)
        picture[GAP : GAP + rows, left : left + columns] = tile
    if verdict is not Verdict.UNSURE:
        # Around the found face in the middle, and the one to its left or right.
        left, top = GAP // 2 + (pitch if verdict is Verdict.FAKE else 0), GAP // 2
        right, below = left + 2 * pitch, top + rows + GAP
        cv2.rectangle(picture, (left, top), (right, below), ALIKE_BGR, FRAME)
    return picture


def _draw_tile(grey: Picture, difference: Float) -> Picture:
    """Enlarge one face, and box the part where the deck's two faces differ."""
    large = cv2.resize(grey, None, fx=ZOOM, fy=ZOOM, interpolation=cv2.INTER_CUBIC)
    tile = on_paper(np.asarray(large, np.uint8))
    differs = np.abs(difference) > DIFFERS_MIN
    if differs.any():
        ys, xs = np.nonzero(differs)
        start = (int(xs.min()) * ZOOM, int(ys.min()) * ZOOM)
        end = (int(xs.max() + 1) * ZOOM, int(ys.max() + 1) * ZOOM)
        cv2.rectangle(tile, start, end, MARK_BGR, 2)
    return tile
