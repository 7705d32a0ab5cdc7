"""Reads an edition's text into frozen values, noting every mistake on the way.

A file has *tables*, *sections* of figures such as ``[money]``, and arrays of *entries*
such as ``[[deed]]`` (``companion/edition/model.py``). The *shape* of each is a struct,
whose fields say what a file may hold. A figure has an *origin*: its confidence and
sources, stated with the figure or once for the whole entry or section.

A mistake of the author raises no error: it becomes one line of the report, *file: key:
expected, got*, and reading goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar

import msgspec

from companion.edition.bounds import why_too_large
from companion.edition.merge import (
    ORIGIN,
    Entries,
    Table,
    has_origin,
    inherit,
    name_of,
    naming_of,
    overlay,
    parse_toml,
    shared_origin,
)
from companion.edition.model import ITEMS, OPTIONAL, SECTIONS, TABLES
from companion.edition.origin import Provenance
from companion.sheets import Sheet
from companion.warm_up import warm_up
from companion.words.report import expected, fields_of, mistaken, quoted, unknown_key

T = TypeVar("T")
Shaped = TypeVar("Shaped", bound=msgspec.Struct)

FORMAT: Final = 1
"""The format that this program reads, and that each file must state."""

warm_up(*TABLES.values(), *ITEMS.values(), *SECTIONS.values(), Provenance)

WITH_ORIGIN: Final = ("space", "deed", "deck", "card")
"""Arrays whose entries state how well they are known."""

ORIGIN_KEYS: Final = ("confidence", "sources", "note", "confidence_of", "basis")
"""The keys of an entry about its origin, which are no fields of its shape."""

LISTS: Final = ("unknowns", "sheets")
"""Keys of a file that hold a list without tables."""

TOP_KEYS: Final = ("format", *LISTS, "deed_basis", *TABLES, *ITEMS, *SECTIONS)
"""All top-level keys of a file."""

FAULTS_MAX: Final = 200
"""The most mistakes in one report; nobody mends more at a time."""

WHERE_LENGTH_MAX: Final = 120
"""The most characters of a key in a line of the report."""

FAULT_LENGTH_MAX: Final = 1_000
"""The most characters of the text after it."""


class TooManyFaults(Exception):
    """The report is full, so reading on is of no use."""


@dataclass(kw_only=True)
class Draft:
    """The parts of a file that could be read, and a report on its mistakes."""

    name: str
    """The file's name, the beginning of each line of the report."""
    raw: Table = field(default_factory=dict)
    """The file as parsed, completed by what it inherits."""
    report: list[str] = field(default_factory=list)
    """A line for each mistake."""
    parts: dict[str, msgspec.Struct] = field(default_factory=dict)
    """Tables and sections by their key."""
    figures: dict[str, dict[str, object]] = field(default_factory=dict)
    """By section, the fields that could be read, even if others could not."""
    items: dict[str, list[msgspec.Struct]] = field(default_factory=dict)
    """By array, the entries that could be read."""
    origins: dict[str, Provenance] = field(default_factory=dict)
    """The origin of each figure and entry, by its key: ``deed.boardwalk.price``."""
    unknowns: tuple[str, ...] = ()
    """Facts that could not be found out, in words."""
    sheets: tuple[Sheet, ...] = ()
    """The rule sheets of the box, the one that counts first."""
    basis: dict[str, str] = field(default_factory=dict)
    """Field of deeds -> what its figures are derived from; a deed may differ."""
    inherited: frozenset[str] = frozenset()
    """Keys of everything that came from another edition."""

    def fault(self, where: str, text: str) -> None:
        """Note a mistake at the key *where*, which is empty for the whole file.

        Raises:
            TooManyFaults: If the report is full.
        """
        if len(self.report) >= FAULTS_MAX:
            self.report.append(f"{self.name}: and more; mend these first")
            raise TooManyFaults
        parts = (self.name, where[:WHERE_LENGTH_MAX], text[:FAULT_LENGTH_MAX])
        self.report.append(": ".join(part for part in parts if part))


def read(
    draft: Draft,
    text: str,
    base: Callable[[str], str | None],
    box_entries: Mapping[str, Entries],
) -> None:
    """Read the text of an edition.

    Args:
        draft: Receives the parts, and the report.
        text: TOML.
        base: Returns the text of an edition to inherit from; ``None`` if there is none.
        box_entries: By array: further entries, read off the real box.

    Raises:
        TooManyFaults: If the report is full.
    """
    raw = parse(draft, text)
    if raw is None:
        return
    completed, draft.inherited = inherit(raw, base, draft.fault)
    draft.raw = overlay(completed, box_entries)
    draft.inherited -= {
        f"{key}.{name_of(entry, naming_of(key))}"
        for key, entries_read in box_entries.items()
        for entry in entries_read
    }
    number = draft.raw.get("format")
    if number != FORMAT or not isinstance(number, int):
        draft.fault("format", f"expected {FORMAT}, got {quoted(number)}")
    for key in draft.raw:
        if key not in TOP_KEYS:
            draft.fault(key, unknown_key(key, TOP_KEYS))
    _read_tables(draft)
    basis = draft.raw.get("deed_basis")
    draft.basis = _words_by_field(draft, "deed", "deed_basis", basis)
    for key in ITEMS:
        _read_items(draft, key)
    for key, shape in SECTIONS.items():
        _read_section(draft, key, shape)
    unknowns = convert_to(
        draft, "unknowns", draft.raw.get("unknowns", []), tuple[str, ...]
    )
    draft.unknowns = unknowns or ()
    sheets = draft.raw.get("sheets", [])
    draft.sheets = convert_to(draft, "sheets", sheets, tuple[Sheet, ...]) or ()


