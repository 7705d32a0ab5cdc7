"""Marks places where long words may be hyphenated on a narrow screen.

Browsers know such places for the words of a language, but not for names.
"""

from __future__ import annotations

import re
from itertools import pairwise
from math import ceil

HYPHEN = "\N{SOFT HYPHEN}"
"""A hyphen that shows only if the line is broken there."""

LONG = 8
"""The fewest letters of a word that is broken; shorter ones fit any screen."""

STUB = 3
"""The fewest letters that stay together at either end of a word."""

PIECE = 7
"""The most letters that stay together."""

VOWELS = "aeiouyäöüàâéèêëíïîóôúû"
"""The letters that count as vowels; all others count as consonants."""

_WORD = re.compile(rf"[^\W\d_]{{{LONG},}}")
_CONSONANT = rf"[^\W\d_{VOWELS}]"
_ONE_SOUND = "(?:sch|ch|ck|ph|th)"
_BREAK = re.compile(
    rf"(?<=[{VOWELS}])(?=(?:{_CONSONANT}|{_ONE_SOUND})[{VOWELS}])"
    rf"|(?<=[{VOWELS}]{_CONSONANT})(?!(?<=c)[hk]|(?<=[pt])h)(?={_CONSONANT}[{VOWELS}])"
)
"""A place between syllables, as in ``to-tal``, ``win-ter`` and ``Marie-chen``."""


def hyphenate(text: str) -> str:
    """Put soft hyphens into long words of *text*, which is translated already.

    >>> hyphenate("Ben und Bartholomäusmaximiliane").replace(HYPHEN, "-")
    'Ben und Bartho-lo-mäus-ma-xi-mi-liane'
    """
    return _WORD.sub(lambda match: HYPHEN.join(_pieces(match[0])), text)


def _pieces(word: str) -> list[str]:
    """Cut a word where it may be broken, and too long pieces evenly."""
    last = len(word) - STUB
    breaks = [match.start() for match in _BREAK.finditer(word.lower())]
    ends = [0, *(place for place in breaks if STUB <= place <= last), len(word)]
    pieces: list[str] = []
    for start, end in pairwise(ends):
        count = ceil((end - start) / PIECE)
        size = ceil((end - start) / count)
        cuts = range(start, end, size)
        pieces += [word[cut : min(cut + size, end)] for cut in cuts]
    return pieces
