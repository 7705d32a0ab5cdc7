"""What a player has begun on a page survives whatever the others do meanwhile."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from playwright.sync_api import Page

from tests.chromium import expect
from tests.sample import sampled
from tests.web.conftest import Phone
from tests.web.guided_table import lie_on_table
from tests.web.play.test_panel_browser import Served, serve
from tests.web.play.test_play_browser import given, guided
from tests.web.served import still

__all__ = ["serve"]  # A fixture.

pytestmark = pytest.mark.browser

ESTATE = ("red owns boardwalk short-line", "blue owns park-place oriental-avenue")


@dataclass(frozen=True)
class Begun:
    """A page, and what somebody has begun on it.

    Attributes:
        who: Whose phone it is.
        path: The page.
        lines: What the table has agreed on before; none: the companion does not lead.
        opened: The words of a summary that was opened.
        typed: A field that is half filled in.
        chosen: A choice that was made.
        focused: What has the keyboard's focus, if it is not the field.
    """

    who: str
    path: str
    lines: tuple[str, ...] | None = None
    opened: str = ""
    typed: str = ""
    chosen: str = ""
    focused: str = ""


PAGES = {
    "seat": Begun(
        "anna", "/g/{j}/", typed="#amount", chosen="[name=payee][value=blue]"
    ),
    "bank": Begun(
        "host",
        "/g/{j}/bank",
        opened="Add a seat",
        typed="#new-name",
        chosen="[value=red][name=payer]",
    ),
    "pay": Begun("anna", "/g/{j}/pay?payee=blue&amount=5", typed="#amount"),
    "history": Begun("anna", "/g/{j}/history", focused=".tabs a[href$='/more']"),
    "invite": Begun("anna", "/g/{j}/invite", focused=".tabs a[href$='/more']"),
    "join": Begun(
        "guest", "/g/{j}/join", typed="#name", chosen="[name=token][value=cat]"
    ),
    "table": Begun("guest", "/table"),
    "begin": Begun(
        "host", "/g/{j}/begin", opened="House rules", chosen="[name^=option]"
    ),
    "play": Begun(
        "anna",
        "/g/{j}/",
        ("red on boardwalk", "stage auction"),
        opened="Bid another amount",
        typed="#bid",
    ),
    "dice": Begun("anna", "/g/{j}/", (), chosen="[name=die-1][value='3']"),
    "trade": Begun(
        "anna", "/g/{j}/trade", ESTATE, typed="#give-cash", chosen="[value=park-place]"
    ),
    "deeds": Begun("anna", "/g/{j}/deeds", ESTATE, focused="#set-railroad summary"),
    "deed": Begun(
        "anna", "/g/{j}/deeds/boardwalk", ESTATE, focused=".tabs a[href$='/trade']"
    ),
    "board": Begun("anna", "/g/{j}/board", (), focused=".tabs a[href$='/deeds']"),
    "pause": Begun("anna", "/g/{j}/pause?way=set-up", (), focused=".tick >> nth=2"),
    "correct": Begun(
        "host",
        "/g/{j}/correct",
        (),
        opened="Anything else, in words",
        typed="#c-words",
    ),
    "led bank": Begun(
        "host", "/g/{j}/bank", (), opened="Correct a balance", typed="#balance"
    ),
}


SEEN = """() => {
  const focused = document.activeElement;
  const open = [...document.querySelectorAll("details[open] > summary")];
  window.had ??= focused;
  return {
    open: open.map(x => x.textContent),
    isTheSame: focused === window.had,
    caret: focused.selectionStart,
    top: focused.matches("body") ? 0 : focused.getBoundingClientRect().top,
  };
}"""
"""What is open, where the focus and the caret are, and where on the screen that is."""


def opened(serve, begun: Begun) -> tuple[Served, Page]:
    """Open the page of *begun* in a game at which notes and cards lie on the table."""
    served = serve()
    if begun.lines is not None:
        guided(served, "classic", *begun.lines, dice="typed")
        lie_on_table(served.evening)
    phone: Phone | None = getattr(served.evening, begun.who, None)
    return served, served.page(phone, begun.path)


def begin(page: Page, begun: Begun) -> None:
    if begun.opened:
        page.locator("summary", has_text=begun.opened).click()
    if begun.chosen:
        chosen = page.locator(begun.chosen).first
        chosen.evaluate("x => x.scrollIntoView({block: 'center'})")
        chosen.check(force=True)
    if begun.typed:
        field = page.locator(begun.typed).first
        field.fill("123")
        field.press("ArrowLeft")
    elif begun.focused:
        page.locator(begun.focused).focus()


def others_act(served: Served, page: Page, begun: Begun) -> None:
    """Have others change the game twice, and wait until *page* shows it."""
    evening = served.evening
    for pot in (40, 60):
        if begun.lines is None:
            evening.ben.do(evening.game_id, "pay", payee="pot", amount=pot)
        else:
            given(served, f"blue cash {1_400 + pot}")
        revision = str(evening.revision())
        expect(page.locator("#live")).to_have_attribute("data-revision", revision)


def expect_kept(page: Page, begun: Begun) -> None:
    """Expect what was typed or chosen to be there still."""
    if begun.typed:
        expect(page.locator(begun.typed).first).to_have_value("123")
    if begun.chosen:
        expect(page.locator(begun.chosen).first).to_be_checked()


@pytest.mark.parametrize("name", sampled(PAGES))
def test_what_was_begun_survives_what_the_others_do(serve, name: str) -> None:
    begun = PAGES[name]
    served, page = opened(serve, begun)
    page.set_viewport_size({"width": 320, "height": 480})
    begin(page, begun)
    before = still(page).evaluate(SEEN)
    before["top"] = pytest.approx(before["top"], abs=1)  # Pages scroll by whole pixels.
    others_act(served, page, begun)
    assert still(page).evaluate(SEEN) == before
    expect_kept(page, begun)
    assert served.mistakes == []


@pytest.mark.slow
def test_a_colour_that_somebody_else_took_is_no_longer_shown_as_chosen(serve) -> None:
    served = serve()
    evening = served.evening
    guest = served.page(None, "/g/{j}/join")
    guest.locator("label:has([name=colour][value=pink])").click()
    evening.house.seated(evening.game_id, "Cleo", "pink", "cat")
    expect(guest.locator("[name=colour][value=pink]")).to_be_disabled()
    expect(guest.locator("[name=colour]:checked")).to_have_count(1)
    expect(guest.locator("[name=colour]:checked")).to_be_enabled()
    assert served.mistakes == []


@pytest.mark.slow
def test_a_search_that_is_typed_does_not_throw_the_page_up(serve) -> None:
    served = serve()
    guided(served, "classic", "red on 7", "stage card", decks="cards")
    page = served.page(served.evening.anna, "/g/{j}/")
    search = page.locator(".search")
    search.fill("a")
    page.evaluate("scrollTo(0, 200)")
    before = page.evaluate("scrollY")
    assert before > 0
    given(served, "blue cash 1399")
    revision = str(served.evening.revision())
    expect(page.locator("#live")).to_have_attribute("data-revision", revision)
    assert page.evaluate("scrollY") == before
    assert served.mistakes == []


@pytest.mark.slow
def test_an_undo_that_is_open_stays_with_its_entry(serve) -> None:
    served = serve()
    evening = served.evening
    evening.anna.do(evening.game_id, "pay", payee="blue", amount=150)
    anna = served.page(evening.anna, "/g/{j}/history")
    anna.locator(".to-here summary").first.click()
    entry = anna.locator("li", has=anna.locator(".to-here[open]"))
    expect(entry).to_contain_text("Anna paid Ben $150")
    evening.anna.do(evening.game_id, "pay", payee="pot", amount=1)
    anna.get_by_role("link", name="Show what is new").click()
    expect(anna.locator(".history")).to_contain_text("Anna paid the pot $1")
    expect(entry).to_contain_text("Anna paid Ben $150")
    assert served.mistakes == []


@pytest.mark.slow
def test_a_network_that_comes_back_rearranges_nothing_that_is_read(serve) -> None:
    served = serve()
    evening = served.evening
    anna = served.page(evening.anna, "/g/{j}/history")
    evening.ben.do(evening.game_id, "pay", payee="red", amount=150)
    more = anna.get_by_role("link", name="Show what is new")
    expect(more).to_be_visible()
    anna.evaluate("""() => new Promise(shown => {
      addEventListener("companion:shown", () => shown(), { once: true });
      dispatchEvent(new Event("online"));
    })""")
    expect(more).to_be_visible()
    expect(anna.locator(".history")).not_to_contain_text("Ben paid Anna $150")
