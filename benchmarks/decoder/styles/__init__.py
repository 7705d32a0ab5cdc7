"""Art styles of the simulated print: the house's own and others it never saw.

Every style is drawn apart from the house deck: other faces, symbols, inks and
screens. The decoder may know them only through `learn`.
"""

from __future__ import annotations

from benchmarks.decoder.styles.base import Ink, Style
from benchmarks.decoder.styles.captain import CAPTAIN
from benchmarks.decoder.styles.cat import CAT
from benchmarks.decoder.styles.house import HOUSE_STYLE
from benchmarks.decoder.styles.lady import LADY
from benchmarks.decoder.styles.robot import ROBOT

STYLES: dict[str, Style] = {
    style.name: style for style in (HOUSE_STYLE, CAPTAIN, LADY, CAT, ROBOT)
}
FOREIGN = tuple(name for name in STYLES if name != "house")
"""What the decoder was not built on."""

__all__ = ["FOREIGN", "STYLES", "Ink", "Style"]
