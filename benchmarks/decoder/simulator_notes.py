"""Notes on the table: where each lies, and how the lens draws it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.decoder.simulator_camera import (
    SUPERSAMPLE,
    Lens,
    Pose,
    jacobian,
    on_sheet,
    project,
    rotation,
    tangents,
)
from benchmarks.decoder.simulator_conditions import Conditions
from benchmarks.decoder.simulator_crumple import Creases, crumpled
from benchmarks.decoder.simulator_damage import COVERS, covered, eyes_mm
from benchmarks.decoder.simulator_print import (
    TEXTURE_PX_PER_MM,
    Print,
    in_process,
    printed,
)
from benchmarks.decoder.styles import style_named


@dataclass(frozen=True, slots=True)
class Laid:
    """A note on the table, before the light falls on it."""

    print: Print
    pose: Pose
    denomination: int
    outline_px: NDArray[np.float64]
    creases: Creases | None = None


def local(print_: Print, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """From mm off the note's top left corner to mm off its middle."""
    return points - np.array(print_.style.item_mm) / 2


def _edge(print_: Print, steps: int = 8) -> NDArray[np.float64]:
    """Points around the note's edge, the four corners at every *steps*-th."""
    w, h = print_.style.item_mm
    corners = np.array([(0, 0), (w, 0), (w, h), (0, h), (0, 0)], dtype=np.float64)
    t = np.arange(steps)[:, None] / steps
    sides = [corners[i] * (1 - t) + corners[i + 1] * t for i in range(4)]
    return local(print_, np.concatenate(sides))


def _drawn(draw: np.random.Generator, given: Conditions) -> tuple[Print, int]:
    """Some print of the wanted styles, and its denomination's index."""
    style = style_named(str(draw.choice(list(given.styles))))
    denomination = int(draw.integers(len(style.inks)))
    is_fake = bool(draw.random() < 0.5) if given.is_fake is None else given.is_fake
    variant = int(draw.integers(given.variants))
    print_ = printed(
        style.name, denomination, is_fake, variant, given.dpi, is_paired=given.is_paired
    )
    if given.odd == "process":
        print_ = in_process(print_, *draw.spawn(1))
    if given.eyes in COVERS:
        print_ = covered(print_, given.eyes, draw)
    return print_, denomination


def place(
    draw: np.random.Generator,
    given: Conditions,
    lens: Lens,
    laid: list[Laid],
    shown: Print | None = None,
) -> Laid | None:
    """One more note somewhere in the frame, clear of the others where it can be.

    The first always finds a place; *shown* is laid instead of a drawn print.
    """
    print_, denomination = (shown, 0) if shown else _drawn(draw, given)
    pitch_mm = print_.style.screen(denomination).pitch_mm
    distance = given.focal_px * pitch_mm / given.pixels_per_line
    bend = draw.choice([-1, 1]) / given.curl_radius_mm if given.curl_radius_mm else 0.0
    bend_deg = float(draw.uniform(0, 180))
    creases = crumpled(draw, given.crumple) if given.crumple else None
    for attempt in range(60):
        spot = draw.uniform(-0.5, 0.5, 2) * lens.size_px / lens.focal_px * distance
        if given.notes_count == 1:
            spot *= 0.5
        roll = draw.uniform(0, 360) if given.roll_deg is None else given.roll_deg
        pose = _pose(given, distance, spot, float(roll), (bend, bend_deg))
        outline = project(_edge(print_), pose, lens)
        slack = 12 if attempt < 45 else -0.06 * lens.size_px[0]
        if (outline < slack).any() or (outline > np.array(lens.size_px) - slack).any():
            continue
        if any(_overlap(outline, other.outline_px) for other in laid):
            continue
        return Laid(print_, pose, denomination, outline, creases)
    if laid:
        return None
    # Too large for its turn: people turn the note along the frame, in its middle.
    flip = float(draw.choice([0, 180]) + draw.uniform(-8, 8))
    roll = flip if given.roll_deg is None else given.roll_deg
    pose = _pose(given, distance, np.zeros(2), float(roll), (bend, bend_deg))
    outline = project(_edge(print_), pose, lens)
    return Laid(print_, pose, denomination, outline, creases)


def _pose(
    given: Conditions,
    distance: float,
    spot: NDArray[np.float64],
    roll_deg: float,
    bend: tuple[float, float],
) -> Pose:
    """On the tilted table, *spot* mm from where the camera looks."""
    towards = math.radians(given.tilt_towards_deg)
    table = rotation((math.cos(towards), math.sin(towards), 0.0), given.tilt_deg)
    centre = np.array([0, 0, distance]) + table @ np.array([*spot, 0.0])
    return Pose(centre, table @ rotation((0, 0, 1), roll_deg), *bend)


