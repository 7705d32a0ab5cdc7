"""People come and go: whose phone, whose money, whose name in the history."""

from __future__ import annotations

import html
import re

import pytest

from companion.errors import JournalFault
from companion.game import commands as c
from companion.game.envelope import Envelope
from companion.rules.seats import COLOURS, TOKENS
from companion.store.phones import DAY_MS, LIFETIME_MS
from companion.table.seating import REQUESTS_MAX, REQUESTS_SHARE_MAX
from companion.units import GameId, Seat
from companion.views.history import COMMON_NAMES
from tests.sample import each
from tests.web.conftest import Evening, House, Phone, make_evening
from tests.web.forms import forms_of
from tests.web.guided_table import give, guided
from web.http.language import language_of
from web.http.settings import PanelSettings


def words(text: str) -> str:
    """What a person reads of a page."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", text)))


@pytest.fixture
def changed(evening: Evening) -> Evening:
    """Anna paid, was taken away, and Cara is red in her place, without a phone."""
    j = evening.game_id
    evening.anna.do(j, "pay", payee="blue", amount="50", reason="rent")
    assert evening.host.do(j, "remove-seat", seat="red").status_code == 303
    added = evening.host.do(j, "add-seat", name="Cara", colour="red", token="hat")
    assert added.status_code == 303
    return evening


def test_a_removed_player_neither_sees_nor_pays_with_the_next_ones_money(
    changed: Evening,
):
    j = changed.game_id
    lost = changed.anna.get(f"/g/{j}/")
    assert lost.headers["Location"] == f"/g/{j}/join?lost=1"
    paid = changed.anna.do(j, "pay", payee="blue", amount="100")
    assert paid.status_code == 403
    assert changed.balance("red") == 3_000
    assert changed.anna.client.get(f"/api/games/{j}").json["seat"] is None
    cara = changed.house.guest()
    assert "I am Cara" in cara.get(f"/g/{j}/join").text
    assert cara.post(f"/g/{j}/take", seat="red").status_code == 303
    assert cara.do(j, "pay", payee="blue", amount="100").status_code == 303
    assert changed.balance("red") == 2_900


def test_the_history_keeps_to_the_names_of_its_time_wherever_it_is_told(
    changed: Evening,
):
    j = changed.game_id
    for path in (f"/g/{j}/history", f"/table?game={j}", f"/g/{j}/", f"/g/{j}/bank"):
        reader = changed.host if path.endswith("bank") else changed.ben
        text = words(reader.get(path).text)
        assert "Cara sat down with $3,000" in text, path
        if path.endswith("history"):
            assert "Anna paid Ben $50 rent" in text, path
        assert "Cara paid Ben" not in text, path
    table = changed.host.get(f"/g/{j}/export.csv").text
    assert "Anna paid Ben $50 rent" in table
    assert "Anna left; $2,950 went back to the bank" in table
    assert "Cara paid" not in table
    lines = changed.ben.client.get(f"/api/games/{j}").json["table"]["lines"]
    assert ["Anna paid Ben $50 rent"] in [line["sentences"] for line in lines]


def test_the_story_of_the_evening_is_told_of_who_was_there(evening: Evening):
    """Anna paid the biggest rent and left; Cara plays on in red."""
    j = evening.game_id
    evening.host.do(j, "begin")
    evening.host.do(j, "rest-play")
    evening.anna.do(j, "pay", payee="blue", amount="900", reason="rent")
    evening.host.do(j, "remove-seat", seat="red")
    evening.host.do(j, "add-seat", name="Cara", colour="red", token="hat")
    evening.host.do(j, "begin")
    page = words(evening.ben.get(f"/g/{j}/ending").text)
    assert "The biggest rent was $900: Anna paid it to Ben." in page


def test_an_id_of_another_seat_is_no_repeated_tap(evening: Evening):
    j = evening.game_id
    evening.anna.do(j, "pay", payee="bank", amount="1", command_id="shared-id-0001")
    for _ in range(2):
        paid = evening.ben.do(
            j, "pay", payee="bank", amount="7", command_id="shared-id-0001"
        )
        assert paid.status_code == 303
    assert (evening.balance("red"), evening.balance("blue")) == (2_999, 2_993)


# Two who want one colour at a locked table.


def test_a_lost_phone_of_a_host_who_plays_is_shut_out_and_its_seat_given_on(
    evening: Evening,
):
    j, lost = evening.game_id, evening.host
    sat = lost.post(f"/g/{j}/join", name="Dora", colour="green", token="dog")
    assert sat.status_code == 303
    assert lost.get(f"/g/{j}/bank").status_code == 200
    evening.house.table.phones.forget_hosts()
    had = evening.balance("green")
    assert lost.do(j, "collect-salary", seat="green").status_code == 403
    assert lost.get(f"/g/{j}/bank").status_code == 403
    lost.get("/start")  # It may come in anew, like anybody else.
    assert lost.post(f"/g/{j}/take", seat="green").status_code == 409
    assert evening.balance("green") == had
    host = evening.house.host()
    assert host.post(f"/g/{j}/resume", seat="green").status_code == 303
    asked = re.search(r'name="request" value="(\d+)"', host.get(f"/g/{j}/bank").text)
    assert asked is not None
    given = host.post(f"/g/{j}/answer", request=asked[1], answer="yes")
    assert given.status_code == 303
    assert host.do(j, "collect-salary", seat="green").status_code == 303
    assert host.get(f"/g/{j}/bank").status_code == 200
    assert evening.balance("green") > had


def test_a_host_with_a_seat_takes_up_a_bank_that_nobody_keeps(evening: Evening):
    """As after a seat that kept it was removed."""
    j, host = evening.game_id, evening.host
    host.post(f"/g/{j}/join", name="Dora", colour="green", token="dog")
    give(evening, c.HandBanker(by=c.TABLE, to=Seat("red")))
    assert "Nobody keeps the bank" not in host.get(f"/g/{j}/").text
    give(evening, c.RemoveSeat(by=c.TABLE, seat=Seat("red")))
    assert host.get(f"/g/{j}/bank").status_code == 403
    assert "Nobody keeps the bank" not in evening.ben.get(f"/g/{j}/").text
    host.post(f"/games/{j}/close")
    assert "Nobody keeps the bank" not in host.get(f"/g/{j}/").text, "it rests"
    host.post(f"/games/{j}/reopen")
    (form,) = [x for x in forms_of(host.get(f"/g/{j}/").text) if x.verb == "take"]
    assert host.post(form.action, **form.fields).status_code == 303
    assert host.get(f"/g/{j}/bank").status_code == 200
    assert evening.house.table.game(j).banker == "green"


def test_a_host_who_is_let_in_keeps_the_bank_that_it_kept(evening: Evening):
    j, host = evening.game_id, evening.host
    host.post(f"/g/{j}/resume", seat="blue")
    (request,) = evening.house.table.phones.requests(j)
    host.post(f"/g/{j}/answer", request=request.request, answer="yes")
    assert host.get(f"/g/{j}/bank").status_code == 200
    assert evening.house.table.game(j).banker == "blue"


@each("name", [*COMMON_NAMES.values(), "the banker"])
def test_nobody_is_called_what_a_german_phone_calls_an_account(
    calm: Evening, name: str
):
    german = language_of("de").gettext(name)
    assert german != name
    for taken in (german, german.split()[-1]):
        refused = calm.ben.do(calm.game_id, "rename-seat", seat="blue", name=taken)
        assert refused.status_code == 409, taken


def wish(evening: Evening, name: str, colour: str = "green") -> Phone:
    phone, j = evening.house.guest(), evening.game_id
    phone.get(f"/g/{j}/join")
    asked = phone.post(f"/g/{j}/join", name=name, colour=colour, token="duck")
    assert asked.headers["Location"] == f"/g/{j}/join"
    return phone


def test_a_name_from_right_to_left_is_set_apart_but_not_where_it_is_typed(
    evening: Evening,
):
    j, dani = evening.game_id, "\u05d3\u05e0\u05d9"
    evening.anna.do(j, "rename-seat", seat="red", name=dani)
    evening.anna.do(j, "pay", payee="blue", amount=150, reason="other")
    assert f'name="name" value="{dani}"' in evening.anna.get(f"/g/{j}/more").text
    assert f'name="name" value="{dani}"' in evening.host.get(f"/g/{j}/bank").text
    history = evening.ben.get(f"/g/{j}/history").text
    assert f"\u2068{dani}\u2069 paid" in history
    paid = next(x for x in history.split('<li class="line')[1:] if "Ben $150" in x)
    assert "by " not in paid, "the sentence says so already"


def test_who_was_too_late_is_told_and_asks_again_with_the_name_kept(evening: Evening):
    j = evening.game_id
    evening.host.do(j, "lock-table")
    cleo, dan = wish(evening, "Cleo"), wish(evening, "Dan")
    _, _, waits = dan.get(f"/g/{j}/join").text.partition("Waiting for the banker")
    assert re.search(r'class="disc c-green">.*?Dan.*?Tell them', waits, re.DOTALL)
    for number, status in (("1", 303), ("2", 409)):
        answered = evening.host.post(f"/g/{j}/answer", request=number, answer="yes")
        assert answered.status_code == status
    assert cleo.get(f"/g/{j}/").status_code == 200
    assert "Dan" not in evening.host.get(f"/g/{j}/bank").text
    page = dan.get(f"/g/{j}/join").text
    told = "Somebody was faster. Cleo has that colour already. Choose another colour."
    assert told in words(page)
    assert "Waiting for the banker" not in page
    assert 'value="Dan"' in page
    checked = re.findall(r'name="(colour|token)" value="(\w+)" checked', page)
    assert dict(checked) == {"colour": "orange", "token": "cat"}
    dan.post(f"/g/{j}/join", name="Dan", colour="orange", token="cat")
    assert "Somebody was faster." not in dan.get(f"/g/{j}/join").text
    evening.host.post(f"/g/{j}/answer", request="3", answer="yes")
    assert "Dan" in dan.get(f"/g/{j}/").text


def test_two_who_keep_what_the_page_proposes_both_sit_down(evening: Evening):
    j, looks = evening.game_id, {"colour": "green", "token": "duck"}
    proposed = {f"proposed-{key}": value for key, value in looks.items()}
    cleo, dan, eve = (evening.house.guest() for _ in range(3))
    for phone in (cleo, dan, eve):
        page = phone.get(f"/g/{j}/join").text
        for key, value in proposed.items():
            assert f'name="{key}" value="{value}"' in page
    for phone, name in ((cleo, "Cleo"), (dan, "Dan")):
        answer = phone.post(f"/g/{j}/join", name=name, **looks, **proposed)
        assert answer.status_code == 303, name
    assert "Dan" in dan.get(f"/g/{j}/").text
    chosen = {**proposed, "proposed-colour": "orange"}
    refused = eve.post(f"/g/{j}/join", name="Eve", **looks, **chosen)
    assert refused.status_code == 409, "green was her own choice"


def test_nobody_is_offered_a_new_seat_where_the_companion_leads(house: House):
    evening = guided(house, "classic", 2)
    page = house.guest().get(f"/g/{evening.game_id}/join").text
    assert "This game has begun." in page
    assert "Sit down with" not in page
    page = house.guest().get(f"/g/{evening.game_id}/join?lost=1").text
    assert "This phone has no seat in this game." in page
    assert "This game has begun." not in page


def test_two_games_of_a_box_on_one_day_are_told_apart(evening: Evening):
    house, cards = evening.house, set()
    for _ in range(2):
        house.clock.advance(60_000)
        evening.host.post("/games", edition="classic", command_id=house.command_id())
        card = evening.host.get("/games").text.split('<p class="title">')[1]
        cards.add(card.split("</p>")[0])
    assert len(cards) == 2


def test_a_second_tap_of_the_host_on_the_code_changes_nothing(house: House):
    host = house.host()
    again = host.post("/start", code="1")
    assert (again.status_code, again.headers["Location"]) == (303, "/games")


# A phone that is used.


@pytest.mark.slow
def test_a_phone_that_is_used_weekly_is_never_forgotten_nor_is_its_cookie(
    evening: Evening,
):
    house, j = evening.house, evening.game_id
    for _ in range(29):
        house.clock.leap(7 * DAY_MS)
        for phone in (evening.anna, evening.host):
            page = phone.get(f"/g/{j}/history")
            cookie = page.headers["Set-Cookie"]
            assert cookie.startswith(f"{'='.join(phone.cookie)};")
            assert f"Max-Age={LIFETIME_MS // 1000};" in cookie
            assert "Set-Cookie" not in phone.get(f"/g/{j}/history").headers
    assert evening.anna.get(f"/g/{j}/").status_code == 200
    assert evening.host.get("/games").status_code == 200
    assert house.panel.seating.first_run_code() is None
    assert evening.ben.get(f"/g/{j}/").status_code == 200  # Away for 203 days.


def test_a_disk_that_takes_nothing_keeps_nobody_from_looking(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
):
    def full(*_: object) -> None:
        raise JournalFault("the disk is full")

    path = f"/g/{evening.game_id}/"
    evening.house.clock.leap(DAY_MS)
    with monkeypatch.context() as patched:
        patched.setattr(evening.house.table.phones, "renew", full)
        page = evening.anna.get(path)
        assert page.status_code == 200
        assert "Set-Cookie" not in page.headers
    assert "Set-Cookie" in evening.anna.get(path).headers


def test_a_clock_that_leaps_takes_neither_seat_nor_wish_nor_game_from_anybody(
    house: House,
):
    """A Pi without a clock of its own learns the date late, from the network."""
    host = house.host()
    where = host.post("/games", edition="classic", name="Friday").headers["Location"]
    game_id = GameId(where.split("/")[2])
    players = [
        house.seated(game_id, colour, colour, token)
        for colour, token in zip(COLOURS, TOKENS, strict=True)
    ]
    host.do(game_id, "lock-table")
    waiting = house.guest()
    waiting.get(f"/g/{game_id}/join")
    waiting.post(f"/g/{game_id}/resume", seat=COLOURS[0])
    assert len(players) == 8
    for days in (200, -400, 20_000):
        house.clock.leap(days * DAY_MS)
        house.guest().get(f"/g/{game_id}/join")  # What is superfluous makes room.
        for table in (house.table, house.restarted()):
            for phone in players:
                _, token = phone.cookie
                known = table.phones.authenticate(token)
                assert known is not None, f"expelled by {days} days"
                assert table.phones.seat_of(game_id, known) in COLOURS
            assert table.phones.has_host()
            assert len(table.phones.requests(game_id)) == 1
        for phone in players:
            assert phone.get(f"/g/{game_id}/").status_code == 200
    assert host.get("/games").status_code == 200
    answer = host.post(f"/g/{game_id}/answer", request="1", answer="yes")
    assert answer.status_code == 303
    assert waiting.get(f"/g/{game_id}/").status_code == 200


def test_a_cookie_is_renewed_daily_though_the_clock_was_once_ahead(evening: Evening):
    path = f"/g/{evening.game_id}/"
    evening.house.clock.leap(300 * DAY_MS)
    assert "Set-Cookie" in evening.anna.get(path).headers
    evening.house.clock.leap(-300 * DAY_MS)
    for _ in range(3):
        assert "Set-Cookie" in evening.anna.get(path).headers
        assert "Set-Cookie" not in evening.anna.get(path).headers
        evening.house.clock.leap(DAY_MS)


# Strangers.


@pytest.mark.slow
def test_strangers_at_one_address_get_only_so_many_phones(make_house):
    house = make_house(settings=PanelSettings())
    host = house.host()
    host.post("/games", edition="classic", name="Friday")
    game_id = house.table.current()

    def comes(address: str) -> int:
        here = {"REMOTE_ADDR": address}
        path = f"/g/{game_id}/join"
        return house.guest().client.get(path, environ_base=here).status_code

    stranger = []
    for _ in range(100):
        stranger += [comes("192.168.1.66") for _ in range(6)]
        house.clock.advance(1_000)
    assert set(stranger) == {200, 429}
    assert stranger.count(200) == 40 + 9, "more than one in ten seconds"
    assert comes("192.168.1.66") == 200
    assert comes("::ffff:192.168.1.66") == 429  # The same one, to an IPv6 socket.
    household = [comes("192.168.1.20") for _ in range(16)]  # Each twice.
    assert household == [200] * 16
    one_network = [comes(f"2a02:8109::{number:x}") for number in range(41)]
    assert one_network == [200] * 40 + [429]
    for home in ("fd12:3456::", "fe80::"):  # Where each phone has its own.
        assert [comes(f"{home}{number:x}") for number in range(41)] == [200] * 41


@pytest.mark.parametrize("wish", ["join", "resume"])
def test_a_stranger_at_one_address_does_not_keep_a_family_from_asking(
    make_house, wish: str
):
    house = make_house()
    host = house.host()
    host.post("/games", edition="classic", name="Friday")
    game_id = house.table.current()
    house.seated(game_id, "Anna", "red", "hat")
    host.do(game_id, "lock-table")
    fields = {"name": "Ben", "colour": "blue", "token": "cat", "seat": "red"}

    def asks(address: str) -> int:
        phone = house.guest()
        phone.client.environ_base["REMOTE_ADDR"] = address
        phone.get(f"/g/{game_id}/join")
        return phone.post(f"/g/{game_id}/{wish}", **fields).status_code

    stranger = [asks("192.168.1.66") for _ in range(REQUESTS_MAX)]
    assert stranger.count(303) == REQUESTS_SHARE_MAX
    assert [asks("192.168.1.20") for _ in range(2)] == [303, 303]
    assert len(house.table.phones.requests(game_id)) == REQUESTS_SHARE_MAX + 2


@pytest.mark.parametrize("taken", ["ANNA", "Anna.", "Ann A"])
def test_a_name_is_proposed_again_unless_it_would_be_refused(
    evening: Evening, taken: str
):
    answer = evening.host.post("/games", edition="classic", name="Sunday")
    game_id = GameId(answer.headers["Location"].split("/")[2])
    evening.house.seated(game_id, taken, "green", "duck")
    is_proposed = 'value="Anna"' in evening.anna.get(f"/g/{game_id}/join").text
    look = {"colour": "red", "token": "hat"}
    sat_down = evening.anna.post(f"/g/{game_id}/join", name="Anna", **look)
    assert is_proposed == (sat_down.status_code == 303)
    assert is_proposed == (taken == "Ann A")


def test_who_sits_at_two_games_gets_from_each_to_the_other(house: House) -> None:
    first = make_evening(house)
    second = house.table.open_game("classic", "Late night", "open-the-second")
    sat = first.anna.post(f"/g/{second}/join", name="Anna", colour="green", token="hat")
    assert sat.status_code == 303
    for here, there in ((first.game_id, second), (second, first.game_id)):
        more = first.anna.get(f"/g/{here}/more").text
        assert f'href="/g/{there}/"' in more
        assert f'href="/table?game={here}"' in more, "and this game's screen"
    assert f'href="/g/{second}/"' not in first.ben.get(f"/g/{first.game_id}/more").text
    close = Envelope(c.CloseGame(by=c.TABLE), "close-the-second")
    house.table.submit(second, close)
    assert f'href="/g/{second}/"' not in first.anna.get(f"/g/{first.game_id}/more").text
