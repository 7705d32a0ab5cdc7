from __future__ import annotations

import random
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import Malformed
from companion.lock.quadrature import Wheel, WheelSettings
from companion.ports import Edge, Line
from tests.hardware.vault.encoder import CYCLE, TRACES, Trace, read_trace, spin
from tests.sample import each

TRACE_PATHS = sorted(TRACES.glob("*.csv"))


def numbers_of(wheel: Wheel, edges: list[Edge]) -> list[int]:
    """Return the numbers that were under the pointer, with the first one."""
    numbers = [wheel.number]
    for edge in edges:
        wheel = wheel.hear(edge.line, edge.is_active)
        numbers.append(wheel.number)
    return [number for number, _ in groupby(numbers)]


def wheel(rest: tuple[bool, bool] = (False, False), **settings: int) -> Wheel:
    return Wheel(WheelSettings(**settings), rest)  # type: ignore[arg-type]


@each("path", TRACE_PATHS)
def test_recorded_trace_shows_the_numbers_in_its_head(path) -> None:
    trace: Trace = read_trace(path)
    begun = Wheel(WheelSettings(trace.steps_per_detent), trace.rest)
    assert numbers_of(begun, trace.edges) == trace.numbers


def test_there_are_traces() -> None:
    assert len(TRACE_PATHS) >= 6


@st.composite
def turns(draw: st.DrawFn) -> tuple[int, int, list[int], list[int], int, int]:
    """Draw steps per detent, rest phase, steps, expected numbers, speed and seed."""
    per_detent = draw(st.sampled_from([1, 2, 4]))
    steps: list[int] = []
    numbers = [1]
    for move in draw(st.lists(st.integers(-13, 13), max_size=8)):
        way = 1 if move > 0 else -1
        # A wiggle first: part of a click and back, which must count nothing.
        part = draw(st.integers(0, per_detent - 1))
        steps += [-way] * part + [way] * part
        for _ in range(abs(move)):
            steps += [way] * per_detent
            numbers.append((numbers[-1] - 1 + way) % 6 + 1)
    # Up to 40 detents per second, at which 3 ms of chatter just fit.
    step_ns = draw(st.integers(25_000_000 // per_detent, 60_000_000))
    return (
        per_detent,
        draw(st.integers(0, 3)),
        steps,
        numbers,
        step_ns,
        draw(st.integers(0, 2**32)),
    )


@given(turns())
def test_no_number_is_lost_or_invented(turn) -> None:
    per_detent, rest_phase, steps, numbers, step_ns, seed = turn
    edges = spin(
        steps,
        rest_phase=rest_phase,
        step_ns=step_ns,
        chatter_ns=3_000_000,
        rng=random.Random(seed),
    )
    begun = wheel(CYCLE[rest_phase], steps_per_detent=per_detent)
    seen = numbers_of(begun, edges)
    if per_detent > 1:
        assert seen == numbers  # It does not even flicker.
    else:
        # Where each step is a click, chatter is a click forth and back.
        assert seen[-1] == numbers[-1]
        calm = spin(
            steps,
            rest_phase=rest_phase,
            step_ns=step_ns,
            chatter_ns=0,
            rng=random.Random(seed),
        )
        assert numbers_of(begun, calm) == numbers


@given(turns(), st.integers(0, 200), st.integers(0, 40))
def test_after_lost_edges_it_counts_whole_clicks_again(turn, first, count) -> None:
    """Losing edges may cost clicks; it never leaves the wheel between two."""
    per_detent, rest_phase, steps, _, step_ns, seed = turn
    options = {"step_ns": step_ns, "chatter_ns": 0, "rng": random.Random(seed)}
    edges = spin(steps, rest_phase=rest_phase, **options)
    seen = wheel(CYCLE[rest_phase], steps_per_detent=per_detent)
    for edge in edges[:first] + edges[first + count :]:
        seen = seen.hear(edge.line, edge.is_active)
    end_phase = (rest_phase + sum(steps)) % 4
    seen = seen.see(CYCLE[end_phase])  # The levels are read again.
    assert seen.steps == 0
    before = seen.number
    for edge in spin([1] * per_detent, rest_phase=end_phase, **options):
        seen = seen.hear(edge.line, edge.is_active)
    assert seen.number == before % 6 + 1


@pytest.mark.parametrize("way", [1, -1])
def test_two_steps_at_once_go_the_way_of_the_last(way: int) -> None:
    begun = wheel()
    phase = 0
    for _ in range(4):
        phase = (phase + way) % 4
        begun = begun.see(CYCLE[phase])
    assert begun.number == (2 if way > 0 else 6)
    for _ in range(2):  # Both contacts changed between two looks, twice.
        phase = (phase + 2) % 4
        begun = begun.see(CYCLE[phase])
    assert begun.number == (3 if way > 0 else 5)


def test_edge_that_repeats_the_level_is_no_step() -> None:
    begun = wheel(rest=(True, True), steps_per_detent=1)
    assert begun.hear(Line.WHEEL_A, True) is begun
    assert begun.hear(Line.WHEEL_B, True) is begun


def test_reversed_wheel_counts_the_other_way() -> None:
    edges = spin([1] * 8, rest_phase=0, step_ns=1, chatter_ns=0, rng=random.Random(0))
    assert numbers_of(wheel(is_reversed=True), edges) == [1, 6, 5]


def test_number_is_the_nearest_mark_on_a_fine_dial() -> None:
    seen = wheel(detents_per_number=4, steps_per_detent=1)
    numbers = []
    for phase in range(1, 25):
        seen = seen.see(CYCLE[phase % 4])
        numbers.append(seen.number)
    assert numbers == [1] + [2] * 4 + [3] * 4 + [4] * 4 + [5] * 4 + [6] * 4 + [1] * 3


@pytest.mark.parametrize("size", [1, 4])
def test_wheel_can_be_told_its_number(size: int) -> None:
    for number in range(1, 7):
        turned = wheel(detents_per_number=size).at_number(number)
        assert turned.number == number


@each("number", [0, 7, -1, True, "3", 2.0])
def test_number_that_is_not_on_the_wheel_is_refused(number) -> None:
    with pytest.raises(Malformed, match="expected a"):
        wheel().at_number(number)


@pytest.mark.parametrize(
    "settings",
    [
        {"steps_per_detent": 3},
        {"steps_per_detent": 0},
        {"detents_per_number": 0},
        {"detents_per_number": 25},
    ],
)
def test_settings_outside_their_range_are_refused(settings) -> None:
    with pytest.raises(Malformed, match=r"expected .*, got"):
        WheelSettings(**settings)
