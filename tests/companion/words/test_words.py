"""A sentence is English text, and can be said again in another language."""

from __future__ import annotations

import pytest

from companion.words import Words, capital, say, say_count, translated
from companion.words.money import dollars_text
from tests.sample import each

GERMAN = {
    "{who} owes {creditor} {amount}": "{who} schuldet {creditor} {amount}",
    "the bank": "der Bank",
    "the time was over": "die Zeit war um",
    "{count} house": "ein Haus",
    "{count} houses": "{count} Häuser",
}


class German:
    """A language of five sentences."""

    def gettext(self, message: str, /) -> str:
        return GERMAN.get(message, message)

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        return self.gettext(singular if n == 1 else plural)

    def amount(self, amount: int, /) -> str:
        return f"{amount} Taler"


def owes() -> Words:
    return say(
        "{who} owes {creditor} {amount}",
        who="Ada",
        creditor=say("the bank"),
        amount=dollars_text(1_500),
    )


def test_a_sentence_is_text() -> None:
    assert owes() == "Ada owes the bank $1,500"
    assert f"{owes()}!" == "Ada owes the bank $1,500!"


def test_its_values_are_translated_too_and_names_are_not() -> None:
    assert translated(owes(), German()) == "Ada schuldet der Bank 1500 Taler"
    assert translated("Ada", German()) == "Ada"


@each(
    ("name", "shown"),
    [
        ("Ada", "Ada"),
        ("Zo\xeb", "Zo\xeb"),
        ("\u05d3\u05e0\u05d9", "\u2068\u05d3\u05e0\u05d9\u2069"),
        ("\u0645\u0631\u064a\u0645", "\u2068\u0645\u0631\u064a\u0645\u2069"),
        ("Ben \u05d3", "\u2068Ben \u05d3\u2069"),
    ],
)
def test_a_name_from_right_to_left_is_set_apart(name: str, shown: str) -> None:
    said = say("{who} pays {amount}", who=name, amount=dollars_text(50))
    assert said == f"{shown} pays $50"
    assert translated(said, German()) == f"{shown} pays 50 Taler"


@pytest.mark.parametrize(
    ("count", "english", "german"),
    [(0, "0 houses", "0 Häuser"), (1, "1 house", "ein Haus"), (2, "2 houses", None)],
)
def test_a_count_chooses_its_form(count: int, english: str, german: str | None) -> None:
    text = say_count(count, "{count} house", "{count} houses")
    assert text == english
    assert translated(text, German()) == (german or "2 Häuser")


def test_a_capital_survives_translation() -> None:
    raised = capital(say("the time was over"))
    assert raised == "The time was over"
    assert translated(raised, German()) == "Die Zeit war um"
    assert capital("plain") == "Plain"
    assert capital("") == ""


def test_what_nobody_translated_stays_english() -> None:
    assert translated(say("{who} passed", who="Ada"), German()) == "Ada passed"


def test_values_can_be_changed_without_losing_the_sentence() -> None:
    other = owes().with_values(lambda value: "Ben" if value == "Ada" else value)
    assert other == "Ben owes the bank $1,500"
    assert translated(other, German()) == "Ben schuldet der Bank 1500 Taler"


def test_braces_in_a_name_are_only_a_name() -> None:
    assert say("{who} passed", who="{amount}") == "{amount} passed"
