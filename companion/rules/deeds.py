"""Buying the deed under the token, mortgaging deeds, and selling them to the bank.

A *deed* is a street, a railroad or a utility. The bank lends money on a deed (a
*mortgage*); to *lift* the mortgage is to pay the loan back with interest. In some boxes
there are no mortgages, and the bank buys streets back for their price instead. With a
decoder, the price lies on the table before it moves; then ``take_bought`` or
``take_lifted`` completes the move.

Source:
    Grab & Go's sheet, "Buying property", "Mortgages", "Selling mortgaged property",
    "Running out of money"; the standard rules in the Mega booklet, "Buying properties",
    "Mortgages", "Selling properties". The Secret Vault article, "Buy", "Owned: By You":
    there the card prints what lifting costs. Cash Decoder's sheet, "Want to buy it?",
    "Collect colour sets!", "Help! I can't pay!": streets go back to the bank for their
    price; the Crooked Cash article, "Buy", "Deals & Trades", "In Debt & Bankruptcy",
    and "Selling": they do at any time. When money is raised for a purchase or a bid:
    "at any time" in the Mega booklet. Our readings: a depot is sold before its railroad
    is mortgaged; half a dollar of interest is rounded up, so that a mortgage of 75
    costs 83 to lift; lifting costs more than the bank lent also where that was a wrong
    figure; a bidder mortgages nothing in the group for which it bids.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import Refused, Why
from companion.game import decoder_events as f  # For "fakes".
from companion.game import deed_events as d
from companion.game import how
from companion.game.board import Board
from companion.game.box_key import key_of
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import Buy, LiftMortgage, Mortgage, PutUp, SellDeed
from companion.game.owning import comes_from_hand
from companion.game.position import BUY, LIFT, LOT, Payment, Position
from companion.game.rulebook import RAILROAD, RuleDeed
from companion.game.stage import OF_THE_TABLE, Stage
from companion.rules.auction import (
    LAST_BUILDING_RULE,
    is_building_auction,
    no_sale_while_bidding,
    open_auction,
    wants_in_group,
)
from companion.rules.rule import (
    BUYING,
    RAISING,
    SELLING,
    WITH_GROUP,
    not_now,
    nothing_against,
    raises_now,
    rule,
    single_choice,
    unaffordable,
    unknown_figure,
    unknown_name,
)
from companion.rules.walking import LOCKED_RULE, settle
from companion.sheets import CROOKED, DECODER, GRAB, SECRET, STANDARD, Told
from companion.units import BANK, DeedId, Dollars, Seat
from companion.words import say
from companion.words.money import dollars_text

BUY_RULE = Told(
    "If you land on a deed that nobody owns, you may buy it at its price.",
    {
        GRAB: "Buying property",
        STANDARD: "Buying properties",
        SECRET: "Buy",
        DECODER: "Want to buy it?",
        CROOKED: "Buy",
    },
)
OWN_RULE = Told(
    "You build on, mortgage and trade only what is yours.",
    {
        GRAB: "Buying property",
        STANDARD: "Buying properties",
        SECRET: "Owned: By You",
        DECODER: "Collect colour sets!",
        CROOKED: "Deals & Trades",
    },
)
MORTGAGE_RULE = Told(
    "The bank lends money on a deed, which earns no rent until you pay it back.",
    {GRAB: "Mortgages", STANDARD: "Mortgages", SECRET: "Owned: By You"},
)
LIFT_RULE = Told(
    "To lift a mortgage you pay back the loan and {percent} percent more.",
    {GRAB: "Mortgages", STANDARD: "Mortgages"},
)
LIFT_LOAN_RULE = Told(
    "Whoever takes a mortgaged deed over and lifts it at once pays the interest once.",
    {GRAB: "Selling mortgaged property", STANDARD: "Mortgages"},
)
LIFT_PRINTED_RULE = Told(
    "To lift a mortgage you pay what the deed says: more than the loan.",
    {SECRET: "Owned: By You"},
)
MORTGAGE_BUILDINGS_RULE = Told(
    "You sell the buildings of a colour before you mortgage one of its streets.",
    {GRAB: "Mortgages", STANDARD: "Mortgages"},
)
HOTELS_OFF_RULE = Told(
    "You take the hotels off a colour before you mortgage one of its streets."
)
DEPOT_FIRST_RULE = Told("You sell a depot before you mortgage its railroad.")
OWING_RULE = Told(
    "A debt is paid first. Until then nobody builds, lifts a mortgage or plays on. "
    "Only the debtor raises money."
)
NO_MORTGAGE_RULE = Told(
    "The bank lends no money on deeds here: it takes streets back.",
    {CROOKED: "Selling"},
)
HOTEL_FIRST_RULE = Told(
    "The hotel goes back to the bank first, for half its price, and then the street.",
    {DECODER: "Help! I can't pay!", CROOKED: "Selling"},
)
NO_STREET_SALE_RULE = Told(
    "The bank takes no deed back: it lends money on it, or another player buys it.",
    {GRAB: "Running out of money", STANDARD: "Selling properties"},
)
STREET_SALE_RULE = Told(
    "The bank takes streets back for their price, to help you pay a debt.",
    {DECODER: "Help! I can't pay!", CROOKED: "In Debt & Bankruptcy"},
)
STREET_SALE_ANY_TIME_RULE = Told(
    "At this table you may sell streets back for their price at any time.",
    {CROOKED: "Selling"},
)


def check_buy(run: MoveRun, move: Buy) -> Refused | None:
    """Check that the deed needs no key, and that its price is known and in hand."""
    deed = run.board.rules.deeds[run.board.index[run.play.awaited]]
    if deed.is_locked:
        return needs_key(deed)
    if deed.price is None:
        return unknown_figure(run.board, deed.id, "price")
    return unaffordable(run, move.by, deed.price)


def nothing_for_sale(run: MoveRun, by: str) -> Refused | None:
    """Refuse to buy, or to put up, what is not for sale where the token stands."""
    index = run.board.deed_at[run.play.token_of(by).space]
    if index is not None and not run.play.owners[index]:
        deed = run.board.rules.deeds[index]
        if deed.is_locked and run.play.stage not in OF_THE_TABLE:
            return needs_key(deed, Why.WRONG_STAGE)
    remedy: str = say("play on until you land on a deed that nobody owns")
    if all(run.play.owners):
        remedy = say("trade for a deed")
    return not_now(BUY_RULE, say("nothing is for sale now"), remedy)(run, by)


def needs_key(deed: RuleDeed, why: Why = Why.LOCKED_DEED) -> Refused:
    """Refuse to sell a deed that only a key opens."""
    return LOCKED_RULE.refuses(
        why,
        say("{deed} is locked", deed=deed.name),
        say("find a key in the vault"),
    )


def buy(run: MoveRun, move: Buy) -> None:
    """Buy the deed for its price."""
    deed = run.board.rules.deeds[run.board.index[run.play.awaited]]
    assert deed.price is not None, "checked before"
    payment = Payment(
        Seat(move.by),
        BANK,
        deed.price,
        Reason.PURCHASE,
        BUY,
        deed.id,
        how=how.write(("price", deed.price)),
    )
    if not run.lays(payment):
        take_bought(run, payment)
    settle(run)


def take_bought(run: MoveRun, payment: Payment) -> None:
    """Take the deed that was paid for."""
    run.add(d.DeedBought(seat=payment.payer, deed=DeedId(payment.of)))
    run.make(payment)


def put_up(run: MoveRun, move: PutUp) -> None:
    """Decline the deed; by the box's rules it goes to auction or stays unsold.

    After a fake in the money for it, call the payment off first; for a lot that was
    won, that is all, and the bidding begins anew.
    """
    if run.play.stage is Stage.PAYMENT:
        payment = run.play.payments[0]
        run.add(f.PaymentWithdrawn(payment=payment, is_chosen=True))
        if payment.purpose == LOT:
            settle(run)
            return
    deed = DeedId(run.play.awaited)
    run.add(d.DeedDeclined(seat=Seat(move.by), deed=deed))
    if run.board.rules.buying.declined == "auction":
        open_auction(run, (deed,))
    settle(run)


def interest(board: Board, principal: Dollars) -> Dollars:
    """Return the bank's interest on *principal*, rounded up to whole dollars."""
    percent = board.rules.mortgage.interest_percent or 0
    return (principal * percent + 99) // 100  # 99 hundredths round up.


