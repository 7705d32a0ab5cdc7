"""Laying out a whole group at once: what shall stand on each of its streets.

As a plan for building, the streets are built up or sold down one by one. When a seat
gets the last street of a group that is built on already, the buildings are spread over
all streets, or built up. Then only the difference in total is paid for or sold.

Source:
    The Mega booklet, "New properties & skyscrapers": the last street is freed of its
    mortgage and built up evenly; a seat that cannot afford that spreads its buildings,
    and may break hotels down for it. Our readings: a seat can afford it if it has the
    money in hand and the bank has the buildings; it may also sell buildings to the bank
    instead; a whole group may be laid out at other times, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.errors import Refused, Why
from companion.game import deed_events as d
from companion.game.board import Board
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import Level
from companion.game.owning import builds_early
from companion.game.position import Position
from companion.game.stage import FOR_SALE, Stage
from companion.rules.auction import BUY_OR_AUCTION_RULE, wanted_kind
from companion.rules.buildings import (
    BUILD_RULE,
    EVENLY_RULE,
    check_sale_of_buildings,
    incomplete,
    mortgaged_in_group,
    sale_value,
    spare,
    too_few,
)
from companion.rules.deeds import check_owes_nothing, check_owned, lifting_cost
from companion.rules.rule import RAISING, rule, unaffordable, unknown_figure
from companion.rules.walking import settle
from companion.sheets import BOOKLET, TYPED_RULE, Told
from companion.units import BANK, DeedId, Dollars, Seat
from companion.words import say

LAST_STREET_RULE = Told(
    "You get the last street of a colour later? "
    "Lift its mortgage and build on it evenly at once.",
    {BOOKLET: "New properties & skyscrapers"},
)
SPREAD_RULE = Told(
    "If you cannot pay for that, you spread your buildings over all streets.",
    {BOOKLET: "New properties & skyscrapers"},
)


class Plan(NamedTuple):
    """What shall stand on the streets of a group, and what that costs.

    Attributes:
        levels: Index of each street -> its steps of the ladder.
        cost: What the seat pays to the bank, in dollars; ``None`` if a figure is
            unknown.
        brings: What the bank pays to the seat, in dollars.
    """

    levels: dict[int, int]
    cost: Dollars | None
    brings: Dollars

    @property
    def top(self) -> int:
        """The highest level in the plan."""
        return max(self.levels.values())


def plan_of(run: MoveRun, levels: dict[int, int]) -> Plan:
    """Return the plan with what it costs or brings.

    Args:
        run: The move so far; in the stage ``level``, only the sum of all counts.
        levels: Index of each street -> its steps; one group of one owner.
    """
    board, play = run.board, run.play
    if play.stage is Stage.LEVEL:
        return _spread(board, play, levels)
    cost: Dollars | None = 0
    brings = 0
    for at, level in levels.items():
        steps = board.rules.deeds[at].costs[play.levels[at] : level]
        known = [step for step in steps if step is not None]
        cost = None if cost is None or len(known) < len(steps) else cost + sum(known)
        brings += sale_value(board, play, at, level) if level < play.levels[at] else 0
    return Plan(levels, cost, brings)


def _spread(board: Board, play: Position, levels: dict[int, int]) -> Plan:
    """Return a plan that moves the buildings already there for nothing."""
    balance = 0
    for at, level in levels.items():
        costs, before = board.rules.deeds[at].costs, play.levels[at]
        low, high = sorted((before, level))
        steps = [cost for cost in costs[low:high] if cost is not None]
        if len(steps) < high - low:
            return Plan(levels, None, 0)
        balance += sum(steps) if level > before else -sum(steps)
    percent = board.rules.buildings.sale_percent or 0
    return Plan(levels, max(balance, 0), max(-balance, 0) * percent // 100)


def check_level(run: MoveRun, move: Level) -> Refused | None:
    """Check that the plan is of one's own group, legal and even, and can be paid."""
    board, play = run.board, run.play
    is_due = play.stage is Stage.LEVEL
    if not builds_early(board):
        return BUILD_RULE.refuses(
            Why.WRONG_STAGE,
            say("groups are not laid out as a whole in this box"),
            say("build on one street after another"),
        )
    for deed, _ in move.levels:
        refusal = check_owned(run, move.by, deed)
        if refusal is not None and refusal.why is Why.NOT_YOURS:
            return refusal
    levels = _named(board, move)
    if levels is None:
        return _no_plan(say("a plan says what stands on each street of one group"))
    sites = board.sites[next(iter(levels))]
    if set(levels) != {at for at in sites if play.owners[at] == move.by}:
        return _no_plan(say("a plan names each street of the group that is yours"))
    if refusal := _check_time(run, move.by, levels):
        return refusal
    if not is_due and all(play.levels[at] == level for at, level in levels.items()):
        return nothing_changed()
    plan = plan_of(run, levels)
    return _check_group(run, move.by, plan) or _check_means(run, move.by, plan)


