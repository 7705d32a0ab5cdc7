"""What a space would cost or bring, checked against what then happens there."""

from __future__ import annotations

import pytest

from companion.edition import builtin
from companion.game import Game
from companion.game import moves as m
from companion.rules import decide, legal_moves
from companion.views.reach import Goal, Goals, Stop, choice_goals, ticket_goals
from tests.guided import Guided
from tests.sample import each

GROUPS = builtin("mega").groups
OWNED = (
    "blue owns boardwalk park-place gas-company",
    "blue owns oriental-avenue",
    "blue owns vermont-avenue",
    "red tickets 2",
)


def table(*lines: str) -> Guided:
    return Guided("mega", 3).given(*OWNED, *lines)


def by_name(all_of_them: Goals | None) -> dict[str, Stop]:
    assert all_of_them is not None
    stops = [goal.stop for group in all_of_them.groups for goal in group.goals]
    return {stop.name: stop for stop in stops}


def goals_in(all_of_them: Goals) -> list[Goal]:
    return [goal for group in all_of_them.groups for goal in group.goals]


def said(stop: Stop) -> tuple[str, str, int | None, str]:
    return stop.sort, stop.words, stop.amount, stop.sign


def test_a_ticket_lists_every_space_of_the_side_with_what_it_means() -> None:
    choices = by_name(ticket_goals(table("red on 4").game, GROUPS, "red"))
    assert [x.number for x in choices.values()] == list(range(5, 14))
    assert {name: said(one) for name, one in choices.items()} == {
        "Income Tax": ("costs", "Tax to the bank", 200, "-"),
        "Reading Railroad": ("buy", "For sale", 200, ""),
        "Massachusetts Avenue": ("buy", "For sale", 100, ""),
        "Oriental Avenue": ("costs", "Rent to Blue", 6, "-"),
        "Chance": ("brings", "You draw a card", None, ""),
        "Gas Company": (
            "costs",
            "You roll and pay Blue 4 times as much",
            None,
            "",
        ),
        "Vermont Avenue": ("costs", "Rent to Blue", 6, "-"),
        "Connecticut Avenue": ("buy", "For sale", 120, ""),
        "Jail / Just Visiting": ("rest", "Just visiting", None, ""),
    }


@each(
    ("lines", "space", "expected"),
    [
        (("red on 40", "red owns pacific-avenue"), "GO", ("brings", "Your salary")),
        (("red on 30",), "Go To Jail", ("jail", "Your turn is over")),
        (("red on 30",), "Bus Ticket", ("brings", "You draw a bus ticket")),
        (
            ("red on 30", "bank tickets 0"),
            "Bus Ticket",
            ("rest", "No bus tickets are left"),
        ),
        (
            ("red on 40",),
            "Birthday Gift",
            ("brings", "From the bank, or a bus ticket"),
        ),
        (("red on 40", "bank tickets 0"), "Birthday Gift", ("brings", "From the bank")),
        (
            ("red on 40", "boardwalk mortgaged"),
            "Boardwalk",
            ("rest", "Mortgaged by Blue: no rent"),
        ),
        (
            ("red on 40", "boardwalk owner red"),
            "Boardwalk",
            ("rest", "It is yours"),
        ),
        (
            ("red on 13",),
            "Auction",
            ("brings", "You pick a deed, and all bid for it"),
        ),
        (("red on 20",), "Free Parking", ("rest", "Nothing happens there")),
    ],
)
def test_each_kind_of_space_says_what_happens_there(lines, space, expected) -> None:
    stop = by_name(ticket_goals(table(*lines).game, GROUPS, "red"))[space]
    assert (stop.sort, stop.words) == expected


def test_too_little_money_and_ones_own_share_are_noted() -> None:
    choices = by_name(
        ticket_goals(
            table("red on 4", "red cash 50", "red owns massachusetts-avenue").game,
            GROUPS,
            "red",
        )
    )
    assert choices["Connecticut Avenue"].note == "You have $50: too little"
    assert choices["Reading Railroad"].note == "You have $50: too little"
    choices = by_name(
        ticket_goals(
            table("red on 4", "red owns massachusetts-avenue").game,
            GROUPS,
            "red",
        )
    )
    assert choices["Connecticut Avenue"].note == "You have 1 of 4"


def test_once_all_is_owned_the_auction_space_leads_to_the_highest_rent() -> None:
    game = table("red on 13")
    game.given("blue owns " + " ".join(x.id for x in game.game.board.rules.deeds))
    game.given("boardwalk houses 4", "park-place houses 4")
    stop = by_name(ticket_goals(game.game, GROUPS, "red"))["Auction"]
    assert said(stop) == ("costs", "On to your highest rent: Boardwalk", 1_700, "-")


