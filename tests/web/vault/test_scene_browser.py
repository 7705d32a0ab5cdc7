"""The night at the vault in a real Chromium: what the whole table watches, in order.

The lock is the real one over a simulated vault, and its clock stands until a test
moves it; so a scene lasts as long as a test wants to look at it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page

from companion.game import commands as c
from companion.game import moves as m
from companion.game.position import OPENING
from companion.lock.states import VaultState
from companion.units import Seat
from tests.chromium import LIVELY, expect, let_go
from tests.sample import SLOW, VOLUME, sampled
from tests.web.conftest import Phone
from tests.web.http.test_one_moment_browser import Held, is_refresh
from tests.web.night import SECRET, Night
from tests.web.served import RealAddress

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PHONE = {"width": 390, "height": 844}
SMALL = {"width": 320, "height": 640}
WIDE = {"width": 1280, "height": 800}
TELEVISION = {"width": 1920, "height": 1080}
LONG_NAMES = {"red": "Annegret von Hohenstauf", "blue": "Benedikt der Siebzehnte"}

WATCH = """() => {
  window.scenes = [];
  const note = (stage) => {
    const { scene } = stage.dataset;
    if (scene && scene !== window.scenes.at(-1)) window.scenes.push(scene);
  };
  new MutationObserver((changes) => changes.forEach((one) => note(one.target)))
    .observe(document, { subtree: true, attributeFilter: ["data-scene"] });
}"""
"""Writes down every scene of a page in the order in which it came."""

PLAYED = "(scene) => window.scenes.includes(scene)"

MOVING = """() => document.getAnimations()
  .filter((one) => one.playState === "running")
  .filter((one) => !one.effect.getTiming().easing.startsWith("steps"))
  .map((one) => one.animationName ?? one.transitionProperty ?? "script")"""
"""What moves now. A row of the table's screen that changes places is held where it was,
and put there in one step: nothing is seen on its way."""

CUT_OFF = """() => {
  const stage = document.querySelector("[data-vault-scene]").getBoundingClientRect();
  const drawn = [...document.querySelectorAll("#vault-scene *, .v-body")];
  const outside = drawn.filter((one) => {
    const { width, height, top, right, bottom, left } = one.getBoundingClientRect();
    const isSeen = getComputedStyle(one).clipPath === "none" && !one.closest(".hush");
    return width > 1 && height > 1 && isSeen && !one.closest(".h-night")
      && (top < stage.top - 1 || bottom > stage.bottom + 1
        || left < stage.left - 1 || right > stage.right + 1);
  });
  const names = outside.map((one) => one.className || one.tagName);
  const isWide = document.documentElement.scrollWidth > innerWidth;
  return isWide ? [...names, "sideways"] : names;
}"""


class Watched(RealAddress):
    """A night with browsers before it."""

    def __init__(self, folder: Path, browser: Browser) -> None:
        self.night = Night(folder)
        self.night.house.host()  # The screen shows the game, not the first code.
        super().__init__(self.night.house.app, browser)

    def page(
        self,
        path: str,
        size: dict[str, int] = WIDE,
        phone: Phone | None = None,
        *,
        is_still: bool = False,
        **more: object,
    ) -> Page:
        """A page; while *is_still*, no scene of it ends by itself."""
        page = self.context(phone, viewport=size, **more).new_page()
        page.on("pageerror", lambda error: self.mistakes.append(str(error)))
        page.on("console", self._hear)
        if is_still:
            page.clock.install(time=0)
            page.clock.pause_at(60_000)
        page.goto(self.url + path)
        return page

    def _hear(self, said: ConsoleMessage) -> None:
        if "navigator.vibrate" not in said.text:  # No finger has touched this machine.
            self.mistakes.append(said.text)

    def until(
        self,
        page: Page,
        is_so: Callable[[], bool],
        let_pass: Callable[[], None] | None = None,
    ) -> None:
        """Let time pass at the vault until what hands have posted has come of it."""
        for _ in range(1_500):
            (let_pass or self.night.settle)()
            if is_so():
                return
            page.wait_for_timeout(10)
        raise AssertionError("it never was so")

    def ask_the_lock(self) -> None:
        """Enough time for M to be felt and answered, too little for the lid."""
        for _ in range(6):
            self.night.house.clock.advance(20)
            self.night.keeper.process()

    def lid(self) -> str:
        play = self.night.house.table.game(self.night.game).play
        assert play is not None
        assert play.vault_contents is not None
        return play.vault_contents.lid

    def close(self) -> None:
        try:
            self.hang_up()
        finally:
            self.night.keeper.stop()
            self.night.house.table.close()
            self.end()
            self.night.house.database.close()


@pytest.fixture
def watched(tmp_path: Path, browser: Browser) -> Iterator[Watched]:
    made = Watched(tmp_path, browser)
    yield made
    made.close()
    assert made.mistakes == []


def expect_scene(scene: str, *pages: Page) -> None:
    for page in pages:
        stage = page.locator("[data-vault-scene]")
        expect(stage).to_have_attribute("data-scene", scene)


def seen(page: Page) -> list[str]:
    """All scenes but the quiet ones, and without a breath that had to be let go."""
    scenes: list[str] = page.evaluate("window.scenes")
    loud = [scene for scene in scenes if scene != "idle"]
    pairs = itertools.pairwise(["", *loud])
    return [now for before, now in pairs if (before, now) != ("held", "due")]


def felt(page: Page, path: str) -> AbstractContextManager[object]:
    """What hands do in it has reached the vault at its end, and time stood still.

    The clock of a test is one for all threads, and knows no two at once.
    """
    return page.expect_response(f"**/vault/{path}")


def roll(watched: Watched, seat: str, *dice: int) -> None:
    watched.night.give(m.Roll(by=seat, dice=dice))


def whole_night(watched: Watched) -> Iterator[str]:
    """The night, scene by scene, by hands at the vault alone."""
    night = watched.night
    hands = night.coupling.hands
    assert hands is not None
    night.lock()
    yield "idle"
    roll(watched, "red", 2, 3)
    yield "due"
    night.press_m(1)
    night.settle()
    yield "wrong"
    roll(watched, "blue", 2, 3)
    night.device.is_jammed = True
    night.press_m(SECRET)
    watched.ask_the_lock()
    yield "opening"
    for _ in range(3):
        night.settle()
    yield "jammed"
    night.device.is_jammed = False
    hands.force_lid()  # A hand helps it up.
    night.settle()
    yield "riches"
    night.give(m.Unlock(by="blue", deed="boardwalk"))
    yield "refill"
    night.lock()
    hands.force_lid()
    night.settle()
    yield "forced"


def due(watched: Watched) -> None:
    """Anna's guess is due."""
    watched.night.lock()
    roll(watched, "red", 2, 3)


