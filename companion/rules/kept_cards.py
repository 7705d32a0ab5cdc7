"""Using a card that was kept.

Source:
    Grab & Go's sheet, "Getting out of jail"; the Secret Vault article, "Getting Out of
    Jail", "Chance": kept cards are used at an opportune time, and "Code": nobody tries
    to open the vault in jail. That the time is before one's own roll is a reading, and
    so is what follows from the three ways out of jail: no other card moves a token that
    is in there. Cash Decoder's sheet, "Chance", "Checking for Fake Chance Cards": kept
    until one is ready to use it, and looked at before; that this need not be in one's
    own turn, if the card moves no token of one's own, is a reading.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import Why
from companion.game import decoder_events as f
from companion.game import play_events as p
from companion.game.card_code import CHOICE, JAIL_CARD, SKIP_RENT
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import UseCard
from companion.game.position import FREE, CardUse, Token
from companion.game.rulebook import RuleCard
from companion.game.stage import Stage
from companion.rules.aimed import AIMED, check_target, targets
from companion.rules.cards import carry_out
from companion.rules.walking import settle
from companion.units import Seat

WAITS_FOR_TURN = frozenset(
    ("guess", "advance", "advance-nearest", "move-back", "go-to-jail", CHOICE)
)
"""Effects of a kept card that waits for its seat's own turn, out of jail.

Source:
    The Secret Vault article, "Code" for the guess, and "Getting Out of Jail": one
    pays, uses a leave-jail card, or rolls; a card that moves the token is no way out.
"""


def kept_card(run: MoveRun, token: Token, word: str) -> str | None:
    """The card in hand that *word* names, by its id or by what it does."""
    named = (card for card in token.cards if run.board.is_called(card, word))
    return word if word in token.cards else next(named, None)


def check_card(run: MoveRun, move: UseCard) -> Why | None:
    """Check that the card is in hand, and usable now, where the seat is."""
    token = run.play.token_of(move.by)
    held = kept_card(run, token, move.card)
    known = run.board.card(held or move.card)
    if known is None:
        return Why.MALFORMED
    wrong = _check_time(run, token, known)
    if wrong is not None:
        return wrong
    if known.effect in AIMED:
        wrong = check_target(run, move.by, known, move.target)
    elif move.target:
        wrong = Why.MALFORMED
    if wrong is None and held is None:
        wrong = Why.NO_CARD
    if wrong is None and known.effect == SKIP_RENT and not _is_rent(run, token.seat):
        wrong = Why.RENT_NOT_DUE
    return wrong


def _check_time(run: MoveRun, token: Token, card: RuleCard) -> Why | None:
    """Check stage, turn and jail: a rent is skipped while it is paid or owed."""
    stage = run.play.stage
    if (card.effect == SKIP_RENT) == (stage is Stage.ROLL):
        return Why.WRONG_STAGE
    if card.effect == SKIP_RENT:
        return None
    is_in_turn = run.play.mover.seat == token.seat
    is_for_turn = card.effect in WAITS_FOR_TURN or card.effect == JAIL_CARD
    if not is_in_turn and (is_for_turn or run.board.rules.decoder is None):
        return Why.NOT_YOUR_TURN
    if card.effect in WAITS_FOR_TURN and token.tries != FREE:
        return Why.IN_JAIL
    if card.effect == JAIL_CARD and token.tries == FREE:
        return Why.NOT_IN_JAIL
    return None


def _is_rent(run: MoveRun, seat: str) -> bool:
    """Whether the seat is paying a rent on the table, or owes one."""
    play = run.play
    if play.stage is Stage.PAYMENT:
        return play.payments[0].reason is Reason.RENT
    return any(x.debtor == seat and x.reason is Reason.RENT for x in play.debts)


def use_card(run: MoveRun, move: UseCard) -> None:
    """Use the card, at once or once it has lain where others may look at it."""
    seat = Seat(move.by)
    card = kept_card(run, run.play.token_of(seat), move.card)
    assert card is not None, "checked before"
    if run.board.may_be_fake(card):
        run.add(f.CardLaid(seat=seat, card=card, target=move.target))
    else:
        take_effect(run, CardUse(seat, card, move.target))


def take_effect(run: MoveRun, use: CardUse) -> None:
    """Return the card under its deck and do what it says."""
    run.add(p.CardReturned(seat=use.seat, card=use.card, target=use.target))
    known = run.board.card(use.card)
    if known is not None and known.effect == JAIL_CARD:
        run.add(p.JailLeft(seat=use.seat, how="card"))
        return
    if known is not None:
        carry_out(run, use.seat, known, use.target)
    settle(run)


def card_choices(run: MoveRun, seat: str) -> Iterator[UseCard]:
    """Offer each card in hand, on each seat or deed that it may be used on."""
    for word in dict.fromkeys(run.play.token_of(seat).cards):
        card = run.board.card(word)
        if card is None or card.effect not in AIMED:
            yield UseCard(by=seat, card=word)
            continue
        for target in targets(run, seat, card):
            yield UseCard(by=seat, card=word, target=target)
