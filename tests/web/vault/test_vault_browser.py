"""The vault's page in a real Chromium: a finger, a mouse, a keyboard, and no script."""

from __future__ import annotations

import math
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Browser, Locator, Page, Response

from companion.lock.states import VaultState
from companion.ports import Line, Signal
from companion.store import Database
from companion.table import VaultParts, build_table
from hardware.clock import SystemClock
from hardware.vault.simulated import SimulatedVault
from tests.chromium import LIVELY, PATIENCE_MS, expect, let_go, new_context
from tests.hands import press_yellow_thrice
from tests.sample import sampled
from tests.web.conftest import Evening, House, app_for
from tests.web.scenes import (
    Shown,
    filling,
    guessing,
    locked,
    opening,
    refilling,
    staged,
)
from tests.web.served import POLL_S, on_loopback
from web.http.panel import Panel
from web.http.settings import PanelSettings

pytestmark = pytest.mark.browser

CODE = 4
SMALL = {"width": 320, "height": 640}
PHONE = {"width": 390, "height": 844}
TABLE = {"width": 1280, "height": 800}


class Bench:
    """A vault on a real clock, served to real browsers."""

    def __init__(self, path: Path, streams_max: int = 48) -> None:
        self.clock = clock = SystemClock()
        self.database = Database(path)
        self.device = SimulatedVault(clock)
        parts = VaultParts(lambda _: self.device, clock, lambda: CODE)
        built = build_table(self.database, clock, vault=parts)
        assert built.vault is not None
        self.table, self.vault = built.service, built.vault
        self.keeper = self.vault.keeper
        self.vault.start()
        app = app_for(Panel(built), PanelSettings(streams_max=streams_max))
        self.server = on_loopback(app)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/vault"
        self.thread = threading.Thread(
            target=self.server.serve_forever, kwargs={"poll_interval": POLL_S}
        )
        self.thread.start()

    def wait_for(self, state: VaultState) -> None:
        """Until the lock is in *state*; a page without script is told nothing."""
        is_there = threading.Event()
        leave = self.keeper.subscribe(
            lambda view: view.state is state and is_there.set()
        )
        is_so = self.keeper.view().state is state
        assert is_so or is_there.wait(PATIENCE_MS / 1000), state
        leave()

    def close(self) -> None:
        self.table.close()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
        self.vault.stop()
        self.clock.close()
        self.database.close()


@pytest.fixture
def make_bench(tmp_path: Path) -> Iterator[Callable[..., Bench]]:
    made: list[Bench] = []

    def make(**more: int) -> Bench:
        made.append(Bench(tmp_path, **more))
        return made[-1]

    yield make
    for bench in made:
        bench.close()


@pytest.fixture
def bench(make_bench: Callable[..., Bench]) -> Bench:
    return make_bench()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens pages; a script's mistake on any of them fails the test."""
    contexts, mistakes = [], []

    def opened(url: str, size: dict[str, int] = PHONE, **more: object) -> Page:
        context = new_context(
            browser, **{"viewport": size, "reduced_motion": LIVELY, **more}
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: mistakes.append(str(error)))
        page.on(
            "console",
            lambda message: (
                "Content Security Policy" in message.text
                and mistakes.append(message.text)
            ),
        )
        page.goto(url)
        return page

    yield opened
    for context in contexts:
        let_go(context)
    assert mistakes == []


def number(page: Page) -> Locator:
    return page.locator("#v-number")


def vault(page: Page) -> Locator:
    return page.locator("#vault")


def expect_state(page: Page, state: VaultState) -> None:
    expect(vault(page)).to_have_attribute("data-state", state.value)


def drawn_number(page: Page) -> int:
    """The numeral that the drawn wheel has at its pointer, once it rests."""
    return drawn_place(page) % 6 + 1


def drawn_place(page: Page) -> int:
    """By how many detents it has turned in all, clockwise, once it rests."""
    turned = page.locator(".v-turning")
    turns = "e => getComputedStyle(e).getPropertyValue('--turn')"
    return round(float(turned.evaluate(turns).removesuffix("deg")) / 60)


def eventually(page: Page, holds: Callable[[], bool]) -> None:
    """Wait until it holds, while the page lives on."""
    for _ in range(1_000):
        if holds():
            return
        page.wait_for_timeout(10)
    raise AssertionError("it never came to hold")


def lock(page: Page) -> None:
    page.locator(".v-shut").click()
    expect_state(page, VaultState.SHUT)
    press_yellow_thrice(page)


def drag(page: Page, degrees: float) -> None:
    """Turn the wheel by its rim, slowly enough that it is no fling at the end."""
    box = page.locator("#v-wheel").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def reach(angle: float) -> tuple[float, float]:
        radians = math.radians(angle)
        across, along = 0.4 * box["width"], 0.4 * box["height"]
        return x + across * math.cos(radians), y + along * math.sin(radians)

    page.mouse.move(*reach(0))
    page.mouse.down()
    for part in range(1, 25):
        page.mouse.move(*reach(degrees * part / 24))
    for _ in range(3):  # The hand holds still before it lets go.
        page.wait_for_timeout(50)
        page.mouse.move(*reach(degrees))
    page.mouse.up()


