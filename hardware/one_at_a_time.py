"""Heavy work one piece at a time: a small computer has memory for one photo only."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from companion.examining import Busy

WAITING_MAX = 3
WAIT_S = 25.0
"""How long a caller waits; a phone would wait longer before giving up."""


class OneAtATime:
    """Lets one caller work at a time; a few may wait, others are refused at once.

    Args:
        waiting_max: How many may wait.
        wait_s: How long each of them waits, in seconds.
    """

    def __init__(self, waiting_max: int = WAITING_MAX, wait_s: float = WAIT_S) -> None:
        self._wait_s = wait_s
        self._places = threading.Semaphore(waiting_max + 1)
        self._inside = threading.Lock()

    @contextmanager
    def turn(self, wait_s: float | None = None) -> Iterator[None]:
        """Wait for a turn, and keep it until the ``with`` block ends.

        Args:
            wait_s: How long to wait, if not as long as others; -1 waits for ever.

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
                yield
            finally:
                self._inside.release()
        finally:
            self._places.release()
