"""Drawings made of outlines, which can be filled at any resolution.

A drawing is one unit high around its centre (0, 0): x to the right, y down, so the top
is at -0.5. Its outlines are painted in order, each with ink (1) or paper (0) inside;
curves are polygons of many edges.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]

MARGIN = 0.06
"""Margin around a drawing, as a share of its height."""


@dataclass(frozen=True, slots=True)
class Outline:
    """One closed polygon, which is filled with ink or with paper."""

    points: tuple[Point, ...]
    is_ink: bool = True


@dataclass(frozen=True, slots=True)
class Drawing:
    """A named picture made of outlines, painted first to last."""

    name: str
    outlines: tuple[Outline, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """A drawing on a sheet: centre and height in mm, turned clockwise in degrees."""

    drawing: Drawing
    x_mm: float
    y_mm: float
    height_mm: float
    turn_deg: float = 0.0


def polygon(*points: Point, ink: bool = True) -> Outline:
    """Make an outline with straight edges, closed at the end."""
    return Outline(points, ink)


def ellipse(
    centre: Point, radii: Point, turn_deg: float = 0.0, *, ink: bool = True
) -> Outline:
    """Make an ellipse of 40 edges; *turn_deg* is clockwise, since y points down."""
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    angles = [2 * math.pi * step / 40 for step in range(40)]
    upright = [(radii[0] * math.cos(a), radii[1] * math.sin(a)) for a in angles]
    return Outline(
        tuple(
            (centre[0] + x * cos - y * sin, centre[1] + x * sin + y * cos)
            for x, y in upright
        ),
        ink,
    )


def smooth(*points: Point, ink: bool = True) -> Outline:
    """Make a closed Catmull-Rom curve through *points*, six edges to a span.

    A span leads from one point to the next; the points before and after bend it.
    """
    count = len(points)
    curve: list[Point] = []
    for start in range(count):
        nearby = [points[(start + offset) % count] for offset in (-1, 0, 1, 2)]
        for step in range(6):
            t = step / 6  # How far along the span.
            weights = (
                (-t + 2 * t**2 - t**3) / 2,
                (2 - 5 * t**2 + 3 * t**3) / 2,
                (t + 4 * t**2 - 3 * t**3) / 2,
                (t**3 - t**2) / 2,
            )
            weighted = tuple(zip(weights, nearby, strict=True))
            curve.append(
                (
                    sum(weight * x for weight, (x, _) in weighted),
                    sum(weight * y for weight, (_, y) in weighted),
                )
            )
    return Outline(tuple(curve), ink)


def mirror(outline: Outline) -> Outline:
    """Mirror an outline at the vertical axis."""
    return Outline(tuple((-x, y) for x, y in outline.points), outline.is_ink)


def placed_points(placed: Placed, outline: Outline) -> NDArray[np.float64]:
    """Return an outline of a placed drawing: (n, 2) float64 in mm."""
    angle = math.radians(placed.turn_deg)
    cos, sin = math.cos(angle), math.sin(angle)
    turn = np.array([[cos, sin], [-sin, cos]])
    flat: NDArray[np.float64] = np.asarray(outline.points) @ turn * placed.height_mm
    points: NDArray[np.float64] = flat + np.array([placed.x_mm, placed.y_mm])
    return points


def fill(points: NDArray[np.float64], shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Mark the pixels whose centres lie inside a polygon, by the even-odd rule.

    A pixel is inside if an odd number of edges cross its row to the left of it.

    Args:
        points: (n, 2) in pixels, x then y; the centre of the first pixel is 0.5, 0.5.
        shape: Rows and columns of the result.
    """
    rows, columns = shape
    # Each edge runs from a point (x0, y0) to the next one (x1, y1).
    x0, y0 = points[:, 0], points[:, 1]
    x1, y1 = np.roll(x0, -1), np.roll(y0, -1)
    # The rows whose centres an edge crosses: *top* and those below, above *bottom*.
    top = np.clip(np.ceil(np.minimum(y0, y1) - 0.5), 0, rows).astype(np.intp)
    bottom = np.clip(np.ceil(np.maximum(y0, y1) - 0.5), 0, rows).astype(np.intp)
    crossings = bottom - top
    # From here on an array has one element for each crossing of an edge and a row.
    edge = np.repeat(np.arange(len(points)), crossings)
    first_of_edge = np.repeat(np.cumsum(crossings) - crossings, crossings)
    row = np.arange(len(edge)) - first_of_edge + top[edge]
    slope = (x1 - x0)[edge] / (y1 - y0)[edge]
    x = x0[edge] + (row + 0.5 - y0[edge]) * slope
    column = np.clip(np.ceil(x - 0.5), 0, columns).astype(np.intp)
    width = columns + 1
    toggles = np.bincount(row * width + column, minlength=rows * width)
    # Only whether the count is odd matters, so the eight bits may overflow.
    passed = np.cumsum(toggles.reshape(rows, width), axis=1, dtype=np.uint8)
    inside: NDArray[np.bool_] = (passed[:, :columns] & 1) == 1
    return inside


def paint(
    items: Iterable[Placed], size_mm: tuple[float, float], pixels_per_mm: float
) -> NDArray[np.bool_]:
    """Paint placed drawings on an empty sheet: (rows, columns) bool, True for ink.

    Only the bounding box of each outline is filled, to save time on large sheets.
    """
    columns, rows = (max(1, round(side * pixels_per_mm)) for side in size_mm)
    sheet = np.zeros((rows, columns), dtype=np.bool_)
    for item in items:
        for outline in item.drawing.outlines:
            points = placed_points(item, outline) * pixels_per_mm
            left, top = np.maximum(np.floor(points.min(axis=0)), 0).astype(int)
            right, below = np.ceil(points.max(axis=0)).astype(int)
            box = sheet[top : max(below, top), left : max(right, left)]
            inside = fill(points - (left, top), (box.shape[0], box.shape[1]))
            box[inside] = outline.is_ink
    return sheet


def raster(drawing: Drawing, height_px: int) -> NDArray[np.float32]:
    """Paint a drawing: (height_px, width_px) float32, 1 for ink.

    It is as wide as its outlines, with ``MARGIN`` around it; edges are softened by 4 x
    4 samples a pixel.
    """
    points = np.concatenate(
        [np.asarray(outline.points) for outline in drawing.outlines]
    )
    half_width = float(np.abs(points[:, 0]).max()) + MARGIN
    half_height = 0.5 + MARGIN
    scale = height_px / (2 * half_height)
    width_px = max(1, round(2 * half_width * scale))
    fine = paint(
        [Placed(drawing, width_px / 2, height_px / 2, scale)],
        (width_px, height_px),
        4.0,
    )
    blocks = fine.reshape(height_px, 4, width_px, 4)
    soft: NDArray[np.float32] = blocks.mean(axis=(1, 3), dtype=np.float32)
    return soft
