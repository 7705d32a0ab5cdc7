"""The dice in a seat's hand, and where each roll would take its token.

Some editions add a third die. It has numbers and two special faces, Mr. Monopoly and
the bus, which may take the token further after its first landing. People who roll real
dice first type in the sum of the two *white* dice. For each face of the third die the
page then shows the *landing*: the spaces to which that face would take the token.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.game.playing_tickets import tickets_left
from companion.game.position import BUS, MR
from companion.game.spaces import SpaceKind
from companion.rules.turn import DICE_COUNT, PIPS_MAX, dice_count
from companion.rules.walking import next_card_space
from companion.views.turn_buttons import Look
from companion.words import say

Ways = tuple[tuple[str, str], ...]
"""Pairs of a face of the third die and the landing in words."""


class Path(msgspec.Struct, frozen=True):
    """The landings after one roll of the two white dice.

    Attributes:
        total: The sum of the two dice.
        pips: The number on each die if they are doubles; 0 for any other roll.
        words: The roll in words.
        ways: The landing for each face of the third die.
    """

    total: int
    pips: int
    words: str
    ways: Ways


class Dice(msgspec.Struct, frozen=True):
    """The dice in a seat's hand.

    Attributes:
        by: ``typed``, ``rolled`` or ``either``, as the table agreed.
        count: The number of white dice.
        pips_max: The highest number on a white die.
        specials: The words for faces of white dice that bear no number; may be empty.
        third: The faces of the third die, each once; empty if it is not rolled.
        paths: The landings after each roll of the white dice; empty without a third
            die, or if the companion rolls.
    """

    by: str
    count: int
    pips_max: int
    specials: tuple[str, ...] = ()
    third: tuple[str, ...] = ()
    paths: tuple[Path, ...] = ()


def dice_of(look: Look) -> Dice:
    """Return the dice that the looking seat rolls now."""
    board, rules = look.board, look.board.rules
    has_third = dice_count(board, look.play) > DICE_COUNT
    third = tuple(dict.fromkeys(rules.dice.third_faces)) if has_third else ()
    has_paths = has_third and rules.dice_by != "rolled"
    return Dice(
        by=rules.dice_by,
        count=DICE_COUNT,
        pips_max=PIPS_MAX,
        specials=(rules.dice.lock_face,) if rules.dice.lock_face else (),
        third=third,
        paths=tuple(_paths(look, third)) if has_paths else (),
    )


def _paths(look: Look, third: tuple[str, ...]) -> Iterator[Path]:
    """Yield the path of each roll of the white dice: the sums, then the doubles.

    Only doubles give the lowest and the highest sum.
    """
    for total in range(DICE_COUNT + 1, DICE_COUNT * PIPS_MAX):
        words = say("Together {total}", total=total)
        yield Path(total, 0, words, _ways(look, third, total))
    goes_to_jail = look.play.doubles + 1 >= look.board.rules.dice.doubles_to_jail
    for pips in range(1, PIPS_MAX + 1):
        total, words = DICE_COUNT * pips, say("Two {pips}s", pips=pips)
        ways = dict(_ways(look, third, total))
        if goes_to_jail:
            ways = dict.fromkeys(third, say("Third doubles: jail"))
        three_alike = (pips,) * (DICE_COUNT + 1)
        if look.board.is_triple(three_alike) and str(pips) in third:
            ways[str(pips)] = say("You pick a space")
        yield Path(total, pips, words, tuple(ways.items()))


def _ways(look: Look, third: tuple[str, ...], total: int) -> Ways:
    return tuple((face, _landing(look, face, total)) for face in third)


def _landing(look: Look, face: str, total: int) -> str:
    """Say to which spaces one face of the third die takes the token.

    *total* is the sum of the two white dice.
    """
    board, play = look.board, look.play
    steps = total + (int(face) if face.isdigit() else 0)
    space = (play.token_of(look.seat).space + steps) % board.size
    name = look.space(space)
    if board.rules.spaces[space].kind == SpaceKind.GO_TO_JAIL:
        return name
    if space == board.jail:
        name = say("Just visiting")
    if face == MR:
        onward = look.mr_space(look.seat, space)
        if onward is not None:
            return say("{space}, then {onward}", space=name, onward=look.space(onward))
    return _with_bus(look, space, name) if face == BUS else name


def _with_bus(look: Look, space: int, name: str) -> str:
    """Say what the bus offers after a landing: a ticket, or the next card space.

    *space* is where the token lands, and *name* what that is called.
    """
    onward = next_card_space(look.board, space)
    if onward is None:
        return name
    card = look.space(onward)
    if tickets_left(look.play, look.board):
        return say("{space}, then a ticket or {onward}", space=name, onward=card)
    return say("{space}, then {onward}", space=name, onward=card)
