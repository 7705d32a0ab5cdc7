"""Print-and-camera simulator: frames of scrambled notes, with the truth about each.

    frame = simulate(7, "normal")
    frame.image                   (rows, columns, 3) uint8 BGR
    frame.notes[0].is_fake, .corners_px, .pixels_per_line, .is_readable, .causes

Same arguments, same frame. Presets: easy, normal, hard, learning; `negative(seed)`
holds no scrambled print. Any condition can be fixed: `simulate(7, pixels_per_line=3)`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.decoder.simulator_camera import Lens, Sensor, blur_kernel, expose
from benchmarks.decoder.simulator_conditions import (
    DIFFICULTIES,
    FULL_CROP,
    SMALL_CROP,
    Conditions,
    conditions,
)
from benchmarks.decoder.simulator_notes import Laid, glare_on_eyes, lay, place
from benchmarks.decoder.simulator_print import Print
from benchmarks.decoder.simulator_scene import DECOYS, clutter, decoy_frame
from benchmarks.decoder.simulator_truth import NoteTruth, Surroundings, truth_of

__all__ = [
    "DIFFICULTIES",
    "FULL_CROP",
    "SMALL_CROP",
    "Conditions",
    "Frame",
    "NoteTruth",
    "negative",
    "simulate",
]

MAP_SCALE = 8
"""Frame pixels per element of the maps of light, glare and cover."""

LINEAR = ((np.arange(256) / 255) ** 2.2).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Frame:
    """One photograph: image (rows, columns, 3) uint8 BGR, and what it shows."""

    image: NDArray[np.uint8]
    notes: tuple[NoteTruth, ...]
    seed: int
    difficulty: str
    scene: tuple[str, ...]
    conditions: Conditions


def _light(draw: np.random.Generator, given: Conditions) -> NDArray[np.float32]:
    """Level of light over the frame: gradient, vignette and one soft shadow."""
    columns, rows = (math.ceil(side / MAP_SCALE) for side in given.size_px)
    y, x = np.mgrid[:rows, :columns]
    across, down = x / columns - 0.5, y / columns - 0.5 * rows / columns
    angle = draw.uniform(0, 2 * math.pi)
    slope = 1 - given.shadow * 0.6 * (
        0.5 + across * math.cos(angle) + down * math.sin(angle)
    )
    vignette = 1 - 0.35 * (across**2 + down**2)
    edge_deg = draw.uniform(0, 2 * math.pi)
    edge = (
        across * math.cos(edge_deg)
        + down * math.sin(edge_deg)
        - draw.uniform(-0.3, 0.4)
    )
    shade = 1 - given.shadow * 0.5 / (1 + np.exp(-edge / draw.uniform(0.01, 0.08)))
    return (given.light * slope * vignette * shade).astype(np.float32)


def _glare(draw: np.random.Generator, given: Conditions) -> NDArray[np.float32]:
    columns, rows = (math.ceil(side / MAP_SCALE) for side in given.size_px)
    y, x = np.mgrid[:rows, :columns].astype(np.float32)
    glare = np.zeros((rows, columns), np.float32)
    # What is unusual draws apart, so that the rest of the frame stays as it is.
    creases = draw.spawn(2) if given.odd == "sleeve" else []
    for own in (*[draw] * given.glare_count, *creases):
        spread = own.uniform(0.02, 0.07, 2) * columns
        angle, peak = own.uniform(0, math.pi), own.uniform(0.4, 1.6)
        dx, dy = x - own.uniform(0, columns), y - own.uniform(0, rows)
        u = dx * math.cos(angle) + dy * math.sin(angle)
        v = dy * math.cos(angle) - dx * math.sin(angle)
        glare += np.float32(peak) * np.exp(
            -((u / spread[0]) ** 2) - (v / spread[1]) ** 2
        )
    return glare.astype(np.float32)


def _dazzle(
    glare: NDArray[np.float32], note: Laid, lens: Lens, draw: np.random.Generator
) -> None:
    """Let a lamp shine on the eyes of a note: adds to a map of glare."""
    rows, columns = glare.shape
    y, x = np.mgrid[:rows, :columns].astype(np.float32)
    for middle, halves in glare_on_eyes(note, lens, draw):
        at = np.stack([x, y], axis=2) * MAP_SCALE - middle
        away = (np.linalg.solve(halves.T, at.reshape(-1, 2).T) ** 2).sum(axis=0)
        glare += (1.6 * np.exp(-(away**2))).reshape(rows, columns).astype(np.float32)


def _fingers(
    draw: np.random.Generator,
    given: Conditions,
    notes: list[Laid],
    light: NDArray[np.float32],
) -> NDArray[np.bool_]:
    """Fingertips reaching in over a note's edge; painted on *light*, and as a map."""
    cover = np.zeros(light.shape[:2], np.uint8)
    for _ in range(given.fingers_count if notes else 0):
        note = notes[int(draw.integers(len(notes)))]
        rim = note.outline_px[int(draw.integers(len(note.outline_px)))]
        middle = note.outline_px.mean(axis=0)
        tip = rim + (middle - rim) * draw.uniform(0.1, 0.7)
        root = tip + (rim - middle) / np.hypot(*(rim - middle)) * 3000
        wide = int(
            16
            * np.hypot(*(note.outline_px[8] - note.outline_px[0]))
            / note.print.style.item_mm[0]
        )
        ends = tip.astype(int).tolist(), root.astype(int).tolist()
        cv2.line(cover, ends[0], ends[1], 255, max(3, wide), cv2.LINE_AA)
    if not cover.any():
        return cover[::MAP_SCALE, ::MAP_SCALE] > 0
    x, y, w, h = cv2.boundingRect(cover)
    area = (slice(y, y + h), slice(x, x + w))
    soft = (
        cv2.GaussianBlur(cover[area], (0, 0), 2.0).astype(np.float32)[..., None] / 255
    )
    skin = np.array(draw.choice([(0.25, 0.36, 0.6), (0.07, 0.13, 0.26)]), np.float32)
    light[area] += soft * (skin - light[area])
    return cover[::MAP_SCALE, ::MAP_SCALE] > 127


