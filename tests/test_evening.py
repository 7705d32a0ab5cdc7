"""A whole evening in a real Chromium over the real program: open, pay, crack, crash.

The program runs in a process of its own and is killed with SIGKILL in the middle
of payments; the phones are left alone and have to find their way back.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.chromium import expect, new_context
from tests.hands import press_yellow_thrice
from tests.running import RunningTable

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.volume]

START_MONEY = 3_000
SEED = random.SystemRandom().randrange(10**6)


def phone(browser: Browser, address: str) -> Page:
    page = new_context(
        browser, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    ).new_page()
    page.goto(address)
    return page


def balance(page: Page) -> int:
    text = page.locator(".balance .figure").first.get_attribute("data-amount")
    assert text is not None
    return int(text)


def expect_balance(page: Page, dollars: int) -> None:
    figure = page.locator(".balance .figure").first
    expect(figure).to_have_attribute("data-amount", str(dollars))


def open_game(table: RunningTable, browser: Browser) -> tuple[Page, str]:
    """Open a Secret Vault game on the first phone."""
    banker = phone(browser, table.address)
    assert table.code is not None
    banker.get_by_label("The digits").fill(table.code)
    banker.locator("label.box", has_text="Secret Vault").tap()
    banker.locator("summary", has_text="only watch").tap()
    banker.get_by_label("What do you call this evening?").fill("Saturday")
    banker.get_by_label("I play too").uncheck(force=True)
    banker.get_by_role("button", name="Only the bank").tap()
    banker.wait_for_url(re.compile(r"/g/[0-9a-f]{12}/bank"))
    banker.get_by_role("button", name="Begin", exact=True).tap()
    expect(banker.locator("#sheet")).to_be_visible()
    return banker, banker.url.split("/")[4]


def sit_down(browser: Browser, table: RunningTable, game: str, name: str) -> Page:
    """Join by the link."""
    page = phone(browser, f"{table.address}/g/{game}/join")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sit down with $3,000").tap()
    expect_balance(page, START_MONEY)
    return page


def pay_50(page: Page, to: str) -> None:
    page.locator("#sheet label.choice", has_text=to).tap()
    page.locator("#sheet").get_by_role("button", name="Add $50", exact=True).tap()
    page.get_by_role("button", name=f"Pay {to} $50").tap()


def state(page: Page) -> str:
    return page.locator("#vault").get_attribute("data-state") or ""


def lock(page: Page) -> None:
    page.get_by_role("button", name="Shut the lid").tap()
    expect(page.locator("#vault")).to_have_attribute("data-state", "shut")
    press_yellow_thrice(page)


def guess(page: Page) -> bool:
    """Press M at the number under the pointer; whether the lid sprang open."""
    tried = page.locator("#v-tries")
    before = tried.text_content()
    page.get_by_role("button", name="Press M to guess").tap()
    page.wait_for_function(
        """([before]) => document.querySelector("#vault").dataset.state === "open"
             || document.querySelector("#v-tries").textContent !== before""",
        arg=[before],
    )
    return state(page) == "open"


def turn_on(page: Page) -> None:
    number = page.locator("#v-number")
    before = number.text_content()
    page.get_by_role("button", name="Turn right").tap()
    expect(number).not_to_have_text(before or "")


def crack(page: Page) -> tuple[int, int]:
    """Try number after number until the lid springs: (wrong, right) guesses."""
    for wrong in range(6):
        if guess(page):
            return wrong, 1
        turn_on(page)
    raise AssertionError("six different numbers did not open the vault")


def test_an_evening_with_a_vault_and_a_power_cut(
    tmp_path: Path, browser: Browser
) -> None:
    chance = random.Random(SEED)
    data = tmp_path / "data"
    with RunningTable(data) as table:
        banker, game = open_game(table, browser)
        anna = sit_down(browser, table, game, "Anna")
        ben = sit_down(browser, table, game, "Ben")

        pay_50(anna, "Ben")
        expect_balance(anna, START_MONEY - 50)
        expect_balance(ben, START_MONEY + 50)
        pay_50(ben, "Anna")
        expect_balance(anna, START_MONEY)
        ben.get_by_role("button", name=re.compile("^Undo: Ben paid Anna")).tap()
        expect_balance(anna, START_MONEY - 50)
        expect_balance(ben, START_MONEY + 50)

        vault = phone(browser, f"{table.address}/vault")
        wrong = 0
        while not wrong:  # A lucky first guess proves only half of it.
            lock(vault)
            wrong, _ = crack(vault)
        lock(vault)

        paid = 0
        moment = chance.randrange(2, 6)
        while paid < moment:
            pay_50(anna, "Ben")
            paid += 1
            expect_balance(anna, START_MONEY - 50 - 50 * paid)
        anna.locator("#sheet label.choice", has_text="Ben").tap()
        anna.locator("#sheet").get_by_role("button", name="Add $50", exact=True).tap()
        sure = anna.get_by_role("button", name="Pay Ben $50")
        expect(sure).to_be_visible()
        sure.evaluate("button => setTimeout(() => button.click(), 0)")
        anna.wait_for_timeout(chance.randrange(0, 12))
        table.kill()
        port = table.port

    with RunningTable(data, port):
        # The last tap may or may not have been in time; it counts once or not at all.
        anna.reload()
        lost = START_MONEY - balance(anna)
        assert lost in (50 + 50 * paid, 100 + 50 * paid), f"seed {SEED}: lost {lost}"
        expect_balance(ben, START_MONEY + lost)
        expect(vault.locator("#vault")).to_have_attribute("data-state", "locked")
        pay_50(ben, "Anna")
        expect_balance(anna, START_MONEY - lost + 50)
        expect(banker.locator(".latest")).to_contain_text("Ben paid Anna $50")
        crack(vault)
