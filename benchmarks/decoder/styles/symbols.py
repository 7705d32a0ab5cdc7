"""Small pictures for the other styles; none is shared with the house deck."""

from __future__ import annotations

import math

from companion.printing.art import Drawing, ellipse, polygon, smooth


def star(points: int, inner: float) -> Drawing:
    """A star of so many points; *inner* is the radius of its notches."""
    radii = (0.48, inner)
    corners = tuple(
        (radii[i % 2] * math.sin(a), -radii[i % 2] * math.cos(a))
        for i, a in ((i, math.pi * i / points) for i in range(2 * points))
    )
    return Drawing(f"star {points}", (polygon(*corners),))


ANCHOR = Drawing(
    "anchor",
    (
        ellipse((0, -0.36), (0.13, 0.13)),
        ellipse((0, -0.36), (0.06, 0.06), ink=False),
        polygon((-0.05, -0.26), (0.05, -0.26), (0.05, 0.4), (-0.05, 0.4)),
        polygon((-0.22, -0.18), (0.22, -0.18), (0.22, -0.08), (-0.22, -0.08)),
        smooth(
            (-0.42, 0.1),
            (-0.3, 0.25),
            (0, 0.34),
            (0.3, 0.25),
            (0.42, 0.1),
            (0.34, 0.36),
            (0, 0.5),
            (-0.34, 0.36),
        ),
    ),
)
FISH = Drawing(
    "fish",
    (
        smooth(
            (-0.46, 0), (-0.2, -0.24), (0.14, -0.2), (0.3, 0), (0.14, 0.2), (-0.2, 0.24)
        ),
        polygon((0.2, 0), (0.48, -0.26), (0.42, 0), (0.48, 0.26)),
        ellipse((-0.26, -0.05), (0.05, 0.05), ink=False),
    ),
)
HEART = Drawing(
    "heart",
    (
        smooth(
            (0, -0.2),
            (0.2, -0.4),
            (0.44, -0.22),
            (0.34, 0.1),
            (0, 0.46),
            (-0.34, 0.1),
            (-0.44, -0.22),
            (-0.2, -0.4),
        ),
    ),
)
CUP = Drawing(
    "cup",
    (
        polygon((-0.32, -0.3), (0.22, -0.3), (0.14, 0.3), (-0.24, 0.3)),
        ellipse((0.26, -0.04), (0.2, 0.2)),
        ellipse((0.26, -0.04), (0.1, 0.1), ink=False),
        polygon((-0.28, -0.28), (0.18, -0.28), (0.12, 0.28), (-0.22, 0.28)),
        polygon((-0.4, 0.34), (0.3, 0.34), (0.3, 0.44), (-0.4, 0.44)),
    ),
)
TREE = Drawing(
    "tree",
    (
        polygon((0, -0.48), (0.24, -0.14), (-0.24, -0.14)),
        polygon((0, -0.26), (0.34, 0.2), (-0.34, 0.2)),
        polygon((-0.07, 0.18), (0.07, 0.18), (0.07, 0.46), (-0.07, 0.46)),
    ),
)
BELL = Drawing(
    "bell",
    (
        smooth(
            (0, -0.44),
            (0.2, -0.3),
            (0.24, 0.08),
            (0.4, 0.3),
            (0, 0.33),
            (-0.4, 0.3),
            (-0.24, 0.08),
            (-0.2, -0.3),
        ),
        ellipse((0, 0.4), (0.1, 0.09)),
    ),
)
MOON = Drawing(
    "moon",
    (ellipse((0, 0), (0.44, 0.44)), ellipse((0.2, -0.1), (0.36, 0.36), ink=False)),
)
GEM = Drawing(
    "gem",
    (
        polygon(
            (-0.28, -0.34), (0.28, -0.34), (0.46, -0.08), (0, 0.44), (-0.46, -0.08)
        ),
        polygon((-0.36, -0.1), (0.36, -0.1), (0.33, -0.03), (-0.33, -0.03), ink=False),
    ),
)
ARROW = Drawing(
    "arrow",
    (
        polygon(
            (0.48, 0),
            (0.1, -0.36),
            (0.1, -0.14),
            (-0.46, -0.14),
            (-0.46, 0.14),
            (0.1, 0.14),
            (0.1, 0.36),
        ),
    ),
)
WRENCH = Drawing(
    "wrench",
    (
        polygon((-0.09, -0.2), (0.09, -0.2), (0.09, 0.48), (-0.09, 0.48)),
        ellipse((0, -0.26), (0.24, 0.24)),
        polygon((-0.1, -0.52), (0.1, -0.52), (0.1, -0.22), (-0.1, -0.22), ink=False),
    ),
)
GEAR = Drawing(
    "gear",
    (star(9, 0.36).outlines[0], ellipse((0, 0), (0.16, 0.16), ink=False)),
)
