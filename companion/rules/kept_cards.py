"""Using a card that a seat kept in its hand.

The *effect* of a card, such as ``jail-card`` or ``skip-rent``, decides when it may be
used. Some cards need a *target*: a seat or a deed on which they are used
(``aimed.py``). With a decoder, a card that may be a fake is first laid on the table, so
that others can inspect it.

Source:
    Grab & Go's sheet, "Getting out of jail"; the Secret Vault article, "Getting Out of
    Jail", "Chance": kept cards are used at an opportune time, and "Code": nobody tries
    to open the vault in jail. Cash Decoder's sheet, "Chance", "Checking for Fake Chance
    Cards": a card is kept until its owner is ready to use it, and may be inspected
    before. Our readings: the opportune time is before the owner's own roll; since there
    are three ways out of jail, no other card moves a token that is in jail; with a
    decoder, a card that does not move the owner's token may be used in any turn.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import Refused, Why
from companion.game import decoder_events as f  # For "fakes".
from companion.game import play_events as p
from companion.game.card_code import CHOICE, JAIL_CARD, SKIP_RENT
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import UseCard
from companion.game.position import CardUse, Token
from companion.game.rulebook import RuleCard
from companion.game.stage import Stage
from companion.rules.aimed import AIMED, check_target, targets
from companion.rules.cards import CARD_KEPT_RULE, carry_out, check_card_amount
from companion.rules.rule import Stages, Who, not_now, rule, shown_name, unknown_name
from companion.rules.turn import in_jail, not_in_jail
from companion.rules.walking import settle
from companion.sheets import Told
from companion.units import Seat
from companion.words import say

CARD_TIME_RULE = Told(
    "A kept card is used before a roll, mostly your own; "
    "one that skips a rent, when you pay a rent."
)

WAITS_FOR_TURN = frozenset(
    ("guess", "advance", "advance-nearest", "move-back", "go-to-jail", CHOICE)
)
"""Effects of cards that are used only in the seat's own turn and out of jail.

Source:
    The Secret Vault article, "Code" for the guess, and "Getting Out of Jail": one
    pays, uses a leave-jail card, or rolls; a card that moves the token is no way out.
