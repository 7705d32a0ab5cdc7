"""Photographs of decks drawn at random: lessons to learn from, frames to read.

    from benchmarks.decoder import zoo
    photos = zoo.lesson(17, 0, real=4, fake=4)
    learn(photos.real, photos.fake, "mine")
    zoo.unseen(17, 0, "hard")        # a Frame, with the truth about its notes

Same arguments, same photographs; every note is a print of its own, so none is seen
twice. Decks of WORKING may be looked at and tuned on. Decks of END are only ever
measured: nobody looks at their drawings or photographs, and nothing is tuned on them.

    python -m benchmarks.decoder.zoo --first 0 --count 24 --out sheet.png
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.decoder.simulator import DIFFICULTIES, FULL_CROP, Frame, simulate
from benchmarks.decoder.simulator_conditions import Conditions, conditions
from benchmarks.decoder.styles import Family, Style, zoo_style
from benchmarks.decoder.styles.zoo.deck import NARROW_FROM
from benchmarks.decoder.styles.zoo.faces import shown

WORKING = range(120)
END = range(3000, 3064)
NARROW_WORKING = range(NARROW_FROM, NARROW_FROM + 120)
"""The same for decks with narrow masks."""

Pixels = NDArray[np.uint8]

SEEDS = 1_000_000
"""So many seeds of photographs each deck has for each of USES."""

USES = ("lesson", "mixed", "unseen")
TRIES = 20
"""A photograph of a lesson is tried so often until it is as good as it should be."""

VARIANTS = 1_000_000
"""So many prints of each kind exist that hardly one is drawn twice."""

FINE_MM = 0.32
"""Finer lines than these are printed at 600 dots an inch, never at 300."""

PX_PER_MM_MAX = 15.0
"""Sharper photographs of a lesson would show no more and take longer to make."""

PIXELS_PER_LINE_MIN = 5.0
"""Fine lines are photographed this sharply nevertheless, as `learning` asks."""

EDGE_MM = 5.0
"""Table that a photograph shows on either side of its note."""

CROWD_EVERY = 4
"""One in so many unseen frames shows as many notes as its preset draws."""

POOR = ("blurred", "far", "glare", "fingers")
"""What is wrong with a poor photograph: no lines show, or one clear face at most."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """Photographs to learn a deck from.

    Attributes:
        photos: (rows, columns, 3) uint8 BGR each, one note in each.
        fakes: Which of them show a fake note.
        poor: Which of them is poor; None if all are good.
        fault: What is wrong with that one, of POOR; empty if all are good.
        way_up: "any", or "upright" within 10 degrees.
        pitches_mm: Of the lines in each photograph; each print run has its own.
    """

    photos: tuple[Pixels, ...]
    fakes: tuple[bool, ...]
    poor: int | None
    fault: str
    way_up: str
    pitches_mm: tuple[float, ...]

    @property
    def real(self) -> list[Pixels]:
        return [
            p for p, is_fake in zip(self.photos, self.fakes, strict=True) if not is_fake
        ]

    @property
    def fake(self) -> list[Pixels]:
        return [
            p for p, is_fake in zip(self.photos, self.fakes, strict=True) if is_fake
        ]


def _first_seed(deck_seed: int, use: str, number: int) -> int:
    return (deck_seed * len(USES) + USES.index(use)) * SEEDS + number


def _drawn(seed: int, difficulty: str) -> Conditions:
    """What `simulate` draws for a frame, before anything is fixed."""
    draw = np.random.default_rng([seed, DIFFICULTIES.index(difficulty)])
    return conditions(draw, difficulty, None)


def _pitches(style: Style) -> list[float]:
    return [style.screen(k).pitch_mm for k in range(len(style.inks))]


def _crop(style: Style, px_per_mm: float, roll_deg: float | None) -> tuple[int, int]:
    """Columns and rows that a note and its edge fill; any turn fits when None."""
    wide, tall = style.item_mm
    if roll_deg is None:
        wide = tall = math.hypot(wide, tall)
    else:
        cos, sin = (abs(f(math.radians(roll_deg))) for f in (math.cos, math.sin))
        wide, tall = wide * cos + tall * sin, wide * sin + tall * cos
    columns, rows = (
        2 * math.ceil((side + 2 * EDGE_MM) * px_per_mm / 2) for side in (wide, tall)
    )
    return columns, rows


def _printing(style: Style, *, is_paired: bool) -> dict[str, object]:
    """What every photograph of a deck has in common."""
    fixed: dict[str, object] = {
        "variants": 1 if is_paired else VARIANTS,
        "is_paired": is_paired,
    }
    return fixed | ({"dpi": 600} if min(_pitches(style)) < FINE_MM else {})


def _poor(kind: str, pixels_per_line: float) -> dict[str, object]:
    """What spoils a photograph."""
    if kind == "blurred":
        return {"defocus_px": 0.61 * pixels_per_line}  # A disc that hides the lines.
    if kind == "far":
        return {"pixels_per_line": 2.1}
    return {"glare_count": 40} if kind == "glare" else {"fingers_count": 14}


def _photo(
    style: Style,
    seed: int,
    *,
    is_fake: bool,
    any_way_up: bool,
    poor: str,
    is_paired: bool,
) -> Frame:
    """One photograph of a lesson: one note, which fills the picture."""
    draw = np.random.default_rng([seed, 881])
    roll_deg = float(draw.uniform(0, 360) if any_way_up else draw.uniform(-10, 10))
    finest = min(_pitches(style))
    most = max(PIXELS_PER_LINE_MIN, PX_PER_MM_MAX * finest)
    pixels_per_line = min(_drawn(seed, "learning").pixels_per_line, most)
    fixed = {
        "is_fake": is_fake,
        "roll_deg": roll_deg,
        "pixels_per_line": pixels_per_line,
        "size_px": _crop(style, pixels_per_line / finest, roll_deg),
        **_printing(style, is_paired=is_paired),
        **(_poor(poor, pixels_per_line) if poor else {}),
    }
    return simulate(seed, "learning", (style.name,), **fixed)


def _is_poor(frame: Frame) -> bool:
    note = frame.notes[0]
    return not note.is_readable or note.faces_clear_count < 2


def _photos(
    use: str,
    deck_seed: int,
    lesson_seed: int,
    fakes: list[bool],
    poor: tuple[int, str] | None,
    family: Family,
    *,
    is_paired: bool = False,
) -> Lesson:
    """The photographs of a lesson, each tried until it is as good as it should be."""
    style = zoo_style(deck_seed, family)
    any_way_up = bool(lesson_seed % 2)
    frames = []
    for k, is_fake in enumerate(fakes):
        fault = poor[1] if poor and k == poor[0] else ""
        first = _first_seed(deck_seed, use, 1000 * lesson_seed + TRIES * k)
        for seed in range(first, first + TRIES):
            frame = _photo(
                style,
                seed,
                is_fake=is_fake,
                any_way_up=any_way_up,
                poor=fault,
                is_paired=is_paired,
            )
            if _is_poor(frame) is bool(fault):
                break
        else:
            raise ValueError(
                f"expected a photo that is {fault or 'good'}, got none in {TRIES}"
            )
        frames.append(frame)
    spoilt, fault = poor or (None, "")
    return Lesson(
        photos=tuple(frame.image for frame in frames),
        fakes=tuple(fakes),
        poor=spoilt,
        fault=fault,
        way_up="any" if any_way_up else "upright",
        pitches_mm=tuple(frame.notes[0].pitch_mm for frame in frames),
    )


def lesson(
    deck_seed: int,
    lesson_seed: int,
    real: int = 4,
    fake: int = 4,
    *,
    has_poor: bool = False,
    family: Family = Family.CARRIER,
    is_paired: bool = False,
) -> Lesson:
    """A sorted lesson: so many photographs of real notes, then of fake ones.

    Args:
        deck_seed: Of the deck, see `zoo_style`.
        lesson_seed: 0 to 999; notes lie any way up in every second lesson.
        real: How many photographs of real notes.
        fake: How many of fake ones.
        has_poor: Whether one of them is spoilt, by one of POOR in turn.
        family: How the deck hides its pictures.
        is_paired: Whether each kind of note has one layout, be it real or fake; else no
            two notes have the same.
    """
    fakes = [False] * real + [True] * fake
    draw = np.random.default_rng([deck_seed, lesson_seed, 882])
    kind = POOR[(deck_seed + lesson_seed) % len(POOR)]
    poor = (int(draw.integers(len(fakes))), kind) if has_poor else None
    return _photos(
        "lesson", deck_seed, lesson_seed, fakes, poor, family, is_paired=is_paired
    )


def shuffled(deck_seed: int, lesson_seed: int, count: int) -> list[bool]:
    """Which photographs of an unsorted lesson show a fake note; at least two do not."""
    draw = np.random.default_rng([deck_seed, lesson_seed, 883])
    fakes_count = int(draw.integers(2, count - 1))
    order: list[bool] = draw.permutation(
        [k < fakes_count for k in range(count)]
    ).tolist()
    return order


def mixed(
    deck_seed: int,
    lesson_seed: int,
    count: int = 8,
    family: Family = Family.CARRIER,
) -> Lesson:
    """An unsorted lesson of *count* photographs, see `shuffled`."""
    fakes = shuffled(deck_seed, lesson_seed, count)
    return _photos("mixed", deck_seed, lesson_seed, fakes, None, family)


def unseen(
    deck_seed: int,
    seed: int,
    difficulty: str = "normal",
    family: Family = Family.CARRIER,
    eyes: str = "",
    odd: str = "",
    *,
    is_paired: bool = False,
) -> Frame:
    """A frame with a note of the deck that is in no lesson; with several in some.

    A frame with one note is as large as the note needs, which is most of the time
    that a frame takes; one with several is a full-resolution crop. Where *eyes* says
    what covers the eyes, there is one. For *odd* see `Conditions`, for *is_paired*
    `lesson`.
    """
    style = zoo_style(deck_seed, family)
    at = _first_seed(deck_seed, "unseen", seed)
    fixed: dict[str, object] = {"eyes": eyes, "odd": odd}
    fixed |= _printing(style, is_paired=is_paired)
    if eyes or seed % CROWD_EVERY:
        px_per_mm = _drawn(at, difficulty).pixels_per_line / min(_pitches(style))
        columns, rows = _crop(style, px_per_mm, None)
        size = min(columns, FULL_CROP[0]), min(rows, FULL_CROP[1])
        fixed |= {"notes_count": 1, "size_px": size}
    return simulate(at, difficulty, (style.name,), **fixed)


def _rows(first: int) -> Iterator[Pixels]:
    """Plain and masked face of deck after deck, as they are drawn."""
    for seed in count(first):
        deck = zoo_style(seed).deck
        wide = int(128 * 1.1)
        faces = []
        for drawing in (deck.plain, deck.masked):
            ink = np.rint(255 * shown(drawing, 1.1)).astype(np.uint8)
            faces.append(255 - cv2.resize(ink, (wide, 128)))
        pair = np.concatenate(faces, axis=1)
        cv2.putText(pair, str(seed), (2, 12), cv2.FONT_HERSHEY_SIMPLEX, 0.4, 0)
        yield np.pad(pair, 4, constant_values=200)


def sheet(first: int, wanted: int, columns: int = 4) -> Pixels:
    """Drawings of *wanted* decks of WORKING, plain beside masked: (rows, columns)."""
    if not (first in WORKING and first + wanted - 1 in WORKING):
        raise ValueError(
            f"expected decks in {WORKING}, got {first} and {wanted - 1} more"
        )
    cells = [cell for cell, _ in zip(_rows(first), range(wanted), strict=False)]
    blank = np.full_like(cells[0], 200)
    cells += [blank] * (-len(cells) % columns)
    lines = [
        np.concatenate(cells[k : k + columns], axis=1)
        for k in range(0, len(cells), columns)
    ]
    return np.concatenate(lines)


def main() -> None:
    """Write a contact sheet of working decks."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--first", type=int, default=WORKING.start)
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    cv2.imwrite(str(given.out), sheet(given.first, given.count))


if __name__ == "__main__":
    main()
