"""Buying the deed one stands on, and borrowing on deeds.

Source:
    Grab & Go's sheet, "Buying property", "Mortgages"; the standard rules in the
    Mega booklet, "Buying properties", "Mortgages". That half a dollar of interest
    is rounded up is the project's reading: 75 costs 83 to lift. The Secret Vault
    article, "Owned: By You": there the card prints what lifting costs.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion import deed_events as d
from companion.board import Board
from companion.course import Course
from companion.errors import Why
from companion.ledger import Reason
from companion.moves import Buy, LiftMortgage, Mortgage, PutUp
from companion.position import Position
from companion.rules.auction import open_auction
from companion.rules.walking import settle
from companion.units import BANK, DeedId, Dollars, Seat


def check_buy(course: Course, move: Buy) -> Why | None:
    """The price is known and in hand."""
    deed = course.board.rules.deeds[course.board.index[course.play.awaited]]
    if deed.is_locked:
        return Why.LOCKED_DEED
    if deed.price is None:
        return Why.UNKNOWN_FIGURE
    return Why.CANNOT_AFFORD if course.cash(move.by) < deed.price else None


def buy(course: Course, move: Buy) -> None:
    """The deed for its price."""
    deed = course.board.rules.deeds[course.board.index[course.play.awaited]]
    course.add(d.DeedBought(seat=Seat(move.by), deed=deed.id))
    course.pay(move.by, BANK, deed.price or 0, Reason.PURCHASE)
    settle(course)


def buy_choices(_course: Course, seat: str) -> Iterator[Buy]:
    """The one on which the token stands."""
    yield Buy(by=seat)


def check_put_up(_course: Course, _move: PutUp) -> Why | None:
    """Nobody has to buy."""
    return None


def put_up(course: Course, move: PutUp) -> None:
    """Everybody may bid, the one who declined too; elsewhere the bank keeps it."""
    deed = DeedId(course.play.awaited)
    course.add(d.DeedDeclined(seat=Seat(move.by), deed=deed))
    if course.board.rules.declined == "auction":
        open_auction(course, (deed,))
    settle(course)


def put_up_choices(_course: Course, seat: str) -> Iterator[PutUp]:
    """The one on which the token stands."""
    yield PutUp(by=seat)


def interest(board: Board, principal: Dollars) -> Dollars:
    """What the bank takes for lending that much; part of a dollar counts whole."""
    return -(-principal * board.rules.interest_percent // 100)


def lifting_cost(board: Board, play: Position, at: int) -> Dollars | None:
    """What paying a mortgage back costs now; ``None`` if nobody knows."""
    deed = board.rules.deeds[at]
    if board.rules.is_lifting_printed:
        return deed.unmortgage
    if deed.mortgage is None:
        return None
    if deed.id in play.lifted:  # The interest was paid when it changed hands.
        return deed.mortgage
    return deed.mortgage + interest(board, deed.mortgage)


def check_owned(course: Course, seat: str, deed: str) -> Why | None:
    """A deed of this edition, and the seat's own."""
    at = course.board.index.get(deed)
    if at is None:
        return Why.MALFORMED
    return None if course.play.owners[at] == seat else Why.NOT_YOURS


def check_mortgage(course: Course, move: Mortgage) -> Why | None:
    """One's own, not mortgaged yet, with no building of one's own in its group."""
    wrong = check_owned(course, move.by, move.deed)
    if wrong is not None:
        return wrong
    board, play = course.board, course.play
    at = board.index[move.deed]
    if play.mortgaged[at]:
        return Why.MORTGAGED
    if any(play.levels[i] for i in board.members[at] if play.owners[i] == move.by):
        return Why.HAS_BUILDINGS
    if not board.rules.has_mortgages:
        return Why.LIMIT_REACHED
    return Why.UNKNOWN_FIGURE if board.rules.deeds[at].mortgage is None else None


def mortgage(course: Course, move: Mortgage) -> None:
    """The deed is turned face down; the bank lends."""
    deed = course.board.rules.deeds[course.board.index[move.deed]]
    course.add(d.DeedMortgaged(seat=Seat(move.by), deed=deed.id))
    course.earn(move.by, deed.mortgage or 0, Reason.MORTGAGE)


def owned(course: Course, seat: str) -> list[int]:
    """The places of a seat's deeds, in board order."""
    return [at for at, owner in enumerate(course.play.owners) if owner == seat]


def mortgage_choices(course: Course, seat: str) -> Iterator[Mortgage]:
    """Every deed of one's own."""
    for at in owned(course, seat):
        if not course.play.mortgaged[at]:
            yield Mortgage(by=seat, deed=course.board.rules.deeds[at].id)


def check_lift(course: Course, move: LiftMortgage) -> Why | None:
    """One's own, mortgaged, with principal and interest in hand."""
    wrong = check_owned(course, move.by, move.deed)
    if wrong is not None:
        return wrong
    at = course.board.index[move.deed]
    if not course.play.mortgaged[at]:
        return Why.NOT_MORTGAGED
    cost = lifting_cost(course.board, course.play, at)
    if cost is None:
        return Why.UNKNOWN_FIGURE
    return Why.CANNOT_AFFORD if course.cash(move.by) < cost else None


def lift(course: Course, move: LiftMortgage) -> None:
    """The deed is turned face up; the bank gets its money and the interest."""
    at = course.board.index[move.deed]
    cost = lifting_cost(course.board, course.play, at)
    deed = course.board.rules.deeds[at].id
    course.add(d.MortgageLifted(seat=Seat(move.by), deed=deed))
    course.pay(move.by, BANK, cost or 0, Reason.MORTGAGE)


def lift_choices(course: Course, seat: str) -> Iterator[LiftMortgage]:
    """Every mortgaged deed of one's own."""
    for at in owned(course, seat):
        if course.play.mortgaged[at]:
            yield LiftMortgage(by=seat, deed=course.board.rules.deeds[at].id)
