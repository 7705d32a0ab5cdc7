"""What a trade says that it would do is what it does, down to the last dollar."""

from __future__ import annotations

import random

import pytest

from companion.edition import builtin
from companion.errors import Refused, Why
from companion.game import Game
from companion.game import commands as c
from companion.game import moves as m
from companion.game.move_run import MoveRun
from companion.game.position import Bundle, Offer
from companion.rules import decide
from companion.rules.ending import worth
from companion.rules.trade import check_deal
from companion.units import Seat
from companion.views.space import Band
from companion.views.trade import (
    Effect,
    GroupChange,
    OfferView,
    Trade,
    effects_of,
    offers_for,
    open_offers,
    trade_of,
)
from tests.guided import Guided, random_move, random_offer
from tests.sample import each, sampled
from tests.told import RULES

GROUPS = builtin("classic").groups
EDITIONS = ("classic", "grab-and-go", "secret-vault", "crooked-cash")
RED, BLUE, GREEN = Seat("red"), Seat("blue"), Seat("green")


def estate(*lines: str) -> Guided:
    """Three seats with something to trade."""
    return Guided("classic", 3).given(
        "red owns boardwalk short-line", "blue owns park-place water-works", *lines
    )


def draft(give: Bundle, want: Bundle, taker: str = "blue") -> Offer:
    return Offer(RED, Seat(taker), give, want)


def tried(table: Guided, offer: Offer, *, counters: bool = False) -> Trade:
    return trade_of(table.game, GROUPS, offer, counters=counters)


def sent(table: Guided, offer: Offer) -> None:
    table.give(
        m.MakeOffer(by=offer.giver, taker=offer.taker, give=offer.give, want=offer.want)
    )


DARK_BLUE = next(
    Band(one.id, one.name, one.colour, "light", mark)
    for mark, one in enumerate(GROUPS)
    if one.id == "dark-blue"
)
BOARDWALK = Bundle(deeds=("boardwalk",))
PARK_PLACE = Bundle(deeds=("park-place",))


def test_a_trade_shows_both_worths_before_and_after() -> None:
    table = estate()
    offer = draft(Bundle(cash=100), PARK_PLACE)
    trade = tried(table, offer)
    assert trade.can_send
    assert trade.hint == ""
    red, blue = trade.effects
    assert red == Effect(
        seat="red",
        cash_before=1_500,
        cash_after=1_400,
        worth_before=2_100,
        worth_after=2_350,
        interest=0,
        completes=(dark_blue(50, 100),),
        breaks=(),
    )
    assert (blue.cash_after, blue.worth_after) == (1_600, 1_750)


def test_interest_on_what_is_mortgaged_is_shown_before() -> None:
    table = estate("park-place mortgaged")
    red, blue = tried(table, draft(Bundle(cash=100), PARK_PLACE)).effects
    assert (red.interest, red.cash_after) == (18, 1_382)
    assert (blue.interest, blue.cash_after) == (0, 1_600)


def test_a_group_that_one_gives_up_is_named() -> None:
    table = estate("red owns park-place")
    red, blue = tried(table, draft(BOARDWALK, Bundle(cash=9))).effects
    assert (red.breaks, blue.completes) == ((dark_blue(70, 35, "Park Place"),), ())


def dark_blue(was: int, will: int, deed: str = "Boardwalk") -> GroupChange:
    return GroupChange(DARK_BLUE, deed, was, will)


HINTS: tuple[tuple[Bundle, Bundle, tuple[str, ...], str], ...] = (
    (Bundle(), Bundle(), (), "Tap what changes hands"),
    (
        Bundle(cash=10),
        Bundle(),
        (),
        "Money alone is no trade. Add a deed or a card.",
    ),
    (
        Bundle(cash=2_000),
        PARK_PLACE,
        (),
        "You have $1,500; this costs $2,000. Raise $500 first.",
    ),
    (
        PARK_PLACE,
        Bundle(cash=10),
        (),
        "Park Place is not yours. Trade with Blue for it.",
    ),
    (
        Bundle(deeds=("boardwalk",), jail_cards=1),
        Bundle(),
        (),
        "You have no cards to leave jail. Agree on another trade.",
    ),
    (
        BOARDWALK,
        Bundle(),
        ("red owns park-place", "boardwalk houses 1"),
        "Boardwalk has buildings. Sell all buildings of the group first.",
    ),
)


