"""What a page makes of answers that are lost, late, cut or silent; each on its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from itertools import product

import pytest
from playwright.sync_api import Browser, Page, Request, Route

from companion.table.notice import Subscription
from tests.chromium import PATIENCE_MS, expect
from tests.rude_proxy import RudeProxy
from tests.sample import sampled
from tests.web.conftest import Evening, House
from tests.web.http.test_banner_browser import knock
from tests.web.http.test_one_moment_browser import (
    ASK_AS_WELL,
    Held,
    is_page,
    is_post,
    is_refresh,
)
from tests.web.play.test_panel_browser import PHONE, Served, balance, fill, serve
from tests.web.scenes import (
    LANGUAGES,
    SEAT,
    Shown,
    before_roll,
    by_hand,
    staged,
    towering,
)
from tests.web.vault.test_scene_browser import Watched, due, expect_scene, watched

__all__ = ["serve", "watched"]  # Fixtures.

pytestmark = pytest.mark.browser

STREAM = "**/stream?*"
GONE = '<div id="message">There is no such game.</div><i id="whole"></i>'
S = 1_000


def paid(served: Served, amount: int) -> None:
    """Ben pays Anna, from another phone."""
    evening = served.evening
    answer = evening.ben.do(evening.game_id, "pay", payee="red", amount=amount)
    assert answer.status_code == 303


def timed(served: Served, path: str = "/g/{j}/", url: str = "", who="anna") -> Page:
    """A phone's page, whose time also passes as the test says."""
    phone = who and getattr(served.evening, who)
    page = served.context(phone or None, viewport=PHONE).new_page()
    page.clock.install()
    page.goto((url or served.url) + path.format(j=served.evening.game_id))
    expect(page.locator("html.has-script")).to_have_count(1)
    return page


def expect_touch(page: Page, touch: str) -> None:
    expect(page.locator("html")).to_have_attribute("data-touch", touch)


def count(page: Page, is_meant) -> list[Request]:
    asked: list[Request] = []
    page.on("request", lambda request: is_meant(request) and asked.append(request))
    return asked


def lose(route: Route) -> None:
    route.abort()


def refuse(route: Route) -> None:
    route.fulfill(status=503, body="The table is busy.")


def refuse_in_words(route: Route) -> None:
    words = '<div id="message">The table is busy.</div><i id="whole"></i>'
    route.fulfill(status=503, body=words)


def cut_off(share: float):
    """An answer that ends early, with all its headers, as from a bad proxy."""

    def cut(route: Route) -> None:
        text = route.fetch().text()
        route.fulfill(body=text[: int(len(text) * share)], content_type="text/html")

    return cut


LOSSES = {
    "lost": lose,
    "refused": refuse,
    "empty": cut_off(0),
    "cut in its head": cut_off(0.02),
    "cut in its middle": cut_off(0.5),
    "cut at its end": cut_off(0.999),
    "somebody else's": lambda route: route.fulfill(body="<p>Log in</p></html>"),
}


@pytest.mark.parametrize("how", sampled(LOSSES))
def test_a_page_that_was_not_answered_asks_again(serve, how: str) -> None:
    served = serve()
    anna = served.page(served.evening.anna, "/g/{j}/")
    losses = Lost(anna, LOSSES[how], is_refresh)
    opened = count(anna, is_page)
    paid(served, 77)
    expect(balance(anna)).to_have_text("$3,077")
    assert (losses.count, opened) == (1, [])
    assert served.mistakes == []


class Lost:
    """The first request that is meant goes wrong; all later ones are answered."""

    def __init__(self, page: Page, how, is_meant, address: str = "**/*") -> None:
        self.count, self._how, self._is_meant = 0, how, is_meant
        page.route(address, self._meet)

    def _meet(self, route: Route) -> None:
        if self.count or not self._is_meant(route.request):
            route.fallback()
        else:
            self.count += 1
            self._how(route)


def test_an_answer_that_never_comes_is_asked_for_again(serve) -> None:
    served = serve()
    anna = timed(served)
    first = Held(anna, "**/g/*/", is_refresh)
    paid(served, 77)
    first.one()
    anna.clock.run_for(9 * S)
    expect(balance(anna)).to_have_text("$3,077")
    expect_touch(anna, "fine")


@pytest.mark.slow
def test_a_table_that_is_always_slow_is_shown_in_the_end_and_called_slow(serve) -> None:
    served = serve()
    anna = timed(served)
    first, second = Held(anna, "**/g/*/", is_refresh), Held(anna, "**/g/*/", is_refresh)
    paid(served, 77)
    second.one()  # The latest handler is asked first.
    anna.clock.run_for(9 * S)
    first.one()
    expect_touch(anna, "late")
    expect(anna.locator("#offline")).to_contain_text("what you see may be old")
    anna.clock.run_for(10 * S)  # Longer than the first one had.
    first.one().continue_()
    expect(balance(anna)).to_have_text("$3,077")
    expect(anna.locator("#offline")).to_be_hidden()


