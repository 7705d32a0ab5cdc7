"""The events: everything that can have happened to a game, named in the past tense.

An *event* says what happened because of a command; a journal *entry* holds the events
of one command. The journal keeps them for good, so a field is never renamed or reused,
and a new field has a default. Each event has a *sentence* for the history that people
read; ``told`` marks it for translation.

The events here can happen at any table. ``play_events.py`` has those of guided play.
"""

from __future__ import annotations

import enum

import msgspec

from companion.game.event import Event as Event
from companion.game.ledger import Reason
from companion.game.play_events import PlayEvent
from companion.sheets import Sheet
from companion.units import BANK, VAULT, Account, DataWord, Dollars, Revision, Seat
from companion.words import told


class Terms(msgspec.Struct, frozen=True):
    """An edition's figures on the day the game was opened.

    So a later correction of the edition's data does not change a game on disk.

    Attributes:
        edition: The edition's id.
        start_money: The money that each seat starts with.
        salary: The money that GO pays.
        vault_salary: The money that goes into the vault with each salary.
        vault_money: The money in the vault at first.
        has_vault: Whether the edition plays with the Secret Vault.
        seats: The least and the most players that the box is for; unset in old games.
        sheets: The rule sheets of the box, the one that counts first; unset in old
            games, and if its file names none.
    """

    edition: str
    start_money: Dollars
    salary: Dollars
    vault_salary: Dollars = 0
    vault_money: Dollars = 0
    has_vault: bool = False
    seats: tuple[int, int] | msgspec.UnsetType = msgspec.UNSET
    sheets: tuple[Sheet, ...] | msgspec.UnsetType = msgspec.UNSET

    @property
    def seats_of_box(self) -> tuple[int, int] | None:
        """The least and the most players; ``None`` in old games."""
        return None if isinstance(self.seats, msgspec.UnsetType) else self.seats


class Awaits(enum.StrEnum):
    """What a game that has been opened waits for while people sit down."""

    NOTHING = ""  # It has begun.
    BANKING = "banking"
    PLAY = "play"  # The companion is to lead.


class GameOpened(Event, frozen=True, kw_only=True, omit_defaults=True):
    """A game was opened; *banker* keeps the bank (``bank`` if no seat does).

    Attributes:
        awaits: How the game is to begin; no money moves until then. Old games and
            those that programs open begin at once.
    """

    name: str
    terms: Terms
    banker: str
    awaits: Awaits = Awaits.NOTHING

    @property
    def sentence(self) -> str:
        """The sentence, which depends on whether the game began at once."""
        return told("{name} was opened") if self.awaits else told("{name} began")


class BankingBegun(Event, frozen=True, kw_only=True):
    """The game began, with the companion as the bank."""

    sentence = told("the game began")


class SeatAdded(Event, frozen=True, kw_only=True):
    """A seat joined and got the starting money."""

    sentence = told("{name} sat down with {start_money}")
    seat: Seat
    name: str
    colour: str
    token: str
    start_money: Dollars


class SeatRenamed(Event, frozen=True, kw_only=True):
    """A seat shows another name."""

    sentence = told("the {colour} seat is called {name} now")
    seat: Seat
    name: str

    @property
    def colour(self) -> DataWord:
        """The seat's colour, which names it in place of the person."""
        return self.seat


class SeatRemoved(Event, frozen=True, kw_only=True):
    """A seat left; *returned* is the money that went back to the bank."""

    seat: Seat
    returned: Dollars

    @property
    def sentence(self) -> str:
        """The sentence, with the money that went back, if any."""
        if not self.returned:
            return told("{seat} left; nothing went back to the bank")
        return told("{seat} left; {returned} went back to the bank")


class BankerChanged(Event, frozen=True, kw_only=True):
    """Another seat keeps the bank."""

    banker: Account

    @property
    def sentence(self) -> str:
        """The sentence, with the seat that keeps the bank, if any."""
        if self.banker == BANK:
            return told("no seat keeps the bank now")
        return told("{banker} keeps the bank now")


class TableLocked(Event, frozen=True, kw_only=True):
    """From now on, no seat is taken without the banker's consent."""

    sentence = told("the table was locked: new seats need the banker")


class TableUnlocked(Event, frozen=True, kw_only=True):
    """Free seats may be taken again."""

    sentence = told("the table was unlocked")


