"""How each event of a game with fakes changes a position.

There is one small function per event. They are pure and never refuse an event: it was
allowed when it was written.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.examining import FAKE, UNSURE
from companion.game import decoder_events as f
from companion.game.board import Board
from companion.game.event import Apply, Event, row
from companion.game.ledger import Reason
from companion.game.position import DEAL, DEBT, LOT, CardUse, Payment, Position
from companion.game.stage import Stage


def chips_of(board: Board) -> int:
    """Count the decoder chips of each seat; 0 without a decoder."""
    return board.rules.decoder.chips if board.rules.decoder else 0


def _laid(play: Position, _: Board, event: f.PaymentLaid) -> Position:
    return replace(play, payments=(*play.payments, event.payment))


def without_payment(play: Position, payment: Payment) -> Position:
    """Return *play* with *payment* taken off the table; nobody looks at it any more."""
    payments = list(play.payments)
    is_first = payments[:1] == [payment]
    payments.remove(payment)
    inspector = "" if is_first and play.card_use is None else play.inspector
    return replace(play, payments=tuple(payments), inspector=inspector)


def withdrawn(play: Position, payment: Payment) -> Position:
    """Return *play* with *payment* and its purpose called off.

    The bidding for a lot begins anew, and a trade is off. A mover that wanted to buy
    the deed under its token may still put it up.
    """
    play = without_payment(play, payment)
    if payment.purpose == LOT and play.auction is not None:
        auction = replace(play.auction, bidder="", amount=0, passed=())
        return replace(play, auction=auction)
    if payment.purpose == DEAL:
        pair, taker = {payment.payer, payment.payee}, payment.actor
        offers = tuple(
            offer
            for offer in play.offers
            if {offer.giver, offer.taker} != pair or offer.taker != taker
        )
        return replace(play, offers=offers)
    return play


def _withdrawn(play: Position, _: Board, event: f.PaymentWithdrawn) -> Position:
    return withdrawn(play, event.payment)


def _card_laid(play: Position, _: Board, event: f.CardLaid) -> Position:
    use = CardUse(event.seat, event.card, event.target)
    return replace(play, card_use=use)


def _handed_over(play: Position, _: Board, event: f.HandedOver) -> Position:
    if play.card_use is not None:
        return replace(play, card_use=None)
    return replace(play, payments=play.payments[1:])


def _chip_spent(play: Position, _: Board, event: f.ChipSpent) -> Position:
    left = max(0, play.token_of(event.seat).chips - 1)
    play = play.with_token(event.seat, chips=left)
    return replace(play, inspector=event.seat)


def _verdict_given(play: Position, _: Board, event: f.VerdictGiven) -> Position:
    if event.verdict == UNSURE:
        return play
    is_fake_card = event.verdict == FAKE and play.card_use is not None
    use = None if is_fake_card else play.card_use
    return replace(play, inspector="", card_use=use)


def _chips_readied(play: Position, board: Board, event: f.ChipsReadied) -> Position:
    return play.with_token(event.seat, chips=chips_of(board))


def _rent_spared(play: Position, _: Board, event: f.RentSpared) -> Position:
    for payment in play.payments[:1]:
        if payment.payer == event.seat and payment.reason is Reason.RENT:
            play = without_payment(play, payment)
            if payment.purpose != DEBT:
                return play
    debts = list(play.debts)
    for debt in play.debts:
        if debt.debtor == event.seat and debt.reason is Reason.RENT:
            debts.remove(debt)
            break
    return replace(play, debts=tuple(debts))


def _choice_awaited(play: Position, _: Board, event: f.ChoiceAwaited) -> Position:
    return replace(play, base=Stage.CHOOSE, awaited=event.of)


def _chosen(play: Position, _: Board, event: f.Chosen) -> Position:
    return replace(play, base=Stage.ROLL, awaited="")


def _turned_up(play: Position, board: Board, event: f.CardTurnedUp) -> Position:
    piles = tuple(
        pile.without(event.card) if deck.face_up else pile
        for deck, pile in zip(board.rules.decks, play.piles, strict=True)
    )
    return replace(play, piles=piles, faceup=(*play.faceup, event.card))


def without_shower(play: Position, seat: str) -> Position:
    """Return *play* after *seat* is out.

    What it showed, looked at or was to get is gone.
    """
    inspector = "" if seat in (play.inspector, play.showing) else play.inspector
    use = play.card_use
    if use is not None and (seat in (use.seat, use.target) or _is_for(play, seat)):
        use, inspector = None, ""
    play = replace(play, card_use=use, inspector=inspector)
    for payment in play.payments:
        if seat in (payment.payer, payment.payee):
            play = withdrawn(play, payment)
    return play


def _is_for(play: Position, seat: str) -> bool:
    """Return whether the card on the table would spare its user the rent of *seat*."""
    use = play.card_use
    if use is None or play.base is Stage.OVER:
        return False
    rents = [(payment.payer, payment.payee) for payment in play.payments[:1]]
    if not rents:
        rents = [(debt.debtor, debt.creditor) for debt in play.debts]
    return (use.seat, seat) in rents


def without_table(play: Position) -> Position:
    """Return *play* with no card and no purchase on the table; debts stay there."""
    play = replace(play, card_use=None, inspector="")
    for payment in play.payments:
        if payment.purpose:
            play = withdrawn(play, payment)
    return play


DECODER_AFTER: dict[type[Event], Apply] = dict(
    (
        row(f.PaymentLaid, _laid),
        row(f.PaymentWithdrawn, _withdrawn),
        row(f.CardLaid, _card_laid),
        row(f.HandedOver, _handed_over),
        row(f.ChipSpent, _chip_spent),
        row(f.VerdictGiven, _verdict_given),
        row(f.ChipsReadied, _chips_readied),
        row(f.RentSpared, _rent_spared),
        row(f.ChoiceAwaited, _choice_awaited),
        row(f.Chosen, _chosen),
        row(f.CardTurnedUp, _turned_up),
    )
)
"""The functions of this module, by the kind of event."""
