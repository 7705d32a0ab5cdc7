"""The peaks of an evening on the table's screen: seen once, and in nobody's way."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page

from companion.game import moves as m
from tests.chromium import LIVELY, expect
from tests.sample import sampled
from tests.web.conftest import Evening, House
from tests.web.guided_table import give, guided, said
from tests.web.scenes import Shown, Stage, bankrupt, bidding, renamed, staged, thrown
from tests.web.seats.test_screen_fit_browser import SIZES, faults
from tests.web.served import still

SCREEN = Shown("screen", "/table")
LISTEN = "() => { window.heard = []; tableSound.play = (name) => heard.push(name); }"
SHOWN_MS = 3_000


def knock_down(evening: Evening) -> None:
    """Let everybody pass who has not bid, so that the lot is Ben's."""
    for one in evening.house.table.game(evening.game_id).seats:
        if one.seat != "blue":
            give(evening, m.PassBid(by=one.seat))


def go_broke(evening: Evening) -> None:
    evening.anna.do(evening.game_id, "declare-bankrupt")


def buy(evening: Evening) -> None:
    evening.anna.do(evening.game_id, "buy")


def last_of_brown(house: House) -> Evening:
    """Anna stands on the street that she lacks of a colour."""
    return thrown(house, 1, 2, "red owns mediterranean-avenue")


PEAKS = (
    (bidding, knock_down, "Sold!", "Ben gets Baltic Avenue for $30.", "gavel"),
    (bankrupt, go_broke, "Bankrupt!", "Anna is out. Ben gets what is left.", "ruin"),
    (last_of_brown, buy, "A whole colour!", "Anna gets all of Brown.", "won"),
)
Peak = tuple[Callable[[House], Evening], Callable[[Evening], None], str, str, str]


def screen(stage: Stage, **more: object) -> Page:
    """Open the table's screen, whose own time stands still."""
    page = stage.context(
        None, viewport={"width": 1280, "height": 800}, **more
    ).new_page()
    page.clock.install(time=0)
    page.clock.pause_at(60_000)
    page.goto(f"{stage.url}/table")
    page.evaluate(LISTEN)
    return page


@pytest.mark.browser
@pytest.mark.parametrize("peak", sampled(PEAKS), ids=lambda peak: peak[2])
def test_a_peak_is_seen_for_seconds_heard_and_in_nobodys_way(
    browser: Browser, peak: Peak
) -> None:
    scene, act, headline, words, sound = peak
    with staged(browser, scene) as stage:
        page = screen(stage)
        shown = page.locator(".flash.peak")
        act(stage.evening)
        expect(shown).to_contain_text(headline)
        expect(shown).to_contain_text(words)
        assert sound in page.evaluate("heard")
        page.clock.run_for(SHOWN_MS - 100)
        expect(shown).to_have_count(1)
        page.clock.run_for(200)
        expect(shown).to_have_count(0)
        page.reload()
        page.clock.run_for(500)
        expect(shown).to_have_count(0)


@pytest.mark.slow
@pytest.mark.browser
def test_a_tap_goes_through_a_peak_and_ends_it(browser: Browser) -> None:
    with staged(browser, bidding) as stage:
        page = screen(stage)
        page.get_by_role("button", name="Sounds").click()
        page.clock.run_for(1_000)  # Nothing changes while a finger presses.
        knock_down(stage.evening)
        expect(page.locator(".flash.peak")).to_be_visible()
        page.get_by_role("button", name="Sounds").click()
        expect(page.locator(".flash")).to_have_count(0)
        switch = page.get_by_role("button", name="Sounds")
        expect(switch).to_have_attribute("aria-pressed", "false")


