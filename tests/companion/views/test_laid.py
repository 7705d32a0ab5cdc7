"""What lies on the table: told to everybody, and offered to whom it concerns."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.game import Game
from companion.game import moves as m
from companion.game.board import Board
from companion.game.commands import TABLE
from companion.game.position import Bundle
from companion.rules import awaited_seats
from companion.units import CAMERA
from companion.views.challenge import may_judge
from companion.views.deed import buttons_by_deed
from companion.views.laid import Role, chips_of, laid_of
from companion.views.trade import offers_for
from companion.views.turn import OnTable, Verdicts, turn_of
from companion.views.turn_buttons import Look
from tests.guided import Guided
from tests.sample import each

RENT = ("blue owns boardwalk", "red on pennsylvania-avenue")


def table(*lines: str, seats: int = 4, **options: str) -> Guided:
    return Guided("crooked-cash", seats, options).given(*lines)


def laying(*lines: str, **options: str) -> Guided:
    """Red has laid the rent of Boardwalk on the table for Blue."""
    guided = table(*RENT, *lines, **options)
    guided.give(m.Roll(by="red", dice=(1, 3)), m.AskRent(by="blue"))
    return guided


def shown(game: Game, seat: str) -> OnTable:
    on_table = turn_of(game, seat).on_table
    assert on_table is not None
    return on_table


def test_the_payer_hands_over_and_the_others_may_look():
    game = laying().game
    assert turn_of(game, "red").headline == "You lay $200 on the table"
    assert turn_of(game, "blue").headline == "Red lays $200 on the table"
    assert [turn_of(game, seat).is_mine for seat in ("red", "blue")] == [True, False]
    assert awaited_seats(game) == {"red"}
    handing = shown(game, "red").handing
    assert handing is not None
    assert (handing.words, handing.note) == (
        "Hand over $200",
        "You have $1,300 after that",
    )
    looking = shown(game, "blue").looking
    assert looking is not None
    assert looking.words == "Check a note"
    assert shown(game, "red").looking is None
    assert shown(game, "blue").handing is None


@each(
    ("line", "options", "seat", "gaze", "why_not"),
    [
        ("green chips 1", {}, "green", Role.MAY, ""),
        (
            "green chips 0",
            {},
            "green",
            Role.MAY_NOT,
            "No green chip is left. Pass GO to turn them green.",
        ),
        (
            "green jailed 0",
            {},
            "green",
            Role.MAY_NOT,
            "Nobody looks through the decoder from jail. Leave jail first.",
        ),
        ("green chips 1", {}, "blue", Role.MAY, ""),
        (
            "green chips 1",
            {"payee_inspects": "no"},
            "blue",
            Role.MAY_NOT,
            "Whoever is paid does not look. Wait until it is handed over.",
        ),
        ("green chips 1", {}, "red", Role.SHOWS, ""),
    ],
)
def test_whoever_may_not_look_is_told_why(line, options, seat, gaze, why_not):
    game = laying(line, **options).game
    laid = laid_of(game)
    assert laid is not None
    assert laid.gaze(seat) is gaze
    assert laid.why_not(seat) == why_not
    assert bool(shown(game, seat).looking) == (gaze is Role.MAY)


def test_whoever_was_first_looks_and_the_others_wait():
    guided = laying()
    guided.give(m.Inspect(by="green"))
    game = guided.game
    assert turn_of(game, "green").headline == "You were first: choose a note of Red"
    assert turn_of(game, "orange").headline == "Green looks at a note"
    laid = laid_of(game)
    assert laid is not None
    assert laid.inspector == "green"
    assert [laid.words(x) for x in ("red", "green", "blue")] == [
        *("lays it down", "looks", "waits"),
    ]
    assert [turn_of(game, x).is_mine for x in ("green", "orange")] == [True, False]
    assert shown(game, "red").verdicts is None  # It is its own note.
    for seat in ("green", "blue", "orange"):
        verdicts = shown(game, seat).verdicts
        assert verdicts is not None
        assert verdicts.fakes == (10, 20, 50, 100, 500)


def test_the_worth_of_a_fake_is_asked_where_nobody_knows_the_notes():
    guided = laying()
    guided.give(m.Inspect(by="green"))
    board = guided.game.board
    assert board is not None
    money = replace(board.rules.money, denominations=None)
    game = replace(guided.game, board=Board(replace(board.rules, money=money)))
    assert shown(game, "green").verdicts == Verdicts((), is_note=True)


def test_a_card_has_no_worth():
    guided = table("red cards chance-03")
    guided.give(m.UseCard(by="red", card="chance-03", target="blue"))
    guided.give(m.Inspect(by="green"))
    assert shown(guided.game, "green").verdicts == Verdicts((), is_note=False)


def test_a_payment_that_may_be_looked_at_again_counts_as_another():
    """Or a tap that was meant for the one would count for the other."""
    guided, keys = laying(), set()
    for move in (
        m.Inspect(by="green"),
        m.GiveVerdict(by=CAMERA, verdict="real"),
        m.Inspect(by="green"),
        m.GiveVerdict(by=CAMERA, verdict="fake", amount=50),
    ):
        laid = laid_of(guided.game)
        assert laid is not None
        keys.add(laid.key)
        guided.give(move)
    assert len(keys) == 4


def test_money_on_the_table_is_not_in_the_hand():
    assert Look(laying().game, "red").cash == 1_300


def offered(guided: Guided, seat: str = "red") -> list[str]:
    """What the page offers beside the button that hands over."""
    turn = turn_of(guided.game, seat)
    return [*turn.lines, *(f"{one.verb}: {one.words}" for one in turn.buttons)]


BUYING = (m.Buy(by="red"),)
TRADING = (
    m.MakeOffer(
        by="blue", taker="red", give=Bundle(deeds=("park-place",)), want=Bundle(cash=60)
    ),
    m.Accept(by="red"),
)
ASKING = (m.Roll(by="red", dice=(1, 2)), m.AskRent(by="green"))
CHOOSES = {"fake_found": "payer-chooses"}
A_FAKE = "A note was a fake: pay with other notes, or call it off"


@each(
    ("lines", "moves", "options", "expected"),
    [
        (("red on boardwalk", "stage buy"), BUYING, {}, []),
        (
            ("red on boardwalk", "stage buy"),
            BUYING,
            CHOOSES,
            [A_FAKE, "put-up: Auction it"],
        ),
        (("blue owns park-place",), TRADING, {}, []),
        (
            ("blue owns park-place",),
            TRADING,
            CHOOSES,
            [A_FAKE, "reject: Call the trade off"],
        ),
        (("green owns baltic-avenue",), ASKING, CHOOSES, []),
    ],
)
def test_after_a_fake_the_payer_calls_off_where_the_table_lets_it(
    lines, moves, options, expected
):
    guided = table(*lines, seats=3, **options)
    guided.give(*moves)
    assert offered(guided) == []
    guided.give(
        m.Inspect(by="green"), m.GiveVerdict(by=CAMERA, verdict="fake", amount=20)
    )
    assert offered(guided) == expected
    assert offered(guided, "blue") == []
    assert not any(offer.can_reject for offer in offers_for(guided.game, (), "red"))


FOR = [
    (("red on boardwalk", "stage buy"), (m.Buy(by="red"),), "To buy Boardwalk"),
    (("red jailed 1",), (m.PayJail(by="red"),), "To leave jail"),
    (
        ("red cash 20", "red owes 300 to blue", "red cash 400"),
        (m.PayDebt(by="red"),),
        "An old debt to Blue",
    ),
]


@pytest.mark.parametrize(("lines", "moves", "what"), FOR)
def test_it_is_said_what_the_money_is_for(lines, moves, what):
    guided = table(*lines)
    guided.give(*moves)
    laid = laid_of(guided.game)
    assert laid is not None
    assert laid.what == what


def test_a_rent_says_for_whom():
    laid = laid_of(laying().game)
    assert laid is not None
    assert (laid.shower, laid.payee, laid.amount) == ("red", "blue", 200)
    assert laid.what == "Rent for Blue"


def test_a_skipped_rent_is_offered_beside_the_payment():
    turn = turn_of(laying("red cards chance-01").game, "red")
    assert [x.words for x in turn.buttons] == ["Use the card: skip one rent"]
    assert turn.uses == ()


def test_a_card_for_later_stands_beside_the_hand_with_its_targets():
    game = table("blue cards chance-03").game
    turn = turn_of(game, "blue")
    assert not turn.is_mine
    assert turn.buttons == ()
    (use,) = turn.uses
    assert use.card == "send somebody to jail"
    assert use.targets == (("red", "Red"), ("green", "Green"), ("orange", "Orange"))


def test_a_card_on_the_table_says_what_it_does_and_on_whom():
    guided = table("red cards chance-03")
    guided.give(m.UseCard(by="red", card="chance-03", target="blue"))
    laid, turn = laid_of(guided.game), turn_of(guided.game, "green")
    assert laid is not None
    assert (laid.card, laid.target, laid.payee) == ("send somebody to jail", "blue", "")
    assert turn.headline == "Red wants to use a card"
    assert turn.on_table is not None
    assert turn.on_table.looking is not None
    assert turn.on_table.looking.words == "Check the card"
    guided.give(m.Inspect(by="green"))
    verdicts = shown(guided.game, "green").verdicts
    assert verdicts is not None
    assert verdicts.fakes == ()


def test_of_the_open_cards_the_known_ones_come_first():
    guided = table("faceup chance-03 chance-01", "red cards chance-02")
    guided.give(m.Roll(by="red", dice=(2, 4)))
    turn = turn_of(guided.game, "red")
    assert turn.headline == "Take one of the open cards"
    assert [(x.words, x.note) for x in turn.cards][:3] == [
        ("Send somebody to jail", "lies open"),
        ("Skip one rent", "lies open"),
        ("Put up a hotel for free", ""),
    ]
    (keep,) = turn.buttons
    assert (keep.words, keep.note) == (
        "Keep the card in hand",
        "put up a hotel for free",
    )


def test_a_choice_names_the_card_and_what_there_is():
    guided = table("red owns boardwalk states-avenue", "red on 35")
    guided.give(m.Roll(by="red", dice=(1, 2)), m.Draw(by="red", card="chest-kind-4"))
    turn = turn_of(guided.game, "red")
    assert turn.lines == ()
    assert turn.ahead.picks, "a list, which test_reach.py looks at"
    assert turn.buttons == ()


def test_a_street_goes_back_to_the_bank_for_its_price():
    lines = ("red owns states-avenue", "red cash 20", "red owes 100 to blue")
    game = table(*lines).game
    raising = turn_of(game, "red").raising
    assert raising is not None
    assert [x.words for x in raising.ways] == ["Sell States Avenue: +$140"]
    shown_there = buttons_by_deed(Look(game, "red"))["states-avenue"]
    assert [x.words for x in shown_there] == ["Sell to the bank: +$140"]
    assert "states-avenue" not in buttons_by_deed(Look(table(*lines[:1]).game, "red"))


def test_chips_are_counted_where_the_box_has_any():
    guided = laying("green chips 1")
    assert [(x.ready, x.spent) for x in chips_of(guided.game).values()] == [
        *((2, 0), (2, 0), (1, 1), (2, 0)),
    ]
    guided.give(m.CorrectPosition(by=TABLE, words=("blue", "chips", "0")))
    assert chips_of(guided.game)["blue"].words == "no green chip"
    assert chips_of(Guided("classic").game) == {}
    assert laid_of(Guided("classic").game) is None


def test_all_who_play_may_judge_but_whose_it_is():
    play = laying()
    assert not may_judge(play.game, "blue")  # Nobody looks at it yet.
    play.give(m.Inspect(by="green"))
    assert all(may_judge(play.game, by) for by in ("blue", "green", "orange", TABLE))
    assert not may_judge(play.game, "red")
    play.give(m.Resign(by="green"))
    for by in ("green", "", "teal"):
        assert not may_judge(play.game, by)
