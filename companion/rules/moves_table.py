"""Guided play as one table: every move, its check, its effect, and its choices.

``legal_moves`` and ``decide_move`` use the same checks, so neither can allow what
the other forbids.

Source:
    The stages and who may act in them: ``companion/rules/stages.py``. Each rule names
    its own source in its module.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.errors import Why
from companion.game import Game
from companion.game import moves as m
from companion.game.commands import TABLE
from companion.game.events import GameEvent
from companion.game.move_run import MoveRun
from companion.game.position import LOCKED, OPEN, SHUT, Position
from companion.game.stage import Stage
from companion.rules import (
    auction,
    begin,
    box_reading,
    buildings,
    cards,
    correcting,
    debt,
    deeds,
    ending,
    jail,
    rent,
    trade,
    turn,
    vault,
)
from companion.rules.refusal_words import refusal
from companion.rules.rule import Choice, MoveRule, Range, move_row
from companion.rules.stages import ALLOWED, REFUSED_AS, Who
from companion.units import VAULT


def _dice(_run: MoveRun, _seat: str) -> tuple[Range, ...]:
    return (Range(m.Roll, 1, turn.PIPS_MAX),)


MOVES: dict[type[m.Move], MoveRule] = dict(
    (
        move_row(m.Roll, turn.check_roll, turn.roll, _dice),
        move_row(m.PayJail, jail.check_pay, jail.pay, jail.pay_choices),
        move_row(m.UseCard, jail.check_card, jail.use_card, jail.card_choices),
        move_row(m.Draw, cards.check_draw, cards.draw, cards.draw_choices),
        move_row(m.Buy, deeds.check_buy, deeds.buy, deeds.buy_choices),
        move_row(m.PutUp, deeds.check_put_up, deeds.put_up, deeds.put_up_choices),
        move_row(m.Bid, auction.check_bid, auction.bid, auction.bid_choices),
        move_row(m.PassBid, auction.check_pass, auction.pass_bid, auction.pass_choices),
        move_row(m.AskRent, rent.check_ask, rent.ask, rent.choices),
        move_row(m.PayDebt, debt.check_pay, debt.pay, debt.pay_choices),
        move_row(
            m.Build, buildings.check_build, buildings.build, buildings.build_choices
        ),
        move_row(
            m.Unbuild,
            buildings.check_unbuild,
            buildings.unbuild,
            buildings.unbuild_choices,
        ),
        move_row(
            m.WantBuilding, buildings.check_want, buildings.want, buildings.want_choices
        ),
        move_row(
            m.Mortgage, deeds.check_mortgage, deeds.mortgage, deeds.mortgage_choices
        ),
        move_row(m.LiftMortgage, deeds.check_lift, deeds.lift, deeds.lift_choices),
        move_row(m.MakeOffer, trade.check_offer, trade.offer, trade.offer_choices),
        move_row(m.Accept, trade.check_accept, trade.accept, trade.answer_choices),
        move_row(m.Reject, trade.check_reject, trade.reject, trade.reject_choices),
        move_row(m.Guess, vault.check_guess, vault.guess, vault.guess_choices),
        move_row(
            m.DeclineGuess, vault.check_decline, vault.decline, vault.decline_choices
        ),
        move_row(m.Unlock, vault.check_unlock, vault.unlock, vault.unlock_choices),
        move_row(m.LockVault, vault.check_lock, vault.lock, vault.lock_choices),
        move_row(m.ReportLid, vault.check_lid, vault.report_lid),
        move_row(m.ReportPress, vault.check_press, vault.report_press),
        move_row(
            m.ReadBox, box_reading.check, box_reading.read_box, box_reading.choices
        ),
        move_row(
            m.DeclareBankrupt, debt.check_declare, debt.declare, debt.declare_choices
        ),
        move_row(m.Resign, debt.check_resign, debt.resign, debt.resign_choices),
        move_row(m.BeginPlay, begin.check_begin, begin.begin),
        move_row(m.RestPlay, begin.check_rest, begin.rest),
        move_row(m.ResumePlay, begin.check_resume, begin.resume),
        move_row(m.CorrectPosition, correcting.check_correct, correcting.correct),
        move_row(m.CallTime, ending.check_time, ending.call_time),
    )
)
"""Every move, in the order in which a seat is offered them."""

TABLES_OWN = frozenset(
    (m.BeginPlay, m.RestPlay, m.ResumePlay, m.CorrectPosition, m.CallTime)
)
"""Moves that only the banker or the table as a whole may make."""


LOCKS_OWN = frozenset((m.ReportLid, m.ReportPress))
"""Moves that only the lock makes."""

REPORTS = LOCKS_OWN | {m.LockVault}
"""Moves that the lock makes by itself; ``LockVault`` can also be made by a seat."""


def step(game: Game, move: m.Move) -> MoveRun:
    """Carry *move* out and return the run, with its events and the game after them.

    Raises:
        Refused: With the first reason that applies, in the order of ``Why``.
    """
    run = MoveRun(game)
    rule = MOVES[type(move)]
    why = _why_not_now(run, move) or rule.check(run, move)
    if why is not None:
        raise refusal(run if game.play is not None else None, move, why)
    rule.happen(run, move)
    return run


def decide_move(game: Game, move: m.Move) -> tuple[GameEvent, ...]:
    """The events that follow when *move* is made. Pure; changes nothing.

    Raises:
        Refused: As ``step`` does.
    """
    return tuple(step(game, move).events)


def legal_moves(game: Game, seat: str) -> tuple[Choice, ...]:
    """Every move that *seat* may make now; a ``Range`` where there are too many."""
    return tuple(choice for _, found in moves_by_kind(game, seat) for choice in found)


def moves_by_kind(
    game: Game, seat: str, order: Iterable[type[m.Move]] | None = None
) -> Iterator[tuple[type[m.Move], list[Choice]]]:
    """``legal_moves`` kind by kind; each kind is worked out only when it is reached.

    Args:
        game: The game as it stands.
        seat: Whose moves.
        order: The kinds to ask for, the most wanted first; all of them without it.

    Yields:
        A kind of which there is a legal move, and all such moves.
    """
    play = game.play
    if play is None or not game.is_guided or game.is_closed:
        return
    token = play.token(seat)
    if token is None or token.is_out:
        return
    run = MoveRun(game)
    allowed = _allowed(run, play.stage)
    for kind in allowed if order is None else order:
        who = allowed.get(kind)
        if who is None or not (who is Who.ANYBODY or _is_for(play, seat, who)):
            continue
        check = MOVES[kind].check
        found = [
            choice
            for choice in MOVES[kind].choices(run, seat)
            if isinstance(choice, Range) or check(run, choice) is None
        ]
        if found:
            yield kind, found


def _why_not_now(run: MoveRun, move: m.Move) -> Why | None:
    """Why *move* is refused before its own rule is asked: stage, seat or turn."""
    game, kind = run.game, type(move)
    if kind in TABLES_OWN:
        return _why_not_table(game, move)
    play = game.play
    if play is None or not game.is_guided:
        return Why.WRONG_STAGE
    stage = play.stage
    if stage is Stage.OVER:
        return Why.GAME_OVER
    if kind in REPORTS and _is_lock(game, move.by):
        return None
    token = play.token(move.by)
    if token is None:
        return Why.UNKNOWN_SEAT
    if token.is_out:
        return Why.BANKRUPT
    who = _allowed(run, stage).get(kind)
    if who is None:
        return _out_of_stage(play, kind)
    return None if _is_for(play, move.by, who) else Why.NOT_YOUR_TURN


def _is_lock(game: Game, by: str) -> bool:
    """Whether *by* is the lock, the table as a whole, or the banker."""
    return by in (VAULT, TABLE) or by == game.banker


def _allowed(run: MoveRun, stage: Stage) -> dict[type[m.Move], Who]:
    """Who may make which move in this stage, with the extra moves a vault allows.

    Anybody may lock a vault that is not locked, once a key found in it has been used.
    A vault that is only a toy takes a guess from the mover at any time.
    """
    play, vault = run.play, run.board.rules.vault
    row, contents = ALLOWED[stage], play.vault_contents
    if vault is None or contents is None or stage is Stage.OVER:
        return row
    more: dict[type[m.Move], Who] = {}
    if contents.lid in (OPEN, SHUT) and not contents.found:
        more[m.LockVault] = Who.ANYBODY
    if vault.is_toy:
        more[m.Guess] = Who.MOVER
    return {**row, **more} if more else row


def _out_of_stage(play: Position, kind: type[m.Move]) -> Why:
    """Why a move that the stage does not list is refused."""
    contents = play.vault_contents
    if kind is m.Guess and contents is not None and contents.lid != LOCKED:
        return Why.VAULT_OPEN
    if kind is m.LockVault and contents is not None and contents.lid == LOCKED:
        return Why.VAULT_LOCKED
    return REFUSED_AS.get(kind, Why.WRONG_STAGE)


def _why_not_table(game: Game, move: m.Move) -> Why | None:
    if isinstance(move, m.CallTime) and game.play and game.play.base is Stage.OVER:
        return Why.GAME_OVER
    if isinstance(move, m.CorrectPosition | m.CallTime) and not game.is_guided:
        return Why.WRONG_STAGE
    return None


def _is_for(play: Position, seat: str, who: Who) -> bool:
    if who is Who.ANYBODY:
        return True
    if who is Who.MOVER:
        return play.mover.seat == seat
    if who is Who.DEBTOR:
        return any(debt.debtor == seat for debt in play.debts)
    bids = play.auction
    return (
        bids is not None
        and seat in bids.bidders
        and seat not in bids.passed
        and seat != bids.bidder
    )
