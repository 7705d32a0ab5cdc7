"""What each seat is asked about a space that nobody knew."""

from __future__ import annotations

import pytest

from companion.game import moves as m
from companion.game.position import Rested
from companion.units import Seat
from companion.views.space_ask import landing_id, space_ask
from tests.guided import Guided

SEVEN_AHEAD = m.Roll(by="red", dice=(3, 4))


@pytest.fixture
def table() -> Guided:
    """Red rests on space 17, between two streets; blue has the dice."""
    play = Guided("secret-vault", 3).given("red on jail", "green bankrupt")
    play.give(SEVEN_AHEAD)
    return play


def test_every_seat_that_plays_is_asked_where_it_is(table: Guided) -> None:
    mine, other = space_ask(table.game, "red"), space_ask(table.game, "blue")
    assert mine is not None
    assert other is not None
    assert (mine.who, other.who) == ("", "Red")
    assert (mine.number, mine.before, mine.after) == (
        17,
        "St. James Place",
        "Tennessee Avenue",
    )
    assert mine.buttons == other.buttons
    for seat in ("green", "bank", "table", ""):
        assert space_ask(table.game, seat) is None


def test_the_likely_thing_comes_first_and_is_marked(table: Guided) -> None:
    ask = space_ask(table.game, "blue")
    assert ask is not None
    assert [str(button.words) for button in ask.buttons] == [
        "Chance",
        "Guess for Free",
        "Pay to Guess",
        "Free Parking",
        "Nothing to do there",
    ]
    assert [button.note for button in ask.buttons] == ["likely", "", "", "", ""]
    assert [button.is_main for button in ask.buttons] == [True] + 4 * [False]
    assert ask.buttons[0].fields == (("key", "space.17.kind"), ("value", "chance"))


def test_it_says_whether_the_answer_comes_in_time(table: Guided) -> None:
    ask = space_ask(table.game, "red")
    assert ask is not None
    assert ask.comes_now
    table.give(m.Roll(by="blue", dice=(4, 6)))
    late = space_ask(table.game, "red")
    assert late is not None
    assert not late.comes_now
    assert late.landing == ask.landing


def test_nobody_is_asked_once_it_is_said_or_the_token_went_on(table: Guided) -> None:
    before = table.game
    table.give(m.ReadBox(by="blue", key="space.17.kind", value="rest"))
    assert space_ask(table.game, "red") is None
    on = m.CorrectPosition(by="table", words=("red", "on", "18"))
    play = Guided("secret-vault", 2).given("red on jail")
    play.give(SEVEN_AHEAD, on)
    assert space_ask(play.game, "red") is None
    assert space_ask(before, "red") is not None


def test_each_landing_has_a_word_of_its_own() -> None:
    red = Seat("red")
    words = {landing_id(Rested(red, at, turn)) for at in (2, 17) for turn in (0, 3)}
    assert len(words) == 4
