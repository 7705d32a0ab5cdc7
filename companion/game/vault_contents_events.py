"""Events at the vault of a game: guesses, taking the contents, keys, refilling.

None of them holds the vault's code, only whether a guess was right, as the lock said.
Money moves by ``MoneyMoved``, never by one of these.
"""

from __future__ import annotations

from companion.game.event import Event
from companion.units import DeedId, Dollars, Seat


class GuessAwaited(Event, frozen=True, tag=True, kw_only=True):
    """The mover has one guess.

    Attributes:
        fee: What it costs.
        is_optional: Whether it may be declined.
    """

    seat: Seat
    fee: Dollars = 0
    is_optional: bool = False


class GuessMade(Event, frozen=True, tag=True, kw_only=True):
    """The wheel stood at *number* and M was pressed.

    Attributes:
        is_right: Whether it opens the vault, as the lock said.
        is_due: False for a guess that was not due, which the toy's rules allow.
        is_lid_up: Whether the lid rose at once; otherwise it is reported when it does.
        is_told: Whether the history shows the number even if it is wrong; a table may
            want the numbers remembered.
    """

    seat: Seat
    number: int
    is_right: bool
    is_due: bool = True
    is_lid_up: bool = True
    is_told: bool = False


class GuessDeclined(Event, frozen=True, tag=True, kw_only=True):
    """The mover did without its guess."""

    seat: Seat


class RichesTaken(Event, frozen=True, tag=True, kw_only=True):
    """The lid stood open after a right guess, and the opener took all that was inside.

    Attributes:
        money: Dollars that lay inside; they move by an event of their own.
    """

    seat: Seat
    keys: int
    hotels: int
    money: Dollars = 0


class DeedUnlocked(Event, frozen=True, tag=True, kw_only=True):
    """A key opened a locked street; the key stays on the deed's keyhole."""

    seat: Seat
    deed: DeedId


class KeysReturned(Event, frozen=True, tag=True, kw_only=True):
    """Keys that open nothing went back to the bank."""

    count: int


class HotelsPassed(Event, frozen=True, tag=True, kw_only=True):
    """Loose hotels changed hands; *taker* may be the bank."""

    giver: Seat
    taker: str
    count: int


class VaultRefilled(Event, frozen=True, tag=True, kw_only=True):
    """Keys and hotels were put in, the lid was shut and a new code was set."""

    keys: int = 0
    hotels: int = 0


class LidSeen(Event, frozen=True, tag=True, kw_only=True):
    """The lid was seen to be ``open``, ``shut``, ``forced``... without a new guess.

    After a right guess, ``open`` is the opening itself, and ``RichesTaken`` follows.
    """

    lid: str


class PressIgnored(Event, frozen=True, tag=True, kw_only=True):
    """M was pressed though no guess was due."""


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

OF_THE_METAL = (LidSeen, PressIgnored)
"""Events of the real lid and button: true whatever the table undoes."""
