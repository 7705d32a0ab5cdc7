"""Bus tickets: taking the bus in place of a roll, and what a drawn ticket does.

A *ticket* takes a token ahead to any space up to the next corner. Tickets have a deck
of their own. A drawn ticket is kept in the hand, or it *expires* the others: then all
tickets in all hands are lost. A used ticket is out of the game.

Source:
    The Mega booklet, "Bus tickets", "Doubles & triples", "Jail". Our
    readings: a ticket is no way out of jail, since the booklet lists the
    ways out; and using one counts as the roll that ends the time to ask for a rent.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import Refused, Why
from companion.game import ticket_events as t
from companion.game.card_code import space_number, space_word
from companion.game.move_run import MoveRun
from companion.game.moves import UseTicket
from companion.game.rulebook import RuleCard
from companion.game.stage import Stage
from companion.rules.rule import Who, rule, unknown_name
from companion.rules.turn import in_jail
from companion.rules.walking import advance, land, same_side, settle
from companion.sheets import BOOKLET, TYPED_RULE, Told
from companion.units import Account, Seat
from companion.words import say

TICKET_RULE = Told(
    "A bus ticket takes you ahead to any space up to the next corner.",
    {BOOKLET: "Bus tickets"},
)
TICKET_ROLL_RULE = Told(
    "On your turn you may use a bus ticket instead of rolling the dice.",
    {BOOKLET: "Bus tickets"},
)
TICKET_GONE_RULE = Told(
    "There are {tickets} tickets. A used one is out of the game.",
    {BOOKLET: "Bus tickets"},
)
TICKET_EXPIRE_RULE = Told(
    "Some tickets end all others: whatever tickets people hold is lost. "
    "The new one counts.",
    {BOOKLET: "Bus tickets"},
)
TICKET_UTILITY_RULE = Told(
    "A ticket to somebody's utility: roll the white dice for its rent.",
    {BOOKLET: "Bus tickets"},
)


def check_use(run: MoveRun, move: UseTicket) -> Refused | None:
    """Check that the seat has a ticket, is not in jail, and may ride to that space."""
    board, token = run.board, run.play.token_of(move.by)
    if board.rules.tickets is None:
        return check_ticket(run, move)
    space = space_number(board.rules, move.space)
    if space is None:
        return unknown_name(board, move.space)
    if token.is_jailed:
        return in_jail(move.by)
    if space not in same_side(board, token.space):
        return TICKET_RULE.refuses(
            Why.NOT_REACHABLE,
            say(
                "{space} is not ahead on this side",
                space=board.rules.spaces[space].name,
            ),
            say("choose a space up to the next corner"),
        )
    return check_ticket(run, move)


def check_ticket(run: MoveRun, move: UseTicket) -> Refused | None:
    """Check that the box has tickets, and the seat one in hand."""
    if run.board.rules.tickets is None:
        return TYPED_RULE.refuses(
            Why.WRONG_STAGE,
            say("there are no bus tickets in this game"),
            say("play on without them"),
        )
    if run.play.token_of(move.by).tickets:
        return None
    return TICKET_ROLL_RULE.refuses(
        Why.NO_TICKET,
        say("{by} has no bus ticket", by=move.by),
        say("play on without it"),
    )


def use(run: MoveRun, move: UseTicket) -> None:
    """Ride to the space instead of rolling, collect the salary for GO, and land."""
    seat, space = Seat(move.by), space_number(run.board.rules, move.space)
    assert space is not None, "checked before"
    run.add(t.TicketUsed(seat=seat, space=space))
    advance(run, seat, space, collects=True)
    land(run, seat)
    settle(run)


def use_choices(run: MoveRun, seat: str) -> Iterator[UseTicket]:
    """Offer every space to which the bus goes, if the seat has a ticket."""
    token = run.play.token_of(seat)
    if token.tickets:
        for space in same_side(run.board, token.space):
            yield UseTicket(by=seat, space=space_word(run.board.rules, space))


def take_ticket(run: MoveRun, seat: Seat, _card: RuleCard) -> None:
    """Put a plain ticket into the seat's hand."""
    run.add(t.TicketTaken(seat=seat))


def expire(run: MoveRun, seat: Seat, _card: RuleCard) -> None:
    """End all tickets in hands; in some editions the drawn card then counts as one."""
    rules = run.board.rules.tickets
    run.add(t.TicketsExpired())
    if rules is not None and rules.expire_is_ticket:
        run.add(t.TicketTaken(seat=seat))


def pass_tickets(run: MoveRun, giver: Seat, taker: Account, count: int) -> None:
    """Hand over *count* tickets; those that go to the bank are out of the game."""
    if count:
        run.add(t.TicketsPassed(giver=giver, taker=taker, count=count))


ROWS = (
    rule(
        UseTicket,
        {Stage.ROLL: Who.MOVER},
        check_use,
        use,
        use_choices,
        lacks=check_ticket,
    ),
)
