"""At 200 % zoom and on the smallest phone no word is cut, and none broken unseen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.sample import sampled
from tests.web.play.test_panel_browser import SMALL, Served, serve
from tests.web.served import still

__all__ = ["serve"]  # A fixture.

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ZOOMED = {"width": 195, "height": 422}
"""What 200 % leaves of a phone of 390 x 844."""

BROKEN = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const place = (node, at) => {
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return [...range.getClientRects()].at(-1); // The first may be a hyphen's.
  };
  const isSeen = x => x.checkVisibility() && x.clientWidth !== 1
    && !x.closest(".hush, .skip, .chips, script, template");
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const box = node.parentElement;
    if (!isSeen(box)) continue;
    const isCut = getComputedStyle(box).overflowX === "hidden"
      && box.scrollWidth > box.clientWidth + 1;
    if (isCut) found.push(`clipped: ${node.data}`);
    for (const word of node.data.matchAll(/[^\\s\\u00ad\\-]+/gu)) {
      const places = [...word[0]].map((_, i) => place(node, word.index + i))
        .filter(x => x && x.width > 0.5);
      const rows = places.filter((x, i) => i && x.top > places[i - 1].bottom - 2);
      if (rows.length) found.push(`broken: ${word[0]}`);
      if (places.some(x => x.right > innerWidth + 1)) found.push(`cut: ${word[0]}`);
    }
  }
  return found;
}"""

NAMES = ("Anna-Lena", "Bartholomäus Maximilian", "Großtante Wilhelmine", "Zoë")
PAGES = (
    ("anna", ""),
    ("anna", "more"),
    ("anna", "pay?payee=blue&amount=1400"),
    ("host", "bank"),
    ("host", "more"),
)


def crowd(served: Served) -> None:
    """Long names, and money of five figures."""
    evening = served.evening
    evening.anna.do(evening.game_id, "rename-seat", seat="red", name=NAMES[0])
    evening.ben.do(evening.game_id, "rename-seat", seat="blue", name=NAMES[1])
    evening.house.seated(evening.game_id, NAMES[2], "green", "duck")
    evening.house.seated(evening.game_id, NAMES[3], "orange", "cat")
    ask = {"payer": "red", "amount": "12400", "reason": "deal", "seat": "blue"}
    evening.ben.do(evening.game_id, "ask-money", **ask)
    correct = {"account": "red", "balance": 123_400}
    evening.host.do(evening.game_id, "correct-balance", **correct)


@pytest.mark.parametrize("code", sampled(["de", "en"], few=0))
def test_no_word_is_cut_or_broken(serve, code: str) -> None:
    served = serve()
    crowd(served)
    for who in ("anna", "host"):
        page = served.page(getattr(served.evening, who), "/nowhere")
        cookie = {"name": "language", "value": code, "url": served.url}
        page.context.add_cookies([cookie])
        for path in (path for its, path in PAGES if its == who):
            page.goto(f"{served.url}/g/{served.evening.game_id}/{path}")
            for size in (SMALL, ZOOMED):
                seen = broken_at(page, size)
                assert seen == [], (path, size, seen)


def broken_at(page: Page, size: dict[str, int]) -> list[str]:
    page.set_viewport_size(size)
    return still(page).evaluate(BROKEN)
