from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.lock.debounce import EagerButton, PatientSwitch
from companion.ports import Edge, Line

MS = 1_000_000


def edges(line: Line, script: str) -> list[Edge]:
    """``10+ 12- 13+`` reads: closed at 10 ms, open at 12 ms, closed at 13 ms."""
    return [
        Edge(line, word[-1] == "+", round(float(word[:-1]) * MS))
        for word in script.split()
    ]


def presses(script: str, *, is_down: bool = False, settle_ms: int = 20) -> list[float]:
    """The times, in milliseconds, at which presses counted."""
    button = EagerButton(settle_ms * MS, is_down)
    counted = []
    for edge in edges(Line.M_BUTTON, script):
        button, is_press = button.hear(edge)
        if is_press:
            counted.append(edge.at_ns / MS)
    return counted


@pytest.mark.parametrize(
    ("script", "counted"),
    [
        ("", []),
        ("100+", [100]),
        ("0+", [0]),  # At once after the start.
        ("100+ 180-", [100]),
        ("100+ 101- 102+ 103- 104+ 200-", [100]),  # Chatter on the way in,
        ("100+ 200- 201+ 202- 203+ 204-", [100]),  # and on the way out.
        ("100+ 200- 219+ 300-", [100]),  # Not let go for long enough,
        ("100+ 200- 220+ 300-", [100, 220]),  # and for long enough.
        ("100+ 150- 160+ 170- 180+ 190- 215+", [100, 215]),  # Since the last edge.
        ("100+ 150- 160+ 170- 189+ 205- 215+", [100]),
        ("100+ 130+ 160+", [100]),  # Edges between were lost: no new press.
        ("100- 110-", []),
    ],
)
def test_scripted_button(script: str, counted: list[float]) -> None:
    assert presses(script) == counted


def test_button_held_at_the_start_is_no_press_until_let_go() -> None:
    assert presses("100+ 200- 201+ 202- 260+", is_down=True) == [260]


@given(
    st.lists(st.floats(50, 400), min_size=1, max_size=8),
    st.lists(st.lists(st.floats(0, 3), max_size=6), min_size=16, max_size=16),
)
def test_each_push_of_a_chattering_button_counts_once(gaps, chatter) -> None:
    """A finger pushes for 60 ms; every edge has up to 3 ms of chatter."""
    script, pushed, now = [], [], 0.0
    noise: Iterable[list[float]] = iter(chatter)
    for gap in gaps:
        now += gap
        pushed.append(round(now * MS) / MS)
        for level, after in (("+", 60), ("-", 0)):
            moments = sorted(next(noise))
            moments = moments[: len(moments) // 2 * 2]
            script.append(f"{now!r}{level}")
            other = "-" if level == "+" else "+"
            for index, moment in enumerate(moments):
                script.append(f"{now + moment!r}{other if index % 2 == 0 else level}")
            now += after
    assert presses(" ".join(script)) == pushed


def settled(script: str, *, is_on: bool = False) -> list[tuple[float, bool]]:
    """When the switch counted, and as what, looking at every millisecond."""
    switch = PatientSwitch(50 * MS, is_on, is_on)
    waiting = edges(Line.LID, script)
    counted = []
    for at_ms in range(1000):
        while waiting and waiting[0].at_ns <= at_ms * MS:
            switch = switch.hear(waiting.pop(0))
        before, switch = switch, switch.elapse(at_ms * MS)
        if before.is_on != switch.is_on:
            counted.append((at_ms, switch.is_on))
    return counted


@pytest.mark.parametrize(
    ("script", "counted"),
    [
        ("", []),
        ("100+", [(150, True)]),
        ("100+ 149-", []),  # Shaken, and as before.
        ("100+ 110- 120+ 130- 140+", [(190, True)]),  # Since the last edge.
        ("100+ 120+ 140+", [(150, True)]),  # A repeated level is no edge.
        ("100+ 300- 310+ 330-", [(150, True), (380, False)]),
    ],
)
def test_scripted_lid(script: str, counted: list[tuple[float, bool]]) -> None:
    assert settled(script) == counted


def test_lid_that_settled_between_two_late_edges_is_not_forgotten() -> None:
    """The worker was busy for a second: the edges tell what it missed."""
    switch = PatientSwitch(50 * MS, False, False)
    for edge in edges(Line.LID, "100+ 400-"):
        switch = switch.hear(edge)
    assert switch.is_on
    assert switch.due_ns == 450 * MS
    assert not switch.elapse(450 * MS).is_on


def test_settled_switch_waits_for_nothing() -> None:
    assert PatientSwitch(50 * MS, True, True).due_ns is None
