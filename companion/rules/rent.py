"""The rent for a landing, and asking for it in time.

When a token lands on somebody's deed, the owner gets a *claim*: it may ask for the rent
until the next roll, or the one after it. At some tables rent is collected at once
instead. The amount is that of the landing; whether the rent is still due is decided
when the owner asks.

Source:
    Grab & Go's sheet, "Paying rent", "Utilities", "Railroads", "Mortgages";
    the standard rules in the Mega booklet, "Paying rent", for the later deadline; the
    Mega booklet, "New properties & skyscrapers", "Railroads", "Bus tickets"; the Secret
    Vault article, "Owned: By Someone Else", "Owned: By You", "Color Set", "Hotels";
    Cash Decoder's sheet, "Owned Properties", "Collect colour sets!"; the Crooked Cash
    article, "Owned Property and Paying Rent", "Color Set", "Hotels". The option
    ``rent`` lets a table collect rent without asking.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import Refused, Why, quoted
from companion.game import how
from companion.game import play_events as p
from companion.game.board import Board
from companion.game.figure_bounds import rent_names
from companion.game.ledger import SEAT_RULE, Reason
from companion.game.move_run import MoveRun
from companion.game.moves import AskRent
from companion.game.position import Claim, Position
from companion.game.rulebook import RAILROAD, STREET, RuleDeed
from companion.rules.rule import ALWAYS, OUT_RULE, rule, unknown_figure
from companion.sheets import BOOKLET, CROOKED, DECODER, GRAB, SECRET, STANDARD, Told
from companion.units import Dollars, Seat
from companion.words import say

RENT_RULE = Told(
    "If you land on somebody else's deed, you pay the rent printed on it.",
    {
        GRAB: "Paying rent",
        STANDARD: "Paying rent",
        SECRET: "Owned: By Someone Else",
        DECODER: "Owned Properties",
        CROOKED: "Owned Property and Paying Rent",
    },
)
RENT_ASKED_RULE = Told(
    "You pay if the owner asks before the next player rolls.",
    {
        GRAB: "Paying rent",
        SECRET: "Owned: By Someone Else",
        DECODER: "Owned Properties",
        CROOKED: "Owned Property and Paying Rent",
    },
)
RENT_ASKED_LATER_RULE = Told(
    "You pay if the owner asks before the second player after you rolls.",
    {STANDARD: "Paying rent"},
)
RENT_MORTGAGED_RULE = Told(
    "No rent is paid for a mortgaged deed.",
    {GRAB: "Paying rent", STANDARD: "Paying rent", SECRET: "Owned: By You"},
)
RENT_AUTOMATIC_RULE = Told(
    "At this table rent is paid at once. If nobody knows it yet, the owner asks later."
)
RENT_GROUP_RULE = Told(
    "Without buildings, the rent is higher for a whole colour.",
    {
        GRAB: "Paying rent",
        STANDARD: "Paying rent",
        SECRET: "Color Set",
        DECODER: "Collect colour sets!",
        CROOKED: "Color Set",
    },
)
RENT_BUILDINGS_RULE = Told(
    "The more stands on a street, the higher its rent. The deed says how much.",
    {
        GRAB: "Paying rent",
        STANDARD: "Paying rent",
        SECRET: "Hotels",
        DECODER: "Collect colour sets!",
        CROOKED: "Hotels",
    },
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
    """
    return how.product(rent_steps(board, play, index, total))


def rent_steps(board: Board, play: Position, index: int, total: int) -> how.Steps:
    """Return the steps to the rent for one landing, as ``rent_of`` describes it.

    Source:
        Grab & Go's sheet: "Paying rent" (doubled on undeveloped sites of a whole
        group), "Railroads", "Utilities" (4 or 10 times the dice); the Mega booklet,
        "Railroads" (doubled by a depot).
    """
    deed, level = board.rules.deeds[index], play.levels[index]
    owner, members = play.owners[index], board.members[index]
    owned = sum(play.owners[member] == owner for member in members)
    if deed.kind != STREET:
        return _counted_steps(board, index, owned, level, total)
    if level:
        return _built_steps(deed, level)
    is_mortgaged = any(play.mortgaged[member] for member in members)
    is_held_back = board.rules.rent.mortgaged_members_matter and is_mortgaged
    return bare_steps(board, index, MANY if is_held_back else len(members) - owned)


