"""Heads drawn at random: builds, features, hair, hats.

A head's middle is at (0, 0), x right and y down, in units of about the face's height;
`faces.py` brings what is drawn to a box one unit high.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from companion.printing.art import Outline, Point, ellipse, mirror, polygon, smooth

Outlines = list[Outline]

BUILDS = {
    "ellipse": (2.0, 0.0),
    "egg": (2.2, -0.22),
    "pear": (2.3, 0.2),
    "square": (4.5, 0.0),
    "jaw": (3.2, 0.12),
    "wedge": (2.4, -0.4),
}
"""Power of the superellipse, and how much wider it becomes towards the chin."""


@dataclass(frozen=True, slots=True)
class Head:
    """What all parts of one face share.

    Attributes:
        half: Half width and half height.
        power: Of the superellipse: 2 is an ellipse, more is squarer.
        taper: Growth of the width towards the chin, negative for an egg.
        is_solid: Filled with ink, features in paper; else drawn in lines.
        line: Width of a stroke.
        eye: Right eye's place.
        eye_size: Radius of an eye.
    """

    half: Point
    power: float
    taper: float
    is_solid: bool
    line: float
    eye: Point
    eye_size: float

    @property
    def ink(self) -> bool:
        """Whether features are drawn in ink."""
        return not self.is_solid

    def width(self, y: float) -> float:
        """Half the head's width at height *y*."""
        inside = 1 - min(1.0, abs(y / self.half[1])) ** self.power
        straight = self.half[0] * float(inside ** (1 / self.power))
        return straight * (1 + self.taper * y / self.half[1])

    def around(self, grow: float = 0.0, top: float = -1, low: float = 1) -> Outline:
        """Its outline, *grow* larger, cut at shares *top* and *low* of its height."""
        steps = np.linspace(top, low, 41) * self.half[1]
        right = [
            (max(0.0, self.width(y) + grow), y * (1 + grow / self.half[1]))
            for y in steps
        ]
        left = [(-x, y) for x, y in reversed(right)]
        return Outline((*right, *left), is_ink=True)


def paper(outline: Outline) -> Outline:
    """The same outline filled with paper."""
    return Outline(outline.points, is_ink=False)


def inked(outline: Outline, is_ink: bool) -> Outline:
    """The same outline, filled as said."""
    return Outline(outline.points, is_ink)


def stroke(*points: Point, width: float, ink: bool = True) -> Outlines:
    """A line of *width* through points, with round ends and joints."""
    parts: Outlines = []
    for (x0, y0), (x1, y1) in pairwise(points):
        length = math.hypot(x1 - x0, y1 - y0) or 1.0
        u, v = -(y1 - y0) / length * width / 2, (x1 - x0) / length * width / 2
        parts.append(
            polygon(
                (x0 + u, y0 + v),
                (x1 + u, y1 + v),
                (x1 - u, y1 - v),
                (x0 - u, y0 - v),
                ink=ink,
            )
        )
    dots = [ellipse(p, (width / 2, width / 2), ink=ink) for p in points]
    return [*parts, *dots]


def drawn_head(draw: np.random.Generator, line: float) -> Head:
    """A head of some build; *line* is the thinnest stroke that shows."""
    build = str(draw.choice(list(BUILDS)))
    power, taper = BUILDS[build]
    half = (float(draw.uniform(0.28, 0.38)), float(draw.uniform(0.34, 0.44)))
    if draw.random() < 0.2:
        half = (half[1], half[1])
    return Head(
        half=half,
        power=power,
        taper=taper,
        is_solid=bool(draw.random() < 0.25),
        line=line * float(draw.uniform(1.0, 1.5)),
        eye=(half[0] * draw.uniform(0.38, 0.48), half[1] * draw.uniform(-0.25, 0.02)),
        eye_size=max(0.75 * line, float(draw.uniform(0.035, 0.055))),
    )


def skull(head: Head) -> Outlines:
    """The head itself: filled, or as a line."""
    around = head.around()
    return [around] if head.is_solid else [around, paper(head.around(-head.line))]


