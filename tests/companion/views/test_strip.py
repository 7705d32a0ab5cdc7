"""A phone sees the side of the board that its token stands on."""

from __future__ import annotations

import random

import pytest

from companion.edition import builtin
from companion.views.board import board_view
from companion.views.strip import StripView, strip_view
from tests.guided import Guided

GROUPS = builtin("classic").groups


def seen(table: Guided, seat: str) -> StripView | None:
    board = board_view(table.game, GROUPS)
    assert board is not None
    return strip_view(table.game, GROUPS, board, seat)


def sides(table: Guided, seat: str) -> StripView:
    strip = seen(table, seat)
    assert strip is not None
    return strip


def test_a_strip_is_the_side_with_both_corners_and_all_who_stand_there() -> None:
    table = Guided("classic", 4).given("red on 13", "blue on 10", "green on 20")
    strip = sides(table, "red")
    assert [space.number for space in strip.spaces] == list(range(10, 21))
    assert strip.here.number == 13
    assert {token.player.seat for token in strip.tokens} == {"red", "blue", "green"}
    assert [space.number for space in sides(table, "blue").spaces] == list(
        range(10, 21)
    )
    assert [space.number for space in sides(table, "green").spaces] == list(
        range(20, 31)
    )


def test_the_last_side_ends_on_go() -> None:
    table = Guided("classic").given("red on 39")
    numbers = [space.number for space in sides(table, "red").spaces]
    assert numbers == [*range(30, 40), 0]
    assert "blue" in {token.player.seat for token in sides(table, "red").tokens}


def test_a_strip_says_the_price_the_rent_or_that_there_is_none() -> None:
    table = Guided("classic").given(
        "red on 35",
        "blue owns boardwalk park-place short-line",
        "boardwalk houses 1",
        "park-place houses 1",
        "short-line mortgaged",
        "red owns pacific-avenue",
    )
    notes = {space.name: space.note for space in sides(table, "red").spaces}
    assert notes["Boardwalk"] == "$200"
    assert notes["Park Place"] == "$175"
    assert notes["Short Line"] == "mortgaged"
    assert notes["Pacific Avenue"] == ""
    assert notes["North Carolina Avenue"] == "$300"
    assert notes["Luxury Tax"] == "$100"
    table.given("blue on 38")
    mine = {space.name: space.note for space in sides(table, "blue").spaces}
    assert mine["Boardwalk"] == ""


def test_a_utility_of_somebody_else_costs_times_the_dice() -> None:
    table = Guided("classic").given("red on 11", "blue owns electric-company")
    notes = {space.name: space.note for space in sides(table, "red").spaces}
    assert notes["Electric Company"] == "4 \N{MULTIPLICATION SIGN} dice"


def test_without_a_token_there_is_no_side() -> None:
    table = Guided("classic", 3).given("green bankrupt")
    assert seen(table, "green") is None
    assert seen(table, "") is None
    assert seen(table, "bank") is None


@pytest.mark.parametrize("seed", range(3))
def test_in_any_game_every_seat_is_on_its_side(seed: int) -> None:
    table, dice = Guided("classic", 4), random.Random(seed)
    for step in table.play_on(dice, moves=200):
        if step % 10:
            continue
        for token in table.at.tokens:
            strip = seen(table, token.seat)
            if token.is_out:
                assert strip is None
                continue
            assert strip is not None
            assert strip.here.number == token.space
            assert token.seat in {token.player.seat for token in strip.tokens}
