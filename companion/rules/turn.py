"""Rolling, for the turn and for a rent that needs fresh dice, and leaving jail.

A roll has numbers (``dice``) and, in some boxes (editions), a *special* face: a lock in
place of the second number, which grants a guess at the vault; or a picture on a third
die, such as Mr. Monopoly or a bus, which moves the token on after its landing.

Doubles or a *fine*, paid before rolling, lead out of jail; so does a card
(``kept_cards.py``). A token counts its *tries*, the failed attempts to roll doubles;
``FREE`` means that it is not in jail. The rulebook says who gets the fine, before which
rolls it may be paid, and whether the seat rolls at once or only on its next turn.

Source:
    Grab & Go's sheet, "Playing" 2 and 6, "Getting out of jail": pay $50 and go on next
    turn; the option ``jail_pay`` chooses between that and paying, then rolling. The
    standard rules in the Mega booklet, "The play" (three doubles in succession),
    "Jail"; the Secret Vault article, "Gameplay", "Special Die", "Getting Out of Jail"
    (c); Cash Decoder's sheet, "On your turn", "How do I get out of Jail?": pay, then
    roll again; the Crooked Cash article, "Gameplay", "Jail"; the Mega booklet, "The
    dice & how to move", "Doubles & triples".
"""

from __future__ import annotations

from companion.errors import Refused, Why, quoted
from companion.game import decoder_events as f  # For "fakes".
from companion.game import how
from companion.game import play_events as p
from companion.game.board import Board
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import PayJail, Roll
from companion.game.position import BUS, FREE, LEAVE_JAIL, MR, Payment, Position
from companion.game.stage import Stage
from companion.rules.rent import claim, fall_due
from companion.rules.rule import Range, Stages, Who, rule, single_choice, unaffordable
from companion.rules.walking import (
    ANY_SPACE,
    THIRD_DIE_RULE,
    await_guess,
    send_to_jail,
    settle,
    walk,
)
from companion.sheets import BOOKLET, CROOKED, DECODER, GRAB, SECRET, STANDARD, Told
from companion.units import Account, Seat
from companion.words import say
from companion.words.lists import with_commas
from companion.words.report import NOTHING

OUT_OF_JAIL = {
    GRAB: "Getting out of jail",
    STANDARD: "Jail",
    SECRET: "Getting Out of Jail",
    DECODER: "How do I get out of Jail?",
    CROOKED: "Jail",
}
"""Where each sheet says how somebody leaves jail."""

FINE_RULE = Told(
    "Leaving jail costs {fine}, unless a card or doubles get you out.", OUT_OF_JAIL
)
FINE_TURNS_RULE = Told(
    "You pay before one of your first rolls in jail. On your last turn you roll first.",
    {STANDARD: "Jail"},
)
IN_JAIL_RULE = Told(
    "You leave jail by paying, by a card for that, or by doubles.", OUT_OF_JAIL
)
FINE_LAST_TRY_RULE = Told(
    "After {attempts} tries without doubles you pay {fine} and leave jail.",
    OUT_OF_JAIL,
)
ON_YOUR_TURN = {
    GRAB: "Playing",
    STANDARD: "The play",
    SECRET: "Gameplay",
    DECODER: "On your turn",
    CROOKED: "Gameplay",
}
"""Where each sheet says what a turn is."""

TURN_RULE = Told(
    "You move when it is your turn, one after another round the table.", ON_YOUR_TURN
)
DICE_RULE = Told("You roll the dice and move as far as they say.", ON_YOUR_TURN)
WHITE_DOUBLES_RULE = Told(
    "Only the two white dice count for doubles.", {BOOKLET: "Doubles & triples"}
)
JAIL_WHITE_RULE = Told(
    "In jail you roll only the white dice, unless you paid before.",
    {BOOKLET: "Doubles & triples"},
)

PICTURES = {MR: "Mr. Monopoly", BUS: say("bus")}
"""Picture on a third die -> its name."""

