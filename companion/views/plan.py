"""A plan for a group of streets: which buildings are to stand on each of them.

A street's *ladder* lists the buildings that may stand there, in the order in which they
are built. Its *level* is the number of steps taken; a plan gives each street of the
group a level. The *looking* seat is the one whose phone shows the plan.

The rules say what a plan costs or brings, and whether it is allowed. In some editions
the whole plan is one move; in the others each step is a move of its own, which is tried
after the steps before it. Here *at* is the index of a deed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from companion.edition.shape import Group
from companion.errors import Refused, Why
from companion.game import Game
from companion.game import moves as m
from companion.game.board import Board
from companion.game.move_run import MoveRun
from companion.game.owning import builds_early
from companion.game.position import BUILD
from companion.game.rulebook import HOUSE
from companion.rules import refusal
from companion.rules.buildings import is_hotel, lacking_allowed
from companion.rules.deciding import moves_by_kind, step
from companion.rules.decoder import LAID_RULE
from companion.rules.levelling import nothing_changed, plan_of
from companion.sheets import TYPED_RULE
from companion.units import Dollars, Levels
from companion.views.space import (
    Band,
    Pieces,
    band_of,
    buildings_text,
    pieces_at,
)
from companion.views.turn_buttons import Look
from companion.views.turn_words import uneven_deed, why_waits
from companion.views.why import ShownRule
from companion.views.wording import level_text
from companion.words import capital, say


class Site(msgspec.Struct, frozen=True):
    """One street of the group.

    Attributes:
        id: The id of its deed.
        now: Its present level.
        planned: Its planned level.
        words_now: What stands there now, in words.
        words_planned: What the plan puts there, in words.
        pieces_now: The buildings that stand there now.
        pieces_planned: The buildings that the plan puts there.
        steps: What can stand there, in words, by level.
        owner: The name of its owner, maybe the bank; empty for the looking seat.
    """

    id: str
    name: str
    now: int
    planned: int
    words_now: str
    words_planned: str
    pieces_now: Pieces
    pieces_planned: Pieces
    steps: tuple[str, ...]
    is_mortgaged: bool
    owner: str = ""


class PlanView(msgspec.Struct, frozen=True, kw_only=True):
    """A plan with its outcome; all amounts are in dollars.

    Attributes:
        deed: The deed for which the page was opened.
        sites: The streets of the group that the looking seat owns.
        others: The other streets of the group.
        is_due: The buildings must be spread evenly before the game goes on.
        cost: What the plan costs; 0 if it brings money.
        brings: What the plan brings; 0 if it costs money.
        cash: The money in the seat's hand.
        hint: Why the rules refuse the plan; empty if they allow it.
        rules: The rule behind *hint*.
        is_same: The plan keeps every present level.
        waits: Why the seat can plan nothing now; empty if it can.
    """

    band: Band
    deed: str
    sites: tuple[Site, ...]
    others: tuple[Site, ...]
    is_due: bool
    cost: Dollars = 0
    brings: Dollars = 0
    cash: Dollars = 0
    hint: str = ""
    rules: tuple[ShownRule, ...] = ()
    is_same: bool = False
    waits: str = ""

    @property
    def can_send(self) -> bool:
        """Whether the rules would accept the plan."""
        return not self.hint and not self.waits

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """Names and values of the fields that describe the plan in a form."""
        return tuple((f"level-{site.id}", str(site.planned)) for site in self.sites)

    @property
    def cash_after(self) -> Dollars:
        """The money in the seat's hand after the plan."""
        return self.cash - self.cost + self.brings


class PlannedMoves(NamedTuple):
    """A plan as moves of the rules, and the game to which they lead.

    Attributes:
        moves: The moves in order; if one was refused, it is the last.
        game: The game after the moves that were accepted.
        refused: The refusal of the last move; ``None`` if the plan can be carried out.
    """

    moves: tuple[m.Move, ...]
    game: Game
    refused: Refused | None = None


