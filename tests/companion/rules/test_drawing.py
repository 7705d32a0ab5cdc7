"""Dice, cards and deals enter once, as values; no phone chooses what chance decides."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from companion.edition import builtin
from companion.errors import Malformed, Refused, Why
from companion.game import moves as m
from companion.game.commands import TABLE
from companion.rules.drawing import Begin, Source, complete_command, shuffled
from tests.guided import Guided


class Scripted:
    """A chance that says what it was told, and keeps what it was asked."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)
        self.asked: list[int] = []

    def randrange(self, stop: int, /) -> int:
        self.asked.append(stop)
        return self.numbers.pop(0)


def source(table: Guided, *numbers: int) -> Source:
    return Source(
        table.game, lambda: builtin(table.game.terms.edition), Scripted(*numbers)
    )


def test_dice_that_are_not_typed_are_thrown():
    table = Guided("classic")
    made = complete_command(m.Roll(by="red", dice=()), source(table, 0, 5))
    assert made == m.Roll(by="red", dice=(1, 6))


def test_typed_dice_stay_as_they_were_typed():
    table = Guided("classic")
    typed = m.Roll(by="red", dice=(3, 9))  # The rules refuse the nine, not this.
    assert complete_command(typed, source(table)) == typed


@pytest.mark.parametrize(
    ("dice_by", "dice"), [("rolled", (3, 4)), ("typed", ())], ids=["rolled", "typed"]
)
def test_a_table_that_agreed_on_dice_keeps_to_it(dice_by, dice):
    table = Guided("classic", options={"dice": dice_by})
    with pytest.raises(Refused) as refused:
        complete_command(m.Roll(by="red", dice=dice), source(table, 1, 1))
    assert refused.value.why is Why.MALFORMED


def test_a_phone_does_not_pick_the_card_it_draws():
    table = Guided("classic").given("red on 7", "stage card")
    made = complete_command(m.Draw(by="red", pick=3), source(table, 11))
    assert made == m.Draw(by="red", pick=11)
    assert not complete_command(
        m.Draw(by="red", card="chance-01", pick=4), source(table)
    ).pick


def test_a_draw_out_of_season_draws_nothing():
    assert complete_command(
        m.Draw(by="red", pick=9), source(Guided("classic"))
    ) == m.Draw(by="red")


def test_a_phone_does_not_give_a_position_before_the_start():
    given = m.CorrectPosition(by="red", words=("top", "chance"), is_given=True)
    completion = complete_command(given, source(Guided("classic")))
    assert isinstance(completion, m.CorrectPosition)
    assert not completion.is_given


def test_a_quick_game_deals_its_deeds_in_an_order_that_chance_decides():
    table = Guided("grab-and-go")
    begin = Begin(by=TABLE, options={"quick": "on"})
    sources = [
        Source(table.game, lambda: builtin("grab-and-go"), random.Random(seed))
        for seed in (1, 1, 2)
    ]
    first, again, other = (complete_command(begin, source) for source in sources)
    assert isinstance(first, m.BeginPlay)
    assert first == again != other
    assert sorted(first.deal) == sorted(deed.id for deed in first.rules.deeds)
    assert first.rules.dealt_each == 2


def test_a_game_that_deals_nothing_draws_nothing():
    made = complete_command(Begin(by=TABLE), source(Guided("classic")))
    assert isinstance(made, m.BeginPlay)
    assert made.deal == ()


def test_an_option_that_the_edition_has_not_is_malformed():
    with pytest.raises(Malformed, match="expected"):
        complete_command(
            Begin(by=TABLE, options={"speed": "on"}), source(Guided("classic"))
        )


def test_every_order_is_as_likely():
    chance = random.Random(20)
    counts = Counter(shuffled(("a", "b", "c"), chance) for _ in range(6_000))
    assert len(counts) == 6
    assert all(880 < count < 1_120 for count in counts.values())


def test_no_phone_tells_whether_a_guess_was_right():
    table = Guided("secret-vault")
    for claimed in (True, False):
        with pytest.raises(Refused):
            complete_command(
                m.Guess(by="red", number=3, is_right=claimed), source(table)
            )


def test_the_panel_throws_the_die_with_the_lock_too():
    table = Guided("secret-vault")
    assert complete_command(m.Roll(by="red", dice=()), source(table, 2, 5)) == m.Roll(
        by="red", dice=(3,), special="vault"
    )
    assert complete_command(m.Roll(by="red", dice=()), source(table, 5, 0)) == m.Roll(
        by="red", dice=(6, 1)
    )
