"""What arrives from others, and what was refused: said at once, moving nothing."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page

from tests.chromium import expect
from tests.sample import sampled
from tests.web.conftest import Evening
from tests.web.play.test_panel_browser import (
    PHONE,
    SMALL,
    Served,
    balance,
    fill,
    serve,
)
from tests.web.play.test_play_browser import guided
from tests.web.scenes import Shown, gathering_by_hand, staged
from tests.web.served import still

__all__ = ["serve"]  # A fixture.

pytestmark = pytest.mark.browser

BOXES = """() => [...document.querySelectorAll(
  "header.top, #live > *, #act *, #more > :not(#just-done), .foot"
)].map(x => [x.tagName, ...Object.values(x.getBoundingClientRect().toJSON())])"""
"""Where everything lies that was on the page before."""


def asked(evening: Evening, amount: int) -> None:
    evening.ben.do(
        evening.game_id, "ask-money", payer="red", amount=amount, reason="rent"
    )


def knock(evening: Evening) -> None:
    """Dora asks to be let in."""
    late = evening.house.guest()
    late.get(f"/g/{evening.game_id}/join")
    look = {"name": "Dora", "colour": "pink", "token": "dog"}
    late.post(f"/g/{evening.game_id}/join", **look)


def paused(served: Served) -> Page:
    """Anna's page, whose time passes as the test says."""
    anna = served.page(served.evening.anna, "/g/{j}/")
    anna.clock.install(time=0)
    anna.clock.pause_at(60_000)
    anna.reload()
    return anna


@pytest.mark.slow
@pytest.mark.parametrize("path", sampled(["", "history", "more"]))
def test_what_arrives_lies_over_the_page_and_moves_nothing(serve, path: str) -> None:
    served = serve()
    evening = served.evening
    anna = served.page(evening.anna, "/g/{j}/" + path)
    evening.ben.do(evening.game_id, "pay", payee="pot", amount=1)
    expect(anna.locator("#live[data-revision='4']")).to_have_count(1)
    for number, amount in enumerate((50, 70)):
        before = still(anna).evaluate(BOXES)
        asked(evening, amount)
        expect(anna.locator(f"#live[data-revision='{5 + number}']")).to_have_count(1)
        expect(anna.locator(".arrived")).to_contain_text("Ben asks you for $50 rent.")
        after = still(anna).evaluate(BOXES)
        if path != "history":  # It has grown by the line itself.
            assert len(before) == len(after)
            assert before[:40] == after[:40]
    expect(anna.locator(".arrived .count")).to_have_text("and one more")
    assert served.mistakes == []


def test_a_tap_in_the_first_moment_of_a_banner_answers_nothing(serve) -> None:
    served = serve()
    evening = served.evening
    anna = paused(served)
    asked(evening, 50)
    asked(evening, 70)
    pay = anna.locator(".arrived").get_by_role("button", name="Pay $50")
    expect(pay).to_have_attribute("aria-disabled", "true")
    sent: list[str] = []
    anna.on("request", lambda one: sent.append(one.method) if one.post_data else None)
    pay.click(force=True)
    pay.focus()
    anna.keyboard.press("Enter")
    anna.clock.run_for(900)
    expect(pay).not_to_have_attribute("aria-disabled", "true")
    assert sent == []
    pay.click()
    anna.clock.run_for(900)
    expect(anna.locator(".arrived")).to_contain_text("Ben asks you for $70")
    expect(balance(anna)).to_have_text("$2,950")
    assert served.mistakes == []


FEELS = """Object.defineProperty(navigator, "vibrate", {
  value: pattern => (window.felt = [...window.felt ?? [], pattern], true),
});"""


