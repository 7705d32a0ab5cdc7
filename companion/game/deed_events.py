"""Events about deeds in guided play: bought, built on, bid for, traded.

The *mover* is the seat with the dice. A deed has a *ladder*, the kinds of buildings in
the order in which they go up; its *level* is the number of steps that stand there. An
auction sells one *lot* after another: deeds, or one of the last buildings.
"""

from __future__ import annotations

from companion.game.event import Event
from companion.game.position import Auction, Bundle
from companion.units import DeedId, Dollars, HotelCount, Level, Levels, LotId, Seat
from companion.words import told


class DeedAwaited(Event, frozen=True, kw_only=True, omit_defaults=True):
    """The mover stands on a deed that nobody owns.

    Attributes:
        may_pass: Whether the mover may leave it without an auction.
    """

    deed: DeedId
    may_pass: bool = False


class DeedBought(Event, frozen=True, kw_only=True):
    """The mover took the deed it stands on."""

    sentence = told("{seat} bought {deed}")
    seat: Seat
    deed: DeedId


class DeedDealt(Event, frozen=True, kw_only=True):
    """A deed was dealt at the start."""

    sentence = told("{seat} was dealt {deed}")
    seat: Seat
    deed: DeedId


class DeedLeft(Event, frozen=True, kw_only=True):
    """The mover did not buy a deed that may be left; it stays with the bank."""

    sentence = told("{seat} did not buy {deed}")
    seat: Seat
    deed: DeedId


class DeedDeclined(Event, frozen=True, kw_only=True):
    """The mover did not buy the deed it stands on; an auction may follow."""

    sentence = told("{seat} did not buy {deed}")
    seat: Seat
    deed: DeedId


class DeedPassed(Event, frozen=True, kw_only=True):
    """A deed changed hands between two seats."""

    sentence = told("{deed} went to {seat}")
    deed: DeedId
    seat: Seat


class DeedReturned(Event, frozen=True, kw_only=True):
    """A deed went back to the bank, unmortgaged."""

    sentence = told("{deed} went back to the bank")
    deed: DeedId


class DeedSold(Event, frozen=True, kw_only=True):
    """A seat gave a deed back to the bank for its price."""

    sentence = told("{seat} sold {deed} to the bank")
    seat: Seat
    deed: DeedId


class DeedMortgaged(Event, frozen=True, kw_only=True, omit_defaults=True):
    """A seat borrowed on a deed.

    Attributes:
        loan: The dollars lent, if the box's file does not say them; else 0.
    """

    sentence = told("{seat} mortgaged {deed}")
    seat: Seat
    deed: DeedId
    loan: Dollars = 0


class MortgageLifted(Event, frozen=True, kw_only=True):
    """A seat paid a mortgage back."""

    sentence = told("{seat} lifted the mortgage of {deed}")
    seat: Seat
    deed: DeedId


class BuildingBought(Event, frozen=True, kw_only=True):
    """A seat built on a deed, which now has *level* steps of its building ladder.

    Attributes:
        hotels: The hotels there now, in editions where they come from the hand.
        piece: The kind of building that was built; empty for a house.
    """

    sentence = told("{seat} built on {deed}: {standing} there now")
    seat: Seat
    deed: DeedId
    level: Level
    hotels: HotelCount = 0
    piece: str = ""

    @property
    def standing(self) -> tuple[Level, HotelCount, str]:
        """The buildings that stand there now."""
        return self.level, self.hotels, self.piece


class BuildingSold(Event, frozen=True, kw_only=True):
    """A seat sold buildings of a deed, which now has *level* steps of its ladder.

    In editions where hotels come from the hand, it took them back and sold none: the
    sentence is for those that brought no money.

    Attributes:
        is_all: Whether all buildings of the deed were sold at once.
        hotels: As for ``BuildingBought``.
    """

    sentence = told("{seat} took buildings off {deed}: {standing} there now")
    seat: Seat
    deed: DeedId
    level: Level
    is_all: bool = False
    hotels: HotelCount = 0

    @property
    def standing(self) -> tuple[Level, HotelCount]:
        """The buildings that stand there now."""
        return self.level, self.hotels


