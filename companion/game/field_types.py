"""Types of the fields in edition files, and the words that people use for these fields.

A field's type also limits what the file may say there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final

import msgspec

from companion.words import say
from companion.words.money import AMOUNT_MAX

DOLLARS: Final = msgspec.Meta(extra={"unit": "dollars"})
"""The mark on the type of a figure that is an amount of dollars."""

FileAmount = Annotated[int, msgspec.Meta(ge=0, le=AMOUNT_MAX), DOLLARS]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
Count = Annotated[int, msgspec.Meta(ge=1, le=1000)]


def called(label: str | Callable[[int], str]) -> msgspec.Meta:
    """Return the mark for a field that people call *label*.

    For a list of figures, *label* makes the words from a figure's number in it, from 1.
    """
    return msgspec.Meta(
        extra={"called": say(label) if isinstance(label, str) else label}
    )
