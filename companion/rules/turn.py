"""Rolling: for the turn, out of jail, and for a rent that needs fresh dice.

Source:
    Grab & Go's sheet, "Playing" 2 and 6, "Getting out of jail"; the standard
    rules in the Mega booklet, "The play" (three doubles in succession), "Jail"; the
    Secret Vault article, "Gameplay", "Special Die", "Getting Out of Jail" (c); Cash
    Decoder's sheet, "How do I get out of Jail?": pay, then roll again.
"""

from __future__ import annotations

from companion.errors import Why
from companion.game import play_events as p
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import Roll
from companion.game.position import FREE
from companion.game.stage import Stage
from companion.rules.rent import claim, fall_due
from companion.rules.rule import Range
from companion.rules.walking import (
    await_guess,
    send_to_jail,
    settle,
    walk,
)
from companion.units import Seat

DICE_COUNT = 2
PIPS_MAX = 6


def roll_choices(_run: MoveRun, _seat: str) -> tuple[Range, ...]:
    """Roll whatever falls."""
    return (Range(Roll, 1, PIPS_MAX),)


def check_roll(run: MoveRun, move: Roll) -> Why | None:
    """Check two dice of 1 to 6 pips; one may be the special die, without a number."""
    special = move.special
    if special and special != run.board.rules.dice.lock_face:
        return Why.MALFORMED
    if len(move.dice) != DICE_COUNT - bool(special):
        return Why.MALFORMED
    for pips in move.dice:
        if type(pips) is not int or not 1 <= pips <= PIPS_MAX:
            return Why.MALFORMED
    return None


def roll(run: MoveRun, move: Roll) -> None:
    """Use the dice for a rent, to leave jail, or for the turn, as the stage says."""
    seat, dice = Seat(move.by), move.dice
    if run.play.stage is Stage.RENT_ROLL:
        _roll_for_rent(run, seat, dice)
    else:
        token = run.play.token_of(seat)
        run.add(p.DiceRolled(seat=seat, dice=dice, special=move.special))
        adds = run.board.rules.dice.lock_counts_as if move.special else 0
        spaces = sum(dice) + (adds or 0)
        if token.tries != FREE:
            is_double = run.board.is_double(dice, move.special)
            _roll_in_jail(run, seat, spaces, is_double=is_double)
        elif run.play.doubles >= run.board.rules.dice.doubles_to_jail:
            send_to_jail(run, seat)
        elif move.special:  # The guess comes first, then the move.
            await_guess(run, seat)
            run.add(p.WalkAwaited(spaces=spaces))
        else:
            walk(run, seat, spaces)
    settle(run)


def _roll_for_rent(run: MoveRun, seat: Seat, dice: tuple[int, ...]) -> None:
    play = run.play
    at = run.board.index[play.awaited]
    run.add(p.RentRolled(seat=seat, dice=dice))
    if play.is_card_dice:  # The card's multiple counts, however many the owner has.
        claim(run, seat, at, play.times * sum(dice))
    else:
        fall_due(run, seat, at, total=sum(dice), times=play.times)


def _roll_in_jail(run: MoveRun, seat: Seat, spaces: int, *, is_double: bool) -> None:
    """Leave jail on doubles; after the last failed attempt, pay and move anyway."""
    rules = run.board.rules
    if is_double:
        run.add(p.JailLeft(seat=seat, how="doubles"))
        walk(run, seat, spaces)
        return
    run.add(p.JailTried(seat=seat))
    if run.play.token_of(seat).tries < rules.jail.attempts:
        return
    rolls_again = rules.jail.third_roll == "roll-again"
    run.add(p.JailLeft(seat=seat, how="attempts", rolls_again=rolls_again))
    run.charge(seat, rules.jail.fine_to, rules.jail.fine, Reason.FINE)
    if not rolls_again:
        run.add(p.WalkAwaited(spaces=spaces))
