"""A queue for heavy work, as a small computer has memory for one photo only.

Work that nobody waits for runs in the background, and says why if it fails.
"""

from __future__ import annotations

import ctypes
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from companion.errors import CompanionError, Malformed
from companion.examining import Busy
from companion.words import Words, say

log = logging.getLogger(__name__)

WAITING_MAX = 3
"""How many callers may wait; each of them occupies a thread of the panel."""

LOOK_S = 25.0
"""How long a turn may take: several times what a slow Pi should need for a full sheet
at its first look, which also loads OpenCV. No Pi was measured yet."""

WAIT_S = 40.0
"""How long a caller waits: longer than the longest turn, and with a usual one of its
own less than the minute after which phones give up."""

M_ARENA_MAX, M_MMAP_THRESHOLD = -8, -3
"""Settings of ``mallopt``. Source: glibc, ``malloc.h``."""

LARGE_BYTES = 1_000_000
"""Freed blocks of this size or more go back to the system at once."""


@dataclass(eq=False, slots=True)
class _Place:
    """A caller's place in the queue; a lasting one does not count for the limit."""

    sender: str
    is_lasting: bool
    is_seated: bool = False


class OneAtATime:
    """Lets one caller work at a time; a few may wait, others are refused at once.

    No sender can block the others: if the queue is full, a newcomer takes a place of
    the sender with the most, if its own sender has at least two fewer. After a turn of
    one sender, another goes first. Strangers wait behind the phones of the game, and
    lose their places to them.

    Args:
        waiting_max: How many may wait.
        wait_s: How long each of them waits, in seconds.
        look_s: How long the work of one turn may take, in seconds.
        now_s: Returns the seconds since some fixed moment.
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
        # All below are guarded by _changed. While nobody is inside, nobody waits.
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
            sender: The address of the caller.
            is_seated: Whether the caller is a phone of the game.
            wait_s: How long to wait; ``None`` is the usual time, 0 does not wait, and
                -1 waits for ever, even while the queue is closed.

        Yields:
            A check to call again and again: it raises ``Malformed`` once the turn has
            taken too long, and ``Busy`` once the queue is closed.

        Raises:
            Busy: If there is no place, another caller took it, the wait was too long,
                or the queue was closed.
        """
        wait_s = self._wait_s if wait_s is None else wait_s
        self._await_turn(_Place(sender, wait_s < 0, is_seated), wait_s)
        try:
            yield self._check_until(self._now_s() + self._look_s)
        finally:
            self._let_next_in()

    def close(self) -> None:
        """Refuse all but lasting callers that wait; the work ends at its next check."""
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
        """In a full queue, remove the last place of the sender with the most."""
        waiting = [place for place in self._waiting if not place.is_lasting]
        if len(waiting) < self._waiting_max:
            return
        strangers = [place for place in waiting if not place.is_seated]
        goes_first = mine.is_seated and bool(strangers)
        may_yield = strangers if goes_first or not mine.is_seated else waiting
        counts = Counter(place.sender for place in (*waiting, self._inside) if place)
        most = max((counts[place.sender] for place in may_yield), default=0)
        has_two_fewer = counts[mine.sender] + 2 <= most
        if not (goes_first or has_two_fewer):
            raise Busy("too many photos are waiting to be looked at")
        yielding = [place for place in may_yield if counts[place.sender] == most]
        self._waiting.remove(yielding[-1])
        self._changed.notify_all()

    def _let_next_in(self) -> None:
        """Let in the longest waiting, of the game and of another sender if possible."""
        with self._changed:
            last_sender = self._inside.sender if self._inside else ""

            def goes_behind(place: _Place) -> tuple[bool, bool]:
                is_stranger = not (place.is_seated or place.is_lasting)
                return is_stranger, place.sender == last_sender

            self._inside = min(self._waiting, key=goes_behind, default=None)
            if self._inside is not None:
                self._waiting.remove(self._inside)
            self._changed.notify_all()

    def _check_until(self, end_s: float) -> Callable[[], None]:
        """Return a check that raises once *end_s* has passed or the queue is closed."""

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
    """Make glibc return the memory of each look; call it before any thread starts.

    Otherwise it keeps some 80 MB for each thread that ever looked at a photo. Other C
    libraries have no such setting.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(M_ARENA_MAX, 1)
        mallopt(M_MMAP_THRESHOLD, LARGE_BYTES)


OUR_MISTAKE = say("this failed by our mistake"), say("take other photos")
"""The words for an error in the program: what is wrong, what to do."""


def in_background(
    name: str, work: Callable[[], object], refuse: Callable[[str, str], object]
) -> None:
    """Start *work* in a daemon thread.

    Args:
        name: The name of the thread, and the beginning of its lines in the log.
        work: The work to do.
        refuse: Called if *work* raises, with what is wrong and what to do about it.
    """

    def run() -> None:
        try:
            work()
        except CompanionError as error:
            problem = error.plain if isinstance(error, Malformed) else error.message
            if not isinstance(problem, Words):  # English, for programmers only.
                log.warning("%s_failed error=%s", name, error)
                refuse(*OUR_MISTAKE)
                return
            refuse(problem, error.remedy)
        except MemoryError:
            log.exception("%s_out_of_memory", name)
            refuse(say("the photos do not fit into memory"), say("take fewer"))
        except Exception:
            log.exception("%s_failed", name)
            refuse(*OUR_MISTAKE)

    threading.Thread(target=run, name=name, daemon=True).start()
