"""German words are longer: they fit small phones."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.web.conftest import Phone
from tests.web.play.test_panel_browser import SMALL, TARGETS, Served, serve
from tests.web.play.test_play_browser import SLIM, given, guided
from tests.web.served import still

__all__ = ["serve"]  # A fixture.

pytestmark = pytest.mark.browser

SEATS = ("", "deeds", "trade?taker=blue", "board", "history", "ending", "more")
BANKERS = ("bank", "pause", "correct", "begin", "more")


def speaking(served: Served, phone: Phone, code: str) -> Page:
    page = served.page(phone, "/g/{j}/")
    page.goto("about:blank")  # Before it finds that it speaks another language by now.
    cookie = {"name": "language", "value": code, "url": served.url}
    page.context.add_cookies([cookie])
    return page


def check_pages(served: Served, page: Page, paths: tuple[str, ...]) -> None:
    for path in paths:
        page.goto(f"{served.url}/g/{served.evening.game_id}/{path}")
        for viewport in (SMALL, SLIM):
            page.set_viewport_size(viewport)
            wide = still(page).evaluate("document.documentElement.scrollWidth")
            assert wide <= viewport["width"], (path, viewport)
            assert page.evaluate(TARGETS) == [], (path, viewport)


@pytest.mark.slow
def test_german_fits_small_phones(serve) -> None:
    served = serve()
    guided(served, "classic", "red owns park-place", "red on boardwalk")
    evening = served.evening
    check_pages(served, speaking(served, evening.anna, "de"), SEATS)
    given(served, "stage auction")
    check_pages(served, speaking(served, evening.anna, "de"), ("",))
    given(served, "stage roll", "red cash 20", "red owes 150 to blue")
    check_pages(served, speaking(served, evening.anna, "de"), ("",))
    check_pages(served, speaking(served, evening.host, "de"), BANKERS)
    evening.host.do(evening.game_id, "rest-play")
    check_pages(served, speaking(served, evening.anna, "de"), ("", "invite"))
    check_pages(served, speaking(served, evening.host, "de"), ("bank",))
