"""A board answers what scripts and rules ask of it, and nothing else."""

from __future__ import annotations

import pytest

from companion.edition import builtin
from companion.edition.snapshot import snapshot
from companion.errors import Malformed
from companion.game.board import Board
from companion.game.box_key import BoxValue
from companion.game.card_code import space_number, space_words, written_card
from companion.game.rulebook import RuleCard
from tests.sample import each

CLASSIC = Board(snapshot(builtin("classic")))
QUICK = Board(snapshot(builtin("grab-and-go"), {"quick": "on"}))


@each(
    ("word", "number"),
    [
        ("go", 0),
        ("boardwalk", 39),
        ("jail", 10),
        ("chance@22", 22),
        ("22", 22),
        ("0", 0),
        ("39", 39),
        ("chance", None),
        ("chance@23", None),
        ("40", None),
        ("-1", None),
        ("", None),
        ("street", None),
        ("nowhere", None),
    ],
)
def test_a_space_goes_by_deed_kind_or_number(word: str, number: int | None) -> None:
    assert space_number(CLASSIC.rules, word) == number


def test_every_space_has_a_word_that_finds_it() -> None:
    words = list(space_words(CLASSIC.rules))
    numbers = {space_number(CLASSIC.rules, word) for word in words}
    assert numbers - {None} == set(range(40))


@each(
    ("word", "card"),
    [
        ("collect:50", RuleCard("collect:50", "collect", amount=50)),
        ("pay:100", RuleCard("pay:100", "pay", amount=100)),
        ("go-to-jail", RuleCard("go-to-jail", "go-to-jail")),
        ("jail-card", RuleCard("jail-card", "jail-card", is_kept=True)),
        (
            "advance:boardwalk",
            RuleCard("advance:boardwalk", "advance", to=39),
        ),
        (
            "keep:collect:5",
            RuleCard("keep:collect:5", "collect", amount=5, is_kept=True),
        ),
        (
            "keep:advance:boardwalk",
            RuleCard("keep:advance:boardwalk", "advance", to=39, is_kept=True),
        ),
        ("keep:", None),
        ("keep:keep:collect:5", None),
        ("pay-to-vault:5", None),
        ("advance:nowhere", None),
        ("advance", None),
        ("collect", None),
        ("collect:", None),
        ("collect:0", None),
        ("collect:-5", None),
        ("collect:1000000", None),
        ("collect:\u0665", None),
        ("jail-card:1", None),
        ("skip-rent", None),
        ("", None),
    ],
)
def test_a_card_can_be_written_as_its_effect(word: str, card: RuleCard | None) -> None:
    assert written_card(word, CLASSIC.rules) == card


def test_groups_are_whole_and_in_board_order() -> None:
    names = [CLASSIC.rules.deeds[at].id for at in CLASSIC.members[0]]
    assert names == ["mediterranean-avenue", "baltic-avenue"]
    assert sum(len(set(group)) for group in set(CLASSIC.members)) == 28


def test_a_hotel_takes_the_place_of_its_houses() -> None:
    at = CLASSIC.index["boardwalk"]
    assert CLASSIC.kinds == ("house", "hotel")
    assert CLASSIC.used[at] == ((0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (0, 1))
    assert QUICK.used[at] == ((0, 0), (1, 0), (2, 0), (3, 0), (0, 1))
    assert CLASSIC.used[CLASSIC.index["short-line"]] == ((0, 0),)


def test_the_quick_ladder_keeps_the_rents_of_what_stands() -> None:
    at = QUICK.index["boardwalk"]
    assert QUICK.rules.deeds[at].rents == (50, 200, 600, 1_400, 2_000)
    assert QUICK.rules.deeds[at].costs == (200, 200, 200, 200)
    assert CLASSIC.rules.deeds[at].rents == (50, 200, 600, 1_400, 1_700, 2_000)


def test_the_nearest_of_a_kind_lies_ahead() -> None:
    assert CLASSIC.next_of_kind(7, "railroad") == 15
    assert CLASSIC.next_of_kind(36, "railroad") == 5
    assert CLASSIC.next_of_kind(22, "utility") == 28
    assert CLASSIC.next_of_kind(22, "birthday-gift") == 22


@each(
    ("figure", "amount"),
    [("price", 1), ("mortgage", 2), ("rent", 3), ("hotel_cost", 4), ("rent_hotel", 5)],
)
def test_a_figure_typed_in_makes_another_board(figure: str, amount: int) -> None:
    other = CLASSIC.with_reading(f"deed.boardwalk.{figure}", amount)
    assert other != CLASSIC
    deed = other.rules.deeds[CLASSIC.index["boardwalk"]]
    assert amount in (deed.price, deed.mortgage, *deed.rents, *deed.costs)
    assert Board(snapshot(builtin("classic"))) == CLASSIC


@each(
    ("key", "value"),
    [
        ("deed.nowhere.price", 5),
        ("deed.boardwalk.colour", 5),
        ("deed.short-line.house_cost", 5),
        ("deed.chance-05.amount", 5),
        ("card.boardwalk.price", 5),
        ("deed.boardwalk.price", -1),
        ("deed.boardwalk.price", "5"),
        ("deed.boardwalk.price", None),
        ("space.17.kind", "chance"),
        ("space.99.kind", "chance"),
        ("space.x.kind", "chance"),
        ("boardwalk", 5),
    ],
)
def test_what_its_box_cannot_say_is_malformed(key: str, value: BoxValue | None) -> None:
    with pytest.raises(Malformed, match=r"expected a|has no such figure"):
        CLASSIC.with_reading(key, value)
