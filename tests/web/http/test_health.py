"""The machine's health: all of it for this machine, a sentence for the banker."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

import pytest

from companion.health import Condition, Finding
from companion.words import say
from tests.web.conftest import House, app_for, make_evening
from web.http.settings import PanelSettings

HOT = Finding(
    "power.heat",
    Condition.WARN,
    say("the processor is hot: {degrees} °C", degrees=84),
    say("give the Pi air or a heat sink"),
)
SETTINGS = PanelSettings(burst_count=500)
WELL = Finding("disk.space", Condition.OK, "900 MB are free")


def with_health(
    house: House, *findings: Finding, settings: PanelSettings | None = None
) -> House:
    panel = replace(house.panel, health=lambda: findings)
    app = app_for(panel, settings or PanelSettings(burst_count=500))
    return replace(house, panel=panel, app=app)


def test_this_machine_reads_all_of_it(house: House) -> None:
    answer = with_health(house, HOT, WELL).guest().get("/health")
    assert answer.json["findings"][0] == {
        "topic": "power.heat",
        "condition": "warn",
        "words": "the processor is hot: 84 °C",
        "remedy": "give the Pi air or a heat sink",
    }
    assert len(answer.json["findings"]) == 2


@pytest.mark.parametrize(
    ("address", "headers"),
    [
        ("192.168.1.7", {}),
        ("127.0.0.1", {"X-Forwarded-For": "192.168.1.7"}),
        ("127.0.0.1", {"Host": "192.168.1.20"}),
    ],
)
def test_nobody_else_does(house: House, address: str, headers: dict[str, str]) -> None:
    phone = with_health(house, HOT).guest()
    phone.client.environ_base["REMOTE_ADDR"] = address
    answer = phone.get("/health", **headers)
    assert answer.status_code == 403
    assert "hot" not in answer.text


def test_behind_a_proxy_nobody_does(house: House) -> None:
    there = with_health(house, HOT, settings=PanelSettings(proxy="127.0.0.1"))
    assert there.guest().get("/health").status_code == 403


def test_anybody_may_ask_whether_the_program_is_alive(house: House) -> None:
    settings = PanelSettings(proxy="127.0.0.1", burst_count=500)
    there = with_health(house, HOT, settings=settings)
    phone = there.guest()
    phone.client.environ_base["REMOTE_ADDR"] = "192.168.1.7"
    answer = phone.get("/alive")
    assert (answer.status_code, answer.text) == (200, "alive\n")
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("harm", ["DELETE FROM about", "DROP TABLE about"])
def test_without_its_journal_it_is_not(house: House, harm: str) -> None:
    panel = replace(house.panel, answers=house.database.answers)
    phone = replace(house, app=app_for(panel, PanelSettings())).guest()
    assert phone.get("/alive").status_code == 200
    with closing(sqlite3.connect(house.database.path)) as other, other:
        other.execute(harm)
    assert phone.get("/alive").status_code == 503


def test_a_write_that_failed_is_said_in_the_phones_language(house: House) -> None:
    panel = replace(
        house.panel,
        answers=house.database.answers,
        check_last_write=house.database.check_last_write,
        health=lambda: tuple(house.database.findings()),
    )
    there = replace(house, panel=panel, app=app_for(panel, SETTINGS))
    evening = make_evening(there)
    for phone in (evening.anna, evening.host):
        phone.client.set_cookie("language", "de")
    with house.database.reading() as connection:
        connection.exec_driver_sql("PRAGMA query_only = on")
    pay = {"payer": "red", "payee": "pot", "amount": "1", "reason": "other"}
    refused = evening.anna.do(evening.game_id, "pay", **pay)
    assert refused.status_code == 503
    cause = "die Spiele lassen sich jetzt lesen, aber nicht schreiben."
    assert f"also ist nichts geschehen: {cause}" in refused.text
    assert "bitte die Person, die den Tisch gebaut hat" in refused.text.replace(
        "B", "b"
    )
    bank = f"/g/{evening.game_id}/bank"
    assert (
        f"Es kann nichts aufgeschrieben werden: {cause}" in evening.host.get(bank).text
    )
    for phone in (evening.anna, there.guest()):
        assert phone.get("/alive").status_code == 503
        assert phone.get("/alive?pages").status_code == 200


@pytest.mark.parametrize(
    ("findings", "said"),
    [
        ((WELL,), "The machine is well."),
        ((WELL, HOT), "The processor is hot: 84 °C. Give the Pi air or a heat sink."),
    ],
)
def test_the_banker_reads_a_sentence(
    house: House, findings: tuple[Finding, ...], said: str
) -> None:
    evening = make_evening(with_health(house, *findings))
    bank = f"/g/{evening.game_id}/bank"
    page = evening.host.get(bank).text
    assert said in page
    assert (page.index(said) < page.index("Lock the table")) == (HOT in findings)
    assert said not in evening.anna.get(f"/g/{evening.game_id}/").text


def test_the_sentence_is_in_the_phone_s_language(house: House) -> None:
    evening = make_evening(with_health(house, HOT))
    evening.host.client.set_cookie("language", "de")
    page = evening.host.get(f"/g/{evening.game_id}/bank").text
    assert "Der Prozessor ist heiß: 84\N{NO-BREAK SPACE}°C. Gib dem Pi Luft" in page


def test_what_is_said_to_the_builder_only_is_folded_away(house: House) -> None:
    """A driver speaks English, of pins and packages; nobody has to read that."""
    pins = Finding("pins.chip", Condition.FAIL, "GPIO18 is taken", "apt install lgpio")
    evening = make_evening(with_health(house, pins))
    bank = f"/g/{evening.game_id}/bank"
    evening.host.client.set_cookie("language", "de")
    page = evening.host.get(bank).text
    assert "Er braucht Hilfe. Frag, wer den Tisch gebaut hat." in page
    folded = page[page.index('<details class="builder">') :]
    assert "GPIO18 is taken. Apt install lgpio." in folded
    assert "GPIO18" not in evening.anna.get(f"/g/{evening.game_id}/").text


def test_a_table_that_nobody_looks_at_says_nothing(
    make_house: Callable[..., House],
) -> None:
    evening = make_evening(make_house())
    page = evening.host.get(f"/g/{evening.game_id}/bank").text
    assert "The machine is well" not in page