def test_a_lost_page_is_asked_for_ever_more_rarely(serve) -> None:
    served = serve()
    anna = timed(served)
    anna.route("**/g/*/", lambda route: route.fulfill(status=503, body="no"))
    asked = count(anna, lambda one: is_refresh(one) and one.url.endswith("/"))
    paid(served, 77)
    anna.wait_for_function("() => document.documentElement.dataset.asking === ''")
    for _ in range(60):
        anna.clock.run_for(S)
        anna.evaluate("() => 0")
    # At 0, 1, 3, 7, 15, 30 and 45 s, and whenever it looked for the stream meanwhile.
    assert 5 <= len(asked) <= 13
    expect_touch(anna, "late")
    anna.unroute("**/g/*/")
    anna.clock.run_for(15 * S)
    expect(balance(anna)).to_have_text("$3,077")
    expect_touch(anna, "fine")


@pytest.fixture
def wifi(serve) -> Iterator[tuple[Served, RudeProxy, str]]:
    served = serve(streams_max=8)
    port = int(served.url.rsplit(":", 1)[1])
    with RudeProxy(port) as proxy:
        yield served, proxy, f"http://127.0.0.1:{proxy.ports[0]}"
        served.hang_up()


@pytest.mark.parametrize("path", sampled(["/g/{j}/", "/table"]))
def test_a_stream_that_died_silently_is_noticed_and_opened_anew(wifi, path) -> None:
    served, proxy, url = wifi
    page = timed(served, path, url)
    expect_touch(page, "fine")
    page.wait_for_function("() => asking.isLive()")
    proxy.swallow(new=False)  # As when a phone roams: only new connections work.
    paid(served, 77)
    page.clock.run_for(21 * S)
    expect(page.locator("#live")).to_contain_text("$3,077")
    expect_touch(page, "fine")


def test_a_network_that_is_gone_is_said_and_what_was_missed_is_shown(wifi) -> None:
    served, proxy, url = wifi
    anna = timed(served, url=url)
    anna.wait_for_function("() => asking.isLive()")
    proxy.swallow()
    paid(served, 77)
    anna.clock.run_for(21 * S)
    expect_touch(anna, "offline")
    expect(anna.locator("#offline")).to_contain_text("Reconnecting")
    proxy.pass_on()
    for _ in range(3):
        anna.clock.run_for(10 * S)
    expect(balance(anna)).to_have_text("$3,077")
    expect_touch(anna, "fine")


def test_a_page_without_a_stream_looks_by_itself(serve) -> None:
    served = serve()
    anna = timed(served, "/g/{j}/history")  # Opened before, to have its cookie.
    stream = Held(anna, STREAM, lambda _: True)
    anna.goto(served.url + f"/g/{served.evening.game_id}/")
    stream.one()
    paid(served, 77)
    anna.clock.run_for(4 * S)
    expect(balance(anna)).to_have_text("$3,077")
    anna.clock.run_for(4 * S)
    expect_touch(anna, "fine")


