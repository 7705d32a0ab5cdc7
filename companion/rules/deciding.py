"""What is allowed, and what follows: every command is decided here, by its row.

``legal_commands`` and ``legal_moves`` ask the same rows as ``decide``, so neither can
allow what the other forbids: the panel draws its buttons from what they list.

Rule 1: a move that the stage does not take is refused as ``wrong_stage``.
Rule 2: a move by somebody whom the stage does not name, as ``not_your_turn``.

Source:
    The order of the reasons: ``Why``, from the section "Reasons" of
    ``companion/script/README.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.errors import Refused, Why
from companion.game import Game
from companion.game import commands as c
from companion.game import events as e
from companion.game import moves as m
from companion.game.move_run import MoveRun
from companion.game.position import LOCKED, OPEN, SHUT, Position
from companion.game.stage import Stage
from companion.rules.commands_table import ALLOWED, RULES
from companion.rules.refusal_words import refusal
from companion.rules.rule import Choice, Range, Rule, Who
from companion.units import BANK, CAMERA, VAULT
from companion.words import say


def decide(game: Game, command: c.Command) -> tuple[e.GameEvent, ...]:
    """The events that follow when *command* is given. Pure; changes nothing.

    Raises:
        Refused: With the first reason that applies, in the order of ``Why``.
    """
    return tuple(step(game, command).events)


def step(game: Game, command: c.Command) -> MoveRun:
    """Carry *command* out and return the run, with its events and the game after them.

    Raises:
        Refused: As ``decide`` does.
    """
    run = MoveRun(game)
    rule = RULES[type(command)]
    if rule.who is Who.PLAYER and game.is_guided and not game.is_closed:
        why = _why_not_in_turn(run, rule, command)
    else:
        why = _why_not_at_table(game, type(command), command.by)
    why = why or rule.check(run, command)
    if why is not None:
        raise refusal(run if game.play is not None else None, command, why)
    rule.happen(run, command)
    return run


def legal_commands(game: Game, by: str) -> tuple[type[c.Command], ...]:
    """The commands that *by* may give now with at least one set of arguments.

    Args:
        game: The game as it stands.
        by: A seat, ``bank`` or ``table``.

    Returns:
        The commands in the order of ``RULES``; empty for somebody who is not at the
        table.
    """
    if not is_at_table(game, by):
        return ()
    run = MoveRun(game)
    moves = {kind for kind, _ in moves_by_kind(game, by)}
    return tuple(
        kind
        for kind, rule in RULES.items()
        if kind in moves or (rule.who is not Who.PLAYER and _is_open(run, kind, by))
    )


def legal_moves(game: Game, seat: str) -> tuple[Choice, ...]:
    """Every move that *seat* may make now; a ``Range`` where there are too many."""
    return tuple(choice for _, found in moves_by_kind(game, seat) for choice in found)


def moves_by_kind(
    game: Game, seat: str, order: Iterable[type[c.Command]] | None = None
) -> Iterator[tuple[type[c.Command], list[Choice]]]:
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
    allowed = {**ALLOWED[play.stage], **_at_vault(run, play.stage)}
    for kind in allowed if order is None else order:
        who = allowed.get(kind)
        if who is None or not (who is Who.ANYBODY or _is_for(play, seat, who)):
            continue
        check = RULES[kind].check
        found = [
            choice
            for choice in RULES[kind].choices(run, seat)
            if isinstance(choice, Range) or check(run, choice) is None
        ]
        if found:
            yield kind, found


# At the table.


def is_at_table(game: Game, by: str) -> bool:
    """Whether *by* is a seat at the table, the banker, or the table as a whole."""
    return keeps_bank(game, by) or game.seat(by) is not None


def keeps_bank(game: Game, by: str) -> bool:
    """Whether *by* is the banker, or the table as a whole."""
    if by == BANK:
        return game.banker == BANK
    return by == c.TABLE or (by == game.banker and game.seat(by) is not None)


def _is_open(run: MoveRun, kind: type[c.Command], by: str) -> bool:
    """Whether *by* may give some command of *kind*, which is no move of a player."""
    rule = RULES[kind]
    try:
        if _why_not_at_table(run.game, kind, by) is not None:
            return False
    except Refused:
        return False
    return any(
        isinstance(choice, Range) or _passes(rule, run, choice)
        for choice in rule.choices(run, by)
    )


def _passes(rule: Rule, run: MoveRun, command: c.Command) -> bool:
    try:
        return rule.check(run, command) is None
    except Refused:
        return False


def _why_not_at_table(game: Game, kind: type[c.Command], by: str) -> Why | None:
    """Why *kind* is refused, but for the turns of guided play.

    Raises:
        Refused: Where that takes words of its own.
    """
    rule = RULES[kind]
    if game.is_closed and kind is not c.ReopenGame:
        raise Refused(
            Why.GAME_OVER,
            say("this game was put away"),
            say("take it out again to play on"),
        )
    if not is_at_table(game, by):
        raise Refused(
            Why.UNKNOWN_SEAT,
            say("{by} is not at this table", by=by),
            say("take a seat"),
        )
    if rule.who is Who.BANKER and not keeps_bank(game, by):
        raise Refused(
            Why.NOT_YOURS, say("only the banker does this"), say("ask the banker")
        )
    if rule.is_by_hand and game.is_guided:
        raise Refused(
            Why.WRONG_STAGE,
            say("the companion leads this game"),
            say("go on by hand first"),
        )
    return Why.WRONG_STAGE if rule.who is Who.PLAYER else None


# In a turn.


def _why_not_in_turn(run: MoveRun, rule: Rule, command: c.Command) -> Why | None:
    """Why a move is refused before its own rule is asked: stage, seat or turn."""
    play, by = run.play, command.by
    stage = play.stage
    if stage is Stage.OVER:
        return Why.GAME_OVER
    if rule.is_report and _is_instrument(run.game, by):
        return None
    token = play.token(by)
    if token is None:
        return Why.UNKNOWN_SEAT
    if token.is_out:
        return Why.BANKRUPT
    kind = type(command)
    who = rule.stages.get(stage) or _at_vault(run, stage).get(kind)
    if who is None:
        return _out_of_stage(play, kind)
    return None if _is_for(play, by, who) else Why.NOT_YOUR_TURN


def _is_instrument(game: Game, by: str) -> bool:
    """Whether *by* is the lock, the camera, the table as a whole, or the banker."""
    return by in (VAULT, CAMERA, c.TABLE) or by == game.banker


def _at_vault(run: MoveRun, stage: Stage) -> dict[type[c.Command], Who]:
    """The moves that a vault allows in any stage, and to whom.

    Anybody may lock a vault that is not locked, once a key found in it has been used.
    A vault that is only a toy takes a guess from the mover at any time.
    """
    vault, contents = run.board.rules.vault, run.play.vault_contents
    more: dict[type[c.Command], Who] = {}
    if vault is None or contents is None or stage is Stage.OVER:
        return more
    if contents.lid in (OPEN, SHUT) and not contents.found:
        more[m.LockVault] = Who.ANYBODY
    if vault.is_toy:
        more[m.Guess] = Who.MOVER
    return more


def _out_of_stage(play: Position, kind: type[c.Command]) -> Why:
    """Why a move that the stage does not list is refused."""
    contents = play.vault_contents
    if kind is m.Guess and contents is not None and contents.lid != LOCKED:
        return Why.VAULT_OPEN
    if kind is m.LockVault and contents is not None and contents.lid == LOCKED:
        return Why.VAULT_LOCKED
    return RULES[kind].outside


def _is_for(play: Position, seat: str, who: Who) -> bool:
    if who is Who.MOVER:
        return play.mover.seat == seat
    if who is Who.ANYBODY:
        return True
    if who is Who.SHOWER:
        return play.showing == seat
    if who is Who.DEBTOR:
        return any(debt.debtor == seat for debt in play.debts)
    if who is Who.LEVELLER:
        return play.uneven[0].seat == seat
    bids = play.auction
    return (
        bids is not None
        and seat in bids.bidders
        and seat not in bids.passed
        and seat != bids.bidder
    )
