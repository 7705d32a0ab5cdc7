"""A deed's list of rents from least to most, which of them applies now, and why.

The rules decide what is charged (``rules.rent``). This module finds the matching
*step*, which is one line of the list, so that a page can point at it.

The list of a street begins with the *bare* rent, without buildings; steps for more of
its group and for its buildings follow. The *near* step is that for all of the group but
one. Railroads and utilities are *counted*: their rent depends on how many of them the
owner has. A utility has no amount, but a number by which the dice are multiplied. Here
*at* is the index of a deed in the rulebook.
"""

from __future__ import annotations

import msgspec

from companion.game.board import Board
from companion.game.position import Position
from companion.game.rulebook import RAILROAD, STREET, UTILITY
from companion.rules.rent import rent_of
from companion.units import Dollars
from companion.views.space import Pieces, buildings_text, pieces_at
from companion.words import counted, say, say_count
from companion.words.lists import with_commas


class RentStep(msgspec.Struct, frozen=True):
    """One line of a deed's list of rents.

    Attributes:
        words: When it applies, such as ``3 houses``.
        amount: Dollars, or the number that multiplies the dice; ``None`` if unknown.
        pieces: The buildings in *words*, to be drawn.
        is_now: It is the rent of a landing now.
        is_times: The amount is multiplied by the dice.
    """

    words: str
    amount: Dollars | None
    pieces: Pieces = ()
    is_now: bool = False
    is_times: bool = False


class Rent(msgspec.Struct, frozen=True):
    """The cost of landings on a deed.

    Attributes:
        steps: All the rents that the deed lists, from the least.
        is_due: Another seat would pay rent for a landing now.
        amount: Dollars, or the number that multiplies the dice; ``None`` if nothing is
            due, or if it is unknown.
        is_times: The amount is multiplied by the dice.
        why: Why it costs so much, or nothing; begins with a capital.
    """

    steps: tuple[RentStep, ...]
    is_due: bool
    amount: Dollars | None
    is_times: bool
    why: str


def rent_at(board: Board, play: Position, at: int) -> Rent:
    """Return the rents of the deed at index *at*, as the game stands."""
    deed = board.rules.deeds[at]
    is_times = deed.kind == UTILITY
    is_street = deed.kind == STREET
    steps = _street_steps(board, at) if is_street else _counted_steps(board, at)
    why_free = _why_free(board, play, at)
    if why_free:
        return Rent(steps, False, None, is_times, why_free)
    amount = rent_of(board, play, at, ONE_PIP)
    if is_street:
        now, why = _street_now(board, play, at), _why_street(board, play, at)
    else:
        now, why = _counted_now(board, play, at), _why_counted(board, play, at)
    return Rent(_with_step_marked(steps, now, amount), True, amount, is_times, why)


ONE_PIP = 1
"""The sum of the dice for which a utility's rent is the number that multiplies them."""


def _with_step_marked(
    steps: tuple[RentStep, ...], now: int, amount: Dollars | None
) -> tuple[RentStep, ...]:
    """Mark the step at index *now* as the one that applies.

    If the rules charge another *amount*, add a marked step with that amount.
    """
    if now < len(steps) and steps[now].amount == amount:
        marked = msgspec.structs.replace(steps[now], is_now=True)
        return (*steps[:now], marked, *steps[now + 1 :])
    return (*steps, RentStep(say("As it stands"), amount, is_now=True))


def _why_free(board: Board, play: Position, at: int) -> str:
    """Say why a landing costs nothing; empty if it costs something."""
    if not play.owners[at]:
        if board.rules.deeds[at].is_locked:
            return say("Locked: only a key gets it")
        return say("The bank has it: no rent")
    if play.mortgaged[at]:
        return say("Mortgaged: no rent")
    owner = play.token(play.owners[at])
    if owner and owner.is_jailed and not board.rules.jail.collects_rent:
        return say("Its owner is in jail: no rent")
    return ""


# Streets: the bare rent, the rents with more of the group, then those with buildings.


def _street_steps(board: Board, at: int) -> tuple[RentStep, ...]:
    """List the steps of a street; those for a share of the group may be missing."""
    deed, rules = board.rules.deeds[at], board.rules
    bare = deed.rents[0]
    steps = [RentStep(say("Bare street"), bare)]
    if _has_near_step(board, at):
        near = _printed_or_multiple(
            deed.rent_near_group, rules.rent.all_but_one_times, bare
        )
        steps.append(RentStep(say("All but one"), near))
    if _has_group_step(board, at):
        whole = _printed_or_multiple(deed.rent_group, rules.rent.full_group_times, bare)
        steps.append(RentStep(say("Whole group"), whole))
    for level, amount in enumerate(deed.rents[1:], 1):
        pieces = pieces_at(board, at, level)
        steps.append(RentStep(_standing_text(pieces), amount, pieces))
    return tuple(steps)


def _has_near_step(board: Board, at: int) -> bool:
    deed = board.rules.deeds[at]
    return deed.rent_near_group is not None or board.rules.rent.all_but_one_times > 1


