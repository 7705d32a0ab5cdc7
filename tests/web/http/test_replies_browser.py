"""A reply takes the row of what was asked, on every page, until it was looked at.

It moves nothing and lies over nothing: neither over the balance it is about.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from tests.chromium import expect
from tests.sample import sampled
from tests.web.http.test_replies import CASES, answered, asked
from tests.web.play.test_panel_browser import serve
from tests.web.play.test_play_browser import guided
from tests.web.scenes import staged
from tests.web.served import still

__all__ = ["serve"]  # A fixture.

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LIES = """() => [...document.querySelectorAll("header.top *, #live *, #act *")]
  .filter(x => !x.closest(".asked") && x.matches("a, button, input, h1, h2"))
  .map(x => x.getBoundingClientRect().y)"""
"""Where everything lies that a finger could be on, below the row of what was asked."""
FITS = """x => x.scrollWidth <= x.clientWidth && x.scrollHeight <= x.clientHeight"""
PHONES = {"width": 390, "height": 844}, {"width": 320, "height": 640}
CELLS = [
    (name, size, language, path)
    for name in ("paid", "traded", "turned down", "not sold", "sold", "not undone")
    for size in PHONES
    for language in ("en", "de")
    for path in ("", "more")
]


def answer_shown(page: Page):
    return page.locator(".asked .what")


@pytest.mark.parametrize("cell", sampled(CELLS), ids=str)
def test_a_reply_moves_nothing_and_stays_until_it_was_looked_at(
    browser: Browser, cell
) -> None:
    name, size, language, path = cell
    with staged(browser, lambda house: asked(house, CASES[name])) as stage:
        evening = stage.evening
        evening.anna.client.set_cookie("language", language)
        context = stage.context(evening.anna, viewport=size, locale=language)
        here, other = context.new_page(), context.new_page()
        for page, where in ((here, path), (other, "history")):
            page.goto(f"{stage.url}/g/{evening.game_id}/{where}")
            stage.hear(page)
            expect(page.locator(".asked button")).to_have_count(1)
        before = still(here).evaluate(LIES)
        answered(evening, CASES[name])
        for page in (here, other):
            expect(answer_shown(page)).to_be_in_viewport()
            expect(page.locator(".arrived")).to_have_count(0)
        row = here.locator(".asked")
        assert row.evaluate(FITS), row.inner_text()
        after = still(here).evaluate(LIES)
        assert after[: len(before)] == before[: len(after)]
        here.reload()
        row.locator(".quiet").click()
        for page in (here, other):
            expect(page.locator(".asked")).to_have_count(0)
        other.reload()
        expect(answer_shown(other)).to_have_count(0)
        assert stage.mistakes == []
        stage.hang_up()


def test_a_reply_leads_to_where_one_builds_and_is_gone(serve) -> None:
    served = serve()
    guided(served, "classic", "red owns boardwalk short-line", "blue owns park-place")
    evening = served.evening
    anna = served.page(evening.anna, "/g/{j}/board")
    goods = {"give-deed": "short-line", "want-deed": "park-place"}
    evening.anna.do(evening.game_id, "make-offer", taker="blue", **goods)
    evening.ben.do(evening.game_id, "accept")
    expect(answer_shown(anna)).to_contain_text("Ben said yes: you have Park Place.")
    anna.locator(".asked").get_by_role("button", name="Build").click()
    anna.wait_for_url("**/plan/park-place")
    expect(answer_shown(anna)).to_have_count(0)
    assert served.mistakes == []
