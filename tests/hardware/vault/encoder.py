"""A wheel's contacts as metal makes them: edges with chatter, at any speed."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from companion.ports import Edge, Line

CYCLE = ((False, False), (True, False), (True, True), (False, True))
TRACES = Path(__file__).parent / "traces"


def spin(
    steps: Iterable[int],
    *,
    rest_phase: int,
    step_ns: int,
    chatter_ns: int,
    rng: random.Random,
    began_ns: int = 0,
) -> list[Edge]:
    """Edges of a wheel that makes *steps* (each 1 or -1), *step_ns* apart.

    At each step one contact changes: within *chatter_ns* it falls back and comes
    again up to five times, at random moments, and then stays.
    """
    edges: list[Edge] = []
    phase, at_ns = rest_phase, began_ns
    for step in steps:
        old, phase = CYCLE[phase], (phase + step) % 4
        is_a = old[0] != CYCLE[phase][0]
        line = Line.WHEEL_A if is_a else Line.WHEEL_B
        level = CYCLE[phase][0 if is_a else 1]
        flips = 2 * rng.randint(0, 5) if chatter_ns else 0
        moments = sorted(rng.randrange(chatter_ns) for _ in range(flips))
        for index, moment in enumerate([0, *moments]):
            is_new = index % 2 == 0
            edges.append(Edge(line, level if is_new else not level, at_ns + moment))
        at_ns += step_ns
    return edges


@dataclass(frozen=True)
class Trace:
    """A recorded turn of the wheel, as kept in ``traces/*.csv``."""

    name: str
    steps_per_detent: int
    rest: tuple[bool, bool]
    numbers: list[int]
    edges: list[Edge]


def read_trace(path: Path) -> Trace:
    """Read *path*: ``# key: value`` lines, then ``at_us,line,level`` lines."""
    head: dict[str, str] = {}
    edges = []
    for text in path.read_text().splitlines():
        if text.startswith("#"):
            key, _, value = text.removeprefix("#").partition(":")
            head[key.strip()] = value.strip()
        elif text and text != "at_us,line,level":
            at_us, line, level = text.split(",")
            edges.append(Edge(Line(line), level == "1", int(at_us) * 1000))
    assert head["made by"], f"{path.name} does not say how it was made"
    return Trace(
        path.stem,
        int(head["steps per detent"]),
        (head["rest"][0] == "1", head["rest"][1] == "1"),
        [int(number) for number in head["numbers"].split()],
        edges,
    )
