"""The board is drawn from the rulebook and the position, and from nothing else."""

from __future__ import annotations

import random

import pytest

from companion.edition import builtin
from companion.errors import Refused
from companion.game import commands as c
from companion.game import moves as m
from companion.game.move_run import MoveRun
from companion.rules.ending import worth
from companion.views.board import BoardView, StripView, board_view, strip_view
from companion.views.space import buildings_text
from companion.views.turn_words import awaited
from tests.guided import Guided, random_move
from tests.sample import each
from tests.scene import Play

GROUPS = builtin("classic").groups


def seen(table: Play) -> BoardView:
    view = board_view(table.game, GROUPS)
    assert view is not None
    return view


def test_a_game_by_hand_has_no_board() -> None:
    assert board_view(Play("red", "blue").game, GROUPS) is None
    table = Guided("classic")
    table.give(m.RestPlay(by=c.TABLE))
    assert board_view(table.game, GROUPS) is None


def test_everybody_begins_on_go() -> None:
    view = seen(Guided("classic", 4))
    assert [token.space for token in view.tokens] == [0] * 4
    assert len({(token.x, token.y) for token in view.tokens}) == 4
    assert view.actor.seat == "red"
    assert view.dice == ()
    assert view.awaited == "Red rolls the dice"


def test_a_space_shows_who_owns_it_and_what_stands_there() -> None:
    table = Guided("classic").given(
        "red owns boardwalk park-place reading-railroad",
        "boardwalk houses 2",
        "park-place houses 2",
        "reading-railroad mortgaged",
    )
    view = seen(table)
    boardwalk, railroad, kentucky = (view.spaces[at] for at in (39, 5, 21))
    assert boardwalk.owner is not None
    assert boardwalk.owner.seat == "red"
    assert [kind for kind, _ in boardwalk.built] == ["house", "house"]
    assert boardwalk.note == ""
    assert (boardwalk.deed, view.spaces[4].deed) == ("boardwalk", "")
    assert boardwalk.about == "39: Boardwalk, owned by Red, 2 houses"
    assert boardwalk.band is not None
    assert (boardwalk.band.name, boardwalk.band.colour) == ("Dark blue", "#1f4fa3")
    assert railroad.is_mortgaged
    assert railroad.note == "mortgaged"
    assert railroad.about == "5: Reading Railroad, owned by Red, mortgaged"
    assert (kentucky.owner, kentucky.note) == (None, "$220")
    assert kentucky.about == "21: Kentucky Avenue, owned by nobody"
    assert view.spaces[4].about == "4: Income Tax, $200"
    assert view.spaces[0].about == "0: GO"


def test_tickets_lie_face_up_and_their_space_says_how_many_are_left() -> None:
    table = Guided("mega", 3).given("red tickets 3", "blue tickets 1")
    view = board_view(table.game, builtin("mega").groups)
    assert view is not None
    assert [player.tickets for player in view.players] == [3, 1, 0]
    (space,) = (space for space in view.spaces if space.kind == "bus-ticket")
    assert space.note == "12 left"
    assert space.about == "32: Bus Ticket, 12 left"


def test_what_the_third_die_brings_is_said_before_it_comes() -> None:
    table = Guided("mega", 3).given("red on 1")
    table.give(m.Roll(by="red", dice=(1, 2), special="mr"))
    view = board_view(table.game, builtin("mega").groups)
    assert view is not None
    assert view.awaited == "Red may buy Arctic Avenue for $80"
    assert view.follows == "Then Mr. Monopoly takes Red on to Reading Railroad"
    assert view.dice == (1, 2, "mr")
    table.give(m.Buy(by="red"))
    view = board_view(table.game, builtin("mega").groups)
    assert view is not None
    assert view.follows == ""