def glare_on_eyes(
    note: Laid, lens: Lens, draw: np.random.Generator
) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Return a reflection over each face's eyes: its middle, and its two half axes.

    All in pixels of the frame, (2,) and (2, 2).
    """
    room = float(draw.uniform(0, 0.06))
    spots = []
    for face in note.print.faces:
        box = local(note.print, eyes_mm(note.print, face, room))
        px = project(box, note.pose, lens)
        halves = np.array([px[1] - px[0], px[3] - px[0]]) / 2
        spots.append((px.mean(axis=0), halves))
    return spots


def _overlap(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    hulls = [cv2.convexHull(o.astype(np.float32)) for o in (one, other)]
    area, _ = cv2.intersectConvexConvex(hulls[0], hulls[1])
    return bool(area > 0)


def _map(
    note: Laid, lens: Lens, box: tuple[int, int, int, int]
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Texture position (600 dpi pixels) and shade of every fine pixel of a box."""
    x0, y0, x1, y1 = box
    step = 16
    nodes_x = np.arange(-1, (x1 - x0) * SUPERSAMPLE / step + 1)
    nodes_y = np.arange(-1, (y1 - y0) * SUPERSAMPLE / step + 1)
    fine_x = (nodes_x + 0.5) * step - 0.5
    fine_y = (nodes_y + 0.5) * step - 0.5
    grid_x, grid_y = np.meshgrid(
        x0 - 0.5 + (fine_x + 0.5) / SUPERSAMPLE, y0 - 0.5 + (fine_y + 0.5) / SUPERSAMPLE
    )
    pixels = np.column_stack([grid_x.ravel(), grid_y.ravel()])
    at, shade = on_sheet(pixels, note.pose, lens), np.ones(len(pixels))
    if note.creases is not None:
        at = note.creases.flat(at, tangents(pixels, note.pose, lens))
        shade = note.creases.shade(at)
    at = (at + np.array(note.print.style.item_mm) / 2) * TEXTURE_PX_PER_MM - 0.5
    full = (len(nodes_x) * step, len(nodes_y) * step)
    inner = (
        slice(step, step + (y1 - y0) * SUPERSAMPLE),
        slice(step, step + (x1 - x0) * SUPERSAMPLE),
    )
    planes = []
    for plane in (at[:, 0], at[:, 1], shade):
        coarse = plane.reshape(grid_x.shape).astype(np.float32)
        planes.append(cv2.resize(coarse, full, interpolation=cv2.INTER_CUBIC)[inner])
    return planes[0], planes[1], planes[2]


def _box(note: Laid, lens: Lens) -> tuple[int, int, int, int] | None:
    low = np.maximum(np.floor(note.outline_px.min(axis=0)).astype(int) - 6, 0)
    high = np.minimum(
        np.ceil(note.outline_px.max(axis=0)).astype(int) + 7, lens.size_px
    )
    if (high <= low).any():
        return None
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _sizes(note: Laid, lens: Lens) -> tuple[list[NDArray[np.uint8]], float]:
    """The ink seen, and what light gets through, as coarse as the frame allows.

    Blur is linear: it may act on the light of open paper and, apart from it, on what
    the ink under it takes away.
    """
    planes, scale = [note.print.coverage], 1.0
    if note.print.clear is not None:
        inked = cv2.multiply(note.print.coverage, note.print.clear, scale=1 / 255)
        planes = [np.asarray(inked, np.uint8), note.print.clear]
    middle = jacobian(np.zeros(2), note.pose, lens)
    fine_px_per_mm = math.sqrt(abs(np.linalg.det(middle))) * SUPERSAMPLE
    while fine_px_per_mm < 0.6 * TEXTURE_PX_PER_MM * scale:
        halves = [
            cv2.resize(plane, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            for plane in planes
        ]
        planes = [np.asarray(half, np.uint8) for half in halves]
        scale /= 2
    return planes, scale


def lay(
    light: NDArray[np.float32], note: Laid, lens: Lens, kernel: NDArray[np.float32]
) -> None:
    """Draw one note into the scene's light, through the lens."""
    box = _box(note, lens)
    if box is None:
        return
    map_x, map_y, shade = _map(note, lens, box)
    planes, scale = _sizes(note, lens)
    rows, columns = note.print.coverage.shape
    inside = (
        (map_x > -0.5) & (map_x < columns - 0.5) & (map_y > -0.5) & (map_y < rows - 0.5)
    ).astype(np.uint8) * 255
    if scale != 1:
        map_x, map_y = (map_x + 0.5) * scale - 0.5, (map_y + 0.5) * scale - 0.5
    small = ((box[2] - box[0]), (box[3] - box[1]))
    seen = []
    for plane in planes:
        drawn = cv2.remap(
            plane, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        drawn = cv2.filter2D(drawn, -1, kernel)
        drawn = cv2.resize(drawn, small, interpolation=cv2.INTER_AREA)
        seen.append((drawn.astype(np.float32) / 255)[..., None])
    alpha = cv2.resize(cv2.blur(inside, (3, 3)), small, interpolation=cv2.INTER_AREA)
    colours = note.print.style.inks[note.denomination]
    place = light[box[1] : box[3], box[0] : box[2]]
    share = (alpha.astype(np.float32) / 255)[..., None]
    paper, inked = np.float32(colours.paper), np.float32(colours.ink)
    lit = paper * seen[1] if len(seen) > 1 else paper
    shaded = cv2.resize(shade, small, interpolation=cv2.INTER_AREA)[..., None]
    place += share * (shaded * (lit + seen[0] * (inked - paper)) - place)
