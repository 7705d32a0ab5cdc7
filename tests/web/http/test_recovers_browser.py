"""A page follows the table whatever is done to it: translated, updated, cut off."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    Request,
    Route,
)

from companion.errors import JournalFault
from tests.chromium import LIVELY, expect
from tests.fakes import FakeClock
from tests.running import free_port
from tests.sample import sampled
from tests.web.conftest import Evening, Phone, make_evening, make_panel
from tests.web.guess_lab import GuessLab
from tests.web.http.test_banner_browser import asked, knock
from tests.web.http.test_one_moment_browser import is_page
from tests.web.http.test_survives_browser import (
    ESTATE,
    PAGES,
    SEEN,
    begin,
    expect_kept,
    opened,
    others_act,
)
from tests.web.play.test_panel_browser import PHONE, Served, balance, serve
from tests.web.play.test_play_browser import TWO_FRAMES, given, guided
from tests.web.served import HERE, RealAddress
from web.app import create_app
from web.http.settings import PanelSettings

__all__ = ["serve"]  # A fixture.

pytestmark = pytest.mark.browser

TRANSLATE = """() => {
  const KEPT = "script, style, textarea, font, [translate=no]";
  const isForeign = (text) => text.data.trim() && !text.parentElement?.closest(KEPT);
  const written = (amount) => amount.replace(/[.,]/, "\\u202f");
  const foreign = (text) => text.data.toUpperCase().replace(/\\d[.,]\\d/g, written);
  const put = (text) => {
    const [outer, inner] = [0, 1].map(() => document.createElement("font"));
    inner.textContent = foreign(text);
    outer.append(inner);
    text.replaceWith(outer);
  };
  const translate = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    texts.filter(isForeign).forEach(put);
  };
  document.documentElement.lang = "fr";
  document.documentElement.classList.add("translated-ltr");
  translate();
  new MutationObserver(translate)
    .observe(document.body, { childList: true, subtree: true, characterData: true });
}"""
"""What a browser's translator does: each text is put in two elements of its own, in
other words and with amounts written in another way; so is whatever comes later."""

SHOWN = """(act) => new Promise(shown => {
  addEventListener("companion:shown", () => shown(), { once: true });
  dispatchEvent(new Event("online"));
})"""
"""Has the page asked for, as when a network comes back, and waits until it is shown."""

LISTEN = """() => {
  const said = document.querySelector("#said");
  const { get, set } = Object.getOwnPropertyDescriptor(Node.prototype, "textContent");
  window.told = [];
  Object.defineProperty(said, "textContent", {
    get,
    set(words) {
      told.push(words);
      set.call(said, words);
    },
  });
}"""
"""Keeps what is said to whoever listens to the page, before anybody translates it."""

FIGURES = """() => [...document.querySelectorAll(".figure[data-key]")]
  .map(x => [x.dataset.key, x.textContent, x.children.length])"""


class Loads:
    """How often a page was loaded since this was made."""

    def __init__(self, page: Page) -> None:
        self.count = 0
        page.on("request", self._note)

    def _note(self, request: Request) -> None:
        self.count += is_page(request)


def translated(page: Page) -> Page:
    page.evaluate(LISTEN)
    page.evaluate(TRANSLATE)
    return page


def paid(served: Served, amount: int, payer: str = "blue") -> None:
    """Ben pays Anna, or she pays him."""
    evening = served.evening
    phone, payee = (evening.ben, "red") if payer == "blue" else (evening.anna, "blue")
    answer = phone.do(evening.game_id, "pay", payee=payee, amount=amount)
    assert answer.status_code == 303, answer.text


TRANSLATED = [
    "bank",
    "deeds",
    *(name for name in PAGES if name not in ("bank", "deeds")),
]


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(TRANSLATED))
def test_what_was_begun_on_a_translated_page_survives_what_the_others_do(
    serve, name: str
) -> None:
    begun = PAGES[name]
    served, page = opened(serve, begun)
    translated(page)
    loads = Loads(page)
    begin(page, begun)
    before = page.evaluate(SEEN)
    others_act(served, page, begun)
    seen = page.evaluate(SEEN)
    assert (seen["open"], seen["isTheSame"]) == (before["open"], True)
    expect_kept(page, begun)
    assert loads.count == 0
    assert served.mistakes == []


LANGUAGES = {"de": "{:,} $", "en": "${:,}"}


def in_words(language: str, amount: int) -> str:
    words = LANGUAGES[language].format(amount)
    return words if language == "en" else words.replace(",", ".").replace(" ", "\u00a0")


@pytest.mark.slow
@pytest.mark.parametrize("motion", sampled([LIVELY, "reduce"]))
@pytest.mark.parametrize("language", sampled(LANGUAGES))
def test_figures_of_a_translated_page_are_right_and_written_as_the_page_writes_them(
    serve, language: str, motion: str
) -> None:
    served = serve()
    anna = served.page(served.evening.anna, "/g/{j}/", reduced_motion=motion)
    cookie = {"name": "language", "value": language, "url": served.url}
    anna.context.add_cookies([cookie])
    anna.reload()
    translated(anna)
    loads = Loads(anna)
    paid(served, 77)
    expect(balance(anna)).to_have_text(in_words(language, 3_077))
    paid(served, 1_100, "red")
    expect(balance(anna)).to_have_text(in_words(language, 1_977))
    theirs = anna.locator("#sheet [data-key=blue]")
    expect(theirs).to_have_text(in_words(language, 4_023))
    for _, words, children in anna.evaluate(FIGURES):
        assert children == 0, words
    assert loads.count == 0
    assert served.mistakes == []


@pytest.mark.slow
def test_the_translated_screen_shows_the_right_figures(serve) -> None:
    served = serve()
    paid(served, 10)
    screen = translated(served.page(None, "/table", reduced_motion=LIVELY))
    paid(served, 1_000)
    expect(screen.locator("#purse-red .figure")).to_have_text("$4,010")
    expect(screen.locator("#purse-blue .figure")).to_have_text("$1,990")
    assert served.mistakes == []


def newer(page: Page) -> Locator:
    return page.locator("[data-newer]")


@pytest.mark.slow
def test_a_translated_history_says_that_there_is_more_only_when_there_is(serve) -> None:
    served = serve()
    paid(served, 150)
    anna = translated(served.page(served.evening.anna, "/g/{j}/history"))
    loads = Loads(anna)
    anna.locator(".to-here summary").first.click()
    entry = anna.locator("li", has=anna.locator(".to-here[open]"))
    for amount in (1, 2):
        anna.evaluate(SHOWN)
        expect(newer(anna)).to_be_hidden()
        paid(served, amount)
        expect(newer(anna)).to_be_visible()
        anna.evaluate(SHOWN)
        expect(newer(anna)).to_be_visible()
        newer(anna).click()
        expect(newer(anna)).to_be_hidden()
        expect(anna.locator(".history")).to_contain_text(
            f"Ben paid Anna ${amount}", ignore_case=True
        )
    expect(entry).to_contain_text("Ben paid Anna $150", ignore_case=True)
    assert loads.count == 0
    assert served.mistakes == []


@pytest.mark.slow
def test_translated_deeds_say_that_there_is_more_only_when_there_is(serve) -> None:
    served = serve()
    guided(served, "classic", *ESTATE)
    anna = translated(served.page(served.evening.anna, "/g/{j}/deeds"))
    given(served, "blue cash 1499")
    revision = str(served.evening.revision())
    expect(anna.locator("#live")).to_have_attribute("data-revision", revision)
    expect(newer(anna)).to_be_hidden()
    given(served, "blue owns baltic-avenue")
    expect(newer(anna)).to_be_visible()
    assert served.mistakes == []


@pytest.mark.slow
def test_a_translated_page_says_each_piece_of_news_once(serve) -> None:
    served = serve()
    evening = served.evening
    evening.host.do(evening.game_id, "lock-table")
    host = translated(served.page(evening.host, "/g/{j}/bank"))
    knock(evening)
    expect(host.locator(".arrived")).to_contain_text("Dora", ignore_case=True)
    host.evaluate(SHOWN)
    paid(served, 5)
    host.wait_for_function("() => told.length > 1")
    host.evaluate(SHOWN)
    arrived, latest = host.evaluate("told")
    assert "Dora asks" in arrived
    assert latest == "Ben paid Anna $5."
    assert served.mistakes == []


@pytest.mark.slow
def test_a_translated_page_says_once_what_is_asked_and_what_it_has(serve) -> None:
    served = serve()
    anna = translated(served.page(served.evening.anna, "/g/{j}/"))
    asked(served.evening, 50)
    expect(anna.locator(".arrived")).to_contain_text("asks you", ignore_case=True)
    anna.evaluate(SHOWN)
    paid(served, 5)
    expect(balance(anna)).to_have_text("$3,005")
    anna.evaluate(SHOWN)
    first, second = anna.evaluate("told")
    assert "Ben asks you for $50" in first
    assert "Ben paid Anna $5." in second
    assert "3,005" in second
    assert served.mistakes == []


@pytest.mark.slow
def test_a_translated_page_says_once_what_is_wrong_with_the_vault(
    tmp_path: Path, browser: Browser
) -> None:
    with closing(GuessLab(tmp_path, browser)) as lab:
        page = translated(lab.page(lab.evening.anna, "/vault"))
        page.route("**/vault/lid", lambda route: route.abort())
        note = page.locator("#message .note")
        page.locator(".v-shut").click()
        expect(note).to_contain_text("not have felt that", ignore_case=True)
        with page.expect_event("requestfailed"):
            page.locator(".v-shut").click()
        page.evaluate(TWO_FRAMES)
        expect(note).to_have_count(1)
        expect(note).to_contain_text("not have felt that", ignore_case=True)
    assert lab.mistakes == []


SINCE = "() => document.querySelector('.since').textContent"


@pytest.mark.slow
def test_a_translated_page_counts_the_seconds_since_a_landing(serve) -> None:
    served = serve()
    guided(served, "classic", "blue owns baltic-avenue", dice="typed")
    ben = served.page(served.evening.ben, "/g/{j}/", reduced_motion=LIVELY)
    roll = {"die-1": 1, "die-2": 2}
    served.evening.anna.do(served.evening.game_id, "roll", **roll)
    expect(ben.locator(".since")).to_have_count(1)
    ben.wait_for_function(
        "() => /:\\d\\d/.test(document.querySelector('.since').textContent)"
    )
    translated(ben)
    before = ben.evaluate(SINCE)
    ben.wait_for_function(f"before => ({SINCE})() !== before", arg=before)
    assert served.mistakes == []


SETTINGS = PanelSettings(burst_count=500, heartbeat_s=0.5)
HOUR_S = 3_600
THERE = "::1"
ANSWERED = "() => fetch(location.href).then(x => x.text(), () => '').then(() => 0)"
RED = "document.querySelector('.figure[data-key=red]')?.textContent"
TOUCH = "document.documentElement.dataset.touch"


class Restarting(RealAddress):
    """A table that ends, and comes again as another process: what it keeps stays."""

    def __init__(self, folder: Path, browser: Browser) -> None:
        self._folder = folder
        self.house = make_panel(folder, FakeClock(), settings=SETTINGS)
        self.evening = make_evening(self.house)
        super().__init__(self.house.app, browser, free_port())
        self._is_there = True
        self.pay(10)

    @property
    def paths(self) -> dict[str, str]:
        return {"screen": "/table", "seat": f"/g/{self.evening.game_id}/"}

    def visit(self, path: str, name: str = HERE) -> Page:
        """Anna's page, whose time passes as the test says."""
        page = self.context(self.evening.anna, viewport=PHONE).new_page()
        page.on("pageerror", lambda error: self.mistakes.append(str(error)))
        page.clock.install(time=0)
        page.clock.pause_at(60_000)
        page.goto(f"http://{name}:{self.port}{path}")
        return page

    def pay(self, amount: int) -> None:
        """Anna, who had 3,000, pays Ben."""
        evening = self.evening
        answer = evening.anna.do(evening.game_id, "pay", payee="blue", amount=amount)
        assert answer.status_code == 303, answer.text

    def leave(self) -> None:
        """Its process ends."""
        self.house.table.close()
        self.end()
        self._is_there = False
        self.house.database.close()

    def begin_anew(self) -> None:
        """Another process reads what was kept; it does not listen yet."""
        before = self.evening
        clock = FakeClock(before.house.clock.now_ms() + HOUR_S * 1_000)
        self.house = make_panel(self._folder, clock, settings=SETTINGS)
        phones = [self._again(one) for one in (before.host, before.anna, before.ben)]
        self.evening = Evening(self.house, before.game_id, *phones)
        self.house.ids = before.house.ids

    def _again(self, phone: Phone) -> Phone:
        return self.house.guest(phone.cookie)

    def come_back(self, app: Flask | None = None, host: str = HERE) -> None:
        self.listen_at(app or self.house.app, host, self.port)
        self._is_there = True

    def close(self) -> None:
        try:
            self.hang_up()
        finally:
            if self._is_there:
                self.leave()


