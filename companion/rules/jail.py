"""Paying the fine to leave jail, before rolling.

The other ways out are doubles (``turn.py``) and a card (``kept_cards.py``). A token
counts its *tries*, the failed attempts to roll doubles; ``FREE`` means that it is not
in jail. The rulebook says who gets the *fine*, before which rolls it may be paid, and
whether the seat rolls at once or only on its next turn.

Source:
    Grab & Go's sheet, "Getting out of jail": pay $50 and go on next turn; the standard
    rules in the Mega booklet, "Jail": pay, then roll. The option ``jail_pay`` chooses
    between the two. The Secret Vault article, "Getting Out of Jail";
    Cash Decoder's sheet, "How do I get out of Jail?"; the Crooked Cash article, "Jail".
"""

from __future__ import annotations

from companion.errors import Refused, Why
from companion.game import play_events as p
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import PayJail
from companion.game.position import FREE, LEAVE_JAIL, Payment
from companion.game.stage import Stage
from companion.rules.rule import Who, rule, single_choice, unaffordable
from companion.rules.walking import settle
from companion.sheets import CROOKED, DECODER, GRAB, SECRET, STANDARD, Told
from companion.units import Account, Seat
from companion.words import say

OUT_OF_JAIL = {
    GRAB: "Getting out of jail",
    STANDARD: "Jail",
    SECRET: "Getting Out of Jail",
    DECODER: "How do I get out of Jail?",
    CROOKED: "Jail",
}
"""Where each sheet says how somebody leaves jail."""

FINE_RULE = Told(
    "Leaving jail costs {fine}, unless a card or doubles get you out.", OUT_OF_JAIL
)
FINE_TURNS_RULE = Told(
    "You pay before one of your first rolls in jail. On your last turn you roll first.",
    {STANDARD: "Jail"},
)
IN_JAIL_RULE = Told(
    "You leave jail by paying, by a card for that, or by doubles.", OUT_OF_JAIL
)


def check_pay(run: MoveRun, move: PayJail) -> Refused | None:
    """Check that the seat is in jail, may still pay, and has the fine in hand."""
    rules, tries = run.board.rules.jail, run.play.token_of(move.by).tries
    if tries == FREE:
        return not_in_jail(move.by)
    if rules.fine_turns is not None and tries >= rules.fine_turns:
        return FINE_TURNS_RULE.refuses(
            Why.WRONG_STAGE,
            say(
                "the fine is only paid before the first {turns} rolls",
                turns=rules.fine_turns,
            ),
            say("roll: without doubles you pay it then"),
        )
    return unaffordable(run, move.by, rules.fine)


def in_jail(seat: str) -> Refused:
    """Refuse a move because the seat is in jail."""
    return IN_JAIL_RULE.refuses(
        Why.IN_JAIL, say("{by} is in jail", by=seat), say("leave jail first")
    )


def not_in_jail(seat: str) -> Refused:
    """Refuse to let out a seat that is not in jail."""
    return IN_JAIL_RULE.refuses(
        Why.NOT_IN_JAIL, say("{by} is not in jail", by=seat), say("roll")
    )


def pay(run: MoveRun, move: PayJail) -> None:
    """Pay the fine and leave, now or once the money on the table is handed over."""
    jail = run.board.rules.jail
    payment = Payment(
        Seat(move.by), Account(jail.fine_to), jail.fine, Reason.FINE, LEAVE_JAIL
    )
    if not run.lays(payment):
        leave(run, payment)
    settle(run)


def leave(run: MoveRun, payment: Payment) -> None:
    """Leave jail for this payment; in some boxes that ends the turn."""
    ends_turn = run.board.rules.jail.pay_then == "next-turn"
    run.add(p.JailLeft(seat=payment.payer, how="paid", ends_turn=ends_turn))
    run.make(payment)


def _is_in_jail(run: MoveRun, seat: str) -> bool:
    return run.play.token_of(seat).is_jailed


ROWS = (
    rule(
        PayJail,
        {Stage.ROLL: Who.MOVER},
        check_pay,
        pay,
        single_choice(PayJail, _is_in_jail),
    ),
)
