"""Where the dice lead before the third one is typed, checked by rolling it."""

from __future__ import annotations

from itertools import product

from companion.game import moves as m
from companion.game import play_events as p
from companion.game import ticket_events as t
from companion.rules import decide
from companion.views.dice import Path, dice_of
from companion.views.turn_buttons import Look
from companion.views.turn_words import follows
from tests.guided import Guided
from tests.sample import each

FACES = ("1", "2", "3", "mr", "bus")


def paths(table: Guided) -> dict[tuple[int, int], Path]:
    all_paths = dice_of(Look(table.game, "red")).paths
    return {(path.total, path.pips): path for path in all_paths}


def test_a_third_die_is_only_rolled_for_a_turn() -> None:
    table = Guided("mega")
    assert dice_of(Look(table.game, "red")).third == FACES
    table.given("red jailed 0")
    dice = dice_of(Look(table.game, "red"))
    assert (dice.count, dice.third, dice.paths) == (2, (), ())
    classic = dice_of(Look(Guided("classic").game, "red"))
    assert (classic.third, classic.paths) == ((), ())


def test_nothing_is_told_beforehand_where_the_companion_rolls() -> None:
    table = Guided("mega", options={"dice": "rolled"})
    dice = dice_of(Look(table.game, "red"))
    assert (dice.third, dice.paths) == (FACES, ())


def test_every_face_says_where_it_leads() -> None:
    found = paths(Guided("mega").given("red on 4"))
    assert len(found) == 9 + 6
    assert found[7, 0].words == "Together 7"
    assert dict(found[7, 0].ways) == {
        "1": "Connecticut Avenue",
        "2": "Just visiting",
        "3": "Auction",
        "mr": "Vermont Avenue, then Connecticut Avenue",
        "bus": "Vermont Avenue, then a ticket or Community Chest",
    }
    assert dict(found[4, 2].ways)["2"] == "You pick a space"
    assert dict(found[4, 2].ways)["1"] == "Chance"
    assert dict(found[8, 4].ways)["3"] == "Maryland Avenue"


def test_doubles_that_lead_to_jail_say_so() -> None:
    found = paths(Guided("mega").given("doubles 2"))
    assert dict(found[6, 3].ways) == {
        **dict.fromkeys(FACES, "Third doubles: jail"),
        "3": "You pick a space",
    }
    assert "jail" not in " ".join(dict(found[5, 0].ways).values())


def test_the_last_deed_that_nobody_owns_counts_as_bought() -> None:
    """Then all are owned, and Mr. Monopoly goes on to the next rent."""
    table = Guided("mega")
    deeds = " ".join(x.id for x in table.game.board.rules.deeds)
    table.given(f"blue owns {deeds}", "massachusetts-avenue owner none", "red on 4")
    shown = "Massachusetts Avenue, then Oriental Avenue"
    assert dict(paths(table)[3, 0].ways)["mr"] == shown
    table.give(m.Roll(by="red", dice=(1, 2), special="mr"))
    look = Look(table.game, "red")
    assert follows(look) == "Then Mr. Monopoly takes you on to Oriental Avenue"
    table.give(m.Buy(by="red"))
    assert look.space(table.at.token_of("red").space) == "Oriental Avenue"


def test_without_tickets_the_bus_only_goes_on() -> None:
    found = paths(Guided("mega").given("red on 4", "bank tickets 0"))
    assert dict(found[7, 0].ways)["bus"] == "Vermont Avenue, then Community Chest"


@each(
    ("space", "dice"),
    product([0, 13, 25, 39, 45], [(1, 2), (3, 4), (5, 6), (2, 6)]),
)
def test_the_move_by_mr_monopoly_is_the_one_that_was_shown(space, dice) -> None:
    """Wherever the landing lets the move go on at once, it goes where it was said."""
    owned = " ".join(x.id for x in Guided("mega").game.board.rules.deeds[::2])
    table = Guided("mega").given(f"red owns {owned}", f"red on {space}", "turn red")
    way = dict(paths(table)[sum(dice), 0].ways)["mr"]
    events = decide(table.game, m.Roll(by="red", dice=dice, special="mr"))
    moved = [x.space for x in events if isinstance(x, p.TokenMoved)]
    look = Look(table.game, "red")
    first = "Just visiting" if moved[0] == 13 else look.space(moved[0])
    assert way.startswith(first)
    if any(isinstance(x, t.BonusCame) for x in events) and len(moved) > 1:
        assert way == f"{first}, then {look.space(moved[1])}"
