"""A pair of faces drawn at random: the same one without and with a mask."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.decoder.styles.zoo.heads import (
    Head,
    Outlines,
    behind,
    crest,
    drawn_head,
    eyes,
    features,
    skull,
)
from benchmarks.decoder.styles.zoo.masks import mask
from companion.printing.art import Drawing, Outline, Placed, paint

AREA = (0.05, 0.25)
"""Least and most of the face's box that a mask changes."""

SEEN_MIN = 0.035
"""Least share of the box that still differs after a blur of half a line."""

NARROW_SHARE = 0.35
"""Share of these two that suffices where the mask is narrow."""

WIDTH = (0.55, 1.0)
"""Least and most width of a face, in heights."""

PIXELS = 64
"""Rows in which faces are compared."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One face without and with its mask, in one box.

    Attributes:
        width: Of both, in heights.
        area: Share of the box that the mask changes.
        traits: Words for what was drawn, such as "animal", "solid", "domino".
    """

    plain: Drawing
    masked: Drawing
    width: float
    area: float
    traits: tuple[str, ...]


def _boxed(outlines: Outlines, middle: tuple[float, float], scale: float) -> Outlines:
    return [
        Outline(
            tuple(
                ((x - middle[0]) * scale, (y - middle[1]) * scale) for x, y in o.points
            ),
            o.is_ink,
        )
        for o in outlines
    ]


def _extent(outlines: Outlines) -> tuple[float, float, float, float]:
    points = np.concatenate([np.asarray(o.points) for o in outlines if o.is_ink])
    (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)


def shown(drawing: Drawing, width: float, line: float = 0.0) -> NDArray[np.float32]:
    """A drawing in its box: (PIXELS, columns) float32, blurred by *line* heights."""
    placed = Placed(drawing, width / 2, 0.5, 1.0)
    fine = paint([placed], (width, 1.0), PIXELS * 4.0).astype(np.float32)
    size = (max(1, round(width * PIXELS)), PIXELS)
    picture = cv2.resize(fine, size, interpolation=cv2.INTER_AREA)
    if line:
        picture = cv2.GaussianBlur(picture, (0, 0), line * PIXELS)
    return np.asarray(picture, np.float32)


def _paired(
    parts: tuple[Outlines, Outlines], line: float, least: float, traits: tuple[str, ...]
) -> Pair | None:
    """Both faces in one box; None if they are no faces that can be told apart.

    *least* is the share of AREA and SEEN_MIN that must differ.
    """
    x0, y0, x1, y1 = _extent([*parts[0], *parts[1]])
    width = (x1 - x0) / (y1 - y0)
    if not WIDTH[0] <= width <= WIDTH[1]:
        return None
    middle, scale = ((x0 + x1) / 2, (y0 + y1) / 2), 1 / (y1 - y0)
    plain, masked = (
        Drawing(name, tuple(_boxed(part, middle, scale)))
        for name, part in zip(("face", "masked face"), parts, strict=True)
    )
    area = float(np.abs(shown(masked, width) - shown(plain, width)).mean())
    soft = np.abs(shown(masked, width, line / 2) - shown(plain, width, line / 2))
    seen = float((soft > 0.5).mean())
    if not least * AREA[0] <= area <= AREA[1] or seen < least * SEEN_MIN:
        return None
    return Pair(plain, masked, width, area, traits)


def _masked(
    draw: np.random.Generator,
    head: Head,
    line: float,
    *,
    is_animal: bool,
    is_narrow: bool,
) -> Pair | None:
    under = [*behind(draw, head, is_animal=is_animal), *skull(head)]
    middle = features(draw, head, is_animal=is_animal)
    over = crest(draw, head, is_animal=is_animal)
    looking = eyes(draw, head)
    shape, worn = mask(draw, head, looking, is_narrow=is_narrow)
    traits = (
        "animal" if is_animal else "person",
        "solid" if head.is_solid else "drawn in lines",
        shape,
    )
    plain = [*under, *middle, *looking, *over]
    masked = [*under, *middle, *worn, *over]
    share = NARROW_SHARE if is_narrow else 1.0
    return _paired((plain, masked), line, share, traits)


def pair(draw: np.random.Generator, line: float, *, is_narrow: bool = False) -> Pair:
    """A face and its mask; strokes are at least *line* heights wide.

    What came out too wide, or with a mask that changes too little or too much, is
    drawn again.
    """
    while True:
        is_animal = bool(draw.random() < 0.3)
        head = drawn_head(draw, max(0.06, line))
        made = _masked(draw, head, line, is_animal=is_animal, is_narrow=is_narrow)
        if made is not None:
            return made
