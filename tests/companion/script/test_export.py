"""Every recorded game that the companion led exports, and plays back the same."""

from __future__ import annotations

import random
from functools import cache

import pytest

from companion.edition import builtin, editions, load
from companion.edition.catalogue import Catalogue
from companion.edition.library import UK
from companion.edition.model import Edition
from companion.edition.own import own_text, unknown_keys, with_readings
from companion.edition.snapshot import snapshot, terms
from companion.game import commands as c
from companion.game import moves as m
from companion.game.board import Board
from companion.game.box_key import BoxValue
from companion.game.journal import leaving
from companion.game.position import FORCED
from companion.game.vault_contents_events import HIDDEN, GuessMade
from companion.rules.turn import dice_count
from companion.script import export_script, run_script
from companion.script.run import position_text
from companion.units import BANK, POT, VAULT, Account, Seat
from tests.digest import copied, digest, folded
from tests.guided import SEATS, accepted, random_correction, random_move
from tests.sample import each, proven, tens
from tests.scene import Play, pay, sitting

PRINTINGS = tuple(edition + end for edition in editions() for end in ("", UK))


def plays_back(play: Play) -> str:
    """Return the script of the game, after checking that it ends where the game did."""
    script = export_script(tuple(play.entries), "Friday")
    again = run_script(script, "again")
    assert again.ok, f"{again.line}: {again.wanted}: {again.got}\n{script}"
    game = folded(again.entries)
    assert digest(game) == digest(copied(play.entries)), (
        f"{position_text(play.game)}\n{position_text(game)}\n{script}"
    )
    return script


def opened(edition: Edition, *seats: str) -> Play:
    return Play(*seats, terms=terms(edition))


def begun(edition: Edition, *seats: str, **options: str) -> Play:
    play, rules = opened(edition, *seats), snapshot(edition, options)
    deal = tuple(deed.id for deed in rules.deeds) if rules.dealt_each else ()
    play.give(m.BeginPlay(by=c.TABLE, rules=rules, deal=deal))
    return play


def rolled(play: Play, seat: str, *dice: int) -> None:
    play.give(m.Roll(by=seat, dice=dice))


REST, RESUME = m.RestPlay(by=c.TABLE), m.ResumePlay(by=c.TABLE)


@each("printing", PRINTINGS)
def test_a_game_of_every_edition_and_printing_plays_back(printing: str) -> None:
    play = begun(builtin(printing), "red", "blue")
    board, at = play.game.board, play.game.play
    assert board is not None
    assert at is not None
    rolled(play, "red", *(1, 2, 3)[: dice_count(board, at)])
    play.give(m.Buy(by="red"))
    assert f"edition {printing}\n" in plays_back(play)


def test_figures_read_off_the_box_before_the_game_are_in_its_script() -> None:
    base = builtin("secret-vault")
    readings: dict[str, BoxValue] = {
        "deed.mediterranean-avenue.mortgage": 45,
        "deed.states-avenue.unmortgage": 99,
        "card.chance-kind-3.amount": 130,
        "card.keep:advance:boardwalk.deck": "chance",
        "card.pay-each:20.deck": "chance",
        "space.17.kind": "chance",
    }
    edition = with_readings(base, readings)
    play = begun(edition, "red", "blue")
    move = m.CorrectPosition(by=c.TABLE, words=("red", "owns", "mediterranean-avenue"))
    play.give(move, m.Mortgage(by="red", deed="mediterranean-avenue"))
    rolled(play, "red", 3, 4)
    play.give(m.Draw(by="red", card="keep:advance:boardwalk"))
    script = plays_back(play)
    assert "given card chance keep:advance:boardwalk\n" in script
    assert "given card chance pay-each:20\n" in script
    assert "given figure mediterranean-avenue mortgage 45\n" in script
    assert "given figure states-avenue unmortgage 99\n" in script
    assert "given figure chance-kind-3 amount 130\n" in script
    assert "given space 17 chance\n" in script


