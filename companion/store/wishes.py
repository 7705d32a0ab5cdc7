"""Requests of phones to the banker, and deleting holders and requests on disk.

A phone *holds* a seat when it plays for that seat. A phone that may not simply take a
seat asks the banker: to join with a new seat, or to take over one that is held.
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
    """Delete the phone that holds this seat, and requests to take it over, on disk.

    This runs in the transaction of the event that removes or adds the seat, since no
    phone may hold or request such a seat.
    """
    where = {"game_id": game_id, "seat": seat}
    schema.delete(connection, schema.holdings, **where)
    schema.delete(connection, schema.requests, **where, wish=Wish.RESUME.value)


def forget_game(connection: sa.Connection, game_id: GameId) -> None:
    """Delete on disk which phones hold or request seats of this game."""
    for table in (schema.holdings, schema.requests):
        schema.delete(connection, table, game_id=game_id)
