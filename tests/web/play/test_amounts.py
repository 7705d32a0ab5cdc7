"""The server and the page's script read a typed amount alike, in every language.

What either does not understand stays as it was typed, is refused in words, and is
never another amount.
"""

from __future__ import annotations

import random
import re
from html import unescape

import pytest
from playwright.sync_api import Page

from companion.game import commands as c
from companion.rules.drawing import FROM_PHONES
from companion.units import Balance, Dollars, GameId
from tests.chromium import expect
from tests.web.conftest import Evening, House
from tests.web.guided_table import guided as led
from tests.web.play.test_panel_browser import serve
from tests.web.play.test_play_browser import guided
from web.http.language import LANGUAGES, language_of

__all__ = ["serve"]  # A fixture.

ALIKE: dict[str, int | None] = {
    "": 0,
    " ": 0,
    "\u200e": 0,
    "0": 0,
    "$0": 0,
    "7": 7,
    "1000": 1000,
    " 1000 ": 1000,
    "1,000": 1000,
    "1,000,000": 1_000_000,
    "1 000": 1000,
    "1\u00a0000": 1000,
    "1\u202f000": 1000,
    "1\u2009000\u2009000": 1_000_000,
    "$1,400": 1400,
    "1,400 $": 1400,
    "\u00a3 60": 60,
    "60\u00a0\u20ac": 60,
    "\u0661\u0660\u0660": 100,
    "\u0661\u066c\u0660\u0660\u0660": 1000,
    "\u06f1\u06f0\u06f0": 100,
    "\uff11\uff10\uff10": 100,
    "\uff11\uff0c\uff10\uff10\uff10": 1000,
    "\U0001d7d7\U0001d7ce": 90,
    "\u200e100": 100,
    "\u202a100\u202c": 100,
    "\u20661,200\u2069": 1200,
    "\ufeff1\u200b00\u200b": 100,
    "abc": None,
    "$": None,
    "-5": None,
    "+5": None,
    "\u22125": None,
    "\u224860": None,
    "007": None,
    "00": None,
    "0,500": None,
    "0x10": None,
    "1e3": None,
    "1x0": None,
    "1_000": None,
    "$$5": None,
    "1.4": None,
    "1,4": None,
    "1.40": None,
    "1,40": None,
    "10,00": None,
    "10.00": None,
    "1000,000": None,
    "1,0000": None,
    "1,000,00": None,
    "1  000": None,
    "1,000 000": None,
    "1,000.000": None,
    "1.000,000": None,
    "1,000.00": None,
    "1000001": None,
    "1,000,001": None,
    "99999999999999999999": None,
    "\u00b2": None,
    "5\u00b2": None,
    "\u2460": None,
    "\u00bd": None,
    "5\t": None,
    "5 000 4": None,
}
"""What people type, and what it is on every page; ``None`` for no amount."""

OWN: dict[str, dict[str, int | None]] = {
    "en": {"1.400": None, "1.400 $": None, "1.000.000": None},
    "de": {"1.400": 1400, "1.400\u00a0$": 1400, "1.000.000": 1_000_000},
}
"""The same where the languages differ."""

NOTE = 50


def table_of(code: str) -> dict[str, int | None]:
    return ALIKE | OWN[code]


def after_note(text: str, amount: int | None) -> str:
    """What stands in the field after a tap on the note of 50."""
    return text if amount is None else str(amount + NOTE)


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_server_reads_what_people_type(evening: Evening, code: str) -> None:
    told = evening.anna.post("/language", language=code, back="/")
    assert told.status_code == 303
    wrong = {}
    for text, amount in table_of(code).items():
        page = evening.anna.client.get(
            f"/g/{evening.game_id}/pay",
            query_string={"payee": "blue", "amount": text, "add": str(NOTE)},
        ).text
        (field,) = re.findall(r'<input id="amount"[^>]* value="([^"]*)"', page)
        is_paid = 'class="brass wide"' in page.split('id="confirm"')[1]
        got = unescape(field), is_paid
        is_payable = amount is not None and amount + NOTE <= 3_000
        if got != (after_note(text, amount), is_payable):
            wrong[text] = got
    assert not wrong


