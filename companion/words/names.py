"""Checks and tidies names that people type, of players, games and decks."""

from __future__ import annotations

import unicodedata
from typing import Final

from confusable_homoglyphs.confusables import is_confusable, is_dangerous

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


def mixes_alphabets(word: str) -> bool:
    """Return whether *word* has letters of other alphabets that look Latin."""
    letters = "".join(filter(str.isalpha, word))
    return bool(is_dangerous(letters, ["latin"]))


STOPS = ".,:;!?'\"-_ "
"""Characters that are easily overlooked at the end of a name."""


def likeness(name: str) -> str:
    """Return *name* in small Latin look-alikes, without stops at its end.

    Names of the same likeness are one to a hasty reader of a small screen: no two
    people at a table may have them, so over many evenings they are one person.

    >>> likeness("ANNA."), likeness("Ann A")
    ('anna', 'ann a')
    """
    # The characters from fe00 to fe0f only select a variant of the one before.
    visible = "".join(
        char for char in name if char != JOINER and not "\ufe00" <= char <= "\ufe0f"
    )
    capitals = unicodedata.normalize("NFKC", visible).upper()
    letters = "".join(map(_as_latin, capitals)).casefold()
    return letters.rstrip(STOPS) or letters


PICTURE_PREFIXES = (
    "LATIN LETTER SMALL CAPITAL ",
    "NEGATIVE ",  # White on black, in a square or a circle.
    "CROSSED NEGATIVE ",  # White on black, with a stroke.
    "REGIONAL INDICATOR ",  # Flags are made of them.
)
"""Beginnings of Unicode's names for pictures of letters; the letter comes last."""


def _as_latin(letter: str) -> str:
    """Return the plain Latin letter that *letter* looks like, or *letter* itself."""
    if letter.isascii() and letter.isalpha():
        return letter
    matches = is_confusable(letter)
    lookalikes: list[str] = []
    if matches:
        # Under "c" is the look-alike; if it has several letters, the first counts.
        lookalikes = [glyph["c"][0] for glyph in matches[0]["homoglyphs"]]
    name = unicodedata.name(letter, "")
    if name.startswith(PICTURE_PREFIXES):
        lookalikes.append(name.split()[-1])
    for lookalike in lookalikes:
        if len(lookalike) == 1 and lookalike.isascii() and lookalike.isalpha():
            return lookalike
    return letter
