"""Checks on cards: each has the fields that its effect needs, and its targets exist.

The *effect* of a card is what it does, such as ``collect`` or ``advance``. A field that
the effect needs is filled in, or listed in the card's ``unknown`` if nobody knows it.

For *draft* and report, see ``companion/edition/check.py``.
"""

from __future__ import annotations

from typing import Final

from companion.edition.read import Draft, declared_names, entries
from companion.edition.shape import Card, CardDeck, Space, find_space
from companion.errors import Malformed
from companion.words.report import undeclared, unknown_key

FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "advance": ("to",),
    "advance-nearest": ("kind", "if_owned", "if_unowned", "times"),
    "move-back": ("spaces",),
    "collect": ("amount", "source"),
    "collect-each": ("amount",),
    "pay": ("amount", "to"),
    "pay-each": ("amount",),
    "to-vault": ("amount", "source"),
    "choice": ("options",),
}
"""Effect -> the fields that it needs."""

PRICES: Final = ("per_house", "per_hotel", "per_skyscraper", "per_depot")
"""The fields of which ``repairs`` needs at least one."""

PAYEES: Final = ("bank", "vault")
"""What ``to`` can be on a ``pay`` card."""


def check_cards(draft: Draft) -> None:
    """Report what is wrong with the decks and cards of *draft*."""
    decks = declared_names(draft, "deck")
    for card in entries(draft, "card", Card):
        where = f"card[{card.id}]"
        if card.deck not in decks:
            text = str(undeclared("the id of a deck", card.deck, decks))
            draft.fault(f"{where}.deck", text)
        _check_fields(draft, card, where)
        _check_target(draft, card, where)
    if len(entries(draft, "card", Card)) == len(declared_names(draft, "card")):
        for deck in entries(draft, "deck", CardDeck):
            _check_size(draft, deck)


def _check_fields(draft: Draft, card: Card, where: str) -> None:
    """Check that a card fills in the fields that its effect needs."""
    for name in card.unknown:
        if name not in Card.__struct_fields__:
            text = unknown_key(name, Card.__struct_fields__)
            draft.fault(f"{where}.unknown", text)
    has_effect, is_listed_unknown = card.effect is not None, "effect" in card.unknown
    if has_effect == is_listed_unknown:
        text = "expected an effect, or its name in unknown, not both"
        draft.fault(f"{where}.effect", text)
    if card.effect == "repairs" and all(
        getattr(card, price) is None for price in PRICES
    ):
        text = f"expected one of {', '.join(PRICES)}, got none of them"
        draft.fault(where, text)
    for name in FIELDS.get(card.effect or "", ()):
        if name not in card.unknown and getattr(card, name) in (None, "", ()):
            text = f"expected a value for {card.effect}, got nothing"
            draft.fault(f"{where}.{name}", text)
    if card.fakes > card.copies:
        text = f"expected at most {card.copies}, got {card.fakes}"
        draft.fault(f"{where}.fakes", text)


def _check_target(draft: Draft, card: Card, where: str) -> None:
    """Check that the payee, space or kind that a card names exists."""
    if card.effect == "pay" and card.to not in ("", *PAYEES):
        draft.fault(f"{where}.to", f"expected bank or vault, got {card.to!r}")
    spaces = entries(draft, "space", Space)
    if len(spaces) != len(declared_names(draft, "space")):
        return  # A space that could not be read is reported already.
    if card.effect == "advance" and card.to:
        try:
            find_space(spaces, card.to)
        except Malformed as error:
            draft.fault(f"{where}.to", str(error))
    if card.kind is not None and all(space.kind != card.kind for space in spaces):
        text = f"expected a kind that the board has, got {card.kind!r}"
        draft.fault(f"{where}.kind", text)


def _check_size(draft: Draft, deck: CardDeck) -> None:
    """Check that a deck lists all its cards, or says that some are unknown.

    In an incomplete deck, cards with an unknown effect do not count; examples never do.
    """
    where = f"deck[{deck.id}]"
    cards = [card for card in entries(draft, "card", Card) if card.deck == deck.id]
    count = sum(
        card.copies
        for card in cards
        if (deck.is_complete or card.effect is not None) and not card.is_example
    )
    if count > deck.size or (deck.is_complete and count < deck.size):
        draft.fault(f"{where}.size", f"expected {count} as listed, got {deck.size}")
    draws_open_cards, has_open_cards = deck.draw == "face-up", deck.face_up > 0
    if draws_open_cards != has_open_cards:
        text = f"expected open cards with draw = face-up only, got {deck.face_up}"
        draft.fault(f"{where}.face_up", text)
