"""The shape of what an event does to a position, and of a changed row."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from companion.game.board import Board
from companion.game.event import Event
from companion.game.position import Position

T = TypeVar("T")
Applied = TypeVar("Applied", bound=Event)
Apply = Callable[[Position, Board, Event], Position]
"""A position, the board and an event -> the position after it; pure and total."""


def row(
    kind: type[Applied], apply: Callable[[Position, Board, Applied], Position]
) -> tuple[type[Event], Apply]:
    """A row of the table; the one place where an event's own type is set aside."""
    return kind, cast("Apply", apply)


def put(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """*values* with *value* at that place."""
    return (*values[:at], value, *values[at + 1 :])
