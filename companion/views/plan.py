"""A plan for a whole group: what stands on each street, what shall stand there.

What it costs or brings and whether it is allowed comes from the rules, which are asked
about the plan as it is laid out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from companion.edition.shape import Group
from companion.game import Game
from companion.game import moves as m
from companion.game.move_run import MoveRun
from companion.game.owning import builds_early
from companion.game.stage import Stage
from companion.rules import out_of_turn, refusal
from companion.rules.deciding import moves_by_kind
from companion.rules.levelling import plan_of
from companion.sheets import TYPED_RULE
from companion.units import Dollars, Levels
from companion.views.deed import Band, band_of
from companion.views.deed_rents import Pieces, pieces_at
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
        words_now=level_text(now),
        words_shall=level_text(shall),
        pieces_now=pieces_at(board, at, now),
        pieces_shall=pieces_at(board, at, shall),
        steps=tuple(capital(level_text(x)) for x in range(len(deed.ladder) + 1)),
        is_mortgaged=play.mortgaged[at],
        owner="" if owner == look.seat else look.name(owner or "bank"),
    )


def _waits(look: Look, mine: Sequence[int]) -> str:
    """Why the seat can plan nothing here now; empty if it can, or the rules say why."""
    if not mine or _is_far(look, mine):
        return say("You build once you have all but one of the group")
    refused = out_of_turn(look.game, look.seat, m.Level)
    if refused is None:
        return ""
    return look.refused(refused) if look.game.is_closed else awaited(look.game)


def _is_far(look: Look, mine: Sequence[int]) -> bool:
    """Whether the seat lacks too much of the group to build, and has nothing to sell.

    A railroad with a depot is a group of its own.
    """
    lacking = len(look.board.sites[mine[0]]) - len(mine)
    is_built = any(look.play.levels[at] for at in mine)
    return builds_early(look.board) and lacking > 1 and not is_built


def _tried(look: Look, view: PlanView, shall: dict[int, int]) -> PlanView:
    """*view* with what the rules say about the plan."""
    plan = plan_of(MoveRun(look.game), shall)
    change = msgspec.structs.replace(view, cost=plan.cost or 0, brings=plan.brings)
    levels: Levels = tuple((one.id, one.shall) for one in view.sites)
    refused = refusal(look.game, m.Level(by=look.seat, levels=levels))
    if refused is None:
        return change
    is_idle = view.is_same and refused.rule is TYPED_RULE  # That needs no reason.
    rules = () if is_idle else (look.rule_of(refused),)
    return msgspec.structs.replace(change, hint=look.refused(refused), rules=rules)
