"""Debts where nobody knows what a card says: every way out, and none that brings $0."""

from __future__ import annotations

import random
import re
from html import unescape

import pytest

from companion.edition import builtin
from companion.edition.snapshot import snapshot
from companion.units import Seat
from tests.random_table import CASH
from tests.sample import sampled
from tests.web.conftest import Evening, House
from tests.web.forms import Form, forms_of
from tests.web.guided_table import guided, said

LIKELY = {"unknown_figures": "likely"}
SIX = (
    "red owns mediterranean-avenue baltic-avenue oriental-avenue states-avenue",
    "red owns virginia-avenue connecticut-avenue",
    "mediterranean-avenue hotels 2",
    "red cash 30",
    "red owes 200 to blue",
)


def table_of(house: House, *lines: str, likely: bool) -> Evening:
    evening = guided(house, "secret-vault", 3, LIKELY if likely else {})
    said(evening, *lines)
    return evening


def page(evening: Evening, path: str = "") -> str:
    answer = evening.anna.get(f"/g/{evening.game_id}/{path}")
    assert answer.status_code == 200
    return answer.text


def moves(text: str) -> list[Form]:
    """The forms that a debtor has to do with a debt."""
    ways = ("unbuild", "mortgage", "read-box", "pay-debt", "declare-bankrupt")
    return [form for form in forms_of(text) if form.verb in ways]


def asks(text: str) -> list[Form]:
    """The forms that ask what a card says."""
    return [form for form in moves(text) if form.verb == "read-box"]


def words_of(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text))


def test_six_streets_of_which_nobody_knows_the_mortgage(house: House) -> None:
    table = table_of(house, *SIX, likely=False)
    text = page(table)
    assert "$0" not in words_of(text)
    assert "I cannot pay" not in text, "what is unknown is not nothing"
    asked = asks(text)
    assert len(asked) == 6
    assert all("What does the card say?" in form.words for form in asked)
    (off,) = [form for form in moves(text) if form.verb == "unbuild"]
    assert off.words.startswith("Take 2 hotels off Mediterranean Avenue: no money")
    assert f'href="/g/{table.game_id}/trade"' in text


def test_a_figure_that_was_typed_leads_back_to_the_debt(house: House) -> None:
    table = table_of(house, *SIX, likely=False)
    asked = next(x for x in asks(page(table)) if "states-avenue" in x.fields["key"])
    answer = table.anna.post(asked.action, **asked.fields, value="145")
    assert answer.headers["Location"] == f"/g/{table.game_id}/"
    assert "Mortgage States Avenue: +$145" in words_of(page(table))
    deed = page(table, "deeds/virginia-avenue")
    asked = next(x for x in forms_of(deed) if x.verb == "read-box")
    answer = table.anna.post(asked.action, **asked.fields, value="165")
    assert answer.headers["Location"] == f"/g/{table.game_id}/"


def test_a_likely_figure_when_asked_is_used_and_is_no_reading(house: House) -> None:
    table = table_of(house, *SIX, likely=False)
    text = page(table)
    assert "Use ≈$60, half the price" in text
    asked = next(x for x in asks(text) if "mediterranean" in x.fields["key"])
    assert ("likely", "60") in asked.buttons
    table.anna.post(asked.action, **asked.fields, likely="60")
    box = table.host.get("/editions/secret-vault/own.toml")
    assert box.status_code == 404, "nobody has read anything"
    assert "not known yet, taken as ≈$60 for now" in page(table, "history")


def test_likely_figures_are_marked_wherever_they_are_shown(house: House) -> None:
    table = table_of(house, *SIX, likely=True)
    text = words_of(page(table))
    assert "Mortgage Virginia Avenue: about +$160" in text
    assert text.index("Mortgage Virginia Avenue") < text.index("Take 2 hotels"), "money"
    assert "$0" not in text
    assert "What does the card say?" not in text
    assert "“About” stands before what a card probably says." in text
    table.anna.do(table.game_id, "mortgage", deed="virginia-avenue")
    assert table.balance("red") == 190
    for path in ("deeds", "deeds/virginia-avenue", "history"):
        assert "≈$160" in words_of(page(table, path)), path
    assert "≈$160" in words_of(table.ben.get("/table").text)
    assert "≈$120" in words_of(page(table, "deeds/connecticut-avenue"))


def test_what_the_real_card_says_replaces_what_is_likely(house: House) -> None:
    table = table_of(house, *SIX, likely=True)
    deed = page(table, "deeds/virginia-avenue")
    assert "Now it is ≈$160, half the price." in deed
    asked = next(x for x in forms_of(deed) if x.verb == "read-box")
    table.anna.post(asked.action, **asked.fields, value="150")
    assert "Mortgage Virginia Avenue: +$150" in words_of(page(table))
    box = table.host.get("/editions/secret-vault/own.toml").text
    assert "150" in box
    assert "176" not in box, "what follows from it is no reading"
    assert box.count("own-box") == 2


