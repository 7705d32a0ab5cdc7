"""How often the decoder is right, and what it costs, on simulated photographs.

    python -m benchmarks.decoder.bench_read --out rows.jsonl --write
    python -m benchmarks.decoder.bench_read --notes 60 --negatives 20 --curve 1

Each frame is one JSON object a line of `--out`; begun again with the same file, it
goes on where it was cut off. `--write` puts the tables between the markers of
companion/decoder/README.md. Foreign styles are read with decks learnt from two
simulated photos of each kind. Times and memory: `bench_cost.py`.
"""

from __future__ import annotations

import argparse
import base64
import json
import multiprocessing
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from multiprocessing.pool import Pool
from pathlib import Path

import cv2
import numpy as np

from benchmarks.decoder.bench_cost import measure_cost
from benchmarks.decoder.bench_table import rows_of, table, write_readme
from benchmarks.decoder.simulator import Frame, NoteTruth, negative, simulate
from benchmarks.decoder.styles import FOREIGN
from companion.decoder import (
    Deck,
    Reading,
    Verdict,
    house_deck,
    learn,
    load_deck,
    read,
    save_deck,
)

FIRST_SEED = 10_000_000
"""Bench frames are none that the decoder was tuned on."""

LEARNING_SEED = 50_000_000
DRAWS = 2
"""So many decks are learnt of each foreign style, from photos of their own."""

ATTEMPTS_MAX = 8
STRANGE_EVERY = 4
"""Each such frame is read with a deck that is not its own as well."""

CURVE = (2.2, 2.4, 2.6, 2.8, 3.0, 3.4, 4.0, 5.0, 6.0, 8.0)
CLOSE_CURVE = (10.0, 12.0, 15.0, 18.0, 20.0)
"""Pixels a line of notes that fill a phone's whole picture."""

PHONE_PX = (4032, 3024)
CURVES: dict[str, tuple[tuple[float, ...], dict[str, tuple[int, int]]]] = {
    "curve": (CURVE, {}),
    "close": (CLOSE_CURVE, {"size_px": PHONE_PX}),
}
"""Steps, and what is not as in the preset."""

BATCH = 16
Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class Task:
    """One frame to simulate and read: the *k*-th of a part."""

    part: str  # normal, hard, negative, curve or close.
    k: int


def learnt_deck(task: tuple[str, int]) -> Row:
    """A deck from two photos of each kind; others where the first do not do."""
    style, draw = task
    cv2.setNumThreads(1)
    for attempt in range(ATTEMPTS_MAX):
        photos: dict[bool, list[np.ndarray]] = {False: [], True: []}
        seed = LEARNING_SEED + 10_000 * draw + 100 * attempt
        while min(len(p) for p in photos.values()) < 2:
            is_fake = len(photos[True]) < len(photos[False])
            frame = simulate(seed, "learning", styles=(style,), is_fake=is_fake)
            seed += 1
            if frame.notes:
                photos[is_fake].append(frame.image)
        begun = time.process_time()
        try:
            learnt = learn(photos[False], photos[True], style)
        except ValueError as no:
            print(f"learn {style}: attempt {attempt + 1}: {no}", file=sys.stderr)
            continue
        took = round(time.process_time() - begun, 2)
        file = base64.b64encode(save_deck(learnt.deck)).decode()
        row: Row = {"learnt": style, "k": draw, "refused": attempt, "seconds": took}
        return row | {"file": file}
    raise SystemExit(f"{style} could not be learnt")


def readings_on(note: NoteTruth, readings: tuple[Reading, ...]) -> list[Reading]:
    """The readings whose middle lies on the note."""
    outline = note.corners_px.astype(np.float32)
    return [
        r
        for r in readings
        if r.reason != "no_scrambled_print"
        and cv2.pointPolygonTest(
            outline, tuple(float(v) for v in np.mean(r.corners_px, axis=0)), False
        )
        > 0
    ]


