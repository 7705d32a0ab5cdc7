"""Names that people type: of players, games and decks, as a page can show them."""

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


def tidied(text: str) -> str:
    """Return *text* as a name is shown: trimmed, on one line, with single spaces.

    The marks by which a page sets a name apart come back with the form, wherever
    somebody typed beside them, and go.

    >>> tidied("  Ann   Lee ")
    'Ann Lee'
    """
    plain = text.replace(ISOLATE, "").replace(END_OF_ISOLATE, "")
    return " ".join(unicodedata.normalize("NFC", plain).split())


def is_plain(name: str) -> bool:
    """Whether a tidied name can be seen, and leaves the page around it as it is.

    >>> is_plain("Ann"), is_plain("")
    (True, False)
    """
    kinds = [unicodedata.category(x)[0] for x in name if x != JOINER]
    return "C" not in kinds and not BLANKS & {*name} and bool({*kinds} & {*"LNPS"})