@pytest.mark.slow
@pytest.mark.parametrize("path", sampled(["", "deeds"]))
def test_a_rent_to_ask_for_is_felt_once_where_the_phone_may_buzz(
    serve, path: str
) -> None:
    served = serve()
    guided(served, "classic", "red on 37", "blue owns boardwalk", dice="typed")
    evening = served.evening
    ben, hushed = (served.page(evening.ben, "/g/{j}/more") for _ in range(2))
    hushed.get_by_role("button", name="This phone buzzes").click()
    for page in (ben, hushed):
        page.add_init_script(FEELS)
        page.goto(f"{served.url}/g/{evening.game_id}/{path}")
        page.locator("h1").first.click()  # They buzz for those who touched them.
        page.wait_for_function("navigator.userActivation.hasBeenActive")
    evening.anna.do(evening.game_id, "roll", **{"die-1": "1", "die-2": "1"})
    ask = ben.get_by_role("button", name="Ask Anna for $50 rent")
    expect(ask).to_be_in_viewport()
    felt = "() => (window.felt ?? []).filter(one => one.length > 3).length"
    assert ben.evaluate(felt) == 1
    evening.ben.do(evening.game_id, "rename-seat", seat="blue", name="Benno")
    expect(ben.locator(f"#live[data-revision='{evening.revision()}']")).to_be_attached()
    assert ben.evaluate(felt) == 1
    expect(hushed.locator(".rent")).to_be_visible()
    assert hushed.evaluate(felt) == 0
    expect(ask).not_to_have_attribute("aria-disabled", "true")
    ask.click()
    expect(ask).to_have_count(0)
    assert ben.url.endswith(f"/{path}")
    assert served.mistakes == []


@pytest.mark.slow
def test_a_banner_that_was_folded_stays_folded_until_another_comes(serve) -> None:
    served = serve()
    evening = served.evening
    long = {"seat": "blue", "name": "Karl-Friedrich-Alexander"}
    evening.ben.do(evening.game_id, "rename-seat", **long)
    anna = served.page(evening.anna, "/g/{j}/")
    asked(evening, 50)
    expect(anna.locator(".arrived[open]:not(.settling)")).to_have_count(1)
    anna.locator(".arrived summary").click()
    lines = "x => x.clientWidth - x.querySelector('summary').scrollWidth"
    assert anna.locator(".arrived").evaluate(lines) >= 0, "its arrow is cut off"
    evening.ben.do(evening.game_id, "pay", payee="pot", amount=1)
    expect(anna.locator(f"#live[data-revision='{evening.revision()}']")).to_be_visible()
    expect(anna.locator(".arrived:not([open])")).to_have_count(1)
    evening.ben.do(evening.game_id, "withdraw-ask", number=1)
    expect(anna.locator(".arrived")).to_have_count(0)
    asked(evening, 70)
    expect(anna.locator(".arrived[open]")).to_contain_text("$70")


def check_code_in_sight(page: Page) -> None:
    """A banner came folded and leaves the code to others' cameras."""
    boxes = (page.locator(x).bounding_box() for x in (".arrived", ".join"))
    banner, code = boxes
    assert banner is not None
    assert code is not None
    assert banner["y"] + banner["height"] <= code["y"]
    page.locator(".arrived:not(.settling) summary").click()