@pytest.fixture
def table(tmp_path: Path, browser: Browser) -> Iterator[Restarting]:
    with closing(Restarting(tmp_path, browser)) as made:
        yield made
    assert made.mistakes == []


def pass_until(page: Page, is_so: str, limit_s: int) -> int:
    """Let seconds pass, each with time for an answer, until that is so; how many."""
    for passed_s in range(limit_s + 1):
        try:
            if page.evaluate(is_so):
                return passed_s
            page.clock.run_for(1_000)
            page.evaluate(ANSWERED)
        except Error:  # It is just being replaced by the next one.
            page.wait_for_load_state()
    seen = page.evaluate(f"[{RED}, {TOUCH}, document.title]")
    raise AssertionError(f"not within {limit_s} s: {is_so}; it is {seen}")


def has(amount: str) -> str:
    return f"{RED} === '{amount}'"


IN_TOUCH = f"{TOUCH} === 'fine' && asking.isLive()"
CUT_OFF = f"{TOUCH} === 'offline'"
WHERE = ["screen", "seat"]


@pytest.mark.slow
@pytest.mark.parametrize("where", sampled(WHERE))
def test_a_page_comes_back_after_an_hour_without_a_table(
    table: Restarting, where: str
) -> None:
    page = table.visit(table.paths[where])
    pass_until(page, IN_TOUCH, 5)
    loads = Loads(page)
    table.leave()
    pass_until(page, CUT_OFF, 10)
    expect(page.locator("#offline")).to_be_visible()
    for _ in range(12):
        page.clock.run_for(HOUR_S * 1_000 // 12)
        page.evaluate(ANSWERED)
    table.begin_anew()
    table.pay(100)
    table.come_back()
    pass_until(page, has("$2,890"), 30)
    pass_until(page, IN_TOUCH, 30)
    expect(page.locator("#offline")).to_be_hidden()
    table.pay(100)
    pass_until(page, has("$2,790"), 5)
    assert loads.count == 0


class Failing:
    """A view that fails so many times, and then draws its page."""

    def __init__(self, draw: Callable[..., object], fault: Exception) -> None:
        self.draw, self.fault, self.left = draw, fault, 4

    def __call__(self, **fields: object) -> object:
        if self.left:
            self.left -= 1
            raise self.fault
        return self.draw(**fields)


FAULTS = {"500": RuntimeError("a mistake"), "503": JournalFault("a full disk")}
FAILING = [(where, status) for where in WHERE for status in FAULTS]


@pytest.mark.parametrize("case", sampled(FAILING), ids=" ".join)
def test_an_error_gives_way_to_the_page_that_was_asked_for(
    table: Restarting, monkeypatch: pytest.MonkeyPatch, case: tuple[str, str]
) -> None:
    where, status = case
    path, app = table.paths[where], table.house.app
    endpoint, _ = app.url_map.bind("").match(path)
    view = Failing(app.view_functions[endpoint], FAULTS[status])
    monkeypatch.setitem(app.view_functions, endpoint, view)
    page = table.visit(path)
    loads = Loads(page)
    expect(page.locator("#live")).to_contain_text(status)
    pass_until(page, has("$2,990"), 20)
    assert view.left == 0
    table.pay(100)
    pass_until(page, has("$2,890"), 5)
    assert loads.count == 1


@pytest.mark.slow
def test_a_screen_of_no_game_asks_again_and_does_not_flood_the_table(
    table: Restarting,
) -> None:
    page = table.visit("/table?game=000000000000")
    loads = Loads(page)
    expect(page.locator("#live")).to_contain_text("There is no such game")
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request))
    for _ in range(60):
        page.clock.run_for(1_000)
        page.evaluate("() => fetch('/nowhere').then(() => 0)")
    again = [request for request in asked if "/table" in request.url]
    assert 3 <= len(again) <= 8
    assert loads.count == 0


