"""The page of packing says what the plan says, in either direction."""

from __future__ import annotations

import random

import pytest

from companion.edition import builtin
from companion.errors import Refused
from companion.game import moves as m
from companion.game.commands import TABLE
from companion.game.pause import packing_steps, pause_plan, setup_steps
from companion.views.pause import (
    PACKING,
    SETTING_UP,
    WAYS,
    exchange_of,
    list_id_of,
    pause_view,
)
from tests.guided import Guided, random_move

LINES = (
    "red owns boardwalk park-place baltic-avenue",
    "boardwalk houses 3",
    "park-place houses 2",
    "baltic-avenue mortgaged",
    "red on 24",
    "red cash 888",
    "blue jailed 1",
    "blue cards jail-card",
    "blue cash 0",
    "turn blue",
)


def table(edition: str = "grab-and-go") -> Guided:
    return Guided(edition, 2).given(*LINES)


def texts(
    way: str, edition: str = "grab-and-go", has_papers: bool = True
) -> dict[str, str]:
    view = pause_view(table(edition).game, way, has_papers)
    return {step.id: step.text for part in view.parts for step in part.steps}


def test_packing_says_what_to_do() -> None:
    said = texts(PACKING)
    assert said["place-red"] == ("Red's location clip marks Illinois Avenue")
    assert said["place-blue"] == (
        "Blue's location clip marks Jail / Just Visiting, locked up, with 1 failed roll"
    )
    assert said["street-39"] == "Leave 3 houses on Boardwalk"
    assert said["money-red"] == "Change $888 into the largest notes and pack it"
    assert said["deeds-red"] == "Pack 3 deeds"
    assert said["cards-blue"] == "Pack 1 card"
    assert "turn" not in said


def test_setting_up_is_the_same_in_reverse_and_tells_how_it_goes_on() -> None:
    said = texts(SETTING_UP)
    assert set(said) == {*texts(PACKING), "turn"}
    assert said["turn"].startswith("Then it goes on: Blue sits in jail")
    assert said["place-red"] == "Put Red's token on Illinois Avenue"
    assert said["street-39"] == "Put 3 houses on Boardwalk"
    assert said["money-red"] == "Give Red $888"
    assert said["deeds-red"] == "Give Red 3 deeds"
    assert said["cards-blue"] == "Give Blue 1 card"


def test_a_board_without_clips_is_kept_by_the_companion_until_it_is_set_up() -> None:
    assert set(texts(PACKING, "classic")) == {"money-red", "deeds-red", "cards-blue"}
    said = texts(SETTING_UP, "classic")
    assert said["place-red"] == "Put Red's token on Illinois Avenue"
    assert said["street-39"] == "Put 3 houses on Boardwalk"


@pytest.mark.parametrize("edition", ["classic", "grab-and-go"])
def test_without_notes_and_cards_there_is_nothing_to_pack(edition: str) -> None:
    assert texts(PACKING, edition, has_papers=False) == {}
    said = texts(SETTING_UP, edition, has_papers=False)
    assert set(said) == {"place-red", "place-blue", "street-37", "street-39", "turn"}


@pytest.mark.parametrize(
    ("edition", "answer", "known", "may_change"),
    [
        ("classic", None, None, True),
        ("classic", False, False, True),
        ("grab-and-go", True, True, True),
        ("mega", None, None, True),
        ("secret-vault", None, True, True),
        ("secret-vault", False, False, True),
        ("crooked-cash", None, True, False),
        ("crooked-cash", False, True, False),
    ],
)
def test_a_game_is_asked_only_what_it_does_not_know(
    edition: str, answer: bool | None, known: bool | None, may_change: bool
) -> None:
    for way in WAYS:
        view = pause_view(Guided(edition, 2).game, way, answer)
        assert (view.has_papers, view.may_change) == (known, may_change)
        assert bool(view.parts) == (known is not None and (known or way == SETTING_UP))


