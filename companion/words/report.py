"""Words the errors of forms and files: *expected ..., got ...*."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain

import msgspec
from msgspec import inspect

from companion.errors import Malformed
from companion.words import say

QUOTED_LENGTH_MAX = 80
"""Longer values are cut, since people read the report."""


@cache
def fields_of(shape: type[msgspec.Struct]) -> Mapping[str, msgspec.structs.FieldInfo]:
    """Return the fields of *shape* by name, in the order of its class."""
    return {field.name: field for field in msgspec.structs.fields(shape)}


def quoted(value: object) -> str:
    """Quote *value* for a report, cut if it is long; ``nothing`` for None."""
    if value is None:
        return "nothing"
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # A number of thousands of digits.
        return "something too long to print"
    if len(text) <= QUOTED_LENGTH_MAX:
        return text
    return text[: QUOTED_LENGTH_MAX - 3] + "..."


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that *word* was probably meant to be; else empty."""
    matches = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return matches[0] if matches else ""


def unknown_key(key: str, known: Iterable[str]) -> str:
    """Return the message for a key that is not among those *known*."""
    choices = tuple(known)
    close = nearest(key, choices)
    hint = f"did you mean {close}?" if close else f"known are {', '.join(choices)}"
    return f"unknown key; {hint}"


NOTHING = say("nothing")
"""The word for a missing value."""


def unexpected(
    wanted: str, got: str, remedy: str = "", *, plain: str = ""
) -> Malformed:
    """Build the error for *got* where *wanted*, a phrase, was expected.

    >>> str(unexpected("a seat", "'pink'", "choose another"))
    "expected a seat, got 'pink'; choose another"

    Args:
        wanted: A phrase for what was expected.
        got: What came instead, quoted, or ``nothing``.
        remedy: What to do now.
        plain: The same as a plain sentence, for people who fill in forms.
    """
    if not plain and got == NOTHING:
        plain = say("something is missing: {wanted}", wanted=wanted)
    elif not plain:
        plain = say("{wanted} belongs here, not {got}", wanted=wanted, got=got)
    message = say("expected {wanted}, got {got}", wanted=wanted, got=got)
    return Malformed(message, remedy, wanted=wanted, got=got, plain=plain)


def undeclared(what: str, word: str, known: Iterable[str]) -> Malformed:
    """Build the error for an undeclared name; guess at a typo."""
    close = nearest(word, known)
    hint = say("did you mean {word}?", word=repr(close)) if close else ""
    return unexpected(what, repr(word), hint)


def mistaken(shape: object, value: object) -> str:
    """Return the message for a value that does not fit *shape*; guess at a typo."""
    info = inspect.type_info(shape)
    if isinstance(info, inspect.Metadata):
        info = info.type
    choices = info.types if isinstance(info, inspect.UnionType) else (info,)
    known = list(chain.from_iterable(map(_values, choices)))
    close = nearest(value, known) if isinstance(value, str) else ""
    hint = f"; did you mean {close!r}?" if close else ""
    return f"expected {expected(shape)}, got {quoted(value)}{hint}"


def expected(shape: object) -> str:
    """Describe a type: ``one of bank, vault``; ``a whole number from 0 to 12``."""
    return _describe(inspect.type_info(shape))


def _describe(info: inspect.Type) -> str:
    """Describe a type that msgspec has inspected."""
    match info:
        case inspect.Metadata():
            return _describe(info.type)
        case inspect.LiteralType() | inspect.EnumType():
            return "one of " + ", ".join(value or '""' for value in _values(info))
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return "a whole number" + _range(info.ge, info.le)
        case inspect.StrType():
            return "text" + (f" like {info.pattern}" if info.pattern else "")
        case inspect.VarTupleType():
            count = _range(info.min_length, info.max_length)
            return f"a list{count}, each {_describe(info.item_type)}"
        case inspect.DictType():
            return f"a table of {_describe(info.value_type)}"
        case inspect.StructType():
            return "a table of " + ", ".join(field.name for field in info.fields)
        case inspect.UnionType():
            kinds = [
                kind for kind in info.types if not isinstance(kind, inspect.NoneType)
            ]
            return " or ".join(map(_describe, kinds))
    return "something else"


def _values(info: inspect.Type) -> tuple[str, ...]:
    """Return the words of which a type allows one; empty for other types."""
    if isinstance(info, inspect.EnumType):
        return tuple(str(member.value) for member in info.cls)
    return tuple(map(str, info.values)) if isinstance(info, inspect.LiteralType) else ()


def _range(lowest: int | None, highest: int | None) -> str:
    """Describe a range; empty if it has no bounds."""
    if lowest is None and highest is None:
        return ""
    return f" from {lowest or 0} to {highest}" if highest else f" from {lowest}"
