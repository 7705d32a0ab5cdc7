"""Every refusal makes sense as it is read: in English, in German, with names."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from string import Formatter

import pytest

from companion.edition import editions
from companion.errors import Refused
from companion.game import Game
from companion.game import commands as c
from companion.game import moves as m
from companion.game.position import Bundle
from companion.rules import decide
from companion.views.refusals import TO_READER, in_names, refusal_text, sentence
from companion.words import Words, translated
from tests.companion.rules.test_engine_playouts import OPTIONS
from tests.companion.rules.test_refusals import TABLE
from tests.guided import (
    SEATS,
    Guided,
    accepted,
    candidates,
    random_correction,
    random_move,
    random_offer,
)
from tests.random_table import put_anywhere
from tests.sample import each, sampled
from tests.told import RULES
from web.http.language import language_of

NAMES = {"red": "Anna", "blue": "Ben", "green": "Cleo", "orange": "Dana"}

NONSENSE = re.compile(
    r"\?\.|!\.|\.\.|  |\s[.,;:?!]|''|[{}]|^[a-zäöü ]"
    r"|it is (\w+)'s turn, not \1's|(\w+) ist dran, nicht \2\b|[^.?!]$"
)
"""Doubled marks, blanks in the wrong place, gaps, and somebody against himself."""


def refusal(game: Game, move: c.Command) -> Refused | None:
    try:
        decide(game, move)
    except Refused as refused:
        return refused
    return None


def sentences(text: str) -> Iterator[Words]:
    """A sentence and those within it."""
    if isinstance(text, Words):
        yield text
        for value in text.values.values():
            if isinstance(value, str):
                yield from sentences(value)


def check_values(text: str, move: c.Command) -> None:
    """Everything that stands in the sentence has a name."""
    for one in sentences(text):
        for _, name, _, _ in Formatter().parse(one.template):
            assert name is None or str(one.values[name]).strip(), (move, one.template)


def tried(dice: random.Random, game: Game) -> Iterator[c.Command]:
    """What anybody could try now, a fifth of it, and trades and corrections."""
    for by in (*SEATS, "stranger"):
        moves = list(candidates(game, by))
        yield from dice.sample(moves, len(moves) // 5)
        yield m.Accept(by=by)
        yield m.Reject(by=by)
        yield m.MakeOffer(by=by, taker=dice.choice(SEATS), give=Bundle(), want=Bundle())
        if by in NAMES:
            yield random_offer(dice, game, by)
    for _ in range(10):
        yield random_correction(dice, game)


def begun(dice: random.Random, edition: str) -> Guided:
    """A game in a random position that is not over yet."""
    while True:
        play = Guided(edition, dice.randint(2, 4), dice.choice(OPTIONS[edition]))
        put_anywhere(dice, play)
        if play.at.stage != "over":
            return play


def refusals(seed: int) -> dict[str, tuple[Refused, c.Command]]:
    """Every refusal of a random game, by what it says in English."""
    dice = random.Random(seed)
    edition = editions()[seed % len(editions())]
    play = begun(dice, edition)
    found = {}
    for step in range(120):
        if play.at.stage == "over":
            break
        for move in tried(dice, play.game) if step % 4 == 0 else ():
            refused = refusal(play.game, move)
            if refused is not None:
                found[sentence(refused.message, refused.remedy)] = refused, move
        move = random_move(dice, play.game)
        if accepted(play.game, move):
            play.give(move)
    return found


@pytest.mark.parametrize("seed", sampled(range(6)))
def test_every_refusal_of_a_random_game_makes_sense(seed: int) -> None:
    found = refusals(seed)
    assert len(found) > 20, "the game was over at once"
    languages = [language_of(code) for code in ("en", "de")]
    for refused, move in found.values():
        assert refused.rule in RULES.values(), move
        check_values(refused.message, move)
        check_values(refused.remedy, move)
        said = sentence(
            in_names(refused.message, NAMES), in_names(refused.remedy, NAMES)
        )
        english, german = (translated(said, one) for one in languages)
        own = sentence(*refusal_text(refused, NAMES, str(move.by)))
        is_typed = f"'{move.by}'" in refused.message  # No seat of this game.
        name = NAMES.get("" if is_typed else str(move.by), "nobody at all")
        for text in (english, german):
            assert not NONSENSE.search(text), f"{move}: {text}"
        for text in (translated(own, one) for one in languages):
            assert not re.search(rf"\b{name}\b", text), f"{move} as another's: {text}"
        assert english != german, f"{move}: {english}"


def test_only_refusals_say_you_to_their_reader() -> None:
    made = TABLE.read_text("utf-8")
    assert [template for template, _ in TO_READER if template not in made] == []


def said_of(play: Guided, move: c.Command) -> str:
    refused = refusal(play.game, move)
    assert refused is not None
    message = in_names(refused.message, NAMES)
    return str(sentence(message, in_names(refused.remedy, NAMES)))


def bidding() -> Guided:
    play = Guided("grab-and-go", 3).given("red on boardwalk", "stage auction")
    play.give(m.PassBid(by="red"), m.Bid(by="blue", amount=20))
    return play


@pytest.mark.parametrize(
    ("move", "wanted"),
    [
        (m.Bid(by="blue", amount=50), "Ben leads with $20. Wait until somebody bids"),
        (m.PassBid(by="blue"), "Ben leads with $20. Wait until somebody bids"),
        (m.Bid(by="red", amount=50), "Anna has passed and bids no more. Wait until"),
    ],
)
def test_an_auction_says_who_leads_and_who_has_passed(
    move: m.Move, wanted: str
) -> None:
    assert said_of(bidding(), move).startswith(wanted)


def trade(give: str, want: str, cash: int = 0) -> m.MakeOffer:
    offered = Bundle(cash=cash, deeds=tuple(give.split()))
    return m.MakeOffer(
        by="red", taker="blue", give=offered, want=Bundle(deeds=tuple(want.split()))
    )


BOTH = "red owns boardwalk park-place"


@pytest.mark.parametrize(
    ("given", "offer", "wanted"),
    [
        (
            (),
            trade("boardwalk", ""),
            "Boardwalk is not Anna's. Buy it when you land there",
        ),
        ((BOTH,), trade("boardwalk", "oriental-avenue"), "Oriental Avenue is not Ben"),
        (
            (BOTH, "boardwalk houses 1"),
            trade("park-place", ""),
            "Boardwalk has buildings. Sell all buildings of the group first.",
        ),
        (
            (BOTH, "red cash 5"),
            trade("boardwalk", "", 90),
            "Anna has $5; this costs $9",
        ),
    ],
)
def test_a_trade_names_the_deed_that_is_in_the_way(
    given: tuple[str, ...], offer: m.MakeOffer, wanted: str
) -> None:
    play = Guided("grab-and-go", 2).given(*given)
    assert said_of(play, offer).startswith(wanted)


def test_an_answer_names_whoever_lacks_the_money() -> None:
    play = Guided("grab-and-go", 2).given(BOTH)
    play.give(trade("boardwalk", "", cash=90))
    play.given("red cash 5")
    accept = m.Accept(by="blue")
    assert said_of(play, accept).startswith("Anna has $5; this costs $90.")
    play.give(m.Reject(by="blue"))
    assert said_of(play, accept) == "There is no offer for Ben. Wait for one."


@each(
    ("edition", "given", "move", "wanted"),
    [
        (
            "grab-and-go",
            "red on 7; stage card",
            m.Draw(by="red", card="chance-05"),
            "The companion draws the cards here. Draw without naming a card.",
        ),
        (
            "grab-and-go",
            "",
            m.Build(by="red", deed="bordwalk"),
            "'bordwalk' is no name in this box. Did you mean boardwalk?",
        ),
        (
            "grab-and-go",
            "",
            m.Build(by="red", deed="boardwalk"),
            "Boardwalk is not Anna's. Buy it when you land there.",
        ),
        (
            "grab-and-go",
            "",
            m.ReadBox(by="red", key="deed.boardwalk.rent", value=5),
            "Nobody asks for that figure of Boardwalk. Choose another figure.",
        ),
        (
            "grab-and-go",
            "",
            m.Roll(by="red", dice=()),
            "Two dice show 1 to 6 each, not nothing. Type them again.",
        ),
        (
            "mega",
            "",
            m.Roll(by="red", dice=(1, 2)),
            "Two dice show 1 to 6 each, a third one of 1, 2, 3, Mr. Monopoly, bus, "
            "not '1 2'. Type them again.",
        ),
        (
            "mega",
            "red jailed 0",
            m.Roll(by="red", dice=(1, 2, 3)),
            "In jail two white dice show 1 to 6 each, not '1 2 3'. Type them again.",
        ),
        (
            "secret-vault",
            "red owns park-place",
            m.Mortgage(by="red", deed="park-place"),
            "Nobody knows the mortgage of Park Place. Type in what the real card says.",
        ),
    ],
)
def test_a_refusal_says_what_is_so(
    edition: str, given: str, move: m.Move, wanted: str
) -> None:
    lines = [line for line in given.split("; ") if line]
    assert said_of(Guided(edition, 2).given(*lines), move) == wanted
