"""A payment on the table in a real Chromium: a look in between, and handing it over."""

from __future__ import annotations

import pytest

from tests.chromium import expect
from tests.web.http.test_banner_browser import paused
from tests.web.play.test_panel_browser import serve
from tests.web.play.test_play_browser import guided, headline

__all__ = ["serve"]  # A fixture.

pytestmark = pytest.mark.browser

RENT = ("blue owns boardwalk", "red on pennsylvania-avenue")


@pytest.mark.slow
def test_a_fake_is_found_before_the_rest_is_handed_over(serve) -> None:
    served = serve()
    guided(served, "crooked-cash", *RENT, dice="typed")
    evening = served.evening
    evening.anna.do(evening.game_id, "roll", **{"die-1": 1, "die-2": 3})
    anna, ben = paused(served), served.page(evening.ben, "/g/{j}/")
    ben.get_by_role("button", name="Ask Anna for $200 rent").click()
    hand_over = anna.get_by_role("button", name="Hand over $200")
    expect(hand_over).to_have_attribute("aria-disabled", "true")
    check = ben.get_by_role("button", name="Check a note")
    expect(check).not_to_have_attribute("aria-disabled", "true")
    check.click()
    expect(headline(anna)).to_have_text("Ben looks at a note")
    ben.get_by_role("button", name="$50", exact=True).click()
    expect(ben.locator(".receipt")).to_contain_text("a fake of Anna")
    anna.clock.run_for(2_900)  # The others may look at the next note, too.
    expect(hand_over).to_have_attribute("aria-disabled", "true")
    anna.clock.run_for(3_100)
    expect(hand_over).not_to_have_attribute("aria-disabled", "true")
    served.house.clock.advance(3_000)
    hand_over.click()
    expect(ben.locator(".purse .figure")).to_have_text("$1,750")
    assert served.mistakes == []
