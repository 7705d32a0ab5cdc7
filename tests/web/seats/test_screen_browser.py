"""The table's screen in a real Chromium: what moves, what is heard, what stays put."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from companion.game import moves as m
from tests.chromium import LIVELY, expect
from tests.sample import sampled
from tests.web.conftest import Evening, House
from tests.web.guess_lab import GuessLab
from tests.web.guided_table import OTHERS, give
from tests.web.scenes import Shown, filling_by_hand, opening_by_hand, staged
from tests.web.served import still
from web.http.presence import ASLEEP_S

pytestmark = pytest.mark.browser

TELEVISION = {"width": 1280, "height": 800}
TOUCH = {"width": 800, "height": 480}

VOICE = """
  window.spoken = [];
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  Object.defineProperty(window, "speechSynthesis", { value: {
    getVoices: () => [], cancel: () => {},
    speak: (one) => window.spoken.push([one.lang, one.text]),
  } });
"""
"""A voice that writes down what it is asked to say."""

NO_VOICE = """
  delete window.SpeechSynthesisUtterance;
  delete window.speechSynthesis;
"""

LISTEN = "() => { window.heard = []; tableSound.play = (name) => heard.push(name); }"

BOXES = """(names) => names.flatMap(name => [...document.querySelectorAll(name)]
  .map(x => x.getBoundingClientRect())
  .map(box => [name, box.x, box.y, box.width, box.height].join(" ")))"""

COVERED = """(names) => {
  const felt = document.querySelector(".middle, .before").getBoundingClientRect();
  const boxes = names.flatMap(name => [...document.querySelectorAll(name)])
    .map(x => [x.className, x.getBoundingClientRect()]).filter(([, box]) => box.width);
  const [low, right] = [Math.min(felt.bottom, innerHeight) + 1, felt.right + 1];
  const wrong = boxes.filter(([, box]) => box.bottom > low || box.right > right)
    .map(([name]) => name + " sticks out");
  boxes.forEach(([name, box], at) => boxes.slice(at + 1).forEach(([other, also]) => {
    if (box.left < also.right - 1 && also.left < box.right - 1
      && box.top < also.bottom - 1 && also.top < box.bottom - 1) {
      wrong.push(name + " covers " + other);
    }
  }));
  return wrong;
}"""


@pytest.fixture
def lab(tmp_path: Path, browser: Browser) -> Iterator[GuessLab]:
    with closing(GuessLab(tmp_path, browser, "classic", has_vault=False)) as made:
        yield made
    assert made.mistakes == []


def screen(lab: GuessLab, init: str = "", **more: object) -> Page:
    page = lab.page(None, "/table", **{"viewport": TELEVISION, **more})
    if init:
        page.add_init_script(init)
        page.reload()
    return page


def pay(lab: GuessLab, payer: str, amount: int) -> None:
    phone = {"red": lab.evening.anna, "blue": lab.evening.ben}[payer]
    payee = {"red": "blue", "blue": "red"}[payer]
    answer = phone.do(lab.evening.game_id, "pay", payee=payee, amount=amount)
    assert answer.status_code == 303, answer.text


def crowd(lab: GuessLab, seats: int) -> None:
    for name, colour, token in OTHERS[: seats - 2]:
        lab.house.seated(lab.evening.game_id, name, colour, token)


def auctioned(lab: GuessLab) -> None:
    lab.begin()
    roll = {"die-1": 1, "die-2": 2}
    assert lab.evening.anna.do(lab.evening.game_id, "roll", **roll).status_code == 303
    answer = lab.evening.anna.do(lab.evening.game_id, "put-up")
    assert answer.status_code == 303, answer.text


@pytest.mark.slow
def test_whoever_sits_down_appears_beside_a_code_that_fills_half_the_screen(
    tmp_path: Path, browser: Browser
) -> None:
    made = GuessLab(tmp_path, browser, "classic", has_vault=False, leads="no")
    with closing(made) as lab:
        page = screen(lab)
        code = page.locator(".codes .join").bounding_box()
        assert code is not None
        assert code["width"] > 0.4 * TELEVISION["width"]
        page.evaluate("document.querySelector('#sits-red').was = 'here'")
        crowd(lab, 3)
        expect(page.locator("#sits-green")).to_be_visible()
        assert page.evaluate("document.querySelector('#sits-red').was") == "here"


@pytest.mark.slow
def test_rows_are_the_same_rows_when_they_change_places_beside_the_code(
    lab: GuessLab,
) -> None:
    pay(lab, "red", 10)
    page = screen(lab)
    rows = page.locator(".board > li")
    expect(rows.first).to_have_id("purse-blue")
    ends = "x => x.getBoundingClientRect().bottom"
    lowest, code = (page.locator(x).evaluate(ends) for x in (".board", ".side .scan"))
    assert abs(lowest - code) <= 2
    page.evaluate("document.querySelector('#purse-red').was = 'here'")
    pay(lab, "blue", 500)
    expect(rows.first).to_have_id("purse-red")
    assert page.evaluate("document.querySelector('#purse-red').was") == "here"


@pytest.mark.slow
def test_all_is_silent_until_the_one_switch_is_pressed(lab: GuessLab) -> None:
    pay(lab, "red", 10)
    page = screen(lab)
    switch = page.get_by_role("button", name="Sounds")
    expect(switch).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("tableSound.isOn()") is False
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    page.evaluate(LISTEN)
    pay(lab, "red", 20)
    page.wait_for_function("() => heard.includes('coins')")
    expect(switch).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(switch).to_have_attribute("aria-pressed", "true")
    switch.click()
    page.reload()
    expect(switch).to_have_attribute("aria-pressed", "false")


@pytest.mark.slow
def test_the_first_tap_on_the_screen_asks_once_about_sounds(lab: GuessLab) -> None:
    page = screen(lab)
    offer = page.locator("#sound-offer")
    expect(offer).to_be_hidden()
    page.mouse.click(30, 30)
    expect(offer).to_be_visible()
    page.get_by_role("button", name="Stay silent").click()
    expect(offer).to_be_hidden()
    page.reload()
    page.mouse.click(30, 30)
    switch = page.get_by_role("button", name="Sounds")
    expect(switch).to_have_attribute("aria-pressed", "false")
    expect(offer).to_be_hidden()


@pytest.mark.slow
def test_every_sound_of_an_entry_can_be_played(lab: GuessLab) -> None:
    page = screen(lab)
    page.get_by_role("button", name="Sounds").click()
    for name in ("dice", "coins", "bid", "gavel", "won", "wrong", "right", "treasure"):
        page.evaluate("name => tableSound.play(name)", name)
    assert lab.mistakes == []


@pytest.mark.slow
def test_rents_and_turns_are_read_aloud_once_in_the_screens_language(
    lab: GuessLab,
) -> None:
    lab.begin()
    lab.said("blue owns baltic-avenue")
    page = screen(lab, VOICE, locale="de-DE")
    switch = page.get_by_role("button", name="Vorlesen")
    switch.click()
    page.evaluate("spoken.length = 0")
    roll = {"die-1": 1, "die-2": 2}
    lab.evening.anna.do(lab.evening.game_id, "roll", **roll)
    page.wait_for_function("() => spoken.length > 0")
    ((language, text),) = page.evaluate("spoken")
    assert language == "de"
    assert "Miete" in text
    assert "⁨" not in text
    roll = {"die-1": 1, "die-2": 1}
    lab.evening.ben.do(lab.evening.game_id, "roll", **roll)
    expect(page.locator(".dice")).to_be_visible()
    page.wait_for_function("() => document.querySelectorAll('#live .ticker li').length")
    assert len(page.evaluate("spoken")) == 1, "it is still Ben's turn"


@pytest.mark.slow
def test_without_a_voice_there_is_no_switch_for_it_and_nothing_breaks(
    lab: GuessLab,
) -> None:
    pay(lab, "red", 10)
    page = screen(lab, NO_VOICE)
    expect(page.get_by_role("button", name="Sounds")).to_be_visible()
    expect(page.get_by_role("button", name="Read aloud")).to_be_hidden()
    pay(lab, "red", 20)
    expect(page.locator(".board > li").first).to_contain_text("$1,530")


STAYS = [".tabletop", ".lot", ".lot-name", ".bidders li", ".place", ".leader"]


def test_a_bid_moves_nothing_on_the_screen(lab: GuessLab) -> None:
    crowd(lab, 4)
    auctioned(lab)
    page = screen(lab)
    expect(page.locator(".leader")).to_contain_text("Who bids first?")
    before = still(page).evaluate(BOXES, STAYS[:-1])
    lab.evening.ben.do(lab.evening.game_id, "bid", amount=60)
    expect(page.locator(".leader")).to_contain_text("Ben leads")
    give(lab.evening, m.PassBid(by="green"))
    expect(page.locator("#bidder-green .mood")).to_have_text("passed")
    assert still(page).evaluate(BOXES, STAYS[:-1]) == before


@pytest.mark.slow
def test_an_offer_lies_on_the_screen_until_it_is_answered_and_moves_nothing(
    lab: GuessLab,
) -> None:
    lab.begin()
    lab.said("red owns boardwalk short-line", "blue owns park-place")
    page = screen(lab)
    around = [".tabletop > svg", ".turn", ".purses li", ".place"]
    before = still(page).evaluate(BOXES, around)
    goods = {"give-deed": "short-line", "give-cash": 50, "want-deed": "park-place"}
    lab.evening.anna.do(lab.evening.game_id, "make-offer", taker="blue", **goods)
    card = page.locator(".bargain")
    expect(card).to_contain_text("Anna gets all of Dark blue.")
    expect(card).to_contain_text("Short Line")
    assert still(page).evaluate(BOXES, around) == before
    assert page.evaluate(COVERED, [".bargain", ".turn", ".purses"]) == []
    lab.evening.anna.do(lab.evening.game_id, "withdraw")
    expect(card).to_have_count(0)


OVERFLOW = "x => x.scrollHeight - x.clientHeight"

MUCH = {
    "give-deed": ["boardwalk", "short-line", "st-james-place", "pacific-avenue"],
    "give-cash": 1_200,
    "want-deed": ["baltic-avenue", "park-place", "reading-railroad", "water-works"],
}
"""Four deeds for four; three groups are made whole or broken up by it."""


@pytest.mark.parametrize("deeds", sampled([4, 3, 2, 1]))
def test_the_card_of_an_offer_holds_all_of_it(lab: GuessLab, deeds: int) -> None:
    crowd(lab, 8)
    lab.begin()
    lab.said(
        "red owns boardwalk short-line tennessee-avenue new-york-avenue",
        "red owns st-james-place pacific-avenue mediterranean-avenue",
        "blue owns baltic-avenue park-place reading-railroad water-works",
        "blue owns north-carolina-avenue pennsylvania-avenue",
    )
    page = screen(lab)
    goods = {x: y[:deeds] if isinstance(y, list) else y for x, y in MUCH.items()}
    lab.evening.anna.do(lab.evening.game_id, "make-offer", taker="blue", **goods)
    expect(page.locator(".awaited")).to_have_text("Ben answers Anna's offer")
    for size in (TELEVISION, TOUCH):
        page.set_viewport_size(size)
        assert still(page).locator(".bargain").evaluate(OVERFLOW) <= 0, size


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("scene", [filling_by_hand, opening_by_hand])
def test_what_is_done_by_hand_at_the_vault_fits_its_screen(
    browser: Browser, scene: Callable[[House], Evening], language: str
) -> None:
    with staged(browser, scene) as stage:
        for size in ((1280, 800), (800, 480)):
            page = stage.page(Shown("screen", "/table"), size, "dark", language)
            assert page.locator(".by-hand").evaluate(OVERFLOW) <= 0, size
            assert page.evaluate(COVERED, [".by-hand", ".turn", ".purses"]) == []


@pytest.mark.slow
@pytest.mark.parametrize("seats", sampled([8, 5, 2]))
def test_an_auction_fits_its_screen(lab: GuessLab, seats: int) -> None:
    crowd(lab, seats)
    auctioned(lab)
    lab.evening.ben.do(lab.evening.game_id, "bid", amount=1_250)
    page = screen(lab)
    parts = [".lot .deed", ".bid", ".bidders", ".place"]
    for size in (TELEVISION, TOUCH):
        page.set_viewport_size(size)
        assert page.evaluate(COVERED, parts) == [], size


@pytest.mark.slow
def test_the_code_stays_with_six_seats_a_vault_and_a_pot(
    tmp_path: Path, browser: Browser
) -> None:
    with closing(GuessLab(tmp_path, browser, "secret-vault", has_vault=False)) as lab:
        crowd(lab, 6)
        lab.evening.anna.do(lab.evening.game_id, "pay", payee="pot", amount=150)
        lab.begin()
        page = screen(lab)
        expect(page.locator("#purse-vault, #purse-pot")).to_have_count(2)
        parts = [".turn", ".ticker", ".purses", ".place"]
        for size in (TELEVISION, TOUCH):
            page.set_viewport_size(size)
            expect(page.locator(".place .join")).to_be_in_viewport(ratio=1)
            assert page.evaluate(COVERED, parts) == [], size
    assert lab.mistakes == []


FALLS = """window.fell = 0; new MutationObserver((news) => {
  for (const one of news) fell += one.addedNodes[0]?.matches?.(".paper") ?? 0;
}).observe(document, { childList: true, subtree: true });"""
"""Counts what falls; a page that changes its kind is loaded anew."""


@pytest.mark.slow
@pytest.mark.parametrize("motion", [LIVELY, "reduce"])
def test_confetti_falls_for_the_winner_once_and_never_for_those_who_like_it_calm(
    lab: GuessLab, motion: str
) -> None:
    lab.begin()
    lab.said("red cash 3000")
    page = screen(lab, FALLS, reduced_motion=motion)
    give(lab.evening, m.CallTime(by="table"))
    expect(page.locator(".podium")).to_be_visible()
    expect(page.locator(".podium .at-1")).to_contain_text("Anna")
    if motion == LIVELY:
        page.wait_for_function("() => fell > 50")
        page.reload()
        expect(page.locator(".podium")).to_be_visible()
        expect(page.locator(".flying")).to_have_count(0)
    else:
        assert page.evaluate("fell") == 0


SMALLEST = """() => Math.min(...[...document.querySelectorAll(".finale :is(b, li)")]
  .map(x => parseFloat(getComputedStyle(x).fontSize)))"""


@pytest.mark.slow
@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_the_end_is_read_on_a_phone_that_shows_the_screen(
    lab: GuessLab, size: tuple[int, int]
) -> None:
    for name, colour, token in OTHERS[:4]:
        lab.house.seated(lab.evening.game_id, name, colour, token)
    lab.begin()
    give(lab.evening, m.CallTime(by="table"))
    page = screen(lab, viewport={"width": size[0], "height": size[1]})
    expect(page.locator(":is(.podium, .ranks-here) > li")).to_have_count(6)
    assert page.evaluate(SMALLEST) >= 12


@pytest.mark.slow
def test_a_sleeping_phone_is_seen_and_seen_to_be_back(lab: GuessLab) -> None:
    lab.begin()
    page = screen(lab)
    lab.house.app.extensions["companion.presence"]._heard_ns.clear()
    lab.house.app.extensions["companion.presence"]._began_ns -= ASLEEP_S * 1_000_000_000
    expect(page.locator("#purse-red .asleep")).to_have_text("phone asleep")
    lab.evening.anna.get(lab.address().removeprefix(lab.url))
    expect(page.locator(".asleep")).to_have_count(0)


TRY_AGAIN = """() => {
  document.querySelector("#offline").hidden = false;
  document.querySelector("#try-again").click();
}"""
"""All at once: a page that hears from the table hides that offer within a second."""


@pytest.mark.slow
def test_trying_again_is_one_tap(lab: GuessLab) -> None:
    page = lab.page(lab.evening.anna)
    with page.expect_request(lambda asked: asked.url == lab.address()):
        page.evaluate(TRY_AGAIN)