def test_a_game_with_likely_figures_plays_back_with_the_same() -> None:
    play = begun(builtin("secret-vault"), "red", "blue", unknown_figures="likely")
    move = m.CorrectPosition(by=c.TABLE, words=("red", "owns", "mediterranean-avenue"))
    play.give(move, m.Mortgage(by="red", deed="mediterranean-avenue"))
    script = plays_back(play)
    assert "option unknown_figures likely\n" in script
    assert "figure" not in script.replace("unknown_figures", ""), "nobody read one"
    assert board_after(script) == play.game.board


def test_figures_that_were_likely_then_are_likely_in_the_script_for_good() -> None:
    base = builtin("secret-vault")
    read: dict[str, BoxValue] = {"deed.park-place.mortgage": 340}
    play = begun(with_readings(base, read), "red", "blue", unknown_figures="likely")
    script = plays_back(play)
    assert "given figure park-place mortgage 340\n" in script
    assert "boardwalk" not in script, "its likely figure follows from Park Place's"
    assert board_after(script) == play.game.board
    assert play.game.board is not None
    known = play.game.board.with_reading("deed.boardwalk.mortgage", 333, is_likely=True)
    play = opened(base, "red", "blue")
    play.give(m.BeginPlay(by=c.TABLE, rules=known.rules))
    script = plays_back(play)
    assert "given figure boardwalk mortgage 333 likely\n" in script
    board = board_after(script)
    assert board.likely["deed.boardwalk.mortgage"].likely == 333
    assert board.rules.deeds == known.rules.deeds


GUESSES = ((3, False), (1, False), (5, True), (2, False), (6, False))
"""The numbers guessed by red, and whether each was right."""


def guessed(memory: str) -> Play:
    """Return a game with these guesses, and a correction while they are known."""
    play = begun(builtin("secret-vault"), "red", "blue", memory=memory)
    play.give(m.CorrectPosition(by=c.TABLE, words=("vault", "keys", "0")))
    for number, is_right in GUESSES:
        for words in (("turn", "red"), ("red", "on", "go")):
            play.give(m.CorrectPosition(by=c.TABLE, words=words))
        rolled(play, "red", 2, 3)
        play.give(m.Guess(by="red", number=number, is_right=is_right))
        if is_right:
            play.give(m.LockVault(by=VAULT))
    play.give(m.CorrectPosition(by=c.TABLE, words=("blue", "on", "5")))
    return play


def test_wrong_numbers_that_were_not_told_are_hidden_for_good() -> None:
    play = guessed("off")
    script = plays_back(play)
    told = [line.split()[-1] for line in script.splitlines() if " guess " in line]
    assert told == ["hidden", "hidden", "5", "hidden", "hidden"]
    assert "given vault code 5\n" in script
    assert "do vault lock code 1\n" in script, "the first that nobody is known to try"
    contents = copied(play.entries).play.vault_contents
    assert contents.tried == (HIDDEN,)
    copies = tuple(map(leaving, play.entries))
    assert tuple(map(leaving, copies)) == copies
    assert export_script(copies, "Friday") == script


def test_wrong_numbers_that_were_told_stay_in_a_copy() -> None:
    play = guessed("on")
    script = plays_back(play)
    told = [line.split()[-1] for line in script.splitlines() if " guess " in line]
    assert told == [str(number) for number, _ in GUESSES]
    assert copied(play.entries).play == play.game.play
    assert play.game.play is not None
    assert play.game.play.vault_contents.tried == (2, 6)


def test_a_hidden_number_is_never_right() -> None:
    script = "edition secret-vault\nseats red blue\ndo red roll 2 3\n"
    for number in range(1, 7):
        text = script.replace("do", f"given vault code {number}\ndo")
        assert run_script(f"{text}do red guess hidden\nexpect vault locked\n").ok
    text = script.replace("do", "option memory on\ndo")
    outcome = run_script(f"{text}do red guess hidden\nexpect vault locked\n")
    assert outcome.ok
    guess = outcome.entries[-1].events[0]
    assert isinstance(guess, GuessMade)
    assert not guess.is_told, "nobody knows it"
    assert run_script(f"{script}refuse red guess 0 -> malformed\n").ok


