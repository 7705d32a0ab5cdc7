"""How each event about deeds changes a position.

There is one small function per event. They are pure and never refuse an event: it was
allowed when it was written.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.game import deed_events as d
from companion.game.board import Board
from companion.game.event import Apply, Event, put, row
from companion.game.owning import still_uneven, with_owner
from companion.game.playing_vault_contents import (
    key_back,
    with_hotels_in_bank,
    with_loose_hotels,
)
from companion.game.position import Auction, Offer, Position, Want
from companion.game.stage import Stage


def _deed_awaited(play: Position, _: Board, event: d.DeedAwaited) -> Position:
    return replace(play, base=Stage.BUY, awaited=event.deed, may_pass=event.may_pass)


def _deed_bought(play: Position, board: Board, event: d.DeedBought) -> Position:
    play = with_owner(play, board, event.deed, event.seat)
    return replace(play, base=Stage.ROLL, awaited="")


def _deed_dealt(play: Position, board: Board, event: d.DeedDealt) -> Position:
    return with_owner(play, board, event.deed, event.seat)


def _deed_declined(
    play: Position, _: Board, event: d.DeedDeclined | d.DeedLeft
) -> Position:
    return replace(play, base=Stage.ROLL, awaited="")


def without_wants(play: Position, board: Board, deed: str, *, of: str = "") -> Position:
    """Return *play* without claims to buildings in a deed's group, of one seat or all.

    An act of one owner leaves the claims of other owners alone. Railroads are built on
    one by one, so each is a group of its own here.
    """
    if not play.wants:
        return play
    sites = board.sites[board.index[deed]]
    wants = tuple(
        want
        for want in play.wants
        if board.index[want.deed] not in sites or of not in ("", want.seat)
    )
    return replace(play, wants=wants)


def without_rent_roll(play: Position, deed: str) -> Position:
    """Return *play* without a pending roll for that deed's rent."""
    if play.base is not Stage.RENT_ROLL or play.awaited != deed:
        return play
    return replace(play, base=Stage.ROLL, awaited="")


def _deed_passed(play: Position, board: Board, event: d.DeedPassed) -> Position:
    play = without_wants(play, board, event.deed)
    play = without_rent_roll(play, event.deed)
    play = with_owner(play, board, event.deed, event.seat)
    if play.mortgaged[board.index[event.deed]]:
        return replace(play, lifted=(*play.lifted, event.deed))
    return play


def _deed_returned(
    play: Position, board: Board, event: d.DeedReturned | d.DeedSold
) -> Position:
    play = without_wants(play, board, event.deed)
    play = without_rent_roll(play, event.deed)
    at = board.index[event.deed]
    if play.owners[at]:
        play = key_back(play, board, at)
    play = with_owner(play, board, event.deed, "")
    return replace(play, mortgaged=put(play.mortgaged, at, False))


def _mortgaged(play: Position, board: Board, event: d.DeedMortgaged) -> Position:
    at = board.index[event.deed]
    play = without_wants(play, board, event.deed, of=event.seat)
    return replace(play, mortgaged=put(play.mortgaged, at, True))


def _lifted(play: Position, board: Board, event: d.MortgageLifted) -> Position:
    at = board.index[event.deed]
    play = replace(
        play,
        mortgaged=put(play.mortgaged, at, False),
        lifted=tuple(deed for deed in play.lifted if deed != event.deed),
    )
    return still_uneven(play, board)


def with_level(play: Position, board: Board, deed: str, level: int) -> Position:
    """Return *play* with that deed at *level*; pieces come from or go to the bank."""
    at = board.index[deed]
    used = board.used[at]
    before, now = used[play.levels[at]], used[level]
    pieces = tuple(
        left + old - new
        for left, old, new in zip(play.pieces, before, now, strict=True)
    )
    return replace(play, levels=put(play.levels, at, level), pieces=pieces)


def _built(
    play: Position, board: Board, event: d.BuildingBought | d.BuildingSold
) -> Position:
    """Return *play* with that deed at its new level.

    The pieces come from the bank or from the hand.
    """
    added = event.level - play.levels[board.index[event.deed]]
    play = still_uneven(with_level(play, board, event.deed, event.level), board)
    if board.rules.buildings.source == "hand":
        play = with_loose_hotels(play, event.seat, -added)
        play = with_hotels_in_bank(play, board, added)
    return play