def reading_of(note: NoteTruth, readings: tuple[Reading, ...]) -> Reading | None:
    """The clearest reading on the note."""
    on = readings_on(note, readings)
    return max(on, key=lambda r: (r.verdict != "unsure", r.confidence), default=None)


def outcome(note: NoteTruth, readings: tuple[Reading, ...]) -> str:
    """Right, wrong or unsure; one wrong verdict beside a right one is wrong."""
    said = {str(r.verdict) for r in readings_on(note, readings)} - {"unsure"}
    if not said:
        return "unsure"
    return "right" if said == {note.verdict} else "wrong"


def note_row(note: NoteTruth, readings: tuple[Reading, ...]) -> Row:
    """What is true of a note, and what was read of it."""
    reading = reading_of(note, readings)
    return {
        "truth": note.verdict,
        "causes": list(note.causes),
        "outcome": outcome(note, readings),
        "reason": "no_screen" if reading is None else str(reading.reason or ""),
        "confidence": round(reading.confidence, 4) if reading else 0.0,
        "pixels_per_line": round(note.pixels_per_line, 2),
    }


_decks: dict[str, list[Deck]] = {}


def _begin(decks: dict[str, list[Deck]]) -> None:
    cv2.setNumThreads(1)
    _decks.update(decks)


def _style(task: Task) -> str:
    """As many frames of the built-in deck as of all learnt ones together."""
    if (
        task.part == "negative"
        or task.part in CURVES
        or task.k % 2 == 0
        or len(_decks) == 1
    ):
        return "house"
    foreign = [s for s in _decks if s != "house"]
    return foreign[task.k // 2 % len(foreign)]


def _frame(task: Task, style: str) -> Frame:
    if task.part == "negative":
        return negative(FIRST_SEED + task.k)
    if task.part not in CURVES:
        return simulate(FIRST_SEED + task.k, task.part, styles=(style,))
    steps, size = CURVES[task.part]
    return simulate(
        FIRST_SEED + 800_000 + task.k // len(steps),
        "normal",
        styles=(style,),
        notes_count=1,
        pixels_per_line=steps[task.k % len(steps)],
        tilt_deg=5.0,
        **size,
    )


def judged_count(readings: tuple[Reading, ...]) -> int:
    """How many readings are verdicts."""
    return sum(r.verdict is not Verdict.UNSURE for r in readings)


def measure(task: Task) -> Row:
    """Simulate a frame, read it, and compare with the truth."""
    style = _style(task)
    frame = _frame(task, style)
    own = _decks[style][task.k // 2 // max(1, len(_decks) - 1) % len(_decks[style])]
    begun = time.process_time()
    readings = read(frame.image, own)
    row: Row = {
        "part": task.part,
        "k": task.k,
        "seed": frame.seed,
        "style": style,
        "deck": "built in" if style == "house" else "learnt",
        "ms": round(1000 * (time.process_time() - begun), 1),
        "notes": [note_row(note, readings) for note in frame.notes],
    }
    on = [r for note in frame.notes for r in readings_on(note, readings)]
    off = tuple(
        r
        for r in readings
        if r.reason != "no_scrambled_print" and not any(r is other for other in on)
    )
    row["off_judged"], row["off_unsure"] = (
        judged_count(off),
        len(off) - judged_count(off),
    )
    if task.part in CURVES:
        steps = CURVES[task.part][0]
        row["curve"] = steps[task.k % len(steps)]
    if task.part == "negative":
        row["scene"] = frame.scene[0]
    if task.k % STRANGE_EVERY < 2 and task.part in ("normal", "hard"):
        others = [s for s in _decks if (s == "house") != (style == "house")]
        if others:
            strange = _decks[others[task.k // STRANGE_EVERY % len(others)]][0]
            row["strange_judged"] = judged_count(read(frame.image, strange))
    return row


def _worth(row: Row) -> int:
    """How many notes (or frames) of what is counted a row holds."""
    notes = row["notes"]
    assert isinstance(notes, list)
    if row["part"] == "negative" or row["part"] in CURVES:
        return 1
    return sum(not note["causes"] for note in notes)


def measure_part(
    part: str, wanted: int, done: dict[tuple[str, int], Row], pool: Pool
) -> Iterator[Row]:
    """Frames in turn until so many readable notes have been read; new rows only."""
    have, numbers = 0, count()
    while have < wanted:
        batch = [Task(part, k) for k in islice(numbers, min(BATCH, wanted))]
        known = [done[t.part, t.k] for t in batch if (t.part, t.k) in done]
        have += sum(_worth(row) for row in known)
        fresh = [t for t in batch if (t.part, t.k) not in done]
        for row in pool.imap_unordered(measure, fresh):
            have += _worth(row)
            yield row


def _asked() -> argparse.Namespace:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--notes", type=int, default=2000, help="readable, normal")
    asked.add_argument("--hard", type=int, default=None, help="default: half of it")
    asked.add_argument("--negatives", type=int, default=300)
    asked.add_argument("--times", type=int, default=60)
    asked.add_argument("--curve", type=int, default=20, help="notes for each step")
    asked.add_argument("--styles", default=",".join(FOREIGN))
    asked.add_argument("--jobs", type=int, default=1, help="processes")
    asked.add_argument("--out", type=Path, default=None, help="kept, and gone on with")
    asked.add_argument("--write", action="store_true", help="update the README")
    asked.add_argument("--samples", type=int, help="of each; one style, no curve")
    given = asked.parse_args()
    if given.samples:
        given.notes = given.hard = given.negatives = given.times = given.samples
        given.styles, given.curve = FOREIGN[0], 0
    return given


def _measured(given: argparse.Namespace, rows: list[Row]) -> Iterator[Row]:
    """New rows, part by part."""
    done = {(str(r["part"]), int(str(r["k"]))): r for r in rows if "part" in r}
    hard = given.notes // 2 if given.hard is None else given.hard
    styles = [s for s in given.styles.split(",") if s] if given.notes or hard else []
    decks: dict[str, list[Deck]] = {"house": [house_deck()], **{s: [] for s in styles}}
    spawn = multiprocessing.get_context("spawn")
    learnt = {(str(r["learnt"]), r["k"]): r for r in rows if "learnt" in r}
    wanted = [(s, draw) for draw in range(DRAWS) for s in styles]
    with spawn.Pool(given.jobs) as learning:
        missing = [task for task in wanted if task not in learnt]
        for task, row in zip(missing, learning.imap(learnt_deck, missing), strict=True):
            learnt[task] = row
            yield row
    for style, draw in wanted:
        file = base64.b64decode(str(learnt[style, draw]["file"]))
        decks[style].append(load_deck(file))
    parts = {"negative": given.negatives, "normal": given.notes, "hard": hard}
    parts |= {part: given.curve * len(steps) for part, (steps, _) in CURVES.items()}
    with spawn.Pool(given.jobs, _begin, (decks,)) as pool:
        for part, wanted_count in parts.items():
            yield from measure_part(part, wanted_count, done, pool)
    if given.times and not any("cost" in r for r in rows):
        yield from measure_cost(given.times)


def main() -> None:
    """Measure what is missing, and print the tables."""
    given = _asked()
    cv2.setNumThreads(1)
    rows = rows_of(given.out)
    for row in _measured(given, list(rows)):
        rows.append(row)
        if given.out:
            with given.out.open("a", encoding="utf-8") as out:
                out.write(json.dumps(row) + "\n")
        elif not given.write:
            print(json.dumps({"what": "decoder", **row}), flush=True)
    text = table(rows)
    print(text, file=sys.stderr if not given.out else sys.stdout)
    if given.write:
        write_readme(text, "measured")


if __name__ == "__main__":
    main()
