"""Several words joined to one phrase that can be translated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.words.sentence import say


def with_ands(words: Iterable[str]) -> str:
    """Join *words* as in ``a and b and c``; empty for no words."""
    joined = ""
    for word in words:
        joined = (
            say("{first} and {second}", first=joined, second=word) if joined else word
        )
    return joined


def with_commas(words: Iterable[str]) -> str:
    """Join *words* as in ``a, b, c``; empty for no words."""
    joined = ""
    for word in words:
        joined = say("{first}, {second}", first=joined, second=word) if joined else word
    return joined


def enumerated(words: Sequence[str]) -> str:
    """Join *words* as in ``a, b and c``; empty for no words."""
    if len(words) < 2:
        return with_commas(words)
    return say("{first} and {last}", first=with_commas(words[:-1]), last=words[-1])