def entries(draft: Draft, key: str, shape: type[Shaped]) -> tuple[Shaped, ...]:
    """Return the entries of one array that could be read, in the file's order."""
    return tuple(item for item in draft.items.get(key, []) if isinstance(item, shape))


def parse(draft: Draft, text: str) -> Table | None:
    """Parse the file; if it is no TOML or too large, report that, return ``None``."""
    excess = why_too_large(text)
    if excess:
        draft.fault("", excess)
        return None
    try:
        return parse_toml(text)
    except (ValueError, RecursionError) as error:  # Or a number has too many digits.
        draft.fault("", f"expected TOML, got {error}")
        return None


def convert_to(draft: Draft, where: str, value: object, shape: type[T]) -> T | None:
    """Convert a value to *shape*; if it does not fit, report that, return ``None``."""
    try:
        return msgspec.convert(value, type=shape, str_keys=True)
    except (msgspec.ValidationError, OverflowError):
        draft.fault(where, mistaken(shape, value))
        return None


def _read_tables(draft: Draft) -> None:
    """Read the tables that do not hold figures."""
    for key, shape in TABLES.items():
        value = draft.raw.get(key)
        if value is None and key in OPTIONAL:
            continue
        table = _require_table(draft, key, value)
        part = None if table is None else convert_table(draft, key, table, shape)
        if part is not None:
            draft.parts[key] = part


def _require_table(draft: Draft, where: str, value: object) -> Table | None:
    """Return *value* if it is a table; if not, report that and return ``None``."""
    if isinstance(value, dict):
        return value
    draft.fault(where, f"expected a table, got {quoted(value)}")
    return None


def convert_table(
    draft: Draft, where: str, table: Table, shape: type[Shaped]
) -> Shaped | None:
    """Convert a table to *shape*; report wrong fields, and return ``None`` if any."""
    fields = fields_of(shape)
    for key in table:
        if key not in fields:
            draft.fault(f"{where}.{key}", unknown_key(key, tuple(fields)))
    try:
        return msgspec.convert(table, type=shape, str_keys=True)
    except (msgspec.ValidationError, OverflowError):
        pass
    for key, info in fields.items():
        if key in table:
            convert_to(draft, f"{where}.{key}", table[key], info.type)
        elif info.required:
            text = f"expected {expected(info.type)}, got nothing"
            draft.fault(f"{where}.{key}", text)
    return None


def _read_items(draft: Draft, key: str) -> None:
    """Read an array, and the origins of its figures."""
    shape, naming = ITEMS[key], naming_of(key)
    entries = draft.raw.get(key, [])
    if not isinstance(entries, list):
        draft.fault(key, f"expected [[{key}]] tables, got {quoted(entries)}")
        return
    draft.items[key] = []
    for index, entry in enumerate(entries):
        label = name_of(entry, naming) or str(index)
        where = f"{key}[{label}]"
        table = _require_table(draft, where, entry)
        if table is None:
            continue
        if key in WITH_ORIGIN:
            _read_origins(draft, key, label, where, table)
            table = {
                name: _strip_origin(figure)
                for name, figure in table.items()
                if name not in ORIGIN_KEYS
            }
        item = convert_table(draft, where, table, shape)
        if item is not None:
            draft.items[key].append(item)


def _read_origins(draft: Draft, key: str, label: str, where: str, table: Table) -> None:
    """Read how well an entry is known, as a whole and figure by figure.

    Args:
        draft: Receives the origins.
        key: The array of the entry.
        label: The entry's name, or its index if it has none.
        where: The entry's place in the report: ``deed[boardwalk]``.
        table: The entry.
    """
    entry_key = f"{key}.{label}"
    shared = _find_shared_origin(draft, key, table)
    own = {name: table[name] for name in ORIGIN if name in table}
    entry_origin = _add_origin(draft, entry_key, where, _complete_origin(shared, own))
    if entry_origin is None:
        return
    for name, origin in _origins_by_field(draft, key, where, table, entry_origin):
        place = f"{where}.confidence_of.{name}"
        _add_origin(draft, f"{entry_key}.{name}", place, origin)
    for name, figure in table.items():
        if name not in ORIGIN_KEYS and has_origin(figure):
            own = _without_key(figure, "value")
            origin = _complete_origin(shared, own)
            _add_origin(draft, f"{entry_key}.{name}", f"{where}.{name}", origin)


