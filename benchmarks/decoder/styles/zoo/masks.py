"""Masks drawn at random, to fit a head."""

from __future__ import annotations

import numpy as np

from benchmarks.decoder.styles.zoo.heads import Head, Outlines, inked
from companion.printing.art import ellipse, mirror, polygon, smooth

NARROW = ("domino", "band", "visor", "swoop")
SHAPES = ("domino", "band", "half", "goggles", "wings", "visor", "scarf", "swoop")


def _domino(w: float, y: float, m: float) -> Outlines:
    return [
        smooth(
            (-w, y - m), (-0.5 * w, y - 1.15 * m), (0, y - 0.6 * m),
            (0.5 * w, y - 1.15 * m), (w, y - m), (0.95 * w, y + 0.6 * m),
            (0.45 * w, y + 1.15 * m), (0, y + 0.3 * m), (-0.45 * w, y + 1.15 * m),
            (-0.95 * w, y + 0.6 * m),
        )
    ]  # fmt: skip


def _band(w: float, y: float, m: float) -> Outlines:
    return [polygon((-w, y - m), (w, y - m), (w, y + m), (-w, y + m))]


def _half(w: float, y: float, m: float) -> Outlines:
    return [
        polygon(
            (-w, y - m), (w, y - m), (0.95 * w, y + 1.2 * m), (0.45 * w, y + 2.0 * m),
            (0.15 * w, y + 1.0 * m), (-0.15 * w, y + 1.0 * m),
            (-0.45 * w, y + 2.0 * m), (-0.95 * w, y + 1.2 * m),
        )
    ]  # fmt: skip


def _wings(w: float, y: float, m: float) -> Outlines:
    wing = smooth(
        (0, y - 0.3 * m), (0.5 * w, y - 0.8 * m), (1.12 * w, y - 1.9 * m),
        (0.95 * w, y + 0.5 * m), (0.45 * w, y + 1.1 * m), (0, y + 0.5 * m),
    )  # fmt: skip
    return [wing, mirror(wing)]


def _visor(w: float, y: float, m: float) -> Outlines:
    return [
        smooth(
            (-w, y - m),
            (0, y - 1.2 * m),
            (w, y - m),
            (w, y + m),
            (0, y + 1.2 * m),
            (-w, y + m),
        )
    ]


def _swoop(w: float, y: float, m: float) -> Outlines:
    return [
        polygon(
            (-1.05 * w, y - 1.3 * m), (0, y - 0.4 * m), (1.05 * w, y - 1.3 * m),
            (0.9 * w, y + 0.7 * m), (0.4 * w, y + 1.1 * m), (0, y + 0.5 * m),
            (-0.4 * w, y + 1.1 * m), (-0.9 * w, y + 0.7 * m),
        )
    ]  # fmt: skip


HALF, HALF_NARROW = (0.085, 0.15), (0.045, 0.085)
"""Half the height of a mask, in heads' own units, and that of a narrow one."""

WORN = {
    "domino": _domino,
    "band": _band,
    "half": _half,
    "wings": _wings,
    "visor": _visor,
    "swoop": _swoop,
}


def _goggles(head: Head, m: float) -> Outlines:
    x, y = head.eye
    lens = ellipse((x, y), (min(1.05 * x, 1.5 * m), 1.3 * m), ink=head.ink)
    strap = polygon(*_corners(head.width(y) * 1.02, y, 0.35 * m), ink=head.ink)
    return [strap, lens, mirror(lens)]


def _corners(w: float, y: float, m: float) -> tuple[tuple[float, float], ...]:
    return ((-w, y - m), (w, y - m), (w, y + m), (-w, y + m))


def _scarf(draw: np.random.Generator, head: Head) -> Outlines:
    """A cloth over nose and mouth; the eyes stay free."""
    y = head.eye[1] + head.half[1] * float(draw.uniform(0.28, 0.4))
    w = head.width(y) * 1.03
    low = head.half[1] * float(draw.uniform(0.85, 1.12))
    return [
        polygon(
            (-w, y),
            (0, y - 0.05),
            (w, y),
            (0.55 * w, 0.6 * low),
            (0, low),
            (-0.55 * w, 0.6 * low),
            ink=head.ink,
        )
    ]


def _holes(draw: np.random.Generator, head: Head, m: float) -> Outlines:
    """Eye holes, with or without pupils; none on some."""
    x, y = head.eye
    kind = str(draw.choice(["none", "oval", "oval", "slit", "pupil"]))
    if kind == "none":
        return []
    wide = min(0.6 * x, float(draw.uniform(0.05, 0.085)))
    tall = {"oval": 0.45 * m, "slit": 0.3 * m, "pupil": 0.6 * m}[kind]
    lean = float(draw.uniform(-20, 20))
    parts = [ellipse((x, y), (wide, tall), lean, ink=not head.ink)]
    if kind == "pupil":
        parts.append(ellipse((x, y), (0.45 * wide, 0.5 * tall), ink=head.ink))
    return [*parts, *map(mirror, parts)]


def _ties(draw: np.random.Generator, head: Head) -> Outlines:
    """The mask's ends, tied at one side of the head."""
    side = float(draw.choice([-1, 1]))
    x, y = side * head.width(head.eye[1]), head.eye[1]
    ends = ((-0.12, -0.02), (0.06, 0.14))
    return [
        polygon(
            (x * 0.95, y - 0.03),
            (x + side * 0.15, y + up),
            (x + side * 0.13, y + low),
            (x * 0.95, y + 0.03),
        )
        for up, low in ends
    ]


def mask(
    draw: np.random.Generator, head: Head, eyes: Outlines, *, is_narrow: bool
) -> tuple[str, Outlines]:
    """Some mask's shape and outlines; with *eyes* where it leaves them free.

    A mask is 30 to 48 % of the head high as a rule; a narrow one, 12 to 25 %.
    """
    shape = str(draw.choice(NARROW if is_narrow else SHAPES))
    m = float(draw.uniform(*(HALF_NARROW if is_narrow else HALF)))
    if shape == "scarf":
        return shape, [*eyes, *_scarf(draw, head)]
    if shape == "goggles":
        return shape, [*_goggles(head, m), *_holes(draw, head, m)]
    wide = head.width(head.eye[1]) * float(draw.uniform(0.96, 1.05))
    worn = [inked(part, head.ink) for part in WORN[shape](wide, head.eye[1], m)]
    ties = _ties(draw, head) if draw.random() < 0.25 and head.ink else []
    return shape, [*worn, *_holes(draw, head, m), *ties]