def test_a_depot_stands_beside_the_picture_of_its_railroad() -> None:
    table = Guided("mega").given(
        "red owns reading-railroad boardwalk park-place florida-avenue",
        *(f"{x} hotels 1" for x in ("boardwalk", "park-place", "florida-avenue")),
        *("boardwalk skyscrapers 1", "reading-railroad depots 1"),
    )
    view = board_view(table.game, builtin("mega").groups)
    assert view is not None
    railroad, boardwalk, park = (view.spaces[at] for at in (6, 51, 49))
    ((kind, place),) = railroad.built
    assert kind == "depot"
    icon = railroad.parts.icon
    assert icon.x + icon.width <= place.x
    assert railroad.about == "6: Reading Railroad, owned by Red, 1 depot"
    assert [kind for kind, _ in boardwalk.built] == ["skyscraper"]
    assert [kind for kind, _ in park.built] == ["hotel"]
    assert boardwalk.about.endswith("1 skyscraper")


def test_groups_are_told_apart_without_colour() -> None:
    view = seen(Guided("classic"))
    marks = {space.band.name: space.band.mark for space in view.spaces if space.band}
    assert len(set(marks.values())) == len(marks) == 10


@each("seed", range(5))
def test_in_any_game_the_board_is_where_the_position_is(seed: int) -> None:
    table, dice = Guided("classic", 4), random.Random(seed)
    for step in table.play_on(dice, moves=300):
        if step % 10:
            continue
        view, play = seen(table), table.at
        standing = {token.player.seat: token.space for token in view.tokens}
        assert standing == {t.seat: t.space for t in play.tokens if not t.is_out}
        owners = [space.owner.seat if space.owner else "" for space in view.spaces]
        for at, deed in enumerate(table.game.board.rules.deeds):
            assert owners[deed.space] == play.owners[at]
        for player in view.players:
            wanted = 0 if player.is_out else worth(MoveRun(table.game), player.seat)
            assert player.worth == wanted
        assert view.awaited == awaited(table.game)


@each(
    ("given", "said"),
    [
        (("red on 39", "stage buy"), "Red may buy Boardwalk for $400"),
        (("red on 7", "stage card"), "Red draws a card: Chance"),
        (("red jailed 1",), "Red sits in jail and rolls, pays or shows a card"),
        (
            ("red cash 5", "red owes 50 to blue"),
            "Red owes Blue $50 and has to find the money",
        ),
        (("doubles 1",), "Red rolled doubles and rolls again"),
    ],
)
def test_everybody_reads_what_is_waited_for(given: tuple[str, ...], said: str) -> None:
    table = Guided("classic").given(*given)
    assert awaited(table.game) == said


def test_an_auction_tells_its_leader() -> None:
    table = Guided("classic").given("red on 39", "stage buy")
    table.give(m.PutUp(by="red"))
    assert awaited(table.game) == "Auction: who bids for Boardwalk?"
    table.give(m.Bid(by="blue", amount=40))
    assert awaited(table.game) == "Auction: Blue bids $40 for Boardwalk"


def test_the_end_names_who_won() -> None:
    table = Guided("classic").given("red owns boardwalk")
    table.give(m.CallTime(by=c.TABLE))
    assert awaited(table.game) == "The game is over, since the time is up: Red won"
    assert [player.seat for player in seen(table).winners] == ["red"]


def test_a_vault_tells_what_lies_in_it_and_which_streets_are_locked() -> None:
    table = Guided("secret-vault")
    view = board_view(table.game, builtin("secret-vault").groups)
    assert view is not None
    contents = table.at.vault_contents
    assert contents is not None
    assert (contents.keys, contents.hotels) == (1, 1)
    assert view.inside == "1 key, 1 hotel"
    rules = table.game.board.rules
    locked = {deed.space for deed in rules.deeds if deed.is_locked}
    assert locked
    assert {x.number for x in view.spaces if x.note == "locked"} == locked


def test_every_stage_of_the_vault_is_said() -> None:
    table, dice, stages = Guided("secret-vault", 3), random.Random(7), {}
    for _ in range(600):
        if table.at.base == "over":
            break
        stages[table.at.stage] = awaited(table.game)
        try:
            table.give(random_move(dice, table.game))
        except Refused:
            continue
    assert {"guess", "refill"} <= set(stages)
    assert not [text for text in stages.values() if "it is" in text.lower()]


