"""The question what is printed on a space, in a real Chromium."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.chromium import expect
from tests.sample import proven
from tests.web.http.test_contrast import THEMES
from tests.web.play.test_panel_browser import Served, serve
from tests.web.play.test_play_browser import check_fit, given, guided

__all__ = ["serve"]  # A fixture.

pytestmark = pytest.mark.browser

LONGEST = ("de-DE", "en-GB")
"""Languages of phones: German words are the longest."""


def landed(served: Served) -> None:
    """Anna rests on space 17; Ben has the dice."""
    guided(served, "secret-vault", "red on jail", "turn red")
    dice = {"die-1": "3", "die-2": "4"}
    evening = served.evening
    assert evening.anna.do(evening.game_id, "roll", **dice).status_code == 303


def question(page: Page):
    return page.locator(".printed")


@pytest.mark.slow
def test_one_answers_and_the_other_draws_without_asking(serve) -> None:
    served = serve()
    landed(served)
    anna = served.page(served.evening.anna, "/g/{j}/")
    ben = served.page(served.evening.ben, "/g/{j}/")
    expect(question(anna)).to_contain_text("You stand between")
    question(ben).get_by_role("button", name="Chance").click()
    expect(anna.get_by_role("heading", name="Draw a card: Chance")).to_be_visible()
    expect(question(anna)).to_have_count(0)
    expect(question(ben)).to_have_count(0)
    assert served.mistakes == []


@pytest.mark.slow
def test_not_now_takes_it_off_this_phone_alone(serve) -> None:
    served = serve()
    landed(served)
    anna = served.page(served.evening.anna, "/g/{j}/")
    ben = served.page(served.evening.ben, "/g/{j}/")
    question(ben).get_by_role("button", name="Not now").click()
    expect(question(ben)).to_have_count(0)
    expect(ben.get_by_role("button", name="Roll the dice")).to_be_visible()
    expect(question(anna)).to_be_visible()
    assert served.mistakes == []


@pytest.mark.slow
def test_it_is_answered_without_script_and_said_to_be_too_late(serve) -> None:
    served = serve()
    landed(served)
    dice = {"die-1": "4", "die-2": "6"}
    evening = served.evening
    assert evening.ben.do(evening.game_id, "roll", **dice).status_code == 303
    page = served.page(evening.ben, "/g/{j}/", java_script_enabled=False)
    expect(question(page)).to_contain_text("It counts from the next time")
    question(page).get_by_role("button", name="Free Parking").click()
    expect(question(page)).to_have_count(0)
    expect(page.locator(".latest")).to_contain_text("Space 17: free parking")


@pytest.mark.parametrize("theme", proven(THEMES))
def test_it_fits_small_phones_and_thumbs(serve, theme: str) -> None:
    served = serve()
    landed(served)
    for locale in LONGEST:
        more = {"locale": locale, "color_scheme": theme}
        for phone in (served.evening.anna, served.evening.ben):
            page = served.page(phone, "/g/{j}/", **more)
            expect(question(page)).to_be_visible()
            check_fit(page, f"{locale} {theme}")
    given(served, "red owns boardwalk")
    page = served.page(served.evening.anna, "/g/{j}/deeds/boardwalk")
    check_fit(page, "locked street")
    assert served.mistakes == []
