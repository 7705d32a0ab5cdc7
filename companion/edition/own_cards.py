"""Cards that the owner of a box entered as codes: in an edition, and in its file.

A code says what a card does (``companion/game/card_code.py``). It is the card's id in
the edition, in every game, and in the file that is shared.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.edition.model import Edition
from companion.edition.shape import Card, find_space
from companion.errors import Malformed
from companion.game.card_code import (
    CHOICE,
    NEEDS_DECODER,
    NEEDS_VAULT,
    PLAIN,
    CardCode,
    parsed,
)
from companion.game.rulebook import AMOUNTS


def is_open(edition: Edition, deck_id: str) -> bool:
    """Whether the deck has cards whose effects are not known yet."""
    deck = next((one for one in edition.decks if one.id == deck_id), None)
    if deck is None or deck.is_complete:
        return False
    return known_count(edition, deck_id) < deck.kinds


def known_count(edition: Edition, deck_id: str) -> int:
    """How many cards of that deck are known well enough; fakes do not count."""
    return sum(
        card.effect not in (None, *AMOUNTS) or card.amount is not None
        for card in edition.cards_of(deck_id)
    )


def can_have(edition: Edition, word: str) -> bool:
    """Whether *word* is the code of a card that the edition may have but lacks."""
    said = parsed(word)
    if said is None or any(_is_it(card, word, said) for card in edition.cards):
        return False
    absent = {effect for deck in edition.decks for effect in deck.known_absent}
    if said.effect in (*absent, *(() if edition.has_vault else NEEDS_VAULT)):
        return False
    if said.effect in NEEDS_DECODER and edition.decoder is None:
        return False
    pieces = {"house": edition.pieces.houses, "hotel": edition.pieces.hotels}
    if not all(pieces.get(kind) for kind, _ in said.per):
        return False
    return said.spaces < len(edition.spaces) and _is_place(edition, said.place)


def _is_it(card: Card, word: str, said: CardCode) -> bool:
    """Whether the edition's *card* is the one that the code means."""
    is_plain = said.effect in PLAIN and card.effect == said.effect
    return card.id == word or (is_plain and card.keep == said.is_kept)


def _is_place(edition: Edition, place: str) -> bool:
    try:
        find_space(edition.spaces, place or "0")
    except Malformed:
        return False
    return True


def card_entry(deck_id: str, word: str, *, has_fake: bool = False) -> dict[str, object]:
    """The card with the code *word*, as an entry of an edition's file.

    Args:
        deck_id: The deck that has it.
        word: What it does.
        has_fake: Whether the deck has a fake one besides.
    """
    said = parsed(word)
    assert said is not None, f"not the words of a card: {word}"
    prices = {f"per_{kind}": price for kind, price in said.per}
    fields: dict[str, object] = {
        "id": word,
        "deck": deck_id,
        "effect": said.effect,
        "to": said.place,
        "collects_go": said.effect == "advance",
        "amount": said.amount,
        "spaces": said.spaces,
        "keep": said.is_kept,
        **prices,
        **PAYERS.get(said.effect, {}),
        **({"options": OPTIONS} if said.effect == CHOICE else {}),
        **({"copies": 2, "fakes": 1} if has_fake else {}),
    }
    return {name: value for name, value in fields.items() if value}


OPTIONS = ({"effect": "pay", "to": "bank"}, {"effect": "go-to-jail"})
"""What a card with a choice offers."""

PAYERS: Mapping[str, Mapping[str, str]] = {
    "collect": {"source": "bank"},
    "pay": {"to": "bank"},
    "to-vault": {"source": "bank"},
    "pay-to-vault": {"effect": "to-vault", "source": "seat"},
}
"""Effect -> the fields of a file's entry that say who pays or is paid."""
