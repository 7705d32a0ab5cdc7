"""Which phones are there: those that ask for something, or listen to the live stream.

A phone whose screen goes dark closes its stream, so a silent phone is called *asleep*
at first, and *away* only after some minutes. One that fell off the network may leave
its stream open; it is found out because it does not react to what it is told. Nothing
waits for a phone, and nothing of this is on disk: after a start all count as there.
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
"""Of how many phones it is known when they last asked."""

NS_PER_S = 1_000_000_000
ASLEEP_S = 60
"""After how many seconds of silence a phone counts as asleep."""

AWAY_S = 300
"""After how many seconds of silence it counts as away."""

REACTION_S = 5
"""A phone that asked so shortly before it was told something need not ask again."""


class Quiet(enum.StrEnum):
    """How long nothing was heard of a phone."""

    ASLEEP = "asleep"
    AWAY = "away"


QUIET_WORDS: dict[Quiet, Words] = {
    Quiet.ASLEEP: say("phone asleep"),
    Quiet.AWAY: say("phone away"),
}


class Listener(Protocol):
    """A page that listens to the live stream.

    Attributes:
        phone: The id of its phone; empty for one that nobody knows.
        unanswered_ns: When it was first told something to which it has not reacted.
    """

    phone: str
    unanswered_ns: int | None

    @property
    def is_gone(self) -> Callable[[], bool]:
        """Tells whether the phone is known to have left."""


class Presence:
    """When each phone was last heard of; safe in any thread.

    Args:
        clock: The table's clock.
        listeners: Gives the pages that have a live stream open.
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
        """Note that a phone is there; true if it was thought to be gone."""
        was_quiet = self.quiet(phone) is not None
        with self._lock:
            self._heard_ns[phone] = self._clock.monotonic_ns()
            self._heard_ns.move_to_end(phone)
            if len(self._heard_ns) > PHONES_MAX:
                self._heard_ns.popitem(last=False)
        return was_quiet

    def left(self, listener: Listener) -> None:
        """Note that a stream was closed: its phone was there, if it reacted."""
        if listener.unanswered_ns is None and listener.phone:
            with self._lock:
                self._heard_ns[listener.phone] = self._clock.monotonic_ns()

    def told(self, listener: Listener) -> None:
        """Note that a stream passed on that something has changed."""
        now_ns, heard_ns = self._clock.monotonic_ns(), self._last_ns(listener.phone)
        is_answered = (
            listener.unanswered_ns is None or listener.unanswered_ns <= heard_ns
        )
        if is_answered and now_ns - heard_ns > REACTION_S * NS_PER_S:
            listener.unanswered_ns = now_ns

    def quiet(self, phone: str) -> Quiet | None:
        """How long nothing was heard of that phone; ``None`` if it is there."""
        heard_ns = self._last_ns(phone)
        silent_s = (self._clock.monotonic_ns() - heard_ns) // NS_PER_S
        if silent_s < ASLEEP_S or self._listens(phone, heard_ns):
            return None
        return Quiet.ASLEEP if silent_s < AWAY_S else Quiet.AWAY

    def _listens(self, phone: str, heard_ns: int) -> bool:
        """Whether that phone has a stream open, and reacted to what it was told."""
        now_ns = self._clock.monotonic_ns()
        return any(
            listener.unanswered_ns is None
            or listener.unanswered_ns <= heard_ns
            or now_ns - listener.unanswered_ns < ASLEEP_S * NS_PER_S
            for listener in self._listeners()
            if listener.phone == phone and not listener.is_gone()
        )

    def _last_ns(self, phone: str) -> int:
        return self._heard_ns.get(phone, self._began_ns)

    def quiet_seats(self, holders: dict[str, str]) -> dict[str, Quiet]:
        """The quiet phones by seat; *holders* are the phones by seat."""
        found = {seat: self.quiet(phone) for seat, phone in holders.items()}
        return {seat: quiet for seat, quiet in found.items() if quiet is not None}


def presence() -> Presence:
    """The presence of phones at this request's application."""
    return cast("Presence", current_app.extensions[KEY])


def quiet_seats(game_id: GameId) -> dict[str, Quiet]:
    """The seats of a game whose phones are asleep or away."""
    return presence().quiet_seats(panel().table.phones.holders(game_id))


def missed_seats(game_id: GameId) -> dict[str, Quiet]:
    """The same, but for those that merely sleep while nobody waits for them.

    Most phones sleep between their turns.
    """
    awaited = awaited_seats(panel().table.game(game_id))
    return {
        seat: quiet
        for seat, quiet in quiet_seats(game_id).items()
        if quiet is Quiet.AWAY or seat in awaited
    }


def touch(phone: str) -> None:
    """Note that a phone is there; pages that thought it gone are drawn again."""
    if presence().touch(phone):
        table = panel().table
        for game_id in table.phones.games_of(phone):
            table.tell(game_id)
