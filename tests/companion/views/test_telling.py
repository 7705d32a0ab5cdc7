"""An entry is told in one short sentence where one will do, in words a child reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import pytest

from companion.game.journal import Entry, Journal
from companion.script import run_script
from companion.views.agreed import correction_text
from companion.views.history import HistoryLine, history_line, names_of
from companion.views.wording import Names
from companion.words import Value, Words, translated
from companion.words.amount import Amount
from tests.companion.rules.test_engine_playouts import play_out
from tests.guided import Guided
from tests.sample import each, volume
from tests.test_games import SAMPLE, SCRIPTS, play
from tests.test_playouts import play_out as play_by_hand
from web.http.language import LANGUAGES, language_of

WORDS_MAX = 14
"""No sentence of the history is longer. A name counts as one word, a list as one
name, and what stands in parentheses is a detail."""


def names_after(entries: tuple[Entry, ...]) -> Names:
    journal = Journal(lambda after: entries[after:])
    for entry in entries:
        journal.append(entry)
    assert journal.game is not None
    return names_of(journal.game)


def last_line(edition: str, *lines: str) -> HistoryLine:
    """Return the last line of a script in the history."""
    script = "\n".join((f"edition {edition}", "seats red blue", *lines))
    outcome = run_script(script, "here")
    assert outcome.ok, f"line {outcome.line}: {outcome.wanted}, got {outcome.got}"
    names = names_after(outcome.entries)
    return history_line(outcome.entries[-1], names, is_undone=False)


def last_told(edition: str, *lines: str) -> list[str]:
    """Return the sentences of the history for the last line of a script."""
    return list(last_line(edition, *lines).sentences)


LAID = (
    *("given blue owns boardwalk", "given red on pennsylvania-avenue"),
    *("do red roll 1 3", "do blue ask-rent"),
)
"""Red lays the rent of Boardwalk on the table."""

TOLD: list[tuple[str, tuple[str, ...], list[str]]] = [
    ("classic", ("do red roll 1 2",), ["red rolled 3 and landed on Baltic Avenue"]),
    (
        "classic",
        ("do red roll 1 1",),
        ["red rolled two 1s and landed on Community Chest"],
    ),
    (
        "classic",
        ("given red on 39", "do red roll 1 2"),
        ["red rolled 3, got $200 at GO and landed on Community Chest"],
    ),
    (
        "classic",
        ("given red on 37", "do red roll 1 2"),
        ["red rolled 3 and landed on GO: $200"],
    ),
    (
        "classic",
        ("given red on 27", "do red roll 1 2"),
        ["red rolled 3, landed on Go To Jail and went to jail"],
    ),
    (
        "classic",
        ("given doubles 2", "do red roll 1 1"),
        ["red rolled doubles a third time and went to jail"],
    ),
    (
        "classic",
        ("given red on 1", "do red roll 1 2"),
        ["red rolled 3, landed on Income Tax and paid $200"],
    ),
    (
        "classic",
        ("do red roll 1 2", "do red buy"),
        ["red bought Baltic Avenue for $60"],
    ),
    (
        "classic",
        ("do red roll 1 2", "do red auction"),
        ["red put Baltic Avenue up for auction"],
    ),
    (
        "classic",
        ("given blue owns baltic-avenue", "do red roll 1 2"),
        ["red rolled 3 and landed on Baltic Avenue", "blue may ask for $4 rent"],
    ),
    (
        "classic",
        ("given blue owns baltic-avenue", "do red roll 1 2", "do blue ask-rent"),
        ["red paid blue $4 rent for Baltic Avenue"],
    ),
    (
        "classic",
        ("given red owns baltic-avenue", "do red mortgage baltic-avenue"),
        ["red mortgaged Baltic Avenue for $30"],
    ),
    (
        "classic",
        ("given red jailed 0", "do red pay-jail"),
        ["red paid $50 and left jail"],
    ),
    ("mega", ("do red roll 1 2 3",), ["red rolled 6 and landed on Reading Railroad"]),
    (
        "mega",
        ("do red roll 1 2 mr",),
        ["red rolled 3 and Mr. Monopoly, and landed on Baltic Avenue"],
    ),
    (
        "mega",
        ("do red roll 1 2 bus",),
        ["red rolled 3 and the bus, and landed on Baltic Avenue"],
    ),
    (
        "mega",
        ("given red on 50", "do red roll 1 2 mr"),
        ["red rolled 3 and Mr. Monopoly, got $200: now Mediterranean Avenue"],
    ),
    (
        "mega",
        ("given red on 49", "given baltic-avenue owner red", "do red roll 1 2 bus"),
        [
            "red rolled 3 and the bus, and landed on GO: $200",
            "the bus waits for red",
        ],
    ),
    (
        "mega",
        ("do red roll 1 2 mr", "do red buy"),
        [
            "red bought Baltic Avenue for $60",
            "Mr. Monopoly took red on to Arctic Avenue",
        ],
    ),
    (
        "mega",
        ("given red on 49", "given boardwalk owner red", "do red roll 1 1 mr"),
        [
            "red rolled 2 and Mr. Monopoly, and landed on Boardwalk",
            "Mr. Monopoly took red on to Mediterranean Avenue, with $200 at GO",
        ],
    ),
    ("mega", ("do red roll 2 2 2",), ["red rolled three 2s: any space"]),
    (
        "mega",
        ("do red roll 2 2 2", "do red choose free-parking"),
        ["red went to Free Parking"],
    ),
    (
        "mega",
        ("given red on 30", "do red roll 2 2 2", "do red choose free-parking"),
        ["red went to Free Parking and got $200 at GO"],
    ),
    (
        "mega",
        ("given red on 30", "do red roll 2 2 2", "do red choose go"),
        ["red went to GO: $200"],
    ),
    (
        "mega",
        ("given red tickets 1", "do red use-ticket baltic-avenue"),
        ["red took the bus to Baltic Avenue"],
    ),
    (
        "mega",
        ("given red tickets 1", "given red on 45", "do red use-ticket go"),
        ["red took the bus to GO: $200"],
    ),
    (
        "mega",
        ("given red tickets 1", "given red on 30", "do red use-ticket go-to-jail"),
        ["red took the bus to Go To Jail and went to jail"],
    ),
    (
        "mega",
        ("given red on 43", "do red roll 1 2 1", "do red choose cash"),
        ["red took a gift of $100"],
    ),
    (
        "mega",
        ("given red on 43", "do red roll 1 2 1", "do red choose ticket"),
        ["red chose: a bus ticket"],
    ),
    (
        "mega",
        ("given red on 10", "do red roll 1 2 1", "do red choose boardwalk"),
        ["red put Boardwalk up for auction"],
    ),
    (
        "mega",
        (
            "given red owns st-james-place tennessee-avenue new-york-avenue",
            "do red level st-james-place 1 tennessee-avenue 1 new-york-avenue 1",
        ),
        [
            "red built for $300; there are now: St. James Place: one house "
            "and Tennessee Avenue: one house and New York Avenue: one house"
        ],
    ),
    (
        "secret-vault",
        ("given red jailed 0", "do red pay-jail"),
        ["red paid $100 into the vault and left jail"],
    ),
    (
        "classic",
        ("given red jailed 0", "do red roll 1 2"),
        ["red rolled 1 and 2 and stays in jail"],
    ),
    (
        "grab-and-go",
        (
            "given red on 29",
            "given top chance chance-11",
            "do red roll 3 4",
            "do red draw",
        ),
        ["red drew: go to jail"],
    ),
    ("classic", ("given red cash 500",), ["The table agreed: red has $500"]),
    (
        "classic",
        (
            "given red owns oriental-avenue vermont-avenue connecticut-avenue",
            "given connecticut-avenue houses 1",
        ),
        ["The table agreed: one house on Connecticut Avenue"],
    ),
    (
        "crooked-cash",
        (*LAID,),
        ["red laid $200 on the table: blue's rent for Boardwalk"],
    ),
    ("crooked-cash", (*LAID, "do red hand-over"), ["red paid blue $200 rent"]),
    (
        "crooked-cash",
        (*LAID, "do blue inspect"),
        ["blue spent a chip to look at what red holds"],
    ),
    (
        "crooked-cash",
        (*LAID, "do blue inspect", "do camera verdict real"),
        ["what was looked at is real"],
    ),
    (
        "crooked-cash",
        (*LAID, "do blue inspect", "do camera verdict fake 100"),
        ["a fake note! blue takes the $100 of red"],
    ),
    (
        "crooked-cash",
        ("given red cards jail-someone", "do red use-card jail-someone blue"),
        ["red wants to use a card on blue: send somebody to jail"],
    ),
    (
        "crooked-cash",
        (
            "given red cards jail-someone",
            "do red use-card jail-someone blue",
            "do red hand-over",
        ),
        ["red used a card on blue: send somebody to jail"],
    ),
    (
        "crooked-cash",
        (
            "given red cards jail-someone",
            "do red use-card jail-someone blue",
            "do blue inspect",
            "do camera verdict fake",
        ),
        ["the card is a fake", "blue got $100 for it from the bank"],
    ),
    (
        "crooked-cash",
        (
            "given red owns boardwalk",
            "given red owes 100 to blue",
            "do red sell boardwalk",
        ),
        ["red sold Boardwalk to the bank for $400"],
    ),
    (
        "crooked-cash",
        ("given red on park-place", "given red chips 0", "do red roll 2 3"),
        ["red rolled 5, got $200 and green chips: now Baltic Avenue"],
    ),
    (
        "classic",
        ("given red cash 900", "do table time-up"),
        ["the game is over, since the time is up: blue won"],
    ),
]


@each(("edition", "lines", "told"), TOLD)
def test_what_belongs_together_is_one_sentence(
    edition: str, lines: tuple[str, ...], told: list[str]
) -> None:
    raised = [text[:1].upper() + text[1:] for text in told]
    assert last_told(edition, *lines) == raised


@each(
    ("words", "said"),
    [
        ("red on baltic-avenue", "Ann stands on Baltic Avenue"),
        ("red on go", "Ann stands on GO"),
        ("red owns baltic-avenue boardwalk", "Ann owns Baltic Avenue and Boardwalk"),
        ("red jailed 1", "Ann is in jail"),
        ("red free", "Ann is out of jail"),
        ("red cards none", "Ann has no cards"),
        ("red bankrupt", "Ann is bankrupt"),
        ("red owes 200 to blue", "Ann owes blue $200"),
        ("red owes 200", "Ann owes the bank $200"),
        ("red owes 0", "Ann owes nothing"),
        ("red hotels 2", "Ann has 2 hotels in hand"),
        ("red chips 1", "Ann has one green chip"),
        ("faceup jail-card", "these cards lie open: jail card"),
        ("boardwalk hotels 1", "one hotel on Boardwalk"),
        ("boardwalk houses 3", "3 houses on Boardwalk"),
        ("boardwalk bare", "nothing stands on Boardwalk"),
        ("boardwalk owner none", "nobody owns Boardwalk"),
        ("boardwalk owner red", "Ann owns Boardwalk"),
        ("boardwalk mortgaged", "Boardwalk is mortgaged"),
        ("boardwalk unmortgaged", "Boardwalk is not mortgaged"),
        ("vault cash 300", "the vault has $300"),
        ("vault keys 1", "one key in the vault"),
        ("vault open", "the vault is open"),
        ("bank houses 12", "the bank has 12 houses"),
        ("turn red", "it is Ann's turn"),
        ("doubles 2", "2 doubles so far"),
        ("stage roll", "the table waits for a roll of the dice"),
        ("nonsense", "nonsense"),
    ],
)
def test_a_correction_reads_as_people_say_it(words: str, said: str) -> None:
    names = {**names_of(Guided("classic").game), "red": "Ann", "blue": "blue"}
    assert correction_text(tuple(words.split()), names) == said


def short(value: Value) -> Value:
    """Replace each value in a sentence by a short word, and drop the head of lists."""
    if isinstance(value, Words):
        if value.template == "{first} and {second}":
            return short(value.values["second"])
        return value.with_values(short)
    return value if isinstance(value, int | Amount) else "X"


def counted(sentence: str, code: str) -> int:
    made = short(sentence)
    assert isinstance(made, str)
    return len(re.sub(r"\([^)]*\)", "", translated(made, language_of(code))).split())


def evenings(scripts: Iterable[Path]) -> Iterator[tuple[Entry, ...]]:
    """These scripts, some random games that are led, and some evenings by hand."""
    return chain(
        (play(path).entries for path in scripts),
        (tuple(play_out(seed, 60).entries) for seed in range(5)),
        (tuple(play_by_hand(seed, 40).entries) for seed in range(4)),
    )


@pytest.mark.parametrize("scripts", [SAMPLE, *volume([SCRIPTS])], ids=len)
def test_no_sentence_of_the_history_is_long_in_any_language(
    scripts: list[Path],
) -> None:
    found: dict[tuple[str, str], str] = {}
    for entries in evenings(scripts):
        names = names_after(entries) if entries else {}
        for entry in entries:
            line = history_line(entry, names, is_undone=False)
            for text in (*line.sentences, *line.details):
                assert isinstance(text, Words)
                known = (text.template, str(len(text.values)))
                found.setdefault(known, text)
                if counted(text, "en") > counted(found[known], "en"):
                    found[known] = text
    long = [
        f"{code}: {counted(text, code)}: {translated(text, language_of(code))}"
        for text in found.values()
        for code in LANGUAGES
        if counted(text, code) > WORDS_MAX
    ]
    assert not long, "\n".join(long)
    assert len(found) > 60


def test_what_changes_hands_is_a_detail_once_it_is_a_long_list() -> None:
    given = (
        "given red owns mediterranean-avenue baltic-avenue boardwalk reading-railroad",
        "given red cash 5",
        "given red owes 5000 to blue",
    )
    line = last_line("classic", *given, "do red declare-bankrupt")
    assert line.sentences == (
        "Red is bankrupt: blue gets $5 and all else",
        "The game is over, since only one player is left: blue won",
    )
    assert [str(one).split(" went")[0] for one in line.details] == [
        "Mediterranean Avenue",
        "Baltic Avenue",
        "Reading Railroad",
        "Boardwalk",
    ]


def test_few_sentences_hide_nothing() -> None:
    given = (
        "given red owns baltic-avenue",
        "do red offer blue give baltic-avenue want cash 60",
    )
    line = last_line("classic", *given, "do blue accept")
    assert len(line.sentences) == 3
    assert not line.details
