"""Copies all rows between two databases: a backup of PostgreSQL is an SQLite file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import exc

from companion.errors import DeviceFault, Malformed
from companion.store import schema
from companion.store.database import number_of_id

ROWS = 200
"""Rows that are held in memory at a time; an entry may be long."""


def copy_to_file(source: sa.Connection, path: Path, table_id: str) -> None:
    """Make a companion's SQLite file with all rows of *source*.

    Args:
        source: The database.
        path: The file, still empty.
        table_id: The table's id.

    Raises:
        DeviceFault: If the file cannot be written.
    """
    engine = sa.create_engine(sa.URL.create("sqlite", database=str(path)))
    try:
        with engine.begin() as target:
            schema.create(target)
            copy_rows(source, target)
            number = number_of_id(table_id)
            target.exec_driver_sql(f"PRAGMA user_version = {number}")
    except exc.DBAPIError as error:
        if error.connection_invalidated:
            raise  # The connection to the source was lost; the file is not to blame.
        raise DeviceFault(f"cannot write {path}: {error.orig}") from error
    finally:
        engine.dispose()


def copy_rows(source: sa.Connection, target: sa.Connection) -> None:
    """Replace all rows of one database by those of another.

    Raises:
        Malformed: If the source holds a value of the wrong type.
    """
    # Every database makes its own row of "about".
    tables = [x for x in schema.metadata.sorted_tables if x is not schema.about]
    known = sa.inspect(source).get_table_names()  # An older companion's lacks some.
    last_request = _last_request(source)
    for table in reversed(tables):
        target.execute(table.delete())
    for table in (x for x in tables if x.name in known):
        result = source.execute(sa.select(table).execution_options(yield_per=ROWS))
        for rows in result.partitions():
            target.execute(table.insert(), [_values(table, row) for row in rows])
    _set_last_request(target, last_request)


def _values(table: sa.Table, row: Sequence[object]) -> dict[str, object]:
    """Return a row by its columns; ``Malformed`` if a value has the wrong type.

    SQLite accepts any value in any column.
    """
    for column, value in zip(table.c, row, strict=True):
        if not isinstance(value, column.type.python_type):
            expected = f"{column.type.python_type.__name__} in {table}.{column.name}"
            raise Malformed(
                f"expected {expected}, got {type(value).__name__}",
                "nothing was changed; take another file that companion backup made",
            )
    return dict(zip(table.c.keys(), row, strict=True))


def _last_request(connection: sa.Connection) -> int:
    """Return the highest number that a request ever had, even if it was deleted.

    Command ids contain it, so it must never be used again.
    """
    if connection.dialect.name == "sqlite":
        query = "SELECT max(seq) FROM sqlite_sequence WHERE name = 'requests'"
    else:
        query = f"SELECT CASE WHEN is_called THEN last_value END FROM {SEQUENCE}"
    return int(connection.exec_driver_sql(query).scalar() or 0)


def _set_last_request(connection: sa.Connection, number: int) -> None:
    """Give the next request the number after this one."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("DELETE FROM sqlite_sequence")
        insert = "INSERT INTO sqlite_sequence VALUES ('requests', ?)"
        connection.exec_driver_sql(insert, (number,))
    else:
        is_called = number > 0
        setval = sa.func.setval(SEQUENCE, max(number, 1), is_called)
        connection.execute(sa.select(setval))


SEQUENCE = "requests_request_seq"
"""PostgreSQL's sequence for the numbers of requests."""
