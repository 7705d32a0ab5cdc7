"""Events at the vault of a game: guesses, taking the contents, keys, refilling.

None of them has the vault's code; they have only the lock's answer to each guess.
*Pieces* are keys and hotels. A guess is *due* when a space or card has granted it; with
the *toy*, the original vault, people may also guess at any other time.
"""

from __future__ import annotations

from companion.game.event import Event
from companion.game.position import FORCED, LOCKED, OPEN, SHUT
from companion.units import Account, DeedId, Dollars, HotelCount, KeyCount, Seat
from companion.words import told


class GuessAwaited(Event, frozen=True, kw_only=True):
    """The mover has one guess.

    Attributes:
        fee: The price of the guess.
        is_optional: Whether it may be declined.
    """

    seat: Seat
    fee: Dollars = 0
    is_optional: bool = False

    @property
    def sentence(self) -> str:
        """The sentence, with the fee if there is one."""
        if self.fee:
            return told("{seat} may guess for {fee}")
        return told("{seat} has a guess at the vault")


HIDDEN = 0
"""Stands for the number of a wrong guess that is not told; the wheel has no 0."""


class GuessMade(Event, frozen=True, kw_only=True):
    """The wheel stood at *number* and M was pressed.

    Attributes:
        number: A number of the wheel; ``HIDDEN`` in a copy of a game whose table did
            not tell it.
        is_right: Whether the guess opens the vault, as the lock said.
        is_due: Whether the guess was due; with the toy it need not be.
        is_lid_up: Whether the lid rose at once; otherwise that is reported later.
        is_told: Whether the history shows the number even if it is wrong, as the table
            chose.
    """

    seat: Seat
    number: int
    is_right: bool
    is_due: bool
    is_lid_up: bool
    is_told: bool

    @property
    def is_open(self) -> bool:
        """Whether everybody may know the number."""
        return self.is_right or self.is_told

    @property
    def sentence(self) -> str:
        """The sentence, without the number of a wrong guess unless *is_told*."""
        if self.is_right:
            return told("{seat} guessed {number}: right!")
        if not self.is_told:
            return told("{seat} guessed wrong")
        return told("{seat} guessed {number}: wrong")


class GuessDeclined(Event, frozen=True, kw_only=True):
    """The mover declined its guess."""

    sentence = told("{seat} did not guess")
    seat: Seat


class RichesTaken(Event, frozen=True, kw_only=True):
    """The lid stood open after a right guess, and the guesser took all that was inside.

    Attributes:
        money: The dollars that were inside; ``MoneyMoved`` moves them.
    """

    seat: Seat
    keys: KeyCount
    hotels: HotelCount
    money: Dollars

    @property
    def pieces(self) -> tuple[KeyCount, HotelCount]:
        """The keys and hotels that were inside."""
        return self.keys, self.hotels

    @property
    def sentence(self) -> str:
        """The sentence, with the pieces if there were any."""
        if not any(self.pieces):
            return told("{seat} opened the vault and took all the money")
        return told("{seat} opened the vault and took {pieces} and {money}")


class DeedUnlocked(Event, frozen=True, kw_only=True):
    """A key opened a locked street; the key stays on the deed's keyhole."""

    sentence = told("{seat} unlocked {deed} with a key")
    seat: Seat
    deed: DeedId


class KeysReturned(Event, frozen=True, kw_only=True):
    """Keys that open nothing went back to the bank."""

    sentence = told("{count} went back to the bank")
    count: KeyCount


class HotelsPassed(Event, frozen=True, kw_only=True):
    """Loose hotels changed hands; *taker* may be the bank."""

    sentence = told("{count} went to {taker}")
    giver: Seat
    taker: Account
    count: HotelCount


class VaultRefilled(Event, frozen=True, kw_only=True):
    """Keys and hotels were put in, the lid was shut and a new code was set."""

    keys: KeyCount = 0
    hotels: HotelCount = 0

    @property
    def pieces(self) -> tuple[KeyCount, HotelCount]:
        """The keys and hotels that were put in."""
        return self.keys, self.hotels

    @property
    def sentence(self) -> str:
        """The sentence, with the pieces if there were any."""
        if not any(self.pieces):
            return told("the vault is locked with a new number")
        return told("{pieces} went into the vault, under a new number")


class LidSeen(Event, frozen=True, kw_only=True):
    """The lid was reported to be in a state of ``LIDS``, without a new guess.

    After a right guess, ``open`` is the opening itself, and ``RichesTaken`` follows.
    """

    lid: str

    @property
    def sentence(self) -> str:
        """The sentence of that state of the lid."""
        return LIDS.get(self.lid, LIDS[OPEN])


LIDS = {
    LOCKED: told("the vault is locked again, with the old number"),
    OPEN: told("the lid of the vault is open"),
    SHUT: told("the lid of the vault is shut, but not locked"),
    FORCED: told("somebody broke the vault open"),
}
"""State of the lid that the lock reports -> the sentence in the history."""


class PressIgnored(Event, frozen=True, kw_only=True):
    """M was pressed though no guess was due."""

    sentence = told("M was pressed, but no guess was due")


VaultContentsEvent = (
    GuessAwaited
    | GuessMade
    | GuessDeclined
    | RichesTaken
    | DeedUnlocked
    | KeysReturned
    | HotelsPassed
    | VaultRefilled
    | LidSeen
    | PressIgnored
)
"""Every event at the vault of a game."""

NOT_TAKEN_BACK = (GuessMade, RichesTaken, VaultRefilled)
"""Events that cannot be undone: they told a secret, moved the bolt or set a code."""

LID_AND_BUTTON_EVENTS = (LidSeen, PressIgnored)
"""Events of the real lid and button, which stay true when the table undoes others."""
