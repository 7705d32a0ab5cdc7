"""Cards that are used on a *target*: a seat or a deed that the player names.

One kind of card sends another seat to jail; the other places a free hotel on a street.
``AIMED`` has a row for each kind.

Source:
    The Crooked Cash article, "Jail" (c): a card sends somebody to jail; Cash Decoder's
    sheet, "Building Hotels": a card may place a hotel outside a set.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from companion.errors import Refused, Why
from companion.game import deed_events as d
from companion.game.board import Board
from companion.game.card_code import FREE_HOTEL, JAIL_SOMEONE
from companion.game.move_run import MoveRun
from companion.game.rulebook import HOTEL, RuleCard
from companion.rules.buildings import BUILD_LIMIT_RULE, incomplete_group, none_left
from companion.rules.deeds import check_owned
from companion.rules.rule import out_of_game, shown_name
from companion.rules.walking import TO_JAIL_RULE, send_to_jail
from companion.sheets import CROOKED, DECODER, Told
from companion.units import DeedId, Seat
from companion.words import say

AIMED_RULE = Told(
    "Some cards are used on another player, or on a street of your own.",
    {DECODER: "Building Hotels", CROOKED: "Jail"},
)


class Aimed(NamedTuple):
    """The effect of a card on a target.

    Attributes:
        check: Returns why the seat may not use the card on the target, if so.
        apply: Carries out the effect of the seat's card on the target.
        candidates: Lists the ids of all targets that are worth checking.
    """

    check: Callable[[MoveRun, str, str], Refused | None]
    apply: Callable[[MoveRun, Seat, str], None]
    candidates: Callable[[MoveRun], tuple[str, ...]]


def targets(run: MoveRun, seat: str, card: RuleCard) -> tuple[str, ...]:
    """List the seats or deeds on which *seat* may use *card* now."""
    aimed = AIMED[card.effect]
    return tuple(
        target
        for target in aimed.candidates(run)
        if aimed.check(run, seat, target) is None
    )


def check_target(
    run: MoveRun, seat: str, card: RuleCard, target: str
) -> Refused | None:
    """Check that *seat* may use *card* on *target*, the id of a seat or a deed."""
    return AIMED[card.effect].check(run, seat, target)


def _no_target(board: Board, word: str) -> Refused:
    return AIMED_RULE.refuses(
        Why.MALFORMED,
        say("that card cannot be used on {target}", target=shown_name(board, word))
        if word
        else say("that card is used on somebody or something"),
        say("choose something in the list"),
    )


def _check_jailing(run: MoveRun, seat: str, target: str) -> Refused | None:
    """Check that the target is another seat in the game, and not in jail already."""
    token = run.play.token(target)
    if token is None or target == seat:
        return _no_target(run.board, target)
    if token.is_out:
        return out_of_game(target, say("choose a seat that plays"))
    if not token.is_jailed:
        return None
    return TO_JAIL_RULE.refuses(
        Why.IN_JAIL,
        say("{seat} is in jail already", seat=target),
        say("choose another seat"),
    )


def _jail_someone(run: MoveRun, _seat: Seat, target: str) -> None:
    send_to_jail(run, Seat(target))


def _check_free_hotel(run: MoveRun, seat: str, target: str) -> Refused | None:
    """Check that the target is the seat's own street, with room for a hotel.

    The bank must have a hotel left, and the seat must own the whole group, unless the
    rulebook lets the card build without it.
    """
    board, play = run.board, run.play
    index = board.index.get(target)
    if index is None:
        return _no_target(board, target)
    if refusal := check_owned(run, seat, target):
        return refusal
    level = _hotel_level(run, index)
    lacking = [member for member in board.members[index] if play.owners[member] != seat]
    if lacking and not board.rules.buildings.outside_group_by_card:
        return incomplete_group(run, index, level, lacking)
    if play.levels[index] >= level:
        return BUILD_LIMIT_RULE.refuses(
            Why.LIMIT_REACHED,
            say("no hotel fits on {deed}", deed=board.name_of(target)),
            say("choose another street"),
        )
    left = play.pieces[board.kinds.index(HOTEL)]
    return None if left else none_left(HOTEL)


def _hotel_level(run: MoveRun, index: int) -> int:
    """Return how many building steps make a hotel there; 0 if none is ever built."""
    ladder = run.board.rules.deeds[index].ladder
    return ladder.index(HOTEL) + 1 if HOTEL in ladder else 0


def _place_free_hotel(run: MoveRun, seat: Seat, target: str) -> None:
    """Place a hotel of the bank on the target, without payment."""
    level = _hotel_level(run, run.board.index[target])
    run.add(d.BuildingBought(seat=seat, deed=DeedId(target), level=level))


AIMED: dict[str, Aimed] = {
    JAIL_SOMEONE: Aimed(_check_jailing, _jail_someone, lambda run: run.play.playing()),
    FREE_HOTEL: Aimed(
        _check_free_hotel, _place_free_hotel, lambda run: tuple(run.board.index)
    ),
}
"""Effect of a card that needs a target -> how it works."""