@pytest.mark.parametrize(
    ("blue", "green", "start", "roll"),
    [
        ("pennsylvania-railroad", "b-and-o-railroad", 21, (2, 2, 2)),
        ("gas-company", "park-place", 21, (3, 3, 3)),
        ("gas-company", "park-place", 21, (1, 1, 1)),
    ],
)
def test_the_highest_rent_is_the_one_that_the_auction_space_leads_to(
    blue, green, start, roll
) -> None:
    """Of equal rents, the one that is closer to the Auction space, not to the token."""
    table = Guided("mega", 3)
    deeds = " ".join(x.id for x in table.game.board.rules.deeds)
    table.given(f"red owns {deeds}", f"{blue} owner blue", f"{green} owner green")
    table.given(f"red on {start}")
    table.give(m.Roll(by="red", dice=roll))
    stop = by_name(choice_goals(table.game, GROUPS, "red"))["Auction"]
    table.give(m.Choose(by="red", word="auction"))
    name = table.game.board.rules.spaces[table.at.token_of("red").space].name
    assert stop.words == f"On to your highest rent: {name}"
    assert stop.amount == table.at.claims[-1].amount


def test_a_ticket_to_the_auction_space_forgets_the_last_roll() -> None:
    """No dice were rolled: a utility counts as with seven to find the highest rent."""
    table = Guided("mega", 3)
    deeds = " ".join(x.id for x in table.game.board.rules.deeds)
    table.given(f"red owns {deeds}", "gas-company owner blue", "park-place owner blue")
    table.given("red tickets 1", "red on 0")
    table.give(m.Roll(by="red", dice=(6, 6, 1)))
    stop = by_name(ticket_goals(table.game, GROUPS, "red"))["Auction"]
    table.give(m.UseTicket(by="red", space="auction"))
    name = table.game.board.rules.spaces[table.at.token_of("red").space].name
    assert stop.words == f"On to your highest rent: {name}"
    assert stop.amount == table.at.claims[-1].amount


def test_nobody_rides_without_a_ticket_or_from_jail_or_out_of_turn() -> None:
    assert ticket_goals(table("red tickets 0").game, GROUPS, "red") is None
    assert ticket_goals(table("red jailed 0").game, GROUPS, "red") is None
    assert ticket_goals(table("turn blue").game, GROUPS, "red") is None
    assert (
        ticket_goals(Guided("classic").game, builtin("classic").groups, "red") is None
    )


@each("start", range(0, 52, 3))
def test_what_a_ticket_is_said_to_cost_is_what_it_costs(start: int) -> None:
    """Go to each space by the rules, and compare the money with what was said."""
    game = table(f"red on {start}", "turn red").game
    all_rides = ticket_goals(game, GROUPS, "red")
    if all_rides is None:  # The token stands in jail.
        return
    for one in goals_in(all_rides):
        events = decide(game, m.UseTicket(by="red", space=one.word))
        paid = [x for x in events if type(x).__name__ == "MoneyMoved"]
        got = sum(x.amount if x.payee == "red" else -x.amount for x in paid)
        stop, due = one.stop, 0
        if stop.sort == "costs" and not stop.words.startswith("Rent"):
            due = -(stop.amount or 0)
        salary = stop.amount or 0 if stop.kind == "go" else 0
        assert got == stop.salary + salary + due, stop
        owed = [x.amount for x in events if type(x).__name__ == "RentFellDue"]
        if stop.words.startswith("Rent"):
            assert owed == [stop.amount], stop
        else:
            assert owed == [], stop


def alike() -> Game:
    play = table("red on 20")
    play.give(m.Roll(by="red", dice=(2, 2, 2)))
    return play.game


def test_three_alike_offer_the_whole_board_by_what_it_brings() -> None:
    game = alike()
    choices = choice_goals(game, GROUPS, "red")
    assert choices is not None
    assert (choices.verb, choices.field) == ("choose", "word")
    sorts = dict.fromkeys(group.sort for group in choices.groups)
    assert list(sorts) == ["buy", "brings", "rest", "costs", "jail"]
    offered = {x.word for x in legal_moves(game, "red") if isinstance(x, m.Choose)}
    assert {x.word for x in goals_in(choices)} == offered
    assert len(offered) == 52
    first = choices.groups[0].goals[0].stop
    assert (first.name, first.salary) == ("St. James Place", 0)
    behind = by_name(choices)["Maryland Avenue"]
    assert behind.salary == 200
    assert by_name(choices)["Go To Jail"].salary == 0
    assert by_name(choices)["GO"].salary == 0