def test_no_mortgage_brings_nothing(house: House) -> None:
    table = table_of(house, *SIX, likely=False)
    asked = next(x for x in asks(page(table)) if "states-avenue" in x.fields["key"])
    answer = table.anna.post(asked.action, **asked.fields, value="0")
    assert answer.status_code == 409
    assert "No card says $0. Type what it says." in words_of(answer.text)
    assert len(asks(page(table))) == 6, "it is asked for still"


def test_the_table_itself_tells_what_is_no_figure(house: House) -> None:
    table = table_of(house, *SIX, likely=False)
    text = page(table)
    assert "pattern=" not in text, "a browser would only say that the format is wrong"
    asked = asks(text)[0]
    answer = table.anna.post(asked.action, **asked.fields, value="12.5")
    assert answer.status_code == 400
    told = unescape(words_of(answer.text))
    assert "'12.5' is no amount. Type a whole number such as 150." in told


def test_giving_up_comes_last(house: House) -> None:
    lines = ("red owns states-avenue", "red cash 10", "red owes 289 to blue")
    table = table_of(house, *lines, likely=False)
    assert "declare-bankrupt" not in {form.verb for form in moves(page(table))}
    asked = asks(page(table))[0]
    table.anna.post(asked.action, **asked.fields, value="140")
    text = page(table)
    assert "I cannot pay" in text, "all of it is too little"
    assert "For all you have, the bank gives you $140: not enough." in words_of(text)


def test_who_is_hopeless_reads_no_card_first(house: House) -> None:
    """No mortgage brings the price."""
    lines = ("red owns states-avenue", "red cash 10", "red owes 290 to blue")
    text = page(table_of(house, *lines, likely=False))
    assert '<details class="real" open><summary>I cannot pay' in text
    assert "For all you have" not in text, "what is unknown is not nothing"


def test_a_likely_sum_that_is_too_little_is_marked(house: House) -> None:
    table = table_of(house, *SIX[:4], "red owes 999 to blue", likely=True)
    assert "the bank gives you ≈$" in words_of(page(table))


def test_nothing_is_left(house: House) -> None:
    table = table_of(house, "red cash 10", "red owes 900", likely=False)
    text = page(table)
    assert "Nothing is left to sell or to mortgage." in text
    assert [form.verb for form in moves(text)] == ["declare-bankrupt"]
    assert "For all you have" not in text
    assert "Ways to get the money</h3>" not in text


def test_who_can_pay_sees_that_first(house: House) -> None:
    table = table_of(house, *SIX, "red cash 500", likely=True)
    text = page(table)
    assert moves(text)[0].verb == "pay-debt"
    assert "Ways to get more money" in text


DEEDS = [deed.id for deed in snapshot(builtin("secret-vault")).deeds]


@pytest.mark.parametrize("likely", [True, False])
@pytest.mark.parametrize("seed", sampled(range(12)))
def test_no_debt_is_a_dead_end_for_a_phone_that_knows_only_forms(
    house: House, likely: bool, seed: int
) -> None:
    dice = random.Random(seed)
    mine = dice.sample(DEEDS, dice.randrange(len(DEEDS)))
    built = [f"{deed} hotels {dice.randint(1, 2)}" for deed in mine[:3]]
    table = table_of(
        house,
        *([f"red owns {' '.join(mine)}"] if mine else []),
        *built,
        f"red cash {dice.choice(CASH[:5])}",
        f"red hotels {dice.randrange(3)}",
        f"red owes {dice.choice((40, 400, 4_000))} to blue",
        likely=likely,
    )
    for _ in range(80):
        game = house.table.game(table.game_id)
        assert game.play is not None
        if not game.play.owed_by(Seat("red")):
            return
        text = page(table)
        assert "+$0" not in text
        form = dice.choice(moves(text))
        name, value = dice.choice(form.buttons)
        typed = {field: str(dice.randint(1, 300)) for field in form.typed}
        chosen = {name: value} if name else {}
        answer = table.anna.post(form.action, **{**form.fields, **typed, **chosen})
        is_out_of_bounds = bool(typed) and "Read the card again" in answer.text
        assert answer.status_code == (409 if is_out_of_bounds else 303), answer.text
    raise AssertionError("the debt never ends")


def test_the_first_question_is_what_counts_where_nobody_knows(house: House) -> None:
    evening = guided(house, "secret-vault")
    evening.host.do(evening.game_id, "rest-play")
    text = evening.host.get(f"/g/{evening.game_id}/begin").text
    (form,) = [one for one in forms_of(text) if one.verb == "begin"]
    assert form.choices["option-unknown_figures"] == ["likely", "ask"]
    assert 'value="likely" checked' in text
    before, _, after = text.partition("Begin to play</button>")
    assert before.count("<fieldset") == 2, "everything else is folded away"
    assert form.choices["option-rent"] == ["automatic", "asked"]
    assert 'value="automatic" checked' in before, "families are proposed no asking"
    assert after.count("<fieldset") > 5
    evening.host.post(
        form.action, **{**form.fields, "option-unknown_figures": "likely"}
    )
    board = house.table.game(evening.game_id).board
    assert board is not None
    assert len(board.likely) == 44
