"""Draws the icons of the home screen from ``mark.svg``: ``python -m tests.icons``."""

from __future__ import annotations

from tests.chromium import chromium, let_go, new_context
from tests.running import ROOT

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


if __name__ == "__main__":
    draw()
