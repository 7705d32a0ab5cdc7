"""Labels for the figures of an edition, and which of them are money.

A label is what a page calls a figure, such as "Mortgage value" for the field
``mortgage`` of a deed. The label, and the mark of an amount in dollars, stand on the
type of the field (``companion/game/field_types.py``). If there is no label, the name of
the field stands for it, in English.
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
    """Return the label of the field *name* in that part of the file.

    Args:
        part: The part of the file, such as ``money`` or ``deed``.
        name: The field; for one amount of a list, with its number: ``rent_houses.4``.
    """
    return _label({**ITEMS, **SECTIONS}[part], name)


def is_dollars(part: str, name: str) -> bool:
    """Return whether that figure is an amount in whole dollars."""
    shape = {**ITEMS, **SECTIONS}[part]
    return "unit" in _marks(shape, name.partition(".")[0])


def _label(shape: type[msgspec.Struct], name: str) -> str:
    """Return the label of a field, or of one amount in it; else the field's name."""
    field, _, number = name.partition(".")
    label = _marks(shape, field).get("called")
    if isinstance(label, str):
        return label
    if callable(label):  # It makes a label for each amount of a list.
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
