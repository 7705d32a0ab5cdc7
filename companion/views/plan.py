"""A plan for a whole group: what stands on each street, what shall stand there.

What it costs or brings and whether it is allowed comes from the rules, which are asked
about the plan as it is laid out: about the whole where a box has that, elsewhere about
one step after another, each in the game that the one before it leads to.
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
from companion.game.stage import Stage
from companion.rules import out_of_turn, refusal
from companion.rules.buildings import is_hotel, spare
from companion.rules.deciding import moves_by_kind, step
from companion.rules.decoder import LAID_RULE
from companion.rules.levelling import nothing_changed, plan_of
from companion.sheets import TYPED_RULE
from companion.units import Dollars, Levels
from companion.views.deed import Band, band_of
from companion.views.deed_rents import Pieces, pieces_at
from companion.views.space import buildings_text
from companion.views.turn_buttons import Look
from companion.views.turn_words import awaited
from companion.views.why import ShownRule
from companion.views.wording import level_text
from companion.words import capital, say


class Site(msgspec.Struct, frozen=True):
    """One street of the group.

    Attributes:
        id: Of its deed.
        now: How many steps of its ladder stand there; *shall*: how many shall.
        words_now: What stands there, in words; *pieces_now*: to be drawn.
        steps: In words, what can stand there, by the number of steps.
        owner: Who has it instead, if the looking seat has not; its name.
    """

    id: str
    name: str
    now: int
    shall: int
    words_now: str
    words_shall: str
    pieces_now: Pieces
    pieces_shall: Pieces
    steps: tuple[str, ...]
    is_mortgaged: bool
    owner: str = ""


class PlanView(msgspec.Struct, frozen=True, kw_only=True):
    """The plan as far as it is laid out.

    Attributes:
        deed: The deed by whose id the page is called.
        is_due: The group has to be built evenly before anything else goes on.
        cost: What the plan costs; likewise *brings*.
        cash: What the seat has in hand.
        hint: What stands against it; empty if it can be done.
        rules: The rule behind that.
        is_same: Nothing is changed yet.
        waits: Why nothing can be planned now; may be empty.
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
        """Whether the rules would accept the plan as it is."""
        return not self.hint and not self.waits

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """Names and values of the fields that describe the plan in a form."""
        return tuple((f"level-{one.id}", str(one.shall)) for one in self.sites)

    @property
    def cash_after(self) -> Dollars:
        """What the seat has in hand after it."""
        return self.cash - self.cost + self.brings


class Laying(NamedTuple):
    """A plan as moves that the rules know.

    Attributes:
        moves: One after another; the last of them is the one that was refused, if any.
        game: The game after all that were accepted.
        refused: Why it goes no further; ``None`` if all is laid out as planned.
    """

    moves: tuple[m.Move, ...]
    game: Game
    refused: Refused | None = None


def laying(game: Game, plan: m.Level) -> Laying:
    """Lay out a plan; street by street where the box lays out no group as a whole.

    What is too much is sold first, where most stands; then is built where least does,
    so that no step is less even than the plan itself.
    """
    assert game.board is not None, "the companion leads"
    if builds_early(game.board):
        refused = refusal(game, plan)
        return Laying((plan,), game if refused else step(game, plan).game, refused)
    moves: tuple[m.Move, ...] = ()
    while (move := _next_step(game, plan)) is not None:
        moves = (*moves, move)
        if len(moves) > 1 and game.play and game.play.payments:
            return Laying(moves, game, _one_by_one())
        try:
            game = step(game, move).game
        except Refused as refused:
            return Laying(moves, game, refused)
    return Laying(moves, game, None if moves else nothing_changed())


def _one_by_one() -> Refused:
    """Refuse to pay for more than one building where each payment may be looked at."""
    return LAID_RULE.refuses(
        Why.WRONG_STAGE,
        say("each building is paid for by itself here"),
        say("plan one after another"),
    )


def _next_step(game: Game, plan: m.Level) -> m.Move | None:
    board, play = game.board, game.play
    assert board is not None, "the companion leads"
    assert play is not None, "the companion leads"
    paid = [one.of for one in play.payments if one.purpose == BUILD]
    levels = {
        deed: play.levels[board.index[deed]] + paid.count(deed)
        for deed, _ in plan.levels
        if deed in board.index
    }
    more = [deed for deed, shall in plan.levels if levels.get(deed, shall) > shall]
    less = [deed for deed, shall in plan.levels if levels.get(deed, shall) < shall]
    if more:
        deed = max(more, key=lambda one: levels[one])
        is_all = dict(plan.levels)[deed] == 0 and is_hotel(
            board, board.index[deed], levels[deed]
        )
        return m.Unbuild(by=plan.by, deed=deed, is_all=is_all)
    if less:
        return m.Build(by=plan.by, deed=min(less, key=lambda one: levels[one]))
    return None


