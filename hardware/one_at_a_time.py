"""Heavy work one piece at a time: a small computer has memory for one photo only."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from companion.errors import Malformed
from companion.examining import Busy
from companion.words import say

WAITING_MAX = 3
WAIT_S = 25.0
"""How long a caller waits; a phone would wait longer before giving up."""

LOOK_S = 40.0
"""How long a look may take; the slowest Pi needs a fraction of it for a full sheet."""

M_ARENA_MAX, M_MMAP_THRESHOLD = -8, -3
"""Names of settings in glibc's ``mallopt``, from its ``malloc.h``."""

LARGE_BYTES = 1_000_000
"""From this size on, memory that is freed goes back to the system at once."""


class OneAtATime:
    """Lets one caller work at a time; a few may wait, others are refused at once.

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
        self._wait_s = wait_s
        self._look_s = look_s
        self._now_s = now_s
        self._places = threading.Semaphore(waiting_max + 1)
        self._inside = threading.Lock()

    @contextmanager
    def turn(self, wait_s: float | None = None) -> Iterator[Callable[[], None]]:
        """Wait for a turn, and keep it until the ``with`` block ends.

        Args:
            wait_s: How long to wait, if not as long as others; -1 waits for ever.

        Yields:
            A check that work on a photo calls again and again: it raises ``Malformed``
            once the turn has taken too long.

        Raises:
            Busy: If too many are waiting, or the wait was too long.
        """
        if not self._places.acquire(blocking=False):
            raise Busy("too many photos are waiting to be looked at")
        try:
            patience = self._wait_s if wait_s is None else wait_s
            if not self._inside.acquire(timeout=patience):
                raise Busy("another photo is still being looked at")
            try:
                yield self._check_until(self._now_s() + self._look_s)
            finally:
                self._inside.release()
        finally:
            self._places.release()

    def _check_until(self, end_s: float) -> Callable[[], None]:
        def check() -> None:
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
