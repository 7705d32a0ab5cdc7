"""Choosing what a card lets the mover choose.

Source:
    The Crooked Cash article, "Jail" (b): some cards are a penalty or jail; Cash
    Decoder's sheet, "Chance": whoever holds an open card may keep it and take none.
    That nothing happens where nobody and nothing is left to choose is a reading.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import Why
from companion.game import decoder_events as f
from companion.game.card_code import CHOICE
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import Choose
from companion.game.stage import Stage
from companion.rules.aimed import AIMED, check_target, targets
from companion.rules.cards import open_cards_of, surplus
from companion.rules.walking import send_to_jail, settle
from companion.units import BANK, Seat


def check_choose(run: MoveRun, move: Choose) -> Why | None:
    """Check a choice that a card offers; in place of drawing, keep the card in hand."""
    if run.play.stage is Stage.CARD:
        if not run.board.is_open(run.play.awaited):
            return Why.WRONG_STAGE
        if move.word != KEEP:
            return Why.MALFORMED
        held = open_cards_of(run, move.by)
        return None if surplus(run, held) else Why.NO_CARD
    card = run.board.card(run.play.awaited)
    assert card is not None, "a card offers the choice"
    if card.effect not in AIMED:
        return None if move.word in OPTIONS[card.effect] else Why.MALFORMED
    if move.word == NOTHING:
        return Why.MALFORMED if targets(run, move.by, card) else None
    return check_target(run, move.by, card, move.word)


KEEP = "keep"
"""The choice to take no open card and to keep the one in hand."""

NOTHING = "nothing"
"""The choice where nobody and nothing is left that the card could be used on."""

PAY, GO_TO_JAIL = "pay", "go-to-jail"
OPTIONS = {CHOICE: (PAY, GO_TO_JAIL)}
"""Effect of a card -> the words for what it lets the mover choose."""


def choose(run: MoveRun, move: Choose) -> None:
    """Do what was chosen."""
    seat, card = Seat(move.by), run.board.card(run.play.awaited)
    run.add(f.Chosen(seat=seat, word=move.word))
    if card is not None and card.effect in AIMED and move.word != NOTHING:
        AIMED[card.effect].happen(run, seat, move.word)
    elif move.word == PAY and card is not None:
        run.charge(seat, BANK, card.amount or 0, Reason.CARD)
    elif move.word == GO_TO_JAIL:
        send_to_jail(run, seat)
    settle(run)


def choose_choices(run: MoveRun, seat: str) -> Iterator[Choose]:
    """Offer what the card lets the mover choose, or to keep the one in hand."""
    card = run.board.card(run.play.awaited)
    if run.play.stage is Stage.CARD or card is None:
        yield Choose(by=seat, word=KEEP)
        return
    aimed = card.effect in AIMED
    words = targets(run, seat, card) if aimed else OPTIONS[card.effect]
    for word in words or (NOTHING,):
        yield Choose(by=seat, word=word)
