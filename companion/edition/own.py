"""What the owner of a box read off it: laid over an edition, and saved as a file.

Readings become entries of a file, and those are merged like the entries of an edition
that stands on another (``companion/edition/merge.py``). So the file holds only what was
read and inherits the rest; it can be shared, put beside other own editions, and read
again wherever the base edition is known.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from companion.edition.british import UK, british
from companion.edition.library import builtin_text, load
from companion.edition.merge import (
    Entries,
    Table,
    inherit,
    name_of,
    naming_of,
    overlaid,
    parsed,
)
from companion.edition.model import Edition
from companion.edition.own_cards import can_have, card_entry, is_open
from companion.edition.parts import ITEMS
from companion.edition.shape import DEED_FIGURES, LISTED_FIGURES, Card
from companion.errors import Malformed, quoted
from companion.game.box_key import BoxKey, BoxValue, key_of, taken_apart
from companion.game.spaces import READABLE
from companion.words import say
from companion.words.money import AMOUNT_MAX, amount_from
from companion.words.report import unexpected

Readings = Mapping[str, BoxValue]
"""What a box says, by key (``companion/game/box_key.py``)."""

OWN_BOX: Final = "own-box"
"""Id of the source of what was read off a box."""

BUILT_IN_FILE: Final = "built-in"
"""Id of the source of figures that were taken over."""

_SOURCE: Final[Table] = {
    "id": OWN_BOX,
    "what": "read off the cards of our own box, and typed in",
}
_ORIGIN: Final[Table] = {"confidence": "single", "sources": [OWN_BOX]}
_BEGINNING = f"""\
# All of this is as in {{base}}. Write down what differs, such as another fine:
#
# [jail]
# fine = {{{{ value = 100, confidence = "single", sources = ["{OWN_BOX}"] }}}}
#
# companion edition check finds mistakes; companion/editions/README.md explains more."""
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


# What a box can say.


def askable(edition: Edition) -> tuple[str, ...]:
    """The keys that *edition* lacks and its box can tell, in the order of the data.

    Cards that nobody listed are not among them: their keys are not known either.
    """
    return (
        *(
            key_of("deed", deed.id, name)
            for deed in edition.deeds
            for name in DEED_FIGURES
            if name in deed.unknown and name not in LISTED_FIGURES
        ),
        *(
            key_of("card", card.id, "amount")
            for card in edition.cards
            if "amount" in card.unknown
        ),
        *(
            key_of("space", str(space.number), "kind")
            for space in edition.spaces
            if space.kind_candidate
        ),
    )


def check_reading(edition: Edition, key: str, value: BoxValue) -> None:
    """Check that *edition* lacks this, and that its box can say so.

    Raises:
        Malformed: If it does not, or cannot.
    """
    one = taken_apart(key)
    if one.is_card:
        is_known = not (is_open(edition, str(value)) and can_have(edition, one.of))
    else:
        is_known = key not in askable(edition)
    if is_known:
        wanted = say("a figure that nobody knew")
        if one.is_card:
            wanted = say("a card that nobody knew")
        elif one.is_space:
            wanted = say("a space that nobody knew")
        raise unexpected(wanted, quoted(f"{one.of} {one.field}"))
    if one.is_space and value not in READABLE:
        known = ", ".join(READABLE)
        raise unexpected(say("one of {known}", known=known), quoted(str(value)))
    if one.is_amount and not (type(value) is int and 1 <= value <= AMOUNT_MAX):
        raise unexpected(amount_from(1), str(value), say("type it again"))


def can_say(edition: Edition, key: str, value: BoxValue) -> bool:
    """Whether *edition* lacks this, and its box can say so."""
    try:
        check_reading(edition, key, value)
    except Malformed:
        return False
    return True


def value_at(edition: Edition, key: str) -> BoxValue | None:
    """What *edition* itself says at *key*; ``None`` if it does not know."""
    one = taken_apart(key)
    if one.is_space:
        number = int(one.of)
        is_there = number < len(edition.spaces)
        is_own = is_there and f"space.{number}" not in edition.inherited
        kind = edition.spaces[number].kind if is_own else ""
        return kind if kind in READABLE else None
    entries = edition.cards if one.part == "card" else edition.deeds
    found: object = next(
        (getattr(entry, one.field) for entry in entries if entry.id == one.of), None
    )
    return found if isinstance(found, int) else None


# Laid over an edition.


def with_readings(
    edition: Edition, readings: Readings, file_text: str | None = None
) -> Edition:
    """*edition* with all that was read off the box; what does not fit is ignored.

    Args:
        edition: The edition without it.
        readings: What was read.
        file_text: The file of *edition*, if that is the owner's own; ``None`` for a
            built-in edition.
    """
    fitting = _fitting(edition, readings)
    if not fitting:
        return edition
    text = _text(edition, file_text)
    made = load(text, edition.id, _entries_of(_whole(text), fitting))
    return british(made) if edition.id.endswith(UK) else made


def _fitting(edition: Edition, readings: Readings) -> Readings:
    """Those of *readings* that the edition can have; no deck gets more than its size.

    Amounts come first: a card whose amount was read is one more that is known.
    """
    kept: dict[str, BoxValue] = {}
    for key in sorted(readings, key=lambda one: taken_apart(one).is_card):
        one, value = taken_apart(key), readings[key]
        if can_say(edition, key, value):
            kept[key] = value
            if one.part == "card":
                cards = _with_card(edition.cards, one, value)
                edition = replace(edition, cards=cards)
    return kept