def fling(page: Page) -> None:
    """Pull the wheel's rim 60 px to the left within 30 ms, however busy the machine."""
    box = page.locator("#v-wheel").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + 0.9 * box["height"]
    hand = page.context.new_cdp_session(page)
    began_s = time.time()
    for part, kind in enumerate(["Pressed", "Moved", "Moved", "Moved", "Released"]):
        hand.send(
            "Input.dispatchMouseEvent",
            {
                "type": f"mouse{kind}",
                "x": x - 20 * min(part, 3),
                "y": y,
                "button": "left",
                "buttons": 1,
                "clickCount": 1,
                "timestamp": began_s + 0.01 * min(part, 3),
            },
        )


@pytest.mark.slow
@pytest.mark.parametrize("size", sampled([PHONE, TABLE]))
def test_an_evening_at_the_vault_with_every_kind_of_hand(
    bench: Bench, open_page: Callable[..., Page], size: dict[str, int]
) -> None:
    page = open_page(bench.url, size)
    expect_state(page, VaultState.OPEN)
    assert "<" not in page.locator("#vault").inner_text()
    lock(page)
    wheel = page.get_by_role("slider", name="Wheel")
    wheel.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    expect(number(page)).to_have_text("2")
    expect(wheel).to_have_attribute("aria-valuenow", "2")
    page.get_by_role("button", name="Press M").click()
    expect(page.locator("#v-sentence")).to_have_text("No! 2 is not the number.")
    expect(page.locator("#v-tries")).to_be_visible()
    expect_state(page, VaultState.LOCKED)
    page.get_by_role("button", name="Turn right").click()
    expect(number(page)).to_have_text("3")
    before = drawn_place(page)
    drag(page, 360 + 62)
    expect(number(page)).to_have_text("4")
    assert drawn_number(page) == CODE
    assert drawn_place(page) == before + 7  # It never spun back to get there.
    page.get_by_role("button", name="Press M").click()
    expect_state(page, VaultState.OPEN)
    expect(page.locator("#v-sentence")).to_contain_text("Everything in the vault")
    expect(vault(page)).to_have_attribute("data-lid", "open")
    assert bench.device.values("signal")[-2:] == [Signal.WRONG, Signal.RIGHT]


@pytest.mark.slow
def test_a_wheel_spun_fast_ends_where_the_lock_has_it(
    bench: Bench, open_page: Callable[..., Page]
) -> None:
    page = open_page(bench.url)
    felt: list[int] = []
    page.on("response", lambda answer: felt.append(turned(answer)))
    page.locator("#v-wheel").focus()
    for _ in range(40):
        page.keyboard.press("ArrowRight")
    eventually(page, lambda: sum(felt) == 40)
    eventually(page, lambda: bench.keeper.view().number == 5)  # 40 detents from 1.
    expect(number(page)).to_have_text("5")
    eventually(page, lambda: drawn_number(page) == 5)


def turned(answer: Response) -> int:
    """By how many detents the lock was turned with this answer."""
    sent = parse_qs(answer.request.post_data or "")
    return int(sent["steps"][0]) if answer.ok and "steps" in sent else 0


@pytest.mark.slow
def test_a_fling_runs_on_and_stops_at_a_detent(
    bench: Bench, open_page: Callable[..., Page]
) -> None:
    page = open_page(bench.url)
    lock(page)
    fling(page)
    expect(page.locator("#v-wheel.is-held, #v-wheel.is-free")).to_have_count(0)
    shown = drawn_number(page)
    assert shown != 1
    expect(number(page)).to_have_text(f"{shown}")


@pytest.mark.slow
@pytest.mark.parametrize("key", sampled(["6", "3", "1"]))
def test_a_number_key_takes_the_wheel_there_the_short_way(
    bench: Bench, open_page: Callable[..., Page], key: str
) -> None:
    page = open_page(bench.url)
    page.locator("#v-wheel").focus()
    page.keyboard.press("ArrowRight")
    expect(number(page)).to_have_text("2")
    page.keyboard.press(key)
    expect(number(page)).to_have_text(key)


def test_the_drawn_wheel_is_put_right_when_the_lock_has_it_elsewhere(
    bench: Bench, open_page: Callable[..., Page]
) -> None:
    page = open_page(bench.url)
    page.get_by_role("button", name="Turn right").click()
    expect(number(page)).to_have_text("2")
    bench.keeper.set_wheel(5)
    expect(number(page)).to_have_text("5")
    turning = page.locator(".v-turning")
    expect(turning).to_have_css("--turn", re.compile(r"^(-120|240)deg$"))


