"""The common English words in edition data, as translatable sentences.

Editions and game scripts name groups, pieces and decks in English. The words listed
here are translated; any other counts as a name, like those printed on the board.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.words import say

COMMON: Final[Mapping[str, str]] = {
    str(word): word
    for word in (
        # Seats, by their colour.
        say("red"),
        say("blue"),
        say("green"),
        say("orange"),
        say("purple"),
        say("teal"),
        say("pink"),
        say("silver"),
        # Groups.
        say("Brown"),
        say("Light blue"),
        say("Pink"),
        say("Orange"),
        say("Red"),
        say("Yellow"),
        say("Green"),
        say("Dark blue"),
        say("Railroads"),
        say("Stations"),
        say("Utilities"),
        # The one space whose name is translated.
        say("GO"),
        # Single buildings.
        say("house"),
        say("hotel"),
        say("skyscraper"),
        say("depot"),
        # Buildings in the plural.
        say("houses"),
        say("hotels"),
        say("skyscrapers"),
        say("depots"),
        # Decks.
        say("Chance"),
        say("Community Chest"),
        say("chance"),
        say("community chest"),
        # Figures of deeds and cards.
        say("price"),
        say("mortgage"),
        say("unmortgage"),
        say("amount"),
        say("house cost"),
        say("hotel cost"),
        say("rent"),
        say("rent hotel"),
        say("rent 1 hotel"),
        say("rent 2 hotels"),
        say("rent full group"),
    )
}
"""English word -> the word as a translatable sentence."""


def common(word: str) -> str:
    """Return *word* as a translatable sentence if ``COMMON`` has it, else unchanged.

    >>> common("Light blue")
    'Light blue'
    """
    return COMMON.get(word, word)