def test_who_left_is_still_named() -> None:
    table = Guided("classic", 3)
    table.give(m.Resign(by="blue"))
    view = seen(table)
    assert [(player.name, player.is_out) for player in view.players] == [
        ("Red", False), ("Blue", True), ("Green", False),
    ]  # fmt: skip
    assert {token.player.seat for token in view.tokens} == {"red", "green"}


def test_buildings_of_any_kind_are_counted_in_words() -> None:
    assert buildings_text("house", 1) == "1 house"
    assert buildings_text("hotel", 2) == "2 hotels"
    assert buildings_text("lighthouse", 2) == "2 lighthouses"


def side_or_none(table: Guided, seat: str) -> StripView | None:
    board = board_view(table.game, GROUPS)
    assert board is not None
    return strip_view(table.game, GROUPS, board, seat)


def side(table: Guided, seat: str) -> StripView:
    strip = side_or_none(table, seat)
    assert strip is not None
    return strip


def test_a_strip_is_the_side_with_both_corners_and_all_who_stand_there() -> None:
    table = Guided("classic", 4).given("red on 13", "blue on 10", "green on 20")
    strip = side(table, "red")
    assert [space.number for space in strip.spaces] == list(range(10, 21))
    assert strip.here.number == 13
    assert {token.player.seat for token in strip.tokens} == {"red", "blue", "green"}
    assert [space.number for space in side(table, "blue").spaces] == list(range(10, 21))
    assert [space.number for space in side(table, "green").spaces] == list(
        range(20, 31)
    )


def test_the_last_side_ends_on_go() -> None:
    table = Guided("classic").given("red on 39")
    numbers = [space.number for space in side(table, "red").spaces]
    assert numbers == [*range(30, 40), 0]
    assert "blue" in {token.player.seat for token in side(table, "red").tokens}


def test_a_strip_says_the_price_the_rent_or_that_there_is_none() -> None:
    table = Guided("classic").given(
        "red on 35",
        "blue owns boardwalk park-place short-line",
        "boardwalk houses 1",
        "park-place houses 1",
        "short-line mortgaged",
        "red owns pacific-avenue",
    )
    notes = {space.name: space.note for space in side(table, "red").spaces}
    assert notes["Boardwalk"] == "$200"
    assert notes["Park Place"] == "$175"
    assert notes["Short Line"] == "mortgaged"
    assert notes["Pacific Avenue"] == ""
    assert notes["North Carolina Avenue"] == "$300"
    assert notes["Luxury Tax"] == "$100"
    table.given("blue on 38")
    mine = {space.name: space.note for space in side(table, "blue").spaces}
    assert mine["Boardwalk"] == ""


def test_a_utility_of_somebody_else_costs_times_the_dice() -> None:
    table = Guided("classic").given("red on 11", "blue owns electric-company")
    notes = {space.name: space.note for space in side(table, "red").spaces}
    assert notes["Electric Company"] == "4 \N{MULTIPLICATION SIGN} dice"


def test_without_a_token_there_is_no_side() -> None:
    table = Guided("classic", 3).given("green bankrupt")
    assert side_or_none(table, "green") is None
    assert side_or_none(table, "") is None
    assert side_or_none(table, "bank") is None


@pytest.mark.parametrize("seed", range(3))
def test_in_any_game_every_seat_is_on_its_side(seed: int) -> None:
    table, dice = Guided("classic", 4), random.Random(seed)
    for step in table.play_on(dice, moves=200):
        if step % 10:
            continue
        for token in table.at.tokens:
            strip = side_or_none(table, token.seat)
            if token.is_out:
                assert strip is None
                continue
            assert strip is not None
            assert strip.here.number == token.space
            assert token.seat in {token.player.seat for token in strip.tokens}
