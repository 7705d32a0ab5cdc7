"""Lists every figure of an edition, for the command line and the panel alike.

A *figure* is a fact that the rules use, mostly an amount: a salary, a rent, the size of
a deck, the effect of a card. Its *origin* says how well it is known (its *confidence*)
and from which sources.

Its *label* is what a page calls it: "Mortgage value" for the field ``mortgage`` of a
deed. It stands on the type of the field, as does the mark of an amount in dollars
(``companion/game/sections.py``). A field without a label is called by its name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, get_args

import msgspec

from companion.edition.model import ITEMS, SECTIONS, Edition, Parts, has_figure
from companion.edition.origin import CONFIDENCES, Provenance
from companion.edition.shape import DEED_FIGURES, Card, Space
from companion.game.spaces import PAYING
from companion.words.report import fields_of

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
"""The fields of cards that are figures."""


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """One figure of an edition.

    Attributes:
        key: As edition files name it: ``money.salary``, ``deed.boardwalk.price``.
        part: The section of the file, or ``space``, ``deed``, ``deck``, ``card``.
        of: The id of the deed, deck or card, or the number of the space; empty for a
            section.
        name: The field; for one amount of a list, with its number: ``rent_houses.4``.
        value: ``None`` if nobody knows it.
        origin: How well the value is known, and from where.
    """

    key: str
    part: str
    of: str
    name: str
    value: object
    origin: Provenance


def figures(edition: Edition) -> tuple[Figure, ...]:
    """Return all figures of an edition."""
    return (
        *_section_figures(edition),
        *_space_figures(edition),
        *_deed_figures(edition),
        *_card_figures(edition),
    )


def count_by_confidence(edition: Edition) -> Mapping[str, int]:
    """Count the figures of each confidence, the best first."""
    counts = Counter(str(figure.origin.confidence) for figure in figures(edition))
    return {name: counts[name] for name in CONFIDENCES if name in counts}


def _build_figure(
    edition: Edition, part: str, entry_id: str, name: str, value: object
) -> Figure:
    """Build a figure with its origin; *value* counts only if it is known."""
    key = ".".join(word for word in (part, entry_id, name) if word)
    origin = edition.provenance(key)
    is_known = origin.confidence != "unknown"
    return Figure(
        key=key,
        part=part,
        of=entry_id,
        name=name,
        value=value if is_known else None,
        origin=origin,
    )


def _section_figures(edition: Edition) -> Iterator[Figure]:
    for part, shape in SECTIONS.items():
        section = getattr(edition, part)
        if section is None:
            continue
        for name in shape.__struct_fields__:
            if f"{part}.{name}" in edition.origins:
                yield _build_figure(edition, part, "", name, getattr(section, name))


def _space_figures(edition: Edition) -> Iterator[Figure]:
    for space in edition.spaces:
        for name in _space_fields(space):
            value = getattr(space, name)
            yield _build_figure(edition, "space", str(space.number), name, value)


def _space_fields(space: Space) -> Iterator[str]:
    yield "kind"
    if space.amount is not None or space.kind in PAYING:
        yield "amount"
        yield "pays_to"
    if space.effect:
        yield "effect"


def _deed_figures(edition: Edition) -> Iterator[Figure]:
    """Yield the figures of deeds; a list of amounts gives a figure for each."""
    for deed in edition.deeds:
        for name in ("name_uk", "locked"):
            if f"deed.{deed.id}.{name}" in edition.origins:
                yield _build_figure(edition, "deed", deed.id, name, getattr(deed, name))
        for name in DEED_FIGURES:
            if not has_figure(deed, name):
                continue
            value = getattr(deed, name)
            amounts = value if isinstance(value, tuple) else ()
            for number, amount in enumerate(amounts, 1):
                yield _build_figure(
                    edition, "deed", deed.id, f"{name}.{number}", amount
                )
            if not amounts:
                yield _build_figure(edition, "deed", deed.id, name, value)


def _card_figures(edition: Edition) -> Iterator[Figure]:
    """Yield the figures of decks and their cards."""
    for deck in edition.decks:
        yield _build_figure(edition, "deck", deck.id, "size", deck.size)
        for card in edition.cards_of(deck.id):
            for name in ("effect", *_card_fields(card)):
                yield _build_figure(edition, "card", card.id, name, getattr(card, name))


_USUAL_COUNTS: Final = {"copies": 1, "fakes": 0}
"""The counts that most cards have; only other counts of known cards are listed."""


def _card_fields(card: Card) -> Iterator[str]:
    """Yield the fields that a card fills in or lists as unknown."""
    for name in CARD_FIGURES:
        if name in card.unknown or getattr(card, name) not in (None, "", ()):
            yield name
    for name, usual in _USUAL_COUNTS.items():
        if card.effect is not None and getattr(card, name) != usual:
            yield name


def section_name(part: str) -> str:
    """Return the label of a section of the file."""
    return _label(Parts, part)


def label_of(part: str, name: str) -> str:
    """Return the label of a field, or of one amount of it (``rent_houses.4``).

    *part* is the field's part of the file, such as ``money`` or ``deed``.
    """
    return _label({**ITEMS, **SECTIONS}[part], name)


def is_dollars(part: str, name: str) -> bool:
    """Return whether a figure is an amount in whole dollars."""
    shape = {**ITEMS, **SECTIONS}[part]
    return "unit" in _marks(shape, name.partition(".")[0])


def _label(shape: type[msgspec.Struct], name: str) -> str:
    """Return the label of a field of *shape*, or else its name."""
    field, _, number = name.partition(".")
    label = _marks(shape, field).get("called")
    if isinstance(label, str):
        return label
    if callable(label) and number:  # It makes a label for each amount of a list.
        numbered: str = label(int(number))
        return numbered
    return field.replace("_", " ")


@cache
def _marks(shape: type[msgspec.Struct], field: str) -> Mapping[str, object]:
    """Return the marks on the type of a field, by name: ``called``, ``unit``."""
    return {
        key: value
        for meta in _metas(fields_of(shape)[field].type)
        for key, value in (meta.extra or {}).items()
    }


def _metas(hint: object) -> Iterator[msgspec.Meta]:
    """Yield every ``Meta`` inside a type hint, however deep."""
    for part in (*get_args(hint), *getattr(hint, "__metadata__", ())):
        if isinstance(part, msgspec.Meta):
            yield part
        else:
            yield from _metas(part)
