"""What stands out over many evenings."""

from __future__ import annotations

from functools import partial

from companion.game import commands as c
from companion.game import moves as m
from companion.views.evenings import Evening, Rented, evening, greatest, key_of
from companion.views.score import score_view
from tests.companion.views.test_story import played
from tests.guided import Guided


def read(table: Guided) -> Evening | None:
    return evening(table.entries)


def test_an_evening_is_read_as_the_game_ended() -> None:
    table = played(4)
    found, score = read(table), score_view(table.game)
    assert found is not None
    assert score is not None
    left = [seat for seat in score.seats if not seat.is_out]
    assert dict(found.scores) == {one.name: one.total for one in left}
    assert set(found.won) == {one.name for one in left if one.is_winner}
    assert found.ms > 0
    assert found.edition == "grab-and-go"


def test_a_game_that_goes_on_or_whose_end_was_taken_back_is_none() -> None:
    table = Guided("classic")
    assert read(table) is None
    table.give(m.CallTime(by=c.TABLE))
    assert read(table) is not None
    table.give(c.Undo(by=c.TABLE))
    assert read(table) is None
    table.give(c.Redo(by=c.TABLE))
    assert read(table) is not None


def test_whoever_was_bankrupt_has_played_too() -> None:
    table = Guided("classic", 3)
    table.give(m.Resign(by="green"), m.CallTime(by=c.TABLE))
    found = read(table)
    assert found is not None
    green = table.game.seats[2].name
    assert green in found.played
    assert green not in dict(found.scores)
    person = next(
        person for person in greatest((found,), ()).people if person.name == green
    )
    assert (person.games, person.wins, person.best) == (1, 0, None)


def test_a_name_is_one_person_whatever_its_capitals_and_spaces() -> None:
    rent = Rented("Ben", 900)
    made = partial(Evening, "Sunday", "classic")
    latest = made(
        5_000, ("Anna",), ("Anna", "Ben"), (("Anna", 2_000), ("Ben", 90)), (rent,)
    )
    before = made(
        9_000, ("an na",), ("an na", "Cleo"), (("an na", 4_120), ("Cleo", 30)), ()
    )
    found = greatest((latest, before), ())
    anna, ben, cleo = found.people
    assert (anna.name, anna.wins, anna.games, anna.best) == ("Anna", 2, 2, 4_120)
    assert (ben.wins, cleo.wins) == (0, 0)
    assert found.longest == before
    assert found.rent == (rent, latest)
    without = greatest((latest, before), {key_of("BEN"), key_of("anna")})
    assert [person.name for person in without.people] == ["Cleo"]
    assert without.rent is None
    assert greatest((), ()).longest is None