def board_after(script: str) -> Board:
    board = folded(run_script(script, "again").entries).board
    assert board is not None
    return board


def test_a_game_by_an_edition_file_plays_back_beside_that_file() -> None:
    base = builtin("secret-vault")
    readings: dict[str, BoxValue] = {
        "deed.states-avenue.mortgage": 65,
        "space.17.kind": "chance",
    }
    text = own_text(base, readings, "our-box", "Our box")
    catalogue = Catalogue(((load(text, "our-box.toml"), text),))
    play = begun(catalogue("our-box"), "red", "blue")
    rolled(play, "red", 3, 4)
    entries = tuple(play.entries)
    script = export_script(entries, edition=catalogue)
    assert script == export_script(entries)  # Where the file has gone away.
    assert "given figure" not in script
    again = run_script(script, editions=catalogue)
    assert again.ok
    assert digest(folded(again.entries)) == digest(play.game)
    missed = run_script(script)
    assert (missed.line, missed.got) == (2, "'our-box'")


def test_what_the_edition_says_by_itself_is_not_said_again() -> None:
    play = begun(builtin("secret-vault"), "red", "blue")
    assert export_script(tuple(play.entries)) == (
        "# Source: recorded at the table\n"
        "edition secret-vault\n"
        "seats red blue\n"
        "given vault code 1\n"
    )


def test_who_joins_by_hand_joins_in_the_script() -> None:
    play = begun(builtin("grab-and-go"), "red", "blue")
    rolled(play, "red", 4, 6)
    play.give(REST, sitting("green"), pay("red", "green", 70), RESUME)
    rolled(play, "blue", 4, 6)
    rolled(play, "green", 1, 2)
    play.give(m.Buy(by="green"))
    script = plays_back(play)
    assert "do table join green\ndo table pay red green 70\ndo table resume" in script


def test_who_leaves_by_hand_leaves_in_the_script() -> None:
    play = begun(builtin("grab-and-go"), "red", "blue", "green")
    rolled(play, "red", 1, 2)
    play.give(m.Buy(by="red"), REST)
    play.give(c.HandBanker(by=c.TABLE, to=Seat("red")))
    play.give(c.RemoveSeat(by=c.TABLE, seat=Seat("red")), RESUME)
    assert play.game.banker == BANK
    rolled(play, "blue", 1, 2)
    assert "do table leave red\n" in plays_back(play)


def test_who_left_before_play_began_is_not_missed() -> None:
    play = opened(builtin("classic"), "red", "blue", "green")
    play.give(c.RemoveSeat(by=c.TABLE, seat=Seat("blue")))
    rules = snapshot(builtin("classic"))
    play.give(m.BeginPlay(by=c.TABLE, rules=rules))
    rolled(play, "red", 1, 2)
    assert "seats red green\n" in plays_back(play)


def test_who_left_and_came_back_while_the_table_rests_plays_on() -> None:
    play = begun(builtin("classic"), "red", "blue", "green")
    play.give(REST, c.RemoveSeat(by=c.TABLE, seat=Seat("blue")), sitting("blue"))
    play.give(RESUME)
    rolled(play, "red", 4, 6)
    rolled(play, "blue", 4, 6)
    plays_back(play)


def test_who_sat_down_in_a_rest_that_was_taken_back_still_sits() -> None:
    play = begun(builtin("classic"), "red", "blue")
    play.give(REST, sitting("green"), c.Undo(by=c.TABLE))
    assert play.game.is_guided
    rolled(play, "red", 4, 6)
    plays_back(play)
    play.give(REST, RESUME)
    rolled(play, "blue", 4, 6)
    rolled(play, "green", 4, 6)
    plays_back(play)


