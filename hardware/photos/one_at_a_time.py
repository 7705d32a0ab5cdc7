"""Heavy work one piece at a time: a small computer has memory for one photo only."""

from __future__ import annotations

import ctypes
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from companion.errors import Malformed
from companion.examining import Busy
from companion.words import say

WAITING_MAX = 3
"""How many may wait; each keeps one of the panel's threads."""

LOOK_S = 25.0
"""How long a look may take: several times what a full sheet should take on a slow Pi,
the first look, which loads OpenCV, included. No Pi was measured yet."""

WAIT_S = 40.0
"""How long a caller waits: longer than behind a look that takes all its time.

With a usual look of the caller's own it stays below the minute after which phones
give up.
"""

M_ARENA_MAX, M_MMAP_THRESHOLD = -8, -3
"""Names of settings in glibc's ``mallopt``, from its ``malloc.h``."""

LARGE_BYTES = 1_000_000
"""From this size on, memory that is freed goes back to the system at once."""


@dataclass(eq=False, slots=True)
class _Place:
    """A caller's place in the queue.

    Attributes:
        sender: Whose place it is.
        is_seated: Whether a phone of the game sent it.
        is_lasting: Whether it waits for ever, and so needs no room among the others.
    """

    sender: str
    is_lasting: bool
    is_seated: bool = False


class OneAtATime:
    """Lets one caller work at a time; a few may wait, others are refused at once.

    No sender can keep the others out. When nobody else may wait, a newcomer takes the
    place of the sender that has most, if it has at least two fewer; and whoever had
    the last turn lets the next sender go first. Strangers wait behind those who sit at
    the table, and make room for them.

    Args:
        waiting_max: How many may wait.
        wait_s: How long each of them waits, in seconds.
        look_s: How long the work of one turn may take, in seconds.
        now_s: Seconds since some fixed moment.
    """

    def __init__(
        self,
        waiting_max: int = WAITING_MAX,
        wait_s: float = WAIT_S,
        look_s: float = LOOK_S,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._waiting_max = waiting_max
        self._wait_s = wait_s
        self._look_s = look_s
        self._now_s = now_s
        self._changed = threading.Condition()
        # Both below are guarded by _changed. Nobody waits while nobody is inside.
        self._inside: _Place | None = None
        self._waiting: list[_Place] = []
        self._is_closed = False

    @contextmanager
    def turn(
        self,
        sender: str = "",
        *,
        is_seated: bool = False,
        wait_s: float | None = None,
    ) -> Iterator[Callable[[], None]]:
        """Wait for a turn, and keep it until the ``with`` block ends.

        Args:
            sender: Where the work comes from: what one stranger can have only few of.
            is_seated: Whether a phone of the game on the table wants it.
            wait_s: How long to wait, if not as long as others; -1 waits for ever, and
                is never refused; 0 takes nobody's place.

        Yields:
            A check that work on a photo calls again and again: it raises ``Malformed``
            once the turn has taken too long.

        Raises:
            Busy: If too many are waiting, now or once others came, the wait was too
                long, or it was closed; the check raises that, too.
        """
        wait_s = self._wait_s if wait_s is None else wait_s
        self._await_turn(_Place(sender, wait_s < 0, is_seated), wait_s)
        try:
            yield self._check_until(self._now_s() + self._look_s)
        finally:
            self._let_next_in()

    def close(self) -> None:
        """Send away who waits, but not for ever, and who works, at the next check."""
        with self._changed:
            self._is_closed = True
            self._waiting = [place for place in self._waiting if place.is_lasting]
            self._changed.notify_all()

    def _await_turn(self, mine: _Place, wait_s: float) -> None:
        with self._changed:
            if self._is_closed:
                raise Busy("the table is ending")
            if self._inside is None:
                self._inside = mine
                return
            if not wait_s:
                raise Busy("another photo is still being looked at")
            if not mine.is_lasting:
                self._make_room_for(mine)
            self._waiting.append(mine)
            self._changed.wait_for(
                lambda: mine not in self._waiting, None if mine.is_lasting else wait_s
            )
            if mine in self._waiting:
                self._waiting.remove(mine)
                raise Busy("another photo is still being looked at")
            if self._inside is not mine:
                raise Busy("too many photos of this sender are waiting")

    def _make_room_for(self, mine: _Place) -> None:
        """Send one away if nobody else may wait: the last of the sender with most."""
        waiting = [place for place in self._waiting if not place.is_lasting]
        if len(waiting) < self._waiting_max:
            return
        strangers = [place for place in waiting if not place.is_seated]
        goes_first = mine.is_seated and bool(strangers)
        yielding = strangers if goes_first or not mine.is_seated else waiting
        shares = Counter(place.sender for place in (*waiting, self._inside) if place)
        greatest = max((shares[place.sender] for place in yielding), default=0)
        if not goes_first and shares[mine.sender] + 1 >= greatest:
            raise Busy("too many photos are waiting to be looked at")
        theirs = [place for place in yielding if shares[place.sender] == greatest]
        self._waiting.remove(theirs[-1])
        self._changed.notify_all()

    def _let_next_in(self) -> None:
        """Let in who waits longest: of the seated, if any, and of other senders."""
        with self._changed:
            last = self._inside.sender if self._inside else ""
            self._inside = min(
                self._waiting,
                key=lambda place: (
                    not (place.is_seated or place.is_lasting),
                    place.sender == last,
                ),
                default=None,
            )
            if self._inside is not None:
                self._waiting.remove(self._inside)
            self._changed.notify_all()

    def _check_until(self, end_s: float) -> Callable[[], None]:
        def check() -> None:
            if self._is_closed:
                raise Busy("the table is ending")
            if self._now_s() > end_s:
                raise Malformed(
                    say(
                        "this photo takes too long to look at; take one of a single "
                        "note, from above"
                    )
                )

        return check


def give_back_memory() -> None:
    """Have the memory of each look given back at its end.

    Otherwise glibc keeps some 80 MB for each thread that ever looked at a photo. Other
    C libraries have no such setting. To be called before the threads that look begin.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(M_ARENA_MAX, 1)
        mallopt(M_MMAP_THRESHOLD, LARGE_BYTES)
