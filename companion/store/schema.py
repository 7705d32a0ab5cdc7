"""The tables on disk, for SQLite and PostgreSQL alike.

``SCHEMA`` is the number of this set of tables: one more whenever a table is changed or
added. A new cache or index leaves it as it is, so that an older companion can open the
file; these are added where they are missing.
"""

from __future__ import annotations

from typing import Self

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.visitors import InternalTraversal

SCHEMA = 2

OLDER = frozenset({1})
"""Schemas that only lack whole tables, which opening the file adds."""

metadata = sa.MetaData()
"""All the tables below.

Most have a column ``journal`` with the id of a game, which is ``game_id`` in Python.
"""

about = sa.Table("about", metadata, sa.Column("schema", sa.Integer, primary_key=True))
"""One row, with the ``SCHEMA`` of the database."""

journals = sa.Table(
    "journals",
    metadata,
    sa.Column("journal", sa.String, key="game_id", primary_key=True),
    sa.Column("title", sa.String, nullable=False),
    sa.Column("edition", sa.String, nullable=False),
    sa.Column("opened_ms", sa.BigInteger, nullable=False),
    sa.Column("is_closed", sa.Boolean, nullable=False),
)
"""An index of the games, written in the same transaction as their entries."""

entries = sa.Table(
    "entries",
    metadata,
    sa.Column("journal", sa.String, key="journal_id", primary_key=True),
    sa.Column("revision", sa.Integer, primary_key=True),
    sa.Column("command_id", sa.String, nullable=False),
    sa.Column("actor", sa.String, nullable=False),
    sa.Column("at_ms", sa.BigInteger, nullable=False),
    sa.Column("events", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("journal_id", "command_id"),
    sqlite_with_rowid=False,
)
"""The entries of all journals, each with its events as JSON."""


class HasEvent(sa.ColumnElement[bool]):
    """The condition that the JSON of an entry holds an event with the type *kind*."""

    inherit_cache = True
    type = sa.Boolean()
    _traverse_internals = [("kind", InternalTraversal.dp_string)]  # noqa: RUF012

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def self_group(self, against: object = None) -> Self:
        """Return the condition unchanged.

        SQLAlchemy would compare it with 1, and SQLite would then use no index.
        """
        return self


@compiles(HasEvent)
def _write_for_sqlite(clause: HasEvent, _compiler: object, **_options: object) -> str:
    return f"""instr(events, CAST('"type":"{clause.kind}"' AS BLOB)) > 0"""


@compiles(HasEvent, "postgresql")
def _write_for_postgresql(
    clause: HasEvent, _compiler: object, **_options: object
) -> str:
    pattern = f'"type":"{clause.kind}"'.encode().hex()
    return f"position(decode('{pattern}', 'hex') in events) > 0"


is_of_box = HasEvent("BoxRead")
"""The condition that an entry records a reading of a box."""

of_box = sa.Index(
    "entries_of_box",
    entries.c.journal_id,
    entries.c.revision,
    sqlite_where=is_of_box,
)
"""An index of such entries: to show a box, all games of its edition are searched."""

phones = sa.Table(
    "phones",
    metadata,
    sa.Column("phone", sa.String, primary_key=True),
    sa.Column("token_sha256", sa.String, nullable=False, unique=True),
    sa.Column("is_host", sa.Boolean, nullable=False),
    sa.Column("expires_ms", sa.BigInteger, nullable=False),
)
"""Known phones, each with a hash of the token by which it proves itself."""

holdings = sa.Table(
    "holdings",
    metadata,
    sa.Column("journal", sa.String, key="game_id", primary_key=True),
    sa.Column("seat", sa.String, primary_key=True),
    sa.Column("phone", sa.ForeignKey("phones.phone"), nullable=False, index=True),
)
"""Which phone holds which seat of which game; one phone a seat."""

requests = sa.Table(
    "requests",
    metadata,
    sa.Column("request", sa.Integer, primary_key=True),
    sa.Column("journal", sa.String, key="game_id", nullable=False, index=True),
    sa.Column("phone", sa.ForeignKey("phones.phone"), nullable=False),
    sa.Column("wish", sa.String, nullable=False),
    sa.Column("seat", sa.String, nullable=False),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("token", sa.String, nullable=False),
    sa.UniqueConstraint("game_id", "phone"),
    sqlite_autoincrement=True,  # Numbers are in command ids: never reuse one.
)
"""Phones that wait for the banker: to join late, or to take a seat over."""

ticks = sa.Table(
    "ticks",
    metadata,
    sa.Column("journal", sa.String, key="game_id", primary_key=True),
    sa.Column("list", sa.String, primary_key=True),
    sa.Column("step", sa.String, primary_key=True),
    sqlite_with_rowid=False,
)
"""Steps ticked off in a checklist, such as the one for packing a game away."""

pictures = sa.Table(
    "pictures",
    metadata,
    sa.Column("journal", sa.String, key="game_id", primary_key=True),
    sa.Column("revision", sa.Integer, primary_key=True),
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("content", sa.LargeBinary, nullable=False),
)
"""The decoder's pictures, by the entry with the verdict on them."""

snapshots = sa.Table(
    "snapshots",
    metadata,
    sa.Column("journal", sa.String, key="game_id", primary_key=True),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("digest", sa.LargeBinary, nullable=False),
    sa.Column("content", sa.LargeBinary, nullable=False),
)
"""A cache of states of long games, so that they open quickly."""


def delete(connection: sa.Connection, table: sa.Table, **values: object) -> None:
    """Delete the rows of a table that have all these values, by column."""
    connection.execute(table.delete().filter_by(**values))


def create(connection: sa.Connection) -> None:
    """Make all tables in a database that has none."""
    metadata.create_all(connection, checkfirst=False)
    connection.execute(about.insert().values(schema=SCHEMA))


def explain_unknown(number: object) -> str:
    """Return why a database of this schema cannot be used; empty if it can."""
    if number == SCHEMA or number in OLDER:
        return ""
    return f"has schema {number}; this companion knows schema {SCHEMA}"


def add_missing(connection: sa.Connection, tables: list[str]) -> None:
    """Add the tables and indexes that an earlier companion's database lacks."""
    number = connection.execute(sa.select(about.c.schema)).scalar()
    if number in OLDER:
        metadata.create_all(connection)
        connection.execute(about.update().values(schema=SCHEMA))
    if snapshots.name not in tables:
        snapshots.create(connection, checkfirst=True)
        of_box.create(connection, checkfirst=True)