@each(("give", "want", "given", "hint"), HINTS)
def test_what_cannot_be_offered_says_why_before_it_is_sent(
    give: Bundle, want: Bundle, given: tuple[str, ...], hint: str
) -> None:
    trade = tried(estate(*given), draft(give, want))
    assert trade.hint == hint
    assert not trade.can_send
    assert trade.effects == ()


def test_an_offer_that_nobody_can_pay_may_be_sent_but_says_so() -> None:
    trade = tried(estate("blue cash 50"), draft(BOARDWALK, Bundle(cash=300)))
    assert trade.can_send
    assert trade.effects == ()
    assert trade.hint == "Blue has $50; this costs $300. Raise $250 first."


def test_interest_that_cannot_be_paid_is_too_little_money() -> None:
    run = MoveRun(estate("park-place mortgaged", "red cash 100").game)
    refused = check_deal(run, draft(Bundle(cash=90), PARK_PLACE))
    assert refused is not None
    assert refused.why is Why.CANNOT_AFFORD
    assert refused.rule is RULES["mortgage-taken-over"]
    assert refused.message == "red has $100; this costs $108"
    assert check_deal(run, draft(Bundle(cash=82), PARK_PLACE)) is None


def test_the_only_other_seat_is_the_partner_and_one_of_two_is_chosen() -> None:
    two = Guided("classic", 2).given("red owns boardwalk")
    assert tried(two, draft(Bundle(), Bundle(), "")).taker == "blue"
    trade = tried(estate(), draft(Bundle(), Bundle(), ""))
    assert (trade.taker, trade.partners) == ("", ("blue", "green"))
    assert trade.hint == ""
    assert trade.sides == ()
    assert tried(estate(), draft(Bundle(), Bundle(), "red")).taker == ""


def test_both_sides_show_all_that_could_be_traded() -> None:
    table = estate("red owns park-place", "boardwalk houses 1", "red cards jail-card")
    mine, theirs = tried(table, draft(Bundle(deeds=("short-line",)), Bundle())).sides
    blocked = {item.deed.id: item.blocked for item in mine.items}
    assert blocked == {
        "short-line": "",
        "park-place": "Boardwalk has buildings. Sell all buildings of the group first.",
        "boardwalk": "Boardwalk has buildings. Sell all buildings of the group first.",
    }
    assert [item.deed.id for item in mine.items if item.is_chosen] == ["short-line"]
    assert (mine.jail_cards, theirs.jail_cards) == (1, 0)
    assert [item.deed.id for item in theirs.items] == ["water-works"]


def test_trading_waits_while_the_table_waits_for_somebody() -> None:
    table = estate()
    assert tried(table, draft(Bundle(), Bundle())).waits == ""
    table.give(m.Roll(by="red", dice=(1, 2)))
    assert tried(table, draft(Bundle(cash=50), PARK_PLACE)).can_send
    begun = tried(table, Offer(BLUE, RED, Bundle(cash=50), Bundle()))
    assert begun.waits == "Trading waits: Red may buy Baltic Avenue for $60"
    assert begun.sides[0].chosen.cash == 50, "what is half filled stays"
    assert not begun.can_send
    table = estate("red on 7", "stage card")
    drawing = tried(table, draft(Bundle(cash=50), PARK_PLACE))
    assert (drawing.waits, drawing.waits_for_me) == ("Draw a card: Chance", True)
    others = tried(table, Offer(BLUE, RED, Bundle(), Bundle()))
    assert others.waits == "Trading waits: Red draws a card: Chance"
    assert not others.waits_for_me
    assert not drawing.can_send