@pytest.mark.slow
def test_two_notices_that_were_merged_are_both_shown(
    serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = serve()
    evening = served.evening
    evening.host.do(evening.game_id, "lock-table")
    gate, at_gate, wait = threading.Event(), threading.Event(), Subscription.wait

    def wait_at_the_gate(self: Subscription, timeout_s: float):
        if not gate.is_set():
            at_gate.set()
            gate.wait()
        return wait(self, timeout_s)

    gate.set()
    monkeypatch.setattr(Subscription, "wait", wait_at_the_gate)
    host = served.page(evening.host, "/g/{j}/bank")
    host.wait_for_function("() => asking.isLive()")
    gate.clear()
    assert at_gate.wait(PATIENCE_MS / 1000), "after its next heartbeat"
    host.locator("summary", has_text="Correct a balance").click()
    host.get_by_label("What is right?").fill("2900")
    with host.expect_response(lambda answer: is_post(answer.request)):
        host.get_by_role("button", name="Correct it").click()
    expect(host.locator("html[data-asking]")).to_have_count(0)
    knock(evening)
    gate.set()
    expect(host.locator(".arrived")).to_contain_text("Dora asks")


@pytest.mark.slow
def test_a_sheet_that_is_not_answered_is_not_asked_in_a_rush(serve) -> None:
    served = serve()
    anna = timed(served)
    sheets = "**/g/*/pay?*"
    page = '<main id="live" data-revision="9"></main><i id="whole"></i>'
    anna.route(sheets, lambda route: route.fulfill(status=503, body=page))
    asked = count(anna, lambda request: "/pay?" in request.url)
    fill(anna, "blue", "100")
    for _ in range(25):
        anna.clock.run_for(200)
        anna.evaluate(ASK_AS_WELL)  # What was asked before has been answered.
    assert 2 <= len(asked) <= 5
    anna.unroute(sheets)
    anna.clock.run_for(8 * S)
    expect(anna.locator("#confirm")).to_contain_text("You have $2,900 after that")


def test_what_is_typed_while_a_sheet_is_asked_is_never_confirmed_unseen(serve) -> None:
    served = serve()
    anna = served.page(served.evening.anna, "/g/{j}/")
    first = Held(anna, "**/g/*/pay?*", lambda _: True)
    anna.locator("label:has(input[name=payee][value=blue])").click()
    anna.locator("#amount").fill("100")
    first.one()
    anna.locator("#amount").fill("5")
    first.one().continue_()
    expect(anna.locator("#confirm")).to_contain_text("You have $2,995 after that")
    anna.get_by_role("button", name="Pay Ben $5").click()
    expect(balance(anna)).to_have_text("$2,995")


@pytest.mark.slow
def test_a_thumb_that_never_lets_go_does_not_hold_a_page_for_ever(serve) -> None:
    served = serve()
    anna = timed(served)
    anna.locator(".purse").dispatch_event("pointerdown")
    paid(served, 77)
    anna.wait_for_function("() => document.documentElement.dataset.asking === ''")
    expect(balance(anna)).to_have_text("$3,000")
    anna.clock.run_for(11 * S)
    expect(balance(anna)).to_have_text("$3,077")


@pytest.mark.slow
def test_a_thumb_that_scrolls_holds_no_page(serve) -> None:
    """The browser takes the touch away as soon as it scrolls, and no click comes."""
    served = serve()
    anna = timed(served)
    # Its time stands: however busy the machine is, no long press ends by itself.
    anna.clock.pause_at(anna.evaluate("Date.now() / 1000 + 11"))
    anna.locator(".purse").dispatch_event("pointerdown")
    anna.locator(".purse").dispatch_event("pointercancel")
    anna.clock.run_for(1)
    paid(served, 77)
    expect(balance(anna)).to_have_text("$3,077")


def test_the_answer_to_a_form_sent_without_script_follows_the_table_too(serve) -> None:
    served = serve()
    bank = served.page(served.evening.host, "/g/{j}/bank")
    bank.locator("summary", has_text="Correct a balance").click()
    bank.get_by_label("What is right?").fill("3000")
    form = bank.locator("form[action$='/do/correct-balance']")
    with bank.expect_navigation():
        form.evaluate("form => form.submit()")  # As before the scripts had come.
    expect(bank.locator("html.has-script")).to_have_count(1)
    expect(bank.locator("#message")).to_contain_text("has $3,000 already")
    paid(served, 77)
    expect(bank.locator("main, #act").get_by_text("$3,077").first).to_be_attached()
    expect(bank.locator("#message")).to_contain_text("has $3,000 already")
    assert bank.url.endswith("/bank")


def test_a_page_of_a_game_that_is_gone_says_so_once(serve) -> None:
    served = serve()
    evening = served.evening
    anna = timed(served, "/g/{j}/history")
    anna.route("**/history", lambda route: route.fulfill(status=404, body=GONE))
    asked = count(anna, lambda request: request.url.endswith("/history"))
    paid(served, 77)
    expect(anna.locator("#message")).to_contain_text("There is no such game")
    anna.clock.run_for(15 * S)
    expect_touch(anna, "fine")
    assert len(asked) == 1
    assert evening.balance("red") == 3_077


def test_what_a_lost_form_says_is_not_wiped_by_the_next_page(serve) -> None:
    served = serve()
    anna = served.page(served.evening.anna, "/g/{j}/")
    fill(anna, "blue", "100")
    pay = Held(anna, "**/do/pay", is_post)

    def refuse(route: Route) -> None:  # Again and again, however late one looks.
        refuse_in_words(route) if is_refresh(route.request) else route.fallback()

    anna.route("**/g/*/", refuse)
    paid(served, 77)
    expect(anna.locator("#message")).to_contain_text("busy")
    anna.get_by_role("button", name="Pay Ben $100").click()
    pay.one().abort()
    anna.unroute("**/g/*/", refuse)
    expect(balance(anna)).to_have_text("$3,077")
    expect(anna.locator("#message")).to_contain_text("Press again: it counts once")


def test_a_page_that_was_asleep_shows_what_it_missed(wifi) -> None:
    served, proxy, url = wifi
    anna = timed(served, url=url)
    hide = """hidden => {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    anna.evaluate(hide, True)
    proxy.cut()
    paid(served, 77)
    anna.clock.run_for(3_600 * S)
    proxy.pass_on()
    anna.evaluate(hide, False)
    expect(balance(anna)).to_have_text("$3,077")
    expect_touch(anna, "fine")


@pytest.mark.slow
def test_a_form_that_a_slow_table_answers_late_is_answered_in_the_end(serve) -> None:
    served = serve()
    anna = timed(served)
    second, first = (Held(anna, "**/do/pay", is_post) for _ in range(2))
    fill(anna, "blue", "100")
    pay = anna.get_by_role("button", name="Pay Ben $100")
    pay.click()
    first.one()
    anna.clock.run_for(9 * S)
    expect(anna.locator("#message")).to_contain_text("Press again: it counts once")
    pay.click()
    second.one()
    anna.clock.run_for(10 * S)
    second.one().continue_()
    expect(balance(anna)).to_have_text("$2,900")
    assert served.evening.balance("red") == 2_900


@pytest.mark.slow
@pytest.mark.parametrize("how", sampled(LOSSES))
@pytest.mark.parametrize("address", sampled(["**/vault/scene*", "**/vault/state"]))
def test_the_vault_and_its_scene_ask_again_as_well(
    watched: Watched, address: str, how: str
) -> None:
    page = watched.page("/vault", PHONE)
    losses = Lost(page, LOSSES[how], lambda _: True, address)
    due(watched)
    expect_scene("due", page)
    expect(page.locator("#v-sentence")).to_contain_text("Anna: guess on the phone")
    page.wait_for_function("() => !('asking' in document.documentElement.dataset)")
    assert losses.count == 1
    watched.mistakes = [x for x in watched.mistakes if "to load resource" not in x]


def test_a_post_of_the_vault_that_is_never_answered_holds_up_no_later_one(
    watched: Watched,
) -> None:
    page = watched.context(None, viewport=PHONE).new_page()
    page.clock.install()
    page.goto(watched.url + "/vault")
    lost = Held(page, "**/vault/turn", is_post)
    page.get_by_role("button", name="Turn right").click()
    lost.one()
    page.clock.run_for(9 * S)
    expect(page.locator("#message")).to_contain_text("may not have felt that")
    page.get_by_role("button", name="Turn right").click()
    watched.until(page, lambda: watched.night.keeper.view().number == 2)
    expect(page.locator("#v-number")).to_have_text("2")


LIES = """() => [...document.querySelectorAll("body *:not(#offline, #offline *)")]
  .map(x => [x.tagName, ...Object.values(x.getBoundingClientRect().toJSON())])"""
"""Where everything lies."""

SILENT = """when => {
  const offline = document.querySelector("#offline");
  offline.hidden = false;
  const words = offline.querySelectorAll("[data-when]");
  for (const one of words) one.hidden = one.dataset.when !== when;
}"""

COVERED = """() => {
  const hits = (x) => {
    const { left, top, width, height } = x.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2);
  };
  const words = document.querySelector("#offline");
  const { left, top, right, bottom } = words.getBoundingClientRect();
  const isWhole = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
    && words.scrollWidth <= words.clientWidth && bottom - top <= 100;
  const balances = ".purse .figure, .screen .figure[data-key]";
  const figures = [...document.querySelectorAll(balances)];
  return [isWhole ? "" : `the words do not fit: ${right - left} x ${bottom - top}`,
    ...figures.filter(x => !x.contains(hits(x))).map(x => `covered: ${x.outerHTML}`),
    figures.length ? "" : "no balance"].filter(Boolean);
}"""
"""Which balances the words of a silent table lie over, and whether those fit."""

SILENCES = (
    (before_roll, Shown("play", SEAT, "ben"), (320, 640)),
    (before_roll, Shown("table", "/table"), (1280, 800)),
    (by_hand, Shown("seat", SEAT, "ben"), (320, 640)),
    (by_hand, Shown("seat", SEAT, "ben"), (390, 844)),
    (by_hand, Shown("bank", "/g/{j}/bank", "host"), (390, 844)),
    (by_hand, Shown("table", "/table"), (1280, 800)),
    (before_roll, Shown("play", SEAT, "ben"), (390, 844)),
    (towering, Shown("table", "/table"), (1280, 800)),
)


@pytest.mark.parametrize("case", sampled(SILENCES, 2))
def test_a_silent_table_hides_no_balance_and_moves_nothing(
    browser: Browser,
    case: tuple[Callable[[House], Evening], Shown, tuple[int, int]],
) -> None:
    scene, shown, size = case
    with staged(browser, scene) as stage:
        for language, when in product(LANGUAGES, ("offline", "late")):
            page = stage.page(shown, size, "dark", language)
            lay = page.evaluate(LIES)
            page.evaluate(SILENT, when)
            assert page.evaluate(LIES) == lay, (language, when)
            assert page.evaluate(COVERED) == [], (language, when)
            stage.hang_up()
