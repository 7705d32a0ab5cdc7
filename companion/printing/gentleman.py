"""The built-in deck's drawings: a gentleman with a top hat, his mask, and symbols.

They were drawn for this project in the style of its mark: a tall tapering hat, a brim
that curls up, a shield-shaped face, a moustache and a pointed beard. They are bold on
purpose: only some twenty lines of the print cross a face 8 mm high. Points are x and y
of ``art.py``: a drawing is one unit high around (0, 0), with y down.
"""

from __future__ import annotations

from companion.printing.art import Drawing, Outline, ellipse, mirror, polygon, smooth


def _with_mirror_image(outline: Outline) -> tuple[Outline, Outline]:
    return outline, mirror(outline)


_HAT = (
    polygon((-0.19, -0.5), (0.19, -0.5), (0.165, -0.12), (-0.165, -0.12)),
    polygon(
        (-0.174, -0.25), (0.174, -0.25), (0.168, -0.18), (-0.168, -0.18), ink=False
    ),
    smooth(
        (-0.36, -0.20),
        (-0.2, -0.145),
        (0.0, -0.13),
        (0.2, -0.145),
        (0.36, -0.20),
        (0.34, -0.11),
        (0.2, -0.06),
        (0.0, -0.04),
        (-0.2, -0.06),
        (-0.34, -0.11),
    ),
)
_HEAD = (
    smooth(
        (-0.27, -0.08),
        (0.0, -0.04),
        (0.27, -0.08),
        (0.275, 0.12),
        (0.2, 0.34),
        (0.0, 0.5),
        (-0.2, 0.34),
        (-0.275, 0.12),
    ),
    smooth(
        (-0.215, -0.06),
        (0.0, -0.03),
        (0.215, -0.06),
        (0.22, 0.12),
        (0.155, 0.31),
        (0.0, 0.43),
        (-0.155, 0.31),
        (-0.22, 0.12),
        ink=False,
    ),
)
_MOUSTACHE = (
    *_with_mirror_image(
        smooth(
            (0.0, 0.19),
            (0.09, 0.165),
            (0.17, 0.2),
            (0.25, 0.15),
            (0.215, 0.25),
            (0.12, 0.285),
            (0.0, 0.255),
        )
    ),
    smooth((-0.045, 0.335), (0.045, 0.335), (0.03, 0.43), (0.0, 0.49), (-0.03, 0.43)),
)
_EYES = _with_mirror_image(ellipse((0.095, 0.065), (0.033, 0.045)))
_MASK = (
    smooth(
        (-0.3, -0.02),
        (-0.13, -0.035),
        (0.0, 0.005),
        (0.13, -0.035),
        (0.3, -0.02),
        (0.27, 0.115),
        (0.15, 0.16),
        (0.045, 0.115),
        (0.0, 0.085),
        (-0.045, 0.115),
        (-0.15, 0.16),
        (-0.27, 0.115),
    ),
    *_with_mirror_image(ellipse((0.115, 0.055), (0.05, 0.03), ink=False)),
)

PLAIN = Drawing("gentleman", (*_HEAD, *_HAT, *_EYES, *_MOUSTACHE))
"""The face without a mask: the note is real."""

MASKED = Drawing("masked gentleman", (*_HEAD, *_HAT, *_MASK, *_MOUSTACHE))
"""The face with a mask: the note is fake."""

