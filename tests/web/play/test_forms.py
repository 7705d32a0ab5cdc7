"""Forms and JSON: bad input changes nothing and says why; good input counts once."""

from __future__ import annotations

import json
from itertools import product

import pytest
from werkzeug.test import create_environ, run_wsgi_app

from companion.game import commands as c
from companion.game import moves as m
from tests.sample import each
from tests.web.conftest import ORIGIN, Evening, House, make_evening
from tests.web.guided_table import give, lead

BAD_AMOUNTS = [
    "",
    "0",
    "-5",
    "1.5",
    "1e3",
    "1.400",
    "1,40",
    "5\u00b2",
    "1000001",
    "9" * 400,
    "five",
    "0x10",
    "$",
    "007",
]


@each(("amount", "verb"), product(BAD_AMOUNTS, ["pay", "ask-money"]))
def test_an_amount_that_is_none_is_refused(calm: Evening, amount, verb):
    before = calm.revision()
    form = {"payee": "blue", "payer": "red" if verb == "pay" else "blue"}
    answer = calm.anna.do(calm.game_id, verb, amount=amount, **form)
    assert answer.status_code == 400
    assert "Type a whole number such as 150." in answer.text
    assert calm.revision() == before


@each(
    ("payee", "amount", "words"),
    [
        ("red", "5", "cannot pay yourself"),
        ("blue", "3001", "You have $3,000"),
        ("green", "5", "nobody"),
        ("", "5", "nobody"),
        ("<b>", "5", "nobody"),
        ("constructor", "5", "nobody"),
    ],
)
def test_a_payment_that_cannot_be_is_refused_with_its_reason(
    calm: Evening, payee, amount, words
):
    before = calm.revision()
    answer = calm.anna.do(calm.game_id, "pay", payee=payee, amount=amount)
    assert answer.status_code == 409
    assert words.lower() in answer.text.lower()
    assert "<b>" not in answer.text.split("<main")[0].replace("<b>banker", "")
    assert calm.revision() == before


def test_a_refused_form_comes_back_as_it_was_filled_in(evening: Evening):
    answer = evening.anna.do(
        evening.game_id, "pay", payee="blue", amount="3001", reason="rent"
    )
    assert 'value="3001"' in answer.text
    assert 'name="payee" value="blue" checked' in answer.text
    assert 'name="reason" value="rent" checked' in answer.text


@each(
    ("verb", "form"),
    [
        ("pay", {"payee": "blue", "amount": "5", "reason": "bribe"}),
        ("pay", {"payee": "x" * 401, "amount": "5"}),
        ("pay-ask", {"number": "one"}),
        ("pay-ask", {"number": "9" * 40}),
        ("pay-ask", {"number": "²"}),
        ("pay", {"payee": "blue", "amount": "5", "expected_revision": "-1"}),
        ("pay", {"payee": "blue", "amount": "5", "command_id": "short"}),
        ("pay", {"payee": "blue", "amount": "5", "command_id": "x" * 65}),
        ("pay", {"payee": "blue", "amount": "5", "command_id": "näh" * 9}),
    ],
)
def test_a_form_that_makes_no_sense_is_a_clear_400(calm: Evening, verb, form):
    answer = calm.anna.do(calm.game_id, verb, **form)
    assert answer.status_code == 400
    assert calm.balance("red") == 3000


def test_a_double_tap_pays_once(evening: Evening):
    form = {"payee": "blue", "amount": "50", "command_id": "same-tap-twice"}
    for _ in range(3):
        answer = evening.anna.do(evening.game_id, "pay", **form)
        assert answer.status_code == 303
    assert evening.balance("red") == 2950


def test_a_stale_page_is_refused_and_shows_the_table_as_it_is(evening: Evening):
    old = evening.revision()
    evening.ben.do(evening.game_id, "pay", payee="red", amount="7")
    answer = evening.anna.do(
        evening.game_id, "pay", payee="blue", amount="50", expected_revision=old
    )
    assert answer.status_code == 409
    assert "$3,007" in answer.text
    assert f'data-revision="{old + 1}"' in answer.text
    assert evening.balance("red") == 3007


def test_a_stale_program_is_refused_with_the_new_view(evening: Evening):
    old = evening.revision()
    evening.ben.do(evening.game_id, "pay", payee="red", amount="7")
    payment = {"type": "Pay", "payer": "red", "payee": "blue", "amount": 50}
    body = {"command_id": "too-late-1", "command": payment, "expected_revision": old}
    answer = evening.anna.client.post(
        f"/api/games/{evening.game_id}/commands", json=body, headers=ORIGIN
    )
    assert answer.status_code == 409
    assert answer.json["why"] == "stale"
    assert answer.json["view"]["seat"]["balance"] == 3007
    again = {**body, "command_id": "in-time-1", "expected_revision": old + 1}
    again["command"] = {**payment, "amount": 5_000}
    answer = evening.anna.client.post(
        f"/api/games/{evening.game_id}/commands", json=again, headers=ORIGIN
    )
    assert answer.json["why"] == "cannot_afford"
    assert "view" not in answer.json