def _photograph(
    light: NDArray[np.float32], around: Surroundings, draw: np.random.Generator
) -> NDArray[np.uint8]:
    """Let the light fall on the scene, and the sensor see it."""
    size = (light.shape[1], light.shape[0])
    light *= cv2.resize(around.light, size, interpolation=cv2.INTER_LINEAR)[..., None]
    if around.glare.any():
        light += cv2.resize(around.glare, size, interpolation=cv2.INTER_LINEAR)[
            ..., None
        ]
    return expose(light, around.sensor, draw)


def _surroundings(draw: np.random.Generator, given: Conditions) -> Surroundings:
    rows, columns = (math.ceil(side / MAP_SCALE) for side in given.size_px[::-1])
    return Surroundings(
        lens=Lens(given.focal_px, given.size_px),
        kernel=blur_kernel(
            given.defocus_px, given.soft_px, given.motion_px, given.motion_deg
        ),
        sensor=Sensor(
            full_electrons=given.full_electrons,
            jpeg_quality=given.jpeg_quality,
            sharpening=given.sharpening,
            is_phone=given.odd == "phone",
        ),
        light=_light(draw, given),
        glare=_glare(draw, given),
        covered=np.zeros((rows, columns), np.bool_),
        scale=MAP_SCALE,
    )


def _soft(picture: NDArray[np.uint8], given: Conditions) -> NDArray[np.float32]:
    """Clutter as linear light; a Gauss of the kernel's own width will do for it."""
    spread = given.soft_px**2 + given.defocus_px**2 / 4 + given.motion_px**2 / 12
    blurred = cv2.GaussianBlur(picture, (0, 0), max(0.3, math.sqrt(spread)))
    light: NDArray[np.float32] = LINEAR[blurred]
    return light


def simulate(
    seed: int,
    difficulty: str = "normal",
    styles: tuple[str, ...] | None = None,
    shown: Print | None = None,
    **fixed: object,
) -> Frame:
    """One photograph with the truth about every note in it.

    Args:
        seed: Decides everything that is not fixed.
        difficulty: One of DIFFICULTIES.
        styles: Names that `style_named` knows to draw from; all of STYLES when None.
        shown: A print to lay instead of drawn ones, see `photograph.py`.
        fixed: Fields of Conditions, such as is_fake, pixels_per_line or size_px.
    """
    draw = np.random.default_rng([seed, DIFFICULTIES.index(difficulty)])
    given = replace(conditions(draw, difficulty, styles), **fixed)  # type: ignore[arg-type]
    around = _surroundings(draw, given)
    picture, names = clutter(draw, given.size_px, given.decoys_count)
    light = _soft(picture, given)
    notes: list[Laid] = []
    for _ in range(given.notes_count):
        note = place(draw, given, around.lens, notes, shown)
        if note is not None:
            notes.append(note)
            lay(light, note, around.lens, around.kernel)
            if given.eyes == "glare":
                _dazzle(around.glare, note, around.lens, draw)
    if given.odd == "sleeve":
        light *= np.float32(0.8)
        light += np.float32(0.06)
    around = replace(around, covered=_fingers(draw, given, notes, light))
    truths = tuple(truth_of(note, around) for note in notes)
    image = _photograph(light, around, draw)
    return Frame(image, truths, seed, difficulty, names, given)


def negative(seed: int, **fixed: object) -> Frame:
    """A photograph without any scrambled print; ten kinds of decoy in turn."""
    draw = np.random.default_rng([seed, 99])
    given = replace(conditions(draw, "normal", None), **fixed)  # type: ignore[arg-type]
    around = _surroundings(draw, given)
    name = tuple(DECOYS)[seed % len(DECOYS)]
    light = _soft(decoy_frame(draw, given.size_px, name), given)
    image = _photograph(light, around, draw)
    return Frame(image, (), seed, "negative", (name,), given)
