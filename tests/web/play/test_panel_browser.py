"""The panel in a real Chromium: two phones, no script, sleep, small screens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.chromium import expect
from tests.fakes import FakeClock
from tests.web.conftest import Evening, Phone, make_evening, make_panel
from tests.web.http.test_contrast import THEMES
from tests.web.served import RealHouse, still
from web.http.settings import PanelSettings

pytestmark = pytest.mark.browser

SMALL = {"width": 320, "height": 640}
PHONE = {"width": 390, "height": 844}
TABLE = {"width": 1280, "height": 800}

SLEEP = """hidden => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""

TARGETS = """() => {
  document.querySelectorAll("details").forEach(x => { x.open = true; });
  const seen = "a[href]:not(.skip), button:not([aria-hidden]), summary, select, "
    + "input:not([type=hidden], .hush)";
  return [...document.querySelectorAll(seen)].map(element => {
    const target = element.matches("[type=radio], [type=checkbox]")
      ? element.labels[0] : element;
    const box = target.getBoundingClientRect();
    const { width, height } = box;
    return { what: element.outerHTML.slice(0, 140), width, height };
  }).filter(box => box.width > 0 && (box.width < 48 || box.height < 48));
}"""


class Served(RealHouse):
    """A panel at a real address, and browsers that hold its phones' cookies."""

    def __init__(self, folder: Path, browser: Browser, settings: PanelSettings) -> None:
        house = make_panel(folder, FakeClock(), settings=settings)
        self.evening = make_evening(house)
        super().__init__(house, browser)

    def page(self, phone: Phone | None, path: str, **more: object) -> Page:
        context = self.context(phone, **{"viewport": PHONE, **more})
        page = context.new_page()
        page.on("pageerror", lambda error: self.mistakes.append(str(error)))
        page.on(
            "console",
            lambda m: self.mistakes.append(m.text) if "Content Sec" in m.text else None,
        )
        page.goto(self.url + path.format(j=self.evening.game_id))
        return page


@pytest.fixture
def serve(tmp_path: Path, browser: Browser) -> Iterator[Callable[..., Served]]:
    made: list[Served] = []

    def start(**more: object) -> Served:
        settings = PanelSettings(burst_count=500, heartbeat_s=0.5, **more)
        made.append(Served(tmp_path, browser, settings))
        return made[-1]

    yield start
    for served in made:
        served.close()


def fill(page: Page, payee: str, *notes: str) -> None:
    page.locator(f"label:has(input[name=payee][value={payee}])").click()
    for note in notes:
        page.locator(f".bill[value='{note}']").click()


def balance(page: Page):
    return page.locator(".purse .balance .figure")


def test_a_payment_shows_on_both_phones_without_asking(serve):
    served = serve()
    anna = served.page(served.evening.anna, "/g/{j}/")
    ben = served.page(served.evening.ben, "/g/{j}/")
    fill(anna, "blue", "100", "50")
    expect(anna.locator("#confirm")).to_contain_text("You have $2,850 after that")
    anna.get_by_role("button", name="Pay Ben $150").click()
    expect(balance(anna)).to_have_text("$2,850")
    expect(balance(ben)).to_have_text("$3,150")
    expect(ben.locator(".latest")).to_contain_text("Anna paid Ben $150")
    expect(anna.locator("#amount")).to_have_value("")
    anna.get_by_role("button", name="Undo: Anna paid Ben $150").click()
    expect(balance(ben)).to_have_text("$3,000")
    assert served.mistakes == []


WHERE = """([name, amount]) => {
  const row = document.querySelector("#latest");
  const edges = word => {
    const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.data.indexOf(word);
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + word.length);
      return range.getBoundingClientRect();
    }
    throw new Error(`${word} is not in ${row.textContent}`);
  };
  return [edges(name).right, edges(amount).left];
}"""


@pytest.mark.slow
def test_a_name_from_right_to_left_leaves_amounts_where_they_stand(serve):
    served = serve()
    evening, dani = served.evening, "\u05d3\u05e0\u05d9"
    evening.anna.do(evening.game_id, "rename-seat", seat="red", name=dani)
    evening.ben.do(evening.game_id, "pay", payee="red", amount=150, reason="other")
    ben = served.page(evening.ben, "/g/{j}/")
    expect(balance(ben)).to_have_text("$2,850")
    name_ends, amount_begins = still(ben).evaluate(WHERE, [dani, "$150"])
    assert name_ends < amount_begins
    assert served.mistakes == []


