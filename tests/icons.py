"""Draws pictures from drawings: ``python -m tests.icons``.

The icons of the home screen come from ``mark.svg``, and ``tokens.png``, all tokens side
by side for the picture of an ending, from ``tokens.svg``.
"""

from __future__ import annotations

import re

from companion.rules.seats import TOKENS
from tests.chromium import chromium, let_go, new_context
from tests.running import ROOT
from web.play.share import TOKEN_SIDE

STATIC = ROOT / "web" / "static"
GROUND = "#123c2c"
ICONS = {
    "icon-180.png": (180, 1.0),
    "icon-192.png": (192, 1.0),
    "icon-512.png": (512, 1.0),
    "icon-maskable-512.png": (512, 0.72),
}
"""Side in pixels, and how much of it the mark takes; a mask may cut off the rest."""


def draw() -> None:
    """Draw each icon anew."""
    mark = (STATIC / "mark.svg").read_text()
    with chromium() as browser:
        for name, (side, part) in ICONS.items():
            is_whole = name != "icon-180.png" and part == 1.0
            ground = "transparent" if is_whole else GROUND
            context = new_context(browser, viewport={"width": side, "height": side})
            page = context.new_page()
            page.set_content(
                f"<style>*{{margin:0}}body{{width:{side}px;height:{side}px;"
                f"display:grid;place-items:center;background:{ground}}}"
                f"svg{{width:{side * part}px;height:{side * part}px}}</style>{mark}"
            )
            page.screenshot(path=STATIC / name, omit_background=True)
            let_go(context)
        drawn = (STATIC / "tokens.svg").read_text()
        found = [re.search(rf'id="{x}" [^>]*>(.*?)</symbol>', drawn) for x in TOKENS]
        size = {"width": TOKEN_SIDE * len(TOKENS), "height": TOKEN_SIDE}
        context = new_context(browser, viewport=size)
        page = context.new_page()
        page.set_content(
            f"<style>*{{margin:0}}svg{{float:left;width:{TOKEN_SIDE}px;fill:#fff}}"
            "</style>"
            + "".join(f'<svg viewBox="0 0 48 48">{x[1]}</svg>' for x in found if x)
        )
        page.screenshot(path=STATIC / "tokens.png", omit_background=True)
        let_go(context)


if __name__ == "__main__":
    draw()
