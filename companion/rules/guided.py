"""Beginning guided play, going on by hand for a while, and coming back.

Source:
    Grab & Go's sheet, "A quicker game" 1 (two dealt deeds, paid for at once);
    the standard rules in the Mega booklet, "Preparation". Changing between hand
    and guide is the project's own: both write the same journal.
"""

from __future__ import annotations

from companion import deed_events as d
from companion import play_events as p
from companion import riches_events as r
from companion.board import Board
from companion.course import Course
from companion.errors import Why
from companion.game import Game
from companion.ledger import Reason
from companion.moves import BeginPlay, RestPlay, ResumePlay
from companion.rules.auction import without_bidder
from companion.rules.ending import end_if_over
from companion.rules.walking import settle, token_of
from companion.units import BANK, Seat

SEATS_MIN = 2


def check_begin(course: Course, move: BeginPlay) -> Why | None:
    """Two seats, and deeds to deal that there are."""
    game = course.game
    if game.is_guided or len(game.present()) < SEATS_MIN:
        return Why.WRONG_STAGE
    known = {deed.id for deed in move.rules.deeds}
    is_known = known >= set(move.deal) and len(set(move.deal)) == len(move.deal)
    return None if is_known else Why.MALFORMED


def begin(course: Course, move: BeginPlay) -> None:
    """Everybody on GO; dealt deeds are paid for at once."""
    seats = tuple(state.seat for state in course.game.present())
    course.add(p.PlayBegun(rules=move.rules, seats=seats))
    for at, deed in enumerate(move.deal[: move.rules.dealt_each * len(seats)]):
        _deal(course, seats[at % len(seats)], deed)


def _deal(course: Course, seat: Seat, deed_id: str) -> None:
    deed = course.board.rules.deeds[course.board.index[deed_id]]
    price = deed.price or 0
    if course.cash(seat) >= price:  # Whoever is too poor goes without.
        course.add(d.DeedDealt(seat=seat, deed=deed.id))
        course.pay(seat, BANK, price, Reason.PURCHASE)


def check_rest(course: Course, _move: RestPlay) -> Why | None:
    """It is being played."""
    return None if course.game.is_guided else Why.WRONG_STAGE


def rest(course: Course, _move: RestPlay) -> None:
    """By hand from here; the position is kept."""
    course.add(p.PlayRested())


def check_resume(course: Course, _move: ResumePlay) -> Why | None:
    """There is a position to come back to."""
    game = course.game
    return Why.WRONG_STAGE if game.play is None or game.is_guided else None


def resume(course: Course, _move: ResumePlay) -> None:
    """From the position that was kept; newcomers play last, from GO."""
    game, play = course.game, course.play
    joined = tuple(s.seat for s in game.present() if play.token(s.seat) is None)
    left = [seat for seat in play.playing() if game.seat(seat) is None]
    course.add(p.PlayResumed(joined=joined))
    for seat in left:
        _clear(course, seat)
    for seat in left:
        without_bidder(course, seat)
    if not end_if_over(course):
        settle(course)


def _clear(course: Course, seat: Seat) -> None:
    """Whoever left the table leaves everything to the bank."""
    token = course.play.token(seat)
    for card in token.cards if token else ():
        course.add(p.CardReturned(seat=seat, card=card))
    course.add(p.SeatBankrupted(seat=seat, creditor=BANK, has_resigned=True))
    board: Board = course.board
    for at, owner in enumerate(course.play.owners):
        if owner == seat:
            deed = board.rules.deeds[at].id
            if course.play.levels[at]:
                course.add(d.BuildingSold(seat=seat, deed=deed, level=0, is_all=True))
            course.add(d.DeedReturned(deed=deed))
    hotels = token_of(course, seat).hotels
    if hotels:
        course.add(r.HotelsPassed(giver=seat, taker=BANK, count=hotels))


def is_playing(game: Game) -> bool:
    """Whether the companion leads and the game is not over."""
    return game.is_guided and game.play is not None and game.play.base != "over"
