"""Ticks on disk: steps that phones have ticked off in a checklist, such as packing.

A tick is not an event: it changes nothing in the game, and a game that was put away
accepts no events. Ticks are kept on disk since a game may be packed away on one evening
and set up on another. So is the table's *answer* to a question about such a list, what
each seat has looked at, and what the banker has told the phones at the door.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from companion.store import schema
from companion.store.base import Opened
from companion.units import GameId

TABLE = GameId("")
"""The id, which no game has, for lists of the whole gaming table.

One is the list of the people who are left out of its records."""

ANSWER = "answer-"
"""How a list begins whose only tick is the table's answer to a question."""

LOOKED = "looked-"
"""How a list begins with what a seat has looked at."""

DOOR = "door-"
"""How a list begins with the phones that have yet to look at the banker's answer."""

KEPT = (ANSWER, LOOKED, DOOR)
"""How the lists begin that are no checklists, and stay when those make room."""

STEPS_MAX = 400
"""The most ticks of one game; no box has so many things to pack."""


class Ticks:
    """All ticks of one database.

    Each list that was asked for is also held in memory, since pages ask often.
    """

    def __init__(self, database: Opened) -> None:
        self._database = database
        self._changing = threading.Lock()
        self._done: dict[tuple[GameId, str], frozenset[str]] = {}

    def done(self, game_id: GameId, list_id: str) -> frozenset[str]:
        """Return the steps of a list that are done."""
        known = self._done.get((game_id, list_id))
        if known is not None:
            return known
        steps = sa.select(schema.ticks.c.step).filter_by(game_id=game_id, list=list_id)
        with self._changing, self._database.reading() as connection:
            read = frozenset(connection.execute(steps).scalars())
            self._done[game_id, list_id] = read
        return read

    @contextmanager
    def _change(self, game_id: GameId) -> Iterator[sa.Connection]:
        """Yield a transaction that changes ticks of a game."""
        with self._changing:
            with self._database.transaction() as connection:
                yield connection
            self.forget(game_id)

    def forget(self, game_id: GameId) -> None:
        """Forget in memory the lists of a game; they are read again when needed."""
        self._done = {key: one for key, one in self._done.items() if key[0] != game_id}

    def tick(self, game_id: GameId, list_id: str, step: str) -> None:
        """Mark a step as done.

        At ``STEPS_MAX`` ticks, the game's other checklists are deleted to make room.
        """
        row = {"game_id": game_id, "list": list_id, "step": step}
        table = schema.ticks
        with self._change(game_id) as connection:
            schema.delete(connection, table, **row)
            count = sa.select(sa.func.count()).where(table.c.game_id == game_id)
            if (connection.execute(count).scalar() or 0) >= STEPS_MAX:
                kept = (table.c.list.startswith(word) for word in KEPT)
                connection.execute(
                    table.delete().where(
                        table.c.game_id == game_id,
                        table.c.list != list_id,
                        ~sa.or_(*kept),
                    )
                )
            connection.execute(table.insert(), row)

    def answer(self, game_id: GameId, question: str) -> str:
        """Return the table's answer to a question; empty if it has none yet."""
        return next(iter(self.done(game_id, ANSWER + question)), "")

    def keep_answer(self, game_id: GameId, question: str, answer: str) -> None:
        """Keep an answer in place of the one before."""
        self.put(game_id, ANSWER + question, (answer,))

    def put(self, game_id: GameId, list_id: str, steps: Collection[str]) -> None:
        """Mark these steps of a list as done, and all its others as not done."""
        row = {"game_id": game_id, "list": list_id}
        with self._change(game_id) as connection:
            schema.delete(connection, schema.ticks, **row)
            for step in steps:
                connection.execute(schema.ticks.insert(), {**row, "step": step})

    def untick(self, game_id: GameId, list_id: str, step: str) -> None:
        """Mark a step as not done."""
        row = {"game_id": game_id, "list": list_id, "step": step}
        with self._change(game_id) as connection:
            schema.delete(connection, schema.ticks, **row)

    def clear(self, game_id: GameId, list_id: str) -> None:
        """Mark all steps of a list as not done."""
        self.put(game_id, list_id, ())
