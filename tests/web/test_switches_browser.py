"""Each switch, choice and offer of a page is answered, on every page that shows it.

A finger follows the links of a phone from page to page, and taps on each what is
switched, chosen, offered or opened there: on, and off again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser
from werkzeug.exceptions import HTTPException

from tests.chromium import expect
from tests.sample import sampled
from tests.web.conftest import Evening, House
from tests.web.scenes import (
    Stage,
    before_roll,
    by_hand,
    ended,
    fresh,
    gathering,
    gathering_by_hand,
    guessing,
    staged,
)

pytestmark = pytest.mark.browser

Case = tuple[Callable[[House], Evening], str]
STAGES: dict[Callable[[House], Evening], tuple[str, ...]] = {
    gathering: ("ben", "host", "guest"),
    gathering_by_hand: ("host", "anna"),
    by_hand: ("host", "anna", "guest"),
    before_roll: ("host", "anna", "guest"),
    guessing: ("anna",),
    ended: ("host", "anna"),
    fresh: ("guest",),
}
"""Whose phones walk; before a led game begins the host sits, too, elsewhere not."""
CASES: list[Case] = [(scene, who) for scene in STAGES for who in STAGES[scene]]

PHONE = {"width": 390, "height": 844}
SMALL = {"width": 320, "height": 640}
CORNER = (30, 30)
"""Where a page has nothing but its ground."""

LINKS = """() => [...document.querySelectorAll("a[href^='/']:not([download])")]
  .map(x => x.getAttribute("href"))"""
SIT_DOWN = "() => { localStorage.removeItem('sound'); sessionStorage.sat = 'yes'; }"
"""Makes the phone one that has just sat down, and was never asked about sounds."""
KEPT = """answer => localStorage.sound === answer
  && tableSound.isOn() === (answer === "on")"""
LOOK = (
    "[document.documentElement.lang, getComputedStyle(document.body).backgroundColor]"
)
OPENS = """seen => {
  const kind = x =>
    [x.className, x.parentElement.className, x.closest("[id]")?.id].join();
  const isInReach = x => { // What has arrived may lie over it.
    x.scrollIntoView({ block: "center" });
    const { left, top, width, height } = x.getBoundingClientRect();
    const at = document.elementFromPoint(left + width / 2, top + height / 2);
    return at?.closest("summary") === x;
  };
  const isNew = x => x.checkVisibility() && !seen.includes(kind(x)) && isInReach(x);
  const next = [...document.querySelectorAll("summary")].find(isNew);
  return [next, next && kind(next)];
}"""
"""The first thing that opens whose kind was not seen yet, and its kind."""


class Walk:
    """One phone that goes wherever a link leads."""

    def __init__(self, stage: Stage, who: str) -> None:
        evening = stage.evening
        phone = stage.house.guest() if who == "guest" else getattr(evening, who)
        phone.get("/start")
        self.page = stage.context(phone, viewport=PHONE, has_touch=True).new_page()
        stage.hear(self.page)
        self._url = stage.url
        self._kinds = stage.house.app.url_map.bind("")
        self._left = ["/", f"/g/{evening.game_id}/", "/table"]

    def pages(self) -> Iterator[str]:
        """Show one page of each kind; a kind is an address, and what it asks."""
        seen = set()
        while self._left:
            path = self._left.pop(0)
            if self._kind(path) in seen:
                continue
            self.page.goto(self._url + path)
            seen |= {self._kind(path)}
            if (here := self._kind(self.page.url)) != self._kind(path) and here in seen:
                continue
            seen |= {here}
            self._left += self.page.evaluate(LINKS)
            self._ready()
            yield path

    def _ready(self) -> None:
        expect(self.page.locator("html")).to_have_class(re.compile("has-script"))

    def _kind(self, address: str) -> tuple[str, tuple[str, ...]]:
        parts = urlsplit(address)
        try:
            endpoint, _ = self._kinds.match(parts.path)
        except HTTPException:
            return "/" if "." in parts.path else parts.path, ()
        asked = tuple(sorted(x.partition("=")[0] for x in parts.query.split("&")))
        return endpoint, asked

    def tap_switches(self) -> int:
        """Turn each switch that is shown, and turn it back."""
        shown = self.page.locator("[data-switch]:visible").all()
        for switch in shown:
            name = switch.get_attribute("data-switch")
            for _ in ("there", "and back"):
                was = switch.get_attribute("aria-pressed")
                switch.tap()
                isnt = "false" if was == "true" else "true"
                expect(switch).to_have_attribute("aria-pressed", isnt)
                kept = self.page.evaluate("name => localStorage[name]", name)
                assert kept == ("on" if isnt == "true" else "off")
        return len(shown)

    def answer_the_offer(self) -> int:
        """Sit down, or tap on the table's screen, and give each answer once."""
        offer = self.page.locator("#sound-offer")
        if offer.count() == 0:
            return 0
        for answer in ("on", "off"):
            self.page.evaluate(SIT_DOWN)
            self.page.reload()
            self._ready()
            if offer.get_attribute("data-when") == "tap":
                self.page.touchscreen.tap(*CORNER)
            for arrived in self.page.locator("#banner details[open] summary").all():
                arrived.tap()  # It lies over the page until it is folded.
            for size in (SMALL, PHONE):
                self.page.set_viewport_size(size)
                expect(offer).to_be_in_viewport(ratio=1)
            offer.locator(f"button[value={answer}]").tap()
            expect(offer).to_be_hidden()
            self.page.wait_for_function(KEPT, arg=answer)
        return 1

    def choose(self) -> int:
        """Choose whatever can be: a theme, a language; then what was chosen before."""
        groups = self.page.locator("fieldset:has([aria-pressed]):visible").all()
        for group in groups:
            buttons = group.locator("button")
            chosen = group.locator("[aria-pressed=true]").get_attribute("value")
            values = buttons.evaluate_all("all => all.map(x => x.value)")
            for value in [*(x for x in values if x != chosen), chosen]:
                button = group.locator(f"button[value={value}]")
                button.tap()
                expect(button).to_have_attribute("aria-pressed", "true")
                look = self.page.evaluate(LOOK)
                self.page.reload()
                assert self.page.evaluate(LOOK) == look, (
                    f"{value} waits for the next page"
                )
        return len(groups)

    def open(self) -> int:
        """Open and close what opens, one of each kind, and leave it open."""
        seen: list[str] = []
        while True:
            found = self.page.evaluate_handle(OPENS, seen)
            summary = found.get_property("0").as_element()
            if summary is None:
                return len(seen)
            seen.append(found.get_property("1").json_value())
            for _ in ("open", "shut", "open"):
                was = summary.evaluate("x => x.parentElement.open")
                summary.tap()
                assert summary.evaluate("x => x.parentElement.open") != was, seen


@pytest.mark.parametrize(
    "case", sampled(CASES), ids=lambda x: f"{x[0].__name__}-{x[1]}"
)
def test_all_that_a_page_offers_is_answered(browser: Browser, case: Case) -> None:
    scene, who = case
    with staged(browser, scene) as stage:
        walk = Walk(stage, who)
        counts = {}
        for path in walk.pages():
            tried = (walk.answer_the_offer, walk.tap_switches, walk.choose, walk.open)
            counts[path] = [one() for one in tried]
            assert stage.mistakes == [], (path, counts[path])
        assert any(sum(one) for one in counts.values())