def _bought(play: Position, board: Board, event: d.BuildingBought) -> Position:
    play = _built(play, board, event)
    if not play.wants:
        return play
    done = Want(event.seat, event.deed)
    return replace(play, wants=tuple(want for want in play.wants if want != done))


def _sold(play: Position, board: Board, event: d.BuildingSold) -> Position:
    play = without_wants(play, board, event.deed, of=event.seat)
    return _built(play, board, event)


def _levelled(play: Position, board: Board, event: d.GroupLevelled) -> Position:
    for deed, level in event.levels:
        play = without_wants(play, board, deed, of=event.seat)
        play = with_level(play, board, deed, level)
    return still_uneven(play, board)


def _wanted(play: Position, _: Board, event: d.BuildingWanted) -> Position:
    return replace(play, wants=(*play.wants, Want(event.seat, event.deed)))


def _auction_opened(play: Position, _: Board, event: d.AuctionOpened) -> Position:
    return replace(play, auction=event.auction)


def _bid_made(play: Position, _: Board, event: d.BidMade) -> Position:
    assert play.auction is not None, "bids are made in an auction"
    auction = replace(play.auction, bidder=event.seat, amount=event.amount)
    return replace(play, auction=auction)


def _bid_passed(play: Position, _: Board, event: d.BidPassed) -> Position:
    assert play.auction is not None, "bids are made in an auction"
    passed = (*play.auction.passed, event.seat)
    return replace(play, auction=replace(play.auction, passed=passed))


def _next_lot(play: Position, board: Board) -> Position:
    """Go on to the next lot, for which every seat in the game may bid."""
    auction = play.auction
    assert auction is not None, "lots are sold in an auction"
    lots = auction.lots[1:]
    if not lots:
        return replace(play, auction=None)
    return replace(
        play, auction=Auction(lots, play.playing(), board.rules.auction.start)
    )


def _lot_sold(play: Position, board: Board, event: d.LotSold) -> Position:
    if event.lot in board.index:
        play = with_owner(play, board, event.lot, event.seat)
    return _next_lot(play, board)


def _lot_left(play: Position, board: Board, event: d.LotLeft) -> Position:
    return _next_lot(play, board)


def _offer_made(play: Position, _: Board, event: d.OfferMade) -> Position:
    offer = Offer(event.giver, event.taker, event.give, event.want)
    others = tuple(old for old in play.offers if old.giver != event.giver)
    gone = tuple(old for old in play.withdrawn if old.giver != event.giver)
    return replace(play, offers=(*others, offer), withdrawn=gone)


def _offer_gone(
    play: Position,
    _: Board,
    event: d.OfferAccepted | d.OfferRejected | d.OfferWithdrawn,
) -> Position:
    offers = tuple(old for old in play.offers if old.giver != event.giver)
    return replace(play, offers=offers)


def _offer_withdrawn(play: Position, board: Board, event: d.OfferWithdrawn) -> Position:
    gone = tuple(old for old in play.offers if old.giver == event.giver)
    others = tuple(old for old in play.withdrawn if old.giver != event.giver)
    return replace(_offer_gone(play, board, event), withdrawn=(*others, *gone))


DEED_AFTER: dict[type[Event], Apply] = dict(
    (
        row(d.DeedAwaited, _deed_awaited),
        row(d.DeedBought, _deed_bought),
        row(d.DeedDealt, _deed_dealt),
        row(d.DeedDeclined, _deed_declined),
        row(d.DeedLeft, _deed_declined),
        row(d.DeedPassed, _deed_passed),
        row(d.DeedReturned, _deed_returned),
        row(d.DeedSold, _deed_returned),
        row(d.DeedMortgaged, _mortgaged),
        row(d.MortgageLifted, _lifted),
        row(d.BuildingBought, _bought),
        row(d.BuildingSold, _sold),
        row(d.GroupLevelled, _levelled),
        row(d.BuildingWanted, _wanted),
        row(d.AuctionOpened, _auction_opened),
        row(d.BidMade, _bid_made),
        row(d.BidPassed, _bid_passed),
        row(d.LotSold, _lot_sold),
        row(d.LotLeft, _lot_left),
        row(d.OfferMade, _offer_made),
        row(d.OfferAccepted, _offer_gone),
        row(d.OfferRejected, _offer_gone),
        row(d.OfferWithdrawn, _offer_withdrawn),
    )
)
"""The functions of this module, by the kind of event."""
