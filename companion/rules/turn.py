"""Rolling: for the turn, out of jail, and for a rent that needs fresh dice.

Source:
    Grab & Go's sheet, "Playing" 2 and 6, "Getting out of jail"; the standard
    rules in the Mega booklet, "The play" (three doubles in succession); the Secret
    Vault article, "Special Die", "Getting Out of Jail" (c).
"""

from __future__ import annotations

from companion import play_events as p
from companion.course import Course
from companion.errors import Why
from companion.ledger import Reason
from companion.moves import Roll
from companion.position import FREE
from companion.rules.rent import claim, fall_due
from companion.rules.walking import (
    await_guess,
    send_to_jail,
    settle,
    token_of,
    walk,
)
from companion.units import Seat

DICE_COUNT = 2
PIPS_MAX = 6


def check_roll(course: Course, move: Roll) -> Why | None:
    """Two dice of one to six pips each; one may show what has no number."""
    special = course.board.rules.special_die
    is_possible = (
        len(move.dice) == DICE_COUNT - bool(move.special)
        and (not move.special or move.special == special)
        and all(type(pips) is int and 1 <= pips <= PIPS_MAX for pips in move.dice)
    )
    return None if is_possible else Why.MALFORMED


def roll(course: Course, move: Roll) -> None:
    """Whatever the stage wants the dice for."""
    seat, dice = Seat(move.by), move.dice
    if course.play.stage == "rent-roll":
        _roll_for_rent(course, seat, dice)
    else:
        token = token_of(course, seat)
        course.add(p.DiceRolled(seat=seat, dice=dice, special=move.special))
        spaces = sum(dice) + bool(move.special) * course.board.rules.special_adds
        if token.tries != FREE:
            is_double = course.board.is_double(dice, move.special)
            _roll_in_jail(course, seat, spaces, is_double=is_double)
        elif course.play.doubles >= course.board.rules.doubles_to_jail:
            send_to_jail(course, seat)
        elif move.special:  # First the guess, then the move.
            await_guess(course, seat)
            course.add(p.WalkAwaited(spaces=spaces))
        else:
            walk(course, seat, spaces)
    settle(course)


def _roll_for_rent(course: Course, seat: Seat, dice: tuple[int, ...]) -> None:
    play = course.play
    at = course.board.index[play.awaited]
    course.add(p.RentRolled(seat=seat, dice=dice))
    if play.is_card_dice:  # The card's own multiple, however many the owner has.
        claim(course, seat, at, play.times * sum(dice))
    else:
        fall_due(course, seat, at, total=sum(dice), times=play.times)


def _roll_in_jail(course: Course, seat: Seat, spaces: int, *, is_double: bool) -> None:
    """Doubles lead out; the last failed attempt is paid for, and moves too."""
    rules = course.board.rules
    if is_double:
        course.add(p.JailLeft(seat=seat, how="doubles"))
        walk(course, seat, spaces)
        return
    course.add(p.JailTried(seat=seat))
    if token_of(course, seat).tries < rules.jail_attempts:
        return
    course.add(p.JailLeft(seat=seat, how="attempts"))
    course.charge(seat, rules.jail_fine_to, rules.jail_fine, Reason.FINE)
    course.add(p.WalkAwaited(spaces=spaces))
