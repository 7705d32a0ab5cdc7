"""What can have happened at the vault of a game: guesses, riches, keys, refilling.

The number that opens it is in none of these, only whether a guess was right, as the
lock told. Money moves by ``MoneyMoved``, never by one of these.
"""

from __future__ import annotations

from companion.game.event import Event
from companion.units import DeedId, Dollars, Seat


class GuessAwaited(Event, frozen=True, tag=True, kw_only=True):
    """The mover has one guess.

    Attributes:
        fee: What it costs.
        is_optional: It may be declined.
    """

    seat: Seat
    fee: Dollars = 0
    is_optional: bool = False


class GuessMade(Event, frozen=True, tag=True, kw_only=True):
    """The wheel stood at *number* and M was pressed.

    Attributes:
        is_right: As the lock told.
        is_due: False for a guess that nobody was asked for, as the toy takes it.
        is_lid_up: The lid rose at once; otherwise it is reported when it does.
        is_told: The table wants numbers remembered, so a wrong one is told, too.
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
    """The lid stood open after a right guess, and the opener took all.

    Attributes:
        money: What lay in it; it moves by an event of its own.
    """

    seat: Seat
    keys: int
    hotels: int
    money: Dollars = 0


class DeedUnlocked(Event, frozen=True, tag=True, kw_only=True):
    """A key opened a locked street; it lies on its keyhole from now on."""

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
    """The lid was shut and a new code set; so much was put in before."""

    keys: int = 0
    hotels: int = 0


class LidSeen(Event, frozen=True, tag=True, kw_only=True):
    """The lid is now so, though nobody guessed: ``open``, ``shut``, ``forced``...

    After a right guess ``open`` is the opening itself, and the riches follow.
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
"""What revealed a secret, moved the bolt, or set a new code."""

OF_THE_METAL = (LidSeen, PressIgnored)
"""What metal did: true whatever the table takes back."""
