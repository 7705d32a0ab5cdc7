"""Buying the deed one stands on, and borrowing on deeds.

Source:
    Grab & Go's sheet, "Buying property", "Mortgages"; the standard rules in the
    Mega booklet, "Buying properties", "Mortgages". That half a dollar of interest
    is rounded up is the project's reading: 75 costs 83 to lift. The Secret Vault
    article, "Buy", "Owned: By You": there the card prints what lifting costs. Cash
    Decoder's sheet, "Help! I can't pay!": streets go back to the bank for their price.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import Why
from companion.game import deed_events as d
from companion.game.board import Board
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import Buy, LiftMortgage, Mortgage, PutUp, SellDeed
from companion.game.position import BUY, LIFT, Payment, Position
from companion.game.stage import Stage
from companion.rules.auction import open_auction
from companion.rules.walking import settle
from companion.units import BANK, DeedId, Dollars, Seat


def check_buy(run: MoveRun, move: Buy) -> Why | None:
    """Check that the deed needs no key, and that its price is known and in hand."""
    deed = run.board.rules.deeds[run.board.index[run.play.awaited]]
    if deed.is_locked:
        return Why.LOCKED_DEED
    if deed.price is None:
        return Why.UNKNOWN_FIGURE
    return Why.CANNOT_AFFORD if run.cash(move.by) < deed.price else None


def buy(run: MoveRun, move: Buy) -> None:
    """Buy the deed for its price."""
    deed = run.board.rules.deeds[run.board.index[run.play.awaited]]
    assert deed.price is not None, "checked before"
    payment = Payment(Seat(move.by), BANK, deed.price, Reason.PURCHASE, BUY, deed.id)
    if not run.lays(payment):
        take_bought(run, payment)
    settle(run)


def take_bought(run: MoveRun, payment: Payment) -> None:
    """Take the deed that was paid for."""
    run.add(d.DeedBought(seat=payment.payer, deed=DeedId(payment.of)))
    run.pay(payment.payer, BANK, payment.amount, Reason.PURCHASE)


def buy_choices(_run: MoveRun, seat: str) -> Iterator[Buy]:
    """Offer to buy the deed on which the token stands."""
    yield Buy(by=seat)


def check_put_up(_run: MoveRun, _move: PutUp) -> Why | None:
    """Always allow it: nobody has to buy."""
    return None


def put_up(run: MoveRun, move: PutUp) -> None:
    """Decline the deed: all may bid for it, or the bank keeps it, as the rules say."""
    deed = DeedId(run.play.awaited)
    run.add(d.DeedDeclined(seat=Seat(move.by), deed=deed))
    if run.board.rules.buying.declined == "auction":
        open_auction(run, (deed,))
    settle(run)


def put_up_choices(_run: MoveRun, seat: str) -> Iterator[PutUp]:
    """Offer to decline the deed on which the token stands."""
    yield PutUp(by=seat)


def interest(board: Board, principal: Dollars) -> Dollars:
    """The bank's interest on *principal*, rounded up to whole dollars."""
    percent = board.rules.mortgage.interest_percent or 0
    return -(-principal * percent // 100)


def lifting_cost(board: Board, play: Position, at: int) -> Dollars | None:
    """What paying a mortgage back costs now; ``None`` if nobody knows."""
    deed = board.rules.deeds[at]
    if board.rules.mortgage.is_lifting_printed:
        return deed.unmortgage
    if deed.mortgage is None:
        return None
    if deed.id in play.lifted:  # Interest was paid when the deed changed hands.
        return deed.mortgage
    return deed.mortgage + interest(board, deed.mortgage)


def is_lifting_likely(board: Board, at: int) -> bool:
    """Whether nobody knows what paying a mortgage back costs, and it is played with."""
    is_printed = board.rules.mortgage.is_lifting_printed
    deed = board.rules.deeds[at].id
    return board.is_likely(deed, "unmortgage" if is_printed else "mortgage")


def check_owned(run: MoveRun, seat: str, deed: str) -> Why | None:
    """Check that the deed exists in this edition and belongs to the seat."""
    at = run.board.index.get(deed)
    if at is None:
        return Why.MALFORMED
    return None if run.play.owners[at] == seat else Why.NOT_YOURS


def check_mortgage(run: MoveRun, move: Mortgage) -> Why | None:
    """Check that the seat owns it unmortgaged, with no building of its own there."""
    wrong = check_owned(run, move.by, move.deed)
    if wrong is not None:
        return wrong
    board, play = run.board, run.play
    at = board.index[move.deed]
    if play.mortgaged[at]:
        return Why.MORTGAGED
    if any(play.levels[i] for i in board.sites[at] if play.owners[i] == move.by):
        return Why.HAS_BUILDINGS
    if not board.rules.mortgage.exists:
        return Why.LIMIT_REACHED
    return Why.UNKNOWN_FIGURE if board.rules.deeds[at].mortgage is None else None


def mortgage(run: MoveRun, move: Mortgage) -> None:
    """Turn the deed face down; the bank lends its mortgage value."""
    deed = run.board.rules.deeds[run.board.index[move.deed]]
    assert deed.mortgage is not None, "checked before"
    is_likely = run.board.is_likely(deed.id, "mortgage")
    run.add(d.DeedMortgaged(seat=Seat(move.by), deed=deed.id))
    run.earn(move.by, deed.mortgage, Reason.MORTGAGE, is_likely=is_likely)


def owned(run: MoveRun, seat: str) -> list[int]:
    """The indexes of a seat's deeds, in board order."""
    return [at for at, owner in enumerate(run.play.owners) if owner == seat]


def mortgage_choices(run: MoveRun, seat: str) -> Iterator[Mortgage]:
    """Offer every deed that the seat owns unmortgaged."""
    for at in owned(run, seat):
        if not run.play.mortgaged[at]:
            yield Mortgage(by=seat, deed=run.board.rules.deeds[at].id)


def check_lift(run: MoveRun, move: LiftMortgage) -> Why | None:
    """Check that the seat owns it mortgaged, with what lifting costs in hand."""
    wrong = check_owned(run, move.by, move.deed)
    if wrong is not None:
        return wrong
    at = run.board.index[move.deed]
    if not run.play.mortgaged[at]:
        return Why.NOT_MORTGAGED
    cost = lifting_cost(run.board, run.play, at)
    if cost is None:
        return Why.UNKNOWN_FIGURE
    return Why.CANNOT_AFFORD if run.cash(move.by) < cost else None


def lift(run: MoveRun, move: LiftMortgage) -> None:
    """Turn the deed face up; the bank gets its loan back, with interest."""
    at = run.board.index[move.deed]
    cost = lifting_cost(run.board, run.play, at)
    assert cost is not None, "checked before"
    payment = Payment(
        Seat(move.by),
        BANK,
        cost,
        Reason.MORTGAGE,
        LIFT,
        run.board.rules.deeds[at].id,
        is_likely=is_lifting_likely(run.board, at),
    )
    if not run.lays(payment):
        take_lifted(run, payment)
    settle(run)  # It may have been all that a group waited for.


def take_lifted(run: MoveRun, payment: Payment) -> None:
    """Turn the deed face up whose mortgage was paid back."""
    run.add(d.MortgageLifted(seat=payment.payer, deed=DeedId(payment.of)))
    run.pay(
        payment.payer,
        BANK,
        payment.amount,
        Reason.MORTGAGE,
        is_likely=payment.is_likely,
    )


def check_sell(run: MoveRun, move: SellDeed) -> Why | None:
    """Check that the rules buy streets back now, that it is bare and has a price."""
    sale = run.board.rules.street_sale
    is_for_debt = run.play.stage is Stage.DEBT
    if sale is None or not sale.exists or not (is_for_debt or sale.when == ANY_TIME):
        return Why.WRONG_STAGE
    wrong = check_owned(run, move.by, move.deed)
    if wrong is not None:
        return wrong
    at = run.board.index[move.deed]
    if run.play.mortgaged[at]:
        return Why.MORTGAGED
    if run.play.levels[at]:
        return Why.HAS_BUILDINGS
    return None if sale_price(run.board, at) is not None else Why.UNKNOWN_FIGURE


ANY_TIME = "any-time"
"""When streets are sold back, if not only in debt."""


def sale_price(board: Board, at: int) -> Dollars | None:
    """What the bank pays for a street; ``None`` if nobody knows, or it buys none."""
    sale = board.rules.street_sale
    return board.rules.deeds[at].price if sale is not None and sale.exists else None


def sell(run: MoveRun, move: SellDeed) -> None:
    """Give the street back to the bank for its price."""
    sell_to_bank(run, Seat(move.by), run.board.index[move.deed])
    settle(run)


def sell_to_bank(run: MoveRun, seat: Seat, at: int) -> None:
    """Give the deed at *at* back to the bank, which pays its price if it is known."""
    run.add(d.DeedSold(seat=seat, deed=run.board.rules.deeds[at].id))
    run.earn(seat, sale_price(run.board, at) or 0, Reason.SALE)


def sell_choices(run: MoveRun, seat: str) -> Iterator[SellDeed]:
    """Offer every deed of the seat, where the bank buys any back."""
    sale = run.board.rules.street_sale
    if sale is not None and sale.exists:
        for at in owned(run, seat):
            yield SellDeed(by=seat, deed=run.board.rules.deeds[at].id)


def lift_choices(run: MoveRun, seat: str) -> Iterator[LiftMortgage]:
    """Offer every mortgaged deed that the seat owns."""
    for at in owned(run, seat):
        if run.play.mortgaged[at]:
            yield LiftMortgage(by=seat, deed=run.board.rules.deeds[at].id)
