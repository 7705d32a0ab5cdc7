from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from companion.lock.debounce import EagerButton, PatientSwitch
from companion.ports import Edge, Line
from tests.sample import each

MS = 1_000_000


def edges(line: Line, script: str) -> list[Edge]:
    """Read ``10+ 12- 13+``: closed at 10 ms, open at 12 ms, closed at 13 ms."""
    return [
        Edge(line, word[-1] == "+", round(float(word[:-1]) * MS))
        for word in script.split()
    ]


def presses(script: str, *, is_down: bool = False, settle_ms: int = 20) -> list[float]:
    """Return the times, in milliseconds, of the touches that counted."""
    button = EagerButton(settle_ms * MS, is_down)
    counted = []
    for edge in edges(Line.M_BUTTON, script):
        touched_ns = button.touched_ns
        button, is_press = button.hear(edge)
        if is_press and touched_ns is not None:
            counted.append(touched_ns / MS)
    return counted


@each(
    ("script", "counted"),
    [
        ("", []),
        ("100+", []),  # Nobody knows yet how long it holds.
        ("0+ 2-", [0]),  # At once after the start.
        ("100+ 180-", [100]),
        ("100+ 102-", [100]),
        ("100+ 101.9-", []),  # A spike.
        ("100+ 100.001- 300+ 300.001- 310+ 350-", [310]),
        ("100+ 101- 102+ 103- 104+ 200-", [104]),  # Chatter on the way in,
        ("100+ 200- 201+ 202- 203+ 204-", [100]),  # and on the way out.
        ("100+ 200- 219+ 300-", [100]),  # Not let go for long enough,
        ("100+ 200- 220+ 300-", [100, 220]),  # and for long enough.
        ("100+ 150- 160+ 170- 180+ 190- 215+ 300-", [100, 215]),  # Since the last edge.
        ("100+ 150- 160+ 170- 189+ 205- 215+ 300-", [100]),
        ("100+ 130+ 160+ 200-", [100]),  # Edges between were lost: no new press.
        ("100- 110-", []),
    ],
)
def test_scripted_button(script: str, counted: list[float]) -> None:
    assert presses(script) == counted


def test_button_held_at_the_start_is_no_press_until_let_go() -> None:
    assert presses("100+ 200- 201+ 202- 260+ 300-", is_down=True) == [260]


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
        pushed.append(now)
        for level, after in (("+", 60), ("-", 0)):
            moments = sorted(next(noise))
            moments = moments[: len(moments) // 2 * 2]
            script.append(f"{now!r}{level}")
            other = "-" if level == "+" else "+"
            for index, moment in enumerate(moments):
                script.append(f"{now + moment!r}{other if index % 2 == 0 else level}")
            now += after
    counted = presses(" ".join(script))
    assert len(counted) == len(pushed)
    for touched, push in zip(counted, pushed, strict=True):
        assert push - 1e-6 <= touched <= push + 3 + 1e-6


def button(script: str) -> EagerButton:
    """Return a button after *script*, which must bring no press."""
    eager = EagerButton(35 * MS, False)
    for edge in edges(Line.M_BUTTON, script):
        eager, is_press = eager.hear(edge)
        assert not is_press
    return eager


def test_touch_is_a_press_once_it_has_held() -> None:
    one = button("100+")
    assert one.due_ns == 102 * MS
    assert one.elapse(102 * MS - 1) == (one, False)
    one, is_press = one.elapse(102 * MS)
    assert is_press
    assert one.due_ns is None
    assert one.elapse(500 * MS) == (one, False)


def test_touch_that_is_over_when_it_is_looked_at_waits_for_its_late_edge() -> None:
    one = button("100+").look(False, 150 * MS)
    assert one.due_ns is None
    assert one.elapse(150 * MS) == (one, False)
    assert one.hear(Edge(Line.M_BUTTON, False, 140 * MS))[1]  # It was a press.
    assert not one.hear(Edge(Line.M_BUTTON, False, 101 * MS))[1]  # It was a spike.


def test_lost_release_does_not_swallow_the_next_press() -> None:
    one, is_press = button("100+").elapse(102 * MS)
    assert is_press
    one = one.look(False, 200 * MS)
    one, _ = one.hear(Edge(Line.M_BUTTON, True, 300 * MS))
    assert one.elapse(302 * MS)[1]


def test_button_found_down_waits_for_its_edge() -> None:
    one = button("").look(True, 100 * MS)
    assert one == button("")
    one, _ = one.hear(Edge(Line.M_BUTTON, True, 99 * MS))  # Late.
    assert one.due_ns == 101 * MS


def test_edge_that_comes_after_a_look_tells_since_when_a_button_is_up() -> None:
    one = button("100+").elapse(150 * MS)[0].look(False, 200 * MS)
    one, _ = one.hear(Edge(Line.M_BUTTON, False, 160 * MS))  # Late.
    one, _ = one.hear(Edge(Line.M_BUTTON, True, 200 * MS))
    assert one.due_ns == 202 * MS, "it was up for 40 ms"


def test_switch_found_as_it_was_has_not_lasted() -> None:
    """It let go for a moment; the edge of its return is late, or lost."""
    switch = PatientSwitch(50 * MS, True, True).hear(Edge(Line.LID, False, 0))
    switch = switch.look(True, 60 * MS)
    assert switch.elapse(1000 * MS).is_on


def settled(script: str, *, is_on: bool = False) -> list[tuple[float, bool]]:
    """Return when the switch counted, and as what, looking at every millisecond."""
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


@each(
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


def test_switch_can_be_believed_at_once() -> None:
    switch = PatientSwitch(50 * MS, True, True).hear(Edge(Line.LID, False, 0))
    assert switch.is_on
    assert not switch.at_once().is_on


def test_settled_switch_waits_for_nothing() -> None:
    assert PatientSwitch(50 * MS, True, True).due_ns is None
