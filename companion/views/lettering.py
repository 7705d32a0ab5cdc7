"""Words fitted into a rectangle: their line breaks, and the largest size that fits.

A drawing cannot ask a browser how wide its letters are, so the widths of the board's
condensed font are listed here; any other character is assumed to be wide.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec

LINE: Final = 116
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
"""The letters by their greatest advance, in percent of their size.

Source: the ``hmtx`` table of Barlow Condensed semibold, 1000 units to the em.
"""

_WIDTHS: Final = {letter: w for w, group in _LETTERS.items() for letter in group}
_UNKNOWN: Final = 100


def width_of(text: str, size: int) -> int:
    """Return the greatest width of *text*, in the units of *size*."""
    units = sum(_WIDTHS.get(letter, _UNKNOWN) for letter in text)
    return -(-units * size // 100)


class Lettering(msgspec.Struct, frozen=True):
    """Words broken into lines, and the size at which they fit."""

    lines: tuple[str, ...]
    size: int

    @property
    def leading(self) -> int:
        """The distance from one line to the next."""
        return self.size * LINE // 100


@lru_cache(maxsize=1_000)
def fitted(
    text: str, width: int, height: int, size_max: int = 24, size_min: int = 9
) -> Lettering:
    """Set *text* in the largest letters with which it fits into *width* x *height*.

    A text too long even for the smallest letters ends in an ellipsis.
    """
    for size in range(size_max, size_min - 1, -1):
        lines = wrapped(text, width, size)
        fits = all(width_of(line, size) <= width for line in lines)
        if fits and len(lines) * size * LINE <= height * 100:
            return Lettering(lines, size)
    count = max(1, height * 100 // (size_min * LINE))
    lines = tuple(
        _cut(line, width, size_min) for line in wrapped(text, width, size_min)
    )
    if len(lines) > count:
        lines = (*lines[: count - 1], _cut(f"{lines[count - 1]}…", width, size_min))
    return Lettering(lines, size_min)


def wrapped(text: str, width: int, size: int) -> tuple[str, ...]:
    """Break *text* between words so that lines are no wider than *width*.

    A word that is wider by itself stands alone on its line.
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
    if width_of(line, size) <= width:
        return line
    while line and width_of(f"{line}…", size) > width:
        line = line[:-1].rstrip("… ")
    return f"{line}…"
