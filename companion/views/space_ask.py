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
from companion.rules.box_reading import asked_space, comes_now, stands_there
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


def space_ask(game: Game, seat: str) -> SpaceAsk | None:
    """The question as *seat* sees it; ``None`` if there is none for that seat.

    Args:
        game: The game as it stands, guided.
        seat: Who looks.
    """
    look = Look(game, seat)
    rested = asked_space(look.board, look.play)
    if rested is None or not stands_there(look.play, rested):
        return None
    found = dict(moves_by_kind(game, seat, (m.ReadBox,))).get(m.ReadBox, [])
    moves = [one for one in found if isinstance(one, m.ReadBox)]
    if not moves:
        return None
    spaces = look.board.rules.spaces
    likely = spaces[rested.space].likely
    moves.sort(key=lambda one: (one.value != likely, one.value == "rest"))
    return SpaceAsk(
        landing=landing_of(rested),
        number=rested.space,
        who="" if rested.seat == seat else look.name(rested.seat),
        before=spaces[rested.space - 1].name,
        after=spaces[(rested.space + 1) % len(spaces)].name,
        comes_now=comes_now(look.play, rested),
        buttons=tuple(_button(spaces, one, likely) for one in moves),
    )


def landing_of(rested: Rested) -> str:
    """An id for this landing, made of the turn and the space."""
    return f"{rested.turn}.{rested.space}"


REST = say("Nothing to do there")


def _button(spaces: Sequence[RuleSpace], move: m.ReadBox, likely: str) -> Button:
    kind, is_likely = str(move.value), move.value == likely
    return Button(
        "read-box",
        REST if kind == "rest" else _printed(spaces, kind),
        (("key", move.key), ("value", kind)),
        note=say("likely") if is_likely else "",
        is_main=is_likely,
    )


def _printed(spaces: Sequence[RuleSpace], kind: str) -> str:
    """The name printed on the other spaces of that kind, or the kind in words."""
    named = (one.name for one in spaces if one.kind == kind and one.name)
    return next(named, kind.replace("-", " ").capitalize())
