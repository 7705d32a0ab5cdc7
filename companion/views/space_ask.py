"""The question about an unknown space where a token has landed: what is printed there?

Every seat is asked, and play does not wait for the answer. Until somebody rolls again,
the answer is carried out at once; after that it counts from the next landing.
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
        who: The name of the player who landed there; empty for the seat itself.
        before: The name of the space before it.
        after: The name of the space after it.
        comes_now: The answer will be carried out at once.
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
    """Return the questions as *seat* sees them, the latest landing first.

    Args:
        game: The game as it stands, guided.
        seat: The seat that looks.
    """
    landings = _landings(game)
    if not landings:
        return ()
    look = Look(game, seat)
    choices = dict(moves_by_kind(game, seat, (m.ReadBox,))).get(m.ReadBox, [])
    moves = [choice for choice in choices if isinstance(choice, m.ReadBox)]
    asks = (_ask(look, landing, moves) for landing in landings)
    return tuple(ask for ask in asks if ask.buttons)


def _landings(game: Game) -> tuple[Rested, ...]:
    """Return the landings on unknown spaces where the token still stands."""
    play = game.play
    if game.board is None or play is None:
        return ()
    landings = asked_landings(game.board, play)
    return tuple(landing for landing in landings if stands_there(play, landing))


def _ask(look: Look, rested: Rested, moves: Sequence[m.ReadBox]) -> SpaceAsk:
    spaces, key = look.board.rules.spaces, key_of_space(rested.space)
    likely = spaces[rested.space].likely
    answers = sorted(
        (move for move in moves if move.key == key),
        key=lambda move: (move.value != likely, move.value == SpaceKind.REST),
    )
    before, after = _neighbours(spaces, rested.space)
    return SpaceAsk(
        landing=landing_of(rested),
        number=rested.space,
        who="" if rested.seat == look.seat else look.name(rested.seat),
        before=before,
        after=after,
        comes_now=comes_now(look.play, rested),
        buttons=tuple(_button(spaces, move, likely) for move in answers),
    )


def _neighbours(spaces: Sequence[RuleSpace], number: int) -> tuple[str, str]:
    """Return the names of the spaces before and after space *number*."""
    return spaces[number - 1].name, spaces[(number + 1) % len(spaces)].name


def space_ask(game: Game, seat: str) -> SpaceAsk | None:
    """Return the first of ``space_asks``; ``None`` if there is none for *seat*."""
    return next(iter(space_asks(game, seat)), None)


def unread_spaces(game: Game) -> tuple[str, ...]:
    """Return the question that everybody is asked, worded for the table's screen."""
    if game.board is None:
        return ()
    questions = []
    for landing in _landings(game):
        before, after = _neighbours(game.board.rules.spaces, landing.space)
        question = say(
            "What is printed between {before} and {after}? Any phone can say it.",
            before=before,
            after=after,
        )
        questions.append(question)
    return tuple(questions)


def landing_of(rested: Rested) -> str:
    """Return an id for a landing, made of its turn and its space."""
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
    """Return the name printed on the other spaces of that kind, or else the kind."""
    names = (space.name for space in spaces if space.kind == kind and space.name)
    return next(names, kind.replace("-", " ").capitalize())
