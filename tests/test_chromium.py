"""What a page is to show is waited for as long as the page is asking the table."""

from __future__ import annotations

import re
import signal

import pytest
from playwright.sync_api import Browser, Page, Route

from tests import chromium
from tests.chromium import expect, new_context
from tests.running import PATIENCE_S

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PATIENCE_MS = 300
ADDRESS = "http://table.test/"
HTML = "text/html"
ASK = "document.documentElement.toggleAttribute('data-asking', true);"
STOP = "document.documentElement.toggleAttribute('data-asking', false);"
SAY = "document.querySelector('p').textContent = 'Paid';"


@pytest.fixture
def page(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> Page:
    """Open a page that says ``Owing``, with a short limit."""
    page = new_context(browser).new_page()
    page.set_content("<!doctype html><title>Owing</title><p>Owing</p>")
    monkeypatch.setattr(chromium, "PATIENCE_MS", PATIENCE_MS)
    return page


def after(page: Page, ms: int, act: str) -> None:
    page.evaluate(f"() => {{ setTimeout(() => {{ {act} }}, {ms}); }}")


def failure(page: Page) -> str:
    with pytest.raises(AssertionError) as failed:
        expect(page.locator("p")).to_have_text("Paid")
    return str(failed.value)


def seconds(before: str, words: str) -> float:
    found = re.search(rf"{before} ([\d.]+) s", words)
    assert found, words
    return float(found[1])


def test_what_comes_late_is_right_while_the_page_is_asking(page: Page) -> None:
    page.evaluate(ASK)
    after(page, 4 * PATIENCE_MS, SAY)
    expect(page.locator("p")).to_have_text("Paid")


def test_what_comes_soon_after_the_page_has_asked_is_right(page: Page) -> None:
    page.evaluate(ASK)
    after(page, 3 * PATIENCE_MS, STOP)
    after(page, 3 * PATIENCE_MS + PATIENCE_MS // 2, SAY)
    expect(page.locator("p")).to_have_text("Paid")


def test_it_goes_for_pages_and_for_what_is_not_to_be(page: Page) -> None:
    page.evaluate(ASK)
    after(page, 3 * PATIENCE_MS, f"{SAY} document.title = 'Paid';")
    expect(page, "its title").not_to_have_title("Owing")
    expect(page.locator("p")).not_to_have_text("Owing")


def test_what_the_page_has_stopped_asking_for_is_wrong(page: Page) -> None:
    page.evaluate(ASK)
    after(page, 2 * PATIENCE_MS, STOP)
    words = failure(page)
    assert "Locator expected to have text 'Paid'\nActual value: Owing" in words
    assert seconds("Waited for", words) >= 3 * PATIENCE_MS / 1000
    assert seconds("had stopped asking", words) >= PATIENCE_MS / 1000


def test_what_comes_at_the_very_end_is_right(page: Page) -> None:
    page.evaluate(ASK + STOP)
    after(page, PATIENCE_MS * 19 // 20, SAY)
    expect(page.locator("p")).to_have_text("Paid")


def test_a_page_that_is_still_coming_is_asking(page: Page) -> None:
    kept: list[Route] = []
    ask = f"<script>setTimeout(() => fetch('/come'), {3 * PATIENCE_MS});</script>"
    body = f"<!doctype html><p>Owing</p>{ask}<script src='/late'></script>"
    page.route(ADDRESS, lambda route: route.fulfill(body=body, content_type=HTML))
    page.route(ADDRESS + "late", lambda route: kept.append(route))
    page.route(ADDRESS + "come", lambda _: kept[0].fulfill(body=SAY))
    page.goto(ADDRESS, wait_until="commit", timeout=1_000 * PATIENCE_S)
    expect(page.locator("p")).to_have_text("Paid")


def test_to_load_a_page_is_to_ask(page: Page) -> None:
    late = f"setTimeout(() => {{ {SAY} }}, {PATIENCE_MS * 2 // 3})"
    body = f"<!doctype html><p>Owing</p><script>{late}</script>"
    page.route(ADDRESS, lambda route: route.fulfill(body=body, content_type=HTML))
    page.evaluate(ASK)
    after(page, 3 * PATIENCE_MS, f"location.href = '{ADDRESS}'")
    expect(page.locator("p")).to_have_text("Paid")


def test_a_page_that_never_stops_asking_is_given_up(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chromium, "LONGEST_MS", 3 * PATIENCE_MS)
    page.evaluate(ASK)
    assert "and the page was still asking the table." in failure(page)


def test_it_fails_before_the_test_has_no_time_left(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signal, "getitimer", lambda which: (1.0, 0.0))
    page.evaluate(ASK)
    assert 0.9 <= seconds("Waited for", failure(page)) < 30


def test_a_time_that_a_test_gives_is_kept(page: Page) -> None:
    page.evaluate(ASK)
    with pytest.raises(AssertionError) as failed:
        expect(page.locator("p")).to_have_text("Paid", timeout=100)
    assert "with timeout 100ms" in str(failed.value)
    assert "asking" not in str(failed.value)


def test_what_no_time_can_mend_fails_at_once(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chromium, "PATIENCE_MS", 20_000)
    page.evaluate(f"() => {{ {ASK} document.body.innerHTML = '<p></p><p></p>'; }}")
    words = failure(page)
    assert "strict mode violation" in words
    assert "asking" not in words, "it was tried until the time was over"


def test_clocks_that_a_test_has_stopped_do_not_matter(page: Page) -> None:
    page.clock.install(time=0)
    page.clock.pause_at(60_000)
    page.goto("about:blank?still")
    page.evaluate(ASK + STOP + "document.body.innerHTML = '<p>Owing</p>'")
    assert "the page had stopped asking" in failure(page)


def test_a_page_without_notes_is_waited_for_as_ever(
    browser: Browser, page: Page
) -> None:
    bare = browser.new_context().new_page()
    bare.set_content("<p>Owing</p>")
    assert "the page is not from new_context" in failure(bare)
