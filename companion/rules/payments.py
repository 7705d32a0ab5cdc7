"""Money on the table: it is in hand again once what it was for cannot come about.

Source:
    Cash Decoder's sheet, "Checking for Fake Cash": whoever's note was a fake pays with
    other notes. The Crooked Cash article, "Buy", "Auction", "Deals & Trades", "In Debt
    & Bankruptcy": what happens without other notes. That whoever cannot pay to leave
    jail any more stays there, and that a hotel is not built then, are readings.
"""

from __future__ import annotations

from companion.game import decoder_events as f
from companion.game import play_events as p
from companion.game.move_run import MoveRun
from companion.game.position import OWED
from companion.game.stage import Stage


def withdraw_unpayable(run: MoveRun) -> None:
    """Take back payments for which the payer has too little left.

    Money that was owed is owed again, all of it. Otherwise what it was for is off.
    """
    while run.play.stage is Stage.PAYMENT:
        payment = run.play.payments[0]
        if run.balance(payment.payer) >= payment.amount:
            return
        run.add(f.PaymentWithdrawn(payment=payment))
        if payment.purpose == OWED:
            run.add(
                p.DebtOwed(
                    debtor=payment.payer,
                    creditor=payment.payee,
                    amount=payment.amount,
                    reason=payment.reason,
                )
            )
