"""A seat's page on phones of every width: tabs in a row, names and money whole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.chromium import expect
from tests.sample import proven, sampled
from tests.web.guess_lab import GuessLab

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDTHS = (320, 360, 375, 390, 430)
ZOOMED = 195
"""What 200 % leaves of a phone of 390."""
NAMES = (
    *("Ben", "Alexandra", "Bartholomäusmaximiliane!", "Karl-Friedrich-Alexander"),
    "Anna Sophia von der Mühl",
)
BALANCES = (0, 3_000, 123_456)
THUMB = 44

TABS = """() => [...document.querySelectorAll(".tabs a")].map(tab => {
  const box = tab.getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(tab);
  const words = [...tab.childNodes].filter(x => x.nodeType === Node.TEXT_NODE)
    .map(x => { range.selectNodeContents(x); return range.getBoundingClientRect(); })
    .filter(x => x.width > 0);
  return {
    top: box.top, left: box.left, right: box.right,
    width: box.width, height: box.height,
    textLeft: Math.min(...words.map(x => x.left)),
    textRight: Math.max(...words.map(x => x.right)),
    lines: new Set(words.map(x => x.top)).size,
    size: parseFloat(getComputedStyle(tab).fontSize),
  };
})"""

PURSE = """() => {
  const name = document.querySelector(".purse .who .words");
  const figure = document.querySelector(".purse .figure");
  const card = document.querySelector(".purse").getBoundingClientRect();
  const text = name.firstChild, range = document.createRange();
  const tops = word => {
    const at = text.data.indexOf(word);
    return new Set([...word].map((_, i) => {
      range.setStart(text, at + i);
      range.setEnd(text, at + i + 1);
      return Math.round(range.getBoundingClientRect().top);
    })).size;
  };
  const [n, f, line] = [name, figure, document.querySelector(".purse .balance")]
    .map(x => x.getBoundingClientRect());
  return {
    broken: text.data.split(/ |(?<=-)/).filter(word => tops(word) > 1),
    isCut: name.scrollWidth > name.clientWidth,
    overlaps: n.right > f.left && n.bottom > line.top + 1 && n.top < line.bottom,
    inside: n.right <= card.right && f.right <= card.right && f.left >= card.left,
    pageWidth: document.documentElement.scrollWidth,
  };
}"""


@pytest.fixture
def lab(tmp_path: Path, browser: Browser) -> Iterator[GuessLab]:
    made = GuessLab(tmp_path, browser, has_decoder=True)
    yield made
    made.close()
    assert made.mistakes == []


def at_width(page: Page, width: int) -> None:
    """The page at that width, once its letters are there."""
    page.set_viewport_size({"width": width, "height": 844})
    page.evaluate("() => document.fonts.ready.then(() => true)")


def speaking(lab: GuessLab, page: Page, code: str) -> None:
    cookie = {"name": "language", "value": code, "url": lab.url}
    page.context.add_cookies([cookie])
    page.goto(lab.address())


def knock(lab: GuessLab) -> None:
    """Somebody asks the banker to be let in."""
    evening = lab.evening
    assert evening.anna.do(evening.game_id, "lock-table").status_code == 303
    form = {"name": "Cleo", "colour": "green", "token": "duck"}
    stranger = lab.house.guest()
    stranger.get(f"/g/{evening.game_id}/join")
    assert stranger.post(f"/g/{evening.game_id}/join", **form).status_code == 303


def is_one_row(page: Page, width: int) -> None:
    """Every tab stands in one row of that width, whole and to be hit by a thumb."""
    at_width(page, width)
    tabs = page.evaluate(TABS)
    assert len({tab["top"] for tab in tabs}) == 1, width
    for tab, onward in zip(tabs, [*tabs[1:], {"left": width}], strict=True):
        assert tab["height"] >= THUMB, (width, tab)
        assert width == ZOOMED or tab["width"] >= THUMB, (width, tab)
        assert tab["lines"] == 1, (width, tab)
        assert width == ZOOMED or tab["size"] >= 11, (width, tab)
        assert tab["left"] >= 0, (width, tab)
        assert tab["right"] <= onward["left"] + 0.5, (width, tab)
        assert tab["left"] <= tab["textLeft"], (width, tab)
        assert tab["textRight"] <= tab["right"], (width, tab)


@pytest.mark.parametrize("code", sampled(["de", "en"]))
def test_five_tabs_stand_in_one_row_of_every_phone(lab: GuessLab, code: str) -> None:
    knock(lab)
    page = lab.page(lab.evening.anna)
    speaking(lab, page, code)
    for path in ("", "/vault", "/decoder"):
        page.goto(lab.address(path))
        expect(page.locator(".tabs a")).to_have_count(5)
        expect(page.locator(".tabs .count")).to_be_visible()
        for width in (ZOOMED, *WIDTHS):
            is_one_row(page, width)
    lab.begin()
    page.goto(lab.address())
    expect(page.locator(".tabs a")).to_have_count(5)
    expect(page.locator(".tabs .count")).to_be_visible()
    for width in (ZOOMED, *WIDTHS):
        is_one_row(page, width)


def test_tabs_tell_where_one_is_and_how_many_wait(lab: GuessLab) -> None:
    knock(lab)
    lab.begin()
    page = lab.page(lab.evening.anna)
    here = page.locator(".tabs [aria-current]")
    for name, path in (
        ("Play your turn", ""),
        ("Deeds", "deeds"),
        ("More 1 waiting", "more"),
    ):
        tab = page.get_by_role("link", name=name, exact=True)
        tab.click()
        expect(page).to_have_url(lab.address(path))
        expect(here).to_have_count(1)
        expect(tab).to_have_attribute("aria-current", "page")
    page.locator("#banner summary").click()  # It lies over the first row.
    bank = page.locator("main").get_by_role("link", name="Bank")
    bank.click(position={"x": 20, "y": 20})
    expect(page).to_have_url(lab.address("bank"))
    expect(here).to_have_text("More 1 waiting")
    expect(here).to_have_attribute("aria-current", "true")


def test_a_vault_and_notes_are_looked_at_within_the_game(lab: GuessLab) -> None:
    page = lab.page(lab.evening.ben)
    here = page.locator(".tabs [aria-current=page]")
    for name, path in (("Vault", "/vault"), ("Real?", "/decoder")):
        page.locator(".tabs").get_by_role("link", name=name, exact=True).click()
        expect(page).to_have_url(lab.address(path))
        expect(here).to_have_text(name)
    page.locator(".tabs").get_by_role("link", name="Seat", exact=True).click()
    expect(page).to_have_url(lab.address())
    guest = lab.page(None, "/vault")
    expect(guest.locator(".tabs")).to_have_count(0)


@pytest.mark.parametrize("is_led", proven([True, False]))
def test_no_name_is_broken_and_no_money_is_cut(lab: GuessLab, is_led: bool) -> None:
    if is_led:
        lab.begin()
    page = lab.page(lab.evening.ben)
    for name in NAMES:
        lab.evening.ben.do(lab.evening.game_id, "rename-seat", seat="blue", name=name)
        for balance in BALANCES:
            lab.correct("blue", balance)
            page.goto(lab.address())
            expect(page.locator(".purse .words")).to_have_text(name)
            for width in WIDTHS:
                at_width(page, width)
                seen = page.evaluate(PURSE)
                wanted = {
                    "broken": [],
                    "isCut": False,
                    "overlaps": False,
                    "inside": True,
                    "pageWidth": width,
                }
                assert seen == wanted, (name, balance, width)


def test_the_names_of_the_others_stay_whole(lab: GuessLab) -> None:
    lab.begin()
    lab.evening.ben.do(
        lab.evening.game_id, "rename-seat", seat="blue", name="Alexandra"
    )
    lab.correct("blue", 123_456)
    page = lab.page(lab.evening.anna)
    name = page.locator(".others .words", has_text="Alexandra")
    expect(name).to_be_visible()
    for width in WIDTHS:
        at_width(page, width)
        one_line = name.evaluate("x => parseFloat(getComputedStyle(x).lineHeight)")
        assert name.bounding_box()["height"] < 1.5 * one_line, width
