"""How each event of a third die and of bus tickets changes a position.

There is one small function per event. They are pure and never refuse an event: it was
allowed when it was written.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.game import ticket_events as t
from companion.game.board import Board
from companion.game.event import Apply, Event, put, row
from companion.game.position import Pile, Position
from companion.game.rulebook import BUS_DECK
from companion.game.stage import Stage
from companion.units import BANK

TICKET, EXPIRE = "ticket", "expire"
"""The cards of the deck of bus tickets: a plain one, and one that ends all others."""


def tickets_left(play: Position, board: Board) -> int:
    """Count the bus tickets that can still be drawn."""
    return 0 if board.tickets is None else len(play.piles[board.tickets].fresh)


def with_tickets_left(play: Position, board: Board, count: int) -> Position:
    """Return *play* with *count* bus tickets in the deck.

    Nobody knows which tickets are gone, so both kinds shrink by the same share. Tickets
    that are added are plain.
    """
    assert board.tickets is not None, "this game has bus tickets"
    fresh = play.piles[board.tickets].fresh
    if count < len(fresh):
        share = (fresh.count(EXPIRE) * count + len(fresh) // 2) // len(fresh)
        fresh = _without_last(fresh, EXPIRE, fresh.count(EXPIRE) - share)
        fresh = _without_last(fresh, TICKET, len(fresh) - count)
    pile = Pile((*fresh, *(TICKET,) * (count - len(fresh))))
    play = replace(play, piles=put(play.piles, board.tickets, pile))
    is_drawn_now = play.base is Stage.CARD and play.awaited == BUS_DECK
    if is_drawn_now and not count:  # There is nothing to draw any more.
        return replace(play, base=Stage.ROLL, awaited="")
    return play


def _without_last(cards: tuple[str, ...], card: str, count: int) -> tuple[str, ...]:
    """Return *cards* without the last *count* of that kind."""
    places = [place for place, other in enumerate(cards) if other == card]
    gone = places[len(places) - count :]
    return tuple(other for place, other in enumerate(cards) if place not in gone)


def with_tickets(play: Position, board: Board, seat: str, count: int) -> Position:
    """Return *play* with *count* tickets in a hand, taken from or put into the deck.

    If the deck has too few, the rest come from outside the game.
    """
    taken = count - play.token_of(seat).tickets
    play = play.with_token(seat, tickets=count)
    left = max(0, tickets_left(play, board) - taken)
    return with_tickets_left(play, board, left)


def moved_on(play: Position, board: Board) -> Position:
    """Return *play* after the mover rolled or took the bus: what lasted till then ends.

    Offers and claims to buildings lapse, and so do rents that nobody asked for in time.
    """
    last = play.turn_number - board.rules.rent.turns
    return replace(
        play,
        has_moved=True,
        claims=tuple(claim for claim in play.claims if claim.turn > last),
        offers=(),
        withdrawn=(),
        wants=(),
        lifted=(),
        rested=replace(play.rested, is_last=False) if play.rested else None,
    )


def _bonus_came(play: Position, _: Board, event: t.BonusCame) -> Position:
    return replace(play, bonus="")


def _ticket_taken(play: Position, _: Board, event: t.TicketTaken) -> Position:
    held = play.token_of(event.seat).tickets
    return play.with_token(event.seat, tickets=held + 1)


def _tickets_expired(play: Position, _: Board, event: t.TicketsExpired) -> Position:
    tokens = tuple(replace(token, tickets=0) for token in play.tokens)
    return replace(play, tokens=tokens)


def _ticket_used(play: Position, board: Board, event: t.TicketUsed) -> Position:
    held = play.token_of(event.seat).tickets
    play = moved_on(play.with_token(event.seat, tickets=held - 1), board)
    return replace(play, dice=(), special="", rolls_again=False)


def _tickets_passed(play: Position, _: Board, event: t.TicketsPassed) -> Position:
    held = play.token_of(event.giver).tickets
    play = play.with_token(event.giver, tickets=held - event.count)
    if event.taker == BANK:
        return play
    held = play.token_of(event.taker).tickets
    return play.with_token(event.taker, tickets=held + event.count)


TICKETS_AFTER: dict[type[Event], Apply] = dict(
    (
        row(t.BonusCame, _bonus_came),
        row(t.TicketTaken, _ticket_taken),
        row(t.TicketsExpired, _tickets_expired),
        row(t.TicketUsed, _ticket_used),
        row(t.TicketsPassed, _tickets_passed),
    )
)
"""Every event of a third die and of bus tickets; all change the position."""
