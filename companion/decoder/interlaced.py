"""Separates a hidden picture from the camouflage that it is interlaced with.

An *interlaced* print has two *slots* in each line period, half a period apart. One slot
carries the ink of the hidden picture, the other that of a second picture, the
*camouflage*. A plastic lens shows one picture at a time; this module does so in
arithmetic:

- The *light*, without the lines, gives the sum of the pictures: it is 1 on bare paper,
  and -1 where both have ink.
- The *wave* of the lines gives the difference: where one picture has ink, it is 1 or -1
  as the ink is in one slot or the other.

So light plus wave is one picture, and light minus wave the other. Only its faces tell
which one is hidden.
Source: van Renesse, SPIE 4677 (2002).
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.phase import (
    LOWPASS_LINES,
    SOFT_MAX,
    Field,
    StraightLines,
    build_field,
    remove_bend,
)
from companion.decoder.screen import Screen

Float = NDArray[np.float32]

# Light and wave.

AROUND_LINES = 8.0
"""Standard deviation, in line periods, of the surroundings that elements are scaled by.

It is at most about half a face: enough to hold both pictures, and little enough for
even light.
"""

STEP_MIN = 0.8
"""Least step of the light from one slot of ink to two, in amplitudes of the wave.

A slot that is w periods wide takes the share w of the light, and gives the wave an
amplitude of sin(pi w) / pi of it. So the step is 1.3 times the amplitude at w = 0.4,
and 1.6 times at w = 0.5; a camera's gamma takes a third of that on one side.
"""

TINY = np.float32(1e-3)
"""Grey levels that keep a division by an amplitude from failing."""

WHITE = 250
"""Grey level from which a pixel is glare, which says nothing of the light."""

SLOPE_ROUNDS = 8
"""How often the slopes of the bend are fitted.

With two rounds, a part that few lines connect to the rest of the panel may stay two
periods off, which exchanges the pictures there.
"""

PROOF_LINES = 0.7
"""Standard deviation, in line periods, of the reach of lines as proof.

A strip over the eyes of a face is three lines high, and looks like bare paper.
"""

# Whether a print is interlaced.

BARE = 0.4
"""Share of the amplitude around a place below which its lines count as missing."""

BARE_MIN = 0.3
"""Least share of an interlaced panel without lines.

It is 0.44 or more in 66 interlaced photos of drawn decks, 0.20 or less in 15 others."""

# The panel, see `fill_panel`.

GAP_LINES = 28.0
"""Widest place without lines that belongs to the panel, in line periods.

It is a face and its margin. A limit of 14 leaves holes in one panel of twenty."""

THIN_LINES = 8.0
"""Least thickness of a part of the panel, in line periods; lettering is thinner."""

PART_MIN = 0.25
"""Least area of a part of the panel, as a share of the largest part.

Smaller parts are things on the table."""

EDGE_LINES = 1.5
"""Width, in line periods, of the edge that is cut off a panel.

