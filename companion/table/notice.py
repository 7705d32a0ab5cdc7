"""Notifies many listeners that something changed, without ever waiting for one.

A *notice* is a topic, such as the id of a game, and a number, such as its revision. The
listeners are the pages that are open on phones, and the vault.

A subscription is a mailbox for the latest notice of each topic. A slow listener may
miss a notice, but never the newest; and its mailbox never holds more notices than there
are topics.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping


class Subscription:
    """One listener's mailbox.

    Args:
        topics: The topics that it receives; all, if empty.
    """

    def __init__(self, topics: Collection[str] = ()) -> None:
        self._topics = topics
        self._condition = threading.Condition()
        self._latest: dict[str, int] = {}
        self._highest: dict[str, int] = {}
        self._is_closed = False

    def put(self, topic: str, number: int) -> None:
        """Leave a notice in place of an older one of the same topic.

        Notices may arrive in another order than the entries were written. A lower
        number that comes late is raised to the highest, so that no listener goes back
        in time. Topics that the listener does not receive are ignored.
        """
        if self._topics and topic not in self._topics:
            return
        with self._condition:
            self._highest[topic] = max(number, self._highest.get(topic, number))
            self._latest[topic] = self._highest[topic]
            self._condition.notify()

    def close(self) -> None:
        """Wake the listener for the last time."""
        with self._condition:
            self._is_closed = True
            self._condition.notify()

    def wait(self, timeout_s: float) -> Mapping[str, int] | None:
        """Return what changed since the last call; empty after *timeout_s*.

        Returns:
            The latest number by topic, or ``None`` once the subscription is closed and
            everything was taken.
        """
        with self._condition:
            self._condition.wait_for(
                lambda: bool(self._latest) or self._is_closed, timeout_s
            )
            if not self._latest:
                return None if self._is_closed else {}
            changed, self._latest = self._latest, {}
            return changed


class Notices:
    """All open subscriptions.

    Args:
        start: An id of this start of the program, different from all others.
    """

    def __init__(self, start: str = "") -> None:
        self._lock = threading.Lock()
        self._open: tuple[Subscription, ...] = ()
        self._is_closed = False
        self._start = start
        self._told_count = 0

    def told(self) -> str:
        """Return a mark of all notices so far: this start's id, and their count.

        A page that was made at the same mark has missed nothing. Revisions would not
        prove that, since some notices are not about entries of a game.
        """
        return f"{self._start}-{self._told_count}"

    def subscribe(self, topics: Collection[str] = ()) -> Subscription:
        """Open a mailbox for *topics*, or for all; end it with ``unsubscribe``."""
        subscription = Subscription(topics)
        with self._lock:
            if self._is_closed:
                subscription.close()  # The process is ending.
            else:
                self._open = (*self._open, subscription)
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        """Close the mailbox; harmless if it was closed before."""
        with self._lock:
            self._open = tuple(s for s in self._open if s is not subscription)
        subscription.close()

    def tell(self, topic: str, number: int) -> None:
        """Leave a notice in every mailbox."""
        with self._lock:
            self._told_count += 1
        for subscription in self._open:
            subscription.put(topic, number)

    def close(self) -> None:
        """Close every mailbox for good, so that streams end before the process."""
        with self._lock:
            self._is_closed = True
        for subscription in self._open:
            self.unsubscribe(subscription)
