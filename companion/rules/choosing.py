"""Choosing what a card, a space or the dice let the mover choose.

Source:
    The Crooked Cash article, "Jail" (b): some cards are a penalty or jail; Cash
    Decoder's sheet, "Chance": whoever holds an open card may keep it and take none.
    That nothing happens where nobody and nothing is left to choose is a reading. The
    Mega booklet, "The dice & how to move", "Doubles & triples", "Other new spaces";
    "Jail": no salary in a move that ends there. Readings: three alike may also take a
    token once round to where it stands, and whoever may take a ticket says so even
    where none is left to take.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from companion.errors import Why
from companion.game import decoder_events as f
from companion.game.card_code import CHOICE, space_number, space_word
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import Choose
from companion.game.playing_tickets import tickets_left
from companion.game.position import BUS
from companion.game.spaces import SpaceKind
from companion.game.stage import Stage
from companion.rules.ahead import next_card_space
from companion.rules.aimed import AIMED, check_target, targets
from companion.rules.auction import open_auction
from companion.rules.cards import open_cards_of, surplus
from companion.rules.walking import (
    ANY_SPACE,
    GIFT,
    LOT,
    advance,
    draw_ticket,
    land,
    send_to_jail,
    settle,
)
from companion.units import BANK, Seat

KEEP = "keep"
"""The choice to take no open card and to keep the one in hand."""

NOTHING = "nothing"
"""The choice where nobody and nothing is left that the card could be used on."""

PAY, GO_TO_JAIL = "pay", "go-to-jail"
OPTIONS = {CHOICE: (PAY, GO_TO_JAIL)}
"""Effect of a card -> the words for what it lets the mover choose."""

TICKET, MOVE, CASH = "ticket", "move", "cash"


class Offer(NamedTuple):
    """A choice that no card offers.

    Attributes:
        words: All that might be chosen.
        check: Why a word cannot be chosen; ``None`` if it can.
        happen: Does what was chosen.
    """

    words: Callable[[MoveRun], tuple[str, ...]]
    check: Callable[[MoveRun, str], Why | None]
    happen: Callable[[MoveRun, Seat, str], None]


def check_choose(run: MoveRun, move: Choose) -> Why | None:
    """Check a choice that is offered; in place of drawing, keep the card in hand."""
    if run.play.stage is Stage.CARD:
        if not run.board.is_open(run.play.awaited):
            return Why.WRONG_STAGE
        if move.word != KEEP:
            return Why.MALFORMED
        held = open_cards_of(run, move.by)
        return None if surplus(run, held) else Why.NO_CARD
    offer = OFFERS.get(run.play.awaited)
    if offer is not None:
        return offer.check(run, move.word)
    card = run.board.card(run.play.awaited)
    assert card is not None, "a card offers the choice"
    if card.effect not in AIMED:
        return None if move.word in OPTIONS[card.effect] else Why.MALFORMED
    if move.word == NOTHING:
        return Why.MALFORMED if targets(run, move.by, card) else None
    return check_target(run, move.by, card, move.word)


def choose(run: MoveRun, move: Choose) -> None:
    """Do what was chosen."""
    seat, of = Seat(move.by), run.play.awaited
    card = run.board.card(of)
    run.add(f.Chosen(seat=seat, word=move.word))
    if of in OFFERS:
        OFFERS[of].happen(run, seat, move.word)
    elif card is not None and card.effect in AIMED and move.word != NOTHING:
        AIMED[card.effect].happen(run, seat, move.word)
    elif move.word == PAY and card is not None:
        run.charge(seat, BANK, card.amount or 0, Reason.CARD)
    elif move.word == GO_TO_JAIL:
        send_to_jail(run, seat)
    settle(run)


def choose_choices(run: MoveRun, seat: str) -> Iterator[Choose]:
    """Offer what may be chosen, or to keep the card in hand."""
    for word in _words(run, seat):
        yield Choose(by=seat, word=word)


def _words(run: MoveRun, seat: str) -> tuple[str, ...]:
    if run.play.stage is Stage.CARD:
        return (KEEP,)
    if run.play.awaited in OFFERS:
        return OFFERS[run.play.awaited].words(run)
    card = run.board.card(run.play.awaited)
    assert card is not None, "a card offers the choice"
    if card.effect in AIMED:
        return targets(run, seat, card) or (NOTHING,)
    return OPTIONS[card.effect]


# Any space of the board.


def _spaces(run: MoveRun) -> tuple[str, ...]:
    return tuple(space_word(run.board.rules, x) for x in range(run.board.size))


def _check_space(run: MoveRun, word: str) -> Why | None:
    is_known = space_number(run.board.rules, word) is not None
    return None if is_known else Why.MALFORMED


def _go_to(run: MoveRun, seat: Seat, word: str) -> None:
    space = space_number(run.board.rules, word)
    assert space is not None, "checked before"
    is_to_jail = run.board.rules.spaces[space].kind == SpaceKind.GO_TO_JAIL
    advance(run, seat, space, collects=not is_to_jail)
    land(run, seat)


# A bus ticket, or something else.


def _check_ticket(run: MoveRun, word: str, other: str) -> Why | None:
    if word not in (TICKET, other):
        return Why.MALFORMED
    is_gone = word == TICKET and not tickets_left(run.play, run.board)
    return Why.NONE_LEFT if is_gone else None


def _check_bus(run: MoveRun, word: str) -> Why | None:
    wrong = _check_ticket(run, word, MOVE)
    space = next_card_space(run.board, run.play.mover.space)
    return Why.MALFORMED if word == MOVE and space is None else wrong


def _take_bus(run: MoveRun, seat: Seat, word: str) -> None:
    space = next_card_space(run.board, run.play.token_of(seat).space)
    if word == TICKET or space is None:
        draw_ticket(run, seat)
    else:
        advance(run, seat, space, collects=True)
        land(run, seat)


def _take_gift(run: MoveRun, seat: Seat, word: str) -> None:
    if word == TICKET:
        draw_ticket(run, seat)
    else:
        spaces = run.board.rules.spaces
        amount = next(
            (x.amount for x in spaces if x.kind == SpaceKind.BIRTHDAY_GIFT), None
        )
        run.earn(seat, amount or 0, Reason.GIFT)


# A deed for an auction.


def _check_lot(run: MoveRun, word: str) -> Why | None:
    at = run.board.index.get(word)
    if at is None:
        return Why.MALFORMED
    if run.play.owners[at]:
        return Why.NOT_UNOWNED
    return Why.LOCKED_DEED if run.board.rules.deeds[at].is_locked else None


def _put_up(run: MoveRun, _seat: Seat, word: str) -> None:
    open_auction(run, (word,))


OFFERS: dict[str, Offer] = {
    ANY_SPACE: Offer(_spaces, _check_space, _go_to),
    BUS: Offer(lambda _: (TICKET, MOVE), _check_bus, _take_bus),
    GIFT: Offer(
        lambda _: (CASH, TICKET),
        lambda run, word: _check_ticket(run, word, CASH),
        _take_gift,
    ),
    LOT: Offer(lambda run: tuple(run.board.index), _check_lot, _put_up),
}
"""What offers a choice besides a card, by what the stage ``choose`` awaits."""
