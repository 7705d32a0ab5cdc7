"""A page is of one moment: what the stream tells waits for what was just tapped."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile

import pytest
from playwright.sync_api import Page, Request, Route

from tests.chromium import PATIENCE_MS, expect
from tests.sample import sampled
from tests.web.guided_table import lie_on_table
from tests.web.http.test_banner_browser import knock
from tests.web.play.test_panel_browser import Served, balance, fill, serve
from tests.web.play.test_play_browser import TWO_FRAMES, given, guided, headline

__all__ = ["serve"]  # A fixture.

pytestmark = pytest.mark.browser

WATCHED = """
window.told = [];
window.torn = [];
const Told = window.EventSource;
window.EventSource = class extends Told {
  constructor(address) {
    super(address);
    this.addEventListener("game", event => told.push(event.data));
  }
};
new MutationObserver(() => {
  const words = document.querySelector(".now h2")?.textContent ?? "";
  const hasDice = document.querySelector("#act .faces") !== null;
  const isToRoll = /roll/.test(words);
  if (words && hasDice !== isToRoll) torn.push(words + (hasDice ? " and dice" : ""));
}).observe(document, { childList: true, subtree: true, characterData: true });
"""
"""Keeps what the stream told, and each moment at which dice and headline disagreed."""

ASK_AS_WELL = "() => fetch(location.href).then(answer => answer.text()).then(() => 0)"


class Held:
    """Requests to an address, kept from being answered until the test says so."""

    def __init__(
        self, page: Page, address: str, is_meant: Callable[[Request], bool]
    ) -> None:
        self.page = page
        self.kept: list[Route] = []
        self._is_meant = is_meant
        page.route(address, self._keep)

    def _keep(self, route: Route) -> None:
        if self.kept or not self._is_meant(route.request):
            route.fallback()
        else:
            self.kept.append(route)

    def one(self) -> Route:
        """The one that was kept, once it is there."""
        for _ in range(PATIENCE_MS // 5):
            if self.kept:
                return self.kept[0]
            self.page.wait_for_timeout(5)
        raise AssertionError("nothing was asked for")


def is_post(request: Request) -> bool:
    return request.method == "POST"


def is_page(request: Request) -> bool:
    return request.resource_type == "document"


def is_refresh(request: Request) -> bool:
    """Whether the page asks by itself; the page after a form is no such request."""
    is_led_there = request.redirected_from is not None
    return request.resource_type == "fetch" and not (is_post(request) or is_led_there)


def at_the_dice(served: Served) -> Page:
    """Anna's phone, watched, with her first die typed in."""
    guided(served, "classic", dice="typed")
    anna = served.page(served.evening.anna, "/g/{j}/")
    anna.add_init_script(WATCHED)
    anna.reload()
    expect(headline(anna)).to_have_text("Your turn: roll the dice")
    anna.wait_for_function("() => told.length > 0")
    anna.locator("label.face").nth(0).click()
    return anna


def last_die(page: Page) -> None:
    page.get_by_role("button", name="Last die shows 2").click()


def expect_told(page: Page, served: Served) -> None:
    told = served.house.table.notices.told()
    page.wait_for_function("told => window.told.includes(told)", arg=told)


def test_the_stream_does_not_overtake_the_answer_to_a_tap(serve) -> None:
    served = serve()
    anna = at_the_dice(served)
    roll = Held(anna, "**/do/roll", is_post)
    last_die(anna)
    answer = roll.one().fetch(max_redirects=0)  # The table has carried it out.
    expect_told(anna, served)
    for _ in range(3):  # Time enough for a page that was asked for too early.
        anna.evaluate(ASK_AS_WELL)
    roll.one().fulfill(response=answer)
    expect(headline(anna)).to_have_text("Baltic Avenue is for sale")
    assert anna.evaluate("() => torn") == []
    assert served.mistakes == []


@pytest.mark.slow
def test_a_page_asked_for_before_a_tap_does_not_overtake_its_answer(serve) -> None:
    served = serve()
    anna = at_the_dice(served)
    page = Held(anna, f"**/g/{served.evening.game_id}/", is_refresh)
    roll = Held(anna, "**/do/roll", is_post)
    given(served, "blue cash 1400")
    page.one()
    given_up: list[bool] = []
    anna.on("requestfailed", lambda request: given_up.append(is_refresh(request)))
    last_die(anna)
    answer = roll.one().fetch(max_redirects=0)
    anna.evaluate(ASK_AS_WELL)
    assert given_up == [True]
    roll.one().fulfill(response=answer)
    expect(headline(anna)).to_have_text("Baltic Avenue is for sale")
    assert anna.evaluate("() => torn") == []
    assert served.mistakes == []


