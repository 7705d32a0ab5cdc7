"""The shape of a rule: how it decides, and when it can be legal at all.

Rules of the bank come first, then those of guided play.
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
        decide: The events of a command, or ``Refused``; pure.
        is_open: Whether *by* could give it with at least one set of arguments.
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
    """A row of the table; the one place where a rule's own type is set aside."""
    return kind, Rule(cast("Callable[[Game, Command], Events]", decide), is_open)


class Range(NamedTuple):
    """Moves of one kind that differ in a number or are too many to list.

    Attributes:
        kind: Which move.
        low: The smallest number that is accepted: an amount, pips, a pick.
        high: The largest.
        step: From one such number to the next.
    """

    kind: type[Move]
    low: int
    high: int
    step: int = 1


Choice = Move | Range
"""A move as it can be given, or the span of a whole kind of moves."""

Made = TypeVar("Made", bound=Move)


class MoveRule(NamedTuple):
    """One row of the table of guided play.

    Attributes:
        check: Why the move cannot be made, in the order of ``Why``; pure.
        happen: What follows when it can.
        choices: What a seat might try; those that ``check`` passes are legal.
    """

    check: Callable[[MoveRun, Move], Why | None]
    happen: Callable[[MoveRun, Move], None]
    choices: Callable[[MoveRun, str], Iterable[Choice]]


def no_choices(_course: MoveRun, _seat: str) -> Iterable[Choice]:
    """Nothing that a seat is offered: the table's own business."""
    return ()


def move_row(
    kind: type[Made],
    check: Callable[[MoveRun, Made], Why | None],
    happen: Callable[[MoveRun, Made], None],
    choices: Callable[[MoveRun, str], Iterable[Choice]] = no_choices,
) -> tuple[type[Move], MoveRule]:
    """A row of the table; here a move's own type is set aside."""
    return kind, MoveRule(
        cast("Callable[[MoveRun, Move], Why | None]", check),
        cast("Callable[[MoveRun, Move], None]", happen),
        choices,
    )
