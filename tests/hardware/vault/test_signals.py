from __future__ import annotations

import pytest

from companion.ports import Signal
from hardware.vault.signals import PATTERNS, SILENCE, Note, SignalPlayer
from tests.fakes import FakeClock


def test_every_signal_has_a_pattern_that_ends_dark_and_silent() -> None:
    assert list(PATTERNS) == list(Signal)
    for notes in PATTERNS.values():
        assert notes[0].is_loud
        assert notes[-1] == SILENCE
        assert sum(note.length_ms for note in notes) <= 2000


def test_patterns_are_distinct() -> None:
    assert len(set(PATTERNS.values())) == len(PATTERNS)


def test_pattern_is_played_in_time() -> None:
    clock, shown = FakeClock(), []
    player = SignalPlayer(
        lambda note: shown.append((clock.monotonic_ns() // 1_000_000, note)), clock
    )
    player.play(Signal.WRONG_TIME)
    clock.advance(1000)
    red, dark = Note(False, True, True, 60), Note(False, False, False, 60)
    assert shown == [(0, red), (60, dark), (120, red), (180, SILENCE)]


def test_new_pattern_cuts_the_old_one_short() -> None:
    clock, shown = FakeClock(), []
    player = SignalPlayer(shown.append, clock)
    player.play(Signal.ALARM)
    clock.advance(150)
    shown.clear()
    player.play(Signal.ACCEPTED)
    clock.advance(5000)
    assert shown == list(PATTERNS[Signal.ACCEPTED])


def test_closed_player_is_dark_and_stays_so() -> None:
    clock, shown = FakeClock(), []
    player = SignalPlayer(shown.append, clock)
    player.play(Signal.ALARM)
    player.close()
    player.play(Signal.ALARM)
    clock.advance(5000)
    assert shown[1:] == [SILENCE]


def test_broken_light_stops_nobody(caplog: pytest.LogCaptureFixture) -> None:
    def show(note: Note) -> None:
        raise OSError("the LED is gone")

    player = SignalPlayer(show, FakeClock())
    player.play(Signal.RIGHT)
    player.close()
    assert caplog.text.count("signal_not_shown") == 2