class GroupLevelled(Event, frozen=True, kw_only=True):
    """A seat rebuilt a whole group.

    Attributes:
        levels: Pairs of each street of the group and its level now.
    """

    sentence = told("{seat} built evenly: {levels}")
    seat: Seat
    levels: Levels


class BuildingWanted(Event, frozen=True, kw_only=True):
    """A seat claimed one of the bank's last buildings."""

    sentence = told("{seat} wants a building for {deed}")
    seat: Seat
    deed: DeedId


class AuctionOpened(Event, frozen=True, kw_only=True):
    """An auction began."""

    sentence = told("bids are taken for {auction}")
    auction: Auction


class BidMade(Event, frozen=True, kw_only=True):
    """A seat leads the bidding."""

    sentence = told("{seat} bid {amount}")
    seat: Seat
    amount: Dollars


class BidPassed(Event, frozen=True, kw_only=True):
    """A seat bids no more for this lot."""

    sentence = told("{seat} passed")
    seat: Seat


class LotSold(Event, frozen=True, kw_only=True):
    """The lot went to the highest bidder."""

    sentence = told("{seat} won {lot} for {amount}")
    lot: LotId
    seat: Seat
    amount: Dollars


class LotLeft(Event, frozen=True, kw_only=True):
    """Nobody bid; the lot stays with the bank."""

    sentence = told("nobody bid for {lot}")
    lot: LotId


class OfferMade(Event, frozen=True, kw_only=True):
    """A seat offered another seat a trade; this replaces its last offer."""

    sentence = told("{giver} offered {taker}: {give} for {want}")
    giver: Seat
    taker: Seat
    give: Bundle
    want: Bundle


class OfferAccepted(Event, frozen=True, kw_only=True):
    """A seat accepted an offer."""

    sentence = told("{taker} accepted {giver}'s offer")
    giver: Seat
    taker: Seat


class OfferRejected(Event, frozen=True, kw_only=True):
    """A seat declined an offer."""

    sentence = told("{taker} turned down {giver}'s offer")
    giver: Seat
    taker: Seat


class OfferWithdrawn(Event, frozen=True, kw_only=True):
    """A seat withdrew its own offer before it was answered."""

    sentence = told("{giver} took back the offer to {taker}")
    giver: Seat
    taker: Seat


class OfferLapsed(Event, frozen=True, kw_only=True, omit_defaults=True):
    """An open offer ended, since what it offers is no longer what it was.

    Attributes:
        cause: What changed, one of ``LAPSES``.
        deed: The deed that changed; empty if something else did.
    """

    giver: Seat
    taker: Seat
    cause: str
    deed: DeedId = DeedId("")

    @property
    def sentence(self) -> str:
        """The sentence, with what changed."""
        return LAPSES[self.cause]


LAPSES = {
    "owner": told("{giver}'s offer to {taker} lapsed: {deed} changed hands"),
    "mortgaged": told("{giver}'s offer to {taker} lapsed: {deed} was mortgaged"),
    "lifted": told("{giver}'s offer to {taker} lapsed: {deed} is mortgaged no more"),
    "buildings": told(
        "{giver}'s offer to {taker} lapsed: buildings on {deed} or beside it changed"
    ),
    "debt": told("{giver}'s offer to {taker} lapsed: the debt is not what it was"),
    "hand": told("{giver}'s offer to {taker} lapsed: some of it is gone"),
}
"""What changed -> the sentence in the history."""

DeedEvent = (
    DeedAwaited
    | DeedBought
    | DeedDealt
    | DeedDeclined
    | DeedLeft
    | DeedPassed
    | DeedReturned
    | DeedSold
    | DeedMortgaged
    | MortgageLifted
    | BuildingBought
    | BuildingSold
    | GroupLevelled
    | BuildingWanted
    | AuctionOpened
    | BidMade
    | BidPassed
    | LotSold
    | LotLeft
    | OfferMade
    | OfferAccepted
    | OfferRejected
    | OfferWithdrawn
    | OfferLapsed
)
"""Every event about deeds."""