def loan_on(board: Board, play: Position, index: int) -> Dollars | None:
    """Return what the bank lent on a mortgaged deed, in dollars; ``None`` if unknown.

    That is what the deed says, unless somebody has typed in another figure since.
    """
    deed = board.rules.deeds[index]
    return dict(play.loans).get(deed.id, deed.mortgage)


def lifting_cost(board: Board, play: Position, index: int) -> Dollars | None:
    """Return what lifting a mortgage costs now, in dollars; ``None`` if unknown.

    Where the deed prints it, it is still more than the bank lent by a wrong figure.
    """
    deed = board.rules.deeds[index]
    if board.rules.mortgage.is_lifting_printed:
        if deed.unmortgage is None:
            return None
        return max(deed.unmortgage, dict(play.loans).get(deed.id, 0) + 1)
    loan = loan_on(board, play, index)
    if loan is None:
        return None
    if deed.id in play.lifted:  # Interest was paid when the deed changed hands.
        return loan
    return loan + interest(board, loan)


def _lifting_steps(board: Board, play: Position, index: int) -> how.Steps:
    """Return the steps to what lifting a mortgage costs now; open after a wrong one."""
    deed, loan = board.rules.deeds[index], loan_on(board, play, index)
    if board.rules.mortgage.is_lifting_printed:
        is_printed = lifting_cost(board, play, index) == deed.unmortgage
        return (("unmortgage", deed.unmortgage if is_printed else None),)
    if deed.id in play.lifted:
        return (("lift-loan", loan),)
    percent = 100 + (board.rules.mortgage.interest_percent or 0)
    return (("lift", loan), ("percent", percent))