def test_a_rent_rolled_with_the_vault_on_a_die_plays_back() -> None:
    play = begun(builtin("secret-vault"), "red", "blue")
    for said in ("blue owns boardwalk", "red on boardwalk", "stage rent-roll"):
        words = tuple(said.split())
        play.give(m.CorrectPosition(by=c.TABLE, words=words))
    play.give(m.Roll(by="red", dice=(4,), special="vault"))
    assert "do red roll 4 vault\n" in plays_back(play)


def test_a_lid_seen_in_a_return_that_was_taken_back_stays_seen() -> None:
    play = begun(builtin("secret-vault"), "red", "blue")
    play.give(REST, RESUME, m.ReportLid(by=VAULT, lid=FORCED), c.Undo(by=c.TABLE))
    assert not play.game.is_guided
    plays_back(play)
    play.give(RESUME)
    rolled(play, "red", 4, 6)
    plays_back(play)


def test_money_that_moved_by_hand_ends_where_it_was() -> None:
    play = opened(builtin("secret-vault"), "red", "blue")
    play.give(pay("red", VAULT, 120), pay("red", POT, 30), pay("blue", "red", 7))
    rules = snapshot(builtin("secret-vault"))
    play.give(m.BeginPlay(by=c.TABLE, rules=rules))
    rolled(play, "red", 4, 6)
    play.give(REST, pay("blue", VAULT, 55), pay(POT, "blue", 30, by=c.TABLE))
    play.give(c.CollectSalary(by="red", seat=Seat("red")))
    play.give(c.AskMoney(by="red", seat=Seat("red"), payer=Account("blue"), amount=9))
    play.give(c.PayAsk(by="blue", number=1))
    script = plays_back(play)
    assert "do table salary red\ndo table pay blue red 9\n" in script
    play.give(RESUME)
    plays_back(play)


def test_a_balance_that_is_corrected_after_the_end_counts_no_scores_again() -> None:
    play = begun(builtin("classic"), "red", "blue")
    play.give(m.Resign(by="red"))
    account = Account("blue")
    play.give(c.CorrectBalance(by=c.TABLE, account=account, balance=7))
    plays_back(play)


def test_a_game_that_began_anew_exports_from_there() -> None:
    play = begun(builtin("classic"), "red", "blue")
    rolled(play, "red", 1, 2)
    play.give(m.Buy(by="red"), REST, sitting("green"))
    rules = snapshot(builtin("classic"), {"rent": "automatic"})
    play.give(m.BeginPlay(by=c.TABLE, rules=rules))
    rolled(play, "red", 4, 6)
    assert "seats red blue green\noption rent automatic\n" in plays_back(play)


def test_a_title_of_many_lines_stays_one_comment() -> None:
    play = begun(builtin("classic"), "red", "blue")
    title = "Friday\r\ndo red roll 1 2\x0bdo red buy\u2028do red buy"
    script = export_script(tuple(play.entries), title)
    assert run_script(script).ok
    assert len(script.splitlines()) == 3


WRITTEN = ("collect:50", "keep:guess", "pay-each:20", "keep:collect:30", "keep:pay:7")
"""Cards put into words, of a deck that nobody knows whole."""


def own_box(dice: random.Random, edition: Edition) -> Edition:
    """Return the edition with some unknown values read off a box."""
    words = dice.sample(WRITTEN, dice.randint(0, len(WRITTEN)))
    open_decks = [deck.id for deck in edition.decks if not deck.is_complete]
    readings: dict[str, BoxValue] = {
        key: "chance" if key.startswith("space.") else dice.randint(1, 200)
        for key in unknown_keys(edition)
        if dice.random() < 0.5
    }
    readings |= {f"card.{word}.deck": deck for deck in open_decks for word in words}
    return with_readings(edition, readings)


def chosen(dice: random.Random, edition: Edition) -> dict[str, str]:
    """Return random values for some of the edition's options."""
    options: dict[str, str] = {}
    for option in edition.options:
        known = list(option.choices)
        if option.number_min is not None and option.number_max is not None:
            most = min(40, option.number_max)
            known.append(str(dice.randint(option.number_min, most)))
        if dice.random() < 0.6:
            options[option.key] = dice.choice(known)
    return options


