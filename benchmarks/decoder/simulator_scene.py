"""What lies around the notes: tables, boards, and prints that hide nothing.

Each painter fills (rows, columns, 3) uint8 BGR at about the camera's own scale, so
its stripes and dots are as fine as a note's lines: 2.5 to 12 pixels.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Painter = Callable[[np.random.Generator, tuple[int, int]], Picture]

_STREETS = (
    (60, 40, 120), (210, 190, 120), (150, 60, 200), (30, 130, 230),
    (40, 40, 200), (60, 220, 240), (80, 160, 60), (160, 90, 30),
)  # fmt: skip
_WORDS = (
    "RENT", "OWN", "HOUSE", "COLLECT", "PAY", "BANK", "TURN", "CARD", "STREET", "SALE",
    "EACH", "WITH", "HOTEL",
)  # fmt: skip


def _flat(
    draw: np.random.Generator, size: tuple[int, int], low: int, high: int
) -> Picture:
    colour = draw.integers(low, high, 3)
    return np.full((size[1], size[0], 3), colour, np.uint8)


def _grain(
    picture: Picture, draw: np.random.Generator, swing: float, coarse: int
) -> Picture:
    rows, columns = picture.shape[:2]
    small = draw.normal(0, swing, (rows // coarse + 2, columns // coarse + 2))
    wide = cv2.resize(small.astype(np.float32), (columns, rows))
    return np.clip(picture + wide[..., None], 0, 255).astype(np.uint8)


def baize(draw: np.random.Generator, size: tuple[int, int]) -> Picture:
    base = np.full((size[1], size[0], 3), (50, 90, 35), np.uint8)
    return _grain(_grain(base, draw, 9, 1), draw, 6, 40)


def wood(draw: np.random.Generator, size: tuple[int, int]) -> Picture:
    base = np.full((size[1], size[0], 3), (70, 110, 160), np.uint8)
    streaks = draw.normal(0, 16, (size[1] // 3 + 2, size[0] // 160 + 2)).astype(
        np.float32
    )
    wide = cv2.resize(streaks, size, interpolation=cv2.INTER_CUBIC)
    return np.clip(base + wide[..., None], 0, 255).astype(np.uint8)


def plain(draw: np.random.Generator, size: tuple[int, int]) -> Picture:
    return _grain(_flat(draw, size, 60, 235), draw, 4, 30)


def _writing(picture: Picture, draw: np.random.Generator, count: int) -> None:
    rows, columns = picture.shape[:2]
    for _ in range(count):
        at = (int(draw.integers(0, columns)), int(draw.integers(20, rows)))
        words = " ".join(draw.choice(_WORDS, 3).tolist())
        scale = float(draw.uniform(0.35, 1.1))
        cv2.putText(
            picture, words, at, cv2.FONT_HERSHEY_SIMPLEX, scale, (25, 25, 25), 1
        )


def board(draw: np.random.Generator, size: tuple[int, int]) -> Picture:
    picture = np.full((size[1], size[0], 3), (205, 225, 205), np.uint8)
    wide, tall = int(draw.integers(110, 190)), int(draw.integers(150, 260))
    for y in range(0, size[1], tall):
        for x in range(0, size[0], wide):
            if draw.random() < 0.4:
                colour = _STREETS[int(draw.integers(len(_STREETS)))]
                cv2.rectangle(picture, (x, y), (x + wide, y + tall // 4), colour, -1)
            cv2.rectangle(picture, (x, y), (x + wide, y + tall), (20, 20, 20), 2)
    _writing(picture, draw, 30)
    return picture


def text_page(draw: np.random.Generator, size: tuple[int, int]) -> Picture:
    picture = _flat(draw, size, 215, 250)
    scale = float(draw.uniform(0.25, 0.6))
    step = int(26 * scale) + 3
    for y in range(step, size[1], step):
        words = " ".join(
            draw.choice(_WORDS, max(2, int(size[0] / (60 * scale)))).tolist()
        )
        cv2.putText(
            picture,
            words.lower(),
            (8, y),
            cv2.FONT_HERSHEY_SIMPLEX,
            scale,
            (30, 30, 30),
            1,
        )
    return picture


def _waves(
    draw: np.random.Generator, size: tuple[int, int], period_px: float, angle: float
) -> NDArray[np.float32]:
    y, x = np.ogrid[: size[1], : size[0]]
    turn = (x * math.cos(angle) + y * math.sin(angle)).astype(np.float32) / period_px
    return np.cos(2 * np.pi * (turn + draw.uniform())).astype(np.float32)


def _two_tone(draw: np.random.Generator, wave: NDArray[np.float32]) -> Picture:
    dark, light = draw.integers(10, 110, 3), draw.integers(150, 250, 3)
    share = np.clip(0.5 + wave, 0, 1)[..., None]
    return np.asarray(dark + (light - dark) * share, dtype=np.uint8)


def stripes(draw: np.random.Generator, size: tuple[int, int]) -> Picture:
    period, angle = draw.uniform(2.6, 12), draw.uniform(0, math.pi)
    wave = _waves(draw, size, period, angle)
    return _two_tone(draw, wave * draw.choice([0.5, 4.0]))


def corduroy(draw: np.random.Generator, size: tuple[int, int]) -> Picture:
    base = _two_tone(
        draw, 0.3 * _waves(draw, size, draw.uniform(5, 14), draw.uniform(0, 3.1))
    )
    return _grain(base, draw, 12, 2)


def weave(draw: np.random.Generator, size: tuple[int, int]) -> Picture:
    angle, period = draw.uniform(0, math.pi), draw.uniform(3, 9)
    warp = _waves(draw, size, period, angle)
    weft = _waves(draw, size, period * draw.uniform(0.9, 1.15), angle + math.pi / 2)
    mix = 0.25 * (warp + weft) if draw.random() < 0.5 else 0.5 * warp * weft
    return _grain(_two_tone(draw, mix), draw, 8, 1)


def twill(draw: np.random.Generator, size: tuple[int, int]) -> Picture:
    y, x = np.ogrid[: size[1], : size[0]]
    thread = int(draw.integers(2, 4))
    over = ((x // thread + y // thread) % 4) < 2
    return _grain(
        _two_tone(draw, np.where(over, 0.3, -0.3).astype(np.float32)), draw, 10, 1
    )


def halftone(draw: np.random.Generator, size: tuple[int, int]) -> Picture:
    """A soft picture through crossed dots in three inks, as newspapers print it."""
    out = np.full((size[1], size[0], 3), 245, np.float32)
    angles, period = np.radians([15, 75, 45]), draw.uniform(3, 9)
    small = draw.random((6, 8, 3)).astype(np.float32)
    tone = cv2.resize(small, size, interpolation=cv2.INTER_CUBIC)
    for c in range(3):
        a = float(angles[c])
        dots = _waves(draw, size, period, a) + _waves(
            draw, size, period, a + math.pi / 2
        )
        out[..., c] -= 200 * np.clip((dots / 4 + 0.5 - tone[..., c]) * 4 + 0.5, 0, 1)
    return np.clip(out, 0, 255).astype(np.uint8)


def hatching(draw: np.random.Generator, size: tuple[int, int]) -> Picture:
    """An engraver's drawing: each patch has lines of its own angle and weight."""
    picture = np.full((size[1], size[0], 3), 235, np.uint8)
    for _ in range(int(draw.integers(8, 20))):
        at = (int(draw.integers(0, size[0])), int(draw.integers(0, size[1])))
        half = (int(draw.integers(30, 160)), int(draw.integers(30, 130)))
        area = np.zeros(picture.shape[:2], np.uint8)
        cv2.ellipse(area, (at, (half[0] * 2, half[1] * 2), draw.uniform(0, 180)), 1, -1)
        lines = _waves(draw, size, draw.uniform(3, 10), draw.uniform(0, math.pi))
        if draw.random() < 0.4:
            lines = np.maximum(
                lines, _waves(draw, size, draw.uniform(3, 10), draw.uniform(0, 3.1))
            )
        picture[(area > 0) & (lines > draw.uniform(0, 0.6))] = (40, 35, 35)
    return picture