@pytest.mark.parametrize("motion", sampled(["reduce", LIVELY]))
def test_the_whole_table_watches_a_wrong_guess_and_then_the_opening(
    watched: Watched, motion: str
) -> None:
    night = watched.night
    night.lock()
    vault = watched.page("/vault", PHONE, has_touch=True, reduced_motion=motion)
    screen = watched.page("/table", reduced_motion=motion)
    ben = watched.page(f"/g/{night.game}/", PHONE, night.ben)
    for page in (vault, screen):
        expect_scene("idle", page)
        page.evaluate(WATCH)

    roll(watched, "red", 2, 3)
    expect_scene("due", vault, screen)
    for page in (vault, screen):
        words = page.locator("#vault-scene")
        expect(words.locator(".h-name")).to_have_text("Anna")
        expect(words.locator(".h-hoard")).to_contain_text("4 x $100")
        expect(words).to_contain_text("This guess is free.")
    with felt(vault, "press"):
        vault.get_by_role("button", name="Press M").tap()
    watched.until(vault, lambda: night.keeper.view().tries_count == 1)
    for page in (vault, screen):
        page.wait_for_function(PLAYED, arg="wrong")
        expect(page.locator(".h-miss")).to_contain_text("Anna guessed 1")
        expect(page.locator(".h-miss")).to_contain_text("Ben rolls the dice")
        expect(page.locator(".h-numbers s")).to_have_text("1 was wrong")

    roll(watched, "blue", 2, 3)
    expect_scene("due", vault, screen)
    vault.locator("#v-wheel").focus()
    with felt(vault, "turn"):
        vault.keyboard.press(f"{SECRET}")
    watched.until(vault, lambda: night.keeper.view().number == SECRET)
    expect(screen.locator(".h-over")).to_have_attribute("data-number", f"{SECRET}")
    night.device.is_jammed = True  # Until everybody has seen the light in the gap.
    with felt(vault, "press"):
        vault.get_by_role("button", name="Press M").tap()
    watched.until(vault, lambda: watched.lid() == OPENING, watched.ask_the_lock)
    expect_scene("opening", vault, screen)
    assert night.cash("blue") == 3_000

    assert night.coupling.hands is not None
    night.coupling.hands.force_lid()  # A hand helps it up.
    night.device.is_jammed = False
    watched.until(vault, lambda: night.cash("blue") == 3_400)
    expect_scene("riches", vault, screen)
    expect(ben.locator(".balance .figure")).to_have_text("$3,400")
    for page in (vault, screen):
        expect(page.locator(".h-sum .figure")).to_have_text("$400")
        expect(page.locator(".h-loot")).to_be_visible()
        expect(page.locator("#vault-scene [aria-current=step]")).to_have_count(1)

    night.give(m.Unlock(by=Seat("blue"), deed="boardwalk"))
    expect_scene("refill", vault, screen)
    with felt(vault, "lid"):
        vault.get_by_role("button", name="Shut the lid").tap()
    watched.until(vault, lambda: watched.lid() == "shut")
    now = screen.locator("#vault-scene [aria-current=step]")
    expect(now).to_have_count(1)
    expect(now).to_have_text("Press yellow three times.")
    for _ in range(3):
        with felt(vault, "press"):
            vault.get_by_role("button", name="Press yellow;").tap()
    watched.until(vault, lambda: watched.lid() == "locked")
    expect_scene("idle", vault, screen)
    expect(screen.locator(".h-over")).to_be_hidden()

    held = ["due", "held", "wrong", "due", "held", "opening", "riches", "refill"]
    assert seen(vault) == held
    assert seen(screen) == [scene for scene in held if scene != "held"]


