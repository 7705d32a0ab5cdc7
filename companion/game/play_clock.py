"""The playing time of a guided game, without the time while it was put away.

A table may agree on a number of minutes. The clock is computed from the times of a
journal's entries, so it survives a restart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from companion.game import events as e
from companion.game.play_events import PlayBegun
from companion.units import TimeMs

MINUTE_MS = 60_000


class PlayClock(msgspec.Struct, frozen=True):
    """The times in a journal that matter to a game with a time limit.

    Attributes:
        begun_ms: The time when the companion began to lead; ``None`` before that.
        away_ms: The total time for which the game was put away since *begun_ms*.
        closed_ms: The time when the game was put away; ``None`` if it is not away now.
    """

    begun_ms: TimeMs | None = None
    away_ms: int = 0
    closed_ms: TimeMs | None = None

    def after(self, events: Iterable[object], at_ms: TimeMs) -> PlayClock:
        """Return the clock after the next entry, with these events."""
        clock = self
        for event in events:
            if isinstance(event, (PlayBegun, e.GameClosed, e.GameReopened)):
                clock = clock._after_event(event, at_ms)
        return clock

    def _after_event(self, event: object, at_ms: TimeMs) -> PlayClock:
        """Return the clock after a beginning, a putting away or a reopening."""
        if isinstance(event, PlayBegun):
            return replace(self, begun_ms=at_ms, away_ms=0, closed_ms=None)
        if isinstance(event, e.GameClosed):
            return replace(self, closed_ms=at_ms)
        if isinstance(event, e.GameReopened) and self.closed_ms is not None:
            away_ms = self.away_ms + max(0, at_ms - self.closed_ms)
            return replace(self, away_ms=away_ms, closed_ms=None)
        return self

    def minutes_left(self, limit: int, now_ms: int) -> int | None:
        """Return the minutes until the agreed time is over, rounded up; at least 0.

        Args:
            limit: The minutes that were agreed; 0 for no limit.
            now_ms: The time by the wall clock.

        Returns:
            ``None`` if no limit was agreed, or guided play has not begun.
        """
        if not limit or self.begun_ms is None:
            return None
        until_ms = now_ms if self.closed_ms is None else self.closed_ms
        played_ms = max(0, until_ms - self.begun_ms - self.away_ms)
        left_ms = limit * MINUTE_MS - played_ms
        return max(0, math.ceil(left_ms / MINUTE_MS))