def updated(table: Restarting) -> Flask:
    """The panel of a later release: each script and style has another version."""
    app = create_app(table.house.panel, SETTINGS)
    asset = app.jinja_env.globals["asset"]
    app.jinja_env.globals["asset"] = lambda name: f"{asset(name)}0"
    return app


@pytest.mark.slow
@pytest.mark.parametrize("where", sampled(reversed(WHERE)))
def test_a_page_of_an_older_release_is_loaded_anew_once(
    table: Restarting, where: str
) -> None:
    page = table.visit(table.paths[where])
    pass_until(page, IN_TOUCH, 5)
    loads = Loads(page)
    table.leave()
    pass_until(page, CUT_OFF, 10)
    for _ in range(10):
        page.clock.run_for(30_000)
        page.evaluate(ANSWERED)
    assert loads.count == 0, "nobody is there to load it from"
    table.begin_anew()
    table.pay(100)
    table.come_back(updated(table))
    pass_until(page, has("$2,890"), 30)
    pass_until(page, IN_TOUCH, 30)
    for amount in (1, 2):
        table.pay(amount)
        page.clock.run_for(30_000)
        page.evaluate(ANSWERED)
    pass_until(page, has("$2,887"), 5)
    assert loads.count == 1


def has_other_loopback() -> bool:
    with socket.socket(socket.AF_INET6) as tried:
        try:
            tried.bind((THERE, 0))
        except OSError:
            return False
    return True


