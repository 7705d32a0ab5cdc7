"""What stands out over many evenings."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st

from companion.errors import Refused
from companion.game import commands as c
from companion.game import moves as m
from companion.views.evenings import Evening, Rented, evening, greatest
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


def test_a_name_is_one_person_whatever_its_capitals() -> None:
    rent = Rented("Ben", 900)
    made = partial(Evening, "Sunday", "classic")
    latest = made(
        5_000, ("Anna",), ("Anna", "Ben"), (("Anna", 2_000), ("Ben", 90)), (rent,)
    )
    before = made(
        9_000, ("anna",), ("anna", "Cleo"), (("anna", 4_120), ("Cleo", 30)), ()
    )
    found = greatest((latest, before), ())
    anna, ben, cleo = found.people
    assert (anna.name, anna.wins, anna.games, anna.best) == ("Anna", 2, 2, 4_120)
    assert (ben.wins, cleo.wins) == (0, 0)
    assert found.longest == before
    assert found.rent == (rent, latest)
    without = greatest((latest, before), {"ben", "anna"})
    assert [person.name for person in without.people] == ["Cleo"]
    assert without.rent is None
    assert greatest((), ()).longest is None


# Who is who, by the real rule: names that two may have at one table are two people.

LOOKALIKES = st.text("aAnN \u00e4\u0430.0oO1lI", min_size=1, max_size=5)
NAMES = st.one_of(
    LOOKALIKES, st.text(st.characters(categories=("L", "N", "P", "S")), max_size=6)
)


def seated(*names: str) -> Guided:
    """Seat people by these names; the first of them is about to win."""
    table = Guided("classic", len(names))
    for state, name in zip(table.game.present(), names, strict=True):
        table.give(c.RenameSeat(by=c.TABLE, seat=state.seat, name=name))
    return table.given("red cash 4000")


def ended(table: Guided) -> Evening:
    table.give(m.CallTime(by=c.TABLE))
    found = read(table)
    assert found is not None
    return found


@settings(max_examples=60)
@example("Ann A", "Anna")
@example("Ann.", "A nn")
@given(NAMES, NAMES)
def test_two_who_may_sit_at_one_table_are_two_people(first: str, second: str) -> None:
    try:
        table = seated(first, second)
    except Refused:
        reject()
    people = greatest((ended(table),), ()).people
    assert sorted(person.wins for person in people) == [0, 1]
    assert [person.games for person in people] == [1, 1]
    winner, loser = people
    assert winner.wins == 1
    assert (winner.best or 0) > (loser.best or 0)


@settings(max_examples=60)
@example("anna", "ANNA ")
@example("Ann A", "Anna")
@given(NAMES, NAMES)
def test_only_names_refused_at_one_table_are_one_person(
    first: str, second: str
) -> None:
    try:
        evenings = [ended(seated(first, "Zoe")), ended(seated(second, "Zoe"))]
    except Refused:
        reject()
    people = greatest(evenings, ()).people
    if len(people) == 2:
        with pytest.raises(Refused):
            seated(first, second)
    assert all(person.games <= 2 for person in people)


@pytest.mark.parametrize("other", ["anna", "Anna ", "ANNA", " Anna", "Anna."])
def test_a_person_is_the_same_over_evenings_however_the_name_is_typed(
    other: str,
) -> None:
    evenings = [ended(seated("Anna", "Ben")), ended(seated(other, "Ben"))]
    assert [(one.games, one.wins) for one in greatest(evenings, ()).people] == [
        (2, 2),
        (2, 0),
    ]


def test_a_name_that_somebody_left_behind_counts_a_game_once() -> None:
    table = seated("Anna", "Ben", "Zoe")
    table.give(m.Resign(by="green"), m.RestPlay(by=c.TABLE))
    table.give(c.RemoveSeat(by=c.TABLE, seat="green"), m.ResumePlay(by=c.TABLE))
    table.give(c.RenameSeat(by=c.TABLE, seat="red", name="zoe"))
    zoe, ben = greatest((ended(table),), ()).people
    assert (zoe.key, zoe.games, zoe.wins) == ("zoe", 1, 1)
    assert (ben.games, ben.wins) == (1, 0)


def test_whoever_was_left_out_by_an_older_version_stays_so() -> None:
    evenings = [ended(seated("Ann A", "Ben")), ended(seated("Anna", "Jo Lee"))]
    found = greatest(evenings, (), {"anna", "jolee"})
    assert [person.name for person in found.people] == ["Ben"]
    assert [person.name for person in found.left_out] == ["Ann A", "Anna", "Jo Lee"]
