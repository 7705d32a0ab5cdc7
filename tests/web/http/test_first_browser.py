"""A page whose scripts do not all come works without, and is loaded again by itself."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, Route

from companion.lock.states import VaultState
from tests.chromium import PATIENCE_MS, expect
from tests.sample import sampled
from tests.web.conftest import Phone
from tests.web.guess_lab import PHONE, GuessLab
from tests.web.http.test_one_moment_browser import is_page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TEMPLATES = Path(__file__).parents[3] / "web" / "templates"
WHERE = {"seat": "", "table": "/table", "vault": "/vault"}
"""Where each page is, by the name of its template."""

BROKEN = "let let = 1;"
"""What no browser can parse, as an older one cannot what came later."""

SOON_MS = 1_000
LATER_MS = 4_000
STUCK_MS = 60_000
SCREEN_MS = 15_000
HOUR_MS = 3_600_000
HAS_SCRIPT = re.compile(r"\bhas-script\b")


def scripts_of(where: str) -> list[str]:
    """What a page loads, in its order."""
    texts = [
        (TEMPLATES / f"{name}.html").read_text() for name in ("parts/frame", where)
    ]
    return re.findall(r"<script src=\"{{ asset\('(.+?)'\)", "".join(texts))


def lose(route: Route) -> None:
    route.abort()


def spoil(route: Route) -> None:
    route.fulfill(body=BROKEN, content_type="text/javascript")


Case = tuple[str, str, str]

WAYS = {"lost": lose, "broken": spoil}
CASES = [
    (where, script, way)
    for where in WHERE
    for script in scripts_of(where)
    for way in WAYS
]
FIRST_CASES = [
    ("seat", "asking.js", "lost"),
    ("table", "vendor/idiomorph.min.js", "lost"),
    ("vault", "vault.js", "broken"),
]
EVERY_CASE = [*FIRST_CASES, *(one for one in CASES if one not in FIRST_CASES)]


@pytest.fixture
def lab(tmp_path: Path, browser: Browser) -> Iterator[GuessLab]:
    with closing(GuessLab(tmp_path, browser)) as made:
        pay(made, 10)
        yield made


def pay(lab: GuessLab, amount: int) -> None:
    """Anna, who has 3,000, pays Ben."""
    answer = lab.evening.anna.do(
        lab.evening.game_id, "pay", payee="blue", amount=amount
    )
    assert answer.status_code == 303, answer.text


class Visit:
    """A page on which time passes as the test says, and how often it was loaded."""

    def __init__(self, lab: GuessLab, phone: Phone | None, **more: object) -> None:
        self.page = lab.context(phone, viewport=PHONE, **more).new_page()
        self.loads = 0
        self.page.on("request", self._count)
        self.page.clock.install(time=0)
        self.page.clock.pause_at(60_000)
        self._lab = lab

    def _count(self, request: Request) -> None:
        self.loads += is_page(request)

    def open(self, path: str, wait_until: str = "load") -> Page:
        self.page.goto(self._lab.address(path), wait_until=wait_until)
        return self.page

    def wait(self, ms: int) -> None:
        """Until the page has loaded itself again, that much later."""
        with self.page.expect_navigation():
            self.page.clock.run_for(ms)

    def spoil(self, script: str, how: Callable[[Route], None], times: int = 0) -> None:
        more = {"times": times} if times else {}
        self.page.route(f"**/{script}?*", how, **more)


def expect_live(page: Page) -> None:
    expect(page.locator("html")).to_have_class(HAS_SCRIPT)
    expect(page.locator("#unready")).to_be_hidden()


def expect_amount(page: Page, amount: str) -> None:
    figure = page.locator(".figure[data-key=red]").first
    expect(figure).to_have_text(amount)


def visit(lab: GuessLab, where: str) -> Visit:
    return Visit(lab, lab.evening.anna)


@pytest.mark.parametrize("case", sampled(EVERY_CASE, 3), ids=" ".join)
def test_a_page_that_lost_a_script_once_is_loaded_again_and_live(
    lab: GuessLab, case: Case
) -> None:
    where, script, way = case
    one = visit(lab, where)
    one.spoil(script, WAYS[way], times=1)
    page = one.open(WHERE[where])
    assert page.locator(f"script[src*='/{script}?']").count() == 1
    expect(page.locator("html")).not_to_have_class(HAS_SCRIPT)
    one.wait(SOON_MS)
    expect_live(page)
    if where == "vault":
        lab.hands.turn(1)
        expect(page.locator("#v-number")).to_have_text("2")
    else:
        pay(lab, 77)
        expect_amount(page, "$2,913")
    page.clock.run_for(SCREEN_MS)
    assert one.loads == 2
    assert lab.mistakes == []


@pytest.mark.parametrize("case", sampled(EVERY_CASE), ids=" ".join)
def test_a_page_that_never_gets_a_script_works_and_says_which(
    lab: GuessLab, case: Case
) -> None:
    where, script, way = case
    one = visit(lab, where)
    one.spoil(script, WAYS[way])
    page = one.open(WHERE[where])
    one.wait(SOON_MS)
    expect(page.locator("#unready")).to_be_hidden()
    one.wait(LATER_MS)
    expect(page.locator("#unready")).to_be_visible()
    expect(page.locator("#unready")).to_contain_text(script.rpartition("/")[2])
    expect(page.locator("html")).not_to_have_class(HAS_SCRIPT)
    if where == "table":
        one.wait(SCREEN_MS)
        return
    for _ in range(4):
        page.clock.run_for(SCREEN_MS)
    assert one.loads == 3
    act_without_script(lab, page, where)


def wait_for(lab: GuessLab, state: VaultState) -> None:
    """Until the lock is in *state*; a page without script is told nothing."""
    is_there = threading.Event()
    assert lab.keeper is not None
    leave = lab.keeper.subscribe(lambda view: view.state is state and is_there.set())
    is_so = lab.keeper.view().state is state
    assert is_so or is_there.wait(PATIENCE_MS / 1000), state
    leave()


def act_without_script(lab: GuessLab, page: Page, where: str) -> None:
    if where == "vault":
        page.locator(".v-shut").click()
        wait_for(lab, VaultState.SHUT)
        page.get_by_role("button", name="Press yellow three times").click()
        wait_for(lab, VaultState.LOCKED)
        page.get_by_role("link", name="Look again").click()
        expect(page.locator("#vault")).to_have_attribute("data-state", "locked")
        return
    page.locator("label:has(input[name=payee][value=blue])").click()
    page.locator("#amount").fill("100")
    page.get_by_role("button", name="Show what would happen").click()
    expect(page.locator("#confirm")).to_contain_text("You have $2,890 after that")
    page.get_by_role("button", name="Pay Ben $100").click()
    expect_amount(page, "$2,890")


def test_a_page_whose_script_hangs_is_loaded_again(lab: GuessLab) -> None:
    one = visit(lab, "seat")
    one.spoil("panel.js", lambda _: None, times=1)
    page = one.open("", wait_until="commit")
    expect(page.locator("#whole")).to_be_attached()
    page.clock.run_for(SCREEN_MS)
    expect(page.locator("#unready")).to_be_visible()
    assert one.loads == 1, "what is only slow would begin anew"
    page.clock.run_for(STUCK_MS - SCREEN_MS)
    one.wait(SOON_MS)
    expect_live(page)


def test_a_page_into_which_somebody_types_is_not_loaded_again(lab: GuessLab) -> None:
    one = visit(lab, "seat")
    one.spoil("panel.js", lose)
    page = one.open("")
    page.locator("#amount").press_sequentially("1")
    for _ in range(4):
        page.clock.run_for(SCREEN_MS)
    assert one.loads == 1
    expect(page.locator("#amount")).to_have_value("1")


@pytest.mark.parametrize("end", sampled(["<script src", "<link"]))
@pytest.mark.parametrize("where", sampled(WHERE))
def test_a_page_that_was_cut_off_is_loaded_again_and_live(
    lab: GuessLab, where: str, end: str
) -> None:
    one = visit(lab, where)
    cut: list[Route] = []

    def halve(route: Route) -> None:
        if cut or not is_page(route.request):
            route.continue_()
            return
        cut.append(route)
        text = route.fetch().text()
        half = text[: min(len(text) // 2, text.index(end))]
        route.fulfill(body=half, content_type="text/html; charset=utf-8")

    one.page.route(f"**{lab.address(WHERE[where]).removeprefix(lab.url)}", halve)
    page = one.open(WHERE[where])
    expect(page.locator("html")).not_to_have_class(HAS_SCRIPT)
    one.wait(SOON_MS)
    expect_live(page)
    assert one.loads == 2


def test_an_answer_to_a_form_is_not_sent_again(lab: GuessLab) -> None:
    one = Visit(lab, lab.evening.anna)
    one.spoil("*.js", lose)
    page = one.open("bank")
    page.locator("summary", has_text="Correct a balance").click()
    page.get_by_label("What is right?").fill("1e3")
    page.get_by_role("button", name="Correct it").click()
    expect(page.locator("h1")).to_contain_text("is no amount")
    revision = lab.evening.revision()
    for _ in range(4):
        page.clock.run_for(SCREEN_MS)
    assert one.loads == 2
    assert lab.evening.revision() == revision


def test_a_refusal_lies_over_nothing_where_no_script_could_put_it_away(
    lab: GuessLab,
) -> None:
    one = Visit(lab, lab.evening.anna)
    one.spoil("panel.js", lose)
    page = one.open("bank")
    page.locator("summary", has_text="Correct a balance").click()
    page.get_by_label("What is right?").fill("2990")
    page.get_by_role("button", name="Correct it").click()
    message = page.get_by_role("alert")
    expect(message).to_contain_text("Anna has $2,990 already")
    expect(message).to_have_css("position", "static")


@pytest.mark.parametrize("way", sampled(WAYS))
def test_the_screen_without_scripts_shows_every_payment_for_ever(
    lab: GuessLab, way: str
) -> None:
    one = Visit(lab, None)
    one.spoil("*.js", WAYS[way])
    page = one.open("/table")
    one.wait(SOON_MS)
    one.wait(LATER_MS)
    for paid in range(1, 6):
        pay(lab, 100)
        one.wait(SCREEN_MS)
        expect_amount(page, f"${2_990 - 100 * paid:,}")


REFUSED_STORAGE = """
  Object.defineProperty(window, "sessionStorage", {
    get() { throw new DOMException("refused", "SecurityError"); },
  });
