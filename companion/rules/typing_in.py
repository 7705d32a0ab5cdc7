"""Typing in what the edition does not know, read off the real deed, card or board.

Nothing happens on a space that nobody knows, so the dice pass on at once. If somebody
reads the space before the next roll, the dice go back to the seat that landed there,
and it does what is printed. A later reading counts from the next landing.

Source:
    The project's own house rules: the editions say which figures are unknown, and
    whoever has the box can read them. A figure that is known is changed by a
    correction of the whole table instead.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import Malformed, Why
from companion.game import deed_events as d
from companion.game import play_events as p
from companion.game.board import READABLE, Board
from companion.game.move_run import MoveRun
from companion.game.moves import ReadSpace, TypeFigure
from companion.game.position import FREE, Position, Rested
from companion.game.stage import Stage
from companion.rules.rule import Range
from companion.rules.walking import brings_something, land, settle
from companion.units import DeedId
from companion.words.money import AMOUNT_MAX


def check(run: MoveRun, move: TypeFigure) -> Why | None:
    """Check that this edition has the figure and that nobody knows it yet."""
    if type(move.amount) is not int or not 0 <= move.amount <= AMOUNT_MAX:
        return Why.MALFORMED
    wanted = (move.deed, move.figure)
    known = {(one.of, one.figure) for one in run.board.unknown}
    if wanted not in known:
        return Why.MALFORMED
    try:
        run.board.with_figure(move.deed, move.figure, move.amount)
    except Malformed:
        return Why.MALFORMED
    return None


def type_figure(run: MoveRun, move: TypeFigure) -> None:
    """Use the figure from now on, in this game."""
    run.add(
        d.FigureTyped(deed=DeedId(move.deed), figure=move.figure, amount=move.amount)
    )


def choices(run: MoveRun, _seat: str) -> Iterator[Range]:
    """Offer any amount while any figure is unknown."""
    if run.board.unknown:
        yield Range(TypeFigure, 0, AMOUNT_MAX)


def asked_space(board: Board, play: Position) -> Rested | None:
    """The landing whose space the table can read now, or ``None``.

    The landing still counts after the token has gone on: an answer may come late.
    """
    rested = play.rested
    return rested if rested is not None and board.is_unread(rested.space) else None


def stands_there(play: Position, rested: Rested) -> bool:
    """Whether the token still stands where it landed."""
    token = play.token(rested.seat)
    if token is None or token.is_out or token.tries != FREE:
        return False
    return token.space == rested.space


def comes_now(play: Position, rested: Rested) -> bool:
    """Whether what is printed there would happen now: nobody has rolled since."""
    return (
        rested.is_last
        and stands_there(play, rested)
        and play.stage is Stage.ROLL
        and not play.has_moved
        and play.turn_number - rested.turn <= 1  # A turn may pass without a roll.
    )


def check_space(run: MoveRun, move: ReadSpace) -> Why | None:
    """Check that the move names the last unread landing and a possible kind."""
    rested = asked_space(run.board, run.play)
    is_asked = rested is not None and rested.space == move.space
    return None if is_asked and move.kind in READABLE else Why.MALFORMED


def read_space(run: MoveRun, move: ReadSpace) -> None:
    """Record what the space says; if it is still in time, carry that out at once."""
    rested = asked_space(run.board, run.play)
    assert rested is not None, "checked before"
    run.add(d.SpaceRead(space=move.space, kind=move.kind))
    if comes_now(run.play, rested) and brings_something(run.board, move.space):
        run.add(p.DiceHandedBack(seat=rested.seat))
        land(run, rested.seat)
        settle(run)


def space_choices(run: MoveRun, seat: str) -> Iterator[ReadSpace]:
    """Offer every kind that can be printed there, the likely one first."""
    rested = asked_space(run.board, run.play)
    if rested is None:
        return
    likely = run.board.rules.spaces[rested.space].likely
    for kind in sorted(READABLE, key=lambda one: one != likely):
        yield ReadSpace(by=seat, space=rested.space, kind=kind)
