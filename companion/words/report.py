"""The wording of mistakes: *expected ..., got ...*, and plainer in forms."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from functools import cache

import msgspec
from msgspec import inspect

from companion.errors import Malformed
from companion.words import say

QUOTED_LENGTH_MAX = 80
"""Longer values are cut; a report is read by people."""


@cache
def fields_of(shape: type[msgspec.Struct]) -> Mapping[str, msgspec.structs.FieldInfo]:
    """The fields of *shape* by name, in the order of its class."""
    return {one.name: one for one in msgspec.structs.fields(shape)}


def quoted(value: object) -> str:
    """*value* as the report shows it; a missing one reads ``nothing``."""
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
    """The known word that *word* was probably meant to be, or an empty text."""
    found = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return found[0] if found else ""


def unknown_key(key: str, known: Iterable[str]) -> str:
    """The message for a key that is none of those known."""
    choices = tuple(known)
    close = nearest(key, choices)
    hint = f"did you mean {close}?" if close else f"known are {', '.join(choices)}"
    return f"unknown key; {hint}"


NOTHING = say("nothing")


def unexpected(
    wanted: str, got: str, remedy: str = "", *, plain: str = ""
) -> Malformed:
    """The error for *got* where *wanted*, a phrase, should have stood.

    >>> str(unexpected("a seat", "'pink'", "choose another"))
    "expected a seat, got 'pink'; choose another"

    Args:
        wanted: What should have stood there.
        got: What stood there, quoted, or ``nothing``.
        remedy: What to do now.
        plain: A sentence that says both to whoever filled in a form.
    """
    if not plain and got == NOTHING:
        plain = say("something is missing: {wanted}", wanted=wanted)
    elif not plain:
        plain = say("{wanted} belongs here, not {got}", wanted=wanted, got=got)
    message = say("expected {wanted}, got {got}", wanted=wanted, got=got)
    return Malformed(message, remedy, wanted=wanted, got=got, plain=plain)


def undeclared(what: str, word: str, known: Iterable[str]) -> Malformed:
    """The error for a name that is none of those declared, with a guess at a typo."""
    close = nearest(word, known)
    hint = say("did you mean {word}?", word=repr(close)) if close else ""
    return unexpected(what, repr(word), hint)


def mistaken(shape: object, value: object) -> str:
    """The message for a value that does not fit *shape*, with a guess at a typo."""
    info = inspect.type_info(shape)
    if isinstance(info, inspect.Metadata):
        info = info.type
    choices = info.types if isinstance(info, inspect.UnionType) else (info,)
    known = [word for one in choices for word in _values(one)]
    close = nearest(value, known) if isinstance(value, str) else ""
    hint = f"; did you mean {close!r}?" if close else ""
    return f"expected {expected(shape)}, got {quoted(value)}{hint}"


def expected(shape: object) -> str:
    """A type in words: ``one of bank, vault``; ``a whole number from 0 to 12``."""
    return _words(inspect.type_info(shape))


def _words(info: inspect.Type) -> str:
    match info:
        case inspect.Metadata():
            return _words(info.type)
        case inspect.LiteralType() | inspect.EnumType():
            return "one of " + ", ".join(value or '""' for value in _values(info))
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return "a whole number" + _range(info.ge, info.le)
        case inspect.StrType():
            return "text" + (f" like {info.pattern}" if info.pattern else "")
        case inspect.VarTupleType():
            return "a list" + _range(info.min_length, info.max_length) + _each(info)
        case inspect.DictType():
            return f"a table of {_words(info.value_type)}"
        case inspect.StructType():
            return "a table of " + ", ".join(one.name for one in info.fields)
        case inspect.UnionType():
            parts = [one for one in info.types if not isinstance(one, inspect.NoneType)]
            return " or ".join(_words(one) for one in parts)
    return "something else"


def _values(info: inspect.Type) -> tuple[str, ...]:
    """The words to choose from, if *info* is such a type."""
    if isinstance(info, inspect.EnumType):
        return tuple(str(one.value) for one in info.cls)
    return tuple(map(str, info.values)) if isinstance(info, inspect.LiteralType) else ()


def _each(info: inspect.VarTupleType) -> str:
    return f", each {_words(info.item_type)}"


def _range(lowest: int | None, highest: int | None) -> str:
    if lowest is None and highest is None:
        return ""
    return f" from {lowest or 0} to {highest}" if highest else f" from {lowest}"
