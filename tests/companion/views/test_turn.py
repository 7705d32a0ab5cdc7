"""What a seat is told and offered: words by table, buttons against the rules."""

from __future__ import annotations

import random

import pytest

from companion.edition import builtin
from companion.game import Game
from companion.game import moves as m
from companion.game.card_words import card_text
from companion.game.commands import TABLE, address_of
from companion.game.position import Bundle
from companion.game.rulebook import RuleCard
from companion.rules import decide, legal_moves
from companion.rules.drawing import Source, complete_command
from companion.views.board import board_view
from companion.views.turn import OWN_PLACE, Turn, kind_of, turn_of
from companion.views.turn_buttons import Button, Look, last_roller
from tests.guided import Guided, accepted, random_move
from tests.sample import each, sampled
from web.http.fields import Form
from web.play.forms import FORMS

SAID = [
    # edition, position, seat, headline, lines
    ("classic", "", "red", "Your turn: roll the dice", ()),
    ("classic", "", "blue", "Red rolls the dice", ()),
    ("classic", "doubles 1", "red", "Doubles: roll again", ()),
    (
        "classic",
        "doubles 2",
        "red",
        "Doubles: roll again",
        ("One more double sends you to jail",),
    ),
    (
        "classic",
        "red jailed 0",
        "red",
        "You are in jail: doubles get you out",
        ("Failed so far: 0 of 3",),
    ),
    (
        "classic",
        "red jailed 2",
        "red",
        "You are in jail: doubles get you out",
        ("Your last try: without doubles you pay $50 and move",),
    ),
    ("classic", "red on 7; stage card", "red", "Draw a card: Chance", ()),
    ("classic", "red on boardwalk; stage buy", "red", "Boardwalk is for sale", ()),
    (
        "classic",
        "red on boardwalk; stage buy; red cash 120",
        "red",
        "Boardwalk is for sale",
        ("It costs $400; you have $120",),
    ),
    (
        "classic",
        "red on boardwalk; stage buy",
        "blue",
        "Red may buy Boardwalk for $400",
        (),
    ),
    (
        "classic",
        "red on boardwalk; stage auction",
        "blue",
        "Auction: who bids for Boardwalk?",
        (),
    ),
    (
        "classic",
        "blue owns water-works; red on water-works; stage rent-roll",
        "red",
        "Roll for the rent of Water Works",
        (),
    ),
    (
        "classic",
        "red cash 20; red owes 100 to blue; red owes 7",
        "red",
        "You owe Blue $100",
        ("You owe $107 in all", "You still need $80"),
    ),
    (
        "classic",
        "red cash 20; red owes 100 to blue",
        "blue",
        "Red owes Blue $100 and has to find the money",
        (),
    ),
    (  # The mover may lock the vault meanwhile, and owes nothing.
        "secret-vault",
        "vault open; blue owes 4000 to red",
        "red",
        "Blue owes Red $4,000 and has to find the money",
        (),
    ),
]

BIG = [
    # roll, position, seat, headline, what follows
    ((2, 2, 2), "", "red", "Three alike: pick a space to go to", ""),
    ((2, 2, 2), "", "blue", "Red rolled three alike and picks a space", ""),
    (
        (1, 2, "mr"),
        "",
        "red",
        "Baltic Avenue is for sale",
        "Then Mr. Monopoly takes you on to Arctic Avenue",
    ),
    (
        (1, 2, "mr"),
        "",
        "blue",
        "Red may buy Baltic Avenue for $60",
        "Then Mr. Monopoly takes Red on to Arctic Avenue",
    ),
    (
        (1, 2, "bus"),
        "",
        "red",
        "Baltic Avenue is for sale",
        "Then the bus: a ticket, or on to Chance",
    ),
    (
        (1, 2, "bus"),
        "bank tickets 0",
        "blue",
        "Red may buy Baltic Avenue for $60",
        "Then the bus goes on to Chance",
    ),
    (
        (1, 1, "mr"),
        "",
        "red",
        "Draw a card: Community Chest",
        "Then Mr. Monopoly takes you on",
    ),
    (
        (1, 1, "mr"),
        "",
        "blue",
        "Red draws a card: Community Chest",
        "Then Mr. Monopoly takes Red on",
    ),
    ((1, 1, "bus"), "", "red", "Draw a card: Community Chest", "Then the bus comes"),
    (
        (1, 2, "bus"),
        "baltic-avenue owner red",
        "red",
        "The bus: take a ticket, or go on?",
        "",
    ),
    (
        (1, 2, "bus"),
        "baltic-avenue owner red",
        "blue",
        "Red takes a bus ticket or goes on",
        "",
    ),
    ((1, 2, 1), "red on 43", "red", "A gift for you: which do you take?", ""),
    (
        (1, 2, 1),
        "red on 43",
        "blue",
        "A gift for Red: money, or a bus ticket",
        "",
    ),
    ((1, 2, 1), "red on 10", "red", "Pick a deed: all of you may bid for it", ""),
    ((1, 2, 1), "red on 10", "blue", "Red picks a deed for an auction", ""),
    ((1, 2, 1), "red on 28", "red", "Draw a bus ticket", ""),
    ((1, 2, 1), "red on 28", "blue", "Red draws a bus ticket", ""),
]


