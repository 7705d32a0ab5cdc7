"""How many taps it takes: what happens every minute takes few."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.chromium import expect
from tests.sample import sampled
from tests.web.conftest import Phone
from tests.web.guess_lab import GuessLab
from tests.web.play.test_panel_browser import PHONE, SMALL, TABLE, Served, serve

__all__ = ["serve"]  # A fixture.

pytestmark = pytest.mark.browser

SIZES = pytest.mark.parametrize(
    "size", sampled([SMALL, PHONE]), ids=["320x640", "390x844"]
)


@dataclass
class Thumb:
    """Taps on what a phone shows without scrolling, and counts them."""

    page: Page
    taps: int = 0

    def tap(self, target: Locator) -> None:
        expect(target).to_be_in_viewport(ratio=0.9)
        expect(target).to_be_enabled()
        box = target.bounding_box()
        assert box is not None
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.taps += 1

    def press(self, name: str) -> None:
        self.tap(self.page.get_by_role("button", name=name, exact=True))


def seat_page(served: Served, size: dict[str, int]) -> Page:
    return served.page(served.evening.anna, "/g/{j}/", viewport=size)


def payee(page: Page, seat: str) -> Locator:
    return page.locator(f"label:has(input[name=payee][value={seat}])")


def note(page: Page, value: int) -> Locator:
    return page.locator(f".bill[value='{value}']")


@SIZES
def test_a_payment_of_one_note_takes_three_taps_and_of_two_four(serve, size):
    page = seat_page(serve(), size)
    thumb = Thumb(page)
    expect(page.locator("#sheet [name=payee]:checked")).to_have_count(0)
    thumb.tap(payee(page, "blue"))
    thumb.tap(note(page, 100))
    thumb.press("Pay Ben $100")
    expect(page.locator(".purse .figure")).to_have_text("$2,900")
    assert thumb.taps == 3
    thumb = Thumb(page)
    thumb.tap(payee(page, "blue"))
    thumb.tap(note(page, 100))
    thumb.tap(note(page, 20))
    thumb.press("Pay Ben $120")
    expect(page.locator(".purse .figure")).to_have_text("$2,780")
    assert thumb.taps == 4


def begun(serve):
    """A table at which money has moved, so that somebody may have passed GO."""
    served = serve()
    served.evening.ben.do(served.evening.game_id, "pay", payee="bank", amount="10")
    return served


def test_go_takes_one_tap_and_gives_way_to_a_payment(serve):
    page = seat_page(begun(serve), SMALL)
    thumb, go = Thumb(page), page.get_by_role("button", name="GO +$400")
    thumb.tap(payee(page, "blue"))
    expect(go).to_be_hidden()
    page.get_by_role("button", name="Clear").click()
    expect(go).to_be_visible()
    thumb.tap(note(page, 50))
    expect(go).to_be_hidden()
    page.get_by_role("button", name="Clear").click()
    thumb = Thumb(page)
    thumb.press("GO +$400")
    expect(page.locator(".purse .figure")).to_have_text("$3,400")
    assert thumb.taps == 1
    thumb.press("GO +$400")
    expect(page.locator("#message")).to_contain_text("GO again? Anna passed GO")
    thumb.press("Yes, GO +$400")
    expect(page.locator(".purse .figure")).to_have_text("$3,800")
    expect(page.locator("#message")).to_be_empty()


@pytest.fixture
def asked(serve):
    """A small phone that asks whether its seat passed GO once more."""
    page = seat_page(begun(serve), SMALL)
    for _ in range(2):
        Thumb(page).press("GO +$400")
        expect(page.locator(".purse .figure")).to_have_text("$3,400")
    expect(page.locator("#message")).to_contain_text("GO again?")
    return page


@pytest.mark.slow
def test_no_to_a_second_go_leaves_all_as_it_is(asked):
    page = asked
    page.locator("#message").get_by_role("link", name="No").click()
    expect(page.locator("#message")).to_be_empty()
    expect(page.locator(".purse .figure")).to_have_text("$3,400")


def test_a_payment_that_is_begun_is_a_no_to_a_second_go(asked):
    page, thumb = asked, Thumb(asked)
    thumb.tap(payee(page, "blue"))
    expect(page.locator("#message")).to_be_empty()
    expect(page.locator("#confirm")).to_contain_text("How much?")
    thumb.tap(note(page, 50))
    expect(page.get_by_role("button", name="Pay Ben $50")).to_be_enabled()


@pytest.mark.slow
def test_the_first_note_that_is_tapped_is_a_no_to_a_second_go(asked):
    page, thumb = asked, Thumb(asked)
    thumb.tap(note(page, 50))
    expect(page.locator("#message")).to_be_empty()
    thumb.tap(payee(page, "blue"))
    expect(page.get_by_role("button", name="Pay Ben $50")).to_be_enabled()


@pytest.mark.slow
def test_an_amount_that_is_none_leaves_no_button_to_pay(serve):
    page = seat_page(serve(), PHONE)
    thumb, confirm = Thumb(page), page.locator("#confirm")
    thumb.tap(payee(page, "blue"))
    thumb.tap(note(page, 100))
    expect(confirm.get_by_role("button", name="Pay Ben $100")).to_be_enabled()
    page.locator("#amount").fill("1x0")
    expect(confirm.get_by_role("button")).to_have_count(0)
    expect(confirm).to_contain_text("is no amount")


@pytest.fixture
def lab(tmp_path: Path, browser: Browser) -> Iterator[Callable[[str], GuessLab]]:
    made: list[GuessLab] = []

    def start(edition: str) -> GuessLab:
        made.append(GuessLab(tmp_path, browser, edition, has_vault=False))
        return made[-1]

    yield start
    for one in made:
        one.close()


@SIZES
def test_buying_takes_one_tap(lab, size):
    table = lab("classic")
    table.begin(dice="rolled")
    table.said("red on oriental-avenue", "stage buy")
    page = table.page(table.evening.anna, viewport=size)
    thumb = Thumb(page)
    thumb.tap(page.locator(".hand button").filter(has_text="$100").first)
    expect(page.locator(".purse .figure")).to_have_text("$1,400")
    assert thumb.taps == 1


@SIZES
def test_rent_takes_one_tap_of_whoever_asks_for_it(lab, size):
    table = lab("classic")
    table.begin(dice="typed", rent="asked")
    table.said("blue owns oriental-avenue", "red on go")
    roll = {"die-1": 2, "die-2": 4}
    assert (
        table.evening.anna.do(table.evening.game_id, "roll", **roll).status_code == 303
    )
    page = table.page(table.evening.ben, viewport=size)
    thumb = Thumb(page)
    thumb.tap(page.locator(".hand button.rent"))
    expect(page.locator(".purse .figure")).to_have_text("$1,506")
    assert thumb.taps == 1


@SIZES
def test_a_deed_for_money_takes_five_taps_and_is_taken_back_by_one(lab, size):
    table = lab("classic")
    table.evening.house.seated(table.evening.game_id, "Cleo", "green", "duck")
    table.begin()
    table.said("red owns short-line", "blue owns park-place")
    path = f"/g/{table.evening.game_id}/trade"
    page = table.page(table.evening.anna, path, viewport=size)
    thumb = Thumb(page)
    thumb.tap(page.get_by_role("link", name="Ben"))
    thumb.tap(page.locator("label:has([name=want-deed][value=park-place])"))
    thumb.tap(page.locator("[name=add-give][value='500']"))
    thumb.tap(page.locator("[name=add-give][value='100']"))
    thumb.press("Offer it to Ben")
    expect(page.locator(".asked")).to_contain_text("You offered Ben a trade")
    assert thumb.taps == 5
    assert page.url.endswith("/trade"), "a later page would bring the sheet back"
    (offer,) = table.now.play.offers
    assert (offer.give.cash, offer.want.deeds) == (600, ("park-place",))
    thumb.press("Take it back")
    expect(page.locator(".offer")).to_have_count(0)
    assert thumb.taps == 6
    assert table.now.play.offers == ()


@pytest.mark.slow
@SIZES
def test_a_turn_without_choices_takes_one_tap(lab, size):
    table = lab("classic")
    table.begin(dice="rolled", rent="automatic")
    every = [deed.id for deed in table.now.board.rules.deeds]
    table.said(f"red owns {' '.join(every)}", "red on go")
    page = table.page(table.evening.anna, viewport=size)
    thumb = Thumb(page)
    before = table.now.play.mover.seat
    thumb.tap(page.locator(".hand button.main"))
    expect(page.locator(".thrown")).to_be_visible()
    assert before == "red"
    assert thumb.taps == 1


@SIZES
@pytest.mark.parametrize(
    ("edition", "faces"),
    [
        ("classic", ["[name=die-1][value='3']", "[name=die-2][value='4']"]),
        ("mega", ["[name=die-1][value='3']", "[name=die-2][value='4']", "[value=bus]"]),
    ],
)
def test_real_dice_take_one_tap_each(lab, size, edition, faces):
    table = lab(edition)
    table.begin(dice="typed")
    page = table.page(table.evening.anna, viewport=size)
    thumb = Thumb(page)
    for face in faces:
        thumb.tap(page.locator(f".face:has({face}), .face{face}"))
    expect(page.locator(".thrown").first).to_be_visible()
    assert thumb.taps == len(faces)


@SIZES
def test_joining_takes_one_tap_beside_the_name(serve, size):
    served = serve()
    page = served.page(None, "/g/{j}/join", viewport=size)
    name = page.get_by_label("Your name")
    expect(name).to_be_in_viewport(ratio=1)
    name.fill("Cleo")
    assert page.evaluate("scrollY") == 0
    thumb = Thumb(page)
    thumb.press("Sit down with $3,000")
    expect(page.locator(".purse h1")).to_contain_text("Cleo")
    assert thumb.taps == 1


def joining(served: Served, size: dict[str, int], phone: Phone | None) -> Page:
    """A phone that scanned the code of a game that has not begun."""
    house = served.house
    host = served.evening.host
    answer = host.post("/games", edition="classic", name="Sunday", leads="no")
    game_id = answer.headers["Location"].split("/")[2]
    house.seated(game_id, "Dora", "green", "duck")
    return served.page(phone, f"/g/{game_id}/", viewport=size)


@SIZES
def test_a_phone_that_has_played_before_joins_with_one_tap(serve, size):
    served = serve()
    page = joining(served, size, served.evening.ben)
    expect(page.get_by_label("Your name")).to_have_value("Ben")
    expect(page.locator("[name=colour]:checked")).to_have_value("blue")
    expect(page.locator("[name=token]:checked")).to_have_value("car")
    thumb = Thumb(page)
    thumb.press("Sit down with $1,500")
    expect(page.locator("h1")).to_have_text("You are in, Ben!")
    assert thumb.taps == 1


@SIZES
@pytest.mark.parametrize("leads", sampled(["yes", "no"]))
def test_the_host_begins_with_one_tap_from_the_page_after_sitting_down(
    serve, size, leads
):
    served = serve()
    house, host = served.house, served.evening.host
    answer = host.post("/games", edition="mega", name="Sunday", play="yes", leads=leads)
    game_id = answer.headers["Location"].split("/")[2]
    host.post(f"/g/{game_id}/join", name="Anna", colour="red", token="hat")
    house.seated(game_id, "Ben", "blue", "car")
    page = served.page(host, f"/g/{game_id}/", viewport=size)
    screen = served.page(None, f"/table?game={game_id}", viewport=TABLE)
    expect(screen.locator(".before")).to_be_visible()
    thumb = Thumb(page)
    thumb.press("Begin to play" if leads == "yes" else "Begin")
    expect(page.locator(".purse .figure")).to_have_text("$2,500")
    expect(screen.locator(".before")).to_have_count(0)
    assert thumb.taps == 1
