"""Ticks on disk: what several phones have done of one list, such as packing a game.

A tick is no event of the game: it moves nothing, is not history, and a game that is
put away takes none. It is kept all the same, since tables are packed away and set up
again on different evenings.
"""

from __future__ import annotations

import sqlalchemy as sa

from companion.store import schema
from companion.store.database import Database
from companion.units import GameId

STEPS_MAX = 400
"""Ticks that one game may have; no table has as many things to pack."""


class Ticks:
    """All ticks of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def done(self, game_id: GameId, list_id: str) -> frozenset[str]:
        """The steps of that list that are done."""
        table = schema.ticks
        wanted = sa.select(table.c.step).where(
            table.c.game_id == game_id, table.c.list == list_id
        )
        with self._database.transaction() as connection:
            return frozenset(connection.execute(wanted).scalars())

    def tick(self, game_id: GameId, list_id: str, step: str) -> None:
        """A step is done; ticking it twice is ticking it once.

        Past ``STEPS_MAX`` the game's ticks of other lists make room.
        """
        row = {"game_id": game_id, "list": list_id, "step": step}
        table = schema.ticks
        with self._database.transaction() as connection:
            connection.execute(_is(row))
            count = sa.select(sa.func.count()).where(table.c.game_id == game_id)
            if (connection.execute(count).scalar() or 0) >= STEPS_MAX:
                connection.execute(
                    table.delete().where(
                        table.c.game_id == game_id, table.c.list != list_id
                    )
                )
            connection.execute(table.insert(), row)

    def untick(self, game_id: GameId, list_id: str, step: str) -> None:
        """A step is not done after all."""
        row = {"game_id": game_id, "list": list_id, "step": step}
        with self._database.transaction() as connection:
            connection.execute(_is(row))

    def clear(self, game_id: GameId, list_id: str) -> None:
        """No step of that list is done."""
        table = schema.ticks
        with self._database.transaction() as connection:
            connection.execute(
                table.delete().where(
                    table.c.game_id == game_id, table.c.list == list_id
                )
            )


def _is(row: dict[str, str]) -> sa.Delete:
    """Takes that tick away."""
    table = schema.ticks
    return table.delete().where(
        table.c.game_id == row["game_id"],
        table.c.list == row["list"],
        table.c.step == row["step"],
    )