def squares_code(draw: np.random.Generator, size: tuple[int, int]) -> Picture:
    """Random squares with finder marks, as dense as a QR code."""
    side = int(draw.integers(25, 58))
    cells = (draw.random((side, side)) < 0.5).astype(np.uint8)
    for r, c in ((0, 0), (0, side - 7), (side - 7, 0)):
        cells[r : r + 7, c : c + 7] = 1
        cells[r + 1 : r + 6, c + 1 : c + 6] = 0
        cells[r + 2 : r + 5, c + 2 : c + 5] = 1
    cells = np.pad(cells, 3)
    small = cv2.resize(cells, size, interpolation=cv2.INTER_NEAREST)
    return np.repeat((245 - 215 * small)[..., None], 3, axis=2).astype(np.uint8)


def rings(draw: np.random.Generator, size: tuple[int, int]) -> Picture:
    """Concentric lines, a guilloche seal: a carrier whose direction turns."""
    y, x = np.ogrid[: size[1], : size[0]]
    r = np.hypot(x - draw.uniform(0, size[0]), y - draw.uniform(0, size[1]))
    return _two_tone(
        draw, 2 * np.cos(2 * np.pi * r / draw.uniform(3, 10)).astype(np.float32)
    )


TABLES: dict[str, Painter] = {
    "baize": baize,
    "wood": wood,
    "plain": plain,
    "board": board,
}
"""What notes lie on."""