def plan_moves(game: Game, plan: m.Level) -> PlannedMoves:
    """Turn a plan into moves, and try them without changing the game.

    Where each step is a move, sales come first, always on the street with the highest
    level; purchases follow, always on the lowest. So the group stays as even as can be.
    """
    assert game.board is not None, "the companion leads"
    if builds_early(game.board):
        reason = refusal(game, plan)
        after = game if reason else step(game, plan).game
        return PlannedMoves((plan,), after, reason)
    moves: tuple[m.Move, ...] = ()
    while (move := _next_step(game, plan)) is not None:
        moves = (*moves, move)
        if len(moves) > 1 and game.play and game.play.payments:
            return PlannedMoves(moves, game, _refuse_second_payment())
        try:
            game = step(game, move).game
        except Refused as reason:
            return PlannedMoves(moves, game, reason)
    return PlannedMoves(moves, game, None if moves else nothing_changed())


def _refuse_second_payment() -> Refused:
    """Return the refusal to buy a building while the notes for another lie there.

    Where notes may be fake, they lie on the table before they are handed over.
    """
    return LAID_RULE.refuses(
        Why.WRONG_STAGE,
        say("each building is paid for by itself here"),
        say("plan one after another"),
    )


def _next_step(game: Game, plan: m.Level) -> m.Move | None:
    """Return the next sale or purchase that the plan needs; ``None`` if none is left.

    A building counts as built once the payment for it lies on the table.
    """
    board, play = game.board, game.play
    assert board is not None, "the companion leads"
    assert play is not None, "the companion leads"
    paid_for = [payment.of for payment in play.payments if payment.purpose == BUILD]
    levels = {
        deed: play.levels[board.index[deed]] + paid_for.count(deed)
        for deed, _ in plan.levels
        if deed in board.index
    }
    planned = {deed: level for deed, level in plan.levels if deed in levels}
    too_high = [deed for deed, level in planned.items() if levels[deed] > level]
    too_low = [deed for deed, level in planned.items() if levels[deed] < level]
    if too_high:
        deed = max(too_high, key=levels.__getitem__)
        # Selling only the hotel takes houses from the bank; selling all takes none.
        has_hotel = is_hotel(board, board.index[deed], levels[deed])
        is_all = has_hotel and planned[deed] == 0
        return m.Unbuild(by=plan.by, deed=deed, is_all=is_all)
    if too_low:
        deed = min(too_low, key=levels.__getitem__)
        return m.Build(by=plan.by, deed=deed)
    return None


def plan_view(
    game: Game, groups: Sequence[Group], seat: str, deed: str, wanted: Mapping[str, int]
) -> PlanView:
    """Return the plan of *seat* for the group of *deed*, without changing the game.

    Args:
        game: The game as it stands; the companion leads it.
        groups: The groups of its edition, for their colours.
        seat: The seat that plans.
        deed: A deed of the group.
        wanted: The planned level of each street, by deed; any other street keeps its
            level. If empty while the buildings must be spread evenly, the rules'
            first proposal is taken.

    Raises:
        KeyError: If the game has no deed of that id.
    """
    look = Look(game, seat)
    board, play = look.board, look.play
    sites = board.sites[board.index[deed]]
    mine = [at for at in sites if play.owners[at] == seat]
    is_due = _is_due(look, sites)
    planned = _planned_levels(look, mine, wanted, is_due=is_due)
    view = PlanView(
        band=band_of(groups, board.rules.deeds[sites[0]].group),
        deed=deed,
        sites=tuple(_site(look, at, planned[at]) for at in mine),
        others=tuple(
            _site(look, at, play.levels[at]) for at in sites if at not in mine
        ),
        is_due=is_due,
        cash=look.cash,
        is_same=all(play.levels[at] == level for at, level in planned.items()),
        waits=_waits(look, mine),
    )
    return view if view.waits else _with_outcome(look, view, planned)


def _is_due(look: Look, sites: Sequence[int]) -> bool:
    """Return whether the seat has to spread the buildings of these deeds evenly now."""
    deed = uneven_deed(look)
    return bool(deed) and look.board.index[deed] in sites


