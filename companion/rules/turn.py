"""Rolling: for the turn, out of jail, and for a rent that needs fresh dice.

Source:
    Grab & Go's sheet, "Playing" 2 and 6, "Getting out of jail"; the standard
    rules in the Mega booklet, "The play" (three doubles in succession), "Jail"; the
    Secret Vault article, "Gameplay", "Special Die", "Getting Out of Jail" (c); Cash
    Decoder's sheet, "How do I get out of Jail?": pay, then roll again; the Mega
    booklet, "The dice & how to move", "Doubles & triples".
"""

from __future__ import annotations

from companion.errors import Why
from companion.game import decoder_events as f
from companion.game import play_events as p
from companion.game.board import Board
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import Roll
from companion.game.position import FREE, Position
from companion.game.stage import Stage
from companion.rules.rent import claim, fall_due
from companion.rules.rule import Range
from companion.rules.walking import (
    ANY_SPACE,
    await_guess,
    send_to_jail,
    settle,
    walk,
)
from companion.units import Seat

DICE_COUNT = 2
PIPS_MAX = 6


def roll_choices(_run: MoveRun, _seat: str) -> tuple[Range, ...]:
    """Offer to roll whatever falls."""
    return (Range(Roll, 1, PIPS_MAX),)


def dice_count(board: Board, play: Position) -> int:
    """How many dice are rolled now; a third one neither in jail nor for a rent."""
    if play.stage is Stage.ROLL and play.mover.tries != FREE:
        return board.rules.jail.dice
    has_third = play.stage is Stage.ROLL and bool(board.rules.dice.third_faces)
    return DICE_COUNT + has_third


def check_roll(run: MoveRun, move: Roll) -> Why | None:
    """Check dice of 1 to 6 pips; a lock or a third die may show something else."""
    rules, count = run.board.rules.dice, dice_count(run.board, run.play)
    words: list[str] = [rules.lock_face] if rules.lock_face else []
    if count > DICE_COUNT:
        words = [x for x in rules.third_faces if not x.isdigit()]
    if move.special and move.special not in words:
        return Why.MALFORMED
    if len(move.dice) != count - bool(move.special):
        return Why.MALFORMED
    for pips in move.dice:
        if type(pips) is not int or not 1 <= pips <= PIPS_MAX:
            return Why.MALFORMED
    thirds = move.dice[DICE_COUNT:]
    return None if all(str(x) in rules.third_faces for x in thirds) else Why.MALFORMED


def roll(run: MoveRun, move: Roll) -> None:
    """Use the dice for a rent, to leave jail, or for the turn, as the stage says."""
    seat, dice = Seat(move.by), move.dice
    if run.play.stage is Stage.RENT_ROLL:
        _roll_for_rent(run, seat, dice)
    else:
        token = run.play.token_of(seat)
        run.add(p.DiceRolled(seat=seat, dice=dice, special=move.special))
        rules = run.board.rules.dice
        is_lock = bool(move.special) and move.special == rules.lock_face
        adds = rules.lock_counts_as if is_lock else 0
        spaces = sum(dice) + (adds or 0)
        if token.tries != FREE:
            is_double = run.board.is_double(dice, move.special)
            _roll_in_jail(run, seat, spaces, is_double=is_double)
        elif run.board.is_triple(dice):
            run.add(f.ChoiceAwaited(of=ANY_SPACE))
        elif run.play.doubles >= rules.doubles_to_jail:
            send_to_jail(run, seat)
        elif is_lock:  # The guess comes first, then the move.
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
