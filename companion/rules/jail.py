"""Before rolling: leaving jail, and using a card that was kept.

Source:
    Grab & Go's sheet, "Getting out of jail": pay $50 and go on next turn, or use
    a card; the standard rules in the Mega booklet, "Jail": pay, then roll. Which
    of the two readings is played is the option ``jail_pay``. The Secret Vault
    article, "Getting Out of Jail", "Chance": kept cards are used at an opportune
    time, and "Code": nobody tries to open the vault in jail. That the time is before
    one's own roll is a reading, and so is what follows from the three ways out of
    jail: no other card moves a token that is in there.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import Why
from companion.game import play_events as p
from companion.game.card_code import JAIL_CARD
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import PayJail, UseCard
from companion.game.position import FREE, Token
from companion.rules.cards import carry_out
from companion.rules.walking import settle
from companion.units import Seat

NO_USE_IN_JAIL = frozenset(
    ("guess", "advance", "advance-nearest", "move-back", "go-to-jail")
)
"""Effects of a kept card that waits until its seat is out of jail.

Source:
    The Secret Vault article, "Code" for the guess, and "Getting Out of Jail": one
    pays, uses a leave-jail card, or rolls; a card that moves the token is no way out.
"""


def check_pay(run: MoveRun, move: PayJail) -> Why | None:
    """Check that the seat is in jail and has the fine in hand."""
    if run.play.token_of(move.by).tries == FREE:
        return Why.NOT_IN_JAIL
    if run.cash(move.by) < run.board.rules.jail.fine:
        return Why.CANNOT_AFFORD
    return None


def pay(run: MoveRun, move: PayJail) -> None:
    """Pay and leave jail; under some rules the seat rolls only on its next turn."""
    rules, seat = run.board.rules, Seat(move.by)
    ends_turn = rules.jail.pay_then == "next-turn"
    run.add(p.JailLeft(seat=seat, how="paid", ends_turn=ends_turn))
    run.pay(seat, rules.jail.fine_to, rules.jail.fine, Reason.FINE)
    settle(run)


def pay_choices(run: MoveRun, seat: str) -> Iterator[PayJail]:
    """Offer the payment, if the seat is in jail."""
    if run.play.token_of(seat).tries != FREE:
        yield PayJail(by=seat)


def kept_card(run: MoveRun, token: Token, word: str) -> str | None:
    """The card in hand that *word* names, by its id or by what it does."""
    for card in token.cards:
        found = run.board.card(card)
        if word == card or (found is not None and word == found.effect):
            return card
    return None


def check_card(run: MoveRun, move: UseCard) -> Why | None:
    """Check that the card is in hand, and usable where the seat is, jail or not."""
    token = run.play.token_of(move.by)
    known = run.board.card(move.card)
    if known is None:
        return Why.MALFORMED
    if known.effect in NO_USE_IN_JAIL and token.tries != FREE:
        return Why.IN_JAIL
    if known.effect == JAIL_CARD and token.tries == FREE:
        return Why.NOT_IN_JAIL
    if kept_card(run, token, move.card) is None:
        return Why.NO_CARD
    return None


def use_card(run: MoveRun, move: UseCard) -> None:
    """Return the card under its deck and do what it says."""
    seat = Seat(move.by)
    card = kept_card(run, run.play.token_of(seat), move.card)
    assert card is not None, "checked before"
    run.add(p.CardReturned(seat=seat, card=card))
    known = run.board.card(card)
    if known is not None and known.effect != JAIL_CARD:
        carry_out(run, seat, known)
        settle(run)
        return
    run.add(p.JailLeft(seat=seat, how="card"))


def card_choices(run: MoveRun, seat: str) -> Iterator[UseCard]:
    """Offer each card in hand."""
    for card in run.play.token_of(seat).cards:
        yield UseCard(by=seat, card=card)
