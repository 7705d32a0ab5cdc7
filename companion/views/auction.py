"""An auction as the whole table watches it: the lot, the bids, and the bidders.

A *lot* is what is sold: a deed, or one of the bank's last buildings. Several may wait
to be sold one after another.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence

import msgspec
from msgspec.structs import asdict

from companion.edition.shape import Group
from companion.game import Game
from companion.game.position import Auction
from companion.game.stage import Stage
from companion.units import Account, Dollars
from companion.views.badge import Badge, badge_of
from companion.views.deed import DeedView, small_view
from companion.views.turn_buttons import Look
from companion.words import Words, say
from companion.words.common import common


class Mood(enum.StrEnum):
    """What a bidder is doing: it leads, may still bid, or bids no more."""

    LEADS = "leads"
    THINKS = "thinks"
    PASSED = "passed"


MOOD_WORDS: dict[Mood, Words] = {
    Mood.LEADS: say("leads"),
    Mood.THINKS: say("still thinks"),
    Mood.PASSED: say("passed"),
}
"""The words for each mood, beside a bidder's name."""


class Bidder(Badge, frozen=True):
    """A seat that may bid, or has passed, with its money and its mood in words."""

    seat: str
    balance: Dollars
    mood: Mood
    words: str


class AuctionView(msgspec.Struct, frozen=True):
    """The bidding for one lot.

    Attributes:
        lot: The name of the deed or building that is sold.
        deed: The deed that is sold; ``None`` for a building.
        building: The kind of building that is sold; empty for a deed.
        start: The lowest bid that may come first.
        amount: The highest bid; 0 before the first.
        leader: The highest bidder; ``None`` before the first bid.
        bidders: All bidders in the order of play, even those who have passed.
        later: The names of the lots that are sold after this one.
    """

    lot: str
    deed: DeedView | None
    building: str
    start: Dollars
    amount: Dollars
    leader: Bidder | None
    bidders: tuple[Bidder, ...]
    later: tuple[str, ...]


def auction_view(game: Game, groups: Sequence[Group]) -> AuctionView | None:
    """Return the auction of *game*; ``None`` unless the companion leads one now.

    Args:
        game: The game as it stands.
        groups: The groups of its edition, for the colours of deeds.
    """
    if game.play is None or not game.is_guided or game.play.stage is not Stage.AUCTION:
        return None
    auction = game.play.auction
    assert auction is not None, "the stage says so"
    look = Look(game, "")
    lot, *later = auction.lots
    at = look.board.index.get(lot)  # None for a building.
    bidders = tuple(_bidder(game, auction, seat) for seat in auction.bidders)
    return AuctionView(
        lot=look.name(common(lot)),
        deed=None if at is None else small_view(look, groups, at),
        building=lot if at is None else "",
        start=auction.start,
        amount=auction.amount,
        leader=next((bidder for bidder in bidders if bidder.mood is Mood.LEADS), None),
        bidders=bidders,
        later=tuple(look.name(common(later_lot)) for later_lot in later),
    )


def _bidder(game: Game, auction: Auction, seat: str) -> Bidder:
    mood = Mood.THINKS
    if seat == auction.bidder:
        mood = Mood.LEADS
    elif seat in auction.passed:
        mood = Mood.PASSED
    return Bidder(
        **asdict(badge_of(game, seat)),
        seat=seat,
        balance=game.ledger[Account(seat)],
        mood=mood,
        words=MOOD_WORDS[mood],
    )
