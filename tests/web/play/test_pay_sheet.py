from __future__ import annotations

import pytest

from companion.errors import Refused, Why
from companion.views.refusals import in_names, refusal_text, sentence
from companion.views.table import seat_names
from tests.sample import each
from tests.told import RULES

NAMES = {"red": "Anna", "blue": "Ben"}


@each(
    ("text", "said"),
    [
        ("red has $5; this costs $9", "Anna has $5; this costs $9"),
        ("red cannot pay itself", "Anna cannot pay itself"),
        ("request 3 is blue's", "request 3 is Ben's"),
        ("reddish tired scared", "reddish tired scared"),
        ("green is not here", "green is not here"),
    ],
)
def test_a_seats_word_becomes_its_players_name(text, said):
    assert in_names(text, NAMES) == said


def test_names_are_put_in_once_even_if_they_are_words_of_other_seats():
    assert in_names("red owes blue", {"red": "blue", "blue": "red"}) == "blue owes red"


def test_without_seats_nothing_is_replaced():
    assert in_names("red", {}) == "red"


def test_a_taken_colour_stays_a_colour(evening):
    view = evening.house.table.table_view(evening.game_id)
    refused = Refused(
        RULES["names"],
        Why.NAME_TAKEN,
        "Anna already has the colour red",
        "choose again",
    )
    said, _ = refusal_text(refused, seat_names(view))
    assert said == "Anna already has the colour red"


@pytest.mark.parametrize(
    ("who", "said"),
    [
        ("anna", "You have $3,000; this costs $9,000. Raise $6,000 first."),
        ("host", "Anna has $3,000; this costs $9,000. Raise $6,000 first."),
    ],
)
def test_who_holds_the_phone_is_you_when_the_money_is_short(evening, who, said):
    phone = getattr(evening, who)
    filled = "payer=red&payee=blue&amount=9000&reason=rent"
    assert said in phone.get(f"/g/{evening.game_id}/pay?{filled}").text
    answer = phone.do(
        evening.game_id, "pay", payer="red", payee="blue", amount=9_000, reason="rent"
    )
    assert said.split(".")[0] in answer.text.split('id="message"')[1][:400]


def test_sentences_begin_and_end_as_sentences():
    assert sentence("red has $5", "raise $4") == "Red has $5. Raise $4."
    assert sentence("only this") == "Only this."