@pytest.mark.slow
def test_a_name_that_means_another_address_by_now_is_followed(
    table: Restarting,
) -> None:
    if not has_other_loopback():
        pytest.skip("this machine has no ::1")
    page = table.visit("/table", "localhost")
    pass_until(page, IN_TOUCH, 5)
    loads = Loads(page)
    table.leave()
    table.begin_anew()
    table.pay(100)
    table.come_back(host=THERE)
    pass_until(page, has("$2,890"), 30)
    pass_until(page, IN_TOUCH, 30)
    assert loads.count == 0


HURRY = """(() => {
  const PACE = 10;
  for (const name of ["setTimeout", "setInterval"]) {
    const real = window[name];
    window[name] = (act, ms = 0, ...more) => real(act, ms / PACE, ...more);
  }
  const now = performance.now.bind(performance);
  performance.now = () => PACE * now();
  const red = () => document.querySelector(".figure[data-key=red]")?.textContent;
  let last = "";
  new MutationObserver(() => {
    const seen = `${document.documentElement.dataset.touch} ${red()}`;
    if (seen !== last) console.debug(`${performance.now()} ${last = seen}`);
  }).observe(document, { attributes: true, childList: true, subtree: true });
})()"""
"""Lets ten seconds pass in one, and tells what is to be seen: while a page is on its
way to another, Chromium carries no question to it."""