@each(
    "name",
    [
        "",
        "   ",
        "x" * 25,
        "x" * 10_000,
        "Anna\u202egro",
        "A\u200fB",
        "tab\tname\x00",
        "anna",
        "\ud83d"[:0] + "\u2066x",
    ],
)
def test_a_name_that_would_harm_the_page_is_refused(calm: Evening, name):
    guest = calm.house.guest()
    guest.get(f"/g/{calm.game_id}/join")
    answer = guest.post(
        f"/g/{calm.game_id}/join", name=name, colour="green", token="cat"
    )
    assert answer.status_code == 409
    assert len(calm.house.table.game(calm.game_id).seats) == 2


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("<script>x</script>", "&lt;script&gt;x&lt;/script&gt;"),
        ('"><b>Bo', "&#34;&gt;&lt;b&gt;Bo"),
        ("{{ 7 * 7 }}", "{{ 7 * 7 }}"),
        ("דנה", "דנה"),
        ("👩\u200d👧 Mo 🎩", "👩\u200d👧 Mo 🎩"),
        ("O'Neill & Co", "O&#39;Neill &amp; Co"),
    ],
)
def test_a_strange_name_is_shown_as_it_is(evening: Evening, name, shown):
    j = evening.game_id
    carl = evening.house.seated(j, name, "green", "cat")
    carl.do(j, "pay", payee="red", amount="5")
    for path in (f"/g/{j}/", f"/g/{j}/history", f"/table?game={j}"):
        text = evening.anna.get(path).text
        assert shown in text
        assert "<script>x" not in text
        assert "<b>Bo" not in text


def test_colours_and_tokens_are_taken_once(calm: Evening):
    guest = calm.house.guest()
    guest.get(f"/g/{calm.game_id}/join")
    for colour, token in (("red", "cat"), ("green", "hat"), ("mauve", "cat"), ("", "")):
        answer = guest.post(
            f"/g/{calm.game_id}/join", name="Carl", colour=colour, token=token
        )
        assert answer.status_code == 409


def test_a_full_table_says_so(house: House):
    evening = make_evening(house, "classic")  # A box for eight: nobody has to ask.
    j = evening.game_id
    looks = ("green", "cat"), ("orange", "dog"), ("purple", "duck")
    looks += ("teal", "ship"), ("pink", "rocket"), ("silver", "boot")
    for number, (colour, token) in enumerate(looks):
        evening.house.seated(j, f"Player {number}", colour, token)
    text = evening.house.guest().get(f"/g/{j}/join").text
    assert "All eight seats are taken" in text
    assert "Take a new seat" not in text


def test_a_locked_table_lets_in_whom_the_banker_lets_in(evening: Evening):
    j = evening.game_id
    evening.host.do(j, "lock-table")
    late = evening.house.guest()
    assert "Ask to be let in" in late.get(f"/g/{j}/join").text
    late.post(f"/g/{j}/join", name="Carl", colour="green", token="cat")
    waits = late.get(f"/g/{j}/join").text
    assert "Waiting for the banker" in waits
    assert "Ask to be let in" not in waits  # It would seem that nothing was sent.
    bank = evening.host.get(f"/g/{j}/bank").text
    assert "Carl" in bank
    assert "Let in" in bank
    answered = evening.host.post(f"/g/{j}/answer", request="1", answer="yes")
    assert answered.status_code == 303
    moved = late.get(f"/g/{j}/join")
    assert moved.headers["Location"] == f"/g/{j}/"
    assert "$3,000" in late.get(f"/g/{j}/").text


def test_a_dead_phones_seat_goes_on_from_another(evening: Evening):
    j = evening.game_id
    other = evening.house.guest()
    assert "My phone died" in other.get(f"/g/{j}/join").text
    assert other.post(f"/g/{j}/resume", seat="red").status_code == 303
    assert other.get(f"/g/{j}/").status_code == 303
    evening.host.post(f"/g/{j}/answer", request="1", answer="yes")
    assert "Anna" in other.get(f"/g/{j}/").text
    lost = evening.anna.get(f"/g/{j}/").headers["Location"]
    assert "has no seat in this game" in evening.anna.get(lost).text


