"""Events about deeds in guided play: bought, built on, bid for, traded.

As in ``play_events``, the first event of an entry is the act itself, and money moves
by ``MoneyMoved``, never by one of these.
"""

from __future__ import annotations

from companion.game.event import Event
from companion.game.position import Auction, Bundle
from companion.units import DeedId, Dollars, Seat


class DeedAwaited(Event, frozen=True, tag=True, kw_only=True):
    """The mover stands on a deed that nobody owns."""

    deed: DeedId


class DeedBought(Event, frozen=True, tag=True, kw_only=True):
    """The mover took the deed it stands on."""

    seat: Seat
    deed: DeedId


class DeedDealt(Event, frozen=True, tag=True, kw_only=True):
    """A deed was dealt at the start."""

    seat: Seat
    deed: DeedId


class DeedDeclined(Event, frozen=True, tag=True, kw_only=True):
    """The mover did not want the deed it stands on."""

    seat: Seat
    deed: DeedId


class DeedPassed(Event, frozen=True, tag=True, kw_only=True):
    """A deed changed hands between two seats."""

    deed: DeedId
    seat: Seat


class DeedReturned(Event, frozen=True, tag=True, kw_only=True):
    """A deed went back to the bank, unmortgaged."""

    deed: DeedId


class DeedMortgaged(Event, frozen=True, tag=True, kw_only=True):
    """A seat borrowed on a deed."""

    seat: Seat
    deed: DeedId


class MortgageLifted(Event, frozen=True, tag=True, kw_only=True):
    """A seat paid a mortgage back."""

    seat: Seat
    deed: DeedId


class BuildingBought(Event, frozen=True, tag=True, kw_only=True):
    """A seat built on a deed, which now has *level* steps of its building ladder.

    Attributes:
        hotels: How many hotels then stand there, where hotels come out of the hand.
    """

    seat: Seat
    deed: DeedId
    level: int
    hotels: int = 0


class BuildingSold(Event, frozen=True, tag=True, kw_only=True):
    """A seat sold buildings of a deed, which now has *level* steps of its ladder.

    Attributes:
        is_all: Whether all buildings of the deed were sold at once.
        hotels: As for ``BuildingBought``.
    """

    seat: Seat
    deed: DeedId
    level: int
    is_all: bool = False
    hotels: int = 0


class BuildingWanted(Event, frozen=True, tag=True, kw_only=True):
    """A seat claimed one of the last buildings."""

    seat: Seat
    deed: DeedId


class AuctionOpened(Event, frozen=True, tag=True, kw_only=True):
    """An auction began."""

    auction: Auction


class BidMade(Event, frozen=True, tag=True, kw_only=True):
    """A seat leads the bidding."""

    seat: Seat
    amount: Dollars


class BidPassed(Event, frozen=True, tag=True, kw_only=True):
    """A seat bids no more for this lot."""

    seat: Seat


class LotSold(Event, frozen=True, tag=True, kw_only=True):
    """The lot went to the highest bidder."""

    lot: str
    seat: Seat
    amount: Dollars


class LotLeft(Event, frozen=True, tag=True, kw_only=True):
    """Nobody bid; the lot stays with the bank."""

    lot: str


class OfferMade(Event, frozen=True, tag=True, kw_only=True):
    """A seat offered another seat a trade; this replaces its last offer."""

    giver: Seat
    taker: Seat
    give: Bundle
    want: Bundle


class OfferAccepted(Event, frozen=True, tag=True, kw_only=True):
    """A seat took an offer."""

    giver: Seat
    taker: Seat


class OfferRejected(Event, frozen=True, tag=True, kw_only=True):
    """A seat turned an offer down."""

    giver: Seat
    taker: Seat


class FigureTyped(Event, frozen=True, tag=True, kw_only=True):
    """Somebody read a figure off the real deed."""

    deed: DeedId
    figure: str
    amount: Dollars


class SpaceRead(Event, frozen=True, tag=True, kw_only=True):
    """People read off their board what is printed on a space that was unknown."""

    space: int
    kind: str


class CardRead(Event, frozen=True, tag=True, kw_only=True):
    """Somebody entered, as a code, a real card that the data of its deck lacks."""

    deck: str
    card: str


DeedEvent = (
    DeedAwaited
    | DeedBought
    | DeedDealt
    | DeedDeclined
    | DeedPassed
    | DeedReturned
    | DeedMortgaged
    | MortgageLifted
    | BuildingBought
    | BuildingSold
    | BuildingWanted
    | AuctionOpened
    | BidMade
    | BidPassed
    | LotSold
    | LotLeft
    | OfferMade
    | OfferAccepted
    | OfferRejected
    | FigureTyped
    | SpaceRead
    | CardRead
)
"""Every event about deeds."""
