"""Auctions of a deed nobody bought, of a bankrupt seat's deeds, or of a last building.

A *lot* is what seats bid for: the id of a deed, or a kind of building such as
``house``. An auction sells its lots one after another. A seat that *passes* bids no
more for the present lot. The highest bidder *leads*, and wins once all others have
passed. A bid is binding: a winner that has spent the money meanwhile owes it.

A building is auctioned if several seats have *claimed* one (``Want``: the seat, and the
deed to build on) and the bank has too few left.

Source:
    Grab & Go's sheet, "Auctions", "Running out of buildings", "Bankruptcy: owing
    the banker"; the standard rules in the Mega booklet, "Buying properties",
    "Building shortages", "Bankruptcy"; the Secret Vault article, "Auction"; Cash
    Decoder's sheet, "Unowned Properties", "Don't want to buy it?", "Not enough
    Hotels?"; the Crooked Cash article, "Unowned", "Auction", "Hotels". The Mega
    booklet, "The dice & how to move": a deed reached by the third die may be bought.
    Our readings, where these are silent: a pass is final; nobody has to bid; a deed
    reached by the third die may also be left, or put up for auction.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from msgspec.structs import replace

from companion.errors import Refused, Why
from companion.game import deed_events as d
from companion.game.board import Board
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import Bid, PassBid
from companion.game.position import LOT, Auction, Payment, Want
from companion.game.rulebook import HOUSE
from companion.game.stage import Stage
from companion.rules.rule import (
    BIDDING,
    BUYING,
    Range,
    not_now,
    rule,
    single_choice,
    unaffordable,
)
from companion.rules.walking import settle
from companion.sheets import CROOKED, DECODER, GRAB, SECRET, STANDARD, Told
from companion.units import BANK, DeedId, Dollars, Seat
from companion.words import say
from companion.words.money import dollars_text

BUY_OR_AUCTION_RULE = Told(
    "A deed that nobody owns is bought, or everybody may bid for it.",
    {
        GRAB: "Auctions",
        STANDARD: "Buying properties",
        SECRET: "Auction",
        DECODER: "Unowned Properties",
        CROOKED: "Unowned",
    },
)
AUCTION_RULE = Told(
    "The highest bid wins, and every new bid has to be higher.",
    {
        GRAB: "Auctions",
        STANDARD: "Buying properties",
        SECRET: "Auction",
        DECODER: "Don't want to buy it?",
        CROOKED: "Auction",
    },
)
AUCTION_FIRST_RULE = Told(
    "An auction is held at once. Until it is over, all else waits.", {GRAB: "Auctions"}
)
BID_STEP_RULE = Told(
    "Bids go up in steps of {step}.",
    {
        SECRET: "Auction",
        DECODER: "Don't want to buy it?",
        CROOKED: "Auction",
    },
)
PASSED_RULE = Told("Whoever passes bids no more in this auction.")
LAST_BUILDING_RULE = Told(
    "If too few buildings are left for all who want one, they bid for it.",
    {
        GRAB: "Running out of buildings",
        STANDARD: "Building shortages",
        DECODER: "Not enough Hotels?",
        CROOKED: "Hotels",
    },
)


def open_auction(run: MoveRun, lots: tuple[str, ...]) -> None:
    """Put *lots* up for auction, one after another; all seats in the game may bid.

    If an auction is under way already, the lots are added at its end.
    """
    running = run.play.auction
    if running is not None:
        auction = replace(running, lots=(*running.lots, *lots))
    else:
        start = run.board.rules.auction.start
        auction = Auction(lots=lots, bidders=run.play.playing(), start=start)
    run.add(d.AuctionOpened(auction=auction))


def remove_bidders(run: MoveRun, seats: Collection[Seat]) -> None:
    """Take seats that are out of the game out of the bidding, all at once.

    If one of them leads, its bid is void, and those who had passed may bid again.
    """
    auction = run.play.auction
    if auction is None or not set(seats) & set(auction.bidders):
        return
    bidders = tuple(bidder for bidder in auction.bidders if bidder not in seats)
    passed = tuple(bidder for bidder in auction.passed if bidder not in seats)
    auction = replace(auction, bidders=bidders, passed=passed)
    if auction.bidder in seats:
        auction = replace(auction, bidder="", amount=0, passed=())
    run.add(d.AuctionOpened(auction=auction))
    close_if_done(run)


def lowest_bid(run: MoveRun) -> Dollars:
    """Return the smallest bid that is allowed next, in dollars."""
    auction = run.play.auction
    assert auction is not None, "there is an auction"
    if not auction.bidder:
        return auction.start
    return auction.amount + run.board.rules.auction.step


def bid_step(run: MoveRun) -> Dollars:
    """Return the step between the bids that are allowed next, in dollars.

    Before the first bid, it is no larger than the start price.
    """
    auction, step = run.play.auction, run.board.rules.auction.step
    assert auction is not None, "there is an auction"
    return step if auction.bidder else min(step, auction.start)


def check_bid(run: MoveRun, move: Bid) -> Refused | None:
    """Check that the bid is high enough, fits the steps, and is in hand."""
    low, step = lowest_bid(run), bid_step(run)
    is_amount = type(move.amount) is int and move.amount >= 1
    if not is_amount or (move.amount > low and (move.amount - low) % step):
        return (BID_STEP_RULE if is_amount else AUCTION_RULE).refuses(
            Why.MALFORMED,
            say(
                "a bid is {lowest_bid} or more, in steps of {step}",
                lowest_bid=dollars_text(low),
                step=dollars_text(step),
            ),
            say("bid that or more, or pass"),
        )
    if move.amount < low:
        return AUCTION_RULE.refuses(
            Why.BID_TOO_LOW,
            say("the lowest bid now is {lowest_bid}", lowest_bid=dollars_text(low)),
            say("bid that or more, or pass"),
        )
    return unaffordable(run, move.by, move.amount)


def bid(run: MoveRun, move: Bid) -> None:
    """Make the bid; the seat leads until somebody bids more."""
    run.add(d.BidMade(seat=Seat(move.by), amount=move.amount))
    close_if_done(run)
    settle(run)


def bid_choices(run: MoveRun, seat: str) -> Iterator[Range]:
    """Offer every bid from the lowest to all the money the seat has."""
    low, high, step = lowest_bid(run), run.cash(seat), bid_step(run)
    if low <= high:
        yield Range(Bid, low, high - (high - low) % step, step)


def check_pass(run: MoveRun, _move: PassBid) -> Refused | None:
    """Check that the seat may pass.

    Every bidder may. Before an auction the mover may, if the deed may be left unsold.
    """
    if run.play.stage is not Stage.BUY or run.play.may_pass:
        return None
    return BUY_OR_AUCTION_RULE.refuses(
        Why.WRONG_STAGE,
        say("{deed} cannot be left", deed=run.board.name_of(run.play.awaited)),
        say("buy it, or put it up for auction"),
    )


def pass_bid(run: MoveRun, move: PassBid) -> None:
    """Bid no more for this lot; before an auction, leave the deed unsold."""
    if run.play.stage is Stage.BUY:
        run.add(d.DeedLeft(seat=Seat(move.by), deed=DeedId(run.play.awaited)))
        settle(run)
        return
    run.add(d.BidPassed(seat=Seat(move.by)))
    close_if_done(run)
    settle(run)


def close_if_done(run: MoveRun) -> None:
    """Sell the lot once all but the leader have passed.

    A lot without a bid is dropped, and so is a building that its winner cannot place.
    """
    auction = run.play.auction
    assert auction is not None, "there is an auction"
    if any(payment.purpose == LOT for payment in run.play.payments):
        return  # The winner is paying for it.
    for seat in auction.bidders:
        if seat not in auction.passed and seat != auction.bidder:
            return  # That seat may still bid.
    lot = auction.lots[0]
    is_deed = lot in run.board.index
    can_place = is_deed or bool(_claims(run, auction.bidder, lot))
    if not auction.bidder or not can_place:
        run.add(d.LotLeft(lot=lot))
        return
    winner, amount = Seat(auction.bidder), auction.amount
    came = "bid" if is_deed else "bid-building"
    payment = Payment(winner, BANK, amount, Reason.PURCHASE, LOT, lot, how=came)
    if run.cash(winner) < amount:
        _sell(run, payment, run.owe)
    elif not run.lays(payment):
        sell_lot(run, payment)


def sell_lot(run: MoveRun, payment: Payment) -> None:
    """Sell the lot that was paid for."""
    _sell(run, payment, run.make)


def _sell(
    run: MoveRun, payment: Payment, move_money: Callable[[Payment], None]
) -> None:
    """Give the lot to the leader, and place it if it is a building.

    *move_money* is ``run.make``, or ``run.owe`` to let the leader owe the price.
    """
    lot, winner = payment.of, payment.payer
    claims = [] if lot in run.board.index else _claims(run, winner, lot)
    run.add(d.LotSold(lot=lot, seat=winner, amount=payment.amount))
    move_money(payment)
    if claims:
        _place_building(run, claims[0], lot)


def _claims(run: MoveRun, seat: str, kind: str) -> list[Want]:
    """List a seat's claims to a kind of building; none if the bank has none left."""
    if not run.play.pieces[run.board.kinds.index(kind)]:
        return []
    return [
        want
        for want in run.play.wants
        if want.seat == seat and wanted_kind(run, want.deed) == kind
    ]


