"""Draws hidden pictures the way people read faces: dark ink on light paper.

A hidden picture has two *states*, near -1 and near 1. Either may be the ink; a verdict
need not know which, so a deck may hold its face light on dark. But people expect a dark
mask on a light face, so the mask's state is drawn dark: that is the *tone*, 1 for the
higher state, -1 for the lower.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Deck
from companion.decoder.fit import Face

Float = NDArray[np.float32]
Picture = NDArray[np.uint8]

INK_BGR = (29, 35, 22)
"""The colour of ink: nearly black."""

PAPER_BGR = (227, 244, 250)
"""The colour of paper: cream."""

FACE_ROWS = 480
"""Height of a face that is drawn alone, in pixels."""

STRIP_ROWS = 240
"""Height of faces that are drawn side by side, in pixels."""


def mask_tone(deck: Deck) -> int:
    """Return 1 if masks are in the higher of the deck's states, -1 if in the lower."""
    difference = deck.masked - deck.plain
    # Its squares with their sign: clear differences count most.
    return 1 if float((difference * np.abs(difference)).sum()) >= 0 else -1


def draw_ink(picture: Float, tone: int) -> Picture:
    """Draw a picture of -1..1 as uint8: the state *tone* black, the other white."""
    return np.asarray(np.rint(127.5 - 127.5 * np.clip(tone * picture, -1, 1)), np.uint8)


def on_paper(grey: Picture) -> Picture:
    """Colour (rows, columns) uint8 as BGR: black is ink, white is paper."""
    paper = np.linspace(0, 1, 256)[:, None]  # The share of paper in each grey level.
    colours = paper * np.array(PAPER_BGR) + (1 - paper) * np.array(INK_BGR)
    return np.asarray(np.rint(colours).astype(np.uint8)[grey])


def face_of(deck: Deck, *, is_masked: bool) -> Picture:
    """Draw a face of the deck, (rows, columns) uint8, black on white, enlarged."""
    face = draw_ink(deck.masked if is_masked else deck.plain, mask_tone(deck))
    return _enlarge(face, FACE_ROWS)


def draw_unlabelled_face(template: Float) -> Picture:
    """Draw a face of which nobody has said whether it is masked: higher state dark."""
    return _enlarge(draw_ink(template, 1), FACE_ROWS)


def side_by_side(deck: Deck) -> Picture:
    """Draw the plain face, the masked one and their difference, black on white."""
    tone = mask_tone(deck)
    difference = np.abs(deck.masked - deck.plain)  # From 0 to 2.
    parts = [
        draw_ink(deck.plain, tone),
        draw_ink(deck.masked, tone),
        draw_ink(np.asarray(difference - 1, np.float32), 1),
    ]
    return _enlarge(np.concatenate(parts, axis=1), STRIP_ROWS)


def find_tone(face: Face, picture: Picture, corners: Float, deck: Deck) -> int:
    """Return 1 if the deck's masks are light in a picture, else -1.

    Args:
        face: A face that was found in the picture.
        picture: (rows, columns) uint8; either state may be light.
        corners: (4, 2) the corners of the face's box, in elements of the picture.
        deck: The deck that the face was found with.
    """
    rows, columns = face.patch.shape
    upright_corners = np.array([(0, 0), (columns, 0), (columns, rows)], np.float32)
    three = corners[:3].astype(np.float32)
    to_upright = cv2.getAffineTransform(three, upright_corners)
    upright = cv2.warpAffine(picture, to_upright, (columns, rows), borderValue=128)
    agreement = float(((upright.astype(np.float32) - 127.5) * face.patch).sum())
    return mask_tone(deck) if agreement >= 0 else -mask_tone(deck)


def _enlarge(picture: Picture, rows: int) -> Picture:
    """Enlarge a picture smoothly to *rows* rows."""
    size = (round(picture.shape[1] * rows / picture.shape[0]), rows)
    return np.asarray(
        cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC), np.uint8
    )
