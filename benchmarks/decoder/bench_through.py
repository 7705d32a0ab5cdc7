"""How often a print under the lens or a film is read right, on simulated photographs.

    python -m benchmarks.decoder.bench_through --write
    python -m benchmarks.decoder.bench_through --notes 10 --negatives 10

Notes are read with `through=LENS`; negatives, and notes of decks that nobody learnt,
must not be judged. `--write` puts the table between the markers of
companion/decoder/README.md.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from benchmarks.decoder.bench_read import learnt_deck
from benchmarks.decoder.bench_table import interval, write_readme
from benchmarks.decoder.simulator import SMALL_CROP, Frame, negative, simulate
from benchmarks.decoder.simulator_lens import AIDS, simulate_through
from benchmarks.decoder.styles import FOREIGN
from companion.decoder import Deck, Reading, Through, house_deck, load_deck, read

FIRST_SEED = 3_000_000
"""Bench frames are none that the decoder was tuned on."""

Row = dict[str, object]


def verdict_of(readings: tuple[Reading, ...]) -> str:
    """What all readings of a frame with one note say together."""
    said = {str(r.verdict) for r in readings if r.verdict != "unsure"}
    return said.pop() if len(said) == 1 else "mixed" if said else "unsure"


def outcome(frame: Frame, deck: Deck, through: Through) -> tuple[str, float]:
    """Right, wrong or unsure, and milliseconds of processor time."""
    begun = time.process_time()
    said = verdict_of(read(frame.image, deck, through))
    took = 1000 * (time.process_time() - begun)
    if said == "unsure":
        return said, took
    return ("right" if said == frame.notes[0].verdict else "wrong"), took


def measure_notes(count: int, deck: Deck, style: str, difficulty: str) -> Iterator[Row]:
    for aid in AIDS:
        for k in range(count):
            frame = simulate_through(
                aid, FIRST_SEED + k, difficulty, style, size_px=SMALL_CROP
            )
            for through in Through:
                said, took = outcome(frame, deck, through)
                yield {
                    "aid": aid,
                    "seed": frame.seed,
                    "style": style,
                    "difficulty": difficulty,
                    "asked": through is Through.LENS,
                    "shows": frame.notes[0].is_readable,
                    "outcome": said,
                    "ms": round(took, 1),
                }


def measure_never(count: int, house: Deck) -> Iterator[Row]:
    """Frames that must not be judged: no print, or one of another deck."""
    for k in range(count):
        frame = negative(FIRST_SEED + k)
        begun = time.process_time()
        said = verdict_of(read(frame.image, house, Through.LENS))
        took = 1000 * (time.process_time() - begun)
        yield {"never": "no scrambled print", "said": said, "ms": round(took, 1)}
        style, aid = FOREIGN[k % len(FOREIGN)], AIDS[k // len(FOREIGN) % 2]
        frame = simulate_through(aid, FIRST_SEED + k, style=style, size_px=SMALL_CROP)
        said = verdict_of(read(frame.image, house, Through.LENS))
        yield {"never": "another deck under film or lens", "said": said}


def measure_bare(count: int, house: Deck) -> Iterator[Row]:
    """Bare prints, too fine to be read as a rule, though a lens was promised."""
    for k in range(count):
        frame = simulate(
            FIRST_SEED + k,
            ("normal", "hard")[k % 2],
            ("house",),
            notes_count=1,
            size_px=SMALL_CROP,
            pixels_per_line=1.6 + 0.05 * (k % 20),
        )
        yield {"bare": k, "outcome": outcome(frame, house, Through.LENS)[0]}


def measure(notes: int, negatives: int) -> Iterator[Row]:
    """Everything that the table tells."""
    house = house_deck()
    yield from measure_notes(notes, house, "house", "normal")
    yield from measure_never(negatives, house)
    for style in FOREIGN:
        file = str(learnt_deck((style, 0))["file"])
        deck = load_deck(base64.b64decode(file))
        yield from measure_notes(notes // 4, deck, style, "normal")
    yield from measure_notes(notes // 2, house, "house", "hard")
    yield from measure_bare(negatives, house)


def _line(name: str, rows: list[Row]) -> str:
    counts = Counter(str(r["outcome"]) for r in rows)
    cells = []
    for key in ("right", "wrong", "unsure"):
        share = 100 * counts[key] / len(rows) if rows else 0.0
        low, high = interval(counts[key], len(rows))
        cells.append(f"{share:.1f} % ({low:.1f} to {high:.1f})")
    return f"| {name} | {len(rows)} | {' | '.join(cells)} |"


def table(rows: list[Row]) -> str:
    """The measured table, as Markdown."""
    out = [
        "| one note under | n | right | wrong | unsure |",
        "| --- | --- | --- | --- | --- |",
    ]
    notes = [r for r in rows if "aid" in r]
    shows = [r for r in notes if r["shows"]]
    asked = [r for r in shows if r["asked"]]
    for difficulty in ("normal", "hard"):
        for aid in AIDS:
            of = [r for r in asked if (r["aid"], r["difficulty"]) == (aid, difficulty)]
            house = [r for r in of if r["style"] == "house"]
            learnt = [r for r in of if r["style"] != "house"]
            for name, some in (("built-in deck", house), ("learnt decks", learnt)):
                if some:
                    out.append(_line(f"{aid}, {difficulty}, {name}", some))
    for aid in AIDS:
        unasked = [r for r in shows if not r["asked"] and r["aid"] == aid]
        out.append(_line(f"{aid}, not told of it, all of the above", unasked))
    hidden = [r for r in notes if r["asked"] and not r["shows"]]
    out.append(_line("either, so out of step that fewer than two faces show", hidden))
    bare = [r for r in rows if "bare" in r]
    out.append(_line("nothing, though told of a lens, 1.6 to 2.6 px a line", bare))
    out.append("")
    for key in ("no scrambled print", "another deck under film or lens"):
        never = [r for r in rows if r.get("never") == key]
        judged = sum(r["said"] != "unsure" for r in never)
        high = interval(judged, len(never))[1]
        told = f"{judged} of {len(never)} judged (at most {high:.1f} %)."
        out.append(f"{key.capitalize()}: {told}  ")
    return "\n".join([*out, *_times(rows)])


def _times(rows: list[Row]) -> list[str]:
    empty = [float(str(r["ms"])) for r in rows if r.get("never") and "ms" in r]
    if not empty:
        return []
    middle, late = np.quantile(empty, [0.5, 0.95])
    return [
        f"A frame of 2304x1296 without a print, told of a lens, takes {middle:.0f} ms "
        f"of one processor at the median, {late:.0f} ms at the 95th percentile."
    ]


def main() -> None:
    asked = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    asked.add_argument("--notes", type=int, default=64, help="film and lens, each")
    asked.add_argument("--negatives", type=int, default=60)
    asked.add_argument("--out", type=Path, default=None, help="a JSON line a row")
    asked.add_argument("--rows", type=Path, default=None, help="what --out wrote")
    asked.add_argument("--write", action="store_true")
    given = asked.parse_args()
    cv2.setNumThreads(1)
    rows = []
    if given.rows:
        lines = given.rows.read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
    else:
        with (given.out or Path(os.devnull)).open("w", encoding="utf-8") as out:
            for row in measure(given.notes, given.negatives):
                rows.append(row)
                out.write(json.dumps(row) + "\n")
                out.flush()
    text = table(rows)
    print(text)
    if given.write:
        write_readme(text, "through")


if __name__ == "__main__":
    main()