SYMBOLS = (
    Drawing(
        "hat",
        (
            polygon((-0.22, -0.45), (0.22, -0.45), (0.19, 0.28), (-0.19, 0.28)),
            smooth(
                (-0.45, 0.2),
                (0.0, 0.3),
                (0.45, 0.2),
                (0.4, 0.36),
                (0.0, 0.46),
                (-0.4, 0.36),
            ),
            polygon(
                (-0.2, 0.06), (0.2, 0.06), (0.195, 0.17), (-0.195, 0.17), ink=False
            ),
        ),
    ),
    Drawing(
        "dog",
        (
            smooth(
                (-0.4, -0.02),
                (-0.1, -0.06),
                (0.22, -0.06),
                (0.3, 0.05),
                (0.28, 0.18),
                (-0.3, 0.2),
                (-0.4, 0.12),
            ),
            polygon((-0.36, 0.1), (-0.24, 0.1), (-0.25, 0.46), (-0.36, 0.46)),
            polygon((0.14, 0.1), (0.28, 0.1), (0.26, 0.46), (0.15, 0.46)),
            smooth(
                (0.12, -0.3),
                (0.26, -0.36),
                (0.5, -0.24),
                (0.5, -0.13),
                (0.3, -0.06),
                (0.2, 0.06),
                (0.12, -0.05),
            ),
            polygon((0.1, -0.36), (0.22, -0.36), (0.14, -0.06), (0.04, -0.1)),
            smooth(
                (-0.36, 0.04),
                (-0.48, -0.2),
                (-0.42, -0.34),
                (-0.4, -0.2),
                (-0.3, -0.02),
            ),
        ),
    ),
    Drawing(
        "car",
        (
            smooth(
                (-0.5, 0.05),
                (-0.34, -0.03),
                (0.34, -0.02),
                (0.5, 0.08),
                (0.48, 0.24),
                (-0.48, 0.24),
            ),
            polygon((-0.3, 0.0), (-0.2, -0.28), (0.12, -0.28), (0.26, 0.0)),
            polygon(
                (-0.2, -0.02), (-0.14, -0.2), (-0.03, -0.2), (-0.03, -0.02), ink=False
            ),
            ellipse((-0.28, 0.24), (0.14, 0.14)),
            ellipse((0.28, 0.24), (0.14, 0.14)),
            ellipse((-0.28, 0.24), (0.06, 0.06), ink=False),
            ellipse((0.28, 0.24), (0.06, 0.06), ink=False),
        ),
    ),
    Drawing(
        "house",
        (
            polygon((0.0, -0.46), (0.48, -0.04), (-0.48, -0.04)),
            polygon((-0.34, -0.06), (0.34, -0.06), (0.34, 0.44), (-0.34, 0.44)),
            polygon((0.2, -0.44), (0.32, -0.44), (0.32, -0.1), (0.2, -0.1)),
            polygon((-0.08, 0.14), (0.1, 0.14), (0.1, 0.44), (-0.08, 0.44), ink=False),
        ),
    ),
    Drawing(
        "dollar",
        (
            polygon((-0.05, -0.5), (0.05, -0.5), (0.05, 0.5), (-0.05, 0.5)),
            smooth(
                (0.27, -0.22),
                (0.0, -0.4),
                (-0.28, -0.2),
                (-0.1, 0.02),
                (0.1, 0.1),
                (0.12, 0.2),
                (0.0, 0.27),
                (-0.27, 0.16),
                (-0.28, 0.28),
                (0.0, 0.4),
                (0.28, 0.2),
                (0.12, -0.02),
                (-0.1, -0.11),
                (-0.12, -0.2),
                (0.0, -0.27),
                (0.24, -0.14),
            ),
        ),
    ),
    Drawing(
        "key",
        (
            ellipse((-0.24, 0.0), (0.24, 0.24)),
            ellipse((-0.28, 0.0), (0.1, 0.1), ink=False),
            polygon(
                (-0.05, -0.07),
                (0.5, -0.07),
                (0.5, 0.25),
                (0.38, 0.25),
                (0.38, 0.07),
                (0.28, 0.07),
                (0.28, 0.2),
                (0.16, 0.2),
                (0.16, 0.07),
                (-0.05, 0.07),
            ),
        ),
    ),
    Drawing(
        "ship",
        (
            polygon((-0.46, 0.16), (0.46, 0.16), (0.32, 0.42), (-0.32, 0.42)),
            polygon((-0.03, -0.46), (0.05, -0.46), (0.05, 0.18), (-0.03, 0.18)),
            polygon((0.09, -0.4), (0.42, 0.1), (0.09, 0.1)),
            polygon((-0.07, -0.3), (-0.07, 0.1), (-0.36, 0.1)),
        ),
    ),
    Drawing(
        "coin",
        (
            ellipse((0.0, 0.0), (0.42, 0.42)),
            ellipse((0.0, 0.0), (0.31, 0.31), ink=False),
            polygon((0.0, -0.24), (0.1, 0.0), (0.0, 0.24), (-0.1, 0.0)),
        ),
    ),
)
"""Drawings scattered between the faces, so that faces are not the only shapes."""
