"""A box's figures in a real Chromium: small screens, a typed figure, no script."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.chromium import expect
from tests.sample import proven
from tests.web.play.test_panel_browser import PHONE, TABLE, TARGETS, serve
from tests.web.play.test_play_browser import check_fit, guided

__all__ = ["serve"]  # A fixture.

pytestmark = pytest.mark.browser

VAULT = "/editions/secret-vault"


def ask(page: Page, of: str):
    return page.locator(f"#ask-{of}")


@pytest.mark.slow
def test_a_figure_is_typed_and_the_mortgage_succeeds(serve) -> None:
    served = serve()
    guided(served, "secret-vault", "red owns boardwalk")
    host = served.page(served.evening.host, "/g/{j}/more")
    anna = served.page(served.evening.anna, "/g/{j}/deeds")
    anna.locator("#set-dark-blue summary").first.click()
    card = anna.locator("#deed-boardwalk")
    expect(card.get_by_role("button", name="Mortgage")).to_have_count(0)
    host.get_by_role("link", name="Figures of this box").click()
    host.locator("#act a", has_text="Dark blue").click()
    host.locator("#act a", has_text="Boardwalk").click()
    expect(ask(host, "boardwalk").get_by_label("Mortgage value")).to_be_focused()
    ask(host, "boardwalk").get_by_label("Mortgage value").fill("400")
    ask(host, "boardwalk").get_by_role("button", name="That is what it says").click()
    expect(ask(host, "boardwalk")).to_contain_text("$400")
    expect(ask(host, "boardwalk")).to_contain_text("our own box")
    anna.get_by_role("link", name="Show what is new").click()
    card.get_by_role("button", name="Mortgage: +$400").click()
    expect(card).to_contain_text("Mortgaged for $400")
    assert served.evening.balance("red") == 3_400
    assert served.mistakes == []


@pytest.mark.slow
def test_a_figure_is_typed_changed_and_forgotten_without_script(serve) -> None:
    served = serve()
    guided(served, "secret-vault")
    path = f"{VAULT}?of=park-place"
    page = served.page(served.evening.host, path, java_script_enabled=False)
    ask(page, "park-place").get_by_role("button", name="$350?").click()
    expect(ask(page, "park-place").locator(".known")).to_contain_text("$350")
    ask(page, "park-place").get_by_label("Lifting the mortgage costs").fill("390")
    expect(ask(page, "park-place").get_by_role("textbox")).to_be_focused()
    ask(page, "park-place").get_by_label("Lifting the mortgage costs").press("Enter")
    expect(ask(page, "boardwalk").get_by_label("Mortgage value")).to_be_focused()
    page.locator("#act a", has_text="Park Place").click()
    expect(ask(page, "park-place")).to_contain_text("$390")
    ask(page, "park-place").locator("summary").click()
    ask(page, "park-place").get_by_label("Mortgage value").fill("360")
    ask(page, "park-place").get_by_role("button", name="That is what").click()
    expect(ask(page, "park-place").locator(".known").first).to_contain_text("$360")
    ask(page, "park-place").locator("summary").click()
    ask(page, "park-place").get_by_role("button", name="Forget it: Mortgage").click()
    expect(ask(page, "park-place").locator(".known")).to_have_count(1)
    with page.expect_download() as download:
        page.get_by_role("link", name="Save what you read").click()
    assert "unmortgage = { value = 390" in download.value.path().read_text("utf-8")


PAGES = (
    "/editions",
    f"{VAULT}?of=boardwalk",
    "/editions/mega?chapter=deeds-green",
    "/editions/crooked-cash-uk",
)


@pytest.mark.parametrize("language", proven(["de", "en"]))
def test_the_boxes_fit_a_small_phone_and_a_thumb(serve, language: str) -> None:
    served = serve()
    guided(served, "secret-vault")
    host = served.evening.host
    host.post(f"{VAULT}/type", **{"deed.boardwalk.mortgage": "400"})
    page = served.page(host, "/editions", locale=language)
    for path in PAGES:
        page.goto(served.url + path)
        page.evaluate(TARGETS)  # Opens every drawer.
        check_fit(page, path)
        page.set_viewport_size(PHONE)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert served.mistakes == []


@pytest.mark.slow
def test_every_field_and_drawer_can_be_reached_by_keyboard(serve) -> None:
    served = serve()
    guided(served, "secret-vault")
    page = served.page(served.evening.host, f"{VAULT}?of=boardwalk", viewport=TABLE)
    expect(ask(page, "boardwalk").get_by_label("Mortgage value")).to_be_focused()
    page.keyboard.type("400")
    page.keyboard.press("Tab")
    likely = ask(page, "boardwalk").get_by_role("button", name="Mortgage value")
    expect(likely).to_be_focused()
    page.keyboard.press("Tab")
    expect(ask(page, "boardwalk").get_by_role("textbox").nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(ask(page, "boardwalk")).to_contain_text("$400")
    page.locator("#more a", has_text="Dark blue").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-block='deed.boardwalk']")).to_be_visible()
    assert served.mistakes == []
