"""Counting transactions, and what the disk holds between them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

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


class Left(list[bytes]):
    """The whole file between any two writes: a process that dies there leaves just it.

    Args:
        database: The file; closing it ends the list.
    """

    def __init__(self, database: Database) -> None:
        super().__init__()
        self._database, self._changes = database, -1
        event.listen(database._engine, "begin", self._copy)

    def anew(self) -> None:
        """Begin anew: what was written before is no first write."""
        self.clear()
        self._changes = -1

    def _copy(self, connection: sa.Connection) -> None:
        changes = connection.connection.driver_connection.total_changes
        if self._changes not in (-1, changes):
            with (
                suppress(sqlite3.OperationalError),  # A disk that died opens nothing.
                closing(sqlite3.connect(self._database.path)) as file,
            ):
                self.append(file.serialize())
        self._changes = changes


@contextmanager
def between_writes(database: Database) -> Iterator[Left]:
    """Return a list that grows with the file between any two writes."""
    left = Left(database)
    yield left
    event.remove(database._engine, "begin", left._copy)


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