@SLOW
def test_who_joins_in_the_middle_sees_the_scene_and_no_replay(
    watched: Watched,
) -> None:
    pages = [watched.page(path, is_still=True) for path in ("/vault", "/table")]
    for scene in whole_night(watched):
        for page in pages:
            with page.expect_response("**/vault/scene"):  # It looks once more.
                page.reload()
            expect_scene(scene, page)
            expect(page.locator("[data-fresh], .flying.note")).to_have_count(0)


def said_at_any_second(words: str) -> re.Pattern[str]:
    """Return a pattern of *words* that also fits a page drawn a second later."""
    assert words.strip()
    plain = r"\s+".join(map(re.escape, words.split()))
    any_count = re.sub(r"\d+\\s\+seconds?", r"\\d+\\s+seconds?", plain)
    return re.compile(rf"^\s*{any_count}\s*$")


@SLOW
def test_calm_people_get_the_same_words_and_no_movement(watched: Watched) -> None:
    calm = [
        watched.page(path, is_still=True, reduced_motion="reduce")
        for path in ("/vault", "/table")
    ]
    lively = watched.page("/table", reduced_motion=LIVELY)
    moving = set()
    for scene in whole_night(watched):
        expect_scene(scene, *calm)
        expect(lively.locator("#vault-scene")).to_have_attribute("data-now", scene)
        if scene == "riches":
            expect(lively.locator(".h-sum .figure")).to_have_text("$400")
        words = said_at_any_second(lively.locator("#vault-scene").text_content() or "")
        for page in calm:
            expect(page.locator("#vault-scene")).to_have_text(words)
            assert page.evaluate(MOVING) == [], scene
            expect(page.locator(".flying.note")).to_have_count(0)
        if lively.evaluate(MOVING):
            moving.add(scene)
    assert {"due", "riches", "forced"} <= moving


@SLOW
def test_without_script_every_scene_is_whole(watched: Watched) -> None:
    for scene in whole_night(watched):
        for path in ("/vault", "/table"):
            page = watched.page(path, PHONE, java_script_enabled=False)
            expect_scene(scene, page)
            if (path, scene) == ("/table", "idle"):
                expect(page.locator(".h-over")).to_be_hidden()
            else:
                head = ".h-miss .h-head" if scene == "wrong" else ".h-now .h-head"
                expect(page.locator(head)).to_be_visible()
                steps = 5 if scene in ("riches", "refill") else 0
                expect(page.locator("#vault-scene .hand-steps li")).to_have_count(steps)
            let_go(page.context)