def test_a_form_is_read_in_the_language_of_its_page(evening: Evening) -> None:
    pay = {"payee": "blue", "amount": "1.400\u00a0$"}
    assert evening.anna.do(evening.game_id, "pay", **pay).status_code == 400
    assert evening.balance("red") == 3_000
    evening.anna.post("/language", language="de", back="/")
    assert evening.anna.do(evening.game_id, "pay", **pay).status_code == 303
    assert evening.balance("red") == 1_600


def test_the_bank_never_pays_more_than_can_be_paid(evening: Evening) -> None:
    filled = "from=bank&payer=bank&payee=blue&amount=1000000&add=50"
    page = evening.host.get(f"/g/{evening.game_id}/pay?{filled}")
    assert page.status_code == 200
    assert "1000050&#39; is too much: $1,000,000 at most" in page.text


def test_numbers_of_any_keyboard_begin_a_game_and_roll(house: House) -> None:
    host = house.host()
    opened = host.post("/games", edition="grab-and-go", name="Friday")
    game_id = GameId(opened.headers["Location"].split("/")[2])
    anna = house.seated(game_id, "Anna", "red", "hat")
    house.seated(game_id, "Ben", "blue", "car")
    typed = {"option-auction_start": "1,000", "option-dice": "typed"}
    assert host.do(game_id, "begin", **typed).status_code == 303
    board = house.table.game(game_id).board
    assert board is not None
    assert board.rules.auction.start == 1_000
    dice = {"die-1": "\uff11", "die-2": "\u0662"}
    assert anna.do(game_id, "roll", **dice).status_code == 303
    play = house.table.game(game_id).play
    assert play is not None
    assert play.token_of("red").space == 3


OFFER = {"taker": "blue"}
READ = {"key": "deed.boardwalk.mortgage"}
TYPED: dict[str, tuple[str, str, dict[str, str]]] = {
    "a payment": ("pay", "amount", {"payee": "blue"}),
    "a request": ("ask-money", "amount", {"payer": "blue"}),
    "a bid": ("bid", "amount", {}),
    "a fake note": ("give-verdict", "amount", {"verdict": "fake"}),
    "a balance": ("correct-balance", "balance", {"account": "red"}),
    "a correction": ("correct-position", "n", {"subject": "red", "what": "cash"}),
    "money given": ("make-offer", "give-cash", OFFER),
    "money wanted": ("make-offer", "want-cash", OFFER),
    "a figure": ("read-box", "value", READ),
    "a likely figure": ("read-box", "likely", READ),
    "a card": ("draw", "amount", {"effect": "pay"}),
    "a card of the vault": ("draw", "vault-amount", {"effect": "to-vault"}),
    "a card for buildings": ("draw", "price-house", {"effect": "repairs"}),
}
"""Every field of a form that holds an amount: its verb, its name, what goes with it."""


@pytest.mark.parametrize("typed", ["abc", "-5", "1.4"])
@pytest.mark.parametrize(("verb", "field", "more"), TYPED.values(), ids=TYPED)
def test_what_is_no_amount_is_called_so_in_every_form(
    evening: Evening, verb: str, field: str, more: dict[str, str], typed: str
) -> None:
    answer = evening.host.do(evening.game_id, verb, **more, **{field: typed})
    assert answer.status_code == 400
    assert f"{typed!r} is no amount" in unescape(answer.text)


def test_every_form_with_an_amount_is_among_them() -> None:
    named = {(verb, field) for verb, field, _ in TYPED.values()}
    missing = {
        (c.address_of(kind), field.name)
        for kind in FROM_PHONES
        for field in c.fields_of(kind)
        if field.type in (Dollars, Balance)
    } - named
    assert not missing


def test_a_payment_calls_it_so_while_it_is_filled(evening: Evening) -> None:
    shown = evening.anna.get(f"/g/{evening.game_id}/pay?payee=blue&amount=abc")
    assert "'abc' is no amount" in unescape(shown.text)


def test_a_trade_calls_it_so_while_it_is_filled(house: House) -> None:
    evening = led(house, "classic", 2)
    filled = "taker=blue&give-cash=abc"
    shown = evening.anna.get(f"/g/{evening.game_id}/trade?{filled}")
    assert "'abc' is no amount" in unescape(shown.text)


