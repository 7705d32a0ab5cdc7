"""How far the decoder reads, one difficulty at a time, and what it says beyond.

    python -m benchmarks.decoder.bench_limits --write

All else is easy: one note of the built-in deck, flat and sharp, LINE_PX pixels a line.
`--write` puts the table between the markers of companion/decoder/README.md.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass

import cv2

from benchmarks.decoder.bench_read import outcome, reading_of
from benchmarks.decoder.bench_table import write_readme
from benchmarks.decoder.simulator import simulate
from benchmarks.decoder.styles import style_named
from companion.decoder import load_deck, read
from companion.decoder.verdict import WORDS, Reason
from companion.printing.deck import deck_file

FIRST_SEED = 60_000_000
LINE_PX = 5.0
SIZE_PX = (1600, 1200)
PX_PER_MM = 12.0
"""A Camera Module 3 at full resolution shows a note from 30 cm so finely."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """One difficulty.

    Attributes:
        name: How the table calls it, with its unit.
        steps: Its values, from easy to hard.
        condition: The simulator's name for it; pitches are printed instead.
    """

    name: str
    steps: tuple[float, ...]
    condition: str


SWEEPS = (
    Sweep("pixels a line", (6.0, 4.0, 3.5, 3.0, 2.8, 2.6, 2.4, 2.2), "pixels_per_line"),
    Sweep("blur, disc in pixels", (0.0, 1.0, 2.0, 2.5, 3.0), "defocus_px"),
    Sweep("tilt, degrees", (0.0, 15.0, 25.0, 35.0, 45.0, 55.0), "tilt_deg"),
    Sweep("glare, lamps in the picture", (0.0, 5.0, 20.0, 40.0, 80.0), "glare_count"),
    Sweep("pitch, mm, from 30 cm", (0.6, 0.5, 0.42, 0.35, 0.3, 0.25, 0.2), ""),
)


def step(sweep: Sweep, value: float, notes: int) -> str:
    """One line of the table: what is said of so many notes."""
    style = "house" if sweep.condition else f"house {value}"
    deck = load_deck(deck_file(style_named(style).deck))
    fixed: dict[str, object] = {
        "notes_count": 1,
        "decoys_count": 0,
        "pixels_per_line": LINE_PX if sweep.condition else value * PX_PER_MM,
        "size_px": SIZE_PX,
    }
    if sweep.condition:
        whole = sweep.condition == "glare_count"
        fixed[sweep.condition] = int(value) if whole else value
    told: Counter[str] = Counter()
    reasons: Counter[Reason] = Counter()
    for k in range(notes):
        frame = simulate(FIRST_SEED + k, "easy", (style,), **fixed)
        readings = read(frame.image, deck)
        told[outcome(frame.notes[0], readings)] += 1
        reading = reading_of(frame.notes[0], readings) or readings[0]
        if reading.reason is not None:
            reasons[reading.reason] += 1
    usual = reasons.most_common(1)
    words = WORDS[usual[0][0]] if usual else ""
    shares = (f"{100 * told[key] / notes:.0f} %" for key in ("right", "wrong"))
    return f"| {sweep.name} | {value:g} | {' | '.join(shares)} | {words} |"


def main() -> None:
    """Measure every step of every sweep, and print or write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=24)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    rows = [
        f"{options.notes} notes for each line.",
        "",
        "| difficulty | | read right | wrong | what is said of most others |",
        "| --- | --- | --- | --- | --- |",
    ]
    for sweep in SWEEPS:
        for value in sweep.steps:
            rows.append(step(sweep, value, options.notes))
            print(rows[-1], flush=True)
    if options.write:
        write_readme("\n".join(rows), "limits")


if __name__ == "__main__":
    main()
