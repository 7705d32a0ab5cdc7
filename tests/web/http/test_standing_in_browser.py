"""Pages while a server stands in, and once the real one is there."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.chromium import expect, new_context
from tests.running import RunningTable
from web.http.server import listen
from web.http.standing_in import standing_in

pytestmark = [pytest.mark.browser, pytest.mark.slow]

IS_LIVE = "() => window.asking.isLive()"


def is_refused(page: Page, path: str) -> None:
    """Wait until the page asks for *path* and gets 503."""
    page.wait_for_event("response", lambda x: path in x.url and x.status == 503)


def test_a_page_goes_on_once_the_server_is_there_again(
    tmp_path: Path, browser: Browser
) -> None:
    data = tmp_path / "data"
    page, late = (new_context(browser, locale="de-DE").new_page() for _ in range(2))
    with RunningTable(data, vault="--no-vault") as table:
        page.goto(f"{table.address}/table")
        page.wait_for_function(IS_LIVE)
        heading = page.locator("h1").inner_text()
    with listen("127.0.0.1", table.port) as listening, standing_in(listening):
        is_refused(page, "/stream")
        is_refused(page, "/stream")  # It asks again, and not only once.
        answer = late.goto(f"{table.address}/table")
        assert answer is not None
        assert answer.status == 503
        expect(late.locator("h1")).to_have_text(
            "Ein anderer Server führt diesen Tisch gerade"
        )
        is_refused(late, "/table")  # By itself, without a script.
        expect(page.locator("h1")).to_have_text(heading)
    with RunningTable(data, table.port, "--no-vault"):
        page.wait_for_function(IS_LIVE)
        expect(page.locator("h1")).to_have_text(heading)
