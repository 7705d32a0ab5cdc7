"""The decoder's pictures from a game's challenges: a few small ones for each verdict.

In a *challenge* a player asks the decoder whether a note or a card is fake; its answer
is the *verdict*.

Pictures are stored beside the entry with the verdict, not in it, so a game plays back
without them. They are deleted with the game. A backup has them, so ``BYTES_MAX`` limits
them; an export does not.
"""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

from companion.store import schema
from companion.store.base import Act, Opened
from companion.units import GameId, Revision

CHALLENGES_MAX = 60
"""How many challenges of a game keep their pictures: more than most evenings have."""

BYTES_MAX = 4_000_000
"""The most bytes of all pictures of a game: 800 MB for 200 games."""


class Pictures:
    """All pictures of one database."""

    def __init__(self, database: Opened) -> None:
        self._database = database

    def keeping(
        self, game_id: GameId, revision: Revision, pictures: Mapping[str, bytes]
    ) -> Act:
        """Return the act that stores pictures, for the transaction of their entry.

        If the game then has too many pictures, its oldest are deleted.

        Args:
            game_id: Which game.
            revision: The entry with the verdict.
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
        """Return the revisions of a game's entries that have pictures."""
        table = schema.pictures
        query = sa.select(table.c.revision).where(table.c.game_id == game_id)
        with self._database.reading() as connection:
            return frozenset(map(Revision, connection.execute(query).scalars()))

    def picture(self, game_id: GameId, revision: int, name: str) -> bytes | None:
        """Return one picture of an entry; ``None`` if it has none of that name."""
        where = {"game_id": game_id, "revision": revision, "name": name}
        query = sa.select(schema.pictures.c.content).filter_by(**where)
        with self._database.reading() as connection:
            return connection.execute(query).scalar()


def _trim(connection: sa.Connection, game_id: GameId) -> None:
    """Delete a game's oldest pictures beyond ``CHALLENGES_MAX`` or ``BYTES_MAX``."""
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
