"""Changing the buildings of a whole group in one move, by a plan.

A *plan* gives each street of a group its new level. A seat uses a plan in two ways:

- To build or sell on several streets at once. Each step costs or brings what it would
  in a move of its own.
- In the stage ``level``, when a seat gets the last street of a group that already has
  buildings. It must *build up* the lower streets, or *spread* the buildings over all
  streets. Then buildings move free of charge, and only the difference in cost is paid.

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
from companion.game import how
from companion.game.board import Board
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import Level
from companion.game.owning import builds_early
from companion.game.position import Position
from companion.game.stage import FOR_SALE, Stage
from companion.rules.auction import BUY_OR_AUCTION_RULE, claimed_by_others
from companion.rules.buildings import (
    EVENLY_RULE,
    check_sale_of_buildings,
    incomplete_group,
    lacking_allowed,
    mortgaged_in_group,
    no_site,
    sale_value,
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
    """The new levels of a group's streets, and what they cost.

    Attributes:
        levels: Index of each street -> its new level.
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
    """Return the plan for these new levels, with what it costs or brings.

    The streets are of one group and one owner.
    """
    board, play = run.board, run.play
    if play.stage is Stage.LEVEL:
        return _plan_spread(board, play, levels)
    total: Dollars | None = 0
    brings = 0
    for index, level in levels.items():
        cost = _steps_cost(board, index, play.levels[index], level)
        total = None if total is None or cost is None else total + cost
        if level < play.levels[index]:
            brings += sale_value(board, play, index, level)
    return Plan(levels, total, brings)


def _steps_cost(board: Board, index: int, low: int, high: int) -> Dollars | None:
    """Return the cost of the steps above level *low* up to *high*, in dollars.

    It is ``None`` if the cost of a step is unknown.
    """
    total = 0
    for cost in board.rules.deeds[index].costs[low:high]:
        if cost is None:
            return None
        total += cost
    return total


