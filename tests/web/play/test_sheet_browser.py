"""What a sheet shows is what it sends, or its button is shut and says why."""

from __future__ import annotations

import pytest
from playwright.sync_api import Request

from tests.chromium import expect
from tests.sample import sampled
from tests.web.http.test_one_moment_browser import Held
from tests.web.play.test_panel_browser import balance, fill, serve
from tests.web.play.test_play_browser import given, guided

__all__ = ["serve"]  # A fixture.

pytestmark = pytest.mark.browser


def is_sheet(request: Request) -> bool:
    return "amount=" in request.url or "give-cash=" in request.url


CHANGES = {
    "a note": lambda page: page.locator(".bill[value='50']").click(),
    "the amount": lambda page: page.locator("#amount").fill("105"),
    "the payee": lambda page: page.locator("label:has([value=bank])").click(),
    "the reason": lambda page: page.locator("label:has([value=rent])").click(),
}


@pytest.mark.parametrize("change", sampled(CHANGES))
def test_a_changed_payment_waits_for_the_table(serve, change: str) -> None:
    served = serve()
    anna = served.page(served.evening.anna, "/g/{j}/")
    fill(anna, "blue", "100")
    pay = anna.locator("#confirm button.brass")
    expect(pay).to_have_text("Pay Ben $100")
    expect(pay).not_to_have_attribute("aria-disabled", "true")
    asked = Held(anna, "**/pay?*", is_sheet)
    CHANGES[change](anna)
    expect(pay).to_have_attribute("aria-disabled", "true")
    expect(anna.locator("#confirm")).to_have_attribute(
        "data-wait", "One moment: the table works out what that does."
    )
    asked.one()
    pay.click(force=True)
    pay.focus()
    anna.keyboard.press("Enter")
    assert served.evening.balance("red") == 3_000
    asked.one().continue_()
    expect(pay).not_to_have_attribute("aria-disabled", "true")
    pay.click()
    expect(balance(anna)).not_to_have_text("$3,000")
    assert served.mistakes == []


@pytest.mark.parametrize("has_script", [True, False])
def test_enter_leaves_the_amount_as_it_was_typed(serve, has_script: bool) -> None:
    served = serve()
    anna = served.page(served.evening.anna, "/g/{j}/", java_script_enabled=has_script)
    anna.locator("label:has([value=blue])").first.click()
    anna.locator("#amount").fill("60")
    anna.locator("#amount").press("Enter")
    expect(anna.locator("#confirm button.brass")).to_have_text("Pay Ben $60")
    expect(anna.locator("#amount")).to_have_value("60")
    assert served.mistakes == []


@pytest.mark.slow
def test_an_amount_that_is_none_has_no_button(serve) -> None:
    served = serve()
    anna = served.page(served.evening.anna, "/g/{j}/")
    fill(anna, "blue", "100")
    expect(anna.locator("#confirm")).to_contain_text("Pay Ben $100")
    anna.locator("#amount").fill("1x0")
    expect(anna.locator("#confirm button.brass")).to_have_count(0)
    expect(anna.locator("#confirm")).to_contain_text("1x0")


@pytest.mark.slow
def test_a_bid_that_another_has_overtaken_is_shut(serve) -> None:
    served = serve()
    guided(served, "classic", "red on boardwalk", "stage auction")
    evening = served.evening
    anna = served.page(evening.anna, "/g/{j}/")
    anna.locator("summary", has_text="Bid another amount").click()
    anna.locator("#bid").press_sequentially("130")
    bid = anna.get_by_role("button", name="Bid", exact=True)
    expect(bid).not_to_have_attribute("aria-disabled", "true")
    evening.ben.do(evening.game_id, "bid", amount="140")
    expect(bid).to_have_attribute("aria-disabled", "true")
    expect(anna.locator(".too-low")).to_be_visible()
    expect(anna.get_by_role("button", name="Bid $10", exact=True)).to_have_count(0)
    expect(anna.locator("#bid")).to_have_value("130")
    anna.locator("#bid").fill("150")
    expect(anna.locator(".too-low")).to_be_hidden()
    bid.click()
    expect(anna.locator("#live")).to_contain_text("150")


@pytest.mark.slow
def test_a_changed_trade_waits_for_the_table(serve) -> None:
    served = serve()
    guided(served, "classic", "red owns boardwalk", "blue owns park-place")
    anna = served.page(served.evening.anna, "/g/{j}/trade")
    anna.locator("label:has([value=park-place])").click()
    offer = anna.get_by_role("button", name="Offer it to Ben")
    expect(offer).not_to_have_attribute("aria-disabled", "true")
    asked = Held(anna, "**/trade?*", is_sheet)
    anna.locator("#give-cash").press_sequentially("5")
    expect(offer).to_have_attribute("aria-disabled", "true")
    asked.one().continue_()
    expect(offer).not_to_have_attribute("aria-disabled", "true")
    given(served, "blue cash 1400")
    expect(anna.locator("#give-cash")).to_have_value("5")
    expect(offer).not_to_have_attribute("aria-disabled", "true")
