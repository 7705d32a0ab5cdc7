"""Events of boxes with a third die and bus tickets.

The *third die* has faces without a number: Mr. Monopoly and the bus. Their effect,
which comes after the landing, is the *bonus*. A *bus ticket* is a card that takes a
seat ahead in place of a roll.
"""

from __future__ import annotations

from companion.game.event import Event
from companion.game.position import BUS
from companion.units import Account, Seat, SpaceNumber, TicketCount
from companion.words import told


class BonusCame(Event, frozen=True, kw_only=True):
    """The landing is settled, and the third die takes effect.

    Attributes:
        bonus: ``MR`` or ``BUS``.
        is_idle: Whether the bonus finds nothing to do.
    """

    seat: Seat
    bonus: str
    is_idle: bool = False

    @property
    def sentence(self) -> str:
        """The sentence, which depends on the die."""
        if self.is_idle:
            return told("{seat} goes no further")
        if self.bonus == BUS:
            return told("the bus waits for {seat}")
        return told("Mr. Monopoly takes {seat} on")


class TicketTaken(Event, frozen=True, kw_only=True):
    """A seat got one more bus ticket."""

    sentence = told("{seat} keeps a bus ticket")
    seat: Seat


class TicketsExpired(Event, frozen=True, kw_only=True):
    """All tickets that seats held became worthless."""

    sentence = told("all bus tickets held until now are lost")


class TicketUsed(Event, frozen=True, kw_only=True):
    """A seat took the bus in place of rolling; the ticket is out of the game."""

    sentence = told("{seat} took the bus to {space}")
    seat: Seat
    space: SpaceNumber


class TicketsPassed(Event, frozen=True, kw_only=True):
    """Bus tickets changed hands; those given to the bank are out of the game."""

    sentence = told("{count} went to {taker}")
    giver: Seat
    taker: Account
    count: TicketCount


TicketEvent = BonusCame | TicketTaken | TicketsExpired | TicketUsed | TicketsPassed
"""Every event of a third die and of bus tickets."""
