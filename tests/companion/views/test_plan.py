"""A plan for a group: what it costs, what stands against it, and what then happens."""

from __future__ import annotations

from companion.edition import builtin
from companion.game import moves as m
from companion.views.plan import PlanView, plan_moves, plan_view
from tests.guided import Guided
from tests.sample import each

GROUPS = builtin("mega").groups
ORANGE = (
    "st-james-place",
    "tennessee-avenue",
    "new-york-avenue",
    "new-jersey-avenue",
)
BUILT = (
    f"red owns {' '.join(ORANGE[:3])}",
    "st-james-place houses 2",
    "tennessee-avenue houses 2",
    "new-york-avenue houses 3",
)


def plan(table: Guided, *levels: int, seat: str = "red") -> PlanView:
    planned = dict(zip(ORANGE, levels, strict=False))
    return plan_view(table.game, GROUPS, seat, ORANGE[0], planned)


def due(*lines: str) -> Guided:
    """Red has bought the last street of a group on which it has built already."""
    table = Guided("mega").given(*BUILT, "red on 19", *lines)
    table.give(m.Roll(by="red", dice=(1, 2, 3)))
    table.give(m.Buy(by="red"))
    return table


def test_what_stands_there_and_what_shall_is_shown_street_by_street() -> None:
    shown = plan(Guided("mega").given(*BUILT), 3, 3, 3)
    assert [site.id for site in shown.sites] == list(ORANGE[:3])
    assert [site.now for site in shown.sites] == [2, 2, 3]
    assert [site.planned for site in shown.sites] == [3, 3, 3]
    assert shown.sites[0].words_planned == "three houses"
    assert shown.sites[0].steps[-2:] == ("A hotel", "A skyscraper")
    assert [site.name for site in shown.others] == ["New Jersey Avenue"]
    assert (shown.cost, shown.brings, shown.cash_after) == (200, 0, 2_300)
    assert shown.can_send


@each(
    ("levels", "lines", "hint"),
    [
        ((2, 2, 3), (), "Nothing is changed yet. Choose what shall stand where."),
        (
            (4, 2, 3),
            (),
            "St. James Place would be two or more ahead of Tennessee Avenue. "
            "Spread it evenly.",
        ),
        (
            (6, 5, 5),
            (),
            "For a skyscraper you need New Jersey Avenue too. "
            "Buy it when you land there.",
        ),
        (
            (3, 3, 3),
            ("red cash 50",),
            "You have $50; this costs $200. Raise $150 first.",
        ),
        (
            (3, 3, 3),
            ("bank houses 1",),
            "The bank has too few houses for it. Wait until some come back.",
        ),
    ],
)
def test_what_stands_against_a_plan_is_said(levels, lines, hint) -> None:
    shown = plan(Guided("mega").given(*BUILT, *lines), *levels)
    assert shown.hint == hint
    assert not shown.can_send


def test_what_is_sold_brings_half() -> None:
    shown = plan(Guided("mega").given(*BUILT), 0, 0, 0)
    assert (shown.cost, shown.brings, shown.cash_after) == (0, 350, 2_850)


def test_a_street_takes_no_more_than_its_ladder_has() -> None:
    shown = plan(Guided("mega").given(*BUILT), 99, -5, 3)
    assert [site.planned for site in shown.sites] == [6, 0, 3]


def test_a_group_that_has_to_be_even_begins_with_what_the_rules_propose() -> None:
    shown = plan(due())
    assert shown.is_due
    assert [site.planned for site in shown.sites] == [2, 2, 3, 2]
    assert (shown.cost, shown.can_send) == (200, True)
    poor = plan(due("red cash 210"))
    assert [site.planned for site in poor.sites] == [2, 2, 2, 1]
    assert (poor.cost, poor.brings, poor.can_send) == (0, 0, True)


def test_whoever_can_pay_takes_nothing_down() -> None:
    shown = plan(due(), 2, 2, 2, 1)
    assert shown.hint == (
        "You can pay for building up, so nothing is taken down. Build up."
    )
    assert shown.rules


def test_the_plan_that_is_shown_happens_for_what_it_was_said_to_cost() -> None:
    for table in (due(), due("red cash 210")):
        shown = plan(table)
        levels = tuple((site.id, site.planned) for site in shown.sites)
        table.give(m.Level(by="red", levels=levels))
        assert table.game.ledger["red"] == shown.cash_after
        index = table.game.board.index
        assert [table.at.levels[index[x]] for x in ORANGE] == [
            site.planned for site in shown.sites
        ]


def test_nobody_plans_what_is_not_theirs_or_while_others_decide() -> None:
    table = Guided("mega").given(*BUILT)
    wanting = "You build once you have all but one of the group"
    assert plan(table, seat="blue").waits == wanting
    assert plan(Guided("mega").given("red owns st-james-place")).waits == wanting
    assert plan(table).waits == ""
    buying = Guided("mega").given(*BUILT)
    buying.give(m.Roll(by="red", dice=(1, 2), special="bus"))
    buying.given("blue owns new-jersey-avenue boardwalk park-place")
    blues = plan_view(buying.game, GROUPS, "blue", "boardwalk", {})
    assert blues.waits == "Red may buy Baltic Avenue for $60"
    assert plan(buying).waits == ""
    assert plan(buying, 2, 1, 2).can_send, "it raises money for the purchase"
    up = plan(buying, 3, 3, 3)
    assert up.hint == "Nothing is built now: buildings can only be sold. Build later."
    assert not up.can_send


