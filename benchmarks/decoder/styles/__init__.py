"""Art styles of the simulated print: the house's own and others it never saw.

Every style is drawn apart from the house deck: other faces, symbols, inks and
screens. The decoder may know them only through `learn`. Five are drawn by hand; the
decks of the zoo are drawn at random, see `zoo`.
"""

from __future__ import annotations

from dataclasses import replace

from benchmarks.decoder.styles.base import Ink, Panel, Style
from benchmarks.decoder.styles.captain import CAPTAIN
from benchmarks.decoder.styles.cat import CAT
from benchmarks.decoder.styles.dots import dotted
from benchmarks.decoder.styles.house import HOUSE_STYLE
from benchmarks.decoder.styles.lady import LADY
from benchmarks.decoder.styles.robot import ROBOT
from benchmarks.decoder.styles.zoo import Family, zoo_style

STYLES: dict[str, Style] = {
    style.name: style for style in (HOUSE_STYLE, CAPTAIN, LADY, CAT, ROBOT)
}
FOREIGN = tuple(name for name in STYLES if name != "house")
"""What the decoder was not built on."""


def style_named(name: str) -> Style:
    """A style of STYLES; "cat 0.3" has a pitch of 0.3.

    "zoo 17" is that seed's deck, "zoo 17 interlaced" the same in that family, and
    "dotted cat" shows its faces in plain sight, in dots.
    """
    kind, _, number = name.partition(" ")
    if kind == "dotted":
        return dotted(STYLES[number])
    if kind == "zoo":
        seed, _, family = number.partition(" ")
        return zoo_style(int(seed), Family(family or Family.CARRIER))
    style = STYLES[kind]
    if not number:
        return style
    screen = replace(style.deck.screen, pitch_mm=float(number))
    return replace(style, deck=replace(style.deck, name=name, screen=screen))


__all__ = [
    "FOREIGN",
    "STYLES",
    "Family",
    "Ink",
    "Panel",
    "Style",
    "style_named",
    "zoo_style",
]
