"""Guided play in a real Chromium: thumbs, small screens, other phones, no script."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Locator, Page

from tests.chromium import LIVELY, expect
from tests.sample import SLOW, proven
from tests.web.conftest import Evening
from tests.web.play.test_panel_browser import SMALL, TABLE, TARGETS, Served, serve
from tests.web.play.test_play import seeded
from tests.web.served import still

__all__ = ["serve"]  # A fixture.

pytestmark = pytest.mark.browser

SLIM = {"width": 360, "height": 780}

SCENES: dict[str, tuple[str, ...]] = {
    "roll": (),
    "jail": ("red jailed 2", "red cards chance-09"),
    "buy": ("red on boardwalk", "stage buy"),
    "auction": ("red on boardwalk", "stage auction"),
    "card": ("red on 7", "stage card"),
    "debt": ("red owns boardwalk baltic-avenue", "red cash 20", "red owes 150 to blue"),
    "bankrupt": ("red cash 20", "red owes 900 to blue"),
}


def guided(served: Served, edition: str, *lines: str, **options: str) -> None:
    """Let the companion lead Anna and Ben in a game of their own."""
    host, house = served.evening.host, served.house
    answer = host.post("/games", edition=edition, name="Sunday")
    game_id = answer.headers["Location"].split("/")[2]
    anna = house.seated(game_id, "Anna", "red", "hat")
    ben = house.seated(game_id, "Ben", "blue", "car")
    evening = served.evening = Evening(house, game_id, host, anna, ben)
    seeded(served.house, random.Random(8))
    chosen = {f"option-{key}": value for key, value in options.items()}
    assert evening.host.do(evening.game_id, "begin", **chosen).status_code == 303
    given(served, *lines)


def given(served: Served, *lines: str) -> None:
    evening = served.evening
    for line in lines:
        answer = evening.host.do(evening.game_id, "correct-position", words=line)
        assert answer.status_code == 303, answer.text


def check_fit(page: Page, what: str) -> None:
    for viewport in (SMALL, SLIM, TABLE):
        page.set_viewport_size(viewport)
        wide = still(page).evaluate("document.documentElement.scrollWidth")
        assert wide <= viewport["width"], (what, viewport)
        assert page.evaluate(TARGETS) == [], (what, viewport)


@pytest.mark.parametrize(
    "options", proven([{"dice": "typed"}, {"decks": "cards"}]), ids=str
)
def test_every_scene_fits_a_small_phone_and_a_thumb(
    serve, options: dict[str, str]
) -> None:
    served = serve()
    guided(served, "classic", **options)
    anna = served.page(served.evening.anna, "/g/{j}/")
    for name, lines in SCENES.items():
        given(served, "red cash 1500", "red owes 0", "turn red", "red free", *lines)
        anna.goto(served.url + f"/g/{served.evening.game_id}/")
        check_fit(anna, name)
    host = served.page(served.evening.host, "/g/{j}/correct")
    check_fit(host, "correct")
    served.evening.host.do(served.evening.game_id, "rest-play")
    host.goto(served.url + f"/g/{served.evening.game_id}/begin")
    check_fit(host, "begin")
    assert served.mistakes == []


TUMBLED = """() => {
  window.tumbled = 0;
  addEventListener("animationstart", event => {
    if (event.animationName === "tumble") window.tumbled += 1;
  });
}"""


TWO_FRAMES = """() => new Promise(
  done => requestAnimationFrame(() => requestAnimationFrame(done))
).then(() => {})"""
"""An animation that begins now has begun after the second."""


def headline(page: Page):
    return page.locator(".now h2")


def test_a_turn_goes_from_phone_to_phone_without_asking(serve) -> None:
    served = serve()
    guided(served, "classic", "red on 37", "blue owns boardwalk", dice="typed")
    anna = served.page(served.evening.anna, "/g/{j}/", reduced_motion=LIVELY)
    ben = served.page(served.evening.ben, "/g/{j}/")
    expect(headline(ben)).to_have_text("Anna rolls the dice")
    anna.evaluate(TUMBLED)
    anna.locator("label.face").nth(0).click()
    anna.get_by_role("button", name="Last die shows 1").click()
    expect(anna.locator(".thrown")).to_have_attribute("data-dice", "1 1")
    anna.wait_for_function("() => window.tumbled > 0")
    expect(headline(anna)).to_have_text("Doubles: roll again")
    ben.get_by_role("button", name="Ask Anna for $50 rent").click()
    expect(ben.locator(".purse .figure")).to_have_text("$1,550")
    expect(anna.locator(".purse .figure")).to_have_text("$1,450")
    assert served.mistakes == []


@pytest.mark.parametrize(
    ("motion", "shown"),
    [
        (LIVELY, ("landed 0:42 ago", "landed 0:45 ago", "landed 1:00 ago")),
        pytest.param(
            "reduce",
            ("landed 0:42 ago", "landed 0:42 ago", "landed 1:00 ago"),
            marks=SLOW,
        ),
    ],
)
def test_the_seconds_since_a_landing_are_counted(
    serve, motion: str, shown: tuple[str, ...]
) -> None:
    served = serve()
    guided(served, "classic", "red on 37", "blue owns boardwalk", dice="typed")
    evening = served.evening
    evening.anna.do(evening.game_id, "roll", **{"die-1": "1", "die-2": "1"})
    served.house.clock.advance(42_000)
    ben = served.page(evening.ben, "/g/{j}/", reduced_motion=motion)
    ben.clock.install(time=0)
    ben.clock.pause_at(60_000)  # From here on it passes as this test says.
    ben.reload()
    since = ben.locator(".since")
    expect(since).to_have_text(shown[0])
    for passes_ms, wanted in ((3_000, shown[1]), (15_000, shown[2])):
        ben.clock.run_for(passes_ms)
        expect(since).to_have_text(wanted)
    assert served.mistakes == []


@pytest.mark.slow
def test_without_script_a_landing_has_its_time(serve) -> None:
    served = serve()
    guided(served, "classic", "red on 37", "blue owns boardwalk", dice="typed")
    evening = served.evening
    evening.anna.do(evening.game_id, "roll", **{"die-1": "1", "die-2": "1"})
    ben = served.page(evening.ben, "/g/{j}/", java_script_enabled=False)
    expect(ben.locator(".since")).to_have_text(re.compile(r"^landed at \d\d:\d\d$"))
    check_fit(ben, "a rent to ask for")


def test_two_phones_bid_at_once(serve) -> None:
    served = serve()
    guided(served, "classic", "red on boardwalk", "stage auction")
    anna = served.page(served.evening.anna, "/g/{j}/")
    ben = served.page(served.evening.ben, "/g/{j}/")
    ben.locator("summary", has_text="Bid another amount").click()
    ben.locator("#bid").press_sequentially("5")
    anna.get_by_role("button", name="Bid $100").click()
    expect(headline(ben)).to_contain_text("Anna bids $100")
    ben.locator("#bid").press_sequentially("0")
    expect(ben.locator("#bid")).to_have_value("50")
    expect(ben.locator(".too-low:visible")).to_have_text("Too little: at least $101.")
    expect(ben.locator(".hand .brass")).to_have_count(1)
    expect(ben.get_by_role("button", name="Bid", exact=True)).to_be_disabled()
    expect(ben.get_by_role("button", name="Bid $110")).to_be_visible()
    ben.locator("#bid").fill("120")
    expect(ben.locator(".too-low")).to_be_hidden()
    ben.get_by_role("button", name="Bid", exact=True).click()
    expect(headline(anna)).to_contain_text("Ben bids $120")
    anna.get_by_role("button", name="Pass").click()
    expect(ben.locator(".purse .figure")).to_have_text("$1,380")
    assert served.mistakes == []


@pytest.mark.slow
def test_a_turn_works_without_script(serve) -> None:
    served = serve()
    guided(served, "classic", "red on 37", dice="typed")
    page = served.page(served.evening.anna, "/g/{j}/", java_script_enabled=False)
    page.locator("label.face").nth(0).click()
    page.get_by_role("button", name="Last die shows 1").click()
    page.get_by_role("button", name="Buy for $400").click()
    expect(page.locator(".purse .figure")).to_have_text("$1,100")
    expect(headline(page)).to_have_text("Doubles: roll again")


@pytest.mark.slow
def test_a_deck_is_searched(serve) -> None:
    served = serve()
    guided(served, "classic", "red on 7", "stage card", decks="cards")
    anna = served.page(served.evening.anna, "/g/{j}/")
    anna.get_by_label("Search the cards").fill("boardw")
    expect(anna.locator(".cards li:visible")).to_have_count(1)
    anna.get_by_role("button", name="Go to Boardwalk").click()
    expect(headline(anna)).to_have_text("Boardwalk is for sale")


@pytest.mark.slow
def test_the_keyboard_alone_rolls(serve) -> None:
    served = serve()
    guided(served, "classic", dice="typed")
    anna = served.page(served.evening.anna, "/g/{j}/")
    anna.locator("label.face input").first.focus()
    anna.keyboard.press("ArrowRight")
    anna.keyboard.press("Tab")
    anna.keyboard.press("Tab")
    anna.keyboard.press("Enter")
    expect(anna.locator(".thrown")).to_have_attribute("data-dice", "2 2")


def focused(page: Page) -> Locator:
    return page.locator(":focus")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


@pytest.mark.slow
def test_a_turn_is_played_by_keys_and_each_question_heard(serve) -> None:
    """What is asked and its buttons are one landmark; an act leads to the next."""
    served = serve()
    guided(served, "classic")
    anna = served.page(served.evening.anna, "/g/{j}/")
    main = anna.get_by_role("main", name="Your turn: roll the dice", exact=True)
    expect(main.get_by_role("button").first).to_have_text("Roll the dice")
    press(anna, "Tab", "Enter", "Tab")
    expect(focused(anna)).to_have_text("Roll the dice")
    press(anna, "Enter")
    expect(focused(anna)).to_have_text("Reading Railroad is for sale")
    main = anna.get_by_role("main", name="Reading Railroad is for sale")
    expect(main.get_by_role("button").first).to_contain_text("Buy for $200")
    press(anna, "Tab", "Tab")  # The first leads to its deed.
    expect(focused(anna)).to_contain_text("Buy for $200")
    press(anna, "Enter")
    expect(focused(anna)).to_have_text("Ben rolls the dice")
    served.evening.ben.do(served.evening.game_id, "roll")
    expect(anna.locator("#said")).to_contain_text("Ben")
    expect(focused(anna)).to_have_attribute("id", "awaited")
    assert served.mistakes == []


@pytest.mark.slow
def test_dice_lie_still_where_motion_is_unwanted(serve) -> None:
    served = serve()
    guided(served, "classic")
    more = {"reduced_motion": "reduce"}
    anna = served.page(served.evening.anna, "/g/{j}/", **more)
    anna.evaluate(TUMBLED)
    anna.get_by_role("button", name="Roll the dice").click()
    expect(anna.locator(".thrown .die")).to_have_count(2)
    anna.evaluate(TWO_FRAMES)
    assert anna.evaluate("window.tumbled") == 0
