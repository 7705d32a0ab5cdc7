"""Parsing a game script into lines and words, without playing it.

The first word of a line is its *kind*: ``edition`` and ``seats`` come first, ``option``
and ``given`` set the table up, ``do`` makes a move, ``refuse`` tries one that the rules
must refuse, and ``expect`` checks the game. A ``refuse`` line ends in an arrow and
the reason: ``refuse red buy -> not_your_turn``. Everything after ``#`` is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from companion.errors import Malformed, Why
from companion.words.report import nearest

KINDS = ("edition", "seats", "option", "given", "do", "refuse", "expect")
"""The kinds of lines."""

LINES_MAX = 100_000
"""The most lines of a script."""

SUGGESTED_MAX = 40
"""The most possible words that a fault lists."""

ARROW = "->"
"""The word before the reason at the end of a ``refuse`` line."""

WORDS_LEAST = {"edition": 1, "seats": 1}
"""Kind of line -> the fewest words after it; 2 for all other kinds."""


@dataclass(frozen=True)
class Word:
    """A word and its column, counted from 1."""

    text: str
    column: int


@dataclass(frozen=True)
class ScriptLine:
    """One line of a script that is not empty.

    Attributes:
        number: The line number, from 1.
        kind: The first word of the line.
        words: The words after the kind, up to the arrow of a ``refuse`` line.
        why: The reason after that arrow; ``None`` for other lines.
        text: The line as written, without the comment.
    """

    number: int
    kind: str
    words: tuple[Word, ...]
    why: Why | None
    text: str

    @property
    def texts(self) -> tuple[str, ...]:
        """The words as plain text."""
        return tuple(word.text for word in self.words)


class ScriptFault(Malformed):
    """A line that cannot be read.

    Attributes:
        line: The number of the line, from 1.
        column: The column of the wrong word, from 1.
    """

    def __init__(self, line: int, column: int, wanted: str, got: str) -> None:
        where = f"line {line}, column {column}"
        message = f"{where}: expected {wanted}, got {got}"
        super().__init__(message, wanted=wanted, got=got)
        self.line = line
        self.column = column


def parse(text: str) -> tuple[ScriptLine, ...]:
    """Return every line that is neither empty nor only a comment, in order.

    Raises:
        ScriptFault: At the first line that cannot be read.
    """
    rows = text.removeprefix("\ufeff").splitlines()
    if len(rows) > LINES_MAX:
        raise ScriptFault(LINES_MAX, 1, f"at most {LINES_MAX} lines", str(len(rows)))
    all_lines = [_parse_line(number, row) for number, row in enumerate(rows, 1)]
    lines = tuple(line for line in all_lines if line is not None)
    _check_order(lines)
    return lines


def _parse_line(number: int, row: str) -> ScriptLine | None:
    """Return the line; ``None`` if it is empty or only a comment."""
    text = row.partition("#")[0].rstrip()
    matches = re.finditer(r"\S+", text)
    words = tuple(Word(match[0], match.start() + 1) for match in matches)
    if not words:
        return None
    kind, rest = words[0], words[1:]
    if kind.text not in KINDS:
        raise unknown_word(number, kind, KINDS)
    why = None
    texts = [word.text for word in rest]
    if kind.text == "refuse":
        ends_in_reason = ARROW in texts and texts.index(ARROW) == len(texts) - 2
        if not ends_in_reason:
            column = rest[-1].column if rest else kind.column
            raise ScriptFault(number, column, "-> and one reason at the end", text)
        why = _parse_reason(number, rest[-1])
        rest = rest[:-2]
    if len(rest) < WORDS_LEAST.get(kind.text, 2):
        raise ScriptFault(number, len(text) + 1, "more words", repr(text.strip()))
    return ScriptLine(number, kind.text, rest, why, text.strip())


def _parse_reason(number: int, word: Word) -> Why:
    try:
        return Why(word.text)
    except ValueError:
        raise unknown_word(number, word, [str(why) for why in Why]) from None


def unknown_word(
    number: int, word: Word, known: Iterable[str], wanted: str = ""
) -> ScriptFault:
    """Return the fault for a wrong word; suggest the nearest of the *known* words."""
    choices = tuple(dict.fromkeys(known))
    close = nearest(word.text, choices)
    wanted = wanted or f"one of {', '.join(choices[:SUGGESTED_MAX])}"
    got = repr(word.text) + (f"; did you mean {close!r}?" if close else "")
    return ScriptFault(number, word.column, wanted, got)


def _check_order(lines: tuple[ScriptLine, ...]) -> None:
    """Check the order: the edition, the seats, then the position, then play."""
    if not lines:
        raise ScriptFault(1, 1, "'edition' and its id", "nothing")
    for index, kind in enumerate(("edition", "seats")):
        if len(lines) <= index or lines[index].kind != kind:
            last = lines[min(index, len(lines) - 1)]
            raise ScriptFault(last.number, 1, f"a line {kind!r}", repr(last.text))
    has_begun = False
    for line in lines[2:]:
        if line.kind in ("edition", "seats"):
            raise ScriptFault(line.number, 1, f"{line.kind!r} once", repr(line.text))
        has_begun = has_begun or line.kind == "do"
        if has_begun and line.kind in ("given", "option"):
            wanted = f"{line.kind!r} before the first 'do'"
            raise ScriptFault(line.number, 1, wanted, repr(line.text))
