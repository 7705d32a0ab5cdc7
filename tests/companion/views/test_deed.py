"""A deed shows the rent that is charged, and the buttons that the rules allow."""

from __future__ import annotations

import random

import msgspec
import pytest

from companion.edition import builtin
from companion.edition.snapshot import snapshot
from companion.game import Game
from companion.game import commands as c
from companion.game import deed_events as d
from companion.game import moves as m
from companion.game.commands import address_of
from companion.game.move_run import MoveRun
from companion.game.play_events import RentFellDue
from companion.rules import legal_moves
from companion.rules.buildings import level_after
from companion.rules.rule import Range
from companion.rules.walking import land
from companion.views.deed import (
    DeedView,
    Estate,
    can_type,
    deed_view,
    estate_of,
)
from companion.views.space import band_of
from companion.views.turn_buttons import Button
from tests.guided import Guided
from tests.sample import each
from tests.scene import Play

GROUPS = builtin("classic").groups
VAULT_GROUPS = builtin("secret-vault").groups
EDITIONS = ("classic", "grab-and-go", "secret-vault")


def shown(table: Play, seat: str = "red", owner: str = "") -> Estate:
    return estate_of(table.game, GROUPS, seat, owner)


def deed(table: Play, deed_id: str, seat: str = "red") -> DeedView:
    return deed_view(table.game, GROUPS, seat, deed_id)


def words(buttons: tuple[Button, ...]) -> list[str]:
    return [str(button.words) for button in buttons]


def now(view: DeedView) -> tuple[str, int | None]:
    (step,) = [step for step in view.rent.steps if step.is_now]
    return str(step.words), step.amount


WHY: tuple[tuple[str, tuple[str, ...], str, str, int], ...] = (
    (
        "boardwalk",
        ("red owns boardwalk",),
        "1 of 2 in the group",
        "Without buildings",
        50,
    ),
    (
        "boardwalk",
        ("red owns boardwalk park-place",),
        "Full group: double",
        "Whole group",
        100,
    ),
    (
        "boardwalk",
        ("red owns boardwalk park-place", "boardwalk houses 2", "park-place houses 1"),
        "2 houses here",
        "2 houses",
        600,
    ),
    (
        "boardwalk",
        ("red owns boardwalk park-place", "boardwalk hotels 1", "park-place houses 4"),
        "1 hotel here",
        "1 hotel",
        2_000,
    ),
    (
        "short-line",
        ("red owns short-line reading-railroad",),
        "2 railroads",
        "2 railroads",
        50,
    ),
    ("water-works", ("red owns water-works",), "1 utility: times the dice",
     "1 utility", 4),
    ("water-works", ("red owns water-works electric-company",),
     "2 utilities: times the dice", "2 utilities", 10),
)  # fmt: skip


@each(("deed_id", "given", "why", "step", "amount"), WHY)
def test_the_rent_that_applies_is_picked_out_and_explained(
    deed_id: str, given: tuple[str, ...], why: str, step: str, amount: int
) -> None:
    view = deed(Guided("classic").given(*given), deed_id)
    assert view.rent.is_due
    assert view.rent.why == why
    assert view.rent.amount == amount
    assert now(view) == (step, amount)


NOTHING = (
    ("boardwalk", (), "The bank has it: no rent"),
    (
        "boardwalk",
        ("red owns boardwalk", "boardwalk mortgaged"),
        "Mortgaged: no rent",
    ),
)


@pytest.mark.parametrize(("deed_id", "given", "why"), NOTHING)
def test_where_no_rent_is_due_no_step_is_picked_out(
    deed_id: str, given: tuple[str, ...], why: str
) -> None:
    view = deed(Guided("classic").given(*given), deed_id)
    assert view.rent.why == why
    assert (view.rent.is_due, view.rent.amount) == (False, None)
    assert not any(step.is_now for step in view.rent.steps)


def test_a_ladder_says_every_step_of_the_rulebook() -> None:
    steps = deed(Guided("classic"), "boardwalk").rent.steps
    assert [(str(step.words), step.amount) for step in steps] == [
        ("Without buildings", 50),
        ("Whole group", 100),
        ("1 house", 200),
        ("2 houses", 600),
        ("3 houses", 1_400),
        ("4 houses", 1_700),
        ("1 hotel", 2_000),
    ]


