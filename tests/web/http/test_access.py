"""Who gets what: every route, asked by everybody, answered with the right status."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import copy
from pathlib import Path

import pytest

from companion.store import back_up, restore
from tests.fakes import FakeClock
from tests.sample import each
from tests.web.conftest import (
    CODE,
    ORIGIN,
    Evening,
    House,
    Phone,
    make_evening,
    make_panel,
)
from web.http.settings import PanelSettings

GETS = [
    # path, guest, seat, banker without a seat (the host), forged
    ("/", 303, 303, 303, 303),
    ("/start", 303, 303, 303, 303),
    ("/games", 403, 403, 200, 403),
    ("/table", 200, 200, 200, 200),
    ("/join.svg", 200, 200, 200, 200),
    ("/g/{j}/", 303, 200, 303, 403),
    ("/g/{j}/join", 200, 303, 200, 200),
    ("/g/{j}/bank", 303, 403, 200, 403),
    ("/g/{j}/pay", 303, 200, 200, 403),
    ("/g/{j}/history", 200, 200, 200, 403),
    ("/g/{j}/invite", 200, 200, 200, 403),
    ("/games/{j}/export.json", 403, 403, 200, 403),
    ("/games/{j}/throw-away", 403, 403, 409, 403),
    ("/api/games/{j}", 200, 200, 200, 403),
    ("/g/000000000000/", 404, 404, 404, 404),
    ("/g/vault/", 404, 404, 404, 404),
    ("/games/vault/export.json", 403, 403, 404, 403),
    ("/stream?game=000000000000", 404, 404, 404, 404),
    ("/nowhere", 404, 404, 404, 404),
]

REFUSED_HOST = (
    "this is not the table's own address; "
    "type the address that stands on the table's screen\n"
)

POSTS = [
    ("/g/{j}/do/pay", {"payee": "blue", "amount": "5"}, 403, 303, 303, 403),
    ("/g/{j}/do/collect-salary", {"seat": "red"}, 403, 303, 303, 403),
    ("/g/{j}/do/lock-table", {}, 403, 409, 303, 403),
    ("/g/{j}/do/remove-seat", {"seat": "blue"}, 403, 409, 303, 403),
    ("/g/{j}/do/hand-banker", {"to": "red"}, 403, 409, 303, 403),
    ("/g/{j}/do/close-game", {}, 403, 409, 303, 403),
    (
        "/g/{j}/do/correct-balance",
        {"account": "red", "balance": "9"},
        403,
        409,
        303,
        403,
    ),
    ("/g/{j}/do/steal", {}, 403, 404, 404, 403),
    ("/g/{j}/answer", {"request": "1", "answer": "yes"}, 403, 409, 409, 403),
    ("/g/{j}/take", {"seat": "blue"}, 403, 409, 409, 403),
    ("/g/{j}/again", {}, 403, 403, 409, 403),
    ("/g/{j}/leave", {}, 403, 303, 303, 403),
    ("/games", {"edition": "classic"}, 403, 403, 303, 403),
    ("/games/{j}/close", {}, 403, 403, 303, 403),
    ("/games/{j}/throw-away", {}, 403, 403, 409, 403),
    ("/start", {"code": "000000"}, 403, 409, 303, 403),
]


@pytest.mark.parametrize("row", GETS, ids=lambda row: row[0])
def test_a_page_opens_for_those_whose_it_is(calm: Evening, row):
    path = row[0].format(j=calm.game_id)
    phones = calm.house.guest(), calm.anna, calm.host, calm.house.forged()
    assert tuple(phone.get(path).status_code for phone in phones) == row[1:]


@pytest.mark.parametrize("row", POSTS, ids=lambda row: row[0])
@pytest.mark.parametrize("who", range(4))
def test_a_form_is_heard_from_those_who_may(evening: Evening, row, who):
    path, form, *wanted = row
    phones = evening.house.guest(), evening.anna, evening.host, evening.house.forged()
    answer = phones[who].post(path.format(j=evening.game_id), **form)
    assert answer.status_code == wanted[who], answer.text


def test_a_phone_that_is_not_known_is_shown_where_to_sit_down(evening: Evening):
    stranger = evening.house.forged()
    answer = stranger.get(f"/g/{evening.game_id}/")
    assert answer.status_code == 403
    assert "Take a seat" in answer.text
    paid = stranger.do(evening.game_id, "pay", payee="blue", amount="5")
    assert paid.status_code == 403
    assert evening.balance("red") == 3000


def test_a_seat_cannot_spend_what_is_anothers(calm: Evening):
    answer = calm.anna.do(
        calm.game_id, "pay", payer="blue", payee="red", amount="5", by="blue"
    )
    assert answer.status_code == 409
    assert calm.balance("blue") == 3000


def test_a_phone_gets_its_cookie_where_it_takes_a_seat_and_nowhere_else(
    evening: Evening,
):
    j = evening.game_id
    for path in ("/", "/table", "/join.svg", f"/g/{j}/history", f"/api/games/{j}"):
        assert "Set-Cookie" not in evening.house.guest().get(path).headers, path
    cookie = evening.house.guest().get(f"/g/{j}/join").headers["Set-Cookie"]
    assert cookie.startswith(f"phone-{evening.house.table.phones.table_id}=")
    for word in ("HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=15552000"):
        assert word in cookie
    assert "Secure" not in cookie


@pytest.fixture
def next_door(tmp_path: Path, clock: FakeClock) -> Iterator[Evening]:
    """An evening at another table of the same machine, at another port."""
    house = make_panel(tmp_path / "next door", clock)
    yield make_evening(house)
    house.table.close()
    house.database.close()


def at(phone: Phone, house: House) -> Phone:
    """The same browser at another port, where it shows what it has for that name."""
    client = copy(phone.client)
    client.application = house.app
    return Phone(house, client)


def test_two_tables_under_one_name_leave_each_other_their_seats(
    evening: Evening, next_door: Evening
):
    for here, there in (evening, next_door), (next_door, evening):
        for phone in here.host, here.anna:
            for page in "history", "join":
                visited = at(phone, there.house).get(f"/g/{there.game_id}/{page}")
                assert visited.status_code == 200, page
    for here in evening, next_door:
        assert here.host.get("/games").status_code == 200
        assert here.anna.get(f"/g/{here.game_id}/").status_code == 200


def test_another_programs_cookie_takes_nobodys_seat(calm: Evening):
    theirs = ("phone", "theirs")
    anna = calm.house.guest(theirs, calm.anna.cookie)
    assert anna.get(f"/g/{calm.game_id}/").status_code == 200
    guest = calm.house.guest(theirs)
    assert guest.get(f"/g/{calm.game_id}/history").status_code == 200


def test_every_cookie_of_one_name_is_tried(calm: Evening):
    """A browser sends several: of other paths, and of the domain above."""
    (name, token), path = calm.anna.cookie, f"/g/{calm.game_id}/"
    client = calm.house.app.test_client(use_cookies=False)
    for sent in (token, "x"), ("x", token), ("", "x", token), ("x", "y"):
        cookies = "; ".join(f"{name}={value}" for value in sent)
        wanted = 200 if token in sent else 403
        got = client.get(path, headers={"Cookie": cookies})
        assert got.status_code == wanted, sent


@pytest.mark.parametrize("name", ["phone", "phone-00c0ffee"])
def test_a_phone_that_sat_down_before_an_update_or_a_restore_keeps_its_seat(
    calm: Evening, name: str
):
    """Its cookie had a name without a table's then, or that of another life."""
    _, token = calm.anna.cookie
    anna, path = calm.house.guest((name, token)), f"/g/{calm.game_id}/"
    assert anna.get(path).status_code == 200
    assert anna.cookie == calm.anna.cookie
    anna.client.delete_cookie(name)
    answer = anna.get(path)
    assert answer.status_code == 200
    assert "Set-Cookie" not in answer.headers