def _with_card(
    cards: tuple[Card, ...], one: BoxKey, value: BoxValue
) -> tuple[Card, ...]:
    if one.is_card:
        return (*cards, msgspec.convert(card_entry(str(value), one.of), Card))
    return tuple(
        replace(card, amount=value) if card.id == one.of else card for card in cards
    )


def _text(edition: Edition, file_text: str | None) -> str:
    text = file_text or builtin_text(edition.id.removesuffix(UK))
    if text is None:
        raise unexpected(say("a built-in edition"), repr(edition.id))
    return text


def _whole(text: str) -> Table:
    """A file that was checked, with all that it inherits."""
    return inherit(parsed(text), builtin_text, lambda _key, _text: None)[0]


def _entries_of(whole: Table, readings: Readings) -> dict[str, Entries]:
    """The entries of a file that *readings* change or add, and their source."""
    found: dict[tuple[str, str], Table] = {}
    for key, value in readings.items():
        one = taken_apart(key)
        name = (one.part, one.of)
        entry = found.get(name) or _entry(whole, *name)
        found[name] = _changed(whole, entry, one, value)
    entries: dict[str, Entries] = {"source": [_SOURCE]}
    for (part, _), entry in found.items():
        entries.setdefault(part, []).append(entry)
    return entries


def _entry(whole: Table, part: str, of: str) -> Table:
    """The entry of that name; empty if there is none."""
    naming = naming_of(part)
    named = (one for one in _list(whole, part) if name_of(one, naming) == of)
    return next(named, {})


def _list(raw: Table, part: str) -> Entries:
    found = raw.get(part, [])
    assert isinstance(found, list), f"the file was checked: {part}"
    return found


def _changed(whole: Table, entry: Table, one: BoxKey, value: BoxValue) -> Table:
    if one.is_card:
        deck = _entry(whole, "deck", str(value))
        has_fake = deck.get("all_real") is False
        return {**card_entry(str(value), one.of, has_fake=has_fake), **_ORIGIN}
    if one.is_space:
        known = {k: v for k, v in entry.items() if k != "note"}  # Why it was unknown.
        return {**known, **_printed(whole, str(value)), **_ORIGIN}
    unknown = entry.get("unknown")
    left = [x for x in unknown if x != one.field] if isinstance(unknown, list) else []
    kept = {name: said for name, said in entry.items() if name != "unknown"}
    more = {"unknown": left} if left else {}
    return {**kept, one.field: {"value": value, **_ORIGIN}, **more}


def _printed(whole: Table, kind: str) -> Table:
    """Name, kind and effect of a space of that kind, as other such spaces have them."""
    alike = (one for one in _list(whole, "space") if one["kind"] == kind)
    effect = next(alike, {}).get("effect")
    name = {"name": kind.replace("-", " ").capitalize(), "kind": kind}
    return {**name, "effect": effect} if effect else name


# Saved as a file.


def own_text(
    edition: Edition,
    readings: Readings,
    own_id: str,
    name: str,
    file_text: str | None = None,
) -> str:
    """Return the file of an own edition: *edition* with what was read off the box.

    If nothing was read, the file is a beginning that says how to go on.

    Args:
        edition: The edition without it.
        readings: What was read.
        own_id: The new edition's id; not that of a built-in one.
        name: Its name, for people.
        file_text: The file of *edition*, if that is the owner's own; the new file
            keeps all that is in it. ``None`` for a built-in edition.

    Raises:
        Malformed: If there is no such edition.
    """
    whole = _whole(_text(edition, file_text))
    if file_text is not None:
        own = parsed(file_text)
    else:
        own = _standing_on(edition.id.removesuffix(UK))
    own = overlaid(own, _entries_of(whole, _fitting(edition, readings)))
    blocks = [*_blocks(own, own_id, name)]
    if not readings:
        blocks.insert(0, _BEGINNING.format(base=edition.id.removesuffix(UK)))
    return "\n\n".join(blocks) + "\n"


def _standing_on(base: str) -> Table:
    """A file that takes everything over from a built-in edition."""
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


def _blocks(own: Table, own_id: str, name: str) -> Iterator[str]:
    """The blocks of text of a file with the content of *own*."""
    yield "format = 1"
    if "unknowns" in own:
        yield f"unknowns = {_value(own['unknowns'])}"  # Not a table, so it comes first.
    told = own.get("edition")
    about = told if isinstance(told, dict) else {}
    about = {**about, "id": own_id, "name": name}
    for key, value in {**own, "edition": about}.items():
        if isinstance(value, dict):
            yield _table(key, value)
    for key in ITEMS:
        for entry in _list(own, key):
            yield _table(key, entry, is_entry=True)


def _table(key: str, values: Table, *, is_entry: bool = False) -> str:
    head = f"[[{key}]]" if is_entry else f"[{key}]"
    return "\n".join([head, *(f"{k} = {_value(v)}" for k, v in values.items())])


def _value(value: object) -> str:
    """A value as TOML; a JSON string is a valid basic string in TOML."""
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        pairs = (f"{_key(k)} = {_value(v)}" for k, v in value.items())
        return f"{{ {', '.join(pairs)} }}"
    return json.dumps(value)


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else json.dumps(key)