def charged(game: Game, at: int) -> int | None:
    """Return the rent that the rules charge another seat there; 0 for none."""
    play, board = game.play, game.board
    assert play is not None
    assert board is not None
    visitor = next(x for x in play.tokens if not x.is_out and x.seat != play.owners[at])
    tokens = tuple(
        msgspec.structs.replace(x, space=board.rules.deeds[at].space)
        if x == visitor
        else x
        for x in play.tokens
    )
    there = msgspec.structs.replace(play, tokens=tokens, dice=(1, 2))
    run = MoveRun(msgspec.structs.replace(game, play=there))
    land(run, visitor.seat)
    due = [event for event in run.events if isinstance(event, RentFellDue)]
    return due[0].amount if due else 0


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_rent_shown_is_the_rent_charged_in_random_games(edition: str) -> None:
    groups = builtin(edition).groups
    for seed in range(2):
        dice, table = random.Random(seed), Guided(edition, 3)
        for step in table.play_on(dice, moves=120):
            if step % 8:
                continue
            game = table.game
            assert game.board is not None
            for at, owner in enumerate(table.at.owners):
                if not owner:
                    continue
                view = deed_view(game, groups, owner, game.board.rules.deeds[at].id)
                rent = view.rent
                expected = charged(game, at)
                if not rent.is_due:
                    assert expected == 0, (seed, step, view.name)
                elif rent.amount is None:
                    assert expected is None, (seed, step, view.name)
                else:
                    times = 3 if rent.is_times else 1
                    assert rent.amount * times == expected, (seed, step, view.name)
                picked = [x.amount for x in rent.steps if x.is_now]
                assert picked == ([rent.amount] if rent.is_due else [])


# Buttons.


def moves_of(game: Game, seat: str) -> set[tuple[str, tuple[tuple[str, str], ...]]]:
    """Legal moves about deeds, as a form would say them; equal ones once."""
    play, board = game.play, game.board
    assert play is not None
    assert board is not None
    kinds = (m.Build, m.Mortgage, m.LiftMortgage, m.Unbuild)
    found = set()
    for move in legal_moves(game, seat):
        if isinstance(move, Range) or type(move) not in kinds:
            continue
        fields: tuple[tuple[str, str], ...] = (("deed", move.deed),)  # type: ignore[attr-defined]
        if isinstance(move, m.Unbuild) and move.is_all:
            at = board.index[move.deed]
            if level_after(board, play, at, is_all=False) == 0:
                continue
            fields += (("is_all", "yes"),)
        found.add((address_of(type(move)), fields))
    return found


@pytest.mark.parametrize("edition", EDITIONS)
def test_buttons_are_the_legal_moves_and_nothing_else(edition: str) -> None:
    groups = builtin(edition).groups
    for seed in range(2):
        dice, table = random.Random(seed), Guided(edition, 3)
        for step in table.play_on(dice, moves=120):
            if step % 8:
                continue
            for seat in ("red", "blue", "green"):
                pressed = {
                    (button.verb, button.fields)
                    for group in estate_of(table.game, groups, seat).groups
                    for deed in group.deeds
                    for button in deed.buttons
                    if button.verb not in ("want-building", "unlock")
                }
                assert pressed == moves_of(table.game, seat), (seed, step, seat)


def test_each_button_says_what_it_costs_or_brings() -> None:
    table = Guided("classic").given(
        "red owns boardwalk park-place short-line",
        "boardwalk houses 1",
        "short-line mortgaged",
    )
    assert words(deed(table, "park-place").buttons) == ["Build for $200"]
    assert words(deed(table, "boardwalk").buttons) == ["Sell: +$100"]
    (lift,) = deed(table, "short-line").buttons
    assert (lift.words, lift.note) == ("Lift for $110", "$10 of it interest")
    table.given("blue owns water-works")
    assert words(deed(table, "water-works", "blue").buttons) == ["Mortgage: +$75"]
    assert deed(table, "water-works", "red").buttons == ()


def test_the_last_buildings_can_be_asked_for() -> None:
    table = Guided("classic").given("red owns boardwalk park-place")
    verbs = {button.verb for button in deed(table, "boardwalk").buttons}
    assert verbs == {"build", "mortgage"}
    table.given("bank houses 1")
    verbs = {button.verb for button in deed(table, "boardwalk").buttons}
    assert verbs == {"build", "mortgage", "want-building"}