def by_hand(dice: random.Random, play: Play) -> None:
    """Rest; let somebody pay, join, leave or be corrected; then resume."""
    play.give(REST)
    for _ in range(dice.randint(0, 4)):
        present = [state.seat for state in play.game.present()]
        seat = dice.choice(present)
        amount = dice.choice((1, 40, 500))
        free = [colour for colour in SEATS if colour not in present]
        tries: list[c.Command] = [
            pay(seat, dice.choice((*present, BANK, VAULT, POT)), amount),
            pay(dice.choice((BANK, VAULT, POT)), seat, amount, by=c.TABLE),
            c.CorrectBalance(by=c.TABLE, account=Account(seat), balance=amount),
            c.CollectSalary(by=c.TABLE, seat=seat),
            c.Undo(by=c.TABLE),
        ]
        if free:
            tries.append(sitting(dice.choice(free)))
        if len(present) > 2:
            tries.append(c.RemoveSeat(by=c.TABLE, seat=seat))
        command = dice.choice(tries)
        if accepted(play.game, command):
            play.give(command)
    if not play.game.is_guided and dice.random() < 0.9:
        play.give(RESUME)


def evening(seed: int, steps: int) -> Play:
    """Play a random evening: moves, corrections, undos, rests, joins, readings."""
    dice = random.Random(seed)
    printing = PRINTINGS[seed % len(PRINTINGS)]
    edition = own_box(dice, builtin(printing))
    seats = SEATS[: dice.randint(2, 3)]
    play = begun(edition, *seats, **chosen(dice, edition))
    for _ in range(steps):
        if not play.game.is_guided:
            play.give(RESUME)
        assert play.game.play is not None
        if play.game.play.base == "over":
            break
        chance = dice.random()
        if chance < 0.04:
            by_hand(dice, play)
            continue
        command: c.Command = random_move(dice, play.game)
        if isinstance(command, m.Draw) and dice.random() < 0.8:
            written = m.Draw(by=command.by, card=dice.choice(WRITTEN))
            command = written if accepted(play.game, written) else command
        if chance < 0.14:
            command = random_correction(dice, play.game)
        elif chance < 0.19:
            kind = dice.choice((c.Undo, c.Undo, c.Redo))
            command = kind(by=c.TABLE)
        elif chance < 0.23:
            balance = dice.choice((0, 60, 900))
            command = c.CorrectBalance(
                by=c.TABLE, account=Account(dice.choice(SEATS)), balance=balance
            )
        if accepted(play.game, command):
            play.give(command)
    return play


EVENINGS = (5, 9, 12, 57)
"""Evenings that meet, together, everything that a script can say."""


@cache
def script_of(seed: int) -> str:
    """Return the script of a short evening, after checking that it plays back."""
    return plays_back(evening(seed, steps=120))


@pytest.mark.parametrize("seed", EVENINGS)
def test_a_random_evening_plays_back(seed: int) -> None:
    assert script_of(seed)


@tens("seed", range(1_000, 1_600), proven)
def test_600_random_evenings_play_back(seed: int) -> None:
    plays_back(evening(seed, steps=300))


SEEN = (
    *("do table rest", "do table resume", "do table join", "do table leave"),
    *("do table pay", "do table salary", "do table balance", "do table set"),
    *("given figure", "given space", "given card", "given top", "given vault code"),
    *("option decks cards", "option dice", "option quick on", "option toy on"),
    *(" inspect", " hand-over", " camera verdict fake", " use-card", " choose"),
    *(" space ", " draw keep:", " draw chance-", " figure ", " guess ", UK),
)


@each("words", SEEN)
def test_some_evening_meets_everything_that_a_script_can_say(words: str) -> None:
    assert any(words in script_of(seed) for seed in EVENINGS)
