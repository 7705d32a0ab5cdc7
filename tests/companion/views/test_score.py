"""The count on the page is the score of the engine, line by line."""

from __future__ import annotations

import random

import pytest

from companion.game import moves as m
from companion.game.commands import TABLE, Undo
from companion.views.score import ScoreView, score_view
from tests.guided import Guided
from tests.sample import sampled
from tests.scene import Play


def counted(table: Guided) -> ScoreView:
    view = score_view(table.game)
    assert view is not None
    return view


@pytest.mark.parametrize(
    ("edition", "options"),
    [
        ("classic", {}),
        ("grab-and-go", {"quick": "on"}),
        ("secret-vault", {}),
    ],
)
@pytest.mark.parametrize("seed", sampled(range(4), 2))
def test_lines_add_up_to_the_scores_of_the_engine(
    edition: str, options: dict[str, str], seed: int
) -> None:
    table, dice = Guided(edition, 4, options), random.Random(seed)
    list(table.play_on(dice, moves=600))
    if table.at.base != "over":
        table.give(m.CallTime(by=TABLE))
    view = counted(table)
    assert view.is_over
    assert {seat.seat: seat.total for seat in view.seats} == dict(table.at.scores)
    assert {seat.seat for seat in view.seats if seat.is_winner} == set(table.at.winners)
    for one in view.seats:
        assert sum(line.amount or 0 for line in one.lines) == one.total
        assert all("agreed" not in line.what for line in one.lines)
        assert bool(one.lines) != one.is_out


def test_every_line_says_what_it_counts() -> None:
    table = Guided("classic").given(
        "red owns boardwalk park-place baltic-avenue",
        "boardwalk houses 3",
        "park-place houses 2",
        "baltic-avenue mortgaged",
        "red cash 100",
    )
    red = counted(table).seats[0]
    assert [(line.what, line.amount) for line in red.lines] == [
        ("Money in hand", 100),
        ("Baltic Avenue, mortgaged: half of $60", 30),
        ("Park Place", 350),
        ("2 houses on Park Place", 400),
        ("Boardwalk", 400),
        ("3 houses on Boardwalk", 600),
    ]
    assert red.total == 1_880
    assert not counted(table).is_over


def test_a_hotel_counts_the_houses_before_it() -> None:
    table = Guided("classic").given(
        "red owns boardwalk park-place",
        "boardwalk hotels 1",
        "park-place houses 4",
    )
    lines = {line.what: line.amount for line in counted(table).seats[0].lines}
    assert lines["1 hotel on Boardwalk"] == 1_000


def test_seats_that_are_equally_rich_share_a_place() -> None:
    table = Guided("classic", 3).given("green cash 2000")
    assert [(seat.seat, seat.place) for seat in counted(table).seats] == [
        ("green", 1), ("red", 2), ("blue", 2),
    ]  # fmt: skip


def test_who_is_out_comes_last_and_has_nothing() -> None:
    table = Guided("classic", 3)
    table.give(m.Resign(by="red"))
    last = counted(table).seats[-1]
    assert (last.seat, last.total, last.is_out, last.lines) == ("red", 0, True, ())


def test_a_rent_game_counts_one_rent_for_each_deed() -> None:
    table = Guided("secret-vault").given("red owns baltic-avenue")
    lines = counted(table).seats[0].lines
    assert [line.what for line in lines] == [
        "Money in hand",
        "One rent of Baltic Avenue",
    ]


def test_a_game_by_hand_is_not_counted() -> None:
    assert score_view(Play("red", "blue").game) is None


def test_who_left_is_told_from_who_is_bankrupt() -> None:
    table = Guided("classic", 4).given("blue cash 1", "blue owes 900 to red")
    table.give(m.DeclareBankrupt(by="blue"))
    table.give(m.Resign(by="green"))
    left = {seat.seat: seat.has_left for seat in counted(table).seats if seat.is_out}
    assert left == {"blue": False, "green": True}
    table.give(Undo(by=TABLE))
    assert "green" not in table.game.left


def test_whoever_left_and_plays_again_has_not_left_what_begins_anew() -> None:
    table = Guided("classic", 3)
    assert table.game.board is not None
    rules = table.game.board.rules
    table.give(m.Resign(by="green"))
    assert table.game.left == ("green",)
    table.give(m.RestPlay(by=TABLE), m.BeginPlay(by=TABLE, rules=rules))
    assert table.game.left == ()
