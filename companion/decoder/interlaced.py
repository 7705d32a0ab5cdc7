"""A digital lens for scrambled images: a picture interlaced with a camouflage.

In each line period one slot carries the hidden picture's ink, the other one, half a
period on, the camouflage's. So both darken the mean light; the lines at the phase of
the carrier (the wave of the print's lines) are as strong as the difference of the two,
and vanish where they agree. With mean light and lines in units of half the step from
bare paper to full ink, their sum is one of the two pictures and their difference the
other. Only faces can tell which of the two is hidden.
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
"""Standard deviation of a place's surroundings, in line periods.

About half a face, so that both pictures occur in it while the light is even."""

GAP_LINES, PART_MIN = 28.0, 0.25
"""Widest place without lines that belongs to the panel, in line periods: a face and its
margin; 14 leaves holes in one panel of twenty. Parts smaller than the share PART_MIN of
the largest belong to the table."""

THIN_LINES, EDGE_LINES = 8.0, 1.5
"""Least thickness of a panel's parts, in line periods: lettering beside it is thinner.
EDGE_LINES are cut off all around, since lines are measured a little beyond their edge,
and the bare paper there would join all things that touch it."""

STEP_MIN = 0.8
"""Least step of the mean light from one to two slots of ink, as a multiple of the
lines' amplitude. A slot of w periods has w of the light, and sin(pi w) / pi of the
amplitude: 1.3 at w = 0.4, 1.6 at a half; a camera's gamma takes a third from one side.
"""

FLATTENED = 8
"""How often the slopes of the bend are fitted.

Where few lines connect parts of the panel, two rounds leave a part two periods off,
which exchanges the pictures there.
"""

BARE, BARE_MIN = 0.4, 0.3
"""Lines weaker than the share BARE of their amplitude count as missing. They must be
missing in the share BARE_MIN of a panel, or nothing is interlaced in it. In 66
interlaced photos of drawn decks they are missing in 0.44 at least, in 15 others in 0.20
at most."""

PROOF_LINES = 0.7
"""Standard deviation, in line periods, of the reach within which lines prove a place.

A strip over the eyes of a face is three lines high, and looks like paper without lines.
"""

WHITE = 250
"""Grey level from which glare hides the light's mean."""


def lens_pictures(grey: NDArray[np.uint8], screen: Screen) -> tuple[Field, ...]:
    """Return the two pictures that a digital lens shows in its two positions.

    Args:
        grey: (height, width) uint8, the frame that the screen was found in.
        screen: The screen, which says where its lines are.

    Returns:
        The two pictures, one of which is camouflage; none if lines are everywhere,
        since an interlaced print lacks some. `coherence` and `minority` are those of
        the lines.
    """
    lines = unbent(grey, screen, flattened=FLATTENED)
    carrier = two_states(lines, screen)
    line = carrier.samples_per_line
    light, glare = _light(grey, lines, LOWPASS_LINES * screen.pixels_per_line)
    has_lines = np.asarray(carrier.weight > 0.5, np.float32)
    wave = np.asarray(lines.turned.imag, np.float32)
    panel = fill_panel(has_lines, line)
    strength = np.abs(wave)
    # Where the pictures differ, one slot has ink: that light is the middle level.
    reach = AROUND_LINES * line
    differ = has_lines * strength * strength
    total = _around(differ, reach) + np.float32(1e-6)
    amplitude = _around(differ * strength, reach) / total
    off_middle = light - _around(differ * light, reach) / total
    weak = np.maximum(0, 1 - strength / (amplitude + np.float32(1e-3)))
    tone = _tone(off_middle, amplitude, panel * weak**2)
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


def _tone(off_middle: Float, amplitude: Float, agree: Float) -> Float:
    """Scale light to -1 for two slots of ink, 0 for one, and 1 for bare paper.

    Args:
        off_middle: Light above the middle level, in grey levels.
        amplitude: Amplitude of the lines around each place, in grey levels.
        agree: Weight of each place as one where both pictures have ink, or neither.
    """
    tone = np.zeros_like(off_middle)
    for side in (off_middle > 0, off_middle < 0):
        lit = float((agree * np.abs(off_middle))[side].sum())
        step = max(STEP_MIN, lit / (float((agree * amplitude)[side].sum()) + 1e-6))
        scaled = off_middle / (amplitude * np.float32(step) + np.float32(1e-3))
        tone[side] = scaled[side]
    return np.clip(tone, -1, 1)


def _light(grey: NDArray[np.uint8], lines: Unbent, sigma: float) -> tuple[Float, Float]:
    """Blur the lines away: return the light, in grey levels, and its share of glare."""
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
    """Average around each element, at a quarter of the size to save time."""
    small = cv2.resize(picture, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    wide = cv2.GaussianBlur(small, (0, 0), reach / 4, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(cv2.resize(wide, picture.shape[::-1]), np.float32)


def fill_panel(sure: Float, line: float) -> Float:
    """Mark the panel with 1, including places without lines; its parts are convex."""
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
    panel = np.zeros_like(solid)
    for outline in outlines:
        if cv2.contourArea(outline) >= PART_MIN * largest:
            cv2.fillConvexPoly(panel, cv2.convexHull(outline), 1)
    inside = cv2.erode(panel, edge)[room:-room, room:-room].astype(np.float32)
    return np.asarray(cv2.resize(inside, sure.shape[::-1]), np.float32)
