"""A reply stays on every page of the seat until it was looked at; it moves nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.chromium import expect
from tests.sample import sampled
from tests.web.http.test_replies import CASES, answered, money
from tests.web.play.test_panel_browser import SMALL, serve
from tests.web.play.test_play_browser import guided
from tests.web.served import still

__all__ = ["serve"]  # A fixture.

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LIES = """() => [...document.querySelectorAll("header.top *, #live *, #act *")]
  .filter(x => !x.closest(".asked form"))
  .filter(x => x.matches("a, button, input, h1, h2, .asked"))
  .map(x => [x.tagName, x.textContent, x.getBoundingClientRect().y])"""
"""Where everything lies that a finger could be on, and the row of what was asked."""


def answer_shown(page: Page):
    return page.locator(".arrived .what")


@pytest.mark.parametrize("path", sampled(["", "more"]))
@pytest.mark.parametrize("size", sampled([None, SMALL]))
def test_a_reply_moves_nothing_and_stays_until_it_was_looked_at(
    serve, path: str, size
) -> None:
    served = serve()
    evening, sized = served.evening, {"viewport": size} if size else {}
    anna = served.page(evening.anna, "/g/{j}/" + path, **sized)
    other = served.page(evening.anna, "/g/{j}/history", **sized)
    money(evening)
    back = anna.locator(".asked").get_by_role("button", name="Take it back")
    expect(back).to_be_visible()
    before = still(anna).evaluate(LIES)
    answered(evening, CASES["not paid"])
    for page in (anna, other):
        expect(answer_shown(page)).to_contain_text("Ben said no: you do not get $60.")
    expect(back).to_have_count(0)
    after = still(anna).evaluate(LIES)
    moved = [pair for pair in zip(before, after, strict=False) if pair[0] != pair[1]]
    assert [one for one, _ in moved if one[0] != "DIV"] == []
    anna.reload()
    expect(answer_shown(anna)).to_contain_text("Ben said no")
    anna.get_by_role("button", name="All right").click()
    for page in (anna, other):
        expect(answer_shown(page)).to_have_count(0)
        expect(page.locator(".asked")).to_have_count(0)
    other.reload()
    expect(answer_shown(other)).to_have_count(0)
    assert served.mistakes == []


def test_a_reply_leads_to_where_one_builds_and_is_gone(serve) -> None:
    served = serve()
    guided(served, "classic", "red owns boardwalk short-line", "blue owns park-place")
    evening = served.evening
    anna = served.page(evening.anna, "/g/{j}/board")
    goods = {"give-deed": "short-line", "want-deed": "park-place"}
    evening.anna.do(evening.game_id, "make-offer", taker="blue", **goods)
    evening.ben.do(evening.game_id, "accept")
    expect(answer_shown(anna)).to_contain_text("Ben said yes: you have Park Place.")
    anna.locator(".arrived").get_by_role("button", name="Build").click()
    anna.wait_for_url("**/plan/park-place")
    expect(answer_shown(anna)).to_have_count(0)
    assert served.mistakes == []