def test_a_claim_to_one_of_the_last_buildings_stands_on_the_deed() -> None:
    table = Guided("classic").given(
        "red owns boardwalk park-place",
        "blue owns oriental-avenue vermont-avenue connecticut-avenue",
        "bank houses 1",
    )
    table.give(m.WantBuilding(by="red", deed="boardwalk"))
    assert "You asked for one of the last buildings" in deed(table, "boardwalk").reasons
    verbs = {button.verb for button in deed(table, "vermont-avenue", "blue").buttons}
    assert verbs == {"want-building", "mortgage"}  # It is Red's, unless both ask.


REASONS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    (
        "boardwalk",
        ("red owns boardwalk",),
        ("To build you need Park Place too. Buy it when you land there.",),
    ),
    (
        "oriental-avenue",
        ("red owns oriental-avenue",),
        ("To build you need the whole group. Buy what is missing, or trade for it.",),
    ),
    (
        "boardwalk",
        ("red owns boardwalk park-place", "park-place mortgaged"),
        ("Park Place is mortgaged. Lift the mortgages of the group, then build.",),
    ),
    (
        "boardwalk",
        ("red owns boardwalk park-place", "boardwalk houses 1"),
        ("Park Place comes first. Build there, then here.",),
    ),
    (
        "park-place",
        ("red owns boardwalk park-place", "boardwalk houses 1"),
        ("Boardwalk has buildings. Sell the buildings of the group, then mortgage.",),
    ),
    (
        "boardwalk",
        ("red owns boardwalk park-place", "red cash 90"),
        ("You have $90; this costs $200. Raise $110 first.",),
    ),
    (
        "boardwalk",
        ("red owns boardwalk park-place", "bank houses 0"),
        ("The bank is out of houses. Wait until some come back.",),
    ),
    (
        "short-line",
        ("red owns short-line", "short-line mortgaged", "red cash 9"),
        ("You have $9; this costs $110. Raise $101 first.",),
    ),
    ("short-line", ("red owns short-line",), ()),
)


@each(("deed_id", "given", "reasons"), REASONS)
def test_where_something_is_not_allowed_the_deed_says_why(
    deed_id: str, given: tuple[str, ...], reasons: tuple[str, ...]
) -> None:
    table = Guided("classic").given(*given)
    assert deed(table, deed_id).reasons == reasons
    assert deed(table, deed_id, "blue").reasons == ()


def test_a_full_street_says_that_nothing_more_fits() -> None:
    table = Guided("classic").given(
        "red owns boardwalk park-place", "boardwalk hotels 1", "park-place hotels 1"
    )
    view = deed(table, "boardwalk")
    assert view.reasons == ("Nothing more fits on Boardwalk. Build somewhere else.",)
    assert words(view.buttons) == ["Sell: +$100", "Sell all: +$500"]


# Other ladders.


def tall() -> Play:
    """Classic with skyscrapers, and rents for all but one street of a group."""
    found = builtin("classic")
    rules = snapshot(found)
    deeds = tuple(
        msgspec.structs.replace(
            deed,
            rent_group=None,
            ladder=(*deed.ladder, "skyscraper"),
            costs=(*deed.costs, 300),
            rents=(*deed.rents, 5_000),
        )
        if deed.ladder
        else deed
        for deed in rules.deeds
    )
    rules = msgspec.structs.replace(
        rules,
        deeds=deeds,
        pieces=(*rules.pieces, ("skyscraper", 8)),
        rent=msgspec.structs.replace(
            rules.rent, full_group_times=3, all_but_one_times=2
        ),
        buildings=msgspec.structs.replace(rules.buildings, build_when="all-but-one"),
    )
    table = Play("red", "blue")
    table.give(m.BeginPlay(by=c.TABLE, rules=rules))
    return table


def agreed(table: Play, *lines: str) -> Play:
    for line in lines:
        words = tuple(line.split())
        table.give(m.CorrectPosition(by=c.TABLE, words=words, is_given=True))
    return table