def test_a_page_follows_the_table_again_after_a_tap_that_was_lost(serve) -> None:
    served = serve()
    anna = at_the_dice(served)
    roll = Held(anna, "**/do/roll", is_post)
    last_die(anna)
    lost = roll.one()
    given(served, "red cash 1400")
    expect_told(anna, served)
    lost.abort()
    expect(anna.locator("#message")).to_contain_text("The table did not answer")
    expect(anna.locator(".purse .figure")).to_have_text("$1,400")
    last_die(anna)
    expect(headline(anna)).to_have_text("Baltic Avenue is for sale")
    assert anna.evaluate("() => torn") == []


def test_what_the_table_does_not_ask_for_any_more_goes_although_it_is_in_use(
    serve,
) -> None:
    served = serve()
    anna = at_the_dice(served)
    given(served, "turn blue")
    expect(headline(anna)).to_have_text("Ben rolls the dice")
    expect(anna.locator("#act .faces")).to_have_count(0)
    given(served, "turn red", "red on boardwalk", "stage auction")
    anna.locator("summary", has_text="Bid another amount").click()
    anna.locator("#bid").press_sequentially("7")
    given(served, "stage roll")
    expect(anna.locator("#bid")).to_have_count(0)
    assert served.mistakes == []


def at_the_list(served: Served) -> Page:
    """The banker's phone at the list of what is packed."""
    guided(served, "grab-and-go")
    lie_on_table(served.evening)
    anna = served.page(served.evening.anna, "/g/{j}/pause")
    expect(anna.locator(".tick").nth(2)).to_be_visible()
    return anna


def press(page: Page, which: int) -> None:
    """Lay a finger on the tick, and keep it there."""
    page.locator(".tick").nth(which).hover()
    page.mouse.down()


def expect_ticked(page: Page, *which: int) -> None:
    for number in range(3):
        ticked = "true" if number in which else "false"
        tick = page.locator(".tick").nth(number)
        expect(tick).to_have_attribute("aria-pressed", ticked)


@pytest.mark.slow
def test_an_answer_takes_nothing_from_under_a_finger(serve) -> None:
    served = serve()
    anna = at_the_list(served)
    first = Held(anna, "**/pause/tick", is_post)
    anna.locator(".tick").nth(0).click()
    first.one()
    press(anna, 1)
    with anna.expect_response("**/pause*"):
        first.one().continue_()
    anna.evaluate(TWO_FRAMES)
    anna.mouse.up()
    expect_ticked(anna, 0, 1)
    anna.locator(".tick").nth(0).click()
    expect_ticked(anna, 1)
    assert served.mistakes == []


def test_of_two_taps_under_way_the_last_answer_shows_both(serve) -> None:
    served = serve()
    anna = at_the_list(served)
    first = Held(anna, "**/pause/tick", is_post)
    anna.locator(".tick").nth(0).click()
    first.one()
    second = Held(anna, "**/pause/tick", is_post)
    anna.locator(".tick").nth(2).click()
    second.one()
    with anna.expect_response("**/pause*"):
        first.one().continue_()
    anna.evaluate(TWO_FRAMES)
    expect_ticked(anna)  # The form that is under way is still the one on the page.
    second.one().continue_()
    expect_ticked(anna, 0, 2)
    assert served.mistakes == []


def at_the_bank(served: Served) -> tuple[Page, Held]:
    """Ben is being renamed, which is not answered yet, and a balance is typed."""
    bank = served.page(served.evening.host, "/g/{j}/bank")
    bank.locator("summary", has_text="Rename somebody").click()
    bank.locator("summary", has_text="Correct a balance").click()
    bank.locator("form[action$='/do/rename-seat'] [value=Ben]").fill("Bea")
    first = Held(bank, "**/do/rename-seat", is_post)
    bank.locator("form[action$='/do/rename-seat']:has([value=Ben]) button").click()
    first.one()
    bank.get_by_label("What is right?").fill("1e3")
    return bank, first


def expect_said(bank: Page, words: str) -> None:
    """It is said while the page follows the table, and what was typed is there."""
    live = bank.locator("#live[data-revision='4']")  # Ben is Bea by now.
    expect(live).to_contain_text("The bank has paid out")
    bank.evaluate(ASK_AS_WELL)
    bank.evaluate(TWO_FRAMES)
    expect(bank.locator("#message")).to_contain_text(words)
    expect(bank.get_by_label("What is right?")).to_have_value("1e3")
    done = bank.locator("form[action$='/do/rename-seat'] [value=Ben]")
    if done.count():
        expect(done).to_have_value("Ben")  # That was heard: it is not sent again.


