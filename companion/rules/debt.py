"""Debts: raising the money, paying, and giving up.

Source:
    Grab & Go's sheet, "Running out of money", "Bankruptcy"; the standard rules in
    the Mega booklet, "Bankruptcy". Buildings go back to the bank at half price
    for the creditor's sake. That whoever owes several seats at once hands all to
    the one owed longest is a reading, and that loose hotels go with the deeds. Cash
    Decoder's sheet, "Help! I can't pay!": hotels and streets are sold to the bank, and
    the creditor gets the cards.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import Why
from companion.game import deed_events as d
from companion.game import play_events as p
from companion.game import vault_contents_events as r
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import DeclareBankrupt, PayDebt, Resign
from companion.game.position import DEBT, Debt, Payment
from companion.rules.auction import open_auction, without_bidder
from companion.rules.buildings import is_sale_known, sale_value
from companion.rules.deeds import owned, sale_price, sell_to_bank
from companion.rules.ending import end_if_over
from companion.rules.tickets import pass_tickets
from companion.rules.trade import pass_deed
from companion.rules.walking import settle
from companion.units import BANK, VAULT, Account, Dollars, Seat


def debts_of(run: MoveRun, seat: str) -> tuple[Debt, ...]:
    """What *seat* owes, the oldest first."""
    return tuple(debt for debt in run.play.debts if debt.debtor == seat)


def check_pay(run: MoveRun, move: PayDebt) -> Why | None:
    """Check that the seat can pay its oldest debt in full."""
    first = debts_of(run, move.by)[0]
    return Why.CANNOT_AFFORD if run.cash(move.by) < first.amount else None


def pay(run: MoveRun, move: PayDebt) -> None:
    """Pay the oldest debt, then each further one for which the money lasts."""
    for debt in debts_of(run, move.by):
        if run.cash(move.by) < debt.amount:
            break
        payment = Payment(debt.debtor, debt.creditor, debt.amount, debt.reason, DEBT)
        if run.lays(payment):
            break  # The next one waits until this one is handed over.
        settle_debt(run, payment)
    settle(run)


def settle_debt(run: MoveRun, payment: Payment) -> None:
    """Settle the oldest debt of the payer with the money that was paid."""
    run.add(p.DebtPaid(debtor=payment.payer))
    run.pay(payment.payer, payment.payee, payment.amount, payment.reason)


def pay_choices(_run: MoveRun, seat: str) -> Iterator[PayDebt]:
    """Offer to pay."""
    yield PayDebt(by=seat)


def raisable(run: MoveRun, seat: str) -> Dollars:
    """All the money a seat could raise: in hand, from buildings, deeds, mortgages."""
    board, play = run.board, run.play
    total = run.cash(seat)
    for at in owned(run, seat):
        total += sale_value(board, play, at, 0)
        if is_sale_known(board, play, at, 0) and not play.mortgaged[at]:
            total += sale_price(board, at) or 0
        if board.rules.mortgage.exists and not play.mortgaged[at]:
            total += board.rules.deeds[at].mortgage or 0
    return total


def check_declare(run: MoveRun, move: DeclareBankrupt) -> Why | None:
    """Check that the seat cannot raise what it owes."""
    owed = run.play.owed_by(move.by)
    return Why.CAN_STILL_PAY if raisable(run, move.by) >= owed else None


def declare(run: MoveRun, move: DeclareBankrupt) -> None:
    """Hand everything to the creditor owed longest; the seat is out of the game."""
    seat = Seat(move.by)
    _leave(run, seat, debts_of(run, seat)[0].creditor, has_resigned=False)


def declare_choices(_run: MoveRun, seat: str) -> Iterator[DeclareBankrupt]:
    """Offer to declare bankruptcy."""
    yield DeclareBankrupt(by=seat)


def check_resign(_run: MoveRun, _move: Resign) -> Why | None:
    """Always allow it: nobody has to stay."""
    return None


def resign(run: MoveRun, move: Resign) -> None:
    """Leave the game; everything goes to the bank, as in a bankruptcy."""
    _leave(run, Seat(move.by), BANK, has_resigned=True)


def resign_choices(_run: MoveRun, seat: str) -> Iterator[Resign]:
    """Offer to leave."""
    yield Resign(by=seat)


def _leave(run: MoveRun, seat: Seat, creditor: Account, *, has_resigned: bool) -> None:
    run.add(p.SeatBankrupted(seat=seat, creditor=creditor, has_resigned=has_resigned))
    _sell_buildings(run, seat)
    _sell_deeds(run, seat)
    run.pay(seat, creditor, run.cash(seat), Reason.LEAVING)
    without_bidder(run, seat)
    _pass_hotels(run, seat, creditor)
    if creditor in (BANK, VAULT):
        _return_all(run, seat)
    else:
        _hand_all(run, seat, Seat(creditor))
    if not end_if_over(run):
        settle(run)


def _sell_buildings(run: MoveRun, seat: Seat) -> None:
    for at in owned(run, seat):
        board, play = run.board, run.play
        if play.levels[at]:
            value = sale_value(board, play, at, 0)
            deed = board.rules.deeds[at].id
            run.add(d.BuildingSold(seat=seat, deed=deed, level=0, is_all=True))
            run.earn(seat, value, Reason.SALE)


def _sell_deeds(run: MoveRun, seat: Seat) -> None:
    """Sell all deeds to the bank for the creditor's sake, where it buys any back."""
    sale = run.board.rules.street_sale
    if sale is not None and sale.exists:
        for at in owned(run, seat):
            sell_to_bank(run, seat, at)


def _pass_hotels(run: MoveRun, seat: Seat, creditor: str) -> None:
    count = run.play.token_of(seat).hotels
    if count:
        taker = BANK if creditor == VAULT else Account(creditor)
        run.add(r.HotelsPassed(giver=seat, taker=taker, count=count))


def _hand_all(run: MoveRun, seat: Seat, creditor: Seat) -> None:
    """Hand cards and deeds to a creditor, who pays interest on mortgaged deeds."""
    for card in run.play.token_of(seat).cards:
        run.add(p.CardPassed(card=card, giver=seat, taker=creditor))
    pass_tickets(run, seat, Account(creditor), run.play.token_of(seat).tickets)
    for at in owned(run, seat):
        pass_deed(run, run.board.rules.deeds[at].id, creditor)


def _return_all(run: MoveRun, seat: Seat) -> None:
    """Return cards to their decks and deeds to the bank, which may auction them."""
    for card in run.play.token_of(seat).cards:
        run.add(p.CardReturned(seat=seat, card=card))
    pass_tickets(run, seat, BANK, run.play.token_of(seat).tickets)
    deeds = tuple(run.board.rules.deeds[at].id for at in owned(run, seat))
    for deed in deeds:
        run.add(d.DeedReturned(deed=deed))
    locked = {deed.id for deed in run.board.rules.deeds if deed.is_locked}
    deeds = tuple(deed for deed in deeds if deed not in locked)
    is_over = len(run.play.playing()) < 2
    if deeds and not is_over and run.board.rules.bankruptcy.to_bank == "auction":
        open_auction(run, deeds)