def test_many_deeds_for_sale_are_listed_by_their_groups_ones_own_first() -> None:
    play = table("red on 20", "red owns baltic-avenue illinois-avenue")
    play.give(m.Roll(by="red", dice=(2, 2, 2)))
    choices = choice_goals(play.game, GROUPS, "red")
    assert choices is not None
    sold = [group for group in choices.groups if group.band is not None]
    assert [group.words for group in sold[:2]] == ["Red", "Brown"]
    assert [group.note for group in sold[:3]] == [
        "You have 1 of 4",
        "You have 1 of 3",
        "",
    ]
    assert all(x.stop.band == group.band for group in sold for x in group.goals)
    assert sold[0].prices == (220, 240)
    assert len(choices.groups) <= 14, "two screens of a small phone"


def test_few_deeds_for_sale_stay_one_list() -> None:
    owned = " ".join(
        deed.id for deed in builtin("mega").deeds if deed.id != "baltic-avenue"
    )
    play = Guided("mega", 3).given(f"blue owns {owned}", "red on 20")
    play.give(m.Roll(by="red", dice=(2, 2, 2)))
    choices = choice_goals(play.game, GROUPS, "red")
    assert choices is not None
    first = choices.groups[0]
    assert (first.words, first.band, len(first.goals)) == ("For sale", None, 1)


def test_a_utility_by_three_alike_costs_what_the_white_dice_say() -> None:
    assert said(by_name(choice_goals(alike(), GROUPS, "red"))["Gas Company"]) == (
        "costs",
        "Rent to Blue",
        16,
        "-",
    )


def test_an_auction_lists_what_nobody_owns_and_nobodys_token_moves() -> None:
    play = table("red on 10", "red owns baltic-avenue")
    play.give(m.Roll(by="red", dice=(1, 2, 1)))
    choices = choice_goals(play.game, GROUPS, "red")
    assert choices is not None
    assert len(goals_in(choices)) == 37 - 6
    stop = by_name(choices)["Arctic Avenue"]
    assert said(stop) == ("buy", "Brown", 80, "")
    assert stop.note == "You have 1 of 3"
    assert stop.salary == 0


def test_a_card_lists_the_streets_that_it_can_be_used_on_with_band_and_price() -> None:
    play = Guided("crooked-cash", 2)
    play.given("red owns boardwalk park-place states-avenue", "red on 35")
    play.give(m.Roll(by="red", dice=(1, 2)), m.Draw(by="red", card="chest-kind-4"))
    choices = choice_goals(play.game, builtin("crooked-cash").groups, "red")
    assert choices is not None
    assert (choices.verb, choices.field) == ("choose", "word")
    assert [shown(x) for x in goals_in(choices)] == [
        ("states-avenue", "Pink", 140, "You have 1 of 3"),
        ("park-place", "Dark blue", 350, "You have 2 of 2"),
        ("boardwalk", "Dark blue", 400, "You have 2 of 2"),
    ]


def test_a_card_with_nothing_left_to_pick_lists_nothing() -> None:
    play = Guided("crooked-cash", 2).given("red on 35")
    play.give(m.Roll(by="red", dice=(1, 2)), m.Draw(by="red", card="chest-kind-4"))
    assert choice_goals(play.game, builtin("crooked-cash").groups, "red") is None


def test_a_key_lists_the_locked_streets_with_their_bands() -> None:
    play = Guided("secret-vault", 2).given("red owns vermont-avenue")
    play.give(m.Roll(by="red", dice=(4,), special="vault"))
    play.give(m.Guess(by="red", number=3, is_right=True))
    choices = choice_goals(play.game, builtin("secret-vault").groups, "red")
    assert choices is not None
    assert (choices.verb, choices.field) == ("unlock", "deed")
    assert [shown(x) for x in goals_in(choices)] == [
        ("st-james-place", "Orange", None, ""),
        ("ventnor-avenue", "Yellow", None, ""),
        ("boardwalk", "Dark blue", None, ""),
    ]
    offered = {x.deed for x in legal_moves(play.game, "red") if isinstance(x, m.Unlock)}
    assert {x.word for x in goals_in(choices)} == offered


def shown(goal: Goal) -> tuple[str, str, int | None, str]:
    """Return the word of a deed, its colour, its price, and the share that one has."""
    assert goal.stop.band is not None
    return goal.word, goal.stop.band.name, goal.stop.amount, goal.stop.note


def test_nothing_is_picked_at_any_other_time() -> None:
    assert choice_goals(table().game, GROUPS, "red") is None
    assert choice_goals(alike(), GROUPS, "blue") is None