def at(edition: str, lines: str, **options: str) -> Game:
    table = Guided(edition, options=options)
    return table.given(*(x.strip() for x in lines.split(";") if x.strip())).game


@each(("edition", "lines", "seat", "headline", "more"), SAID)
def test_a_seat_is_told_what_is_to_be_done(edition, lines, seat, headline, more):
    turn = turn_of(at(edition, lines), seat)
    assert turn.headline == headline
    assert turn.lines == more


@each(("roll", "lines", "seat", "headline", "follows"), BIG)
def test_three_dice_are_told_with_what_follows(roll, lines, seat, headline, follows):
    table = Guided("mega")
    table.given(*(x.strip() for x in lines.split(";") if x.strip()))
    dice = tuple(one for one in roll if isinstance(one, int))
    special = next((one for one in roll if isinstance(one, str)), "")
    table.give(m.Roll(by="red", dice=dice, special=special))
    turn = turn_of(table.game, seat)
    assert (turn.headline, turn.ahead.follows) == (headline, follows)
    assert turn.ahead.bonus == (special if follows else "")


def test_mr_monopoly_who_finds_nothing_says_so():
    table = Guided("mega").given(
        "red owns " + " ".join(x.id for x in at("mega", "").board.rules.deeds),
        "baltic-avenue owner blue",
        "baltic-avenue mortgaged",
        "red on 1",
        "red cash 0",
    )
    table.give(m.Roll(by="red", dice=(1, 3), special="mr"))
    assert turn_of(table.game, "red").ahead.follows == (
        "Then Mr. Monopoly finds nothing to buy and no rent"
    )


def test_the_second_purchase_may_be_left_to_the_bank():
    table = Guided("mega")
    table.give(m.Roll(by="red", dice=(1, 2), special="mr"))
    first = turn_of(table.game, "red").buttons
    assert [x.verb for x in first] == ["buy", "put-up"]
    table.give(m.Buy(by="red"))
    second = turn_of(table.game, "red").buttons
    assert [(x.verb, x.words, x.note) for x in second] == [
        ("buy", "Buy for $80", "You have $2,360 after that"),
        ("put-up", "Auction it", "You may bid as well"),
        ("pass-bid", "Leave it", "The bank keeps it"),
    ]


def test_what_the_bus_and_a_birthday_offer_says_what_comes_of_it():
    table = Guided("mega").given("baltic-avenue owner red")
    table.give(m.Roll(by="red", dice=(1, 2), special="bus"))
    bus = turn_of(table.game, "red").buttons
    assert [(x.words, x.note, x.picture) for x in bus] == [
        ("Take a bus ticket", "The bank has 16 left", "bus-ticket"),
        ("Go on to Chance", "You draw a card there", "chance"),
    ]
    table = Guided("mega").given("red on 43", "bank tickets 0")
    table.give(m.Roll(by="red", dice=(1, 2, 1)))
    turn = turn_of(table.game, "red")
    assert [x.words for x in turn.buttons] == ["Take $100"]
    assert (turn.headline, turn.lines) == (
        "A gift for you",
        ("No bus tickets are left",),
    )
    assert turn_of(table.game, "blue").headline == "A gift for Red"


