"""How each event of a game with fakes changes a position.

Some editions have fake notes and cards, and a *decoder* that shows which are fake. So
money and cards are first *laid* on the table: a ``Payment`` is reserved but not yet
moved, and a ``CardUse`` has no effect yet. Another seat may spend a *chip* to look at
them; it is then the *inspector*, and everybody waits for its verdict. Afterwards the
money or card is handed over, or the payment is called off. Each function is named after
its event.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.examining import FAKE, UNSURE
from companion.game.board import Board
from companion.game.decoder_events import (
    CardLaid,
    CardTurnedUp,
    ChipSpent,
    ChipsReadied,
    ChoiceAwaited,
    Chosen,
    HandedOver,
    PaymentLaid,
    PaymentWithdrawn,
    RentSpared,
    VerdictGiven,
)
from companion.game.event import Apply, Event, row
from companion.game.ledger import Reason
from companion.game.position import BUY, DEAL, DEBT, LOT, CardUse, Payment, Position
from companion.game.stage import Stage


def chips_of(board: Board) -> int:
    """Return the number of decoder chips of each seat; 0 if there is no decoder."""
    return board.rules.decoder.chips if board.rules.decoder else 0


def _payment_laid(play: Position, _: Board, event: PaymentLaid) -> Position:
    return replace(play, payments=(*play.payments, event.payment))


def without_payment(play: Position, payment: Payment) -> Position:
    """Return *play* with *payment* taken off the table; an inspection of it ends."""
    payments = list(play.payments)
    is_first = payments[:1] == [payment]
    payments.remove(payment)
    inspector = "" if is_first and play.card_use is None else play.inspector
    return replace(play, payments=tuple(payments), inspector=inspector)


def with_payment_called_off(play: Position, payment: Payment) -> Position:
    """Return *play* with *payment* and its purpose called off.

    For a lot won in an auction, the bidding for this lot begins anew. For an accepted
    trade, the offer ends. A deed that the mover wanted to buy is still for sale.
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


def _payment_withdrawn(play: Position, _: Board, event: PaymentWithdrawn) -> Position:
    """Take a payment off the table, and call off what it was for."""
    return with_payment_called_off(play, event.payment)


def _card_laid(play: Position, _: Board, event: CardLaid) -> Position:
    use = CardUse(event.seat, event.card, event.target)
    return replace(play, card_use=use)


def _handed_over(play: Position, _: Board, event: HandedOver) -> Position:
    """Take the card off the table, or the first payment if no card lies there."""
    if play.card_use is not None:
        return replace(play, card_use=None)
    return replace(play, payments=play.payments[1:])


def _chip_spent(play: Position, _: Board, event: ChipSpent) -> Position:
    """Spend a chip of the seat, which is the inspector now."""
    left = max(0, play.token_of(event.seat).chips - 1)
    play = play.with_token(event.seat, chips=left)
    return replace(play, inspector=event.seat)


def _verdict_given(play: Position, board: Board, event: VerdictGiven) -> Position:
    """End the inspection, unless the verdict is unsure; remove a fake card.

    Where the payer chooses what follows a fake note, it may now call off what it pays
    for; but not what it owes, and no hotel.
    """
    if event.verdict == UNSURE:
        return play
    play = replace(play, inspector="")
    if event.verdict != FAKE:
        return play
    decoder = board.rules.decoder
    if play.card_use is not None or decoder is None or not decoder.payer_chooses:
        return replace(play, card_use=None)
    first, *others = play.payments
    lots = play.auction.lots if play.auction and first.purpose == LOT else ()
    is_hotel = bool(lots) and lots[0] not in board.index
    if first.purpose in (BUY, LOT, DEAL) and not is_hotel:
        first = replace(first, may_call_off=True)
    return replace(play, payments=(first, *others))


def _chips_readied(play: Position, board: Board, event: ChipsReadied) -> Position:
    """Make all chips of the seat ready again."""
    return play.with_token(event.seat, chips=chips_of(board))


def _rent_spared(play: Position, _: Board, event: RentSpared) -> Position:
    """Remove the rent that the seat is about to pay, or else the oldest that it owes.

    A rent that is a debt is removed both from the table and from the debts.
    """
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


def _choice_awaited(play: Position, _: Board, event: ChoiceAwaited) -> Position:
    return replace(play, base=Stage.CHOOSE, awaited=event.of)


def _chosen(play: Position, _: Board, event: Chosen) -> Position:
    return replace(play, base=Stage.ROLL, awaited="")


def _card_turned_up(play: Position, board: Board, event: CardTurnedUp) -> Position:
    """Move a card from its pile to those that lie open."""
    piles = tuple(
        pile.without(event.card) if deck.face_up else pile
        for deck, pile in zip(board.rules.decks, play.piles, strict=True)
    )
    return replace(play, piles=piles, faceup=(*play.faceup, event.card))


def without_seat_on_table(play: Position, seat: str) -> Position:
    """Return *play* after *seat* has left the game, with its business off the table.

    All payments by or to it are called off. A card is taken back if the seat laid it,
    is its target, or is owed the rent that the card would spare. An inspection ends if
    the seat inspects or laid what is inspected.
    """
    inspector = "" if seat in (play.inspector, play.showing) else play.inspector
    use = play.card_use
    if use is not None and (
        seat in (use.seat, use.target) or _spares_rent_of(play, seat)
    ):
        use, inspector = None, ""
    play = replace(play, card_use=use, inspector=inspector)
    for payment in play.payments:
        if seat in (payment.payer, payment.payee):
            play = with_payment_called_off(play, payment)
    return play


def _spares_rent_of(play: Position, seat: str) -> bool:
    """Return whether the card on the table would spare its user a rent to *seat*.

    The card spares the first payment on the table, or a debt if no payment lies there.
    """
    use = play.card_use
    if use is None or play.base is Stage.OVER:
        return False
    rents = [(payment.payer, payment.payee) for payment in play.payments[:1]]
    if not rents:
        rents = [(debt.debtor, debt.creditor) for debt in play.debts]
    return (use.seat, seat) in rents


def without_table(play: Position) -> Position:
    """Return *play* with no card and no payment for a purpose on the table.

    Payments that are merely owed stay there. An offer whose money lay there is open
    again, so that it is not gone without a word.
    """
    play = replace(play, card_use=None, inspector="")
    for payment in play.payments:
        if payment.purpose == DEAL:
            play = without_payment(play, payment)
        elif payment.purpose:
            play = with_payment_called_off(play, payment)
    return play


DECODER_AFTER: dict[type[Event], Apply] = dict(
    (
        row(PaymentLaid, _payment_laid),
        row(PaymentWithdrawn, _payment_withdrawn),
        row(CardLaid, _card_laid),
        row(HandedOver, _handed_over),
        row(ChipSpent, _chip_spent),
        row(VerdictGiven, _verdict_given),
        row(ChipsReadied, _chips_readied),
        row(RentSpared, _rent_spared),
        row(ChoiceAwaited, _choice_awaited),
        row(Chosen, _chosen),
        row(CardTurnedUp, _card_turned_up),
    )
)
"""Kind of event -> the function that applies it."""
