"""Words fitted into a rectangle: their line breaks, and the largest size that fits.

A drawing cannot ask a browser how wide its letters are, so the widths of the board's
condensed font are listed here; any other character is assumed to be wide. The *size* of
letters is that of the font, in the units of the drawing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec

LINE_PERCENT: Final = 116
"""The height of a line, in percent of the size of its letters."""

_LETTERS: Final = {
    22: " '|,`ijlìíîï.;",
    26: ":IÌÍÎÏ",
    32: '!()1ftr"{}',
    38: "-[]*z",
    42: "/7sFLZ^_vxyýÿ?",
    44: "$+235689<=>ESabcdeghknouÈÉÊËàáâãäåçèéêëñòóôõö÷ùúûüþ",
    46: "04ACJPQTXYpqÀÁÂÃÄÅÇÝÞßð",
    48: "BDGHKORUV~ÒÓÔÕÖÙÚÛÜø",
    52: "€NÑ£Ð",
    61: "M&wØ#",
    78: "Wmæœ…ŒÆ@%",
}
"""The letters by their width in percent of their size, rounded up.

Source: the ``hmtx`` table of Barlow Condensed semibold, 1000 units to the em.
"""

_WIDTHS: Final = {
    letter: percent for percent, group in _LETTERS.items() for letter in group
}

_WIDEST: Final = 100
"""The width of a letter that is not listed: as wide as the font is high."""


def width_of(text: str, size: int) -> int:
    """Return the most that *text* can be wide, in the units of *size*."""
    percent = sum(_WIDTHS.get(letter, _WIDEST) for letter in text)
    return -(-percent * size // 100)  # Rounded up.


class Lettering(msgspec.Struct, frozen=True):
    """A text broken into lines, and the size of letters at which they fit."""

    lines: tuple[str, ...]
    size: int

    @property
    def leading(self) -> int:
        """The distance from one line to the next."""
        return self.size * LINE_PERCENT // 100


@lru_cache(maxsize=1_000)
def fit_words(
    text: str, width: int, height: int, size_max: int = 24, size_min: int = 9
) -> Lettering:
    """Set *text* in the largest letters with which it fits into *width* x *height*.

    A text that is too long even for letters of *size_min* ends in an ellipsis.
    """
    for size in range(size_max, size_min - 1, -1):
        lines = break_lines(text, width, size)
        is_narrow = all(width_of(line, size) <= width for line in lines)
        if is_narrow and len(lines) * size * LINE_PERCENT <= height * 100:
            return Lettering(lines, size)
    lines = tuple(
        _cut(line, width, size_min) for line in break_lines(text, width, size_min)
    )
    lines_max = max(1, height * 100 // (size_min * LINE_PERCENT))
    if len(lines) > lines_max:
        last = _cut(f"{lines[lines_max - 1]}…", width, size_min)
        lines = (*lines[: lines_max - 1], last)
    return Lettering(lines, size_min)


def break_lines(text: str, width: int, size: int) -> tuple[str, ...]:
    """Break *text* between words into lines no wider than *width*.

    Only a single word that is wider makes a line too wide.
    """
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)


def _cut(line: str, width: int, size: int) -> str:
    """Cut a line that is wider than *width*, and end it with an ellipsis."""
    if width_of(line, size) <= width:
        return line
    while line and width_of(f"{line}…", size) > width:
        line = line[:-1].rstrip("… ")
    return f"{line}…"