def test_a_phone_has_its_seat_at_each_table_of_one_backup(
    calm: Evening, tmp_path: Path, clock: FakeClock
):
    file, (name, token) = tmp_path / "evening.zip", calm.anna.cookie
    back_up(calm.house.database, file, "1")
    names = {name}
    for folder in tmp_path / "here", tmp_path / "there":
        folder.mkdir()
        with file.open("rb") as source:
            restore(source, folder, may_replace=False)
        house = make_panel(folder, clock)
        anna = house.guest((name, token))
        assert anna.get(f"/g/{calm.game_id}/").status_code == 200
        names.add(anna.cookie[0])
        house.table.close()
        house.database.close()
    assert len(names) == 3


def test_a_known_phone_keeps_its_cookie(calm: Evening):
    assert "Set-Cookie" not in calm.anna.get(f"/g/{calm.game_id}/").headers


@each(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:8080"},
        {"Origin": "http://localhost", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://localhost", "Sec-Fetch-Site": "same-site"},
        {"Referer": "http://evil.example/localhost"},
        {"Origin": "http://[bad"},
        {},
    ],
)
def test_a_post_from_elsewhere_is_refused(calm: Evening, headers):
    answer = calm.anna.post(
        f"/g/{calm.game_id}/do/pay", headers=headers, payee="blue", amount="5"
    )
    assert answer.status_code == 403
    assert calm.balance("red") == 3000


