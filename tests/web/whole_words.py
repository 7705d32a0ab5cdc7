"""Say which words of a page nobody can read whole: cut, pushed out, or broken."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from tests.web.served import still

SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
LETTERS_PX = 16
"""How large a browser writes, unless somebody chose larger letters in its settings."""


def unreadable(
    page: Page, size: tuple[int, int], letters: float = 1, forced: str = "none"
) -> list[str]:
    """Return what is not whole at that *size*, each with the reason and its box.

    Args:
        page: A page that shows what is to be read.
        size: Width and height of the screen.
        letters: How many times as large as usual a reader has set all letters.
        forced: ``active`` for a reader who has every page in the same few colours.
    """
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(forced_colors=forced)
    settings = page.context.new_cdp_session(page)
    chosen = {"standard": LETTERS_PX * letters, "fixed": LETTERS_PX * letters}
    settings.send("Page.setFontSizes", {"fontSizes": chosen})
    found: list[str] = still(page).evaluate(SCRIPT)
    settings.detach()
    return found