def test_a_longer_ladder_and_more_kinds_of_rent_are_shown_as_they_are() -> None:
    table = agreed(tall(), "red owns oriental-avenue vermont-avenue")
    view = deed(table, "oriental-avenue")
    assert view.rent.why == "All but one of the group: double"
    assert now(view) == ("All but one", 12)
    assert [str(step.words) for step in view.rent.steps][-2:] == [
        "1 hotel",
        "1 skyscraper",
    ]
    assert view.costs[-1] == ("skyscraper", 300)
    assert words(view.buttons) == ["Build for $50", "Mortgage: +$50"]
    agreed(table, "red owns connecticut-avenue")
    view = deed(table, "oriental-avenue")
    assert view.rent.why == "Full group: triple"
    assert now(view) == ("Whole group", 18)


def test_the_step_above_a_hotel_is_built_like_any_other() -> None:
    table = agreed(
        tall(),
        "red owns boardwalk park-place",
        "boardwalk hotels 1",
        "park-place hotels 1",
    )
    build = deed(table, "boardwalk").buttons[0]
    assert (build.words, build.note) == ("Build for $300", "a skyscraper")
    table.give(m.Build(by="red", deed="boardwalk"))
    view = deed(table, "boardwalk")
    assert view.pieces == (("skyscraper", 1),)
    assert now(view) == ("1 skyscraper", 5_000)


# All of them.


def held(estate: Estate) -> list[str]:
    return [deed.id for group in estate.groups for deed in group.held]


def test_a_wallet_holds_ones_own_deeds_beside_what_lacks_of_their_groups() -> None:
    table = Guided("classic").given(
        "red owns boardwalk short-line mediterranean-avenue baltic-avenue",
        "blue owns park-place",
    )
    estate = shown(table, owner="red")
    assert estate.is_mine
    names = [group.band.name for group in estate.groups]
    assert names == ["Brown", "Railroads", "Dark blue"]
    assert [group.is_whole for group in estate.groups] == [True, False, False]
    dark = estate.groups[-1]
    owners = [(deed.id, deed.owner) for deed in dark.deeds]
    assert owners == [("park-place", "blue"), ("boardwalk", "red")]
    assert [deed.id for deed in dark.held] == ["boardwalk"]
    assert estate.deed_count == {"bank": 23, "red": 4, "blue": 1}
    blues = shown(table, owner="blue")
    assert (held(blues), blues.is_mine) == (["park-place"], False)
    assert len(held(shown(table, owner="bank"))) == 23
    everybodys = shown(table)
    assert (len(held(everybodys)), everybodys.is_mine) == (28, False)
    banks = [group for group in everybodys.groups if group.band.name == "Orange"]
    assert not banks[0].is_whole
    assert not shown(table, owner="green").groups


def test_why_no_more_can_be_done_is_said_once_for_a_group() -> None:
    table = Guided("classic").given("red owns boardwalk park-place", "red cash 4000")
    table.give(m.Build(by="red", deed="boardwalk"))
    (group,) = shown(table, owner="red").groups
    reasons = {str(reason): on for reason, on in group.reasons.items()}
    ahead = "Park Place comes first. Build there, then here."
    assert reasons[ahead] == "Boardwalk"
    assert group.rules
    table.give(c.CloseGame(by=c.TABLE))
    assert shown(table, owner="red").groups[0].reasons == {}
    table = Guided("classic").given("red owns reading-railroad short-line")
    table = Guided("classic").given("red owns states-avenue virginia-avenue")
    (group,) = shown(table, owner="red").groups
    assert [*group.reasons.values()] == [""]


def test_the_banks_box_is_counted() -> None:
    table = Guided("classic").given(
        "red owns boardwalk park-place", "boardwalk houses 3", "park-place houses 2"
    )
    stock = {one.kind: (one.left, one.total) for one in shown(table).stock}
    assert stock == {"house": (27, 32), "hotel": (12, 12)}


def test_a_seat_that_has_to_wait_is_told_what_for() -> None:
    table = Guided("classic").given("blue owns boardwalk")
    assert shown(table, "blue").waits == ""
    table.give(m.Roll(by="red", dice=(1, 2)))
    assert shown(table, "blue").waits == "Red may buy Baltic Avenue for $60"
    assert shown(table, "red").waits == ""  # It has no deed to touch.
    assert deed(table, "boardwalk", "blue").reasons == ()


