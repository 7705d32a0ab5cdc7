"""The decoder's pictures in the README: the walk, and a verdict on both screens."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Browser

from tests.running import ROOT, RunningTable
from tests.walk import draw, walk

VERDICT = ROOT / "web" / "pictures" / "is-it-real.jpg"
PHONE = {"width": 360, "height": 764}
TABLE = {"width": 1280, "height": 800}
BESIDE = """<!doctype html><style>
  body {{ margin: 0; padding: 24px; background: #10211b; display: flex; gap: 24px;
         align-items: center; width: max-content }}
  img {{ height: 560px; border-radius: 18px; display: block }} .wide {{ height: 500px }}
</style><img src="{phone}"><img class=wide src="{table}">"""


def take(browser: Browser, table: RunningTable) -> None:
    """Walk from a sheet to a photograph, and send that to a running table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        walk(folder)
        draw(folder)
        _on_both_screens(browser, table, folder)


def _on_both_screens(browser: Browser, table: RunningTable, folder: Path) -> None:
    shots = {"phone": folder / "phone.png", "table": folder / "table.png"}
    phone = browser.new_page(viewport=PHONE)
    phone.goto(f"{table.address}/decoder")
    phone.set_input_files("#take", folder / "photo.jpg")
    phone.wait_for_url("**/decoder/*")
    phone.wait_for_timeout(500)
    phone.screenshot(path=shots["phone"])
    phone.get_by_role("button", name="Show it on the table's screen").click()
    screen = browser.new_page(viewport=TABLE)
    screen.goto(f"{table.address}/table")
    screen.wait_for_timeout(800)
    screen.screenshot(path=shots["table"])
    phone.get_by_role("button", name="Take it off the table's screen").click()
    beside = folder / "beside.html"
    files = {name: path.as_uri() for name, path in shots.items()}
    beside.write_text(BESIDE.format(**files), encoding="utf-8")
    page = browser.new_page(viewport={"width": 1200, "height": 640})
    page.goto(beside.as_uri())
    page.locator("body").screenshot(path=VERDICT, type="jpeg", quality=82)
    for one in (phone, screen, page):
        one.close()
