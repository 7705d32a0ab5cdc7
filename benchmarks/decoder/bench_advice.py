"""Whether what *unsure* says is true of the photo: the simulator knows what ails it.

    python -m benchmarks.decoder.bench_advice --frames 30

Each row is one ailment of a note near enough and sharp but for that, or a frame with
no note, or another deck's. *Nothing* is "no scrambled print to be seen" of a note that
is too far, blurred or dim: it names no cause. Seeds from 91,000,000 were looked at.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass

import cv2
import numpy as np

from benchmarks.decoder.bench_read import reading_of, readings_on
from benchmarks.decoder.simulator import Frame, negative, simulate
from benchmarks.decoder.styles import FOREIGN
from companion.decoder import Reading, Reason, Verdict, house_deck, read

FIRST_SEED = 93_000_000
SIZE_PX = (1600, 1200)
LINE_PX = (4.0, 7.0)


@dataclass(frozen=True, slots=True)
class Ailment:
    """What is wrong with the notes of a row.

    Attributes:
        ranges: From the least to the most of each condition.
        true: What may be said of them; the simulator's own causes may be as well.
        styles: Whose notes they are; none for frames without notes.
        is_near: Whether "no scrambled print" is untrue, since the note is in full view.
    """

    ranges: dict[str, tuple[float, float]]
    true: frozenset[Reason]
    styles: tuple[str, ...] = ("house",)
    is_near: bool = False


FLAT, FAR, SHARP, OTHER, NONE = (
    frozenset(reasons)
    for reasons in (
        {Reason.NO_PICTURE},
        {Reason.TOO_FAR},
        {Reason.BLURRED},
        {Reason.NOT_A_DECK_I_KNOW},
        {Reason.NO_SCRAMBLED_PRINT, Reason.NO_PICTURE},
    )
)
AILMENTS: dict[str, Ailment] = {
    "curled": Ailment({"curl_radius_mm": (12, 40)}, FLAT, is_near=True),
    "crumpled": Ailment(
        {"crumple": (0.2, 0.7), "tilt_deg": (5, 25)}, FLAT, is_near=True
    ),
    "shadow": Ailment(
        {"shadow": (0.8, 1.2), "light": (0.6, 0.6), "full_electrons": (800, 800)},
        FLAT,
        is_near=True,
    ),
    "far": Ailment({"pixels_per_line": (1.6, 2.4)}, FAR),
    "defocus": Ailment({"defocus_px": (2.5, 6)}, SHARP),
    "motion": Ailment({"motion_px": (4, 14)}, SHARP),
    "dim": Ailment({"light": (0.015, 0.08), "full_electrons": (500, 500)}, frozenset()),
    "another deck": Ailment({}, OTHER, FOREIGN),
    "no note": Ailment({}, NONE, ()),
}
SCRAPS = 2
"""How many decoys lie beside each note: cloth, halftone, hatching, text."""


def frame_of(ailment: Ailment, seed: int) -> Frame:
    """One photo with that ailment."""
    if not ailment.styles:
        return negative(seed, size_px=SIZE_PX)
    draw = np.random.default_rng([seed, 1])
    ranges = {"pixels_per_line": LINE_PX} | ailment.ranges
    fixed = {name: float(draw.uniform(*ends)) for name, ends in ranges.items()}
    whole: dict[str, object] = {
        "notes_count": 1,
        "decoys_count": SCRAPS,
        "glare_count": 0,
        "size_px": SIZE_PX,
    }
    return simulate(seed, "easy", ailment.styles, **whole, **fixed)


def scored(ailment: Ailment, frame: Frame, readings: tuple[Reading, ...]) -> list[str]:
    """Score each unsure reading, of the note or beside it: true, false, nothing."""
    found: list[str] = []
    note = frame.notes[0] if frame.notes else None
    told = reading_of(note, readings) if note is not None else None
    if note is not None and told is None and readings[0].verdict is Verdict.UNSURE:
        told = readings[0]
    if told is not None and note is not None and told.verdict is Verdict.UNSURE:
        true = {str(one) for one in ailment.true} | set(note.causes)
        is_nothing = told.reason is Reason.NO_SCRAMBLED_PRINT and not ailment.is_near
        said = "nothing" if is_nothing else "false"
        found.append("true" if str(told.reason) in true else said)
    mine = readings_on(note, readings) if note is not None else []
    for reading in readings:
        is_said = reading is told or any(reading is one for one in mine)
        if not is_said and reading.verdict is Verdict.UNSURE:
            found.append("beside " + ("true" if reading.reason in NONE else "false"))
    return found


def main() -> None:
    """Print how often what is said is true, a row for each ailment."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=30)
    parser.add_argument("--seed", type=int, default=FIRST_SEED)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    deck = house_deck()
    columns = ("true", "nothing", "false", "beside true", "beside false")
    print(f"| photos | n | {' | '.join(columns)} |")
    print("| --- " * (len(columns) + 2) + "|")
    for name, ailment in AILMENTS.items():
        told: Counter[str] = Counter()
        for k in range(options.frames):
            frame = frame_of(ailment, options.seed + k)
            told.update(scored(ailment, frame, read(frame.image, deck)))
        row = " | ".join(str(told[column]) for column in columns)
        print(f"| {name} | {options.frames} | {row} |", flush=True)


if __name__ == "__main__":
    main()
