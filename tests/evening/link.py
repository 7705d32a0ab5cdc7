"""The disk of an evening whose games are in PostgreSQL: the connection to them.

PostgreSQL's own disk stays whole here; ``tests/test_pairs.py`` kills it. What fails is
the program: it dies before one of its writes, or before a commit. What was committed is
there afterwards and nothing else is, whether it was killed or had no power. A disk that
is full, broken or slow, and the files as they are between two writes of one post, are
left to evenings in a file.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import psycopg
import sqlalchemy as sa
from sqlalchemy import event

from companion.store import Store
from companion.store.postgres import LOCK, Postgres
from tests.evening.disk import Disk

WRITES = ("INSERT", "UPDATE", "DELETE")


class Link(Disk):
    """Where what a program writes goes, until it dies.

    Args:
        folder: Where decks and editions are.
        url: The database with the games.
        dice: As for a disk.
    """

    def __init__(self, folder: Path, url: str, dice: random.Random) -> None:
        super().__init__(folder, dice)
        self.url = url
        self._connection: Any = None
        self._has_written = False

    def __enter__(self) -> Link:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing was put in SQLite's way."""

    def store(self, folder: Path) -> Store:
        """Open the games as the program does, and count what it writes from then on."""
        self.await_lock()
        store = Postgres(folder, self.url)
        with store.transaction() as connection:
            self._connection = connection.connection.driver_connection
        event.listen(store._engine, "before_cursor_execute", self._before_statement)
        event.listen(store._engine, "commit", self._before_commit)
        return store

    def await_lock(self) -> None:
        """Wait until the earlier program's session has ended, which takes a moment."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            for act in ("lock", "unlock"):
                connection.execute(f"SELECT pg_advisory_{act}({LOCK})".encode())

    def _before_statement(
        self, _connection: sa.Connection, _cursor: object, statement: str, *_: object
    ) -> None:
        if statement.startswith(WRITES):
            self._has_written = True
            self._do(lambda: None, 1)

    def _before_commit(self, _: sa.Connection) -> None:
        if self._has_written:
            self._has_written = False
            self._do(lambda: None, 1)

    def _die(self, is_power: bool) -> None:
        self._is_cut = True
        self._is_power |= is_power
        self._has_written = False
        self._connection.close()  # As the kernel does; PostgreSQL rolls back.

    def leave(self) -> None:
        """Be whole for the next start; PostgreSQL has seen to what was cut."""
        self._due.clear()
        self._is_cut = self._is_power = False