class MoneyMoved(Event, frozen=True, kw_only=True, omit_defaults=True):
    """Payer paid payee.

    Attributes:
        is_likely: Whether the amount follows from a likely figure that nobody has read.
        how: How the amount came about (``how.py``).
    """

    payer: Account
    payee: Account
    amount: Dollars
    reason: Reason
    is_likely: bool = False
    how: str = ""

    @property
    def sentence(self) -> str:
        """The sentence, with the reason if one was given.

        Money that the bank adds to the vault is not called a payment.
        """
        is_fillup = self.reason in (Reason.SALARY, Reason.RICHES)
        if is_fillup and (self.payer, self.payee) == (BANK, VAULT):
            return told("{amount} went into the vault")
        if self.reason is Reason.SALARY and self.payer == BANK:
            return told("{payee} got {amount} for GO")
        if self.reason is Reason.OTHER:
            return told("{payer} paid {payee} {amount}")
        return told("{payer} paid {payee} {amount} {reason}")


class MoneyAsked(Event, frozen=True, kw_only=True):
    """A seat asked an account for money.

    Attributes:
        number: Counts the requests of a game from 1.
    """

    number: int
    seat: Seat
    payer: Account
    amount: Dollars
    reason: Reason

    @property
    def sentence(self) -> str:
        """The sentence, with the reason if one was given."""
        if self.reason is Reason.OTHER:
            return told("{seat} asked {payer} for {amount}")
        return told("{seat} asked {payer} for {amount} {reason}")


class Answer(enum.StrEnum):
    """How a request for money ended."""

    PAID = "paid"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"


class AskAnswered(Event, frozen=True, kw_only=True):
    """A request for money ended; if it was paid, ``MoneyMoved`` records the payment."""

    number: int
    answer: Answer

    @property
    def sentence(self) -> str:
        """The sentence for a request that was not paid; empty if it was paid."""
        if self.answer is Answer.DECLINED:
            return told("{actor} said no to a request for money")
        if self.answer is Answer.WITHDRAWN:
            return told("{actor} took back a request for money")
        return ""


class BalanceCorrected(Event, frozen=True, kw_only=True):
    """The table agreed on another balance: *now* in place of *was*."""

    sentence = told("the table agreed that {account} has {now}, not {was}")
    account: Account
    was: Dollars
    now: Dollars


class Undone(Event, frozen=True, kw_only=True):
    """The entry with this revision counts as not having happened."""

    sentence = told("taken back")
    revision: Revision


class Redone(Event, frozen=True, kw_only=True):
    """The entry with this revision counts again."""

    sentence = told("counts again")
    revision: Revision


class UndoAsked(Event, frozen=True, kw_only=True):
    """Somebody asked to take back the entry with this revision and all since then.

    Attributes:
        count: The number of those entries.
    """

    revision: Revision
    count: int = 1

    @property
    def sentence(self) -> str:
        """The sentence, with the number of entries if it is more than one."""
        if self.count == 1:
            return told("{actor} asks to undo")
        return told("{actor} asks to undo {count} steps")


class UndoAllowed(Event, frozen=True, kw_only=True):
    """Somebody who has to agree said yes to the undo that was asked for."""

    sentence = told("{actor} agrees to take that back")
    revision: Revision


class UndoDeclined(Event, frozen=True, kw_only=True):
    """Somebody said no to the undo, or the asker withdrew the request."""

    revision: Revision
    is_withdrawn: bool = False

    @property
    def sentence(self) -> str:
        """The sentence for a no or for a withdrawal."""
        if self.is_withdrawn:
            return told("{actor} no longer asks to undo that")
        return told("{actor} said no to taking that back")


class GameClosed(Event, frozen=True, kw_only=True):
    """The game was put away."""

    sentence = told("the game was put away")


class GameReopened(Event, frozen=True, kw_only=True):
    """The game was taken out again."""

    sentence = told("the game was taken out again")


class GameContinued(Event, frozen=True, kw_only=True):
    """The latest *count* entries were taken over from a longer copy of the game."""

    count: int

    @property
    def sentence(self) -> str:
        """The sentence, with the number of entries if it is more than one."""
        if self.count == 1:
            return told("the game went on from a copy, with 1 entry")
        return told("the game went on from a copy, with {count} entries")


GameEvent = (
    GameOpened
    | BankingBegun
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
    | UndoAsked
    | UndoAllowed
    | UndoDeclined
    | GameClosed
    | GameReopened
    | GameContinued
    | PlayEvent
)
"""Every event of a game."""
