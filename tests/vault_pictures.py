"""The night at the vault: a picture of three moments, and a film of how it opens."""

from __future__ import annotations

import base64
import io
import itertools
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page

from companion.game import moves as m
from tests.chromium import LIVELY
from tests.guided_pictures import FRAME
from tests.running import ROOT
from tests.web.night import SECRET, Night
from tests.web.served import RealAddress

NIGHT = ROOT / "web" / "pictures" / "night.jpg"
PHONE = {"width": 390, "height": 844}
SCREEN = {"width": 1280, "height": 800}
FILM = ROOT / "web" / "pictures" / "opening.webp"
FILM_SIZE = 640, 400
BREATH_MS, FILM_MS, STEP_MS = 1_200, 5_500, 100
LAST_MS = 2_500
"""How long the film stands at its end before it begins again."""


def take(browser: Browser) -> None:
    """Take the picture and the film of a night at the vault."""
    with tempfile.TemporaryDirectory() as folder:
        night = Night(Path(folder), memory="off")
        night.house.host()
        address = RealAddress(night.house.app, browser)
        pictures = _night(night, address)
        page = browser.new_page(viewport={"width": 1500, "height": 660})
        page.set_content(FRAME.format(**pictures))
        page.wait_for_timeout(300)
        page.locator("body").screenshot(path=NIGHT, type="jpeg", quality=88)
        page.close()
        address.hang_up()
        night.keeper.stop()
        night.house.table.close()
        address.end()
        night.house.database.close()


def _night(night: Night, address: RealAddress) -> dict[str, str]:
    """Take the due guess on a phone, the open vault on the screen, the no before."""
    phone, screen = _page(address, "/vault", PHONE), _page(address, "/table", SCREEN)
    night.lock()
    night.give(m.Roll(by="red", dice=(2, 3)))
    pictures = {"turn": _shot(phone, "due")}
    night.press_m(1)
    night.settle()
    pictures["deeds"] = _shot(phone, "wrong")
    night.give(m.Roll(by="blue", dice=(2, 3)))
    screen.locator("[data-scene=due]").wait_for()
    _film(night, screen)
    return {**pictures, "table": _shot(screen, "riches")}


def _film(night: Night, page: Page) -> None:
    """Film a right guess: the night's time passes with the film's."""
    frames, times_s = [], []

    def keep(frame: Mapping[str, Any]) -> None:
        picture = Image.open(io.BytesIO(base64.b64decode(frame["data"])))
        frames.append(picture.resize(FILM_SIZE))
        times_s.append(frame["metadata"]["timestamp"])
        camera.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    camera = page.context.new_cdp_session(page)
    camera.on("Page.screencastFrame", keep)
    camera.send("Page.startScreencast", {"format": "jpeg", "everyNthFrame": 4})
    page.wait_for_timeout(BREATH_MS)
    night.press_m(SECRET)
    for _ in range(FILM_MS // STEP_MS):
        page.wait_for_timeout(STEP_MS)
        night.house.clock.advance(STEP_MS)
        night.keeper.process()
    camera.send("Page.stopScreencast")
    shown_ms = [round((b - a) * 1_000) for a, b in itertools.pairwise(times_s)]
    frames[0].save(
        FILM, save_all=True, append_images=frames[1:], loop=0, quality=55, method=6,
        duration=[*shown_ms, LAST_MS],
    )  # fmt: skip


def _page(address: RealAddress, path: str, size: dict[str, int]) -> Page:
    context = address.context(
        None, viewport=size, color_scheme="dark", reduced_motion=LIVELY
    )
    page = context.new_page()
    page.goto(address.url + path)
    return page


def _shot(page: Page, scene: str) -> str:
    page.locator(f"[data-scene={scene}]").wait_for()
    page.wait_for_timeout(1_600)
    picture = base64.b64encode(page.screenshot()).decode()
    return f"data:image/png;base64,{picture}"
