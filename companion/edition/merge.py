"""Inheritance: completes an edition by parts of another, before they are checked.

An edition's file can *inherit* from another edition, the *base*: whatever the file does
not say is taken from the base. Here both are still *raw*: TOML as parsed. ``own`` is
content of the file, ``theirs`` content of the base.

An *entry* is one table of an array such as ``[[deed]]``. One of its fields is its name;
an own entry replaces the base's entry of the same name. The *origin* of a figure or an
entry is how well it is known and from where: ``confidence``, ``sources`` and ``note``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Set
from functools import lru_cache
from typing import Final, TypeGuard

from companion.edition.model import SECTIONS
from companion.words.report import quoted

Table = Mapping[str, object]
"""A table of TOML."""

Entries = list[Table]
"""An array of tables, in the order of the file."""

Fault = Callable[[str, str], None]
"""Reports a mistake, by its key and a text."""

BaseText = Callable[[str], str | None]
"""Returns the text of an edition by its id; ``None`` if there is none."""

DEPTH_MAX: Final = 4
"""The longest row of editions that inherit from one another."""

ORIGIN: Final = ("confidence", "sources", "note")
"""The keys of an origin."""

OF_ONE_FILE: Final = ("format", "edition", "inherits", "source")
"""Keys about one file alone, which no other file inherits as they are."""

NUMBER_MAX: Final = 1_000_000
"""The largest number that can name an entry; Python refuses to print huge ones."""

_NAMED_BY: Final = {
    "space": "number",
    "option": "key",
    "reading": "topic",
    "remark": "topic",
    "conflict": "",
}
"""By array, the field that names an entry; empty if none does, ``id`` by default."""


@lru_cache(maxsize=4)  # Each value read off a box parses the same text again.
def parse_toml(text: str) -> Table:
    """Parse TOML to a table, which callers must not change.

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
        base: Returns the text of an edition by its id, or ``None``.
        fault: Reports a mistake.
        depth: How many editions in a row inherit from this one.

    Returns:
        The completed table, and the keys of all that came from the base:
        ``deed.boardwalk``, ``money``.
    """
    inherits = raw.get("inherits")
    if not isinstance(inherits, dict):
        return raw, frozenset()
    edition = inherits.get("edition")
    text = base(edition) if isinstance(edition, str) else None
    if text is None:
        fault("inherits.edition", f"expected a known edition, got {quoted(edition)}")
        return raw, frozenset()
    if depth >= DEPTH_MAX:
        fault("inherits", f"expected at most {DEPTH_MAX} editions in a row, got more")
        return raw, frozenset()
    parent, _ = inherit(parse_toml(text), base, fault, depth + 1)
    merged, inherited = dict(raw), set[str]()
    deeds = raw.get("deed")
    own_deeds: set[str | None] = set()
    if isinstance(deeds, list):
        own_deeds = {name_of(deed, "id") for deed in deeds}
    for key in _keys_to_inherit(inherits.get("what"), parent):
        if not isinstance(key, str) or key not in parent:
            fault("inherits.what", f"expected keys of {edition}, got {quoted(key)}")
            continue
        theirs = _attach_origins(key, parent, own_deeds)
        merged[key], inherited_here = _merge_key(key, raw.get(key), theirs)
        inherited |= inherited_here
    _merge_sources(merged, parent)
    return merged, frozenset(inherited)


def _keys_to_inherit(what: object, parent: Table) -> list[object]:
    """Return the keys that the file lists, or else all but ``OF_ONE_FILE``."""
    if isinstance(what, list):
        return what
    return [key for key in parent if key not in OF_ONE_FILE]


def _merge_key(key: str, own: object, theirs: object) -> tuple[object, set[str]]:
    """Merge the content of a top-level key, also returning the inherited keys."""
    if isinstance(theirs, list):
        return _merge_entries(key, theirs, own if isinstance(own, list) else [])
    if isinstance(theirs, dict) and isinstance(own, dict):
        inherited = {f"{key}.{name}" for name in theirs if name not in own}
        return {**theirs, **own}, inherited
    if own is None:
        return theirs, {key}
    return own, set()


def _merge_entries(key: str, theirs: Entries, own: Entries) -> tuple[Entries, set[str]]:
    """Replace or add own entries, also returning the keys of the inherited ones."""
    naming = naming_of(key)
    own_by_name = {name_of(entry, naming): entry for entry in own}
    own_by_name.pop(None, None)  # An entry without a name replaces nothing.
    merged = [own_by_name.get(name_of(entry, naming), entry) for entry in theirs]
    inherited = {f"{key}.{name_of(entry, naming)}" for entry in theirs}
    inherited -= {f"{key}.{name}" for name in own_by_name}
    placed = {id(entry) for entry in merged}
    added = [entry for entry in own if id(entry) not in placed]
    return [*merged, *added], inherited


def overlay(raw: Table, entries: Mapping[str, Entries]) -> Table:
    """Add *entries* to the arrays of *raw*, in place of those of the same name."""
    merged = dict(raw)
    for key, own in entries.items():
        theirs = raw.get(key, [])
        assert isinstance(theirs, list), f"the file was checked: {key}"
        merged[key], _ = _merge_entries(key, theirs, own)
    return merged


def _attach_origins(key: str, parent: Table, own_deeds: Set[str | None]) -> object:
    """Return inherited content in which each figure names its own origin.

    Otherwise the ``sources`` of a section or deck in the new file would count for
    inherited figures, too. Conflicts are inherited only for deeds that the new file
    does not replace.
    """
    theirs = parent[key]
    if key == "conflict" and isinstance(theirs, list):
        return [entry for entry in theirs if name_of(entry, "deed") not in own_deeds]
    if key in SECTIONS and isinstance(theirs, dict):
        shared = {name: theirs[name] for name in ORIGIN if name in theirs}
        return {
            name: _complete_figure(value, shared)
            for name, value in theirs.items()
            if name not in ORIGIN
        }
    if key == "space" and isinstance(theirs, list):
        return [{**shared_origin(parent.get("board")), **entry} for entry in theirs]
    decks = parent.get("deck")
    if key == "card" and isinstance(theirs, list) and isinstance(decks, list):
        by_id = {deck["id"]: shared_origin(deck) for deck in decks}
        return [{**by_id[card["deck"]], **card} for card in theirs]
    return theirs


def _complete_figure(value: object, shared: Table) -> Table:
    """Return a figure as a table of its value and its origin, completed by *shared*."""
    if has_origin(value):
        if value.get("confidence") == "unknown":
            return value
        without_note = {key: shared[key] for key in shared if key != "note"}
        return {**without_note, **value}
    return {**shared, "value": value}


def has_origin(figure: object) -> TypeGuard[Table]:
    """Return whether a figure is a table with its value and its own origin."""
    return isinstance(figure, dict) and bool({"value", "confidence"} & figure.keys())


def shared_origin(table: object) -> Table:
    """Return the origin that a table states for all its entries."""
    if not isinstance(table, dict):
        return {}
    return {key: table[key] for key in ("confidence", "sources") if key in table}


def _merge_sources(merged: dict[str, object], parent: Table) -> None:
    """Add the base's sources, which inherited figures name."""
    own, theirs = merged.get("source", []), parent.get("source", [])
    if isinstance(own, list) and isinstance(theirs, list):
        names = {name_of(entry, "id") for entry in own}
        added = (entry for entry in theirs if name_of(entry, "id") not in names)
        merged["source"] = [*own, *added]


def name_of(entry: object, naming: str) -> str | None:
    """Return the name of an entry of an array; ``None`` if it has no name."""
    name = entry.get(naming) if isinstance(entry, dict) else None
    if isinstance(name, int):
        return str(name) if abs(name) <= NUMBER_MAX else None
    return name if isinstance(name, str) else None


def naming_of(key: str) -> str:
    """Return the field that names entries of that array; empty if none does."""
    return _NAMED_BY.get(key, "id")
