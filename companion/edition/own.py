"""Figures that the owner of a box typed in: added to an edition, and saved as a file.

The file holds only what was typed in and inherits the rest, so it can be shared, put
beside other own editions, and read again wherever the base edition is known.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final, cast

from msgspec import structs

from companion.edition.british import UK
from companion.edition.library import builtin_text
from companion.edition.merge import NAMED_BY, inherit, name_of
from companion.edition.model import Edition
from companion.edition.origin import Provenance, Source
from companion.edition.own_cards import Cards, card_entries, with_cards
from companion.edition.read import ITEMS
from companion.edition.shape import DEED_FIGURES, Card, Deed, SpaceKind
from companion.errors import Malformed
from companion.units import Dollars

Figures = Mapping[tuple[str, str], Dollars]
"""(deed or card, figure) -> the amount that its real card says."""

OWN_BOX: Final = "own-box"
"""Id of the source of figures that were typed in."""

BUILT_IN_FILE: Final = "built-in"
"""Id of the source of figures that were taken over."""

_SOURCE = Source(id=OWN_BOX, what="read off the cards of our own box, and typed in")
_KEPT_OUT = ("format", "edition", "inherits", "source")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


Table = Mapping[str, object]
Entries = list[Table]
Texts = Iterator[str]

Spaces = Mapping[int, SpaceKind]
"""Board number -> the kind of space that the real board shows there."""


def with_figures(
    edition: Edition,
    figures: Figures,
    spaces: Spaces | None = None,
    cards: Cards = (),
) -> Edition:
    """*edition* with all that was read off the box; what does not fit is ignored."""
    read = spaces or {}
    if not figures and not read and not cards:
        return edition
    origins = dict(edition.origins)
    for of, name in figures:
        kind = "card" if any(card.id == of for card in edition.cards) else "deed"
        found = Provenance(confidence="single", sources=(OWN_BOX,))
        origins[f"{kind}.{of}.{name}"] = found
    found = Provenance(confidence="single", sources=(OWN_BOX,))
    origins |= {f"space.{number}": found for number in read}
    known = replace(
        edition,
        sources=(*edition.sources, _SOURCE),
        spaces=tuple(
            structs.replace(space, **_printed(edition, read[space.number]))
            if space.number in read
            else space
            for space in edition.spaces
        ),
        deeds=tuple(_deed(deed, figures) for deed in edition.deeds),
        cards=tuple(_card(card, figures) for card in edition.cards),
        origins=origins,
    )
    return with_cards(known, cards, found)


def _printed(edition: Edition, kind: SpaceKind) -> dict[str, str]:
    """Name, kind and effect of a space of that kind, as other such spaces have them."""
    effects = (space.effect for space in edition.spaces if space.kind == kind)
    name = kind.replace("-", " ").capitalize()
    return {"name": name, "kind": kind, "effect": next(effects, "")}


def _deed(deed: Deed, figures: Figures) -> Deed:
    typed = {
        name: amount
        for (of, name), amount in figures.items()
        if of == deed.id and name in DEED_FIGURES
    }
    left = tuple(name for name in deed.unknown if name not in typed)
    return structs.replace(deed, **typed, unknown=left) if typed else deed


def _card(card: Card, figures: Figures) -> Card:
    amount = figures.get((card.id, "amount"))
    if amount is None:
        return card
    left = tuple(name for name in card.unknown if name != "amount")
    return structs.replace(card, amount=amount, unknown=left)


def own_text(
    edition: Edition,
    figures: Figures,
    own_id: str,
    name: str,
    spaces: Spaces | None = None,
    cards: Cards = (),
    file_text: str | None = None,
) -> str:
    """The file of an own edition: *edition* with what was typed in.

    Args:
        edition: The edition without what was typed in, as the game began with it.
        figures: What was typed in.
        own_id: The new edition's id; not that of a built-in one.
        name: Its name, for people.
        spaces: What was read off spaces whose print was unknown.
        cards: Codes of cards that were unknown.
        file_text: The file of *edition*, if that is the owner's own; the new file
            keeps all that is in it. ``None`` for a built-in edition.

    Raises:
        Malformed: If nothing was typed in, or there is no such edition.
    """
    if not figures and not spaces and not cards:
        raise Malformed("expected figures that somebody typed in, got none")
    own, whole = _raw(edition, file_text)
    said = {
        "deed": _typed_in(_entries(whole, "deed"), figures),
        "card": _typed_in(_entries(whole, "card"), figures),
        "space": _read_off(edition, _entries(whole, "space"), spaces or {}),
    }
    known = with_figures(edition, figures, spaces, cards)
    said["card"] += [{**one, **_origin()} for one in card_entries(known, cards)]
    return "\n\n".join(_blocks(own, said, own_id, name)) + "\n"


def _raw(edition: Edition, file_text: str | None) -> tuple[Table, Table]:
    """The tables that the new file starts from: alone, and with all inherited ones."""
    if file_text is not None:
        own = tomllib.loads(file_text)
        return own, inherit(own, builtin_text, lambda _key, _text: None)[0]
    base = edition.id.removesuffix(UK)
    text = builtin_text(base)
    if text is None:
        raise Malformed(f"expected a built-in edition, got {edition.id!r}")
    whole = tomllib.loads(text)
    inherited = [key for key in whole if key not in _KEPT_OUT]
    taken_over = f"the built-in edition {base}, with its own sources"
    own = {
        # Inherited figures are as well known as in the base edition.
        "inherits": {
            "edition": base,
            "what": inherited,
            "confidence": "confirmed",
            "sources": [BUILT_IN_FILE],
        },
        "source": [{"id": BUILT_IN_FILE, "what": taken_over}],
    }
    return own, whole


def _blocks(own: Table, said: Mapping[str, Entries], own_id: str, name: str) -> Texts:
    """The blocks of text of a file with the content of *own* and all that was read."""
    yield "format = 1"
    if "unknowns" in own:
        yield f"unknowns = {_value(own['unknowns'])}"  # Not a table, so it comes first.
    told = own.get("edition")
    about = told if isinstance(told, dict) else {}
    about = {**about, "id": own_id, "name": name}
    for key, value in {**own, "edition": about}.items():
        if isinstance(value, dict):
            yield _table(key, value)
    read: dict[str, Entries] = {
        **said,
        "source": [{"id": OWN_BOX, "what": _SOURCE.what}],
    }
    for key in ITEMS:
        for entry in _with_entries(_entries(own, key), key, read.get(key, [])):
            yield _table(key, entry, is_entry=True)


def _with_entries(entries: Entries, key: str, new: Entries) -> Entries:
    """*entries* with *new* ones, which replace those of the same name."""
    naming = NAMED_BY.get(key, "id")
    names = {name_of(entry, naming) for entry in new} - {None}
    kept = [entry for entry in entries if name_of(entry, naming) not in names]
    return [*kept, *new]


def _entries(raw: Table, key: str) -> Entries:
    found = raw.get(key, [])
    assert isinstance(found, list), f"the file was checked: {key}"
    return found


def _typed_in(entries: Entries, figures: Figures) -> Entries:
    """The deeds or cards among *entries* for which a figure was typed in."""
    return [
        _typed(entry, figures)
        for entry in entries
        if any(of == entry["id"] for of, _ in figures)
    ]


def _read_off(edition: Edition, entries: Entries, spaces: Spaces) -> Entries:
    """The spaces among *entries* that were read off the board."""
    found: Entries = []
    for entry in entries:
        kind = spaces.get(cast("int", entry["number"]))
        if kind is not None:
            found.append(_read(entry, _printed(edition, kind)))
    return found


def _read(entry: Mapping[str, object], printed: Mapping[str, str]) -> dict[str, object]:
    """A space of the base file as the real board has it."""
    said = {name: words for name, words in printed.items() if words}
    likely = {k: entry[k] for k in ("kind_candidate",) if k in entry}
    return {"number": entry["number"], **said, **likely, **_origin()}


def _origin() -> dict[str, object]:
    return {"confidence": "single", "sources": [OWN_BOX]}


def _typed(entry: Mapping[str, object], figures: Figures) -> dict[str, object]:
    """An entry of the base file with its typed figures, and where they come from."""
    own = {name: amount for (of, name), amount in figures.items() if of == entry["id"]}
    changed = {**entry, **own}
    unknown = entry.get("unknown", [])
    left = [x for x in unknown if x not in own] if isinstance(unknown, list) else []
    changed.pop("unknown", None)
    if left:
        changed["unknown"] = left
    known = entry.get("confidence_of", {})
    if "confidence" in entry and isinstance(known, dict):
        changed["confidence_of"] = {**known, **dict.fromkeys(own, "single")}
    sources = entry.get("sources", [])
    if isinstance(sources, list):
        changed["sources"] = [*sources, OWN_BOX]
    changed.setdefault("confidence", "single")
    return changed


def _table(key: str, values: Mapping[str, object], *, is_entry: bool = False) -> str:
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
