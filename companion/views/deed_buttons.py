"""The buttons on a deed, and the reasons why other moves about it are missing.

Every button is a move that ``legal_moves`` lists. Every reason is the refusal with
which the rules answer a move that the owner might look for.

A street's *ladder* lists the buildings that may stand there, in the order in which they
are built; its *level* is the number of those steps taken. While the bank may run out of
buildings, a seat can *ask* for one, and an auction decides who gets it.
"""

from __future__ import annotations

from companion.errors import Why
from companion.game import moves as m
from companion.game.move_run import MoveRun
from companion.rules import legal_moves, out_of_turn, refusal
from companion.rules.auction import wanted_kind
from companion.rules.rule import Choice, Range
from companion.units import Dollars
from companion.views.turn_buttons import (
    Button,
    Label,
    Labels,
    Look,
    button_of,
    label_row,
    level_left,
    sale_of,
    top_building,
)
from companion.views.why import ShownRule
from companion.views.wording import piece_words
from companion.words import say, say_count
from companion.words.money import dollars_text

OFFERED_ELSEWHERE = (m.Draw, m.UseCard, m.AskRent)
"""Moves that name a deed, but have their buttons on the page of the turn."""


def buttons_by_deed(look: Look) -> dict[str, tuple[Button, ...]]:
    """List the moves of the seat about each deed, by deed id, the main one first."""
    by_deed: dict[str, list[Button]] = {}
    for choice in legal_moves(look.game, look.seat):
        deed = deed_of(look, choice)
        if deed and _is_worth_showing(look, choice):
            assert not isinstance(choice, Range), "a range of values names no deed"
            by_deed.setdefault(deed, []).append(button_of(look, choice, LABELS))
    return {
        deed: tuple(sorted(buttons, key=lambda button: not button.is_main))
        for deed, buttons in by_deed.items()
    }


def deed_of(look: Look, choice: Choice) -> str:
    """Return the deed that a move is about; empty for other moves."""
    if isinstance(choice, (Range, *OFFERED_ELSEWHERE)):
        return ""
    deed = getattr(choice, "deed", "")
    return deed if deed in look.board.index else ""


def _is_worth_showing(look: Look, choice: Choice) -> bool:
    """Return whether a move gets a button on the deed.

    Selling all buildings needs more than one; asking for one needs a bank that may
    run out.
    """
    if isinstance(choice, m.Unbuild) and choice.is_all:
        return level_left(look, m.Unbuild(by=choice.by, deed=choice.deed)) > 0
    if isinstance(choice, m.WantBuilding):
        return _may_run_out(look, wanted_kind(MoveRun(look.game), choice.deed))
    return True


def _may_run_out(look: Look, kind: str) -> bool:
    """Return whether a seat has asked for a kind of building, or too few are left.

    Too few are fewer than one for each seat.
    """
    if kind not in look.board.kinds:
        return False
    run = MoveRun(look.game)
    is_asked_for = any(wanted_kind(run, want.deed) == kind for want in look.play.wants)
    left = look.play.pieces[look.board.kinds.index(kind)]
    return is_asked_for or left < len(look.play.playing())


def _next_step(look: Look, deed_id: str) -> tuple[str, Dollars]:
    """Return the next kind of building on a deed, which is not full, and its cost."""
    at = look.board.index[deed_id]
    deed, level = look.board.rules.deeds[at], look.play.levels[at]
    return deed.ladder[level], deed.costs[level] or 0


# The labels of the buttons, one function for each kind of move.


def _label_build(look: Look, move: m.Build) -> Label:
    kind, cost = _next_step(look, move.deed)
    words = say("Build")
    if cost:
        words = say("Build for {amount}", amount=dollars_text(cost))
    return Label(words, piece_words(kind), is_main=True)


def _label_ask(look: Look, move: m.WantBuilding) -> Label:
    """Label the request for one of the bank's last buildings."""
    kind, cost = _next_step(look, move.deed)
    words = say("Ask for one: {amount}", amount=dollars_text(cost))
    left = look.play.pieces[look.board.kinds.index(kind)]
    note = say_count(left, "only {count} is left", "only {count} are left")
    return Label(words, note)


