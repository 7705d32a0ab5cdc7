"""A film grating or a plastic lens over a note: what the camera sees through it.

    frame = simulate_through("film", 7)
    frame.notes[0].is_readable, frame.notes[0].faces_px[:, 3]   (1: it shows)

Both undo the scramble by optics. With `moire` the position across the lines counted
in periods of what lies over the print, less the same in periods of the print:

- film: opaque lines of the print's pitch. A point lets ``overlap(moire + shift *
  hidden)`` of the paper be seen, a triangle over one period: the picture is a
  difference of tone, nought and then the other way round as the moire goes on.
- lens: each cylinder shows one thin strip of the print beneath, as wide as itself.
  The tone is that of the lines at one phase, a soft square over the moire.

Both lie a little turned, out of step, off pitch, and are seen a little from one side.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.decoder.simulator import Frame, simulate
from benchmarks.decoder.simulator_print import (
    TEXTURE_DPI,
    TEXTURE_PX_PER_MM,
    Print,
    printed,
)
from benchmarks.decoder.simulator_truth import NoteTruth
from benchmarks.decoder.styles import STYLES

Float = NDArray[np.float64]

AIDS = ("film", "lens")
CLEAR_MIN = 0.3
"""Share of the best contrast that a face must have all over to count as shown."""

FACES_MIN = 2
"""Faces that must show for a note to count as readable through film or lens."""

FACE_PX_MIN = 34.0
"""Height of a face in the frame below which it is too far away to ask."""

STEPS = 96


@dataclass(frozen=True, slots=True)
class Overlay:
    """What lies over the panel, and how.

    Attributes:
        turn_deg: Off the direction of the print's lines.
        stretch: Its pitch over the print's.
        phase: Out of step by so many periods in the middle of the panel.
        drift: (2,) further periods per mm off the middle, right and down: the lens
            is seen from another side at either end.
        opening: Share of a period that is open (film) or seen as one (lens).
        dark: Share of light that its lines (film) or valleys (lens) take.
        sharp: 1 where each lens shows one strip only, 0 where it shows all it covers.
    """

    aid: str
    turn_deg: float
    stretch: float
    phase: float
    drift: tuple[float, float]
    opening: float
    dark: float
    sharp: float = 1.0


def overlay(aid: str, draw: np.random.Generator) -> Overlay:
    """As a hand lays it once the pictures have come out: nearly, never quite right."""
    turn_deg = float(np.clip(draw.normal(0, 0.45), -1.2, 1.2))
    stretch = 1 + float(draw.uniform(-0.002, 0.002))
    phase = float(draw.uniform())
    if aid == "film":
        opening, dark = draw.uniform(0.38, 0.5), draw.uniform(0.8, 0.97)
        return Overlay(aid, turn_deg, stretch, phase, (0.0, 0.0), opening, dark)
    drift = draw.normal(0, 0.0025, 2)
    return Overlay(
        aid,
        turn_deg,
        stretch,
        phase,
        (float(drift[0]), float(drift[1])),
        opening=float(draw.uniform(0.12, 0.35)),
        dark=float(draw.uniform(0.05, 0.35)),
        sharp=float(draw.uniform(0.75, 1.0)),
    )


def _across(print_: Print, over: Overlay, x_mm: Float, y_mm: Float) -> Float:
    """Periods of the overlay at points in mm from the panel's top left corner."""
    screen = print_.style.deck.screen
    middle = np.array(print_.style.deck.panel_mm) / 2
    angle = math.radians(screen.angle_deg)
    still = (middle[0] * math.cos(angle) + middle[1] * math.sin(angle)) / (
        screen.pitch_mm
    )
    turned = angle + math.radians(over.turn_deg)
    pitch = screen.pitch_mm * over.stretch
    kx = math.cos(turned) / pitch + over.drift[0]
    ky = math.sin(turned) / pitch + over.drift[1]
    at: Float = (x_mm - middle[0]) * kx + (y_mm - middle[1]) * ky + still + over.phase
    return at


def moire(print_: Print, over: Overlay, points_mm: Float) -> Float:
    """Periods that the overlay is ahead of the print, at (n, 2) mm on the panel."""
    screen = print_.style.deck.screen
    angle = math.radians(screen.angle_deg)
    x, y = points_mm[..., 0], points_mm[..., 1]
    below = (x * math.cos(angle) + y * math.sin(angle)) / screen.pitch_mm
    return _across(print_, over, x, y) - below


def contrast(print_: Print, over: Overlay, at: Float) -> Float:
    """Tone of the picture less the ground's, -1..1 of the most there can be."""
    screen = print_.style.deck.screen
    t = (np.arange(STEPS) + 0.5) / STEPS
    # Ink spread widens the line; its fundamental tells how much.
    paper = np.where(t < print_.mean, 0.0, 1.0)
    start = 0.0 if over.aid == "film" else 0.5 - over.opening / 2
    window = t[(t >= start) & (t < start + over.opening)]

    def tone(ahead: Float) -> Float:
        where = np.mod(window - ahead[:, None], 1)
        seen = paper[np.minimum((where * STEPS).astype(int), STEPS - 1)]
        return np.asarray(seen.mean(axis=1))

    curve = tone(t - screen.shift) - tone(t)
    index = np.floor(np.mod(at, 1) * STEPS).astype(int)
    return np.asarray(curve[np.minimum(index, STEPS - 1)] / np.abs(curve).max())