def test_without_tickets_the_bus_asks_nothing():
    table = Guided("mega").given("baltic-avenue owner red", "bank tickets 0")
    table.give(m.Roll(by="red", dice=(1, 2), special="bus"))
    turn = turn_of(table.game, "red")
    assert (turn.headline, turn.lines) == (
        "The bus takes you on to Chance",
        ("No bus tickets are left",),
    )
    assert [x.words for x in turn.buttons] == ["Go on to Chance"]
    assert turn_of(table.game, "blue").headline == "Red goes on by bus"


def test_a_group_that_has_to_be_even_waits_for_its_owner_alone():
    table = Guided("mega").given(
        "blue owns st-james-place tennessee-avenue new-york-avenue",
        *(f"{x} houses 2" for x in ("st-james-place", "tennessee-avenue")),
        "new-york-avenue houses 2",
        "red owns new-jersey-avenue",
        "new-jersey-avenue mortgaged",
    )
    table.give(
        m.MakeOffer(
            by="red",
            taker="blue",
            give=Bundle(deeds=("new-jersey-avenue",)),
            want=Bundle(cash=100),
        ),
        m.Accept(by="blue"),
    )
    owner, other = (turn_of(table.game, seat) for seat in ("blue", "red"))
    assert (owner.is_mine, other.is_mine) == (True, False)
    assert owner.headline == "Even out your houses: Orange"
    assert owner.lines == ("First lift the mortgage of New Jersey Avenue",)
    assert other.headline == "Blue evens out the houses: Orange"
    (lift,) = owner.buttons
    assert lift.verb == "lift-mortgage"
    assert lift.words == "Lift the mortgage of New Jersey Avenue: $100"
    table.give(m.LiftMortgage(by="blue", deed="new-jersey-avenue"))
    owner = turn_of(table.game, "blue")
    assert owner.lines == ("Build the new street up, or spread what stands there",)
    assert [(x.words, x.note) for x in owner.buttons] == [
        ("Build it evenly for $100", "New Jersey Avenue: one house")
    ]


def test_whoever_can_spread_what_stands_there_is_offered_just_that():
    table = Guided("mega").given(
        "red owns st-james-place tennessee-avenue new-york-avenue",
        *("st-james-place houses 2", "tennessee-avenue houses 2"),
        *("new-york-avenue houses 3", "red on 19", "red cash 250"),
    )
    table.give(m.Roll(by="red", dice=(1, 2, 3)), m.Buy(by="red"))
    (spread,) = turn_of(table.game, "red").buttons
    assert (spread.words, spread.is_main) == ("Spread evenly what stands there", True)
    assert spread.note == (
        "New York Avenue: two houses and New Jersey Avenue: one house"
    )


def test_paying_to_leave_jail_brings_all_three_dice():
    (pay,) = turn_of(at("mega", "red jailed 0"), "red").buttons
    assert pay.note == "Then you roll all three dice"
    (pay,) = turn_of(at("classic", "red jailed 0"), "red").buttons
    assert pay.note == "Then you roll"


def test_the_winner_is_told_so_and_the_others_who_it_was():
    table = Guided("classic").given("red owns boardwalk")
    table.give(m.CallTime(by=TABLE))
    told = [turn_of(table.game, seat).headline for seat in ("red", "blue")]
    assert told == ["You won!", "The game is over, since the time is up: Red won"]


def test_a_space_that_nobody_has_published_is_called_by_its_number():
    game = at("secret-vault", "red on 17")
    assert turn_of(game, "red").place == "You stand on space 17"
    drawn = board_view(game, builtin("secret-vault").groups)
    assert drawn is not None
    assert "Red stands on space 17" in {token.about for token in drawn.tokens}


def test_hotels_in_hand_are_seen():
    assert turn_of(at("secret-vault", "red hotels 2"), "red").kept == ("2 hotels",)
    assert turn_of(at("secret-vault", ""), "red").kept == ()


def test_somebody_who_does_not_play_only_watches():
    turn = turn_of(at("classic", ""), "bank")
    assert turn.is_out
    assert not turn.is_mine
    assert turn.place == ""
    assert offered(turn) == []


def test_the_mover_stands_somewhere():
    assert turn_of(at("classic", "red on 24"), "red").place == (
        "You stand on Illinois Avenue"
    )
    assert turn_of(at("classic", "red jailed 1"), "red").place == "You are in jail"


