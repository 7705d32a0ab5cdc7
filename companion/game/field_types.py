"""Types of figures in edition files, and what people call the fields that have them.

A field's type is also what the file may say there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final

import msgspec

from companion.words import say
from companion.words.money import AMOUNT_MAX

DOLLARS: Final = msgspec.Meta(extra={"unit": "dollars"})
"""Marks the type of a figure that is money."""

FileAmount = Annotated[int, msgspec.Meta(ge=0, le=AMOUNT_MAX), DOLLARS]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
Count = Annotated[int, msgspec.Meta(ge=1, le=1000)]


def called(label: str | Callable[[int], str]) -> msgspec.Meta:
    """Marks a field with what people call it (``companion/edition/labels.py``).

    Args:
        label: The words; of a list of figures, what makes them from the number of one.
    """
    return msgspec.Meta(
        extra={"called": say(label) if isinstance(label, str) else label}
    )
