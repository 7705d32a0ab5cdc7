"""A whole guided evening in a real Chromium over the real program.

Three phones play the quick game by what their pages offer and nothing else, pack
it away in the middle, lose the power, set it up again from the page, and play on to
the scores. Real dice and cards lie on the table: the seed throws and draws them.
"""

from __future__ import annotations

import os
import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, TimeoutError

from tests.chromium import expect
from tests.running import RunningTable
from tests.test_evening import phone

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SEED = int(os.environ.get("SEED") or random.SystemRandom().randrange(10**6))
NAMES = ("Anna", "Ben", "Cleo")
SEATS_PAGE = re.compile(r"/g/[0-9a-f]{12}/$")
TAPS_BEFORE_PAUSE = 16
TAPS_MAX = 160
TRIES = 5
TAP_MS = 3_000

LOOK = """() => ({
  revision: Number(document.querySelector("#live").dataset.revision),
  headline: document.querySelector(".now h2")?.textContent.trim() ?? "",
  message: document.querySelector("#message").textContent.trim(),
  buttons: [...document.querySelectorAll("#act .hand button")].map((button, at) => ({
    at,
    kind: button.className.split(" ")[0],
    words: button.querySelector(".verb")?.textContent ?? "",
    is_shown: button.checkVisibility(),
  })),
})"""
"""All that is to be known of a phone, at one moment."""

GIVE_UP = "I am bankrupt"


@dataclass(frozen=True)
class Offer:
    """A button of one phone, as it was seen at one revision.

    Attributes:
        phone: Whose it is, from 0.
        revision: What the page showed.
        at: Which button of the hand it is, from 0.
        kind: Its class: ``brass``, ``quiet``, or ``face`` for a die.
        words: What it says; empty for a die.
        is_shown: Whether it can be seen, and tapped at once.
    """

    phone: int
    revision: int
    at: int
    kind: str
    words: str
    is_shown: bool

    @property
    def hand(self) -> str:
        """The hand it lies in, for as long as the page is the one that was seen."""
        return f'#live[data-revision="{self.revision}"] ~ #act .hand'


