"""Words of deeds, trades, debts and boxes stay whole, at 320 px and at 200 % zoom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.sample import sampled
from tests.web.guess_lab import GuessLab
from tests.web.play.test_seat_fit_browser import ZOOMED, at_width

pytestmark = [pytest.mark.browser, pytest.mark.slow]

BROKEN = """() => {
  const unseen = "script, template, .hush, .default-press, footer, [hidden]";
  const range = document.createRange(), found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode, parent = text.parentElement;
    if (parent.closest(unseen) || !parent.checkVisibility()) continue;
    for (const { 0: word, index } of text.data.matchAll(/[^\\s-]+/g)) {
      const tops = new Set();
      let right = 0;
      for (let at = index; at < index + word.length; at += 1) {
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        const box = range.getBoundingClientRect();
        if (box.width) tops.add(Math.round(box.top));
        right = Math.max(right, box.right);
      }
      if (tops.size > 1) found.push(`${word} is broken`);
      if (right > innerWidth) found.push(`${word} is cut`);
    }
  }
  return found;
}"""

OWNED = (
    "red owns mediterranean-avenue baltic-avenue north-carolina-avenue",
    "blue owns pennsylvania-avenue connecticut-avenue st-charles-place",
    "mediterranean-avenue hotels 2",
)
PAGES = (
    *("deeds", "deeds/mediterranean-avenue", "trade?taker=blue", ""),
    "trade?taker=blue&give-deed=north-carolina-avenue&want-deed=pennsylvania-avenue",
)
BOX = "/editions/secret-vault"
BOXES = (
    "/editions",
    BOX,
    *(f"{BOX}?chapter={x}" for x in ("deeds-brown", "rules", "options")),
)
LANGUAGES = sampled(("de", "en"), few=0)
"""German has the longer words."""


@pytest.fixture
def lab(tmp_path: Path, browser: Browser) -> Iterator[GuessLab]:
    made = GuessLab(tmp_path, browser, has_vault=False)
    made.begin(unknown_figures="likely")
    made.said(*OWNED, "red cash 30", "red owes 400 to blue")
    yield made
    made.close()
    assert made.mistakes == []


def expect_whole(page: Page, lab: GuessLab, paths: Iterable[str]) -> None:
    for path in paths:
        page.goto(lab.address(path))
        for width in (320, ZOOMED):
            at_width(page, width)
            assert page.evaluate(BROKEN) == [], (path, width)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_a_deed_or_a_trade_is_broken_or_cut(
    lab: GuessLab, language: str
) -> None:
    expect_whole(lab.page(lab.evening.anna, locale=language), lab, PAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_what_others_own_is_broken_or_cut(
    lab: GuessLab, language: str
) -> None:
    expect_whole(lab.page(lab.evening.ben, locale=language), lab, ["deeds"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_about_a_box_is_broken_or_cut(lab: GuessLab, language: str) -> None:
    expect_whole(lab.page(lab.evening.host, locale=language), lab, BOXES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_a_turn_is_broken_or_cut(
    tmp_path: Path, browser: Browser, language: str
) -> None:
    lab = GuessLab(tmp_path, browser, has_vault=False)
    lab.begin(unknown_figures="likely")
    moves = ({}, {"roll": {"die-1": "1", "die-2": "2"}}, {"put-up": {}})
    pages = [
        lab.page(x, "", locale=language) for x in (lab.evening.anna, lab.evening.ben)
    ]
    for move in moves:
        for verb, form in move.items():
            lab.evening.anna.do(lab.evening.game_id, verb, **form)
        for page in pages:
            page.reload()
            for width in (320, ZOOMED):
                at_width(page, width)
                assert page.evaluate(BROKEN) == [], (move, width)
    lab.close()
    assert lab.mistakes == []
