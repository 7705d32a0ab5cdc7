"""Takes the pictures of the documents: ``make pictures``.

Three phones and the table's screen look at one real evening; a page that shows
the three pictures side by side is photographed for the README.
"""

from __future__ import annotations

import base64
import tempfile
from pathlib import Path

from playwright.sync_api import Browser

from tests import decoder_pictures, guided_pictures, vault_pictures
from tests.chromium import chromium
from tests.running import ROOT, RunningTable
from tests.test_evening import lock, open_game, pay_50, phone, sit_down

FIRST_LOOK = ROOT / "web" / "pictures" / "first-look.png"
FRAME = """<!doctype html><style>
  body {{ margin: 0; padding: 28px; background: #10211b; display: flex; gap: 28px;
         align-items: center; width: max-content }}
  img {{ border-radius: 22px; box-shadow: 0 8px 28px #000a; display: block }}
  .tall {{ height: 600px }} .wide {{ height: 500px }}
</style><img class=tall src="{seat}"><img class=wide src="{table}">
<img class=tall src="{vault}">"""


def shot(browser: Browser, address: str, width: int, height: int) -> str:
    """Return a picture of the page at *address*, as an address of its own."""
    page = browser.new_page(viewport={"width": width, "height": height})
    page.goto(address)
    page.wait_for_timeout(800)
    picture = base64.b64encode(page.screenshot()).decode()
    page.close()
    return f"data:image/png;base64,{picture}"


def first_look(browser: Browser, table: RunningTable) -> None:
    """Take the picture at the top of the README."""
    _, game = open_game(table, browser)
    anna = sit_down(browser, table, game, "Anna")
    ben = sit_down(browser, table, game, "Ben")
    for name in ("Cleo", "Dana"):
        sit_down(browser, table, game, name)
    pay_50(ben, "Anna")
    pay_50(anna, "Cleo")
    ben.locator(".bar").get_by_role("button", name="GO +$400").tap()
    vault = phone(browser, f"{table.address}/vault")
    lock(vault)
    anna.locator("#sheet label.choice", has_text="Ben").tap()
    anna.locator("#sheet").get_by_role("button", name="Add $50", exact=True).tap()
    anna.get_by_role("button", name="Pay Ben $50").wait_for()
    anna.locator(".receipt").wait_for(state="detached")
    vault.wait_for_timeout(800)
    pictures = {
        "seat": _encoded(anna.screenshot()),
        "table": shot(browser, f"{table.address}/table", 1280, 800),
        "vault": _encoded(vault.screenshot()),
    }
    page = browser.new_page(viewport={"width": 1500, "height": 660})
    page.set_content(FRAME.format(**pictures))
    page.wait_for_timeout(300)
    FIRST_LOOK.parent.mkdir(exist_ok=True)
    page.locator("body").screenshot(path=FIRST_LOOK)


def _encoded(picture: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(picture).decode()}"


def main() -> None:
    """Take all pictures anew."""
    with (
        tempfile.TemporaryDirectory() as folder,
        chromium() as browser,
        RunningTable(Path(folder) / "data") as table,
    ):
        first_look(browser, table)
        decoder_pictures.take(browser, table)
        guided_pictures.take(browser)
        guided_pictures.take_challenge(browser)
        guided_pictures.take_big_board(browser)
        vault_pictures.take(browser)


if __name__ == "__main__":
    main()
