"""The page about many evenings: for the host, and everybody may be left out."""

from __future__ import annotations

import re

import pytest

import web.play.board
from companion.errors import JournalFault
from companion.game import commands as c
from companion.game import moves as m
from companion.store.ticks import TABLE
from companion.units import Seat
from tests.web.conftest import House
from tests.web.guided_table import give, guided, said
from web.play.board import books

EVENINGS = "/games/evenings"


def test_it_says_who_won_how_often_and_leaves_out_whoever_wishes(house: House):
    evening = guided(house)
    host, page = evening.host, evening.host.get(EVENINGS).text
    assert "No game has ended yet." in page
    said(evening, "red cash 4120")
    give(evening, m.CallTime(by=c.TABLE))
    page = host.get(EVENINGS).text
    assert "1 win" in page
    assert "0 wins" not in page
    assert "best $4,120 in Monopoly" in page
    assert EVENINGS in host.get("/games").text
    assert evening.anna.get(EVENINGS).status_code == 403
    assert evening.anna.post(EVENINGS, who="anna", out="yes").status_code == 403
    host.post(EVENINGS, who="anna", out="yes")
    host.post(EVENINGS, who="nobody here", out="yes")
    page = host.get(EVENINGS).text
    assert "$4,120" not in page
    assert "nobody here" not in page
    host.post(EVENINGS, who="anna", out="no")
    assert "$4,120" in host.get(EVENINGS).text
    assert len(house.table.games()) == 1


def test_whoever_was_left_out_by_an_older_version_stays_so_and_is_listed_alone(
    house: House,
):
    evening = guided(house, seats=3)
    for seat, name in (("red", "Ann A"), ("blue", "Anna"), ("green", "Jo Lee")):
        give(evening, c.RenameSeat(by=c.TABLE, seat=Seat(seat), name=name))
    give(evening, m.CallTime(by=c.TABLE))
    for key in ("anna", "jolee"):
        house.table.ticks.tick(TABLE, "left-out", key)

    def listed() -> list[tuple[str, str]]:
        form = r'<b>([^<]+)</b>[^\0]*?name="out" value="(\w+)"'
        return sorted(re.findall(form, evening.host.get(EVENINGS).text))

    assert listed() == [("Ann A", "no"), ("Anna", "no"), ("Jo Lee", "no")]
    for _ in range(2):  # A second tap changes nothing.
        evening.host.post(EVENINGS, who="anna", out="no")
        assert listed() == [("Ann A", "no"), ("Anna", "yes"), ("Jo Lee", "no")]
    evening.host.post(EVENINGS, who="anna", out="yes")
    evening.host.post(EVENINGS, who="ann a", out="no")
    assert listed() == [("Ann A", "yes"), ("Anna", "no"), ("Jo Lee", "no")]


def test_a_game_that_has_not_changed_is_read_once(house: House):
    evening = guided(house)
    give(evening, m.CallTime(by=c.TABLE))
    with house.app.test_request_context():
        (first,), _ = books().evenings(house.table.revisions())
        (again,), _ = books().evenings(house.table.revisions())
        assert again is first
        give(evening, c.Undo(by=c.TABLE))
        assert books().evenings(house.table.revisions()) == ((), 0)


def test_a_game_that_cannot_be_read_is_left_out_and_page_and_log_say_so(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    evening = guided(house)
    said(evening, "red cash 4120")
    give(evening, m.CallTime(by=c.TABLE))
    assert "cannot be read" not in evening.host.get(EVENINGS).text

    def unreadable(_: object) -> None:
        raise JournalFault("line 7 makes no sense")

    monkeypatch.setattr(web.play.board, "evening", unreadable)
    give(evening, c.Undo(by=c.TABLE))
    page = evening.host.get(EVENINGS).text
    assert "One game cannot be read, so it is not counted." in page
    assert "No game has ended yet." not in page  # Nobody knows whether that one has.
    assert "$4,120" not in page
    assert "evening_not_read" in caplog.text
    assert "line 7 makes no sense" in caplog.text
    monkeypatch.undo()
    assert "cannot be read" not in evening.host.get(EVENINGS).text
