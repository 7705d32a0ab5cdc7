"""Pictures that explain a reading: what was seen, what was hidden, and what decided."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Deck
from companion.decoder.fit import Face, aids_of
from companion.decoder.reading import Reading
from companion.decoder.verdict import evidence_of
from companion.errors import Malformed

Picture = NDArray[np.uint8]

MARK_BGR = (40, 40, 220)
ZOOM = 6
MARGIN = 0.08


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """Three pictures, each (rows, columns, 3) uint8 BGR.

    Attributes:
        seen: The panel as it looks in the frame.
        hidden: The recovered picture, with the faces that counted outlined.
        face: The face that decided, between the deck's plain and masked one, with a
            box around what differs; None if no face counted.
    """

    seen: Picture
    hidden: Picture
    face: Picture | None


def explain(frame: Picture, reading: Reading, deck: Deck) -> Explanation:
    """Pictures of why a reading says what it says.

    Args:
        frame: (height, width, 3) uint8 BGR that the reading was made from.
        reading: A reading that `read` returned.
        deck: The deck that it was read with.

    Raises:
        Malformed: If the reading has no scrambled print, so there is nothing to show.
    """
    if reading.field is None or reading.judgement is None:
        raise Malformed(
            "expected a reading with a scrambled print, got one without; show the note"
        )
    counted = reading.judgement.faces
    decisive = max(counted, key=lambda f: abs(evidence_of(f)), default=None)
    return Explanation(
        seen=_seen(frame, reading),
        hidden=_hidden(reading),
        face=_face(decisive, deck) if decisive is not None else None,
    )


def _seen(frame: Picture, reading: Reading) -> Picture:
    corners = np.array(reading.corners_px)
    low, high = corners.min(axis=0), corners.max(axis=0)
    room = MARGIN * (high - low).max()
    x0, y0 = np.maximum(low - room, 0).astype(int)
    x1, y1 = (high + room).astype(int) + 1
    return frame[y0:y1, x0:x1].copy()


def _hidden(reading: Reading) -> Picture:
    assert reading.field is not None, "a reading with a picture has a field"
    assert reading.picture is not None, "a reading with a field has a picture"
    zoom = max(1, round(900 / max(reading.picture.shape)))
    grey = np.kron(reading.picture, np.ones((zoom, zoom), np.uint8))
    shown = np.repeat(grey[..., None], 3, axis=2).astype(np.uint8)
    faces = reading.judgement.faces if reading.judgement else ()
    for face in faces:
        box = (face.box_px - np.array(reading.field.origin_px)) * zoom
        points = np.rint(box / reading.field.step_px).astype(np.int32)
        cv2.polylines(shown, [points], True, MARK_BGR, max(1, zoom // 2))
    return shown


def _face(face: Face, deck: Deck) -> Picture:
    """Plain, found and masked face side by side, with a box around the mask's place."""
    aids = aids_of(deck)
    low, high = np.quantile(face.patch, [0.1, 0.95])
    found = (face.patch - low) / max(float(high - low), 0.2) * 2 - 1
    tiles = []
    for tile in (aids.plain, found, aids.masked):
        grey = np.clip(np.rint(127.5 * tile + 127.5), 0, 255).astype(np.uint8)
        large = np.kron(grey, np.ones((ZOOM, ZOOM), np.uint8))
        tiles.append(np.repeat(large[..., None], 3, axis=2).astype(np.uint8))
    off = np.abs(aids.masked - aids.plain) > 0.8
    if off.any():
        ys, xs = np.nonzero(off)
        start = (int(xs.min()) * ZOOM, int(ys.min()) * ZOOM)
        end = (int(xs.max() + 1) * ZOOM, int(ys.max() + 1) * ZOOM)
        for tile in tiles:
            cv2.rectangle(tile, start, end, MARK_BGR, 2)
    gap = np.full((tiles[0].shape[0], ZOOM, 3), 128, np.uint8)
    row = [tiles[0], gap, tiles[1], gap, tiles[2]]
    return np.concatenate(row, axis=1)