def _plan_spread(board: Board, play: Position, levels: dict[int, int]) -> Plan:
    """Return the plan by which buildings move within the group free of charge.

    The seat pays what the added steps cost more than those taken away. If they cost
    less, the bank pays for the difference as for sold buildings.
    """
    balance = 0
    for index, level in levels.items():
        low, high = sorted((play.levels[index], level))
        cost = _steps_cost(board, index, low, high)
        if cost is None:
            return Plan(levels, None, 0)
        is_raised = level == high
        balance += cost if is_raised else -cost
    percent = board.rules.buildings.sale_percent or 0
    return Plan(levels, max(balance, 0), max(-balance, 0) * percent // 100)


def check_level(run: MoveRun, move: Level) -> Refused | None:
    """Check that the plan is for the seat's own group, even, legal and affordable."""
    board, play = run.board, run.play
    if refusal := check_plan(run, move):
        return refusal
    levels = _levels_by_index(board, move)
    if levels is None:
        return _no_plan(say("a plan says what stands on each street of one group"))
    sites = board.sites[next(iter(levels))]
    if set(levels) != {index for index in sites if play.owners[index] == move.by}:
        return _no_plan(say("a plan names each street of the group that is yours"))
    if refusal := _check_time(run, move.by, levels):
        return refusal
    is_same = all(play.levels[index] == level for index, level in levels.items())
    if is_same and play.stage is not Stage.LEVEL:
        return nothing_changed()
    plan = plan_of(run, levels)
    return _check_group(run, move.by, plan) or _check_means(run, move.by, plan)


def check_plan(run: MoveRun, move: Level) -> Refused | None:
    """Check that groups are laid out here, and that this one's streets are yours."""
    board = run.board
    if not builds_early(board):
        return TYPED_RULE.refuses(
            Why.WRONG_STAGE,
            say("groups are not laid out as a whole in this box"),
            say("build on one street after another")
            if run.play.stage is Stage.ROLL
            else say("play on without it"),
        )
    for deed, _ in move.levels:
        refusal = check_owned(run, move.by, deed)
        if refusal is not None and refusal.why is Why.NOT_YOURS:
            return refusal
    return _no_site(run, move)


def _lacks(run: MoveRun, move: Level) -> Refused | None:
    """Check first whether anything is ever built there, then what is the seat's."""
    return _no_site(run, move) or check_plan(run, move)


def _no_site(run: MoveRun, move: Level) -> Refused | None:
    sites = (no_site(run, move.by, deed, Why.MALFORMED) for deed, _ in move.levels)
    return next(filter(None, sites), None)


def nothing_changed() -> Refused:
    """Refuse a plan that changes nothing."""
    return _no_plan(say("nothing is changed yet"), say("choose what shall stand where"))


def _no_plan(message: str, remedy: str = "") -> Refused:
    remedy = remedy or say("lay it out again")
    return TYPED_RULE.refuses(Why.MALFORMED, message, remedy)


def _check_time(run: MoveRun, seat: str, levels: dict[int, int]) -> Refused | None:
    """Check that it is this group's turn, and that building or selling is allowed."""
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
    is_less = any(level < play.levels[index] for index, level in levels.items())
    if is_less and (refusal := check_sale_of_buildings(run)):
        return refusal
    if not any(level > play.levels[index] for index, level in levels.items()):
        return None
    if play.stage in FOR_SALE:
        return BUY_OR_AUCTION_RULE.refuses(
            Why.WRONG_STAGE,
            say("nothing is built now: buildings can only be sold"),
            say("build later"),
        )
    return check_owes_nothing(run, seat)


def _levels_by_index(board: Board, move: Level) -> dict[int, int] | None:
    """Return the levels that the move names, by index of the street.

    Return ``None`` if they are impossible, or not all of one group.
    """
    levels: dict[int, int] = {}
    for deed, level in move.levels:
        index = board.index.get(deed)
        if index is None or index in levels or type(level) is not int:
            return None
        if not 0 <= level <= len(board.rules.deeds[index].ladder):
            return None
        levels[index] = level
    is_one_group = len({board.sites[index] for index in levels}) == 1
    return levels if is_one_group else None


def _check_group(run: MoveRun, seat: str, plan: Plan) -> Refused | None:
    """Check that no mortgage is in the way, enough is owned, and all stays even."""
    board, play, rules = run.board, run.play, run.board.rules.buildings
    mortgaged = next((index for index in plan.levels if play.mortgaged[index]), None)
    if rules.blocked_by_mortgage and mortgaged is not None and plan.top:
        return mortgaged_in_group(board, mortgaged)
    sites = board.sites[next(iter(plan.levels))]
    lacking = [index for index in sites if play.owners[index] != seat]
    for index, level in plan.levels.items():
        if level > play.levels[index] and len(lacking) > lacking_allowed(
            board, index, level
        ):
            return incomplete_group(run, index, level, lacking)
    lowest = min(plan.levels.values())
    if not rules.evenly or plan.top - lowest <= 1:
        return None
    by_level = sorted(plan.levels, key=lambda index: plan.levels[index])
    return EVENLY_RULE.refuses(
        Why.UNEVEN,
        say(
            "{ahead} would be two or more ahead of {deed}",
            ahead=board.rules.deeds[by_level[-1]].name,
            deed=board.rules.deeds[by_level[0]].name,
        ),
        say("spread it evenly"),
    )


def _check_means(run: MoveRun, seat: str, plan: Plan) -> Refused | None:
    """Check that the bank has the buildings and the seat the money.

    In the stage ``level``, a seat that can afford to build up may take nothing down.
    """
    board, play = run.board, run.play
    if kind := _lacking_on_the_way(run, seat, plan.levels):
        return too_few(kind)
    if plan.cost is None:
        deeds = (board.rules.deeds[index] for index in plan.levels)
        unknown = next(deed.id for deed in deeds if None in deed.costs)
        return unknown_figure(board, unknown, "cost")
    refusal = unaffordable(run, seat, plan.cost - plan.brings)
    if refusal is not None or play.stage is not Stage.LEVEL:
        return refusal
    is_less = any(level < play.levels[index] for index, level in plan.levels.items())
    if is_less and can_build_up(run, seat, plan):
        return SPREAD_RULE.refuses(
            Why.CAN_STILL_PAY,
            say("you can pay for building up, so nothing is taken down"),
            say("build up"),
        )
    return None


def can_build_up(run: MoveRun, seat: str, plan: Plan) -> bool:
    """Return whether the seat can lift the group's mortgages and build it up.

    Then every street is at most one step below the highest.
    """
    board, play = run.board, run.play
    highest = max(play.levels[index] for index in plan.levels)
    levels = {index: max(play.levels[index], highest - 1) for index in plan.levels}
    total = _plan_spread(board, play, levels).cost
    if total is None or _lacking_on_the_way(run, seat, levels):
        return False
    for index in levels:
        if play.mortgaged[index]:
            lifting = lifting_cost(board, play, index)
            if lifting is None:
                return False
            total += lifting
    return run.cash(seat) >= total


def _lacking_on_the_way(run: MoveRun, seat: str, levels: dict[int, int]) -> str:
    """Return a kind of building that the bank has too few of, or an empty word.

    Building is even: all streets have all their houses before one gets a hotel, and all
    have hotels before one gets a skyscraper. The bank needs the pieces for each such
    halfway layout, too.
    """
    ladder = run.board.rules.deeds[next(iter(levels))].ladder
    old = run.play.levels
    for steps in range(1, len(ladder)):
        is_passed = any(old[index] < steps < level for index, level in levels.items())
        is_other_kind_next = ladder[steps] != ladder[steps - 1]
        if is_passed and is_other_kind_next:
            halfway = {index: max(old[index], steps) for index in levels}
            if lacking := _lacking_for_layout(run, seat, halfway):
                return lacking
    return _lacking_for_layout(run, seat, levels)


def _lacking_for_layout(run: MoveRun, seat: str, levels: dict[int, int]) -> str:
    """Return a kind of building with too few left for *levels*, or an empty word.

    Buildings that other seats have claimed are not left.
    """
    board, play = run.board, run.play
    pairs = zip(board.kinds, play.pieces, strict=True)
    for kind_index, (kind, left) in enumerate(pairs):
        needed = 0
        for index, level in levels.items():
            used = board.used[index]
            needed += used[level][kind_index] - used[play.levels[index]][kind_index]
        if needed > 0 and needed > left - claimed_by_others(run, seat, kind):
            return kind
    return ""


def lay_out(run: MoveRun, move: Level) -> None:
    """Change the buildings as planned, and pay or collect the difference."""
    levels = _levels_by_index(run.board, move)
    assert levels is not None, "checked before"
    seat, plan = Seat(move.by), plan_of(run, levels)
    came = _steps_of(run, plan)
    by_deed = tuple((DeedId(deed), level) for deed, level in move.levels)
    run.add(d.GroupLevelled(seat=seat, levels=by_deed))
    cost = (plan.cost or 0) - plan.brings
    if cost > 0:
        run.charge(seat, BANK, cost, Reason.PURCHASE, came)
    else:
        run.earn(seat, -cost, Reason.SALE, came)
    settle(run)


def _steps_of(run: MoveRun, plan: Plan) -> str:
    """Write how the money of a plan comes about (``how.py``).

    It is empty where the buildings of a group have more than one price.
    """
    board, old = run.board, run.play.levels
    prices = {cost for index in plan.levels for cost in board.rules.deeds[index].costs}
    if len(prices) != 1:
        return ""
    price = prices.pop()
    gains = [level - old[index] for index, level in plan.levels.items()]
    built = sum(gain for gain in gains if gain > 0)
    sold = -sum(gain for gain in gains if gain < 0)
    if run.play.stage is Stage.LEVEL:  # What moves within the group is free.
        built, sold = max(built - sold, 0), max(sold - built, 0)
    bought = how.write(("building", price), *how.of(built)) if built else ""
    half = ("percent", board.rules.buildings.sale_percent)
    brings = how.write(("sold", price), half, *how.of(sold)) if sold else ""
    is_dearer = (plan.cost or 0) > plan.brings
    texts = (bought, brings) if is_dearer else (brings, bought)
    return f" {how.MINUS} ".join(filter(None, texts))


def level_choices(run: MoveRun, seat: str) -> Iterator[Level]:
    """Offer plans for the group that must become even, or else simple next steps.

    One plan builds the group up. The others spread its steps over all streets: first
    all steps, then fewer and fewer, while the others are sold.
    """
    board, play = run.board, run.play
    if play.stage is not Stage.LEVEL:
        yield from _next_steps(run, seat)
        return
    sites = board.sites[board.index[play.uneven[0].deed]]
    step_count = sum(play.levels[index] for index in sites)
    highest = max(play.levels[index] for index in sites)
    yield _level_move(
        run, seat, {index: max(play.levels[index], highest - 1) for index in sites}
    )
    for count in range(step_count, -1, -1):
        lower_level, higher_count = divmod(count, len(sites))
        spread = dict.fromkeys(sites, lower_level)
        for index in sites[:higher_count]:
            spread[index] += 1
        if max(spread.values()) <= len(board.rules.deeds[sites[0]].ladder):
            yield _level_move(run, seat, spread)


def _next_steps(run: MoveRun, seat: str) -> Iterator[Level]:
    """Offer simple plans for each group in which the seat may build.

    They add or take one step on every street, or bring all up or down to one level.
    """
    board, play = run.board, run.play
    if not builds_early(board):
        return
    for sites in dict.fromkeys(board.sites):
        owned = [index for index in sites if play.owners[index] == seat]
        if owned and board.rules.deeds[owned[0]].ladder:
            old = {index: play.levels[index] for index in owned}
            low, high = min(old.values()), max(old.values())
            if low < high:  # If they are equal, the loops below offer the same moves.
                for step in (1, -1):
                    yield _level_move(
                        run, seat, {index: old[index] + step for index in owned}
                    )
            for floor in dict.fromkeys((low + 1, high, high + 1)):
                yield _level_move(
                    run, seat, {index: max(old[index], floor) for index in owned}
                )
            for ceiling in dict.fromkeys((high - 1, low, low - 1)):
                yield _level_move(
                    run, seat, {index: min(old[index], ceiling) for index in owned}
                )


def _level_move(run: MoveRun, seat: str, levels: dict[int, int]) -> Level:
    """Return the move to these levels, by index of the street."""
    deeds = run.board.rules.deeds
    return Level(
        by=seat,
        levels=tuple((deeds[index].id, level) for index, level in levels.items()),
    )


ROWS = (rule(Level, RAISING, check_level, lay_out, level_choices, lacks=_lacks),)
