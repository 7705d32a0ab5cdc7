"""The choices that a card, a space or the dice offer to the mover.

In the stage ``choose``, ``awaited`` in the position says what offers the choice: the id
of a card, or a key of ``OFFERS``. The mover answers with one *word*, such as ``pay``,
``ticket``, a space, a deed or a seat. Some cards are used on a *target* (``aimed.py``),
the seat or deed that the mover chooses.

Source:
    The Crooked Cash article, "Jail" (b): some cards let the mover choose a penalty or
    jail; Cash Decoder's sheet, "Chance": a mover that holds an open card may keep it
    and take none.
    The Mega booklet, "The dice & how to move", "Doubles & triples", "Other new spaces";
    "Jail": no salary in a move that ends there. Our readings: nothing happens if no
    target is left; three equal dice may also take a token once round to its own space;
    a seat that may take a ticket is asked even if none is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from companion.errors import Refused, Why
from companion.game import decoder_events as f  # For "fakes".
from companion.game.board import Board
from companion.game.card_code import CHOICE, space_number, space_word
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import Choose
from companion.game.playing_tickets import tickets_left
from companion.game.position import BUS, Position
from companion.game.spaces import SpaceKind
from companion.game.stage import Stage
from companion.rules.aimed import AIMED, check_target, targets
from companion.rules.auction import open_auction
from companion.rules.cards import (
    CARD_RULE,
    OPEN_CARD_RULE,
    amount_of,
    check_card_amount,
    open_cards_of,
    surplus,
)
from companion.rules.deeds import needs_key
from companion.rules.rule import Stages, Who, not_now, rule, shown_name, unknown_figure
from companion.rules.tickets import TICKET_GONE_RULE
from companion.rules.walking import (
    ANY_SPACE,
    GIFT,
    LOT,
    advance,
    draw_ticket,
    land,
    next_card_space,
    send_to_jail,
    settle,
)
from companion.sheets import BOOKLET, TYPED_RULE, Told
from companion.units import BANK, Seat
from companion.words import say

BUS_RULE = Told(
    "After a bus you take a ticket or go to the next card space.",
    {BOOKLET: "The dice & how to move"},
)
TRIPLES_RULE = Told(
    "Three equal dice take you to any space that you like. You do not roll again.",
    {BOOKLET: "Doubles & triples"},
)
AUCTION_SPACE_RULE = Told(
    "On the auction space you choose a deed of the bank. All may bid.",
    {BOOKLET: "Other new spaces"},
)
GIFT_RULE = Told(
    "On the birthday space you take {gift} from the bank, or a bus ticket.",
    {BOOKLET: "Other new spaces"},
)

KEEP = "keep"
"""The choice to keep the card in hand and take no open one."""

NOTHING = "nothing"
"""The only choice if no target is left for the card."""

PAY = "pay"
"""The choice of the penalty on a card, in place of jail."""

GO_TO_JAIL = "go-to-jail"
"""The choice of jail, in place of that penalty."""

OPTIONS = {CHOICE: (PAY, GO_TO_JAIL)}
"""Effect of a card -> the words that the mover may choose from."""

TICKET = "ticket"
"""The choice of a bus ticket, after the bus or on the birthday space."""

MOVE = "move"
"""The choice of going to the next card space, after the bus."""

CASH = "cash"
"""The choice of money, on the birthday space."""


class Offer(NamedTuple):
    """A choice that a space or the dice offer.

    Attributes:
        words: Lists the words to check.
        check: Returns the refusal of a word, or ``None`` if it may be chosen.
        apply: Carries out the chosen word.
    """

    words: Callable[[MoveRun], tuple[str, ...]]
    check: Callable[[MoveRun, str], Refused | None]
    apply: Callable[[MoveRun, Seat, str], None]


def check_choose(run: MoveRun, move: Choose) -> Refused | None:
    """Check that the mover may choose the word now."""
    if run.play.stage is Stage.CARD:
        return _check_keep(run, move)
    offer = OFFERS.get(run.play.awaited)
    if offer is not None:
        return offer.check(run, move.word)
    card = run.board.card(run.play.awaited)
    assert card is not None, "a card offers the choice"
    if card.effect not in AIMED:
        if move.word not in OPTIONS[card.effect]:
            return _no_choice(run, CARD_RULE, move.word)
        return check_card_amount(run, run.play.awaited) if move.word == PAY else None
    if move.word == NOTHING:
        is_left = bool(targets(run, move.by, card))
        return _no_choice(run, CARD_RULE, move.word) if is_left else None
    return check_target(run, move.by, card, move.word)


def _check_keep(run: MoveRun, move: Choose) -> Refused | None:
    """Check that the mover may keep its card: its hand must be full."""
    if not run.board.is_open(run.play.awaited):
        return CARD_RULE.refuses(
            Why.WRONG_STAGE,
            say("the table waits for {stage}", stage=run.play.stage.words),
            say("draw one"),
        )
    if move.word != KEEP:
        return _no_choice(run, OPEN_CARD_RULE, move.word)
    if surplus(run, open_cards_of(run, move.by)):
        return None
    return OPEN_CARD_RULE.refuses(
        Why.NO_CARD,
        say("{by} has room for a card", by=move.by),
        say("take an open one"),
    )


def _no_choice(run: MoveRun, rule: Told, word: str) -> Refused:
    """Refuse a word that the present choice does not offer."""
    return rule.refuses(
        Why.MALFORMED,
        say("{word} cannot be chosen now", word=shown_name(run.board, word)),
        say("choose something in the list"),
    )


def choose(run: MoveRun, move: Choose) -> None:
    """Carry out the word, by the row of ``OFFERS`` or the card that offers it."""
    seat, awaited = Seat(move.by), run.play.awaited
    card = run.board.card(awaited)
    run.add(f.Chosen(seat=seat, word=move.word))
    if awaited in OFFERS:
        OFFERS[awaited].apply(run, seat, move.word)
    elif card is not None and card.effect in AIMED and move.word != NOTHING:
        AIMED[card.effect].apply(run, seat, move.word)
    elif move.word == PAY and card is not None:
        run.charge(seat, BANK, amount_of(card), Reason.CARD)
    elif move.word == GO_TO_JAIL:
        send_to_jail(run, seat)
    settle(run)


def choose_choices(run: MoveRun, seat: str) -> Iterator[Choose]:
    """Offer each word of the present choice."""
    for word in _offered_words(run, seat):
        yield Choose(by=seat, word=word)


def _offered_words(run: MoveRun, seat: str) -> tuple[str, ...]:
    """List the words that may be chosen, if their check allows it."""
    if run.play.stage is Stage.CARD:
        return (KEEP,)
    if run.play.awaited in OFFERS:
        return OFFERS[run.play.awaited].words(run)
    card = run.board.card(run.play.awaited)
    assert card is not None, "a card offers the choice"
    if card.effect in AIMED:
        return targets(run, seat, card) or (NOTHING,)
    return OPTIONS[card.effect]


# Three equal dice: any space of the board.


def _spaces(run: MoveRun) -> tuple[str, ...]:
    """List the words of all spaces, in the order of play."""
    return tuple(space_word(run.board.rules, space) for space in range(run.board.size))


def _check_space(run: MoveRun, word: str) -> Refused | None:
    is_known = space_number(run.board.rules, word) is not None
    return None if is_known else _no_choice(run, TRIPLES_RULE, word)


def _go_to(run: MoveRun, seat: Seat, word: str) -> None:
    """Move the token forward to the space, and land; jail pays no salary."""
    space = space_number(run.board.rules, word)
    assert space is not None, "checked before"
    is_to_jail = run.board.rules.spaces[space].kind == SpaceKind.GO_TO_JAIL
    advance(run, seat, space, collects=not is_to_jail)
    land(run, seat)


# The bus and the birthday space: a bus ticket, or something else.


def _check_ticket(
    run: MoveRun, word: str, alternative: str, rule: Told
) -> Refused | None:
    """Check that the word is the *alternative*, or a ticket while one is left."""
    if word not in (TICKET, alternative):
        return _no_choice(run, rule, word)
    if word != TICKET or tickets_left(run.play, run.board):
        return None
    return TICKET_GONE_RULE.refuses(
        Why.NONE_LEFT, say("no bus ticket is left"), say("choose the other one")
    )


def _check_bus(run: MoveRun, word: str) -> Refused | None:
    """Check the choice after the bus: a ticket, or the next card space."""
    space = next_card_space(run.board, run.play.mover.space)
    if word == MOVE and space is None:
        return _no_choice(run, BUS_RULE, word)
    return _check_ticket(run, word, MOVE, BUS_RULE)


def _take_bus(run: MoveRun, seat: Seat, word: str) -> None:
    """Draw a bus ticket, or move to the next card space and land."""
    space = next_card_space(run.board, run.play.token_of(seat).space)
    if word == TICKET or space is None:
        draw_ticket(run, seat)
    else:
        advance(run, seat, space, collects=True)
        land(run, seat)


def _check_gift(run: MoveRun, word: str) -> Refused | None:
    """Check the choice of the birthday space: money or a ticket."""
    gift = gift_space(run.board, run.play)
    if word == CASH and run.board.rules.spaces[gift].amount is None:
        return unknown_figure(run.board, str(gift), "amount")
    return _check_ticket(run, word, CASH, GIFT_RULE)


def gift_space(board: Board, play: Position) -> int:
    """Return the number of the birthday space; the token may stand elsewhere."""
    return board.next_of_kind(play.mover.space - 1, SpaceKind.BIRTHDAY_GIFT)


def _take_gift(run: MoveRun, seat: Seat, word: str) -> None:
    """Draw a bus ticket, or pay the seat the amount printed on the birthday space."""
    if word == TICKET:
        draw_ticket(run, seat)
        return
    amount = run.board.rules.spaces[gift_space(run.board, run.play)].amount
    assert amount is not None, "checked before"
    run.earn(seat, amount, Reason.GIFT)


# The auction space: a deed of the bank.


def _check_lot(run: MoveRun, word: str) -> Refused | None:
    """Check that the deed has no owner, and needs no key."""
    board = run.board
    index = board.index.get(word)
    if index is None:
        return _no_choice(run, AUCTION_SPACE_RULE, word)
    if run.play.owners[index]:
        return AUCTION_SPACE_RULE.refuses(
            Why.NOT_UNOWNED,
            say("{deed} has an owner", deed=board.name_of(word)),
            say("choose another one"),
        )
    deed = board.rules.deeds[index]
    return needs_key(deed) if deed.is_locked else None


def _put_up(run: MoveRun, _seat: Seat, word: str) -> None:
    open_auction(run, (word,))


OFFERS: dict[str, Offer] = {
    ANY_SPACE: Offer(_spaces, _check_space, _go_to),
    BUS: Offer(lambda _: (TICKET, MOVE), _check_bus, _take_bus),
    GIFT: Offer(lambda _: (CASH, TICKET), _check_gift, _take_gift),
    LOT: Offer(lambda run: tuple(run.board.index), _check_lot, _put_up),
}
"""The choices that no card offers, by the value of ``awaited``."""


CHOOSING: Stages = {Stage.CHOOSE: Who.MOVER, Stage.CARD: Who.MOVER}
"""The stages in which the mover may choose; in ``card``, to keep a card."""

ROWS = (
    rule(
        Choose,
        CHOOSING,
        check_choose,
        choose,
        choose_choices,
        outside=not_now(
            TYPED_RULE,
            say("there is nothing to choose now"),
            say("play on until there is"),
        ),
    ),
)
