"""How often a deck that nobody has seen can be learnt, and how well it then reads.

    python -m benchmarks.decoder.bench_zoo --jobs 2 --out zoo.jsonl --write
    python -m benchmarks.decoder.bench_zoo --working --decks 12 --lessons 2
    python -m benchmarks.decoder.bench_zoo --family interlaced --out laced.jsonl

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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks.decoder import zoo
from benchmarks.decoder.bench_read import judged_count, note_row, readings_on
from benchmarks.decoder.bench_table import rows_of, write_readme
from benchmarks.decoder.bench_zoo_table import refusals, table
from benchmarks.decoder.simulator import SMALL_CROP, negative
from benchmarks.decoder.styles import Family
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
        family: How the deck hides its pictures.
    """

    part: str
    deck: int
    lesson: int
    frames: int = 0
    family: Family = Family.CARRIER

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
    left_out = [str(words) for words in getattr(learnt, "left_out", ())]
    row: Row = {"outcome": outcome, "said": said, "left_out": left_out}
    return row | {"seconds": seconds}, learnt


def told_apart(kinds: Sequence[int | None], fakes: Sequence[bool]) -> tuple[int, int]:
    """The kind that wears the mask, and how many photos are taken for the wrong kind.

    Args:
        kinds: 0 or 1 for each photo; None for one that was left out.
        fakes: Which photos show a fake note.
    """
    pairs = [(k, f) for k, f in zip(kinds, fakes, strict=True) if k is not None]
    wrong = sum((kind == 1) is not is_fake for kind, is_fake in pairs)
    return (1, wrong) if 2 * wrong <= len(pairs) else (0, len(pairs) - wrong)


def _sort_out(lesson: zoo.Lesson, name: str) -> tuple[Row, Learnt | None]:
    """Photos without labels; told which face wears the mask, as one tap does."""
    wrong = 0

    def learning() -> Learnt:
        nonlocal wrong
        found = decoder.sort_out(list(lesson.photos), name)
        masked, wrong = told_apart(found.kinds, lesson.fakes)
        learnt: Learnt = found.learnt(masked)
        return learnt

    row, learnt = tried(learning)
    return (row | {"outcome": "mixed up"} if wrong else row), learnt


@dataclass(frozen=True, slots=True)
class _Tried:
    """One way of learning a deck: what came of it, and which print runs it showed."""

    way: str
    said: Row
    learnt: Learnt | None
    pitches_mm: frozenset[float]


def _ways(task: Task) -> Iterator[_Tried]:
    name = f"zoo {task.deck}"
    photos = zoo.lesson(task.deck, task.lesson, family=task.family)
    real, fake, pitches = photos.real, photos.fake, photos.pitches_mm
    yield _Tried("4+4", *tried(lambda: learn(real, fake, name)), frozenset(pitches))
    few = frozenset([*pitches[:2], *pitches[len(real) : len(real) + 2]])
    yield _Tried("2+2", *tried(lambda: learn(real[:2], fake[:2], name)), few)
    if hasattr(decoder, "sort_out"):
        photos = zoo.mixed(task.deck, task.lesson, family=task.family)
        runs = frozenset(photos.pitches_mm)
        yield _Tried("unsorted", *_sort_out(photos, name), runs)


def _read_unseen(task: Task, ways: list[_Tried]) -> Iterator[Row]:
    """Each note of frames that no lesson shows, as each learnt deck reads it."""
    learnt = [(w, w.learnt.deck) for w in ways if w.learnt is not None]
    for difficulty in ("normal", "hard"):
        for k in range(task.frames if learnt else 0):
            number = task.lesson * task.frames + k
            frame = zoo.unseen(task.deck, number, difficulty, task.family)
            for way, deck in learnt:
                readings = read(frame.image, deck)
                said: Row = {"way": way.way, "difficulty": difficulty}
                on: list[Reading] = []
                for note in frame.notes:
                    on += readings_on(note, readings)
                    is_shown = note.pitch_mm in way.pitches_mm
                    yield said | note_row(note, readings) | {"run_shown": is_shown}
                beside = judged_count(readings) - judged_count(tuple(on))
                yield said | {"beside": beside}


