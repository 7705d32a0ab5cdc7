"""The queue of the vault's only worker; any thread may add to it at any time.

Its items are *edges* (changes of an input line) and *orders*, which pages give.
"""

from __future__ import annotations

import queue
from collections.abc import Iterator
from typing import Generic, TypeVar

from companion.errors import Why
from companion.ports import Edge
from companion.sheets import LIMIT_RULE
from companion.words import say

Order = TypeVar("Order")

EDGES_MAX = 1024
"""The number of waiting items at which edges are dropped."""

ORDERS_MAX = 32
"""The number of waiting items beyond ``EDGES_MAX`` at which orders are refused."""


class Inbox(Generic[Order]):
    """A queue of edges and orders: adding never blocks, and wakes the worker.

    Edges beyond the limit are dropped and counted: the worker then reads the levels of
    the lines again, which tell more than many old edges. Orders beyond their limit are
    refused. Threads that add at the same moment may slightly exceed a limit.

    Attributes:
        lost_count: The number of edges dropped since the start.
    """

    def __init__(self) -> None:
        # SimpleQueue is written in C: a put takes under a microsecond, and is allowed
        # from a signal handler or in the middle of another put.
        self._queue: queue.SimpleQueue[Edge | Order | None] = queue.SimpleQueue()
        self.lost_count = 0

    def put_edge(self, edge: Edge) -> None:
        """Add *edge*, or count it as lost."""
        if self._queue.qsize() >= EDGES_MAX:
            self.lost_count += 1
        else:
            self._queue.put(edge)

    def put_order(self, order: Order) -> None:
        """Add *order*.

        Raises:
            Refused: ``limit_reached``, if too many items are waiting already.
        """
        if self._queue.qsize() >= EDGES_MAX + ORDERS_MAX:
            raise LIMIT_RULE.refuses(
                Why.LIMIT_REACHED,
                say("the vault is busy"),
                say("wait a moment and try again"),
            )
        self._queue.put(order)

    def put_last(self, order: Order) -> None:
        """Add the final *order*, whatever the limit; nothing is taken after it."""
        self._queue.put(order)

    def wake(self) -> None:
        """Wake the worker, to check what is due by now."""
        self._queue.put(None)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is waiting."""
        return self._queue.empty()

    def wait(self) -> Edge | Order | None:
        """Wait for one item and take it; ``None`` means to check what is due by now."""
        return self._queue.get()

    def waiting(self) -> Iterator[Edge | Order | None]:
        """Yield the items that are queued now, without any added meanwhile."""
        for _ in range(self._queue.qsize()):
            try:
                yield self._queue.get_nowait()
            except queue.Empty:
                return
