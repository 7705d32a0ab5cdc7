"""Rows of `bench_zoo` to the tables of companion/decoder/README.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import groupby

import numpy as np

from benchmarks.decoder.bench_table import HEAD, Row, interval, line, told
from benchmarks.decoder.styles import zoo_style

WAYS = {
    "4+4": "four photos of each",
    "2+2": "two of each",
    "unsorted": "eight unsorted",
}
BINS = ((0.0, 0.35), (0.35, 0.45), (0.45, 0.7))
SHIFT_BINS = ((0.0, 0.3), (0.3, 0.4), (0.4, 0.6))


def _within(value: float, bins: Iterable[tuple[float, float]], name: str) -> str:
    low, high = next(b for b in bins if b[0] <= value < b[1])
    ends = [f"{end:g}" for end in (low, high)]
    return f"{name} {' to '.join(ends)}"


def factors(deck: int, lesson: int) -> tuple[str, ...]:
    """Words for a lesson and its deck, by which the shares are told apart."""
    style = zoo_style(deck)
    screen = style.deck.screen
    return (
        "notes any way up" if lesson % 2 else "notes upright",
        _within(screen.pitch_mm, BINS, "pitch"),
        _within(screen.shift, SHIFT_BINS, "shift"),
        *style.traits,
    )


def _share(count: int, total: int) -> str:
    low, high = interval(count, total)
    return f"{100 * count / max(1, total):.1f} % ({low:.1f} to {high:.1f})"


def _ways(rows: list[Row]) -> list[tuple[Row, str, Row]]:
    """Each lesson's row, a way to learn, and what came of it."""
    found = []
    for row in rows:
        ways = row.get("ways", {})
        assert isinstance(ways, dict)
        found += [(row, way, said) for way, said in ways.items()]
    return found


def _seen(row: Row) -> list[Row]:
    """What was read in the unseen frames of a lesson."""
    seen = row.get("unseen", [])
    assert isinstance(seen, list)
    return seen


def _number(row: Row, key: str) -> int:
    return int(str(row.get(key, 0)))


def _reads_wrong(row: Row, way: str) -> bool:
    """Whether the deck of one way of learning read any note wrong."""
    said = {(str(one["way"]), str(one.get("outcome"))) for one in _seen(row)}
    return (way, "wrong") in said


def _learning(rows: list[Row]) -> list[str]:
    tried = _ways(rows)
    if not tried:
        return []
    decks = len({row["deck"] for row, _, _ in tried})
    out = [
        "",
        f"Lessons of {decks} decks that nobody had seen, with 95 % intervals:",
        "",
    ]
    out.append(
        "| lesson | n | learnt | refused | mixed up | decks that read wrong | s | p95 |"
    )
    out.append(f"|{' --- |' * 8}")
    for way, name in WAYS.items():
        of = [said for _, which, said in tried if which == way]
        if not of:
            continue
        counts = Counter(str(said["outcome"]) for said in of)
        seconds = np.quantile([float(str(said["seconds"])) for said in of], [0.5, 0.95])
        cells = (
            name,
            len(of),
            _share(counts["learnt"], len(of)),
            counts["refused"],
            counts["mixed up"],
            sum(_reads_wrong(row, way) for row in rows),
            *(f"{took:.1f}" for took in seconds),
        )
        out.append(f"| {' | '.join(map(str, cells))} |")
    return out


def _by_factor(rows: list[Row]) -> list[str]:
    tried = [
        (factor, way, said["outcome"] == "learnt")
        for row, way, said in _ways(rows)
        for factor in factors(_number(row, "deck"), _number(row, "lesson"))
    ]
    if not tried:
        return []
    ways = [way for way in WAYS if any(way == which for _, which, _ in tried)]
    out = ["", f"| learnt of lessons with | n | {' | '.join(ways)} |"]
    out.append(f"| --- | --- |{' --- |' * len(ways)}")
    for factor, group in groupby(sorted(tried), key=lambda t: t[0]):
        of = list(group)
        learnt = {way: [ok for _, which, ok in of if which == way] for way in ways}
        cells = [
            f"{100 * np.mean(oks):.0f} %" if oks else "" for oks in learnt.values()
        ]
        out.append(f"| {factor} | {len(learnt[ways[0]])} | {' | '.join(cells)} |")
    return out


def _unseen(rows: list[Row]) -> list[str]:
    """How learnt decks read what they have not seen."""
    seen = [one for row in rows for one in _seen(row)]
    notes = [one for one in seen if "outcome" in one and not one["causes"]]
    if not notes:
        return []
    out = ["", "Readable notes in frames that were not learnt from:", "", HEAD]
    for difficulty in ("normal", "hard"):
        for way, name in WAYS.items():
            of = [n for n in notes if (n["difficulty"], n["way"]) == (difficulty, way)]
            if of:
                out.append(line(f"{difficulty}, deck of {name}", of))
        of = [n for n in notes if n["difficulty"] == difficulty]
        out.append(line(f"**{difficulty}**", of))
    of = [n for n in notes if not n["run_shown"]]
    if of:
        out.append(line("of print runs that the lesson did not show", of))
    why = Counter(
        f"{n['difficulty']}: {n['reason']}" for n in notes if n["outcome"] == "unsure"
    )
    return [*out, "", f"Why the unsure ones were: {told(why)}."]


def _strange(rows: list[Row]) -> list[str]:
    strange = [row["strange"] for row in rows if "strange" in row]
    out = []
    for key, what in (
        ("decoy", "Pictures without a print"),
        ("other", "Frames of other decks"),
    ):
        counts = [_number(s, key) for s in strange if isinstance(s, dict)]
        judged = sum(count > 0 for count in counts)
        high = interval(judged, len(counts))[1]
        out += ["", f"{what}, read with a learnt deck: {judged} of {len(counts)} "]
        out[-1] += f"judged (at most {high:.1f} %)."
    if not strange:
        return []
    beside = [_number(seen, "beside") for row in rows for seen in _seen(row)]
    out += ["", f"Clutter beside the notes was judged {sum(beside)} times."]
    return out


def _odd(rows: list[Row], part: str, title: str) -> list[str]:
    of = [row for row in rows if row["part"] == part]
    if not of:
        return []
    out = [
        "",
        f"{title} ({len(of)} lessons): {told(Counter(str(r['outcome']) for r in of))}.",
    ]
    faults = sorted({str(r["fault"]) for r in of if "fault" in r})
    for fault in faults:
        some = Counter(str(r["outcome"]) for r in of if r["fault"] == fault)
        out.append(f"- {fault}: {told(some)}")
    return out


def table(rows: list[Row]) -> str:
    """The measured tables, as Markdown."""
    parts = (
        _learning(rows),
        _unseen(rows),
        _strange(rows),
        _odd(rows, "swapped", "One label of eight swapped"),
        _odd(rows, "poor", "One photo of eight poor"),
        _by_factor(rows),
    )
    return "\n".join(line_ for part in parts for line_ in part).strip()


def refusals(rows: list[Row]) -> list[str]:
    """What refused lessons were told, most frequent first: for work on the learner."""
    said = Counter(
        f"{way}: {str(row['said'])[:110]}"
        for _, way, row in _ways(rows)
        if row["outcome"] == "refused"
    )
    return ["", *(f"{count} x {words}" for words, count in said.most_common(12))]
