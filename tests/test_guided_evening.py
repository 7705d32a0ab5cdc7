"""A whole guided evening in a real Chromium over the real program.

Three phones play the quick game by what their pages offer and nothing else, pack
it away in the middle, lose the power, set it up again from the page, and play on to
the scores. Real dice and cards lie on the table: the seed throws and draws them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.running import RunningTable
from tests.test_evening import phone

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SEED = random.SystemRandom().randrange(10**6)
NAMES = ("Anna", "Ben", "Cleo")
TAPS_BEFORE_PAUSE = 16
TAPS_MAX = 160


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
        page.get_by_label("six digits").fill(table.code)
        page.get_by_role("button", name="Open the bank").tap()
        page.locator("label.box", has_text="Grab & Go").tap()
        page.get_by_label("What do you call this evening?").fill("Saturday")
        page.get_by_role("button", name="Open the game").tap()
        page.wait_for_url(re.compile(r"/g/[0-9a-f]{12}/join"))
        self._sit(page, NAMES[0])
        return page, page.url.split("/")[4]

    def _join(self, browser: Browser, table: RunningTable, name: str) -> Page:
        page = phone(browser, f"{table.address}/g/{self.game}/join")
        self._sit(page, name)
        return page

    def _sit(self, page: Page, name: str) -> None:
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name=re.compile("^Sit down")).tap()
        expect(page.locator("h1")).to_contain_text(name)

    def begin(self) -> None:
        """The banker chooses the quick game with real dice and cards."""
        page = self.banker
        page.get_by_role("link", name="Bank").tap()
        page.get_by_role("link", name="Let the companion lead").tap()
        for chip in ("Quick", "type what they show", "real cards"):
            page.locator("label.chip", has_text=chip).tap()
        page.get_by_role("button", name="Begin to play").tap()
        self.go_home()

    def go_home(self) -> None:
        """Every phone shows its own seat."""
        for page in self.phones:
            page.goto(self.address(page, ""))
            expect(page.locator(".now")).to_be_visible()

    def address(self, page: Page, last: str) -> str:
        """The address of a page of this game."""
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
        assert not until, f"seed {SEED}: never came to {until!r}; {self.taps}"

    def says(self, words: str) -> bool:
        """Whether the table waits for that."""
        return words in self.banker.locator(".now h2").inner_text().lower()

    def tap_once(self) -> None:
        """One move of a seat that has one, seen on every phone."""
        page, button = next(self.offers())
        before = revision(self.banker)
        if page.locator(".faces").count():
            page.locator("label.face").nth(self.chance.randrange(6)).tap()
            button = page.locator("button.face").nth(self.chance.randrange(6))
        self.taps.append(button.inner_text().strip() or "dice")
        button.tap()
        self.wait_past(before)

    def wait_past(self, before: int) -> None:
        """Every phone shows what came after *before*."""
        for page in self.phones:
            page.wait_for_function(
                "before => Number(document.querySelector('#live').dataset.revision)"
                " > before",
                arg=before,
            )

    def offers(self) -> Iterator[tuple[Page, Locator]]:
        """What can be tapped, most of all by the seat that is waited for."""
        for page in self.phones:
            found = page.locator(".hand button.brass, .hand button.face")
            if found.count():
                yield page, found.first
        for page in self.phones:
            found = page.locator(".hand button.quiet:visible")
            if found.count():
                yield page, found.nth(self.chance.randrange(found.count()))
        for page in self.phones:
            last = page.locator(".hand summary", has_text="I cannot pay")
            if last.count():
                last.tap()
                yield page, page.get_by_role("button", name="I am bankrupt")
        raise AssertionError(f"seed {SEED}: nobody can do anything; {self.taps}")

    def correct(self, *lines: str) -> None:
        """The banker types what the table agrees on."""
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
        count = page.locator(".tick").count()
        for done in range(1, count + 1):
            page.locator(".step:not(.done) .tick").first.tap()
            expect(page.locator(".step.done")).to_have_count(done)
        return count

    def money(self) -> list[str]:
        """What each phone says that it has."""
        figures = [page.locator(".purse .figure") for page in self.phones]
        return [figure.get_attribute("data-amount") or "" for figure in figures]


def revision(page: Page) -> int:
    return int(page.locator("#live").get_attribute("data-revision") or 0)


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
        banker.get_by_role("link", name="Bank").tap()
        banker.get_by_role("link", name="Pause and pack up").tap()
        packed = evening.tick_all()
        banker.get_by_role("button", name="Packed: put the game away").tap()
        expect(banker.get_by_role("link", name="Set up")).to_be_visible()
        table.kill()
        port = table.port

    with RunningTable(data, port):
        banker.goto(evening.address(banker, "pause?way=set-up"))
        assert evening.tick_all() == packed
        banker.get_by_role("button", name="Go on with the game").tap()
        evening.go_home()
        assert evening.money() == money, f"seed {SEED}"

        # Two are led onto a hotel that nobody can pay for.
        for loser in ("blue", "green"):
            evening.play("roll", TAPS_MAX)
            evening.correct(
                "red owns boardwalk park-place",
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