def _strange(task: Task, deck: Deck) -> Row:
    """What the deck says of a picture without print, and of another deck's notes."""
    seed = DECOY_SEED + 1000 * task.deck + task.lesson
    empty = negative(seed, size_px=SMALL_CROP)
    other = zoo.unseen(task.deck + 1, task.lesson, family=task.family)
    return {
        "scene": empty.scene[0],
        "decoy": judged_count(read(empty.image, deck)),
        "other": judged_count(read(other.image, deck)),
    }


def _lesson(task: Task) -> Row:
    ways = list(_ways(task))
    row: Row = {"ways": {way.way: way.said for way in ways}}
    row["unseen"] = list(_read_unseen(task, ways))
    learnt = next((way.learnt for way in ways if way.learnt is not None), None)
    return row if learnt is None else row | {"strange": _strange(task, learnt.deck)}


def called(fakes: list[bool], index: int) -> str:
    """What a photo is called: by its label, and its number among those of the label."""
    number = fakes[: index + 1].count(fakes[index])
    return f"{'fake' if fakes[index] else 'real'} photo {number}"


def names(said: str, name: str) -> bool:
    """Whether words name a photo."""
    return re.search(rf"\b{name}\b", said) is not None


def refusal(said: str, name: str) -> str:
    """Whether a refusal names the odd photo, another one, or none."""
    if names(said, name):
        return "refused and named"
    is_another = re.search(r"\b(real|fake) photo \d", said)
    return "refused, naming another" if is_another else "refused"


def _with_one_odd(
    lesson: zoo.Lesson, fakes: list[bool], index: int, deck_name: str
) -> tuple[Row, Learnt | None]:
    """A lesson with one odd photo: whether it is named by what is said."""
    piles: dict[bool, Photos] = {False: [], True: []}
    for photo, is_fake in zip(lesson.photos, fakes, strict=True):
        piles[is_fake].append(photo)
    row, learnt = tried(lambda: learn(piles[False], piles[True], deck_name))
    name, said = called(fakes, index), str(row["said"])
    row["called"] = name
    if learnt is None:
        row["outcome"] = refusal(said, name)
    row["is_left_out"] = any(
        names(words, name) for words in getattr(learnt, "left_out", ())
    )
    return row, learnt


def _swapped(task: Task) -> Row:
    """Four and four photos, one of them with the wrong label."""
    lesson = zoo.lesson(task.deck, task.lesson, family=task.family)
    draw = np.random.default_rng([task.deck, task.lesson, 884])
    index = int(draw.integers(len(lesson.photos)))
    fakes = [is_fake is not (k == index) for k, is_fake in enumerate(lesson.fakes)]
    row, learnt = _with_one_odd(lesson, fakes, index, f"zoo {task.deck}")
    if learnt is None:
        return row | {"wrong": 0}
    few = replace(task, frames=ACCUSED_BY)
    way = _Tried("swapped", row, learnt, frozenset(lesson.pitches_mm))
    seen = _read_unseen(few, [way])
    wrong = sum(one.get("outcome") == "wrong" for one in seen)
    is_safe = row["is_left_out"] and not wrong
    outcome = "learnt without it, and named" if is_safe else "accuses"
    return row | {"outcome": outcome, "wrong": wrong}


def _poor(task: Task) -> Row:
    """Four and four photos, one of them poor."""
    lesson = zoo.lesson(task.deck, task.lesson, has_poor=True, family=task.family)
    assert lesson.poor is not None
    row, learnt = _with_one_odd(
        lesson, list(lesson.fakes), lesson.poor, f"zoo {task.deck}"
    )
    row["fault"] = lesson.fault
    if learnt is None:
        return row
    if row["is_left_out"]:
        return row | {"outcome": "learnt without it, and named"}
    outcome = "learnt without another" if row["left_out"] else "learnt with it"
    return row | {"outcome": outcome}


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
    asked.add_argument("--family", default="carrier", choices=list(Family))
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
        Task(
            part,
            decks[k % len(decks)],
            k // len(decks),
            given.frames,
            Family(given.family),
        )
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
