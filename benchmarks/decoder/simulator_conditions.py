"""How hard a photograph is: what the presets draw, and what a caller may fix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.decoder.styles import STYLES

FULL_CROP = (2304, 1296)
"""A full-resolution crop of the sensor around the note: columns, rows."""

SMALL_CROP = (1152, 864)
"""The same with one note in it, for speed."""


ODD = ("process", "sleeve", "phone")
"""Lines in dots of two inks, out of register; a clear sleeve over the note; a phone
that smooths, evens and sharpens its picture, and sees row after row."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """Everything of a frame that a preset draws and a caller may fix.

    Attributes:
        pixels_per_line: Aimed at in the middle of the frame, before tilt.
        tilt_deg: Between the camera's axis and the table's normal.
        curl_radius_mm: Of the paper, 0 for flat.
        light: Level of the scene, 1 is well exposed.
        shadow: Depth of the light's gradient and shadow edge, 0 to 1.
        crumple: How steeply paper rises beside its creases, 0 for none.
        variants: How many different prints of each kind exist.
        is_paired: Whether each print exists as real and as fake, alike but for masks.
        eyes: What covers the eyes of every face, one of `simulator_damage.EYES`;
            empty for nothing.
        odd: What else is unusual, one of ODD; empty for nothing.
    """

    styles: tuple[str, ...]
    size_px: tuple[int, int]
    notes_count: int
    pixels_per_line: float
    focal_px: float
    tilt_deg: float
    tilt_towards_deg: float
    curl_radius_mm: float
    roll_deg: float | None
    defocus_px: float
    soft_px: float
    motion_px: float
    motion_deg: float
    light: float
    shadow: float
    glare_count: int
    fingers_count: int
    decoys_count: int
    full_electrons: float
    jpeg_quality: int
    sharpening: float
    dpi: int
    is_fake: bool | None = None
    crumple: float = 0.0
    variants: int = 12
    is_paired: bool = False
    eyes: str = ""
    odd: str = ""


_RANGES: dict[str, dict[str, tuple[float, float]]] = {
    "easy": {
        "notes_count": (1, 1),
        "pixels_per_line": (4.6, 8.0),
        "tilt_deg": (0, 8),
        "curl": (0, 0),
        "defocus_px": (0, 0.5),
        "motion_px": (0, 0.4),
        "light": (0.75, 0.95),
        "shadow": (0, 0.2),
        "glare_count": (0, 0),
        "fingers_count": (0, 0),
        "decoys_count": (0, 2),
        "full_electrons": (3000, 6000),
        "jpeg_quality": (90, 96),
    },
    "normal": {
        "notes_count": (1, 3),
        "pixels_per_line": (3.1, 7.0),
        "tilt_deg": (0, 20),
        "curl": (0, 0.004),
        "defocus_px": (0, 0.9),
        "motion_px": (0, 0.9),
        "light": (0.5, 0.95),
        "shadow": (0, 0.45),
        "glare_count": (0, 1),
        "fingers_count": (0, 0),
        "decoys_count": (0, 4),
        "full_electrons": (1500, 4000),
        "jpeg_quality": (85, 95),
    },
    "hard": {
        "notes_count": (1, 4),
        "pixels_per_line": (2.6, 6.0),
        "tilt_deg": (10, 35),
        "curl": (0.002, 0.012),
        "defocus_px": (0.4, 1.5),
        "motion_px": (0, 1.8),
        "light": (0.2, 0.8),
        "shadow": (0.2, 0.75),
        "glare_count": (0, 2),
        "fingers_count": (0, 2),
        "decoys_count": (1, 5),
        "full_electrons": (500, 2000),
        "jpeg_quality": (78, 92),
    },
    "learning": {
        "notes_count": (1, 1),
        "pixels_per_line": (5.0, 7.5),
        "tilt_deg": (0, 4),
        "curl": (0, 0),
        "defocus_px": (0, 0.4),
        "motion_px": (0, 0.2),
        "light": (0.75, 0.95),
        "shadow": (0, 0.2),
        "glare_count": (0, 0),
        "fingers_count": (0, 0),
        "decoys_count": (0, 0),
        "full_electrons": (3000, 6000),
        "jpeg_quality": (90, 96),
    },
}
"""Least and most of each condition; `curl` is one over the radius in mm."""

DIFFICULTIES = tuple(_RANGES)


def conditions(
    draw: np.random.Generator, difficulty: str, styles: tuple[str, ...] | None
) -> Conditions:
    """Draw the conditions of a frame from a preset."""
    ranges = _RANGES[difficulty]
    real = {key: float(draw.uniform(low, high)) for key, (low, high) in ranges.items()}
    whole = {
        key: int(draw.integers(int(ranges[key][0]), int(ranges[key][1]) + 1))
        for key in ("notes_count", "glare_count", "fingers_count", "decoys_count")
    }
    is_learning = difficulty == "learning"
    return Conditions(
        styles=styles or tuple(STYLES),
        size_px=FULL_CROP,
        notes_count=whole["notes_count"],
        pixels_per_line=real["pixels_per_line"],
        focal_px=float(draw.choice([3386.0, 3871.0, 2900.0])),
        tilt_deg=real["tilt_deg"],
        tilt_towards_deg=float(draw.uniform(0, 360)),
        curl_radius_mm=1 / real["curl"] if real["curl"] > 0.001 else 0.0,
        roll_deg=float(draw.uniform(-10, 10)) if is_learning else None,
        defocus_px=real["defocus_px"],
        soft_px=float(draw.uniform(0.35, 0.6)),
        motion_px=real["motion_px"],
        motion_deg=float(draw.uniform(0, 180)),
        light=real["light"],
        shadow=real["shadow"],
        glare_count=whole["glare_count"],
        fingers_count=whole["fingers_count"],
        decoys_count=whole["decoys_count"],
        full_electrons=real["full_electrons"],
        jpeg_quality=round(real["jpeg_quality"]),
        sharpening=float(draw.choice([0.0, 0.0, 0.4])),
        dpi=int(draw.choice([300, 600])),
    )
