"""An edition as a value: its parts, and look-ups by name.

An *edition* is one variant of the board game: its board, title deeds, card decks and
the figures of its rules. A table may switch some rules, the edition's *options*.

Unknown figures are ``None``, never 0; ``provenance`` says how well each is known. An
edition is only built from a checked file, so its parts agree with one another.
"""

from __future__ import annotations

from typing import TypeVar

from companion.edition.origin import CONFIDENCES, Provenance
from companion.edition.parts import Parts
from companion.edition.shape import (
    DEED_FIGURES,
    RENT_STEPS,
    Card,
    CardDeck,
    Deed,
    Figure,
    Group,
    Option,
    Space,
    find_space,
)
from companion.units import Dollars
from companion.words import say
from companion.words.report import undeclared

N = TypeVar("N", Group, Deed, CardDeck, Card)
"""The kinds of entries that have an id."""


class Named(Parts, frozen=True, kw_only=True):
    """An edition's parts with look-ups by name; ``Malformed`` for an unknown name."""

    def space(self, word: str) -> Space:
        """Find a space of this board as ``find_space`` does."""
        return find_space(self.spaces, word)

    def deed(self, deed_id: str) -> Deed:
        """Return the deed of that id."""
        return _find_by_id(self.deeds, deed_id, "a deed")

    def group(self, group_id: str) -> Group:
        """Return the group of that id."""
        return _find_by_id(self.groups, group_id, "a group")

    def deck(self, deck_id: str) -> CardDeck:
        """Return the deck of that id."""
        return _find_by_id(self.decks, deck_id, "a deck")

    def card(self, card_id: str) -> Card:
        """Return the card of that id."""
        return _find_by_id(self.cards, card_id, say("a card of this edition"))

    def option(self, key: str) -> Option:
        """Return the option of that key."""
        for option in self.options:
            if option.key == key:
                return option
        known = [option.key for option in self.options]
        raise undeclared(say("an option of {edition}", edition=self.id), key, known)


class Edition(Named, frozen=True, kw_only=True):
    """One edition of the game, equal to another with equal parts."""

    def __hash__(self) -> int:
        """Hash by id, so that results about an edition can be cached."""
        return hash(self.about.id)

    def members(self, group_id: str) -> tuple[Deed, ...]:
        """Return the deeds of a group, in board order."""
        self.group(group_id)
        return tuple(deed for deed in self.deeds if deed.group == group_id)

    def cards_of(self, deck_id: str) -> tuple[Card, ...]:
        """Return the known cards of a deck, in the order of the file."""
        self.deck(deck_id)
        return tuple(card for card in self.cards if card.deck == deck_id)

    def figure(self, deed_id: str, name: str) -> Figure | None:
        """Return one figure of a deed; ``None`` if it is printed but nobody knows it.

        Raises:
            Malformed: If there is no such deed, or its card has no such figure.
        """
        deed = self.deed(deed_id)
        value: Figure | None = getattr(deed, name) if name in DEED_FIGURES else None
        if value is None and name not in deed.unknown:
            known = [figure for figure in DEED_FIGURES if has_figure(deed, figure)]
            expected = say(
                "one of the figures of {deed} ({known})",
                deed=deed_id,
                known=", ".join(known),
            )
            raise undeclared(expected, name, known)
        return value

    def rents(self, deed_id: str) -> tuple[Dollars | None, ...]:
        """List the rents of a street: bare, then with each building."""
        deed, house_count = self.deed(deed_id), self.buildings.ladder.count("house")
        amounts: list[Dollars | None] = []
        for name in RENT_STEPS:
            if has_figure(deed, name):
                value = self.figure(deed_id, name)
                count = house_count if name == "rent_houses" else 1
                amounts += value if isinstance(value, tuple) else [value] * count
        return tuple(amounts)

    def provenance(self, key: str) -> Provenance:
        """Return the origin of a figure: ``money.salary``, ``deed.boardwalk.price``.

        One amount of a list has a number: ``rent_houses.4``. A figure without an origin
        of its own has that of its list, or else of its entry. An inherited figure is at
        most as well known as the inheritance itself.

        Raises:
            Malformed: If the file says nothing under that key.
        """
        entry = ".".join(key.split(".")[:2])
        for source_key in (key, key.rpartition(".")[0], entry):
            if source_key in self.origins:
                origin = self.origins[source_key]
                break
        else:
            raise undeclared(say("the key of a figure"), key, self.origins)
        if self.inherits is None or entry not in self.inherited:
            return origin
        if origin.confidence == "unknown":
            return origin  # Unknown in the base edition is unknown here.
        weaker = max(origin.confidence, self.inherits.confidence, key=CONFIDENCES.index)
        sources = dict.fromkeys((*origin.sources, *self.inherits.sources))
        return Provenance(confidence=weaker, sources=tuple(sources), note=origin.note)


def has_figure(deed: Deed, name: str) -> bool:
    """Return whether the deed's card prints that figure, known or not."""
    return name in deed.unknown or getattr(deed, name) is not None


def _find_by_id(entries: tuple[N, ...], entry_id: str, kind: str) -> N:
    """Return the entry of that id; ``Malformed``, expecting *kind*, without one."""
    for entry in entries:
        if entry.id == entry_id:
            return entry
    known = [entry.id for entry in entries]
    raise undeclared(kind, entry_id, known)
