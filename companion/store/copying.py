"""Rows of one database into another, whichever kinds they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import exc

from companion.errors import DeviceFault, Malformed
from companion.store import schema

ROWS = 200
"""Rows that are held in memory at a time; an entry may be long."""

KEPT_APART = (schema.about, schema.snapshots)
"""Tables that every database makes for itself."""


def copied(source: sa.Connection, path: Path, table_id: int) -> None:
    """Make a companion's SQLite file with all rows of *source*.

    Args:
        source: A connection to the database.
        path: The file; nothing is in it yet.
        table_id: The number that the file keeps for its table.

    Raises:
        DeviceFault: If the file cannot be written.
    """
    engine = sa.create_engine(sa.URL.create("sqlite", database=str(path)))
    try:
        with engine.begin() as to:
            schema.create(to)
            copy_rows(source, to)
            signed = table_id - (table_id >> 31 << 32)
            to.exec_driver_sql(f"PRAGMA user_version = {signed}")
    except exc.DBAPIError as error:
        if error.connection_invalidated:
            raise  # It is the source that is gone.
        raise DeviceFault(f"cannot write {path}: {error.orig}") from error
    finally:
        engine.dispose()


def copy_rows(source: sa.Connection, to: sa.Connection) -> None:
    """Put all rows of one database in the place of those of another.

    Raises:
        Malformed: If the one holds what no companion puts there.
    """
    tables = [x for x in schema.metadata.sorted_tables if x not in KEPT_APART]
    last_request = _last_request(source)
    to.execute(schema.snapshots.delete())
    for table in reversed(tables):
        to.execute(table.delete())
    for table in tables:
        found = source.execute(sa.select(table).execution_options(yield_per=ROWS))
        for rows in found.partitions():
            to.execute(table.insert(), [_values(table, row) for row in rows])
    _set_last_request(to, last_request)


def _values(table: sa.Table, row: sa.Row[Any]) -> dict[str, object]:
    """Return a row by its columns; SQLite keeps any value in any of them.

    Raises:
        Malformed: If one is of another kind than its column.
    """
    for column, value in zip(table.c, row, strict=True):
        if not isinstance(value, column.type.python_type):
            wanted = f"{column.type.python_type.__name__} in {table}.{column.name}"
            raise Malformed(
                f"expected {wanted}, got {type(value).__name__}",
                "nothing was changed; take another file that companion backup made",
            )
    return dict(zip(table.c.keys(), row, strict=True))


def _last_request(connection: sa.Connection) -> int:
    """Return the highest number that a request had, even if that one is gone.

    Command ids hold it, so it is never given again.
    """
    if connection.dialect.name == "sqlite":
        wanted = "SELECT max(seq) FROM sqlite_sequence WHERE name = 'requests'"
    else:
        wanted = f"SELECT CASE WHEN is_called THEN last_value END FROM {SEQUENCE}"
    return int(connection.exec_driver_sql(wanted).scalar() or 0)


def _set_last_request(connection: sa.Connection, number: int) -> None:
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("DELETE FROM sqlite_sequence")
        kept = "INSERT INTO sqlite_sequence VALUES ('requests', ?)"
        connection.exec_driver_sql(kept, (number,))
    else:
        is_called = number > 0
        next_one = sa.func.setval(SEQUENCE, max(number, 1), is_called)
        connection.execute(sa.select(next_one))


SEQUENCE = "requests_request_seq"
"""By that name PostgreSQL counts the rows of ``requests.request``."""
