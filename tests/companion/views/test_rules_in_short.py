"""The rules of a game in short, and tips: what a box has is told, and nothing else."""

from __future__ import annotations

import re
from itertools import product

import pytest

from companion.edition import builtin
from companion.edition.snapshot import snapshot
from companion.views.rules_in_short import CHAPTERS, TIPS, rules_in_short, tips_for
from companion.views.why import shown
from companion.words import translated
from tests.guided import Guided
from tests.sample import each
from tests.test_sixth_box import table
from tests.told import RULES, key_of
from web.http.language import LANGUAGES, language_of

EDITIONS = ("classic", "grab-and-go", "secret-vault", "crooked-cash", "mega")
WORDS_MAX = 14
KEYS = [key_of(row.rule) for _, rows in CHAPTERS for row in rows]


def told(edition: str, **options: str) -> set[str]:
    """Return the keys of the rules that are listed for an edition."""
    rules = snapshot(builtin(edition), options)
    return {
        key_of(row.rule) for _, rows in CHAPTERS for row in rows if row.holds(rules)
    }


def test_every_rule_is_listed_once_and_there_is() -> None:
    assert len(set(KEYS)) == len(KEYS)
    assert set(KEYS) <= set(RULES)


@each("edition", EDITIONS)
def test_a_chapter_has_the_rules_that_hold_with_figures_and_sheets(
    edition: str,
) -> None:
    game = Guided(edition).game
    chapters = rules_in_short(game)
    listed = [rule for chapter in chapters for rule in chapter.rules]
    assert len({rule.words for rule in listed}) == len(listed) == len(told(edition))
    assert all("{" not in rule.words for rule in listed)
    assert all("$0" not in rule.words for rule in listed)
    assert shown(RULES["to-jail"], game) in listed


MEGA_ALONE = {
    *("third-die", "mr", "mr-rent", "mr-alone", "bus", "white-doubles", "triples"),
    *("ticket", "ticket-roll", "ticket-gone", "ticket-expire", "ticket-space"),
    *("ticket-utility", "auction-space", "auction-highest", "gift", "jail-white"),
    *("near-group", "rent-near", "skyscraper", "last-street", "spread", "depot"),
}


def test_a_mechanic_is_told_where_it_is_and_nowhere_else() -> None:
    assert told("mega") >= MEGA_ALONE
    assert not told("mega") & {"dice", "group", "rent-group", "hotels"}
    for edition in EDITIONS[:-1]:
        assert not told(edition) & MEGA_ALONE, edition
        assert "dice" in told(edition)
    assert {"group", "evenly", "mortgage", "over-one-left"} <= told("classic")
    vault = told("secret-vault")
    assert {"hotels", "guess", "salary-vault", "lift-printed"} <= vault
    assert not vault & {"group", "evenly", "lift", "fake-note"}
    assert {"fake-note", "chip", "open-card", "street-sale"} <= told("crooked-cash")


@pytest.mark.parametrize(
    ("edition", "rent", "key"),
    [
        ("grab-and-go", "asked", "rent-asked"),
        ("classic", "asked", "rent-asked-later"),
        ("classic", "automatic", "rent-automatic"),
    ],
)
def test_the_tables_options_count(edition: str, rent: str, key: str) -> None:
    asked = {"rent-asked", "rent-asked-later", "rent-automatic"}
    assert told(edition, rent=rent) & asked == {key}


def test_a_box_that_mixes_all_mechanics_has_all_their_rules() -> None:
    game = table(0).game
    assert game.board is not None
    rules = game.board.rules
    keys = {
        key_of(row.rule) for _, rows in CHAPTERS for row in rows if row.holds(rules)
    }
    assert keys >= MEGA_ALONE - {"gift"}
    assert {"guess", "vault-opened", "key", "fake-note", "chip", "locked"} <= keys
    words = [rule.words for chapter in rules_in_short(game) for rule in chapter.rules]
    assert "There are 6 tickets. A used one is out of the game." in words
    assert "A depot costs $60. Its railroad then earns 2 times the rent." in words


# Tips.


def test_there_are_ten_tips_for_a_box_that_has_it_all() -> None:
    assert len(tips_for(snapshot(builtin("mega")))) == len(TIPS) == 10


@pytest.mark.parametrize(
    ("edition", "count"),
    [("classic", 4), ("grab-and-go", 4), ("secret-vault", 0), ("crooked-cash", 0)],
)
def test_other_boxes_have_the_tips_that_help_there(edition: str, count: int) -> None:
    tips = tips_for(snapshot(builtin(edition)))
    assert len(tips) == count
    told = " ".join(tip.words for tip in tips)
    for word in ("ticket", "Mr. Monopoly", "depot"):
        assert word not in told


def test_no_tip_speaks_of_more_houses_than_may_stand_on_a_street() -> None:
    game = table(0).game
    assert game.board is not None
    titles = {str(tip.title) for tip in tips_for(game.board.rules)}
    assert "Do not pile up tickets" in titles
    assert not titles & {"Three houses are the goal", "Four houses can beat a hotel"}
    quick = snapshot(builtin("grab-and-go"), {"quick": "on"})
    titles = {str(tip.title) for tip in tips_for(quick)}
    assert "Three houses are the goal" in titles
    assert "Four houses can beat a hotel" not in titles


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.?!])(?<!Mr\.) |[:;] ", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tip_is_said_in_short_sentences_in_every_language(language: str) -> None:
    for tip, _ in TIPS:
        for text in (tip.title, tip.words):
            said = translated(text, language_of(language))
            assert (said == text) == (language == "en"), text
            for one in sentences(said):
                assert len(one.split()) <= WORDS_MAX, one


@each(("language", "key"), product(LANGUAGES, sorted(MEGA_ALONE)))
def test_a_mechanic_is_told_in_short_sentences(language: str, key: str) -> None:
    words = shown(RULES[key], Guided("mega").game).words
    for one in sentences(translated(words, language_of(language))):
        assert len(one.split()) <= WORDS_MAX, one
