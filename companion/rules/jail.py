"""Before rolling: paying to leave jail.

Source:
    Grab & Go's sheet, "Getting out of jail": pay $50 and go on next turn; the standard
    rules in the Mega booklet, "Jail": pay, then roll. Which of the two readings is
    played is the option ``jail_pay``. The Secret Vault article, "Getting Out of Jail";
    Cash Decoder's sheet, "How do I get out of Jail?".
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import Why
from companion.game import play_events as p
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import PayJail
from companion.game.position import FREE, LEAVE_JAIL, Payment
from companion.rules.walking import settle
from companion.units import Account, Seat


def check_pay(run: MoveRun, move: PayJail) -> Why | None:
    """Check that the seat is in jail and has the fine in hand."""
    if run.play.token_of(move.by).tries == FREE:
        return Why.NOT_IN_JAIL
    if run.cash(move.by) < run.board.rules.jail.fine:
        return Why.CANNOT_AFFORD
    return None


def pay(run: MoveRun, move: PayJail) -> None:
    """Pay and leave jail; under some rules the seat rolls only on its next turn."""
    jail = run.board.rules.jail
    payment = Payment(
        Seat(move.by), Account(jail.fine_to), jail.fine, Reason.FINE, LEAVE_JAIL
    )
    if not run.lays(payment):
        leave(run, payment)
    settle(run)


def leave(run: MoveRun, payment: Payment) -> None:
    """Leave jail for the money that was paid."""
    ends_turn = run.board.rules.jail.pay_then == "next-turn"
    run.add(p.JailLeft(seat=payment.payer, how="paid", ends_turn=ends_turn))
    run.pay(payment.payer, payment.payee, payment.amount, Reason.FINE)


def pay_choices(run: MoveRun, seat: str) -> Iterator[PayJail]:
    """Offer the payment, if the seat is in jail."""
    if run.play.token_of(seat).tries != FREE:
        yield PayJail(by=seat)
