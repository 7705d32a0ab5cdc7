"""What is said of notes whose eyes are covered, and how true the confidence is.

    python -m benchmarks.decoder.bench_eyes --jobs 2 --out eyes.jsonl --write
    python -m benchmarks.decoder.bench_eyes --first 0 --decks 8

Half of the decks wear narrow masks (`zoo.NARROW_FROM`), and `--family interlaced`, or
`strips`, prints them so; with `--paired` a real and a fake note share one layout. Each
is learnt from four photos of each kind and reads notes whose eyes lie under each of
`simulator_damage.EYES`, as many sound ones, another deck's notes, pictures without a
print and, with the built-in deck, faces in plain sight through a halftone. Each deck is
one JSON object a line of `--out`; begun again with the same file, it goes on where it
was cut off.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import cv2

from benchmarks.decoder import zoo
from benchmarks.decoder.bench_read import judged_count, note_row
from benchmarks.decoder.bench_table import (
    HEAD,
    confidence,
    line,
    rows_of,
    told,
    write_readme,
)
from benchmarks.decoder.simulator import SMALL_CROP, Frame, negative, simulate
from benchmarks.decoder.simulator_conditions import ODD
from benchmarks.decoder.simulator_damage import EYES
from benchmarks.decoder.styles import Family
from companion.decoder import Deck, house_deck, learn, read
from companion.errors import Malformed

FIRST = 5000
"""The first of the decks that nobody looks at; those of `zoo.WORKING` may be."""

FRAMES = 6
"""Frames of each kind of damage, and of each difficulty, for each deck."""

DAMAGED = 500_000
"""Photographs of covered eyes are none of the sound ones."""

UNUSUAL = 600_000
"""Photographs of unusual prints and cameras are others again."""

SEED = 70_000_000

Row = dict[str, object]
Task = tuple[int, Family, bool]
"""A deck, its family, and whether its notes are pairs, see `zoo.lesson`."""


def _frames(task: Task) -> Iterator[tuple[str, Frame]]:
    """Frames of a deck's notes, with what lies over their eyes."""
    deck, family, is_paired = task
    unseen = partial(zoo.unseen, deck, family=family, is_paired=is_paired)
    for number, eyes in enumerate(EYES):
        for k in range(FRAMES):
            difficulty = ("easy", "normal")[k % 2]
            seed = DAMAGED + 100 * number + k
            yield eyes, unseen(seed, difficulty, eyes=eyes)
    for k in range(FRAMES):
        for difficulty in ("normal", "hard"):
            yield difficulty, unseen(k, difficulty)
    for number, odd in enumerate(ODD):
        for k in range(FRAMES):
            seed = UNUSUAL + 100 * number + k
            yield odd, unseen(seed, "normal", odd=odd)


def _others(seed: int, own: Deck, family: Family) -> Row:
    """Count what is judged though nothing of the deck's is there, frame by frame."""
    found: dict[str, list[int]] = {"decoy": [], "other": [], "halftone": []}
    for k in (seed, seed + 100):
        empty = negative(SEED + k, size_px=SMALL_CROP)
        other = zoo.unseen(k + 1, k % 1000, family=family)
        found["decoy"].append(judged_count(read(empty.image, own)))
        found["other"].append(judged_count(read(other.image, own)))
        for dots in (_dotted(SEED + k), _dotted(SEED + 500_000 + k)):
            found["halftone"].append(judged_count(read(dots.image, house_deck())))
    return dict(found)


def _dotted(seed: int) -> Frame:
    fixed = {"notes_count": 1, "size_px": (1600, 1100), "decoys_count": 0}
    return simulate(seed, "normal", ("dotted house",), **fixed)


def measure(task: Task) -> Row:
    """One deck: what is said of each of its notes."""
    deck, family, is_paired = task
    photos = zoo.lesson(deck, 0, family=family, is_paired=is_paired)
    row: Row = {"deck": deck, "family": family, "notes": []}
    try:
        own = learn(photos.real, photos.fake, f"zoo {deck}").deck
    except Malformed as no:
        return row | {"refused": str(no)}
    notes = []
    for kind, frame in _frames(task):
        readings = read(frame.image, own)
        notes += [{"kind": kind} | note_row(n, readings) for n in frame.notes]
    return row | {"notes": notes} | _others(deck, own, family)


def _notes(rows: list[Row]) -> list[Row]:
    every: list[Row] = []
    for row in rows:
        notes = row["notes"]
        assert isinstance(notes, list)
        every += notes
    return every


def table(rows: list[Row]) -> str:
    """The measured tables, as Markdown."""
    notes = _notes(rows)
    sound = [n for n in notes if n["kind"] not in EYES and not n["causes"]]
    damaged = [n for n in notes if n["kind"] in EYES]
    learnt = sum("refused" not in row for row in rows)
    out = [f"{learnt} decks that nobody had looked at, half of them with narrow masks:"]
    out += ["", HEAD]
    out += [
        line(f"eyes under {eyes}", [n for n in damaged if n["kind"] == eyes])
        for eyes in EYES
    ]
    out += [line("**eyes covered, all**", damaged)]
    for kind in ("normal", "hard", *ODD):
        out.append(line(f"sound, {kind}", [n for n in sound if n["kind"] == kind]))
    why = Counter(str(n["reason"]) for n in damaged if n["outcome"] == "unsure")
    out += ["", f"Why those with covered eyes were unsure: {told(why)}."]
    out += confidence([*damaged, *sound])
    for key, what in (
        ("halftone", "Faces in plain sight through a halftone"),
        ("decoy", "Other pictures without a print"),
        ("other", "Notes of other decks"),
    ):
        counts: list[int] = []
        for row in rows:
            found = row.get(key, [])
            assert isinstance(found, list)
            counts += found
        judged = sum(count > 0 for count in counts)
        out += ["", f"{what}: {judged} of {len(counts)} judged."]
    return "\n".join(out)


def _asked() -> argparse.Namespace:
    asked = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    asked.add_argument("--first", type=int, default=FIRST, help="seed of a deck")
    asked.add_argument("--family", type=Family, default=Family.CARRIER)
    asked.add_argument("--paired", action="store_true", help="one layout for a pair")
    asked.add_argument("--decks", type=int, default=64)
    asked.add_argument("--jobs", type=int, default=1, help="processes")
    asked.add_argument("--out", type=Path, default=None, help="kept, and gone on with")
    asked.add_argument("--write", action="store_true", help="update the README")
    return asked.parse_args()


def main() -> None:
    """Measure what is missing, and print the tables."""
    given = _asked()
    decks = [
        given.first + k // 2 + zoo.NARROW_FROM * (k % 2) for k in range(given.decks)
    ]
    rows = rows_of(given.out)
    done = {row["deck"] for row in rows}
    spawn = multiprocessing.get_context("spawn")
    with spawn.Pool(given.jobs, cv2.setNumThreads, (1,)) as pool:
        missing = [
            (deck, given.family, given.paired) for deck in decks if deck not in done
        ]
        for row in pool.imap_unordered(measure, missing):
            rows.append(row)
            if given.out:
                with given.out.open("a", encoding="utf-8") as out:
                    out.write(json.dumps(row) + "\n")
    text = table(rows)
    print(text)
    if given.write:
        write_readme(text, f"eyes {given.family}")


if __name__ == "__main__":
    main()
