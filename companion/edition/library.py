"""Reading editions: those that come with the program, and those of owners."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import resources
from typing import Final, TypeVar

import msgspec

from companion.edition.british import UK, british
from companion.edition.check import check
from companion.edition.merge import Entries
from companion.edition.model import Edition
from companion.edition.origin import (
    About,
    BoardOrigin,
    Conflict,
    Inherits,
    OpenRule,
    Remark,
    Source,
)
from companion.edition.read import Draft, TooManyFaults, entries, read
from companion.edition.rules import (
    Auction,
    Bankruptcy,
    Buildings,
    Buying,
    Decoder,
    Dice,
    End,
    Jail,
    Money,
    Mortgage,
    Pieces,
    Quick,
    Rent,
    Seats,
    StreetSale,
    Tickets,
    Timed,
    Trade,
    Train,
    VaultRules,
)
from companion.edition.shape import (
    Card,
    CardDeck,
    Deed,
    Group,
    Option,
    Space,
)
from companion.errors import EditionFault
from companion.words import say
from companion.words.report import undeclared

BUILT_IN: Final = ("classic", "grab-and-go", "secret-vault", "crooked-cash", "mega")
"""The editions that come with the program, oldest rules first."""

Part = TypeVar("Part", bound=msgspec.Struct)


def editions() -> tuple[str, ...]:
    """Ids of the editions that come with the program."""
    return BUILT_IN


@cache
def builtin(edition_id: str) -> Edition:
    """An edition that comes with the program; read once.

    Args:
        edition_id: One of ``editions()``; with ``-uk`` at the end for the British
            printing, as ``companion/edition/british.py`` makes it.

    Raises:
        Malformed: If none has that id.
    """
    own_id = edition_id.removesuffix(UK)
    if own_id != edition_id:
        return british(builtin(own_id))
    text = builtin_text(edition_id)
    if text is None:
        raise undeclared(say("an edition"), edition_id, BUILT_IN)
    return load(text, f"{edition_id}.toml")


def builtin_text(edition_id: str) -> str | None:
    """The file of a built-in edition, or None if there is none."""
    if edition_id not in BUILT_IN:
        return None
    folder = resources.files("companion") / "editions"
    return (folder / f"{edition_id}.toml").read_text(encoding="utf-8")


def load(
    text: str, name: str, read_off: Mapping[str, Entries] | None = None
) -> Edition:
    """Read an edition.

    Args:
        text: TOML, as ``companion/editions/README.md`` describes it.
        name: The file's name, for messages.
        read_off: Further entries, which were read off the real box; each replaces the
            file's entry of its name.

    Raises:
        EditionFault: With every mistake of the file, if it has any.
    """
    draft = _checked(text, name, read_off or {})
    if draft.report:
        raise EditionFault(tuple(draft.report))
    return _built(draft)


def problems(text: str, name: str) -> tuple[str, ...]:
    """Every mistake of an edition's file, as *file: key: wanted, got*."""
    return tuple(_checked(text, name, {}).report)


def _checked(text: str, name: str, read_off: Mapping[str, Entries]) -> Draft:
    draft = Draft(name=name)
    with suppress(TooManyFaults):  # The report says so.
        read(draft, text, builtin_text, read_off)
        if draft.raw:  # A text that is not TOML has one mistake, not thirty.
            check(draft)
    return draft


def _built(draft: Draft) -> Edition:
    """The edition of a draft without faults."""
    return Edition(
        about=_need(draft, "edition", About),
        inherits=_part(draft, "inherits", Inherits),
        sources=entries(draft, "source", Source),
        board=_need(draft, "board", BoardOrigin),
        spaces=tuple(sorted(entries(draft, "space", Space), key=lambda s: s.number)),
        groups=entries(draft, "group", Group),
        deeds=tuple(sorted(entries(draft, "deed", Deed), key=lambda d: d.space)),
        decks=entries(draft, "deck", CardDeck),
        cards=entries(draft, "card", Card),
        options=entries(draft, "option", Option),
        readings=entries(draft, "reading", OpenRule),
        conflicts=entries(draft, "conflict", Conflict),
        remarks=entries(draft, "remark", Remark),
        unknowns=draft.unknowns,
        seats=_need(draft, "seats", Seats),
        money=_need(draft, "money", Money),
        pieces=_need(draft, "pieces", Pieces),
        dice=_need(draft, "dice", Dice),
        jail=_need(draft, "jail", Jail),
        buying=_need(draft, "buying", Buying),
        auction=_need(draft, "auction", Auction),
        rent=_need(draft, "rent", Rent),
        buildings=_need(draft, "buildings", Buildings),
        mortgage=_need(draft, "mortgage", Mortgage),
        street_sale=_need(draft, "street_sale", StreetSale),
        trade=_need(draft, "trade", Trade),
        bankruptcy=_need(draft, "bankruptcy", Bankruptcy),
        end=_need(draft, "end", End),
        quick=_part(draft, "quick", Quick),
        timed=_part(draft, "timed", Timed),
        vault=_part(draft, "vault", VaultRules),
        decoder=_part(draft, "decoder", Decoder),
        tickets=_part(draft, "tickets", Tickets),
        train=_part(draft, "train", Train),
        origins=draft.origins,
        inherited=draft.inherited,
    )


def _part(draft: Draft, key: str, shape: type[Part]) -> Part | None:
    found = draft.parts.get(key)
    return found if isinstance(found, shape) else None


def _need(draft: Draft, key: str, shape: type[Part]) -> Part:
    found = _part(draft, key, shape)
    assert found is not None, f"{draft.name} was checked and has no {key}"
    return found