def is_lifting_likely(board: Board, index: int) -> bool:
    """Return whether the cost of lifting a mortgage is a *likely* figure.

    It is then that of a similar deed, and nobody has read the real one in the box.
    """
    return board.is_likely(board.rules.deeds[index].id, _lifting_figure(board))


def _lifting_figure(board: Board) -> str:
    """Return the figure on a deed that says what lifting its mortgage costs."""
    return "unmortgage" if board.rules.mortgage.is_lifting_printed else "mortgage"


def check_owned(run: MoveRun, seat: str, deed: str) -> Refused | None:
    """Check that the deed exists in this edition and belongs to the seat."""
    index = run.board.index.get(deed)
    if index is None:
        return unknown_name(run.board, deed)
    owner = run.play.owners[index]
    if owner == seat:
        return None
    return OWN_RULE.refuses(
        Why.NOT_YOURS,
        say("{deed} is not {by}'s", deed=run.board.name_of(deed), by=seat),
        way_to(run, index),
    )


def way_to(run: MoveRun, index: int) -> str:
    """Say how to get a deed of somebody else, or of the bank."""
    deed, owner = run.board.rules.deeds[index], run.play.owners[index]
    if owner and run.play.stage is not Stage.ROLL:
        return say("trade with {owner} for it later", owner=owner)
    if owner:
        return say("trade with {owner} for it", owner=owner)
    if deed.is_locked:
        return say("find a key in the vault")
    return say("buy it when you land there")


