"""Requests of phones to the banker, and deleting holders and requests on disk.

A phone *holds* the seat for which it plays. To join late with a new seat, or to take
over one that another phone holds, a phone asks the banker.
"""

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
        address: The network address that sent it; not stored, so empty after a restart.
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
    """Delete on disk who holds a seat, and requests to take it over.

    This belongs to the transaction of the event that removes or adds the seat.
    """
    where = {"game_id": game_id, "seat": seat}
    schema.delete(connection, schema.holdings, **where)
    schema.delete(connection, schema.requests, **where, wish=Wish.RESUME.value)


def forget_game(connection: sa.Connection, game_id: GameId) -> None:
    """Delete on disk who holds or requests seats of this game."""
    for table in (schema.holdings, schema.requests):
        schema.delete(connection, table, game_id=game_id)
