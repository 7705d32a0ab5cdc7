"""How each event of a third die and of bus tickets changes a position.

Editions with a third die have *bus tickets*: cards that take the mover ahead in place
of a roll. They come from a deck of their own. A drawn ticket never goes back into it,
and an *expire* ticket makes all tickets in hands worthless.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.game.board import Board
from companion.game.event import Apply, Event, put, row
from companion.game.position import Pile, Position
from companion.game.rulebook import BUS_DECK
from companion.game.stage import Stage
from companion.game.ticket_events import (
    BonusCame,
    TicketsExpired,
    TicketsPassed,
    TicketTaken,
    TicketUsed,
)
from companion.units import BANK

TICKET, EXPIRE = "ticket", "expire"
"""The two cards of the bus deck: a plain ticket, and one that ends all others."""


def tickets_left(play: Position, board: Board) -> int:
    """Count the bus tickets that can still be drawn."""
    return 0 if board.tickets is None else len(play.piles[board.tickets].fresh)


def with_tickets_left(play: Position, board: Board, count: int) -> Position:
    """Return *play* with *count* bus tickets in the deck, as a correction says.

    Nobody knows which tickets are gone. If there are fewer than before, both kinds
    shrink by the same share; if there are more, the new ones are plain.
    """
    assert board.tickets is not None, "this game has bus tickets"
    fresh = play.piles[board.tickets].fresh
    if count < len(fresh):
        expire_count = fresh.count(EXPIRE)
        # The share of these tickets in *count*, rounded to the nearest whole number.
        expire_left = (expire_count * count + len(fresh) // 2) // len(fresh)
        fresh = _without_last(fresh, EXPIRE, expire_count - expire_left)
        fresh = _without_last(fresh, TICKET, len(fresh) - count)
    added = (TICKET,) * (count - len(fresh))
    pile = Pile((*fresh, *added))
    play = replace(play, piles=put(play.piles, board.tickets, pile))
    is_drawn_now = play.base is Stage.CARD and play.awaited == BUS_DECK
    if is_drawn_now and not count:  # There is nothing to draw any more.
        return replace(play, base=Stage.ROLL, awaited="")
    return play


def _without_last(cards: tuple[str, ...], card: str, count: int) -> tuple[str, ...]:
    """Return *cards* without the last *count* of that kind."""
    places = [place for place, held in enumerate(cards) if held == card]
    dropped = places[len(places) - count :]
    return tuple(held for place, held in enumerate(cards) if place not in dropped)


def with_tickets(play: Position, board: Board, seat: str, count: int) -> Position:
    """Return *play* with *count* tickets in a hand, taken from or put into the deck.

    If the deck has too few, the others come from outside the game.
    """
    taken = count - play.token_of(seat).tickets
    play = play.with_token(seat, tickets=count)
    left = max(0, tickets_left(play, board) - taken)
    return with_tickets_left(play, board, left)


def with_next_move(play: Position, board: Board) -> Position:
    """Return *play* after the mover rolled or took the bus.

    What lasts only until the next move ends: offers, claims to buildings, rents not
    asked for in time, and the list of mortgages with paid interest.
    """
    last_expired = play.turn_number - board.rules.rent.turns
    return replace(
        play,
        has_moved=True,
        claims=tuple(claim for claim in play.claims if claim.turn > last_expired),
        asked=tuple(claim for claim in play.asked if claim.turn > last_expired),
        lapsed=tuple(claim for claim in play.claims if claim.turn <= last_expired),
        offers=(),
        withdrawn=(),
        wants=(),
        lifted=(),
        rested=replace(play.rested, is_last=False) if play.rested else None,
    )


def _bonus_used(play: Position, _: Board, event: BonusCame) -> Position:
    """Remove the bonus of the third die: it takes effect now."""
    return replace(play, bonus="")


def _ticket_taken(play: Position, _: Board, event: TicketTaken) -> Position:
    held = play.token_of(event.seat).tickets
    return play.with_token(event.seat, tickets=held + 1)


def _tickets_expired(play: Position, _: Board, event: TicketsExpired) -> Position:
    tokens = tuple(replace(token, tickets=0) for token in play.tokens)
    return replace(play, tokens=tokens)


def _ticket_used(play: Position, board: Board, event: TicketUsed) -> Position:
    """Take the ticket from the hand; using it counts as the roll."""
    held = play.token_of(event.seat).tickets
    play = with_next_move(play.with_token(event.seat, tickets=held - 1), board)
    return replace(play, dice=(), special="", rolls_again=False)


def _tickets_passed(play: Position, _: Board, event: TicketsPassed) -> Position:
    """Move tickets from one hand to another, or out of the game to the bank."""
    held = play.token_of(event.giver).tickets
    play = play.with_token(event.giver, tickets=held - event.count)
    if event.taker == BANK:
        return play
    held = play.token_of(event.taker).tickets
    return play.with_token(event.taker, tickets=held + event.count)


TICKETS_AFTER: dict[type[Event], Apply] = dict(
    (
        row(BonusCame, _bonus_used),
        row(TicketTaken, _ticket_taken),
        row(TicketsExpired, _tickets_expired),
        row(TicketUsed, _ticket_used),
        row(TicketsPassed, _tickets_passed),
    )
)
"""Kind of event -> the function that applies it."""
