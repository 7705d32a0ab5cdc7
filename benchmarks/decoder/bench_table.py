"""Rows of the benchmarks to the tables of companion/decoder/README.md."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from benchmarks.decoder.bench_cost import KINDS

Row = dict[str, object]
README = Path(__file__).parents[2] / "companion/decoder/README.md"
OUTCOMES = ("right", "wrong", "unsure")
HEAD = "| notes | n | right | wrong | unsure |\n| --- | --- | --- | --- | --- |"
COSTS = ("read_ms", "qr_ms", "aruco_ms")
CLOCKS = (
    ("processor", "processor time of one thread"),
    ("wall", "wall time with OpenCV's own threads"),
)


def rows_of(path: Path | None) -> list[Row]:
    """The rows measured so far: one JSON object a line."""
    if path is None or not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_readme(text: str, marker: str) -> None:
    """Put *text* between the markers of that name in the decoder's README."""
    begin, end = f"<!-- {marker} -->", f"<!-- /{marker} -->"
    whole = README.read_text(encoding="utf-8")
    before, rest = whole.split(begin)
    after = rest.split(end)[1]
    README.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")


def interval(count: int, total: int) -> tuple[float, float]:
    """95 % interval of a share (Wilson, 1927), in percent."""
    if not total:
        return 0.0, 100.0
    z, p = 1.96, count / total
    under = 1 + z * z / total
    middle = p + z * z / 2 / total
    half = z * math.sqrt(p * (1 - p) / total + z * z / 4 / total**2)
    return max(0.0, 100 * (middle - half) / under), 100 * (middle + half) / under


def _notes(rows: Iterable[Row]) -> list[Row]:
    """One row a note, with what is said of its frame."""
    found: list[Row] = []
    for row in rows:
        notes = row.get("notes", [])
        assert isinstance(notes, list)
        found.extend({**row, **note} for note in notes)
    return found


def line(name: str, notes: list[Row]) -> str:
    """A line under HEAD: shares of right, wrong and unsure with their intervals."""
    counts = Counter(str(note["outcome"]) for note in notes)
    cells = []
    for key in OUTCOMES:
        low, high = interval(counts[key], len(notes))
        share = 100 * counts[key] / max(1, len(notes))
        number = f" {counts[key]}:" if key == "wrong" and counts[key] else ""
        cells.append(f"{number}{share:5.1f} % ({low:.1f} to {high:.1f})".strip())
    return f"| {name} | {len(notes)} | {' | '.join(cells)} |"


def told(counts: Counter[str]) -> str:
    """What was counted, most frequent first."""
    words = (f"{key.replace('_', ' ')} {n}" for key, n in counts.most_common())
    return ", ".join(words) or "none"


def _accuracy(rows: list[Row], difficulty: str) -> list[str]:
    notes = _notes(r for r in rows if r.get("part") == difficulty)
    readable = [n for n in notes if not n["causes"]]
    if not readable:
        return []
    out = ["", f"Readable notes at *{difficulty}*, with 95 % intervals:", "", HEAD]
    out.append(line("**all**", readable))
    for key in ("deck", "style", "truth"):
        for value in sorted({str(n[key]) for n in readable}):
            of = [n for n in readable if n[key] == value]
            out.append(line(f"{key}: {value}", of))
    causes = Counter(str(n["reason"]) for n in readable if n["outcome"] == "unsure")
    out += ["", f"Why the unsure ones were: {told(causes)}."]
    hidden = [n for n in notes if n["causes"]]
    if hidden:
        counts = Counter(str(n["outcome"]) for n in hidden)
        why: Counter[str] = Counter()
        for note in hidden:
            assert isinstance(note["causes"], list)
            why.update([str(note["causes"][0])])
        out += ["", f"Beside them {len(hidden)} that are not readable ({told(why)}), "]
        out[-1] += f"where unsure is the wanted answer: {told(counts)}."
    return out


def confidence(notes: Iterable[Row]) -> list[str]:
    """Say how many verdicts of each confidence were right."""
    judged = [n for n in notes if n["outcome"] != "unsure"]
    out = []
    for low, high in ((0.95, 0.98), (0.98, 0.99), (0.99, 0.998), (0.998, 1.0)):
        of = [n for n in judged if low <= float(str(n["confidence"])) < high]
        right = sum(n["outcome"] == "right" for n in of)
        if of:
            share = f"{right} of {len(of)} right"
            out.append(f"confidence {low:g} to {high:g}: {share}")
    return ["", f"Of all verdicts, {'; '.join(out)}."] if out else []