@pytest.mark.slow
def test_a_request_for_money_is_paid_at_a_tap(serve):
    served = serve()
    anna = served.page(served.evening.anna, "/g/{j}/")
    ben = served.page(served.evening.ben, "/g/{j}/")
    fill(anna, "blue", "100", "100")
    anna.get_by_role("button", name="Ask Ben for $200").click()
    ben.get_by_role("button", name="Pay $200", exact=True).click()
    expect(balance(anna)).to_have_text("$3,200")


def test_what_is_being_typed_survives_the_others(serve):
    served = serve()
    anna = served.page(served.evening.anna, "/g/{j}/")
    fill(anna, "blue")
    anna.locator("#amount").press_sequentially("12")
    served.evening.ben.do(served.evening.game_id, "pay", payee="red", amount="100")
    expect(balance(anna)).to_have_text("$3,100")
    anna.locator("#amount").press_sequentially("5")
    expect(anna.locator("#amount")).to_have_value("125")
    expect(anna.locator("#confirm")).to_contain_text("You have $2,975 after that")
    expect(anna.locator("#sheet [data-key=blue]")).to_have_text("$2,900")
    anna.get_by_role("button", name="Pay Ben $125").click()
    expect(balance(anna)).to_have_text("$2,975")


AIM = """button => {
  const { left, top, width, height } = button.getBoundingClientRect();
  const at = [left + width / 2, top + height / 2];
  const met = () => document.elementFromPoint(...at).closest("button")?.textContent;
  const look = () => queueMicrotask(() => { window.met = [met()]; });
  addEventListener("companion:shown", look, { once: true });
}"""
"""Says what a finger above a button meets as soon as others have changed the page."""


def test_what_others_put_under_a_finger_takes_no_tap_for_a_moment(serve):
    served = serve()
    ben, game_id = served.evening.ben, served.evening.game_id
    ben.do(game_id, "pay", payee="bank", amount="10")
    ben.do(game_id, "pay", payee="bank", amount="20")
    ben.do(game_id, "undo")
    page = served.page(ben, "/g/{j}/")
    redo = page.locator(".undo form[action$='/redo'] button")
    redo.evaluate(AIM)
    ben.do(game_id, "pay", payee="bank", amount="30")
    expect(redo).to_have_count(0)
    assert page.wait_for_function("window.met").json_value() == [None]
    expect(page.locator(".settling")).to_have_count(0)
    page.locator(".undo button").click()
    expect(redo).to_be_visible()


@pytest.mark.slow
def test_everything_works_without_script(serve):
    served = serve()
    page = served.page(served.evening.anna, "/g/{j}/", java_script_enabled=False)
    page.locator("label:has(input[name=payee][value=blue])").click()
    page.locator("#amount").fill("100")
    page.locator(".bill[value='50']").click()
    expect(page.locator("#confirm")).to_contain_text("You have $2,850 after that")
    page.get_by_role("button", name="Pay Ben $150").click()
    expect(balance(page)).to_have_text("$2,850")
    page.get_by_role("button", name="Undo: Anna paid Ben $150").click()
    expect(balance(page)).to_have_text("$3,000")
    page.get_by_role("button", name="GO +$400").click()
    expect(balance(page)).to_have_text("$3,400")


def test_a_phone_that_slept_asks_as_soon_as_it_wakes(serve):
    served = serve(streams_max=0, poll_ms=600_000)  # Nothing else would tell it.
    evening = served.evening
    anna = served.page(evening.anna, "/g/{j}/")
    anna.evaluate(SLEEP, True)
    evening.ben.do(evening.game_id, "pay", payee="red", amount="77")
    anna.wait_for_timeout(100)
    expect(balance(anna)).to_have_text("$3,000")
    anna.evaluate(SLEEP, False)
    expect(balance(anna)).to_have_text("$3,077")


def test_a_page_that_is_kept_still_is_new_for_a_phone_that_wakes(serve):
    served = serve(streams_max=0, poll_ms=600_000)
    evening = served.evening
    anna = served.page(evening.anna, "/g/{j}/history")
    anna.evaluate(SLEEP, True)
    evening.ben.do(evening.game_id, "pay", payee="red", amount="77")
    anna.evaluate(SLEEP, False)
    expect(anna.locator(".history")).to_contain_text("Ben paid Anna $77.")


def test_a_page_that_gets_no_stream_asks_by_itself(serve):
    served = serve(streams_max=0, poll_ms=100)
    anna = served.page(served.evening.anna, "/g/{j}/")
    served.evening.ben.do(served.evening.game_id, "pay", payee="red", amount="77")
    expect(balance(anna)).to_have_text("$3,077")


