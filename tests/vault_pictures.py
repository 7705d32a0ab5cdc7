"""The picture of the night at the vault: a guess is due, it opens, and it says no."""

from __future__ import annotations

import base64
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page

from companion.game import moves as m
from tests.guided_pictures import FRAME
from tests.running import ROOT
from tests.web.night import SECRET, Night
from tests.web.served import RealAddress

NIGHT = ROOT / "web" / "pictures" / "night.jpg"
PHONE = {"width": 390, "height": 844}
SCREEN = {"width": 1280, "height": 800}


def take(browser: Browser) -> None:
    """The picture of a night at the vault."""
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
    """The due guess on a phone, the open vault on the screen, and the no before it."""
    phone, screen = _page(address, "/vault", PHONE), _page(address, "/table", SCREEN)
    night.lock()
    night.give(m.Roll(by="red", dice=(2, 3)))
    pictures = {"turn": _shot(phone, "due")}
    night.press_m(1)
    night.settle()
    pictures["deeds"] = _shot(phone, "wrong")
    night.give(m.Roll(by="blue", dice=(2, 3)))
    night.press_m(SECRET)
    night.settle()
    return {**pictures, "table": _shot(screen, "riches")}


def _page(address: RealAddress, path: str, size: dict[str, int]) -> Page:
    page = address.context(None, viewport=size, color_scheme="dark").new_page()
    page.goto(address.url + path)
    return page


def _shot(page: Page, scene: str) -> str:
    page.locator(f"[data-scene={scene}]").wait_for()
    page.wait_for_timeout(1_600)
    picture = base64.b64encode(page.screenshot()).decode()
    return f"data:image/png;base64,{picture}"
