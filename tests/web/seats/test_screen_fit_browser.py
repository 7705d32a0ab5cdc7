"""Whatever is shown and however many games are open, the table's screen stays whole.

On it no text lies over another, none is cut at half a line, and nobody needs to scroll;
and it looks the same beside forty other games as beside one.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from companion.game import moves as m
from companion.game.commands import TABLE
from companion.words.hyphens import HYPHEN
from tests.chromium import let_go, new_context
from tests.sample import sampled
from tests.web.conftest import Evening, House
from tests.web.guided_table import give, guided, played
from tests.web.scenes import SCENES, Shown, long_names, renamed, staged
from tests.web.served import still

pytestmark = pytest.mark.browser

LYING_OVER = (Path(__file__).parents[1] / "lying_over.js").read_text(encoding="utf-8")

SIZES = (
    *((1280, 800), (1024, 768), (1366, 768), (1920, 1080)),
    *((768, 1024), (600, 960)),
)
GAMES = (1, 2, 6, 12, 40)
LANGUAGES = ("en", "de")

BOXES = """() => [...document.querySelectorAll("body *")]
  .filter(x => x.checkVisibility({ visibilityProperty: true }))
  .filter(x => !x.closest(".switches"))
  .map(x => [x.localName, x.id || x.className,
    x.offsetLeft, x.offsetTop, x.offsetWidth, x.offsetHeight].join(" "))"""
"""Where everything lies that is seen, but the switches; not how far it has moved."""

LEFT_OUT = """() => [...document.querySelectorAll(".over-news")]
  .filter(x => x.scrollHeight > x.clientHeight)
  .map(x => `${x.id} leaves out ${x.scrollHeight - x.clientHeight} px`)"""

Scene = Callable[[House], Evening]
SHOWN = {
    scene: [shown.path for shown in pages if not shown.who]
    for scene, pages in SCENES.items()
}
WITH_SCREEN = [scene for scene, paths in SHOWN.items() if paths]


def named(scene: Scene) -> str:
    return next(shown.name for shown in SCENES[scene] if not shown.who)


def faults(page: Page, size: tuple[int, int]) -> list[str]:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    found: list[str] = still(page).evaluate(LYING_OVER)
    height = page.evaluate("document.documentElement.scrollHeight")
    left_out = page.evaluate(LEFT_OUT)
    return found + [f"{height} high"] * (height > size[1]) + left_out


LYING = """<body style="margin: 0; font: 20px/24px sans-serif">
<p style="height: 24px">One</p><p style="margin-top: -36px">Two</p>
<div style="height: 34px; overflow: hidden">Three<br>Four<br>Five</div>
<p>Seven</p>
<div style="position: relative; top: -32px; height: 12px; background: red"></div>"""


def test_the_eyes_see_what_lies_over_another_or_is_cut(browser: Browser) -> None:
    context = new_context(browser)
    page = context.new_page()
    page.set_content(LYING)
    assert page.evaluate(LYING_OVER) == [
        "cut at half a line: Four [div.]",
        "covered in part: Seven [p.] by div.",
        "over another: One and Two [p., p.]",
    ]
    let_go(context)


@pytest.mark.parametrize("language", sampled(LANGUAGES[::-1]))
@pytest.mark.parametrize("scene", sampled(WITH_SCREEN[::-1]), ids=named)
def test_no_text_lies_over_another_however_many_games_are_open(
    browser: Browser, scene: Scene, language: str
) -> None:
    found = []
    alone: dict[tuple[int, int], list[str]] = {}
    for count in GAMES:
        with staged(browser, scene, others=count - 1) as stage:
            page = stage.context(None).new_page()
            stage.turned(page, Shown("screen", "/table"), "dark", language)
            for size in SIZES:
                found += [(count, size, x) for x in faults(page, size)]
                boxes = page.evaluate(BOXES)
                moved = set(boxes) ^ set(alone.setdefault(size, boxes))
                found += [(count, size, "moved", x) for x in sorted(moved)[:4]]
            if not stage.evening.game_id:
                break
    assert not found, "\n".join(map(str, found))


@pytest.mark.parametrize("scene", sampled(WITH_SCREEN[::-1]), ids=named)
def test_names_as_long_as_they_may_be_fit(browser: Browser, scene: Scene) -> None:
    with staged(browser, scene) as stage:
        if stage.evening.game_id:
            renamed(stage.evening)
        page = stage.context(None).new_page()
        stage.turned(page, Shown("screen", "/table"), "dark", "de")
        found = [(size, x) for size in SIZES for x in faults(page, size)]
        assert not found, "\n".join(map(str, found))


LINES = """x => {
  const words = document.createRange();
  words.selectNodeContents(x);
  return [x.textContent, new Set([...words.getClientRects()].map(y => y.top)).size];
}"""


def test_a_long_word_takes_the_next_line_before_it_is_broken(browser: Browser) -> None:
    with staged(browser, long_names) as stage:
        page = stage.page(Shown("screen", "/table"), (1024, 768), "dark", "en")
        words = page.locator(".board .word").all()
        lines = dict(word.evaluate(LINES) for word in words)
        seen = {word.replace(HYPHEN, ""): count for word, count in lines.items()}
        assert seen == {
            **{"Großtante": 1, "Wilhelmine": 1, "Friedrich-": 1, "Alexander": 1},
            "Bartholomäusmaximiliane!": 2,
        }


@pytest.mark.parametrize("language", sampled(LANGUAGES[::-1]))
@pytest.mark.parametrize("seats", sampled([3, 2, 4, 5, 6]))
def test_a_finale_fits_however_many_have_played(
    browser: Browser, seats: int, language: str
) -> None:
    def finale(house: House) -> Evening:
        evening = renamed(played(guided(house, "classic", seats), 400, seed=5))
        give(evening, m.CallTime(by=TABLE))
        return evening

    with staged(browser, finale) as stage:
        page = stage.context(None).new_page()
        stage.turned(page, Shown("screen", "/table"), "dark", language)
        found = [(size, x) for size in SIZES for x in faults(page, size)]
        assert not found, "\n".join(map(str, found))