def test_nothing_is_built_once_it_is_over_or_put_away() -> None:
    table = Guided("classic").given("red owns boardwalk")
    assert shown(table).is_soon
    table.give(m.CallTime(by=c.TABLE))
    assert (shown(table).waits, shown(table).is_soon) == (
        "The game is over, since the time is up: Red won",
        False,
    )
    table = Guided("classic").given("red owns boardwalk")
    table.give(c.CloseGame(by=c.TABLE))
    assert (shown(table).waits, shown(table).is_soon) == (
        "This game was put away. The banker can take it out again.",
        False,
    )
    assert deed(table, "boardwalk").buttons == ()


def test_a_debtor_may_raise_money_and_the_others_wait() -> None:
    table = Guided("classic").given(
        "blue owns boardwalk", "red owns short-line", "red owes 4000 to blue"
    )
    assert shown(table, "red").waits == ""
    assert deed(table, "short-line").buttons
    assert shown(table, "blue").waits.startswith("Red owes Blue")


def test_a_band_tells_its_group_by_name_colour_and_pattern() -> None:
    table = Guided("classic")
    bands = {
        (band.name, band.colour, band.mark)
        for group in shown(table).groups
        for band in (group.band,)
    }
    assert len({name for name, _, _ in bands}) == 10
    assert len({colour for _, colour, _ in bands}) == 10
    assert len({mark for _, _, mark in bands}) == 10


def test_a_group_that_the_edition_does_not_colour_is_grey_and_named() -> None:
    band = band_of((), "sea-green")
    assert (band.name, band.colour, band.ink) == ("Sea green", "#777777", "dark")


def test_unknown_figures_can_be_typed_in() -> None:
    table = Guided("secret-vault")
    view = deed_view(table.game, VAULT_GROUPS, "red", "vermont-avenue")
    assert "mortgage" in [blank.key.rpartition(".")[2] for blank in view.blanks]
    assert view.mortgage is None
    assert can_type(table.game, "red")
    assert not can_type(table.game, "nobody")
    loan, lifting = (blank.key for blank in view.blanks)
    table.give(m.ReadBox(by="red", key=loan, value=80))
    typed = {by: [] for by in ("red", "blue")}
    for by in typed:
        half = deed_view(table.game, VAULT_GROUPS, by, "vermont-avenue")
        typed[by] = [(one.key, one.typed) for one in half.blanks if one.typed]
    assert typed == {"red": [(loan, "$80")], "blue": []}, "who typed it may correct it"
    table.give(m.ReadBox(by="red", key=loan, value=70))
    table.give(m.ReadBox(by="red", key=lifting, value=77))
    again = deed_view(table.game, VAULT_GROUPS, "red", "vermont-avenue")
    assert again.blanks == ()
    assert again.mortgage == 70
    assert not can_type(Guided("classic").game, "red")


def test_hotels_in_the_hand_are_counted_and_placed() -> None:
    table = Guided("secret-vault").given(
        "red owns boardwalk park-place", "red hotels 1"
    )
    estate = estate_of(table.game, VAULT_GROUPS, "red")
    assert estate.hotels == 1
    view = deed_view(table.game, VAULT_GROUPS, "red", "boardwalk")
    assert "build" in [button.verb for button in view.buttons]
    table.give(m.Build(by="red", deed="boardwalk"))
    assert deed_view(table.game, VAULT_GROUPS, "red", "park-place").reasons[-1] == (
        "You have no hotel in your hand. Open the vault for one, or trade."
    )


def test_there_is_no_view_of_a_deed_that_there_is_not() -> None:
    with pytest.raises(KeyError):
        deed(Guided("classic"), "nowhere")


def test_a_deed_that_changed_hands_shows_so_at_once() -> None:
    table = Guided("classic").given("red owns boardwalk")
    table.give(
        m.MakeOffer(
            by="red",
            taker="blue",
            give=d.Bundle(deeds=("boardwalk",)),
            want=d.Bundle(cash=10),
        )
    )
    table.give(m.Accept(by="blue"))
    assert deed(table, "boardwalk").owner == "blue"
    assert deed(table, "boardwalk", "blue").is_mine


def test_a_game_by_hand_shows_no_deeds() -> None:
    table = Guided("classic")
    assert can_type(table.give(m.RestPlay(by=c.TABLE)), "red") is False
