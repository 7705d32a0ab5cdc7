"""The rent for a landing, and asking for it in time.

When a token lands on somebody's deed, the owner gets a *claim*: it may ask for the rent
until the next roll, or the one after it. At some tables rent is collected at once
instead. The amount is that of the landing; whether the rent is still due is decided
when the owner asks. A deed's *index* is its place in the rulebook; its *level* is the
number of building steps that stand there.

Source:
    Grab & Go's sheet, "Paying rent", "Utilities", "Railroads", "Mortgages";
    the standard rules in the Mega booklet, "Paying rent", for the later deadline; the
    Mega booklet, "New properties & skyscrapers", "Railroads", "Bus tickets"; the Secret
    Vault article, "Owned: By Someone Else", "Color Set", "Hotels". The option ``rent``
    lets a table collect rent without asking.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import Refused, Why
from companion.game import play_events as p
from companion.game.board import Board
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import AskRent
from companion.game.position import Claim, Position
from companion.game.rulebook import RAILROAD, STREET
from companion.rules.rule import ALWAYS, rule, unknown_figure
from companion.sheets import BOOKLET, GRAB, SECRET, STANDARD, Told
from companion.units import Dollars, Seat
from companion.words import say

RENT_RULE = Told(
    "If you land on somebody else's deed, you pay the rent printed on it.",
    {GRAB: "Paying rent", STANDARD: "Paying rent", SECRET: "Owned: By Someone Else"},
)
RENT_ASKED_RULE = Told(
    "You pay if the owner asks before the next player rolls.",
    {GRAB: "Paying rent", SECRET: "Owned: By Someone Else"},
)
RENT_ASKED_LATER_RULE = Told(
    "You pay if the owner asks before the second roll after yours.",
    {STANDARD: "Paying rent"},
)
RENT_AUTOMATIC_RULE = Told("At this table rent is paid at once, and nobody has to ask.")
RENT_GROUP_RULE = Told(
    "Without buildings, the rent is higher for a whole colour.",
    {GRAB: "Paying rent", STANDARD: "Paying rent", SECRET: "Color Set"},
)
RENT_BUILDINGS_RULE = Told(
    "The more stands on a street, the higher its rent. The deed says how much.",
    {GRAB: "Paying rent", STANDARD: "Paying rent", SECRET: "Hotels"},
)
RENT_RAILROAD_RULE = Told(
    "The more railroads the owner has, the higher the rent of each.",
    {GRAB: "Railroads", STANDARD: "Paying rent"},
)
RENT_UTILITY_RULE = Told(
    "The rent of a utility is {one} to {all} times the dice: "
    "the more utilities somebody has, the more it is.",
    {GRAB: "Utilities", STANDARD: "Paying rent"},
)
RENT_NEAR_RULE = Told(
    "Without buildings, all of a colour but one earn {near} times the rent. "
    "The whole colour earns {full} times.",
    {BOOKLET: "New properties & skyscrapers"},
)
DEPOT_RULE = Told(
    "A depot costs {depot}. Its railroad then earns {more} times the rent.",
    {BOOKLET: "Railroads"},
)


def rent_of(board: Board, play: Position, index: int, total: int) -> Dollars | None:
    """Return the rent for one landing, in dollars; ``None`` if a figure is unknown.

    The deed has an owner and is not mortgaged. For a utility, *total* is the sum of the
    dice that count.

    Source:
        Grab & Go's sheet: "Paying rent" (doubled on undeveloped sites of a whole
        group), "Railroads", "Utilities" (4 or 10 times the dice); the Mega booklet,
        "Railroads" (doubled by a depot).
    """
    deed, level = board.rules.deeds[index], play.levels[index]
    if deed.kind == STREET:
        return deed.rents[level] if level else _bare_rent(board, play, index)
    owner = play.owners[index]
    owned = sum(play.owners[member] == owner for member in board.members[index])
    rents = deed.depot_rents if level else deed.rents
    figure = rents[min(owned, len(rents)) - 1]  # One for each number of deeds owned.
    if figure is None or deed.kind == RAILROAD:
        return figure
    return figure * total


def _bare_rent(board: Board, play: Position, index: int) -> Dollars | None:
    """Return the rent of a street without buildings, in dollars; ``None`` if unknown.

    If the owner has the whole group, or in some boxes (editions) all but one of it, the
    rent is another figure on the deed, or a multiple; in some boxes only while no deed
    of the group is mortgaged.
    """
    deed, members = board.rules.deeds[index], board.members[index]
    rules = board.rules.rent
    plain = deed.rents[0]
    lacking = sum(play.owners[member] != play.owners[index] for member in members)
    is_mortgaged = any(play.mortgaged[member] for member in members)
    if lacking > 1 or (rules.mortgaged_members_matter and is_mortgaged):
        return plain
    printed = deed.rent_near_group if lacking else deed.rent_group
    if printed is not None or plain is None:
        return printed
    return plain * (rules.all_but_one_times if lacking else rules.full_group_times)


def fall_due(
    run: MoveRun, seat: Seat, index: int, *, total: int, times: int = 1
) -> None:
    """Let the owner ask *seat*, which landed, for *times* the rent.

    *total* is the sum of the dice that count for a utility.
    """
    rent = rent_of(run.board, run.play, index, total)
    claim(run, seat, index, None if rent is None else times * rent)


def claim(run: MoveRun, seat: Seat, index: int, amount: Dollars | None) -> None:
    """Let the owner ask for *amount*, or collect it at once where nobody asks.

    The amount is ``None`` if a figure is unknown.
    """
    board, play = run.board, run.play
    deed, owner = board.rules.deeds[index].id, Seat(play.owners[index])
    run.add(p.RentFellDue(seat=seat, owner=owner, deed=deed, amount=amount))
    if not board.rules.rent.must_ask and amount is not None:
        _collect(run, run.play.claims[-1])


def open_claim(run: MoveRun, owner: str, seat: str) -> Claim | None:
    """Find the latest claim that *owner* can still make on *seat*.

    An empty *seat* stands for any seat.
    """
    play = run.play
    for claim in reversed(play.claims):
        if claim.owner == owner and seat in ("", claim.mover):
            index = run.board.index[claim.deed]
            if play.owners[index] == owner and not play.mortgaged[index]:
                return claim
    return None


def check_ask(run: MoveRun, move: AskRent) -> Refused | None:
    """Check that a rent is due to the seat, and that its amount is known."""
    claim = open_claim(run, move.by, move.seat)
    if claim is None:
        return asking_rule(run.board).refuses(
            Why.RENT_NOT_DUE,
            say("no rent is due to {by} now", by=move.by),
            say("wait until somebody lands on yours"),
        )
    if _claim_amount(run, claim) is None:
        return unknown_figure(run.board, claim.deed, "rent")
    return None


def asking_rule(board: Board) -> Told:
    """Return the rule about when an owner has to ask for its rent."""
    rent = board.rules.rent
    if not rent.must_ask:
        return RENT_AUTOMATIC_RULE
    return RENT_ASKED_RULE if rent.turns == 1 else RENT_ASKED_LATER_RULE


def ask(run: MoveRun, move: AskRent) -> None:
    """Collect the rent."""
    claim = open_claim(run, move.by, move.seat)
    assert claim is not None, "checked before"
    _collect(run, claim)


def _claim_amount(run: MoveRun, claim: Claim) -> Dollars | None:
    """Return the rent of a claim; figures typed in since the landing may tell it."""
    if claim.amount is not None:
        return claim.amount
    index = run.board.index[claim.deed]
    return rent_of(run.board, run.play, index, run.board.rent_dice(run.play.dice))


def _collect(run: MoveRun, claim: Claim) -> None:
    """Charge the seat that landed; the amount must be known."""
    amount = _claim_amount(run, claim)
    assert amount is not None, "checked before"
    run.add(p.RentAsked(owner=claim.owner, seat=claim.mover, deed=claim.deed))
    run.charge(claim.mover, claim.owner, amount, Reason.RENT)


def choices(run: MoveRun, seat: str) -> Iterator[AskRent]:
    """Offer to ask each seat against which there is a claim."""
    for mover in dict.fromkeys(claim.mover for claim in run.play.claims):
        yield AskRent(by=seat, seat=mover)


ROWS = (rule(AskRent, ALWAYS, check_ask, ask, choices),)
