"""A shared file in a real Chromium: chosen, looked at, taken over, on small screens."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chromium import expect
from tests.sample import proven, sampled
from tests.web.boxes.test_figure_sharing import SHARED, VAULT, readings
from tests.web.play.test_panel_browser import serve
from tests.web.play.test_play_browser import check_fit, guided

__all__ = ["serve"]  # A fixture.

pytestmark = pytest.mark.browser


@pytest.mark.slow
@pytest.mark.parametrize("has_script", sampled([True, False]))
def test_a_file_is_chosen_looked_at_and_taken_over(
    serve, tmp_path: Path, has_script: bool
) -> None:
    file = tmp_path / "their.toml"
    file.write_text(SHARED, encoding="utf-8")
    served = serve()
    host = served.evening.host
    host.post(f"{VAULT}/type", **{"deed.boardwalk.mortgage": "399"})
    page = served.page(host, VAULT, java_script_enabled=has_script)
    page.locator("summary", has_text="Read a file that somebody shared").click()
    page.get_by_label("The file of the other table").set_input_files(file)
    page.get_by_role("button", name="Look at the file").click()
    expect(page.locator(".own-word")).to_contain_text("You say: $399")
    page.locator(".takes label", has_text="Park Place · Mortgage value").click()
    page.get_by_role("button", name="Take over what is ticked").click()
    expect(page.locator("#ask-boardwalk")).to_contain_text("$440")
    kept = readings(served.evening.house)
    assert kept["deed.boardwalk.mortgage"] == 399
    assert kept["deed.boardwalk.unmortgage"] == 440
    assert kept["space.17.kind"] == "chance"
    assert "deed.park-place.mortgage" not in kept
    assert served.mistakes == []


@pytest.mark.parametrize("language", proven(["de", "en"]))
def test_the_pages_of_a_file_fit_a_small_phone_and_a_thumb(
    serve, tmp_path: Path, language: str
) -> None:
    file = tmp_path / "a-file-with-quite-a-long-name-of-the-other-table.toml"
    file.write_text(SHARED, encoding="utf-8")
    served = serve()
    guided(served, "secret-vault")
    host = served.evening.host
    host.post(f"{VAULT}/type", **{"deed.boardwalk.mortgage": "399"})
    page = served.page(host, VAULT, locale=language)
    check_fit(page, "box")
    page.locator("#shared-file").set_input_files(file)
    page.locator(".shared button").click()
    expect(page.locator(".takes")).to_be_visible()
    check_fit(page, "looked at")
    page.goto(served.url + VAULT)
    page.locator("details", has=page.locator(".shared")).locator("summary").click()
    file.write_text("no toml", encoding="utf-8")
    page.locator("#shared-file").set_input_files(file)
    page.locator(".shared button").click()
    mistakes = {"de": "Diese Datei hat Fehler", "en": "This file has mistakes"}
    expect(page.locator("#message")).to_contain_text(mistakes[language])
    check_fit(page, "with mistakes")
    assert [x for x in served.mistakes if "400 (BAD REQUEST)" not in x] == []
