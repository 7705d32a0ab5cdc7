"""Beginning guided play, pausing it to play by hand, and returning to it.

In *guided* play the companion leads: it keeps the *position* (tokens, deeds, cards and
so on) and allows only moves by the rules. While guided play is paused, people play by
hand with the companion as the bank; the position is kept.

Source:
    Grab & Go's sheet, "A quicker game" 1 (two dealt deeds, paid for at once);
    the standard rules in the Mega booklet, "Preparation". Changing between guided
    play and play by hand is the project's own rule: both write the same journal.
"""

from __future__ import annotations

from companion.errors import Refused, Why
from companion.game import Game, how
from companion.game import deed_events as d
from companion.game import play_events as p
from companion.game import vault_contents_events as r  # For "riches".
from companion.game.ledger import SEAT_RULE, Reason
from companion.game.move_run import MoveRun
from companion.game.moves import BeginPlay, RestPlay, ResumePlay
from companion.game.stage import Stage
from companion.rules.auction import remove_bidders
from companion.rules.ending import end_if_over
from companion.rules.rule import LEAD_RULE, Who, not_led, rule, single_choice
from companion.rules.tickets import pass_tickets
from companion.rules.walking import settle
from companion.sheets import GRAB, Told
from companion.units import BANK, Seat
from companion.words import say

DEALT_RULE = Told(
    "The quick game deals deeds at the start. You pay for yours at once.",
    {GRAB: "A quicker game"},
)

SEATS_MIN = 2
"""The fewest seats that can play."""


def check_begin(run: MoveRun, move: BeginPlay) -> Refused | None:
    """Check that enough seats are present, and that the deeds to deal exist once."""
    game = run.game
    if game.is_guided:
        return _led_already()
    if len(game.present()) < SEATS_MIN:
        return SEAT_RULE.refuses(
            Why.WRONG_STAGE,
            say("too few have sat down: two at least play"),
            say("wait for the others"),
        )
    dealt, known = set(move.deal), {deed.id for deed in move.rules.deeds}
    is_each_dealt_once = len(dealt) == len(move.deal)
    if dealt <= known and is_each_dealt_once:
        return None
    return DEALT_RULE.refuses(
        Why.MALFORMED,
        say("each deed is dealt once, and is one of this box"),
        say("deal again"),
    )


def _led_already() -> Refused:
    return LEAD_RULE.refuses(
        Why.WRONG_STAGE,
        say("the companion leads this game already"),
        say("play on"),
    )


def begin(run: MoveRun, move: BeginPlay) -> None:
    """Put all tokens on GO, and deal deeds to the seats in turn."""
    seats = tuple(state.seat for state in run.game.present())
    run.add(p.PlayBegun(rules=move.rules, seats=seats))
    dealt_count = move.rules.dealt_each * len(seats)
    for index, deed in enumerate(move.deal[:dealt_count]):
        _deal(run, seats[index % len(seats)], deed)


def _deal(run: MoveRun, seat: Seat, deed_id: str) -> None:
    """Deal a deed to a seat, if its price is known and the seat can pay it."""
    deed = run.board.rules.deeds[run.board.index[deed_id]]
    price = deed.price
    if price is not None and run.cash(seat) >= price:
        run.add(d.DeedDealt(seat=seat, deed=deed.id))
        run.pay(seat, BANK, price, Reason.PURCHASE, how.write(("dealt", price)))


def check_pause(run: MoveRun, _move: RestPlay) -> Refused | None:
    """Check that the companion leads the game."""
    return None if run.game.is_guided else not_led()


def pause(run: MoveRun, _move: RestPlay) -> None:
    """Pause guided play, and keep the position."""
    run.add(p.PlayRested())


def check_resume(run: MoveRun, _move: ResumePlay) -> Refused | None:
    """Check that the table plays by hand, and has a position to return to."""
    if run.game.is_guided:
        return _led_already()
    return not_led() if run.game.play is None else None


def resume(run: MoveRun, _move: ResumePlay) -> None:
    """Return to the position that was kept.

    Seats that have joined since play last and start on GO; those that have left the
    table are out of the game.
    """
    game, play = run.game, run.play
    joined = tuple(
        state.seat for state in game.present() if play.token(state.seat) is None
    )
    left = [seat for seat in play.playing() if game.seat(seat) is None]
    run.add(p.PlayResumed(joined=joined))
    for seat in left:
        _return_all(run, seat)
    remove_bidders(run, left)
    if not end_if_over(run):
        settle(run)


def _return_all(run: MoveRun, seat: Seat) -> None:
    """Give the bank all that a seat which has left owns; the money is there already."""
    token = run.play.token(seat)
    for card in token.cards if token else ():
        run.add(p.CardReturned(seat=seat, card=card))
    run.add(p.SeatBankrupted(seat=seat, creditor=BANK, has_resigned=True))
    for deed_index, owner in enumerate(run.play.owners):
        if owner == seat:
            deed = run.board.rules.deeds[deed_index].id
            if run.play.levels[deed_index]:
                run.add(d.BuildingSold(seat=seat, deed=deed, level=0, is_all=True))
            run.add(d.DeedReturned(deed=deed))
    pass_tickets(run, seat, BANK, run.play.token_of(seat).tickets)
    hotels = run.play.token_of(seat).hotels
    if hotels:
        run.add(r.HotelsPassed(giver=seat, taker=BANK, count=hotels))


def is_playing(game: Game) -> bool:
    """Return whether the companion leads and the game is not over."""
    return game.is_guided and game.play is not None and game.play.base is not Stage.OVER


ROWS = (
    rule(BeginPlay, Who.BANKER, check_begin, begin),
    rule(RestPlay, Who.BANKER, check_pause, pause, single_choice(RestPlay)),
    rule(ResumePlay, Who.BANKER, check_resume, resume),
)