@each(
    ("highest", "cash", "bids"),
    [
        (0, 1_500, (10, 50, 100)),
        (39, 1_500, (40, 50, 100)),
        (40, 1_500, (50, 100, 200)),
        (57, 1_500, (60, 100, 200)),
        (98, 1_500, (100, 150, 200)),
        (39, 60, (40, 50)),
        (46, 47, (47,)),
        (47, 47, ()),
        (1_490, 1_500, (1_500,)),
    ],
)
def test_few_round_bids_are_one_tap_away_as_far_as_the_money_goes(highest, cash, bids):
    table = Guided("classic", 3).given("red on boardwalk", "stage auction")
    table.given(f"blue cash {cash}")
    if highest:
        table.give(m.Bid(by="red", amount=highest))
        leads = turn_of(table.game, "red").bidding
        assert leads is not None
        assert leads.headline == f"You lead with ${highest:,}"
        assert leads.rivals == "Blue and Green may still bid"
    bidding = turn_of(table.game, "blue").bidding
    assert bidding is not None
    assert bidding.chips == bids
    assert bidding.amount == highest


@pytest.mark.parametrize("edition", ["secret-vault", "grab-and-go"])
def test_every_bid_that_is_proposed_is_one_that_the_box_allows(edition):
    for highest in (0, *range(10, 120, 10)):
        table = Guided(edition, 3)
        deeds = table.game.board.rules.deeds
        open_street = next(deed.id for deed in deeds if not deed.is_locked)
        table.given(f"red on {open_street}", "stage auction", "blue cash 150")
        if highest:
            table.give(m.Bid(by="red", amount=highest))
        bidding = turn_of(table.game, "blue").bidding
        assert bidding is not None
        assert all(bid % 10 == 0 for bid in bidding.chips), bidding.chips
        for amount in bidding.chips:
            assert decide(table.game, m.Bid(by="blue", amount=amount))


@pytest.mark.parametrize(
    ("edition", "roller"), [("grab-and-go", "blue"), ("classic", "green")]
)
def test_rent_is_asked_before_the_roll_that_ends_it(edition, roller):
    """Grab & Go: the next roll of another seat; classic: the second one after."""
    table = Guided(edition, 4).given("blue owns boardwalk", "red on 36")
    table.give(m.Roll(by="red", dice=(1, 2)))
    game = table.game
    assert last_roller(Look(game, "blue"), game.play.claims[-1]) == roller
    note = turn_of(game, "blue").rents[0].note
    wanted = {"blue": "ask before you roll", "green": "ask before Green rolls"}
    assert note == f"Boardwalk; {wanted[roller]}"
    while True:  # And that is the truth.
        mover = table.game.play.mover.seat
        assert turn_of(table.game, "blue").rents
        table.give(m.Roll(by=mover, dice=(4, 6)))
        if mover == roller:
            break
    assert not turn_of(table.game, "blue").rents


def test_real_cards_that_read_alike_stand_there_once():
    turn = turn_of(at("classic", "red on 7; stage card", decks="cards"), "red")
    words = [button.words for button in turn.cards]
    assert words == sorted(set(words))
    assert "Go to Boardwalk" in words
    assert len(words) == 15  # Of 16: two lead to the next railroad.


def test_a_card_of_an_unknown_kind_is_called_by_its_word():
    rules = at("classic", "").board.rules
    card = RuleCard("x", "sing-a-song")
    assert card_text(card, rules) == "sing a song"
    for known in rules.cards:
        assert card_text(known, rules) != known.effect.replace("-", " ") or (
            known.effect == "go-to-jail"
        )


def gaps_of(sell: str, *lines: str) -> list[str]:
    """Return what red could raise money with if somebody read its cards first."""
    table = Guided("crooked-cash", 2, {"sell": sell}).given(
        "red owns mediterranean-avenue baltic-avenue", "baltic-avenue hotels 1", *lines
    )
    raising = turn_of(table.game, "red").raising
    assert raising is not None
    return [str(gap.words) for gap in raising.gaps]


def test_a_figure_is_asked_for_only_where_it_could_bring_money_now():
    buying = ("red on oriental-avenue", "stage buy")
    assert gaps_of("any-time", *buying) == ["Sell from Baltic Avenue"]
    assert gaps_of("in-debt", *buying) == []
    assert gaps_of("in-debt", "red owes 3000 to blue") == ["Sell from Baltic Avenue"]