def _planned_levels(
    look: Look, mine: Sequence[int], wanted: Mapping[str, int], *, is_due: bool
) -> dict[int, int]:
    """Return the planned level of each deed of the seat, by the deed's index."""
    planned = {at: look.play.levels[at] for at in mine}
    if is_due and not wanted:
        planned |= _proposed(look)
    for at in mine:
        deed = look.board.rules.deeds[at]
        level = wanted.get(deed.id, planned[at])
        planned[at] = min(max(level, 0), len(deed.ladder))
    return planned


def _proposed(look: Look) -> dict[int, int]:
    """Return the rules' first proposal for even buildings: each deed's level."""
    for _, moves in moves_by_kind(look.game, look.seat, (m.Level,)):
        for move in moves:
            if isinstance(move, m.Level):
                return {look.board.index[deed]: level for deed, level in move.levels}
    return {}


def _site(look: Look, at: int, planned: int) -> Site:
    board, play = look.board, look.play
    deed, now = board.rules.deeds[at], play.levels[at]
    owner = play.owners[at]
    return Site(
        id=deed.id,
        name=deed.name,
        now=now,
        planned=planned,
        words_now=_standing(board, at, now),
        words_planned=_standing(board, at, planned),
        pieces_now=pieces_at(board, at, now),
        pieces_planned=pieces_at(board, at, planned),
        steps=tuple(
            capital(_standing(board, at, level))
            for level in range(len(deed.ladder) + 1)
        ),
        is_mortgaged=play.mortgaged[at],
        owner="" if owner == look.seat else look.name(owner or "bank"),
    )


def _standing(board: Board, at: int, level: int) -> str:
    """Say what stands on a street at a level of its ladder."""
    ladder = board.rules.deeds[at].ladder
    if not level or ladder[0] == HOUSE:
        return level_text(level)
    return buildings_text(ladder[0], level)


def _waits(look: Look, mine: Sequence[int]) -> str:
    """Say why the seat can plan nothing here now; empty if it can.

    *mine* are its deeds of the group. Whether the plan itself is allowed is left to
    the rules.
    """
    if not mine or _owns_too_little(look, mine):
        if builds_early(look.board):
            return say("You build once you have all but one of the group")
        return say("You build once you have the whole group")
    kinds = (m.Level,) if builds_early(look.board) else (m.Build, m.Unbuild)
    return why_waits(look, *kinds)


def _owns_too_little(look: Look, mine: Sequence[int]) -> bool:
    """Return whether the seat owns too little of the group to build or to sell there.

    Each railroad with a depot is a group by itself.
    """
    lacking = len(look.board.sites[mine[0]]) - len(mine)
    is_built = any(look.play.levels[at] for at in mine)
    allowed = lacking_allowed(look.board, mine[0], level=1)
    return lacking > allowed and not is_built


def _with_outcome(look: Look, view: PlanView, planned: dict[int, int]) -> PlanView:
    """Return *view* with the cost of the plan, and with the refusal if there is one."""
    levels: Levels = tuple((site.id, site.planned) for site in view.sites)
    outcome = plan_moves(look.game, m.Level(by=look.seat, levels=levels))
    if builds_early(look.board):
        plan = plan_of(MoveRun(look.game), planned)
        cost, brings = plan.cost or 0, plan.brings
    else:
        spent = look.cash - MoveRun(outcome.game).cash(look.seat)
        cost, brings = max(spent, 0), max(-spent, 0)
    with_cost = msgspec.structs.replace(view, cost=cost, brings=brings)
    reason = outcome.refused
    if reason is None:
        return with_cost
    # A plan that changes nothing is refused too, but no rule needs to explain that.
    is_idle = view.is_same and reason.rule is TYPED_RULE
    rules = () if is_idle else (look.rule_of(reason),)
    return msgspec.structs.replace(with_cost, hint=look.refused(reason), rules=rules)
