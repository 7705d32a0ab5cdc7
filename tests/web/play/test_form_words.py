"""A form filled in wrongly answers a German phone in German, in words for a child."""

from __future__ import annotations

import re
from html import unescape

import pytest

from companion.units import GameId
from tests.web.conftest import Evening, House, Phone
from tests.web.guided_table import guided, said

ENGLISH = re.compile(
    r"\b(expected|got|type|the|of|and|with|say|first|nothing|again|amount|number|"
    r"whole|one|seat|deed|is|from|to|that|not|die-\d)\b",
    re.IGNORECASE,
)
"""Words that no German sentence has."""

QUOTED = re.compile(r"'[^']*'|\b(?:owner|houses|hotels|mortgaged|none|jail-card)\b")
"""What was typed, and the words of the scripts, which are the same everywhere."""

MESSAGE = re.compile(
    r'id="message"[^>]*>(.*?)</div>\s*</div>|<h1>(.*?)</h1>(?:</div>\s*'
    r'<p class="remedy">(.*?)</p>)?',
    re.DOTALL,
)


def german(phone: Phone) -> Phone:
    assert phone.post("/language", language="de", back="/").status_code == 303
    return phone


def told(phone: Phone, game_id: GameId, verb: str, **form: object) -> str:
    answer = phone.do(game_id, verb, **form)
    assert answer.status_code in (400, 409), answer.status_code
    found = MESSAGE.search(answer.text)
    assert found, answer.text[:2_000]
    text = " ".join(part for part in found.groups() if part)
    return unescape(re.sub(r"<[^>]+>", " ", text)).strip()


def check_german(text: str) -> None:
    wrong = ENGLISH.search(QUOTED.sub("", text))
    assert not wrong, f"{wrong and wrong[0]!r} in {text!r}"
    assert not re.search(r"\bfür (dem|der)\b", text), f"a wrong case in {text!r}"
    assert re.search(r"\b(auf|der|die|das|erwartet|wird|nicht|ist|es)\b", text, re.I)


@pytest.fixture
def table(house: House) -> Evening:
    evening = guided(house, "grab-and-go", 2)
    for phone in (evening.anna, evening.ben, evening.host):
        german(phone)
    said(evening, "red owns boardwalk park-place", "boardwalk houses 1")
    return evening


FORMS: list[tuple[str, dict[str, object]]] = [
    ("roll", {"die-1": "x", "die-2": "1"}),
    ("roll", {"die-1": "9", "die-2": "1"}),
    ("roll", {"die-1": "3"}),
    ("bid", {"amount": "abc"}),
    ("make-offer", {"taker": "blue", "give-cash": "many", "want-deed": "boardwalk"}),
    ("make-offer", {"taker": "blue", "give-deed": "park-place", "want-cash": "5"}),
    ("make-offer", {"taker": "blue", "give-deed": "park-place", "want-cash": "-5"}),
    ("draw", {"card": "", "effect": "collect", "amount": "a lot"}),
    ("build", {"deed": "baltic-avenue"}),
]
"""What a seat may post, by a slip of the thumb."""


def test_a_seats_form_is_answered_in_german(table: Evening) -> None:
    for verb, form in FORMS:
        check_german(told(table.anna, table.game_id, verb, **form))


WORDS = [
    *("red csh 5", "red cash", "red cash -5", "red cash 1 2", "blub", "pink cash 5"),
    *("boardwalk houses 9", "boardwalk onwer red", "boardwalk houses", "boardwalk"),
    *("baltic-avenue mortgaged", "boardwalk mortgaged", "oriental-avenue hotels 1"),
    *("reading-railroad houses 1", "boardwalk owner pink", "bank houses 99"),
    *("red on boardwlk", "red jailed 7", "red owes 5 to pink", "red owes", "turn pink"),
    *("red cards chance-05", "red cards chance-99", "red hotels 1", "stage buy"),
    *(
        "stage",
        "vault cash 5",
        "doubles 9",
        "top chance chance-01",
        "red owes 5 to red",
    ),
    *("figure boardwalk", "figure boardwalk rnt 5", "figure short-line house_cost 5"),
    *("space 5", "space 5 chance", "figure nowhere rent 5", "figure boardwalk rent x"),
]
"""What a banker may type, with a slip in it."""


