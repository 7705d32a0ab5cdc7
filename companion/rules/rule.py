"""What a rule consists of: who may use it, what speaks against it, what it does.

One row for each command stands in ``commands_table.py``; ``deciding.py`` reads it.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeVar, cast

from companion.errors import Why
from companion.game.commands import Command
from companion.game.move_run import MoveRun
from companion.game.stage import Stage


class Who(enum.Enum):
    """Who may give a command, at the table or in a stage of guided play."""

    BANKER = enum.auto()  # The banker, or the table as a whole.
    SEAT = enum.auto()  # Any seat at the table, too.
    PLAYER = enum.auto()  # A seat in guided play, as its stages say.

    MOVER = enum.auto()  # The seat with the dice.
    BIDDER = enum.auto()  # A seat that has not passed, nor leads the bidding.
    DEBTOR = enum.auto()  # A seat that owes.
    LEVELLER = enum.auto()  # Whoever has to build a group evenly.
    SHOWER = enum.auto()  # Whoever laid down what lies on the table.
    ANYBODY = enum.auto()  # Any seat that still plays.


class Range(NamedTuple):
    """Commands of one kind that differ in a number or are too many to list.

    Attributes:
        kind: Which command.
        low: The smallest number that is accepted: an amount, pips, a pick.
        high: The largest number that is accepted.
        step: The distance from one accepted number to the next.
    """

    kind: type[Command]
    low: int
    high: int
    step: int = 1


Choice = Command | Range
"""A complete command, or the range of numbers that a kind of command accepts."""

Choices = Callable[[MoveRun, str], Iterable[Choice]]


class Rule(NamedTuple):
    """One row of the table of rules.

    Attributes:
        who: Who may give the command.
        check: Returns why it cannot be given, the first reason in the order of
            ``Why``, or ``None``; or raises ``Refused`` with words of its own. Pure.
        happen: Carries the command out once ``check`` has passed it.
        choices: Lists what somebody might try; what ``check`` passes is legal.
        stages: Who may give it in which stage of guided play, of a ``PLAYER``.
        outside: Why it is refused in every other stage.
        is_by_hand: Whether it waits while the companion leads, since then money moves
            and seats change only by the rules.
        is_report: Whether the lock gives it too, whatever the stage.
    """

    who: Who
    check: Callable[[MoveRun, Command], Why | None]
    happen: Callable[[MoveRun, Command], None]
    choices: Choices
    stages: Mapping[Stage, Who]
    outside: Why
    is_by_hand: bool
    is_report: bool


Given = TypeVar("Given", bound=Command)


def nothing_against(_run: MoveRun, _command: Command) -> Why | None:
    """Refuse nothing: whoever may give the command may do so at any time."""
    return None


def no_choices(_run: MoveRun, _by: str) -> Iterable[Choice]:
    """Offer nothing: the command is not on anybody's page."""
    return ()


def alone(kind: type[Command]) -> Choices:
    """Offer *kind*, which needs no more words."""
    return lambda _run, by: (kind(by=by),)


def rule(
    kind: type[Given],
    who: Who | Mapping[Stage, Who],
    check: Callable[[MoveRun, Given], Why | None],
    happen: Callable[[MoveRun, Given], None],
    choices: Choices = no_choices,
    *,
    outside: Why = Why.WRONG_STAGE,
    is_by_hand: bool = False,
    is_report: bool = False,
) -> tuple[type[Command], Rule]:
    """A row of the table; the command's own type is cast away here and only here.

    A command for which *who* says stages is one of a ``PLAYER``; all else is as in
    ``Rule``.
    """
    stages = {} if isinstance(who, Who) else who
    return kind, Rule(
        who if isinstance(who, Who) else Who.PLAYER,
        cast("Callable[[MoveRun, Command], Why | None]", check),
        cast("Callable[[MoveRun, Command], None]", happen),
        choices,
        stages,
        outside,
        is_by_hand,
        is_report,
    )
