"""Finding patches of hidden pictures that recur in every photo of a deck.

Photos are brought to one scale and direction by their carriers alone. A face is in
every panel, and several times in each; few other things are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Deck
from companion.decoder.faces import paper_map
from companion.decoder.phase import Field

Float = NDArray[np.float32]

PER_LINE = 0.8
"""Elements per line period in the flattened pictures."""

HEIGHTS_LINES = (13.0, 17.0, 21.0, 26.0, 32.0)
"""Heights of patches that are tried; a face is 10 to 40 line periods high."""

COPIES = 3
"""How many copies of a face are expected in every panel."""

FLOOR = 0.12
RIM_MAX = 0.08
"""Share of a patch's rim that the hidden picture may touch: whole things only."""

KINDS_MAX = 8
ALIKE = 0.75
"""How many patches are kept, and the correlation from which two are the same thing."""

HIDDEN_MIN, HIDDEN_MAX = 0.12, 0.75
"""Share of a patch that the hidden picture must fill; blank paper recurs everywhere."""


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A piece of one photo's hidden picture.

    Attributes:
        score: Mean correlation with its COPIES best places in every photo, weakest
            photo counted twice, times the fourth root of its height.
        height_lines: Height of the piece in line periods.
        pixels: (rows, columns) float32, -1..1.
    """

    score: float
    height_lines: float
    pixels: Float


def flatten(field: Field, angle_deg: float) -> Float:
    """The hidden picture with PER_LINE elements a line, its carrier at *angle_deg*.

    The rarer of the two states is positive.
    """
    blank = np.zeros((8, 8), np.float32)
    aim = Deck("aim", angle_deg, 0.5, 20.0, blank, blank)
    matrix = (
        paper_map(aim, upright(field.frequency, angle_deg)) / field.step_px / PER_LINE
    )
    inverse = np.linalg.inv(matrix)
    panel = field.weight > 0.5
    ys, xs = np.nonzero(panel)
    at = np.column_stack([xs, ys]) @ inverse.T
    low, high = at.min(axis=0) - 4, at.max(axis=0) + 4
    size = np.minimum(np.ceil(high - low).astype(int), 500)
    whole = np.column_stack([matrix, matrix @ low])
    sign = -1.0 if (field.soft[panel] > 0).mean() > 0.5 else 1.0
    shown = (sign * field.soft * field.weight).astype(np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = cv2.warpAffine(shown, whole, (int(size[0]), int(size[1])), flags=flags)
    return cv2.GaussianBlur(flat, (3, 3), 0.6).astype(np.float32)


def common_angle(fields: list[Field]) -> float:
    """Mean direction of the carriers, -90 to 90 degrees; their sign does not matter."""
    doubled = [2 * math.atan2(f.frequency[1], f.frequency[0]) for f in fields]
    sine, cosine = sum(map(math.sin, doubled)), sum(map(math.cos, doubled))
    return math.degrees(math.atan2(sine, cosine) / 2)


def upright(frequency: tuple[float, float], angle_deg: float) -> tuple[float, float]:
    """The carrier's frequency with the sign that points nearest to *angle_deg*."""
    angle = math.radians(angle_deg)
    x, y = frequency
    is_back = x * math.cos(angle) + y * math.sin(angle) < 0
    return (-x, -y) if is_back else (x, y)


def recurring(flats: list[Float], sources: tuple[int, ...]) -> list[Patch]:
    """Patches of the *sources* that every photo shows several times, best first."""
    found: list[Patch] = []
    for source in sources:
        for height in HEIGHTS_LINES:
            for patch in _patches(flats[source], height):
                # If a larger patch recurs equally well, it is worth more.
                worth = _score(patch, flats) * height**0.25
                found.append(Patch(worth, height, patch))
    found.sort(key=lambda item: -item.score)
    kept: list[Patch] = []
    for thing in found:
        if len(kept) == KINDS_MAX:
            break
        if all(_alike(thing.pixels, k.pixels) < ALIKE for k in kept):
            kept.append(thing)
    return kept


def _alike(one: Float, other: Float) -> float:
    """Best correlation of two patches, the smaller shifted over the larger."""
    small, large = sorted((one, other), key=lambda p: p.size)
    wide = cv2.copyMakeBorder(large, 5, 5, 5, 5, cv2.BORDER_CONSTANT, value=-1.0)
    if min(np.subtract(wide.shape, small.shape)) < 0:
        return 0.0
    return float(cv2.matchTemplate(wide, small, cv2.TM_CCOEFF_NORMED).max())


def _patches(flat: Float, height: float) -> list[Float]:
    side = round(height * PER_LINE)
    wide = round(side * 0.9)
    stride = max(2, side // 5)
    rows, columns = flat.shape
    found = []
    for y in range(0, rows - side, stride):
        for x in range(0, columns - wide, stride):
            patch = flat[y : y + side, x : x + wide]
            hidden = float((patch > 0.2).mean())
            seen = float((np.abs(patch) > 0.3).mean())
            rim = np.concatenate([patch[0], patch[-1], patch[:, 0], patch[:, -1]])
            is_whole = float((rim > -0.1).mean()) < RIM_MAX
            if HIDDEN_MIN < hidden < HIDDEN_MAX and seen > 0.6 and is_whole:
                found.append(patch)
    return found


def _score(patch: Float, flats: list[Float]) -> float:
    template = patch - patch.mean()
    size = np.float32(np.sqrt((template**2).sum()) + 1e-6)
    template = np.asarray(template / size, np.float32)
    means = []
    for flat in flats:
        if min(np.subtract(flat.shape, template.shape)) < 2:
            return -1.0
        means.append(_copies(flat, template))
    return (sum(means) + min(means)) / (len(means) + 1)


def _copies(flat: Float, template: Float) -> float:
    """Mean correlation at the COPIES best places that do not overlap."""
    box = (template.shape[1], template.shape[0])
    mean = cv2.blur(flat, box)
    variance = np.maximum(cv2.blur(flat * flat, box) - mean * mean, 0)
    scores = cv2.matchTemplate(flat, template, cv2.TM_CCORR)
    top, left = box[1] // 2, box[0] // 2
    rows, columns = scores.shape
    under = variance[top : top + rows, left : left + columns] + FLOOR
    scores = scores / np.sqrt(box[0] * box[1] * under)
    total = 0.0
    for _ in range(COPIES):
        y, x = np.unravel_index(int(scores.argmax()), scores.shape)
        total += float(scores[y, x])
        scores[
            max(0, y - box[1] // 2) : y + box[1] // 2,
            max(0, x - box[0] // 2) : x + box[0] // 2,
        ] = -1
    return total / COPIES
