"""Nothing on a page moves by itself while three other phones act."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

import pytest
from playwright.sync_api import Page, expect

from companion.errors import Refused
from tests.guided import random_move
from tests.sample import sampled
from tests.web.conftest import Evening
from tests.web.guided_table import OTHERS, give, lead, said
from tests.web.play.test_panel_browser import PHONE, TABLE, Served, serve
from tests.web.served import still

__all__ = ["serve"]  # A fixture.

pytestmark = pytest.mark.browser

WATCHED = """() => {
  window.moved = [];
  const isText = x => x?.nodeType === Node.TEXT_NODE;
  const where = x => (isText(x) ? x.parentElement : x);
  const THINGS = "a, button, details, form, img, input, li, svg";
  const isWords = x =>
    isText(x) || (x && !x.matches(THINGS) && !x.querySelector(THINGS));
  const told = ({ node, previousRect: was, currentRect: is }) => [
    where(node)?.outerHTML.slice(0, 90) ?? "gone",
    was.x, was.y, was.width, was.height, is.x, is.y, is.width, is.height,
  ];
  const isSeen = ({ node, previousRect: was, currentRect: is }) =>
    !isWords(node) || was.y !== is.y || was.height !== is.height;
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) {
      const seen = entry.sources.filter(isSeen).map(told);
      if (!entry.hadRecentInput && seen.length) moved.push(entry.value, ...seen);
    }
  }).observe({ type: "layout-shift" });
}"""
"""Keeps how much moved from now on, and what: where it lay and where it lies.

Words alone may begin elsewhere in the same line: an amount with fewer digits is still
at the right of its row or in the middle of its button, and begins further to the right.
Of everything else, each move counts, sideways as well.
"""

THREE = ("blue", "green", "orange")

BY_HAND = (
    "",
    "history",
    "more",
    "invite",
    "join",
    "bank",
    "pay?payee=blue&amount=5",
    "/table",
)
LED = (
    *("", "board", "deeds", "trade", "history", "more", "invite"),
    *("ending", "bank", "/table"),
)
FOR_HOST = ("bank", "/table")


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


def open_all(served: Served, paths: Iterable[str]) -> dict[str, Page]:
    """Each page on a phone of its own, and what moves on it from now on is kept."""
    pages = {}
    for path in paths:
        phone = served.evening.host if path in FOR_HOST else served.evening.anna
        size = TABLE if path == "/table" else PHONE
        address = path if path == "/table" else "/g/{j}/" + path
        pages[path] = served.page(phone, address, viewport=size)
    return pages


def check_still(
    served: Served,
    paths: Iterable[str],
    act: Callable[[Evening, random.Random], None],
    *,
    acts: int,
) -> None:
    """All pages side by side while the others act; each has shown every act."""
    evening, dice = served.evening, random.Random(3)
    pages = open_all(served, paths)
    act(evening, dice)
    for page in pages.values():
        shown(page, evening)
        still(page).evaluate(WATCHED)
    for _ in range(acts):
        act(evening, dice)
        for page in pages.values():
            shown(page, evening)
    found = {path: still(page).evaluate("moved") for path, page in pages.items()}
    assert not any(found.values()), as_table(found)
    assert served.mistakes == []


def as_table(found: dict[str, list[object]]) -> str:
    return "\n".join(
        f"/{path}: {one}" for path, moved in found.items() for one in moved
    )


ACTS = 30
"""A few dozen."""

MINUTE = 120
"""Acts of three phones in a minute: each of them one in one and a half seconds."""


@pytest.mark.parametrize("path", sampled(BY_HAND))
def test_nothing_moves_while_others_pay(serve, path: str) -> None:
    served = serve()
    seated(served.evening)
    check_still(served, [path], pay_around, acts=ACTS)


def test_nothing_moves_while_others_play(serve) -> None:
    served = serve()
    lead(served.evening, "secret-vault", seats=4)
    check_still(served, LED[:2], play_around, acts=ACTS)


@pytest.mark.slow
def test_nothing_moves_for_a_minute_of_paying(serve) -> None:
    served = serve()
    seated(served.evening)
    check_still(served, BY_HAND, pay_around, acts=MINUTE)


@pytest.mark.slow
@pytest.mark.volume
def test_nothing_moves_for_a_minute_of_play(serve) -> None:
    served = serve()
    lead(served.evening, "secret-vault", seats=4)
    check_still(served, LED, play_around, acts=MINUTE)