def plan_view(
    game: Game, groups: Sequence[Group], seat: str, deed: str, wanted: Mapping[str, int]
) -> PlanView:
    """The plan of *seat* for the group of *deed*; changes nothing.

    Args:
        game: The game as it stands, guided.
        groups: The groups of its edition, for their colours.
        seat: Whose plan it is.
        deed: A deed of the group.
        wanted: What shall stand on streets of the group, by deed; where nothing is said
            it stays as it is, or as the rules propose for a group that has to be even.

    Raises:
        KeyError: If the game has no deed of that id.
    """
    look = Look(game, seat)
    board, play = look.board, look.play
    places = board.sites[board.index[deed]]
    mine = [at for at in places if play.owners[at] == seat]
    is_due = play.stage is Stage.LEVEL and play.uneven[0].seat == seat
    is_due = is_due and board.index[play.uneven[0].deed] in places
    shall = {at: play.levels[at] for at in mine}
    if is_due and not wanted:
        shall |= _proposed(look)
    for at in mine:
        level = wanted.get(board.rules.deeds[at].id, shall[at])
        shall[at] = min(max(level, 0), len(board.rules.deeds[at].ladder))
    view = PlanView(
        band=band_of(groups, board.rules.deeds[places[0]]),
        deed=deed,
        sites=tuple(_site(look, at, shall[at]) for at in mine),
        others=tuple(
            _site(look, at, play.levels[at]) for at in places if at not in mine
        ),
        is_due=is_due,
        cash=look.cash,
        is_same=all(play.levels[at] == level for at, level in shall.items()),
        waits=_waits(look, mine),
    )
    return view if view.waits else _tried(look, view, shall)


def _proposed(look: Look) -> dict[int, int]:
    """The first plan that the rules offer for a group that has to be even."""
    for _, found in moves_by_kind(look.game, look.seat, (m.Level,)):
        for move in found:
            if isinstance(move, m.Level):
                return {look.board.index[deed]: level for deed, level in move.levels}
    return {}


def _site(look: Look, at: int, shall: int) -> Site:
    board, play = look.board, look.play
    deed, now = board.rules.deeds[at], play.levels[at]
    owner = play.owners[at]
    return Site(
        id=deed.id,
        name=deed.name,
        now=now,
        shall=shall,
        words_now=_standing(board, at, now),
        words_shall=_standing(board, at, shall),
        pieces_now=pieces_at(board, at, now),
        pieces_shall=pieces_at(board, at, shall),
        steps=tuple(
            capital(_standing(board, at, x)) for x in range(len(deed.ladder) + 1)
        ),
        is_mortgaged=play.mortgaged[at],
        owner="" if owner == look.seat else look.name(owner or "bank"),
    )


def _standing(board: Board, at: int, level: int) -> str:
    """Say what stands on a street with so many steps."""
    ladder = board.rules.deeds[at].ladder
    if not level or ladder[0] == HOUSE:
        return level_text(level)
    return buildings_text(ladder[0], level)


def _waits(look: Look, mine: Sequence[int]) -> str:
    """Why the seat can plan nothing here now; empty if it can, or the rules say why."""
    if not mine or _is_far(look, mine):
        if builds_early(look.board):
            return say("You build once you have all but one of the group")
        return say("You build once you have the whole group")
    kinds = (m.Level,) if builds_early(look.board) else (m.Build, m.Unbuild)
    found = [out_of_turn(look.game, look.seat, kind) for kind in kinds]
    refused = next((one for one in found if one is not None), None)
    if refused is None or None in found:
        return ""
    return look.refused(refused) if look.game.is_closed else awaited(look.game)


def _is_far(look: Look, mine: Sequence[int]) -> bool:
    """Whether the seat lacks too much of the group to build, and has nothing to sell.

    A railroad with a depot is a group of its own.
    """
    lacking = len(look.board.sites[mine[0]]) - len(mine)
    is_built = any(look.play.levels[at] for at in mine)
    return lacking > spare(look.board, mine[0], 1) and not is_built


def _tried(look: Look, view: PlanView, shall: dict[int, int]) -> PlanView:
    """*view* with what the rules say about the plan."""
    levels: Levels = tuple((one.id, one.shall) for one in view.sites)
    laid = laying(look.game, m.Level(by=look.seat, levels=levels))
    if builds_early(look.board):
        plan = plan_of(MoveRun(look.game), shall)
        change = msgspec.structs.replace(view, cost=plan.cost or 0, brings=plan.brings)
    else:
        cost = look.cash - MoveRun(laid.game).cash(look.seat)
        change = msgspec.structs.replace(view, cost=max(cost, 0), brings=max(-cost, 0))
    refused = laid.refused
    if refused is None:
        return change
    is_idle = view.is_same and refused.rule is TYPED_RULE  # That needs no reason.
    rules = () if is_idle else (look.rule_of(refused),)
    return msgspec.structs.replace(change, hint=look.refused(refused), rules=rules)