def eyes(draw: np.random.Generator, head: Head) -> Outlines:
    """Eyes of a plain face, with brows or glasses on some."""
    x, y = head.eye
    r = head.eye_size
    style = str(draw.choice(["dots", "tall", "wide", "lids", "brows", "glasses"]))
    size = {"tall": (r, 1.5 * r), "wide": (1.5 * r, 0.9 * r)}.get(style, (r, r))
    parts = [ellipse((x, y), size, ink=head.ink)]
    if style == "lids":
        parts += stroke((x - 2 * r, y - r), (x + 2 * r, y - r), width=r, ink=head.ink)
    elif style == "brows":
        tilt = float(draw.uniform(-0.04, 0.04))
        brow = ((x - 0.08, y - 2.2 * r + tilt), (x + 0.08, y - 2.2 * r))
        parts += stroke(*brow, width=0.9 * r, ink=head.ink)
    elif style == "glasses":
        rim = min(0.95 * x, 2.4 * r)
        thin = 0.7 * head.line
        parts = [
            ellipse((x, y), (rim, rim), ink=head.ink),
            ellipse((x, y), (rim - thin, rim - thin), ink=not head.ink),
            *stroke((0, y), (x - rim, y), width=thin, ink=head.ink),
            *parts,
        ]
    return [*parts, *map(mirror, parts)]


def _nose(draw: np.random.Generator, head: Head) -> Outlines:
    y = head.eye[1] + head.half[1] * float(draw.uniform(0.3, 0.42))
    size = max(head.line * 0.7, 0.045)
    kind = str(draw.choice(["dot", "wedge", "bar", "hook", "none"]))
    if kind == "dot":
        return [ellipse((0, y), (size, 0.8 * size), ink=head.ink)]
    if kind == "wedge":
        return [
            polygon((0, y - 2 * size), (1.3 * size, y), (-1.3 * size, y), ink=head.ink)
        ]
    if kind == "bar":
        return stroke((0, y - 2 * size), (0, y), width=0.8 * head.line, ink=head.ink)
    if kind == "hook":
        bridge = ((0.3 * size, y - 2.2 * size), (1.4 * size, y), (-0.4 * size, y))
        return stroke(*bridge, width=0.7 * head.line, ink=head.ink)
    return []


def _mouth(draw: np.random.Generator, head: Head) -> Outlines:
    y = head.half[1] * float(draw.uniform(0.5, 0.62))
    w = head.width(y) * float(draw.uniform(0.3, 0.55))
    bow = float(draw.uniform(-0.03, 0.07))
    kind = str(draw.choice(["smile", "lips", "open", "teeth", "none"]))
    if kind == "smile":
        arc = ((-w, y - bow), (-0.5 * w, y), (0.5 * w, y), (w, y - bow))
        return stroke(*arc, width=0.8 * head.line, ink=head.ink)
    if kind == "lips":
        lips = smooth((-w, y), (0, y - 0.035), (w, y), (0, y + 0.06), ink=head.ink)
        return [lips]
    if kind == "open":
        return [ellipse((0, y), (0.6 * w, 0.05), ink=head.ink)]
    if kind == "teeth":
        box = [(-w, y - 0.05), (w, y - 0.05), (w, y + 0.05), (-w, y + 0.05)]
        gap = 0.6 * head.line
        bars = [
            stroke((x, y - 0.06), (x, y + 0.06), width=gap, ink=not head.ink)
            for x in (-w / 2, 0, w / 2)
        ]
        return [polygon(*box, ink=head.ink), *(part for bar in bars for part in bar)]
    return []