def check_mortgage(run: MoveRun, move: Mortgage) -> Refused | None:
    """Check that the deed is the seat's, unmortgaged, with no building in its group."""
    refusal = _check_not_wanted(run, move) or check_mortgageable(run, move)
    if refusal is not None:
        return refusal
    board = run.board
    index = board.index[move.deed]
    if run.play.mortgaged[index]:
        return MORTGAGE_RULE.refuses(
            Why.MORTGAGED,
            say("{deed} is mortgaged already", deed=board.name_of(move.deed)),
            say("choose another deed"),
        )
    built = built_in_group(run, move.by, index)
    if built is not None:
        rule, message, remedy = _in_the_way(board, board.rules.deeds[built])
        return rule.refuses(Why.HAS_BUILDINGS, message, remedy)
    if board.rules.deeds[index].mortgage is None:
        return unknown_figure(board, move.deed, "mortgage")
    return None


def _no_mortgages(run: MoveRun, move: Mortgage | LiftMortgage) -> Refused | None:
    """Refuse to mortgage, or to lift a mortgage, in a box without them."""
    if run.board.rules.mortgage.exists:
        return None
    remedy = say("play on without them")
    sells = buys_streets(run.board) and check_sale_time(run) is None
    if isinstance(move, Mortgage) and sells and raises_now(run.play, move.by):
        remedy = say("sell it to the bank")
    message = say("there are no mortgages in this game")
    return NO_MORTGAGE_RULE.refuses(Why.LIMIT_REACHED, message, remedy)


def check_mortgageable(run: MoveRun, move: Mortgage | LiftMortgage) -> Refused | None:
    """Check that the deed is the seat's, in a box with mortgages."""
    return check_owned(run, move.by, move.deed) or _no_mortgages(run, move)


def other_way(run: MoveRun, seat: str, index: int) -> str:
    """Say how to raise money on a deed of the seat other than to sell there."""
    board, play = run.board, run.play
    built = built_in_group(run, seat, index)
    lends = board.rules.mortgage.exists
    trades = play.stage is not Stage.AUCTION or board.rules.trade.is_any_time
    if not raises_now(play, seat):
        return say("play on without it")
    if lends and built is not None:
        return _in_the_way(board, board.rules.deeds[built])[2]
    if lends and not play.mortgaged[index]:
        return say("mortgage it, or trade it")
    if not play.levels[index] and trades:
        return say("trade it")
    if play.levels[index] and play.stage is Stage.ROLL:
        return say("sell the hotel, then trade it")
    return say("play on without it")


def _in_the_way(board: Board, deed: RuleDeed) -> tuple[Told, str, str]:
    """Return why nobody mortgages beside what stands on *deed*.

    That is the rule, what stands there, and what to do before.
    """
    if comes_from_hand(board):
        return (
            HOTELS_OFF_RULE,
            say("a hotel stands on {deed}", deed=deed.name),
            say("take all hotels of the group back into your hand, then mortgage"),
        )
    if deed.kind == RAILROAD:
        return (
            DEPOT_FIRST_RULE,
            say("{deed} has a depot", deed=deed.name),
            say("sell the depot, then mortgage"),
        )
    return (
        MORTGAGE_BUILDINGS_RULE,
        say("{deed} has buildings", deed=deed.name),
        say("sell the buildings of the group, then mortgage"),
    )


def _check_not_wanted(run: MoveRun, move: Mortgage) -> Refused | None:
    """Refuse to mortgage in a group for which the seat bids for a building now."""
    index = run.board.index.get(move.deed)
    if index is None or not is_building_auction(run):
        return None
    if not wants_in_group(run, move.by, index):
        return None
    return LAST_BUILDING_RULE.refuses(
        Why.WRONG_STAGE,
        say("{by} bids for a building in this group", by=move.by),
        say("mortgage another deed"),
    )


def built_in_group(run: MoveRun, seat: str, index: int) -> int | None:
    """Find a deed in the group of *index* on which the seat has built."""
    play = run.play
    for site in run.board.sites[index]:
        if play.levels[site] and play.owners[site] == seat:
            return site
    return None