DICE_COUNT = 2
"""The number of dice for a move, not counting a third one."""

PIPS_MAX = 6
"""The highest number on a die."""


def roll_choices(_run: MoveRun, _seat: str) -> tuple[Range, ...]:
    """Offer a roll of any dice."""
    return (Range(Roll, 1, PIPS_MAX),)


def dice_count(board: Board, play: Position) -> int:
    """Count the dice that are rolled now; in jail and for a rent, no third one is."""
    if play.stage is Stage.ROLL and play.mover.is_jailed:
        return board.rules.jail.dice
    has_third = play.stage is Stage.ROLL and bool(board.rules.dice.third_faces)
    return DICE_COUNT + 1 if has_third else DICE_COUNT


def check_roll(run: MoveRun, move: Roll) -> Refused | None:
    """Check that there are as many dice as are rolled now, and what they show.

    One may show a special face instead of pips. The third may lack some numbers.
    """
    rules, count = run.board.rules.dice, dice_count(run.board, run.play)
    special_faces: list[str] = [rules.lock_face] if rules.lock_face else []
    if count > DICE_COUNT:
        special_faces = [face for face in rules.third_faces if not face.isdigit()]
    number_count = count - 1 if move.special else count
    is_face = not move.special or move.special in special_faces
    are_pips = all(type(pips) is int and 1 <= pips <= PIPS_MAX for pips in move.dice)
    third = move.dice[DICE_COUNT:]
    is_on_third = all(str(pips) in rules.third_faces for pips in third)
    if is_face and are_pips and is_on_third and len(move.dice) == number_count:
        return None
    return _impossible_dice(run, move)


def _impossible_dice(run: MoveRun, move: Roll) -> Refused:
    """Refuse dice that cannot be rolled now, and say what they may show."""
    shown = " ".join((*map(str, move.dice), move.special)).strip()
    got = quoted(shown) if shown else NOTHING
    faces = run.board.rules.dice.third_faces
    rule, message = DICE_RULE, say("two dice show 1 to 6 each, not {got}", got=got)
    if faces and run.play.mover.is_jailed:
        rule = JAIL_WHITE_RULE
        message = say("in jail two white dice show 1 to 6 each, not {got}", got=got)
    if dice_count(run.board, run.play) > DICE_COUNT:
        rule, message = (
            THIRD_DIE_RULE,
            say(
                "two dice show 1 to 6 each, a third one of {third}, not {got}",
                third=with_commas(
                    PICTURES.get(face, face) for face in dict.fromkeys(faces)
                ),
                got=got,
            ),
        )
    return rule.refuses(Why.MALFORMED, message, say("type them again"))


def dice_rule(board: Board) -> Told:
    """Return the printed rule about the dice of this box."""
    return THIRD_DIE_RULE if board.rules.dice.third_faces else DICE_RULE


def roll(run: MoveRun, move: Roll) -> None:
    """Use the dice for a rent that waits for them, or else for a move."""
    if run.play.stage is Stage.RENT_ROLL:
        _roll_for_rent(run, Seat(move.by), move.dice)
    else:
        _roll_for_move(run, Seat(move.by), move)
    settle(run)


def _roll_for_move(run: MoveRun, seat: Seat, move: Roll) -> None:
    """Use the dice to leave jail or to move; after a lock, the guess comes first."""
    dice, rules = move.dice, run.board.rules.dice
    token = run.play.token_of(seat)
    run.add(p.DiceRolled(seat=seat, dice=dice, special=move.special))
    is_lock = bool(move.special) and move.special == rules.lock_face
    spaces = sum(dice)
    if is_lock:
        spaces += rules.lock_counts_as or 0
    if token.is_jailed:
        is_double = run.board.is_double(dice, move.special)
        _roll_in_jail(run, seat, spaces, is_double=is_double)
    elif run.board.is_triple(dice):
        run.add(f.ChoiceAwaited(of=ANY_SPACE))
    elif run.play.doubles >= rules.doubles_to_jail:
        send_to_jail(run, seat)
    elif is_lock:
        await_guess(run, seat)
        run.add(p.WalkAwaited(spaces=spaces))
    else:
        walk(run, seat, spaces)