def test_a_host_who_plays_too_keeps_the_bank_from_the_seat(house):
    host = house.host()
    answer = host.post("/games", edition="classic", name="Two", play="yes")
    assert answer.headers["Location"].endswith("/join")
    j = answer.headers["Location"].split("/")[2]
    host.post(f"/g/{j}/join", name="Hana", colour="teal", token="ship")
    assert house.table.game(j).banker == "teal"
    assert host.get(f"/g/{j}/").status_code == 200
    assert host.get(f"/g/{j}/bank").status_code == 200


def test_only_who_has_the_money_is_offered_to_pay(evening: Evening) -> None:
    game, page = evening.game_id, f"/g/{evening.game_id}/"
    evening.anna.do(game, "ask-money", payer="blue", amount="100")
    pays = f"/g/{game}/do/pay-ask"
    assert pays in evening.ben.get(page).text
    evening.ben.do(game, "pay", payee="bank", amount="2901")
    shown = evening.ben.get(page).text
    assert pays not in shown
    assert f"/g/{game}/do/decline-ask" in shown
    assert "You have $99 now" in shown


def test_nobody_is_offered_to_pay_by_hand_while_the_companion_leads(
    evening: Evening,
) -> None:
    lead(evening, "classic")
    game, page = evening.game_id, f"/g/{evening.game_id}/"
    give(evening, m.RestPlay(by=c.TABLE))
    evening.anna.do(game, "ask-money", payer="blue", amount="100")
    pays = f"/g/{game}/do/pay-ask"
    assert pays in evening.ben.get(page).text
    give(evening, m.ResumePlay(by=c.TABLE))
    shown = evening.ben.get(page).text
    assert pays not in shown
    assert f"/g/{game}/do/decline-ask" in shown
    assert evening.ben.do(game, "decline-ask", number="1").status_code == 303


def test_asking_paying_and_declining(evening: Evening):
    j = evening.game_id
    evening.anna.do(j, "ask-money", payer="blue", amount="120", reason="deal")
    evening.anna.do(j, "ask-money", payer="blue", amount="80", reason="rent")
    assert "asks you for" in evening.ben.get(f"/g/{j}/").text
    evening.ben.do(j, "pay-ask", number="1")
    evening.ben.do(j, "decline-ask", number="2")
    assert (evening.balance("red"), evening.balance("blue")) == (3120, 2880)
    assert evening.ben.do(j, "pay-ask", number="2").status_code == 409


def test_a_banker_with_a_seat_answers_for_the_bank_on_every_page(evening: Evening):
    j = evening.game_id
    evening.host.do(j, "hand-banker", to="red")
    carl = evening.house.seated(j, "Carl", "green", "cat")
    evening.ben.do(j, "ask-money", payer="bank", amount="120")
    carl.do(j, "ask-money", payer="blue", amount="77")
    for page in ("", "bank", "history"):
        text = evening.anna.get(f"/g/{j}/{page}").text
        assert "asks the bank for" in text
        assert "Carl</b> asks" not in text, "what Ben is asked for"
    evening.anna.do(j, "pay-ask", number="1", **{"from": "bank"})
    assert evening.balance("blue") == 3120


def test_undo_is_offered_with_what_it_takes_back(evening: Evening):
    j = evening.game_id
    evening.anna.do(j, "pay", payee="blue", amount="50")
    assert "Undo: Anna paid Ben $50" in evening.anna.get(f"/g/{j}/").text
    assert "Undo:" not in evening.ben.get(f"/g/{j}/").text
    evening.anna.do(j, "undo")
    assert evening.balance("red") == 3000
    history = evening.anna.get(f"/g/{j}/history").text
    assert "<s>Anna paid Ben $50.</s>" in history
    assert "taken back" in history
    evening.anna.do(j, "redo")
    assert evening.balance("red") == 2950


def test_the_sheet_shows_what_would_be_left_and_changes_nothing(calm: Evening):
    before = calm.revision()
    text = calm.anna.get(f"/g/{calm.game_id}/pay?payee=blue&amount=50").text
    assert "Pay Ben $50" in text
    assert "$2,950" in text
    assert "$3,050" in text
    more = calm.anna.get(f"/g/{calm.game_id}/pay?payee=blue&amount=50&add=100")
    assert "Pay Ben $150" in more.text
    poor = calm.anna.get(f"/g/{calm.game_id}/pay?payee=blue&amount=9000").text
    assert "You have $3,000" in poor
    assert "Pay Ben" not in poor
    assert calm.revision() == before


