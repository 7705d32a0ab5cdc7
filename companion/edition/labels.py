"""What each figure of an edition is called, and whether it is money.

Both stand beside the field, in its type (``companion/game/field_types.py``). A figure
without such words is called by its field, in English.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import get_args

import msgspec

from companion.edition.parts import ITEMS, SECTIONS, Parts
from companion.words.report import fields_of


def section_name(part: str) -> str:
    """The name of a section of the file."""
    return _label(Parts, part)


def label_of(part: str, name: str) -> str:
    """What the field *name* of that part of the file is called.

    Args:
        part: The part of the file, such as ``money`` or ``deed``.
        name: The field; in a list, with the number of the amount: ``rent_houses.4``.
    """
    return _label({**ITEMS, **SECTIONS}[part], name)


def is_dollars(part: str, name: str) -> bool:
    """Whether that figure is an amount in whole dollars."""
    shape = {**ITEMS, **SECTIONS}[part]
    return "unit" in _marks(shape, name.partition(".")[0])


def _label(shape: type[msgspec.Struct], name: str) -> str:
    field, _, step = name.partition(".")
    label = _marks(shape, field).get("called")
    if isinstance(label, str):
        return label
    return label(int(step)) if callable(label) else field.replace("_", " ")


@cache
def _marks(shape: type[msgspec.Struct], field: str) -> Mapping[str, object]:
    """What the type of a field is marked with."""
    return {
        key: value
        for meta in _metas(fields_of(shape)[field].type)
        for key, value in (meta.extra or {}).items()
    }


def _metas(hint: object) -> Iterator[msgspec.Meta]:
    for part in (*get_args(hint), *getattr(hint, "__metadata__", ())):
        if isinstance(part, msgspec.Meta):
            yield part
        else:
            yield from _metas(part)