"""


def kept_card(run: MoveRun, token: Token, word: str) -> str | None:
    """Find the card in hand that *word* names, by its id or by what it does."""
    if word in token.cards:
        return word
    return next((card for card in token.cards if run.board.is_called(card, word)), None)


def check_card(run: MoveRun, move: UseCard) -> Refused | None:
    """Check that the card may be used now, and on its target, and is in hand."""
    token = run.play.token_of(move.by)
    held = kept_card(run, token, move.card)
    card = run.board.card(held or move.card)
    if card is None:
        return unknown_name(run.board, move.card)
    refusal = _check_time(run, token, card) or _check_use(run, move, card)
    if refusal := refusal or _check_held(run, move):
        return refusal
    if card.effect == SKIP_RENT and not _pays_rent(run, token.seat):
        return CARD_TIME_RULE.refuses(
            Why.RENT_NOT_DUE, say("no rent is being paid"), say("keep the card for one")
        )
    return check_card_amount(run, held or move.card)


def _lacks_card(run: MoveRun, move: UseCard) -> Refused | None:
    """Check that the card is in hand, and is one that this stage allows."""
    if refusal := _check_held(run, move):
        return refusal
    token = run.play.token_of(move.by)
    card = run.board.card(kept_card(run, token, move.card) or "")
    is_skip = card is not None and card.effect == SKIP_RENT
    return None if not is_skip or run.play.stage in USING else _for_a_rent()


def _check_held(run: MoveRun, move: UseCard) -> Refused | None:
    """Check that the card is in hand."""
    token = run.play.token_of(move.by)
    is_no_card = run.play.stage is Stage.ROLL and run.board.card(move.card) is None
    is_misspelt = is_no_card and bool(token.cards)  # ``check_card`` says so.
    if is_misspelt or kept_card(run, token, move.card) is not None:
        return None
    return CARD_KEPT_RULE.refuses(
        Why.NO_CARD,
        say("{by} does not have that card", by=move.by),
        say("play on without it"),
    )


def _check_use(run: MoveRun, move: UseCard, card: RuleCard) -> Refused | None:
    """Check the target of the card; most cards must have none."""
    if card.effect in AIMED:
        return check_target(run, move.by, card, move.target)
    if not move.target:
        return None
    return CARD_KEPT_RULE.refuses(
        Why.MALFORMED,
        say(
            "that card cannot be used on {target}",
            target=shown_name(run.board, move.target),
        ),
        say("use it without naming anybody"),
    )


def _check_time(run: MoveRun, token: Token, card: RuleCard) -> Refused | None:
    """Check that the card may be used in this stage and turn, and in or out of jail.

    A card that skips a rent is used while money is paid or owed (``check_card`` checks
    that it is a rent), any other card between moves.
    """
    is_skip = card.effect == SKIP_RENT
    is_between_moves = run.play.stage is Stage.ROLL
    is_right_stage = not is_between_moves if is_skip else is_between_moves
    if not is_right_stage:
        message = say("that card is used between moves")
        return _for_a_rent() if is_skip else _kept_until(message)
    if is_skip:
        return None
    mover = run.play.mover.seat
    is_for_turn = card.effect in WAITS_FOR_TURN or card.effect == JAIL_CARD
    if mover != token.seat and (is_for_turn or run.board.rules.decoder is None):
        return CARD_TIME_RULE.refuses(
            Why.NOT_YOUR_TURN,
            say("it is {seat}'s turn, not {by}'s", seat=mover, by=token.seat),
            say("wait for it"),
        )
    if card.effect in WAITS_FOR_TURN and token.is_jailed:
        return in_jail(token.seat)
    if card.effect == JAIL_CARD and not token.is_jailed:
        return not_in_jail(token.seat)
    return None


def _for_a_rent() -> Refused:
    """Refuse to use now a card that skips a rent."""
    return _kept_until(say("that card is used while a rent is paid"))


def _kept_until(message: str) -> Refused:
    remedy = say("keep it until then")
    return CARD_TIME_RULE.refuses(Why.WRONG_STAGE, message, remedy)


def _pays_rent(run: MoveRun, seat: str) -> bool:
    """Return whether the seat is paying a rent on the table, or owes one."""
    play = run.play
    if play.stage is Stage.PAYMENT:
        return play.payments[0].reason is Reason.RENT
    return any(
        debt.debtor == seat and debt.reason is Reason.RENT for debt in play.debts
    )


def use_card(run: MoveRun, move: UseCard) -> None:
    """Use the card, or lay it on the table first if it may be a fake."""
    seat = Seat(move.by)
    card = kept_card(run, run.play.token_of(seat), move.card)
    assert card is not None, "checked before"
    if run.board.may_be_fake(card):
        run.add(f.CardLaid(seat=seat, card=card, target=move.target))
    else:
        take_effect(run, CardUse(seat, card, move.target))


def take_effect(run: MoveRun, use: CardUse) -> None:
    """Put the card back under its deck, and do what it says."""
    run.add(p.CardReturned(seat=use.seat, card=use.card, target=use.target))
    card = run.board.card(use.card)
    if card is not None and card.effect == JAIL_CARD:
        run.add(p.JailLeft(seat=use.seat, how="card"))
        return
    if card is not None:
        carry_out(run, use.seat, card, use.target)
    settle(run)


def card_choices(run: MoveRun, seat: str) -> Iterator[UseCard]:
    """Offer each card in hand, with each target that it may be used on."""
    for card_id in dict.fromkeys(run.play.token_of(seat).cards):
        card = run.board.card(card_id)
        if card is None or card.effect not in AIMED:
            yield UseCard(by=seat, card=card_id)
            continue
        for target in targets(run, seat, card):
            yield UseCard(by=seat, card=card_id, target=target)


USING: Stages = {
    Stage.ROLL: Who.ANYBODY,
    Stage.PAYMENT: Who.SHOWER,
    Stage.DEBT: Who.DEBTOR,
}
"""Where a card may be used; the last two are for skipping a rent."""

ROWS = (
    rule(
        UseCard,
        USING,
        check_card,
        use_card,
        card_choices,
        outside=not_now(
            CARD_TIME_RULE,
            say("no kept card is used now"),
            say("keep it until the next roll is due"),
        ),
        lacks=_lacks_card,
    ),
)