def test_an_option_that_is_no_amount_is_called_so(house: House) -> None:
    host = house.host()
    opened = host.post("/games", edition="grab-and-go", name="Friday")
    game_id = GameId(opened.headers["Location"].split("/")[2])
    house.seated(game_id, "Anna", "red", "hat")
    house.seated(game_id, "Ben", "blue", "car")
    for field in ("option-auction_start", "option-auction_step"):
        answer = host.do(game_id, "begin", **{field: "abc"})
        assert answer.status_code == 400
        assert "'abc' is no amount" in unescape(answer.text)


TAPPED = """([texts, field, note]) => texts.map((text) => {
  document.querySelector(field).value = text;
  document.querySelector(note).click();
  return document.querySelector(field).value;
})"""
SHEET = "#amount", f".bill[value='{NOTE}']"


def tapped(page: Page, texts: list[str], sheet: tuple[str, str] = SHEET) -> list[str]:
    """What stands in a sheet's field after a tap on its note, for each of *texts*."""
    return page.evaluate(TAPPED, [texts, *sheet])


def check_taps(page: Page, code: str, sheet: tuple[str, str] = SHEET) -> None:
    table = table_of(code)
    shown = dict(zip(table, tapped(page, list(table), sheet), strict=True))
    assert {
        text: after
        for text, after in shown.items()
        if after != after_note(text, table[text])
    } == {}


@pytest.mark.browser
@pytest.mark.parametrize("code", LANGUAGES)
def test_the_script_reads_what_people_type_and_all_that_we_write(
    serve, code: str
) -> None:
    served = serve()
    page = served.page(served.evening.anna, "/g/{j}/", locale=code)
    check_taps(page, code)
    amounts = [*range(1, 1200), *range(9_990, 10_010), 999_999, 1_000_000]
    amounts += random.Random(8).sample(range(1_000_001), 1000)
    texts = [language_of(code).amount(amount) for amount in amounts]
    assert tapped(page, texts) == [str(amount + NOTE) for amount in amounts]
    assert served.mistakes == []


@pytest.mark.browser
def test_a_tap_on_a_note_says_what_it_cannot_be_added_to(serve) -> None:
    served = serve()
    page = served.page(served.evening.anna, "/g/{j}/")
    page.locator("#amount").fill("1.400")
    page.locator(SHEET[1]).click()
    confirm = page.locator("#confirm")
    expect(confirm).to_contain_text("'1.400' is no amount")
    expect(page.locator("#amount")).to_have_value("1.400")
    page.locator("label:has(input[name=payee][value=blue])").click()
    expect(confirm).to_contain_text("'1.400' is no amount")
    expect(confirm.locator("button")).to_have_count(0)
    page.locator("#amount").fill("1,400")
    page.locator(SHEET[1]).click()
    expect(confirm.locator("button.brass")).to_have_text("Pay Ben $1,450")
    assert served.mistakes == []


@pytest.mark.browser
def test_a_trade_reads_its_money_in_the_same_way(serve) -> None:
    served = serve()
    guided(served, "classic", "red owns boardwalk", "blue owns park-place")
    page = served.page(served.evening.anna, "/g/{j}/trade")
    check_taps(page, "en", ("#give-cash", f"[name=add-give][value='{NOTE}']"))
    page.locator("#give-cash").fill("1.400")
    expect(page.locator("#confirm")).to_be_visible()
    expect(page.locator("#confirm")).to_contain_text("'1.400' is no amount")
    assert served.mistakes == []


@pytest.mark.browser
def test_a_bid_reads_its_money_in_the_same_way(serve) -> None:
    served = serve()
    guided(served, "classic", "red on boardwalk", "stage auction")
    page = served.page(served.evening.anna, "/g/{j}/", locale="de")
    page.locator("summary", has_text="Anderes Gebot").click()
    page.locator("#bid").fill("1.000\u00a0$")
    page.locator(".own-bid button").click()
    expect(page.locator("#live")).to_contain_text("1.000")
    assert served.mistakes == []