def test_a_correction_is_answered_in_german(table: Evening) -> None:
    for words in WORDS:
        check_german(told(table.host, table.game_id, "correct-position", words=words))


BY_HAND: list[tuple[str, dict[str, object]]] = [
    ("begin", {"option-auction_start": "none"}),
    ("pay", {"payer": "red", "payee": "blue", "amount": "1.5"}),
    ("pay", {"payer": "red", "payee": "blue", "amount": ""}),
    ("correct-balance", {"account": "red", "balance": "-5"}),
    ("ask-money", {"payer": "blue", "amount": "9" * 50}),
]
"""What may be posted while the table plays by hand."""


def test_a_form_by_hand_is_answered_in_german(evening: Evening) -> None:
    anna, host = german(evening.anna), german(evening.host)
    for verb, form in BY_HAND:
        phone = anna if verb in ("pay", "ask-money") else host
        check_german(told(phone, evening.game_id, verb, **form))


def test_a_die_is_called_a_die(table: Evening) -> None:
    text = told(table.anna, table.game_id, "roll", **{"die-1": "x", "die-2": "1"})
    assert "'x' ist keine ganze Zahl für den ersten Würfel." in text
    assert "Tippe sie in Ziffern ein." in text


def test_a_slip_is_told_in_plain_words(house: House) -> None:
    table = guided(house, "grab-and-go", 2)
    said(table, "red owns boardwalk park-place", "boardwalk houses 1")
    texts = [told(table.anna, table.game_id, verb, **form) for verb, form in FORMS]
    texts += [
        told(table.host, table.game_id, "correct-position", words=words)
        for words in WORDS
    ]
    for text in texts:
        assert not re.search(r"\bexpected\b|, got\b", text, re.IGNORECASE), text


def test_a_tap_that_came_too_late_is_told_in_plain_words(evening: Evening) -> None:
    pay = {"payee": "blue", "amount": "5", "expected_revision": "1"}
    text = told(evening.anna, evening.game_id, "pay", **pay)
    assert text.startswith("Something has happened at the table since you looked.")
    assert "revision" not in text


def test_a_slip_by_hand_is_told_in_plain_words(evening: Evening) -> None:
    pay = {"payer": "red", "payee": "blue"}
    for amount, plain in (
        ("1x0", "'1x0' is no amount. Type a whole number such as 150."),
        ("", "No amount was typed. Type a whole number such as 150."),
        ("9999999", "'9999999' is too much: $1,000,000 at most."),
    ):
        assert plain in told(evening.anna, evening.game_id, "pay", **pay, amount=amount)
    name = evening.house.guest()
    name.get("/start")
    path = f"/g/{evening.game_id}/join"
    page = name.post(path, name="", colour="green", token="duck").text
    assert "A name is missing." in page
    seat = {"name": "Zoe", "colour": "green", "token": "duck"}
    for wrong, plain in (
        ({"colour": "mauve"}, "There is no colour &#39;mauve&#39;."),
        ({"token": "yacht"}, "There is no token &#39;yacht&#39;."),
        ({"name": "x" * 25}, "25 characters cannot be a name: that has 1 to 24"),
        ({"name": "x" * 250}, "250 characters cannot be a name: that has 1 to 24"),
    ):
        assert plain in name.post(path, **(seat | wrong)).text
    odd = pay | {"amount": "5", "reason": "fun"}
    assert "'fun' is no reason to pay. Choose what the money is for." in told(
        evening.anna, evening.game_id, "pay", **odd
    )


def test_programs_still_get_what_was_wanted_and_what_came(evening: Evening) -> None:
    answer = evening.anna.client.post(
        f"/g/{evening.game_id}/do/pay",
        data={"command_id": "tap-12345678", "payee": "blue", "amount": "1x0"},
        headers={"Accept": "application/json", "Origin": "http://localhost"},
    )
    assert answer.json["wanted"] == "a whole amount from $1 to $1,000,000"
    assert answer.json["got"] == "'1x0'"
