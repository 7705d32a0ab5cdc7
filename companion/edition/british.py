"""The British printing of an edition: London's names and pounds, the same rules.

An edition's file holds both printings. It is loaded with the American names; the
British printing is made from that.

Source:
    ``name_uk`` and ``currency_uk`` of each edition's file, with their provenance.
"""

from __future__ import annotations

from typing import Final

from msgspec import structs

from companion.edition.model import Edition

UK: Final = "-uk"
"""The end of the id of every British printing."""


def british(edition: Edition) -> Edition:
    """Give *edition* British names and currency; no figure and no rule changes."""
    return structs.replace(
        edition,
        about=structs.replace(edition.about, id=edition.id + UK, name=edition.name_uk),
        money=structs.replace(edition.money, currency=edition.currency_uk),
        spaces=tuple(
            structs.replace(space, name=space.name_uk or space.name)
            for space in edition.spaces
        ),
        deeds=tuple(structs.replace(deed, name=deed.name_uk) for deed in edition.deeds),
    )
