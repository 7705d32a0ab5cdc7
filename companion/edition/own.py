"""Readings of an owner's box: laid over an edition, and saved as an edition file.

Some figures of an edition are unknown. The owner of the box can read such a figure off
a card or the board, and type it in. This is a *reading*: a value with its *key*, such
as ``deed.boardwalk.price`` (``companion/game/box_key.py``).

Readings become entries of a file that inherits the rest from the edition
(``companion/edition/merge.py``). So the file can be shared, and read wherever that
edition is known. A card that the edition lacks is read as a code, such as
``keep:collect:50`` (``companion/game/card_code.py``): what it does. The code is its id
in the edition, in every game, and in the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from companion.edition.deed_check import printed_amounts
from companion.edition.library import UK, british, builtin_text, load
from companion.edition.merge import (
    Entries,
    Table,
    inherit,
    name_of,
    naming_of,
    overlay,
    parse_toml,
)
from companion.edition.model import ITEMS, Edition
from companion.edition.read import LISTS
from companion.edition.shape import DEED_FIGURES, LISTED_FIGURES, Card, Deed
from companion.errors import Malformed, quoted
from companion.game.box_key import BoxKey, BoxValue, key_of, split_key
from companion.game.card_code import (
    CHOICE,
    NEEDS_DECODER,
    NEEDS_VAULT,
    PLAIN_EFFECTS,
    CardCode,
    parse_code,
)
from companion.game.figure_bounds import clash_words, find_clash
from companion.game.rulebook import AMOUNTS
from companion.game.spaces import PAYING, READABLE
from companion.units import Dollars
from companion.words import say
from companion.words.money import AMOUNT_MAX, amount_from
from companion.words.report import unexpected

Readings = Mapping[str, BoxValue]
"""Values read off a box, by key (``companion/game/box_key.py``)."""

OWN_BOX: Final = "own-box"
"""The id of the source of all readings."""

BUILT_IN_FILE: Final = "built-in"
"""The id of the source of all inherited figures."""

_SOURCE: Final[Table] = {
    "id": OWN_BOX,
    "what": "read off the cards of our own box, and typed in",
}
"""The entry of the source ``OWN_BOX``."""

_ORIGIN: Final[Table] = {"confidence": "single", "sources": [OWN_BOX]}
"""The origin of every reading."""

_BEGINNING = f"""\
# All of this is as in {{base}}. Write down what differs, such as another fine:
#
# [jail]
# fine = {{{{ value = 100, confidence = "single", sources = ["{OWN_BOX}"] }}}}
#
# companion edition check finds mistakes; companion/editions/README.md explains more."""
"""The comment at the top of a file that has no readings yet."""

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
"""A key that TOML allows without quotes."""


# Which readings an edition lacks.


def unknown_keys(edition: Edition) -> tuple[str, ...]:
    """List the keys of values that *edition* lacks, in the order of the file.

    Cards that the file does not list are left out: their keys are unknown, too.
    """
    keys: list[str] = []
    for deed in edition.deeds:
        for name in DEED_FIGURES:
            if name in deed.unknown and name not in LISTED_FIGURES:
                keys.append(key_of("deed", deed.id, name))
    for card in edition.cards:
        if "amount" in card.unknown:
            keys.append(key_of("card", card.id, "amount"))
    for space in edition.spaces:
        if space.kind_candidate:
            keys.append(key_of("space", str(space.number), "kind"))
        elif space.kind in PAYING and space.amount is None:
            keys.append(key_of("space", str(space.number), "amount"))
    return tuple(keys)


def check_reading(
    edition: Edition, key: str, value: BoxValue, others: Readings
) -> None:
    """Refuse a reading that *edition* does not lack, or that its box cannot show.

    A figure of a deed must fit its known ones, and those among the *others* read.

    Raises:
        Malformed: If it is refused.
    """
    box_key = split_key(key)
    if box_key.is_card:
        is_known = not (
            has_unknown_cards(edition, str(value))
            and may_have_card(edition, box_key.of)
        )
    else:
        is_known = key not in unknown_keys(edition)
    if is_known:
        expected = say("a figure that nobody knew")
        if box_key.is_card:
            expected = say("a card that nobody knew")
        elif box_key.is_space:
            expected = say("a space that nobody knew")
        raise unexpected(expected, quoted(f"{box_key.of} {box_key.field}"))
    if box_key.is_space and value not in READABLE:
        known = ", ".join(READABLE)
        raise unexpected(say("one of {known}", known=known), quoted(str(value)))
    if box_key.is_amount and not (type(value) is int and 1 <= value <= AMOUNT_MAX):
        raise unexpected(amount_from(1), str(value), say("type it again"))
    if box_key.is_deed and isinstance(value, int):
        _check_bounds(edition.deed(box_key.of), box_key, value, others)