def _has_group_step(board: Board, at: int) -> bool:
    deed = board.rules.deeds[at]
    return deed.rent_group is not None or board.rules.rent.full_group_times > 1


def _printed_or_multiple(
    printed: Dollars | None, times: int, bare: Dollars | None
) -> Dollars | None:
    """Return the printed rent; if none is printed, *times* the bare rent."""
    if printed is not None:
        return printed
    return None if bare is None else times * bare


def _count_lacking(board: Board, play: Position, at: int) -> int:
    """Count the deeds of the group that the deed's owner lacks."""
    owner = play.owners[at]
    return sum(play.owners[member] != owner for member in board.members[at])


def _is_held_back(board: Board, play: Position, at: int) -> bool:
    """Return whether a mortgage in the group keeps all its rents bare."""
    return board.rules.rent.mortgaged_members_matter and any(
        play.mortgaged[member] for member in board.members[at]
    )


def _street_now(board: Board, play: Position, at: int) -> int:
    """Return the index in ``_street_steps`` of the step that applies now."""
    bare = 0
    # Where the list lacks the near step or the group's, the step before it applies.
    near = bare + 1 if _has_near_step(board, at) else bare
    group = near + 1 if _has_group_step(board, at) else near
    if play.levels[at]:
        return group + play.levels[at]
    lacking = _count_lacking(board, play, at)
    if lacking > 1 or _is_held_back(board, play, at):
        return bare
    return near if lacking else group


def _why_street(board: Board, play: Position, at: int) -> str:
    if play.levels[at]:
        standing = _standing_text(pieces_at(board, at, play.levels[at]))
        return say("{standing} here", standing=standing)
    lacking, count = _count_lacking(board, play, at), len(board.members[at])
    if lacking <= 1 and _is_held_back(board, play, at):
        return say("A mortgage in the group keeps the rent bare")
    if lacking == 1 and _has_near_step(board, at):
        if board.rules.rent.all_but_one_times == 2:
            return say("All but one of the group: double")
        return say("All but one of the group")
    if lacking:
        return say("{mine} of {count} in the group", mine=count - lacking, count=count)
    bare, times = board.rules.deeds[at].rents[0], board.rules.rent.full_group_times
    amount = rent_of(board, play, at, 0)  # No street's rent depends on the dice.
    if bare is not None and amount == times * bare and times in GROUP_TIMES:
        return GROUP_TIMES[times]
    return say("Full group")


def _standing_text(pieces: Pieces) -> str:
    """Say which buildings stand on a deed."""
    standing = with_commas(buildings_text(kind, count) for kind, count in pieces)
    return standing or say("Bare street")


GROUP_TIMES = {2: say("Full group: double"), 3: say("Full group: triple")}
"""The reason for a multiple of the bare rent, by the multiple."""


# Railroads and utilities: the rent depends on how many the owner has.


OWNED_WORDS: dict[str, tuple[str, str]] = {
    RAILROAD: counted("{count} railroad", "{count} railroads"),
    UTILITY: counted("{count} utility", "{count} utilities"),
}
"""The words for one deed and for several, by the kind of deed."""


def owned_text(kind: str, count: int) -> str:
    """Say how many deeds of a kind somebody owns: ``2 railroads``."""
    singular, plural = OWNED_WORDS.get(kind, counted("{count} deed", "{count} deeds"))
    return say_count(count, singular, plural)


def _counted_steps(board: Board, at: int) -> tuple[RentStep, ...]:
    """List the steps of a railroad or utility: those with a depot come last."""
    deed = board.rules.deeds[at]
    is_times = deed.kind == UTILITY
    without_depot = tuple(
        RentStep(owned_text(deed.kind, count), amount, is_times=is_times)
        for count, amount in enumerate(deed.rents, 1)
    )
    pieces = pieces_at(board, at, 1) if deed.depot_rents else ()
    with_depot = tuple(
        RentStep(
            _owned_with_buildings(owned_text(deed.kind, count), pieces), amount, pieces
        )
        for count, amount in enumerate(deed.depot_rents, 1)
    )
    return (*without_depot, *with_depot)


def _owned_with_buildings(owned: str, pieces: Pieces) -> str:
    """Say how many deeds the owner has, and what stands on this one."""
    return say("{owned}, {standing}", owned=owned, standing=_standing_text(pieces))


def _count_owned(board: Board, play: Position, at: int) -> int:
    return len(board.members[at]) - _count_lacking(board, play, at)


def _counted_now(board: Board, play: Position, at: int) -> int:
    """Return the index in ``_counted_steps`` of the step that applies now."""
    count = len(board.rules.deeds[at].rents)
    has_depot = bool(play.levels[at])
    steps_before = count if has_depot else 0
    return steps_before + min(_count_owned(board, play, at), count) - 1


def _why_counted(board: Board, play: Position, at: int) -> str:
    deed = board.rules.deeds[at]
    owned = owned_text(deed.kind, _count_owned(board, play, at))
    if deed.kind == UTILITY:
        return say("{owned}: times the dice", owned=owned)
    if play.levels[at]:
        return _owned_with_buildings(owned, pieces_at(board, at, play.levels[at]))
    return owned
