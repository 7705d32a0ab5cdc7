"""One error shape.

A program gets JSON:

    {"ok": false, "why": "cannot_afford", "error": "…", "remedy": "…",
     "revision": 4, "status": 409}

A person gets a page, an open page gets a fragment; both say what was wanted,
what came, and what to do now. Nobody gets a traceback.
"""

from __future__ import annotations

import logging
import re

from companion.errors import DeviceFault, JournalFault
from tests.sample import each
from tests.web.conftest import ORIGIN, Evening

JSON = {"Accept": "application/json", **ORIGIN}


def assert_shape(answer, status: int, why: str):
    assert answer.status_code == status
    assert answer.mimetype == "application/json"
    body = answer.json
    rules = {"rules"} if status == 409 else set()
    shape = {"ok", "why", "error", "remedy", "revision", "status"}
    assert set(body) - {"wanted", "got"} == shape | rules
    assert (body["ok"], body["status"], body["why"]) == (False, status, why)
    assert body["error"]
    assert "Traceback" not in answer.text


CASES = [
    ("GET", "/nowhere", {}, 404, "not_found"),
    ("GET", "/g/ffffffffffff/", {}, 404, "not_found"),
    ("GET", "/api/games/ffffffffffff", {}, 404, "not_found"),
    ("POST", "/api/games/ffffffffffff/commands", {}, 404, "not_found"),
    ("POST", "/g/ffffffffffff/do/pay", {}, 404, "not_found"),
    ("POST", "/g/ffffffffffff/join", {}, 404, "not_found"),
    ("POST", "/table", {}, 405, "wrong_method"),
    ("DELETE", "/games", {}, 405, "wrong_method"),
    ("PUT", "/api/games/{j}/commands", {}, 405, "wrong_method"),
    ("POST", "/api/games/{j}/commands", {}, 400, "malformed"),
    ("POST", "/g/{j}/do/pay", {"payee": "blue", "amount": "x"}, 400, "malformed"),
    (
        "POST",
        "/g/{j}/do/pay",
        {"payee": "blue", "amount": "9000", "command_id": "poor-payment"},
        409,
        "cannot_afford",
    ),
    ("POST", "/games", {"edition": "classic"}, 403, "not_yours"),
    ("GET", "/games", {}, 403, "not_yours"),
    ("GET", "/g/{j}/bank", {}, 403, "not_yours"),
    ("POST", "/theme", {"theme": "pink"}, 400, "malformed"),
    ("GET", "/g/{j}/history?before=x", {}, 400, "malformed"),
    ("GET", "/g/{j}/pay?reason=bribe", {}, 400, "malformed"),
]


@each("case", CASES)
def test_every_error_has_the_one_shape(calm: Evening, case):
    method, path, form, status, why = case
    answer = calm.anna.client.open(
        path.format(j=calm.game_id), method=method, data=form, headers=JSON
    )
    assert_shape(answer, status, why)


@each("case", CASES)
def test_every_error_is_a_page_for_people(calm: Evening, case):
    method, path, form, status, why = case
    if path.startswith("/api/"):
        return
    answer = calm.anna.client.open(
        path.format(j=calm.game_id), method=method, data=form, headers=ORIGIN
    )
    assert answer.status_code == status
    assert answer.mimetype == "text/html"
    assert answer.text.count("<h1>") == 1
    assert f"{status} {why}" not in answer.text, "that is for whoever built the table"


def test_an_open_page_gets_only_what_went_wrong(calm: Evening):
    answer = calm.anna.client.post(
        f"/g/{calm.game_id}/do/pay",
        data={"payee": "blue", "amount": "x"},
        headers={**ORIGIN, "X-Requested-With": "script"},
    )
    assert answer.status_code == 400
    assert answer.text.strip().startswith("{#") is False
    assert '<div id="message" role="alert">' in answer.text
    assert "<main" not in answer.text


def test_whoever_asks_for_where_a_form_went_comes_to_its_page(calm: Evening):
    every = list(calm.house.app.url_map.iter_rules())
    shown = {one.rule for one in every if "GET" in (one.methods or ())}
    posted = {one.rule for one in every} - shown
    assert len(posted) > 30
    for rule in posted:
        if rule.startswith("/api"):
            continue
        path = rule.replace("<game_id>", calm.game_id)
        path = path.replace("<edition_id>", "classic").replace("<verb>", "pay")
        path = re.sub("<[^>]+>", "1", path)
        answer = calm.anna.get(path, Accept="text/html")
        assert answer.status_code in (303, 404), path
        if answer.status_code == 404:  # A page of a look or a photo has that form.
            assert path.startswith("/decoder/"), path
            continue
        above = answer.headers["Location"]
        assert path.startswith(above), path
        assert calm.anna.get(above).status_code != 405, path
    home = calm.anna.get("/decks/read").headers["Location"]
    assert home == "/decks"
    assert calm.anna.get(f"/g/{calm.game_id}/do/pay").headers["Location"] == (
        f"/g/{calm.game_id}/"
    )


def test_a_wrong_method_tells_the_right_ones(calm: Evening):
    answer = calm.anna.client.post("/table", headers=ORIGIN)
    assert "GET" in answer.headers["Allow"]


def test_a_full_disk_refuses_the_tap_and_the_game_stays_readable(
    evening: Evening, monkeypatch
):
    def full(*_, **__):
        raise JournalFault("journal /secret/path could not be written: disk is full")

    monkeypatch.setattr(evening.house.table._journals, "append", full)
    answer = evening.anna.do(evening.game_id, "pay", payee="blue", amount="5")
    assert answer.status_code == 503
    assert "nothing has changed" in answer.text
    assert "/secret/path" not in answer.text
    assert evening.anna.get(f"/g/{evening.game_id}/").status_code == 200
    monkeypatch.undo()
    answer = evening.anna.do(evening.game_id, "pay", payee="blue", amount="5")
    assert answer.status_code == 303


def test_a_device_that_fails_is_a_503(evening: Evening, monkeypatch):
    def jammed(*_):
        raise DeviceFault("the lid did not open within 1500 ms")

    monkeypatch.setattr(evening.house.table, "table_view", jammed)
    answer = evening.anna.client.get("/table", headers=JSON)
    assert_shape(answer, 503, "device")


def test_our_own_mistake_is_numbered_logged_and_not_told(
    evening: Evening, monkeypatch, caplog
):
    def broken(*_):
        raise KeyError("the secret code is 4")

    monkeypatch.setattr(evening.house.table, "table_view", broken)
    with caplog.at_level(logging.ERROR, "web.http.errors"):
        answer = evening.anna.client.get("/table", headers=JSON)
    assert_shape(answer, 500, "fault")
    assert "secret" not in answer.text
    (record,) = caplog.records
    reference = answer.json["error"].rsplit(" ", 1)[-1]
    assert reference in record.getMessage()
    assert record.exc_info is not None
