"""Laying out a whole group at once: what shall stand on each of its streets.

As a plan for building, the streets are built up or sold down one by one. When the last
street comes to a group that is built on already, what stands there is spread over all
of them, or built up; then only the difference in all is paid for or sold.

Source:
    The Mega booklet, "New properties & skyscrapers": the last street is freed of its
    mortgage and built up evenly; whoever cannot afford that spreads what there is, and
    may break hotels down for it. Readings: it can be afforded by whoever has the money
    in hand, while the bank has the buildings, though one may sell to the bank instead,
    as at any time; and a whole group may be laid out at other times, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.errors import Why
from companion.game import deed_events as d
from companion.game.board import Board
from companion.game.ledger import Reason
from companion.game.move_run import MoveRun
from companion.game.moves import Level
from companion.game.owning import builds_early
from companion.game.position import Position
from companion.game.stage import Stage
from companion.rules.auction import wanted_kind
from companion.rules.buildings import is_held_up, sale_value, spare
from companion.rules.deeds import lifting_cost
from companion.rules.walking import settle
from companion.units import BANK, DeedId, Dollars, Seat


class Plan(NamedTuple):
    """What shall stand on the streets of a group.

    Attributes:
        levels: By the place of each street: how many steps of its ladder.
        cost: What the bank gets for it, in dollars; ``None`` if a figure is unknown.
        brings: What the bank pays for it.
    """

    levels: dict[int, int]
    cost: Dollars | None
    brings: Dollars

    @property
    def top(self) -> int:
        """The highest level of all."""
        return max(self.levels.values())


def plan_of(run: MoveRun, levels: dict[int, int]) -> Plan:
    """The plan with its price.

    Args:
        run: The move so far; in the stage ``level``, only the sum of all counts.
        levels: By the place of each street of one group of one owner: how many steps.
    """
    board, play = run.board, run.play
    if play.stage is Stage.LEVEL:
        return _spread(board, play, levels)
    cost: Dollars | None = 0
    brings = 0
    for at, level in levels.items():
        steps = board.rules.deeds[at].costs[play.levels[at] : level]
        known = [x for x in steps if x is not None]
        cost = None if cost is None or len(known) < len(steps) else cost + sum(known)
        brings += sale_value(board, play, at, level) if level < play.levels[at] else 0
    return Plan(levels, cost, brings)


def _spread(board: Board, play: Position, levels: dict[int, int]) -> Plan:
    """The plan in which what stands there already is moved for nothing."""
    more = 0
    for at, level in levels.items():
        costs, before = board.rules.deeds[at].costs, play.levels[at]
        low, high = sorted((before, level))
        steps = [x for x in costs[low:high] if x is not None]
        if len(steps) < high - low:
            return Plan(levels, None, 0)
        more += sum(steps) if level > before else -sum(steps)
    percent = board.rules.buildings.sale_percent or 0
    return Plan(levels, max(more, 0), max(-more, 0) * percent // 100)


def check_level(run: MoveRun, move: Level) -> Why | None:
    """Check that the plan is of one's own group, legal, even, and can be paid."""
    board, play = run.board, run.play
    is_due = play.stage is Stage.LEVEL
    if not builds_early(board):
        return Why.WRONG_STAGE
    known = [board.index[deed] for deed, _ in move.levels if deed in board.index]
    if any(play.owners[at] != move.by for at in known):
        return Why.NOT_YOURS
    levels = _named(board, move)
    if levels is None:
        return Why.MALFORMED
    sites = board.sites[next(iter(levels))]
    if set(levels) != {at for at in sites if play.owners[at] == move.by}:
        return Why.MALFORMED
    goes_up = any(level > play.levels[at] for at, level in levels.items())
    if goes_up and not is_due and is_held_up(run, move.by):
        return Why.WRONG_STAGE
    if is_due and board.index[play.uneven[0].deed] not in levels:
        return Why.WRONG_STAGE
    if not is_due and all(play.levels[at] == level for at, level in levels.items()):
        return Why.MALFORMED
    plan = plan_of(run, levels)
    return _check_group(run, move.by, plan) or _check_means(run, move.by, plan)


def _named(board: Board, move: Level) -> dict[int, int] | None:
    """What the move says, by the place of each street; ``None`` if that cannot be."""
    found: dict[int, int] = {}
    for deed, level in move.levels:
        at = board.index.get(deed)
        if at is None or at in found or type(level) is not int:
            return None
        if not 0 <= level <= len(board.rules.deeds[at].ladder):
            return None
        found[at] = level
    is_one_group = len({board.sites[at] for at in found}) == 1
    return found if is_one_group else None


