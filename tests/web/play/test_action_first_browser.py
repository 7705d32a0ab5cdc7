"""Balance, what is asked of me and its button come first, on every phone and stage.

In the upper half of a phone of today, and whole on the smallest one, without scrolling.
The dial of a guess fills the phone, so there it only has to be whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.chromium import expect
from tests.sample import sampled
from tests.web.guess_lab import GuessLab
from tests.web.http.test_one_moment_browser import Held, is_refresh
from tests.web.play.test_guess_browser import both_started, guess, roll, started, step
from tests.web.play.test_panel_browser import Served, serve
from tests.web.play.test_play_browser import guided
from tests.web.served import still

__all__ = ["serve"]  # A fixture.

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
SMALLEST = {"width": 320, "height": 640}

LOWEST = """selector => Math.max(...[...document.querySelectorAll(selector)]
  .filter(x => x.checkVisibility()).map(x => x.getBoundingClientRect().bottom))"""
"""Where on the screen the lowest of these ends; minus infinity if there are none."""

STAGES: dict[str, tuple[tuple[str, ...], dict[str, str], str]] = {
    "roll": ((), {}, ".main"),
    "roll, typed": ((), {"dice": "typed"}, ".faces .face"),
    "roll, a rent to ask for": (
        ("turn blue", "blue on 37", "red owns boardwalk"),
        {"dice": "typed"},
        ".rent",
    ),
    "jail": (("red jailed 1", "red cards chance-09"), {}, ".main, .moves button"),
    "jail, typed": (("red jailed 2",), {"dice": "typed"}, ".faces .face"),
    "buy": (("red on boardwalk", "stage buy"), {}, ".moves button"),
    "cannot buy": (
        ("red on boardwalk", "stage buy", "red cash 20"),
        {},
        ".moves button",
    ),
    "auction": (("red on boardwalk", "stage auction"), {}, ".bid, .moves button"),
    "card": (("red on 7", "stage card"), {}, ".moves button"),
    "card of cardboard": (
        ("red on 7", "stage card"),
        {"decks": "cards"},
        ".search, .cards li:first-child button",
    ),
    "debt": (("red cash 500", "red owes 150 to blue"), {}, ".moves button"),
    "debt to be raised": (
        ("red owns boardwalk baltic-avenue", "red cash 20", "red owes 150 to blue"),
        {},
        ".raising .tall:first-of-type",
    ),
    "waiting": (("turn blue",), {}, ""),
}
"""What the table agrees on, options, and what has to be seen besides the headline."""


def check_first(page: Page, what: str, buttons: str, *, is_half: bool = True) -> None:
    """The purse, the headline and *buttons* are where they have to be."""
    wanted = ".purse, .now h2" + (f", {buttons}" if buttons else "")
    for viewport, share in ((PHONE, 2 if is_half else 1), (SMALLEST, 1)):
        page.set_viewport_size(viewport)
        still(page).evaluate("scrollTo(0, 0)")
        lowest = page.evaluate(LOWEST, wanted)
        assert 0 < lowest <= viewport["height"] / share, (what, viewport)
        if buttons:
            assert page.evaluate(LOWEST, buttons) > 0, (what, "shows no button")


def show_anna(served: Served, page: Page) -> None:
    """Her page of the game that is played now; each game knows her by another phone."""
    evening = served.evening
    name, value = evening.anna.cookie
    page.context.add_cookies([{"name": name, "value": value, "url": served.url}])
    page.goto(f"{served.url}/g/{evening.game_id}/")


@pytest.mark.slow
@pytest.mark.parametrize("code", sampled(["de", "en"]))
def test_what_is_asked_of_a_seat_comes_first(serve, code: str) -> None:
    served = serve()
    page = served.page(None, "/nowhere")
    cookie = {"name": "language", "value": code, "url": served.url}
    page.context.add_cookies([cookie])
    for name, (lines, options, buttons) in STAGES.items():
        guided(served, "classic", *lines, **options)
        evening = served.evening
        if "rent" in name:
            more = {"die-1": "1", "die-2": "1"}
            evening.ben.do(evening.game_id, "roll", **more)
        show_anna(served, page)
        check_first(page, name, buttons)
        page.goto("about:blank")  # Else it hears of the next game, and goes there too.
    assert served.mistakes == []


GIFT = {"die-1": "1", "die-2": "2", "die-3": "1"}
BIG_STAGES: dict[str, tuple[tuple[str, ...], dict[str, str], str]] = {
    "three dice": ((), {}, ".thirds .face"),
    "a ticket": (("red tickets 2",), {}, "#rides summary"),
    "a gift": (("red on 43",), GIFT, ".moves button"),
    "a purchase": (("red on 10",), {**GIFT, "die-2": "4"}, ".moves button"),
}
"""The same of the big board, whose third die needs the room of a whole phone: what the
table agrees on, what is rolled then, and what has to be seen."""


@pytest.mark.slow
def test_what_three_dice_bring_is_seen_without_scrolling(serve) -> None:
    served = serve()
    page = served.page(None, "/nowhere")
    for name, (lines, rolled, buttons) in BIG_STAGES.items():
        guided(served, "mega", *lines, dice="typed")
        evening = served.evening
        if rolled:
            evening.anna.do(evening.game_id, "roll", **rolled)
        show_anna(served, page)
        check_first(page, name, buttons, is_half=False)
        page.goto("about:blank")
    assert served.mistakes == []


TYPED_PATH = ".way[data-face=mr]"


@pytest.mark.slow
def test_the_faces_of_the_third_die_say_where_they_lead(serve) -> None:
    """Nothing moves as the white dice are tapped, in whatever order."""
    served = serve()
    guided(served, "mega", "red on 4", dice="typed")
    page = served.page(served.evening.anna, "/g/{j}/")
    way, card = page.locator(TYPED_PATH), page.locator(".hand")
    expect(way).to_have_text("Mr. Monopoly")
    height = card.bounding_box()["height"]
    page.locator("[name=die-2][value='4']").check(force=True)
    expect(way).to_have_text("Mr. Monopoly")
    page.locator("[name=die-1][value='3']").check(force=True)
    expect(way).to_have_text("Vermont Avenue, then Connecticut Avenue")
    expect(page.locator(".way[data-face='1']")).to_have_text("Connecticut Avenue")
    assert card.bounding_box()["height"] == height
    page.locator("[name=die-1][value='4']").check(force=True)
    expect(page.locator(".way[data-face='3']")).to_have_text("Maryland Avenue")
    page.get_by_role("button", name="Third die shows Mr. Monopoly").click()
    expect(page.locator(".follows")).to_contain_text("Then Mr. Monopoly")
    assert served.mistakes == []


@pytest.mark.slow
def test_a_plan_is_laid_out_with_plus_and_minus(serve) -> None:
    served = serve()
    streets = "st-james-place tennessee-avenue new-york-avenue"
    guided(served, "mega", f"red owns {streets}")
    page = served.page(served.evening.anna, "/g/{j}/plan/st-james-place")
    done = page.get_by_role("button", name="Do it")
    expect(done).to_have_count(0)
    for street in ("St. James Place", "Tennessee Avenue", "New York Avenue"):
        page.get_by_role("button", name=f"One more on {street}").click()
    expect(page.locator(".planned .price")).to_contain_text("It costs $300.")
    page.get_by_role("button", name="One more on New York Avenue").click()
    expect(page.locator(".planned .price")).to_contain_text("It costs $400.")
    page.get_by_role("button", name="One less on New York Avenue").click()
    expect(page.locator(".planned .price")).to_contain_text("It costs $300.")
    done.click()
    page.wait_for_url("**/deeds?deed=st-james-place")
    expect(page.locator("#deed-new-york-avenue .built-here")).to_be_visible()
    assert served.mistakes == []


@pytest.mark.slow
def test_the_end_shows_the_order_and_the_way_on(serve) -> None:
    served = serve()
    guided(served, "classic")
    evening = served.evening
    evening.ben.do(evening.game_id, "resign", expected_revision=evening.revision())
    page = served.page(evening.anna, "/g/{j}/")
    expect(page.locator(".order li")).to_have_count(2)
    expect(page.locator(".order[data-confetti] .is-me .rank")).to_have_text("1")
    check_first(page, "over", ".hand > a")
    loser = served.page(evening.ben, "/g/{j}/")
    expect(loser.locator(".order:not([data-confetti]) li")).to_have_count(2)


@pytest.fixture
def lab(tmp_path: Path, browser: Browser) -> Iterator[GuessLab]:
    made = GuessLab(tmp_path, browser)
    made.begin(dice="typed", memory="on")
    yield made
    made.close()
    assert made.mistakes == []


@pytest.mark.slow
def test_the_vault_on_a_phone_is_whole(lab: GuessLab) -> None:
    anna, ben = both_started(lab)
    roll(anna, 2, 3)
    expect(anna.locator(".dial")).to_be_visible()
    check_first(anna, "guess", ".dial", is_half=False)
    expect(ben.locator(".now h2")).to_have_text("Anna guesses the number of the vault")
    check_first(ben, "somebody guesses", "")
    guess(lab, anna, 4)
    expect(anna.locator(".step h3:visible")).to_contain_text("Take everything out")
    check_first(anna, "take", ".step label.brass", is_half=False)
    expect(ben.locator(".treasure")).to_be_visible()
    check_first(ben, "somebody takes", ".treasure", is_half=False)
    step(anna, "Take everything out")
    check_first(anna, "key", ".step h3", is_half=True)
    anna.get_by_role("button", name="Boardwalk").click()
    expect(anna.locator(".step h3:visible")).to_contain_text("Put in")
    check_first(anna, "fill", ".step label.brass", is_half=True)


@pytest.mark.slow
def test_the_dial_turns_with_the_wheel_and_its_numerals_stay_upright(
    lab: GuessLab,
) -> None:
    anna = started(lab)
    roll(anna, 2, 3)
    dial = anna.locator(".dial")
    expect(dial).to_have_attribute("data-number", "1")
    places = "x => { const b = x.getBoundingClientRect(); return b.y + b.height / 2; }"
    lowest = anna.get_by_role("button", name="Guess 1")
    was = lowest.evaluate(places)
    lab.hands.turn(3)
    expect(dial).to_have_attribute("data-number", "4")
    still(anna)
    assert lowest.evaluate(places) < was, "number 1 has turned away from the pointer"
    turned = (
        "x => { const m = new DOMMatrix(getComputedStyle(x).transform); return m.b; }"
    )
    for number in range(1, 7):
        button = anna.get_by_role("button", name=f"Guess {number}")
        assert abs(button.evaluate(turned)) < 0.001, f"{number} does not stand upright"


def test_a_page_from_before_the_wheel_turned_does_not_turn_the_dial_back(
    lab: GuessLab,
) -> None:
    anna = started(lab)
    roll(anna, 2, 3)
    dial = anna.locator(".dial")
    expect(dial).to_have_attribute("data-number", "1")
    late = Held(anna, f"**/g/{lab.evening.game_id}/", is_refresh)
    lab.correct("blue", 1234)
    answer = late.one().fetch()
    lab.hands.turn(3)
    expect(dial).to_have_attribute("data-number", "4")
    late.one().fulfill(response=answer)
    expect(anna.locator(".others")).to_contain_text("$1,234")
    assert dial.get_attribute("data-number") == "4"
