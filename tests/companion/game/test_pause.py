"""A game is packed away in the largest notes, and set up again step by step."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.edition import builtin
from companion.game import Game
from companion.game.pause import (
    PausePlan,
    exchange,
    largest_notes,
    packing_steps,
    pause_plan,
    setup_steps,
)
from companion.script.parse import parse
from companion.script.run import Runner
from companion.units import Account
from tests.guided import Guided, accepted, random_move
from tests.random_table import put_anywhere
from tests.sample import sampled
from tests.scene import Play

NOTES = builtin("grab-and-go").denominations

SCRIPT = """
edition grab-and-go
seats red blue green
given red owns boardwalk park-place baltic-avenue
given boardwalk houses 3
given park-place houses 2
given baltic-avenue mortgaged
given red on 24
given red cash 2888
given blue jailed 1
given blue cards jail-card
given blue cash 0
given green bankrupt
given turn blue
"""


def played(text: str) -> Game:
    runner = Runner(traces=False)
    lines = parse(text)
    runner.prepare(lines)
    for line in lines[2:]:
        runner.play(line)
    return runner.game


@pytest.fixture(scope="module")
def plan() -> PausePlan:
    return pause_plan(played(SCRIPT))


def test_a_plan_says_where_everything_is(plan: PausePlan) -> None:
    red, blue = plan.seats
    assert (red.space, red.space_name, red.is_jailed) == (24, "Illinois Avenue", False)
    assert red.deeds == ("Baltic Avenue", "Park Place", "Boardwalk")
    assert red.mortgaged == ("Baltic Avenue",)
    assert red.notes == ((500, 5), (100, 3), (50, 1), (20, 1), (10, 1), (5, 1), (1, 3))
    assert red.rest == 0
    assert (blue.is_jailed, blue.tries, blue.cash, blue.notes) == (True, 1, 0, ())
    assert blue.cards == ("chance-09",)
    assert [(s.name, s.buildings) for s in plan.streets] == [
        ("Park Place", (("house", 2),)),
        ("Boardwalk", (("house", 3),)),
    ]
    assert (plan.turn, plan.stage, plan.has_clips) == ("blue", "roll", True)


def test_a_table_is_cleared_in_one_order_and_laid_in_another(plan: PausePlan) -> None:
    places, streets = ("place-red", "place-blue"), ("street-37", "street-39")
    hands = ("money-red", "deeds-red", "cards-blue")
    assert packing_steps(plan, has_papers=True) == (*places, *streets, *hands)
    assert setup_steps(plan, has_papers=True) == (*streets, *places, *hands, "turn")
    assert packing_steps(plan, has_papers=False) == ()
    assert setup_steps(plan, has_papers=False) == (*streets, *places, "turn")


def test_a_plan_names_who_owes_whom() -> None:
    open_then = """
edition classic
seats red blue green
given blue owns boardwalk
given red on 37
do red roll 1 1
do green offer blue give cash 5 want boardwalk
do table set green owes 90 to blue
"""
    plan = pause_plan(played(open_then))
    assert [(owed.kind, owed.who, owed.whom, owed.amount) for owed in plan.owed] == [
        ("debt", "green", "blue", 90),
        ("rent", "red", "blue", 50),
        ("offer", "green", "blue", None),
    ]
    for has_papers in (True, False):
        steps = setup_steps(plan, has_papers)
        assert steps[-4:] == ("owed-0", "owed-1", "owed-2", "turn")


def test_each_step_can_be_ticked_off_by_itself(plan: PausePlan) -> None:
    for steps in (packing_steps(plan, True), setup_steps(plan, True)):
        assert len(set(steps)) == len(steps)


def test_without_clips_the_companion_keeps_what_stands_on_the_board() -> None:
    plan = pause_plan(played(SCRIPT.replace("grab-and-go", "classic")))
    assert not plan.has_clips
    hands = ("money-red", "deeds-red", "cards-blue")
    assert packing_steps(plan, has_papers=True) == hands


def test_a_game_by_hand_knows_no_places() -> None:
    with pytest.raises(ValueError, match="expected a guided game"):
        pause_plan(Play("red", "blue").game)


@given(st.integers(0, 30_000))
def test_the_largest_notes_are_the_fewest(amount: int) -> None:
    notes = largest_notes(amount, NOTES)
    assert sum(value * count for value, count in notes) == amount
    counts = dict(notes)
    smaller = itertools.pairwise(NOTES)
    assert all(counts.get(low, 0) * low < high for low, high in smaller)
    assert counts.get(10, 0) < 2


def test_what_no_note_can_pay_is_left_over() -> None:
    assert largest_notes(37, (10, 20)) == ((20, 1), (10, 1))


def test_five_hundreds_become_one_five_hundred() -> None:
    held = {100: 7, 20: 2, 10: 2}
    give, take = exchange(held, largest_notes(760, NOTES))
    assert give == ((100, 5), (20, 2), (10, 1))
    assert take == ((500, 1), (50, 1))


@given(st.dictionaries(st.sampled_from(NOTES), st.integers(0, 12)))
def test_an_exchange_is_worth_the_same_on_both_sides(held: dict[int, int]) -> None:
    total = sum(value * count for value, count in held.items())
    target = largest_notes(total, NOTES)
    give, take = exchange(held, target)
    assert sum(value * count for value, count in give) == sum(
        value * count for value, count in take
    )
    left = dict(held)
    for value, count in give:
        left[value] -= count
    for value, count in take:
        left[value] = left.get(value, 0) + count
    assert {value: count for value, count in left.items() if count} == dict(target)
    assert all(count >= 0 for count in left.values())


def laid_again(plan: PausePlan, edition: str, seats: int) -> Game:
    """Lay another table from nothing but the plan."""
    play = Guided(edition, seats)
    board = play.game.board
    assert board is not None
    ids = {deed.name: deed.id for deed in board.rules.deeds}
    for seat in plan.seats:
        cash = seat.rest + sum(value * count for value, count in seat.notes)
        play.given(f"{seat.seat} on {seat.space}", f"{seat.seat} cash {cash}")
        play.given(f"{seat.seat} cards {' '.join(seat.cards) or 'none'}")
        if seat.is_jailed:
            play.given(f"{seat.seat} jailed {seat.tries}")
        play.given(*(f"{ids[deed]} owner {seat.seat}" for deed in seat.deeds))
        play.given(*(f"{ids[deed]} mortgaged" for deed in seat.mortgaged))
    for street in plan.streets:
        for kind, count in street.buildings:
            play.given(f"{ids[street.name]} {kind}s {count}")
    return play.game


@pytest.mark.parametrize("seed", sampled(range(12), 5))
def test_a_plan_is_all_that_is_needed_to_lay_the_table_again(seed: int) -> None:
    """In the middle of anything: a purchase, an auction, a debt."""
    dice = random.Random(seed)
    edition = ("grab-and-go", "classic")[seed % 2]
    play = Guided(edition, 3)
    put_anywhere(dice, play)
    for _ in range(40):
        if play.at.stage == "over":
            return
        move = random_move(dice, play.game)
        if not accepted(play.game, move):
            continue
        play.give(move)
        was, plan = play.at, pause_plan(play.game)
        assert plan.stage == was.stage
        game = laid_again(plan, edition, 3)
        assert game.play is not None
        for seat in was.playing():
            assert game.play.token(seat) == was.token(seat)
            assert game.ledger[Account(seat)] == play.game.ledger[Account(seat)]
        for field in ("owners", "levels", "mortgaged", "pieces"):
            assert getattr(game.play, field) == getattr(was, field), field
