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
from companion.units import BANK, VAULT, Account, DataWord, Dollars, Revision, Seat
from companion.words import told


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
        seats: The fewest and the most players that the box is for; games of old do not
            say it.
    """

    edition: str
    start_money: Dollars
    salary: Dollars
    vault_salary: Dollars = 0
    vault_money: Dollars = 0
    has_vault: bool = False
    seats: tuple[int, int] | msgspec.UnsetType = msgspec.UNSET

    @property
    def seats_of_box(self) -> tuple[int, int] | None:
        """The fewest and the most players; ``None`` if the game does not say it."""
        return None if isinstance(self.seats, msgspec.UnsetType) else self.seats


class Awaits(enum.StrEnum):
    """What a game that has been opened waits for while people sit down."""

    NOTHING = ""  # It has begun.
    BANKING = "banking"
    PLAY = "play"  # The companion shall lead.


class GameOpened(Event, frozen=True, tag=True, kw_only=True, omit_defaults=True):
    """A game was opened, with the bank kept by *banker* (``bank``: by no seat).

    Attributes:
        awaits: How it shall begin; no money moves before. Games of old, and those that
            programs open, have begun at once.
    """

    name: str
    terms: Terms
    banker: str
    awaits: Awaits = Awaits.NOTHING

    @property
    def sentence(self) -> str:
        """Says whether it began with that."""
        return told("{name} was opened") if self.awaits else told("{name} began")


class BankingBegun(Event, frozen=True, tag=True, kw_only=True):
    """The game began, with the companion as the bank."""

    sentence = told("the game began")


class SeatAdded(Event, frozen=True, tag=True, kw_only=True):
    """A seat joined and got the starting money."""

    sentence = told("{name} sat down with {start_money}")
    seat: Seat
    name: str
    colour: str
    token: str
    start_money: Dollars


class SeatRenamed(Event, frozen=True, tag=True, kw_only=True):
    """A seat shows another name."""

    sentence = told("the {colour} seat is called {name} now")
    seat: Seat
    name: str

    @property
    def colour(self) -> DataWord:
        """The seat as a colour, whatever the name of who sits there."""
        return self.seat


class SeatRemoved(Event, frozen=True, tag=True, kw_only=True):
    """A seat left; *returned* went back to the bank."""

    seat: Seat
    returned: Dollars

    @property
    def sentence(self) -> str:
        """Says what went back, if anything."""
        if not self.returned:
            return told("{seat} left; nothing went back to the bank")
        return told("{seat} left; {returned} went back to the bank")


class BankerChanged(Event, frozen=True, tag=True, kw_only=True):
    """Another seat keeps the bank."""

    banker: Account

    @property
    def sentence(self) -> str:
        """Says who keeps it, if anybody does."""
        if self.banker == BANK:
            return told("no seat keeps the bank now")
        return told("{banker} keeps the bank now")


class TableLocked(Event, frozen=True, tag=True, kw_only=True):
    """From now on, no seat is taken without the banker's consent."""

    sentence = told("the table was locked: new seats need the banker")


class TableUnlocked(Event, frozen=True, tag=True, kw_only=True):
    """Free seats may be taken again."""

    sentence = told("the table was unlocked")


class MoneyMoved(Event, frozen=True, tag=True, kw_only=True, omit_defaults=True):
    """Payer paid payee.

    Attributes:
        is_likely: The amount follows from a figure that nobody knows, and that is
            played with as it probably is.
    """

    payer: Account
    payee: Account
    amount: Dollars
    reason: Reason
    is_likely: bool = False

    @property
    def sentence(self) -> str:
        """Says why, if a reason was given; nobody pays what is put into the vault."""
        is_fillup = self.reason in (Reason.SALARY, Reason.RICHES)
        if is_fillup and (self.payer, self.payee) == (BANK, VAULT):
            return told("{amount} went into the vault")
        if self.reason is Reason.SALARY and self.payer == BANK:
            return told("{payee} got {amount} for GO")
        if self.reason is Reason.OTHER:
            return told("{payer} paid {payee} {amount}")
        return told("{payer} paid {payee} {amount} {reason}")


class MoneyAsked(Event, frozen=True, tag=True, kw_only=True):
    """A seat asked an account for money."""

    number: int
    seat: Seat
    payer: Account
    amount: Dollars
    reason: Reason

    @property
    def sentence(self) -> str:
        """Says why, if a reason was given."""
        if self.reason is Reason.OTHER:
            return told("{seat} asked {payer} for {amount}")
        return told("{seat} asked {payer} for {amount} {reason}")


class Answer(enum.StrEnum):
    """How a request for money ended."""

    PAID = "paid"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"


class AskAnswered(Event, frozen=True, tag=True, kw_only=True):
    """A request for money ended; a payment is its own event beside this one."""

    number: int
    answer: Answer

    @property
    def sentence(self) -> str:
        """Says a no; a payment says itself."""
        if self.answer is Answer.DECLINED:
            return told("{actor} said no to a request for money")
        if self.answer is Answer.WITHDRAWN:
            return told("{actor} stopped asking for money")
        return ""


class BalanceCorrected(Event, frozen=True, tag=True, kw_only=True):
    """The table agreed that an account has *now* and not *was*."""

    sentence = told("the table agreed that {account} has {now}, not {was}")
    account: Account
    was: Dollars
    now: Dollars


class Undone(Event, frozen=True, tag=True, kw_only=True):
    """The entry with this revision counts as not having happened."""

    sentence = told("taken back")
    revision: Revision


class Redone(Event, frozen=True, tag=True, kw_only=True):
    """The entry with this revision counts again."""

    sentence = told("counts again")
    revision: Revision


class UndoAsked(Event, frozen=True, tag=True, kw_only=True):
    """Somebody asked to take back the entry with this revision and all since then.

    Attributes:
        count: How many entries that are.
    """

    revision: Revision
    count: int = 1

    @property
    def sentence(self) -> str:
        """Says how many, if it is more than one; which is said elsewhere."""
        if self.count == 1:
            return told("{actor} asks to undo")
        return told("{actor} asks to undo {count} steps")


class UndoAllowed(Event, frozen=True, tag=True, kw_only=True):
    """One of several who have to agree said yes to taking that back."""

    sentence = told("{actor} agrees to take that back")
    revision: Revision


class UndoDeclined(Event, frozen=True, tag=True, kw_only=True):
    """Somebody said no to taking that back; or who asked for it asks no longer."""

    revision: Revision
    is_withdrawn: bool = False

    @property
    def sentence(self) -> str:
        """Says whether it was a no."""
        if self.is_withdrawn:
            return told("{actor} no longer asks to undo that")
        return told("{actor} said no to taking that back")


class GameClosed(Event, frozen=True, tag=True, kw_only=True):
    """The game was put away."""

    sentence = told("the game was put away")


class GameReopened(Event, frozen=True, tag=True, kw_only=True):
    """The game was taken out again."""

    sentence = told("the game was taken out again")


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
    | PlayEvent
)
"""Every event of a game, for the codec and for tests that a table is complete."""
