"""One heavy thing at a time: a small computer has memory for one photo, not for ten."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from companion.examining import Busy

WAITING_MAX = 3
WAIT_S = 25.0
"""How long somebody waits; a phone gives up later than that."""


class OneAtATime:
    """Lets one in; a few may wait, and the rest are sent away at once.

    Args:
        waiting_max: So many may wait.
        wait_s: Each for so long.
    """

    def __init__(self, waiting_max: int = WAITING_MAX, wait_s: float = WAIT_S) -> None:
        self._wait_s = wait_s
        self._places = threading.Semaphore(waiting_max + 1)
        self._inside = threading.Lock()

    @contextmanager
    def turn(self, wait_s: float | None = None) -> Iterator[None]:
        """Be the one inside.

        Args:
            wait_s: Another patience than everybody's; -1 for no end.

        Raises:
            Busy: If too many wait, or it took too long.
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
