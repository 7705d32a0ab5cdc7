"""How often a deck that nobody has seen can be learnt, and how well it then reads.

    python -m benchmarks.decoder.bench_zoo --jobs 2 --out zoo.jsonl --write
    python -m benchmarks.decoder.bench_zoo --working --decks 12 --lessons 2

Decks are drawn at random (`zoo.py`). Each lesson is learnt from four photographs of
each kind, from the first two of each, and from eight unsorted ones; each deck that
comes of it reads frames that it has not seen, a decoy and another deck's notes. Then
lessons with one label swapped, and with one poor photograph. Each lesson is one JSON
object a line of `--out`; begun again with the same file, it goes on where it was cut
off. `--write` puts the tables between the markers of companion/decoder/README.md.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from benchmarks.decoder import zoo
from benchmarks.decoder.bench_read import judged_count, note_row, readings_on
from benchmarks.decoder.bench_table import rows_of, write_readme
from benchmarks.decoder.bench_zoo_table import refusals, table
from benchmarks.decoder.simulator import SMALL_CROP, negative
from companion import decoder
from companion.decoder import Deck, Learnt, Reading, learn, read
from companion.errors import Malformed

DECOY_SEED = 60_000_000
"""Decoys are none that the decoder was tuned on."""

ACCUSED_BY = 4
"""So many unseen frames at normal are read with a deck that took a swapped label in."""

Row = dict[str, object]
Photos = list[zoo.Pixels]


@dataclass(frozen=True, slots=True)
class Task:
    """One lesson of one deck.

    Attributes:
        part: "lesson", "swapped" or "poor".
        frames: How many unseen frames of each difficulty are read, for "lesson".
    """

    part: str
    deck: int
    lesson: int
    frames: int = 0

    @property
    def key(self) -> tuple[str, int, int]:
        return self.part, self.deck, self.lesson


def tried(learning: Callable[[], Learnt]) -> tuple[Row, Learnt | None]:
    """What came of a lesson: learnt or refused, in what words, in what time."""
    begun = time.process_time()
    said, learnt = "", None
    try:
        learnt = learning()
    except Malformed as no:
        said = str(no)
    seconds = round(time.process_time() - begun, 2)
    outcome = "refused" if learnt is None else "learnt"
    left_out = list(getattr(learnt, "left_out", ()))
    row: Row = {"outcome": outcome, "said": said, "left_out": left_out}
    return row | {"seconds": seconds}, learnt


def _sort_out(lesson: zoo.Lesson, name: str) -> tuple[Row, Learnt | None]:
    """Photos without labels; told which face wears the mask, as one tap does.

    The outcome is "mixed up" if a photo was taken for the wrong kind.
    """
    mixed_up = 0

    def learning() -> Learnt:
        nonlocal mixed_up
        found = decoder.sort_out(list(lesson.photos), name)
        pairs = [
            p for p in zip(found.kinds, lesson.fakes, strict=True) if p[0] is not None
        ]
        masked = round(
            float(np.mean([kind for kind, is_fake in pairs if is_fake] or [0]))
        )
        mixed_up = sum((kind == masked) is not is_fake for kind, is_fake in pairs)
        learnt: Learnt = found.learnt(masked)
        return learnt

    row, learnt = tried(learning)
    if mixed_up:
        row["outcome"] = "mixed up"
    return row, learnt


def _ways(task: Task) -> Iterator[tuple[str, Row, Learnt | None]]:
    """Each way of learning a deck, and what came of it."""
    name = f"zoo {task.deck}"
    photos = zoo.lesson(task.deck, task.lesson)
    yield "4+4", *tried(lambda: learn(photos.real, photos.fake, name))
    yield "2+2", *tried(lambda: learn(photos.real[:2], photos.fake[:2], name))
    if hasattr(decoder, "sort_out"):
        yield "unsorted", *_sort_out(zoo.mixed(task.deck, task.lesson), name)


def _read_unseen(task: Task, decks: dict[str, Deck]) -> Iterator[Row]:
    """Each note of frames that no lesson shows, as each deck reads it."""
    for difficulty in ("normal", "hard"):
        for k in range(task.frames):
            frame = zoo.unseen(task.deck, task.lesson * task.frames + k, difficulty)
            for way, deck in decks.items():
                readings = read(frame.image, deck)
                said = {"way": way, "difficulty": difficulty}
                on: list[Reading] = []
                for note in frame.notes:
                    on += readings_on(note, readings)
                    yield said | note_row(note, readings)
                beside = judged_count(readings) - judged_count(tuple(on))
                yield said | {"beside": beside}


def _strange(task: Task, deck: Deck) -> Row:
    """What the deck says of a picture without print, and of another deck's notes."""
    seed = DECOY_SEED + 1000 * task.deck + task.lesson
    empty = negative(seed, size_px=SMALL_CROP)
    other = zoo.unseen(task.deck + 1, task.lesson)
    return {
        "scene": empty.scene[0],
        "decoy": judged_count(read(empty.image, deck)),
        "other": judged_count(read(other.image, deck)),
    }


def _lesson(task: Task) -> Row:
    ways = list(_ways(task))
    decks = {way: learnt.deck for way, _, learnt in ways if learnt is not None}
    row: Row = {"ways": {way: said for way, said, _ in ways}}
    row["unseen"] = list(_read_unseen(task, decks)) if decks else []
    if decks:
        row["strange"] = _strange(task, next(iter(decks.values())))
    return row


