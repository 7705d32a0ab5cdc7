"""Scripts with mistakes say where, what was wanted, and what was probably meant."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.game.commands import address_of
from companion.game.stage import Stage
from companion.rules.correcting import SEAT_WORDS, TABLE_WORDS
from companion.script import run_script
from companion.script.verbs import TABLE_VERBS, VERBS
from tests.sample import each

HEAD = "edition classic\nseats red blue\n"

MISTAKES: list[tuple[str, int, str, str]] = [
    ("", 1, "column 1: 'edition' and its id", "nothing"),
    ("seats red blue\n", 1, "a line 'edition'", "seats red blue"),
    ("edition clasic\nseats red blue\n", 1, "column 9", "did you mean 'classic'?"),
    ("edition classic\n", 1, "a line 'seats'", "edition classic"),
    ("edition classic\nseats red\n", 2, "two to eight seats", ""),
    ("edition classic\nseats red red\n", 2, "column 11", "already"),
    ("edition classic\nseats red bank\n", 2, "column 11", "bank"),
    ("edition classic\nseats a b c d e f g h i\n", 2, "at most 8 seats", "i"),
    (HEAD + "optoin rent asked\n", 3, "column 1", "did you mean 'option'?"),
    (HEAD + "option rents asked\n", 3, "column 8", "did you mean 'rent'?"),
    (HEAD + "option rent askd\n", 3, "column 13", "askd"),
    (HEAD + "given red on bordwalk\n", 3, "column 14: a space", "mean 'boardwalk'"),
    (HEAD + "given bordwalk houses 2\n", 3, "column 7", "did you mean 'boardwalk'?"),
    (HEAD + "given boardwalk hauses 2\n", 3, "column 17", "did you mean 'houses'?"),
    (HEAD + "given red csh 5\n", 3, "column 11", "did you mean 'cash'?"),
    (HEAD + "given turn rd\n", 3, "column 12", "did you mean 'red'?"),
    (HEAD + "given red on income-tx\n", 3, "column 14", "did you mean 'income-tax'?"),
    (HEAD + "given top chance chanc-01\n", 3, "column 18", "did you mean 'chance-01'?"),
    (HEAD + "given red\n", 3, "more words", "given red"),
    (HEAD + "given mars cash 5\n", 3, "column 7: a seat", "mars"),
    (HEAD + "do red rol 1 2\n", 3, "column 8", "did you mean 'roll'?"),
    (HEAD + "do table sit red\n", 3, "column 10", "did you mean 'set'?"),
    (HEAD + "do red roll 1 2\ngiven red cash 5\n", 4, "before the first 'do'", "given"),
    (HEAD + "refuse red buy\n", 3, "-> and one reason", "refuse red buy"),
    (HEAD + "refuse red buy -> wrong_stag\n", 3, "column 19", "'wrong_stage'?"),
    (HEAD + "expect red nose\n", 3, "column 12", "nose"),
    (HEAD + "expect red owns bordwalk\n", 3, "column 17", "did you mean 'boardwalk'?"),
    (HEAD + "expect bordwalk houses 1\n", 3, "column 8", "did you mean 'boardwalk'?"),
    (HEAD + "expect can red fly\n", 3, "column 16", "fly"),
]

MISSES: list[tuple[str, str, str]] = [
    ("do blue roll 1 2", "do blue roll 1 2, accepted", "not_your_turn"),
    ("refuse red roll 1 2 -> wrong_stage", "refused as wrong_stage", "accepted"),
    ("refuse blue roll 1 2 -> malformed", "refused as malformed", "not_your_turn"),
    ("expect red cash 1400", "expect red cash 1400", "1500"),
    ("expect red on boardwalk", "expect red on boardwalk", "go (0)"),
    ("expect red owns boardwalk", "expect red owns boardwalk", "nothing"),
    ("expect red jailed 0", "expect red jailed 0", "free"),
    ("expect red cards chance-09", "expect red cards chance-09", "none"),
    ("expect red bankrupt", "expect red bankrupt", "in the game"),
    ("expect red owes 5", "expect red owes 5", "0"),
    ("expect boardwalk owner red", "expect boardwalk owner red", "none"),
    ("expect boardwalk houses 1", "expect boardwalk houses 1", "0"),
    ("expect boardwalk mortgaged", "expect boardwalk mortgaged", "unmortgaged"),
    ("expect bank houses 31", "expect bank houses 31", "32"),
    ("expect stage buy", "expect stage buy", "roll"),
    ("expect turn blue", "expect turn blue", "red"),
    ("expect can blue roll", "expect can blue roll", "cannot"),
    ("expect cannot red roll 1 2", "expect cannot red roll 1 2", "can"),
    ("expect winner red", "expect winner red", "nobody yet"),
    ("expect score red 1", "expect score red 1", "no score yet"),
    ("expect money 1", "expect money 1", "0"),
]


@each(("text", "line", "wanted", "got"), MISTAKES)
def test_a_mistake_is_shown_where_it_is(
    text: str, line: int, wanted: str, got: str
) -> None:
    outcome = run_script(text, "slip.game")
    assert not outcome.ok
    assert (outcome.file, outcome.line) == ("slip.game", line)
    assert wanted in outcome.wanted
    assert got in outcome.got


@each(("line", "wanted", "got"), MISSES)
def test_a_line_that_does_not_hold_says_what_came(
    line: str, wanted: str, got: str
) -> None:
    outcome = run_script(HEAD + "# a comment\n\n" + line + " # why\n", "miss.game")
    assert not outcome.ok
    assert outcome.line == 5
    assert outcome.wanted == wanted
    assert got in outcome.got
    assert outcome.position.startswith("red roll | red $1,500 on go")


def test_a_trace_tells_each_event_and_the_position_after_each_line() -> None:
    outcome = run_script(HEAD + "do red roll 1 2\nexpect stage buy\n", "t", trace=True)
    assert outcome.ok
    assert outcome.trace == (
        "3: do red roll 1 2",
        "    DiceRolled seat=red dice=(1, 2) special=",
        "    TokenMoved seat=red space=3",
        "    DeedAwaited deed=baltic-avenue may_pass=False",
        "  red buy | red $1,500 on baltic-avenue | blue $1,500 on go"
        " | bank houses 32 hotels 12",
        "4: expect stage buy",
        "  red buy | red $1,500 on baltic-avenue | blue $1,500 on go"
        " | bank houses 32 hotels 12",
    )
    assert run_script(HEAD + "do red roll 1 2\n").trace == ()


@pytest.mark.parametrize("text", ["\ufeff" + HEAD, HEAD.replace("\n", "\r\n"), HEAD])
def test_editors_habits_do_no_harm(text: str) -> None:
    assert run_script(text).ok


def test_a_comment_may_follow_anything() -> None:
    assert run_script("# one\nedition classic#two\nseats red blue # three\n").ok


def test_a_novel_is_not_read() -> None:
    outcome = run_script("# a line\n" * 100_001)
    assert not outcome.ok
    assert "at most 100000 lines" in outcome.wanted


README = (Path(__file__).parents[3] / "companion/script/README.md").read_text(
    encoding="utf-8"
)


def test_the_readmes_example_holds() -> None:
    block = re.search(r"```text\n(.*?)```", README, re.DOTALL)
    assert block is not None
    assert run_script(block[1]).ok


@each(
    "word",
    [
        word
        for word, verb in (*VERBS.items(), *TABLE_VERBS.items())
        if word != address_of(verb.kind)
    ],
)
def test_every_verb_with_a_word_of_its_own_is_in_the_readme(word: str) -> None:
    assert re.search(rf"(`|do table ){word}\b", README)


@each("word", [*SEAT_WORDS, *TABLE_WORDS, *Stage])
def test_every_word_of_a_position_and_every_stage_is_in_the_readme(word: str) -> None:
    assert re.search(rf"`(SEAT )?{word}\b", README)