def mortgage(run: MoveRun, move: Mortgage) -> None:
    """Turn the deed face down; the bank lends its mortgage value."""
    borrow(run, Seat(move.by), run.board.rules.deeds[run.board.index[move.deed]])


def borrow(run: MoveRun, seat: Seat, deed: RuleDeed) -> None:
    """Mortgage a deed, whose mortgage value must be known."""
    assert deed.mortgage is not None, "checked before"
    is_likely = run.board.is_likely(deed.id, "mortgage")
    is_typed = key_of("deed", deed.id, "mortgage") in run.board.read
    loan = deed.mortgage if is_likely or is_typed else 0
    run.add(d.DeedMortgaged(seat=seat, deed=deed.id, loan=loan))
    run.earn(
        seat,
        deed.mortgage,
        Reason.MORTGAGE,
        how.write(("loan", deed.mortgage)),
        is_likely=is_likely,
    )


def owned(run: MoveRun, seat: str) -> list[int]:
    """List the indexes of a seat's deeds, in board order."""
    return [index for index, owner in enumerate(run.play.owners) if owner == seat]


def mortgage_choices(run: MoveRun, seat: str) -> Iterator[Mortgage]:
    """Offer every deed that the seat owns unmortgaged."""
    for index in owned(run, seat):
        if not run.play.mortgaged[index]:
            yield Mortgage(by=seat, deed=run.board.rules.deeds[index].id)


def check_owes_nothing(run: MoveRun, seat: str) -> Refused | None:
    """Refuse to build or lift mortgages while the seat owes money."""
    if run.play.stage is not Stage.DEBT:
        return None
    return OWING_RULE.refuses(
        Why.WRONG_STAGE,
        say("{by} owes {amount}", by=seat, amount=dollars_text(run.play.owed_by(seat))),
        say("pay that first"),
    )


def check_lift(run: MoveRun, move: LiftMortgage) -> Refused | None:
    """Check that the deed is the seat's, mortgaged, and the money is in hand."""
    refusal = check_owes_nothing(run, move.by) or check_owned(run, move.by, move.deed)
    if refusal is not None:
        return refusal
    board = run.board
    index = board.index[move.deed]
    if not run.play.mortgaged[index]:
        return MORTGAGE_RULE.refuses(
            Why.NOT_MORTGAGED,
            say("{deed} is not mortgaged", deed=board.name_of(move.deed)),
            say("choose a mortgaged deed"),
        )
    cost = lifting_cost(board, run.play, index)
    if cost is None:
        return unknown_figure(board, move.deed, _lifting_figure(board))
    return unaffordable(run, move.by, cost)


def lift(run: MoveRun, move: LiftMortgage) -> None:
    """Turn the deed face up; the bank gets its loan back, with interest."""
    index = run.board.index[move.deed]
    cost = lifting_cost(run.board, run.play, index)
    assert cost is not None, "checked before"
    payment = Payment(
        Seat(move.by),
        BANK,
        cost,
        Reason.MORTGAGE,
        LIFT,
        run.board.rules.deeds[index].id,
        is_likely=is_lifting_likely(run.board, index),
        how=how.write(*_lifting_steps(run.board, run.play, index)),
    )
    if not run.lays(payment):
        take_lifted(run, payment)
    settle(run)  # A group may have waited only for this.


def take_lifted(run: MoveRun, payment: Payment) -> None:
    """Turn the deed face up, and pay its mortgage back."""
    run.add(d.MortgageLifted(seat=payment.payer, deed=DeedId(payment.of)))
    run.make(payment)


def check_sell(run: MoveRun, move: SellDeed) -> Refused | None:
    """Check that the bank buys streets back now, and may buy this one.

    It must be the seat's, unmortgaged and bare, and its price must be known.
    """
    refusal = check_sale_time(run) or check_owned(run, move.by, move.deed)
    if refusal is not None:
        return refusal
    board = run.board
    index = board.index[move.deed]
    name = board.name_of(move.deed)
    if run.play.mortgaged[index]:
        return MORTGAGE_RULE.refuses(
            Why.MORTGAGED, say("{deed} is mortgaged", deed=name), say("lift it first")
        )
    if run.play.levels[index]:
        return HOTEL_FIRST_RULE.refuses(
            Why.HAS_BUILDINGS,
            say("{deed} has a hotel", deed=name),
            say("sell the hotel first, then the street"),
        )
    if sale_price(board, index) is None:
        return unknown_figure(board, move.deed, "price")
    return None