def test_a_waiting_phone_goes_on_once_it_is_let_in(serve):
    served = serve()
    evening = served.evening
    evening.host.do(evening.game_id, "lock-table")
    late = served.page(None, "/g/{j}/join")
    late.get_by_label("Your name").fill("Carl")
    late.get_by_role("button", name="Ask to be let in").click()
    expect(late.locator("main")).to_contain_text("Waiting for the banker")
    bank = served.page(evening.host, "/g/{j}/bank")
    bank.get_by_role("button", name="Let in").click()
    expect(balance(late)).to_have_text("$3,000")
    expect(late.locator("h1")).to_contain_text("Carl")


def test_a_phone_without_a_game_goes_on_when_one_is_opened(serve):
    served = serve()
    evening = served.evening
    evening.host.post(f"/games/{evening.game_id}/close")
    early = served.page(None, "/")
    expect(early.locator("h1")).to_have_text("No game is open")
    evening.host.post("/games", edition="classic", name="Sunday")
    expect(early.locator("h1")).to_have_text("Sunday")


def test_a_refusal_is_said_on_the_open_page(serve):
    served = serve()
    bank = served.page(served.evening.host, "/g/{j}/bank")
    bank.locator("summary", has_text="Correct a balance").click()
    bank.get_by_label("What is right?").fill("3000")
    bank.get_by_role("button", name="Correct it").click()
    expect(bank.get_by_role("alert")).to_contain_text("Anna has $3,000 already")
    bank.get_by_label("What is right?").fill("1e3")
    bank.get_by_role("button", name="Correct it").click()
    expect(bank.get_by_role("alert")).to_contain_text("is no amount")


def test_a_lost_table_is_named_and_found_again(serve):
    served = serve()
    page = served.page(served.evening.anna, "/nowhere")
    page.clock.install()
    page.goto(f"{served.url}/g/{served.evening.game_id}/")
    page.wait_for_function("() => asking.isLive()")
    page.context.set_offline(True)
    served.house.table.notices.close()  # The streams end, as when the table stops.
    page.wait_for_function("() => !asking.isLive()")
    page.clock.run_for(6_000)
    expect(page.locator("#offline")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("#offline")).to_be_hidden()


EVERY_PAGE = [
    ("anna", "/g/{j}/"),
    ("anna", "/g/{j}/pay?payee=blue&amount=50"),
    ("anna", "/g/{j}/history"),
    ("anna", "/g/{j}/invite"),
    ("host", "/g/{j}/bank"),
    ("host", "/g/{j}/join"),
    ("host", "/games"),
    ("anna", "/table"),
    ("anna", "/nowhere"),
    ("guest", "/g/{j}/join"),
    ("guest", "/table"),
]


def crowd(evening: Evening) -> None:
    """Six more seats, with names as long and as awkward as they may be."""
    looks = ("green", "cat"), ("orange", "dog"), ("purple", "duck")
    names = "W" * 24, "Grandfather Aloysius 🎩", "👩\u200d👩\u200d👧 Chloé"
    for name, (colour, token) in zip(names, looks, strict=True):
        phone = evening.house.seated(evening.game_id, name, colour, token)
        phone.do(
            evening.game_id, "ask-money", payer="red", amount="1000", reason="deal"
        )
    evening.anna.do(evening.game_id, "pay", payee="pot", amount="50")


@pytest.mark.slow
def test_every_page_fits_a_small_phone_and_a_thumb(serve):
    served = serve()
    crowd(served.evening)
    for who in ("anna", "host", "guest"):
        phone = None if who == "guest" else getattr(served.evening, who)
        page = served.page(phone, "/nowhere")
        for path in (path for its, path in EVERY_PAGE if its == who):
            page.goto(served.url + path.format(j=served.evening.game_id))
            for viewport in (SMALL, PHONE, TABLE):
                page.set_viewport_size(viewport)
                wide = still(page).evaluate("document.documentElement.scrollWidth")
                assert wide <= viewport["width"], (path, viewport)
                assert page.evaluate(TARGETS) == [], (path, viewport)
        assert served.mistakes == []


AS_DARK = """() => {
  const root = getComputedStyle(document.documentElement);
  return [root.colorScheme, root.getPropertyValue("--card")];
}"""


@pytest.mark.slow
def test_a_page_is_as_dark_as_the_phone_or_its_owner_says(serve):
    served = serve()
    page = served.page(None, "/start")
    for theme, scheme, wanted in (
        ("auto", "light", "light"),
        ("auto", "dark", "dark"),
        ("light", "dark", "light"),
        ("dark", "light", "dark"),
    ):
        page.emulate_media(color_scheme=scheme)
        page.context.add_cookies([{"name": "theme", "value": theme, "url": served.url}])
        page.reload()
        assert page.evaluate(AS_DARK) == [wanted, THEMES[wanted]["card"]], theme