def test_games_are_closed_reopened_and_exported(evening: Evening):
    j = evening.game_id
    evening.host.post(f"/games/{j}/close")
    assert "put away" in evening.anna.get(f"/g/{j}/").text
    assert evening.anna.do(j, "pay", payee="blue", amount="5").status_code == 409
    evening.host.post(f"/games/{j}/reopen")
    assert evening.anna.do(j, "pay", payee="blue", amount="5").status_code == 303
    answer = evening.host.get(f"/games/{j}/export.json")
    assert answer.json["name"] == "Saturday"
    assert len(answer.json["entries"]) == evening.revision()


def post_json(evening: Evening, body: bytes | str, phone=None):
    return (phone or evening.anna).client.post(
        f"/api/games/{evening.game_id}/commands",
        data=body,
        headers={**ORIGIN, "Content-Type": "application/json"},
    )


def test_json_pays_in_the_name_of_the_phone_whatever_it_says(evening: Evening):
    command = {
        "type": "Pay",
        "by": "blue",
        "payer": "red",
        "payee": "blue",
        "amount": 5,
    }
    body = json.dumps({"command_id": "json-command-1", "command": command})
    answer = post_json(evening, body)
    assert answer.json == {"ok": True, "revision": 4, "is_repeat": False}
    assert post_json(evening, body).json["is_repeat"]
    theft = {**command, "payer": "blue", "payee": "red"}
    stolen = post_json(
        evening, json.dumps({"command_id": "json-command-2", "command": theft})
    )
    assert (stolen.status_code, stolen.json["why"]) == (409, "not_yours")
    assert evening.balance("blue") == 3005


@each(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"command_id": "json-command-1"}',
        b'{"command_id": 5, "command": {"type": "Undo"}}',
        b'{"command_id": "json-command-1", "command": {"type": "Steal"}}',
        b'{"command_id": "json-command-1", "command": {"type": "Pay", "payee": "blue", '
        b'"payer": "red", "amount": 1.5}}',
        b'{"command_id": "json-command-1", "command": {"type": "Pay", "payee": "blue", '
        b'"payer": "red", "amount": "5"}}',
        b"[" * 20_000,
    ],
)
def test_malformed_json_is_a_clear_400(calm: Evening, body):
    answer = post_json(calm, body)
    assert answer.status_code == 400
    assert answer.json["why"] == "malformed"
    assert answer.json["ok"] is False


@pytest.mark.parametrize("amount", [0, -5, 1_000_001, 10**40])
def test_json_amounts_out_of_range_change_nothing(calm: Evening, amount):
    command = {"type": "Pay", "payer": "red", "payee": "blue", "amount": amount}
    body = json.dumps(
        {"command_id": f"json-{amount}"[:40].ljust(9, "x"), "command": command}
    )
    assert post_json(calm, body).status_code in (400, 409)
    assert calm.balance("red") == 3000


def test_a_body_over_64_kib_is_refused(calm: Evening):
    answer = post_json(calm, b"x" * (64 * 1024 + 1))
    assert answer.status_code == 413
    assert answer.json["why"] == "too_large"
    form = calm.anna.do(calm.game_id, "pay", payee="x" * 70_000, amount="5")
    assert form.status_code == 413


def test_a_body_that_never_ends_is_cut_off(calm: Evening):
    class Endless:
        sent = 0

        def read(self, size=-1):
            size = 4096 if size < 0 else min(size, 4096)
            self.sent += size
            assert self.sent < 1_000_000, "it is still being read"
            return b"x" * size

        readline = read

    path = f"/api/games/{calm.game_id}/commands"
    environ = create_environ(path, "http://localhost", method="POST", headers=ORIGIN)
    environ |= {"wsgi.input": Endless(), "wsgi.input_terminated": True}
    environ |= {"HTTP_COOKIE": "=".join(calm.anna.cookie), "REMOTE_ADDR": "127.0.0.1"}
    environ["HTTP_TRANSFER_ENCODING"] = "chunked"
    body, status, _ = run_wsgi_app(calm.house.app, environ)
    assert status.startswith("413"), b"".join(body)


def test_who_hands_the_bank_on_is_taken_from_its_page_to_the_own_seat(
    evening: Evening,
):
    j = evening.game_id
    evening.host.do(j, "hand-banker", to="red")
    evening.anna.do(j, "hand-banker", to="blue", **{"from": "bank"})
    onward = evening.anna.get(f"/g/{j}/bank", **{"X-Requested-With": "script"})
    assert (onward.status_code, onward.headers["Location"]) == (204, f"/g/{j}/")
    assert evening.anna.get(f"/g/{j}/bank").status_code == 403


def test_a_request_without_a_reason_ends_with_a_full_stop(evening: Evening):
    j = evening.game_id
    evening.ben.do(j, "ask-money", payer="red", amount="70")
    text = evening.anna.get(f"/g/{j}/").text
    assert "<b>$70</b>." in text