def _beard(draw: np.random.Generator, head: Head) -> Outlines:
    """A beard, a moustache, both or neither."""
    kind = str(draw.choice(["none", "none", "full", "goatee", "moustache", "walrus"]))
    low = head.half[1]
    y = head.eye[1] + 0.45 * low
    parts: Outlines = []
    if kind == "full" and not head.is_solid:
        parts.append(head.around(float(draw.uniform(0.01, 0.05)), top=0.42))
        parts.append(ellipse((0, 0.6 * low), (0.09, 0.04), ink=False))
    elif kind == "goatee":
        w = float(draw.uniform(0.08, 0.13))
        tip = low + float(draw.uniform(0.0, 0.08))
        goatee = smooth(
            (-w, 0.72 * low), (w, 0.72 * low), (0.4 * w, tip), (-0.4 * w, tip)
        )
        parts.append(inked(goatee, head.ink))
    elif kind in ("moustache", "walrus"):
        w = head.width(y) * float(draw.uniform(0.45, 0.85))
        droop = 0.12 if kind == "walrus" else float(draw.uniform(-0.06, 0.04))
        wing = smooth(
            (0, y - 0.02),
            (0.5 * w, y - 0.04),
            (w, y + droop),
            (0.4 * w, y + 0.07),
            (0, y + 0.05),
        )
        parts += [inked(wing, head.ink), mirror(inked(wing, head.ink))]
    return parts


def _muzzle(draw: np.random.Generator, head: Head) -> Outlines:
    """An animal's nose, mouth and whiskers."""
    y = head.half[1] * float(draw.uniform(0.3, 0.45))
    r = float(draw.uniform(0.05, 0.08))
    nose = str(draw.choice(["ellipse", "wedge", "snout"]))
    thin = 0.7 * head.line
    parts: Outlines = []
    if nose == "snout":
        parts.append(ellipse((0, y), (2 * r, 1.4 * r), ink=head.ink))
        nostril = ellipse((0.8 * r, y), (0.45 * r, 0.6 * r), ink=not head.ink)
        return [*parts, nostril, mirror(nostril)]
    if nose == "ellipse":
        parts.append(ellipse((0, y), (1.3 * r, r), ink=head.ink))
    else:
        parts.append(
            polygon((-1.4 * r, y - r), (1.4 * r, y - r), (0, y + r), ink=head.ink)
        )
    parts += stroke((0, y), (0, y + 2.2 * r), width=thin, ink=head.ink)
    half_mouth = stroke(
        (0, y + 2.2 * r), (1.8 * r, y + 2.6 * r), width=thin, ink=head.ink
    )
    parts += [*half_mouth, *map(mirror, half_mouth)]
    if draw.random() < 0.6:
        reach = head.width(y) * float(draw.uniform(1.05, 1.25))
        for fall in (-0.05, 0.06):
            hair = stroke((2.4 * r, y + 0.01), (reach, y + fall), width=thin)
            parts += [*hair, *map(mirror, hair)] if head.ink else []
    return parts


def features(draw: np.random.Generator, head: Head, *, is_animal: bool) -> Outlines:
    """Everything on the face that is neither eyes nor mask."""
    if is_animal:
        return _muzzle(draw, head)
    return [*_mouth(draw, head), *_beard(draw, head), *_nose(draw, head)]


def _pointed(draw: np.random.Generator, head: Head) -> Outlines:
    w, top = head.width(-0.6 * head.half[1]), head.half[1]
    tip = (w * float(draw.uniform(0.9, 1.3)), -top - float(draw.uniform(0.06, 0.2)))
    ear = polygon((0.25 * w, -0.8 * top), tip, (1.25 * w, -0.35 * top))
    return [ear]


def _round_ears(draw: np.random.Generator, head: Head) -> Outlines:
    at = (head.width(-0.7 * head.half[1]) * 1.1, -0.85 * head.half[1])
    r = float(draw.uniform(0.1, 0.16))
    return [ellipse(at, (r, r)), ellipse(at, (0.45 * r, 0.45 * r), ink=False)]


def _long_ears(draw: np.random.Generator, head: Head) -> Outlines:
    length = float(draw.uniform(0.16, 0.26))
    at = (0.4 * head.half[0], -head.half[1] - 0.5 * length)
    turn = float(draw.uniform(0, 22))
    return [
        ellipse(at, (0.09, length), turn),
        ellipse(at, (0.035, 0.6 * length), turn, ink=False),
    ]


