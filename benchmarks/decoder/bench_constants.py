"""How much the decoder's results depend on its constants: each made 30 % less and more.

    python -m benchmarks.decoder.bench_constants --normal 60 --hard 60 --poor 30

A table: notes read right and wrong with the built-in deck, and how many unsure ones
are given another reason than before.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterator
from itertools import count

import cv2

from benchmarks.decoder.bench_read import outcome, reading_of
from benchmarks.decoder.simulator import Frame, simulate
from companion.decoder import house_deck, read
from companion.decoder.fit import aids_of

FIRST_SEED = 3_500_000
"""Frames that no other benchmark counts."""

CONSTANTS = {
    "phase": (
        *("LOWPASS_LINES", "SMOOTH_LINES", "LOCAL_LINES"),
        *("STRONG_QUANTILE", "STRENGTH", "EXPLAINED"),
    ),
    "verdict": (
        *("GLARE_MIN", "COHERENT_MIN", "COHERENT_LARGE_MIN"),
        *("AMPLITUDE_MIN", "COVERED_MIN"),
    ),
    "fit": (
        *("TEMPLATE_BLUR", "STILL"),
        *("GAIN_MIN", "STRETCH_MAX"),
    ),
}
FACTORS = (0.7, 1.3)
POOR: tuple[dict[str, object], ...] = (
    {"glare_count": 30},
    {"fingers_count": 8},
    {"defocus_px": 3.0},
)
"""In turn, what is wrong with frames that are to be unsure, for some reason."""

Told = list[tuple[str, str]]
"""Outcome and reason of every note."""


def frames(wanted: dict[str, int]) -> Iterator[Frame]:
    """Frames with the built-in deck until so many notes of each difficulty."""
    for difficulty, notes in wanted.items():
        for seed in count(FIRST_SEED):
            if notes <= 0:
                break
            worse = POOR[seed % len(POOR)] if difficulty == "poor" else {}
            preset = "hard" if difficulty == "poor" else difficulty
            frame = simulate(seed, preset, styles=("house",), shown=None, **worse)
            notes -= len(frame.notes)
            yield frame


def told(taken: list[Frame]) -> Told:
    """What is read on every note now."""
    aids_of.cache_clear()
    found = []
    for frame in taken:
        readings = read(frame.image, house_deck())
        for note in frame.notes:
            reading = reading_of(note, readings)
            reason = "" if reading is None else str(reading.reason)
            found.append((outcome(note, readings), reason))
    return found


def scaled(value: object, factor: float) -> object:
    """A number or each of a pair times a factor; shares stay below 1."""
    if isinstance(value, tuple):
        return tuple(scaled(one, factor) for one in value)
    assert isinstance(value, int | float)
    return min(value * factor, 0.99) if value < 1 else value * factor


def _cell(now: Told, before: Told) -> str:
    right, wrong = (sum(o == name for o, _ in now) for name in ("right", "wrong"))
    both = zip(now, before, strict=True)
    other = sum(n[1] != b[1] for n, b in both if n[0] == b[0] == "unsure")
    return f"{right} right, {wrong} wrong, {other} other reasons"


def main() -> None:
    """Print the table, a row a constant."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--normal", type=int, default=60, help="notes")
    asked.add_argument("--hard", type=int, default=60, help="notes")
    asked.add_argument("--poor", type=int, default=30, help="notes in poor light")
    cv2.setNumThreads(1)
    taken = list(frames(vars(asked.parse_args())))
    before = told(taken)
    print(f"As they are, of {len(before)} notes: {_cell(before, before)}.\n")
    print("| constant | 30 % less | 30 % more |\n| --- | --- | --- |")
    for room, names in CONSTANTS.items():
        module = importlib.import_module(f"companion.decoder.{room}")
        for name in names:
            own = getattr(module, name)
            cells = []
            for factor in FACTORS:
                setattr(module, name, scaled(own, factor))
                cells.append(_cell(told(taken), before))
            setattr(module, name, own)
            print(f"| {room}.{name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
