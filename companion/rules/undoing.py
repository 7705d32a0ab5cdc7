"""Taking back moves: one's own at once, those of others with their consent.

A seat may take back what it did itself, and the banker anything. Anybody else asks:
then everybody whose acts would be taken back has to say yes, or the banker alone.
While the companion leads, a table may agree that any seat takes back anything.

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
"""The option under which any seat takes back anything while the companion leads."""


def acts_back_to(game: Game, revision: int) -> tuple[Act, ...]:
    """List the acts to take back in order to undo *revision*; empty if it cannot be."""
    for at, act in enumerate(game.undoable):
        if act.revision == revision:
            return game.undoable[at:]
    return ()


def must_agree(game: Game, by: str, acts: tuple[Act, ...]) -> tuple[str, ...]:
    """List those who must agree when *by* takes *acts* back, each once.

    The list may name somebody who has no seat any more; the banker consents for those.
    """
    is_free = game.is_guided and _is_any(game)
    if is_free or by in (game.banker, c.TABLE):
        return ()
    return tuple(dict.fromkeys(act.actor for act in acts if act.actor != by))


def _is_any(game: Game) -> bool:
    return game.board is not None and game.board.rules.undo_by == ANY


def may_answer(game: Game, by: str) -> bool:
    """Return whether a question about an undo is open and waits for *by*."""
    ask = game.undo_ask
    if ask is None or ask.declined_by or by == ask.asker or by in ask.agreed:
        return False
    return by in (game.banker, c.TABLE) or by in _asked(game, ask)


def _asked(game: Game, ask: UndoAsk) -> tuple[str, ...]:
    return must_agree(game, ask.asker, acts_back_to(game, ask.revision))


def still_to_agree(game: Game) -> tuple[str, ...]:
    """List those whose answer is missing.

    The list is empty if nothing is asked, or if one of them said no.
    """
    ask = game.undo_ask
    if ask is None or ask.declined_by:
        return ()
    return tuple(seat for seat in _asked(game, ask) if seat not in ask.agreed)


def check_undo(run: MoveRun, command: c.Undo) -> None:
    """Refuse if there is nothing to take back, or if it was done by others."""
    game = run.game
    if not game.undoable:
        raise UNDO_RULE.refuses(Why.NOT_UNDOABLE, say("there is nothing to take back"))
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
    assert acts, "it was checked"
    run.events += [e.Undone(revision=act.revision) for act in reversed(acts)]


def check_undo_to(run: MoveRun, command: c.UndoTo) -> None:
    """Refuse if it cannot be taken back, or if that is asked already or was denied."""
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
    """Take back all of it at once, or ask those whose acts are among it."""
    acts = acts_back_to(run.game, command.revision)
    if must_agree(run.game, command.by, acts):
        run.add(e.UndoAsked(revision=command.revision, count=len(acts)))
    else:
        _take_back(run, acts)


def undo_to_choices(run: MoveRun, by: str) -> Iterator[c.UndoTo]:
    """Try the latest two acts: if neither can be taken back, no earlier one can."""
    for act in reversed(run.game.undoable[-2:]):
        yield c.UndoTo(by=by, revision=act.revision)


def _check_asked(run: MoveRun, revision: Revision) -> UndoAsk:
    """Return the open question about *revision*; refuse if there is none."""
    ask = run.game.undo_ask
    if ask is None or ask.revision != revision:
        raise UNDO_ASKED_RULE.refuses(
            Why.NOT_ASKED,
            say("nobody asks to take that back now"),
            say("something newer has happened, or it was answered"),
        )
    return ask


def check_allow(run: MoveRun, command: c.AllowUndo) -> None:
    """Refuse a yes from somebody who is not asked."""
    ask = _check_asked(run, command.revision)
    if not may_answer(run.game, command.by):
        raise _not_asked_of(ask)


def _not_asked_of(ask: UndoAsk) -> Refused:
    if ask.declined_by:
        message = say("{who} said no already", who=ask.declined_by)
        return OWN_UNDO_RULE.refuses(Why.NOT_YOURS, message)
    return OWN_UNDO_RULE.refuses(Why.NOT_YOURS, say("this is for others to answer"))


def allow(run: MoveRun, command: c.AllowUndo) -> None:
    """Take it back once the banker, or everybody who has to agree, has said yes."""
    game = run.game
    is_banker = command.by in (game.banker, c.TABLE)
    if is_banker or still_to_agree(game) == (command.by,):
        _take_back(run, acts_back_to(game, command.revision))
    else:
        run.add(e.UndoAllowed(revision=command.revision))


def check_decline(run: MoveRun, command: c.DeclineUndo) -> None:
    """Refuse a no from somebody who neither is asked nor asked."""
    ask = _check_asked(run, command.revision)
    if command.by != ask.asker and not may_answer(run.game, command.by):
        raise _not_asked_of(ask)


def decline(run: MoveRun, command: c.DeclineUndo) -> None:
    """Say no, or stop asking; the asker sees the no until something else happens."""
    ask = run.game.undo_ask
    is_withdrawn = ask is not None and command.by == ask.asker
    run.add(e.UndoDeclined(revision=command.revision, is_withdrawn=is_withdrawn))


def open_undo_question(kind: type[c.AllowUndo | c.DeclineUndo]) -> Choices:
    """Return choices that try *kind* with the open question, if there is one."""

    def choices(run: MoveRun, by: str) -> Iterator[c.Command]:
        if run.game.undo_ask is not None:
            yield kind(by=by, revision=run.game.undo_ask.revision)

    return choices


def check_redo(run: MoveRun, command: c.Redo) -> None:
    """Refuse if nothing was taken back, or if it was done by others."""
    game = run.game
    if not game.redoable:
        raise UNDO_RULE.refuses(Why.NOT_UNDOABLE, say("nothing was taken back"))
    others = must_agree(game, command.by, game.redoable)
    if others and command.by != game.redo_by:
        raise OWN_UNDO_RULE.refuses(
            Why.NOT_YOURS,
            say("what was taken back was {who}'s", who=others[-1]),
            say("ask {who} or the banker", who=others[-1]),
        )


def redo(run: MoveRun, _: c.Redo) -> None:
    """Restore together what was last taken back together; the journal does that."""
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
