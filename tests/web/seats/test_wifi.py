"""The table's own Wi-Fi on its pages, and the page that joins the home's."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import pytest

from companion.errors import DeviceFault
from companion.wifi import Attempt, Outcome, Wifi
from tests.running import ROOT
from tests.web.conftest import ORIGIN, House
from tests.web.own_wifi import OWN, Pretended, read_code
from web.http.probes import PROBES
from web.http.settings import PanelSettings

SECRET = "it's a \\secret: 42"


@pytest.fixture
def hotspot() -> Pretended:
    return Pretended()


@pytest.fixture
def cottage(make_house: Callable[..., House], hotspot: Pretended) -> House:
    settings = PanelSettings(where=hotspot, burst_count=500, newcomers_count=999)
    return make_house(settings=settings)


def test_the_screen_shows_how_to_join_the_tables_own_wifi_and_then_the_table(
    cottage: House,
) -> None:
    page = cottage.guest().get("/table").text
    assert page.index("/wifi.svg") < page.index("/join.svg")
    assert OWN.name in page
    assert OWN.password in page
    wifi = cottage.guest().get("/wifi.svg")
    assert read_code(wifi.data) == "WIFI:T:WPA;S:vault-table;P:nhzskcmtuwpb;;"
    table = cottage.guest().get("/join.svg")
    assert read_code(table.data) == "http://10.42.0.1/"


@pytest.mark.parametrize("rig", ["nobody", "by hand"])
def test_without_a_wifi_of_its_own_no_page_speaks_of_one(
    cottage: House, hotspot: Pretended, rig: str
) -> None:
    host = cottage.host()
    if rig == "by hand":
        host.post("/games", edition="classic", name="Night")
        assert "/wifi.svg" in host.get("/table").text
    hotspot.own = None
    for path in ("/table", "/games"):
        assert "wifi" not in host.get(path).text
    assert host.get("/wifi").status_code == 404
    assert host.get("/wifi.svg").status_code == 404
    assert host.post("/wifi", other="Home", password=SECRET).status_code == 404
    assert hotspot.wished == []


def test_the_host_has_the_table_join_the_home_and_becomes_host_there_again(
    cottage: House, hotspot: Pretended
) -> None:
    host = cottage.host()
    assert 'href="/wifi"' in host.get("/games").text
    page = host.get("/wifi").text
    assert [name in page for name in ("Zuhause 5 GHz", "Anna &amp; Ben")] == [True] * 2
    left = host.post("/wifi", seen="Anna & Ben", other="", password=SECRET)
    assert left.status_code == 200
    assert hotspot.wished == [Wifi("Anna & Ben", SECRET)]
    assert "secret" not in left.text
    code = re.search(r'aria-label="Code (\d{9})"', left.text)
    assert code is not None
    there = cottage.guest()  # The same phone, at an address for which it has no cookie.
    assert there.get("/start").status_code == 200
    assert there.post("/start", code="000000000").status_code == 409
    assert there.post("/start", code=code[1]).status_code == 303
    assert there.get("/games").status_code == 200
    once_more = cottage.guest()
    assert once_more.get("/start").status_code == 303
    assert once_more.post("/start", code=code[1]).status_code == 409


def test_only_the_host_may_take_the_table_away(
    cottage: House, hotspot: Pretended
) -> None:
    evil = {"Origin": "http://evil.example"}
    assert cottage.host().post("/wifi", headers=evil, other="A").status_code == 403
    guest = cottage.guest()
    guest.get("/decoder")
    for answer in (guest.get("/wifi"), guest.post("/wifi", other="A", password="")):
        assert answer.status_code == 403
    assert hotspot.wished == []


@pytest.mark.parametrize(
    ("other", "password", "said"),
    [
        ("", "long enough", "name of a network"),
        ("x" * 33, "long enough", "name of a network"),
        ("ü" * 17, "long enough", "name of a network"),
        ("two\nlines", "long enough", "name of a network"),
        ("Home", "short", "8 to 63"),
        ("Home", "s" * 64, "8 to 63"),
        ("Home", "schön warm", "8 to 63"),
    ],
)
def test_what_no_network_has_is_refused_and_the_password_is_not_shown(
    cottage: House, hotspot: Pretended, other: str, password: str, said: str
) -> None:
    answer = cottage.host().post("/wifi", other=other, password=password)
    assert answer.status_code == 400
    assert said in answer.text
    assert f'value="{password}"' not in answer.text
    assert hotspot.wished == []


@pytest.mark.parametrize("password", ["", "12345678", "p" * 63, "0123456789abcdeF" * 4])
def test_every_password_that_a_network_may_have_is_taken(
    cottage: House, hotspot: Pretended, password: str
) -> None:
    cottage.host().post("/wifi", other="ü" * 16, password=password)
    assert hotspot.wished == [Wifi("ü" * 16, password)]


@pytest.mark.parametrize("outcome", Outcome)
def test_the_page_says_what_became_of_the_last_attempt(
    cottage: House, hotspot: Pretended, outcome: Outcome
) -> None:
    hotspot.tried = Attempt("Anna & Ben", outcome)
    page = cottage.host().get("/wifi").text
    assert re.search(r"<strong>Anna &amp; Ben</strong>: [A-Z][^<]+\.<", page)


def test_a_table_that_cannot_be_asked_says_so(
    cottage: House, hotspot: Pretended
) -> None:
    hotspot.fault = DeviceFault("expected to write, got a full disk")
    answer = cottage.host().post("/wifi", other="Home", password=SECRET)
    assert answer.status_code == 503
    assert "secret" not in answer.text


def test_a_blocked_radio_is_told_where_the_code_should_be(
    cottage: House, hotspot: Pretended
) -> None:
    hotspot.own = None
    local = {"Host": "localhost"}
    assert "raspi-config" not in cottage.guest().get("/table", **local).text
    hotspot.blocked = True
    assert "do_wifi_country" in cottage.guest().get("/table", **local).text


PROBED = [(host, path) for host, paths in PROBES.items() for path in paths]


@pytest.mark.parametrize(("host", "path"), PROBED)
def test_a_phone_that_asks_for_the_internet_is_told_to_stay(
    cottage: House, hotspot: Pretended, host: str, path: str
) -> None:
    guest = cottage.guest()
    answer = guest.get(path, Host=host)
    body, kind = PROBES[host][path]
    assert answer.status_code == (200 if kind else 204)
    assert answer.text == body
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers
    assert guest.client.post(path, headers={**ORIGIN, "Host": host}).status_code == 400
    assert guest.get(f"{path}x", Host=host).status_code == 400
    assert guest.get("/table", Host=host).status_code == 400
    hotspot.own = None
    assert guest.get(path, Host=host).status_code == 400


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("connect.rom.miui.com/generate_204", ""),
        ("connectivitycheck.platform.hicloud.com/generate_204", ""),
        ("conn1.oppomobile.com/generate_204", ""),
        ("wifi.vivo.com.cn/generate_204", ""),
        (
            "spectrum.s3.amazonaws.com/kindle-wifi/wifistub.html",
            "81ce4465-7167-4dcb-835b-dcc9e44c112a",
        ),
        ("nmcheck.gnome.org/check_network_status.txt", "NetworkManager is online\n"),
        ("connectivity-check.ubuntu.com/", ""),
    ],
)
def test_makers_that_ask_elsewhere_hear_what_they_want(
    cottage: House, address: str, body: str
) -> None:
    """Their phones know no other answer; Linux knows it by a header."""
    host, _, path = address.partition("/")
    answer = cottage.guest().get(f"/{path}", Host=host)
    assert (answer.status_code, answer.text) == (200 if body else 204, body)
    assert answer.headers["X-NetworkManager-Status"] == "online"


def test_every_name_that_is_answered_leads_here_and_no_other_does() -> None:
    lines = (ROOT / "systemd" / "companion-dnsmasq.conf").read_text().splitlines()
    led = {line for line in lines if not line.startswith("#")}
    assert led == {f"address=/{host}/10.42.0.1" for host in PROBES}


def test_no_rule_of_the_panels_is_written_over_by_a_later_one() -> None:
    rules = (ROOT / "web/static/panel.css").read_text(encoding="utf-8")
    names = re.findall(r"^(\.[\w-]+) \{", rules, re.MULTILINE)
    assert {name for name, count in Counter(names).items() if count > 1} == set()
