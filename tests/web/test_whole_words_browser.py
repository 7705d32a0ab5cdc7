"""No word of any page is cut or broken, whatever the screen and its letters.

One walk over all scenes; whoever adds a page adds it there.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser

from tests.sample import proven, sampled
from tests.web.conftest import Evening, House
from tests.web.scenes import (
    SCENES,
    carding,
    crowded,
    gathering,
    long_names,
    looking,
    staged,
)
from tests.web.whole_words import unreadable

pytestmark = pytest.mark.browser

SMALL, NARROW, PHONE, ZOOMED = (320, 640), (360, 740), (390, 844), (195, 422)
"""The smallest phone, one that just has room for what is set apart on larger ones,
one of today, and what 200 % leaves of that."""
PHONES = (
    ("small", SMALL, {}),
    ("narrow", NARROW, {}),
    ("phone", PHONE, {}),
    ("large letters", PHONE, {"letters": 2}),
    ("zoomed", ZOOMED, {}),
    ("forced colours", PHONE, {"forced": "active"}),
)
SCREENS = (
    ("screen", (1280, 800), {}),
    ("coarse screen", (1024, 768), {}),
    ("forced colours", (1280, 800), {"forced": "active"}),
    ("on a small phone", SMALL, {}),
    ("on a phone", PHONE, {}),
)
Scene = Callable[[House], Evening]
FULL = (long_names, carding, crowded)
"""Much stands on their pages."""
FULL_FIRST = (*FULL, *(scene for scene in SCENES if scene not in FULL))


def check_whole(browser: Browser, scene: Scene, language: str) -> None:
    """Look at each page of *scene* in every way."""
    found = []
    with staged(browser, scene) as stage:
        page = stage.context(None).new_page()
        for shown in SCENES[scene]:
            stage.turned(page, shown, "dark", language)
            for name, size, more in PHONES if shown.who else SCREENS:
                found += [(shown.name, name, x) for x in unreadable(page, size, **more)]
            page.emulate_media(forced_colors="none")
    assert not found, "\n".join(map(str, found))


def named(scene: Scene) -> str:
    return SCENES[scene][0].name


@pytest.mark.parametrize("scene", sampled(FULL_FIRST), ids=named)
def test_every_german_word_is_whole(browser: Browser, scene: Scene) -> None:
    check_whole(browser, scene, "de")  # German has the longer words.


@pytest.mark.parametrize("scene", proven(SCENES), ids=named)
def test_every_english_word_is_whole(browser: Browser, scene: Scene) -> None:
    check_whole(browser, scene, "en")


@pytest.mark.parametrize("scene", proven([long_names, carding, looking, gathering]))
def test_a_screen_with_doubled_letters_is_whole_on_a_phone(
    browser: Browser, scene: Scene
) -> None:
    with staged(browser, scene) as stage:
        page = stage.context(None).new_page()
        for shown in SCENES[scene]:
            if not shown.who:
                stage.turned(page, shown, "dark", "de")
                assert unreadable(page, PHONE, letters=2) == []