def called(fakes: list[bool], index: int) -> str:
    """What a photo is called: by its label, and its number among those of the label."""
    number = fakes[: index + 1].count(fakes[index])
    return f"{'fake' if fakes[index] else 'real'} photo {number}"


def names(said: str, name: str) -> bool:
    """Whether words name a photo."""
    return re.search(rf"\b{name}\b", said) is not None


def _with_one_odd(
    lesson: zoo.Lesson, fakes: list[bool], index: int, deck_name: str
) -> tuple[Row, Learnt | None]:
    """A lesson with one odd photo: whether it is named by what is said."""
    piles: dict[bool, Photos] = {False: [], True: []}
    for photo, is_fake in zip(lesson.photos, fakes, strict=True):
        piles[is_fake].append(photo)
    row, learnt = tried(lambda: learn(piles[False], piles[True], deck_name))
    name = called(fakes, index)
    row["called"] = name
    row["is_refusal_naming"] = names(str(row["said"]), name)
    row["is_left_out"] = any(
        names(words, name) for words in getattr(learnt, "left_out", ())
    )
    return row, learnt


def _swapped(task: Task) -> Row:
    """Four and four photos, one of them with the wrong label."""
    lesson = zoo.lesson(task.deck, task.lesson)
    draw = np.random.default_rng([task.deck, task.lesson, 884])
    index = int(draw.integers(len(lesson.photos)))
    fakes = [is_fake is not (k == index) for k, is_fake in enumerate(lesson.fakes)]
    row, learnt = _with_one_odd(lesson, fakes, index, f"zoo {task.deck}")
    if learnt is None:
        outcome = "refused and named" if row["is_refusal_naming"] else "refused"
        return row | {"outcome": outcome, "wrong": 0}
    few = Task("swapped", task.deck, task.lesson, ACCUSED_BY)
    read_ = [n for n in _read_unseen(few, {"swapped": learnt.deck}) if "outcome" in n]
    wrong = sum(note["outcome"] == "wrong" for note in read_)
    is_safe = row["is_left_out"] and not wrong
    outcome = "learnt without it, and named" if is_safe else "accuses"
    return row | {"outcome": outcome, "wrong": wrong}


def _poor(task: Task) -> Row:
    """Four and four photos, one of them poor."""
    lesson = zoo.lesson(task.deck, task.lesson, has_poor=True)
    assert lesson.poor is not None
    row, learnt = _with_one_odd(
        lesson, list(lesson.fakes), lesson.poor, f"zoo {task.deck}"
    )
    if learnt is None:
        outcome = "refused and named" if row["is_refusal_naming"] else "refused"
    elif row["is_left_out"]:
        outcome = "learnt without it, and named"
    else:
        outcome = "learnt without another" if row["left_out"] else "learnt with it"
    return row | {"outcome": outcome, "fault": lesson.fault}


PARTS = {"lesson": _lesson, "swapped": _swapped, "poor": _poor}


def measure(task: Task) -> Row:
    """One lesson, as a row."""
    row: Row = {"part": task.part, "deck": task.deck, "lesson": task.lesson}
    return row | PARTS[task.part](task)


def _asked() -> argparse.Namespace:
    asked = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    asked.add_argument(
        "--working", action="store_true", help="not the decks of the end"
    )
    asked.add_argument("--decks", type=int, default=None, help="default: all of them")
    asked.add_argument("--lessons", type=int, default=5, help="of each deck")
    asked.add_argument("--frames", type=int, default=4, help="a lesson and difficulty")
    asked.add_argument("--swapped", type=int, default=100, help="lessons")
    asked.add_argument("--poor", type=int, default=100, help="lessons")
    asked.add_argument("--jobs", type=int, default=1, help="processes")
    asked.add_argument("--out", type=Path, default=None, help="kept, and gone on with")
    asked.add_argument("--write", action="store_true", help="update the README")
    return asked.parse_args()


def _tasks(given: argparse.Namespace) -> list[Task]:
    """Every deck's first lesson, then every deck's second, and so on."""
    decks = list(zoo.WORKING if given.working else zoo.END)[: given.decks]
    counts = {"lesson": given.lessons * len(decks)}
    counts |= {"swapped": given.swapped, "poor": given.poor}
    return [
        Task(part, decks[k % len(decks)], k // len(decks), given.frames)
        for part, count in counts.items()
        for k in range(count)
    ]


def _measured(given: argparse.Namespace, rows: list[Row]) -> Iterator[Row]:
    """New rows as they come."""
    done = {(row["part"], row["deck"], row["lesson"]) for row in rows}
    missing = [task for task in _tasks(given) if task.key not in done]
    spawn = multiprocessing.get_context("spawn")
    with spawn.Pool(given.jobs, cv2.setNumThreads, (1,)) as pool:
        yield from pool.imap_unordered(measure, missing)


def main() -> None:
    """Measure what is missing, and print the tables."""
    given = _asked()
    rows = rows_of(given.out)
    for row in _measured(given, list(rows)):
        rows.append(row)
        if given.out:
            with given.out.open("a", encoding="utf-8") as out:
                out.write(json.dumps(row) + "\n")
    text = table(rows)
    print("\n".join([text, *refusals(rows)]))
    if given.write:
        write_readme(text, "zoo")


if __name__ == "__main__":
    main()
