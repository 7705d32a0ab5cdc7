"""The agreed time: it runs while the game is on the table, and only then."""

from __future__ import annotations

import pytest

from companion.edition import builtin
from companion.edition.snapshot import snapshot
from companion.game import events as e
from companion.game.journal import MINUTE_MS, Entry, PlayClock
from companion.game.play_events import PlayBegun, PlayRested
from companion.units import Revision, TimeMs

BEGUN = PlayBegun(rules=snapshot(builtin("classic")), seats=())


def entries(*events: tuple[int, e.GameEvent]) -> list[Entry]:
    """Return entries at these minutes."""
    return [
        Entry(
            Revision(at), f"command-{at}", "table", TimeMs(minute * MINUTE_MS), (event,)
        )
        for at, (minute, event) in enumerate(events, 1)
    ]


def clock(*events: tuple[int, e.GameEvent]) -> PlayClock:
    """Return the clock after these entries."""
    clock = PlayClock()
    for entry in entries(*events):
        clock = clock.after(entry.events, entry.at_ms)
    return clock


def left(now: int, *events: tuple[int, e.GameEvent], limit: int = 60) -> int | None:
    return clock(*events).minutes_left(limit, now * MINUTE_MS)


@pytest.mark.parametrize(("now", "minutes"), [(10, 60), (11, 59), (70, 0), (99, 0)])
def test_the_time_runs_from_the_beginning(now, minutes):
    assert left(now, (10, BEGUN)) == minutes


def test_a_begun_minute_counts_whole():
    begun = clock((0, BEGUN))
    assert begun.minutes_left(60, 1) == 60
    assert begun.minutes_left(60, 60 * MINUTE_MS - 1) == 1


def test_the_time_stands_while_the_game_is_put_away():
    events = ((0, BEGUN), (20, e.GameClosed()))
    assert left(500, *events) == 40
    assert left(500, *events, (500, e.GameReopened())) == 40
    assert left(510, *events, (500, e.GameReopened())) == 30


def test_going_on_by_hand_does_not_stop_the_time():
    assert left(20, (0, BEGUN), (10, PlayRested())) == 40


def test_no_time_was_agreed_or_nothing_has_begun():
    assert left(20, (0, BEGUN), limit=0) is None
    assert left(20, (0, e.TableLocked())) is None


def test_a_second_beginning_begins_anew():
    assert left(40, (0, BEGUN), (30, BEGUN)) == 50
