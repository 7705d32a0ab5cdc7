"""Taking back moves: one's own at once, those of others with their consent.

An *act* is an entry of the journal that can be taken back: its revision number and its
*actor*. Whoever takes back an act takes back all later ones, too. A seat may take back
its own acts, and the banker any. For the acts of others, a seat asks a *question*: all
their actors, or the banker alone, have to say yes. While the companion leads, an option
of the table lets any seat take back anything.

Source:
    The project's own house rules; that any seat may undo in a script: the section
    "Fine points" of ``companion/script/README.md``.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import Refused, Why
from companion.game import Game
from companion.game import commands as c
from companion.game import events as e
from companion.game.game import Act, UndoAsk
from companion.game.move_run import MoveRun
from companion.rules.rule import Choices, Who, rule, single_choice
from companion.sheets import LIMIT_RULE, Told
from companion.units import BANK, Revision
from companion.words import say

UNDO_RULE = Told("What is taken back counts as if it had never happened.")
OWN_UNDO_RULE = Told(
    "You take back what you did yourself. Whoever did it says yes to the rest."
)
UNDO_ASKED_RULE = Told("Whoever did something answers whether it is taken back.")

ANY = "any"
"""The option that lets any seat take back anything while the companion leads."""


def acts_back_to(game: Game, revision: int) -> tuple[Act, ...]:
    """List *revision* and all later acts; nothing if it cannot be taken back."""
    for index, act in enumerate(game.undoable):
        if act.revision == revision:
            return game.undoable[index:]
    return ()


def must_agree(game: Game, by: str, acts: tuple[Act, ...]) -> tuple[str, ...]:
    """List the actors who must agree when *by* takes *acts* back.

    If one has left its seat, the banker agrees in its place.
    """
    if by in (game.banker, c.TABLE) or _is_free_for_all(game):
        return ()
    return tuple(dict.fromkeys(act.actor for act in acts if act.actor != by))


def _is_free_for_all(game: Game) -> bool:
    if not game.is_guided or game.board is None:
        return False
    return game.board.rules.undo_by == ANY


def may_answer(game: Game, by: str) -> bool:
    """Return whether a question about an undo is open and waits for *by*."""
    ask = game.undo_ask
    if ask is None or ask.declined_by or by == ask.asker or by in ask.agreed:
        return False
    return by in (game.banker, c.TABLE) or by in _asked_actors(game, ask)


def _asked_actors(game: Game, ask: UndoAsk) -> tuple[str, ...]:
    """List the actors who must agree to the open question."""
    return must_agree(game, ask.asker, acts_back_to(game, ask.revision))


def still_to_agree(game: Game) -> tuple[str, ...]:
    """List the actors whose yes to the open question is still missing."""
    ask = game.undo_ask
    if ask is None or ask.declined_by:
        return ()
    return tuple(seat for seat in _asked_actors(game, ask) if seat not in ask.agreed)


def check_undo(run: MoveRun, command: c.Undo) -> None:
    """Check that there is a last act, and that ``by`` may take it back."""
    game = run.game
    if not game.undoable:
        raise UNDO_RULE.refuses(
            Why.NOT_UNDOABLE, say("there is nothing to take back"), say("play on")
        )
    latest = game.undoable[-1]
    if must_agree(game, command.by, (latest,)):
        who = latest.actor or BANK
        raise OWN_UNDO_RULE.refuses(
            Why.NOT_YOURS,
            say("the last action was {who}'s", who=who),
            say("ask {who} or the banker", who=who),
        )


def undo(run: MoveRun, _: c.Undo) -> None:
    """Take back the last action; the journal carries that out."""
    _take_back(run, run.game.undoable[-1:])


def _take_back(run: MoveRun, acts: tuple[Act, ...]) -> None:
    """Add the events that take back these acts, the latest first."""
    assert acts, "checked before"
    run.events += [e.Undone(revision=act.revision) for act in reversed(acts)]


def check_undo_to(run: MoveRun, command: c.UndoTo) -> None:
    """Check that the act can be taken back, and that no question is in the way.

    An open question is, and so is the same question once somebody said no.
    """
    game = run.game
    acts = acts_back_to(game, command.revision)
    if not acts:
        raise UNDO_RULE.refuses(
            Why.NOT_UNDOABLE,
            say("that cannot be taken back"),
            say("see in the history how far back you can go"),
        )
    ask = game.undo_ask
    if ask is None or not must_agree(game, command.by, acts):
        return
    if not ask.declined_by:
        raise LIMIT_RULE.refuses(
            Why.LIMIT_REACHED,
            say("{who} asks for an undo already", who=ask.asker),
            say("wait for the answer"),
        )
    if (ask.asker, ask.revision) == (command.by, command.revision):
        raise LIMIT_RULE.refuses(
            Why.LIMIT_REACHED,
            say("{who} said no already", who=ask.declined_by),
            say("talk about it"),
        )


def undo_to(run: MoveRun, command: c.UndoTo) -> None:
    """Take back that act and all later ones, or ask their actors."""
    acts = acts_back_to(run.game, command.revision)
    if must_agree(run.game, command.by, acts):
        run.add(e.UndoAsked(revision=command.revision, count=len(acts)))
    else:
        _take_back(run, acts)


def undo_to_choices(run: MoveRun, by: str) -> Iterator[c.UndoTo]:
    """Offer the latest two acts: if neither can be taken back, no earlier one can."""
    for act in reversed(run.game.undoable[-2:]):
        yield c.UndoTo(by=by, revision=act.revision)


def _open_question(run: MoveRun, revision: Revision) -> UndoAsk:
    """Return the open question about *revision*; refuse if there is none."""
    ask = run.game.undo_ask
    if ask is None or ask.revision != revision:
        raise UNDO_ASKED_RULE.refuses(
            Why.NOT_ASKED,
            say("nobody asks to take that back now"),
            say("see in the history what came since"),
        )
    return ask


def check_allow(run: MoveRun, command: c.AllowUndo) -> None:
    """Check that ``by`` is asked."""
    ask = _open_question(run, command.revision)
    if not may_answer(run.game, command.by):
        raise _no_answer(ask)


def _no_answer(ask: UndoAsk) -> Refused:
    """Refuse an answer: somebody said no before, or others are asked."""
    if ask.declined_by:
        message, remedy = (
            say("{who} said no already", who=ask.declined_by),
            say("play on"),
        )
    else:
        message = say("this is for others to answer")
        remedy = say("wait for their answer")
    return OWN_UNDO_RULE.refuses(Why.NOT_YOURS, message, remedy)


def allow(run: MoveRun, command: c.AllowUndo) -> None:
    """Say yes; the banker's yes or the last one takes the acts back."""
    game = run.game
    is_banker = command.by in (game.banker, c.TABLE)
    if is_banker or still_to_agree(game) == (command.by,):
        _take_back(run, acts_back_to(game, command.revision))
    else:
        run.add(e.UndoAllowed(revision=command.revision))


