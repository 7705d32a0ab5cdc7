"""The parts of a rule: who may give a command, what refuses it, and what it does.

Each rules module has a row for each of its commands in ``ROWS``; ``commands_table.py``
puts the rows together, and ``deciding.py`` reads them.

A *refusal* (``Refused``) names its reason, one of ``Why``, and the printed rule behind
it, a ``Told``. Functions named for what is wrong, such as ``unaffordable`` and
``not_led``, build refusals; those that many checks share are at the end of this module.

Source:
    Grab & Go's sheet, "Playing" 5 (nobody borrows or lends), "Building houses" (on
    one's turn or between turns), "Bankruptcy"; the standard rules in the Mega booklet,
    "Miscellaneous", "Bankruptcy"; Cash Decoder's sheet, "Help! I can't pay!"; the
    Crooked Cash article, "In Debt & Bankruptcy".
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeVar, cast

from companion.errors import Refused, Why, quoted
from companion.game.board import Board
from companion.game.commands import Command
from companion.game.ledger import SEAT_RULE, short_of
from companion.game.move_run import MoveRun
from companion.game.position import Position
from companion.game.stage import OF_THE_TABLE, Stage
from companion.sheets import CROOKED, DECODER, GRAB, STANDARD, TYPED_RULE, Told
from companion.units import Dollars
from companion.words import say
from companion.words.common import common
from companion.words.report import nearest

NO_LOANS_RULE = Told(
    "You spend only what you have, and nobody lends anybody money.",
    {GRAB: "Playing", STANDARD: "Miscellaneous"},
)
BETWEEN_TURNS_RULE = Told(
    "You build, sell, mortgage and trade on your turn, or between the others' turns.",
    {GRAB: "Building houses"},
)
LEAD_RULE = Told("Either the companion leads the game, or you do the banking by hand.")
OWN_MONEY_RULE = Told(
    "You spend only your own money. For anything else, ask the banker."
)
OUT_RULE = Told(
    "Whoever is bankrupt, or has left, plays no more.",
    {
        GRAB: "Bankruptcy",
        STANDARD: "Bankruptcy",
        DECODER: "Help! I can't pay!",
        CROOKED: "In Debt & Bankruptcy",
    },
)
FIGURE_RULE = Told("Nobody has told the companion yet what your box says here.")


class Who(enum.Enum):
    """Who may give a command, at the table or in a stage of guided play."""

    # At the table:
    BANKER = enum.auto()  # The banker, or the table as a whole.
    SEAT = enum.auto()  # The banker, the table, or any seat at it.
    PLAYER = enum.auto()  # A seat in guided play; the stage says which, as follows.

    # In a stage of guided play:
    MOVER = enum.auto()  # The seat with the dice.
    BIDDER = enum.auto()  # A seat that neither has passed nor leads the bidding.
    DEBTOR = enum.auto()  # A seat that owes.
    PARTY = enum.auto()  # A seat that owes, or is owed.
    LEVELLER = enum.auto()  # A seat that has to build a group evenly.
    SHOWER = enum.auto()  # The seat whose money or card lies on the table.
    ANYBODY = enum.auto()  # Any seat that still plays.

    # In a stage of guided play, to raise money for a purchase or a bid:
    BUYER = enum.auto()  # The mover.
    STILL_BIDDING = enum.auto()  # A seat that has not passed; it may lead.


class Range(NamedTuple):
    """Commands of one kind that differ in a number or are too many to list.

    Attributes:
        kind: The kind of command.
        low: The smallest number that is accepted: an amount, pips or a pick.
        high: The largest number that is accepted.
        step: The distance from one accepted number to the next.
    """

    kind: type[Command]
    low: int
    high: int
    step: int = 1


Choice = Command | Range
"""A complete command, or the range of numbers that a kind of command accepts."""

Choices = Callable[[MoveRun, str], Iterable[Choice]]
"""Lists the choices of a seat."""

Check = Callable[[MoveRun, Command], Refused | None]
"""Returns or raises why a command is refused; ``None`` if it is legal."""

Outside = Callable[[MoveRun, str], Refused | None]
"""Returns why a seat may not give a command in a stage that does not list it."""


class Rule(NamedTuple):
    """One row of the table of rules.

    Attributes:
        who: Who may give the command.
        check: Refuses for the first reason in the order of ``Why``; changes nothing.
        apply: Carries the command out, after ``check`` has passed it.
        choices: Lists commands of which ``check`` may pass some.
        stages: For a ``PLAYER``: each stage in which the command is allowed, and who
            may give it then.
        outside: Returns the refusal in every other stage. If it is ``None``, the
            refusal says what the table waits for.
        lacks: Finds what the seat or the box lacks for the command, so that no other
            moment helps. The refusal says that, in place of the moment.
        is_by_hand: Whether the command is refused while the companion leads.
        is_report: Whether the lock may give the command too, in any stage.
    """

    who: Who
    check: Check
    apply: Callable[[MoveRun, Command], None]
    choices: Choices
    stages: Mapping[Stage, Who]
    outside: Outside | None
    lacks: Check | None
    is_by_hand: bool
    is_report: bool


Stages = Mapping[Stage, Who]
"""The stages in which a move is allowed, and who may make it in each."""

LED = tuple(stage for stage in Stage if stage is not Stage.OVER)
"""The stages of guided play until its end."""

ALWAYS: Stages = dict.fromkeys(LED, Who.ANYBODY)
"""For a move that needs no turn."""

ESTATE: Stages = {Stage.ROLL: Who.ANYBODY, Stage.DEBT: Who.DEBTOR}
"""The stages in which a seat may manage its deeds, such as build on them."""

WITH_GROUP: Stages = {**ESTATE, Stage.LEVEL: Who.LEVELLER}
"""Those of ``ESTATE``, and the one in which a group has to be built evenly."""

SELLING: Stages = {**ESTATE, Stage.BUY: Who.BUYER, Stage.AUCTION: Who.STILL_BIDDING}
"""Where a seat may sell a deed to the bank."""

RAISING: Stages = {**SELLING, Stage.LEVEL: Who.LEVELLER}
"""Where a seat may raise money, also for what it buys."""

BUYING: Stages = {Stage.BUY: Who.MOVER}
"""Where the mover buys the deed under its token, or declines."""

BIDDING: Stages = {Stage.AUCTION: Who.BIDDER}
"""Where seats bid, or pass."""


def is_for(play: Position, seat: str, who: Who) -> bool:
    """Return whether *seat* is one of those that *who* names."""
    if who in (Who.MOVER, Who.BUYER):
        return play.mover.seat == seat
    if who is Who.ANYBODY:
        return True
    if who is Who.SHOWER:
        return play.showing == seat
    if who is Who.DEBTOR:
        return any(debt.debtor == seat for debt in play.debts)
    if who is Who.PARTY:
        return any(seat in (debt.debtor, debt.creditor) for debt in play.debts)
    if who is Who.LEVELLER:
        return play.uneven[0].seat == seat
    auction = play.auction
    if auction is None or seat not in auction.bidders or seat in auction.passed:
        return False
    is_leader = seat == auction.bidder
    return who is Who.STILL_BIDDING or not is_leader  # The rest are ``BIDDER``.


def raises_now(play: Position, seat: str) -> bool:
    """Return whether *seat* may raise money at this moment."""
    who = RAISING.get(play.stage)
    return who is not None and is_for(play, seat, who)


Given = TypeVar("Given", bound=Command)
"""The kind of command that one rule is for."""


def nothing_against(_run: MoveRun, _command: Command) -> None:
    """Refuse nothing."""
    return


def no_choices(_run: MoveRun, _by: str) -> Iterable[Choice]:
    """Offer nothing: the command is on nobody's page."""
    return ()