@pytest.mark.slow
@pytest.mark.browser
def test_a_second_peak_takes_the_place_of_the_first(browser: Browser) -> None:
    with staged(browser, bidding) as stage:
        page = screen(stage)
        knock_down(stage.evening)
        expect(page.locator(".flash.peak")).to_contain_text("Sold!")
        said(stage.evening, "blue cash 5", "blue owes 9000 to green", "turn blue")
        stage.evening.ben.do(stage.evening.game_id, "declare-bankrupt")
        expect(page.locator(".flash.peak")).to_contain_text("Bankrupt!")
        expect(page.locator(".flash.peak")).to_have_count(1)
        page.clock.run_for(SHOWN_MS + 100)
        expect(page.locator(".flash")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("motion", [LIVELY, "reduce"])
def test_a_peak_stands_still_for_those_who_like_it_calm(
    browser: Browser, motion: str
) -> None:
    with staged(browser, bidding) as stage:
        page = screen(stage, reduced_motion=motion)
        knock_down(stage.evening)
        expect(page.locator(".flash.peak")).to_be_visible()
        moving = "x => x.getAnimations({ subtree: true }).length > 0"
        assert page.locator(".flash").evaluate(moving) is (motion == LIVELY)


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("peak", PEAKS, ids=lambda peak: peak[2])
def test_a_peak_fits_its_screen(browser: Browser, peak: Peak, language: str) -> None:
    scene, act, *_ = peak
    with staged(browser, scene) as stage:
        page = stage.page(SCREEN, SIZES[0], "dark", language)
        page.clock.install()
        page.reload()
        act(stage.evening)
        expect(page.locator(".flash.peak")).to_be_visible()
        page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))
        page.evaluate("document.querySelector('.flash').style.pointerEvents = 'auto'")
        found = [(size, x) for size in SIZES for x in faults(page, size)]
        found = [
            (size, x) for size, x in found if ".flash" not in x.partition(" by ")[2]
        ]
        overflows = (
            still(page)
            .locator(".flash.peak .caption")
            .evaluate(
                "x => x.scrollWidth > x.clientWidth || x.scrollHeight > x.clientHeight"
            )
        )
        assert (found, overflows) == ([], False)


# What is a peak.


def shown(house: House, path: str = "/table") -> str:
    text: str = house.guest().get(path).text
    return text.partition('id="received"')[2].partition("</ul>")[0]


@pytest.mark.parametrize(("scene", "act", "headline"), [x[:3] for x in PEAKS])
def test_a_screen_that_was_away_plays_no_peak(
    scene: Callable[[House], Evening],
    act: Callable[[Evening], None],
    headline: str,
    house: House,
) -> None:
    evening = scene(house)
    act(evening)
    for path in ("/table", f"/table?game={evening.game_id}"):
        assert headline in shown(house, path)
    house.clock.advance(5_000)
    for path in ("/table", f"/table?game={evening.game_id}"):
        assert headline not in shown(house, path)


def test_the_peak_of_what_was_taken_back_is_gone(house: House) -> None:
    evening = last_of_brown(house)
    buy(evening)
    assert "whole colour" in shown(house)
    undone = {"revision": evening.revision()}
    assert evening.host.do(evening.game_id, "undo-to", **undone).status_code == 303
    assert "whole colour" not in shown(house)


def test_a_street_of_a_colour_that_is_not_whole_is_no_peak(house: House) -> None:
    evening = thrown(house, 1, 2, "blue owns mediterranean-avenue")
    buy(evening)
    assert "data-kind" not in shown(house)


def test_who_leaves_is_not_called_bankrupt(house: House) -> None:
    evening = guided(house, "classic", 3)
    evening.ben.do(evening.game_id, "resign", expected_revision=evening.revision())
    assert "Bankrupt" not in shown(house)


def test_a_lot_that_makes_a_colour_whole_says_both(house: House) -> None:
    evening = bidding(house)
    said(evening, "blue owns mediterranean-avenue")
    knock_down(evening)
    text = shown(house)
    assert "Sold!" in text
    assert "Ben gets all of Brown." in text
    german = house.guest(("language", "de")).get("/table").text
    assert "Ben gets" not in german, "both sentences are translated"
    assert "Ben bekommt die ganze Gruppe Braun." in german


LONG_GERMAN = (
    (bidding, knock_down, "Bartholomäusmaximiliane! bekommt Baltic Avenue für"),
    (bankrupt, go_broke, "Anna-Lena ist raus."),
    (last_of_brown, buy, "Anna-Lena bekommt"),
)


@pytest.mark.parametrize(("scene", "act", "words"), LONG_GERMAN)
def test_a_peak_of_long_names_is_told_in_the_screens_language(
    scene: Callable[[House], Evening],
    act: Callable[[Evening], None],
    words: str,
    house: House,
) -> None:
    evening = renamed(scene(house))
    act(evening)
    screen = house.guest(("language", "de"))
    text = screen.get("/table").text.partition('id="received"')[2]
    assert words in re.sub("\N{SOFT HYPHEN}|</?span[^>]*>", "", text)


def test_one_game_plays_no_peak_of_another(house: House) -> None:
    evening = bidding(house)
    house.clock.leap(1_000)
    other = house.table.open_game("classic", "Other", "open-the-other")
    knock_down(evening)
    assert "Sold!" in shown(house, f"/table?game={evening.game_id}")
    assert "Sold!" not in shown(house, f"/table?game={other}")
