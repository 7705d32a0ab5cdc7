"""*Why?* on the pages: a quiet word that opens to the rule and where it stands."""

from __future__ import annotations

import re
from html import unescape

import pytest

from tests.web.conftest import Evening, House
from tests.web.guided_table import guided, said


def opened(text: str) -> list[str]:
    """What each *Why?* of a page opens to, without its markup."""
    found = re.findall(r'<details class="rule".*?</details>', text, re.DOTALL)
    return [" ".join(unescape(re.sub("<[^>]*>", " ", x)).split()) for x in found]


def test_the_history_opens_to_the_rule_of_each_payment(evening: Evening) -> None:
    evening.anna.do(evening.game_id, "collect-salary", seat="red")
    evening.anna.do(evening.game_id, "rename-seat", seat="red", name="Zoe")
    rules = opened(evening.anna.get(f"/g/{evening.game_id}/history").text)
    assert rules[0] == (
        "Why? You get $400 from the bank when you reach GO or pass it. "
        "Rules of Secret Vault: “ GO ” When somebody reaches GO, the bank puts $100 "
        "into the vault. Rules of Secret Vault: “ GO ”"
    )


def test_a_german_phone_reads_why_in_german(evening: Evening) -> None:
    evening.anna.do(evening.game_id, "collect-salary", seat="red")
    evening.anna.post("/language", language="de", back="/")
    (rule, *_) = opened(evening.anna.get(f"/g/{evening.game_id}/history").text)
    assert rule.startswith("Warum? Wenn du auf LOS kommst oder darüberziehst, ")
    assert "Regeln von Secret Vault: „ GO “" in rule


def test_a_refusal_opens_to_its_rule(evening: Evening) -> None:
    answer = evening.anna.do(
        evening.game_id, "pay", payer="red", payee="blue", amount="900000"
    )
    assert answer.status_code == 409
    (rule,) = (x for x in opened(answer.text) if "less than" in x)
    assert rule == (
        "Why? Nobody can have less than nothing. Only the bank never runs out. "
        "This program's own rule: no rule sheet has it"
    )


def test_a_program_is_told_a_rule_with_the_figures_of_the_box(house: House) -> None:
    table = guided(house, "mega")
    said(table, "blue owns baltic-avenue", "bank tickets 0")
    die = {"die-1": "1", "die-2": "2", "special": "bus"}
    assert table.anna.do(table.game_id, "roll", **die).status_code == 303
    answer = table.anna.client.post(
        f"/api/games/{table.game_id}/commands",
        json={
            "command_id": "command-of-a-program",
            "command": {"type": "Choose", "word": "ticket"},
        },
        headers={"Origin": "http://localhost"},
    )
    assert answer.status_code == 409
    assert answer.json["error"] == "no bus ticket is left"
    (rule,) = answer.json["rules"]
    assert rule["words"] == "There are 16 tickets. A used one is out of the game."


def test_a_refused_move_opens_to_the_rule_of_the_box(house: House) -> None:
    table = guided(house, "grab-and-go")
    answer = table.anna.do(table.game_id, "ask-rent", seat="blue")
    assert answer.status_code == 409
    assert (
        "Why? You pay if the owner asks before the next player rolls. "
        "Rules of Grab & Go: “ Paying rent ”"
    ) in opened(answer.text)


def test_what_cannot_be_done_with_a_deed_opens_to_its_rule(house: House) -> None:
    table = guided(house)
    said(table, "red owns oriental-avenue")
    answer = table.anna.get(f"/g/{table.game_id}/deeds/oriental-avenue")
    assert "To build you need the whole group" in answer.text
    assert opened(answer.text) == [
        "Why? You build only where the whole colour is yours. "
        "Standard rules: “ Houses ”"
    ]


def test_a_trade_that_cannot_be_opens_to_its_rule(house: House) -> None:
    table = guided(house)
    said(table, "red owns oriental-avenue")
    answer = table.anna.get(f"/g/{table.game_id}/trade?taker=blue&give-cash=5")
    assert "Money alone is no trade" in answer.text
    assert opened(answer.text) == [
        "Why? You spend only what you have, and nobody lends anybody money. "
        "Standard rules: “ Miscellaneous ”"
    ]


def test_programs_get_the_rule_of_a_refusal_too(evening: Evening) -> None:
    answer = evening.anna.client.post(
        f"/g/{evening.game_id}/do/undo",
        data={"command_id": "tap-12345678", "expected_revision": "999"},
        headers={"Accept": "application/json", "Origin": "http://localhost"},
    )
    assert answer.status_code == 409
    (rule,) = answer.json["rules"]
    assert rule["words"] == (
        "A tap counts only if its page shows the table as it is now."
    )


def test_the_news_of_a_turn_opens_to_its_rule(house: House) -> None:
    table = guided(house)
    table.anna.do(table.game_id, "roll", **{"die-1": 1, "die-2": 2})
    assert opened(table.anna.get(f"/g/{table.game_id}/").text) == []
    table.anna.do(table.game_id, "buy")
    assert opened(table.anna.get(f"/g/{table.game_id}/").text) == [
        "Why? If you land on a deed that nobody owns, you may buy it at its price. "
        "Standard rules: “ Buying properties ”"
    ]


@pytest.mark.parametrize("page", ["", "bank"])
def test_the_latest_line_of_the_bank_alone_opens_to_its_rule(
    evening: Evening, page: str
) -> None:
    evening.host.do(evening.game_id, "collect-salary", seat="red")
    phone = evening.host if page else evening.anna
    (rule,) = opened(phone.get(f"/g/{evening.game_id}/{page}").text)
    assert rule.startswith("Why? You get $400 from the bank when you reach GO")
