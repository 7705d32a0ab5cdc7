"""Which refusal wins, and that every stage refuses what its row does not name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from companion.edition import builtin
from companion.edition.snapshot import snapshot
from companion.errors import Malformed, Refused, Why
from companion.game import commands as c
from companion.game import moves as m
from companion.game.position import Bundle
from companion.game.stage import Stage
from companion.rules import RULES, decide, legal_commands, legal_moves, refusal
from companion.rules.commands_table import ALLOWED, LOCKS_OWN
from companion.rules.rule import Who
from tests.guided import Guided, candidates
from tests.sample import each
from tests.scene import ask, pay, sitting
from tests.told import key_of


def why(play: Guided, command: c.Command) -> Why | None:
    refusal = None
    try:
        decide(play.game, command)
    except Refused as error:
        refusal = error
    assert refusal is None or refusal.message
    return None if refusal is None else refusal.why


def build(by: str, deed: str) -> m.Move:
    return m.Build(by=by, deed=deed)


PRECEDENCE: list[tuple[tuple[str, ...], m.Move, Why]] = [
    # Each row breaks at least two rules; the first in the order of Why wins.
    (("blue bankrupt", "green bankrupt"), m.Buy(by="pink"), Why.GAME_OVER),
    (("green bankrupt",), m.Buy(by="pink"), Why.UNKNOWN_SEAT),
    (("green bankrupt",), m.Buy(by="green"), Why.BANKRUPT),
    ((), m.Buy(by="blue"), Why.WRONG_STAGE),
    (("red owes 5000",), m.Roll(by="blue", dice=(9, 9)), Why.WRONG_STAGE),
    ((), m.Roll(by="blue", dice=(9, 9)), Why.NOT_YOUR_TURN),
    (("red jailed 0",), m.PayJail(by="blue"), Why.NOT_YOUR_TURN),
    (("red owes 5000",), build("blue", "nowhere"), Why.NOT_YOUR_TURN),
    (
        ("blue owns boardwalk", "boardwalk mortgaged"),
        build("red", "boardwalk"),
        Why.NOT_YOURS,
    ),
    ((), build("red", "nowhere"), Why.MALFORMED),
    ((), m.UseCard(by="red", card="nonsense"), Why.MALFORMED),
    (("red jailed 0",), m.UseCard(by="red", card="chance-05"), Why.IN_JAIL),
    (("red jailed 0",), m.UseCard(by="red", card="chance-10"), Why.IN_JAIL),
    ((), m.UseCard(by="red", card="jail-card"), Why.NOT_IN_JAIL),
    (("red cash 0",), m.PayJail(by="red"), Why.NOT_IN_JAIL),
    (
        ("red owns boardwalk", "boardwalk mortgaged"),
        build("red", "boardwalk"),
        Why.MORTGAGED,
    ),
    (
        ("red owns boardwalk", "red cash 0", "bank houses 0"),
        build("red", "boardwalk"),
        Why.INCOMPLETE_GROUP,
    ),
    (
        ("red owns boardwalk park-place", "boardwalk hotels 1", "red cash 0"),
        build("red", "boardwalk"),
        Why.UNEVEN,
    ),
    (
        (
            "red owns boardwalk park-place",
            "boardwalk hotels 1",
            "park-place hotels 1",
            "bank hotels 0",
            "red cash 0",
        ),
        build("red", "boardwalk"),
        Why.LIMIT_REACHED,
    ),
    (
        ("red owns boardwalk park-place", "bank houses 0", "red cash 0"),
        build("red", "boardwalk"),
        Why.NONE_LEFT,
    ),
    (
        ("red owns boardwalk park-place", "red cash 0"),
        build("red", "boardwalk"),
        Why.CANNOT_AFFORD,
    ),
    (
        ("red owns boardwalk", "red cash 0"),
        m.LiftMortgage(by="red", deed="boardwalk"),
        Why.NOT_MORTGAGED,
    ),
    (
        ("red owns boardwalk park-place", "boardwalk houses 1"),
        m.Mortgage(by="red", deed="park-place"),
        Why.HAS_BUILDINGS,
    ),
    (
        ("red owns boardwalk park-place", "boardwalk houses 1", "red cash 0"),
        m.MakeOffer(
            by="red",
            taker="blue",
            give=Bundle(deeds=("park-place",), jail_cards=1, cash=9),
            want=Bundle(),
        ),
        Why.HAS_BUILDINGS,
    ),
    (
        ("red cash 0",),
        m.MakeOffer(
            by="red", taker="blue", give=Bundle(jail_cards=1, cash=9), want=Bundle()
        ),
        Why.NO_CARD,
    ),
    (("stage auction",), m.Bid(by="blue", amount=0), Why.MALFORMED),
    (("stage auction", "blue cash 0"), m.Bid(by="blue", amount=-1), Why.MALFORMED),
    ((), m.AskRent(by="red", seat="nobody"), Why.RENT_NOT_DUE),
    (
        ("red owes 100", "red owns boardwalk"),
        m.DeclareBankrupt(by="red"),
        Why.CAN_STILL_PAY,
    ),
]


@each(("given", "move", "reason"), PRECEDENCE)
def test_the_first_reason_in_the_order_wins(
    given: tuple[str, ...], move: m.Move, reason: Why
) -> None:
    play = Guided("grab-and-go", 3)
    if any("stage" in line for line in given):
        play.given("red on boardwalk")
    play.given(*given)
    before = play.game
    assert why(play, move) is reason
    assert play.game is before


def test_a_low_bid_beyond_ones_means_is_low_first() -> None:
    play = Guided("grab-and-go", 3).given("red on boardwalk", "blue cash 5")
    play.given("stage auction")
    play.give(m.Bid(by="red", amount=10))
    assert why(play, m.Bid(by="blue", amount=9)) is Why.BID_TOO_LOW
    assert why(play, m.Bid(by="blue", amount=11)) is Why.CANNOT_AFFORD


SITUATIONS: dict[str, tuple[str, ...]] = {
    Stage.ROLL: (),
    Stage.CARD: ("red on 7", "stage card"),
    Stage.BUY: ("red on boardwalk", "stage buy"),
    Stage.AUCTION: ("red on boardwalk", "stage auction"),
    Stage.RENT_ROLL: (
        "blue owns electric-company",
        "red on electric-company",
        "stage rent-roll",
    ),
    Stage.DEBT: ("red owes 9000",),
    Stage.GUESS: ("red on 5", "stage guess"),
    Stage.KEY: ("stage key",),
    Stage.REFILL: ("stage refill",),
    Stage.OVER: ("blue bankrupt", "green bankrupt"),
}


BY_MOVES: dict[str, tuple[tuple[str, ...], tuple[m.Move, ...]]] = {
    Stage.CHOOSE: (
        ("red on 2", "stage card"),
        (m.Draw(by="red", card="choice:50"),),
    ),
    Stage.PAYMENT: (
        ("red on boardwalk", "stage buy"),
        (m.Buy(by="red"),),
    ),
    Stage.VERDICT: (
        ("red on boardwalk", "stage buy"),
        (m.Buy(by="red"), m.Inspect(by="green")),
    ),
    Stage.CARD_USE: (
        ("red cards ready-chips",),
        (m.UseCard(by="red", card="ready-chips"),),
    ),
    Stage.LEVEL: (
        (
            "red owns park-place boardwalk",
            "park-place houses 2",
            "boardwalk houses 2",
            "red on florida-avenue",
            "stage buy",
        ),
        (m.Buy(by="red"),),
    ),
}
"""Stage that no position can be put into -> the moves that lead to it from one."""


AT_THE_VAULT = (Stage.GUESS, Stage.KEY, Stage.REFILL)
"""Stages of a game with a vault."""


def is_beside(move: m.Move, stage: str) -> bool:
    """Return whether a seat that needs money may make the move in that stage."""
    return RULES[type(move)].stages.get(Stage(stage)) is Who.BUYER


@each("stage", [*SITUATIONS, *BY_MOVES])
def test_every_stage_takes_the_moves_of_its_row_and_no_other(stage: str) -> None:
    edition = "secret-vault" if stage in AT_THE_VAULT else "classic"
    if stage in BY_MOVES:
        given, moves = BY_MOVES[stage]
        edition = "mega" if stage == Stage.LEVEL else "crooked-cash"
        play = Guided(edition, 3).given(*given)
        play.give(*moves)
    else:
        play = Guided(edition, 3).given(*SITUATIONS[stage])
    assert play.at.stage == stage
    for by in ("red", "blue"):
        for move in candidates(play.game, by):
            who = ALLOWED[stage].get(type(move))
            refused = why(play, move)
            if stage == Stage.OVER:
                assert refused is Why.GAME_OVER, move
            elif who is None and isinstance(move, m.Guess) and stage in AT_THE_VAULT:
                is_up = stage == Stage.REFILL
                assert refused is (Why.VAULT_OPEN if is_up else Why.NO_GUESS_DUE), move
            elif who is None and isinstance(move, m.Guess | m.DeclineGuess):
                assert refused is Why.NO_GUESS_DUE, move
            elif (
                who is None and isinstance(move, m.LockVault) and stage in AT_THE_VAULT
            ):
                assert refused is Why.VAULT_LOCKED, move
            elif who is None or (by == "blue" and is_beside(move, stage)):
                assert refused is Why.WRONG_STAGE, move
            elif by == "blue" and who in (Who.MOVER, Who.DEBTOR, Who.SHOWER):
                assert refused is Why.NOT_YOUR_TURN, move


def test_every_stage_of_the_editions_played_has_a_situation_here() -> None:
    assert {*SITUATIONS, *BY_MOVES} == set(ALLOWED)
    assert set(ALLOWED) <= set(Stage)


def test_every_move_stands_in_some_row_or_is_the_tables_own() -> None:
    listed = {kind for row in ALLOWED.values() for kind in row}
    players = {kind for kind, rule in RULES.items() if rule.who is Who.PLAYER}
    assert listed | LOCKS_OWN == players
    tables_own = {m.BeginPlay, m.RestPlay, m.ResumePlay, m.CorrectPosition, m.CallTime}
    assert set(m.Move.__subclasses__()) - players == tables_own


def test_a_refusal_says_what_is_so_and_what_to_do() -> None:
    play = Guided("classic", 2).given("red on boardwalk", "red cash 120", "stage buy")
    with pytest.raises(Refused) as caught:
        decide(play.game, m.Buy(by="red"))
    assert caught.value.message == "red has $120; this costs $400"
    assert caught.value.remedy == "raise $280 first"
    with pytest.raises(Refused, match="did you mean boardwalk"):
        decide(Guided("classic").game, build("red", "bordwalk"))


@each(
    "command",
    [
        pay("red", "blue", 5),
        c.CollectSalary(by="red", seat="red"),  # type: ignore[arg-type]
        ask("red", "blue", 5),
        sitting("pink"),
        c.RemoveSeat(by=c.TABLE, seat="red"),  # type: ignore[arg-type]
    ],
)
def test_money_and_seats_wait_while_the_companion_leads(command: c.Command) -> None:
    play = Guided("classic")
    assert why(play, command) is Why.WRONG_STAGE
    assert type(command) not in legal_commands(play.game, c.TABLE)
    play.give(m.RestPlay(by=c.TABLE))
    assert why(play, command) is None


@pytest.mark.parametrize("kind", [m.RestPlay, m.CallTime, m.ResumePlay])
def test_what_the_table_agrees_on_is_not_a_seats(kind: type[m.Move]) -> None:
    play = Guided("classic")
    play.give(c.HandBanker(by=c.TABLE, to="blue"))  # type: ignore[arg-type]
    assert why(play, kind(by="red")) is Why.NOT_YOURS
    assert why(play, kind(by="nobody")) is Why.UNKNOWN_SEAT


def test_a_closed_game_is_over_for_everything() -> None:
    play = Guided("classic")
    play.give(c.CloseGame(by=c.TABLE))
    assert why(play, m.Roll(by="red", dice=(1, 2))) is Why.GAME_OVER
    assert legal_moves(play.game, "red") == ()


def test_play_begins_once_and_with_two_seats() -> None:
    rules = snapshot(builtin("classic"))
    play = Guided("classic")
    assert why(play, m.BeginPlay(by=c.TABLE, rules=rules)) is Why.WRONG_STAGE
    play.give(m.RestPlay(by=c.TABLE))
    odd = m.BeginPlay(by=c.TABLE, rules=rules, deal=("nowhere",))
    assert why(play, odd) is Why.MALFORMED
    play.give(c.RemoveSeat(by=c.TABLE, seat="blue"))  # type: ignore[arg-type]
    assert why(play, m.BeginPlay(by=c.TABLE, rules=rules)) is Why.WRONG_STAGE


@pytest.mark.parametrize(
    ("edition", "option", "value", "message"),
    [
        ("classic", "jail_pay", "never", "roll-now, next-turn for option jail_pay"),
        ("classic", "auction_start", "0", "a number from 1 to 1000"),
        ("classic", "rents", "asked", "did you mean 'rent'"),
        ("crooked-cash", "grace", "31", "0 to 30 for the seconds to check a note"),
    ],
)
def test_a_wrong_option_says_what_could_stand_there(
    edition: str, option: str, value: str, message: str
) -> None:
    with pytest.raises(Malformed, match=message):
        snapshot(builtin(edition), {option: value})


class Cited(NamedTuple):
    """A move that a position refuses.

    Attributes:
        edition: The box.
        given: The position.
        moves: What is done before.
        command: What is tried then.
        why: The reason.
        key: The rule that is cited.
        says: What the refusal says.
        options: How the table plays.
    """

    edition: str
    given: tuple[str, ...]
    moves: tuple[m.Move, ...]
    command: c.Command
    why: Why
    key: str
    says: str
    options: Mapping[str, str] = {}


def roll(*dice: int, special: str = "") -> m.Move:
    return m.Roll(by="red", dice=dice, special=special)


BOTH = "red owns boardwalk park-place"
HELD_UP = ("red on 1", "blue owns boardwalk park-place florida-avenue")
BARE = ("red owns boardwalk",)
ANY_TIME = {"sell": "any-time"}

CITED = (
    Cited(
        "classic",
        (BOTH,),
        (),
        m.Unbuild(by="red", deed="boardwalk"),
        Why.LIMIT_REACHED,
        "unbuild",
        "nothing stands on Boardwalk",
    ),
    Cited(
        "classic",
        ("red owns short-line",),
        (),
        build("red", "short-line"),
        Why.LIMIT_REACHED,
        "sites",
        "nothing is ever built on Short Line",
    ),
    Cited(
        "classic",
        ("red owns short-line",),
        (),
        m.Unbuild(by="red", deed="short-line"),
        Why.LIMIT_REACHED,
        "sites",
        "nothing is ever built on Short Line",
    ),
    Cited(
        "crooked-cash",
        BARE,
        (),
        m.Mortgage(by="red", deed="boardwalk"),
        Why.LIMIT_REACHED,
        "no-mortgage",
        "there are no mortgages in this game",
    ),
    Cited(
        "crooked-cash",
        (BOTH, "boardwalk hotels 1"),
        (),
        m.SellDeed(by="red", deed="boardwalk"),
        Why.HAS_BUILDINGS,
        "hotel-first",
        "Boardwalk has a hotel",
        ANY_TIME,
    ),
    Cited(
        "classic",
        (*BARE, "boardwalk mortgaged"),
        (),
        m.Mortgage(by="red", deed="boardwalk"),
        Why.MORTGAGED,
        "mortgage",
        "Boardwalk is mortgaged already",
    ),
    Cited(
        "classic",
        BARE,
        (),
        m.LiftMortgage(by="red", deed="boardwalk"),
        Why.NOT_MORTGAGED,
        "mortgage",
        "Boardwalk is not mortgaged",
    ),
    # What the checks of a big board cite.
    Cited(
        "mega",
        HELD_UP,
        (roll(1, 2, special="mr"),),
        m.MakeOffer(
            by="red",
            taker="blue",
            give=Bundle(cash=9),
            want=Bundle(deeds=("boardwalk",)),
        ),
        Why.WRONG_STAGE,
        "mr-alone",
        "red finishes the move by Mr. Monopoly first",
    ),
    Cited(
        "mega",
        ("red owns new-york-avenue",),
        (),
        build("red", "new-york-avenue"),
        Why.INCOMPLETE_GROUP,
        "near-group",
        "to build you need all but one of the group",
    ),
    Cited(
        "mega",
        (
            "red owns st-james-place tennessee-avenue new-york-avenue",
            "tennessee-avenue hotels 1",
        ),
        (),
        build("red", "tennessee-avenue"),
        Why.INCOMPLETE_GROUP,
        "skyscraper",
        "for a skyscraper you need New Jersey Avenue too",
    ),
    Cited(
        "mega",
        ("red on 20",),
        (roll(2, 2, 2),),
        roll(1, 2, 3),
        Why.WRONG_STAGE,
        "triples",
        "the table waits for you",
    ),
    Cited(
        "mega",
        ("red on 44",),
        (roll(1, 1, 1),),
        m.Choose(by="blue", word="0"),
        Why.NOT_YOUR_TURN,
        "turn",
        "it is red's turn, not blue's",
    ),
    Cited(
        "mega",
        ("blue owns baltic-avenue", "bank tickets 0"),
        (roll(1, 2, special="bus"),),
        m.Choose(by="red", word="ticket"),
        Why.NONE_LEFT,
        "ticket-gone",
        "no bus ticket is left",
    ),
    Cited(
        "mega",
        ("red on 41",),
        (roll(1, 2, 3),),
        roll(1, 2, 3),
        Why.WRONG_STAGE,
        "gift",
        "the table waits for you",
    ),
    Cited(
        "mega",
        ("red on 8",),
        (roll(1, 2, 3),),
        roll(1, 2, 3),
        Why.WRONG_STAGE,
        "auction-space",
        "the table waits for you",
    ),
    Cited(
        "mega",
        ("red on 8", "blue owns boardwalk"),
        (roll(1, 2, 3),),
        m.Choose(by="red", word="boardwalk"),
        Why.NOT_UNOWNED,
        "auction-space",
        "Boardwalk has an owner",
    ),
    Cited(
        "mega",
        (),
        (),
        m.UseTicket(by="red", space="vermont-avenue"),
        Why.NO_TICKET,
        "ticket-roll",
        "red has no bus ticket",
    ),
    Cited(
        "mega",
        ("red tickets 1",),
        (),
        m.UseTicket(by="red", space="boardwalk"),
        Why.NOT_REACHABLE,
        "ticket",
        "Boardwalk is not ahead on this side",
    ),
    Cited(
        "mega",
        ("red owns st-james-place tennessee-avenue new-york-avenue",),
        (),
        m.Level(
            by="red",
            levels=(
                ("st-james-place", 2),
                ("tennessee-avenue", 0),
                ("new-york-avenue", 0),
            ),
        ),
        Why.UNEVEN,
        "evenly",
        "St. James Place would be two or more ahead of Tennessee Avenue",
    ),
    # What was cited by the reason and the command alone.
    Cited(
        "secret-vault",
        (),
        (),
        m.Roll(by="blue", dice=(1, 2)),
        Why.NOT_YOUR_TURN,
        "turn",
        "it is red's turn, not blue's",
    ),
    Cited(
        "secret-vault",
        (BOTH, "boardwalk hotels 1"),
        (),
        m.Mortgage(by="red", deed="boardwalk"),
        Why.HAS_BUILDINGS,
        "hotels-off",
        "a hotel stands on Boardwalk",
    ),
    Cited(
        "classic",
        (BOTH, "boardwalk houses 1", "park-place houses 2"),
        (),
        m.Unbuild(by="red", deed="boardwalk"),
        Why.UNEVEN,
        "unbuild-evenly",
        "Park Place has more on it",
    ),
    Cited(
        "secret-vault",
        (),
        (),
        m.AskRent(by="red", seat="blue"),
        Why.RENT_NOT_DUE,
        "rent-asked",
        "no rent is due to red now",
    ),
    Cited(
        "secret-vault",
        ("blue owns boardwalk",),
        (),
        build("red", "boardwalk"),
        Why.NOT_YOURS,
        "own",
        "Boardwalk is not red's",
    ),
    Cited(
        "secret-vault",
        ("red on jail", "red cash 1"),
        (roll(1, 2),),
        m.Buy(by="red"),
        Why.CANNOT_AFFORD,
        "no-loans",
        "red has $1; this costs $280",
    ),
    Cited(
        "classic",
        (),
        (m.RestPlay(by=c.TABLE),),
        pay("red", "blue", 9_000),
        Why.CANNOT_AFFORD,
        "no-credit",
        "red has $1,500; this costs $9,000",
    ),
    Cited(
        "classic",
        (),
        (m.RestPlay(by=c.TABLE), c.HandBanker(by=c.TABLE, to="blue")),
        c.CloseGame(by="red"),
        Why.NOT_YOURS,
        "own-money",
        "only the banker does this",
    ),
    # What a debt, a purchase and a bid allow.
    Cited(
        "classic",
        (BOTH, "red owes 100 to blue"),
        (),
        build("red", "boardwalk"),
        Why.WRONG_STAGE,
        "owing",
        "red owes $100",
    ),
    Cited(
        "classic",
        ("red jailed 2",),
        (),
        m.PayJail(by="red"),
        Why.WRONG_STAGE,
        "fine-turns",
        "the fine is only paid before the first 2 rolls",
    ),
    Cited(
        "secret-vault",
        ("red owns states-avenue", "red owes 3279"),
        (),
        m.DeclareBankrupt(by="red"),
        Why.UNKNOWN_FIGURE,
        "figure",
        "it might bring enough: nobody knows the mortgage of States Avenue",
    ),
    Cited(
        "secret-vault",
        ("red owns states-avenue",),
        (
            m.ReadBox(by="red", key="deed.states-avenue.mortgage", value=140),
            m.Mortgage(by="red", deed="states-avenue"),
        ),
        m.ReadBox(by="blue", key="deed.states-avenue.unmortgage", value=140),
        Why.MALFORMED,
        "lifting",
        "$140 is too little: the mortgage of States Avenue is $140",
    ),
    Cited(
        "secret-vault",
        ("red owns states-avenue",),
        (),
        m.ReadBox(by="red", key="deed.states-avenue.mortgage", value=280),
        Why.MALFORMED,
        "loan",
        "$280 is too much: the price of States Avenue is $280",
    ),
    Cited(
        "classic",
        ("blue owns boardwalk", "red owes 5000 to blue"),
        (),
        m.MakeOffer(
            by="blue",
            taker="red",
            give=Bundle(deeds=("boardwalk",)),
            want=Bundle(cash=9),
        ),
        Why.NOT_YOUR_TURN,
        "owing",
        "red has to raise money first",
    ),
    Cited(
        "crooked-cash",
        (BOTH, "boardwalk hotels 1"),
        (),
        m.MakeOffer(
            by="red",
            taker="blue",
            give=Bundle(deeds=("boardwalk",)),
            want=Bundle(cash=9),
        ),
        Why.HAS_BUILDINGS,
        "no-hotel-trade",
        "Boardwalk has a hotel",
    ),
)


@each("row", CITED)
def test_a_refusal_cites_the_rule_that_it_stands_on(row: Cited) -> None:
    play = Guided(row.edition, 3, dict(row.options)).given(*row.given)
    play.give(*row.moves)
    refused = refusal(play.game, row.command)
    assert refused is not None
    assert (refused.why, key_of(refused.rule), str(refused.message)) == (
        row.why,
        row.key,
        row.says,
    )
