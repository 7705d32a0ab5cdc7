"""A rate limit: how often a phone, or a network address, may do something.

Each phone or address has a *bucket* of tokens. An action takes a token, and time
refills the bucket; whoever finds it empty has to wait.
"""

from __future__ import annotations

import math
import threading
from collections import OrderedDict

from companion.ports import Clock
from companion.words import Words, say_count

BUCKETS_MAX = 4_096
"""The most buckets kept; beyond that, the one unused for longest is dropped."""


class Buckets:
    """A bucket of tokens for each key: the id of a phone, or an address.

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
        # The tokens in each bucket, and when that was counted, in nanoseconds.
        self._buckets: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def wait_s(self, key: str) -> int:
        """Take one token of *key*; return 0, or the seconds to wait for one."""
        now_ns = self._clock.monotonic_ns()
        with self._lock:
            tokens, counted_ns = self._buckets.pop(key, (self._burst, now_ns))
            gained = (now_ns - counted_ns) / 1e9 * self._per_s
            tokens = min(self._burst, tokens + gained)
            is_granted = tokens >= 1
            self._buckets[key] = (tokens - 1 if is_granted else tokens, now_ns)
            if len(self._buckets) > BUCKETS_MAX:
                self._buckets.popitem(last=False)
        return 0 if is_granted else math.ceil((1 - tokens) / self._per_s)


def wait_words(wait_s: int) -> Words:
    """Return the advice to wait so many seconds."""
    return say_count(
        wait_s, "wait one second, then go on", "wait {count} seconds, then go on"
    )
