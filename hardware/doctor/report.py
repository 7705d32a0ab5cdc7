"""Format findings for a terminal."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator

from companion.health import Condition, Finding

COLOURS = {
    Condition.OK: "green",
    Condition.UNKNOWN: "cyan",
    Condition.WARN: "yellow",
    Condition.FAIL: "red",
}
# The columns of a line: condition, a gap of 2, topic, then the words.
CONDITION_WIDTH = max(map(len, Condition))
TOPIC_WIDTH = 20
INDENT = CONDITION_WIDTH + 2 + TOPIC_WIDTH
WORDS_WIDTH_MIN = 20
"""The words get this width even on a terminal that is too narrow."""


def lines_of(finding: Finding, width: int, condition: str) -> Iterator[str]:
    """Yield the lines that show a finding: its words, and below them the remedy.

    *width* are the columns of the terminal; *condition* is already padded, and perhaps
    coloured.
    """
    words_width = max(WORDS_WIDTH_MIN, width - INDENT)
    words = _wrapped(finding.words, words_width) or [""]
    yield f"{condition}  {finding.topic:<{TOPIC_WIDTH}}{words[0]}".rstrip()
    yield from (f"{'':{INDENT}}{line}" for line in words[1:])
    remedy = f"→ {finding.remedy}" if finding.remedy else ""
    for number, line in enumerate(_wrapped(remedy, words_width - 2)):
        yield f"{'':{INDENT + (2 if number else 0)}}{line}"


def _wrapped(text: str, width: int) -> list[str]:
    """Wrap *text*, but never at a hyphen, as that would cut commands in two."""
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)


def summary(findings: Iterable[Finding]) -> str:
    """Count the findings of each condition, in one sentence."""
    counts = Counter(finding.condition for finding in findings)
    if not counts[Condition.WARN] and not counts[Condition.FAIL]:
        unknown = counts[Condition.UNKNOWN]
        return "All is well" + (
            f", as far as can be told ({unknown} unknown)." if unknown else "."
        )
    parts = [f"{counts[kind]} {kind}" for kind in reversed(Condition) if counts[kind]]
    return ", ".join(parts) + "."
