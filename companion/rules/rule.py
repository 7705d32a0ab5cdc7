"""What a rule consists of: how it decides a command, and when it can be legal at all.

First the rules for keeping the bank by hand, then those for guided play, where the
companion leads the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar, cast

from companion.errors import Why
from companion.game import Game
from companion.game.commands import Command
from companion.game.events import GameEvent
from companion.game.move_run import MoveRun
from companion.game.moves import Move

Events = tuple[GameEvent, ...]
Given = TypeVar("Given", bound=Command)


class Rule(NamedTuple):
    """One row of the table of rules.

    Attributes:
        decide: Returns the events of a command or raises ``Refused``; pure.
        is_open: Whether a seat could give the command with at least one set of
            arguments.
    """

    decide: Callable[[Game, Command], Events]
    is_open: Callable[[Game, str], bool]


def always(_game: Game, _by: str) -> bool:
    """Open whenever the seat may give the command at all."""
    return True


def row(
    kind: type[Given],
    decide: Callable[[Game, Given], Events],
    is_open: Callable[[Game, str], bool] = always,
) -> tuple[type[Command], Rule]:
    """A row of the table; the command's own type is cast away here and only here."""
    return kind, Rule(cast("Callable[[Game, Command], Events]", decide), is_open)


class Range(NamedTuple):
    """Moves of one kind that differ in a number or are too many to list.

    Attributes:
        kind: Which move.
        low: The smallest number that is accepted: an amount, pips, a pick.
        high: The largest number that is accepted.
        step: The distance from one accepted number to the next.
    """

    kind: type[Move]
    low: int
    high: int
    step: int = 1


Choice = Move | Range
"""A complete move, or the range of numbers that a kind of move accepts."""

Made = TypeVar("Made", bound=Move)


class MoveRule(NamedTuple):
    """One row of the table of guided play.

    Attributes:
        check: Returns why the move cannot be made, the first reason in the order of
            ``Why``, or ``None``; pure.
        happen: Carries the move out once ``check`` has passed it.
        choices: Lists what a seat might try; the moves that ``check`` passes are legal.
    """

    check: Callable[[MoveRun, Move], Why | None]
    happen: Callable[[MoveRun, Move], None]
    choices: Callable[[MoveRun, str], Iterable[Choice]]


def no_choices(_run: MoveRun, _seat: str) -> Iterable[Choice]:
    """Offer nothing: no seat makes this move, only the table or the lock."""
    return ()


def move_row(
    kind: type[Made],
    check: Callable[[MoveRun, Made], Why | None],
    happen: Callable[[MoveRun, Made], None],
    choices: Callable[[MoveRun, str], Iterable[Choice]] = no_choices,
) -> tuple[type[Move], MoveRule]:
    """A row of the table; the move's own type is cast away here."""
    return kind, MoveRule(
        cast("Callable[[MoveRun, Move], Why | None]", check),
        cast("Callable[[MoveRun, Move], None]", happen),
        choices,
    )
