"""Deeds and trades in a real Chromium: two phones, small screens, no script."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from companion.edition import builtin
from tests.chromium import expect
from tests.sample import proven
from tests.web.play.test_panel_browser import PHONE, SMALL, serve
from tests.web.play.test_play_browser import check_fit, given, guided

__all__ = ["serve"]  # A fixture.

pytestmark = pytest.mark.browser

ESTATE = (
    "red owns boardwalk short-line oriental-avenue pennsylvania-railroad",
    "blue owns park-place water-works kentucky-avenue",
    "kentucky-avenue mortgaged",
    "red cards jail-card",
)


def tick(page: Page, name: str, deed: str) -> None:
    page.locator(f"label:has(input[name={name}][value={deed}])").click()


@pytest.mark.slow
def test_a_trade_is_built_on_one_phone_and_countered_on_the_other(serve):
    served = serve()
    guided(served, "classic", *ESTATE)
    anna = served.page(served.evening.anna, "/g/{j}/trade")
    ben = served.page(served.evening.ben, "/g/{j}/")

    tick(anna, "want-deed", "park-place")
    tick(anna, "give-deed", "short-line")
    anna.locator("[name=add-give][value='100']").click()
    anna.locator("[name=add-give][value='50']").click()
    expect(anna.locator("#give-cash")).to_have_value("150")
    expect(anna.locator("#confirm .effects")).to_contain_text("$1,350")
    expect(anna.locator("#confirm")).to_contain_text("You get all of Dark blue.")
    anna.get_by_role("button", name="Offer it to Ben").click()
    expect(anna.locator(".asked")).to_contain_text("You offered Ben a trade")
    expect(anna.locator("#sheet")).to_have_count(0)

    expect(ben.locator(".arrived:not(.settling)")).to_contain_text("Short Line")
    offer = ben.locator(".arrived")
    expect(offer).to_contain_text("Anna offers you a trade")
    expect(offer.locator(".effects")).to_contain_text("$1,650")
    expect(offer).to_contain_text("Anna gets all of Dark blue. Boardwalk then brings")

    ben.get_by_role("link", name="Ask for something else").click()
    expect(ben.locator("#give-cash")).to_have_value("")
    expect(ben.locator("#want-cash")).to_have_value("150")
    tick(ben, "want-deed", "oriental-avenue")
    ben.get_by_role("button", name="Offer Anna this instead").click()
    expect(ben.locator(".asked")).to_contain_text("You offered Anna a trade")
    expect(ben.locator("#confirm button")).to_have_count(0)

    expect(anna.locator(".arrived:not(.settling)")).to_contain_text("Ben wants some")
    expect(anna.locator(".arrived")).to_contain_text("Oriental Avenue")
    anna.get_by_role("button", name="Take it", exact=True).click()
    expect(anna.locator(".arrived")).to_have_count(0)
    expect(anna.locator(".offer")).to_have_count(0)
    expect(ben.locator(".offer")).to_have_count(0)
    game = served.house.table.game(served.evening.game_id)
    owners = dict(zip(game.board.index, game.play.owners, strict=True))
    assert owners["park-place"] == "red"
    assert (owners["short-line"], owners["oriental-avenue"]) == ("blue", "blue")
    assert served.evening.balance("red") == 1_350
    assert served.mistakes == []


@pytest.mark.slow
def test_what_is_ticked_survives_the_others_and_is_tried_again(serve):
    served = serve()
    guided(served, "classic", *ESTATE)
    anna = served.page(served.evening.anna, "/g/{j}/trade")
    tick(anna, "want-deed", "park-place")
    expect(anna.locator("#confirm")).to_contain_text("You get all of Dark blue.")
    given(served, "park-place mortgaged")
    expect(anna.locator("#confirm")).to_contain_text("You pay the bank $18 interest")
    expect(anna.locator("#sheet input[value=park-place]")).to_be_checked()
    given(served, "park-place owner none")
    expect(anna.locator("#confirm button")).to_have_count(0)
    anna.get_by_role("link", name="Show what is new").click()
    expect(anna.locator("#sheet input[value=park-place]")).to_have_count(0)
    expect(anna.locator("#confirm")).to_contain_text("Tap what changes hands")
    expect(anna.locator("#confirm button")).to_have_count(0)
    expect(anna.locator("#confirm")).to_be_hidden()
    anna.locator("#sheet [name=give-cash]").fill("5")
    expect(anna.locator("#confirm")).to_contain_text("Money alone is no trade")
    expect(anna.locator("#confirm")).to_be_visible()


def test_what_is_new_comes_without_losing_what_is_half_typed(serve):
    served = serve()
    guided(served, "classic", *ESTATE)
    anna = served.page(served.evening.anna, "/g/{j}/trade")
    cash = anna.locator("#sheet [name=give-cash]")
    cash.fill("30")
    given(served, "park-place owner none")
    expect(anna.locator("#sheet input[value=park-place]")).to_have_count(1)
    newer = anna.get_by_role("link", name="Show what is new")
    newer.click()
    expect(anna.locator("#sheet input[value=park-place]")).to_have_count(0)
    expect(newer).to_be_hidden()
    expect(cash).to_have_value("30")


ABOVE = """button => {
  const range = document.createRange();
  const words = document.createTreeWalker(button, NodeFilter.SHOW_TEXT).nextNode();
  range.setStart(words, 0);
  range.setEnd(words, 3);
  return button.getBoundingClientRect().top - range.getBoundingClientRect().top;
}"""
"""By how many pixels the first word begins above its button."""


@pytest.mark.slow
def test_a_long_undo_beside_a_redo_begins_with_its_verb(serve):
    served = serve()
    guided(served, "classic", *ESTATE)
    evening = served.evening
    evening.anna.do(evening.game_id, "mortgage", deed="pennsylvania-railroad")
    evening.ben.do(evening.game_id, "mortgage", deed="water-works")
    evening.ben.do(evening.game_id, "undo")
    page = served.page(evening.ben, "/g/{j}/", viewport=SMALL)
    expect(page.locator(".undo button")).to_have_count(2)
    undo = page.locator(".undo button").first
    expect(undo).to_contain_text("Ask Anna to undo: Anna mortgaged Penn")
    assert undo.evaluate(ABOVE) <= 0


@pytest.mark.slow
def test_deeds_are_worked_on_at_a_tap_and_others_see_it(serve):
    served = serve()
    guided(served, "classic", *ESTATE, "red owns park-place")
    anna = served.page(served.evening.anna, "/g/{j}/deeds")
    ben = served.page(served.evening.ben, "/g/{j}/deeds/boardwalk")
    dark, card = anna.locator("#set-dark-blue"), anna.locator("#deed-boardwalk")
    expect(card).to_be_hidden()
    dark.locator("summary").first.click()
    expect(card.locator(".rent-now")).to_contain_text("Full group: double")
    card.get_by_role("button", name="Build for $200").click()
    expect(card.locator(".rent-now")).to_contain_text("1 house")
    dark.get_by_text("Why not more?").click()
    expect(dark).to_contain_text("Park Place comes first. Build there, then here.")
    newer = ben.get_by_role("link", name="Show what is new")
    expect(newer).to_be_visible()
    expect(ben.locator(".rent-now .amount")).to_have_text("$100")
    newer.click()
    expect(ben.locator(".rent-now .amount")).to_have_text("$200")
    anna.locator("#set-railroad summary").first.click()
    expect(card).to_be_hidden()
    anna.locator("#deed-short-line").get_by_role("button", name="Mortgage").click()
    turned = anna.locator("#deed-short-line.turned")
    expect(turned).to_contain_text("Mortgaged for $100")
    given(served, "blue cash 700")
    expect(ben.locator("#live")).to_have_attribute(
        "data-revision", str(served.evening.revision())
    )
    expect(turned).to_be_visible()
    assert served.mistakes == []


HEIGHT = "document.documentElement.scrollHeight"


@pytest.mark.parametrize("edition", proven(["mega", "classic"]))
def test_a_wallet_of_28_deeds_is_no_longer_than_two_screens(serve, edition):
    served = serve()
    ids = [one.id for one in builtin(edition).deeds]
    guided(served, edition, *(f"red owns {one}" for one in ids[-28:]))
    page = served.page(served.evening.anna, "/g/{j}/deeds", viewport=PHONE)
    expect(page.locator("article")).to_have_count(28)
    assert page.evaluate(HEIGHT) <= 2 * PHONE["height"]
    page.locator("#set-orange summary").first.click()
    expect(page.locator("#set-orange .flat:visible").nth(2)).to_be_visible()
    assert page.evaluate(HEIGHT) <= 2 * PHONE["height"]


@pytest.mark.slow
def test_a_wallet_is_worked_on_without_script(serve):
    served = serve()
    guided(served, "classic", *ESTATE)
    anna = served.page(served.evening.anna, "/g/{j}/deeds", java_script_enabled=False)
    anna.locator("#set-railroad summary").first.click()
    anna.locator("#deed-short-line").get_by_role("button", name="Mortgage").click()
    expect(anna.locator("#deed-short-line")).to_contain_text("Mortgaged for $100")
    expect(anna.locator("#deed-short-line")).to_be_visible()


@pytest.mark.slow
def test_a_trade_is_made_without_script(serve):
    served = serve()
    guided(served, "classic", *ESTATE)
    anna = served.page(served.evening.anna, "/g/{j}/trade", java_script_enabled=False)
    tick(anna, "want-deed", "park-place")
    anna.locator("[name=add-give][value='500']").click()
    expect(anna.locator("#give-cash")).to_have_value("500")
    expect(anna.locator("#sheet input[value=park-place]")).to_be_checked()
    anna.locator("#give-cash").fill("400")
    anna.locator("#give-cash").press("Enter")
    expect(anna.locator("#confirm")).to_contain_text("$1,100")
    anna.get_by_role("button", name="Offer it to Ben").click()
    expect(anna.locator(".asked")).to_contain_text("You offered Ben a trade")
    ben = served.page(served.evening.ben, "/g/{j}/", java_script_enabled=False)
    ben.get_by_role("button", name="Take it").click()
    expect(ben.locator(".purse .figure")).to_have_text("$1,900")
    assert served.evening.balance("blue") == 1_900


@pytest.mark.slow
def test_what_a_trade_comes_to_leaves_the_trade_in_sight(serve):
    """On a small phone, with a whole group and interest besides the sums."""
    served = serve()
    guided(served, "classic", *ESTATE)
    path = "/g/{j}/trade?want-deed=park-place&want-deed=kentucky-avenue&give-cash=50"
    anna = served.page(served.evening.anna, path, viewport=SMALL)
    expect(anna.locator("#confirm .effects")).to_contain_text("$1,439")
    assert anna.locator("#confirm").bounding_box()["height"] < SMALL["height"] * 0.35


PAGES = ("deeds", "deeds/kentucky-avenue", "trade?counter=begin", "")


@pytest.mark.parametrize("viewport", proven([SMALL, PHONE]), ids=["small", "phone"])
def test_deeds_and_trades_fit_and_can_be_hit(serve, viewport):
    served = serve()
    guided(served, "classic", *ESTATE)
    offered = {"taker": "red", "give-deed": "kentucky-avenue", "want-jail-cards": "1"}
    served.evening.ben.do(served.evening.game_id, "make-offer", **offered)
    page = served.page(served.evening.anna, "/g/{j}/deeds", viewport=viewport)
    for path in PAGES:
        page.goto(f"{served.url}/g/{served.evening.game_id}/{path}")
        check_fit(page, path)


@pytest.mark.slow
def test_the_vaults_edition_fits_too(serve):
    served = serve()
    guided(
        served,
        "secret-vault",
        "red owns boardwalk park-place",
        "red hotels 2",
        "blue owns oriental-avenue",
    )
    page = served.page(served.evening.anna, "/g/{j}/deeds")
    for path in ("deeds", "deeds/boardwalk", "trade?taker=blue"):
        page.goto(f"{served.url}/g/{served.evening.game_id}/{path}")
        check_fit(page, path)
    assert served.mistakes == []
