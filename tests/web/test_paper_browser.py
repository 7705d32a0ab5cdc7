"""Every page can be read on paper, whatever the look of the phone that prints it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser

from tests.sample import sampled
from tests.web.conftest import Evening, House
from tests.web.paper import letters
from tests.web.scenes import SCENES, offered, staged

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PHONE, SCREEN = (390, 844), (1280, 800)
READABLE = 4.5
LOOKS = ("light", "dark", "auto")
"""As it was chosen; ``auto`` on a phone that is dark itself."""

OTHERS = (scene for scene in SCENES if scene is not offered)


@pytest.mark.parametrize(
    "scene",
    sampled((offered, *OTHERS)),
    ids=lambda scene: SCENES[scene][0].name,
)
def test_every_letter_stands_out_on_paper(
    browser: Browser, scene: Callable[[House], Evening]
) -> None:
    faint = []
    with staged(browser, scene) as stage:
        for shown in SCENES[scene]:
            counts = set()
            for look in LOOKS:
                size = PHONE if shown.who else SCREEN
                page = stage.page(shown, size, look, "en")
                if look == "auto":
                    page.emulate_media(color_scheme="dark")
                printed = list(letters(page.pdf()))
                words = "".join(one for one, contrast in printed if contrast < READABLE)
                faint += [(shown.name, look, words)] * bool(words)
                counts.add(len(printed))
                stage.hang_up()
            assert len(counts) == 1, f"{shown.name} prints other letters in other looks"
            assert counts != {0}, shown.name
    assert not faint
