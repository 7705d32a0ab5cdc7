from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import Malformed
from companion.lock.senses import (
    EagerButton,
    PatientSwitch,
    Press,
    Senses,
    SenseSettings,
    first_senses,
)
from companion.ports import Edge, Line
from tests.sample import each

MS = 1_000_000
REST = dict.fromkeys(Line, False)


def pressed_at(senses: Senses, *moments_ms: int) -> tuple[Senses, list[Press]]:
    """Press yellow for 40 ms at each moment."""
    presses = []
    for at_ms in moments_ms:
        for level, after_ms in ((True, 0), (False, 40)):
            edge = Edge(Line.YELLOW_BUTTON, level, (at_ms + after_ms) * MS)
            senses, heard = senses.hear(edge)
            presses += heard
    return senses, presses


@each(
    ("moments_ms", "presses"),
    [
        ((0, 100, 200), "yellow yellow yellow_thrice"),
        ((0, 1000, 2000), "yellow yellow yellow_thrice"),  # Just within two seconds.
        ((0, 1000, 2001), "yellow yellow yellow"),
        ((0, 1500, 2500, 3400), "yellow yellow yellow yellow_thrice"),
        ((0, 100, 200, 300, 400), "yellow yellow yellow_thrice yellow yellow"),
        (
            (0, 100, 200, 300, 400, 500),
            "yellow yellow yellow_thrice yellow yellow yellow_thrice",
        ),
    ],
)
def test_three_yellow_presses_within_two_seconds(moments_ms, presses: str) -> None:
    _, counted = pressed_at(first_senses(REST, 1, SenseSettings()), *moments_ms)
    assert counted == presses.split()


def test_old_yellow_presses_are_forgotten_in_time() -> None:
    senses, _ = pressed_at(first_senses(REST, 1, SenseSettings()), 0)
    assert senses.due_ns == 2000 * MS + 1
    assert len(senses.elapse(2000 * MS)[0].yellow_at_ns) == 1
    senses, presses = senses.elapse(2000 * MS + 1)
    assert presses == ()
    assert senses.yellow_at_ns == ()
    assert senses.due_ns is None


def test_first_feeling_takes_the_levels_as_they_are() -> None:
    senses = first_senses(
        {**REST, Line.LID: True, Line.M_BUTTON: True}, 5, SenseSettings()
    )
    assert senses.lid.is_on
    assert senses.wheel.number == 5
    senses, presses = senses.hear(Edge(Line.M_BUTTON, True, 0))
    assert (senses.due_ns, presses) == (None, ())


def test_a_wheel_rests_once_it_has_shown_its_number_for_a_while() -> None:
    senses = first_senses(REST, 1, SenseSettings())
    assert senses.turned_at_ns is None
    for at_ms, line in enumerate((Line.WHEEL_A, Line.WHEEL_B), 10):
        senses, _ = senses.hear(Edge(line, True, at_ms * MS))
    for at_ms, line in enumerate((Line.WHEEL_A, Line.WHEEL_B), 12):
        senses, _ = senses.hear(Edge(line, False, at_ms * MS))
    assert senses.wheel.number == 2
    assert senses.due_ns == 213 * MS
    assert senses.elapse(212 * MS)[0].turned_at_ns == 13 * MS
    senses, _ = senses.elapse(213 * MS)
    assert senses.turned_at_ns is None
    assert senses.due_ns is None


def test_looking_takes_over_what_was_not_heard() -> None:
    senses = first_senses(REST, 1, SenseSettings()).look(
        dict.fromkeys(Line, True), 10 * MS
    )
    assert not senses.lid.is_on
    assert not senses.is_held  # Perhaps their edges are only late,
    assert senses.wheel.contacts == (False, False)  # and those of the wheel.
    assert senses.due_ns == 60 * MS
    senses, presses = senses.elapse(60 * MS)
    assert presses == ()
    assert senses.lid.is_on
    senses = senses.look(dict.fromkeys(Line, True), 210 * MS)
    assert senses.wheel.contacts == (True, True)


def test_looking_leaves_a_spinning_wheel_alone() -> None:
    senses, _ = first_senses(REST, 1, SenseSettings()).hear(Edge(Line.WHEEL_A, True, 0))
    levels = {**REST, Line.WHEEL_B: True}
    assert senses.look(levels, 199 * MS) == senses
    assert senses.look(levels, 200 * MS).wheel.contacts == (False, True)


def test_any_later_edge_tells_that_a_button_has_held() -> None:
    """The worker was busy: what follows in the queue tells what it missed."""
    senses, presses = first_senses(REST, 1, SenseSettings()).hear(
        Edge(Line.M_BUTTON, True, 0)
    )
    assert presses == ()
    assert senses.hear(Edge(Line.WHEEL_A, True, 2 * MS - 1))[1] == ()
    assert senses.hear(Edge(Line.WHEEL_A, True, 2 * MS))[1] == (Press.M,)


@each(
    "settings",
    [
        {"button_settle_ms": 0},
        {"button_settle_ms": 201},
        {"lid_settle_ms": 0},
        {"lid_settle_ms": 1001},
        {"yellow_window_ms": 499},
        {"yellow_window_ms": 10_001},
        {"wheel_rest_ms": 49},
        {"wheel_rest_ms": 5001},
    ],
)
def test_settings_outside_their_range_are_refused(settings) -> None:
    with pytest.raises(Malformed, match=r"expected \w+_ms in \d+\.\.\d+, got \d+"):
        SenseSettings(**settings)


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
