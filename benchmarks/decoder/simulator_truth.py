"""What is true of a simulated note, and whether anybody could read it.

*Readable*: at least one face clear of fingers, glare and the frame's edge; at least
2.6 pixels a line after tilt (4.3 where green shows little of the ink); at least 6 %
of the carrier's printed contrast after blur; at least 4 to 1 of signal to noise in a
line cell.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.decoder.simulator_camera import (
    Lens,
    Sensor,
    contrast_kept,
    jacobian,
    project,
)
from benchmarks.decoder.simulator_notes import Laid, local
from benchmarks.decoder.styles import Ink

PIXELS_PER_LINE_MIN = 2.6
PIXELS_PER_LINE_MIN_COLOUR = 4.3  # Where green shows little of the ink.
GREEN_CONTRAST_MIN = 0.25
CONTRAST_MIN = 0.06
SNR_MIN = 4.0
FACE_COVERED_MAX = 0.03
GLARE_MAX = 0.25
"""A face under more added light than this share of white is not free of glare."""


@dataclass(frozen=True, slots=True)
class NoteTruth:
    """What is true of one note in a frame.

    Attributes:
        corners_px: (4, 2), the paper's own top left, top right, bottom right and
            bottom left, wherever they lie in the frame.
        pixels_per_line: After tilt, in the middle of the panel.
        contrast: Share of the printed carrier's contrast that blur leaves.
        snr: Signal to noise of the carrier in one line cell (pitch by pitch).
        faces_px: (n, 4): centre x, y, height, and 1 where clear, else 0.
        causes: Why it is not readable, empty when it is.
    """

    style: str
    denomination: str
    kind: str
    is_fake: bool
    corners_px: NDArray[np.float64]
    pixels_per_line: float
    pitch_mm: float
    contrast: float
    snr: float
    green_contrast: float
    faces_px: NDArray[np.float64]
    faces_clear_count: int
    causes: tuple[str, ...]

    @property
    def is_readable(self) -> bool:
        return not self.causes

    @property
    def verdict(self) -> str:
        return "fake" if self.is_fake else "real"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What decides about a note besides its own place.

    Attributes:
        light: (rows, columns) float32, light on the paper, 1 well exposed.
        glare: Same shape, light added by reflections.
        covered: Same shape, bool, what lies over the notes.
        scale: Frame pixels per element of these maps.
    """

    lens: Lens
    kernel: NDArray[np.float32]
    sensor: Sensor
    light: NDArray[np.float32]
    glare: NDArray[np.float32]
    covered: NDArray[np.bool_]
    scale: int


def green_contrast(ink: Ink) -> float:
    """Michelson contrast of ink and paper in green, 0 to 1."""
    return abs(ink.paper[1] - ink.ink[1]) / (ink.paper[1] + ink.ink[1])


def _disc(
    around: Surroundings, x: float, y: float, radius: float
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    rows, columns = around.light.shape
    r, c = np.mgrid[-6:7, -6:7].reshape(2, -1) / 6
    keep = np.hypot(r, c) <= 1
    at_y = np.rint((y + r[keep] * radius) / around.scale).astype(int)
    at_x = np.rint((x + c[keep] * radius) / around.scale).astype(int)
    return np.clip(at_y, 0, rows - 1), np.clip(at_x, 0, columns - 1)


def _faces(note: Laid, around: Surroundings) -> tuple[NDArray[np.float64], bool]:
    """Each face's x, y, height and clearness, in pixels; whether glare hid any."""
    faces, hidden_by_glare = [], False
    for face in note.print.faces:
        middle = local(note.print, np.array([[face.x_mm, face.y_mm]]))
        x, y = project(middle, note.pose, around.lens)[0]
        scale = math.sqrt(
            abs(np.linalg.det(jacobian(middle[0], note.pose, around.lens)))
        )
        radius = face.height_mm * scale / 2
        disc = _disc(around, x, y, radius)
        w, h = around.lens.size_px
        is_inside = radius <= x <= w - radius and radius <= y <= h - radius
        is_glared = float(around.glare[disc].max()) > GLARE_MAX
        is_covered = float(around.covered[disc].mean()) > FACE_COVERED_MAX
        hidden_by_glare |= is_glared
        faces.append(
            (x, y, 2 * radius, float(is_inside and not is_glared and not is_covered))
        )
    return np.array(faces).reshape(-1, 4), hidden_by_glare


def _snr(
    note: Laid, around: Surroundings, contrast: float, area_px: float, light: float
) -> float:
    """Matched-filter signal to noise of the carrier over one line cell.

    A cosine of amplitude A in noise of deviation s over N samples gives
    A sqrt(N / 2) / s; of the pixels half see green, a quarter red or blue.
    """
    ink = note.print.style.inks[note.denomination]
    best = 0.0
    for channel, samples in ((1, 0.5), (0, 0.25), (2, 0.25)):
        paper, inked = ink.paper[channel], ink.ink[channel]
        scale = around.sensor.full_electrons * light
        amplitude = scale * abs(paper - inked) * note.print.carrier * contrast
        mean = scale * (paper + (inked - paper) * note.print.mean)
        noise = math.sqrt(mean + around.sensor.read_electrons**2)
        best = max(best, amplitude * math.sqrt(area_px * samples / 2) / noise)
    return best


def truth_of(note: Laid, around: Surroundings) -> NoteTruth:
    """Everything that is known of a note, computed, not measured in the frame."""
    style = note.print.style
    screen = style.screen(note.denomination)
    middle = np.array(style.panel_at_mm) + np.array(style.deck.panel_mm) / 2
    point = local(note.print, middle[None])[0]
    moved = jacobian(point, note.pose, around.lens)
    angle = math.radians(screen.angle_deg)
    normal = np.array([math.cos(angle), math.sin(angle)]) / screen.pitch_mm
    frequency = np.linalg.solve(moved.T, normal)
    pixels_per_line = float(1 / np.hypot(*frequency))
    contrast = contrast_kept(around.kernel, frequency)
    x, y = project(point[None], note.pose, around.lens)[0]
    light = float(around.light[_disc(around, x, y, 1)].mean())
    area_px = abs(float(np.linalg.det(moved))) * screen.pitch_mm**2
    snr = _snr(note, around, contrast, area_px, light)
    faces, hidden_by_glare = _faces(note, around)
    clear = int(faces[:, 3].sum())
    green = green_contrast(style.inks[note.denomination])
    enough = (
        PIXELS_PER_LINE_MIN
        if green >= GREEN_CONTRAST_MIN
        else PIXELS_PER_LINE_MIN_COLOUR
    )
    checks = (
        ("too_far", pixels_per_line < enough),
        ("blurred", contrast < CONTRAST_MIN),
        ("noisy", snr < SNR_MIN),
        ("glare" if hidden_by_glare else "covered", clear == 0),
    )
    return NoteTruth(
        style=style.name,
        denomination=style.inks[note.denomination].label,
        kind=style.kind,
        is_fake=note.print.is_fake,
        corners_px=note.outline_px[::8].copy(),
        pixels_per_line=pixels_per_line,
        pitch_mm=screen.pitch_mm,
        contrast=contrast,
        snr=snr,
        green_contrast=green,
        faces_px=faces,
        faces_clear_count=clear,
        causes=tuple(name for name, failed in checks if failed),
    )