def _check_bounds(deed: Deed, key: BoxKey, value: Dollars, others: Readings) -> None:
    """Refuse a figure that is outside the bounds set by others of the same deed."""
    known = printed_amounts(deed)
    for other_key, amount in others.items():
        other = split_key(other_key)
        if (other.part, other.of) == (key.part, key.of) and isinstance(amount, int):
            known[other.field] = amount
    clash = find_clash(known, key.field, value)
    if clash is not None:
        raise Malformed(
            clash_words(clash, deed.name, value),
            say("read the card again; you can type in the other one again, too"),
        )


def accepts_reading(
    edition: Edition, key: str, value: BoxValue, others: Readings | None = None
) -> bool:
    """Return whether ``check_reading`` accepts this reading."""
    try:
        check_reading(edition, key, value, others or {})
    except Malformed:
        return False
    return True


def value_at(edition: Edition, key: str) -> BoxValue | None:
    """Return the value that *edition* has at *key*; ``None`` if unknown."""
    box_key = split_key(key)
    if box_key.is_space:
        number = int(box_key.of)
        if number >= len(edition.spaces) or f"space.{number}" in edition.inherited:
            return None
        kind = edition.spaces[number].kind
        return kind if kind in READABLE else None
    entries: Mapping[str, Mapping[str, object]] = {
        "card": {card.id: card for card in edition.cards},
        "deed": {deed.id: deed for deed in edition.deeds},
        "space": {str(space.number): space for space in edition.spaces},
    }
    value = getattr(entries[box_key.part].get(box_key.of), box_key.field, None)
    return value if isinstance(value, int) else None


# Readings laid over an edition.


def with_readings(
    edition: Edition, readings: Readings, file_text: str | None = None
) -> Edition:
    """Complete *edition* with readings of its box; ignore those that do not fit.

    *file_text* is the text of the edition's file; ``None`` for a built-in edition.
    """
    fitting = _select_fitting(edition, readings)
    if not fitting:
        return edition
    text = _find_file_text(edition, file_text)
    completed = load(text, edition.id, _build_entries(_parse_completed(text), fitting))
    return british(completed) if edition.id.endswith(UK) else completed


def _select_fitting(edition: Edition, readings: Readings) -> Readings:
    """Return the readings that the edition accepts one after another.

    Amounts come before whole cards, since a card whose amount was read takes a place in
    its deck.
    """
    kept: dict[str, BoxValue] = {}
    for key in sorted(readings, key=lambda key: split_key(key).is_card):
        box_key, value = split_key(key), readings[key]
        if accepts_reading(edition, key, value, kept):
            kept[key] = value
            if box_key.part == "card":
                cards = _add_reading(edition.cards, box_key, value)
                edition = replace(edition, cards=cards)
    return kept


def _add_reading(
    cards: tuple[Card, ...], key: BoxKey, value: BoxValue
) -> tuple[Card, ...]:
    """Add the card that was read, or put the amount into its card."""
    if key.is_card:
        return (*cards, msgspec.convert(card_entry(str(value), key.of), Card))
    return tuple(
        replace(card, amount=value) if card.id == key.of else card for card in cards
    )


def _find_file_text(edition: Edition, file_text: str | None) -> str:
    text = file_text or builtin_text(edition.id.removesuffix(UK))
    if text is None:
        raise unexpected(say("a built-in edition"), repr(edition.id))
    return text


def _parse_completed(text: str) -> Table:
    """Parse a checked file, and complete it by what it inherits."""
    return inherit(parse_toml(text), builtin_text, lambda _key, _text: None)[0]


def _build_entries(completed: Table, readings: Readings) -> dict[str, Entries]:
    """Return the entries that *readings* change or add, and their source."""
    by_name: dict[tuple[str, str], Table] = {}
    for key, value in readings.items():
        box_key = split_key(key)
        name = (box_key.part, box_key.of)
        entry = by_name.get(name) or _find_entry(completed, *name)
        by_name[name] = _apply_reading(completed, entry, box_key, value)
    entries: dict[str, Entries] = {"source": [_SOURCE]}
    for (part, _), entry in by_name.items():
        entries.setdefault(part, []).append(entry)
    return entries