def _safety(rows: list[Row]) -> list[str]:
    out: list[str] = []
    negatives = [r for r in rows if r.get("part") == "negative"]
    if negatives:
        judged = sum(bool(r["off_judged"]) for r in negatives)
        high = interval(judged, len(negatives))[1]
        out += ["", f"Frames without any scrambled print: {judged} of "]
        out[-1] += f"{len(negatives)} judged (at most {high:.1f} %)."
    strange = [r for r in rows if "strange_judged" in r]
    if strange:
        judged = sum(bool(r["strange_judged"]) for r in strange)
        high = interval(judged, len(strange))[1]
        out += ["", "Frames with notes, read with a deck that is not theirs: "]
        out[-1] += f"{judged} of {len(strange)} judged (at most {high:.1f} %)."
    framed = [r for r in rows if r.get("part") in ("normal", "hard")]
    if framed:
        judged = sum(int(str(r["off_judged"])) for r in framed)
        unsure = sum(int(str(r["off_unsure"])) for r in framed)
        out += ["", f"In {len(framed)} frames with notes, clutter beside them was "]
        out[-1] += f"judged {judged} times, and called unsure {unsure} times."
    learnt = [r for r in rows if "learnt" in r]
    if learnt:
        refused = sum(int(str(r["refused"])) for r in learnt)
        seconds = [float(str(r["seconds"])) for r in learnt]
        out += ["", f"Learning: {len(learnt)} decks from two photos of each kind, "]
        out[-1] += (
            f"{refused} other sets refused with a plain no; {min(seconds):.0f} to "
            f"{max(seconds):.0f} s of processor time."
        )
    return out


def _cost(rows: list[Row]) -> list[str]:
    out: list[str] = []
    for cost, name in CLOCKS:
        of = [r for r in rows if r.get("cost") == cost]
        if not of:
            continue
        out += ["", f"Milliseconds of {name} a frame of 2304x1296, median (p95):", ""]
        out.append("| frames | n | read | QR | ArUco | read, as a multiple of QR |")
        out.append("| --- | --- | --- | --- | --- | --- |")
        for kind, words in KINDS.items():
            some = [r for r in of if r["kind"] == kind]
            if some:
                out.append(_cost_line(words, some))
    for row in rows:
        if row.get("cost") == "live":
            out += ["", f"One frame after the other, {row['frames']} frames: "]
            out[-1] += f"{row['per_second']} verdicts a second."
        if row.get("cost") == "photo":
            out += ["", f"Peak memory of a process that reads {row['frames']} photos "]
            out[-1] += f"of 4032x3024 from their JPEGs: {float(str(row['mb'])):.0f} MB."
    return out


def _cost_line(kind: str, rows: list[Row]) -> str:
    values = [np.array([float(str(r[key])) for r in rows]) for key in COSTS]
    marks = [np.quantile(v, [0.5, 0.95]) for v in [*values, values[0] / values[1]]]
    whole = [f"{middle:.0f} ({late:.0f})" for middle, late in marks[:3]]
    ratio = "{:.2f} ({:.2f})".format(*marks[3])
    return f"| {kind} | {len(rows)} | {' | '.join(whole)} | {ratio} |"


def _curve(rows: list[Row]) -> list[str]:
    curve = _notes(r for r in rows if "curve" in r)
    if not curve:
        return []
    out = ["", "| pixels a line | n | right | wrong | unsure | | median ms |"]
    out.append("| --- | --- | --- | --- | --- | --- | --- |")
    for aim in sorted({float(str(r["curve"])) for r in curve}):
        of = [r for r in curve if r["curve"] == aim]
        counts = Counter(str(r["outcome"]) for r in of)
        shares = " | ".join(f"{100 * counts[k] / len(of):.0f} %" for k in OUTCOMES)
        bar = "█" * round(20 * counts["right"] / len(of))
        ms = float(np.median([float(str(r["ms"])) for r in of]))
        out.append(f"| {aim:.1f} | {len(of)} | {shares} | {bar} | {ms:.0f} |")
    return out


def table(rows: list[Row]) -> str:
    """The measured tables, as Markdown."""
    out = [*_accuracy(rows, "normal"), *_accuracy(rows, "hard")]
    parts = (confidence(_notes(rows)), _safety(rows), _cost(rows), _curve(rows))
    return "\n".join([*out, *(line for part in parts for line in part)]).strip()
