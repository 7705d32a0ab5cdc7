"""Every figure of an edition in one list: how well it is known, and from where.

The command line and the panel show this list, and count it, so they cannot differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from companion.edition.model import Edition, has_figure
from companion.edition.origin import CONFIDENCES, Provenance
from companion.edition.parts import SECTIONS
from companion.edition.shape import DEED_FIGURES, Card, Space

CARD_FIGURES: Final = (
    "to",
    "kind",
    "times",
    "amount",
    "source",
    "spaces",
    "per_house",
    "per_hotel",
    "per_skyscraper",
    "per_depot",
    "options",
    "full_group_needed",
)
"""The fields that effects of cards need, in the order in which they are listed."""


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """One figure of an edition.

    Attributes:
        key: As edition files name it: ``money.salary``, ``deed.boardwalk.price``.
        part: The section of the file, or ``space``, ``deed``, ``deck``, ``card``.
        of: The deed, deck or card by its id, the space by its number; empty for the
            figure of a section.
        name: The field; one of several amounts in a row ends in its number:
            ``rent_houses.4``.
        value: As the file has it; ``None`` where nobody knows it.
        origin: How well it is known, and from where.
    """

    key: str
    part: str
    of: str
    name: str
    value: object
    origin: Provenance


def figures(edition: Edition) -> tuple[Figure, ...]:
    """Every figure: the sections of the file, spaces, deeds, decks and cards."""
    return (
        *_of_sections(edition),
        *_of_spaces(edition),
        *_of_deeds(edition),
        *_of_cards(edition),
    )


def knowledge(edition: Edition) -> Mapping[str, int]:
    """How many figures have each confidence: confidence to count, best first."""
    counts = Counter(one.origin.confidence for one in figures(edition))
    known: dict[str, int] = {str(word): count for word, count in counts.items()}
    return {word: known[word] for word in CONFIDENCES if word in known}


def _figure(edition: Edition, part: str, of: str, name: str, value: object) -> Figure:
    key = ".".join(word for word in (part, of, name) if word)
    origin = edition.provenance(key)
    is_known = origin.confidence != "unknown"
    return Figure(
        key=key,
        part=part,
        of=of,
        name=name,
        value=value if is_known else None,
        origin=origin,
    )


def _of_sections(edition: Edition) -> Iterator[Figure]:
    for part, shape in SECTIONS.items():
        section = getattr(edition, part)
        if section is None:
            continue
        for name in shape.__struct_fields__:
            if f"{part}.{name}" in edition.origins:
                yield _figure(edition, part, "", name, getattr(section, name))


def _of_spaces(edition: Edition) -> Iterator[Figure]:
    for space in edition.spaces:
        for name in _said_of(space):
            value = getattr(space, name)
            yield _figure(edition, "space", str(space.number), name, value)


def _said_of(space: Space) -> Iterator[str]:
    yield "kind"
    if space.amount is not None:
        yield "amount"
        yield "pays_to"
    if space.effect:
        yield "effect"


def _of_deeds(edition: Edition) -> Iterator[Figure]:
    for deed in edition.deeds:
        for name in ("name_uk", "locked"):
            if f"deed.{deed.id}.{name}" in edition.origins:
                yield _figure(edition, "deed", deed.id, name, getattr(deed, name))
        for name in DEED_FIGURES:
            if not has_figure(deed, name):
                continue
            value = getattr(deed, name)
            steps = value if isinstance(value, tuple) else ()
            for number, step in enumerate(steps, 1):
                yield _figure(edition, "deed", deed.id, f"{name}.{number}", step)
            if not steps:
                yield _figure(edition, "deed", deed.id, name, value)


def _of_cards(edition: Edition) -> Iterator[Figure]:
    for deck in edition.decks:
        yield _figure(edition, "deck", deck.id, "size", deck.size)
        for card in edition.cards_of(deck.id):
            for name in ("effect", *_needed_by(card)):
                yield _figure(edition, "card", card.id, name, getattr(card, name))


_USUAL: Final = {"copies": 1, "fakes": 0}
"""Usual counts, which are not listed; neither is any count of an unknown card."""


def _needed_by(card: Card) -> Iterator[str]:
    for name in CARD_FIGURES:
        if name in card.unknown or getattr(card, name) not in (None, "", ()):
            yield name
    for name, usual in _USUAL.items():
        if card.effect is not None and getattr(card, name) != usual:
            yield name