class Hurried:
    """A page that hurries, and what was to be seen on it, and when."""

    def __init__(self, table: Restarting, path: str, phone: Phone) -> None:
        self.page = table.context(phone, viewport=PHONE).new_page()
        self.page.add_init_script(HURRY)
        self.notes: list[tuple[float, str, str]] = []
        self.page.on("console", self._note)
        self.page.goto(table.url + path)
        # A function: the page's policy lets a bare expression be looked at only once.
        self.page.wait_for_function(f"() => {IN_TOUCH}")

    def _note(self, message: ConsoleMessage) -> None:
        words = message.text.split()
        if len(words) == 3:
            self.notes.append((float(words[0]), words[1], words[2]))

    def when(self, touch: str, red: str) -> float:
        """When that was to be seen, as soon as it has been."""
        while True:
            for at_ms, *seen in self.notes:
                if seen == [touch, red]:
                    return at_ms
            self.page.wait_for_event("console")


def swallow(route: Route) -> None:
    if not is_page(route.request):
        route.continue_()


@pytest.mark.slow
def test_a_page_that_is_left_for_one_that_never_comes_follows_the_table_again(
    table: Restarting,
) -> None:
    one = Hurried(table, table.paths["seat"], table.evening.anna)
    one.page.route("**/history", swallow)
    leave = "() => { asking.leave('history'); return performance.now(); }"
    left_ms = one.page.evaluate(leave)
    table.pay(100)
    went_ms = one.when("offline", "$2,990")
    assert went_ms < one.when("fine", "$2,890")
    assert one.when("fine", "$2,890") - left_ms > 15_000


def test_a_page_that_the_answer_to_a_form_leads_to_is_gone_for_again(
    table: Restarting,
) -> None:
    evening = table.evening
    one = Hurried(table, f"/g/{evening.game_id}/begin", evening.host)
    swallowed: list[Route] = []

    def swallow_once(route: Route) -> None:
        if swallowed or not is_page(route.request):
            route.continue_()
        else:
            swallowed.append(route)

    one.page.route("**/g/**", swallow_once)
    one.page.get_by_role("button", name="Begin to play").click()
    expect(one.page.locator("#live")).to_contain_text("The companion leads.")
    assert len(swallowed) == 1
