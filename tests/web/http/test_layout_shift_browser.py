"""Nothing on a page moves by itself while three other phones act."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.errors import Refused
from tests.guided import random_move
from tests.sample import sampled
from tests.web.conftest import Evening
from tests.web.guided_table import OTHERS, give, lead, said
from tests.web.play.test_panel_browser import PHONE, Served, serve
from tests.web.served import still

__all__ = ["serve"]  # A fixture.

pytestmark = pytest.mark.browser

WATCHED = """() => {
  window.moved = [];
  const where = x => (x.nodeType === Node.ELEMENT_NODE ? x : x.parentElement);
  const told = ({ node, previousRect, currentRect }) => [
    node ? where(node).outerHTML.slice(0, 90) : "gone",
    previousRect.y, previousRect.height, currentRect.y, currentRect.height,
  ];
  // An amount with fewer digits is still in the middle of its line.
  const isSeen = ([_, top, height, topNow, heightNow]) =>
    top !== topNow || height !== heightNow;
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) {
      const seen = entry.sources.map(told).filter(isSeen);
      if (!entry.hadRecentInput && seen.length) moved.push(entry.value, ...seen);
    }
  }).observe({ type: "layout-shift" });
}"""
"""Keeps how much moved from now on, and what: where it lay and where it lies."""

THREE = ("blue", "green", "orange")

BY_HAND = ("", "history", "more", "invite", "join", "bank", "pay?payee=blue&amount=5")
LED = ("", "deeds", "deeds/boardwalk", "trade", "board", "history", "more", "pause")


def seated(evening: Evening) -> None:
    for name, colour, token in OTHERS[:2]:
        evening.house.seated(evening.game_id, name, colour, token)


def pay_around(evening: Evening, dice: random.Random) -> None:
    """One of the three pays somebody, or asks for money, or takes it back."""
    by, to = dice.sample((*THREE, "pot"), 2)
    if by == "pot":
        by, to = to, by
    more = {"payer": by, "payee": to, "amount": dice.randrange(1, 2_000)}
    evening.host.do(evening.game_id, "pay", reason="other", **more)


def play_around(evening: Evening, dice: random.Random) -> None:
    """One of the three makes a move; when it is Anna's turn, the table passes it on."""
    for _ in range(200):
        game = evening.house.table.game(evening.game_id)
        if game.play.mover.seat == "red":
            said(evening, "turn blue")
            return
        move = random_move(dice, game)
        if move.by not in THREE:
            continue
        try:
            give(evening, move)
        except Refused:
            continue
        return
    said(evening, "turn blue", "stage roll")


def shown(page: Page, evening: Evening) -> None:
    revision = str(evening.revision())
    expect(page.locator("#live")).to_have_attribute("data-revision", revision)


def check_still(
    served: Served,
    path: str,
    act: Callable[[Evening, random.Random], None],
    *,
    acts: int,
) -> None:
    evening, dice = served.evening, random.Random(3)
    phone = evening.host if path.startswith("bank") else evening.anna
    page = served.page(phone, "/g/{j}/" + path, viewport=PHONE)
    act(evening, dice)
    shown(page, evening)
    still(page).evaluate(WATCHED)
    for _ in range(acts):
        act(evening, dice)
        shown(page, evening)
        still(page)
    found = page.evaluate("moved")
    assert found == [], "\n".join(map(str, found))
    assert served.mistakes == []


ACTS = 24


@pytest.mark.parametrize("path", sampled(BY_HAND))
def test_nothing_moves_while_others_pay(serve, path: str) -> None:
    served = serve()
    seated(served.evening)
    check_still(served, path, pay_around, acts=ACTS)


@pytest.mark.parametrize("path", sampled(LED))
def test_nothing_moves_while_others_play(serve, path: str) -> None:
    served = serve()
    lead(served.evening, "secret-vault", seats=4)
    check_still(served, path, play_around, acts=ACTS)


@pytest.mark.slow
@pytest.mark.parametrize("path", ["", "board"])
def test_nothing_moves_for_a_minute(serve, path: str) -> None:
    served = serve()
    lead(served.evening, "secret-vault", seats=4)
    check_still(served, path, play_around, acts=240)  # Four acts in a second.
