"""Labels for the figures of an edition, and which of them are money.

A label is what a page calls a figure: "Mortgage value" for the field ``mortgage`` of a
deed. It stands on the type of the field, as does the mark of an amount in dollars
(``companion/game/sections.py``). A field without a label is called by its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import get_args

import msgspec

from companion.edition.parts import ITEMS, SECTIONS, Parts
from companion.words.report import fields_of


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