def _floppy_ears(draw: np.random.Generator, head: Head) -> Outlines:
    at = (head.half[0] * 1.02, -0.1 * head.half[1])
    return [
        ellipse(at, (0.1, float(draw.uniform(0.2, 0.3))), float(draw.uniform(-25, 0)))
    ]


def behind(draw: np.random.Generator, head: Head, *, is_animal: bool) -> Outlines:
    """What the head covers: ears, long hair, a collar."""
    parts: Outlines = []
    if is_animal:
        ears = (_pointed, _round_ears, _long_ears, _floppy_ears)[int(draw.integers(4))]
        part = ears(draw, head)
        return [*part, *map(mirror, part)]
    if draw.random() < 0.4:
        ear = ellipse(
            (head.width(head.eye[1]) + 0.02, head.eye[1] + 0.06), (0.06, 0.09)
        )
        parts += [ear, mirror(ear)]
    if draw.random() < 0.2:
        parts.append(ellipse((0, 0.05), (head.half[0] + 0.09, head.half[1] + 0.04)))
    low = head.half[1]
    kind = str(draw.choice(["none", "none", "bow", "collar", "shoulders"]))
    if kind == "bow":
        wing = polygon((0, low + 0.05), (0.17, low - 0.02), (0.17, low + 0.14))
        parts += [wing, mirror(wing)]
    elif kind == "collar":
        flap = polygon((0, low + 0.02), (0.24, low - 0.06), (0.14, low + 0.14))
        parts += [flap, mirror(flap)]
    elif kind == "shoulders":
        parts.append(smooth((-0.36, low + 0.12), (0, low - 0.1), (0.36, low + 0.12)))
    return parts


def _hair(draw: np.random.Generator, head: Head) -> Outlines:
    """Hair on a bare head; none on some."""
    kind = str(draw.choice(["bald", "cap", "curls", "spikes", "parting", "tuft"]))
    low = -float(draw.uniform(0.45, 0.6))
    top = head.half[1]
    if kind == "cap":
        return [head.around(0.04, low=low)]
    if kind == "curls":
        turns = np.linspace(200, 340, int(draw.integers(5, 8)))
        r = float(draw.uniform(0.08, 0.11))
        return [
            ellipse((1.02 * head.half[0] * math.cos(a), top * math.sin(a)), (r, r))
            for a in np.radians(turns)
        ]
    if kind == "spikes":
        count, w = int(draw.integers(4, 7)), head.width(low * top)
        xs = np.linspace(-w, w, 2 * count + 1)
        teeth = [
            (float(x), -top - 0.1 if i % 2 else 0.95 * low * top)
            for i, x in enumerate(xs)
        ]
        return [polygon(*teeth)]
    if kind == "parting":
        w = head.width(low * top) + 0.03
        return [
            smooth(
                (-w, low * top + 0.08),
                (-0.9 * w, -top),
                (0.2 * w, -top - 0.06),
                (w, -0.8 * top),
                (w, low * top + 0.12),
                (0.5 * w, -0.75 * top),
            )
        ]
    if kind == "tuft":
        return [
            smooth(
                (-0.05, -0.9 * top),
                (-0.12, -top - 0.12),
                (0.02, -top - 0.05),
                (0.12, -top - 0.14),
                (0.07, -0.9 * top),
            )
        ]
    return []


