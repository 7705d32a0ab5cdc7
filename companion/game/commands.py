"""The commands: everything that can be asked of a game, named in the imperative.

Programs send a command under the name of its struct (``PutUp``), forms under the same
name as an address (``put-up``), and scripts under its verb. The type of a field says
which values it takes.

``by`` is who gives the command: a seat, ``bank`` for a banker without a seat, or
``table`` for what the people agree on. The web fills it in from the phone's own token,
never from what the phone sent.
"""

from __future__ import annotations

import re
from functools import cache
from typing import ClassVar

import msgspec
from msgspec.structs import FieldInfo

from companion.game.ledger import Reason
from companion.units import Account, Balance, Dollars, Name, Revision, Seat

TABLE = "table"
"""The actor that stands for everybody: the host who opens and closes games."""


class Command(msgspec.Struct, frozen=True, tag=True, kw_only=True, gc=False):
    """Parent of all commands."""

    verb: ClassVar[str] = ""
    """The word of game scripts, if it differs from the address of the form."""

    by: str


@cache
def address_of(kind: type[Command]) -> str:
    """Return the last word of the address of its form: ``put-up`` for ``PutUp``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


@cache
def fields_of(kind: type[Command]) -> tuple[FieldInfo, ...]:
    """Return the fields of a command besides ``by``."""
    return tuple(field for field in msgspec.structs.fields(kind) if field.name != "by")


def verb_of(kind: type[Command]) -> str:
    """Return the word of game scripts for a command."""
    return kind.verb or address_of(kind)


class BeginBanking(Command, frozen=True, tag=True, kw_only=True):
    """Begin a game in which the companion is only the bank."""


class AddSeat(Command, frozen=True, tag=True, kw_only=True):
    """A seat joins, with the edition's starting money."""

    seat: Seat
    name: Name
    colour: str
    token: str


class RenameSeat(Command, frozen=True, tag=True, kw_only=True):
    """A seat shows another name."""

    seat: Seat
    name: Name


class RemoveSeat(Command, frozen=True, tag=True, kw_only=True):
    """A seat leaves; its money goes back to the bank."""

    verb: ClassVar[str] = "leave"

    seat: Seat


class HandBanker(Command, frozen=True, tag=True, kw_only=True):
    """Another seat keeps the bank from now on."""

    to: Seat


class LockTable(Command, frozen=True, tag=True, kw_only=True):
    """From now on, no seat is taken without the banker's consent."""


class UnlockTable(Command, frozen=True, tag=True, kw_only=True):
    """Free seats may be taken again."""


class Pay(Command, frozen=True, tag=True, kw_only=True):
    """Pay money from one account to another; only the banker pays for others."""

    payer: Account
    payee: Account
    amount: Dollars
    reason: Reason = Reason.OTHER


class CollectSalary(Command, frozen=True, tag=True, kw_only=True):
    """Collect the edition's salary for a seat that reached GO."""

    verb: ClassVar[str] = "salary"

    seat: Seat


class AskMoney(Command, frozen=True, tag=True, kw_only=True):
    """A seat asks another account for money; the other one pays or declines."""

    seat: Seat
    payer: Account
    amount: Dollars
    reason: Reason = Reason.OTHER


class PayAsk(Command, frozen=True, tag=True, kw_only=True):
    """Pay an open request for money, in full."""

    number: int


class DeclineAsk(Command, frozen=True, tag=True, kw_only=True):
    """Decline an open request for money."""

    number: int


class WithdrawAsk(Command, frozen=True, tag=True, kw_only=True):
    """Withdraw an open request for money."""

    number: int


class CorrectBalance(Command, frozen=True, tag=True, kw_only=True):
    """The table agrees on an account's balance; the bank makes up the difference."""

    verb: ClassVar[str] = "balance"

    account: Account
    balance: Balance


class Undo(Command, frozen=True, tag=True, kw_only=True):
    """Take back the last action that may be taken back."""


class UndoTo(Command, frozen=True, tag=True, kw_only=True):
    """Take back an entry and all after it; if others made some, they are asked."""

    revision: Revision


class AllowUndo(Command, frozen=True, tag=True, kw_only=True):
    """Agree to an undo that somebody asks for, named by its oldest entry."""

    revision: Revision


class DeclineUndo(Command, frozen=True, tag=True, kw_only=True):
    """Say no to an undo that somebody asks for, or withdraw one's own request."""

    revision: Revision


class Redo(Command, frozen=True, tag=True, kw_only=True):
    """Take back the last undo."""


class CloseGame(Command, frozen=True, tag=True, kw_only=True):
    """Put the game away; it can be reopened."""


class ReopenGame(Command, frozen=True, tag=True, kw_only=True):
    """Take a closed game out again."""