"""


def test_the_screen_goes_on_where_nothing_can_be_remembered(lab: GuessLab) -> None:
    one = Visit(lab, None)
    one.page.add_init_script(REFUSED_STORAGE)
    one.spoil("*.js", lose)
    page = one.open("/table")
    for paid in range(1, 4):
        pay(lab, 100)
        one.wait(SCREEN_MS)
        expect_amount(page, f"${2_990 - 100 * paid:,}")


def test_a_phone_where_nothing_can_be_remembered_is_not_loaded_again(
    lab: GuessLab,
) -> None:
    one = visit(lab, "seat")
    one.page.add_init_script(REFUSED_STORAGE)
    one.spoil("panel.js", lose)
    page = one.open("")
    expect(page.locator("#unready")).to_contain_text("panel.js")
    page.clock.run_for(SCREEN_MS)
    page.clock.run_for(SCREEN_MS)
    assert one.loads == 1


def test_the_screen_of_a_browser_without_script_refreshes_itself(
    lab: GuessLab,
) -> None:
    page = lab.page(None, "/table", java_script_enabled=False)
    refresh = page.locator("head noscript meta[http-equiv=refresh]")
    expect(refresh).to_have_attribute("content", re.compile(r"^([1-9]|[12]\d|30)$"))


def silent(_: Route) -> None:
    """Never answers."""


@pytest.mark.parametrize(("how", "steps"), [(lose, 1), (silent, 2)])
@pytest.mark.parametrize("where", sampled(["table", "seat"]))
def test_nothing_is_loaded_again_while_the_table_does_not_answer(
    lab: GuessLab, where: str, how: Callable[[Route], None], steps: int
) -> None:
    one = visit(lab, where)
    one.spoil("*.js", lose)
    page = one.open(WHERE[where])
    gone = f"**{lab.address(WHERE[where]).removeprefix(lab.url)}"
    page.route(gone, how)
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request))
    for _ in range(20):
        with page.expect_event("requestfailed"):
            for _ in range(steps):
                page.clock.run_for(SCREEN_MS)
    assert not any(map(is_page, asked))
    assert len(asked) <= 20, "it asks no more than four times a minute"
    page.unroute(gone)
    pay(lab, 100)
    one.wait(SCREEN_MS)
    expect_amount(page, "$2,890")


STRANGER = """
  document.addEventListener("readystatechange", () => { throw new Error("not ours"); });
  //# sourceURL=https://elsewhere.example/extension.js
"""


def test_a_mistake_of_a_browsers_own_script_takes_nothing_away(lab: GuessLab) -> None:
    one = visit(lab, "seat")
    one.page.add_init_script(STRANGER)
    expect_live(one.open(""))
