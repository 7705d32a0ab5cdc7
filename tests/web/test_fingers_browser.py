"""Fingers that tap whatever they see: no page leaves them in the lurch.

Five phones in one game, another one open beside it, two screens that watch, and nobody
who knows the rules. After each tap each page owes: something to do or somebody to wait
for, and a way on; no mistake of ours; nothing else under a finger that was about to
come down. On a screen no text lies over another.
"""

from __future__ import annotations

import os
import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page, Response

from tests.chromium import let_go, new_context
from tests.sample import sampled, volume
from tests.web.conftest import Evening, House, Phone, make_evening
from tests.web.guided_table import OTHERS, lead
from tests.web.play.test_play import seeded
from tests.web.scenes import Stage, staged
from tests.web.seats.test_screen_fit_browser import LYING_OVER
from tests.web.served import still
from tests.web.whole_words import SCRIPT as WORDS

pytestmark = pytest.mark.browser

EYES = (Path(__file__).parent / "fingers.js").read_text("utf-8")
BOXES = ("classic", "crooked-cash", "grab-and-go", "mega", "secret-vault")
QUICK_TAPS = 40
TAPS = int(os.environ.get("FINGERS", "620"))
"""Taps of a long evening; the proofs' twenty tap for an hour, at 200 a minute."""
HTML_BYTES_MAX = 60_000
LOOKS = (
    ((320, 568), "light", "en"),
    ((360, 740), "dark", "en"),
    ((375, 667), "light", "de"),
    ((390, 844), "dark", "en"),
    ((390, 664), "light", "en"),
)
"""Each phone's size, theme and language."""

SCREENS = {
    "/table": ((1280, 800), "dark", "de"),
    "/table?game={j}": ((1024, 768), "dark", "en"),
}
"""The address of each screen, with its size, theme and language."""
GLANCE = 5
"""After so many taps somebody looks at the screens."""

RARE = (
    *("leave", "resign", "remove-seat", "close", "throw-away", "hand-banker"),
    *("take", "resume"),
)
"""What ends the game for a seat, by the last word of its address: rarely tapped."""

SETTLED = "window.fingerSettled?.().then(() => ({{seen: {what}}}))"
"""Looks once the page shows what it has asked for; nothing where it is yet to load."""
SCROLLS = 0.1
"""How often a finger scrolls and does not tap."""
TYPED = ("1", "20", "150", "1x0", "Zoë")


def five(house: House, box: str, phones: list[Phone]) -> Evening:
    """Four people at a led game, Anna with the bank, and somebody at the door.

    An older game is open at another table.
    """
    house.table.open_game(box, "The other table", "open-the-other")
    house.clock.leap(1_000)
    evening = make_evening(house, box)
    others = [house.seated(evening.game_id, *who) for who in OTHERS[:2]]
    phones += [evening.anna, evening.ben, *others, house.guest()]
    evening.host.do(evening.game_id, "hand-banker", to="red")
    lead(evening, box)
    return evening


