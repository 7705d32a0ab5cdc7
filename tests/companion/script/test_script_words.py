"""Every word of a script is looked up before its line is done."""

from __future__ import annotations

from companion.rules.box_reading import READ
from companion.rules.correcting import SEAT_WORDS, TABLE_WORDS
from companion.script import run_script
from companion.script.check import (
    EXPECTED_OF_TABLE,
    OF_SEAT,
    STATED_OF_TABLE,
    TABLE_FORMS,
    VAULT_FORMS,
    VERB_FORMS,
    Form,
)
from companion.script.expect import SEAT_ANSWERS, TABLE_ANSWERS
from companion.script.slots import SLOTS
from companion.script.verbs import TABLE_VERBS, VAULT_VERBS, VERBS
from tests.sample import each

HEAD = "edition secret-vault\nseats red green blue\n"

MISSPELT: list[tuple[str, int, str]] = [
    # The line with one word that means nothing, its column, what was meant.
    ("expect cannot red build boardwlk", 25, "boardwalk"),
    ("expect cannot gren build boardwalk", 15, "green"),
    ("expect cannot red bid five", 23, ""),
    ("expect cannot red bulid boardwalk", 19, "build"),
    ("expect can red bulid boardwalk", 16, "build"),
    ("expect can rde buy", 12, "red"),
    ("expect cannot red ask-rent blu", 28, "blue"),
    ("expect cannot red draw chance-kind-", 24, "chance-kind-3"),
    ("expect cannot red choose pey", 26, "pay"),
    ("expect cannot red choose bordwalk", 26, "boardwalk"),
    ("expect cannot red level boardwlk 3", 25, "boardwalk"),
    ("expect cannot red level boardwalk 3 park-plce 3", 37, "park-place"),
    ("expect cannot red sell boardwlk", 24, "boardwalk"),
    ("expect cannot red use-ticket boardwlk", 30, "boardwalk"),
    ("expect cannot red unlock boardwlk", 26, "boardwalk"),
    ("expect winner gren", 15, "green"),
    ("expect score gren 5", 14, "green"),
    ("expect score green lots", 20, ""),
    ("expect stage rol", 14, "roll"),
    ("expect turn gren", 13, "green"),
    ("expect vault keyz 1", 14, "keys"),
    ("expect vault cash much", 19, ""),
    ("expect bank hotel s", 19, ""),
    ("expect red cards guesss", 18, "guess"),
    ("expect red owes 5 to gren", 22, "green"),
    ("expect red owes 5 too green", 19, "to"),
    ("expect boardwalk owner gren", 24, "green"),
    ("expect redd cash 5", 8, "red"),
    ("expect muney 0", 8, "money"),
    ("given stage rol", 13, "roll"),
    ("given grene cash 100", 7, "green"),
    ("given red cash five", 16, ""),
    ("given red on fre-parking", 14, "free-parking"),
    ("given red owns boardwalk prk-place", 26, "park-place"),
    ("given red cards jale-card", 17, "jail-card"),
    ("given red jailed twice", 18, ""),
    ("given boardwalk owner nobody", 23, ""),
    ("given boardwalk ownr red", 17, "owner"),
    ("given top chanse guess", 11, "chance"),
    ("given card chanse guess", 12, "chance"),
    ("given card chance gues", 19, "guess"),
    ("given space 17 chanse", 16, "chance"),
    ("given figure states-avenue mortgag 70", 28, "mortgage"),
    ("given figure state-avenue mortgage 70", 14, "states-avenue"),
    ("given vault cod 3", 13, "code"),
    ("do gren roll 1 2", 4, "green"),
    ("do tabel set red cash 5", 4, "table"),
    ("do valt lock", 4, "vault"),
    ("do red rol 1 2", 8, "roll"),
    ("do red roll 1 valt", 15, "vault"),
    ("do table set red csh 5", 18, "cash"),
    ("do table set gren cash 5", 14, "green"),
    ("do table ballance red 5", 10, "balance"),
    ("do table balance gren 5", 18, "green"),
    ("do table leave gren", 16, "green"),
    ("do vault lock coed 3", 15, "code"),
    ("do red offer blu give cash 5 want boardwalk", 14, "blue"),
    ("do red offer blue giv cash 5 want boardwalk", 19, "give"),
    ("do red offer blue give csh 5 want boardwalk", 24, "cash"),
    ("do red offer blue give cash 5 want boardwlk", 36, "boardwalk"),
    ("do red offer blue give cash five want boardwalk", 29, ""),
    ("do red offer blue give boardwalk wnat cash 5", 34, "want"),
    ("do red unbuild boardwalk al", 26, "all"),
    ("do red guess 3 jamed", 16, "jammed"),
    ("do red figure states-avenue mortgag 5", 29, "mortgage"),
    ("do red use-card gues", 17, "guess"),
    ("refuse red build boardwlk -> wrong_stage", 18, "boardwalk"),
    ("refuse gren buy -> wrong_stage", 8, "green"),
    ("refuse red ask-rent blu -> rent_not_due", 21, "blue"),
    ("refuse red biuld boardwalk -> malformed", 12, "build"),
    ("refuse table sett red cash 5 -> malformed", 14, "set"),
]