def _check_group(run: MoveRun, seat: str, plan: Plan) -> Why | None:
    """Check mortgages, that enough of the group is owned, and that it stays even."""
    board, play, rules = run.board, run.play, run.board.rules.buildings
    is_mortgaged = any(play.mortgaged[at] for at in plan.levels)
    if rules.blocked_by_mortgage and is_mortgaged and plan.top:
        return Why.MORTGAGED
    lacking = sum(play.owners[x] != seat for x in board.sites[next(iter(plan.levels))])
    for at, level in plan.levels.items():
        if level > play.levels[at] and lacking > spare(board, at, level):
            return Why.INCOMPLETE_GROUP
    lowest = min(plan.levels.values())
    return Why.UNEVEN if rules.evenly and plan.top - lowest > 1 else None


def _check_means(run: MoveRun, seat: str, plan: Plan) -> Why | None:
    """Check that the bank has the buildings, and the seat the money; nor too much."""
    if not _has_pieces(run, seat, plan.levels):
        return Why.NONE_LEFT
    if plan.cost is None:
        return Why.UNKNOWN_FIGURE
    if run.cash(seat) + plan.brings < plan.cost:
        return Why.CANNOT_AFFORD
    play = run.play
    is_less = any(level < play.levels[at] for at, level in plan.levels.items())
    if play.stage is Stage.LEVEL and is_less and can_build_up(run, seat, plan):
        return Why.CAN_STILL_PAY
    return None


def can_build_up(run: MoveRun, seat: str, plan: Plan) -> bool:
    """Whether the seat can free the group of its mortgages and build it up evenly."""
    board, play = run.board, run.play
    highest = max(play.levels[at] for at in plan.levels)
    levels = {at: max(play.levels[at], highest - 1) for at in plan.levels}
    lifting = [lifting_cost(board, play, at) for at in levels if play.mortgaged[at]]
    cost = _spread(board, play, levels).cost
    if cost is None or None in lifting or not _has_pieces(run, seat, levels):
        return False
    return run.cash(seat) >= cost + sum(x or 0 for x in lifting)


def _has_pieces(run: MoveRun, seat: str, levels: dict[int, int]) -> bool:
    """Whether the bank has the buildings, those on the way included.

    Before there is a hotel, every street has four houses; likewise with skyscrapers.
    """
    ladder = run.board.rules.deeds[next(iter(levels))].ladder
    for full in range(1, len(ladder)):
        passes = any(run.play.levels[at] < full < to for at, to in levels.items())
        if passes and ladder[full] != ladder[full - 1]:
            way = {at: max(run.play.levels[at], full) for at in levels}
            if not _bank_has(run, seat, way):
                return False
    return _bank_has(run, seat, levels)


def _bank_has(run: MoveRun, seat: str, levels: dict[int, int]) -> bool:
    """Whether the bank has these buildings, besides those that others have claimed."""
    board, play = run.board, run.play
    for kind, left in enumerate(play.pieces):
        more = sum(
            board.used[at][level][kind] - board.used[at][play.levels[at]][kind]
            for at, level in levels.items()
        )
        claimed = sum(
            want.seat != seat and wanted_kind(run, want.deed) == board.kinds[kind]
            for want in play.wants
        )
        if more > 0 and more > left - claimed:
            return False
    return True


def level(run: MoveRun, move: Level) -> None:
    """Put the buildings up as planned; the bank gets or pays the difference."""
    levels = _named(run.board, move)
    assert levels is not None, "checked before"
    seat, plan = Seat(move.by), plan_of(run, levels)
    deeds = run.board.rules.deeds
    named = tuple((DeedId(deeds[at].id), steps) for at, steps in levels.items())
    run.add(d.GroupLevelled(seat=seat, levels=named))
    cost = (plan.cost or 0) - plan.brings
    if cost > 0:
        run.charge(seat, BANK, cost, Reason.PURCHASE)
    else:
        run.earn(seat, -cost, Reason.SALE)
    settle(run)


def level_choices(run: MoveRun, seat: str) -> Iterator[Level]:
    """Offer to even out the group that waits for it: built up, spread, or sold."""
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
        spread = {at: each + (i < over) for i, at in enumerate(sites)}
        if max(spread.values()) <= len(board.rules.deeds[sites[0]].ladder):
            yield _move(run, seat, spread)


def _next_steps(run: MoveRun, seat: str) -> Iterator[Level]:
    """Offer to build up or to sell a row of a group, and to fill or clear one up."""
    board, play = run.board, run.play
    if not builds_early(board):
        return
    for sites in dict.fromkeys(board.sites):
        mine = [at for at in sites if play.owners[at] == seat]
        if mine and board.rules.deeds[mine[0]].ladder:
            levels = {at: play.levels[at] for at in mine}
            low, high = min(levels.values()), max(levels.values())
            for level in dict.fromkeys((low + 1, high, high + 1)):
                yield _move(run, seat, {at: max(x, level) for at, x in levels.items()})
            for level in dict.fromkeys((high - 1, low, low - 1)):
                yield _move(run, seat, {at: min(x, level) for at, x in levels.items()})


def _move(run: MoveRun, seat: str, levels: dict[int, int]) -> Level:
    deeds = run.board.rules.deeds
    return Level(
        by=seat, levels=tuple((deeds[at].id, steps) for at, steps in levels.items())
    )
