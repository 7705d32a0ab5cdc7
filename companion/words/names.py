"""Checks and tidies names that people type, of players, games and decks."""

from __future__ import annotations

import unicodedata
from typing import Final

from companion.words.sentence import END_OF_ISOLATE, ISOLATE

NAME_LENGTH_MAX: Final = 24
"""The longest name, in characters."""

JOINER: Final = "\u200d"
"""The character that joins emoji, such as a family's; allowed, but invisible."""

BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that Unicode calls letters or symbols but that show nothing."""


def tidy_name(text: str) -> str:
    """Return *text* as a name is shown: trimmed, on one line, with single spaces.

    The isolating marks that a page put around the name are removed.

    >>> tidy_name("  Ann   Lee ")
    'Ann Lee'
    """
    plain = text.replace(ISOLATE, "").replace(END_OF_ISOLATE, "")
    return " ".join(unicodedata.normalize("NFC", plain).split())


def is_plain(name: str) -> bool:
    """Tell whether a tidied name is visible, and has no control characters.

    >>> is_plain("Ann"), is_plain("")
    (True, False)
    """
    # Unicode's kinds: C controls; letters, numbers, punctuation and symbols.
    kinds = {unicodedata.category(letter)[0] for letter in name if letter != JOINER}
    is_printable = "C" not in kinds and BLANKS.isdisjoint(name)
    is_visible = not kinds.isdisjoint("LNPS")
    return is_printable and is_visible