def test_where_nobody_owns_anything_there_is_nothing_to_trade() -> None:
    waits = tried(Guided("classic"), draft(Bundle(), Bundle())).waits
    assert waits == "Nobody has a deed or a card to trade yet"
    table = estate("red bankrupt")
    past = tried(table, draft(Bundle(), Bundle()))
    assert past.waits == "You are out of the game"
    assert past.partners == ()


def test_nothing_is_traded_once_it_is_over_or_put_away() -> None:
    table = estate()
    table.give(m.CallTime(by=c.TABLE))
    waits = tried(table, draft(Bundle(), Bundle())).waits
    assert waits == "The game is over, since the time is up: Red won"
    table = estate()
    table.give(c.CloseGame(by=c.TABLE))
    assert (
        tried(table, draft(Bundle(), Bundle())).waits
        == "This game was put away. The banker can take it out again."
    )


# Open offers.


def seen(table: Guided, seat: str) -> tuple[OfferView, ...]:
    return offers_for(table.game, GROUPS, seat)


def test_an_offer_is_seen_by_both_and_answered_by_one() -> None:
    table = estate()
    sent(table, draft(BOARDWALK, Bundle(cash=400)))
    (to_blue,) = seen(table, "blue")
    assert to_blue.is_to_me
    assert not to_blue.can_withdraw
    assert (to_blue.can_accept, to_blue.can_reject, to_blue.can_counter) == (True,) * 3
    assert [deed.id for deed in to_blue.give.deeds] == ["boardwalk"]
    assert to_blue.want.cash == 400
    (by_red,) = seen(table, "red")
    assert by_red.is_mine
    assert (by_red.can_accept, by_red.can_reject, by_red.can_counter) == (False,) * 3
    assert by_red.can_withdraw
    assert by_red.effects == to_blue.effects
    assert seen(table, "green") == ()
    assert len(open_offers(table.game, GROUPS, "green")) == 1


def test_an_offer_that_was_open_at_the_end_is_not_asked_about_any_more() -> None:
    table = estate()
    sent(table, draft(BOARDWALK, Bundle(cash=400)))
    assert seen(table, "blue")
    table.give(m.CallTime(by=c.TABLE))
    assert (seen(table, "blue"), seen(table, "red")) == ((), ())


def test_the_latest_offer_is_answered_first() -> None:
    table = estate("green owns states-avenue")
    sent(table, draft(BOARDWALK, Bundle(cash=400)))
    sent(table, Offer(GREEN, BLUE, Bundle(deeds=("states-avenue",)), Bundle(cash=5)))
    first, second = seen(table, "blue")
    assert (first.giver, first.can_accept) == ("green", True)
    assert (second.giver, second.can_accept, second.can_reject) == (
        "red",
        False,
        False,
    )


def test_a_new_offer_takes_the_place_of_the_last_one() -> None:
    table = estate()
    offer = draft(BOARDWALK, Bundle(cash=400))
    assert not tried(table, offer).replaces
    sent(table, offer)
    assert tried(table, offer).replaces
    sent(table, draft(BOARDWALK, Bundle(cash=300)))
    (only,) = seen(table, "blue")
    assert only.want.cash == 300


def test_an_offer_that_cannot_happen_any_more_says_why() -> None:
    table = estate()
    sent(table, draft(BOARDWALK, Bundle(cash=400)))
    table.given("blue cash 10")
    (one,) = seen(table, "blue")
    assert not one.can_accept
    assert one.can_reject
    assert one.effects == ()
    assert one.why_not == "You have $10; this costs $400. Raise $390 first."
    table.given("boardwalk owner green")
    assert seen(table, "blue") == ()


def test_a_counter_needs_an_offer_to_answer() -> None:
    table = estate()
    offer = draft(BOARDWALK, PARK_PLACE)
    assert not tried(table, offer, counters=True).counters
    sent(table, Offer(BLUE, RED, PARK_PLACE, BOARDWALK))
    assert tried(table, offer, counters=True).counters
    other = draft(BOARDWALK, Bundle(), "green")
    assert not tried(table, other, counters=True).counters


