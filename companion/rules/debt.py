"""Owing: raising the money, paying, and giving up.

Source:
    Grab & Go's sheet, "Running out of money", "Bankruptcy"; the standard rules in
    the Mega booklet, "Bankruptcy". Buildings go back to the bank at half price
    for the creditor's sake. That whoever owes several seats at once hands all to
    the one owed longest is a reading, and that loose hotels go with the deeds.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion import deed_events as d
from companion import play_events as p
from companion import riches_events as r
from companion.course import Course
from companion.errors import Why
from companion.ledger import Reason
from companion.moves import DeclareBankrupt, PayDebt, Resign
from companion.position import Debt
from companion.rules.auction import open_auction, without_bidder
from companion.rules.buildings import sale_value
from companion.rules.deeds import owned
from companion.rules.ending import end_if_over
from companion.rules.trade import pass_deed
from companion.rules.walking import settle, token_of
from companion.units import BANK, VAULT, Account, Dollars, Seat


def debts_of(course: Course, seat: str) -> tuple[Debt, ...]:
    """What *seat* owes, the oldest first."""
    return tuple(debt for debt in course.play.debts if debt.debtor == seat)


def check_pay(course: Course, move: PayDebt) -> Why | None:
    """The oldest debt can be paid whole."""
    first = debts_of(course, move.by)[0]
    return Why.CANNOT_AFFORD if course.cash(move.by) < first.amount else None


def pay(course: Course, move: PayDebt) -> None:
    """The oldest debt, and each further one that the money lasts for."""
    for debt in debts_of(course, move.by):
        if course.cash(move.by) < debt.amount:
            break
        course.add(p.DebtPaid(debtor=debt.debtor))
        course.pay(debt.debtor, debt.creditor, debt.amount, debt.reason)
    settle(course)


def pay_choices(_course: Course, seat: str) -> Iterator[PayDebt]:
    """The one way to pay."""
    yield PayDebt(by=seat)


def raisable(course: Course, seat: str) -> Dollars:
    """All the money a seat could have: in hand, for buildings, on its deeds."""
    board, play = course.board, course.play
    total = course.cash(seat)
    for at in owned(course, seat):
        total += sale_value(board, play, at, 0)
        if board.rules.has_mortgages and not play.mortgaged[at]:
            total += board.rules.deeds[at].mortgage or 0
    return total


def check_declare(course: Course, move: DeclareBankrupt) -> Why | None:
    """Only when the debt cannot be raised."""
    owed = course.play.owed_by(move.by)
    return Why.CAN_STILL_PAY if raisable(course, move.by) >= owed else None


def declare(course: Course, move: DeclareBankrupt) -> None:
    """Everything to the creditor."""
    seat = Seat(move.by)
    _leave(course, seat, debts_of(course, seat)[0].creditor, has_resigned=False)


def declare_choices(_course: Course, seat: str) -> Iterator[DeclareBankrupt]:
    """The one way to give up."""
    yield DeclareBankrupt(by=seat)


def check_resign(_course: Course, _move: Resign) -> Why | None:
    """Nobody has to stay."""
    return None


def resign(course: Course, move: Resign) -> None:
    """As a bankruptcy to the bank."""
    _leave(course, Seat(move.by), BANK, has_resigned=True)


def resign_choices(_course: Course, seat: str) -> Iterator[Resign]:
    """The one way to leave."""
    yield Resign(by=seat)


def _leave(
    course: Course, seat: Seat, creditor: Account, *, has_resigned: bool
) -> None:
    course.add(
        p.SeatBankrupted(seat=seat, creditor=creditor, has_resigned=has_resigned)
    )
    _sell_buildings(course, seat)
    course.pay(seat, creditor, course.cash(seat), Reason.LEAVING)
    without_bidder(course, seat)
    _pass_hotels(course, seat, creditor)
    if creditor in (BANK, VAULT):
        _return_all(course, seat)
    else:
        _hand_all(course, seat, Seat(creditor))
    if not end_if_over(course):
        settle(course)


def _sell_buildings(course: Course, seat: Seat) -> None:
    for at in owned(course, seat):
        board, play = course.board, course.play
        if play.levels[at]:
            value = sale_value(board, play, at, 0)
            deed = board.rules.deeds[at].id
            course.add(d.BuildingSold(seat=seat, deed=deed, level=0, is_all=True))
            course.earn(seat, value, Reason.SALE)


def _pass_hotels(course: Course, seat: Seat, creditor: str) -> None:
    count = token_of(course, seat).hotels
    if count:
        taker = BANK if creditor == VAULT else creditor
        course.add(r.HotelsPassed(giver=seat, taker=taker, count=count))


def _hand_all(course: Course, seat: Seat, creditor: Seat) -> None:
    """Cards and deeds to a seat, which pays the interest on the mortgaged ones."""
    for card in token_of(course, seat).cards:
        course.add(p.CardPassed(card=card, giver=seat, taker=creditor))
    for at in owned(course, seat):
        pass_deed(course, course.board.rules.deeds[at].id, creditor)


def _return_all(course: Course, seat: Seat) -> None:
    """Cards under their decks; deeds to the bank, which auctions what it sells."""
    for card in token_of(course, seat).cards:
        course.add(p.CardReturned(seat=seat, card=card))
    deeds = tuple(course.board.rules.deeds[at].id for at in owned(course, seat))
    for deed in deeds:
        course.add(d.DeedReturned(deed=deed))
    locked = {deed.id for deed in course.board.rules.deeds if deed.is_locked}
    deeds = tuple(deed for deed in deeds if deed not in locked)
    is_over = len(course.play.playing()) < 2
    if deeds and not is_over and course.board.rules.to_bank == "auction":
        open_auction(course, deeds)
