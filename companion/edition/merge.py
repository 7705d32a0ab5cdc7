"""Inheritance: an edition takes over parts of another, as tables not yet checked."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Set
from functools import lru_cache
from typing import Final

from companion.edition.parts import SECTIONS
from companion.words.report import quoted

Table = Mapping[str, object]
Entries = list[Table]
Fault = Callable[[str, str], None]
BaseText = Callable[[str], str | None]

DEPTH_MAX: Final = 4
"""How many editions may inherit from one another in a row."""

ORIGIN: Final = ("confidence", "sources", "note")

OF_ONE_FILE: Final = ("format", "edition", "inherits", "source")
"""Keys that no file takes over as they are."""

NUMBER_MAX: Final = 1_000_000
"""The largest number that names an entry; Python cannot print one of any length."""

_NAMED_BY: Final = {
    "space": "number",
    "option": "key",
    "reading": "topic",
    "remark": "topic",
    "conflict": "",
}
"""Which field names an entry of an array, if any; ``id`` for all others."""


@lru_cache(maxsize=4)
def parsed(text: str) -> Table:
    """Return TOML as a table, which nobody changes.

    The latest few are kept: each figure that is typed in is laid over the same text.

    Raises:
        ValueError: If it is no TOML.
        RecursionError: If it is nested too deeply.
    """
    return tomllib.loads(text)


def inherit(
    raw: Table, base: BaseText, fault: Fault, depth: int = 0
) -> tuple[Table, frozenset[str]]:
    """Complete *raw* with what it inherits; its own entries win.

    Args:
        raw: A file as a table.
        base: Gives the text of an edition by its id, or None.
        fault: Takes the key and the text of each mistake.
        depth: How many editions were completed on the way here.

    Returns:
        The completed table, and the keys of what came from the base:
        ``deed.boardwalk``, ``money``.
    """
    wish = raw.get("inherits")
    if not isinstance(wish, dict):
        return raw, frozenset()
    edition = wish.get("edition")
    text = base(edition) if isinstance(edition, str) else None
    if text is None:
        fault("inherits.edition", f"expected a known edition, got {quoted(edition)}")
        return raw, frozenset()
    if depth >= DEPTH_MAX:
        fault("inherits", f"expected at most {DEPTH_MAX} editions in a row, got more")
        return raw, frozenset()
    behind, _ = inherit(parsed(text), base, fault, depth + 1)
    merged, taken = dict(raw), set[str]()
    deeds = raw.get("deed")
    anew = {name_of(x, "id") for x in deeds} if isinstance(deeds, list) else set()
    for key in _wished(wish.get("what"), behind):
        if not isinstance(key, str) or key not in behind:
            fault("inherits.what", f"expected keys of {edition}, got {quoted(key)}")
            continue
        merged[key], new = _merge(key, raw.get(key), _with_origins(key, behind, anew))
        taken |= new
    _merge_sources(merged, behind)
    return merged, frozenset(taken)


def _wished(what: object, behind: Table) -> list[object]:
    """The keys to take over; where no list says which, all but those of one file."""
    if isinstance(what, list):
        return what
    return [key for key in behind if key not in OF_ONE_FILE]


def _merge(key: str, own: object, theirs: object) -> tuple[object, set[str]]:
    """Own and inherited content of one top-level key, and what was inherited."""
    if isinstance(theirs, list):
        return _with_entries(key, theirs, own if isinstance(own, list) else [])
    if isinstance(theirs, dict) and isinstance(own, dict):
        return {**theirs, **own}, {f"{key}.{k}" for k in theirs if k not in own}
    if own is None:
        return theirs, {key}
    return own, set()


def _with_entries(key: str, theirs: Entries, own: Entries) -> tuple[Entries, set[str]]:
    """Own entries, each in the place of that with its name; and what was inherited."""
    naming = naming_of(key)
    mine = {name_of(entry, naming): entry for entry in own}
    mine.pop(None, None)
    merged = [mine.get(name_of(entry, naming), entry) for entry in theirs]
    taken = {f"{key}.{name_of(x, naming)}" for x in theirs} - {
        f"{key}.{name}" for name in mine
    }
    placed = {id(entry) for entry in merged}
    return [*merged, *(x for x in own if id(x) not in placed)], taken


def overlaid(raw: Table, entries: Mapping[str, Entries]) -> Table:
    """*raw* with further *entries* of its arrays, which replace those of their name."""
    merged = dict(raw)
    for key, own in entries.items():
        theirs = raw.get(key, [])
        assert isinstance(theirs, list), f"the file was checked: {key}"
        merged[key], _ = _with_entries(key, theirs, own)
    return merged


def _with_origins(key: str, behind: Table, anew: Set[str | None]) -> object:
    """Inherited content in which each figure names its own origin.

    Nobody disputes the figures of deeds that the file writes *anew*.

    Otherwise a section's or a deck's ``sources`` in the new file would silently
    become the origin of figures that came from elsewhere.
    """
    theirs = behind[key]
    if key == "conflict" and isinstance(theirs, list):
        return [x for x in theirs if name_of(x, "deed") not in anew]
    if key in SECTIONS and isinstance(theirs, dict):
        shared = {k: theirs[k] for k in ORIGIN if k in theirs}
        figures = ((k, v) for k, v in theirs.items() if k not in ORIGIN)
        return {k: _figure(value, shared) for k, value in figures}
    if key == "space" and isinstance(theirs, list):
        return [{**_shared(behind.get("board")), **entry} for entry in theirs]
    decks = behind.get("deck")
    if key == "card" and isinstance(theirs, list) and isinstance(decks, list):
        by_id = {deck["id"]: _shared(deck) for deck in decks}
        return [{**by_id[card["deck"]], **card} for card in theirs]
    return theirs


def _figure(value: object, shared: Table) -> Table:
    if isinstance(value, dict) and {"value", "confidence"} & value.keys():
        if value.get("confidence") == "unknown":
            return value
        return {k: v for k, v in shared.items() if k != "note"} | value
    return {**shared, "value": value}


def _shared(table: object) -> Table:
    """The origin that a table states for all its entries."""
    found = table if isinstance(table, dict) else {}
    return {k: found[k] for k in ("confidence", "sources") if k in found}


def _merge_sources(merged: dict[str, object], behind: Table) -> None:
    """Add the sources that inherited figures name."""
    own, theirs = merged.get("source", []), behind.get("source", [])
    if isinstance(own, list) and isinstance(theirs, list):
        mine = {name_of(entry, "id") for entry in own}
        rest = (entry for entry in theirs if name_of(entry, "id") not in mine)
        merged["source"] = [*own, *rest]


def name_of(entry: object, naming: str) -> str | None:
    """What an entry of an array calls itself, or None if it does not say."""
    name = entry.get(naming) if isinstance(entry, dict) else None
    if isinstance(name, int):
        return str(name) if abs(name) <= NUMBER_MAX else None
    return name if isinstance(name, str) else None


def naming_of(key: str) -> str:
    """The field that names an entry of that array; empty if none does."""
    return _NAMED_BY.get(key, "id")