@pytest.mark.parametrize("streams_max", sampled([48, 0]))
def test_everybody_sees_what_one_hand_does_with_or_without_a_stream(
    make_bench: Callable[..., Bench],
    open_page: Callable[..., Page],
    streams_max: int,
) -> None:
    bench = make_bench(streams_max=streams_max)
    one, other = open_page(bench.url), open_page(bench.url)
    one.locator(".v-shut").click()
    expect_state(other, VaultState.SHUT)
    one.get_by_role("button", name="Turn left").click()
    expect(number(other)).to_have_text("6")
    bench.device.press(Line.YELLOW_BUTTON)
    expect_state(one, VaultState.SHUT)


@pytest.mark.slow
def test_the_vault_is_whole_without_script(
    bench: Bench, open_page: Callable[..., Page]
) -> None:
    def look() -> Page:
        """In a new tab: one that refreshes itself may get in the way of a visit."""
        return open_page(bench.url, java_script_enabled=False)

    page = look()
    page.locator(".v-shut").click()
    bench.wait_for(VaultState.SHUT)
    page = look()
    expect_state(page, VaultState.SHUT)
    page.get_by_role("button", name="Press yellow three times").click()
    bench.wait_for(VaultState.LOCKED)
    page.get_by_role("link", name="Look again").click()
    expect_state(page, VaultState.LOCKED)
    expect(page.get_by_role("button", name="Press yellow three times")).to_be_hidden()
    boxes = [page.locator(x).bounding_box() for x in (".v-moves", ".v-lift")]
    assert all(boxes)
    assert boxes[1]["width"] == boxes[0]["width"], "the link leaves it the row"
    for _ in range(CODE - 1):
        page.get_by_role("button", name="Turn right").click()
    page = look()
    expect(number(page)).to_have_text(f"{CODE}")
    page.get_by_role("button", name="Press M").click()
    bench.wait_for(VaultState.OPEN)
    page = look()
    expect_state(page, VaultState.OPEN)


@pytest.mark.slow
def test_calm_people_get_a_wheel_that_does_not_run_on(
    bench: Bench, open_page: Callable[..., Page]
) -> None:
    page = open_page(bench.url, reduced_motion="reduce")
    lock(page)
    drag(page, -62)
    expect(number(page)).to_have_text("6")
    assert drawn_number(page) == 6
    moves = page.locator(".v-lid").evaluate(
        "e => getComputedStyle(e).transitionDuration"
    )
    assert moves == "0s"


TOO_SMALL = """() => [...document.querySelectorAll(
    '#vault button, #vault a, #vault summary, #vault select, #vault [role=slider]')]
  .map(e => [e, e.getBoundingClientRect()])
  .filter(([e, box]) => box.width && (box.width < 47.5 || box.height < 47.5))
  .map(([e, box]) => `${e.outerHTML.slice(0, 60)} ${box.width}x${box.height}`)"""


@pytest.mark.slow
@pytest.mark.parametrize("size", sampled([SMALL, PHONE, TABLE]))
def test_every_target_fits_a_thumb_and_nothing_runs_off_the_side(
    bench: Bench, open_page: Callable[..., Page], size: dict[str, int]
) -> None:
    page = open_page(bench.url, size)
    for state in (VaultState.OPEN, VaultState.LOCKED):
        if state is VaultState.LOCKED:
            lock(page)
        page.locator(".v-lid").evaluate(
            "e => Promise.all(e.getAnimations({subtree: true}).map(a => a.finished))"
        )
        assert page.evaluate(TOO_SMALL) == []
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width == size["width"]


GOLD = """() => [...document.querySelectorAll(".v-controls button")]
  .filter(x => x.checkVisibility() && getComputedStyle(x).backgroundImage !== "none")
  .map(x => x.textContent.trim())"""
"""What the buttons say below the vault that shine."""

LOCK, GUESS = "Press yellow three times", "Guess this number"


def test_only_what_is_due_at_the_vault_shines(
    bench: Bench, open_page: Callable[..., Page]
) -> None:
    page = open_page(bench.url, viewport=SMALL)
    assert page.evaluate(GOLD) == ["Shut the lid"]
    page.get_by_role("button", name="Shut the lid").click()
    expect_state(page, VaultState.SHUT)
    assert page.evaluate(GOLD) == [LOCK]
    page.get_by_role("button", name=LOCK).click()
    expect_state(page, VaultState.LOCKED)
    assert page.evaluate(GOLD) == [GUESS]
    page.get_by_role("button", name=GUESS).click()
    expect(page.locator("#v-tries b")).to_have_text("1")


@pytest.mark.slow
@pytest.mark.parametrize(
    "scene", sampled([guessing, locked, filling, opening, refilling])
)
def test_a_guess_shines_only_for_whom_the_table_waits_and_the_lid_once_all_is_in(
    browser: Browser, scene: Callable[[House], Evening]
) -> None:
    with staged(browser, scene) as stage:
        for who in ("anna", "ben"):
            page = stage.page(Shown("vault", "/vault", who), (390, 844), "dark", "en")
            is_due = scene is guessing and who == "anna"
            assert page.evaluate(GOLD) == ([GUESS] if is_due else []), who
            piles = {filling: ["In"], refilling: ["In"]}  # What comes out: a sum.
            found = page.locator(".h-piles h3").all_text_contents()
            assert found == piles.get(scene, []), who
