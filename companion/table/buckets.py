"""A rate limit: how often a phone, or a network address, may do something."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict

from companion.ports import Clock
from companion.words import Words, say_count

BUCKETS_MAX = 4_096
"""Keys remembered at a time; the one that was silent longest is forgotten."""


class Buckets:
    """A bucket of tokens for each key, such as a phone or an address; time refills it.

    Args:
        clock: Tells how much time has passed.
        burst_count: Tokens in a full bucket, at least 1.
        per_s: Tokens regained per second, above 0.
    """

    def __init__(self, clock: Clock, burst_count: int, per_s: float) -> None:
        self._clock = clock
        self._burst = float(burst_count)
        self._per_s = per_s
        self._lock = threading.Lock()
        self._filled: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def wait_s(self, key: str) -> int:
        """Take one token of *key*: 0 if there was one, else the seconds to wait."""
        now_ns = self._clock.monotonic_ns()
        with self._lock:
            tokens, at_ns = self._filled.pop(key, (self._burst, now_ns))
            gained = (now_ns - at_ns) / 1e9 * self._per_s
            tokens = min(self._burst, tokens + gained)
            is_granted = tokens >= 1
            self._filled[key] = (tokens - 1 if is_granted else tokens, now_ns)
            if len(self._filled) > BUCKETS_MAX:
                self._filled.popitem(last=False)
        return 0 if is_granted else math.ceil((1 - tokens) / self._per_s)


def wait_words(wait_s: int) -> Words:
    """Return the advice to wait so many seconds."""
    return say_count(
        wait_s, "wait one second, then go on", "wait {count} seconds, then go on"
    )
