"""What the data of editions call things, as sentences that can be translated.

Editions name groups, pieces and decks in English, and so do the scripts. A word that
stands here is said in every language; any other is a name and stays as it is, and
so do the names that are printed on the board.
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
        # What a card sends to, and what is sold last.
        say("railroad"),
        say("utility"),
        say("house"),
        say("hotel"),
        say("skyscraper"),
        say("depot"),
        # What a box holds many of.
        say("houses"),
        say("hotels"),
        say("skyscrapers"),
        say("depots"),
        # Decks, and spaces that the table reads.
        say("Chance"),
        say("Community Chest"),
        say("chance"),
        say("community chest"),
        say("rest"),
        say("guess for free"),
        say("pay to guess"),
        say("free parking"),
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
"""By the English word itself."""


def common(word: str) -> str:
    """*word* as a sentence where it is a common one, else as it is.

    >>> common("Light blue")
    'Light blue'
    """
    return COMMON.get(word, word)