def offered(turn: Turn) -> list[Button]:
    """Return every button of a turn."""
    raising = turn.raising.ways if turn.raising else ()
    return [
        *turn.buttons,
        *turn.rents,
        *turn.cards,
        *turn.giving_up,
        *turn.leaving,
        *raising,
    ]


GAMES = [
    ("classic", {}),
    ("classic", {"decks": "cards", "rent": "automatic"}),
    ("grab-and-go", {"quick": "on"}),
    ("secret-vault", {}),
    ("mega", {}),
    ("mega", {"decks": "cards", "rent": "automatic"}),
]


@pytest.mark.parametrize(("edition", "options"), GAMES)
@pytest.mark.parametrize("seed", sampled(range(3)))
def test_every_button_is_accepted_and_no_kind_of_move_lacks_one(edition, options, seed):
    dice, table = random.Random(seed), Guided(edition, 3, options)
    source = builtin(edition)
    for step in range(160):
        game = table.game
        if game.play.base == "over":
            break
        for seat in ("red", "blue", "green"):
            check(
                game,
                seat,
                Source(game, lambda: source, dice),
                is_thorough=step % 4 == 0,
            )
        move = random_move(dice, game)
        if accepted(game, move):  # An offer may be refused.
            table.give(move)
        if dice.random() < 0.05 and table.game.play.base != "over":
            poor = dice.choice(table.game.play.playing())
            table.given(f"{poor} cash {dice.randrange(40)}")


def check(game: Game, seat: str, source: Source, *, is_thorough: bool) -> None:
    turn = turn_of(game, seat)
    kinds = {kind_of(choice) for choice in legal_moves(game, seat)}
    drawn = {
        m.Roll: turn.dice,
        m.Bid: turn.bidding and turn.bidding.chips,
        m.Guess: turn.guessing,
        m.MakeOffer: turn.can_offer,
        m.Draw: turn.cards or any(button.verb == "draw" for button in turn.buttons),
        m.AskRent: turn.rents,
        m.DeclareBankrupt: turn.giving_up,
        m.Resign: turn.leaving,
    }
    for kind, shown in drawn.items():
        assert bool(shown) == (kind in kinds), (kind, seat, game.play)
    buttons = (*turn.buttons, *(number.button for number in turn.numbers))
    verbs = {button.verb for button in buttons} - {"draw"}
    wanted = kinds - set(OWN_PLACE) - set(drawn)
    if turn.ahead.picks:  # A list of its own, which test_reach.py looks at.
        wanted -= {m.Choose, m.Unlock}
    if turn.stage == "refill" and turn.mover != seat:
        wanted -= {m.LockVault}  # Who fills the vault says so.
    if turn.levels:
        wanted |= kinds & {m.Level}
        verbs -= {"lift-mortgage"}
    assert turn.ahead.can_ride == (m.UseTicket in kinds)
    assert verbs == {address_of(kind) for kind in wanted}
    for button in offered(turn):
        assert "{" not in button.words
        if is_thorough:
            read = FORMS[button.verb](seat, Form(list(button.fields)))
            assert decide(game, complete_command(read, source)), button


def test_who_may_only_lock_the_vault_is_not_told_to_roll():
    table = Guided("secret-vault")
    table.give(m.ReportLid(by=TABLE, lid="open"))
    mover, watcher = (turn_of(table.game, seat) for seat in ("red", "blue"))
    assert (mover.is_mine, watcher.is_mine) == (True, False)
    assert watcher.headline == "Fill the vault first, then Red rolls"
    assert {button.words for button in watcher.buttons} == {
        "The vault is shut and locked"
    }


def test_a_guess_waits_for_a_vault_that_is_locked():
    table = Guided("secret-vault")
    table.give(m.ReportLid(by=TABLE, lid="open"))
    table.give(m.Roll(by="red", dice=(2,), special="vault"))
    turn = turn_of(table.game, "red")
    assert turn.headline == "Lock the vault, then guess its number"
    assert turn.guessing is None
    assert {button.words for button in turn.buttons} >= {"The vault is shut and locked"}
    watcher = turn_of(table.game, "blue")
    assert watcher.headline == "The vault has to be locked before Red can guess"
    table.give(m.LockVault(by="red"))
    turn = turn_of(table.game, "red")
    assert turn.headline == "Guess the number of the vault"
    assert turn.guessing is not None
    assert turn.guessing.numbers == (1, 2, 3, 4, 5, 6)