def nothing_changed() -> Refused:
    """Refuse a plan that leaves everything as it is."""
    remedy = say("choose what shall stand where")
    return _no_plan(say("nothing is changed yet"), remedy)


def _no_plan(words: str, remedy: str = "") -> Refused:
    remedy = remedy or say("lay it out again")
    return TYPED_RULE.refuses(Why.MALFORMED, words, remedy)


def _check_time(run: MoveRun, seat: str, levels: dict[int, int]) -> Refused | None:
    """Check that this group comes next, and that building or selling is allowed now."""
    board, play = run.board, run.play
    if play.stage is Stage.LEVEL:
        first = play.uneven[0].deed
        if board.index[first] in levels:
            return None
        return LAST_STREET_RULE.refuses(
            Why.WRONG_STAGE,
            say("the group of {deed} comes first", deed=board.name_of(first)),
            say("build it evenly"),
        )
    is_less = any(level < play.levels[at] for at, level in levels.items())
    if is_less and (refusal := check_sale_of_buildings(run)):
        return refusal
    if not any(level > play.levels[at] for at, level in levels.items()):
        return None
    if play.stage in FOR_SALE:
        return BUY_OR_AUCTION_RULE.refuses(
            Why.WRONG_STAGE,
            say("nothing is built now: buildings can only be sold"),
            say("build later"),
        )
    return check_owes_nothing(run, seat)


def _named(board: Board, move: Level) -> dict[int, int] | None:
    """Return the levels that the move names, by index of the deed.

    Return ``None`` if they are impossible or not of one group.
    """
    levels: dict[int, int] = {}
    for deed, level in move.levels:
        at = board.index.get(deed)
        if at is None or at in levels or type(level) is not int:
            return None
        if not 0 <= level <= len(board.rules.deeds[at].ladder):
            return None
        levels[at] = level
    is_one_group = len({board.sites[at] for at in levels}) == 1
    return levels if is_one_group else None


def _check_group(run: MoveRun, seat: str, plan: Plan) -> Refused | None:
    """Check mortgages, that enough of the group is owned, and that it stays even."""
    board, play, rules = run.board, run.play, run.board.rules.buildings
    mortgaged = next((at for at in plan.levels if play.mortgaged[at]), None)
    if rules.blocked_by_mortgage and mortgaged is not None and plan.top:
        return mortgaged_in_group(board, mortgaged)
    sites = board.sites[next(iter(plan.levels))]
    lacking = [at for at in sites if play.owners[at] != seat]
    for at, level in plan.levels.items():
        if level > play.levels[at] and len(lacking) > spare(board, at, level):
            return incomplete(board, at, level, lacking)
    lowest = min(plan.levels.values())
    if not rules.evenly or plan.top - lowest <= 1:
        return None
    low = next(at for at, level in plan.levels.items() if level == lowest)
    return EVENLY_RULE.refuses(
        Why.UNEVEN,
        say("another street would be two ahead of {deed}", deed=_name(board, low)),
        say("spread it evenly"),
    )


def _name(board: Board, at: int) -> str:
    return board.rules.deeds[at].name


def _check_means(run: MoveRun, seat: str, plan: Plan) -> Refused | None:
    """Check that the bank has the buildings and the seat the money.

    Nothing may be taken down if the seat can afford to build up.
    """
    board, play = run.board, run.play
    short = _lacking_pieces(run, seat, plan.levels)
    if short:
        return too_few(short)
    if plan.cost is None:
        deeds = (board.rules.deeds[at] for at in plan.levels)
        unknown = next(deed.id for deed in deeds if None in deed.costs)
        return unknown_figure(board, unknown, "cost")
    refusal = unaffordable(run, seat, plan.cost - plan.brings)
    is_less = any(level < play.levels[at] for at, level in plan.levels.items())
    is_due = play.stage is Stage.LEVEL
    if refusal is None and is_due and is_less and can_build_up(run, seat, plan):
        return SPREAD_RULE.refuses(
            Why.CAN_STILL_PAY,
            say("you can pay for building up, so nothing is taken down"),
            say("build up"),
        )
    return refusal