def test_without_script_a_guess_is_answered_on_the_page(watched: Watched) -> None:
    due(watched)
    page = watched.page("/vault", PHONE, java_script_enabled=False)
    with felt(page, "press"):
        page.get_by_role("button", name="Press M").click()
    watched.until(page, lambda: watched.night.keeper.view().tries_count == 1)
    page = watched.page("/vault", PHONE, java_script_enabled=False)
    expect_scene("wrong", page)
    expect(page.locator(".h-stamp")).to_be_visible()
    expect(page.locator(".h-miss")).to_contain_text("The vault stays locked.")


STAGES = (
    ("/table", TELEVISION),
    ("/vault", SMALL),
    ("/table", WIDE),
    ("/table", PHONE),
    ("/vault", WIDE),
    ("/vault", PHONE),
)


@pytest.mark.parametrize(
    ("locale", "stages"),
    [
        ("de-DE", STAGES[:1]),
        pytest.param("de-DE", STAGES, marks=(SLOW, VOLUME)),
        pytest.param("en-US", STAGES, marks=(SLOW, VOLUME)),
    ],
)
def test_every_scene_fits_its_stage(
    watched: Watched, locale: str, stages: tuple[tuple[str, dict[str, int]], ...]
) -> None:
    roll(watched, "red", 1, 3)  # Income tax: one more kind of money in the vault.
    for words in ("turn red", "red on go"):
        correction = m.CorrectPosition(by=c.TABLE, words=tuple(words.split()))
        watched.night.give(correction)
    for seat, name in LONG_NAMES.items():
        watched.night.give(c.RenameSeat(by=seat, seat=Seat(seat), name=name))
    calm = {"is_still": True, "reduced_motion": "reduce", "locale": locale}
    pages = {path: watched.page(path, **calm) for path, _ in stages}
    for scene in whole_night(watched):
        for path, size in stages:
            expect_scene(scene, pages[path])
            pages[path].set_viewport_size(size)
            if (path, scene) != ("/table", "idle"):  # Then it is not there.
                assert pages[path].evaluate(CUT_OFF) == [], (path, size, scene)


def test_on_the_smallest_phone_m_and_what_to_do_are_seen_without_scrolling(
    watched: Watched,
) -> None:
    calm = {"reduced_motion": "reduce", "locale": "de-DE"}
    page = watched.page("/vault", SMALL, is_still=True, **calm)
    watched.night.lock()
    roll(watched, "red", 2, 3)
    expect_scene("due", page)
    for what in (".v-m", ".h-line", ".h-fee"):
        box = page.locator(f"{what}:visible").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= SMALL["height"], what


WHERE = """() => {
  const body = document.querySelector(".v-body").getBoundingClientRect();
  return [body.x, body.y + scrollY, body.width, body.height].map(Math.round);
}"""


def test_the_drawn_vault_stays_where_it_is_all_night(watched: Watched) -> None:
    sizes = (SMALL, {"width": 390, "height": 844}, {"width": 1280, "height": 800})
    page = watched.page("/vault", SMALL, is_still=True, reduced_motion="reduce")
    seen = set()
    for scene in whole_night(watched):
        expect_scene(scene, page)
        for size in sizes:
            page.set_viewport_size(size)
            seen.add((size["width"], *page.evaluate(WHERE)))
    assert len(seen) == len(sizes)


SLOW_STREAM = """
  window.EventSource = class {
    static OPEN = 1; static CLOSED = 2; readyState = 0;
    addEventListener() {} close() {}
  };
  window.said = [];
  addEventListener("companion:vault", () => { window.hasLooked = true; });
  addEventListener("DOMContentLoaded", () => {
    const sentence = document.getElementById("v-sentence");
    new MutationObserver(() => window.said.push(sentence.textContent))
      .observe(sentence, { childList: true });
  });
"""
"""Nothing comes by the stream; what the vault says is written down."""


LATE = {
    "by hand": "No! 2 is not the number.",
    "led": "The vault is locked. No guess is due now.",  # The scene tells, if at all.
}
"""What a page that is late says first, by who leads the game."""