class Fingers:
    """Five phones, and a hand that follows from a seed."""

    def __init__(self, stage: Stage, phones: list[Phone], seed: int) -> None:
        self._dice = random.Random(seed)
        seeded(stage.house, random.Random(seed))
        self._stage = stage
        self._told: list[str] = []
        self._asked: set[int] = set()
        self._pages = [
            self._opened(phone, *look)
            for phone, look in zip(phones, LOOKS, strict=True)
        ]
        self._screens = [
            self._opened(stage.house.guest(), *look, path)
            for path, look in SCREENS.items()
        ]

    def _opened(
        self,
        phone: Phone,
        size: tuple[int, int],
        theme: str,
        language: str,
        path: str = "/g/{j}/",
    ) -> Page:
        phone.get("/start")
        viewport = {"width": size[0], "height": size[1]}
        context = self._stage.context(phone, viewport=viewport, has_touch=True)
        context.add_init_script(EYES)
        chosen = {"theme": theme, "language": language}
        context.add_cookies(
            [{"name": x, "value": chosen[x], "url": self._stage.url} for x in chosen]
        )
        page = context.new_page()
        self._stage.hear(page)
        page.on("response", self._sized)
        page.goto(self._stage.url + path.format(j=self._stage.evening.game_id))
        return page

    def _sized(self, answer: Response) -> None:
        is_page = answer.headers.get("content-type", "").startswith("text/html")
        size = int(answer.headers.get("content-length", 0))
        if is_page and size > HTML_BYTES_MAX:
            where = f"{answer.request.method} {answer.url}"
            self._stage.mistakes.append(f"{where}: {size} bytes of HTML")

    def tap(self) -> None:
        """Tap something on one of the phones, and look at all of them."""
        every = range(len(self._pages))
        urged = [x for x in every for _ in range(6 if x in self._asked else 1)]
        at = self._dice.choice(urged)
        page = self._pages[at]
        targets = self._seen(page, "fingerTargets()")
        if not targets or self._dice.random() < SCROLLS:
            self._seen(page, f"scrollBy(0, {self._dice.choice((-900, 300, 600))})")
            return
        target = self._dice.choice([x for x in targets for _ in range(wish(x))])
        self._told.append(f"phone {at}: {target['words']!r} {target['does']}")
        for one in self._pages:
            if one is not page:
                self._seen(one, f"fingerAims({self._dice.random()})")
        try:
            self._touch(page, target)
        except Error as gone:  # It went as the finger came down.
            self._told.append(f"  … {gone.message[:80]}")
        for number in every:
            self._look(number)
        if cut := self._seen(page, f"({WORDS})()"):
            raise AssertionError(self._words(f"phone {at} at {page.url}: {cut}"))
        if len(self._told) % GLANCE == 0:
            self._glance()

    def _glance(self) -> None:
        """Look at both screens, between the peaks of the evening."""
        for screen in self._screens:
            self._seen(screen, "true")
            is_peak = screen.locator(".flash.peak").count()
            over = [] if is_peak else still(screen).evaluate(LYING_OVER)
            if over or self._stage.mistakes:
                faults = [*over, *self._stage.mistakes]
                raise AssertionError(self._words(f"screen at {screen.url}: {faults}"))

    def _touch(self, page: Page, target: dict[str, Any]) -> None:
        x, y = target["at"]
        if target["kind"] == "select":
            page.evaluate(CHOOSE, [x, y, self._dice.random()])
            return
        page.touchscreen.tap(x, y)
        if target["kind"] == "field":
            page.keyboard.press("Control+A")
            page.keyboard.type(self._dice.choice(TYPED))

    def _look(self, number: int) -> None:
        page = self._pages[number]
        looked = self._seen(page, "fingerLooks()")
        self._asked ^= (
            {number} if looked["isAsked"] != (number in self._asked) else set()
        )
        faults = [*self._stage.mistakes, *looked["owed"]]
        assert not faults, self._words(f"phone {number} at {page.url}: {faults}")

    def _seen(self, page: Page, what: str) -> Any:
        """Ask a page that is whole; one that is just being replaced is asked again."""
        while True:
            try:
                told = page.evaluate(SETTLED.format(what=what))
            except Error as gone:
                if "context was destroyed" not in gone.message:
                    raise
                continue
            if told:
                return told["seen"]

    def _words(self, what: str) -> str:
        return "\n".join([what, "after these taps:", *self._told])


CHOOSE = """([x, y, share]) => {
  const list = document.elementFromPoint(x, y)?.closest("select");
  if (!list) return;
  list.selectedIndex = Math.floor(share * list.options.length);
  list.dispatchEvent(new Event("input", { bubbles: true }));
  list.dispatchEvent(new Event("change", { bubbles: true }));
}"""


def wish(target: dict[str, Any]) -> int:
    """Return how much a finger wants it: most of all what is asked."""
    if any(f"/{word} " in f"{target['does']} " for word in RARE):
        return 1
    return {"act": 40, "banner": 20, "top": 6}.get(target["where"], 3)


def tapped(browser: Browser, box: str, seed: int, taps: int) -> None:
    phones: list[Phone] = []
    with staged(browser, partial(five, box=box, phones=phones)) as stage:
        fingers = Fingers(stage, phones, seed)
        for _ in range(taps):
            fingers.tap()


OWING = """<body style="width: 200vw"><p id="twice"></p><p id="twice"></p>
<main><a class="skip" href="#main">Skip</a></main>"""
BARTERED = """<h1>Ben asks</h1><main id="live"><a href="/before">Pay</a></main>"""
SWAPPED = """() => {
  document.querySelector("main a").href = "/after";
  dispatchEvent(new Event("companion:shown"));
}"""


def test_the_eyes_see_what_a_page_owes(browser: Browser) -> None:
    context = new_context(browser, viewport={"width": 320, "height": 568})
    owing, bartered = context.new_page(), context.new_page()
    for page, html in ((owing, OWING), (bartered, BARTERED)):
        page.set_content(html)
        page.add_script_tag(content=EYES)
    assert owing.evaluate("fingerLooks().owed") == [
        "2 things are called twice",
        "the page is wider than the phone",
        "the page has no heading",
        "nothing to do here, and nobody to wait for",
        "no way on from here",
    ]
    bartered.evaluate("fingerAims(0)")
    bartered.evaluate(SWAPPED)
    slips = ["under a finger: goes to /before, and then goes to /after"]
    assert bartered.evaluate("fingerLooks().owed") == slips
    let_go(context)


@pytest.mark.parametrize("box", sampled(reversed(BOXES)))
def test_no_tap_leads_to_a_dead_end(browser: Browser, box: str) -> None:
    tapped(browser, box, seed=1, taps=QUICK_TAPS)


@pytest.mark.parametrize("seed", volume((2, 3, 4, 5)))
@pytest.mark.parametrize("box", BOXES)
def test_no_tap_of_a_long_evening_does(browser: Browser, box: str, seed: int) -> None:
    tapped(browser, box, seed=seed, taps=TAPS)
