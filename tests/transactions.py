"""Counting transactions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import event

from companion.store import Database


@contextmanager
def counted(database: Database) -> Iterator[list[None]]:
    """A list that grows with every transaction, reading or writing."""
    begun: list[None] = []

    def count(_: object) -> None:
        begun.append(None)

    event.listen(database._engine, "begin", count)
    yield begun
    event.remove(database._engine, "begin", count)
