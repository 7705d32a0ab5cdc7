"""Cards of a box that this table put into words itself, for the page of that box."""

from __future__ import annotations

import msgspec

from companion.box.readings import BoxReading
from companion.edition import Edition
from companion.edition.own_cards import known_count
from companion.game.box_key import taken_apart
from companion.game.card_words import drawn_card
from companion.words import capital
from companion.words.common import common


class OwnCard(msgspec.Struct, frozen=True):
    """A card that somebody put into words.

    Attributes:
        key: What was read, as edition files name it.
        of: The card's code, as game scripts write it.
        words: What the card does, as a sentence.
    """

    key: str
    of: str
    words: str


class OpenDeck(msgspec.Struct, frozen=True, kw_only=True):
    """A deck of which the edition file does not list every card.

    Attributes:
        words: The name of the deck.
        known: How many of its cards are known now.
        size: How many cards it has.
        cards: The cards that this table put into words.
    """

    words: str
    known: int
    size: int
    cards: tuple[OwnCard, ...]


def open_decks(
    edition: Edition, readings: tuple[BoxReading, ...]
) -> tuple[OpenDeck, ...]:
    """Every incomplete deck of *edition*.

    Args:
        edition: The edition, including what was read off the box.
        readings: What was read; cards that are not in *edition* are left out.
    """
    return tuple(
        OpenDeck(
            words=common(deck.name),
            known=known_count(edition, deck.id),
            size=deck.kinds,
            cards=_cards(edition, deck.id, readings),
        )
        for deck in edition.decks
        if deck.is_used and not deck.is_complete
    )


def _cards(
    edition: Edition, deck_id: str, readings: tuple[BoxReading, ...]
) -> tuple[OwnCard, ...]:
    held = {card.id for card in edition.cards_of(deck_id)}
    names = {deed.id: deed.name for deed in edition.deeds}
    names |= {f"space@{space.number}": space.name for space in edition.spaces}
    found = ((one.key, taken_apart(one.key)) for one in readings)
    return tuple(
        OwnCard(key, one.of, capital(drawn_card(names, one.of)))
        for key, one in found
        if one.is_card and one.of in held
    )