def can_build_up(run: MoveRun, seat: str, plan: Plan) -> bool:
    """Return whether the seat can lift the mortgages of the group and build it up."""
    board, play = run.board, run.play
    highest = max(play.levels[at] for at in plan.levels)
    levels = {at: max(play.levels[at], highest - 1) for at in plan.levels}
    lifting = [lifting_cost(board, play, at) for at in levels if play.mortgaged[at]]
    cost = _spread(board, play, levels).cost
    if cost is None or None in lifting or _lacking_pieces(run, seat, levels):
        return False
    return run.cash(seat) >= cost + sum(cost or 0 for cost in lifting)


def _lacking_pieces(run: MoveRun, seat: str, levels: dict[int, int]) -> str:
    """Return the kind of building of which the bank has too few; empty if none.

    Every street has four houses before one gets a hotel, and all have hotels before
    one gets a skyscraper; so the bank must have those pieces too.
    """
    ladder = run.board.rules.deeds[next(iter(levels))].ladder
    old = run.play.levels
    for full in range(1, len(ladder)):
        passes = any(old[at] < full < level for at, level in levels.items())
        if passes and ladder[full] != ladder[full - 1]:
            halfway = {at: max(old[at], full) for at in levels}
            short = _lacking_kind(run, seat, halfway)
            if short:
                return short
    return _lacking_kind(run, seat, levels)


def _lacking_kind(run: MoveRun, seat: str, levels: dict[int, int]) -> str:
    """Return the kind of which too few are left; empty if none.

    Buildings that other seats have claimed do not count as left.
    """
    board, play = run.board, run.play
    for kind, left in enumerate(play.pieces):
        needed = sum(
            board.used[at][level][kind] - board.used[at][play.levels[at]][kind]
            for at, level in levels.items()
        )
        claimed = sum(
            want.seat != seat and wanted_kind(run, want.deed) == board.kinds[kind]
            for want in play.wants
        )
        if needed > 0 and needed > left - claimed:
            return board.kinds[kind]
    return ""


def level(run: MoveRun, move: Level) -> None:
    """Put up the buildings as planned; the bank gets or pays the difference."""
    levels = _named(run.board, move)
    assert levels is not None, "checked before"
    seat, plan = Seat(move.by), plan_of(run, levels)
    deeds = run.board.rules.deeds
    by_deed = tuple((DeedId(deeds[at].id), steps) for at, steps in levels.items())
    run.add(d.GroupLevelled(seat=seat, levels=by_deed))
    cost = (plan.cost or 0) - plan.brings
    if cost > 0:
        run.charge(seat, BANK, cost, Reason.PURCHASE)
    else:
        run.earn(seat, -cost, Reason.SALE)
    settle(run)


def level_choices(run: MoveRun, seat: str) -> Iterator[Level]:
    """Offer to even out the group that has to be: built up, spread, or sold."""
    board, play = run.board, run.play
    if play.stage is not Stage.LEVEL:
        yield from _next_steps(run, seat)
        return
    sites = board.sites[board.index[play.uneven[0].deed]]
    steps = sum(play.levels[at] for at in sites)
    highest = max(play.levels[at] for at in sites)
    yield _move(run, seat, {at: max(play.levels[at], highest - 1) for at in sites})
    for count in range(steps, -1, -1):
        each, over = divmod(count, len(sites))
        spread = {at: each + (place < over) for place, at in enumerate(sites)}
        if max(spread.values()) <= len(board.rules.deeds[sites[0]].ladder):
            yield _move(run, seat, spread)


def _next_steps(run: MoveRun, seat: str) -> Iterator[Level]:
    """Offer to add or clear a row of a group, or to fill one, or a step on each."""
    board, play = run.board, run.play
    if not builds_early(board):
        return
    for sites in dict.fromkeys(board.sites):
        owned = [at for at in sites if play.owners[at] == seat]
        if owned and board.rules.deeds[owned[0]].ladder:
            old = {at: play.levels[at] for at in owned}
            low, high = min(old.values()), max(old.values())
            if low < high:  # If they are equal, the rows below are the same moves.
                for more in (1, -1):
                    yield _move(run, seat, {at: old[at] + more for at in owned})
            for level in dict.fromkeys((low + 1, high, high + 1)):
                yield _move(run, seat, {at: max(old[at], level) for at in owned})
            for level in dict.fromkeys((high - 1, low, low - 1)):
                yield _move(run, seat, {at: min(old[at], level) for at in owned})


def _move(run: MoveRun, seat: str, levels: dict[int, int]) -> Level:
    deeds = run.board.rules.deeds
    return Level(
        by=seat, levels=tuple((deeds[at].id, steps) for at, steps in levels.items())
    )


ROWS = (rule(Level, RAISING, check_level, level, level_choices),)