def check_decline(run: MoveRun, command: c.DeclineUndo) -> None:
    """Check that ``by`` asks the question or has to answer it."""
    ask = _open_question(run, command.revision)
    if command.by != ask.asker and not may_answer(run.game, command.by):
        raise _no_answer(ask)


def decline(run: MoveRun, command: c.DeclineUndo) -> None:
    """Say no, or withdraw the question; the asker sees a no until the next act."""
    ask = run.game.undo_ask
    is_withdrawn = ask is not None and command.by == ask.asker
    run.add(e.UndoDeclined(revision=command.revision, is_withdrawn=is_withdrawn))


def open_undo_question(kind: type[c.AllowUndo | c.DeclineUndo]) -> Choices:
    """Return choices that offer a command of *kind* for the open question."""

    def choices(run: MoveRun, by: str) -> Iterator[c.Command]:
        if run.game.undo_ask is not None:
            yield kind(by=by, revision=run.game.undo_ask.revision)

    return choices


def check_redo(run: MoveRun, command: c.Redo) -> None:
    """Check that something was taken back that ``by`` may restore.

    A seat may restore its own acts and whatever it took back itself.
    """
    game = run.game
    if not game.redoable:
        raise UNDO_RULE.refuses(
            Why.NOT_UNDOABLE, say("nothing was taken back"), say("play on")
        )
    others = must_agree(game, command.by, game.redoable)
    if others and command.by != game.redo_by:
        raise OWN_UNDO_RULE.refuses(
            Why.NOT_YOURS,
            say("what was taken back was {who}'s", who=others[-1]),
            say("ask {who} or the banker", who=others[-1]),
        )


def redo(run: MoveRun, _: c.Redo) -> None:
    """Restore the acts that were last taken back; the journal does that."""
    run.events += [e.Redone(revision=act.revision) for act in run.game.redoable]


ROWS = (
    rule(c.Undo, Who.SEAT, check_undo, undo, single_choice(c.Undo)),
    rule(c.UndoTo, Who.SEAT, check_undo_to, undo_to, undo_to_choices),
    rule(c.AllowUndo, Who.SEAT, check_allow, allow, open_undo_question(c.AllowUndo)),
    rule(
        c.DeclineUndo,
        Who.SEAT,
        check_decline,
        decline,
        open_undo_question(c.DeclineUndo),
    ),
    rule(c.Redo, Who.SEAT, check_redo, redo, single_choice(c.Redo)),
)
