"""The commands: everything that can be asked of a game, named in the imperative.

A *command* is what somebody wants; the rules decide whether it happens, and an *event*
says that it did. The commands here are those of any table: joining, paying, undoing.
Those of guided play are in ``moves.py``.

A command has three names: that of its class (``PutUp``), the same name as the address
of a form (``put-up``), and its *verb* in game scripts (``auction``).

``by`` is who gives the command: a seat, ``bank`` for a banker without a seat, or
``table`` for what the people agree on. The web takes it from the phone's access token,
never from a field that the phone sent.
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
    """The word of game scripts, if it differs from the address."""

    by: str


@cache
def address_of(kind: type[Command]) -> str:
    """Return the last word of the address of the command's form: ``put-up``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


@cache
def fields_of(kind: type[Command]) -> tuple[FieldInfo, ...]:
    """Return all fields of a command except ``by``."""
    return tuple(field for field in msgspec.structs.fields(kind) if field.name != "by")


def verb_of(kind: type[Command]) -> str:
    """Return the word of game scripts for a command."""
    return kind.verb or address_of(kind)


class BeginBanking(Command, frozen=True, kw_only=True):
    """Begin a game in which the companion is only the bank."""


class AddSeat(Command, frozen=True, kw_only=True):
    """Seat a player, with the edition's starting money."""

    seat: Seat
    name: Name
    colour: str
    token: str


class RenameSeat(Command, frozen=True, kw_only=True):
    """Give a seat another name."""

    seat: Seat
    name: Name


class RemoveSeat(Command, frozen=True, kw_only=True):
    """Let a seat leave; its money goes back to the bank."""

    verb: ClassVar[str] = "leave"

    seat: Seat


class HandBanker(Command, frozen=True, kw_only=True):
    """Let another seat keep the bank from now on."""

    to: Seat


class LockTable(Command, frozen=True, kw_only=True):
    """Let nobody take a seat without the banker's consent from now on."""


class UnlockTable(Command, frozen=True, kw_only=True):
    """Let everybody take free seats again."""


class Pay(Command, frozen=True, kw_only=True):
    """Pay money from one account to another; only the banker pays for others."""

    payer: Account
    payee: Account
    amount: Dollars
    reason: Reason = Reason.OTHER


class CollectSalary(Command, frozen=True, kw_only=True):
    """Collect the edition's salary for a seat that reached GO."""

    verb: ClassVar[str] = "salary"

    seat: Seat


class AskMoney(Command, frozen=True, kw_only=True):
    """Ask another account to pay a seat; that account pays or declines."""

    seat: Seat
    payer: Account
    amount: Dollars
    reason: Reason = Reason.OTHER


class PayAsk(Command, frozen=True, kw_only=True):
    """Pay an open request for money, in full."""

    number: int


class DeclineAsk(Command, frozen=True, kw_only=True):
    """Decline an open request for money."""

    number: int


class WithdrawAsk(Command, frozen=True, kw_only=True):
    """Withdraw an open request for money."""

    number: int


class CorrectBalance(Command, frozen=True, kw_only=True):
    """Set an account to the agreed balance; the bank pays or gets the difference."""

    verb: ClassVar[str] = "balance"

    account: Account
    balance: Balance


class Undo(Command, frozen=True, kw_only=True):
    """Take back the last action that may be taken back."""


class UndoTo(Command, frozen=True, kw_only=True):
    """Take back an entry and all after it, with the consent of those who made them."""

    revision: Revision


class AllowUndo(Command, frozen=True, kw_only=True):
    """Agree to the undo that somebody asks for; *revision* is its oldest entry."""

    revision: Revision


class DeclineUndo(Command, frozen=True, kw_only=True):
    """Decline the undo that somebody asks for, or withdraw one's own request."""

    revision: Revision


class Redo(Command, frozen=True, kw_only=True):
    """Take back the last undo."""


class CloseGame(Command, frozen=True, kw_only=True):
    """Put the game away; it can be reopened."""


class ReopenGame(Command, frozen=True, kw_only=True):
    """Take a closed game out again."""
