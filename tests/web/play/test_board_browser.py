"""The board, the list to pack and the end in a real Chromium, at the sizes in use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from companion.game import commands as c
from companion.game import moves as m
from tests.chromium import expect
from tests.fakes import FakeClock
from tests.sample import sampled
from tests.web.conftest import Evening, Phone, make_panel
from tests.web.guided_table import give, guided, lie_on_table, played, said
from tests.web.scenes import LANGUAGES, Shown, crowded, staged, towering
from tests.web.served import RealHouse, still
from web.http.settings import PanelSettings

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TELEVISIONS = ((1280, 800), (1920, 1080), (1024, 768))
PHONES = ((320, 640), (360, 780))

OUTSIDE = """() => [...document.querySelectorAll(".space")].flatMap(space => {
  const plot = space.querySelector(".plot").getBoundingClientRect();
  return [...space.querySelectorAll("text")].filter(text => {
    const box = text.getBoundingClientRect();
    return box.width && (box.left < plot.left - 1 || box.right > plot.right + 1
      || box.top < plot.top - 1 || box.bottom > plot.bottom + 1);
  }).map(text => text.textContent + " in " + space.getAttribute("aria-label"));
})"""

COVERED = """() => {
  const names = [".turn", ".ticker", ".purses", ".worths", ".place", ".podium"];
  const parts = [...names, ".lot", ".bid", ".bidders > :last-child"].map(
    name => [name, document.querySelector(`:is(.middle, .finale) ${name}`)]
  ).filter(([, part]) => part && part.getBoundingClientRect().height > 0);
  const boxes = parts.map(([name, part]) => [name, part.getBoundingClientRect()]);
  const felt = document.querySelector(".middle, .finale").getBoundingClientRect();
  const wrong = [];
  for (const [name, box] of boxes) {
    if (box.bottom > felt.bottom + 1 || box.right > felt.right + 1) wrong.push(name);
    for (const [other, also] of boxes) {
      if (name < other && box.left < also.right - 1 && also.left < box.right - 1
        && box.top < also.bottom - 1 && also.top < box.bottom - 1) {
        wrong.push(name + " covers " + other);
      }
    }
  }
  return wrong;
}"""

FREE = """() => {
  const words = document.createRange();
  words.selectNodeContents(document.querySelector(".turn h1 > span:last-child"));
  const dice = document.querySelector(".turn .dice").getBoundingClientRect();
  return dice.left - words.getBoundingClientRect().right;
}"""
"""The room between a name and the dice beside it."""

LETTERS = """() => Math.min(...[...document.querySelectorAll(".strip text")].map(text =>
  parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))"""

OPEN_ALL = "document.querySelectorAll('details').forEach(x => { x.open = true; })"

SMALL = """() => [...document.querySelectorAll(
  "main :is(a, button, summary), #act :is(button, summary, input), #more :is(a, button)"
)].filter(x => {
  const { width, height } = x.getBoundingClientRect();
  return width && height < 47.5;
}).map(x => x.outerHTML.slice(0, 90))"""

SIDEWAYS = "() => document.documentElement.scrollWidth - innerWidth"


class Served(RealHouse):
    """A guided evening at a real address."""

    def __init__(self, folder: Path, browser: Browser, **more: object) -> None:
        settings = PanelSettings(burst_count=5_000, heartbeat_s=0.5)
        house = make_panel(folder, FakeClock(), settings=settings)
        self.evening: Evening = guided(house, **more)
        super().__init__(house, browser)

    def page(
        self, path: str, size: tuple[int, int], phone: Phone | None = None
    ) -> Page:
        viewport = {"width": size[0], "height": size[1]}
        context = self.context(phone, viewport=viewport)
        page = context.new_page()
        page.on("pageerror", lambda error: self.mistakes.append(str(error)))
        page.on("console", lambda said: self.mistakes.append(said.text))
        page.goto(self.url + path.format(j=self.evening.game_id))
        return still(page)


@pytest.fixture
def serve(tmp_path: Path, browser: Browser) -> Iterator[Callable[..., Served]]:
    made: list[Served] = []

    def start(**more: object) -> Served:
        made.append(Served(tmp_path, browser, **more))
        return made[-1]

    yield start
    for served in made:
        served.close()


def on_each(page: Page) -> Iterator[tuple[int, int]]:
    """The page as each television loads it."""
    for width, height in TELEVISIONS:
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        still(page)
        yield width, height


EACH = sampled(reversed(LANGUAGES))
"""German, whose words are longer, is quick."""


@pytest.mark.parametrize("seats", sampled([8, 4, 2]))
def test_nothing_on_the_screen_covers_anything_else(serve, seats: int):
    served = serve(seats=seats)
    played(served.evening, 260)
    page = served.page("/table", TELEVISIONS[0])
    for size in on_each(page):
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate(COVERED) == [], size
        assert page.evaluate(SIDEWAYS) <= 0
        assert page.locator(".drawn").bounding_box()["height"] <= size[1]
    assert served.mistakes == []


@pytest.mark.parametrize("language", EACH)
def test_an_auction_of_eight_with_long_names_covers_nothing(browser, language: str):
    with staged(browser, crowded) as stage:
        shown = Shown("auction", "/table")
        page = stage.page(shown, TELEVISIONS[0], "dark", language)
        for size in on_each(page):
            assert page.evaluate(COVERED) == [], size


def test_a_vaults_board_fits_as_well(serve):
    served = serve(edition="secret-vault", seats=6)
    played(served.evening, 200)
    page = served.page("/table", (1280, 800))
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate(COVERED) == []
    assert served.mistakes == []


@pytest.mark.parametrize("language", EACH)
def test_a_board_of_52_spaces_fits_with_eight_seats_and_their_tickets(
    browser, language: str
):
    with staged(browser, towering) as stage:
        shown = Shown("towers", "/table")
        page = stage.page(shown, TELEVISIONS[0], "dark", language)
        for size in on_each(page):
            assert page.evaluate(OUTSIDE) == [], size
            assert page.evaluate(COVERED) == [], size
            assert page.evaluate(SIDEWAYS) <= 0


@pytest.mark.parametrize("name", sampled(["Alexandra", "Bartholomäusmaximilian"]))
def test_a_name_beside_three_dice_touches_none_of_them(serve, name: str):
    served = serve(edition="mega", seats=8)
    give(
        served.evening,
        c.RenameSeat(by="red", seat="red", name=name),
        m.Roll(by="red", dice=(1, 3), special="mr"),
    )
    page = served.page("/table", TELEVISIONS[0])
    for size in on_each(page):
        expect(page.locator(".turn .die")).to_have_count(3)
        assert page.evaluate(FREE) > 0, size
        assert page.evaluate(COVERED) == [], size
    assert served.mistakes == []


@pytest.mark.parametrize("language", EACH)
@pytest.mark.parametrize("size", sampled(PHONES))
def test_a_side_of_52_spaces_can_be_read_on_a_phone(
    browser, size: tuple[int, int], language: str
):
    shown = Shown("board", "/g/{j}/board", "ben")
    with staged(browser, towering) as stage:
        page = stage.page(shown, size, "light", language)
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate(SIDEWAYS) <= 0
        assert page.locator(".strip .space").count() == 14
        smallest = page.evaluate(LETTERS)
        assert smallest >= 8.5, f"letters of {smallest} pixels"
        here = page.locator(".strip .here").bounding_box()
        assert here["y"] + here["height"] <= size[1], "seen without scrolling"


@pytest.mark.parametrize("size", sampled(PHONES))
def test_the_board_fits_a_phone(serve, size: tuple[int, int]):
    served = serve(seats=8)
    played(served.evening, 200)
    page = served.page("/g/{j}/board", size, served.evening.anna)
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate(SIDEWAYS) <= 0
    assert served.mistakes == []


def test_the_screen_follows_the_game_without_being_touched(serve):
    served = serve()
    page = served.page("/table", (1280, 800))
    expect(page.locator(".awaited")).to_have_text("Anna rolls the dice")
    give(served.evening, m.Roll(by="red", dice=(1, 2)))
    expect(page.locator(".awaited")).to_have_text("Anna may buy Baltic Avenue for $60")
    expect(page.locator(".die")).to_have_count(2)
    give(served.evening, m.Buy(by="red"))
    expect(page.locator(".flag.c-red")).to_have_count(1)
    expect(page.locator(".purses .figure").first).to_have_text("$1,440")
    chart = page.locator(".worths img")
    expect(chart).to_have_js_property("naturalWidth", 480)
    assert served.mistakes == []


def test_two_phones_tick_one_list(serve):
    served = serve(edition="grab-and-go")
    anna = served.page("/g/{j}/pause", PHONES[1], served.evening.anna)
    ben = served.page("/g/{j}/pause", PHONES[0], served.evening.ben)
    anna.get_by_role("button", name="No, the companion keeps them").click()
    expect(ben.get_by_text("There is nothing to pack")).to_be_visible()
    ben.get_by_role("button", name="Notes and cards lie on the table").click()
    newer = anna.get_by_role("link", name="Show what is new")
    newer.click()
    anna.locator(".tick").first.click()
    expect(ben.locator(".tick").first).to_have_attribute("aria-pressed", "true")
    ben.locator(".tick").nth(1).click()
    expect(anna.locator(".progress b")).to_contain_text("2 of")
    ben.locator(".tick").first.click()
    expect(anna.locator(".tick").first).to_have_attribute("aria-pressed", "false")
    assert served.mistakes == []


def test_what_is_pressed_is_large_enough_and_nothing_is_wider_than_a_phone(serve):
    served = serve(edition="grab-and-go", seats=3)
    said(served.evening, "red owns boardwalk park-place", "boardwalk houses 2")
    page = served.page("/g/{j}/", PHONES[0], served.evening.anna)
    for path in ("pause", "pause", "pause?way=set-up", "ending"):
        page.goto(f"{served.url}/g/{served.evening.game_id}/{path}")
        page.evaluate(OPEN_ALL)
        assert still(page).evaluate(SMALL) == [], path
        assert page.evaluate(SIDEWAYS) <= 0, path
        lie_on_table(served.evening)
    assert served.mistakes == []


def test_the_list_prints_without_the_panel_around_it(serve):
    served = serve(edition="grab-and-go")
    lie_on_table(served.evening)
    page = served.page("/g/{j}/pause", (794, 1123), served.evening.anna)
    page.emulate_media(media="print")
    expect(page.locator(".tick").first).to_be_visible()
    expect(page.locator(".top")).to_be_hidden()
    expect(page.locator("#act")).to_be_hidden()
    ground = "getComputedStyle(document.body).background"
    assert page.evaluate(ground).startswith("rgba(0, 0, 0, 0) none")


def test_the_end_is_seen_on_screen_and_phone(serve):
    served = serve(seats=3)
    played(served.evening, 150)
    page = served.page("/table", (1280, 800))
    give(served.evening, m.CallTime(by=c.TABLE))
    expect(page.locator(".podium .crown")).to_be_visible()
    assert still(page).evaluate(COVERED) == []
    phone = served.page("/g/{j}/ending", PHONES[1], served.evening.ben)
    expect(phone.locator(".rank")).to_have_count(3)
    expect(phone.locator(".crowned h1")).to_contain_text("won")
    assert still(phone).evaluate(SIDEWAYS) <= 0
    assert served.mistakes == []
