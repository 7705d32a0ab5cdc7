"""The events: everything that can have happened to a game, named in the past tense.

Events are what the journal keeps, so a field is never renamed or reused; a new
field has a default. A written event has happened, so applying it is never refused.
The events of guided play are in modules of their own.
"""

from __future__ import annotations

import enum

import msgspec

from companion.game.event import Event as Event
from companion.game.ledger import Reason
from companion.game.play_events import PlayEvent
from companion.units import Account, Dollars, Revision, Seat


class Terms(msgspec.Struct, frozen=True):
    """An edition's figures on the day the game was opened.

    Kept with the game, so that a later correction of the edition's data does
    not change an evening that is already on disk.

    Attributes:
        edition: The edition's id.
        start_money: What each seat starts with.
        salary: What GO pays.
        vault_salary: What the bank puts into the vault when GO is reached.
        vault_money: What lies in the vault at first; 0 without a vault.
        has_vault: Whether the edition plays with the Secret Vault.
    """

    edition: str
    start_money: Dollars
    salary: Dollars
    vault_salary: Dollars = 0
    vault_money: Dollars = 0
    has_vault: bool = False


class GameOpened(Event, frozen=True, tag=True, kw_only=True):
    """A game began, with the bank kept by *banker* (``bank``: by no seat)."""

    name: str
    terms: Terms
    banker: str


class SeatAdded(Event, frozen=True, tag=True, kw_only=True):
    """A seat joined and got the starting money."""

    seat: Seat
    name: str
    colour: str
    token: str
    start_money: Dollars


class SeatRenamed(Event, frozen=True, tag=True, kw_only=True):
    """A seat shows another name."""

    seat: Seat
    name: str


class SeatRemoved(Event, frozen=True, tag=True, kw_only=True):
    """A seat left; *returned* went back to the bank."""

    seat: Seat
    returned: Dollars


class BankerChanged(Event, frozen=True, tag=True, kw_only=True):
    """Another seat keeps the bank."""

    banker: str


class TableLocked(Event, frozen=True, tag=True, kw_only=True):
    """From now on, no seat is taken without the banker's consent."""


class TableUnlocked(Event, frozen=True, tag=True, kw_only=True):
    """Free seats may be taken again."""


class MoneyMoved(Event, frozen=True, tag=True, kw_only=True):
    """Payer paid payee."""

    payer: Account
    payee: Account
    amount: Dollars
    reason: Reason


class MoneyAsked(Event, frozen=True, tag=True, kw_only=True):
    """A seat asked an account for money."""

    number: int
    seat: Seat
    payer: Account
    amount: Dollars
    reason: Reason


class Answer(enum.StrEnum):
    """How a request for money ended."""

    PAID = "paid"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"


class AskAnswered(Event, frozen=True, tag=True, kw_only=True):
    """A request for money ended; a payment is its own event beside this one."""

    number: int
    answer: Answer


class BalanceCorrected(Event, frozen=True, tag=True, kw_only=True):
    """The table agreed that an account has *now* and not *was*."""

    account: Account
    was: Dollars
    now: Dollars


class Undone(Event, frozen=True, tag=True, kw_only=True):
    """The entry with this revision counts as not having happened."""

    revision: Revision


class Redone(Event, frozen=True, tag=True, kw_only=True):
    """The entry with this revision counts again."""

    revision: Revision


class GameClosed(Event, frozen=True, tag=True, kw_only=True):
    """The game was put away."""


class GameReopened(Event, frozen=True, tag=True, kw_only=True):
    """The game was taken out again."""


GameEvent = (
    GameOpened
    | SeatAdded
    | SeatRenamed
    | SeatRemoved
    | BankerChanged
    | TableLocked
    | TableUnlocked
    | MoneyMoved
    | MoneyAsked
    | AskAnswered
    | BalanceCorrected
    | Undone
    | Redone
    | GameClosed
    | GameReopened
    | PlayEvent
)
"""Every event of a game, for the codec and for tests that a table is complete."""
