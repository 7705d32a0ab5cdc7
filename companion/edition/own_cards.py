"""Cards that the owner of a box enters as codes, since the edition lacks them.

A code such as ``keep:collect:50`` describes what the card does
(``companion/game/card_code.py``). It is the card's id in the edition, in every game,
and in the file that is shared.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.edition.model import Edition
from companion.edition.shape import Card
from companion.errors import Malformed
from companion.game.card_code import (
    CHOICE,
    NEEDS_DECODER,
    NEEDS_VAULT,
    PLAIN_EFFECTS,
    CardCode,
    parse_code,
)
from companion.game.rulebook import AMOUNTS


def has_unknown_cards(edition: Edition, deck_id: str) -> bool:
    """Return whether some cards of the deck are still unknown."""
    deck = next((deck for deck in edition.decks if deck.id == deck_id), None)
    if deck is None or deck.is_complete:
        return False
    return known_count(edition, deck_id) < deck.kinds


def known_count(edition: Edition, deck_id: str) -> int:
    """Count the cards of a deck whose effect, and amount if any, is known."""
    return sum(map(_is_known, edition.cards_of(deck_id)))


def _is_known(card: Card) -> bool:
    """Return whether a card's effect is known, and its amount if it prints one."""
    if card.amount is not None:
        return True
    return card.effect is not None and card.effect not in AMOUNTS


def may_have_card(edition: Edition, text: str) -> bool:
    """Return whether *text* is the code of a card that may be missing in *edition*."""
    code = parse_code(text)
    if code is None or any(_is_same(card, text, code) for card in edition.cards):
        return False
    absent = {effect for deck in edition.decks for effect in deck.known_absent}
    if code.effect in absent:
        return False
    if code.effect in NEEDS_VAULT and not edition.has_vault:
        return False
    if code.effect in NEEDS_DECODER and edition.decoder is None:
        return False
    counts = {"house": edition.pieces.houses, "hotel": edition.pieces.hotels}
    if not all(counts.get(kind) for kind, _ in code.per):
        return False  # The card charges for buildings that the box lacks.
    return code.spaces < len(edition.spaces) and _has_place(edition, code.place)


def _is_same(card: Card, text: str, code: CardCode) -> bool:
    """Return whether the code, written as *text*, describes *card*."""
    is_plain = code.effect in PLAIN_EFFECTS and card.effect == code.effect
    return card.id == text or (is_plain and card.keep == code.is_kept)


def _has_place(edition: Edition, place: str) -> bool:
    """Return whether a card with this *place* moves nowhere, or to a space there is."""
    if not place:
        return True
    try:
        edition.space(place)
    except Malformed:
        return False
    return True


def card_entry(deck_id: str, word: str, *, has_fake: bool = False) -> dict[str, object]:
    """Build the entry of an edition's file for the card with the code *word*.

    *has_fake* says whether the deck also has a fake of this card.
    """
    code = parse_code(word)
    assert code is not None, f"not the code of a card: {word}"
    prices = {f"per_{kind}": price for kind, price in code.per}
    fields: dict[str, object] = {
        "id": word,
        "deck": deck_id,
        "effect": code.effect,
        "to": code.place,
        "collects_go": code.effect == "advance",
        "amount": code.amount,
        "spaces": code.spaces,
        "keep": code.is_kept,
        **prices,
        **PAYERS.get(code.effect, {}),
        **({"options": OPTIONS} if code.effect == CHOICE else {}),
        **({"copies": 2, "fakes": 1} if has_fake else {}),
    }
    return {name: value for name, value in fields.items() if value}


OPTIONS = ({"effect": "pay", "to": "bank"}, {"effect": "go-to-jail"})
"""The two options of a card with a choice."""

PAYERS: Mapping[str, Mapping[str, str]] = {
    "collect": {"source": "bank"},
    "pay": {"to": "bank"},
    "to-vault": {"source": "bank"},
    "pay-to-vault": {"effect": "to-vault", "source": "seat"},
}
"""Effect in a code -> the fields of the entry that say who pays or is paid."""
