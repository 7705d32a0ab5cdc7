"""The question about an unknown space where a token has landed: what is printed there?

The companion does not know every space of every *box* (edition), and of some only the
amount is unknown. When a token lands on an *unknown* one, every phone asks, and play
goes on meanwhile. If somebody answers before the next roll, the companion does at once
what the space says; a later answer counts from the next landing on. The edition may
name one answer as *likely*.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.edition.figures import label_of
from companion.game import Game
from companion.game import moves as m
from companion.game.box_key import split_key
from companion.game.position import Rested
from companion.game.rulebook import RuleSpace
from companion.game.spaces import SpaceKind
from companion.rules.box_reading import (
    asked_key,
    asked_landings,
    comes_now,
    stands_there,
)
from companion.rules.deciding import moves_by_kind
from companion.views.blanks import Blank
from companion.views.deed import can_type
from companion.views.turn_buttons import Button, Look
from companion.words import say


class SpaceAsk(msgspec.Struct, frozen=True, kw_only=True):
    """The question that one seat is asked.

    Attributes:
        landing: Identifies this landing, so that a seat can put the question off.
        number: The board number of the space.
        who: The name of the player who landed there; empty if the asked seat did.
        before: The name of the space before this one.
        after: The name of the space after this one.
        comes_now: The answer will be carried out at once.
        buttons: The possible answers: the likely one first, "nothing to do" last.
        name: The name of the space; empty if that is unknown, too.
        blank: The amount to type in; ``None`` if the kind of the space is asked for.
    """

    landing: str
    number: int
    who: str
    before: str
    after: str
    comes_now: bool
    buttons: tuple[Button, ...]
    name: str = ""
    blank: Blank | None = None


def space_asks(game: Game, seat: str) -> tuple[SpaceAsk, ...]:
    """Return the questions that *seat* is asked, the latest landing first."""
    landings = _open_landings(game)
    if not landings:
        return ()
    look = Look(game, seat)
    answers = [
        choice
        for _, choices in moves_by_kind(game, seat, (m.ReadBox,))
        for choice in choices
        if isinstance(choice, m.ReadBox)
    ]
    asks = (_question(look, landing, answers) for landing in landings)
    may_type = can_type(game, seat)
    return tuple(ask for ask in asks if ask.buttons or (ask.blank and may_type))


def _open_landings(game: Game) -> tuple[Rested, ...]:
    """Return the landings on unknown spaces where the token still is."""
    play = game.play
    if game.board is None or play is None:
        return ()
    landings = asked_landings(game.board, play)
    return tuple(landing for landing in landings if stands_there(play, landing))


def _question(look: Look, landing: Rested, answers: Sequence[m.ReadBox]) -> SpaceAsk:
    """Return the question about one landing.

    *answers* are all that the seat may give about any space.
    """
    spaces, key = look.board.rules.spaces, asked_key(look.board, landing.space)
    likely = spaces[landing.space].likely
    own = [answer for answer in answers if answer.key == key]
    own.sort(
        key=lambda answer: (answer.value != likely, answer.value == SpaceKind.REST)
    )
    before, after = _neighbours(spaces, landing.space)
    return SpaceAsk(
        landing=landing_id(landing),
        number=landing.space,
        who="" if landing.seat == look.seat else look.name(landing.seat),
        before=before,
        after=after,
        comes_now=comes_now(look.play, landing),
        buttons=tuple(_answer_button(spaces, answer, likely) for answer in own),
        name=spaces[landing.space].name,
        blank=Blank(key, label_of("space", "amount"))
        if split_key(key).is_amount
        else None,
    )


def _neighbours(spaces: Sequence[RuleSpace], number: int) -> tuple[str, str]:
    """Return the names of the spaces before and after space *number*."""
    return spaces[number - 1].name, spaces[(number + 1) % len(spaces)].name


def space_ask(game: Game, seat: str) -> SpaceAsk | None:
    """Return the question about the latest landing; ``None`` for none."""
    return next(iter(space_asks(game, seat)), None)


def unread_spaces(game: Game) -> tuple[str, ...]:
    """Return the questions that everybody is asked, worded for the table's screen."""
    if game.board is None:
        return ()
    questions = []
    for landing in _open_landings(game):
        if name := game.board.rules.spaces[landing.space].name:
            questions.append(
                say("How much is printed on {space}? Any phone can say it.", space=name)
            )
            continue
        before, after = _neighbours(game.board.rules.spaces, landing.space)
        question = say(
            "What is printed between {before} and {after}? Any phone can say it.",
            before=before,
            after=after,
        )
        questions.append(question)
    return tuple(questions)


def landing_id(landing: Rested) -> str:
    """Return the id of a landing."""
    return f"{landing.turn}.{landing.space}"


REST = say("Nothing to do there")
"""The label of the answer that a space does nothing."""


def _answer_button(
    spaces: Sequence[RuleSpace], answer: m.ReadBox, likely: str
) -> Button:
    kind, is_likely = str(answer.value), answer.value == likely
    return Button(
        REST if kind == SpaceKind.REST else _printed_name(spaces, kind),
        verb="read-box",
        fields=(("key", answer.key), ("value", kind)),
        note=say("likely") if is_likely else "",
        is_main=is_likely,
    )


def _printed_name(spaces: Sequence[RuleSpace], kind: str) -> str:
    """Return the name of other spaces of that *kind*, or else the kind."""
    names = (space.name for space in spaces if space.kind == kind and space.name)
    return next(names, kind.replace("-", " ").capitalize())
