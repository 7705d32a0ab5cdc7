"""A correction brings in nothing that cannot be, and can mend whatever is broken."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import permutations

import pytest
from msgspec.structs import replace

from companion.errors import Refused, Why
from companion.game import Game
from companion.game import commands as c
from companion.game import moves as m
from companion.game.board import Board
from companion.game.play_events import PositionCorrected
from companion.game.position import Position
from companion.rules import decide
from companion.rules.consistent import count_impossibilities
from tests.guided import Guided
from tests.random_table import check_box, put_anywhere
from tests.sample import each

CANNOT_BE = [
    # Given, what is said, what is wrong with it, what to say first.
    ((), "boardwalk houses 1", "nobody owns Boardwalk", "whose it is"),
    ((), "boardwalk mortgaged", "nobody owns Boardwalk", "whose it is"),
    ((), "reading-railroad mortgaged", "nobody owns Reading Rail", "whose it is"),
    (
        ("red owns boardwalk", "boardwalk mortgaged"),
        "boardwalk houses 2",
        "Boardwalk is mortgaged",
        "that it is not mortgaged",
    ),
    (
        ("red owns boardwalk", "boardwalk houses 2"),
        "boardwalk mortgaged",
        "Boardwalk has buildings",
        "that nothing stands there",
    ),
    (
        ("red owns boardwalk park-place", "park-place mortgaged"),
        "boardwalk hotels 1",
        "Park Place is mortgaged",
        "that it is not mortgaged",
    ),
    (
        ("red owns boardwalk park-place", "boardwalk houses 1"),
        "park-place mortgaged",
        "Boardwalk has buildings",
        "that nothing stands there",
    ),
    (
        ("red owns boardwalk", "blue owns park-place", "park-place mortgaged"),
        "red cards chance-05",
        "the card 'chance-05' is never kept in a hand",
        "such as jail-card",
    ),
    ((), "red cards collect:50", "a card that nobody holds", "in other words"),
    (
        ("red cards jail-card jail-card",),
        "blue cards jail-card",
        "a card that nobody holds",
        "in other words",
    ),
    ((), "bank houses 33", "32 houses at most in all", "count them again"),
]


@each(("given", "line", "wrong", "first"), CANNOT_BE)
def test_what_cannot_be_is_refused_with_what_to_say_first(
    given: tuple[str, ...], line: str, wrong: str, first: str
) -> None:
    play = Guided("grab-and-go", 2).given(*given)
    before = play.game
    with pytest.raises(Refused) as caught:
        decide(before, m.CorrectPosition(by=c.TABLE, words=tuple(line.split())))
    assert caught.value.why is Why.MALFORMED
    assert wrong in caught.value.message
    assert first in caught.value.remedy


def say(game: Game, *lines: str) -> Game:
    """Let the table agree on each line, one after another."""
    for line in lines:
        words = tuple(line.split())
        for event in decide(game, m.CorrectPosition(by=c.TABLE, words=words)):
            game = game.after(event)
    return game


def at(game: Game) -> tuple[Board, Position]:
    assert game.board is not None
    assert game.play is not None
    return game.board, game.play


OWNERS = ("red owns boardwalk park-place baltic-avenue", "blue owns oriental-avenue")
STATES = (
    "boardwalk houses 3",
    "park-place houses 2",
    "baltic-avenue mortgaged",
    "blue cards jail-card",
)


def test_owners_first_and_then_any_order_reaches_a_position() -> None:
    game = Guided("grab-and-go", 2).game
    positions = [at(say(game, *OWNERS, *lines))[1] for lines in permutations(STATES)]
    assert all(play == positions[0] for play in positions)
    check_box(say(game, *OWNERS, *STATES))


def broken(dice: random.Random, game: Game) -> Game:
    """Return an impossible table: pieces, deeds and cards are anywhere."""
    board, play = at(game)
    count = len(board.rules.deeds)
    tops = [len(deed.ladder) for deed in board.rules.deeds]
    hands = (replace(play.tokens[0], cards=("chance-01", "chest-01", "chance-09")),)
    play = replace(
        play,
        owners=tuple(dice.choice(("", "red", "blue")) for _ in range(count)),
        levels=tuple(dice.randint(0, top) for top in tops),
        mortgaged=tuple(dice.random() < 0.5 for _ in range(count)),
        pieces=tuple(total + 5 for _, total in board.rules.pieces),
        tokens=(*hands, *play.tokens[1:]),
    )
    return game.after(PositionCorrected(words=("all",), position=play))


def words_of(game: Game) -> Iterator[str]:
    """Yield words for all that is on the table: cleared first, then laid out."""
    board, play = at(game)
    deeds = list(zip(board.rules.deeds, play.owners, strict=True))
    for deed, _ in deeds:
        yield f"{deed.id} bare"
        yield f"{deed.id} unmortgaged"
    for token in play.tokens:
        yield f"{token.seat} cards none"
    for deed, owner in deeds:
        yield f"{deed.id} owner {owner or 'none'}"
    for kind, (name, _) in enumerate(board.rules.pieces):
        yield f"bank {name}s {play.pieces[kind] + standing(board, play, kind)}"
    for place, (deed, _) in enumerate(deeds):
        level = play.levels[place]
        if level:
            kind_of = deed.ladder[level - 1]
            yield f"{deed.id} {kind_of}s {deed.ladder[:level].count(kind_of)}"
        if play.mortgaged[place]:
            yield f"{deed.id} mortgaged"
    for token in play.tokens:
        if token.cards:
            yield f"{token.seat} cards {' '.join(token.cards)}"


def standing(board: Board, play: Position, kind: int) -> int:
    used = zip(board.used, play.levels, strict=True)
    return sum(rows[level][kind] for rows, level in used)


@each("seed", range(12))
def test_any_broken_table_can_be_made_any_that_can_be(seed: int) -> None:
    dice, target = random.Random(seed), Guided("grab-and-go", 2)
    put_anywhere(dice, target)
    check_box(target.game)
    odd = broken(dice, Guided("grab-and-go", 2).game)
    assert count_impossibilities(*at(odd)).total()
    board, play = at(say(odd, *words_of(target.game)))
    assert not count_impossibilities(board, play).total()
    for field in ("owners", "levels", "mortgaged", "pieces"):
        assert getattr(play, field) == getattr(target.at, field), field
    assert [token.cards for token in play.tokens] == [
        token.cards for token in target.at.tokens
    ]


@pytest.mark.parametrize("line", ["red cash 5", "blue on 7", "turn blue", "red free"])
def test_a_broken_table_can_be_put_right_in_anything_else_first(line: str) -> None:
    odd = broken(random.Random(1), Guided("grab-and-go", 2).game)
    before = count_impossibilities(*at(odd))
    assert count_impossibilities(*at(say(odd, line))) <= before


def test_where_no_mortgage_stops_building_both_may_be() -> None:
    play = Guided("secret-vault", 2).given("red owns boardwalk", "boardwalk mortgaged")
    assert play.game.board is not None
    assert not play.game.board.rules.buildings.blocked_by_mortgage
    play.given("boardwalk hotels 1")
    check_box(play.game)