def _place_building(run: MoveRun, want: Want, kind: str) -> None:
    """Put the building where its winner claimed it, and auction the next if needed."""
    index = run.board.index[want.deed]
    level = run.play.levels[index] + 1
    piece = piece_on_top(run.board, index, level)
    run.add(d.BuildingBought(seat=want.seat, deed=want.deed, level=level, piece=piece))
    auction_shortage(run, kind)


def piece_on_top(board: Board, index: int, level: int) -> str:
    """Return the kind of the building of step *level*; empty for a house."""
    kind = board.rules.deeds[index].ladder[level - 1]
    return "" if kind == HOUSE else kind


def wanted_kind(run: MoveRun, deed: DeedId | str) -> str:
    """Return the kind of building that stands next on *deed*; empty if it is full."""
    index = run.board.index[deed]
    ladder, level = run.board.rules.deeds[index].ladder, run.play.levels[index]
    return ladder[level] if level < len(ladder) else ""


def claimed_by_others(run: MoveRun, seat: str, kind: str) -> int:
    """Count the buildings of this kind that seats other than *seat* have claimed."""
    return sum(
        want.seat != seat and wanted_kind(run, want.deed) == kind
        for want in run.play.wants
    )


def is_building_auction(run: MoveRun) -> bool:
    """Return whether seats bid for one of the bank's last buildings now."""
    auction = run.play.auction
    if auction is None or run.play.stage is not Stage.AUCTION:
        return False
    return auction.lots[0] not in run.board.index


