"""Taps from a new table to the first move, counted on phones in a real Chromium.

A tap is a finger on something; what is typed is counted apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.chromium import LIVELY, expect
from tests.sample import sampled
from tests.web.conftest import CODE, House
from tests.web.served import RealAddress
from web.http.settings import PanelSettings

pytestmark = pytest.mark.browser

PHONES = ({"width": 390, "height": 844}, {"width": 320, "height": 640})


class Fingers:
    """A phone whose taps are counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = 0

    def tap(self, selector: str, words: str = "") -> None:
        """Tap what is in sight without scrolling; it counts as one tap."""
        found = self.page.locator(selector, has_text=words).locator("visible=true")
        expect(found).to_be_in_viewport(ratio=1)
        found.tap()
        self.count += 1


@pytest.fixture
def house(make_house: Callable[..., House]) -> House:
    return make_house(settings=PanelSettings(burst_count=500, heartbeat_s=0.5))


def phone(real: RealAddress, path: str, viewport: dict[str, int]) -> Fingers:
    context = real.context(None, viewport=viewport, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(real.url + path)
    return Fingers(page)


def typed(fingers: Fingers, text: str) -> None:
    """Type where the page has put the cursor; nobody taps for it."""
    expect(fingers.page.locator("[autofocus]")).to_be_focused()
    fingers.page.keyboard.type(text)


@pytest.mark.slow
@pytest.mark.parametrize("viewport", sampled(reversed(PHONES)), ids=["320", "390"])
def test_a_first_start_is_four_taps_and_six_digits(
    real: RealAddress, viewport: dict[str, int]
):
    host = phone(real, "/", viewport)
    typed(host, CODE)
    assert len(CODE) == 6
    host.page.wait_for_url("**/games")
    host.page.locator("label.box", has_text="Secret Vault").scroll_into_view_if_needed()
    host.tap("label.box", "Secret Vault")
    host.tap("button.way", "The companion leads")
    typed(host, "Anna")
    host.tap("button", "Sit down")
    expect(host.page.locator("h1")).to_have_text("Scan to join")
    assert host.count == 3

    path = "/g/" + host.page.url.split("/")[4] + "/"
    guest = phone(real, path, viewport)
    typed(guest, "Ben")
    guest.tap("button", "Sit down")
    expect(guest.page.locator("h1")).to_contain_text("Ben")
    assert guest.count == 1, "joining is a name and one tap"

    host.tap("button", "Begin to play")
    expect(host.page.locator(".now")).to_be_visible()
    expect(guest.page.locator(".now")).to_be_visible()
    assert host.count == 4


@pytest.mark.slow
def test_digits_with_spaces_are_sent_too_and_wrong_ones_can_be_typed_again(
    real: RealAddress,
):
    host = phone(real, "/start", PHONES[1])
    typed(host, "314 158")
    expect(host.page.get_by_role("alert")).to_contain_text("it has 6 digits")
    typed(host, "314 159")
    host.page.wait_for_url("**/games")


@pytest.mark.slow
@pytest.mark.parametrize(
    "digits",
    sampled(["\u0663\u0661\u0664 \u0661\u0665\u0669", "\uff13\uff11\uff14159"]),
)
def test_the_digits_of_any_keyboard_are_sent_too(real: RealAddress, digits: str):
    host = phone(real, "/start", PHONES[1])
    typed(host, digits)
    host.page.wait_for_url("**/games")


@pytest.mark.slow
def test_what_is_no_digit_waits_for_the_button(real: RealAddress):
    host = phone(real, "/start", PHONES[1])
    typed(host, "a314159")
    expect(host.page.get_by_role("alert")).to_be_empty()
    host.tap("button", "Open the bank")
    expect(host.page.get_by_role("alert")).to_contain_text("it has 6 digits")


def test_the_button_after_the_last_digit_does_not_send_them_twice(real: RealAddress):
    host = phone(real, "/start", PHONES[1])
    expect(host.page.locator("[autofocus]")).to_be_focused()
    sent: list[str] = []
    host.page.on("request", lambda x: sent.append(x.method))
    host.page.evaluate(
        """code => {
          const field = document.querySelector("#code");
          field.value = code;
          field.dispatchEvent(new Event("input"));
          field.form.querySelector("button").click();
        }""",
        CODE,
    )
    host.page.wait_for_url("**/games")
    assert sent.count("POST") == 1


@pytest.mark.slow
def test_after_too_many_wrong_codes_the_page_waits_for_all_digits_of_the_new_one(
    real: RealAddress, house: House
):
    for number in range(10):
        guesser, there = house.guest(), {"REMOTE_ADDR": f"10.0.0.{number}"}
        guesser.client.get("/start", environ_base=there)
        headers = {"Origin": "http://localhost"}
        guesser.client.post(
            "/start", data={"code": "0"}, headers=headers, environ_base=there
        )
    host = phone(real, "/start", PHONES[1])
    typed(host, "314159")
    assert host.page.url.endswith("/start")
    host.page.keyboard.type("265")
    host.page.wait_for_url("**/games")


@pytest.mark.slow
def test_any_box_may_be_played_with_only_the_bank(real: RealAddress):
    host = phone(real, "/start", PHONES[0])
    typed(host, CODE)
    host.page.wait_for_url("**/games")
    host.tap("label.box", "Mega Edition")
    ways = host.page.locator(".way:visible")
    expect(ways).to_have_count(2)
    expect(ways.first).to_contain_text("it knows the board, the cards and the rules")
    host.tap("button.way", "Only the bank")
    typed(host, "Anna")
    host.tap("button", "Sit down")
    expect(host.page.locator("h1")).to_have_text("Scan to join")
    host.tap("button", "Begin")
    expect(host.page.locator("h1")).to_contain_text("Anna")
    assert host.page.url.endswith("/")


@pytest.mark.slow
def test_opening_and_joining_work_without_script(real: RealAddress, house: House):
    host = phone(real, "/start", PHONES[1])
    context = real.context(
        None, viewport=PHONES[1], java_script_enabled=False, reduced_motion=LIVELY
    )
    page = context.new_page()
    page.goto(real.url + "/start")
    page.get_by_label("The digits").fill("31 41 59")
    page.get_by_role("button", name="Open the bank").click()
    page.locator("label.box", has_text="Grab & Go").click()
    page.locator("button.way:visible", has_text="The companion leads").click()
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name=re.compile("^Sit down")).click()
    expect(page.locator("h1")).to_have_text("Scan to join")
    host.page.close()
