"""Presence: which phones are there, by their requests and their live streams.

A phone whose screen goes dark closes its stream, so a silent phone is called *asleep*
at first, and *away* only after some minutes. One that fell off the network may leave
its stream open; it is noticed because it does not react to an event. The game never
waits for a phone, and nothing of this is stored: after a start all count as there.
"""

from __future__ import annotations

import enum
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Protocol, cast

from flask import current_app

from companion.ports import Clock
from companion.units import GameId
from companion.views.turn_words import awaited_seats
from companion.words import Words, say
from web.http.panel import panel

KEY = "companion.presence"
PHONES_MAX = 2_000
"""How many phones are remembered; the one silent for longest is forgotten first."""

NS_PER_S = 1_000_000_000
ASLEEP_S = 60
"""After how many seconds of silence a phone counts as asleep."""

AWAY_S = 300
"""After how many seconds of silence a phone counts as away."""

REACTION_S = 5
"""A phone that asked within so many seconds before an event need not react to it."""


class Quiet(enum.StrEnum):
    """How long a phone has been silent: over a minute, or over five."""

    ASLEEP = "asleep"
    AWAY = "away"


QUIET_WORDS: dict[Quiet, Words] = {
    Quiet.ASLEEP: say("phone asleep"),
    Quiet.AWAY: say("phone away"),
}


class Listener(Protocol):
    """A page that listens to the live stream.

    Attributes:
        phone: The id of its phone; empty for an unknown phone.
        unanswered_ns: Time of the first event to which it has not reacted, on the
            monotonic clock; ``None`` if there is none.
    """

    phone: str
    unanswered_ns: int | None

    @property
    def is_gone(self) -> Callable[[], bool]:
        """A function that tells whether the phone is known to have left."""


class Presence:
    """Remembers when each phone last sent a request; safe in any thread.

    Args:
        clock: The table's clock.
        listeners: Returns the pages that have a live stream open.
    """

    def __init__(
        self, clock: Clock, listeners: Callable[[], Iterable[Listener]]
    ) -> None:
        self._clock = clock
        self._listeners = listeners
        self._lock = threading.Lock()
        self._began_ns = clock.monotonic_ns()
        self._heard_ns: OrderedDict[str, int] = OrderedDict()

    def touch(self, phone: str) -> bool:
        """Note that a phone is there; return whether it counted as quiet before."""
        was_quiet = self.quiet(phone) is not None
        with self._lock:
            self._heard_ns[phone] = self._clock.monotonic_ns()
            self._heard_ns.move_to_end(phone)
            if len(self._heard_ns) > PHONES_MAX:
                self._heard_ns.popitem(last=False)
        return was_quiet

    def left(self, listener: Listener) -> None:
        """Note that a stream was closed.

        Its phone was there until now, unless an event is still unanswered.
        """
        if listener.unanswered_ns is None and listener.phone:
            with self._lock:
                self._heard_ns[listener.phone] = self._clock.monotonic_ns()

    def told(self, listener: Listener) -> None:
        """Note that a stream sent an event, to which its page should react."""
        now_ns, heard_ns = self._clock.monotonic_ns(), self._last_ns(listener.phone)
        is_answered = (
            listener.unanswered_ns is None or listener.unanswered_ns <= heard_ns
        )
        if is_answered and now_ns - heard_ns > REACTION_S * NS_PER_S:
            listener.unanswered_ns = now_ns

    def quiet(self, phone: str) -> Quiet | None:
        """Return whether a phone is asleep or away; ``None`` if it is there."""
        heard_ns = self._last_ns(phone)
        silent_s = (self._clock.monotonic_ns() - heard_ns) // NS_PER_S
        if silent_s < ASLEEP_S or self._listens(phone, heard_ns):
            return None
        return Quiet.ASLEEP if silent_s < AWAY_S else Quiet.AWAY

    def _listens(self, phone: str, heard_ns: int) -> bool:
        """Tell whether a phone has a stream open on which it still reacts."""
        now_ns = self._clock.monotonic_ns()
        return any(
            listener.unanswered_ns is None
            or listener.unanswered_ns <= heard_ns
            or now_ns - listener.unanswered_ns < ASLEEP_S * NS_PER_S
            for listener in self._listeners()
            if listener.phone == phone and not listener.is_gone()
        )

    def _last_ns(self, phone: str) -> int:
        """Return when a phone last sent a request; at the start, if it sent none."""
        return self._heard_ns.get(phone, self._began_ns)

    def quiet_seats(self, holders: dict[str, str]) -> dict[str, Quiet]:
        """Return the seats whose phones are quiet; *holders* are the phones by seat."""
        by_seat = {seat: self.quiet(phone) for seat, phone in holders.items()}
        return {seat: quiet for seat, quiet in by_seat.items() if quiet is not None}


def presence() -> Presence:
    """Return the ``Presence`` of this request's application."""
    return cast("Presence", current_app.extensions[KEY])


def quiet_seats(game_id: GameId) -> dict[str, Quiet]:
    """Return the seats of a game whose phones are asleep or away."""
    return presence().quiet_seats(panel().table.phones.holders(game_id))


def missed_seats(game_id: GameId) -> dict[str, Quiet]:
    """Return the seats whose phones are away, or asleep while the game waits for them.

    Most phones sleep between their turns; that is not worth mentioning.
    """
    awaited = awaited_seats(panel().table.game(game_id))
    return {
        seat: quiet
        for seat, quiet in quiet_seats(game_id).items()
        if quiet is Quiet.AWAY or seat in awaited
    }


def touch(phone: str) -> None:
    """Note that a phone is there; if it was quiet, have its games' pages redrawn."""
    if presence().touch(phone):
        table = panel().table
        for game_id in table.phones.games_of(phone):
            table.tell(game_id)