class Evening:
    """Three phones around a table, and the dice in somebody's hand.

    Attributes:
        taps: How many moves were made so far, by the words on the button.
    """

    def __init__(self, browser: Browser, table: RunningTable) -> None:
        self.chance = random.Random(SEED)
        self.taps: list[str] = []
        self.banker, self.game = self._open(browser, table)
        others = [self._join(browser, table, name) for name in NAMES[1:]]
        self.phones = [self.banker, *others]

    def _open(self, browser: Browser, table: RunningTable) -> tuple[Page, str]:
        page = phone(browser, table.address)
        assert table.code is not None
        page.get_by_label("The digits").fill(table.code)
        page.locator("label.box", has_text="Grab & Go").tap()
        page.locator("summary", has_text="only watch").tap()
        page.get_by_label("What do you call this evening?").fill("Saturday")
        page.get_by_role("button", name="The companion leads").tap()
        page.wait_for_url(re.compile(r"/g/[0-9a-f]{12}/join"))
        self._sit(page, NAMES[0])
        expect(page.locator("h1")).to_have_text("Scan to join")
        return page, page.url.split("/")[4]

    def _join(self, browser: Browser, table: RunningTable, name: str) -> Page:
        page = phone(browser, f"{table.address}/g/{self.game}/join")
        self._sit(page, name)
        expect(page.locator("h1")).to_contain_text(name)
        return page

    def _sit(self, page: Page, name: str) -> None:
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name=re.compile("^Sit down")).tap()

    def begin(self) -> None:
        """Have the banker choose the quick game with real dice and cards."""
        page = self.banker
        page.locator("summary", has_text="Dice, cards and house rules").tap()
        for chip in ("Quick", "type what they show", "real cards"):
            page.locator("label.chip", has_text=chip).tap()
        page.get_by_role("button", name="Begin to play").tap()
        page.wait_for_url(SEATS_PAGE)
        self.go_home()

    def go_home(self) -> None:
        """Show each phone its own seat."""
        for page in self.phones:
            page.goto(self.address(page, ""))
            expect(page.locator(".now")).to_be_visible()

    def address(self, page: Page, last: str) -> str:
        """Return the address of a page of this game."""
        return f"{'/'.join(page.url.split('/')[:3])}/g/{self.game}/{last}"

    # Moves.

    def play(self, until: str, most: int) -> None:
        """Tap whatever is offered first until the headline of a phone says *until*.

        Without *until*, tap *most* times; with it, fewer have to do.
        """
        for _ in range(most):
            if until and self.says(until):
                return
            self.tap_once()
        assert not until, f"never came to {until!r}; {self.clue()}"

    def says(self, words: str) -> bool:
        """Whether the table waits for that."""
        return any(words in one["headline"].lower() for one in self.look())

    def tap_once(self) -> None:
        """One move of a seat that has one, seen on every phone."""
        for _ in range(TRIES):
            offer = self.choose()
            try:
                self.tap(offer)
            except TimeoutError:
                continue  # The page was put in anew meanwhile: look again.
            self.taps.append(offer.words or "dice")
            self.wait_past(offer.revision)
            return
        raise AssertionError(f"{TRIES} times nothing could be tapped; {self.clue()}")

    def look(self) -> list[dict[str, Any]]:
        """Return what each phone shows, once all show one revision."""
        while True:
            seen = [page.evaluate(LOOK) for page in self.phones]
            newest = max(one["revision"] for one in seen)
            if all(one["revision"] == newest for one in seen):
                return seen
            self.wait_past(newest - 1)

    def choose(self) -> Offer:
        """Choose what is tapped next, mostly by the seat that is waited for."""
        offers = [
            Offer(number, phone["revision"], **button)
            for number, phone in enumerate(self.look())
            for button in phone["buttons"]
        ]
        moves = [one for one in offers if one.is_shown and one.words != GIVE_UP]
        for kinds in (("brass", "face"), ("quiet",)):
            found = [one for one in moves if one.kind in kinds]
            if found:
                same = [one for one in found if one.phone == found[0].phone]
                return self.chance.choice(same) if kinds == ("quiet",) else same[0]
        for offer in offers:
            if offer.words == GIVE_UP:
                return offer
        raise AssertionError(f"nobody can do anything; {self.clue()}")

    def tap(self, offer: Offer) -> None:
        """Do it with a finger, unless the phone shows something else by now."""
        hand = self.phones[offer.phone].locator(offer.hand)
        if offer.kind == "face":
            for name in ("label.face", "button.face"):
                die = hand.locator(name).nth(self.chance.randrange(6))
                die.tap(timeout=TAP_MS)
            return
        hand.locator("button").nth(offer.at).tap(timeout=TAP_MS)

    def wait_past(self, before: int) -> None:
        """Wait until every phone shows what came after *before*."""
        for page in self.phones:
            try:
                page.wait_for_function(
                    "before => Number(document.querySelector('#live').dataset.revision)"
                    " > before",
                    arg=before,
                )
            except TimeoutError:
                raise AssertionError(f"still at {before}; {self.clue()}") from None

    def clue(self) -> str:
        """Return what leads back to this evening."""
        seen = [page.evaluate(LOOK) for page in self.phones]
        return f"SEED={SEED}, taps {self.taps}, phones {seen}"

    def correct(self, *lines: str) -> None:
        """Have the banker type what the table agrees on."""
        page = self.banker
        page.goto(self.address(page, "correct"))
        for words in lines:
            before = revision(page)
            field = page.get_by_label("What is so?")
            if not field.is_visible():
                page.locator("summary", has_text="Anything else").tap()
            field.fill(words)
            page.locator("form", has=field).get_by_role("button").tap()
            self.wait_past(before)
        page.goto(self.address(page, ""))

    # Packing.

    def tick_all(self) -> int:
        """Tick every step of the banker's list; gives how many there were."""
        page = self.banker
        expect(page.locator(".tick").first).to_be_visible()
        page.wait_for_load_state()
        count = page.locator(".tick").count()
        for done in range(1, count + 1):
            page.locator(".step:not(.done) .tick").first.tap()
            expect(page.locator(".step.done")).to_have_count(done)
        return count

    def money(self) -> list[str]:
        """Return the money that each phone shows."""
        figures = [page.locator(".purse .figure") for page in self.phones]
        return [figure.get_attribute("data-amount") or "" for figure in figures]


def revision(page: Page) -> int:
    return int(page.locator("#live").get_attribute("data-revision") or 0)


@pytest.mark.volume
def test_a_quick_game_with_a_pause_and_a_power_cut(
    tmp_path: Path, browser: Browser
) -> None:
    data = tmp_path / "data"
    with RunningTable(data) as table:
        evening = Evening(browser, table)
        evening.begin()
        evening.play("", TAPS_BEFORE_PAUSE)
        money = evening.money()

        banker = evening.banker
        banker.get_by_role("link", name="More").tap()
        banker.get_by_role("link", name="Pause").tap()
        banker.get_by_role("button", name="Yes, on the table").tap()
        packed = evening.tick_all()
        banker.get_by_role("button", name="Packed: put the game away").tap()
        expect(banker.locator("h1")).to_have_text("This game was put away.")
        table.kill()
        port = table.port

    with RunningTable(data, port):
        banker.goto(evening.address(banker, "pause?way=set-up"))
        assert evening.tick_all() > packed  # And how it goes on.
        banker.get_by_role("button", name="Go on with the game").tap()
        banker.wait_for_url(SEATS_PAGE)
        evening.go_home()
        assert evening.money() == money, f"seed {SEED}"

        # Two are led onto a hotel that nobody can pay for.
        for loser in ("blue", "green"):
            evening.play("roll", TAPS_MAX)
            evening.correct(
                "red owns boardwalk park-place",
                "boardwalk unmortgaged",
                "park-place unmortgaged",
                "boardwalk hotels 1",
                f"{loser} on 37",
                f"turn {loser}",
            )
            evening.chance = Twos()
            evening.play("owes", 12)
            evening.chance = random.Random(SEED)
        evening.play("over", TAPS_MAX)
        for page in evening.phones:
            page.get_by_role("link", name="See the scores").tap()
            expect(page.locator("h1")).to_contain_text("Anna")


class Twos(random.Random):
    """Both dice show one."""

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """Always the first."""
        return 0
