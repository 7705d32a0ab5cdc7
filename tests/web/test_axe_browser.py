"""Nobody is shut out of a page: axe finds nothing serious, whatever it looks like."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from tests.sample import proven
from tests.web.conftest import Evening, House
from tests.web.scenes import LANGUAGES, SCENES, THEMES, staged

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SERIOUS = {"serious", "critical"}
PHONE, SCREEN = (390, 844), (1280, 800)

GLUED = """() => [...document.querySelectorAll("small")]
  .filter(x => x.previousSibling?.nodeType === Node.TEXT_NODE
    && /\\S$/.test(x.previousSibling.data) && getComputedStyle(x).display === "inline")
  .map(x => x.parentElement.outerHTML.slice(0, 160))"""
"""Where a small word in the same line follows another with no space: heard as one."""


PRESSED = """() => [...document.forms].filter(form => {
  const all = [...form.elements];
  const buttons = all.filter(x => x.type === "submit" && x.formMethod !== "dialog");
  return buttons.length > 1 && buttons[0].name && !buttons[0].matches(".brass")
    && all.some(x => ["text", "number", "search"].includes(x.type));
}).map(form => form.outerHTML.slice(0, 160))"""
"""A form with a field in which Enter would press one of several choices unasked."""


LOOKS = proven(
    [tuple(zip(THEMES, x, strict=True)) for x in (LANGUAGES, reversed(LANGUAGES))],
)
"""Each theme and each language once, and the other way round."""


BY_SIZE = sorted(SCENES, key=lambda scene: len(SCENES[scene]))


@pytest.mark.parametrize("looks", LOOKS, ids=("once", "crossed"))
@pytest.mark.parametrize("scene", proven(BY_SIZE), ids=lambda x: SCENES[x][0].name)
def test_axe_finds_nothing_serious(
    browser: Browser,
    scene: Callable[[House], Evening],
    looks: tuple[tuple[str, str], ...],
) -> None:
    found = []
    with staged(browser, scene) as stage:
        for shown, (theme, language) in product(SCENES[scene], looks):
            size = PHONE if shown.who else SCREEN
            page = stage.page(shown, size, theme, language)
            for one in Axe().run(page).response["violations"]:
                if one["impact"] in SERIOUS:
                    nodes = [node["html"][:160] for node in one["nodes"][:3]]
                    found.append((shown.name, theme, language, one["id"], nodes))
            for kind, script in (("glued", GLUED), ("pressed by Enter", PRESSED)):
                if faults := page.evaluate(script):
                    found.append((shown.name, theme, language, kind, faults))
            stage.hang_up()
    assert not found
