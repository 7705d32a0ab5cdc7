"""A digital lens for scrambled images: strips of a picture laced with a camouflage.

In each line period one slot carries the hidden picture's ink, the other one, half a
period on, the camouflage's. So the mean light is less by both; the lines at the
carrier's own phase (the wave of the print's lines) are as strong as the two differ, and
vanish where they agree. Mean light and lines together, each in units of half the step
from bare paper to full ink, give one of the two pictures, and their difference the
other. Which of the two is hidden, only faces tell.
Source: van Renesse, SPIE 4677 (2002).
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.phase import LOWPASS_LINES, Field, Unbent, two_states, unbent
from companion.decoder.screen import Screen

Float = NDArray[np.float32]

AROUND_LINES = 8.0
"""Standard deviation of what counts as around a place, in line periods: about half a
face, so that both pictures show in it, and light is even."""

GAP_LINES, PART_MIN = 28.0, 0.25
"""Places without lines belong to the panel if they are no wider than the first, in line
periods: a face and its margin; 14 leaves holes in one panel of twenty. Parts smaller
than the second share of the largest are of the table."""

THIN_LINES, EDGE_LINES = 8.0, 1.5
"""What is thinner than the first, in line periods, is no part of a panel, say lettering
beside it; and so much is cut off all around, since lines are felt a little beyond their
edge: the paper there would join all things that touch it."""

STEP_MIN = 0.8
"""Least step of the mean light from one to two slots of ink, as a multiple of the
lines' amplitude. A slot of w periods has w of the light, and sin(pi w) / pi of the
amplitude: 1.3 at w = 0.4, 1.6 at a half; a camera's gamma takes a third from one side.
"""

FLATTENED = 8
"""How often the slopes of the bend are followed: where parts of the panel hang together
by few lines, two rounds leave a part of it two periods off, which exchanges pictures.
"""

BARE, BARE_MIN = 0.4, 0.3
"""Lines below the first share of their amplitude count as missing, and of a panel at
least the second share misses them: else nothing is laced in it. Of 66 interlaced photos
of drawn decks the least misses 0.44, of 15 others the most 0.20."""

PROOF_LINES = 0.7
"""Standard deviation, in line periods, of how far lines prove what is beside them: a
strip over the eyes of a face is three lines high, and looks like paper without lines.
"""

WHITE = 250
"""Grey level from which glare hides the light's mean."""


def looks(grey: NDArray[np.uint8], screen: Screen) -> tuple[Field, ...]:
    """Return what a digital lens shows at either of its two places over the lines.

    Args:
        grey: (height, width) uint8, the frame that the screen was found in.
        screen: The screen, which says where its lines are.

    Returns:
        The two pictures, one of which is camouflage; none if lines are everywhere, so
        that it is no such print. Their `coherence` and `minority` are of the lines
        where there are any.
    """
    lines = unbent(grey, screen, flattened=FLATTENED)
    carrier = two_states(lines, screen)
    line = carrier.samples_per_line
    light, glare = _light(grey, lines, LOWPASS_LINES * screen.pixels_per_line)
    sure = np.asarray(carrier.weight > 0.5, np.float32)
    wave = np.asarray(lines.turned.imag, np.float32)
    panel = closed(sure, line)
    size = np.abs(wave)
    # Where the pictures differ there is ink in one slot: the middle of the light.
    reach = AROUND_LINES * line
    here = sure * size * size
    total = _around(here, reach) + np.float32(1e-6)
    amplitude = _around(here * size, reach) / total
    off = light - _around(here * light, reach) / total
    agree = panel * np.maximum(0, 1 - size / (amplitude + np.float32(1e-3))) ** 2
    tone = np.zeros_like(off)
    for side in (off > 0, off < 0):
        lit = float((agree * np.abs(off))[side].sum())
        step = max(STEP_MIN, lit / (float((agree * amplitude)[side].sum()) + 1e-6))
        tone[side] = (off / (amplitude * np.float32(step) + np.float32(1e-3)))[side]
    tone = np.clip(tone, -1, 1)
    wave = np.clip(wave / (amplitude + np.float32(1e-3)), -1, 1)
    bare = float((panel * (np.abs(wave) < BARE)).sum())
    if bare <= BARE_MIN * float(panel.sum()):
        return ()
    weight = np.asarray(panel * (1 - glare), np.float32)
    near = cv2.GaussianBlur(panel * np.abs(wave), (0, 0), PROOF_LINES * line)
    proof = near * np.float32(panel.sum() / (float((panel * near).sum()) + 1e-6))
    whole = replace(carrier, weight=weight, proof=np.asarray(proof, np.float32))
    return (
        replace(whole, soft=np.clip(tone + wave, -1.5, 1.5)),
        replace(whole, soft=np.clip(tone - wave, -1.5, 1.5)),
    )


def _light(grey: NDArray[np.uint8], lines: Unbent, sigma: float) -> tuple[Float, Float]:
    """Return the light without lines, in grey levels, and its share of glare."""
    rows, columns = lines.turned.shape
    x0, y0 = lines.origin_px
    step = lines.step_px
    cut = grey[y0 : y0 + rows * step, x0 : x0 + columns * step]
    glare = np.asarray(cut >= WHITE, np.float32)
    light, bright = (
        cv2.GaussianBlur(part, (0, 0), sigma)[::step, ::step][:rows, :columns]
        for part in (cut.astype(np.float32), glare)
    )
    return np.asarray(light, np.float32), np.asarray(bright, np.float32)


def _around(picture: Float, reach: float) -> Float:
    """Return the mean around each element, taken at a quarter of the size."""
    small = cv2.resize(picture, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    wide = cv2.GaussianBlur(small, (0, 0), reach / 4, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(cv2.resize(wide, picture.shape[::-1]), np.float32)


def closed(sure: Float, line: float) -> Float:
    """Return 1 where the panel is, with or without lines: panels have no dents."""
    small = cv2.resize(sure, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    gap, thin, edge = (
        cv2.getStructuringElement(
            cv2.MORPH_ELLIPSE, 2 * (max(3, round(lines * line / 2)),)
        )
        for lines in (GAP_LINES, THIN_LINES, 2 * EDGE_LINES)
    )
    room = len(gap)
    drawn = np.pad((small > 0.5).astype(np.uint8), room)
    joined = cv2.morphologyEx(drawn, cv2.MORPH_CLOSE, gap)
    solid = cv2.morphologyEx(joined, cv2.MORPH_OPEN, thin)
    outlines, _ = cv2.findContours(solid, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    largest = max(map(cv2.contourArea, outlines), default=0.0)
    found = np.zeros_like(solid)
    for outline in outlines:
        if cv2.contourArea(outline) >= PART_MIN * largest:
            cv2.fillConvexPoly(found, cv2.convexHull(outline), 1)
    inside = cv2.erode(found, edge)[room:-room, room:-room].astype(np.float32)
    return np.asarray(cv2.resize(inside, sure.shape[::-1]), np.float32)
