"""A real card that no file knows: said on the phone, done by the companion."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from companion.edition import load
from companion.game.moves import Draw
from tests.chromium import expect
from tests.sample import sampled
from tests.web.conftest import House
from tests.web.forms import forms_of
from tests.web.guess_lab import GuessLab
from tests.web.guided_table import give, guided, said
from tests.web.play.test_panel_browser import SMALL, TARGETS, serve
from tests.web.play.test_play_browser import guided as led

__all__ = ["serve"]  # A fixture.

KEPT = "keep it: {} when you like"
SAID = [
    ({"effect": "collect", "amount": "150"}, "collect $150", 3_150, 400),
    ({"effect": "pay", "amount": "$50"}, "pay $50", 2_950, 400),
    ({"effect": "to-vault", "amount": "100"}, "$100 go from the bank", 3_000, 500),
    ({"effect": "advance", "space": "39"}, "go to Boardwalk", 3_000, 400),
    ({"effect": "to-vault", "vault-amount": "100"}, "$100 go from the", 3_000, 500),
    ({"effect": "collect-each", "amount": "50"}, "collect $50 from", 3_050, 400),
    ({"effect": "pay-each", "amount": "50"}, "pay $50 to everybody", 2_950, 400),
    ({"effect": "move-back", "steps": "3"}, "go back 3 spaces", 2_600, 800),
    ({"effect": "move-back", "steps": "\u0663"}, "go back 3 spaces", 2_600, 800),
    ({"effect": "collect", "amount": "\uff11\uff15\uff10"}, "collect $150", 3_150, 400),
    ({"effect": "repairs", "price-hotel": "25"}, "pay $25 for each", 3_000, 400),
    ({"effect": "nothing"}, "nothing for the bank to do", 3_000, 400),
    ({"effect": "guess", "keep": "yes"}, KEPT.format("a guess"), 3_000, 400),
    (
        {"effect": "collect", "amount": "50", "keep": "yes"},
        KEPT.format("collect $50"),
        3_000,
        400,
    ),
]


@pytest.mark.parametrize(("form", "words", "cash", "vault"), SAID)
def test_what_a_card_says_is_done_and_told(
    house: House, form: dict[str, str], words: str, cash: int, vault: int
) -> None:
    evening = guided(house, "secret-vault")
    said(evening, "red on 7", "stage card")
    answer = evening.anna.do(evening.game_id, "draw", **form)
    assert answer.status_code == 303, answer.text
    assert (evening.balance("red"), evening.balance("vault")) == (cash, vault)
    assert f"Anna drew: {words}" in evening.anna.get(f"/g/{evening.game_id}/").text


@pytest.mark.parametrize(
    "form",
    [
        {"effect": "collect", "amount": "a lot"},
        {"effect": "collect", "amount": f"{'1000':>42}"},
        {"effect": "advance", "space": "99"},
        {"effect": "move-back", "steps": "a few"},
        {"effect": "move-back", "steps": "0"},
        {"effect": "repairs"},
        {"effect": "repairs", "price-house": "25"},
        {"effect": "go-to-jail"},
        {"effect": "win"},
        {},
    ],
)
def test_what_no_card_says_changes_nothing(house: House, form: dict[str, str]) -> None:
    evening = guided(house, "secret-vault")
    said(evening, "red on 7", "stage card")
    before = evening.revision()
    assert evening.anna.do(evening.game_id, "draw", **form).status_code in (400, 409)
    assert evening.revision() == before


CHOSEN = 'value="{}" required checked'


@pytest.mark.parametrize(
    ("form", "kept"),
    [
        ({"effect": "collect", "amount": "a lot"}, (CHOSEN, 'value="a lot"')),
        ({"effect": "collect", "amount": ""}, (CHOSEN,)),
        ({"effect": "move-back", "steps": "x"}, (CHOSEN, 'value="x"')),
        ({"effect": "move-back", "steps": "", "space": "39"}, ('"39" selected',)),
        ({"effect": "pay", "keep": "yes"}, (CHOSEN, 'value="yes" checked')),
        ({"amount": "150"}, ('value="150"',)),
    ],
)
def test_a_form_that_is_refused_keeps_what_was_said_without_script(
    house: House, form: dict[str, str], kept: tuple[str, ...]
) -> None:
    evening = guided(house, "secret-vault")
    said(evening, "red on 7", "stage card")
    answer = evening.anna.do(evening.game_id, "draw", **form)
    assert answer.status_code in (400, 409)
    whole, _, shown = answer.text.partition('<details class="real" open>')
    assert shown, "the form is open"
    for words in kept:
        assert words.format(form.get("effect")) in shown, words
    assert '<div id="message" role="alert"><div' in whole, "it says what was wrong"
    (again,) = [one for one in forms_of(answer.text) if "effect" in one.choices]
    sent = {**again.fields, "effect": "collect", "amount": "150"}
    assert evening.anna.post(again.action, **sent).status_code == 303


def test_a_form_that_was_not_sent_keeps_nothing(house: House) -> None:
    evening = guided(house, "secret-vault")
    said(evening, "red on 7", "stage card")
    text = evening.anna.get(f"/g/{evening.game_id}/").text
    assert '<details class="real" open>' not in text
    assert " checked" not in text.partition("Another card")[2]


BOX = "/editions/secret-vault"
TWELVE = [*(f"pay:{amount}" for amount in range(10, 100, 10)), "keep:guess"]


def test_a_card_that_was_said_is_kept_listed_shared_and_forgotten(house: House) -> None:
    evening = guided(house, "secret-vault")
    assert "2 of the 12 cards are known" in evening.host.get(BOX).text
    said(evening, "red on 7", "stage card")
    form = {"effect": "collect", "amount": "150", "keep": "yes"}
    evening.anna.do(evening.game_id, "draw", **form)
    said(evening, "blue on 7", "stage card")
    text = evening.ben.get(f"/g/{evening.game_id}/").text
    assert "Keep it: collect $150 when you like" in text
    assert "3 of the 12 cards are known" in text
    box = evening.host.get(BOX).text
    assert "Keep it: collect $150 when you like" in box
    assert "3 of the 12 cards are known" in box
    assert "Forget it" in box
    assert "Forget it" not in evening.ben.get(BOX).text, "it is the banker's"
    file = evening.host.get(f"{BOX}/own.toml").text
    card = load(file, "our.toml").card("keep:collect:150")
    assert (card.deck, card.amount, card.keep) == ("chance", 150, True)
    forget = {"key": "card.keep:collect:150.deck"}
    assert evening.host.post(f"{BOX}/take-back", **forget).status_code == 303
    assert "2 of the 12 cards are known" in evening.host.get(BOX).text
    assert evening.host.get(f"{BOX}/own.toml").status_code == 404


def test_a_kept_card_is_read_as_a_sentence_wherever_it_lies(house: House) -> None:
    evening = guided(house, "secret-vault")
    said(evening, "red on 7", "stage card")
    evening.anna.do(evening.game_id, "draw", effect="guess", keep="yes")
    said(evening, "turn red")
    text = evening.anna.get(f"/g/{evening.game_id}/").text
    assert "Use the card: a guess" in text
    for path in ("", "history", "pause"):
        page = evening.anna.get(f"/g/{evening.game_id}/{path}").text
        assert "keep:" not in re.sub(r"<[^>]*>", "", page), path


def test_once_all_twelve_are_known_no_other_is_asked_for(house: House) -> None:
    evening = guided(house, "secret-vault")
    for word in TWELVE:
        said(evening, "turn red", "red on 7", "stage card")
        page = evening.anna.get(f"/g/{evening.game_id}/").text
        assert "Another card" in page
        give(evening, Draw(by="red", card=word))
    said(evening, "turn red", "red on 7", "stage card")
    page = evening.anna.get(f"/g/{evening.game_id}/").text
    assert "Another card" not in page
    assert "Pay $90" in page
    assert "12 of the 12 cards are known" in evening.host.get(BOX).text


def test_a_whole_deck_has_no_other_card(house: House) -> None:
    evening = guided(house, "classic", options={"decks": "cards"})
    said(evening, "red on 7", "stage card")
    for phone in (evening.anna, evening.ben):
        assert "Another card" not in phone.get(f"/g/{evening.game_id}/").text


@pytest.fixture
def lab(tmp_path: Path, browser: Browser) -> Iterator[GuessLab]:
    made = GuessLab(tmp_path, browser, has_vault=False)
    made.begin()
    made.said("red on 7", "stage card")
    yield made
    made.close()
    assert made.mistakes == []


@pytest.mark.browser
@pytest.mark.parametrize("has_script", sampled([True, False]))
def test_a_thumb_says_what_the_card_says(lab: GuessLab, has_script: bool) -> None:
    small = {"width": 320, "height": 640}
    page = lab.page(lab.evening.anna, java_script_enabled=has_script, viewport=small)
    page.locator("summary", has_text="Another card").click()
    space = page.get_by_label("Where to?")
    amount = page.get_by_role("group", name="The vault").get_by_label("How much?")
    assert page.get_by_text("You go to jail").count() == 0
    assert page.get_by_text("It leads out of jail").count() == 0, "it is in the list"
    page.locator("label.chip", has_text="You go to a space").click()
    expect(space).to_be_visible()
    expect(amount).to_be_hidden()
    page.locator("label.chip", has_text="You pay into the vault").click()
    expect(space).to_be_hidden()
    amount.fill("200")
    if has_script:
        assert page.evaluate(TARGETS) == []
        assert page.evaluate("document.documentElement.scrollWidth") == 320
    page.get_by_role("button", name="Do what it says").click()
    expect(page.locator(".purse .figure")).to_have_text("$2,800")
    expect(page.locator(".latest")).to_contain_text(
        "Anna drew: pay $200 into the vault"
    )


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("has_script", [True, False])
def test_a_thumb_keeps_a_card_and_the_banker_forgets_it(
    serve, has_script: bool
) -> None:
    served = serve()
    led(served, "secret-vault", "red on 7", "stage card")
    more = {"viewport": SMALL, "java_script_enabled": has_script}
    page = served.page(served.evening.anna, "/g/{j}/", **more)
    page.locator("summary", has_text="Another card").click()
    page.locator("label.chip", has_text="You pay for what you have built").click()
    page.get_by_label("How much for each hotel?").fill("25")
    page.locator("label.chip", has_text="You keep it until").click()
    page.get_by_role("button", name="Do what it says").click()
    words = "keep it: pay $25 for each hotel when you like"
    expect(page.locator(".latest")).to_contain_text(words)
    page = served.page(served.evening.host, BOX, **more)
    cards = page.locator(".own-cards")
    expect(cards).to_contain_text("3 of the 12 cards are known")
    if has_script:
        assert page.evaluate(TARGETS) == []
        assert page.evaluate("document.documentElement.scrollWidth") == 320
    cards.get_by_role("button", name="Forget it").click()
    expect(cards).to_contain_text("2 of the 12 cards are known")
    expect(cards.get_by_role("listitem")).to_have_count(0)
    assert served.mistakes == []


@pytest.mark.browser
def test_a_field_that_is_seen_has_to_be_filled_in(lab: GuessLab) -> None:
    page = lab.page(lab.evening.anna)
    page.locator("summary", has_text="Another card").click()
    page.locator("label.chip", has_text="You pay the bank").click()
    page.get_by_role("button", name="Do what it says").click()
    expect(page.locator(".another :invalid[name=amount]")).to_be_focused()
    page.locator("label.chip", has_text="You pay for what you have built").click()
    page.get_by_role("button", name="Do what it says").click()
    expect(page.locator(".another :invalid[name=price-hotel]")).to_be_focused()
    page.locator("label.chip", has_text="You go back some spaces").click()
    page.get_by_label("How many spaces back?").fill("3")
    page.get_by_role("button", name="Do what it says").click()
    expect(page.locator(".latest")).to_contain_text("Anna drew: go back 3 spaces")
