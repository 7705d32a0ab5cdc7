"""Taking back on phones: who is offered it, who is asked, and what the history says."""

from __future__ import annotations

import pytest

from companion.game import moves as m
from companion.game.position import Bundle
from companion.units import DeedId
from tests.web.conftest import Evening, House, Phone
from tests.web.forms import forms_of
from tests.web.guided_table import give, guided
from tests.web.http.test_replies import look_at

STRICT = {"undo": "own"}


@pytest.fixture
def led(house: House) -> Evening:
    """Anna has rolled and bought; Ben may not take that back by himself."""
    evening = guided(house, options=STRICT)
    give(evening, m.Roll(by="red", dice=(1, 2)), m.Buy(by="red"))
    return evening


def buttons(phone: Phone, evening: Evening, page: str = "") -> dict[str, dict]:
    """By verb: what each form on a page sends, the last of each."""
    answer = phone.get(f"/g/{evening.game_id}/{page}")
    assert answer.status_code == 200, answer.text
    return {one.verb: one.fields for one in forms_of(answer.text)}


def press(phone: Phone, evening: Evening, verb: str, page: str = "") -> None:
    sent = buttons(phone, evening, page)[verb]
    answer = phone.post(f"/g/{evening.game_id}/do/{verb}", **sent)
    assert answer.status_code == 303, answer.text
    back = f"/g/{evening.game_id}/{page if page != '?' else ''}"
    assert answer.headers["Location"] == back


def owner(evening: Evening) -> str:
    play = evening.house.table.game(evening.game_id).play
    assert play is not None
    return next((one for one in play.owners if one), "")


def test_the_author_undoes_at_once_and_another_seat_asks(led: Evening) -> None:
    assert "undo" in buttons(led.anna, led)
    assert "undo-to" not in buttons(led.anna, led)
    assert "undo" not in buttons(led.ben, led)
    page = led.ben.get(f"/g/{led.game_id}/").text
    assert "Ask Anna to undo: " in page
    press(led.ben, led, "undo-to")
    assert owner(led) == "red"


def test_the_author_and_the_banker_are_asked_and_one_yes_undoes_it(
    led: Evening,
) -> None:
    press(led.ben, led, "undo-to")
    page = led.anna.get(f"/g/{led.game_id}/").text
    assert "Ben asks to undo this:<" in page
    assert "undo" not in buttons(led.anna, led), "asked above"
    assert "allow-undo" in buttons(led.host, led, "bank")
    press(led.anna, led, "allow-undo")
    assert owner(led) == ""
    assert "allow-undo" not in buttons(led.host, led, "bank")


def test_a_no_is_told_to_who_asked_until_they_have_read_it(led: Evening) -> None:
    press(led.ben, led, "undo-to")
    page = led.ben.get(f"/g/{led.game_id}/").text
    assert "You asked Anna to undo: Anna" in page
    assert ">Cancel request<" in page
    press(led.anna, led, "decline-undo")
    page = led.ben.get(f"/g/{led.game_id}/").text
    assert "Anna said no: it stays." in page
    assert "disabled>Anna" not in page, "told above"
    assert "undo-to" not in buttons(led.ben, led), "not asked again and again"
    look_at(led.ben, led.game_id, page)
    page = led.ben.get(f"/g/{led.game_id}/").text
    assert "said no: it stays." not in page
    assert "disabled>Anna said no: it stays<" in page, "where it was asked"
    assert "undo-to" not in buttons(led.ben, led)
    assert owner(led) == "red"


def test_an_answer_from_an_old_page_undoes_nothing(led: Evening) -> None:
    press(led.ben, led, "undo-to")
    sent = buttons(led.anna, led)["allow-undo"]
    give(led, m.Roll(by="blue", dice=(1, 2)))
    answer = led.anna.post(f"/g/{led.game_id}/do/allow-undo", **sent)
    assert answer.status_code == 409
    assert owner(led) == "red"


def test_the_history_offers_each_step_back_to_where_nothing_goes_back(
    led: Evening,
) -> None:
    page = led.anna.get(f"/g/{led.game_id}/history").text
    assert page.count('class="rule to-here"') == 2
    assert "The step after it goes, too." in page
    assert "Nothing older can be taken back: here the game begins." in page
    press(led.anna, led, "undo-to", "history")  # The last form: the roll.
    game = led.house.table.game(led.game_id)
    assert game.play is not None
    assert game.play.tokens[0].space == 0
    page = led.anna.get(f"/g/{led.game_id}/history").text
    assert "2 steps taken back.<" in page
    assert (
        "<p>The first of them: Anna rolled 3 and landed on Baltic Avenue.</p>" in page
    )
    press(led.anna, led, "redo", "history")
    assert owner(led) == "red"


def test_the_history_says_who_has_to_agree(led: Evening) -> None:
    page = led.ben.get(f"/g/{led.game_id}/history").text
    assert "Anna has to agree, or the banker." in page
    assert "Ask Anna to undo this" in page
    press(led.ben, led, "undo-to", "history")
    page = led.ben.get(f"/g/{led.game_id}/history").text
    assert 'class="rule to-here"' not in page, "one question at a time"


def test_a_guest_is_offered_nothing(led: Evening) -> None:
    guest = led.house.guest()
    page = guest.get(f"/g/{led.game_id}/history").text
    assert "to-here" not in page
    assert "Nothing older" not in page


def test_a_table_by_hand_has_the_same_question(evening: Evening) -> None:
    evening.anna.do(evening.game_id, "pay", payee="blue", amount="50")
    press(evening.ben, evening, "undo-to")
    press(evening.anna, evening, "allow-undo")
    assert evening.balance("blue") == evening.balance("red")


def test_what_is_asked_or_answered_above_has_no_undo_below(evening: Evening) -> None:
    asked = {"seat": "blue", "payer": "red", "amount": 60, "reason": "rent"}
    evening.ben.do(evening.game_id, "ask-money", **asked)
    for phone in (evening.anna, evening.ben):
        assert not {"undo", "undo-to"} & buttons(phone, evening).keys()
    press(evening.anna, evening, "pay-ask")
    assert "undo" in buttons(evening.anna, evening)
    page = evening.ben.get(f"/g/{evening.game_id}/").text
    assert "Anna paid you $60." in page
    assert "undo-to" not in buttons(evening.ben, evening)
    look_at(evening.ben, evening.game_id, page)
    assert "undo-to" in buttons(evening.ben, evening)
    page = evening.ben.get(f"/g/{evening.game_id}/").text
    assert 'id="just-done"' not in page, "it was told already"


def test_an_offer_is_taken_back_or_answered_above(led: Evening) -> None:
    sells = Bundle(deeds=(DeedId("baltic-avenue"),))
    give(led, m.MakeOffer(by="red", taker="blue", give=sells, want=Bundle(cash=5)))
    for phone, verb in ((led.anna, "withdraw"), (led.ben, "reject")):
        shown = buttons(phone, led)
        assert verb in shown
        assert not {"undo", "undo-to"} & shown.keys()
    press(led.anna, led, "withdraw")
    assert "undo" in buttons(led.anna, led)