@pytest.mark.parametrize(
    "headers",
    [
        ORIGIN,
        {**ORIGIN, "Sec-Fetch-Site": "same-origin"},
        {"Referer": "http://localhost/g/x"},
    ],
)
def test_a_post_from_our_own_page_is_heard(evening: Evening, headers):
    answer = evening.anna.post(
        f"/g/{evening.game_id}/do/pay", headers=headers, payee="blue", amount="5"
    )
    assert answer.status_code == 303


OWN_HOSTS = [
    "192.168.1.20:8000",
    "[::1]",
    "[fe80::1]:8000",
    "companion.local",
    "TABLE.local:8000",
    "annas_pi.local",
    "[fd00::20]:8000",
    "table.local.",
    f"{'x' * 63}.local",
    "localhost",
]

WRONG_HOSTS = [
    "my_table",
    "my_table:0",
    "my_table.local/evil.example",
    "",
    "evil.example",
    "192.168.1.20.evil.example",
    "local",
    ".local",
    "a..b",
    "a..local",
    "localhost..",
    f"{'x' * 64}.local",
    "x" * 9_000,
    "localhost:0",
    "localhost:65536",
    "localhost:port",
    "anna@localhost",
    "localhost, evil.example",
    "localhost/evil.example",
    "[::1",
    "[fe80::1%25eth0]",
    "\N{NULL}",
    "local\thost",
    "löcal.local",
]


@each("host", OWN_HOSTS)
def test_the_table_answers_under_its_own_names(calm: Evening, host: str):
    assert calm.house.guest().get("/", Host=host).status_code == 303


def test_a_post_under_a_name_with_an_underscore_is_heard(evening: Evening):
    here = {"Host": "annas_pi.local:8000", "Origin": "http://annas_pi.local:8000"}
    client = evening.house.guest(evening.anna.cookie).client
    client.set_cookie(*evening.anna.cookie, domain="annas_pi.local")
    form = {"payee": "blue", "amount": "5", "command_id": "command-under"}
    paid = client.post(f"/g/{evening.game_id}/do/pay", data=form, headers=here)
    assert paid.status_code == 303
    assert evening.balance("red") == 2995


@each("host", WRONG_HOSTS)
def test_every_other_host_gets_the_same_answer(calm: Evening, host: str):
    client = calm.house.guest().client
    for path in ("/", f"/api/games/{calm.game_id}", "/stream", "/static/panel.js"):
        for method in ("GET", "POST"):
            answer = client.open(
                path, method=method, environ_overrides={"HTTP_HOST": host}
            )
            told = answer.status_code, answer.mimetype, answer.text
            assert told == (400, "text/plain", REFUSED_HOST), (method, path)


def test_a_refused_host_is_told_in_the_phones_language(calm: Evening):
    answer = calm.anna.get("/", **{"Host": "a..b", "Accept-Language": "de"})
    assert answer.text.startswith("das ist nicht die Adresse des Tisches")


def test_refused_hosts_write_one_line_a_minute(house: House, caplog):
    for number in range(50):
        house.guest().get("/", Host=f"a..b{number}\x1b[2J")
    lines = [x.getMessage() for x in caplog.records]
    assert lines == [r"host_refused address=127.0.0.1 host='a..b0\x1b[2J'"]
    house.clock.advance(60_000)
    house.guest().get("/", Host="x" * 9_000)
    assert len(caplog.records) == 2
    assert len(caplog.messages[1]) < 200