@pytest.mark.parametrize("lead", LATE)
def test_a_phone_that_is_late_says_the_number_that_was_guessed_by_hand(
    watched: Watched, lead: str
) -> None:
    due(watched)
    if lead == "by hand":
        watched.night.give(m.RestPlay(by=c.TABLE))
    page = watched.context(None, viewport=PHONE).new_page()
    page.add_init_script(SLOW_STREAM)
    page.clock.install(time=0)
    page.clock.pause_at(60_000)
    page.goto(watched.url + "/vault")
    page.clock.run_for(1_100)
    page.wait_for_function("() => window.hasLooked")
    watched.night.press_m(2)
    watched.night.settle()
    hands = watched.night.coupling.hands
    assert hands is not None
    hands.turn(SECRET - 2)  # Before the page looks again.
    watched.night.settle()
    assert watched.night.keeper.view().number == SECRET
    page.clock.run_for(1_100)
    page.wait_for_function("() => window.said.length")
    assert page.evaluate("window.said[0]") == LATE[lead]


def test_a_wrong_guess_leaves_the_stage_by_itself(watched: Watched) -> None:
    due(watched)
    screen = watched.page("/table", is_still=True)
    watched.night.press_m(1)
    watched.night.settle()
    expect_scene("wrong", screen)
    screen.clock.run_for(3_900)
    expect_scene("wrong", screen)
    screen.clock.run_for(100)
    expect_scene("idle", screen)
    expect(screen.locator(".turn h1")).to_contain_text("Ben")


@pytest.mark.slow
def test_a_breath_that_nobody_answers_is_let_go(watched: Watched) -> None:
    due(watched)
    vault = watched.page("/vault", PHONE, has_touch=True)
    vault.evaluate(WATCH)
    with felt(vault, "press"):
        vault.get_by_role("button", name="Press M").tap()
    vault.wait_for_function(PLAYED, arg="held")
    expect_scene("due", vault)
    assert watched.night.keeper.view().tries_count == 0


@pytest.mark.slow
def test_a_screen_that_was_on_before_the_game_shows_its_night(
    watched: Watched,
) -> None:
    watched.night.give(m.RestPlay(by=c.TABLE))
    screen = watched.page("/table")
    expect_scene("", screen)
    watched.night.give(m.ResumePlay(by=c.TABLE))
    due(watched)
    expect_scene("due", screen)
    expect(screen.locator(".h-name")).to_have_text("Anna")


def test_an_owed_opening_counts_its_rest_down_on_every_page(watched: Watched) -> None:
    night = watched.night
    due(watched)
    anna = watched.page(f"/g/{night.game}/", PHONE, night.anna)
    pages = [watched.page("/vault"), watched.page("/table"), anna]
    night.device.is_jammed = True
    night.press_m(SECRET)
    watched.until(pages[0], lambda: watched.lid() == OPENING, watched.ask_the_lock)
    expect(anna.locator("body")).to_contain_text("You opened the vault!")
    for words in ("The latch must rest.", "Press M and help the lid up."):
        for _ in range(5):
            night.settle()
        for page in pages:
            expect(page.locator("body")).to_contain_text(words)
    expect(anna.locator("body")).not_to_contain_text("You opened the vault!")


def test_a_page_from_before_the_lock_spoke_does_not_take_its_words_back(
    watched: Watched,
) -> None:
    night = watched.night
    due(watched)
    anna = watched.page(f"/g/{night.game}/", PHONE, night.anna)
    night.device.is_jammed = True
    night.press_m(SECRET)
    watched.until(anna, lambda: watched.lid() == OPENING, watched.ask_the_lock)
    expect(anna.locator("body")).to_contain_text("You opened the vault!")
    late = Held(anna, f"**/g/{night.game}/", is_refresh)
    watched.until(anna, lambda: night.keeper.view().state is VaultState.JAMMED)
    answer = late.one().fetch()
    for _ in range(5):
        night.settle()
    words = anna.locator(".vault-words")
    expect(words).to_contain_text("Press M and help the lid up.")
    late.one().fulfill(response=answer)
    expect(anna.locator("body")).not_to_contain_text("You opened the vault!")
    expect(words).to_contain_text("Press M and help the lid up.")