Lines seem to reach a little beyond it, and the bare paper there would join all things
that touch it."""


def lens_pictures(grey: NDArray[np.uint8], screen: Screen) -> tuple[Field, ...]:
    """Return the two pictures that a digital lens shows in its two positions.

    Args:
        grey: (height, width) uint8, the frame that the screen was found in.
        screen: The screen, which says where its lines are.

    Returns:
        The hidden picture and the camouflage, in either order, with the `coherence` and
        `minority` of the lines. Empty if lines are nearly everywhere: an interlaced
        print has places without.
    """
    lines = remove_bend(grey, screen, slope_rounds=SLOPE_ROUNDS)
    carrier = build_field(lines, screen)
    per_line = carrier.samples_per_line
    light, glare = _measure_light(grey, lines, LOWPASS_LINES * screen.pixels_per_line)
    has_lines = np.asarray(carrier.weight > 0.5, np.float32)
    wave = np.asarray(lines.turned.imag, np.float32)
    panel = fill_panel(has_lines, per_line)
    height = np.abs(wave)
    # Clear lines tell the amplitude, and the middle level, of ink in one slot.
    reach = AROUND_LINES * per_line
    clear = has_lines * height * height
    total = _average_around(clear, reach) + np.float32(1e-6)
    amplitude = _average_around(clear * height, reach) / total
    middle = _average_around(clear * light, reach) / total
    # Without a wave, both pictures have ink or neither has.
    agree = panel * np.maximum(0, 1 - height / (amplitude + TINY)) ** 2
    tone = _scale_light(light - middle, amplitude, agree)
    wave = np.clip(wave / (amplitude + TINY), -1, 1)
    bare = float((panel * (np.abs(wave) < BARE)).sum())
    if bare <= BARE_MIN * float(panel.sum()):
        return ()
    weight = np.asarray(panel * (1 - glare), np.float32)
    lines_near = cv2.GaussianBlur(panel * np.abs(wave), (0, 0), PROOF_LINES * per_line)
    total_near = float((panel * lines_near).sum()) + 1e-6
    proof = lines_near * np.float32(panel.sum() / total_near)
    both = replace(carrier, weight=weight, proof=np.asarray(proof, np.float32))
    return (
        replace(both, soft=np.clip(tone + wave, -SOFT_MAX, SOFT_MAX)),
        replace(both, soft=np.clip(tone - wave, -SOFT_MAX, SOFT_MAX)),
    )


def _scale_light(light: Float, amplitude: Float, agree: Float) -> Float:
    """Scale the light so that bare paper is 1 and ink in both slots -1.

    Light above and below the middle level is scaled separately, since a camera's gamma
    takes more from one of them.

    Args:
        light: The light less its middle level, in grey levels.
        amplitude: The amplitude of the wave around each element, in grey levels.
        agree: How surely the two pictures agree at each element, 0..1.
    """
    tone = np.zeros_like(light)
    for side in (light > 0, light < 0):
        steps = float((agree * np.abs(light))[side].sum())
        amplitudes = float((agree * amplitude)[side].sum())
        step = max(STEP_MIN, steps / (amplitudes + 1e-6))
        tone[side] = (light / (amplitude * np.float32(step) + TINY))[side]
    return np.clip(tone, -1, 1)


def _measure_light(
    grey: NDArray[np.uint8], lines: StraightLines, sigma: float
) -> tuple[Float, Float]:
    """Blur the lines away by *sigma* pixels.

    Returns:
        The light, in grey levels, and the share of glare, on the grid of *lines*.
    """
    rows, columns = lines.turned.shape
    x0, y0 = lines.origin_px
    step = lines.step_px
    cut = grey[y0 : y0 + rows * step, x0 : x0 + columns * step]
    glare = np.asarray(cut >= WHITE, np.float32)
    light, glare_share = (
        cv2.GaussianBlur(pixels, (0, 0), sigma)[::step, ::step][:rows, :columns]
        for pixels in (cut.astype(np.float32), glare)
    )
    return np.asarray(light, np.float32), np.asarray(glare_share, np.float32)


def _average_around(picture: Float, reach: float) -> Float:
    """Blur by *reach* elements, at a quarter of the size to save time."""
    small = cv2.resize(picture, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    wide = cv2.GaussianBlur(small, (0, 0), reach / 4, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(cv2.resize(wide, picture.shape[::-1]), np.float32)


def fill_panel(sure: Float, per_line: float) -> Float:
    """Mark the panel with 1, including places without lines; its parts are convex.

    Args:
        sure: 1 where there are lines, or seams of a print in strips, else 0.
        per_line: Elements in a line period.
    """
    small = cv2.resize(sure, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    gap, thin, edge = (
        _make_brush(lines * per_line / 2)
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


def _make_brush(width: float) -> NDArray[np.uint8]:
    """Make a disc of *width* elements, at least 3."""
    side = max(3, round(width))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    return np.asarray(disc, np.uint8)
