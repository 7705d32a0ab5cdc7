"""The tables on disk. ``SCHEMA`` goes up by one whenever one is changed or added.

A cache and an index leave it as it is, and are added wherever they are missing: then
the companion before still opens the file, if somebody goes back to it.
"""

from __future__ import annotations

from typing import Self

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.visitors import InternalTraversal

SCHEMA = 2
OLDER = frozenset({1})
"""Schemas that only lack whole tables; those are added when such a file is opened."""

metadata = sa.MetaData()

about = sa.Table("about", metadata, sa.Column("schema", sa.Integer, primary_key=True))

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


class Tells(sa.ColumnElement[bool]):
    """Whether an entry has an event of a kind, as its JSON says.

    Args:
        kind: The event's ``type``.
    """

    inherit_cache = True
    type = sa.Boolean()
    _traverse_internals = [("kind", InternalTraversal.dp_string)]  # noqa: RUF012

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def self_group(self, against: object = None) -> Self:
        """Stand as it is: compared with 1, as SQLite's truths are, no index helps."""
        return self


@compiles(Tells)
def _instr(tells: Tells, _compiler: object, **_options: object) -> str:
    return f"""instr(events, CAST('"type":"{tells.kind}"' AS BLOB)) > 0"""


@compiles(Tells, "postgresql")
def _position(tells: Tells, _compiler: object, **_options: object) -> str:
    wanted = f'"type":"{tells.kind}"'.encode().hex()
    return f"position(decode('{wanted}', 'hex') in events) > 0"


is_of_box = Tells("BoxRead")
"""Whether an entry tells something that was read off a box."""

of_box = sa.Index(
    "entries_of_box",
    entries.c.journal_id,
    entries.c.revision,
    sqlite_where=is_of_box,
)
"""These are few, and are looked for in all games of a box when one is shown."""

phones = sa.Table(
    "phones",
    metadata,
    sa.Column("phone", sa.String, primary_key=True),
    sa.Column("token_sha256", sa.String, nullable=False, unique=True),
    sa.Column("is_host", sa.Boolean, nullable=False),
    sa.Column("expires_ms", sa.BigInteger, nullable=False),
)

holdings = sa.Table(
    "holdings",
    metadata,
    sa.Column("journal", sa.String, key="game_id", primary_key=True),
    sa.Column("seat", sa.String, primary_key=True),
    sa.Column("phone", sa.ForeignKey("phones.phone"), nullable=False, index=True),
)
"""Which phone holds which seat of which game; a seat is held by one phone."""

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
    sqlite_autoincrement=True,  # Command ids hold this number: never used twice.
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
"""What the decoder saw, by the entry with the verdict that was given after it."""

snapshots = sa.Table(
    "snapshots",
    metadata,
    sa.Column("journal", sa.String, key="game_id", primary_key=True),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("digest", sa.LargeBinary, nullable=False),
    sa.Column("content", sa.LargeBinary, nullable=False),
)
"""Where long games stood after that entry: a cache that may be emptied at any time."""


def delete(connection: sa.Connection, table: sa.Table, **values: object) -> None:
    """Delete the rows of a table that have all these values, by column."""
    connection.execute(table.delete().filter_by(**values))


def create(connection: sa.Connection) -> None:
    """Make all tables in a database that has none."""
    metadata.create_all(connection, checkfirst=False)
    connection.execute(about.insert().values(schema=SCHEMA))


def unknown(found: object) -> str:
    """Return what is wrong with a database of schema *found*; empty if it is known."""
    if found == SCHEMA or found in OLDER:
        return ""
    return f"has schema {found}; this companion knows schema {SCHEMA}"


def add_missing(connection: sa.Connection, tables: list[str]) -> None:
    """Give what an earlier companion made what it lacks; no other lacks anything."""
    found = connection.execute(sa.select(about.c.schema)).scalar()
    if found in OLDER:
        metadata.create_all(connection)
        connection.execute(about.update().values(schema=SCHEMA))
    if snapshots.name not in tables:
        snapshots.create(connection, checkfirst=True)
        of_box.create(connection, checkfirst=True)