def covered(print_: Print, over: Overlay) -> Print:
    """The print as it looks with the overlay on it, film or lens from edge to edge."""
    rows, columns = print_.coverage.shape
    x0, y0 = print_.style.panel_at_mm
    x = ((np.arange(columns, dtype=np.float64) + 0.5) / TEXTURE_PX_PER_MM - x0)[None]
    y = ((np.arange(rows, dtype=np.float64) + 0.5) / TEXTURE_PX_PER_MM - y0)[:, None]
    at = np.mod(_across(print_, over, x, y), 1).astype(np.float32)
    soft = np.float32(
        print_.style.deck.screen.pitch_mm * TEXTURE_PX_PER_MM
    )  # Elements a period: edges are one element wide.
    if over.aid == "film":
        inside = np.minimum(at, np.float32(over.opening) - at) * soft
        open_ = np.clip(inside + np.float32(0.5), 0, 1)
        clear = 1 - np.float32(over.dark) * (1 - open_)
        return replace(print_, clear=np.rint(255 * 0.9 * clear).astype(np.uint8))
    off = at - np.float32(0.5)
    valley = np.clip((np.abs(off) - np.float32(0.42)) * soft + np.float32(0.5), 0, 1)
    clear = 1 - np.float32(over.dark) * valley
    return replace(
        print_,
        coverage=_strips(print_, over, off),
        clear=np.rint(255 * 0.92 * clear).astype(np.uint8),
    )


def _strips(
    print_: Print, over: Overlay, off: NDArray[np.float32]
) -> NDArray[np.uint8]:
    """Each point shows the print under its own lens's middle, a little to each side."""
    screen = print_.style.deck.screen
    angle = math.radians(screen.angle_deg + over.turn_deg)
    period = screen.pitch_mm * over.stretch * TEXTURE_PX_PER_MM
    rows, columns = print_.coverage.shape
    y, x = np.mgrid[:rows, :columns].astype(np.float32)
    total = np.zeros((rows, columns), np.float32)
    spots = np.linspace(-0.5, 0.5, 5) * over.opening
    for spot in spots:
        move = (np.float32(spot) - np.float32(over.sharp) * off) * np.float32(period)
        total += cv2.remap(
            print_.coverage,
            x + move * np.float32(math.cos(angle)),
            y + move * np.float32(math.sin(angle)),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
    return np.rint(total / len(spots)).astype(np.uint8)


def shows(print_: Print, over: Overlay) -> NDArray[np.bool_]:
    """Which faces show all over, in one tone or the other: (faces,) bool."""
    x0, y0 = print_.style.panel_at_mm
    grid = np.stack(np.meshgrid(*[np.linspace(-0.45, 0.45, 7)] * 2), axis=-1)
    found = []
    for face in print_.faces:
        points = np.array([face.x_mm - x0, face.y_mm - y0]) + grid * face.height_mm
        tones = contrast(print_, over, moire(print_, over, points).ravel())
        found.append(max(tones.min(), -tones.max()) >= CLEAR_MIN)
    return np.array(found, np.bool_)


def _truth(note: NoteTruth, shown: NDArray[np.bool_]) -> NoteTruth:
    """Faces count where they show; lines need not be resolved."""
    faces = note.faces_px.copy()
    faces[:, 3] *= shown[: len(faces)]
    causes = tuple(c for c in note.causes if c in ("glare", "covered"))
    if not shown.any() or faces[:, 3].sum() < FACES_MIN:
        causes = (*causes, "out of step")
    if faces[:, 2].mean() < FACE_PX_MIN:
        causes = (*causes, "too_far")
    clear = int(faces[:, 3].sum())
    return replace(note, faces_px=faces, faces_clear_count=clear, causes=causes)


def simulate_through(
    aid: str,
    seed: int,
    difficulty: str = "normal",
    style: str = "house",
    is_fake: bool | None = None,
    **fixed: object,
) -> Frame:
    """One photograph of one note under a film grating or a lens.

    Args:
        aid: One of AIDS.
        seed: Decides everything that is not fixed.
        difficulty: Of the photograph, see `simulate`.
        style: One of STYLES.
        is_fake: Drawn when None.
        fixed: Fields of Conditions.
    """
    draw = np.random.default_rng([seed, 500 + AIDS.index(aid)])
    is_fake = bool(draw.random() < 0.5) if is_fake is None else is_fake
    ink, variant = int(draw.integers(len(STYLES[style].inks))), int(draw.integers(12))
    bare = printed(style, ink, is_fake, variant, TEXTURE_DPI)
    # The whole print in one ink: what is laid is always the first of its style.
    inked = replace(bare, style=replace(bare.style, inks=(bare.style.inks[ink],)))
    over = overlay(aid, draw)
    laid = covered(inked, over)
    fixed = {"notes_count": 1, "fingers_count": 0, **fixed}
    frame = simulate(seed, difficulty, (style,), laid, **fixed)
    shown = shows(inked, over)
    notes = tuple(_truth(note, shown) for note in frame.notes)
    return replace(frame, notes=notes, scene=(aid, *frame.scene))


def main() -> None:
    """Write one photograph, and say what is known of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--aid", default="film", choices=AIDS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    frame = simulate_through(given.aid, given.seed)
    cv2.imwrite(str(given.out), frame.image)
    note = frame.notes[0]
    print(f"{note.verdict}, {note.faces_clear_count} faces show: {given.out}")


if __name__ == "__main__":
    main()
