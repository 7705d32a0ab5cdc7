"""GO twice within ten seconds asks; nobody is paid twice by two thumbs at once."""

from __future__ import annotations

from tests.web.conftest import Evening, Phone
from tests.web.forms import Form, forms_of


def go(phone: Phone, evening: Evening, **more: object):
    return phone.do(evening.game_id, "collect-salary", seat="red", **more)


def yes_of(html: str) -> Form:
    return next(form for form in forms_of(html) if form.fields.get("again") == "yes")


def test_a_second_go_within_ten_seconds_asks(evening: Evening):
    assert go(evening.anna, evening).status_code == 303
    evening.house.clock.advance(4_000)
    asked = go(evening.host, evening, **{"from": "bank"})
    assert asked.status_code == 409
    assert "GO again?" in asked.text
    assert "passed GO 4 s ago" in asked.text
    assert "The bank" in asked.text, "the page that it was tapped on"
    assert evening.balance("red") == 3_400
    form = yes_of(asked.text)
    assert evening.host.post(form.action, **form.fields).status_code == 303
    assert evening.balance("red") == 3_800


def test_no_leads_back_and_pays_nothing(evening: Evening):
    go(evening.anna, evening)
    asked = go(evening.anna, evening)
    assert f'href="/g/{evening.game_id}/">No<' in asked.text
    assert evening.balance("red") == 3_400


def test_after_ten_seconds_go_is_go(evening: Evening):
    go(evening.anna, evening)
    evening.house.clock.advance(10_000)
    assert go(evening.anna, evening).status_code == 303
    assert evening.balance("red") == 3_800


def test_another_seats_go_and_one_taken_back_are_not_asked_about(evening: Evening):
    go(evening.anna, evening)
    answer = evening.ben.do(evening.game_id, "collect-salary", seat="blue")
    assert answer.status_code == 303
    evening.ben.do(evening.game_id, "undo")
    answer = evening.ben.do(evening.game_id, "collect-salary", seat="blue")
    assert answer.status_code == 303
    assert evening.balance("blue") == 3_400


def test_the_same_tap_twice_gets_its_first_answer(evening: Evening):
    for _ in range(2):
        assert go(evening.anna, evening, command_id="one-tap-0001").status_code == 303
    assert evening.balance("red") == 3_400


def test_a_program_is_not_asked(evening: Evening):
    path = f"/api/games/{evening.game_id}/commands"
    for number in range(2):
        body = {
            "command_id": f"program-{number:04d}",
            "command": {"type": "CollectSalary", "by": "red", "seat": "red"},
        }
        headers = {"Origin": "http://localhost"}
        answer = evening.anna.client.post(path, json=body, headers=headers)
        assert answer.status_code == 200, answer.text
    assert evening.balance("red") == 3_800