def _hat(draw: np.random.Generator, head: Head) -> Outlines:
    kind = str(
        draw.choice(
            [
                "top",
                "bowler",
                "cap",
                "crown",
                "cone",
                "beret",
                "chef",
                "cowboy",
                "helmet",
                "fez",
            ]
        )
    )
    top, y = head.half[1], -head.half[1] * float(draw.uniform(0.48, 0.62))
    w = head.width(y) * 1.04 + 0.01
    high = float(draw.uniform(0.24, 0.36))
    rim = 0.05 + 0.03 * float(draw.random())
    brim_w = w + float(draw.uniform(0.05, 0.12))
    brim = polygon(
        (-brim_w, y - rim),
        (brim_w, y - rim),
        (brim_w, y + rim / 2),
        (-brim_w, y + rim / 2),
    )
    dome = smooth(
        (-w, y),
        (-0.85 * w, -top - 0.4 * high),
        (0, -top - 0.6 * high),
        (0.85 * w, -top - 0.4 * high),
        (w, y),
    )
    crown_top = -top - high * 0.7
    band = polygon(
        (-w, y - 0.11), (w, y - 0.11), (w, y - rim), (-w, y - rim), ink=False
    )
    if kind == "top":
        flare = float(draw.uniform(0.75, 1.0))
        tube = polygon(
            (-flare * w, crown_top),
            (flare * w, crown_top),
            (0.85 * w, y),
            (-0.85 * w, y),
        )
        return [tube, band, brim]
    if kind == "bowler":
        return [dome, *([band] if draw.random() < 0.5 else []), brim]
    if kind == "cap":
        side = float(draw.choice([-1, 1]))
        peak = polygon(
            (0, y - 0.05),
            (side * (w + 0.16), y),
            (side * (w + 0.14), y + 0.07),
            (0, y + 0.05),
        )
        return [dome, peak]
    if kind == "crown":
        count = int(draw.integers(3, 6))
        xs = np.linspace(-w, w, 2 * count - 1)
        zigzag = [
            (float(x), crown_top if i % 2 == 0 else crown_top + 0.15)
            for i, x in enumerate(xs)
        ]
        return [polygon(*zigzag, (w, y), (-w, y))]
    if kind == "cone":
        tip = (float(draw.uniform(-0.12, 0.12)), -top - high)
        return [polygon((-w - 0.03, y), tip, (w + 0.03, y)), ellipse(tip, (0.06, 0.06))]
    if kind == "beret":
        lean = float(draw.choice([-1, 1]))
        return [ellipse((lean * 0.07, -top + 0.02), (w + 0.1, 0.13), lean * 12)]
    if kind == "chef":
        puffs = [ellipse((x, -top - 0.1), (0.15, 0.13)) for x in (-0.7 * w, 0, 0.7 * w)]
        gap = polygon(
            (-w, y - 0.14), (w, y - 0.14), (w, y - 0.1), (-w, y - 0.1), ink=False
        )
        return [
            *puffs,
            polygon((-w, -top - 0.1), (w, -top - 0.1), (w, y), (-w, y)),
            gap,
        ]
    if kind == "cowboy":
        wide = brim_w + 0.03
        curl = smooth(
            (-wide, y - 0.12),
            (0, y - 0.02),
            (wide, y - 0.12),
            (0.7 * wide, y + 0.05),
            (-0.7 * wide, y + 0.05),
        )
        tube = smooth(
            (-0.8 * w, y),
            (-0.7 * w, crown_top),
            (0, crown_top + 0.08),
            (0.7 * w, crown_top),
            (0.8 * w, y),
        )
        return [tube, curl]
    if kind == "helmet":
        horn = smooth(
            (0.8 * w, -0.9 * top),
            (w + 0.12, -top - 0.02),
            (w + 0.1, -top - 0.24),
            (w - 0.02, -top - 0.06),
        )
        return [dome, horn, mirror(horn)]
    tassel = stroke((0, crown_top), (w + 0.04, crown_top + 0.14), width=0.05)
    return [
        polygon((-0.65 * w, crown_top), (0.65 * w, crown_top), (w, y), (-w, y)),
        *tassel,
    ]


def crest(draw: np.random.Generator, head: Head, *, is_animal: bool) -> Outlines:
    """A hat, hair, or nothing; on a solid head a seam of paper sets it off."""
    if draw.random() < (0.2 if is_animal else 0.55):
        hat = _hat(draw, head)
        y = max(y for part in hat[-1:] for _, y in part.points)
        w = head.width(y)
        seam = stroke((-w, y + 0.02), (w, y + 0.02), width=0.9 * head.line, ink=False)
        return [*(seam if head.is_solid else []), *hat]
    return [] if is_animal or head.is_solid else _hair(draw, head)
