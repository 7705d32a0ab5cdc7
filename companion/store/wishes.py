"""What a waiting phone asks the banker for, and forgetting on disk who held a seat."""

from __future__ import annotations

import enum

import msgspec
import sqlalchemy as sa

from companion.store import schema
from companion.units import GameId


class Wish(enum.StrEnum):
    """What a waiting phone asks the banker for."""

    JOIN = "join"  # A new seat.
    RESUME = "resume"  # A seat that another phone holds.


class JoinRequest(msgspec.Struct, frozen=True):
    """A phone that waits for the banker of a game.

    Attributes:
        address: Where it asked from; not on disk, so empty after a restart.
    """

    request: int
    game_id: GameId
    phone: str
    wish: Wish
    seat: str
    name: str
    token: str
    address: str = ""


def vacate(connection: sa.Connection, game_id: GameId, seat: str) -> None:
    """Forget on disk which phone holds this seat, and which ask to take it over.

    A seat that has just been removed or added has neither. This runs in the same
    transaction as the event that removes or adds it.
    """
    where = {"game_id": game_id, "seat": seat}
    schema.delete(connection, schema.holdings, **where)
    schema.delete(connection, schema.requests, **where, wish=Wish.RESUME.value)


def forget_game(connection: sa.Connection, game_id: GameId) -> None:
    """Forget on disk which phones hold a seat of this game or ask for one."""
    for table in (schema.holdings, schema.requests):
        schema.delete(connection, table, game_id=game_id)
