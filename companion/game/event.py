"""The parent of all events, and the type of the functions that apply one.

To *apply* an event means to return the position that follows from it. The functions
that do are in ``playing.py`` and its neighbours, most of them named after their event:
``_deed_bought`` applies ``DeedBought``. None refuses an event, since the rules allowed
it when it was written. Each module lists its functions in a table with a ``row`` each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import msgspec

from companion.game.board import Board
from companion.game.position import Position


class Event(msgspec.Struct, frozen=True, tag=True, kw_only=True, gc=False):
    """Parent of all events."""

    @property
    def sentence(self) -> str:
        """The sentence in the history, in lower case, with names of fields in braces.

        The type of a field decides how it is worded (``companion/views/wording.py``).
        The sentence is empty if another event of the same entry says it already.
        """
        return ""


T = TypeVar("T")
Applied = TypeVar("Applied", bound=Event)
Apply = Callable[[Position, Board, Event], Position]
"""A function that applies an event to a position; it is pure."""


def row(
    kind: type[Applied], apply: Callable[[Position, Board, Applied], Position]
) -> tuple[type[Event], Apply]:
    """Build a row of a table of such functions, with the types that all rows share."""
    return kind, cast("Apply", apply)


def unchanged(play: Position, _: Board, event: Event) -> Position:
    """Return *play*: the event concerns only the history."""
    return play


def put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return *values* with *value* at that index."""
    return (*values[:index], value, *values[index + 1 :])
