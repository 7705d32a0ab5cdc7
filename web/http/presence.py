"""Presence: which phones are there, by their requests and their live streams.

A phone is *there* while it sends requests or listens to the live stream. Otherwise it
is *quiet*: first *asleep*, since a phone whose screen goes dark closes its stream, and
*away* only after some minutes. A phone that fell off the network may leave its stream
open, but its page does not react to events. The game never waits for a phone. Nothing
here is stored: after a start of the program all phones count as there.
"""

from __future__ import annotations

import enum
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Protocol, cast

from flask import current_app

from companion.ports import Clock
from companion.rules import awaited_seats
from companion.units import GameId
from companion.words import Words, say
from web.http.panel import panel

KEY = "companion.presence"
"""The key of ``app.extensions`` under which the application keeps its ``Presence``."""

PHONES_MAX = 2_000
"""How many phones are remembered; the longest silent one is forgotten first."""

NS_PER_S = 1_000_000_000

ASLEEP_S = 60
"""After how much silence a phone counts as asleep."""

AWAY_S = 300
"""After how much silence a phone counts as away."""

REACTION_S = 5
"""A phone that sent a request at most this long before an event need not react."""


class Quiet(enum.StrEnum):
    """How long a quiet phone has been silent."""

    ASLEEP = "asleep"
    AWAY = "away"


QUIET_WORDS: dict[Quiet, Words] = {
    Quiet.ASLEEP: say("phone asleep"),
    Quiet.AWAY: say("phone away"),
}


class Listener(Protocol):
    """A page that listens to the live stream; ``web.http.live`` has the class.

    Attributes:
        phone: The id of the page's phone; empty for an unknown phone.
        unanswered_ns: Time of the first event to which the page has not reacted, if
            any, on the monotonic clock.
    """

    phone: str
    unanswered_ns: int | None

    @property
    def is_gone(self) -> Callable[[], bool]:
        """A function that tells whether the phone has closed the connection."""


class Presence:
    """Remembers when each phone last sent a request; safe in any thread.

    Args:
        clock: The table's clock.
        listeners: Returns the pages with an open live stream.
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
        """Note a request of a phone; return whether it counted as quiet before."""
        was_quiet = self.quiet(phone) is not None
        with self._lock:
            self._heard_ns[phone] = self._clock.monotonic_ns()
            self._heard_ns.move_to_end(phone)
            if len(self._heard_ns) > PHONES_MAX:
                self._heard_ns.popitem(last=False)
        return was_quiet

    def note_closed(self, listener: Listener) -> None:
        """Note that a stream was closed.

        The phone was there until now, unless its page has left an event unanswered.
        """
        if listener.unanswered_ns is None and listener.phone:
            with self._lock:
                self._heard_ns[listener.phone] = self._clock.monotonic_ns()

    def note_event(self, listener: Listener) -> None:
        """Note that a stream sent an event, to which the page should react."""
        now_ns = self._clock.monotonic_ns()
        heard_ns = self._last_request_ns(listener.phone)
        unanswered_ns = listener.unanswered_ns
        is_answered = unanswered_ns is None or unanswered_ns <= heard_ns
        if is_answered and now_ns - heard_ns > REACTION_S * NS_PER_S:
            listener.unanswered_ns = now_ns

    def quiet(self, phone: str) -> Quiet | None:
        """Return whether a phone is asleep or away; ``None`` if it is there."""
        heard_ns = self._last_request_ns(phone)
        silent_s = (self._clock.monotonic_ns() - heard_ns) // NS_PER_S
        if silent_s < ASLEEP_S or self._listens(phone, heard_ns):
            return None
        return Quiet.ASLEEP if silent_s < AWAY_S else Quiet.AWAY

    def _listens(self, phone: str, heard_ns: int) -> bool:
        """Tell whether a phone has a stream open on which it still reacts."""
        now_ns = self._clock.monotonic_ns()
        for listener in self._listeners():
            if listener.phone != phone or listener.is_gone():
                continue
            unanswered_ns = listener.unanswered_ns
            if unanswered_ns is None or unanswered_ns <= heard_ns:
                return True
            if now_ns - unanswered_ns < ASLEEP_S * NS_PER_S:
                return True  # The page may still react.
        return False

    def _last_request_ns(self, phone: str) -> int:
        """Return when a phone last sent a request, or else the start."""
        return self._heard_ns.get(phone, self._began_ns)

    def quiet_seats(self, holders: dict[str, str]) -> dict[str, Quiet]:
        """Return the seats whose phones are quiet; *holders* are the phones by seat."""
        states = {seat: self.quiet(phone) for seat, phone in holders.items()}
        return {seat: quiet for seat, quiet in states.items() if quiet is not None}


def presence() -> Presence:
    """Return the ``Presence`` of this request's application."""
    return cast("Presence", current_app.extensions[KEY])


def quiet_seats(game_id: GameId) -> dict[str, Quiet]:
    """Return the seats of a game whose phones are quiet."""
    return presence().quiet_seats(panel().table.phones.holders(game_id))


def missed_seats(game_id: GameId) -> dict[str, Quiet]:
    """Return the seats whose phones are away, or asleep while the game waits for them.

    A phone may sleep between its turns, as most do.
    """
    awaited = awaited_seats(panel().table.game(game_id))
    return {
        seat: quiet
        for seat, quiet in quiet_seats(game_id).items()
        if quiet is Quiet.AWAY or seat in awaited
    }


def touch(phone: str) -> None:
    """Note a request of a phone; if it was quiet, have its games' pages redrawn."""
    if presence().touch(phone):
        table = panel().table
        for game_id in table.phones.games_of(phone):
            table.tell(game_id)
