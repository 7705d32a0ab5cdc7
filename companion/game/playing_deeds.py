"""How each event about deeds changes a position.

A position has three lists by deed: *owners*, *levels* (the number of steps of the
building ladder that stand there) and *mortgaged*. This module also keeps the *wants*
(claims to one of the bank's last buildings), the auction with its *lots* (what is sold,
one after another), and the *offers* of trades. Each function is named after its event.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.game.board import Board
from companion.game.deed_events import (
    AuctionOpened,
    BidMade,
    BidPassed,
    BuildingBought,
    BuildingSold,
    BuildingWanted,
    DeedAwaited,
    DeedBought,
    DeedDealt,
    DeedDeclined,
    DeedLeft,
    DeedMortgaged,
    DeedPassed,
    DeedReturned,
    DeedSold,
    GroupLevelled,
    LotLeft,
    LotSold,
    MortgageLifted,
    OfferAccepted,
    OfferLapsed,
    OfferMade,
    OfferRejected,
    OfferWithdrawn,
)
from companion.game.event import Apply, Event, put, row
from companion.game.owning import with_owner, without_even_groups
from companion.game.playing_vault_contents import (
    with_hotels_in_bank,
    with_key_returned,
    with_loose_hotels,
)
from companion.game.position import Auction, Offer, Position, Want
from companion.game.stage import Stage


def _deed_awaited(play: Position, _: Board, event: DeedAwaited) -> Position:
    return replace(play, base=Stage.BUY, awaited=event.deed, may_pass=event.may_pass)


def _deed_bought(play: Position, board: Board, event: DeedBought) -> Position:
    play = with_owner(play, board, event.deed, event.seat)
    return replace(play, base=Stage.ROLL, awaited="")


def _deed_dealt(play: Position, board: Board, event: DeedDealt) -> Position:
    return with_owner(play, board, event.deed, event.seat)


def _purchase_declined(
    play: Position, _: Board, event: DeedDeclined | DeedLeft
) -> Position:
    """Stop waiting for the mover to buy; an auction has an event of its own."""
    return replace(play, base=Stage.ROLL, awaited="")


def without_wants(
    play: Position, board: Board, deed: str, *, only_of: str = ""
) -> Position:
    """Return *play* without the claims to buildings in the group of *deed*.

    Those of every seat end, or *only_of* one seat. Railroads are built on one by one,
    so each counts as a group of its own here.
    """
    if not play.wants:
        return play
    sites = board.sites[board.index[deed]]
    wants = tuple(
        want
        for want in play.wants
        if board.index[want.deed] not in sites or (only_of and want.seat != only_of)
    )
    return replace(play, wants=wants)


def without_rent_roll(play: Position, deed: str) -> Position:
    """Return *play* without a pending roll for that deed's rent."""
    if play.base is not Stage.RENT_ROLL or play.awaited != deed:
        return play
    return replace(play, base=Stage.ROLL, awaited="")


def _deed_passed(play: Position, board: Board, event: DeedPassed) -> Position:
    """Give the deed to a seat; the interest on its mortgage counts as paid."""
    play = without_wants(play, board, event.deed)
    play = without_rent_roll(play, event.deed)
    play = with_owner(play, board, event.deed, event.seat)
    if play.mortgaged[board.index[event.deed]]:
        return replace(play, lifted=(*play.lifted, event.deed))
    return play


def _deed_returned(
    play: Position, board: Board, event: DeedReturned | DeedSold
) -> Position:
    """Give the deed to the bank, unmortgaged, and the key of a locked street."""
    play = without_wants(play, board, event.deed)
    play = without_rent_roll(play, event.deed)
    index = board.index[event.deed]
    if play.owners[index]:
        play = with_key_returned(play, board, index)
    play = with_owner(play, board, event.deed, "")
    return replace(play, mortgaged=put(play.mortgaged, index, False))


def _deed_mortgaged(play: Position, board: Board, event: DeedMortgaged) -> Position:
    """Mortgage the deed; its owner's claims to buildings in the group end."""
    index = board.index[event.deed]
    play = without_wants(play, board, event.deed, only_of=event.seat)
    play = replace(play, mortgaged=put(play.mortgaged, index, True))
    if not event.loan:
        return play
    loans = {**dict(play.loans), event.deed: event.loan}
    return replace(play, loans=tuple(loans.items()))


def _mortgage_lifted(play: Position, board: Board, event: MortgageLifted) -> Position:
    index = board.index[event.deed]
    play = replace(
        play,
        mortgaged=put(play.mortgaged, index, False),
        lifted=tuple(deed for deed in play.lifted if deed != event.deed),
    )
    return without_even_groups(play, board)


def with_level(play: Position, board: Board, deed: str, level: int) -> Position:
    """Return *play* with that deed at *level*; buildings move from or to the bank."""
    index = board.index[deed]
    used = board.used[index]
    before, now = used[play.levels[index]], used[level]
    pieces = tuple(
        left + old - new
        for left, old, new in zip(play.pieces, before, now, strict=True)
    )
    return replace(play, levels=put(play.levels, index, level), pieces=pieces)


