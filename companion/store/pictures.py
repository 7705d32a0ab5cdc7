"""What the decoder saw in a game's challenges: a few small pictures for each verdict.

Pictures are no events of the game: a game plays back without them. They belong to the
entry with the verdict, so there are none before a verdict was given, and they are
deleted with the game. A game keeps those of its latest challenges only. They go into a
backup with everything else, which ``BYTES_MAX`` keeps small; exports have none.
"""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

from companion.store import schema
from companion.store.base import Act, Opened
from companion.units import GameId, Revision

CHALLENGES_MAX = 60
"""Of how many challenges a game keeps the pictures: more than most evenings have."""

BYTES_MAX = 4_000_000
"""What all pictures of a game may take; 200 games then fill 800 MB of a backup."""


class Pictures:
    """All pictures of one database."""

    def __init__(self, database: Opened) -> None:
        self._database = database

    def keeping(
        self, game_id: GameId, revision: Revision, pictures: Mapping[str, bytes]
    ) -> Act:
        """Return the act that keeps pictures, to go with the entry they belong to.

        If the game then has too many, its oldest go.

        Args:
            game_id: Which game.
            revision: Of the entry with the verdict.
            pictures: JPEGs by name.
        """
        table = schema.pictures

        def act(connection: sa.Connection) -> None:
            for name, content in pictures.items():
                row = {"game_id": game_id, "revision": revision, "name": name}
                connection.execute(table.insert(), {**row, "content": content})
            _trim(connection, game_id)

        return act

    def revisions(self, game_id: GameId) -> frozenset[Revision]:
        """The entries of a game that have pictures."""
        table = schema.pictures
        wanted = sa.select(table.c.revision).where(table.c.game_id == game_id)
        with self._database.transaction() as connection:
            return frozenset(map(Revision, connection.execute(wanted).scalars()))

    def picture(self, game_id: GameId, revision: int, name: str) -> bytes | None:
        """One picture of an entry; ``None`` if it has none of that name."""
        where = {"game_id": game_id, "revision": revision, "name": name}
        wanted = sa.select(schema.pictures.c.content).filter_by(**where)
        with self._database.transaction() as connection:
            return connection.execute(wanted).scalar()


def _trim(connection: sa.Connection, game_id: GameId) -> None:
    """Delete a game's oldest pictures until those that are left are few enough."""
    table = schema.pictures
    sizes = connection.execute(
        sa.select(table.c.revision, sa.func.sum(sa.func.length(table.c.content)))
        .where(table.c.game_id == game_id)
        .group_by(table.c.revision)
        .order_by(table.c.revision.desc())
    ).all()
    total = 0
    for count, (revision, size) in enumerate(sizes, 1):
        total += size
        if count > CHALLENGES_MAX or total > BYTES_MAX:
            connection.execute(
                table.delete().where(
                    table.c.game_id == game_id, table.c.revision <= revision
                )
            )
            return