def _roll_for_rent(run: MoveRun, seat: Seat, dice: tuple[int, ...]) -> None:
    """Let the owner of a utility ask for a rent by these dice."""
    play = run.play
    index = run.board.index[play.awaited]
    run.add(p.RentRolled(seat=seat, dice=dice))
    if play.is_card_dice:  # The multiple is that of the card, not of the deed.
        claim(run, seat, index, (("card", play.times), ("dice", sum(dice))))
    else:
        fall_due(run, seat, index, total=sum(dice), times=play.times)


def _roll_in_jail(run: MoveRun, seat: Seat, spaces: int, *, is_double: bool) -> None:
    """Leave jail on doubles, and move by them.

    After the last failed attempt, pay the fine and leave; the rulebook says whether
    the seat then moves by these dice or rolls again.
    """
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
    fine, came = rules.jail.fine, how.write(("last-try", rules.jail.fine))
    run.charge(seat, rules.jail.fine_to, fine, Reason.FINE, came)
    if not rolls_again:
        run.add(p.WalkAwaited(spaces=spaces))


def check_fine(run: MoveRun, move: PayJail) -> Refused | None:
    """Check that the seat is in jail, may still pay, and has the fine in hand."""
    rules, tries = run.board.rules.jail, run.play.token_of(move.by).tries
    if tries == FREE:
        return not_in_jail(move.by)
    if rules.fine_turns is not None and tries >= rules.fine_turns:
        return FINE_TURNS_RULE.refuses(
            Why.WRONG_STAGE,
            say(
                "the fine is only paid before the first {turns} rolls",
                turns=rules.fine_turns,
            ),
            say("roll: without doubles you pay it then"),
        )
    return unaffordable(run, move.by, rules.fine)


def in_jail(seat: str) -> Refused:
    """Refuse a move because the seat is in jail."""
    return IN_JAIL_RULE.refuses(
        Why.IN_JAIL, say("{by} is in jail", by=seat), say("leave jail first")
    )


def not_in_jail(seat: str) -> Refused:
    """Refuse to let out a seat that is not in jail."""
    return IN_JAIL_RULE.refuses(
        Why.NOT_IN_JAIL, say("{by} is not in jail", by=seat), say("roll")
    )


def pay_fine(run: MoveRun, move: PayJail) -> None:
    """Pay the fine and leave, now or once the money on the table is handed over."""
    jail = run.board.rules.jail
    payment = Payment(
        Seat(move.by), Account(jail.fine_to), jail.fine, Reason.FINE, LEAVE_JAIL
    )
    if not run.lays(payment):
        leave_jail(run, payment)
    settle(run)


def leave_jail(run: MoveRun, payment: Payment) -> None:
    """Leave jail for this payment; in some boxes that ends the turn."""
    ends_turn = run.board.rules.jail.pay_then == "next-turn"
    run.add(p.JailLeft(seat=payment.payer, how="paid", ends_turn=ends_turn))
    run.make(payment)


def _is_in_jail(run: MoveRun, seat: str) -> bool:
    return run.play.token_of(seat).is_jailed


ROLLING: Stages = {Stage.ROLL: Who.MOVER, Stage.RENT_ROLL: Who.MOVER}
"""Where the mover rolls: for a move, and for a rent."""

ROWS = (rule(Roll, ROLLING, check_roll, roll, roll_choices),)

JAIL_ROWS = (
    rule(
        PayJail,
        {Stage.ROLL: Who.MOVER},
        check_fine,
        pay_fine,
        single_choice(PayJail, _is_in_jail),
    ),
)
"""Bus tickets stand between the two in the order in which seats see the moves."""