def check_sold(run: MoveRun, move: SellDeed) -> Refused | None:
    """Check that the deed is the seat's, and that the bank buys streets back now."""
    refusal = check_owned(run, move.by, move.deed)
    if refusal is not None or is_building_auction(run):
        return refusal
    refused = check_sale_time(run)
    if refused is not None:
        refused.remedy = other_way(run, move.by, run.board.index[move.deed])
    return refused


ANY_TIME = "any-time"
"""The rulebook's word if streets are sold back at any time, not only in debt."""


def check_sale_time(run: MoveRun) -> Refused | None:
    """Check that the bank buys streets back now: in debt, or at any time."""
    if is_building_auction(run):
        return no_sale_while_bidding(run.board)
    if not buys_streets(run.board):
        return NO_STREET_SALE_RULE.refuses(
            Why.WRONG_STAGE, say("the bank takes no deeds back"), say("trade it")
        )
    sale = run.board.rules.street_sale
    if run.play.stage is Stage.DEBT or (sale and sale.when == ANY_TIME):
        return None
    return STREET_SALE_RULE.refuses(
        Why.WRONG_STAGE,
        say("the bank takes streets back only from whoever is in debt"),
        say("trade it"),
    )


def buys_streets(board: Board) -> bool:
    """Return whether the bank buys streets back in this box."""
    sale = board.rules.street_sale
    return sale is not None and sale.exists


def sale_price(board: Board, index: int) -> Dollars | None:
    """Return what the bank pays for a street.

    It is ``None`` if the price is unknown, or if the bank buys no streets.
    """
    return board.rules.deeds[index].price if buys_streets(board) else None


def sell(run: MoveRun, move: SellDeed) -> None:
    """Give the street back to the bank for its price."""
    sell_to_bank(run, Seat(move.by), run.board.index[move.deed])
    settle(run)


def sell_to_bank(run: MoveRun, seat: Seat, index: int) -> None:
    """Give a deed back to the bank, which pays its price if it is known."""
    run.add(d.DeedSold(seat=seat, deed=run.board.rules.deeds[index].id))
    price = sale_price(run.board, index) or 0
    run.earn(seat, price, Reason.SALE, how.write(("sold-street", price)))


def sell_choices(run: MoveRun, seat: str) -> Iterator[SellDeed]:
    """Offer every deed of the seat, in boxes where the bank buys deeds back."""
    if buys_streets(run.board):
        for index in owned(run, seat):
            yield SellDeed(by=seat, deed=run.board.rules.deeds[index].id)


def lift_choices(run: MoveRun, seat: str) -> Iterator[LiftMortgage]:
    """Offer every mortgaged deed that the seat owns."""
    for index in owned(run, seat):
        if run.play.mortgaged[index]:
            yield LiftMortgage(by=seat, deed=run.board.rules.deeds[index].id)


ROWS = (
    rule(Buy, BUYING, check_buy, buy, single_choice(Buy), outside=nothing_for_sale),
    rule(
        PutUp,
        BUYING,
        nothing_against,
        put_up,
        single_choice(PutUp),
        outside=nothing_for_sale,
    ),
    rule(SellDeed, SELLING, check_sell, sell, sell_choices, lacks=check_sold),
    rule(
        Mortgage,
        RAISING,
        check_mortgage,
        mortgage,
        mortgage_choices,
        lacks=check_mortgageable,
    ),
    rule(
        LiftMortgage,
        WITH_GROUP,
        check_lift,
        lift,
        lift_choices,
        lacks=check_mortgageable,
    ),
)
