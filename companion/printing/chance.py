"""Words of the printable Chance cards: 12 pairs, each of a real and a fake card.

The rule sheet of Crooked Cash names the effects of the first four pairs; the other
eight are this project's own, since no source lists them. All wording is our own.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChanceCard:
    """The words on a pair of cards: a title and up to two lines."""

    title: str
    words: tuple[str, ...]


CHANCE_CARDS = (
    ChanceCard("NO RENT", ("Skip one rent that you owe.",)),
    ChanceCard(
        "FREE HOTEL", ("Put a hotel on one of your streets,", "free of charge.")
    ),
    ChanceCard("OFF TO JAIL", ("Send any player to Jail.",)),
    ChanceCard("FRESH CHIPS", ("Turn all your decoder chips", "to their ready side.")),
    ChanceCard("BIRTHDAY", ("Every player gives you $10.",)),
    ChanceCard("FOUND PURSE", ("Collect $100 from the Bank.",)),
    ChanceCard("HALF PRICE", ("Buy the street you stand on", "for half its price.")),
    ChanceCard("FREE TRAIN", ("Go to any street that nobody owns.", "You may buy it.")),
    ChanceCard("SECOND ROLL", ("Roll again and move on.",)),
    ChanceCard("OUT OF JAIL", ("Leave Jail without paying.",)),
    ChanceCard("DOUBLE RENT", ("The next rent you collect", "is paid twice.")),
    ChanceCard("PAY DAY", ("Collect your salary once more.",)),
)
