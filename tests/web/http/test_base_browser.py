"""A whole server under a path, in a real Chromium: nothing goes past that path."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from tests.chromium import expect, let_go, new_context
from tests.running import RunningTable
from tests.web.play.test_panel_browser import balance, fill

pytestmark = [pytest.mark.browser, pytest.mark.slow]

BASE = "/1"
PHONE = {"width": 390, "height": 844}


class Phones:
    """Phones at one table; what they ask for, and what their scripts complain of."""

    def __init__(self, table: RunningTable, browser: Browser) -> None:
        self.table = table
        self.browser = browser
        self.asked: set[str] = set()
        self.mistakes: list[str] = []

    def open(self, path: str) -> Page:
        context = new_context(self.browser, viewport=PHONE)
        page = context.new_page()
        page.on("request", lambda x: self.asked.add(urlsplit(x.url).path))
        page.on("pageerror", lambda error: self.mistakes.append(str(error)))
        page.goto(self.table.address + path)
        return page


def open_game(page: Page, code: str) -> str:
    """Open a game on the first phone, and sit down; return the game's address."""
    page.fill("#code", code)
    page.wait_for_url(f"**{BASE}/games")
    page.locator("label.box", has_text="Secret Vault").click()
    page.locator("button.way[value=no]").locator("visible=true").click()
    page.fill("[name=name]", "Anna")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Anna")
    return urlsplit(page.url).path.removeprefix(BASE)


def test_a_game_under_a_path_is_joined_played_and_heard(
    tmp_path: Path, browser: Browser
) -> None:
    with RunningTable(tmp_path / "data", options=("--base", BASE)) as table:
        assert table.address == f"http://127.0.0.1:{table.port}{BASE}"
        assert table.code is not None
        phones = Phones(table, browser)
        anna = phones.open("")
        game = open_game(anna, table.code)
        ben = phones.open(game)
        ben.fill("[name=name]", "Ben")
        ben.get_by_role("button", name="Sit down").click()
        expect(ben.get_by_role("heading", level=1)).to_contain_text("Ben")
        fill(ben, "red", "100", "50")
        ben.get_by_role("button", name="Pay Anna $150").click()
        expect(balance(ben)).to_have_text("$2,850")
        expect(balance(anna)).to_have_text("$3,150")
        vault = phones.open("/vault")
        watching = phones.open("/vault")
        expect(watching.locator("html")).to_have_attribute("data-touch", "fine")
        vault.get_by_role("button", name="Shut the lid").click()
        for page in (vault, watching):
            expect(page.locator("#vault")).to_have_attribute("data-lid", "shut")
        assert phones.mistakes == []
        assert f"{BASE}/stream" in phones.asked
        assert f"{BASE}/vault/lid" in phones.asked
        past = {x for x in phones.asked if not f"{x}/".startswith(f"{BASE}/")}
        assert past == set()
        cookies = anna.context.cookies()
        assert {one.get("path") for one in cookies} == {BASE}
        for context in browser.contexts:
            let_go(context)