# In a box where one builds street by street.


def classic(*lines: str) -> Guided:
    """Red owns the three orange streets of a smaller board."""
    return Guided("classic").given(f"red owns {' '.join(ORANGE[:3])}", *lines)


def street_by_street(table: Guided, *levels: int) -> PlanView:
    groups = builtin(table.game.terms.edition).groups
    planned = dict(zip(ORANGE, levels, strict=False))
    return plan_view(table.game, groups, "red", ORANGE[0], planned)


def levels_of(table: Guided) -> list[int]:
    index = table.game.board.index
    return [table.at.levels[index[one]] for one in ORANGE[:3]]


@each(
    ("before", "after", "cost", "brings"),
    [
        ((0, 0, 0), (1, 1, 1), 300, 0),
        ((0, 0, 0), (2, 1, 2), 500, 0),
        ((3, 3, 4), (5, 5, 5), 500, 0),
        ((2, 2, 2), (1, 1, 1), 0, 150),
        ((2, 1, 1), (1, 1, 2), 50, 0),
        ((5, 5, 5), (0, 0, 0), 0, 750),
    ],
)
def test_a_plan_is_laid_out_by_moves_that_the_rules_know(
    before, after, cost, brings
) -> None:
    stand = [
        f"{deed} {'hotels 1' if x == 5 else f'houses {x}'}"
        for deed, x in zip(ORANGE, before, strict=False)
        if x
    ]
    table = classic(*stand)
    shown = street_by_street(table, *after)
    assert (shown.cost, shown.brings, shown.hint) == (cost, brings, "")
    plan = m.Level(by="red", levels=tuple(zip(ORANGE, after, strict=False)))
    for move in plan_moves(table.game, plan).moves:
        table.give(move)
    assert levels_of(table) == list(after)
    assert table.game.ledger["red"] == shown.cash_after


@each(
    ("levels", "lines", "hint"),
    [
        ((0, 0, 0), (), "Nothing is changed yet. Choose what shall stand where."),
        (
            (2, 0, 0),
            (),
            "Tennessee Avenue comes first. Build there, then here.",
        ),
        (
            (1, 1, 1),
            ("red cash 250",),
            "You have $50; this costs $100. Raise $50 first.",
        ),
        (
            (1, 1, 1),
            ("tennessee-avenue mortgaged",),
            "Tennessee Avenue is mortgaged. "
            "Lift the mortgages of the group, then build.",
        ),
        (
            (1, 1, 1),
            ("bank houses 2",),
            "The bank is out of houses. Wait until some come back.",
        ),
    ],
)
def test_a_plan_goes_no_further_than_the_rules_of_a_street(levels, lines, hint) -> None:
    shown = street_by_street(classic(*lines), *levels)
    assert shown.hint == hint
    assert not shown.can_send


def test_a_group_is_planned_once_it_is_whole() -> None:
    table = Guided("classic").given(f"red owns {' '.join(ORANGE[:2])}")
    assert street_by_street(table).waits == "You build once you have the whole group"
    table.give(m.Roll(by="red", dice=(1, 2)))
    whole = classic()
    whole.give(m.Roll(by="red", dice=(1, 2)))
    assert street_by_street(whole).waits == ""  # It may sell what stands there.


def test_where_notes_may_be_fake_one_hotel_is_planned_after_another() -> None:
    table = Guided("crooked-cash").given("red owns boardwalk park-place")
    groups = builtin("crooked-cash").groups

    def shown(**levels: int) -> PlanView:
        planned = {name.replace("_", "-"): level for name, level in levels.items()}
        return plan_view(table.game, groups, "red", "boardwalk", planned)

    assert shown().sites[0].steps == ("Nothing", "1 hotel")
    assert shown(boardwalk=1).hint.startswith("Nobody knows the hotel cost")
    for deed in ("boardwalk", "park-place"):
        key = f"deed.{deed}.hotel_cost"
        table.give(m.ReadBox(by="red", key=key, value=200))
    one, two = shown(boardwalk=1), shown(boardwalk=1, park_place=1)
    assert (one.cost, one.hint) == (200, "")
    assert two.hint == (
        "Each building is paid for by itself here. Plan one after another."
    )


def test_hotels_from_the_hand_are_planned_as_far_as_they_go() -> None:
    table = Guided("secret-vault").given(
        "red owns boardwalk park-place", "red hotels 2"
    )
    groups = builtin("secret-vault").groups
    for levels, hint in (
        ({"boardwalk": 2}, ""),
        ({"boardwalk": 1, "park-place": 1}, ""),
        (
            {"boardwalk": 2, "park-place": 1},
            "You have no hotel in your hand. Open the vault for one, or trade.",
        ),
    ):
        shown = plan_view(table.game, groups, "red", "boardwalk", levels)
        assert (shown.hint, shown.cost) == (hint, 0)
