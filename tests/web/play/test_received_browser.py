"""Money that came in is made something of, over the page, and moves nothing on it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.chromium import expect
from tests.web.http.test_banner_browser import FEELS
from tests.web.play.test_panel_browser import serve
from tests.web.play.test_play_browser import given, guided, headline
from tests.web.served import still

__all__ = ["serve"]  # A fixture.

pytestmark = pytest.mark.browser

BOXES = """() => [...document.querySelectorAll(".purse, #more")].map(x => {
  const { x: left, y: top } = x.getBoundingClientRect();
  return [left, top];
})"""


def check_received(page: Page, other: str, amount: str) -> None:
    """Check that it is shown and gone, moves nothing and covers no figure."""
    before = still(page).evaluate(BOXES)
    shown = page.locator(".receipt")
    expect(shown).to_contain_text(other)
    expect(shown).to_contain_text(amount)
    purse, box = page.locator(".purse").bounding_box(), shown.bounding_box()
    assert box["y"] + box["height"] <= purse["y"]
    assert page.evaluate(BOXES) == before
    page.clock.run_for(3_000)
    expect(shown).to_have_count(0)


@pytest.mark.slow
def test_money_from_somebody_is_shown_while_banking_by_hand(serve) -> None:
    served = serve()
    evening = served.evening
    evening.ben.do(evening.game_id, "pay", payee="red", amount=5, reason="other")
    anna = served.page(evening.anna, "/g/{j}/")
    anna.clock.install()
    ben = served.page(evening.ben, "/g/{j}/")
    ben.clock.install()
    expect(anna.locator(".receipt")).to_have_count(0)  # It came before the page.
    evening.ben.do(evening.game_id, "pay", payee="red", amount=150, reason="other")
    check_received(anna, "Ben", "+$150")
    check_received(ben, "Anna", "\u2212$150")
    assert served.mistakes == []


def test_who_wins_an_auction_is_told_for_what_was_paid(serve) -> None:
    served = serve()
    guided(served, "classic", dice="typed")
    evening = served.evening
    evening.anna.do(evening.game_id, "roll", **{"die-1": "1", "die-2": "2"})
    evening.anna.do(evening.game_id, "put-up")
    evening.ben.do(evening.game_id, "bid", amount=30)
    ben = served.page(evening.ben, "/g/{j}/")
    evening.anna.do(evening.game_id, "pass-bid")
    expect(ben.locator(".receipt")).to_contain_text("\u2212$30")
    expect(ben.locator(".receipt")).to_contain_text("Baltic Avenue")


def test_rent_is_shown_to_its_owner_and_to_whoever_paid_it(serve) -> None:
    served = serve()
    guided(served, "classic", "red on 37", "blue owns boardwalk", dice="typed")
    evening = served.evening
    evening.anna.do(evening.game_id, "roll", **{"die-1": "1", "die-2": "1"})
    ben = served.page(evening.ben, "/g/{j}/")
    ben.clock.install()
    anna = served.page(evening.anna, "/g/{j}/")
    anna.clock.install()
    ben.get_by_role("button", name="Ask Anna for $50 rent").click()
    check_received(ben, "Anna", "+$50")
    expect(anna.locator(".purse .figure")).to_have_text("$1,450")
    check_received(anna, "Ben", "\u2212$50")
    assert served.mistakes == []


@pytest.mark.slow
def test_a_guess_fills_the_phone_of_whoever_made_it(serve) -> None:
    """Once: for a moment, or until a tap."""
    served = serve()
    guided(served, "secret-vault", dice="typed")
    evening = served.evening
    anna = served.page(evening.anna, "/g/{j}/")
    ben = served.page(evening.ben, "/g/{j}/")
    anna.add_init_script(FEELS)
    anna.clock.install()
    anna.reload()
    anna.keyboard.press("Shift")  # Browsers buzz only for those who touched them.
    shown = anna.locator(".flash")
    for is_right, words in (("no", "No!"), ("yes", "Open!")):
        given(served, "turn red")
        roll = {"die-1": "3", "special": "vault"}
        evening.anna.do(evening.game_id, "roll", **roll)
        expect(headline(anna)).to_have_text("Guess the number of the vault")
        evening.anna.do(evening.game_id, "guess", number="2", is_right=is_right)
        expect(shown).to_contain_text(words)
        if is_right == "no":
            shown.click()
        else:
            anna.clock.run_for(3_000)
        expect(shown).to_have_count(0)
    felt = anna.evaluate("felt")
    assert [220, 80, 220] in felt
    assert [40, 60, 40, 60, 240] in felt
    expect(ben.locator(".flash")).to_have_count(0)
    anna.reload()
    expect(headline(anna)).to_have_text("You opened the vault!")
    expect(shown).to_have_count(0)
    assert served.mistakes == []


@pytest.mark.slow
def test_a_fake_that_is_found_stays_large_on_the_screen(serve) -> None:
    served = serve()
    rent = ("blue owns boardwalk", "red on pennsylvania-avenue")
    guided(served, "crooked-cash", *rent, dice="typed")
    evening = served.evening
    screen = served.page(None, "/table?game={j}")
    screen.clock.install(time=0)
    screen.clock.pause_at(60_000)
    screen.reload()
    shown = screen.locator(".flash")
    evening.anna.do(evening.game_id, "roll", **{"die-1": "1", "die-2": "3"})
    evening.ben.do(evening.game_id, "ask-rent", seat="red")
    evening.ben.do(evening.game_id, "inspect")
    expect(screen.locator(".on-table h1")).to_have_text("Ben looks at a note")
    expect(shown).to_have_count(0)
    fake = {"verdict": "fake", "amount": "50"}
    evening.ben.do(evening.game_id, "give-verdict", **fake)
    expect(shown).to_contain_text("Caught!")
    expect(shown).to_contain_text("Ben caught Anna's fake $50 note.")
    screen.clock.run_for(2_900)
    expect(shown).to_have_count(1)
    screen.clock.run_for(200)
    expect(shown).to_have_count(0)
    screen.reload()
    expect(screen.locator("#received li")).to_have_count(1)
    expect(shown).to_have_count(0)
    assert served.mistakes == []


@pytest.mark.slow
def test_the_switch_for_sounds_is_off_until_somebody_wants_them(serve) -> None:
    served = serve()
    page = served.page(served.evening.anna, "/g/{j}/more")
    switch = page.get_by_role("button", name="Sounds on this phone")
    expect(switch).to_have_attribute("aria-pressed", "false")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(switch).to_have_attribute("aria-pressed", "true")