MANY = 2
"""Whoever lacks so many deeds of a group, or more, gets the plain rent."""

LACKING = {"near": 1, "group": 0}
"""Word of a step that raises a bare rent -> how many deeds of the group are lacking."""


def bare_steps(board: Board, index: int, lacking: int) -> how.Steps:
    """Return the steps to the rent of a street without buildings.

    If the owner has the whole group, or in some boxes (editions) all but one of it, the
    rent is another figure on the deed, or a multiple; *lacking* is how many it lacks.
    """
    deed, rules = board.rules.deeds[index], board.rules.rent
    plain = ("rent", deed.rents[0])
    if lacking >= MANY:
        return (plain,)
    if lacking:
        word, printed, times = "near", deed.rent_near_group, rules.all_but_one_times
    else:
        word, printed, times = "group", deed.rent_group, rules.full_group_times
    if printed is not None:
        return ((f"rent-{word}", printed),)
    return (plain,) if times == 1 else (plain, (word, times))


def _built_steps(deed: RuleDeed, level: int) -> how.Steps:
    kind = deed.ladder[level - 1]
    count = deed.ladder[:level].count(kind)
    return ((f"rent-{kind}-{count}", deed.rents[level]),)


def _counted_steps(
    board: Board, index: int, owned: int, level: int, total: int
) -> how.Steps:
    """Return the steps to the rent of a railroad or utility of which *owned* count."""
    deed = board.rules.deeds[index]
    count = min(owned, len(deed.rents))  # One figure for each number of deeds owned.
    counted = (f"{deed.kind}-{count}", deed.rents[count - 1])
    if not level:
        return (counted,) if deed.kind == RAILROAD else (counted, ("dice", total))
    raised = (counted, ("depot", board.rules.buildings.depot_rent_times or 1))
    printed = deed.depot_rents[count - 1]
    return raised if how.product(raised) == printed else ((f"depot-{count}", printed),)


def all_steps(board: Board, index: int, total: int) -> tuple[how.Steps, ...]:
    """Return the steps to each rent that a deed can have, from the least."""
    deed = board.rules.deeds[index]
    if deed.kind == STREET:
        bare = (bare_steps(board, index, lacking) for lacking in (MANY, 1, 0))
        built = (_built_steps(deed, level) for level in range(1, len(deed.rents)))
        return tuple(dict.fromkeys((*bare, *built)))  # A box may have no group rents.
    counts = range(1, len(deed.rents) + 1)
    return tuple(
        _counted_steps(board, index, count, level, total)
        for level in range(2 if deed.depot_rents else 1)
        for count in counts
    )


def fall_due(
    run: MoveRun, seat: Seat, index: int, *, total: int, times: int = 1
) -> None:
    """Let the owner ask *seat*, which landed, for *times* the rent.

    *total* is the sum of the dice that count for a utility.
    """
    steps = rent_steps(run.board, run.play, index, total)
    claim(run, seat, index, steps if times == 1 else (*steps, ("card", times)))


def claim(run: MoveRun, seat: Seat, index: int, steps: how.Steps) -> None:
    """Let the owner ask for the product of *steps*, or collect it where nobody asks.

    If a figure of them is unknown, the owner may ask once somebody has typed it in.
    """
    board, play = run.board, run.play
    deed, owner = board.rules.deeds[index].id, Seat(play.owners[index])
    amount, came = how.product(steps), how.write(*steps)
    is_paid = amount is not None and not board.rules.rent.must_ask
    run.add(
        p.RentFellDue(
            seat=seat,
            owner=owner,
            deed=deed,
            amount=amount,
            how="" if is_paid else came,
        )
    )
    if is_paid:
        _collect(run, run.play.claims[-1], came)


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
        return _not_due(run, move)
    if claim.amount is None:
        for word, number in _steps_since(run, claim):
            if number is None:
                figure = _figure_of(run.board, claim, word)
                return unknown_figure(run.board, claim.deed, figure)
    return None


def _figure_of(board: Board, claim: Claim, word: str) -> str:
    """Return the name of the rent behind a step: bare, or with what was built."""
    deed = board.rules.deeds[board.index[claim.deed]]
    levels = range(1, len(deed.ladder) + 1)
    built = {_built_steps(deed, level)[0][0]: level for level in levels}
    return rent_names(deed.ladder)[built.get(word, 0)]


