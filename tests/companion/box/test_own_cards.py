"""A card that nobody published: put into words, kept, listed, shared, forgotten."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.box.own_editions import OwnEditions
from companion.box.readings import readings_in, values_of
from companion.console import edition as edition_command
from companion.edition import builtin, load, problems
from companion.edition.own import known_count, own_text, with_readings
from companion.edition.snapshot import snapshot
from companion.errors import Malformed, Refused, Why
from companion.game import commands as c
from companion.game import moves as m
from companion.game import play_events as p
from companion.game.board import Board
from companion.game.box_key import BoxValue
from companion.game.card_code import OF_AMOUNT, is_alike, word_of, written_card
from companion.rules import decide, legal_moves
from companion.script import export_script, run_script
from companion.store import Database
from companion.table import TableService, build_table
from companion.units import Seat
from companion.views.history import history_line, names_of
from tests.companion.box.led import VAULT, begun, give
from tests.fakes import FakeClock
from tests.guided import Guided
from tests.sample import each

WORDS = (
    "pay:100",
    "keep:collect:50",
    "collect-each:5",
    "pay-each:5",
    "move-back:3",
    "nothing",
    "keep:nothing",
    "keep:guess",
    "advance:boardwalk",
    "repairs:hotel:25",
)
"""With the jail card and the guess that the data has: all twelve of the deck."""
OTHERS = ("to-vault:40", "pay-to-vault:40", "keep:advance:10", "advance:0")
VAULT_BOARD = Board(snapshot(builtin(VAULT)))


def in_words(*words: str) -> dict[str, BoxValue]:
    """Cards of Chance that somebody put into words."""
    return {f"card.{word}.deck": "chance" for word in words}


def with_card(board: Board, word: str) -> Board:
    return board.with_reading(f"card.{word}.deck", "chance")


def card_at_hand(*words: str) -> Guided:
    """Red has drawn those cards, and waits on Chance for the next one."""
    play = Guided(VAULT)
    for word in words:
        play.given("turn red", "red on 7", "stage card")
        play.give(m.Draw(by="red", card=word))
    return play.given("turn red", "red on 7", "stage card")


def drawable(play: Guided) -> list[str]:
    return [x.card for x in legal_moves(play.game, "red") if isinstance(x, m.Draw)]


def test_a_card_that_was_put_into_words_is_listed_at_the_next_draw() -> None:
    play = card_at_hand("collect:50")
    assert drawable(play) == ["chance-kind-1", "chance-kind-2", "collect:50"]
    play.give(m.Draw(by="red", card="collect:50"))
    assert play.game.ledger[Seat("red")] == 3_100
    read = [one for entry in play.entries for one in entry.events]
    assert read.count(p.BoxRead(key="card.collect:50.deck", value="chance")) == 1


@each(
    ("first", "again"),
    [
        ("pay:100", "pay:100"),
        ("advance:boardwalk", "advance:39"),
        ("advance:jail", "advance:10"),
        ("keep:jail-card", "jail-card"),
        ("guess", "guess"),
    ],
)
def test_the_same_card_written_twice_is_one_card(first: str, again: str) -> None:
    board = with_card(VAULT_BOARD, first)
    assert with_card(board, again) is board
    is_known = first in ("guess", "keep:jail-card")
    assert (board is VAULT_BOARD) == is_known, "the data has these kinds"


def test_a_deck_takes_no_more_cards_than_it_has() -> None:
    board = VAULT_BOARD
    for count, word in enumerate(WORDS):
        assert board.has_unlisted("chance")
        assert board.known_count("chance") == 2 + count
        board = with_card(board, word)
    assert not board.has_unlisted("chance")
    assert with_card(board, "collect:999") is board
    edition = with_readings(builtin(VAULT), in_words(*WORDS, *OTHERS))
    assert known_count(edition, "chance") == 12
    assert snapshot(edition) == board.rules


@pytest.mark.parametrize("word", [*WORDS, *OTHERS])
def test_a_card_does_the_same_in_this_game_the_next_one_and_the_file(word: str) -> None:
    base, cards = builtin(VAULT), in_words(word)
    at_once = with_card(VAULT_BOARD, word).rules
    assert at_once.cards[-1].id == word, "the words are the one way to write it"
    assert snapshot(with_readings(base, cards)) == at_once
    text = own_text(base, cards, "our-box", "Ours")
    assert problems(text, "our-box.toml") == ()
    assert snapshot(load(text, "our-box.toml")).cards[-1] == at_once.cards[-1]
    (entry,) = tomllib.loads(text)["card"]
    assert (entry["id"], entry["sources"]) == (word, ["own-box"])


def test_what_an_edition_cannot_have_is_ignored() -> None:
    base = builtin(VAULT)
    for deck, word in (
        ("chance", "advance:nowhere"),
        ("chance", "win"),
        ("chance", "go-to-jail"),
        ("chance", "jail-card"),
        ("chance", "guess"),
        ("chance", "move-back:40"),
        ("chance", "repairs:house:25"),
        ("chance", "chance-kind-1"),
        ("community-chest", "pay:100"),
    ):
        edition = with_readings(base, {f"card.{word}.deck": deck})
        assert edition.cards == base.cards
    whole = with_readings(builtin("classic"), in_words("pay:100"))
    assert whole.cards == builtin("classic").cards


def test_every_way_to_write_a_card_comes_back_as_it_was_written() -> None:
    classic = snapshot(builtin("classic"))
    for word in (
        *(f"{effect}:50" for effect in OF_AMOUNT if "vault" not in effect),
        "repairs:house:25:hotel:100",
        "keep:repairs:hotel:100",
        "advance:0",
        "jail-card",
    ):
        card = written_card(word, classic)
        assert card is not None, word
        assert word_of(card, classic) == word
    turned = written_card("repairs:hotel:100:house:25", classic)
    assert turned is not None
    assert word_of(turned, classic) == "repairs:house:25:hotel:100"
    for wrong in (
        "repairs:house",
        "repairs:house:0",
        "repairs:house:5:house:6",
        "repairs:castle:5",
        "repairs:",
        "move-back:40",
        "move-back:x",
        "nothing:1",
        "collect-each",
        "keep:win",
    ):
        assert written_card(wrong, classic) is None, wrong


def test_repairs_written_for_a_known_card_are_alike() -> None:
    classic = snapshot(builtin("classic"))
    printed = next(card for card in classic.cards if card.effect == "repairs")
    word = word_of(printed, classic)
    written = written_card(word, classic)
    assert written is not None
    assert is_alike(written, printed)


def test_no_card_of_a_box_does_what_its_sheet_rules_out() -> None:
    play = card_at_hand()
    for word in ("go-to-jail", "keep:go-to-jail"):
        with pytest.raises(Refused, match='this deck has no card "go to jail"') as no:
            decide(play.game, m.Draw(by="red", card=word))
        assert no.value.why is Why.NO_CARD
        assert no.value.remedy == "look at the card again"
    assert with_card(VAULT_BOARD, "go-to-jail") is VAULT_BOARD
    with pytest.raises(Refused, match="a card that lies in chance belongs here"):
        Guided(VAULT).given("top chance go-to-jail")


def test_cards_read_as_sentences_in_the_history() -> None:
    drawn = {
        "keep:guess": "Red drew: keep it: a guess when you like",
        "jail-card": "Red drew: a card to leave jail",
        "collect-each:50": "Red drew: collect $50 from everybody",
        "move-back:1": "Red drew: go back 1 space",
        "repairs:hotel:25": "Red drew: pay $25 for each hotel",
        "pay-to-vault:50": "Red drew: pay $50 into the vault",
        "nothing": "Red drew: nothing for the bank to do",
        "advance:39": "Red drew: go to Boardwalk",
    }
    for word, words in drawn.items():
        play = card_at_hand(word)
        entry = next(x for x in play.entries if word_in(x.events) is not None)
        names = names_of(play.game)
        assert history_line(entry, names, is_undone=False).sentences[0] == words
        unlisted = {key: name for key, name in names.items() if "@" not in key}
        unlisted |= {"space@39": "Boardwalk"}
        for listed in (word, "advance:boardwalk"):
            unlisted.pop(listed, None)
        line = history_line(entry, unlisted, is_undone=True)
        assert line.sentences[0] == words, "also once it was taken back"


def word_in(events: tuple[object, ...]) -> str | None:
    return next((str(x.card) for x in events if type(x).__name__ == "CardNamed"), None)


def test_an_undo_takes_the_card_out_of_the_list() -> None:
    play = card_at_hand()
    play.give(m.Draw(by="red", card="collect:50"))
    assert values_of(readings_in("", play.entries)) == in_words("collect:50")
    play.give(c.Undo(by="red"))
    assert drawable(play) == ["chance-kind-1", "chance-kind-2"]
    assert values_of(readings_in("", play.entries)) == {}


def test_an_export_plays_the_same_cards() -> None:
    text = """edition secret-vault
