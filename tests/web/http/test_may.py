"""Who may: every address asked by everybody, beside the table and the documents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from flask import url_for
from werkzeug.test import TestResponse

from tests.web.conftest import ORIGIN, Evening, House, Phone
from web.app import create_app
from web.http.may import ANYBODY, MACHINE, ROW_OF, TABLE, Level, Row
from web.http.settings import PanelSettings

PEOPLE = ("guest", "phone", "seat", "banker", "host")
AWAY = {"REMOTE_ADDR": "192.168.1.9"}  # So nobody is the table's own machine.
SECURITY = Path(__file__).parents[3] / "SECURITY.md"

NAMES = {
    "filename": "app.js",
    "edition_id": "secret-vault",
    "deed_id": "boardwalk",
    "verb": "pay",
    "key": "1",
    "name": "seen",
    "which": "plain",
    "revision": "1",
}
"""What an address names, beside the game."""

FORMS = {
    "actions.do": {"payee": "pot", "amount": "1"},
    "joining.sit_down": {"name": "Dana", "colour": "orange", "token": "cat"},
    "play.stand_in": {"seat": "green"},
}
"""What is sent, where it decides who may, or what the rules say to it."""


def crowd(house: House) -> tuple[str, dict[str, Phone]]:
    """A game whose host only plays, Anna keeps the bank, and Cleo's phone has left."""
    host = house.host()
    opened = host.post("/games", edition="secret-vault", name="Saturday")
    game_id = opened.headers["Location"].split("/")[2]
    looks = {"name": "Hans", "colour": "red", "token": "hat"}
    assert host.post(f"/g/{game_id}/join", **looks).status_code == 303
    anna = house.seated(game_id, "Anna", "blue", "car")
    cleo = house.seated(game_id, "Cleo", "green", "duck")
    ben = house.seated(game_id, "Ben", "purple", "dog")
    assert cleo.post(f"/g/{game_id}/leave").status_code == 303
    assert host.do(game_id, "hand-banker", to="blue").status_code == 303
    known, stranger = house.guest(), house.forged()
    known.get("/start")
    phones = (house.guest(), known, ben, anna, host, stranger)
    return game_id, dict(zip((*PEOPLE, "stranger"), phones, strict=True))


def ask(phone: Phone, game_id: str, endpoint: str) -> TestResponse:
    """Send the request that belongs to an endpoint."""
    app = phone.house.app
    (rule,) = app.url_map.iter_rules(endpoint)
    (method,) = rule.methods - {"HEAD", "OPTIONS"}
    names = {one: {**NAMES, "game_id": game_id}[one] for one in rule.arguments}
    with app.test_request_context():
        path = url_for(endpoint, **names)
    form = {**FORMS.get(endpoint, {}), "command_id": phone.house.command_id()}
    return phone.client.open(
        path,
        method=method,
        data=form if method == "POST" else None,
        headers={**ORIGIN, "Accept": "application/json"},
        environ_base=AWAY,
    )


def is_refused(answer: TestResponse, row: Row) -> bool:
    """Tell whether an answer says that this phone may not."""
    to = answer.headers.get("Location", "").partition("?")[0]
    is_to_seats = answer.status_code == 303 and to.endswith("/join")
    is_led_on = row.leads_to_seats and is_to_seats
    is_words = answer.status_code == 409 and answer.is_json
    is_theirs = is_words and answer.json["why"] == "not_yours"
    return answer.status_code == 403 or is_led_on or is_theirs


@pytest.mark.parametrize("endpoint", sorted(ROW_OF))
def test_an_address_answers_those_whom_the_table_names(
    make_house: Callable[..., House], endpoint: str
):
    level, row = ROW_OF[endpoint]
    game_id, phones = crowd(make_house())
    for who in PEOPLE:
        with ask(phones[who], game_id, endpoint) as answer:
            assert answer.status_code < 500, who
            wanted = who in level.people.split()
            assert is_refused(answer, row) is not wanted, (who, answer.status)
    with ask(phones["stranger"], game_id, endpoint) as answer:
        assert is_refused(answer, row) is (level is not ANYBODY), answer.status


def test_the_machine_is_told_how_it_is(house: House):
    (endpoint,) = (one for row in TABLE[MACHINE] for one in row.endpoints.split())
    assert house.guest().get("/health").status_code == 200
    assert ask(house.guest(), "", endpoint).status_code == 403


def test_every_address_has_one_row(calm: Evening):
    rules = list(calm.house.app.url_map.iter_rules())
    listed = [x for rows in TABLE.values() for r in rows for x in r.endpoints.split()]
    assert sorted(listed) == sorted(rule.endpoint for rule in rules)
    for rule in rules:
        assert len(rule.methods - {"HEAD", "OPTIONS"}) == 1, "a row is for one method"


def test_an_address_without_a_row_answers_nobody(house: House):
    app = create_app(house.panel, PanelSettings())
    app.add_url_rule("/sneak", "sneak", lambda: "the code is 1234")
    answer = app.test_client().get("/sneak")
    assert answer.status_code == 500
    assert "1234" not in answer.text


@pytest.mark.parametrize("page", ["bank", "begin", "correct"])
def test_who_hands_the_bank_on_is_led_from_its_pages_by_the_script(
    house: House, page: str
):
    game_id, phones = crowd(house)
    address, asked = f"/g/{game_id}/{page}", {"X-Requested-With": "script"}
    phones["banker"].do(game_id, "hand-banker", to="purple")
    answer = phones["banker"].get(address, **asked)
    assert (answer.status_code, answer.headers["Location"]) == (204, f"/g/{game_id}/")
    assert phones["banker"].get(address).status_code == 403


def test_the_banker_who_plays_for_another_seat_keeps_the_bank_closed_meanwhile(
    house: House,
):
    game_id, phones = crowd(house)
    anna = phones["banker"]
    assert anna.post(f"/g/{game_id}/for", seat="green").status_code == 303
    assert anna.get(f"/g/{game_id}/bank").status_code == 403
    assert anna.post(f"/g/{game_id}/for", seat="").status_code == 303
    assert anna.get(f"/g/{game_id}/bank").status_code == 200


def for_owners() -> str:
    """The table as owners read it in SECURITY.md."""
    lines = [f"| what | {' | '.join(PEOPLE)} |", f"| --- |{' :-: |' * len(PEOPLE)}"]
    lines += [_line(level, row) for level, rows in TABLE.items() for row in rows]
    return "\n".join(lines)


def _line(level: Level, row: Row) -> str:
    may = ("yes" if who in level.people.split() else "" for who in PEOPLE)
    return f"| {row.purpose} | {' | '.join(may)} |"


def test_owners_read_the_same_table():
    wanted = for_owners()
    assert wanted in SECURITY.read_text(encoding="utf-8"), f"write there:\n{wanted}"