UNFINISHED = [
    ("do red build", 14, "a deed"),
    ("do red bid", 12, "a whole number"),
    ("do red offer blue give cash", 29, "a whole number"),
    ("do red offer blue", 19, "'give'"),
    ("do red figure states-avenue mortgage", 38, "a whole number"),
    ("do table set red", 18, "a word, one of on, cash"),
    ("given red on", 14, "a space"),
    ("given red owns", 16, "a deed"),
    ("expect red cash", 17, "a whole number"),
    ("expect can red", 16, "a verb, one of roll"),
    ("expect cannot red unbuild boardwalk all now", 41, "nothing more"),
    ("do red buy now", 12, "nothing more"),
    ("do vault open wide", 15, "nothing more"),
    ("given boardwalk bare there", 22, "nothing more"),
    ("expect stage roll now", 19, "nothing more"),
]

WORDS_THEMSELVES = [
    "refuse red build boardwlk -> malformed",
    "refuse gren buy -> unknown_seat",
    "refuse red offer pink give boardwalk -> unknown_seat",
    "refuse table set bordwalk owner red -> malformed",
    "refuse red roll -> malformed",
]


@each(("line", "column", "meant"), MISSPELT)
def test_a_misspelt_word_is_shown_with_what_was_meant(
    line: str, column: int, meant: str
) -> None:
    outcome = run_script(f"{HEAD}{line}\n", "slip.game")
    assert not outcome.ok
    assert outcome.line == 3
    assert outcome.wanted.startswith(f"column {column}: ")
    word = line[column - 1 :].split()[0]
    hint = f"; did you mean {meant!r}?" if meant else ""
    assert outcome.got == f"{word!r}{hint}"


@each(("line", "column", "wanted"), UNFINISHED)
def test_a_word_too_few_or_too_many_is_shown_where_it_is(
    line: str, column: int, wanted: str
) -> None:
    outcome = run_script(f"{HEAD}{line}\n", "slip.game")
    assert not outcome.ok
    assert outcome.wanted.startswith(f"column {column}: {wanted}")
    word = line[column - 1 :].split()[:1]
    assert outcome.got == (repr(word[0]) if word else "nothing")


@each("line", WORDS_THEMSELVES)
def test_a_line_about_words_may_name_what_there_is_not(line: str) -> None:
    outcome = run_script(f"{HEAD}given vault code 1\n{line}\n")
    assert outcome.ok, outcome.got


@each(
    ("forms", "words"),
    [
        (VERB_FORMS, {*VERBS}),
        (TABLE_FORMS, {*TABLE_VERBS}),
        (VAULT_FORMS, {*VAULT_VERBS}),
        (OF_SEAT, {*SEAT_WORDS}),
        (OF_SEAT, {*SEAT_ANSWERS}),
        (STATED_OF_TABLE, {*TABLE_WORDS, *READ}),
        (EXPECTED_OF_TABLE, {*TABLE_ANSWERS} - {"vault"}),
    ],
)
def test_every_word_that_is_known_has_a_form(
    forms: dict[str, Form], words: set[str]
) -> None:
    assert set(forms) == words


def test_a_seat_that_sat_down_later_is_known() -> None:
    by_hand = "do table rest\ndo table join pink\n"
    assert run_script(f"{HEAD}{by_hand}expect can red roll\n").line == 5
    came = f"{HEAD}{by_hand}do table resume\n"
    assert run_script(f"{came}expect pink on go\nexpect cannot pink roll\n").ok
    assert "did you mean 'pink'" in run_script(f"{came}expect pnik on go\n").got


def test_every_kind_of_place_is_used() -> None:
    def parts(form: Form) -> set[str]:
        return {
            name
            for part in form
            for name in (parts(part) if isinstance(part, tuple) else {part})
        }

    forms_of_deed: Form = ("owner",)
    tables = (
        VERB_FORMS,
        TABLE_FORMS,
        VAULT_FORMS,
        OF_SEAT,
        STATED_OF_TABLE,
        EXPECTED_OF_TABLE,
    )
    used = {
        name.removesuffix("+")
        for table in tables
        for form in (*table.values(), forms_of_deed)
        for name in parts(form)
    }
    assert set(SLOTS) <= used
