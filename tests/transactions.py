"""Counting transactions, and what the disk holds between them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import sqlalchemy as sa
from sqlalchemy import event

from companion.store import Database, Store, schema


@contextmanager
def counted(database: Database) -> Iterator[list[None]]:
    """Return a list that grows with every transaction, reading or writing."""
    begun: list[None] = []

    def count(_: object) -> None:
        begun.append(None)

    event.listen(database._engine, "begin", count)
    yield begun
    event.remove(database._engine, "begin", count)


@contextmanager
def between_writes(database: Database) -> Iterator[list[bytes]]:
    """Return a list that grows with the whole file between any two writes.

    A process that dies there leaves no more and no less.
    """
    left: list[bytes] = []
    seen: list[int] = []

    def copy(connection: sa.Connection) -> None:
        changes = connection.connection.driver_connection.total_changes
        if seen and changes != seen[-1]:
            with closing(sqlite3.connect(database.path)) as file:
                left.append(file.serialize())
        seen.append(changes)

    event.listen(database._engine, "begin", copy)
    yield left
    event.remove(database._engine, "begin", copy)


def kept(database: Store) -> dict[str, list[tuple[object, ...]]]:
    """Return what a table has on its disk, without times and phones."""
    asked = {
        "entries": "journal, revision, command_id, actor, events",
        "journals": "journal, title, is_closed",
        "holdings": "journal, seat",
        "requests": "journal, wish, seat, name",
        "pictures": "journal, revision, name, content",
        "ticks": "*",
    }
    with database.transaction() as connection:
        found = {
            table: sorted(
                map(tuple, connection.exec_driver_sql(f"SELECT {columns} FROM {table}"))
            )
            for table, columns in asked.items()
        }
        hosts = sa.select(sa.func.count()).where(schema.phones.c.is_host)
        return {**found, "hosts": [(connection.execute(hosts).scalar(),)]}