def _with_built(
    play: Position, board: Board, event: BuildingBought | BuildingSold
) -> Position:
    """Return *play* with that deed at its new level.

    Where hotels come from the hand, they are taken from there, and the bank keeps its
    own.
    """
    added = event.level - play.levels[board.index[event.deed]]
    play = without_even_groups(with_level(play, board, event.deed, event.level), board)
    if board.rules.buildings.source == "hand":
        play = with_loose_hotels(play, event.seat, -added)
        play = with_hotels_in_bank(play, board, added)
    return play


def _building_bought(play: Position, board: Board, event: BuildingBought) -> Position:
    """Put up the building; this fulfils the seat's claim to it, if any."""
    play = _with_built(play, board, event)
    if not play.wants:
        return play
    fulfilled = Want(event.seat, event.deed)
    wants = tuple(want for want in play.wants if want != fulfilled)
    return replace(play, wants=wants)


def _building_sold(play: Position, board: Board, event: BuildingSold) -> Position:
    """Take down buildings; the seat's claims to more in the group end."""
    play = without_wants(play, board, event.deed, only_of=event.seat)
    return _with_built(play, board, event)


def _group_levelled(play: Position, board: Board, event: GroupLevelled) -> Position:
    for deed, level in event.levels:
        play = without_wants(play, board, deed, only_of=event.seat)
        play = with_level(play, board, deed, level)
    return without_even_groups(play, board)


def _building_wanted(play: Position, _: Board, event: BuildingWanted) -> Position:
    return replace(play, wants=(*play.wants, Want(event.seat, event.deed)))


def _auction_opened(play: Position, _: Board, event: AuctionOpened) -> Position:
    return replace(play, auction=event.auction)


def _bid_made(play: Position, _: Board, event: BidMade) -> Position:
    assert play.auction is not None, "bids are made in an auction"
    auction = replace(play.auction, bidder=event.seat, amount=event.amount)
    return replace(play, auction=auction)


def _bid_passed(play: Position, _: Board, event: BidPassed) -> Position:
    """Let the seat bid no more for this lot."""
    assert play.auction is not None, "bids are made in an auction"
    passed = (*play.auction.passed, event.seat)
    return replace(play, auction=replace(play.auction, passed=passed))


def _with_next_lot(play: Position, board: Board) -> Position:
    """Go on to the next lot, for which every seat in the game may bid."""
    auction = play.auction
    assert auction is not None, "lots are sold in an auction"
    lots = auction.lots[1:]
    if not lots:
        return replace(play, auction=None)
    return replace(
        play, auction=Auction(lots, play.playing(), board.rules.auction.start)
    )


def _lot_sold(play: Position, board: Board, event: LotSold) -> Position:
    """Give the lot to its winner if it is a deed; go on to the next one."""
    if event.lot in board.index:
        play = with_owner(play, board, event.lot, event.seat)
    return _with_next_lot(play, board)


def _lot_left(play: Position, board: Board, event: LotLeft) -> Position:
    """Leave the lot with the bank; go on to the next one."""
    return _with_next_lot(play, board)


def _offer_made(play: Position, _: Board, event: OfferMade) -> Position:
    """Add the offer, in place of the giver's last one."""
    offer = Offer(event.giver, event.taker, event.give, event.want)
    others = tuple(old for old in play.offers if old.giver != event.giver)
    withdrawn = tuple(old for old in play.withdrawn if old.giver != event.giver)
    return replace(play, offers=(*others, offer), withdrawn=withdrawn)


def _offer_removed(
    play: Position,
    _: Board,
    event: OfferAccepted | OfferRejected | OfferWithdrawn | OfferLapsed,
) -> Position:
    offers = tuple(offer for offer in play.offers if offer.giver != event.giver)
    return replace(play, offers=offers)


def _offer_withdrawn(
    play: Position, board: Board, event: OfferWithdrawn | OfferLapsed
) -> Position:
    """Move the giver's offer to those withdrawn or lapsed since the last roll."""
    has_lapsed = isinstance(event, OfferLapsed)
    withdrawn = tuple(
        replace(offer, has_lapsed=has_lapsed)
        for offer in play.offers
        if offer.giver == event.giver
    )
    others = tuple(offer for offer in play.withdrawn if offer.giver != event.giver)
    play = _offer_removed(play, board, event)
    return replace(play, withdrawn=(*others, *withdrawn))


DEED_AFTER: dict[type[Event], Apply] = dict(
    (
        row(DeedAwaited, _deed_awaited),
        row(DeedBought, _deed_bought),
        row(DeedDealt, _deed_dealt),
        row(DeedDeclined, _purchase_declined),
        row(DeedLeft, _purchase_declined),
        row(DeedPassed, _deed_passed),
        row(DeedReturned, _deed_returned),
        row(DeedSold, _deed_returned),
        row(DeedMortgaged, _deed_mortgaged),
        row(MortgageLifted, _mortgage_lifted),
        row(BuildingBought, _building_bought),
        row(BuildingSold, _building_sold),
        row(GroupLevelled, _group_levelled),
        row(BuildingWanted, _building_wanted),
        row(AuctionOpened, _auction_opened),
        row(BidMade, _bid_made),
        row(BidPassed, _bid_passed),
        row(LotSold, _lot_sold),
        row(LotLeft, _lot_left),
        row(OfferMade, _offer_made),
        row(OfferAccepted, _offer_removed),
        row(OfferRejected, _offer_removed),
        row(OfferWithdrawn, _offer_withdrawn),
        row(OfferLapsed, _offer_withdrawn),
    )
)
"""Kind of event -> the function that applies it."""