def single_choice(
    kind: type[Command], needs: Callable[[MoveRun, str], object] | None = None
) -> Choices:
    """Return choices that offer one command of *kind*, which takes no arguments.

    If *needs* is given, offer it only where that finds something: a quicker test than
    the check, which would build a refusal that nobody reads.
    """
    if needs is None:
        return lambda _run, by: (kind(by=by),)
    return lambda run, by: (kind(by=by),) if needs(run, by) else ()


def rule(
    kind: type[Given],
    who: Who | Stages,
    check: Callable[[MoveRun, Given], Refused | None],
    apply: Callable[[MoveRun, Given], None],
    choices: Choices = no_choices,
    *,
    outside: Outside | None = None,
    lacks: Callable[[MoveRun, Given], Refused | None] | None = None,
    is_by_hand: bool = False,
    is_report: bool = False,
) -> tuple[type[Command], Rule]:
    """Build a row of the table: the kind of command, and its ``Rule``.

    If *who* is a mapping of stages, the command is one of a ``PLAYER``. The type of the
    command is cast away only here.
    """
    givers, stages = (who, {}) if isinstance(who, Who) else (Who.PLAYER, who)
    return kind, Rule(
        who=givers,
        check=cast("Check", check),
        apply=cast("Callable[[MoveRun, Command], None]", apply),
        choices=choices,
        stages=stages,
        outside=outside,
        lacks=cast("Check | None", lacks),
        is_by_hand=is_by_hand,
        is_report=is_report,
    )