seats red blue
do red roll 3 4
do red draw keep:collect:50
do blue roll 3 4
do blue draw advance:boardwalk
do red use-card keep:collect:50
"""
    outcome = run_script(text, "a.game")
    assert outcome.ok, outcome
    made = export_script(outcome.entries)
    again = run_script(made, "b.game")
    assert again.ok, (made, again)
    assert again.entries[-1].events == outcome.entries[-1].events


# On disk, from game to game.


def on_chance(table: TableService, own: OwnEditions, command_id: str) -> str:
    """Begin a game in which Red waits on Chance for a card."""
    game = begun(table, own, command_id)
    give(table, game, m.Roll(by="red", dice=(3, 4)))
    return game


def listed(table: TableService, game: str) -> set[str]:
    board = table.game(game).board
    assert board is not None
    return {card.id for card in board.cards_of("chance")}


def test_a_card_counts_in_later_games_until_it_is_forgotten(
    table: TableService,
    own: OwnEditions,
    database: Database,
    clock: FakeClock,
    tmp_path: Path,
) -> None:
    first = on_chance(table, own, "first-game-1")
    give(table, first, m.Draw(by="red", card="keep:collect:50"))
    assert own(VAULT).card("keep:collect:50").keep
    assert own(VAULT) is own(VAULT)
    assert own("secret-vault-uk").cards == builtin("secret-vault-uk").cards
    origin = own(VAULT).provenance("card.keep:collect:50")
    assert (origin.confidence, origin.sources) == ("single", ("own-box",))
    later = on_chance(table, own, "second-game-1")
    assert "keep:collect:50" in listed(table, later)
    give(table, later, m.Draw(by="red", card="keep:collect:50"))
    assert len(own.readings(VAULT)) == 1, "nothing is written down twice"
    own.take_back(VAULT, "card.keep:collect:50.deck", "Anna")
    own.take_back(VAULT, "card.keep:collect:50.deck", "Anna")
    assert own(VAULT).cards == builtin(VAULT).cards
    assert "keep:collect:50" in listed(table, later), "a game that has begun keeps it"
    clock.advance(1)
    third = on_chance(table, own, "third-game-1")
    assert "keep:collect:50" not in listed(table, third)
    give(table, third, m.Draw(by="red", card="keep:collect:50"))
    assert own(VAULT).card("keep:collect:50").amount == 50
    with pytest.raises(Malformed):
        own.take_back(VAULT, "card.chance-kind-1.amount", "Anna")
    text = own.file_text(VAULT, "our-box", "Our own box")
    database.close()
    args = ["export", VAULT, "--id", "our-box", "--data", str(tmp_path)]
    made = CliRunner().invoke(edition_command, args)
    assert made.exit_code == 0, made.output
    assert made.output == text
    assert load(made.output, "our-box.toml").card("keep:collect:50").keep


def test_what_a_game_knows_of_its_cards_survives_a_restart(
    table: TableService, own: OwnEditions, database: Database
) -> None:
    game = on_chance(table, own, "first-game-1")
    give(table, game, m.Draw(by="red", card="move-back:3"))
    afresh = build_table(database, FakeClock())
    assert afresh.service.game(game) == table.game(game)
    assert "move-back:3" in listed(afresh.service, game)
    assert afresh.editions(VAULT).card("move-back:3").spaces == 3
