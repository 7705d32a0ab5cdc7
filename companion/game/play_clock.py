"""The playing time of a guided game, without the time while it was put away.

A table may agree on a number of minutes. The clock is computed from the journal's
entries, so it survives a restart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from companion.game.events import GameClosed, GameReopened
from companion.game.play_events import PlayBegun
from companion.units import TimeMs

MINUTE_MS = 60_000


class PlayClock(msgspec.Struct, frozen=True):
    """The times in a journal that matter to a game with a time limit.

    Attributes:
        begun_ms: When the companion began to lead; ``None`` before that.
        away_ms: How long the game was put away since *begun_ms*, in all.
        closed_ms: When the game was put away; ``None`` if it is not away now.
    """

    begun_ms: TimeMs | None = None
    away_ms: int = 0
    closed_ms: TimeMs | None = None

    def after(self, events: Iterable[object], at_ms: TimeMs) -> PlayClock:
        """Return the clock after the next entry, with these events."""
        clock = self
        for event in events:
            clock = clock._after_event(event, at_ms)
        return clock

    def _after_event(self, event: object, at_ms: TimeMs) -> PlayClock:
        if isinstance(event, PlayBegun):
            return replace(self, begun_ms=at_ms, away_ms=0, closed_ms=None)
        if isinstance(event, GameClosed):
            return replace(self, closed_ms=at_ms)
        if isinstance(event, GameReopened) and self.closed_ms is not None:
            away_ms = self.away_ms + max(0, at_ms - self.closed_ms)
            return replace(self, away_ms=away_ms, closed_ms=None)
        return self

    def minutes_left(self, limit: int, now_ms: int) -> int | None:
        """Return the minutes until the agreed time is over, rounded up; at least 0.

        Return ``None`` if *limit*, the agreed minutes, is 0 or guided play has not
        begun.
        """
        if not limit or self.begun_ms is None:
            return None
        until_ms = now_ms if self.closed_ms is None else self.closed_ms
        played_ms = max(0, until_ms - self.begun_ms - self.away_ms)
        left_ms = limit * MINUTE_MS - played_ms
        return max(0, math.ceil(left_ms / MINUTE_MS))
