from __future__ import annotations

import pytest

from companion.errors import Malformed
from companion.lock.senses import Press, Senses, SenseSettings, first_senses
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
