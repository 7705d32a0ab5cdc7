"""The commands: everything that can be asked of a game, named in the imperative.

``by`` is who asks: a seat, ``bank`` for a banker without a seat, or ``table``
for what the people agree on. The web fills it in from the phone's own token,
never from what the phone sent.
"""

from __future__ import annotations

import msgspec

from companion.game.ledger import Reason
from companion.units import Account, Dollars, Seat

TABLE = "table"
"""Stands for everybody at the table: the host who opens and closes games."""


class Command(msgspec.Struct, frozen=True, tag=True, kw_only=True, gc=False):
    """Parent of all commands."""

    by: str


class AddSeat(Command, frozen=True, tag=True, kw_only=True):
    """A seat joins, with the edition's starting money."""

    seat: Seat
    name: str
    colour: str
    token: str


class RenameSeat(Command, frozen=True, tag=True, kw_only=True):
    """A seat shows another name."""

    seat: Seat
    name: str


class RemoveSeat(Command, frozen=True, tag=True, kw_only=True):
    """A seat leaves; its money goes back to the bank."""

    seat: Seat


class HandBanker(Command, frozen=True, tag=True, kw_only=True):
    """Another seat keeps the bank from now on."""

    to: Seat


class LockTable(Command, frozen=True, tag=True, kw_only=True):
    """From now on, no seat is taken without the banker's consent."""


class UnlockTable(Command, frozen=True, tag=True, kw_only=True):
    """Free seats may be taken again."""


class Pay(Command, frozen=True, tag=True, kw_only=True):
    """Money from one account to another. Only the banker pays for others."""

    payer: Account
    payee: Account
    amount: Dollars
    reason: Reason = Reason.OTHER


class CollectSalary(Command, frozen=True, tag=True, kw_only=True):
    """The edition's salary for a seat that reached GO."""

    seat: Seat


class AskMoney(Command, frozen=True, tag=True, kw_only=True):
    """A seat asks another account for money; the other one pays or declines."""

    seat: Seat
    payer: Account
    amount: Dollars
    reason: Reason = Reason.OTHER


class PayAsk(Command, frozen=True, tag=True, kw_only=True):
    """Pay what was asked, in full."""

    number: int


class DeclineAsk(Command, frozen=True, tag=True, kw_only=True):
    """Do not pay what was asked."""

    number: int


class WithdrawAsk(Command, frozen=True, tag=True, kw_only=True):
    """Stop asking."""

    number: int


class CorrectBalance(Command, frozen=True, tag=True, kw_only=True):
    """The table agrees on an account's balance; the bank makes up the difference."""

    account: Account
    balance: Dollars


class Undo(Command, frozen=True, tag=True, kw_only=True):
    """Take back the last action that may be taken back."""


class Redo(Command, frozen=True, tag=True, kw_only=True):
    """Take back the last undo."""


class CloseGame(Command, frozen=True, tag=True, kw_only=True):
    """Put the game away; it can be reopened."""


class ReopenGame(Command, frozen=True, tag=True, kw_only=True):
    """Take a closed game out again."""