@pytest.mark.parametrize("is_lost", sampled([True, False]))
def test_an_answer_kept_for_later_does_not_wipe_what_went_wrong(
    serve, is_lost: bool
) -> None:
    served = serve()
    bank, first = at_the_bank(served)
    second = Held(bank, "**/do/correct-balance", is_post)
    bank.get_by_role("button", name="Correct it").hover()
    bank.mouse.down()
    with bank.expect_response("**/bank"):
        first.one().continue_()
    bank.evaluate(TWO_FRAMES)
    bank.mouse.up()
    if is_lost:
        second.one().abort()
    else:
        second.one().continue_()
    told = "The table did not answer" if is_lost else "is no amount"
    expect_said(bank, told)
    assert served.mistakes == []


@pytest.mark.slow
def test_an_answer_that_was_overtaken_by_a_refusal_does_not_wipe_it(serve) -> None:
    served = serve()
    bank, first = at_the_bank(served)
    bank.get_by_role("button", name="Correct it").click()
    expect(bank.get_by_role("alert")).to_contain_text("is no amount")
    first.one().continue_()
    expect_said(bank, "is no amount")
    assert served.mistakes == []


@pytest.mark.slow
def test_a_tap_that_comes_too_late_shows_what_is_so_by_now(serve) -> None:
    served = serve(streams_max=0, poll_ms=600_000)  # Nothing tells the page.
    guided(served, "classic")
    anna = served.page(served.evening.anna, "/g/{j}/")
    given(served, "turn blue")
    anna.get_by_role("button", name="Roll the dice").click()
    expect(anna.get_by_role("alert")).to_contain_text("Ben")
    expect(headline(anna)).to_have_text("Ben rolls the dice")
    expect(anna.get_by_role("button", name="Roll the dice")).to_have_count(0)
    expect(anna.get_by_role("alert")).to_contain_text("Ben")
    assert served.mistakes == []


@pytest.mark.slow
def test_a_page_that_is_left_for_another_is_not_opened_again(serve) -> None:
    served = serve()
    evening = served.evening
    host = served.page(evening.host, "/g/{j}/begin")
    host.add_init_script(WATCHED)
    host.reload()
    begin = Held(host, "**/do/begin", is_post)
    host.get_by_role("button", name="Begin to play").click()
    answer = begin.one().fetch(max_redirects=0)
    expect_told(host, served)
    asked: list[Request] = []
    host.on("request", lambda request: asked.append(request))
    begin.one().fulfill(response=answer)
    expect(host.locator("#live")).to_contain_text("The companion leads.")
    assert [request.url for request in asked if is_page(request)] == [host.url]
    before = takewhile(lambda request: not is_page(request), asked)
    assert not any(map(is_refresh, before)), "the page that is left was asked again"
    assert served.mistakes == []


def test_a_payment_whose_answer_was_lost_counts_once(serve) -> None:
    served = serve()
    evening = served.evening
    anna = served.page(evening.anna, "/g/{j}/")
    before = evening.revision()
    fill(anna, "blue", "100")
    pay = anna.get_by_role("button", name="Pay Ben $100")
    lost = Held(anna, "**/do/pay", is_post)
    pay.click()
    lost.one().fetch(max_redirects=0)  # The table has carried it out.
    lost.one().abort()
    expect(anna.locator("#message")).to_contain_text("Press again: it counts once")
    expect(balance(anna)).to_have_text("$2,900")
    with anna.expect_response("**/do/pay"):
        pay.click()
    assert (evening.revision(), evening.balance("red")) == (before + 1, 2_900)
    assert served.mistakes == []


def test_a_payment_begun_while_another_is_under_way_stays(serve) -> None:
    served = serve()
    anna = served.page(served.evening.anna, "/g/{j}/")
    fill(anna, "blue", "100")
    first = Held(anna, "**/do/pay", is_post)
    anna.get_by_role("button", name="Pay Ben $100").click()
    first.one()
    anna.locator(".bill[value='20']").click()
    first.one().continue_()
    expect(balance(anna)).to_have_text("$2,900")
    expect(anna.locator("#amount")).to_have_value("120")
    anna.get_by_role("button", name="Pay Ben $120").click()
    expect(balance(anna)).to_have_text("$2,780")
    expect(anna.locator("#amount")).to_have_value("")
    assert served.mistakes == []


def test_what_comes_before_the_stream_is_open_is_asked_for(serve) -> None:
    served = serve()
    evening = served.evening
    evening.host.do(evening.game_id, "lock-table")
    host = served.page(evening.host, "/g/{j}/history")
    stream = Held(host, "**/stream?*", lambda _: True)
    host.reload()
    stream.one()
    knock(evening)
    stream.one().continue_()
    expect(host.locator(".arrived")).to_contain_text("Dora asks")
    assert served.mistakes == []