# Refusals that many checks share.


def unaffordable(run: MoveRun, seat: str, amount: Dollars) -> Refused | None:
    """Refuse to spend more than *seat* has in hand."""
    cash = run.cash(seat)
    return short_of(NO_LOANS_RULE, seat, cash, amount) if cash < amount else None


def not_now(rule: Told, message: str, remedy: str) -> Outside:
    """Return what refuses a command that nothing in this turn asks for.

    Where something else comes before the turn, the refusal says that instead.
    """
    return lambda run, _by: (
        None
        if run.play.stage in OF_THE_TABLE
        else rule.refuses(Why.WRONG_STAGE, message, remedy)
    )


def not_led() -> Refused:
    """Refuse a move of guided play while the table plays by hand."""
    return LEAD_RULE.refuses(
        Why.WRONG_STAGE,
        say("the table plays by hand"),
        say("let the companion lead first"),
    )


def not_playing(seat: str) -> Refused:
    """Refuse a seat that does not play."""
    return SEAT_RULE.refuses(
        Why.UNKNOWN_SEAT,
        say("{by} is not playing", by=quoted(seat))
        if seat
        else say("nobody was chosen"),
        say("choose a seat that plays"),
    )


def out_of_game(seat: str, remedy: str) -> Refused:
    """Refuse a seat that is out of the game."""
    return OUT_RULE.refuses(
        Why.BANKRUPT, say("{by} is out of the game", by=seat), remedy
    )


def shown_name(board: Board, word: str) -> str:
    """Return the name of the deed or space *word*, or else *word* itself, quoted."""
    name = board.name_of(word)
    return name if name not in ("", word) else quoted(word)


def unknown_name(board: Board, word: str) -> Refused:
    """Refuse a *word* that names nothing in this box; suggest the nearest name."""
    close = nearest(word, (*board.index, *board.cards))
    return TYPED_RULE.refuses(
        Why.MALFORMED,
        say("{word} is no name in this box", word=quoted(word))
        if word
        else say("a name is missing"),
        say("did you mean {close}?", close=close)
        if close
        else say("choose something in the list"),
    )


def unknown_figure(board: Board, deed: str, kind: str) -> Refused:
    """Refuse a command that needs an unknown figure of a deed.

    *kind* is a word in the figure's name.
    """
    figure = ""
    for unknown in board.unknown:
        # ``of`` has to parse the key, which is slow; so the key is searched first.
        if deed in unknown.key and unknown.of == deed and kind in unknown.figure:
            figure = unknown.figure
            break
    return FIGURE_RULE.refuses(
        Why.UNKNOWN_FIGURE,
        say(
            "nobody knows the {figure} of {deed}",
            figure=common(figure.replace("_", " ")) if figure else say("figure"),
            deed=board.name_of(deed),
        ),
        say("type in what the real card says"),
    )
