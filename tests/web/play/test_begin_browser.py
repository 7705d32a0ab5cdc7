"""Beginning to play: every phone goes on to its own page by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.chromium import expect
from tests.sample import proven, sampled
from tests.web.guess_lab import GuessLab

pytestmark = pytest.mark.browser

BEGIN = "Begin to play"


@pytest.fixture
def lab(tmp_path: Path, browser: Browser) -> Iterator[GuessLab]:
    made = GuessLab(tmp_path, browser, has_vault=False)
    yield made
    made.close()
    assert made.mistakes == []


def expect_seat(lab: GuessLab, page: Page, name: str) -> None:
    """The page is the whole page of a seat that is led, not parts of it."""
    expect(page).to_have_url(lab.address())
    expect(page.locator("body.play .purse h1")).to_contain_text(name)
    expect(page.locator("link[href*='play.css']")).to_have_count(1)


def test_begin_leads_everybody_to_the_own_seat(lab: GuessLab) -> None:
    ben = lab.page(lab.evening.ben)
    anna = lab.page(lab.evening.anna, "begin")
    anna.get_by_role("button", name=BEGIN).click()
    expect_seat(lab, anna, "Anna")
    expect_seat(lab, ben, "Ben")
    expect(ben.locator(".now h2")).to_have_text("Fill the vault first, then Anna rolls")


@pytest.mark.slow
@pytest.mark.parametrize("has_script", sampled([True, False]))
def test_a_banker_without_a_seat_begins_and_comes_to_the_bank(
    lab: GuessLab, has_script: bool
) -> None:
    lab.evening.anna.do(lab.evening.game_id, "hand-banker", to="bank")
    page = lab.page(lab.evening.host, "begin", java_script_enabled=has_script)
    page.get_by_role("button", name=BEGIN).click()
    expect(page).to_have_url(lab.address("bank"))
    expect(page.get_by_text("The companion leads.")).to_be_visible()


@pytest.mark.slow
def test_another_phone_at_the_questions_goes_on_too(lab: GuessLab) -> None:
    one, other = (lab.page(lab.evening.anna, "begin") for _ in range(2))
    one.get_by_role("button", name=BEGIN).click()
    expect_seat(lab, other, "Anna")


TABLE = {"viewport": {"width": 1280, "height": 800}}


def expect_screen(page: Page, kind: str) -> None:
    """The whole page of that kind, with nothing beside the screen."""
    expect(page.locator(f"body{kind}")).to_be_visible()
    fits = "() => document.documentElement.scrollWidth <= innerWidth"
    page.wait_for_function(fits)


@pytest.mark.parametrize("edition", proven(["secret-vault", "classic"]))
def test_a_table_screen_that_was_there_first_becomes_the_board(
    tmp_path: Path, browser: Browser, edition: str
) -> None:
    with closing(GuessLab(tmp_path, browser, edition)) as lab:
        screen = lab.page(None, "/table", **TABLE)
        expect_screen(screen, ":not(.has-board)")
        lab.begin()
        expect_screen(screen, ".has-board")
        expect(screen.locator(".tabletop")).to_be_in_viewport(ratio=1)
        lab.evening.anna.do(lab.evening.game_id, "rest-play")
        expect_screen(screen, ":not(.has-board)")
        lab.evening.anna.do(lab.evening.game_id, "resume-play")
        expect_screen(screen, ".has-board")
    assert lab.mistakes == []


@pytest.mark.slow
@pytest.mark.parametrize("edition", sampled(["classic-uk", "secret-vault"]))
def test_a_table_screen_turns_to_the_game_that_is_opened_next(
    lab: GuessLab, edition: str
) -> None:
    screen = lab.page(None, "/table", **TABLE)
    heading = screen.locator("h1")
    expect(heading).to_have_text("Saturday")
    host = lab.evening.host
    answer = host.post("/games", edition=edition, name="Sunday", leads="yes")
    game_id = answer.headers["Location"].split("/")[2]
    now = lab.table.table_view(game_id).revision
    assert now < lab.evening.revision(), "a game that begins has a lower revision"
    expect(heading).to_have_text("Sunday")
    expect(screen.locator(".codes img")).to_have_attribute("src", re.compile(game_id))


@pytest.mark.slow
def test_a_table_screen_tells_when_the_last_game_is_put_away(lab: GuessLab) -> None:
    screen = lab.page(None, "/table", **TABLE)
    expect(screen.locator(".marquee h1")).to_have_text("Saturday")
    answer = lab.evening.host.do(lab.evening.game_id, "close-game")
    assert answer.status_code == 303
    expect(screen.locator("#live")).to_contain_text("No game is open")
    expect(screen.locator(".marquee")).to_have_count(0)


@pytest.mark.slow
def test_going_on_by_hand_and_back_gives_whole_pages(lab: GuessLab) -> None:
    lab.begin()
    ben = lab.page(lab.evening.ben)
    expect_seat(lab, ben, "Ben")
    lab.evening.anna.do(lab.evening.game_id, "rest-play")
    expect(ben.locator("body:not(.play) #sheet")).to_be_visible()
    lab.evening.anna.do(lab.evening.game_id, "resume-play")
    expect_seat(lab, ben, "Ben")