def test_a_seat_packs_notes_deeds_and_cards() -> None:
    view = pause_view(table().game, PACKING, answer=True)
    red = next(part for part in view.parts if part.seat == "red")
    money, deeds = red.steps
    assert money.notes == (
        (500, 1),
        (100, 3),
        (50, 1),
        (20, 1),
        (10, 1),
        (5, 1),
        (1, 3),
    )
    assert [(paper.name, paper.is_turned) for paper in deeds.papers] == [
        ("Baltic Avenue", True), ("Park Place", False), ("Boardwalk", False),
    ]  # fmt: skip
    blue = next(part for part in view.parts if part.seat == "blue")
    assert [paper.name for paper in blue.steps[-1].papers] == ["a card to leave jail"]


@pytest.mark.parametrize("edition", ["classic", "grab-and-go", "secret-vault"])
@pytest.mark.parametrize("seed", range(3))
def test_every_step_of_any_table_is_on_the_page_once(edition: str, seed: int) -> None:
    game, dice = Guided(edition, 3), random.Random(seed)
    for _ in range(250):
        if game.at.base == "over":
            break
        try:
            game.give(random_move(dice, game.game))
        except Refused:
            continue
    plan = pause_plan(game.game)
    for way, steps in ((PACKING, packing_steps), (SETTING_UP, setup_steps)):
        view = pause_view(game.game, way, answer=True)
        shown = [step.id for part in view.parts for step in part.steps]
        assert sorted(shown) == sorted(steps(plan, has_papers=True))
        assert all("Look after" not in s.text for p in view.parts for s in p.steps)
        assert view.count == len(shown)


def test_ticks_are_counted_and_those_of_another_table_are_not() -> None:
    done = ("place-red", "street-39", "nonsense")
    view = pause_view(table().game, PACKING, answer=True, done=done)
    assert (view.done_count, view.count) == (2, 7)
    step = view.step("street-39")
    assert step is not None
    assert step.is_done
    assert view.step("nonsense") is None


def test_a_list_is_another_one_as_soon_as_something_moved() -> None:
    one = table()
    before = [list_id_of(one.game, way) for way in WAYS]
    assert len(set(before)) == 2
    assert [list_id_of(table().game, way) for way in WAYS] == before
    one.give(m.CorrectPosition(by=TABLE, words=("red", "cash", "889")))
    assert list_id_of(one.game, PACKING) not in before


def test_counted_notes_are_changed_into_larger_ones() -> None:
    game = table().game
    changing = exchange_of(game, "red", {100: 8, 20: 4, 5: 1, 1: 3})
    assert changing is not None
    assert changing.is_right
    assert changing.give == ((100, 5), (20, 3))
    assert changing.take == ((500, 1), (50, 1), (10, 1))


def test_notes_that_are_worth_another_sum_are_said_to_be() -> None:
    changing = exchange_of(table().game, "red", {100: 8})
    assert changing is not None
    assert not changing.is_right
    assert (changing.total, changing.cash) == (800, 888)
    assert changing.give == changing.take == ()


def test_who_does_not_play_changes_nothing() -> None:
    assert exchange_of(table().game, "green", {100: 8}) is None


def test_denominations_of_the_edition_are_what_is_packed() -> None:
    view = pause_view(table().game, PACKING, answer=True)
    values = {v for part in view.parts for s in part.steps for v, _ in s.notes}
    assert values <= set(builtin("grab-and-go").denominations)


@pytest.mark.parametrize("has_papers", [True, False])
def test_a_debt_is_told_once(has_papers: bool) -> None:
    game = Guided("classic", 2).given("red owes 90 to blue").game
    view = pause_view(game, SETTING_UP, has_papers)
    said = [step.text for part in view.parts for step in part.steps]
    assert [text for text in said if "owes" in text] == ["Remember: Red owes Blue $90"]
    assert said[-1].endswith("It is Red's turn")


def test_what_is_still_open_is_remembered() -> None:
    game = Guided("classic", 3).given("blue owns boardwalk", "red on 37", "turn red")
    game.give(m.Roll(by="red", dice=(1, 1)))
    game.give(m.CorrectPosition(by=TABLE, words=("green", "owes", "90", "to", "blue")))
    view = pause_view(game.game, SETTING_UP, answer=True)
    said = [step.text for part in view.parts for step in part.steps]
    assert [text for text in said if text.startswith("Remember")] == [
        "Remember: Green owes Blue $90",
        "Remember: Blue can still ask Red for $50 rent",
    ]
