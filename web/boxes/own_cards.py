"""Cards of a box that the players described themselves, for the page of that box.

Edition files do not list every card of some decks. When an unlisted card is drawn, the
players describe what it does. That is stored as a *reading* of their box, whose key
contains the card's code, such as ``pay:100``.
"""

from __future__ import annotations

import msgspec

from companion.box.readings import BoxReading
from companion.edition import Edition
from companion.edition.own_cards import known_count
from companion.game.box_key import split_key
from companion.game.card_words import drawn_card
from companion.words import capital
from companion.words.common import common


class OwnCard(msgspec.Struct, frozen=True):
    """A card that somebody described.

    Attributes:
        key: The key of the reading.
        code: The card's code, as in game scripts: ``pay:100``.
        words: A sentence on what the card does.
    """

    key: str
    code: str
    words: str


class OpenDeck(msgspec.Struct, frozen=True, kw_only=True):
    """A deck of which the edition file does not list every card.

    Attributes:
        words: The name of the deck.
        known: How many of its cards are known now.
        size: How many cards it has.
        cards: The cards that the players described.
    """

    words: str
    known: int
    size: int
    cards: tuple[OwnCard, ...]


def open_decks(
    edition: Edition, readings: tuple[BoxReading, ...]
) -> tuple[OpenDeck, ...]:
    """Return each deck of which a card may still be missing.

    Args:
        edition: The edition, with what was read off this table's box.
        readings: What was read off it.
    """
    return tuple(
        OpenDeck(
            words=common(deck.name),
            known=known_count(edition, deck.id),
            size=deck.kinds,
            cards=_described_cards(edition, deck.id, readings),
        )
        for deck in edition.decks
        if deck.is_used and not deck.is_complete
    )


def _described_cards(
    edition: Edition, deck_id: str, readings: tuple[BoxReading, ...]
) -> tuple[OwnCard, ...]:
    """List a deck's described cards, in the order of the readings."""
    card_ids = {card.id for card in edition.cards_of(deck_id)}
    names = {deed.id: deed.name for deed in edition.deeds}
    names |= {f"space@{space.number}": space.name for space in edition.spaces}
    cards = []
    for reading in readings:
        key = split_key(reading.key)
        if key.is_card and key.of in card_ids:
            words = capital(drawn_card(names, key.of))
            cards.append(OwnCard(reading.key, key.of, words))
    return tuple(cards)