@pytest.mark.slow
def test_where_others_scan_a_code_a_banner_comes_folded(serve) -> None:
    served = serve()
    asked(served.evening, 50)
    anna = served.page(served.evening.anna, "/g/{j}/invite")
    check_code_in_sight(anna)
    expect(anna.get_by_role("button", name="Pay $50")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("language", sampled(["de", "en"]))
def test_whoever_knocks_before_the_game_begins_leaves_the_code_in_sight(
    browser: Browser, language: str
) -> None:
    bank = Shown("waiting-bank", "/g/{j}/bank", "host")
    with staged(browser, gathering_by_hand) as stage:
        host = stage.page(bank, (320, 640), "dark", language)
        check_code_in_sight(host)
        expect(host.locator(".arrived button")).to_have_count(2)
        stage.hang_up()


@pytest.mark.slow
def test_the_banker_answers_the_door_on_any_page_and_stays_there(serve) -> None:
    served = serve()
    evening = served.evening
    host = served.page(evening.host, "/g/{j}/history")
    evening.host.do(evening.game_id, "lock-table")
    knock(evening)
    expect(host.locator(".arrived:not(.settling)")).to_contain_text("Dora asks")
    host.get_by_role("button", name="Let in").click()
    expect(host.locator(".arrived")).to_have_count(0)
    expect(host.locator("#live")).to_contain_text("Dora sat down")
    assert host.url.endswith("/history")
    assert served.mistakes == []


@pytest.mark.slow
def test_an_offer_says_what_is_got_and_given(serve) -> None:
    served = serve()
    guided(served, "classic", "red owns boardwalk", "blue owns park-place")
    evening = served.evening
    anna = served.page(evening.anna, "/g/{j}/")
    more = {"give-cash": "120", "give-deed": "park-place", "want-deed": "boardwalk"}
    evening.ben.do(evening.game_id, "make-offer", taker="red", **more)
    banner = anna.locator(".arrived:not(.settling)")
    expect(banner).to_contain_text("Ben offers you a trade")
    got = re.compile(r"You get\s*Park Place.*\$120.*You give", re.DOTALL)
    expect(banner).to_contain_text(got)
    box, width = banner.bounding_box(), anna.evaluate("innerWidth")
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width, "it lies beside the page"
    banner.get_by_role("button", name="Take it").click()
    expect(anna.locator(".arrived")).to_have_count(0)
    expect(anna.locator(".purse .figure")).to_have_text("$1,620")


@pytest.mark.slow
def test_without_script_what_arrives_is_the_first_card(serve) -> None:
    served = serve()
    asked(served.evening, 50)
    anna = served.page(served.evening.anna, "/g/{j}/", java_script_enabled=False)
    banner = anna.locator(".arrived").bounding_box()
    purse = anna.locator(".purse").bounding_box()
    assert banner["y"] + banner["height"] <= purse["y"]
    anna.get_by_role("button", name="Pay $50").click()
    expect(balance(anna)).to_have_text("$2,950")


def correct(bank: Page, amount: str) -> None:
    bank.get_by_label("What is right?").fill(amount)
    bank.get_by_role("button", name="Correct it").click()


@pytest.mark.slow
@pytest.mark.parametrize("viewport", sampled([SMALL, PHONE]), ids=str)
def test_a_refusal_is_said_where_the_thumb_is_and_goes_at_a_tap(
    serve, viewport: dict[str, int]
) -> None:
    served = serve()
    bank = served.page(served.evening.host, "/g/{j}/bank")
    bank.set_viewport_size(viewport)
    bank.locator("summary", has_text="Correct a balance").click()
    bank.get_by_label("What is right?").fill("3000")
    bank.get_by_role("button", name="Correct it").scroll_into_view_if_needed()
    before = still(bank).evaluate(BOXES)
    bank.get_by_role("button", name="Correct it").click()
    said = bank.get_by_role("alert")
    expect(said).to_contain_text("Anna has $3,000 already")
    assert still(bank).evaluate(BOXES) == before
    box = said.bounding_box()
    assert box["y"] > viewport["height"] / 2
    assert box["y"] + box["height"] <= viewport["height"]
    expect(bank.get_by_label("What is right?")).to_have_value("3000")
    said.locator("strong").click()
    expect(said).to_be_empty()
    correct(bank, "2900")
    expect(said).to_be_empty()
    assert served.mistakes == []


def test_the_latest_is_said_once_and_with_the_new_balance(serve) -> None:
    served = serve()
    evening = served.evening
    anna = served.page(evening.anna, "/g/{j}/")
    anna.evaluate("""() => {
      window.said = [];
      new MutationObserver(() => said.push(document.querySelector("#said").textContent))
        .observe(document.querySelector("#said"), { childList: true });
    }""")
    for amount in (150, 20):
        evening.ben.do(evening.game_id, "pay", payee="red", amount=amount)
        words = f"Ben paid Anna ${amount}."
        expect(anna.locator("#said")).to_contain_text(words)
    evening.ben.do(evening.game_id, "pay", payee="pot", amount=5)
    expect(anna.locator("#said")).to_have_text("Ben paid the pot $5.")
    assert anna.evaluate("said") == [
        "Ben paid Anna $150. You have $3,150 now.",
        "Ben paid Anna $20. You have $3,170 now.",
        "Ben paid the pot $5.",
    ]
    asked(evening, 50)
    expect(anna.locator("#said")).to_have_text("Ben asks you for $50 rent.")
    anna.locator(".arrived:not(.settling) summary").click()
    fill(anna, "blue", "100")
    anna.get_by_role("button", name="Pay Ben $100").click()
    words = "Anna paid Ben $100. You have $3,070 now."
    expect(anna.locator("#said")).to_have_text(words)


@pytest.mark.slow
def test_a_history_that_is_read_grows_only_when_asked_to(serve) -> None:
    served = serve()
    evening = served.evening
    anna = served.page(evening.anna, "/g/{j}/history")
    evening.ben.do(evening.game_id, "pay", payee="red", amount=150)
    more = anna.get_by_role("link", name="Show what is new")
    expect(more).to_be_visible()
    expect(anna.locator("#said")).to_contain_text("Ben paid Anna $150.")
    expect(anna.locator(".history li").first).to_contain_text("Ben sat down")
    more.click()
    expect(anna.locator(".history li").first).to_contain_text("Ben paid Anna $150")
    expect(more).to_have_count(0)


@pytest.mark.slow
def test_what_lay_under_a_banner_takes_no_tap_as_it_goes(serve) -> None:
    served = serve()
    evening = served.evening
    anna = paused(served)
    link = anna.locator("#live a, #act a, #more a").first
    asked(evening, 50)
    expect(anna.locator(".arrived")).to_have_count(1)
    evening.ben.do(evening.game_id, "withdraw-ask", number=1)
    expect(anna.locator(".arrived")).to_have_count(0)
    takes_taps = "x => getComputedStyle(x).pointerEvents"
    assert link.evaluate(takes_taps) == "none"
    anna.clock.run_for(500)
    assert link.evaluate(takes_taps) != "none"
    assert served.mistakes == []


def test_a_bid_that_means_more_by_now_takes_no_tap_for_a_moment(serve) -> None:
    served = serve()
    guided(served, "classic", "red on boardwalk", "stage auction")
    evening = served.evening
    anna = paused(served)
    chip = anna.locator("#bid-1")
    expect(chip).not_to_have_attribute("aria-disabled", "true")
    low = int(chip.get_attribute("value") or 0)
    evening.ben.do(evening.game_id, "bid", amount=low + 20)
    expect(chip).not_to_have_attribute("value", str(low))
    expect(chip).to_have_attribute("aria-disabled", "true")
    before = evening.revision()
    chip.click(force=True)
    anna.clock.run_for(500)
    expect(chip).not_to_have_attribute("aria-disabled", "true")
    assert evening.revision() == before
    with anna.expect_response("**/do/bid"):
        chip.click()
    assert evening.revision() == before + 1


def pay_ben(page: Page) -> None:
    fill(page, "blue", "100")
    page.get_by_role("button", name="Pay Ben $100").click()


@pytest.mark.slow
def test_a_payment_by_hand_can_be_undone_where_the_thumb_is_for_a_while(serve) -> None:
    served = serve()
    evening = served.evening
    anna, ben = (served.page(phone, "/g/{j}/") for phone in (evening.anna, evening.ben))
    bank = served.page(evening.host, "/g/{j}/bank")
    anna.clock.install()
    pay_ben(anna)
    done = anna.locator("#just-done")
    expect(done).to_contain_text("Anna paid Ben $100.")
    for page in (anna, ben, bank):  # One way to undo at a time, and nothing below it.
        expect(page.locator(".undo button")).to_be_hidden()
    expect(ben.locator("#just-done button")).to_have_text("Ask to undo")
    expect(bank.locator("#just-done button")).to_have_text("Undo")
    undo = done.get_by_role("button", name="Undo", exact=True)
    anna.clock.run_for(1_000)
    expect(undo).not_to_have_attribute("aria-disabled", "true")
    undo.click()
    expect(balance(anna)).to_have_text("$3,000")
    expect(done).to_have_count(0)
    pay_ben(anna)
    expect(done).to_be_visible()
    anna.clock.run_for(8_100)
    expect(done).to_be_hidden()
    expect(anna.get_by_role("button", name="Undo: Anna paid Ben $100")).to_be_visible()
    pay_ben(anna)
    expect(done).to_be_visible()
    anna.locator(".bill[value='50']").click()
    expect(done).to_be_hidden()
    ask = {"seat": "blue", "payer": "red", "amount": 60, "reason": "rent"}
    evening.ben.do(evening.game_id, "ask-money", **ask)
    expect(ben.locator(".asked button")).to_have_text("Take it back")
    expect(anna.locator(".arrived")).to_be_visible()
    expect(ben.locator(".undo button")).to_have_count(0)
    for page in (anna, ben, bank):  # There it is taken back, or answered.
        expect(page.locator("#just-done")).to_have_count(0)
    assert served.mistakes == []


def refused(served: Served) -> Page:
    """Anna hears that Ben has that name already."""
    anna = served.page(served.evening.anna, "/g/{j}/more")
    anna.clock.install()
    anna.get_by_text("Rename").first.click()
    anna.locator("#rename").fill("Ben")
    anna.get_by_role("button", name="Rename").click()
    expect(anna.locator("#message .note")).to_be_visible()
    return anna


@pytest.mark.slow
@pytest.mark.parametrize("way", sampled(["tap", "time"]))
def test_what_was_refused_goes_by_itself_and_at_a_tap_elsewhere(
    serve, way: str
) -> None:
    anna = refused(serve())
    anna.clock.run_for(5_000)
    expect(anna.locator("#message .note")).to_be_visible()
    if way == "tap":
        anna.locator(".looks").click(position={"x": 2, "y": 2})
    else:
        anna.clock.run_for(60_000)
    expect(anna.locator("#message")).to_be_empty()


@pytest.mark.slow
def test_a_correction_says_what_it_did_where_the_thumb_is(serve) -> None:
    served = serve()
    guided(served, "classic", dice="typed")
    page = served.page(served.evening.host, "/g/{j}/correct", viewport=SMALL)
    page.locator("summary", has_text="Somebody's money").click()
    page.locator("#c-amount").fill("900")
    page.get_by_role("button", name="That is right now").first.click()
    done = page.locator("#just-done")
    expect(done).to_contain_text("Anna has $900.")
    expect(done).to_be_in_viewport()
    served.evening.anna.do(
        served.evening.game_id, "roll", **{"die-1": "1", "die-2": "2"}
    )
    shown = f"#live[data-revision='{served.evening.revision()}']"
    expect(page.locator(shown)).to_be_attached()
    expect(done).not_to_be_visible()  # Others' acts are no answer to this one's.
    assert served.mistakes == []


@pytest.mark.slow
def test_a_bid_that_is_no_amount_is_not_called_too_low(serve) -> None:
    served = serve()
    guided(served, "classic", dice="typed")
    evening = served.evening
    evening.anna.do(evening.game_id, "roll", **{"die-1": "1", "die-2": "2"})
    evening.anna.do(evening.game_id, "put-up")
    ben = served.page(evening.ben, "/g/{j}/")
    ben.get_by_text("Bid another amount").click()
    told_of = ben.locator(".own-bid [role=status]:visible")
    for typed, told in (("a lot", "That is no amount."), ("$", "That is no amount.")):
        ben.locator("#bid").fill(typed)
        expect(told_of).to_have_text(told)
    ben.locator("#bid").fill("1000000000000")
    expect(told_of).to_have_text("That is no amount.")
    ben.locator("#bid").fill("50")
    expect(told_of).to_have_count(0)
