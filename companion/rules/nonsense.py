"""What a move says of arguments that cannot be: names, dice, cards, amounts.

Source:
    The project's own words, in the manner of ``companion/errors.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from companion.errors import quoted
from companion.game import moves as m
from companion.game.commands import Command
from companion.game.move_run import MoveRun
from companion.rules.auction import lowest_bid
from companion.rules.correcting import why_not
from companion.words import say
from companion.words.money import AMOUNT_MAX, dollars_text
from companion.words.report import nearest

Words = tuple[str, str]
"""What is so, and what to do now."""

NOTHING = say("nothing")


def name_of(run: MoveRun, word: str) -> str:
    """How a deed is called; any other word as it is."""
    at = run.board.index.get(word)
    return word if at is None else run.board.rules.deeds[at].name


def malformed(run: MoveRun, move: Command) -> Words:
    """What was wanted of *move*, what came, and what to do now."""
    write = NONSENSE.get(type(move))
    if write is not None:
        return write(run, move)
    return say("expected whole amounts and names of this game"), say("type it again")


def _odd_dice(_: MoveRun, move: m.Roll) -> Words:
    got = " ".join((*map(str, move.dice), move.special)).strip()
    return say(
        "expected two dice of 1 to 6, got {got}", got=repr(got) if got else NOTHING
    ), say("type them again")


def _odd_bid(run: MoveRun, _: m.Bid) -> Words:
    step = run.board.rules.auction_step
    return say(
        "expected a bid of {lowest_bid} or more, in steps of {step}",
        lowest_bid=dollars_text(lowest_bid(run)),
        step=dollars_text(step),
    ), say("bid more, or pass")


OfDeed = m.Build | m.Unbuild | m.WantBuilding | m.Mortgage | m.LiftMortgage | m.Unlock


def _odd_deed(run: MoveRun, move: OfDeed) -> Words:
    return _no_such_name(run, move.deed)


def _no_such_name(run: MoveRun, word: str) -> Words:
    close = nearest(word, (*run.board.index, *run.board.cards))
    hint = (
        say("did you mean {close}?", close=close)
        if close
        else say("use the name in the data")
    )
    got = quoted(word) if word else NOTHING
    return say("expected a name of this edition, got {word}", word=got), hint


def _odd_draw(run: MoveRun, move: m.Draw) -> Words:
    at = run.board.deck_index.get(run.play.awaited)
    is_whole = at is not None and run.board.rules.decks[at].is_complete
    if is_whole and run.board.rules.has_own_decks:
        return say("the table draws its cards by itself"), say("draw without a name")
    if not move.card:
        return say("nobody has said which card it is"), say("choose it in the list")
    if is_whole:
        return say(
            "expected a card of this deck, got {word}", word=quoted(move.card)
        ), say("choose it in the list")
    return _no_such_name(run, move.card)


def _odd_figure(run: MoveRun, move: m.TypeFigure) -> Words:
    deed = run.board.index.get(move.deed)
    if deed is None and move.deed not in run.board.cards:
        return _no_such_name(run, move.deed)
    if type(move.amount) is not int or not 0 <= move.amount <= AMOUNT_MAX:
        return say(
            "expected a whole amount from {least} to {most}, got {got}",
            least=dollars_text(0),
            most=dollars_text(AMOUNT_MAX),
            got=str(move.amount),
        ), say("type it again")
    return say(
        "nobody asks for that figure of {deed}", deed=name_of(run, move.deed)
    ), say("choose another figure")


def _not_asked(run: MoveRun, move: m.ReadSpace) -> Words:
    spaces = run.board.rules.spaces
    if 0 <= move.space < len(spaces) and spaces[move.space].name:
        known = say("what is printed on space {number} is known", number=move.space)
        return known, say("the banker can correct it")
    return (
        say("nobody asks now what is printed on space {number}", number=move.space),
        say("answer when a token has landed there"),
    )


def _not_so(run: MoveRun, move: m.CorrectPosition) -> Words:
    wrong = why_not(run, move.words)
    said = wrong.message if wrong else say("nobody agrees on the next card")
    return said, (wrong and wrong.remedy) or say("say it in other words")


Made = TypeVar("Made", bound=Command)
Write = Callable[[MoveRun, Command], Words]


def _row(
    kind: type[Made], write: Callable[[MoveRun, Made], Words]
) -> tuple[type[Command], Write]:
    """A row of the table; here a move's own type is set aside."""
    return kind, cast("Write", write)


NONSENSE: dict[type[Command], Write] = dict(
    (
        _row(m.Roll, _odd_dice),
        _row(m.CorrectPosition, _not_so),
        _row(m.ReadSpace, _not_asked),
        _row(m.Bid, _odd_bid),
        _row(m.Draw, _odd_draw),
        _row(m.TypeFigure, _odd_figure),
        _row(m.UseCard, lambda run, move: _no_such_name(run, move.card)),
        _row(m.Build, _odd_deed),
        _row(m.Unbuild, _odd_deed),
        _row(m.WantBuilding, _odd_deed),
        _row(m.Mortgage, _odd_deed),
        _row(m.LiftMortgage, _odd_deed),
        _row(m.Unlock, _odd_deed),
    )
)
"""What each move says of arguments that cannot be; others say it in general."""