def _not_due(run: MoveRun, move: AskRent) -> Refused:
    """Refuse to ask for a rent: it was asked for, came too late, or never was due."""
    board, play = run.board, run.play
    rule, rent = asking_rule(board), board.rules.rent
    message: str = say("no rent is due to {by} now", by=move.by)
    remedy: str = say("wait until somebody lands on yours")
    if not rent.must_ask:
        message = say("rents are collected at once here")
        remedy = say("you need not ask")
    elif move.seat and move.seat not in play.playing():
        rule, message = SEAT_RULE, say("{by} is not playing", by=quoted(move.seat))
        if play.token(move.seat) is not None:
            rule, message = OUT_RULE, say("{by} is out of the game", by=move.seat)
        remedy = say("choose a seat that plays")
    elif _is_among(play.asked, move):
        message = say("{by} has asked for that rent already", by=move.by)
    elif _is_among(play.lapsed, move):
        remedy = say("ask sooner when somebody lands on yours again")
        message = (
            say("too late: the next player has rolled since")
            if rent.turns == 1
            else say("too late: two players have rolled since")
        )
    elif (index := _mortgaged_under(run, move)) is not None:
        rule = RENT_MORTGAGED_RULE
        message = say("{deed} is mortgaged", deed=board.rules.deeds[index].name)
        remedy = say("lift the mortgage before somebody lands there again")
    elif open_claim(run, move.by, ""):
        message = say("{seat} owes {by} no rent", seat=move.seat, by=move.by)
        remedy = say("choose somebody who landed on yours")
    return rule.refuses(Why.RENT_NOT_DUE, message, remedy)


def _is_among(claims: tuple[Claim, ...], move: AskRent) -> bool:
    """Return whether one of these claims is what *move* asks for."""
    return any(
        claim.owner == move.by and move.seat in ("", claim.mover) for claim in claims
    )


def _mortgaged_under(run: MoveRun, move: AskRent) -> int | None:
    """Find the mortgaged deed of the owner on which the seat's token stands."""
    board, play = run.board, run.play
    for token in play.tokens:
        index = board.deed_at[token.space]
        is_meant = token.seat != move.by and move.seat in ("", token.seat)
        if index is None or token.is_out or not is_meant:
            continue
        if play.owners[index] == move.by and play.mortgaged[index]:
            return index
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
    _collect(run, claim, claim.how)


def amount_since(run: MoveRun, claim: Claim) -> Dollars | None:
    """Return what a claim comes to, in dollars; ``None`` while a figure is unknown."""
    if claim.amount is not None:
        return claim.amount
    return how.product(_steps_since(run, claim))


def _steps_since(run: MoveRun, claim: Claim) -> how.Steps:
    """Return the steps to a rent of which a figure was unknown at the landing.

    They are those of the landing; older games have kept none of them.
    """
    board, index = run.board, run.board.index[claim.deed]
    kept = next(how.read(claim.how), None)
    if kept is None:
        return rent_steps(board, run.play, index, board.rent_dice(run.play.dice))
    _, (first, *others) = kept
    word, raised = first[0], others[0][0] if others else ""
    if raised in LACKING:
        return (*bare_steps(board, index, LACKING[raised]), *others[1:])
    printed = dict(steps[0] for steps in all_steps(board, index, total=1))
    return ((word, printed[word]), *others)


def _collect(run: MoveRun, claim: Claim, came: str) -> None:
    """Charge the seat that landed; *came* says how the amount came about."""
    amount = claim.amount
    if amount is None:
        steps = _steps_since(run, claim)
        amount, came = how.product(steps), how.write(*steps)
    assert amount is not None, "checked before"
    run.add(p.RentAsked(owner=claim.owner, seat=claim.mover, deed=claim.deed))
    run.charge(claim.mover, claim.owner, amount, Reason.RENT, came)


def choices(run: MoveRun, seat: str) -> Iterator[AskRent]:
    """Offer to ask each seat against which there is a claim."""
    for mover in dict.fromkeys(claim.mover for claim in run.play.claims):
        yield AskRent(by=seat, seat=mover)


ROWS = (rule(AskRent, ALWAYS, check_ask, ask, choices),)
