"""What lies on the table: handing it over, and looking whether it is a fake.

The companion never knows which notes and cards are fake: it hears it when somebody has
looked. Everything that a seat pays lies on the table before it moves, and so does a
card that may be a fake before it is used.

Source:
    Cash Decoder's sheet, "Decoder Chips", "Checking for Fake Cash", "Checking for Fake
    Chance Cards", "Go to Jail"; the Crooked Cash article, "Inspecting for Fake Cash",
    "Inspecting for Fake Chance Cards", "Decoder Chips". Whether whoever is paid may
    look is the option ``payee_inspects``. That change is looked at as part of the
    payment it is change for is a reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.errors import Why
from companion.examining import FAKE, REAL, UNSURE
from companion.game import decoder_events as f
from companion.game import play_events as p
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import GiveVerdict, HandOver, Inspect
from companion.game.position import (
    BUILD,
    BUY,
    DEAL,
    DEBT,
    FREE,
    LEAVE_JAIL,
    LIFT,
    LOT,
    OWED,
    Payment,
)
from companion.game.rulebook import RuleDecoder
from companion.game.stage import Stage
from companion.rules import auction, buildings, debt, deeds, jail, trade
from companion.rules.kept_cards import take_effect
from companion.rules.rule import Choice, Range
from companion.rules.walking import settle
from companion.units import Seat

VERDICTS = (REAL, FAKE, UNSURE)
"""What the decoder may show."""


def decoder_of(run: MoveRun) -> RuleDecoder:
    """The decoder's figures in a game that has one."""
    decoder = run.board.rules.decoder
    assert decoder is not None, "this game has no decoder"
    return decoder


# Handing over.


def check_hand_over(run: MoveRun, _move: HandOver) -> Why | None:
    """Check that the money is there; how long others had to look is not for rules."""
    play = run.play
    if play.card_use is not None:
        return None
    has_it = run.balance(play.showing) >= play.payments[0].amount
    return None if has_it else Why.CANNOT_AFFORD


def hand_over(run: MoveRun, move: HandOver) -> None:
    """Complete what the payment on the table is for, or use the card there."""
    use, payments = run.play.card_use, run.play.payments
    run.add(f.HandedOver(seat=Seat(move.by)))
    if use is not None:
        take_effect(run, use)
    else:
        COMPLETED[payments[0].purpose](run, payments[0])
    settle(run)


def _pay(run: MoveRun, payment: Payment) -> None:
    run.pay(
        payment.payer,
        payment.payee,
        payment.amount,
        payment.reason,
        is_likely=payment.is_likely,
    )


COMPLETED: dict[str, Callable[[MoveRun, Payment], None]] = {
    OWED: _pay,
    BUY: deeds.take_bought,
    LOT: auction.sell_lot,
    BUILD: buildings.take_built,
    LIFT: deeds.take_lifted,
    LEAVE_JAIL: jail.leave,
    DEBT: debt.settle_debt,
    DEAL: trade.close_deal,
}
"""Purpose of a payment -> what completes it."""


# Looking.


def check_inspect(run: MoveRun, move: Inspect) -> Why | None:
    """Check that the seat is free and has a chip, and that it is not its own money."""
    play, token = run.play, run.play.token_of(move.by)
    if token.tries != FREE and run.board.rules.jail.inspects is False:
        return Why.IN_JAIL
    if not token.chips:
        return Why.NO_CHIP
    if move.by == play.showing:
        return Why.OWN_MONEY
    is_paid = play.card_use is None and play.payments[0].payee == move.by
    if is_paid and not decoder_of(run).payee_inspects:
        return Why.OWN_MONEY
    return None


def inspect(run: MoveRun, move: Inspect) -> None:
    """Spend a chip; nothing goes on until somebody has said what the decoder shows."""
    shower = Seat(run.play.showing)
    run.add(f.ChipSpent(seat=Seat(move.by), shower=shower))


def inspect_choices(_run: MoveRun, seat: str) -> Iterator[Inspect]:
    """Offer to look."""
    yield Inspect(by=seat)


def check_verdict(run: MoveRun, move: GiveVerdict) -> Why | None:
    """Check that another seat's note is looked at, and that there is such a note."""
    play = run.play
    if play.stage is not Stage.VERDICT:
        return Why.WRONG_STAGE
    is_note = move.verdict == FAKE and play.card_use is None
    if move.verdict not in VERDICTS or type(move.amount) is not int:
        return Why.MALFORMED
    notes = run.board.rules.money.notes
    is_value = move.amount in notes if notes else move.amount > 0
    if is_value != is_note or (move.amount and not is_note):
        return Why.MALFORMED
    if move.by == play.showing:
        return Why.OWN_MONEY
    if not is_note:
        return None
    has_it = run.balance(play.showing) >= move.amount
    return None if has_it else Why.CANNOT_AFFORD


def give_verdict(run: MoveRun, move: GiveVerdict) -> None:
    """Let whoever looked have what was a fake: the note, or a reward for the card."""
    play = run.play
    run.add(f.VerdictGiven(verdict=move.verdict, amount=move.amount))
    if move.verdict == FAKE:
        if play.card_use is None:
            run.pay(play.showing, play.inspector, move.amount, Reason.FAKE)
        else:
            use = play.card_use
            run.add(p.CardReturned(seat=use.seat, card=use.card))
            run.earn(play.inspector, decoder_of(run).reward, Reason.FAKE)
    settle(run)


def verdict_choices(run: MoveRun, seat: str) -> Iterator[Choice]:
    """Offer each verdict; for a fake note, each value that the payer may have."""
    yield GiveVerdict(by=seat, verdict=REAL)
    if run.play.card_use is not None:
        yield GiveVerdict(by=seat, verdict=FAKE)
    elif run.board.rules.money.notes:
        for value in run.board.rules.money.notes:
            yield GiveVerdict(by=seat, verdict=FAKE, amount=value)
    else:
        yield Range(GiveVerdict, 1, run.balance(run.play.showing))
    yield GiveVerdict(by=seat, verdict=UNSURE)
