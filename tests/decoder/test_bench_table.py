"""The measured tables: counts and intervals that can be checked by hand."""

from __future__ import annotations

import pytest

from benchmarks.decoder.bench_table import interval, table


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [(0, 0, 0.0, 100.0), (0, 300, 0.0, 1.26), (300, 300, 98.74, 100.0)],
)
def test_an_interval_holds_the_share_and_narrows_with_n(
    count: int, total: int, low: float, high: float
) -> None:
    assert interval(count, total) == (
        pytest.approx(low, abs=0.01),
        pytest.approx(high, abs=0.01),
    )


def note(said: str, *causes: str) -> dict[str, object]:
    return {
        "truth": "real",
        "causes": list(causes),
        "outcome": said,
        "reason": "blurred" if said == "unsure" else "",
        "confidence": 0.0 if said == "unsure" else 0.999,
    }


TIMES = {"read_ms": 90.0, "qr_ms": 60.0, "aruco_ms": 30.0}


def frame(part: str, *notes: dict[str, object]) -> dict[str, object]:
    whole = {"part": part, "k": 0, "style": "cat", "deck": "learnt", "ms": 90.0}
    return {**whole, "notes": list(notes), "off_judged": 0, "off_unsure": 1}


def test_readable_notes_are_counted_and_others_told_apart() -> None:
    rows = [
        frame("normal", note("right"), note("right"), note("unsure")),
        frame("normal", note("wrong"), note("unsure", "too_far")),
        {**frame("curve", note("right")), "curve": 3.0},
        frame("negative"),
        {"cost": "wall", "kind": "empty", **TIMES},
        {"cost": "wall", "kind": "foreign-learnt", **TIMES, "read_ms": 120.0},
        {"cost": "live", "per_second": 12.5, "frames": 30},
        {"cost": "photo", "mb": 150.0, "frames": 2},
    ]
    text = table(rows)
    assert "| **all** | 4 | 50.0 % " in text
    assert "| 1: 25.0 % " in text
    assert "Why the unsure ones were: blurred 1." in text
    assert "1 that are not readable (too far 1)" in text
    assert "0 of 1 judged" in text
    assert "| empty | 1 | 90 (90) | 60 (60) | 30 (30) | 1.50 (1.50) |" in text
    strange = "of another deck, read with a learnt one"
    assert f"| {strange} | 1 | 120 (120) | 60 (60) | 30 (30) | 2.00 (2.00) |" in text
    assert "processor time" not in text
    assert "30 frames: 12.5 verdicts a second." in text
    assert "2 photos of 4032x3024 from their JPEGs: 150 MB." in text
    assert "| 3.0 | 1 | 100 % | 0 % | 0 % |" in text
