"""Loads editions: those that come with the program, and those of owners.

An edition is a TOML file. It is read into a *draft*, with a report on the mistakes
(``companion/edition/read.py``), and its parts are compared
(``companion/edition/check.py``). Only a draft without mistakes becomes an edition.

A file holds two printings. It is loaded with the American names; the *British* one,
with London's names and pounds under the same rules, is made from that.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import resources
from typing import Final

import msgspec
from msgspec.structs import replace

from companion.edition.check import check
from companion.edition.merge import Entries
from companion.edition.model import Edition
from companion.edition.read import Draft, TooManyFaults, entries, read
from companion.edition.shape import Deed, Space
from companion.errors import EditionFault
from companion.warm_up import warm_up
from companion.words import say
from companion.words.report import undeclared

warm_up(Edition)

UK: Final = "-uk"
"""The end of the id of every British printing."""

BUILT_IN: Final = ("classic", "grab-and-go", "secret-vault", "crooked-cash", "mega")
"""The editions that come with the program, oldest rules first."""


def editions() -> tuple[str, ...]:
    """Return the ids of the editions that come with the program."""
    return BUILT_IN


@cache
def builtin(edition_id: str) -> Edition:
    """Return an edition that comes with the program; ``-uk`` gives the British one.

    Raises:
        Malformed: If there is no such edition.
    """
    own_id = edition_id.removesuffix(UK)
    if own_id != edition_id:
        return british(builtin(own_id))
    text = builtin_text(edition_id)
    if text is None:
        raise undeclared(say("an edition"), edition_id, BUILT_IN)
    return load(text, f"{edition_id}.toml")


def builtin_text(edition_id: str) -> str | None:
    """Return the text of a built-in edition's file; ``None`` if there is none."""
    if edition_id not in BUILT_IN:
        return None
    folder = resources.files("companion") / "editions"
    return (folder / f"{edition_id}.toml").read_text(encoding="utf-8")


def british(edition: Edition) -> Edition:
    """Give *edition* British names and currency; no figure and no rule changes."""
    return replace(
        edition,
        about=replace(edition.about, id=edition.id + UK, name=edition.name_uk),
        money=replace(edition.money, currency=edition.currency_uk),
        spaces=tuple(
            replace(space, name=space.name_uk or space.name) for space in edition.spaces
        ),
        deeds=tuple(replace(deed, name=deed.name_uk) for deed in edition.deeds),
    )


def load(
    text: str, name: str, box_entries: Mapping[str, Entries] | None = None
) -> Edition:
    """Read an edition.

    Args:
        text: TOML, as ``companion/editions/README.md`` describes it.
        name: The file's name, for messages.
        box_entries: By array: entries read off the real box, which replace those of
            the same name.

    Raises:
        EditionFault: With every mistake of the file, if it has any.
    """
    draft = _read_and_check(text, name, box_entries or {})
    if draft.report:
        raise EditionFault(tuple(draft.report))
    return _build(draft)


def problems(text: str, name: str) -> tuple[str, ...]:
    """List every mistake of an edition's file, as *file: key: expected, got*."""
    return tuple(_read_and_check(text, name, {}).report)


def _read_and_check(text: str, name: str, box_entries: Mapping[str, Entries]) -> Draft:
    """Read and check an edition's text."""
    draft = Draft(name=name)
    with suppress(TooManyFaults):  # The report says so.
        read(draft, text, builtin_text, box_entries)
        if draft.raw:  # A text that is not TOML has one mistake, not thirty.
            check(draft)
    return draft


def _build(draft: Draft) -> Edition:
    return msgspec.convert(
        {
            **draft.parts,
            **draft.items,
            "space": sorted(entries(draft, "space", Space), key=lambda s: s.number),
            "deed": sorted(entries(draft, "deed", Deed), key=lambda d: d.space),
            "unknowns": draft.unknowns,
            "sheets": draft.sheets,
            "origins": draft.origins,
            "inherited": draft.inherited,
        },
        Edition,
    )
