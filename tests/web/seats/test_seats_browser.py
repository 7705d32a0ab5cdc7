"""People come and go, and games are thrown away, on phones in a real Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.chromium import expect
from tests.web.play.test_panel_browser import SMALL, TARGETS, Served
from tests.web.served import still
from web.http.settings import PanelSettings

pytestmark = pytest.mark.browser


@pytest.fixture
def served(tmp_path: Path, browser: Browser) -> Iterator[Served]:
    settings = PanelSettings(burst_count=500, heartbeat_s=0.5)
    made = Served(tmp_path, browser, settings)
    yield made
    made.close()
    assert made.mistakes == []


@pytest.mark.slow
def test_of_two_who_wait_for_one_colour_the_second_is_told_at_once(served: Served):
    evening = served.evening
    evening.host.do(evening.game_id, "lock-table")
    waiting = {}
    for name in ("Cleo", "Dan"):
        waiting[name] = page = served.page(None, "/g/{j}/join")
        page.get_by_label("Your name").fill(name)
        page.locator("label", has_text="green").click()
        page.get_by_role("button", name="Ask to be let in").click()
        expect(page.locator("main")).to_contain_text("Waiting for the banker")
    bank = served.page(evening.host, "/g/{j}/bank")
    bank.get_by_role("button", name="Let in").first.click()
    expect(waiting["Cleo"].locator("h1")).to_contain_text("Cleo")
    dan = waiting["Dan"]
    expect(dan.get_by_role("status").locator("visible=true")).to_have_text(
        "Somebody was faster. Cleo has that colour already. Choose another colour."
    )
    expect(bank.get_by_role("button", name="Let in")).to_have_count(0)
    expect(dan.get_by_label("Your name")).to_have_value("Dan")
    dan.get_by_role("button", name="Ask to be let in").click()
    expect(dan.locator("main")).to_contain_text("Waiting for the banker")
    bank.get_by_role("button", name="Let in").click()
    expect(dan.locator("h1")).to_contain_text("Dan")


def test_a_removed_players_page_lets_go_and_stays_nobodys(served: Served):
    evening = served.evening
    j = evening.game_id
    anna = served.page(evening.anna, "/g/{j}/")
    expect(anna.locator("h1")).to_contain_text("Anna")
    evening.host.do(j, "remove-seat", seat="red")
    expect(anna.locator("main")).to_contain_text("This phone has no seat in this game.")
    evening.host.do(j, "add-seat", name="Cara", colour="red", token="hat")
    expect(anna.get_by_role("button", name="I am Cara")).to_be_visible()
    expect(anna.locator(".purse")).to_have_count(0)


def test_a_name_that_is_taken_is_said_beside_its_field_and_the_button(
    served: Served,
):
    page = served.page(None, "/g/{j}/join", viewport=SMALL)
    name, sit = page.get_by_label("Your name"), page.locator(".newcomer > .brass")
    for _ in range(2):
        name.fill("Anna")
        sit.click()
        expect(name).to_be_focused()
        expect(name).to_have_attribute("aria-invalid", "true")
        said, around = page.locator("#message .card"), (name, sit)
        low = said.bounding_box()["y"] + said.bounding_box()["height"]
        assert all(one.bounding_box()["y"] >= low for one in around)
    name.fill("Dora")
    sit.click()
    page.wait_for_url("**/g/*/")


@pytest.mark.slow
def test_a_game_is_thrown_away_on_the_second_tap(served: Served):
    evening = served.evening
    j = evening.game_id
    evening.host.post(f"/games/{j}/close")
    reader = served.page(evening.anna, "/g/{j}/history")
    host = served.page(evening.host, "/games", viewport=SMALL)
    host.get_by_role("link", name="Throw away…").click()
    expect(host.locator("h1")).to_have_text("Throw “Saturday” away?")
    wide = still(host).evaluate("document.documentElement.scrollWidth")
    assert wide <= SMALL["width"]
    assert host.evaluate(TARGETS) == []
    host.get_by_role("link", name="Keep it").click()
    expect(host.locator(".games")).to_contain_text("Saturday")
    host.get_by_role("link", name="Throw away…").click()
    host.get_by_role("button", name="Throw it away for good").click()
    expect(host.locator("h1")).to_have_text("Open a game")
    expect(host.locator(".games")).to_have_count(0)
    expect(reader.get_by_role("alert")).to_contain_text("There is no such game")


@pytest.mark.slow
def test_a_phone_is_asked_about_sounds_once_when_it_sits_down(served: Served):
    watching = served.page(served.evening.anna, "/g/{j}/")
    expect(watching.locator("h1")).to_contain_text("Anna")
    expect(watching.locator("#sound-offer")).to_be_hidden()
    cleo = served.page(None, "/g/{j}/join", viewport=SMALL)
    cleo.get_by_label("Your name").fill("Cleo")
    cleo.locator("label", has_text="green").click()
    cleo.get_by_role("button", name="Sit down").click()
    offer = cleo.get_by_role("dialog", name="Sound on?")
    expect(offer).to_be_visible()
    wide = still(cleo).evaluate("document.documentElement.scrollWidth")
    assert wide <= SMALL["width"]
    assert cleo.evaluate(TARGETS) == []
    offer.get_by_role("button", name="Turn sound on").click()
    expect(offer).to_have_count(0)
    cleo.reload()
    expect(cleo.locator("h1")).to_contain_text("Cleo")
    expect(cleo.locator("#sound-offer")).to_be_hidden()
    cleo.goto(served.url + f"/g/{served.evening.game_id}/more")
    switch = cleo.get_by_role("button", name="Sounds on this phone")
    expect(switch).to_have_attribute("aria-pressed", "true")