def test_an_offer_to_oneself_or_to_nobody_does_nothing() -> None:
    table = estate()
    for taker in ("red", "nobody"):
        offer = draft(BOARDWALK, Bundle(), taker)
        assert check_deal(MoveRun(table.game), offer) is not None
        assert tried(table, offer).effects == ()


# The proof.


def after(game: Game, offer: Offer) -> Game | None:
    """Return the game once the offer is made and taken; ``None`` if it is refused."""
    made = m.MakeOffer(
        by=offer.giver, taker=offer.taker, give=offer.give, want=offer.want
    )
    for move in (made, m.Accept(by=offer.taker)):
        try:
            events = decide(game, move)
        except Refused:
            return None
        for event in events:
            game = game.after(event)
    while game.play is not None and game.play.payments:
        payer = game.play.payments[0].payer
        for event in decide(game, m.HandOver(by=payer)):
            game = game.after(event)
    return game


@pytest.mark.parametrize("edition", sampled(EDITIONS, 2))
def test_what_a_trade_shows_is_what_happens_in_random_games(edition: str) -> None:
    groups = builtin(edition).groups
    happened = 0
    for seed in range(3):
        dice, table = random.Random(seed), Guided(edition, 3)
        for _ in range(120):
            if table.at.base == "over":
                break
            game = table.game
            made = random_offer(dice, game, dice.choice(table.at.playing()))
            offer = Offer(Seat(made.by), Seat(made.taker), made.give, made.want)
            trade = trade_of(game, groups, offer)
            effects = trade.effects
            then = after(game, offer)
            if then is None:
                assert effects == (), (seed, offer)
            else:
                happened += 1
                assert [
                    (effect.seat, effect.cash_after, effect.worth_after)
                    for effect in effects
                ] == [
                    (
                        seat,
                        MoveRun(then).cash(seat),
                        worth(MoveRun(then), seat),
                    )
                    for seat in (offer.giver, offer.taker)
                ], (seed, offer)
                for one in effects:
                    assert one.cash_before == MoveRun(game).cash(one.seat)
                    assert one.worth_before == worth(MoveRun(game), one.seat)
            assert trade.can_send == (_offered(game, made)), (seed, offer)
            try:
                table.give(random_move(dice, game))
            except Refused:
                continue
    assert happened > 10


def _offered(game: Game, made: m.MakeOffer) -> bool:
    if made.give == Bundle() and made.want == Bundle():
        return False
    try:
        decide(game, made)
    except Refused:
        return False
    return True


def test_a_trade_shows_what_comes_of_it_once_its_money_is_handed_over() -> None:
    """Where notes may be fake, an accepted trade first lays its money on the table."""
    table = Guided("crooked-cash").given(
        "blue owns park-place", "red owns boardwalk", "red cash 1000"
    )
    give, want = Bundle(cash=300), Bundle(deeds=("park-place",))
    giver, taker = effects_of(table.game, (), draft(give, want))
    assert (giver.cash_before, giver.cash_after) == (1_000, 700)
    assert (taker.cash_before, taker.cash_after) == (1_500, 1_800)
    assert [one.band.id for one in giver.completes] == ["dark-blue"]


def test_what_lies_on_the_table_is_left_out_of_it() -> None:
    """It is seen before it is handed over; the trade does not do that."""
    table = Guided("crooked-cash", 3).given("red on oriental-avenue", "stage buy")
    table.given("blue owns park-place")
    table.give(m.Buy(by="red"))
    assert table.at.payments
    red, blue = effects_of(table.game, GROUPS, draft(Bundle(cash=10), PARK_PLACE))
    assert (red.cash_before, red.cash_after) == (1_500, 1_490)
    assert red.worth_after - red.worth_before == -10
    assert (blue.cash_before, blue.cash_after) == (1_500, 1_510)
    table.give(m.Inspect(by="green"))
    assert effects_of(table.game, GROUPS, draft(Bundle(cash=10), PARK_PLACE))[0] == red
