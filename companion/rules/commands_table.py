"""What is allowed: a table of the rules, and sets that say who may use which.

``legal_commands`` is the only source of what is legal: the panel draws its buttons
from it, and ``decide`` refuses whatever it does not list. ``legal_moves`` gives the
moves of guided play with their arguments.
"""

from __future__ import annotations

from companion.errors import Refused, Why
from companion.game import Game
from companion.game import commands as c
from companion.game import events as e
from companion.game.moves import CallTime, CorrectPosition, Move, RestPlay
from companion.rules import bank, seats
from companion.rules.begin import is_playing
from companion.rules.moves_table import MOVES, TABLES_OWN, decide_move, legal_moves
from companion.rules.rule import Range, Rule, row
from companion.units import BANK
from companion.words import say

__all__ = [
    "BY_HAND",
    "MOVES",
    "RULES",
    "SEAT_COMMANDS",
    "decide",
    "is_at_table",
    "keeps_bank",
    "legal_commands",
    "legal_moves",
]

RULES: dict[type[c.Command], Rule] = dict(
    (
        row(c.AddSeat, seats.add, seats.has_room),
        row(c.RenameSeat, seats.rename, seats.has_seats),
        row(c.RemoveSeat, seats.remove, seats.has_seats),
        row(c.HandBanker, seats.hand_banker, seats.has_heir),
        row(c.LockTable, seats.lock, lambda game, _: not game.is_locked),
        row(c.UnlockTable, seats.unlock, lambda game, _: game.is_locked),
        row(c.Pay, bank.pay, bank.can_pay),
        row(c.CollectSalary, bank.collect_salary, bank.has_salary),
        row(c.AskMoney, bank.ask_money, bank.can_ask),
        row(c.PayAsk, bank.pay_ask, bank.can_pay_ask),
        row(c.DeclineAsk, bank.decline_ask, bank.is_asked),
        row(c.WithdrawAsk, bank.withdraw_ask, bank.is_asking),
        row(c.CorrectBalance, bank.correct_balance),
        row(c.Undo, bank.undo, bank.can_undo),
        row(c.Redo, bank.redo, bank.can_redo),
        row(c.CloseGame, seats.close),
        row(c.ReopenGame, seats.reopen),
    )
)
"""Every command, the rule that decides it, and when it can be legal at all."""

SEAT_COMMANDS = frozenset(
    (
        c.RenameSeat,
        c.Pay,
        c.CollectSalary,
        c.AskMoney,
        c.PayAsk,
        c.DeclineAsk,
        c.WithdrawAsk,
        c.Undo,
        c.Redo,
    )
)
"""The commands that a seat may give without being the banker."""


BY_HAND = frozenset(
    (
        c.AddSeat,
        c.RemoveSeat,
        c.Pay,
        c.CollectSalary,
        c.AskMoney,
        c.PayAsk,
    )
)
"""Commands that are refused in guided play: there, money moves only by the rules."""


def legal_commands(game: Game, by: str) -> tuple[type[c.Command], ...]:
    """The commands that *by* may give now with at least one set of arguments.

    Args:
        game: The game as it stands.
        by: A seat, ``bank`` or ``table``.

    Returns:
        The commands in the order of ``RULES``, then the moves of guided play; empty
        for somebody who is not at the table.
    """
    if not is_at_table(game, by):
        return ()
    if game.is_closed:
        return (c.ReopenGame,) if keeps_bank(game, by) else ()
    by_hand = tuple(
        kind
        for kind, rule in RULES.items()
        if kind is not c.ReopenGame
        and (kind in SEAT_COMMANDS or keeps_bank(game, by))
        and not (game.is_guided and kind in BY_HAND)
        and rule.is_open(game, by)
    )
    return by_hand + _legal_kinds(game, by) if game.is_guided else by_hand


def _legal_kinds(game: Game, by: str) -> tuple[type[c.Command], ...]:
    """The kinds of moves that *by* may make, in the order of ``MOVES``."""
    found: set[type[Move]] = {
        choice.kind if isinstance(choice, Range) else type(choice)
        for choice in legal_moves(game, by)
    }
    if keeps_bank(game, by):
        found |= {RestPlay, CorrectPosition}
        if is_playing(game):
            found.add(CallTime)
    return tuple(kind for kind in MOVES if kind in found)


def decide(game: Game, command: c.Command) -> tuple[e.GameEvent, ...]:
    """The events that follow when *command* is given. Pure; changes nothing.

    Raises:
        Refused: With the first reason that applies, in the order of ``Why``.
    """
    kind, by = type(command), command.by
    if game.is_closed and kind is not c.ReopenGame:
        raise Refused(
            Why.GAME_OVER, say("this game is closed"), say("reopen it to play on")
        )
    if isinstance(command, Move) and kind not in TABLES_OWN and game.is_guided:
        return decide_move(game, command)  # It checks who plays and who is out.
    if not is_at_table(game, by):
        raise Refused(
            Why.UNKNOWN_SEAT,
            say("{by} is not at this table", by=by),
            say("take a seat"),
        )
    if isinstance(command, Move):
        if kind in TABLES_OWN and not keeps_bank(game, by):
            raise Refused(
                Why.NOT_YOURS, say("only the banker does this"), say("ask the banker")
            )
        return decide_move(game, command)
    if kind not in SEAT_COMMANDS and not keeps_bank(game, by):
        raise Refused(
            Why.NOT_YOURS, say("only the banker does this"), say("ask the banker")
        )
    if game.is_guided and kind in BY_HAND:
        raise Refused(
            Why.WRONG_STAGE,
            say("the companion leads this game"),
            say("go on by hand first"),
        )
    return RULES[kind].decide(game, command)


def is_at_table(game: Game, by: str) -> bool:
    """Whether *by* is a seat at the table, the banker, or the table as a whole."""
    return keeps_bank(game, by) or game.seat(by) is not None


def keeps_bank(game: Game, by: str) -> bool:
    """Whether *by* is the banker, or the table as a whole."""
    if by == BANK:
        return game.banker == BANK
    return by == c.TABLE or (by == game.banker and game.seat(by) is not None)
