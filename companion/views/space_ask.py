"""Asking every seat what is printed on an unknown space when a token lands there.

Play does not wait for the answer. Until somebody rolls again, the answer is carried
out at once; after that it counts from the next landing.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.game import Game
from companion.game import moves as m
from companion.game.position import Rested
from companion.game.rulebook import RuleSpace
from companion.game.spaces import SpaceKind
from companion.rules.box_reading import (
    asked_landings,
    comes_now,
    key_of_space,
    stands_there,
)
from companion.rules.deciding import moves_by_kind
from companion.views.turn_buttons import Button, Look
from companion.words import say


class SpaceAsk(msgspec.Struct, frozen=True, kw_only=True):
    """The question that one seat is asked.

    Attributes:
        landing: Identifies this landing, so that a seat can put the question off.
        number: The board number of the space.
        who: The name of whoever landed there; empty for the seat itself.
        before: The name of the space before it.
        after: The name of the space after it.
        comes_now: What is printed there will be carried out at once.
        buttons: The possible answers: the likely one first, "nothing to do" last.
    """

    landing: str
    number: int
    who: str
    before: str
    after: str
    comes_now: bool
    buttons: tuple[Button, ...]


def space_asks(game: Game, seat: str) -> tuple[SpaceAsk, ...]:
    """The questions as *seat* sees them, the one about the latest landing first.

    Args:
        game: The game as it stands, guided.
        seat: Who looks.
    """
    look = Look(game, seat)
    landings = [one for one in _landings(game) if stands_there(look.play, one)]
    if not landings:
        return ()
    found = dict(moves_by_kind(game, seat, (m.ReadBox,))).get(m.ReadBox, [])
    moves = [one for one in found if isinstance(one, m.ReadBox)]
    asks = (_ask(look, one, moves) for one in landings)
    return tuple(one for one in asks if one.buttons)


def _landings(game: Game) -> tuple[Rested, ...]:
    if game.board is None or game.play is None:
        return ()
    return asked_landings(game.board, game.play)


def _ask(look: Look, rested: Rested, moves: Sequence[m.ReadBox]) -> SpaceAsk:
    spaces, key = look.board.rules.spaces, key_of_space(rested.space)
    likely = spaces[rested.space].likely
    order = sorted(
        (one for one in moves if one.key == key),
        key=lambda one: (one.value != likely, one.value == SpaceKind.REST),
    )
    before, after = _neighbours(spaces, rested.space)
    return SpaceAsk(
        landing=landing_of(rested),
        number=rested.space,
        who="" if rested.seat == look.seat else look.name(rested.seat),
        before=before,
        after=after,
        comes_now=comes_now(look.play, rested),
        buttons=tuple(_button(spaces, one, likely) for one in order),
    )


def _neighbours(spaces: Sequence[RuleSpace], number: int) -> tuple[str, str]:
    """The names of the spaces before and after one."""
    return spaces[number - 1].name, spaces[(number + 1) % len(spaces)].name


def space_ask(game: Game, seat: str) -> SpaceAsk | None:
    """The first of ``space_asks``; ``None`` if there is none for that seat."""
    return next(iter(space_asks(game, seat)), None)


def unread_spaces(game: Game) -> tuple[str, ...]:
    """What is asked of everybody, in words for the table's screen."""
    if game.board is None or game.play is None:
        return ()
    spaces, play = game.board.rules.spaces, game.play
    standing = (one for one in _landings(game) if stands_there(play, one))
    return tuple(
        say(
            "What is printed between {before} and {after}? Any phone can say it.",
            before=before,
            after=after,
        )
        for before, after in (_neighbours(spaces, one.space) for one in standing)
    )


def landing_of(rested: Rested) -> str:
    """An id for this landing, made of the turn and the space; earlier ones have 0."""
    return f"{rested.turn}.{rested.space}"


REST = say("Nothing to do there")


def _button(spaces: Sequence[RuleSpace], move: m.ReadBox, likely: str) -> Button:
    kind, is_likely = str(move.value), move.value == likely
    return Button(
        "read-box",
        REST if kind == SpaceKind.REST else _printed(spaces, kind),
        (("key", move.key), ("value", kind)),
        note=say("likely") if is_likely else "",
        is_main=is_likely,
    )


def _printed(spaces: Sequence[RuleSpace], kind: str) -> str:
    """The name printed on the other spaces of that kind, or the kind in words."""
    named = (one.name for one in spaces if one.kind == kind and one.name)
    return next(named, kind.replace("-", " ").capitalize())
