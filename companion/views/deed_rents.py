"""A deed's list of rents from least to most, which of them applies now, and why.

The rules decide what is charged, and by which *steps* (``rules.rent``); this module
turns steps into words. The list of a street begins with the *bare* rent, without
buildings; lines for more of its group and for its buildings follow. Railroads and
utilities are counted: their rent depends on how many of them the owner has. A utility
has no amount, but a number by which the dice are multiplied. Here *at* is the index of
a deed in the rulebook.
"""

from __future__ import annotations

import msgspec

from companion.game.board import Board
from companion.game.how import Steps, product
from companion.game.position import Position
from companion.game.rulebook import DEPOT, RAILROAD, STREET, UTILITY, RuleDeed
from companion.rules.rent import all_steps, bare_steps, rent_steps
from companion.units import Dollars
from companion.views.space import Pieces, buildings_text
from companion.words import counted, say, say_count


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
    is_times, why_free = deed.kind == UTILITY, _why_free(board, play, at)
    now = () if why_free else rent_steps(board, play, at, ONE_PIP)
    lines = tuple(
        RentStep(
            words=_words(deed, steps),
            amount=product(steps),
            pieces=_pieces(deed, steps),
            is_now=steps == now,
            is_times=is_times,
        )
        for steps in all_steps(board, at, ONE_PIP)
    )
    if why_free:
        return Rent(lines, False, None, is_times, why_free)
    return Rent(lines, True, product(now), is_times, _why(board, play, at, now))


ONE_PIP = 1
"""The sum of the dice for which a utility's rent is the number that multiplies them."""


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


def _pieces(deed: RuleDeed, steps: Steps) -> Pieces:
    """Return the buildings for which a deed's rent has these *steps*."""
    first, last = steps[0][0], steps[-1][0]
    if deed.kind != STREET:
        return ((DEPOT, 1),) if last.startswith(DEPOT) else ()
    kind, _, count = first.removeprefix("rent-").rpartition("-")
    return ((kind, int(count)),) if kind else ()


def _words(deed: RuleDeed, steps: Steps) -> str:
    """Say when a deed's rent has these *steps*."""
    standing = [buildings_text(*pieces) for pieces in _pieces(deed, steps)]
    if deed.kind == STREET:
        return standing[0] if standing else BARE_WORDS[_share(steps)]
    owned = owned_text(deed.kind, int(steps[0][0].rpartition("-")[2]))
    if not standing:
        return owned
    return say("{owned}, {standing}", owned=owned, standing=standing[0])


def _share(steps: Steps) -> str:
    """Return the share of the group that makes the rent of a bare street."""
    return steps[-1][0].removeprefix("rent-")


BARE_WORDS = {
    "rent": say("Without buildings"),
    "near": say("All but one"),
    "group": say("Whole group"),
}
"""The lines for a street without buildings, by the share of its group."""


def _why(board: Board, play: Position, at: int, now: Steps) -> str:
    """Say why the rent has the steps *now*."""
    deed, members = board.rules.deeds[at], board.members[at]
    words = _words(deed, now)
    if deed.kind == UTILITY:
        return say("{owned}: times the dice", owned=words)
    if deed.kind != STREET:
        return words
    if play.levels[at]:
        return say("{standing} here", standing=words)
    lacking = sum(play.owners[member] != play.owners[at] for member in members)
    if now != bare_steps(board, at, lacking):
        return say("A mortgage in the group: only the plain rent")
    share, amount, bare = _share(now), product(now), deed.rents[0]
    if share == "rent" and lacking:
        count = len(members)
        return say("{mine} of {count} in the group", mine=count - lacking, count=count)
    if amount and bare and (share, amount / bare) in TIMES_WORDS:
        return TIMES_WORDS[share, amount / bare]
    return say("All but one of the group") if lacking else say("Full group")


TIMES_WORDS: dict[tuple[str, float], str] = {
    ("near", 2): say("All but one of the group: double"),
    ("group", 2): say("Full group: double"),
    ("group", 3): say("Full group: triple"),
}
"""The reason for a multiple of the bare rent, by the share of the group."""


OWNED_WORDS: dict[str, tuple[str, str]] = {
    RAILROAD: counted("{count} railroad", "{count} railroads"),
    UTILITY: counted("{count} utility", "{count} utilities"),
}
"""The words for one deed and for several, by the kind of deed."""


def owned_text(kind: str, count: int) -> str:
    """Say how many deeds of a kind somebody owns: ``2 railroads``."""
    singular, plural = OWNED_WORDS.get(kind, counted("{count} deed", "{count} deeds"))
    return say_count(count, singular, plural)
