"""The pattern of lights and buzzer for each signal, and a player for these patterns."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from companion.ports import Clock, Signal, Timer

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Note:
    """One step of a pattern: which lights are on, and the buzzer, for *length_ms*."""

    is_green: bool
    is_red: bool
    is_loud: bool
    length_ms: int


SILENCE = Note(False, False, False, 0)
"""Lights and buzzer off."""


def _notes(colour: str, *beats: tuple[int, int]) -> tuple[Note, ...]:
    """Build notes from *beats* of (ms on, ms off), in light and sound together.

    The last note is silence, in place of the last beat's time off.
    """
    is_green, is_red = colour == "green", colour == "red"
    notes: list[Note] = []
    for on_ms, off_ms in beats:
        notes.append(Note(is_green, is_red, True, on_ms))
        notes.append(Note(False, False, False, off_ms))
    return (*notes[:-1], SILENCE)


PATTERNS: dict[Signal, tuple[Note, ...]] = {
    Signal.ACCEPTED: _notes("green", (60, 0)),
    Signal.LOCKED: _notes("green", (80, 60), (80, 60), (240, 0)),
    Signal.RIGHT: (
        *_notes("green", (400, 0))[:-1],
        Note(is_green=True, is_red=False, is_loud=False, length_ms=1500),
        SILENCE,
    ),
    Signal.WRONG: _notes("red", (600, 0)),
    Signal.WRONG_TIME: _notes("red", (60, 60), (60, 0)),
    Signal.JAMMED: _notes("red", (150, 150), (150, 150), (150, 0)),
    Signal.ALARM: _notes("red", *((100, 100),) * 10),
}
"""The pattern of each signal."""


class SignalPlayer:
    """Plays one pattern at a time; a new one cuts the old one short.

    Args:
        show: Sets the green light, the red light and the buzzer to those of a note.
        clock: Ends each note.
    """

    def __init__(self, show: Callable[[Note], None], clock: Clock) -> None:
        self._show = show
        self._clock = clock
        self._lock = threading.Lock()
        self._timer: Timer | None = None
        self._turn = 0  # The current pattern's number; timers of older ones do nothing.
        self._is_closed = False

    def play(self, signal: Signal) -> None:
        """Begin *signal* now. Never raises: the lock must work without its lights."""
        with self._lock:
            self._turn += 1
            self._cancel()
            if not self._is_closed:
                self._sound(PATTERNS[signal], self._turn)

    def close(self) -> None:
        """Stop, and stay dark and silent from now on."""
        with self._lock:
            self._is_closed = True
            self._turn += 1
            self._cancel()
            self._sound((SILENCE,), self._turn)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _sound(self, notes: tuple[Note, ...], turn: int) -> None:
        try:
            self._show(notes[0])
            if len(notes) > 1:
                self._timer = self._clock.call_later(
                    notes[0].length_ms, lambda: self._next(notes[1:], turn)
                )
        except Exception:
            log.exception("signal_not_shown")

    def _next(self, notes: tuple[Note, ...], turn: int) -> None:
        """Go on with the pattern, unless another one was begun."""
        with self._lock:
            if turn == self._turn:
                self._sound(notes, turn)