DECOYS: dict[str, Painter] = {
    "board": board,
    "halftone": halftone,
    "stripes": stripes,
    "weave": weave,
    "twill": twill,
    "corduroy": corduroy,
    "hatching": hatching,
    "qr": squares_code,
    "text": text_page,
    "rings": rings,
}
"""What could be taken for a scrambled print and is none."""


def paste(scene: Picture, patch: Picture, corners: NDArray[np.float64]) -> None:
    """Lay a patch on the scene, its corners (4, 2) px from top left, clockwise."""
    rows, columns = patch.shape[:2]
    source = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32)
    warp = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int), scene.shape[1::-1])
    if (high <= low).any():
        return
    warp = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]], np.float64) @ warp
    box = (int(high[0] - low[0]), int(high[1] - low[1]))
    laid = cv2.warpPerspective(patch, warp, box, flags=cv2.INTER_LINEAR)
    white = np.full(patch.shape[:2], 255, np.uint8)
    inside = cv2.warpPerspective(white, warp, box) > 127
    scene[low[1] : high[1], low[0] : high[0]][inside] = laid[inside]


def _somewhere(
    draw: np.random.Generator, size: tuple[int, int], patch: tuple[int, int]
) -> NDArray[np.float64]:
    angle = draw.uniform(0, 2 * math.pi)
    turn = np.array(
        [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
    )
    half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(patch) / 2
    wobble = 1 + draw.uniform(-0.08, 0.08, (4, 2))
    return (half * wobble) @ turn.T + draw.uniform(0.15, 0.85, 2) * size


def clutter(
    draw: np.random.Generator, size: tuple[int, int], decoys_count: int
) -> tuple[Picture, tuple[str, ...]]:
    """A table with things on it: the picture, and what it shows."""
    table = str(draw.choice(list(TABLES)))
    scene = TABLES[table](draw, size)
    names = [table]
    for _ in range(decoys_count):
        name = str(draw.choice(list(DECOYS)))
        share = draw.uniform(0.12, 0.35)
        patch = (max(60, int(size[0] * share)), max(40, int(size[0] * share * 0.6)))
        paste(scene, DECOYS[name](draw, patch), _somewhere(draw, size, patch))
        names.append(name)
    return scene, tuple(names)


def decoy_frame(draw: np.random.Generator, size: tuple[int, int], name: str) -> Picture:
    """A scene filled, or half filled, with one decoy seen a little askew."""
    scene, _ = clutter(draw, size, int(draw.integers(0, 3)))
    share = draw.uniform(0.45, 1.3)
    patch = (int(size[0] * share), int(size[1] * share))
    paste(scene, DECOYS[name](draw, patch), _somewhere(draw, size, patch))
    return scene