def _label_unbuild(look: Look, move: m.Unbuild) -> Label:
    """Label the sale of the top building, or of all; it may bring no money."""
    value = dollars_text(sale_of(look, move))
    if move.is_all:
        if not value.dollars:
            return Label(say("Take all off"))
        return Label(say("Sell all: +{amount}", amount=value))
    words = say("Sell: +{amount}", amount=value) if value.dollars else say("Take off")
    return Label(words, piece_words(top_building(look, move.deed)))


def _label_mortgage(look: Look, move: m.Mortgage) -> Label:
    return Label(say("Mortgage: +{amount}", amount=look.loan(look.deed(move.deed))))


def _label_sale(look: Look, move: m.SellDeed) -> Label:
    amount = dollars_text(look.deed(move.deed).price or 0)
    return Label(say("Sell to the bank: +{amount}", amount=amount))


def _label_lift(look: Look, move: m.LiftMortgage) -> Label:
    """Label the lifting of a mortgage with its cost and the interest in it."""
    at = look.board.index[move.deed]
    cost, lent = look.lifting(at), look.board.rules.deeds[at].mortgage
    words = say("Lift for {amount}", amount=cost)
    if lent is None or cost.dollars <= lent:
        return Label(words)
    is_likely = cost.is_likely or look.board.is_likely(move.deed, "mortgage")
    extra = dollars_text(cost.dollars - lent, is_likely=is_likely)
    return Label(words, say("{amount} of it interest", amount=extra))


LABELS: Labels = dict(
    (
        label_row(m.Build, _label_build),
        label_row(m.WantBuilding, _label_ask),
        label_row(m.Unbuild, _label_unbuild),
        label_row(m.Mortgage, _label_mortgage),
        label_row(m.SellDeed, _label_sale),
        label_row(m.LiftMortgage, _label_lift),
    )
)
"""The labels of buttons on a deed; other moves are labelled as in a turn."""


# Why other moves have no button.


def reasons(
    look: Look, at: int, shown: tuple[Button, ...]
) -> tuple[tuple[str, ...], tuple[ShownRule, ...]]:
    """Return why moves that the owner might look for are missing, and by which rules.

    Reasons that concern the whole page, such as whose turn it is, are left out; so are
    unknown figures, which the deed shows anyway.
    """
    sentences: list[str] = []
    rules: list[ShownRule] = []
    for move in _expected_moves(look, at, shown):
        if out_of_turn(look.game, look.seat, type(move)) is not None:
            continue
        reason = refusal(look.game, move)
        if reason and reason.why not in (Why.WRONG_STAGE, Why.UNKNOWN_FIGURE):
            sentences.append(look.refused(reason))
            rules.append(look.rule_of(reason))
    deed = look.board.rules.deeds[at].id
    if any(want.seat == look.seat and want.deed == deed for want in look.play.wants):
        sentences.append(say("You asked for one of the last buildings"))
    return tuple(dict.fromkeys(sentences)), tuple(dict.fromkeys(rules))


def _expected_moves(look: Look, at: int, shown: tuple[Button, ...]) -> list[m.Move]:
    """List the moves of this edition that the owner might look for."""
    deed, rules = look.board.rules.deeds[at], look.board.rules
    verbs = {button.verb for button in shown}
    level, is_mortgaged = look.play.levels[at], look.play.mortgaged[at]
    moves: list[m.Move] = []
    if is_mortgaged:
        moves.append(m.LiftMortgage(by=look.seat, deed=deed.id))
    elif rules.mortgage.exists and not level:
        moves.append(m.Mortgage(by=look.seat, deed=deed.id))
    if rules.street_sale is not None and rules.street_sale.exists and level:
        moves.append(m.SellDeed(by=look.seat, deed=deed.id))
    if level and "unbuild" not in verbs:
        moves.append(m.Unbuild(by=look.seat, deed=deed.id))
    if deed.ladder and not is_mortgaged and not verbs & {"build", "want-building"}:
        moves.append(m.Build(by=look.seat, deed=deed.id))
    return moves