def _find_entry(completed: Table, part: str, name: str) -> Table:
    """Return an entry by its name; empty if there is none."""
    naming = naming_of(part)
    for entry in _list_entries(completed, part):
        if name_of(entry, naming) == name:
            return entry
    return {}


def _list_entries(raw: Table, part: str) -> Entries:
    entries = raw.get(part, [])
    assert isinstance(entries, list), f"the file was checked: {part}"
    return entries


def _apply_reading(
    completed: Table, entry: Table, key: BoxKey, value: BoxValue
) -> Table:
    """Return the entry with the reading in it; for a whole card, a new entry."""
    if key.is_card:
        deck = _find_entry(completed, "deck", str(value))
        has_fake = deck.get("all_real") is False
        return {**card_entry(str(value), key.of, has_fake=has_fake), **_ORIGIN}
    if key.is_space:
        # The old note explained why the space was unknown.
        kept = {name: content for name, content in entry.items() if name != "note"}
        return {**kept, **_describe_space(completed, str(value)), **_ORIGIN}
    unknown = entry.get("unknown")
    fields = unknown if isinstance(unknown, list) else []
    still_unknown = [field for field in fields if field != key.field]
    changed = {name: content for name, content in entry.items() if name != "unknown"}
    changed[key.field] = {"value": value, **_ORIGIN}
    if still_unknown:
        changed["unknown"] = still_unknown
    return changed


def _describe_space(completed: Table, kind: str) -> Table:
    """Return a space's name and kind, and the effect of that kind on other spaces."""
    fields = {"name": kind.replace("-", " ").capitalize(), "kind": kind}
    for space in _list_entries(completed, "space"):
        if space["kind"] == kind:
            effect = space.get("effect")
            return {**fields, "effect": effect} if effect else fields
    return fields


# Readings saved as a file.


def own_text(
    edition: Edition,
    readings: Readings,
    own_id: str,
    name: str,
    file_text: str | None = None,
) -> str:
    """Write the file of an own edition: *edition* with readings of its box.

    Without readings, the file begins with a comment that explains how to go on.

    Args:
        edition: The edition without readings.
        readings: The readings.
        own_id: The new edition's id; not that of a built-in one.
        name: Its name, for people.
        file_text: The text of the edition's file, all of which the new file keeps;
            ``None`` for a built-in edition.
    """
    completed = _parse_completed(_find_file_text(edition, file_text))
    if file_text is not None:
        own = parse_toml(file_text)
    else:
        own = _inherit_all_of(edition.id.removesuffix(UK))
    own = overlay(own, _build_entries(completed, _select_fitting(edition, readings)))
    blocks = list(_write_blocks(own, own_id, name))
    if not readings:
        blocks.insert(0, _BEGINNING.format(base=edition.id.removesuffix(UK)))
    return "\n\n".join(blocks) + "\n"


def _inherit_all_of(base: str) -> Table:
    return {
        # Inherited figures are as well known as in the base edition.
        "inherits": {
            "edition": base,
            "confidence": "confirmed",
            "sources": [BUILT_IN_FILE],
        },
        "source": [
            {
                "id": BUILT_IN_FILE,
                "what": f"the built-in edition {base}, with its own sources",
            }
        ],
    }


def _write_blocks(own: Table, own_id: str, name: str) -> Iterator[str]:
    """Yield the blocks of a file with the content of *own*: one for each table."""
    yield "format = 1"
    for key in LISTS:  # No tables, so they come before all tables.
        if key in own:
            yield f"{key} = {_write_value(own[key])}"
    edition = own.get("edition")
    about = edition if isinstance(edition, dict) else {}
    about = {**about, "id": own_id, "name": name}
    for key, value in {**own, "edition": about}.items():
        if isinstance(value, dict):
            yield _write_table(key, value)
    for key in ITEMS:
        for entry in _list_entries(own, key):
            yield _write_table(key, entry, is_entry=True)


def _write_table(key: str, values: Table, *, is_entry: bool = False) -> str:
    head = f"[[{key}]]" if is_entry else f"[{key}]"
    lines = (f"{name} = {_write_value(value)}" for name, value in values.items())
    return "\n".join((head, *lines))


def _write_value(value: object) -> str:
    """Write a value as TOML; a JSON string is a valid basic string in TOML."""
    if isinstance(value, list):
        return f"[{', '.join(map(_write_value, value))}]"
    if isinstance(value, dict):
        pairs = (
            f"{_write_key(name)} = {_write_value(inner)}"
            for name, inner in value.items()
        )
        return f"{{ {', '.join(pairs)} }}"
    return json.dumps(value)


def _write_key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else json.dumps(key)


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