def unversioned(page: str) -> str:
    """A page without the hashes of its files, in which any digits may stand."""
    return re.sub(r"\?v=[0-9a-f]+", "", page)


def test_the_first_run_code_shows_on_the_tables_own_screen_only(house):
    guest = house.guest()
    assert "314 159" in guest.get("/table").text
    for address in ("192.168.1.5", "10.0.0.9", "fe80::1", ""):
        answer = guest.client.get("/table", environ_base={"REMOTE_ADDR": address})
        assert answer.status_code == 200
        assert "314" not in unversioned(answer.text)
    house.host()
    assert "314" not in unversioned(guest.get("/table").text)


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
def test_the_machines_own_browser_is_known_by_its_address_and_its_host(house, host):
    assert "314 159" in house.guest().get("/table", Host=host).text


@pytest.mark.parametrize(
    "sent",
    [
        {"Host": "192.168.1.20:8000"},
        {"Host": "table.local"},
        {"Forwarded": "for=192.168.1.5"},
        {"X-Forwarded-For": "192.168.1.5"},
        {"X-Forwarded-Host": "table.local"},
        {"X-Forwarded-Proto": "http"},
        {"X-Real-IP": "192.168.1.5"},
        {"Via": "1.1 proxy"},
    ],
)
def test_a_phone_behind_a_proxy_on_this_machine_is_not_the_machine(house, sent):
    answer = house.guest().get("/table", **sent)
    assert answer.status_code == 200
    assert "314" not in unversioned(answer.text)


@pytest.mark.parametrize(
    "settings", [PanelSettings(proxy="127.0.0.1"), PanelSettings(is_contained=True)]
)
def test_behind_a_proxy_and_in_a_container_nobody_is_the_machine(make_house, settings):
    house = make_house(settings=settings)
    assert "314" not in unversioned(house.guest().get("/table").text)


def test_a_wrong_code_makes_no_host_and_guessing_is_slowed_down(house):
    phone = house.guest()
    phone.get("/start")
    for _ in range(5):
        assert phone.post("/start", code="000000").status_code == 409
    answer = phone.post("/start", code=CODE)
    assert answer.status_code == 409
    assert "Wait 60 s" in answer.text
    house.clock.advance(60_000)
    assert phone.post("/start", code="314 159").status_code == 303
    assert phone.get("/games").status_code == 200


def test_who_guesses_digits_keeps_nobody_out_but_themselves(house):
    """One phone posts five wrong codes a second; hosts come from other addresses."""
    guesser, there = house.guest(), {"REMOTE_ADDR": "192.168.1.66"}
    guesser.client.get("/start", environ_base=there)
    for second in range(130):
        for _ in range(5):
            wrong = guesser.client.post(
                "/start", data={"code": "0"}, headers=ORIGIN, environ_base=there
            )
            assert wrong.status_code in (409, 429)
        if second % 10 == 9:
            host, here = house.guest(), {"REMOTE_ADDR": f"192.168.1.{second}"}
            host.client.get("/start", environ_base=here)
            became = host.client.post(
                "/start", data={"code": CODE}, headers=ORIGIN, environ_base=here
            )
            assert became.status_code == 303, f"kept out in second {second}"
            house.table.phones.forget_hosts()
        house.clock.advance(1_000)


def test_fast_tapping_is_slowed_down_for_that_phone_alone(make_house):
    from tests.web.conftest import make_evening

    house = make_house(settings=PanelSettings(burst_count=4, requests_per_s=2.0))
    evening = make_evening(house)
    house.clock.advance(60_000)
    tap = {"seat": "red", "again": "yes"}
    taps = [evening.anna.do(evening.game_id, "collect-salary", **tap) for _ in range(5)]
    assert [tap.status_code for tap in taps] == [303, 303, 303, 303, 429]
    assert taps[-1].headers["Retry-After"] == "1"
    assert (
        evening.ben.do(evening.game_id, "pay", payee="red", amount=1).status_code == 303
    )
    house.clock.advance(500)
    again = evening.anna.do(evening.game_id, "pay", payee="blue", amount=1)
    assert again.status_code == 303