def _add_origin(draft: Draft, key: str, where: str, origin: Table) -> Provenance | None:
    """Note the origin of a figure or entry; *where* is its place in the report."""
    provenance = convert_table(draft, where, origin, Provenance)
    if provenance is not None:
        draft.origins[key] = provenance
    return provenance


def _origins_by_field(
    draft: Draft, key: str, where: str, table: Table, entry_origin: Provenance
) -> Iterator[tuple[str, Table]]:
    """Yield the origins that an entry states in tables and lists of its fields."""
    own_basis = _words_by_field(draft, key, f"{where}.basis", table.get("basis"))
    basis = {**draft.basis, **own_basis} if key == "deed" else own_basis
    place = f"{where}.confidence_of"
    levels = _words_by_field(draft, key, place, table.get("confidence_of"))
    unknown = table.get("unknown", [])
    for name in unknown if isinstance(unknown, list) else ():
        levels[str(name)] = "unknown"
    for name in {**basis, **levels}:
        level = levels.get(name, entry_origin.confidence)
        origin = {
            "confidence": level,
            "sources": () if level == "unknown" else entry_origin.sources,
            "note": basis.get(name, entry_origin.note),
        }
        yield name, origin


def _strip_origin(figure: object) -> object:
    """Return the value of a figure, with or without its own origin."""
    return figure.get("value") if has_origin(figure) else figure


def _without_key(table: Table, key: str) -> dict[str, object]:
    return {name: content for name, content in table.items() if name != key}


def _complete_origin(shared: Table, own: Table) -> Table:
    """Complete the origin *own* by *shared*; an unknown value has no sources."""
    if own.get("confidence") == "unknown":
        return {"sources": (), **own}
    return {**shared, **own}


def _find_shared_origin(draft: Draft, key: str, table: Table) -> Table:
    """Return the origin that the board or the deck states for its entries."""
    if key == "space":
        return shared_origin(draft.raw.get("board"))
    if key != "card":
        return {}
    decks = draft.raw.get("deck")
    for deck in decks if isinstance(decks, list) else ():
        if isinstance(deck, dict) and deck.get("id") == table.get("deck"):
            return shared_origin(deck)
    # An undeclared deck is reported elsewhere; its cards need no line each.
    return {"confidence": "unknown"}


def _words_by_field(
    draft: Draft, key: str, where: str, value: object
) -> dict[str, str]:
    """Read a table with words for some fields of the array *key*, if it is there."""
    if value is None:
        return {}
    words = convert_to(draft, where, value, dict[str, str]) or {}
    fields = fields_of(ITEMS[key])
    for name in words:
        if name.partition(".")[0] not in fields:
            draft.fault(f"{where}.{name}", unknown_key(name, tuple(fields)))
    return words


def _read_section(draft: Draft, key: str, shape: type[msgspec.Struct]) -> None:
    """Read a section: each figure is a bare value, or a table with its own origin."""
    value = draft.raw.get(key)
    if value is None and key in OPTIONAL:
        return
    table = _require_table(draft, key, value)
    if table is None:
        return
    shared = shared_origin(table)
    values: dict[str, object] = {}
    for name, figure in table.items():
        if name in ORIGIN:
            continue
        where = f"{key}.{name}"
        own = {"note": table["note"]} if "note" in table else {}
        if has_origin(figure):
            own = _without_key(figure, "value")
            figure = _strip_origin(figure)
        if figure is not None:
            values[name] = figure
        origin = _add_origin(draft, where, where, _complete_origin(shared, own))
        if origin is None:
            continue
        has_value, is_known = figure is not None, origin.confidence != "unknown"
        if has_value != is_known:
            text = "no value" if has_value else "a value"
            draft.fault(where, f"expected {text} with confidence {origin.confidence}")
    section = convert_table(draft, key, values, shape)
    if section is not None:
        draft.parts[key] = section
    draft.figures[key] = dict(_read_fields(values, shape))


def _read_fields(
    values: Table, shape: type[msgspec.Struct]
) -> Iterator[tuple[str, object]]:
    """Yield each field of a section that can be read, or that has a default."""
    for name, info in fields_of(shape).items():
        try:
            if name in values:
                yield name, msgspec.convert(values[name], info.type, str_keys=True)
            elif not info.required:
                yield name, info.default
        except (msgspec.ValidationError, OverflowError):
            continue  # Reported already.


def declared_names(draft: Draft, key: str) -> tuple[str, ...]:
    """Return the names of an array's entries, even of those that are unreadable."""
    listed = draft.raw.get(key, [])
    names = (
        name_of(entry, naming_of(key))
        for entry in (listed if isinstance(listed, list) else ())
    )
    return tuple(name for name in names if name is not None)