def no_sale_while_bidding(board: Board) -> Refused:
    """Refuse to sell anything while seats bid for one of the last buildings."""
    return LAST_BUILDING_RULE.refuses(
        Why.WRONG_STAGE,
        say("nothing is sold while a last building is bid for"),
        say("mortgage a deed of another group")
        if board.rules.mortgage.exists
        else say("trade it"),
    )


def wants_in_group(run: MoveRun, seat: str, index: int) -> bool:
    """Return whether a seat has claimed a building in the group of *index*."""
    board = run.board
    return any(
        want.seat == seat and board.index[want.deed] in board.sites[index]
        for want in run.play.wants
    )


def auction_shortage(run: MoveRun, kind: str) -> None:
    """Auction one building if several seats claim more of its kind than are left.

    It comes before the lots of an auction that is under way. In some boxes (editions of
    the game) bids start at the lowest price of the building on the claimed deeds.
    """
    board, play = run.board, run.play
    left = play.pieces[board.kinds.index(kind)]
    wants = [want for want in play.wants if wanted_kind(run, want.deed) == kind]
    seats = tuple(dict.fromkeys(want.seat for want in wants))
    if not left or len(wants) <= left or len(seats) < 2:
        return
    start = board.rules.auction.start
    if board.rules.auction.is_last_piece_at_price:
        sites = [board.index[want.deed] for want in wants]
        deeds = board.rules.deeds
        start = min(deeds[site].costs[play.levels[site]] or 0 for site in sites)
    later_lots = play.auction.lots if play.auction is not None else ()
    auction = Auction(lots=(kind, *later_lots), bidders=seats, start=start)
    run.add(d.AuctionOpened(auction=auction))


NO_AUCTION = not_now(
    AUCTION_RULE,
    say("nothing is up for auction now"),
    say("play on until something is"),
)
"""Refuses to bid or to pass while there is no auction."""

ROWS = (
    rule(Bid, BIDDING, check_bid, bid, bid_choices, outside=NO_AUCTION),
    rule(
        PassBid,
        {**BIDDING, **BUYING},
        check_pass,
        pass_bid,
        single_choice(PassBid),
        outside=NO_AUCTION,
    ),
)
