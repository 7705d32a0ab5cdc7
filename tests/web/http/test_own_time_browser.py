"""Hours and days are those of the phone's own clock; without script, the table's."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page

from tests.chromium import expect
from tests.sample import sampled
from tests.web.conftest import Phone
from tests.web.play.test_panel_browser import Served, serve

__all__ = ["serve"]  # A fixture.

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TABLES = "Europe/Berlin"
HOURS = {"Asia/Kolkata": "20:36", "America/New_York": "11:06", TABLES: "17:06"}
"""When the clock of these tests stands still, it is so late there."""
NEXT_DAY = "Pacific/Kiritimati"
DAYS = {
    ("de", NEXT_DAY): "16. Juni 2025",
    ("en", NEXT_DAY): "16 June 2025",
    ("en", TABLES): "15 June 2025",
    ("de", TABLES): "15. Juni 2025",
}


@pytest.fixture(autouse=True)
def table_in_berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", TABLES)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def shown(
    served: Served, phone: Phone, path: str, zone: str, language: str, **more: object
) -> Page:
    phone.client.set_cookie("language", language)
    page = served.page(phone, "/start", timezone_id=zone, **more)
    cookie = {"name": "language", "value": language, "url": served.url}
    page.context.add_cookies([cookie])
    page.goto(served.url + path.format(j=served.evening.game_id))
    return page


@pytest.mark.parametrize("zone", sampled(HOURS))
def test_history_tells_the_phones_own_time(
    serve: Callable[..., Served], zone: str
) -> None:
    served = serve()
    evening = served.evening
    page = shown(served, evening.anna, "/g/{j}/history", zone, "en")
    times = page.locator(".history time")
    count = times.count()
    assert count > 1
    assert set(times.all_text_contents()) == {HOURS[zone]}
    evening.ben.do(evening.game_id, "pay", payee="red", amount=150, reason="other")
    page.locator("[data-newer]").click()
    expect(times).to_have_count(count + 1)
    assert set(times.all_text_contents()) == {HOURS[zone]}
    assert served.mistakes == []


def test_a_page_that_comes_again_finds_nothing_new_in_its_times(
    serve: Callable[..., Served],
) -> None:
    served = serve()
    zone = "America/New_York"
    page = shown(served, served.evening.anna, "/g/{j}/history", zone, "en")
    expect(page.locator("html")).to_have_attribute("data-touch", "fine")
    watched = """() => {
      window.changed = 0;
      const where = { subtree: true, childList: true, characterData: true };
      new MutationObserver(() => { changed += 1; }).observe(
        document.querySelector(".history"), where);
      addEventListener("companion:shown", () => { window.isShown = true; });
      dispatchEvent(new CustomEvent("companion:phones"));
    }"""
    page.evaluate(watched)
    page.wait_for_function("() => window.isShown")
    assert page.evaluate("window.changed") == 0
    expect(page.locator("[data-newer]")).to_be_hidden()


@pytest.mark.parametrize("day", sampled(DAYS), ids=" ".join)
def test_a_day_is_the_phones_own_in_the_words_of_the_page(
    serve: Callable[..., Served], day: tuple[str, str]
) -> None:
    served, (language, zone) = serve(), day
    page = shown(served, served.evening.host, "/games", zone, language)
    expect(page.locator(".title time[data-day]")).to_have_text(DAYS[day])


@pytest.mark.parametrize("language", sampled(["de", "en"]))
def test_without_script_times_are_the_tables(
    serve: Callable[..., Served], language: str
) -> None:
    served = serve()
    evening, bare = served.evening, {"java_script_enabled": False}
    page = shown(served, evening.host, "/games", NEXT_DAY, language, **bare)
    expect(page.locator(".title time[data-day]")).to_have_text(DAYS[language, TABLES])
    page = shown(served, evening.anna, "/g/{j}/history", NEXT_DAY, language, **bare)
    assert set(page.locator(".history time").all_text_contents()) == {HOURS[TABLES]}
